"""Schedules and kernel programs as JSON and as text."""

from __future__ import annotations

from compiler.lower import RowProgram, condition
from compiler.schedule.tiling import Schedule, Tiling


def split(rows: int, cores: int) -> dict[str, int]:
    """How rows fall on cores: the first `extra` cores take `base` + 1 rows, the others `base`."""
    base, extra = divmod(rows, cores)
    return {"rows": rows, "cores": cores, "base": base, "extra": extra}


def schedule_json(tiling: Tiling, sizes) -> dict:
    """What `ascgrad schedule --json` prints."""
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


def _one_more_row(tiling: Tiling) -> int:
    """UB bytes that a tile of one row more would take."""
    values = tiling.values
    return sum(size for _, size in tiling.schedule.bytes_of(
        tiling.known, values, values["rowsPerTile"] + 1, values["columnsPerTile"]))


def schedule_text(tiling: Tiling, sizes) -> str:
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
