"""The traffic table against the bytes that the emulator counts."""

import itertools

import pytest

from compiler.emulate import emulate_request
from compiler.request import make_request, make_sizes
from compiler.traffic import moves
from tests.running import SEED, examiner, operator

GATED = "TextGatedResidualGrad"
CASES = [
    (SEED, "ascend950", "T=513,H=1536,G=8", None, "", ()),
    (SEED, "ascend950", "T=7,H=40,G=8", "float32", "weight", ()),
    (SEED, "ascend950", "T=3,H=20000,G=8", "float32", "group_index", ("clamp_limit=1",)),
    (SEED, "ascend950", "T=0,H=40", None, "", ()),
    ("tests/operators/row_norm_grad.py", "ascend950", "T=300,H=128", None, "", ()),
    ("tests/operators/scaled_product_grad.py", "ascend950", "T=300,H=128", None, "", ()),
    *((GATED, soc, "B=1,S=200,C=4,H=256,R=64", None, without, ()) for soc, without in itertools.product(
        ("ascend910b", "ascend950"), ("", "gamma", "gamma,inject"))),
    (GATED, "ascend910b", "B=1,S=1,C=1,H=144,R=32", None, "", ()),
    (GATED, "ascend950", "B=0,S=7,C=4,H=256,R=64", None, "", ()),
    ("tests/operators/mlp_grad.py", "ascend910b", "T=129,K=48,H=80,N=64", None, "", ()),
    ("tests/operators/mlp_grad.py", "ascend910b", "T=300,K=145,H=80,N=257", None, "", ()),
    *(("tests/operators/glu_grad.py", soc, shape, None, "", ()) for soc, shape in itertools.product(
        ("ascend910b", "ascend950"), ("T=5,K=2056,H=49", "T=33,K=130,H=1537", "T=1601,K=17,H=48", "T=1,K=16,H=17"))),
]


@pytest.mark.parametrize("name, soc, shape, dtype, without, attrs", CASES)
def test_the_emulator_counts_the_same_bytes(name, soc, shape, dtype, without, attrs):
    sizes = make_sizes(operator(name), shape, dtype, without, attrs)
    tiling = examiner(name, soc).schedule.solve(sizes.symbols, sizes.options, sizes.dtype, None, sizes.attributes)
    request = make_request(operator(name), shape=shape, dtype=dtype, without=without, attrs=attrs, seed=1, inputs=None, strict=False)
    outcome = emulate_request(operator(name), examiner(name, soc).product, request)
    assert outcome.result.status == 0, outcome.status_line()
    counted = outcome.result.counters or {}
    total = lambda access: sum(m.bytes for m in moves(tiling) if m.access == access)
    assert (total("read"), total("write")) == (counted.get("gm_read_bytes", 0), counted.get("gm_write_bytes", 0))
