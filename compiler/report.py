"""Schedules and kernel programs as JSON and as text."""

from __future__ import annotations

from compiler.lower import RowProgram, condition
from compiler.partition import CubeStage, Partition
from compiler.schedule.formula import Assignment, evaluate
from compiler.schedule.mixed import MixedSchedule, MixedTiling
from compiler.schedule.tiling import Schedule, Tiling


def split(rows: int, cores: int) -> dict[str, int]:
    """How rows fall on cores: the first `extra` cores take `base` + 1 rows, the others `base`."""
    base, extra = divmod(rows, cores)
    return {"rows": rows, "cores": cores, "base": base, "extra": extra}


def schedule_json(tiling: Tiling, sizes, roof=None) -> dict:
    """What `ascgrad schedule --json` prints. roof: of `compiler.roof`."""
    if isinstance(tiling, MixedTiling):
        return mixed_json(tiling, sizes, roof)
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
        "live_ranges": ranges, "cycles": None, "roof": None if roof is None else roof.to_json(),
    }


def mixed_json(tiling: MixedTiling, sizes, roof=None) -> dict:
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
    multiplied = [(s.level, p) for s in schedule.partition.stages if isinstance(s, CubeStage) for p in s.products]
    multiplied = sorted(multiplied, key=lambda m: m[0]) + [(None, p) for p in schedule.partition.sums]
    products = [{"level": level, "result": p.result, "a": p.a, "b": p.b, "transpose_a": p.transpose_a, "transpose_b": p.transpose_b,
                 "m": _number(p.m, tiling), "n": _number(p.n, tiling), "k": _number(p.k, tiling)}
                for level, p in multiplied]
    return {
        "operator": schedule.interface.name, "soc": product["name"], "soc_version": product["soc_version"], "dtype": sizes.dtype,
        "sizes": dict(sizes.symbols), "options": sorted(sizes.options), "block_dim": tiling.groups,
        "tiling_key": next(iter(tiling.vectors.values())).values["tilingKey"], "workspace_bytes": tiling.offsets["workspaceBytes"],
        "schedule_mode": schedule.schedule_mode, "tiling": tiling.fields, "stages": stages, "products": products,
        "workspace": workspace, "ub_bytes": max(s["ub_bytes"] for s in stages), "ub_limit": product["memory"]["ub"],
        "cycles": None, "roof": None if roof is None else roof.to_json(),
    }


def _number(expr, tiling: MixedTiling) -> int:
    return evaluate((Assignment("size", expr, ""),), tiling.known)["size"]


def mixed_text(tiling: MixedTiling, sizes) -> str:
    data = mixed_json(tiling, sizes)
    shape = ", ".join(f"{k}={v}" for k, v in data["sizes"].items())
    lines = [f"{data['operator']} on {data['soc_version']}: {shape}, {data['dtype']}, options: {', '.join(data['options']) or 'none'}",
             f"{data['block_dim']} groups of one cube core and its vector cores", ""]
    where = lambda level: "at the end" if level is None else f"level {level}"
    lines += [f"{where(p['level'])}: {p['result']} = {p['a']}{'^T' if p['transpose_a'] else ''} @ {p['b']}{'^T' if p['transpose_b'] else ''}"
              f"   {p['m']} x {p['n']} x {p['k']}" for p in data["products"]]
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
