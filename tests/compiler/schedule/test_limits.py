"""Every shape that a document allows can be scheduled: all channels, features and projections of the limits, on every product."""

import itertools

import numpy as np
import pytest

from compiler import products
from compiler.pipeline import compile_operator
from compiler.schedule.formula import evaluate_arrays
from compiler.schedule.tiling import has, l1_columns, ub_tiles
from ir.operators.text_gated_residual_grad import OPERATOR
from ir.types import BYTES

LONGEST = {"ascend950": 4800, "ascend910b": 3040, "ascend910_93": 3040}
"""H at the limit, as the document says."""


def allowed(soc):
    """(C, H, R) inside the limits, one array each: the relations of the interface, evaluated for all."""
    interface = OPERATOR.interface
    C, H, R = (a.ravel() for a in np.meshgrid(np.arange(1, 21), np.arange(16, 6001, 16), np.arange(16, 641, 16), indexing="ij"))
    scope = {"C": C, "H": H, "R": R, "ceil_div": lambda a, b: -(-a // b)}
    scope["K"] = eval(interface.constants["K"][soc], scope)
    keep = np.all([np.broadcast_to(eval(r, scope), C.shape) for r in interface.relations], axis=0)
    return C[keep], H[keep], R[keep]


@pytest.mark.parametrize("soc", OPERATOR.interface.products)
def test_every_documented_shape_fits(soc):
    C, H, R = allowed(soc)
    assert H.max() == LONGEST[soc] and len(C) > 50_000
    product = products.load(soc)
    compiled = compile_operator(OPERATOR, product).schedule
    options = [o.name for o in OPERATOR.interface.options]
    for present, dtype, rows in itertools.product(itertools.product((0, 1), repeat=2), ("float16", "bfloat16"), (1, 200, 1 << 31)):
        for name, s in compiled.vectors.items():
            known = {"B": 1, "S": rows, "T": rows, "blockRows": rows, "C": C, "H": H, "R": R, "D": C * H,
                     "ubBytes": product["memory"]["ub"],
                     "coreNum": product["cores"]["aiv"], "dtypeBytes": BYTES[dtype],
                     **{has(o): p for o, p in zip(options, present)}, **s.tables}
            if s.handed:  # the most that tiles of a product may take
                known[ub_tiles(s.handed)] = product["memory"]["l0c"] // 2
            known |= {k: 0 for k in s.program.interface.symbols if k not in known}
            for strip in (0, 64, 3008) if s.fed else (0,):
                values = evaluate_arrays(s.assignments, {**known, l1_columns(s.fed): strip})
                worst = np.argmin(np.broadcast_to(values["rowsPerTile"], C.shape))
                where = dict(soc=soc, stage=name, C=C[worst], H=H[worst], R=R[worst], present=present, strip=strip)
                assert np.broadcast_to(values["rowsPerTile"], C.shape)[worst] >= 1, where
