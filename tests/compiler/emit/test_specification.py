"""Relations between sizes: read, evaluated over all sizes at once, printed; and the interface features around them."""

from dataclasses import replace

import numpy
import pytest

from compiler.emit import checks, formula
from compiler.emit.cases import accepted, api_cases, largest_within, refused
from compiler.emit.directory import render_directory
from compiler.emit.view import OperatorView
from ir.binding import BindError, bind
from ir.inputs import make_inputs
from ir.relation import RelationError, expression, relation
from tests.compiler.emit.text_gated_residual import INTERFACE, PLAN, PLANS, shapes

C, H, R = numpy.meshgrid(numpy.arange(0, 26), numpy.arange(0, 5001), numpy.arange(0, 701, 4), indexing="ij", sparse=True)
SIZES = {"C": C, "H": H, "R": R}


@pytest.mark.parametrize("product, k, largest", [("ascend950", 62448, 4800), ("ascend910b", 39664, 3040), ("ascend910_93", 39664, 3040)])
def test_all_sizes(product, k, largest):
    """What is admitted is what the document's formulas say, over all C, H and R; the bounds that follow are those it names."""
    admitted = INTERFACE.admits(product, SIZES)
    bound = k - 16 * numpy.ceil(C / 8)
    documented = (C >= 1) & (C <= 20) & (H >= 16) & (H % 16 == 0) & (R >= 16) & (R % 16 == 0) & (R <= 640)
    documented = documented & (13 * H <= bound) & (3 * H + 8 * R <= bound) & (7 * H + 6 * R <= bound)
    assert numpy.array_equal(admitted, documented)
    effective = (C >= 1) & (C <= 20) & (H >= 16) & (H <= largest) & (H % 16 == 0) & (R >= 16) & (R % 16 == 0) & (R <= 640)
    assert numpy.array_equal(admitted, effective)
    for channels in (1, 8, 9, 20):
        assert largest_within(INTERFACE, product, "H", {"C": channels, "H": 16, "R": 640}) == largest


@pytest.mark.parametrize("product, sizes, message", [
    ("ascend950", dict(C=20, H=4800, R=640), None),
    ("ascend950", dict(C=20, H=4816, R=640), "H: got H=4816, wants 13*H <= K on ascend950, where K is 62400"),
    ("ascend910b", dict(C=1, H=3040, R=640), None),
    ("ascend910b", dict(C=1, H=3056, R=16), "H: got H=3056, wants 13*H <= K on ascend910b, where K is 39648"),
    ("ascend910_93", dict(C=21, H=16, R=16), "C: got 21, wants 1 to 20"),
    ("ascend910_93", dict(C=1, H=16, R=656), "R: got 656, wants 1 to 640"),
    ("ascend950", dict(C=1, H=24, R=16), "H: got 24, wants a multiple of 16"),
])
def test_refusal(product, sizes, message):
    assert INTERFACE.refusal(product, sizes) == message
    assert bool(INTERFACE.admits(product, sizes)) == (message is None)


def test_notations():
    rule = relation("3*H + 8*R <= K - 2*(C + 1)")
    called = {n: f"request.{n}" for n in "HRCK"}
    assert formula.plain(rule) == "3 * H + 8 * R <= K - 2 * (C + 1)"
    assert formula.safe_sum(rule.left, called) == "Sum({Product({3, request.H}), Product({8, request.R})})"
    assert formula.cpp(rule.right, called) == "request.K - 2 * (request.C + 1)"
    assert formula.latex(rule.right) == r"K-2\left(C+1\right)"
    assert formula.latex(expression("A * B")) == r"A\times B"
    assert relation("13*H <= K").bound == (13, "H") and relation("H <= K").bound == (1, "H")
    assert relation("3*H + R <= K").bound is None and relation("H % 16 == 0").multiple == ("H", 16)
    assert relation("ceil_div(H, 8) <= 4").holds({"H": 32}) and not relation("ceil_div(H, 8) <= 4").holds({"H": 33})


@pytest.mark.parametrize("text", ["H", "H < K < L", "H ** 2 <= K", "f(H) <= K", "H <= 1.5", "H <= 'a'", "H <=", "ceil_div(H) <= K", "H <= True"])
def test_texts_that_are_no_relation(text):
    with pytest.raises(RelationError, match="relation "):
        relation(text)


@pytest.mark.parametrize("change, message", [
    (dict(relations=("H <= Q",)), "Q is no size and no constant"),
    (dict(relations=("H ** 2 <= K",)), "is none of a name, an integer"),
    (dict(relations=("H * 2 == R",)), "wants a multiple"),
    (dict(relations=("H <= R * H",)), "wants a multiple"),
    (dict(constants={"K": {"ascend950": "1"}}), "has no value on ascend910b"),
    (dict(shape_checks="nowhere"), "wants 'tiling' or 'aclnn'"),
    (dict(style="baroque"), "wants 'nn' or 'transformer'"),
])
def test_interfaces_that_cannot_be_printed(change, message):
    with pytest.raises(checks.UnsupportedInterface, match=message):
        render_directory(replace(INTERFACE, **change), PLANS)


def test_products_that_tiling_cannot_tell_apart():
    constants = {"K": {**INTERFACE.constants["K"], "ascend910_93": "39665 - 16 * ceil_div(C, 8)"}}
    with pytest.raises(checks.UnsupportedInterface, match="constant K: products with different values are one to the toolkit"):
        render_directory(replace(INTERFACE, constants=constants), PLANS)
    with pytest.raises(checks.UnsupportedInterface, match="products with different plans are all ASCEND910B"):
        render_directory(INTERFACE, {**PLANS, "ascend910_93": replace(PLAN, block_dim="1")})


def test_sizes_are_read_where_an_attribute_may_be_wrong():
    defined = checks.definitions(INTERFACE)
    assert {s: (t.name, i, p) for s, (t, i, p) in defined.items()} == {
        "H": ("x", 0, checks.Parts(1, ("C",))), "R": ("w_down", 0, checks.Parts(1))}


def test_cases_of_the_unit_tests():
    """Each case's status is what the interface says of its sizes."""
    op = OperatorView(INTERFACE, PLANS)
    names = {c.name: c for c in api_cases(op)}
    codes = {n: c.status.code if c.status else 0 for n, c in names.items()}
    assert codes["refuses_H_no_multiple"] == codes["refuses_H_beyond"] == codes["refuses_no_H"] == 561103
    assert codes["refuses_large_R"] == codes["refuses_channels_too_large"] == codes["refuses_channels_no_divisor"] == 161002
    assert codes["refuses_negative_rows"] == codes["refuses_too_many_rows"] == 161002
    assert codes["refuses_inject_without_dw_gate"] == codes["refuses_gamma_without_gamma"] == 161001
    assert codes["accepts_B_is_0"] == codes["accepts_only_gamma"] == 0
    assert len(names) == len(api_cases(op)) and len({c.name for c in (*accepted(INTERFACE), *refused(INTERFACE))}) == len(
        [*accepted(INTERFACE), *refused(INTERFACE)])
    beyond = next(c for c in refused(INTERFACE) if c.name == "H_beyond")
    assert beyond.shapes["grad_mixed"][-1] == 4816


def arrays(**sizes):
    given, _ = make_inputs(INTERFACE, {"B": 1, "S": 2, "C": 4, "H": 16, "R": 16} | sizes, "bfloat16")
    return given


def test_binding_named_leading_dimensions():
    binding = bind(INTERFACE, arrays(), {"channels": 4})
    assert binding.symbols == {"C": 4, "H": 16, "R": 16, "B": 1, "S": 2, "T": 2} and binding.leading == (1, 2)
    assert binding.options == {"inject", "gamma"}
    assert {n: a.shape for n, a in arrays().items()} == {n: s for n, s in shapes().items() if n in {t.name for t in INTERFACE.inputs}}
    rows, _ = make_inputs(INTERFACE, {"T": 6, "C": 4, "H": 16, "R": 16}, "float16")
    assert rows["x"].shape == (1, 6, 64)
    order, _ = make_inputs(INTERFACE, {"S": 2, "B": 3, "C": 4, "H": 16, "R": 16}, "float16")
    assert order["x"].shape == (3, 2, 64)


@pytest.mark.parametrize("attrs, change, message", [
    ({}, {}, "channels: is missing, wants a value"),
    ({"channels": 3}, {}, r"x: shape is \[1, 2, 64\], wants"),
    ({"channels": 21}, {}, "channels: got 21, wants 1 to 20"),
    ({"channels": 4}, {"inject": None}, "inject: is missing, wants a tensor .*, or w_gate, grad_inject, inject, dw_gate all absent"),
    ({"channels": 4}, {"w_gate": None}, "w_gate: is missing"),
    ({"channels": 4}, {"dgamma": None}, "dgamma: is null"),
    ({"channels": 4}, {"x": "flat"}, "x: rank is 2, wants 3"),
])
def test_binding_refuses(attrs, change, message):
    given = arrays()
    given |= {n: given[n].reshape(2, 64) if v == "flat" else v for n, v in change.items()}
    with pytest.raises(BindError, match=message):
        bind(INTERFACE, given, attrs)


@pytest.mark.parametrize("shape, message", [
    ({"C": 4, "H": 16, "R": 16}, "wants B, S"),
    ({"B": 1, "C": 4, "H": 16, "R": 16}, "got B, wants B, S .S is missing"),
    ({"B": 1, "S": 1, "Q": 2, "C": 4, "H": 16, "R": 16}, "Q is no size of TextGatedResidualGrad"),
    ({"B": 1, "S": 1, "H": 16, "R": 16}, "channels: is missing"),
])
def test_shapes_that_name_no_call(shape, message):
    with pytest.raises(BindError, match=message):
        make_inputs(INTERFACE, shape, "bfloat16")


def test_the_sample():
    """The documented numbers, from the closed form of the gradient in float64."""
    sample, s = INTERFACE.sample, INTERFACE.sample.sizes
    value = lambda n: numpy.full(shapes(**s)[n], sample.values.get(n, 0.0))
    rows, channels, features = s["B"] * s["S"], s["C"], s["H"]
    sigmoid = lambda v: 1 / (1 + numpy.exp(-v))
    cut = lambda v: v.reshape(rows, channels, features)
    gain = 1 + value("gamma").reshape(channels, features)
    x_hat = cut(value("x")) * value("inv_rms").reshape(rows, channels, 1)
    n, gate = x_hat * gain, sigmoid(cut(value("up")))
    g = value("grad_mixed").reshape(rows, 1, features)
    d_up = (g * n * gate * (1 - gate) / channels).reshape(rows, -1)
    z = value("down_pre_act").reshape(rows, -1) / channels
    d_down = d_up @ value("w_up") * (sigmoid(z) * (1 + z * (1 - sigmoid(z)))) / channels
    inject = value("inject").reshape(rows, channels)
    d_gate = value("grad_inject").reshape(rows, channels) * inject * (1 - inject / 2) / channels
    d_n = g * gate / channels + cut(d_down @ value("w_down") + d_gate @ value("w_gate"))
    u = d_n * gain
    d_x = value("inv_rms").reshape(rows, channels, 1) * (u - x_hat * (u * x_hat).mean(-1, keepdims=True))
    flat = n.reshape(rows, -1)
    gradients = {"dx": d_x, "dw_down": d_down.T @ flat, "dw_up": d_up.T @ (z * sigmoid(z)), "dw_gate": d_gate.T @ flat,
                 "dgamma": (d_n * x_hat).sum(0)}
    for name, gradient in gradients.items():
        assert numpy.allclose(gradient, sample.expected.get(name, 0.0), rtol=1e-12), name
