"""The memory map: allocations where the kernel makes them, and never two values in the same bytes at the same time."""

import dataclasses
import itertools
import re

import pytest

from compiler import memory_map
from compiler.emit.operator import emit
from compiler.report import schedule_json
from compiler.request import make_sizes
from compiler.schedule.tiling import has
from tests.running import SEED, examiner, operator

GATED = "TextGatedResidualGrad"
MLP = "tests/operators/mlp_grad.py"
REQUESTS = [
    (SEED, "ascend950", f"T={rows},H={width}" + groups, dtype, without, attrs)
    for rows, width, dtype, without, groups, attrs in itertools.product(
        (5, 1000), (40, 2560, 70000), ("bfloat16", "float32"), ("", "weight"), ("", ",G=8"), ((), ("clamp_limit=7",)))
] + [(MLP, "ascend910b", "T=3000,K=512,H=512,N=512", None, "", ())] + [(GATED, soc, shape, None, without, ()) for soc, shape, without in itertools.product(
    ("ascend910b", "ascend950"), ("B=1,S=200,C=4,H=256,R=64", "B=1,S=512,C=4,H=2560,R=320"), ("", "gamma", "inject", "gamma,inject"))]


def tilings(name, soc, shape, dtype, without, attrs):
    """(stage, its tiling) of a request."""
    sizes = make_sizes(operator(name), shape, dtype, without, attrs)
    tiling = examiner(name, soc).schedule.solve(sizes.symbols, sizes.options, sizes.dtype, None, sizes.attributes)
    return list(getattr(tiling, "vectors", {"": tiling}).items())


def halves(life, last):
    """When a life is, in half steps: a step reads in its first half and writes in its second."""
    if life.role == "scratch":
        return range(2 * life.first, 2 * life.last + 2)
    start = 2 * life.first + (1 if 0 <= life.first < last and life.role != "next" else 0)
    return range(start, 2 * life.last + (1 if 0 <= life.last < last and life.last > life.first else 2))


def clashes(tiling, lives):
    """Pairs of values that share bytes at a time. A tile holds the values that are computed in place in it."""
    last, places = len(memory_map.tile_steps(tiling)), memory_map.places(tiling)
    holders = ("tile", "next", "previous", "part")
    for a, b in itertools.combinations(lives, 2):
        same = a.place == b.place and (a.part == b.part or a.role in holders or b.role in holders)
        inside = (a.role == "tile") != (b.role == "tile") and places[a.place].buffer.kind in ("input", "output") and "value" in (a.role, b.role)
        if same and not inside and set(halves(a, last)) & set(halves(b, last)) and "scratch" not in (a.role, b.role):
            yield a, b


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda r: " ".join(map(str, r)))
def test_no_two_values_share_bytes_at_a_time(request_):
    for stage, tiling in tilings(*request_):
        assert not list(clashes(tiling, memory_map.lives(tiling))), stage


def test_every_copy_of_an_allocation_holds_something():
    for request_ in REQUESTS:
        for stage, tiling in tilings(*request_):
            assert {v.place for v in memory_map.lives(tiling)} == set(range(len(memory_map.places(tiling)))), (request_, stage)


def test_a_value_that_lives_longer_than_the_layout_says_is_seen():
    ((_, tiling),) = tilings(SEED, "ascend950", "T=1000,H=2560", "bfloat16", "", ())
    lives = memory_map.lives(tiling)
    longer = [dataclasses.replace(v, last=v.last + 3) if v.name == "sigmoid" else v for v in lives]
    assert [{a.name, b.name} for a, b in clashes(tiling, longer)] == [{"sigmoid", "siluSlope"}]


def allocated(text: str, options: set[str]) -> list[tuple[str, int]]:
    """(buffer, depth) of the InitBuffer calls that a kernel makes under these options, in order."""
    found, holds = [], True
    body = text[text.index("::Init("):text.index("::Process()")]
    for line in body.splitlines():
        if condition := re.match(r"    if constexpr \((.*)\) \{", line):
            holds = all((o.lstrip("!").removeprefix("HAS_").lower() in options) != o.startswith("!") for o in condition[1].split(" && "))
        elif line == "    }":
            holds = True
        elif holds and (call := re.search(r"InitBuffer\((\w+)_, (?:(\d), )?", line)):
            found.append((call[1], int(call[2] or 1)))
    return found


@pytest.mark.parametrize("without", ["", "weight"])
@pytest.mark.parametrize("attrs", [(), ("clamp_limit=7",)])
def test_allocations_are_those_of_the_kernel(without, attrs):
    schedule = examiner().schedule
    files = emit(operator(), {"ascend950": schedule})
    kernel = next(t for p, t in files.items() if p.endswith("arch35/swiglu_group_quant_grad.h"))
    ((_, tiling),) = tilings(SEED, "ascend950", "T=1000,H=2560", "bfloat16", without, attrs)
    options = {o for o in schedule.program.options if tiling.known[has(o)]}
    places = memory_map.places(tiling)
    assert [(p.buffer.name, p.buffer.depth) for p in places if not p.copy] == allocated(kernel, options)
    assert [p.address for p in places] == [sum(q.bytes for q in places[:i]) for i in range(len(places))]
    assert places[-1].address + places[-1].bytes == tiling.ub_bytes


def test_cube_buffers_are_those_of_the_kernel():
    schedule = examiner(MLP, "ascend910b").schedule
    files = emit(operator(MLP), {"ascend910b": schedule})
    text = next(t for p, t in files.items() if p.endswith("_cube.h"))
    sizes = make_sizes(operator(MLP), "T=300,K=48,H=80,N=64", None, "", ())
    cube = schedule_json(schedule.solve(sizes.symbols, sizes.options, sizes.dtype), sizes)["cube"]
    tile = cube["tile"]
    for name, value in (("STEP_K", tile["step_k"]), ("MOST_LOAD_K", 512), ("L1_BYTES", cube["limits"]["l1"]), ("L0C_BYTES", cube["limits"]["l0c"])):
        assert re.search(rf"{name} = {value};", text)
    known = {"rows": tile["m"], "columns": tile["n"], "loadK_": tile["k"], "STEP_K": tile["step_k"], "tileBytes": 4 * tile["m"] * tile["n"]}
    calls = re.findall(r"InitBuffer\((\w+)_, ([^,]*), (.*)\);", text)
    evaluated = lambda formula: eval(re.sub(r"(.*) \? (.*) : (.*)", r"(\2 if \1 else \3)", formula.replace("cut.", "").replace("sizeof(T)", "2")),
                                     {**known, "L0C_BYTES": cube["limits"]["l0c"]})
    assert [(b["name"], b["depth"], b["bytes_per_tile"]) for b in cube["buffers"]] == [
        (name, evaluated(depth), evaluated(size)) for name, depth, size in calls]
    for memory, limit in cube["limits"].items():
        assert sum(b["bytes"] for b in cube["buffers"] if b["memory"] == memory) <= limit
