"""Right graphs are proven, wrong ones are not: every fault below is one that somebody shipped, or nearly."""

import json
from dataclasses import replace

import pytest
import sympy
from hypothesis import HealthCheck, given, settings

from compiler.branches import branches, less, minimum, pick, prove_rule, vanishes
from compiler.differentiate import differentiate
from compiler.prove import prove
from compiler.simplify import simplify
from ir import functions
from ir.builder import Forward, build_forward
from ir.graph import Graph, node, rebuild
from ir.interface import Attribute, Interface, Operator, Tensor, Text
from ir.operators.swiglu_group_quant_grad import OPERATOR as SWIGLU
from ir.ops import constant
from tests.compiler.numeric import UNARY, operator_of, trees
from tests.operators.row_norm_grad import OPERATOR as ROW_NORM
from tests.operators.scaled_product_grad import OPERATOR as SCALED
from tests.operators.tanh_gate_grad import OPERATOR as TANH

TRUE = (SWIGLU, TANH, ROW_NORM, SCALED)
x, y, c = sympy.Symbol("x", real=True), sympy.Symbol("y", real=True), sympy.Symbol("c", positive=True)


def backward_of(operator) -> Graph:
    return simplify(differentiate(operator, build_forward(operator)), operator.interface)


@pytest.fixture(scope="module")
def proofs():
    return {o.name: prove(o) for o in TRUE}


@pytest.mark.parametrize("operator", TRUE, ids=lambda o: o.name)
def test_right_graphs_are_proven(operator, proofs):
    proof = proofs[operator.name]
    assert proof.holds, str(proof)
    assert {r.output for r in proof.results if r.output} == set(operator.gradients)
    assert not any("by evaluation" in r.detail for r in proof.results)


def test_every_set_of_options_is_covered(proofs):
    of = lambda output: {r.options for r in proofs[SWIGLU.name].results if r.output == output}
    assert len(of("grad_x")) == 8
    assert of("grad_weight") == {o for o in of("grad_x") if "weight" in o}


def test_ties_are_branches_of_their_own(proofs):
    documented = [r for r in proofs[SWIGLU.name].results if r.name == "documented" and "clamp" in r.options]
    assert any("6 branches and 9 ties each" in r.detail for r in documented)


def test_proof_says_when_there_is_nothing_documented(proofs):
    documented = [r for r in proofs[SCALED.name].results if r.name == "documented"]
    assert documented and all(r.holds and r.shown.startswith("nothing") for r in documented)


def test_proof_as_json_text_and_latex(proofs):
    proof = proofs[SWIGLU.name]
    data = json.loads(json.dumps(proof.to_json()))
    assert data["holds"] and data["operator"] == SWIGLU.name and len(data["results"]) == len(proof.results)
    assert str(proof).startswith("SwigluGroupQuantGrad: holds")
    latex = proof.to_latex()
    assert latex.count(r"\begin{align*}") == 2 and latex.count("{") == latex.count("}")
    assert r"\mathrm{grad\_weight} &=" in latex


# Wrong documented formulas. Each is the right one with a single thing changed.


def swiglu_documented(d, weight=lambda gy, w: gy * w, up=lambda v: v, slope=None, masks=None, swap=False,
                      grad_weight=lambda d: d.sum(d.grad_y * d.y_origin), gate_factor=lambda x0, s: x0 * s, clamp_gate=True, live=True):
    limit = d.clamp_limit
    x0, x1 = d.split(d.x, 2)
    x0_clamped = d.when("clamp", d.min(x0, limit), x0) if clamp_gate else x0
    x1_clamped = d.when("clamp", d.min(d.max(x1, -limit), limit), x1)
    sigma = d.sigmoid(x0_clamped)
    d_silu = slope(x0_clamped, sigma) if slope else sigma * (1 + x0_clamped * (1 - sigma))
    grad_y0 = d.when("weight", weight(d.grad_y, d.weight), d.grad_y)
    grad_x0 = grad_y0 * up(x1_clamped) * d_silu
    grad_x1 = grad_y0 * gate_factor(x0_clamped, sigma)
    strict = (lambda x0, x1, limit: x0 < limit), (lambda x0, x1, limit: (-limit < x1) & (x1 < limit))
    mask0, mask1 = masks or strict
    if mask0:
        grad_x0 = d.when("clamp", d.select(mask0(x0, x1, limit), grad_x0, 0), grad_x0)
    if mask1:
        grad_x1 = d.when("clamp", d.select(mask1(x0, x1, limit), grad_x1, 0), grad_x1)
    halves = (grad_x1, grad_x0) if swap else (grad_x0, grad_x1)
    trunc = d.when("group_index", d.row_count(d.group_index), d.rows) if live else d.rows
    return {"grad_x": d.live_rows(d.concat(*halves), trunc), "grad_weight": d.live_rows(grad_weight(d), trunc)}


STRICT0 = lambda x0, x1, limit: x0 < limit
STRICT1 = lambda x0, x1, limit: (-limit < x1) & (x1 < limit)
WRONG_FORMULAS = {
    "missing weight": dict(weight=lambda gy, w: gy),
    "double weight": dict(weight=lambda gy, w: gy * w * w),
    "wrong sign": dict(up=lambda v: -v),
    "missing factor": dict(up=lambda v: 1.0),
    "closed at the upper limit of the gate": dict(masks=(lambda x0, x1, limit: x0 <= limit, STRICT1)),
    "closed at the lower limit": dict(masks=(STRICT0, lambda x0, x1, limit: (-limit <= x1) & (x1 < limit))),
    "closed at the upper limit": dict(masks=(STRICT0, lambda x0, x1, limit: (-limit < x1) & (x1 <= limit))),
    "no mask on the gate": dict(masks=(None, STRICT1)),
    "no mask": dict(masks=(STRICT0, None)),
    "gate masked below too": dict(masks=(lambda x0, x1, limit: (-limit < x0) & (x0 < limit), STRICT1)),
    "gate not clamped in the slope": dict(clamp_gate=False, masks=(None, STRICT1)),
    "swapped halves": dict(swap=True),
    "derivative of sigmoid is sigmoid": dict(slope=lambda x0, s: s + x0 * s),
    "derivative of sigmoid is 1 - sigmoid": dict(slope=lambda x0, s: s + x0 * (1 - s)),
    "silu without its factor": dict(gate_factor=lambda x0, s: s),
    "weight gradient with the weight in it": dict(grad_weight=lambda d: d.sum(d.grad_y * d.y_origin * d.weight)),
    "weight gradient as a mean": dict(grad_weight=lambda d: d.mean(d.grad_y * d.y_origin)),
    "rows beyond the count": dict(live=False),
}


def test_the_parametrised_formula_is_right():
    assert prove(replace(SWIGLU, documented=swiglu_documented), only=("documented",)).holds


@pytest.mark.parametrize("fault", WRONG_FORMULAS)
def test_wrong_documented_formula_fails(fault):
    proof = prove(replace(SWIGLU, documented=lambda d: swiglu_documented(d, **WRONG_FORMULAS[fault])), only=("documented",))
    assert not proof.holds
    assert all("derived - documented" in r.detail for r in proof.failures)


def test_a_wrong_tie_is_named():
    wrong = replace(SWIGLU, documented=lambda d: swiglu_documented(d, **WRONG_FORMULAS["closed at the upper limit of the gate"]))
    failure = prove(wrong, only=("documented",)).failures[0]
    assert " = " in failure.detail.split("where")[-1]


ROW_NORM_WRONG = {
    "mean without 1/H": lambda d, r, n: r * (d.grad_y - n * d.sum(d.grad_y * n)),
    "mean over the rows' number": lambda d, r, n: r * (d.grad_y - n * (d.sum(d.grad_y * n) / d.size("T"))),
    "path through the norm missing": lambda d, r, n: r * d.grad_y,
    "mean of the cotangent alone": lambda d, r, n: r * (d.grad_y - n * d.mean(d.grad_y)),
}


@pytest.mark.parametrize("fault", ROW_NORM_WRONG)
def test_wrong_row_norm_formula_fails(fault):
    def documented(d):
        rstd = d.rsqrt(d.mean(d.x * d.x) + d.eps)
        return {"grad_x": ROW_NORM_WRONG[fault](d, rstd, d.x * rstd)}

    assert {r.name for r in prove(replace(ROW_NORM, documented=documented), only=("documented", "derivative")).failures} == {"documented"}


# Corrupted backward graphs: the rule rebuilds one operation wrongly.


def corrupt(operator, rule) -> Graph:
    return backward_of(operator).map(lambda n, operands: rule(n, operands) or rebuild(n, operands)).verify()


def as_mask(n, operands):
    if n.op == "select":
        condition, value, _ = operands
        return node("mul", value, node("cast", condition, to="float32"))


def closed_ties(n, operands):
    if n.op in ("lt", "gt"):
        return node({"lt": "le", "gt": "ge"}[n.op], *operands)


def without_selects(n, operands):
    return operands[1] if n.op == "select" else None


def swapped(n, operands):
    return node("concat", *operands[::-1]) if n.op == "concat" else None


def negated(n, operands):
    return node("neg", rebuild(n, operands)) if n.op == "concat" else None


def without_weight(n, operands):
    return operands[1] if n.op == "guard" and n.attr("option") == "weight" else None


def weight_always(n, operands):
    return operands[0] if n.op == "guard" and n.attr("option") == "weight" else None


def all_rows(n, operands):
    return operands[0] if n.op == "live_rows" else None


def masks_by_factor(n, operands):
    if n.op == "live_rows":
        ones = node("broadcast", constant(1.0), shape=tuple(map(str, n.shape)))
        return node("mul", operands[0], node("live_rows", ones, operands[1]))


def sigmoid_expanded(n, operands):
    """exp(x) / (1 + exp(x)): right over the reals, NaN above 88."""
    if n.op == "sigmoid":
        e = node("exp", operands[0])
        return node("div", e, node("add", constant(1.0), e))


def silu_slope_expanded(n, operands):
    """x0 e^-x0 / (1 + e^-x0)^2 + 1 / (1 + e^-x0), what a computer algebra system makes of silu."""
    if n.op == "add" and any(o.op == "sigmoid" for o in n.operands):
        (s,) = (o for o in operands if o.op == "sigmoid")
        e = node("exp", node("neg", s.operands[0]))
        d = node("add", constant(1.0), e)
        return node("add", node("div", node("mul", s.operands[0], e), node("mul", d, d)), node("div", constant(1.0), d))


CORRUPTED = {
    as_mask: "masks",
    closed_ties: "ties",
    without_selects: "derivative",
    swapped: "derivative",
    negated: "derivative",
    without_weight: "derivative",
    weight_always: "inputs",
    all_rows: "derivative",
    masks_by_factor: "masks",
    silu_slope_expanded: "fp32",
}


@pytest.mark.parametrize("fault", CORRUPTED, ids=lambda f: f.__name__)
def test_corrupted_backward_graph_fails(fault):
    proof = prove(SWIGLU, corrupt(SWIGLU, fault), only=(CORRUPTED[fault],))
    assert not proof.holds and all(r.name == CORRUPTED[fault] for r in proof.failures)


def test_what_cancels_is_no_mask():
    """x / |x| has the slope 1 / |x| - x * sign(x) / x^2: zero, but a NaN of the gradient passes through."""
    base = ROW_NORM.interface
    one = replace(ROW_NORM, interface=replace(base, attributes=()), forward=lambda f: {"y": f.select(f.x == 0, 0, f.x / abs(f.x))}, documented=None)
    assert prove(one, only=("masks",)).holds


def test_a_branch_reads_what_its_conditions_do_not_shut_out():
    a, b, c = sympy.symbols("a b c", real=True)
    below = pick(less(c, 0), sympy.Integer(1), sympy.Integer(0))
    read = lambda e: {sign: set(branch.read(e)) for branch, _ in branches(e) for _, sign in branch.signs}
    assert read(pick(less(c, 0), a, b)) == {-1: {a}, 0: {b}, 1: {b}}
    assert read(a * below + b * (1 - below)) == {-1: {a}, 0: {b}, 1: {b}}
    assert read(pick(less(c, 0), a - b, a)) == {-1: {a, b}, 0: {a}, 1: {a}}


def test_masks_and_overflow_fail_nothing_else():
    """Over the reals these graphs are right, so the identities hold."""
    for fault in (as_mask, masks_by_factor, silu_slope_expanded):
        assert prove(SWIGLU, corrupt(SWIGLU, fault), only=("documented", "derivative", "ties", "inputs", "specialised")).holds


def test_expanded_sigmoid_fails_in_fp32_and_there_alone():
    assert {r.name for r in prove(SCALED, corrupt(SCALED, sigmoid_expanded)).failures} == {"fp32"}


def test_gradient_of_the_wrong_tensor_fails():
    right = backward_of(SCALED)
    outputs = {**right.outputs, "grad_a": right.outputs["grad_b"], "grad_b": right.outputs["grad_a"]}
    failures = prove(SCALED, Graph(right.name, right.inputs, outputs, right.names), only=("derivative",)).failures
    assert {(r.output, r.name) for r in failures} == {("grad_a", "derivative"), ("grad_b", "derivative")}


def test_gradient_of_the_wrong_shape_fails():
    right = backward_of(SCALED)
    outputs = {**right.outputs, "grad_row_scale": right.outputs["grad_column_scale"]}
    failures = prove(SCALED, Graph(right.name, right.inputs, outputs, right.names), only=("derivative",)).failures
    assert any("shape" in r.detail for r in failures)


def test_a_sum_over_the_wrong_axis_fails():
    def rule(n, operands):
        return node("mul", rebuild(n, operands), constant(2.0)) if n.op == "reduce_sum" and n.attr("axis") == 0 else None

    assert {r.output for r in prove(SCALED, corrupt(SCALED, rule), only=("derivative",)).failures} == {"grad_column_scale"}


def test_a_missing_half_of_the_square_fails():
    def rule(n, operands):
        return node("sub", operands[0], node("mul", operands[1], constant(0.5))) if n.op == "sub" else None

    assert not prove(ROW_NORM, corrupt(ROW_NORM, rule), only=("derivative",)).holds


# The parts.


@pytest.mark.parametrize("function", functions.OPAQUE)
def test_rules_of_opaque_functions(function):
    assert prove_rule(function).zero


def test_a_wrong_rule_fails():
    class logistic(functions.sigmoid):
        def fdiff(self, argindex=1):
            return functions.sigmoid(self.args[0])

    class gate(functions.tanh):
        def fdiff(self, argindex=1):
            return 1 - functions.tanh(self.args[0])

    assert not prove_rule(logistic).zero and not prove_rule(gate).zero


@pytest.mark.parametrize("expr", (
    functions.sigmoid(x) * (1 + x * (1 - functions.sigmoid(x))) - (x * functions.sigmoid(x) * (1 - functions.sigmoid(x)) + functions.sigmoid(x)),
    x / sympy.sqrt(x**2 + c) ** 3 - x / ((x**2 + c) * sympy.sqrt(x**2 + c)),
    sympy.exp(2 * x) - sympy.exp(x) ** 2,
    sympy.exp(-x) * sympy.exp(x + y) - sympy.exp(y),
    1 / (1 + sympy.exp(-x)) - sympy.exp(x) / (1 + sympy.exp(x)),
    sympy.sqrt(1 + sympy.sqrt(c)) ** 4 - 1 - c - 2 * sympy.sqrt(c),
))
def test_vanishes_symbolically(expr):
    assert vanishes(expr) == vanishes(sympy.Integer(0))


def test_vanishes_by_evaluation_says_so():
    verdict = vanishes(sympy.log(c * c) - 2 * sympy.log(c) + sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1)
    assert verdict.zero and "by evaluation at 20 points, 50 digits" in verdict.how


@pytest.mark.parametrize("expr", (x, x - y, functions.sigmoid(x) - functions.tanh(x), sympy.sqrt(x**2 + c) - x, sympy.Integer(1)))
def test_vanishes_quotes_a_point(expr):
    verdict = vanishes(expr)
    assert not verdict.zero and verdict.how.startswith("is ")


def test_branches_are_complete_and_consistent():
    clamped = minimum(minimum(x, c), c) + pick(less(x, -c), 1, 0)
    found = {str(b): here for b, (here,) in branches(clamped)}
    assert len(found) == 5
    assert found["x > c"] == c if "x > c" in found else True
    assert sorted(map(str, found.values())) == ["-c", "c", "c", "x", "x + 1"]


@settings(max_examples=10, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(trees(depth=2, unary=UNARY))
def test_random_operators_are_proven(tree):
    proof = prove(operator_of(tree), only=("derivative", "ties", "specialised"))
    assert proof.holds, str(proof)


def test_constants_of_float64_are_accepted_and_said():
    text = Text("", "")
    interface = Interface("ErfGrad", "Erf", "test", tensors=(
        Tensor("grad_y", "..., H", "T", text), Tensor("x", "..., H", "T", text), Tensor("grad_x", "..., H", "T", text, role="output", like="x")))
    formula = lambda d: {"grad_x": d.grad_y * 1.1283791670955126 * d.exp(-(d.x * d.x))}
    proof = prove(Operator(interface, lambda f: {"y": f.erf(f.x)}, {"grad_x": "x"}, {"y": "grad_y"}, formula))
    assert proof.holds, str(proof)
    assert any("float64 constants" in r.detail for r in proof.results)


@pytest.mark.parametrize("tree", (("channels", "b"), ("product", ("tanh", "b")), ("mixed_rows", "b")), ids=lambda t: t[0])
def test_reshapes_and_matrix_products_are_proven(tree):
    proof = prove(operator_of(tree), only=("derivative", "ties", "inputs", "specialised"))
    assert proof.holds, str(proof)
