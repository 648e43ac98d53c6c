"""A timeline of a run, from the Chrome trace that `emulate --trace` writes: how busy each pipe of each core is, and when.

A trace has one process per core, one thread per pipe, and a complete event ("ph": "X") for each step, times in microseconds; those of the category "wait" are no steps.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

SLOTS = 240
"""Equal parts of the run in which the pipes' business is counted."""

LEVELS = 4
"""Levels that it is rounded to."""

CLOSE = 160
"""Most steps that the close view of a core shows."""

PIPES = ("S", "MTE2", "MTE1", "M", "V", "MTE3", "FIX")
"""The pipes of a core in the order that data goes through them."""


class TraceError(ValueError):
    """A file that is no trace; one line."""


def modelled_run(operator, product: dict, *, shape: str, dtype: str | None, without: str, attrs, cores: int | None, unlisted: bool) -> dict:
    """What a run on random inputs adds to the object of a schedule: cycles, the ratio to the roof, the timeline.

    not_run: why there is nothing to add, in a sentence, where the call cannot be made.
    """
    from compiler.emulate import emulate_request
    from compiler.emulator.toolchain import ToolchainError
    from compiler.request import RequestError, make_request

    try:
        request = make_request(operator, shape=shape, dtype=dtype, without=without, attrs=attrs, seed=0, inputs=None, strict=False)
        with TemporaryDirectory() as folder:
            trace = Path(folder) / "trace.json"
            outcome = emulate_request(operator, product, request, cores=cores, unlisted=unlisted, trace=trace)
            found = read(trace) if trace.is_file() else None
    except (RequestError, ToolchainError) as error:
        return {"not_run": str(error)}
    data = outcome.to_json()
    if outcome.result.status != 0 or outcome.result.findings:
        return {"not_run": "; ".join([outcome.status_line(), *map(str, outcome.result.findings[:1])])}
    return {"cycles": data["cycles"], "roof": data["roof"], "timeline": found}


@dataclass(frozen=True)
class Event:
    """A step of a pipe, or its wait for another one. at: file and line."""

    core: str
    pipe: str
    name: str
    start: float
    end: float
    waits: bool
    at: str


def read(path: str | Path) -> dict:
    """The timeline of a trace file. Raises TraceError."""
    try:
        return timeline(json.loads(Path(path).read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise TraceError(f"{path}: is no trace: {error}") from None


def timeline(trace: dict | list) -> dict:
    """What `schedule --json` calls `timeline`.

    microseconds: of the whole run. of_cores: how many cores ran; the trace may have fewer. slots: how many equal parts of the run
    `load` counts in.
    cores: name; pipes: name, steps, busy (microseconds), load as runs of (first slot, last slot, level of 1 to LEVELS).
    close: for each kind of core the one that ends last, in the middle of its work: every step and wait of every pipe.
    """
    events = list(_events(trace))
    cores: dict[str, dict[str, list[Event]]] = {}
    for e in events:
        cores.setdefault(e.core, {}).setdefault(e.pipe, []).append(e)
    other = trace.get("otherData", {}) if isinstance(trace, dict) else {}
    latest = max((e.end for e in events), default=0.0)  # the last step has left its pipe, but its bytes are still under way
    length = max(latest, other["cycles"] / other["clock_mhz"]) if "cycles" in other else latest
    rows = []
    for core in sorted(cores, key=_core_order):
        pipes = []
        for pipe, found in sorted(cores[core].items(), key=lambda item: pipe_order(item[0])):
            work = [e for e in found if not e.waits]
            pipes.append({"pipe": pipe, "steps": len(work), "busy": round(_busy(work), 4), "load": _load(work, length)})
        rows.append({"core": core, "pipes": pipes})
    close = []
    for kind in dict.fromkeys(row["core"].split()[0] for row in rows):
        last = max((c for c in cores if c.split()[0] == kind), key=lambda c: max(e.end for found in cores[c].values() for e in found))
        close.append(_close(last, [e for found in cores[last].values() for e in found]))
    return {"microseconds": round(length, 4), "of_cores": other.get("cores", len(rows)), "slots": SLOTS, "levels": LEVELS, "cores": rows, "close": close}


def _events(trace: dict | list) -> Iterable[Event]:
    found = trace.get("traceEvents") if isinstance(trace, dict) else trace
    if not isinstance(found, list) or not all(isinstance(e, dict) for e in found):
        raise TraceError("wants a list of events, or an object with traceEvents")
    cores, pipes = {}, {}
    for e in found:
        if e.get("ph") == "M" and e.get("name") == "process_name":
            cores[e["pid"]] = str(e["args"]["name"])
        elif e.get("ph") == "M" and e.get("name") == "thread_name":
            pipes[e["pid"], e["tid"]] = str(e["args"]["name"])
    for e in found:
        if e.get("ph") == "X":
            start = float(e["ts"])
            yield Event(cores.get(e["pid"], f"core {e['pid']}"), pipes.get((e["pid"], e["tid"]), str(e["tid"])), str(e["name"]), start,
                        start + float(e["dur"]), e.get("cat") == "wait", str(e.get("args", {}).get("at", "")))


def _core_order(name: str) -> tuple:
    """AIC 2 comes before AIC 10."""
    kind, _, number = name.rpartition(" ")
    return (kind, int(number)) if number.isdigit() else (name, 0)


def pipe_order(pipe: str) -> tuple:
    return (PIPES.index(pipe), "") if pipe in PIPES else (len(PIPES), pipe)


def _busy(events: list[Event]) -> float:
    """Time in which at least one of the events is under way."""
    total, until = 0.0, float("-inf")
    for e in sorted(events, key=lambda e: e.start):
        total += max(0.0, e.end - max(e.start, until))
        until = max(until, e.end)
    return total


def _load(events: list[Event], length: float) -> list[list[int]]:
    shares, until = [0.0] * SLOTS, float("-inf")
    slot = length / SLOTS or 1.0
    for e in sorted(events, key=lambda e: e.start):
        start, end = max(e.start, until), e.end
        until = max(until, e.end)
        for i in range(min(SLOTS - 1, int(start / slot)), min(SLOTS - 1, int(end / slot)) + 1):
            shares[i] += max(0.0, min(end, (i + 1) * slot) - max(start, i * slot)) / slot
    runs: list[list[int]] = []
    for i, share in enumerate(shares):
        level = 0 if share <= 0 else max(1, round(LEVELS * min(share, 1.0)))
        if level and runs and runs[-1][1] == i - 1 and runs[-1][2] == level:
            runs[-1][1] = i
        elif level:
            runs.append([i, i, level])
    return runs


def _close(core: str, events: list[Event]) -> dict:
    """The steps around the middle of a core's work, as many as a figure has room for."""
    events = sorted(events, key=lambda e: (e.start, e.end))
    first = max(0, (len(events) - CLOSE) // 2)
    shown = events[first:first + CLOSE]
    pipes: dict[str, list[dict]] = {}
    for e in shown:
        pipes.setdefault(e.pipe, []).append({"name": e.name, "start": round(e.start, 4), "end": round(e.end, 4), "waits": e.waits, "at": e.at})
    return {"core": core, "from": round(shown[0].start, 4), "to": round(max(e.end for e in shown if not e.waits or e is shown[-1]), 4),
            "pipes": [{"pipe": p, "steps": pipes[p]} for p in sorted(pipes, key=pipe_order)]}
