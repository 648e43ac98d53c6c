"""Schedules and kernel programs as JSON and as text. `compiler.page` shows the same object as a page."""

from __future__ import annotations

from compiler import memory_map
from compiler.lower import RowProgram, condition
from compiler.partition import CubeStage, Partition
from compiler.schedule.cube import STEP_K, STRIP_BUFFERS
from compiler.schedule.formula import Assignment, evaluate
from compiler.schedule.mixed import MixedSchedule, MixedTiling
from compiler.schedule.tiling import Schedule, Tiling
from compiler.traffic import Move, moves
from ir.interface import ROWS, camel


def split(rows: int, cores: int) -> dict[str, int]:
    """How rows, or strips, fall on cores: the first `extra` cores take `base` + 1 rows, the others `base`."""
    base, extra = divmod(rows, cores)
    return {"rows": rows, "cores": cores, "base": base, "extra": extra}


def schedule_json(tiling: Tiling | MixedTiling, sizes, command: str = "", roof=None) -> dict:
    """What `ascgrad schedule --json` prints. command: the command line that asks for it. roof: of `compiler.roof`.

    cycles, timeline and not_run are of a run, which `compiler.timeline.modelled_run` adds.
    """
    from compiler.emit.facts import version

    schedule = tiling.schedule
    program = schedule if isinstance(tiling, MixedTiling) else schedule.program
    product, values = schedule.product, tiling.values
    data = {
        "operator": program.interface.name, "soc": product["name"], "soc_version": product["soc_version"], "product": product["title"],
        "clock_mhz": product["cores"]["clock_mhz"],
        "dtype": sizes.dtype, "sizes": dict(sizes.symbols), "options": sorted(sizes.options), "attributes": dict(sizes.attributes),
        "version": version(), "command": command,
        "block_dim": values["blockDim"], "tiling_key": values["tilingKey"], "workspace_bytes": values["workspaceBytes"],
        "schedule_mode": schedule.schedule_mode, "tiling": tiling.fields,
    }
    spelled = lambda dtype: sizes.dtype if dtype in program.interface.dtypes else dtype
    data |= mixed_json(tiling, spelled) if isinstance(tiling, MixedTiling) else stage_json(tiling, spelled, tiling.known[ROWS])
    return data | {"traffic": traffic_json(moves(tiling), spelled), "cycles": None,
                   "roof": None if roof is None else roof.to_json(), "timeline": None, "not_run": None}


def stage_json(tiling: Tiling, spelled, rows: int, strip: dict | None = None) -> dict:
    """The tiles, buffers and steps of a row kernel that shares `rows` rows between its cores.

    strip: rows, columns and number of the strips that groups take in turn instead, half of the rows each of two cores; split is then
    of strips between groups.
    buffers: in the order of their addresses. steps: in order; `position` is what `live_from` and `live_to` count, None outside
    the steps of a tile. lives: what is where in UB from which step to which, -1 being before the first one. live_ranges: of
    those, the values under computation.
    """
    schedule, values = tiling.schedule, tiling.values
    cores, limit = values["blockDim"], tiling.known["ubBytes"]
    share, span = -(-rows // cores), values["columns"]
    row_tiles = -(-share // values["rowsPerTile"]) if rows else 0
    if strip:
        row_tiles = -(-strip["count"] // (cores // 2)) * -(-(-(-strip["rows"] // 2)) // values["rowsPerTile"])
        span = min(strip["columns"], span)
    places = memory_map.places(tiling)
    lives = memory_map.lives(tiling)
    buffers = []
    for b, size in tiling.buffers:
        buffers.append({"name": b.name, "kind": b.kind, "dtype": spelled(b.dtype), "depth": b.depth, "bytes_per_tile": size // b.depth,
                        "bytes": size, "address": next(p.address for p in places if p.buffer is b),
                        "parts": next(p.parts for p in places if p.buffer is b), "doc": b.doc})
    shown = []
    for life in lives:
        p = places[life.place]
        memory = p.buffer.tensor.name if p.buffer.tensor is not None else p.buffer.kind
        address = p.address + life.part * (p.bytes // p.parts)
        shown.append({"name": life.name, "role": life.role, "dtype": spelled(life.dtype), "buffer": f"{memory}[{life.part}]",
                      "allocation": p.buffer.name, "copy": p.copy, "part": life.part, "address": address, "bytes": life.bytes,
                      "live_from": life.first, "live_to": life.last})
    plain = ("name", "dtype", "buffer", "address", "bytes", "live_from", "live_to")
    return {
        "rows_per_tile": values["rowsPerTile"], "columns_per_tile": values["columnsPerTile"], "columns": values["columns"],
        "channels": values.get("channels", 1),
        "row_tiles_per_core": row_tiles,
        "column_tiles": -(-span // values["columnsPerTile"]) if span else 0,
        "strip": strip, "split": split(strip["count"], cores // 2) if strip else split(rows, cores),
        "ub_bytes": tiling.ub_bytes, "ub_limit": limit, "ub_use": round(tiling.ub_bytes / limit, 4) if limit else None,
        "ub_reserved": schedule.product["memory"]["ub_reserved"],
        "one_more_row_bytes": _one_more_row(tiling), "buffers": sorted(buffers, key=lambda b: b["address"]), "steps": _steps(tiling),
        "lives": shown, "live_ranges": [{k: v[k] for k in plain} for v in shown if v["role"] in ("value", "mask")],
    }


def _steps(tiling: Tiling) -> list[dict]:
    program, key = tiling.schedule.program, tiling.values["tilingKey"]
    position = {s: i for i, s in enumerate(memory_map.tile_steps(tiling))}
    stored = lambda s: program.names.get(program.resolve(s.part.node, key), s.name)
    return [{"position": position.get(s), "region": s.region, "kind": s.kind, "value": s.name,
             "formula": f"{s.part.tensor.name}[{s.part.start}:] = {stored(s)}" if s.kind == "store" else s.formula}
            for s in program.steps if key in s.keys]


def mixed_json(tiling: MixedTiling, spelled) -> dict:
    """What a kernel of several stages has besides.

    One entry a vector stage and a product. sums: of what a stage writes, the sums over rows, which it finishes at the end.
    level: of the stages that wait for one another; None for products over all rows, which come last. behind: the blocks of rows that a
    stage is behind the first: its level, less one for each level before it that is one step with the next. split of a stage and tiles of
    a product are those of a full block; parts: of k, which as many tiles sum, each part_k of it; walked_with: the first product of its
    stack, whose tiles have its rows or columns, too; comes_from: L1 or GM, the left operand; goes_to: UB, workspace
    or output, the result. slots of a workspace tensor: blocks in its ring; None where it is kept to the end. written_at and
    read_until: the steps between, as of behind.
    """
    schedule, memory = tiling.schedule, tiling.schedule.product["memory"]
    rows, block = tiling.known[ROWS], tiling.offsets["blockRows"]
    count = -(-rows // block)
    levels = {s.name: s.level for s in schedule.partition.stages if not isinstance(s, CubeStage)}
    behind = lambda level: None if level is None else level - sum(at < level for at, field in schedule.in_one_step.values() if tiling.offsets[field])
    stages = []
    for name, t in tiling.vectors.items():
        program, key = schedule.vectors[name].program, t.values["tilingKey"]
        writes = [o for o in program.stores if key in program.present(program.interface.tensor(o))]
        sums = [o for o in writes if program.kinds[program.stores[o][0].node] == "column"]
        stages.append({"name": name, "level": levels[name], "behind": behind(levels[name]), "writes": writes, "sums": sums,
                       **stage_json(t, spelled, min(rows, block), _strip(tiling, name))})
    workspace = []
    for name, dtype, size in tiling.workspace:
        kept = name in schedule.partition.workspace
        life = schedule.partition.lifetime(name) if kept else None
        workspace.append({"name": name, "dtype": spelled(dtype), "bytes": size, "slots": (schedule.slots(name) or None) if kept else None,
                          "written_at": behind(life[0]) if life else None, "read_until": behind(life[1]) if life else None})
    level_of = {p.result: s.level for s in schedule.partition.stages if isinstance(s, CubeStage) for p in s.products}
    key, products = tiling.values["tilingKey"], []
    for stack in (s for s in schedule.stacks if key in s.keys):
        cut = tiling.cut(stack)
        height, width, _ = (_number(e, tiling) for e in schedule.shape(stack))
        load_k = tiling.load_k(stack)
        for p in (p for p in stack.products if key in p.keys):
            terms = [{"a": t.a, "b": t.b, "transpose_a": t.transpose_a, "transpose_b": t.transpose_b, "k": _number(t.k, tiling)}
                     for t in p.terms if key in t.keys]
            m, n, k = _number(p.m, tiling), _number(p.n, tiling), sum(t["k"] for t in terms)
            products.append({
                "level": level_of.get(p.result), "behind": behind(level_of.get(p.result)), "result": p.result, "terms": terms,
                "m": m, "n": n, "k": k, "tile_rows": cut["rows"],
                "tile_columns": cut["columns"], "parts": cut["parts"], "part_k": min(k, cut["partK"]), "walked_with": stack.name,
                "comes_from": "L1" if p.result in tiling.fed else "GM",
                "goes_to": "UB" if p.result in tiling.handed else "workspace" if p.result in schedule.partition.workspace else "output",
                "tiles": -(-height // cut["rows"]) * -(-width // cut["columns"]) * cut["parts"],
                "k_steps": sum(-(-min(t["k"], cut["partK"]) // load_k) for t in terms), "macs": m * n * k})
    return {
        "blocks": {"rows": block, "count": count, "last": rows - (count - 1) * block if count else 0, "levels": schedule.partition.levels,
                   "steps": tiling.steps},
        "stages": stages, "products": products, "cube": _cube(tiling, products), "workspace": workspace,
        "ub_bytes": max([0, *(s["ub_bytes"] for s in stages)]), "ub_limit": memory["ub"],
    }


def _strip(tiling: MixedTiling, stage: str) -> dict | None:
    """The strips of a full block that a vector stage leaves in L1, if it does."""
    found = tiling.strip(stage)
    if found is None:
        return None
    rows, columns = found
    parts = tiling.offsets[f"{camel(tiling.schedule.vectors[stage].fed_product)}Parts"]
    tiles = -(-min(tiling.known[ROWS], tiling.offsets["blockRows"]) // rows)
    return {"of": tiling.schedule.vectors[stage].fed, "rows": rows, "columns": columns, "count": tiles * parts}


def _cube(tiling: MixedTiling, products: list[dict]) -> dict:
    """The tile of the largest product, and the buffers of a cube core for it at their addresses, operands in 16 bits and sums in 32."""
    memory, figures = tiling.schedule.product["memory"], tiling.schedule.figures
    largest = max(products, key=lambda p: p["macs"])
    m, n = largest["tile_rows"], largest["tile_columns"]
    k = tiling.load_k(next(s for s in tiling.schedule.stacks if s.name == largest["walked_with"]))
    fed = largest["comes_from"] == "L1"
    left = ("stripBuffer", "l1", m * largest["part_k"] * 2, 1, "left operand, from vector cores") if fed else (
        "a1Queue", "l1", m * k * 2, 2, "strip of the left operand")
    rows = (left, ("b1Queue", "l1", n * k * 2, STRIP_BUFFERS if fed else 2, "strip of the right operand"),
            ("a2Queue", "l0a", m * STEP_K * 2, 2, "left operand"), ("b2Queue", "l0b", n * STEP_K * 2, 2, "right operand"),
            ("co1Queue", "l0c", m * n * 4, figures.l0c_tiles(m, n), "sum over k"))
    buffers, used = [], {}
    for name, where, size, depth, doc in rows:
        buffers.append({"name": name, "memory": where, "depth": depth, "bytes_per_tile": size, "bytes": size * depth, "address": used.get(where, 0),
                        "doc": doc})
        used[where] = used.get(where, 0) + size * depth
    return {"product": largest["result"], "tile": {"m": m, "n": n, "k": k, "step_k": STEP_K}, "buffers": buffers, "limits": {m: memory[m] for m in used}}


def traffic_json(found: tuple[Move, ...], spelled) -> dict:
    """moves: what each stage and product moves. tensors: the same by tensor. read, written: in all; compulsory_read, compulsory_written:
    inputs once and outputs once, which no schedule can do without."""
    tensors: dict[str, dict] = {}
    for m in found:
        row = tensors.setdefault(m.tensor, {"tensor": m.tensor, "kind": m.kind, "dtype": spelled(m.dtype), "bytes": m.once, "read": 0, "written": 0})
        row["read" if m.access == "read" else "written"] += m.bytes
    total = lambda access: sum(m.bytes for m in found if m.access == access)
    once = lambda kind: sum(t["bytes"] for t in tensors.values() if t["kind"] == kind)
    return {
        "read": total("read"), "written": total("write"), "compulsory_read": once("input"), "compulsory_written": once("output"),
        "tensors": list(tensors.values()),
        "moves": [{"stage": m.stage, "tensor": m.tensor, "kind": m.kind, "access": m.access, "dtype": spelled(m.dtype), "once": m.once,
                   "bytes": m.bytes, "times": round(m.times, 3) if m.times is not None else None} for m in found],
    }


def _number(expr, tiling: MixedTiling) -> int:
    return evaluate((Assignment("size", expr, ""),), {**tiling.known, **tiling.offsets})["size"]


def _one_more_row(tiling: Tiling) -> int:
    """UB bytes that a tile of one row more would take."""
    values = tiling.values
    return sum(size for _, size in tiling.schedule.bytes_of(
        tiling.known, values, values["rowsPerTile"] + 1, values["columnsPerTile"]))


def product_formula(p: dict) -> str:
    term = lambda t: f"{t['a']}{'^T' if t['transpose_a'] else ''} @ {t['b']}{'^T' if t['transpose_b'] else ''}"
    return f"{p['result']} = {' + '.join(map(term, p['terms']))}"


def schedule_text(data: dict) -> str:
    """The object of `schedule_json` as text."""
    shape = ", ".join(f"{k}={v}" for k, v in data["sizes"].items())
    lines = [f"{data['operator']} on {data['soc_version']}: {shape}, {data['dtype']}, options: {', '.join(data['options']) or 'none'}"]
    lines += _mixed_text(data) if "stages" in data else [_split_text(data), *_stage_text(data)]
    lines += _time_text(data)
    t = data["traffic"]
    lines += ["", f"{'GM traffic':36}{'dtype':10}{'bytes':>20}{'read':>20}{'written':>20}"]
    lines += [f"{m['tensor']:36}{m['dtype']:10}{m['bytes']:20}{m['read']:20}{m['written']:20}" for m in t["tensors"]]
    lines += [f"{'in all':66}{t['read']:20}{t['written']:20}",
              f"{'inputs once and outputs once':66}{t['compulsory_read']:20}{t['compulsory_written']:20}"]
    lines += ["", "tiling data: " + ", ".join(f"{k}={v}" for k, v in data["tiling"].items())]
    return "\n".join(lines)


def _time_text(data: dict) -> list[str]:
    """The roof, and the modelled run where there was one."""
    roof, cycles = data["roof"], data["cycles"]
    if roof is None:
        return []
    lines = ["", f"roof {roof['cycles']:.0f} cycles, by {roof['bound']}: " + ", ".join(f"{k} {v:.0f}" for k, v in roof["bounds"].items())]
    if cycles is not None:
        lines.append(f"modelled run {cycles['total']} cycles" + (f", {roof['ratio']:.2f} times the roof" if roof.get("ratio") else ""))
    return lines + ([f"not run: {data['not_run']}"] if data["not_run"] else [])


def _split_text(data: dict) -> str:
    s, strip = data["split"], data["strip"]
    what = "strips" if strip else "rows"
    share = f"{s['extra']} take {s['base'] + 1} {what}, the others {s['base']}" if s["extra"] else f"{s['base']} {what} each"
    return f"groups {s['cores']}: {share}, of {strip['rows']} x {strip['columns']} of {strip['of']}, to L1" if strip else f"cores {s['cores']}: {share}"


def _stage_text(data: dict) -> list[str]:
    channels = f" x {data['channels']} channels" if data["channels"] > 1 and not data["strip"] else ""
    lines = [
        f"tile {data['rows_per_tile']} rows x {data['columns_per_tile']} columns; {data['row_tiles_per_core']} x "
        f"{data['column_tiles']} tiles{channels} on the fullest core",
        f"UB {data['ub_bytes']} of {data['ub_limit']} bytes ({100 * data['ub_use']:.1f} %); one more row would take {data['one_more_row_bytes']}",
        "", f"{'buffer':28}{'dtype':10}{'address':>10}{'depth':>6}{'bytes/tile':>12}{'bytes':>10}  holds",
    ]
    lines += [f"{b['name']:28}{b['dtype']:10}{b['address']:10}{b['depth']:6}{b['bytes_per_tile']:12}{b['bytes']:10}  {b['doc']}" for b in data["buffers"]]
    lines += ["", f"{'value':36}{'dtype':10}{'in':24}{'address':>10}{'bytes/tile':>12}{'live from':>11}{'to':>5}"]
    lines += [f"{r['name']:36}{r['dtype']:10}{r['buffer']:24}{r['address']:10}{r['bytes']:12}{r['live_from']:11}{r['live_to']:5}" for r in data["live_ranges"]]
    return lines


def _mixed_text(data: dict) -> list[str]:
    blocks, cube = data["blocks"], data["cube"]
    tile = cube["tile"]
    last = f", the last of {blocks['last']}" if blocks["last"] != blocks["rows"] and blocks["count"] else ""
    lines = [f"{data['block_dim']} groups of one cube core and its vector cores",
             f"{blocks['count']} blocks of {blocks['rows']} rows{last}; {blocks['levels']} levels, {blocks['steps']} steps",
             f"{cube['product']}: cube tile {tile['m']} x {tile['n']}, k in strips of {tile['k']}: "
             + ", ".join(f"{m.upper()} {sum(b['bytes'] for b in cube['buffers'] if b['memory'] == m)} of {limit} bytes" for m, limit in cube["limits"].items()),
             ""]
    where = lambda level: "at the end" if level is None else f"level {level}"
    for p in data["products"]:
        parts = f", each in {p['parts']} parts of k" if p["parts"] > 1 else ""
        lines.append(f"{where(p['level'])}: {product_formula(p)}   {p['m']} x {p['n']} x {p['k']}   "
                     + (f"walked with {p['walked_with']}" if p["walked_with"] != p["result"] else
                        f"{p['tiles'] // p['parts']} tiles of {p['tile_rows']} x {p['tile_columns']}{parts}")
                     + (f", {p['terms'][0]['a']} from L1" if p["comes_from"] == "L1" else "")
                     + (", to UB of the group's vector cores" if p["goes_to"] == "UB" else ""))
    for s in data["stages"]:
        lines += ["", f"{s['name']}, level {s['level']}, writes {', '.join(s['writes']) or 'nothing under these options'}"]
        lines += [_split_text(s), *_stage_text(s)] if s["writes"] else []
    lines += ["", f"{'workspace':36}{'dtype':10}{'bytes':>14}  blocks in its ring"]
    lines += [f"{w['name']:36}{w['dtype']:10}{w['bytes']:14}  {w['slots'] or 'all rows'}" for w in data["workspace"]]
    lines += [f"{'in all, the system part included':46}{data['workspace_bytes']:14}"]
    return lines


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
