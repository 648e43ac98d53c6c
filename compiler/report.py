"""Schedules and kernel programs as JSON and as text."""

from __future__ import annotations

from compiler.lower import RowProgram, condition
from compiler.partition import CubeStage, Partition
from compiler.schedule.formula import Assignment, evaluate
from compiler.schedule.mixed import MixedSchedule, MixedTiling
from compiler.schedule.tiling import Schedule, Tiling
from ir.interface import camel


def split(rows: int, cores: int) -> dict[str, int]:
    """How rows fall on cores: the first `extra` cores take `base` + 1 rows, the others `base`."""
    base, extra = divmod(rows, cores)
    return {"rows": rows, "cores": cores, "base": base, "extra": extra}


def schedule_json(tiling: Tiling, sizes) -> dict:
    """What `ascgrad schedule --json` prints."""
    if isinstance(tiling, MixedTiling):
        return mixed_json(tiling, sizes)
    schedule, values = tiling.schedule, tiling.values
    program, product = schedule.program, schedule.product
    limit = tiling.known["ubBytes"]
    width = 4 if tiling.known["dtypeBytes"] == 4 else 2
    key = values["tilingKey"]
    ranges = []
    steps = [s for s in program.steps if s.region == "tile"]
    present = {s.name for s in steps if key in s.keys}
    for r in schedule.layout.ranges:
        if r.value in present:
            node = next(s.node for s in steps if s.name == r.value)
            home = schedule.layout.direct.get(node, r.slot) if width == 4 else r.slot
            ranges.append({"name": r.value, "dtype": "bit" if r.slot.memory == "mask" else "float32",
                           "buffer": f"{home.tensor or home.memory}[{home.index}]",
                           "bytes": values["tileElements"] * 4 if r.slot.memory != "mask" else values["tileElements"] // 8,
                           "live_from": r.first, "live_to": r.last})
    rows = sizes.symbols.get("T", 0)
    return {
        "operator": program.interface.name, "soc": product["name"], "soc_version": product["soc_version"],
        "dtype": sizes.dtype, "sizes": dict(sizes.symbols), "options": sorted(sizes.options),
        "block_dim": values["blockDim"], "tiling_key": key, "workspace_bytes": values["workspaceBytes"],
        "schedule_mode": schedule.schedule_mode, "tiling": tiling.fields,
        "rows_per_tile": values["rowsPerTile"], "columns_per_tile": values["columnsPerTile"],
        "row_tiles_per_core": -(-(-(-rows // values["blockDim"])) // values["rowsPerTile"]) if rows else 0,
        "column_tiles": -(-values["columns"] // values["columnsPerTile"]) if values["columns"] else 0,
        "split": split(rows, values["blockDim"]),
        "ub_bytes": tiling.ub_bytes, "ub_limit": limit, "ub_use": round(tiling.ub_bytes / limit, 4) if limit else None,
        "one_more_row_bytes": _one_more_row(tiling),
        "buffers": [{"name": b.name, "kind": b.kind, "dtype": b.dtype if b.dtype not in program.interface.dtypes else sizes.dtype,
                     "depth": b.depth, "bytes_per_tile": size // b.depth, "bytes": size, "doc": b.doc}
                    for b, size in tiling.buffers],
        "live_ranges": ranges, "cycles": None, "roof": None,
    }


def mixed_json(tiling: MixedTiling, sizes) -> dict:
    """The same for a kernel of several stages: one entry a vector stage and a product, and the workspace. level: how many
    blocks of rows a stage is behind the first; None for products over all rows, which come last."""
    schedule, product = tiling.schedule, tiling.schedule.product
    stages = []
    levels = {s.name: s.level for s in schedule.partition.stages if not isinstance(s, CubeStage)}
    for name, t in tiling.vectors.items():
        data = schedule_json(t, sizes)
        stages.append({"name": name, "level": levels[name], **{k: data[k] for k in (
            "rows_per_tile", "columns_per_tile", "row_tiles_per_core", "column_tiles", "split", "ub_bytes", "ub_limit", "ub_use",
            "one_more_row_bytes", "buffers", "live_ranges")}})
    workspace = [{"name": n, "dtype": d if d not in schedule.interface.dtypes else sizes.dtype, "bytes": b} for n, d, b in tiling.workspace]
    level_of = {p.result: s.level for s in schedule.partition.stages if isinstance(s, CubeStage) for p in s.products}
    key = tiling.values["tilingKey"]
    products = []
    for stack in (s for s in schedule.stacks if key in s.keys):
        cut = {name: tiling.offsets[f"{camel(stack.name)}{ending}"] for name, ending in (
            ("tile_rows", "TileRows"), ("tile_columns", "TileColumns"), ("part_k", "PartK"), ("parts", "Parts"))}
        m, n, _ = (_number(e, tiling) for e in schedule.shape(stack))
        tiles = -(-m // cut["tile_rows"]) * -(-n // cut["tile_columns"]) * cut["parts"]
        for p in (p for p in stack.products if key in p.keys):
            terms = [{"a": t.a, "b": t.b, "transpose_a": t.transpose_a, "transpose_b": t.transpose_b, "k": _number(t.k, tiling)}
                     for t in p.terms if key in t.keys]
            products.append({"level": level_of.get(p.result), "result": p.result, "m": _number(p.m, tiling), "n": _number(p.n, tiling),
                             "k": sum(t["k"] for t in terms), "terms": terms, **cut, "tiles": tiles, "walked_with": stack.name})
    return {
        "operator": schedule.interface.name, "soc": product["name"], "soc_version": product["soc_version"], "dtype": sizes.dtype,
        "sizes": dict(sizes.symbols), "options": sorted(sizes.options), "block_dim": tiling.groups,
        "tiling_key": next(iter(tiling.vectors.values())).values["tilingKey"], "workspace_bytes": tiling.offsets["workspaceBytes"],
        "schedule_mode": schedule.schedule_mode, "tiling": tiling.fields, "stages": stages, "products": products,
        "workspace": workspace, "ub_bytes": max(s["ub_bytes"] for s in stages), "ub_limit": product["memory"]["ub"],
        "cycles": None, "roof": None,
    }


def _number(expr, tiling: MixedTiling) -> int:
    return evaluate((Assignment("size", expr, ""),), {**tiling.known, **tiling.offsets})["size"]


def mixed_text(tiling: MixedTiling, sizes) -> str:
    data = mixed_json(tiling, sizes)
    shape = ", ".join(f"{k}={v}" for k, v in data["sizes"].items())
    lines = [f"{data['operator']} on {data['soc_version']}: {shape}, {data['dtype']}, options: {', '.join(data['options']) or 'none'}",
             f"{data['block_dim']} groups of one cube core and its vector cores", ""]
    where = lambda level: "at the end" if level is None else f"level {level}"
    term = lambda t: f"{t['a']}{'^T' if t['transpose_a'] else ''} @ {t['b']}{'^T' if t['transpose_b'] else ''}"
    for p in data["products"]:
        lines.append(f"{where(p['level'])}: {p['result']} = {' + '.join(map(term, p['terms']))}   {p['m']} x {p['n']} x {p['k']}")
        lines.append(f"    walked with {p['walked_with']}" if p["walked_with"] != p["result"] else
                     f"    {p['tiles']} tiles of {p['tile_rows']} x {p['tile_columns']}" + (f", k in {p['parts']} parts of {p['part_k']}" if p["parts"] > 1 else ""))
    for s in data["stages"]:
        lines += ["", f"{s['name']}, level {s['level']}: tile {s['rows_per_tile']} rows x {s['columns_per_tile']} columns, UB {s['ub_bytes']} of {s['ub_limit']} bytes"]
        lines += [f"  {b['name']:28}{b['dtype']:10}{b['depth']:6}{b['bytes_per_tile']:12}{b['bytes']:10}  {b['doc']}" for b in s["buffers"]]
    lines += ["", f"{'workspace':36}{'dtype':10}{'bytes':>14}"]
    lines += [f"{w['name']:36}{w['dtype']:10}{w['bytes']:14}" for w in data["workspace"]]
    lines += [f"{'in all, the system part included':46}{data['workspace_bytes']:14}"]
    return "\n".join(lines)


def _one_more_row(tiling: Tiling) -> int:
    """UB bytes that a tile of one row more would take."""
    values = tiling.values
    return sum(size for _, size in tiling.schedule.bytes_of(
        tiling.known, values, values["rowsPerTile"] + 1, values["columnsPerTile"]))


def schedule_text(tiling: Tiling, sizes) -> str:
    if isinstance(tiling, MixedTiling):
        return mixed_text(tiling, sizes)
    data = schedule_json(tiling, sizes)
    shape = ", ".join(f"{k}={v}" for k, v in data["sizes"].items())
    lines = [
        f"{data['operator']} on {data['soc_version']}: {shape}, {data['dtype']}, options: {', '.join(data['options']) or 'none'}",
        f"cores {data['block_dim']}: {data['split']['extra']} take {data['split']['base'] + 1} rows, the others {data['split']['base']}",
        f"tile {data['rows_per_tile']} rows x {data['columns_per_tile']} columns; {data['row_tiles_per_core']} x "
        f"{data['column_tiles']} tiles on the fullest core",
        f"UB {data['ub_bytes']} of {data['ub_limit']} bytes ({100 * data['ub_use']:.1f} %); one more row would take {data['one_more_row_bytes']}",
        "", f"{'buffer':18}{'dtype':10}{'depth':>6}{'bytes/tile':>12}{'bytes':>10}  holds",
    ]
    lines += [f"{b['name']:18}{b['dtype']:10}{b['depth']:6}{b['bytes_per_tile']:12}{b['bytes']:10}  {b['doc']}" for b in data["buffers"]]
    lines += ["", f"{'value':36}{'dtype':10}{'in':16}{'bytes/tile':>10}{'live from':>11}{'to':>5}"]
    lines += [f"{r['name']:36}{r['dtype']:10}{r['buffer']:16}{r['bytes']:10}{r['live_from']:11}{r['live_to']:5}" for r in data["live_ranges"]]
    lines += ["", "tiling data: " + ", ".join(f"{k}={v}" for k, v in data["tiling"].items())]
    return "\n".join(lines)


def program_text(program: RowProgram | Schedule) -> str:
    """The steps of a kernel program, one a line."""
    if isinstance(program, MixedSchedule):
        return "\n\n".join(program_text(s) for s in program.vectors.values())
    if isinstance(program, Partition):
        return "\n".join(f"level {s.level}: " + (", ".join(p.result for p in s.products) if isinstance(s, CubeStage) else
                                                 f"{s.name}: {', '.join(s.graph.outputs)}") for s in program.stages)
    if isinstance(program, Schedule):
        lines = [program_text(program.program), ""]
        lines += [f"{b.name:18}{b.kind:8}{b.dtype:10}{b.unit:8} depth {b.depth}  {b.doc}" for b in program.buffers]
        lines += [f"{a.name} = {a.expr}   # {a.doc}" for a in program.assignments]
        return "\n".join(lines)
    lines = [f"kernel {program.interface.name}: columns {program.lanes}, options {', '.join(program.options) or 'none'}"
             + (", whole rows" if program.whole_rows else "")]
    region = ""
    for s in program.steps:
        if s.region != region:
            region = s.region
            lines.append(f"{region}:")
        where = condition(s.keys, program.options, str)
        what = f"store {s.part.tensor.name}[{s.part.start}:]" if s.kind == "store" else s.formula
        lines.append(f"  {s.kind:8} {what}" + (f"   if {where}" if where else ""))
    return "\n".join(lines)
