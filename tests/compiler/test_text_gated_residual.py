"""The gradients of the gated channel mix and of two operators of its kind: proof, closed form, options, rounding."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from compiler import products
from compiler.differences import Evaluation
from compiler.differentiate import DifferentiationError, differentiate
from compiler.pipeline import backward_of, compile_operator
from compiler.prove import prove
from compiler.request import Request, make_request
from compiler.scalar import sizes_for
from compiler.simplify import specialise
from ir.builder import build_documented, build_forward
from ir.types import numpy_dtype
from tests.operators.gated_residual_tanh_grad import OPERATOR as TANH
from tests.operators.mlp_grad import OPERATOR as MLP
from ir.operators.text_gated_residual_grad import OPERATOR

OPTIONS = [(), ("inject",), ("gamma",), ("inject", "gamma")]
ALL = ("inject", "gamma")
BACKWARD = {o.name: backward_of(o)[1] for o in (OPERATOR, TANH, MLP)}


def closed_form(d, gate_slope=lambda i: i * (1 - i / 2), channels="C", features="H", scale=lambda d, v: v * (1 + d.channels(d.gamma, "C")),
                twice=False, statistics=True, sigmoid_slope=lambda s: s * (1 - s), down=lambda d, v: v @ d.w_down, act=lambda d, z: d.silu(z),
                normed=lambda x_hat, n: x_hat, residual=True, silu_slope=lambda s, z: s * (1 + z * (1 - s))):
    """The gradients in closed form; each argument changes a single thing."""
    C, H = d.size(channels), d.size(features)
    scaled = lambda v: d.when("gamma", scale(d, v), v)
    inv_rms = d.reshape(d.inv_rms, "T", "C", 1)
    g, s, x = d.reshape(d.grad_mixed, "T", 1, "H"), d.sigmoid(d.channels(d.up, "C")), d.channels(d.x, "C")
    x_hat = x * inv_rms
    n = scaled(x_hat)
    z = d.down_pre_act / C
    sigma = d.sigmoid(z)
    d_up = d.flatten(g * n * sigmoid_slope(s) / C)
    d_down = d_up @ d.w_up * silu_slope(sigma, z) / C
    d_gate = d.grad_inject * gate_slope(d.inject) / C
    dn = down(d, d_down)
    dn = d.channels(d.when("inject", dn + d_gate @ d.w_gate, dn), "C")
    dn = dn + g * s / C if residual else dn
    u = scaled(scaled(dn)) if twice else scaled(dn)
    dx = inv_rms * (u - x_hat * (d.sum(u * x_hat) / H)) if statistics else inv_rms * u
    n = d.flatten(n)
    return {
        "dx": d.flatten(dx),
        "dw_up": d.matmul(d_up, act(d, z), transpose_a=True),
        "dw_down": d.matmul(d_down, n, transpose_a=True),
        "dw_gate": d.matmul(d_gate, n, transpose_a=True),
        "dgamma": d.flatten(d.sum(dn * normed(x_hat, d.channels(n, "C")), axis=0)),
    }


DOCUMENTED = replace(OPERATOR, documented=closed_form)

WRONG = {
    "gamma twice": (dict(twice=True), {"dx"}),
    "gamma without the one": (dict(scale=lambda d, v: v * d.channels(d.gamma, "C")), {"dx", "dw_up", "dw_down", "dw_gate", "dgamma"}),
    "no path through inv_rms": (dict(statistics=False), {"dx"}),
    "mean without 1/H": (dict(features="T"), {"dx"}),
    "1/R for 1/C": (dict(channels="R"), {"dx", "dw_up", "dw_down", "dw_gate", "dgamma"}),
    "sigmoid' is sigmoid": (dict(sigmoid_slope=lambda s: s), {"dx", "dw_up", "dw_down", "dgamma"}),
    "sigmoid' is 1 - sigmoid": (dict(sigmoid_slope=lambda s: 1 - s), {"dx", "dw_up", "dw_down", "dgamma"}),
    "gate twice": (dict(gate_slope=lambda i: 2 * i * (1 - i / 2)), {"dx", "dw_gate", "dgamma"}),
    "gate as a plain sigmoid": (dict(gate_slope=lambda i: i * (1 - i)), {"dx", "dw_gate", "dgamma"}),
    "weight of the wrong side": (dict(down=lambda d, v: d.matmul(v, d.w_up, transpose_b=True)), {"dx", "dgamma"}),
    "act before the slope": (dict(act=lambda d, z: z), {"dw_up"}),
    "silu' is sigmoid": (dict(silu_slope=lambda s, z: s), {"dx", "dw_down", "dgamma"}),
    "dgamma of the scaled x": (dict(normed=lambda x_hat, n: n), {"dgamma"}),
    "no direct path": (dict(residual=False), {"dx", "dgamma"}),
}


@pytest.fixture(scope="module")
def evaluation():
    backward, forward = BACKWARD[OPERATOR.name], build_forward(OPERATOR)
    return Evaluation(OPERATOR, forward, ALL, sizes_for(forward), 2, {"epsilon"}, backward)


def test_the_closed_form_is_the_derived_gradient():
    proof = prove(DOCUMENTED, only=("documented", "specialised", "inputs", "ties", "masks"))
    assert proof.holds, str(proof)
    assert {r.options for r in proof.results if r.output == "dx"} == set(OPTIONS)
    assert {r.options for r in proof.results if r.output == "dgamma"} == {o for o in OPTIONS if "gamma" in o}
    assert all("by evaluation" in r.detail for r in proof.results if r.name in ("documented", "specialised"))


@pytest.mark.parametrize("options", OPTIONS, ids="+".join)
def test_the_derived_gradient_is_that_of_the_forward(options):
    forward, backward = build_forward(OPERATOR), BACKWARD[OPERATOR.name]
    here = Evaluation(OPERATOR, forward, options, {"T": 2, "C": 2, "H": 3, "R": 2}, 2, {"epsilon"}, backward)
    for output in OPERATOR.gradients:
        if OPERATOR.interface.tensor(output).option in (None, *options):
            failure, detail = here.derivative(output, backward, False)
            assert not failure and "by central differences at 2 points, 60 digits" in detail


@pytest.mark.parametrize("fault", WRONG)
def test_wrong_formulas_fail(fault, evaluation):
    changed, affected = WRONG[fault]
    wrong = build_documented(replace(OPERATOR, documented=lambda d: closed_form(d, **changed)))
    off = {o for o in OPERATOR.gradients if evaluation.derivative(o, wrong, False)[0]}
    assert off == affected
    assert {o for o in OPERATOR.gradients if evaluation.same(o, BACKWARD[OPERATOR.name], wrong)[0]} == affected


def test_a_transposed_weight_gradient_fails(evaluation):
    def transposed(d):
        right = closed_form(d)
        return right | {"dw_up": d.reshape(right["dw_up"], "R", "C*H"), "dw_down": d.reshape(right["dw_down"], "C*H", "R")}

    wrong = build_documented(replace(OPERATOR, documented=transposed))
    for output in ("dw_up", "dw_down"):
        assert "has the shape" in evaluation.derivative(output, wrong, False)[0]


def test_a_wrong_graph_is_not_proven():
    wrong = specialise(build_documented(replace(OPERATOR, documented=lambda d: closed_form(d, statistics=False))), ALL)
    proof = prove(DOCUMENTED, wrong, only=("documented", "inputs"))
    assert {(r.output, r.name) for r in proof.failures if r.options == ALL} == {("dx", "documented")}
    assert any(r.name == "inputs" and "gamma" in r.detail for r in proof.failures if r.options == ())


def test_the_gradient_needs_no_epsilon_unless_nothing_saves_it():
    assert "epsilon" not in BACKWARD[OPERATOR.name].inputs

    def unsaved(f):
        return {"mixed": f.x * f.rsqrt(f.mean(f.x * f.x) + f.epsilon)}

    operator = replace(MLP, forward=lambda f: {"y": unsaved(f)["mixed"]}, gradients={"grad_x": "x"}, unknowns={"epsilon": 1e-6},
                       interface=replace(MLP.interface, tensors=tuple(
                           replace(t, shape="..., K") if t.name == "grad_y" else t for t in MLP.interface.tensors)))
    with pytest.raises(DifferentiationError, match="epsilon: the gradient needs it and the interface does not give it"):
        differentiate(operator, build_forward(operator))


@pytest.mark.parametrize("operator, matmuls", [(OPERATOR, 6), (TANH, 7), (MLP, 5)], ids=lambda v: getattr(v, "name", ""))
def test_the_backward_has_no_matmul_too_many(operator, matmuls):
    """G1 grad_act, two onto x_norm, three weight gradients; tanh recomputes up; the perceptron its hidden layer."""
    nodes = BACKWARD[operator.name].nodes()
    assert sum(n.op == "matmul" for n in nodes) == matmuls
    outputs = BACKWARD[operator.name].outputs.values()
    assert sum(n.op == "matmul" and n in outputs for n in nodes) == 3


def test_saved_tensors_are_not_recomputed():
    inputs = set(BACKWARD[OPERATOR.name].inputs)
    assert inputs == {t.name for t in OPERATOR.interface.inputs}
    assert not any(n.op == "rsqrt" for n in BACKWARD[OPERATOR.name].nodes())


@pytest.mark.parametrize("options", OPTIONS, ids="+".join)
def test_an_absent_option_takes_its_tensors_with_it(options):
    special = specialise(BACKWARD[OPERATOR.name], options)
    kept = [o for o in special.outputs if OPERATOR.interface.tensor(o).option in (None, *options)]
    special = replace(special, outputs={o: special.outputs[o] for o in kept})
    used = {n.attr("name") for n in special.nodes()[:] if n.op == "input"} - set(special.inputs)
    assert not used
    needed = {n.attr("name") for o in kept for n in replace(special, inputs={}, outputs={o: special.outputs[o]}).nodes() if n.op == "input"}
    assert needed <= {t.name for t in OPERATOR.interface.inputs if t.option in (None, *options)}


# Numbers.


def seed_example() -> Request:
    bfloat16 = numpy_dtype("bfloat16")
    B, S, C, H, R = 1, 2, 4, 16, 16
    D = C * H
    full = lambda value, *shape, dtype=bfloat16: np.full(shape, value, dtype)
    arrays = {
        "grad_mixed": full(1, B, S, H), "grad_inject": full(1, B, S, C), "x": full(0, B, S, D), "w_down": full(0, R, D),
        "w_up": full(0, D, R), "w_gate": full(0, C, D), "gamma": full(0, D, dtype=np.float32),
        "inv_rms": full(1000, B, S, C, dtype=np.float32), "inject": full(1, B, S, C), "down_pre_act": full(0, B, S, R),
        "up": full(0, B, S, D),
    }
    return Request(OPERATOR, arrays, {"channels": C}, strict=True)


@pytest.mark.parametrize("rounding", ["exact", "kernel"])
def test_the_calling_example_gives_125(rounding):
    outputs = seed_example().interpret(rounding)
    assert (outputs["dx"].astype(float) == 125.0).all()
    for name in ("dw_down", "dw_up", "dw_gate", "dgamma"):
        assert not outputs[name].astype(float).any()


def request(operator, shape, dtype, without=""):
    return make_request(operator, shape, dtype, without, (), 1, None, True)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("without", ["", "gamma", "inject", "gamma,w_gate"])
@pytest.mark.parametrize("shape", ["B=1,S=2,C=4,H=16,R=16", "B=2,S=33,C=3,H=48,R=32", "B=7,S=1,C=1,H=32,R=16"])
def test_kernel_rounding_is_within_the_documented_precision(shape, dtype, without):
    some = request(OPERATOR, shape, dtype, without)
    report = some.judge(some.interpret("kernel"))
    assert report.ok, str(report)
    assert len(report.outputs) == 5 - ("gamma" in without) - ("inject" in without or "gate" in without)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_the_perceptron_within_its_precision(dtype):
    some = request(MLP, "T=20,K=32,H=48,N=16", dtype)
    report = some.judge(some.interpret("kernel"))
    assert report.ok, str(report)


def test_no_rows():
    some = request(OPERATOR, "B=0,S=5,C=4,H=16,R=16", "bfloat16")
    for rounding in ("exact", "kernel"):
        outputs = some.interpret(rounding)
        assert outputs["dx"].shape == (0, 5, 64)
        assert all(not v.astype(float).any() for v in outputs.values())
        assert outputs["dw_up"].shape == (64, 16) and outputs["dgamma"].shape == (64,)


def by_hand(a, C, options):
    """The closed form in NumPy."""
    T, D = a["x"].size // a["x"].shape[-1], a["x"].shape[-1]
    H = D // C
    rows = {k: v.astype(float).reshape(T, -1) if v.ndim == 3 else v.astype(float) for k, v in a.items()}
    sigma = lambda v: 1 / (1 + np.exp(-v))
    scale = 1 + rows["gamma"].reshape(C, H) if "gamma" in options else 1.0
    x, inv = rows["x"].reshape(T, C, H), rows["inv_rms"][..., None]
    x_hat = x * inv
    n = (x_hat * scale).reshape(T, D)
    s = sigma(rows["up"]).reshape(T, C, H)
    g, z = rows["grad_mixed"][:, None] / C, rows["down_pre_act"] / C
    d_up = (g * n.reshape(T, C, H) * s * (1 - s)).reshape(T, D)
    d_down = d_up @ rows["w_up"] * (sigma(z) * (1 + z * (1 - sigma(z)))) / C
    dn = d_down @ rows["w_down"]
    found = {"dw_up": d_up.T @ (z * sigma(z)), "dw_down": d_down.T @ n}
    if "inject" in options:
        d_gate = rows["grad_inject"] * rows["inject"] * (1 - rows["inject"] / 2) / C
        dn = dn + d_gate @ rows["w_gate"]
        found["dw_gate"] = d_gate.T @ n
    dn = dn.reshape(T, C, H) + g * s
    if "gamma" in options:
        found["dgamma"] = (dn * x_hat).sum(axis=0).reshape(D)
    u = dn * scale
    found["dx"] = (inv * (u - x_hat * (u * x_hat).mean(axis=-1, keepdims=True))).reshape(a["x"].shape)
    return found


@pytest.mark.parametrize("options", OPTIONS, ids="+".join)
def test_exact_is_the_closed_form_in_float64(options):
    absent = [{"inject": "inject", "gamma": "gamma"}[o] for o in ALL if o not in options]
    some = request(OPERATOR, "B=2,S=5,C=7,H=16,R=32", "bfloat16", ",".join(absent))
    if "gamma" in options:
        some.arrays["gamma"][::3] = -1
    got, wanted = some.interpret("exact"), by_hand({k: v for k, v in some.arrays.items() if v is not None}, 7, options)
    assert got.keys() == wanted.keys()
    for name in wanted:
        np.testing.assert_allclose(got[name], wanted[name], rtol=1e-9, atol=1e-12 * np.abs(wanted[name]).max())


def test_matmul_operands_are_rounded_and_nothing_else_is():
    from compiler.casts import insert_casts

    for column, width in zip(OPERATOR.interface.columns, ("float16", "bfloat16")):
        graph = insert_casts(backward_of(OPERATOR)[2], OPERATOR.interface, column)
        products_ = [n for n in graph.nodes() if n.op == "matmul"]
        assert len(products_) == 6
        assert {(o.dtype, n.dtype) for n in products_ for o in n.operands} == {(width, "float32")}
        rounded = {n for n in graph.nodes() if n.op == "cast" and n.dtype == width}
        assert rounded <= {o for n in products_ for o in n.operands} | set(graph.outputs.values())
        weights = {o.attr("name") for n in products_ for o in n.operands if o.op == "input"}
        assert weights == {"w_down", "w_up", "w_gate"}


# The largest of the channels.


def test_the_largest_channel_has_the_gradient_and_at_a_tie_nobody():
    forward, backward = build_forward(TANH), BACKWARD[TANH.name]
    here = Evaluation(TANH, forward, ALL, {"T": 2, "C": 3, "H": 2, "R": 2}, 2, {"epsilon"}, backward)
    for output, tied in itertools.product(("dx", "dw_down", "dgamma"), (False, True)):
        failure, detail = here.derivative(output, backward, tied)
        assert not failure and "central differences" in detail

    def everybody(n, operands):  # each of the largest has it
        from ir.graph import rebuild
        if n.op == "select" and n.operands[0].op == "eq" and n.operands[0].operands[1].op == "constant":
            return operands[1]
        return rebuild(n, operands)

    wrong = backward.map(everybody)
    assert not here.derivative("dx", wrong, False)[0] and here.derivative("dx", wrong, True)[0]


def test_the_perceptron_is_proven_symbolically():
    proof = prove(MLP, only=("documented", "derivative", "specialised", "inputs"))
    assert proof.holds, str(proof)
    assert not any("by evaluation" in r.detail or "differences" in r.detail for r in proof.results)
