"""A schedule as one HTML page that needs nothing beside it: a view of the object of `ascgrad schedule --json`.

All geometry is made here; the template prints it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from compiler.report import product_formula
from compiler.timeline import pipe_order

WIDTH = 1120
"""Units of a figure's width."""

LABELS = 312
"""Units left of the time axis of a figure."""

LETTER = 5.9
"""Units of an average letter at the size of a figure's text."""

STEPS_SHOWN = 20
"""Most steps of a pipeline that are drawn; the middle of a longer one is left out."""

K_STEPS_SHOWN = 10
"""Most steps along k that the map of the cube memories shows."""


def page(data: dict) -> str:
    """The page of a schedule, as text. data: of `compiler.report.schedule_json`."""
    from compiler.emit.render import environment

    template = environment().overlay(autoescape=True).get_template("report/schedule.html.jinja")
    stages = data.get("stages", [data])
    return template.render(
        d=data, cores=split_figure(stages[0]) if stages else None, title=f"{data['operator']} on {data['soc_version']}", facts=facts(data), stages=[stage_view(s) for s in stages],
        pipeline=pipeline_figure(data) if "stages" in data else None, products=products_view(data), cube=cube_figure(data),
        traffic=traffic_view(data), timeline=timeline_figures(data), busy=busy_view(data), roof=roof_view(data),
        close=[{"core": c["core"], "map": close_figure(c)} for c in (data["timeline"] or {}).get("close", ())], tiling=[(k, v) for k, v in data["tiling"].items() if k != "padding"], embedded=embedded(data),
        count=count, percent=percent, rows=rows)


PAGE_MARK = b'name="generator" content="ascgrad '
"""By this a page is known as one of ours."""


class PageError(ValueError):
    """The page cannot be written: the path, what is there, what would work."""


def judge_page(path: str, force: bool) -> None:
    """Refuses to replace a file that is no page of a schedule, unless `force`. Raises PageError."""
    from pathlib import Path

    if force or not Path(path).is_file():
        return
    with open(path, "rb") as file:
        if PAGE_MARK not in file.read(4096):
            raise PageError(f"--html: got {path}, which is there and is no page of ascgrad, wants a new file or such a page (or --force)")


def write_page(data: dict, path: str) -> None:
    """All of the page, or nothing. Raises PageError."""
    from ir.files import write_whole

    try:
        write_whole(path, lambda file: file.write(page(data).encode()))
    except OSError as error:
        raise PageError(f"--html: {path} cannot be written: {error.strerror or error}") from None


def embedded(data: dict) -> str:
    """The object as JSON that may stand between script tags of HTML and of XML alike."""
    text = json.dumps(data, ensure_ascii=False)
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def count(value) -> str:
    """A number with its thousands apart; a dash for none."""
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def size(value: int) -> str:
    """Bytes in the unit that leaves three figures or so."""
    for unit, factor in (("EiB", 2**60), ("PiB", 2**50), ("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if value >= factor:
            return f"{value / factor:.4g} {unit}"
    return f"{value} B"


def duration(microseconds: float) -> str:
    for unit, factor in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= factor:
            return f"{microseconds / factor:.4g} {unit}"
    return f"{microseconds:.4g} µs"


def rows(value: int) -> str:
    return f"{count(value)} row{'' if value == 1 else 's'}"


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


@dataclass
class Figure:
    """Shapes of an SVG, in units of which WIDTH fit the page. A shape's title is what it says when pointed at.

    strokes lie over all else and have units of their own: a slot and a line.
    """

    label: str
    width: float = WIDTH
    height: float = 0
    rects: list[dict] = field(default_factory=list)
    texts: list[dict] = field(default_factory=list)
    lines: list[dict] = field(default_factory=list)
    paths: list[dict] = field(default_factory=list)
    strokes: list[dict] = field(default_factory=list)

    def rect(self, x, y, w, h, kind: str, title: str = "", text: str = "", life: str = "") -> None:
        self.rects.append({"x": _n(x), "y": _n(y), "w": _n(max(w, 0.5)), "h": _n(max(h, 0.5)), "kind": kind, "title": title, "life": life})
        self.height = max(self.height, y + h)
        shown = _fitting(text, w - 6)
        if shown:
            self.text(x + 4, y + h / 2 + 3.6, shown, "in")

    def text(self, x, y, text: str, kind: str = "", anchor: str = "start") -> None:
        self.texts.append({"x": _n(x), "y": _n(y), "text": text, "kind": kind, "anchor": anchor})
        self.height = max(self.height, y + 4)

    def line(self, x1, y1, x2, y2, kind: str = "grid") -> None:
        self.lines.append({"x1": _n(x1), "y1": _n(y1), "x2": _n(x2), "y2": _n(y2), "kind": kind})

    def path(self, d: str, kind: str) -> None:
        self.paths.append({"d": d, "kind": kind})


def _n(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _fitting(text: str, room: float) -> str:
    """The text, or its beginning, where it fits; nothing where too little of it would."""
    most = int(room / LETTER)
    if len(text) <= most:
        return text
    return f"{text[:most - 1]}…" if most >= 4 else ""


# -- summary ----------------------------------------------------------------------------------------------------------


def facts(data: dict) -> list[dict]:
    """The figures at the head of the page: name, value, remark."""
    t, found = data["traffic"], []
    if "stages" in data:
        b = data["blocks"]
        last = f", the last of {count(b['last'])}" if b["count"] and b["last"] != b["rows"] else ""
        found.append(_fact("cores", f"{count(data['block_dim'])} groups", "of one cube core and two vector cores"))
        found.append(_fact("rows", f"{count(b['count'])} × {count(b['rows'])}", f"blocks of rows{last}; {b['levels']} levels, {count(b['steps'])} steps"))
        fullest = max(data["stages"], key=lambda s: s["ub_bytes"], default=None)
        if fullest:
            found.append(_fact("unified buffer", percent(fullest["ub_bytes"], fullest["ub_limit"]),
                               f"{count(fullest['ub_bytes'])} of {count(fullest['ub_limit'])} bytes, in {fullest['name']}, the fullest stage"))
    else:
        s = data["split"]
        share = f"{count(s['extra'])} take {rows(s['base'] + 1)}, the others {count(s['base'])}" if s["extra"] else f"{rows(s['base'])} each"
        found.append(_fact("vector cores", count(data["block_dim"]), share))
        found.append(_fact("tile", f"{count(data['rows_per_tile'])} × {count(data['columns_per_tile'])}",
                           f"rows × columns; {count(data['row_tiles_per_core'])} × {count(data['column_tiles'])} tiles on the fullest core"))
        found.append(_fact("unified buffer", percent(data["ub_bytes"], data["ub_limit"]),
                           f"{count(data['ub_bytes'])} of {count(data['ub_limit'])} bytes; one more row would take {count(data['one_more_row_bytes'])}"))
    roof = roof_view(data)
    if roof and roof["cycles"]:
        found.append(_fact("modelled run", duration(roof["cycles"] / data["clock_mhz"]), f"{count(round(roof['cycles']))} cycles" + (
            f", {roof['ratio']} × the roof, {roof['what']}" if roof["ratio"] else "")))
    elif roof:
        found.append(_fact("roof", duration(data["roof"]["cycles"] / data["clock_mhz"]), f"{count(round(data['roof']['cycles']))} cycles, by the {roof['what']}"))
    moved, least = t["read"] + t["written"], t["compulsory_read"] + t["compulsory_written"]
    found.append(_fact("GM traffic", size(moved), f"{moved / least:.2f} × the compulsory {size(least)}" if least else "nothing is compulsory"))
    taken = data["workspace_bytes"]
    found.append(_fact("workspace", size(taken) if taken else "none", f"{count(taken)} bytes, the system part included" if taken else ""))
    return found


def _fact(name: str, value: str, remark: str) -> dict:
    return {"name": name, "value": value, "remark": remark}


# -- stages -----------------------------------------------------------------------------------------------------------


def stage_view(stage: dict) -> dict:
    name = stage.get("name", "")
    ends = {(v["allocation"], v["name"]): v for v in stage["lives"] if v["role"] in ("value", "mask", "row", "sum")}
    by_value = {v["name"]: v for v in ends.values()}
    steps = []
    for s in stage["steps"]:
        life = by_value.get(s["value"]) if s["kind"] != "store" else None
        steps.append({**s, "where": REGIONS[s["region"]] if s["position"] is None else str(s["position"]),
                      "life": life, "id": f"{name}-{s['value']}" if life else ""})
    return {**stage, "name": name, "idle": not stage["lives"], "map": memory_figure(stage), "listed": steps}


REGIONS = {"rows_before": "rows, before", "rows_after": "rows, after", "columns_before": "columns, before", "columns_after": "columns, after",
           "tile": ""}
"""When a step outside a tile runs, by the region of the program."""

ROLES = {
    "tile": "as it is in GM", "next": "the next tile, on its way in", "previous": "the tile before, on its way out",
    "part": "parts that are added to it, and the next tile", "value": "float32 tile",
    "mask": "bit mask", "scratch": "scratch of an instruction", "row": "one value per row", "column": "one value per column",
    "sum": "sum", "counts": "before the first tile", "handed": "tiles that the cube core leaves there",
}
"""What a life is, in words, by its role."""


AHEAD = ("next", "previous", "part", "handed")
"""Roles of what is copied in and out while a tile is computed."""


def memory_figure(stage: dict) -> Figure:
    """UB over the steps of a tile: one lane per part of each allocation, in the order of addresses; at the left the same
    allocations true to scale. A step reads in its first half and writes in its second."""
    name, top = stage.get("name", ""), 26
    axis = _TimeAxis([s for s in stage["steps"] if s["position"] is not None])
    f = Figure(f"memory map of the unified buffer{' in ' + name if name else ''}")
    spare = {(v["allocation"], v["copy"]) for v in stage["lives"] if v["role"] in AHEAD and v["copy"]}
    lanes, y = {}, top
    for b in stage["buffers"]:
        for copy in range(b["depth"]):
            parts = 1 if (b["name"], copy) in spare else b["parts"]
            height = 14 if (b["name"], copy) in spare else 20 if parts == 1 else 17
            lanes[b["name"], copy] = (y, height, parts)
            y += height * parts + 3
    axis.draw(f, top, y)
    _scale(f, stage, lanes, top, y)
    for v in stage["lives"]:
        b = next(b for b in stage["buffers"] if b["name"] == v["allocation"])
        lane, height, parts = lanes[v["allocation"], v["copy"]]
        whole = v["role"] in ("tile", *AHEAD)
        x0, x1 = axis.span(v)
        title = f"{v['name']} ({ROLES[v['role']]}, {v['dtype']}): {axis.when(v)}, {count(v['bytes'])} bytes at {count(v['address'])}"
        text = {"next": f"{v['name']}, next tile", "previous": f"{v['name']}, tile before", "part": f"{v['name']}, its parts and the next tile"}.get(v["role"], v["name"])
        if v["role"] == "tile":  # its name, as far as no value computed in place stands there
            inside = [axis.span(i)[0] for i in stage["lives"] if (i["allocation"], i["copy"], i["role"]) == (b["name"], v["copy"], "value")]
            text = _fitting(text, min([x1, *inside]) - x0 - 6)
        f.rect(x0 + 0.75, lane + (0 if whole else v["part"] * height) + 0.75, x1 - x0 - 1.5, height * (parts if whole else 1) - 1.5,
               f"{b['kind']} {v['role']}", title, text, f"{name}-{v['name']}")
    return f


class _TimeAxis:
    """One column a step that runs under the options of the request, and one each before and after; numbered as in the kernel."""

    def __init__(self, steps: list[dict]):
        self.steps, self.last = steps, max([s["position"] for s in steps], default=-1) + 1
        self.width = (WIDTH - LABELS - 2) / (len(steps) + 2)

    def column(self, position: int) -> int:
        return 0 if position < 0 else 1 + sum(s["position"] < position for s in self.steps)

    def x(self, position: int, part: float) -> float:
        return LABELS + (self.column(position) + part) * self.width

    def span(self, life: dict) -> tuple[float, float]:
        first, last = life["live_from"], life["live_to"]
        if life["role"] == "scratch":
            return self.x(first, 0.3), self.x(last, 1)
        return (self.x(first, 0 if first < 0 or life["role"] == "next" else 0.5 if first < self.last else 0),
                self.x(last, 0.5 if 0 <= last < self.last and last > first else 1))

    def name(self, position: int) -> str:
        return "in" if position < 0 else "out" if position >= self.last else str(position)

    def when(self, life: dict) -> str:
        first, last = life["live_from"], life["live_to"]
        return "throughout" if first < 0 and last >= self.last else f"from {self.name(first)} to {self.name(last)}"

    def draw(self, f: Figure, top: float, bottom: float) -> None:
        heads = [(-1, "input", "copies in; values per row and column")]
        heads += [(s["position"], {"load": "input", "store": "output"}.get(s["kind"], "plain"), s["formula"]) for s in self.steps]
        for position, kind, says in (*heads, (self.last, "output", "copies out; what is left to do for a row")):
            x = self.x(position, 0)
            f.rect(x + 0.5, 4, self.width - 1, 16, f"head {kind}", says)
            f.text(x + self.width / 2, 15.5, self.name(position), "axis", "middle")
            f.line(x, top - 3, x, bottom)


def _scale(f: Figure, stage: dict, lanes: dict, top: float, bottom: float) -> None:
    """The allocations true to scale, each joined to its lanes, and the labels of the lanes."""
    x, w, tall = 52, 16, bottom - top
    scale = tall / max(1, stage["ub_limit"])
    f.rect(x, top, w, tall, "limit", f"{count(stage['ub_limit'] - stage['ub_bytes'])} of {count(stage['ub_limit'])} bytes are free")
    f.text(x + w / 2, 15.5, "UB", "axis", "middle")
    for b in stage["buffers"]:
        for copy in range(b["depth"]):
            lane, height, parts = lanes[b["name"], copy]
            start = b["address"] + copy * b["bytes_per_tile"]
            y0, y1 = top + start * scale, top + (start + b["bytes_per_tile"]) * scale
            f.rect(x, y0, w, y1 - y0, f"{b['kind']} solid", f"{b['name']}: {count(b['bytes_per_tile'])} bytes at {count(start)}")
            f.path(f"M{_n(x + w)} {_n(y0)} L{_n(x + w + 22)} {_n(lane)} V{_n(lane + height * parts)} L{_n(x + w)} {_n(y1)} Z", b["kind"])
            middle = lane + height / 2 + 3.6
            f.text(x + w + 26, middle, _fitting(b["name"] if b["depth"] == 1 else f"{b['name']} [{copy}]", 178), "lane")
            f.text(LABELS - 5, middle, count(b["bytes_per_tile"]), "small", "end")
    f.text(x - 5, top + 8, "0", "small", "end")
    f.text(x - 5, bottom, count(stage["ub_limit"]), "small", "end")
    used = top + stage["ub_bytes"] * scale
    if top + 22 < used < bottom - 14:
        f.text(x - 5, used + 3, count(stage["ub_bytes"]), "small", "end")


def split_figure(stage: dict) -> Figure:
    """Rows per core, each core's tiles apart; where the stage works in strips, those of each group."""
    s, most, unit = stage["split"], 1 if stage["strip"] else stage["rows_per_tile"], "strips" if stage["strip"] else "rows"
    f, tall, base = Figure(f"{unit} per core"), 56, 66
    if not s["rows"]:
        f.text(0, 14, "no rows", "small")
        return f
    width = (WIDTH - 60) / s["cores"]
    largest = s["base"] + (1 if s["extra"] else 0)
    for core in range(s["cores"]):
        share = s["base"] + (core < s["extra"])
        tiles = -(-share // most)
        step = -(-share // tiles) if tiles else 0
        h = tall * share / largest
        says = (f"group {core}: {count(share)} strip{'' if share == 1 else 's'}" if stage["strip"] else
                f"core {core}: {rows(share)} in {count(tiles)} tiles of at most {count(step)}")
        f.rect(60 + core * width + 0.5, base - h, width - 1, max(h, 0.5), "core", says)
        for i in range(1, tiles if tiles <= tall / 3 else 0):
            y = base - h * min(i * step, share) / share
            f.line(60 + core * width + 0.5, y, 60 + (core + 1) * width - 0.5, y, "cut")
    f.text(55, base - tall + 8, count(largest), "small", "end")
    f.text(55, base, unit, "small", "end")
    f.text(60, base + 12, "group 0" if stage["strip"] else "core 0", "small")
    f.text(WIDTH, base + 12, f"{'group' if stage['strip'] else 'core'} {s['cores'] - 1}", "small", "end")
    return f


# -- the pipeline of a mixed kernel -----------------------------------------------------------------------------------


def pipeline_figure(data: dict) -> Figure:
    """Which stage works on which block of rows in which step, and which block lies where in each ring."""
    b = data["blocks"]
    f, row = Figure("pipeline of blocks"), 18
    head, tail = (b["steps"], 0) if b["steps"] <= STEPS_SHOWN else (STEPS_SHOWN // 2, STEPS_SHOWN // 2)
    shown = [*range(head), *range(b["steps"] - tail, b["steps"])]
    gap = 0.7 if tail else 0
    left, finish = LABELS + 90, 62
    column = (WIDTH - left - finish) / max(1, len(shown) + gap)
    place = {s: left + (i + (gap if i >= head else 0)) * column for i, s in enumerate(shown)}
    end = left + (len(shown) + gap) * column
    top = 26
    lanes = [("AIV", f"{s['name']} → {', '.join(s['writes'])}", s["level"], s["behind"]) for s in data["stages"] if s["writes"]]
    lanes += [("AIC", product_formula(p), p["level"], p["behind"]) for p in data["products"]]
    lanes += [("AIV", f"{s['name']}: {', '.join(s['sums'])} summed over the cores", None, None) for s in data["stages"] if s["sums"]]
    y = top
    for unit, text, level, behind in sorted(lanes, key=lambda lane: (lane[2] is None, lane[2] or 0)):
        f.text(0, y + 12.5, unit, "unit" if unit == "AIC" else "unit aiv")
        f.text(30, y + 12.5, _fitting(text, left - 90), "lane")
        f.text(left - 8, y + 12.5, "end" if level is None else f"level {level}", "small", "end")
        for step in shown if level is not None else ():
            block = step - behind
            if 0 <= block < b["count"]:
                height = b["last"] if block == b["count"] - 1 else b["rows"]
                f.rect(place[step] + 1, y + 1, column - 2, row - 2, f"block b{block % 6}", f"step {step}: {text}, block {block}, {rows(height)}", str(block))
        if level is None and b["count"]:
            f.rect(end + 1, y + 1, finish - 2, row - 2, "block all", text, "all rows")
        y += row
    bottom = y
    rings = [w for w in data["workspace"] if w["slots"]]
    if rings:
        y += 22
        f.text(0, y - 5, "rings in the workspace: the block that each slot holds", "small")
    for w in rings:
        for slot in range(w["slots"]):
            f.text(30, y + 11, _fitting(w["name"], left - 90) if slot == 0 else "", "lane")
            f.text(left - 8, y + 11, f"slot {slot}", "small", "end")
            there = {s - late for s in shown for late in range(w["written_at"], w["read_until"] + 1)}
            for block in sorted(block for block in there if 0 <= block < b["count"] and block % w["slots"] == slot):
                spans = [s for s in shown if block + w["written_at"] <= s <= block + w["read_until"]]
                for first, last in _runs(spans, place, column):
                    f.rect(place[first] + 1, y + 1, place[last] - place[first] + column - 2, 13, f"block ring b{block % 6}",
                           f"{w['name']}, slot {slot}: block {block}, written in step {block + w['written_at']}, read until {block + w['read_until']}", str(block))
            y += 15
        y += 4
    every = 1 + int(len(str(b["steps"])) * LETTER / column)
    for i, step in enumerate(shown):
        if i % every == 0:
            f.text(place[step] + column / 2, 15.5, str(step), "axis", "middle")
        f.line(place[step], top - 4, place[step], y if rings else bottom, "grid")
    f.text(left - 8, 15.5, "step", "small", "end")
    f.line(end, top - 4, end, y if rings else bottom, "barrier")
    f.text(end + finish / 2, 15.5, "end", "axis", "middle")
    if tail:
        f.text(place[shown[head]] - gap * column / 2, 15.5, "…", "axis", "middle")
    f.height = max(f.height, y)
    return f


def _runs(steps: list[int], place: dict, column: float):
    """Runs of steps that are drawn side by side."""
    run: list[int] = []
    for s in steps:
        if run and place[s] - place[run[-1]] > 1.01 * column:
            yield run[0], run[-1]
            run = []
        run.append(s)
    if run:
        yield run[0], run[-1]


def products_view(data: dict) -> list[dict]:
    return [{**p, "formula": product_formula(p), "when": "end" if p["level"] is None else p["level"]} for p in data.get("products", ())]


def cube_figure(data: dict) -> Figure | None:
    """L1, L0A, L0B and L0C over the steps of an output tile along k, one column a step: strips come from GM to L1, steps of them go
    on to L0A and L0B, and are multiplied in the column after."""
    if not data.get("products"):
        return None
    cube, tile = data["cube"], data["cube"]["tile"]
    of = next(p for p in data["products"] if p["result"] == cube["product"])
    lengths = [of["part_k"]] if of["parts"] > 1 else [t["k"] for t in of["terms"]]
    strips = [-(-min(tile["k"], k - at) // tile["step_k"]) for k in lengths for at in range(0, min(k, tile["k"] * K_STEPS_SHOWN), tile["k"])]
    first = [0]  # the step that each strip begins with
    for s in strips:
        first.append(first[-1] + s)
    steps, more = min(K_STEPS_SHOWN, first[-1]), first[-1] > K_STEPS_SHOWN
    f, left, row, top = Figure("memory of a cube core"), LABELS, 19, 24
    column = (WIDTH - left) / (steps + 3)
    x = lambda unit: left + min(unit, steps + 3) * column
    y = top
    for memory, limit in cube["limits"].items():
        used = sum(b["bytes"] for b in cube["buffers"] if b["memory"] == memory)
        f.text(0, y + 13, memory.upper(), "unit")
        f.text(34, y + 13, percent(used, limit), "small")
        for b in (b for b in cube["buffers"] if b["memory"] == memory):
            for copy in range(b["depth"]):
                label = b["name"] if b["depth"] == 1 else f"{b['name']} [{copy}]"
                f.text(94, y + 13, label, "lane")
                f.text(left - 8, y + 13, count(b["bytes_per_tile"]), "small", "end")
                at = f"{count(b['bytes_per_tile'])} bytes at {count(b['address'] + copy * b['bytes_per_tile'])} of {memory.upper()}"
                bars = []
                if b["name"] == "stripBuffer":
                    bars = [(0, min(steps, first[-1]) + 1, b["doc"], "")]
                elif memory == "l1":  # a strip comes while the one before is used, and stays until its last step has gone on
                    bars = [(0 if s < b["depth"] - 1 else first[s - b["depth"] + 1] + 1, first[s + 1] + 1, f"{b['doc']}, strip {s}", "")
                            for s in range(copy, len(strips), b["depth"])
                            if first[s] < steps or s == 0] or [(1, steps + 3, "a strip of the next tile", " spare")]
                elif memory in ("l0a", "l0b"):
                    bars = [(k + 1, k + 3, f"{b['doc']}, step {k}", "") for k in range(copy, steps, b["depth"])]
                elif copy:
                    bars = [(0, 2, "the tile before, to GM", " spare"), (steps + 2, steps + 3, "the next tile", " spare")]
                else:
                    bars = [(2, steps + 3, f"{b['doc']}, then to GM", "")]
                for begin, end, says, kind in bars:
                    f.rect(x(begin) + 1, y + 1, x(end) - x(begin) - 2, row - 2, f"cube {memory}{kind}", f"{says}; {at}", says)
                y += row
        f.line(0, y + 1.5, WIDTH, y + 1.5)
        y += 4
    for i in range(steps + 3):
        f.line(x(i), top - 4, x(i), y - 4)
        f.text(x(i) + column / 2, 15, str(i) if i < steps + 2 else "… Fixpipe" if more else "Fixpipe", "axis", "middle")
    return f


# -- traffic ----------------------------------------------------------------------------------------------------------


def traffic_view(data: dict) -> dict:
    """The tensors with how often each is moved, and the length of a bar for its share of all traffic."""
    t = data["traffic"]
    most = max([x["read"] + x["written"] for x in t["tensors"]], default=0) or 1
    rows = []
    for x in t["tensors"]:
        by = [m for m in t["moves"] if m["tensor"] == x["tensor"]]
        rows.append({**x, "reads": _times(x["read"], x["bytes"]), "writes": _times(x["written"], x["bytes"]),
                     "read_bar": _n(100 * x["read"] / most), "written_bar": _n(100 * x["written"] / most),
                     "by": by, "readers": [m["stage"] for m in by if m["access"] == "read"], "writers": [m["stage"] for m in by if m["access"] == "write"]})
    moved, least = t["read"] + t["written"], t["compulsory_read"] + t["compulsory_written"]
    return {"rows": rows, "ratio": f"{moved / least:.2f}" if least else "–", "reads": _times(t["read"], t["compulsory_read"]),
            "writes": _times(t["written"], t["compulsory_written"])}


def _times(bytes: int, once: int) -> str:
    return f"{bytes / once:.2f} ×" if once and bytes else ""


# -- time and roof ----------------------------------------------------------------------------------------------------


def timeline_figures(data: dict) -> list[Figure]:
    """How busy each pipe of each core is over the run: a figure for each kind of core, in it a panel a pipe and a line a core."""
    timeline = data["timeline"]
    return [_pipes_figure(timeline, kind, cores) for kind, cores in _kinds(timeline)] if timeline else []


def _pipes_figure(timeline: dict, kind: str, cores: list[dict]) -> Figure:
    f, y, left = Figure(f"pipes of {kind} over the run"), 22, 110
    width, slots, height = WIDTH - left - 60, timeline["slots"], min(12, max(1.4, 84 / len(cores)))
    for pipe in _pipes(cores):
        found = [next((p for p in c["pipes"] if p["pipe"] == pipe), None) for c in cores]
        tall, share = height * len(cores), sum(p["busy"] for p in found if p) / len(cores)
        middle = y + min(tall / 2, 40) + 4
        f.rect(left, y, width, tall, "panel", f"{pipe} of {len(cores)} {kind}: {percent(share, timeline['microseconds'])} busy on average")
        f.text(0, middle, kind, "small")
        f.text(34, middle, pipe, "lane")
        f.text(left + width + 6, middle, percent(share, timeline["microseconds"]), "small")
        for level in range(1, timeline["levels"] + 1):
            d = "".join(_line(p["load"], level, row) for row, p in enumerate(found) if p)
            if d:
                f.strokes.append({"d": d, "kind": f"load q{level} {pipe.lower()}", "x": left, "y": _n(y), "sx": f"{width / slots:.4f}", "sy": f"{height:.4f}"})
        y += tall + 5
    f.height = y
    _microseconds(f, 0, timeline["microseconds"], left, width, y)
    f.text(left + width + 6, 15, "busy", "axis")
    return f


def _kinds(timeline: dict) -> list[tuple[str, list[dict]]]:
    kinds: dict[str, list[dict]] = {}
    for c in timeline["cores"]:
        kinds.setdefault(c["core"].split()[0], []).append(c)
    return list(kinds.items())


def _pipes(cores: list[dict]) -> list[str]:
    return sorted({p["pipe"] for c in cores for p in c["pipes"]}, key=pipe_order)


def _line(load: list[list[int]], level: int, row: int) -> str:
    """The runs of one level as horizontal strokes, in slots."""
    d, at = "", None
    for first, last, found in load:
        if found == level:
            d += f"M{first} {row + 0.5:g}" if at is None else f"m{first - at} 0"
            d += f"h{last - first + 1}"
            at = last + 1
    return d


def _microseconds(f: Figure, start: float, end: float, left: float, width: float, bottom: float) -> None:
    """A time axis above a figure, with some eight round marks."""
    span = end - start
    step = next((m * 10.0**e for e in range(-4, 9) for m in (1, 2, 5) if span / (m * 10.0**e) <= 10), span) or 1.0
    i = -(-start // step)
    while i * step <= end + 1e-9:
        x = left + width * (i * step - start) / (span or 1.0)
        f.line(x, 19, x, bottom)
        f.text(x, 15, f"{round(i * step, 6) + 0.0:g}", "axis", "middle")
        i += 1
    f.text(left - 8, 15, "µs", "axis", "end")


def close_figure(close: dict) -> Figure:
    """Every step of every pipe of one core in a part of the run."""
    f, row, left, top = Figure(f"steps of {close['core']}"), 20, 110, 22
    width, span = WIDTH - left - 4, (close["to"] - close["from"]) or 1.0
    bottom = top + row * len(close["pipes"])
    _microseconds(f, close["from"], close["to"], left, width, bottom)
    for i, p in enumerate(close["pipes"]):
        y = top + i * row
        f.text(34, y + 13.5, p["pipe"], "lane")
        for s in p["steps"]:
            x = left + width * (s["start"] - close["from"]) / span
            end = left + width * min(1.0, (s["end"] - close["from"]) / span)
            says = f"{s['name']}: {s['start']:g} to {s['end']:g} µs, {s['end'] - s['start']:.4g} µs" + (f", {s['at']}" if s["at"] else "")
            f.rect(x, y + 1, end - x - 0.4, row - 3, "wait" if s["waits"] else f"pipe {p['pipe'].lower()}", says, s["name"])
    f.height = bottom
    return f


BOUNDS = {"hbm": "bytes that have to pass HBM", "cube": "multiply-adds on all cube cores", "vector": "vector work on all vector cores"}
"""What the roof is made of, in words."""


def roof_view(data: dict) -> dict | None:
    """The bounds below which no schedule can get, and the modelled run beside them."""
    roof = data["roof"]
    if not roof:
        return None
    run = data["cycles"] or {}
    cycles = run.get("total")
    rows = [{"name": name, "what": BOUNDS.get(name, ""), "cycles": value, "bound": name == roof["bound"]} for name, value in roof["bounds"].items()]
    if cycles:
        rows.append({"name": "run", "what": "as modelled", "cycles": cycles, "bound": False})
    most = max(r["cycles"] for r in rows) or 1
    for r in rows:
        r["bar"], r["share"] = _n(100 * r["cycles"] / most), f"{r['cycles'] / roof['cycles']:.2f}" if roof["cycles"] else "–"
        r["time"] = duration(r["cycles"] / data["clock_mhz"])
    return {"rows": rows, "bound": roof["bound"], "what": BOUNDS.get(roof["bound"], ""), "cycles": cycles, "moved": run.get("gm_bytes"), "hbm": run.get("hbm_bytes"),
            "ratio": f"{cycles / roof['cycles']:.2f}" if cycles and roof["cycles"] else None}


def busy_view(data: dict) -> list[dict]:
    """Per kind of core and pipe: how many steps, and how much of the run it works, on average and on the busiest core."""
    timeline, rows = data["timeline"], []
    for kind, cores in _kinds(timeline) if timeline else ():
        for pipe in _pipes(cores):
            found = [(p["busy"], p["steps"], c["core"]) for c in cores for p in c["pipes"] if p["pipe"] == pipe]
            busiest = max(found)
            whole = timeline["microseconds"]
            rows.append({"kind": kind, "pipe": pipe, "cores": len(cores), "steps": sum(s for _, s, _ in found),
                         "average": percent(sum(b for b, _, _ in found) / len(cores), whole), "most": percent(busiest[0], whole), "busiest": busiest[2]})
    return rows
