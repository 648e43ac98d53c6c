"""A timeline is made of the trace of a run, step by step, and the page shows it."""

import json
from xml.etree import ElementTree

import pytest

from compiler import timeline
from compiler.page import page
from compiler.report import schedule_json
from compiler.request import make_sizes
from tests.running import SEED, examiner, operator


def trace(*steps, cores_in_all=None) -> dict:
    """A trace of (core, pipe, name, start, end); a name that starts with "wait" is a wait."""
    cores, pipes, events = {}, {}, []
    for core, pipe, name, start, end in steps:
        if core not in cores:
            cores[core] = len(cores)
            events.append({"ph": "M", "name": "process_name", "pid": cores[core], "args": {"name": core}})
        if (core, pipe) not in pipes:
            pipes[core, pipe] = len(pipes)
            events.append({"ph": "M", "name": "thread_name", "pid": cores[core], "tid": pipes[core, pipe], "args": {"name": pipe}})
        events.append({"ph": "X", "name": name, "pid": cores[core], "tid": pipes[core, pipe], "ts": start, "dur": end - start,
                       "cat": "wait" if name.startswith("wait") else "work", "args": {"at": "kernel.h:7"}})
    return {"traceEvents": events, "otherData": {"cores": cores_in_all or len(cores)}}


def pipes_of(found, core) -> dict:
    return {p["pipe"]: p for p in next(c for c in found["cores"] if c["core"] == core)["pipes"]}


STEPS = (("AIV 10", "V", "Add", 2.0, 4.0), ("AIV 10", "MTE2", "DataCopy", 0.0, 1.0), ("AIV 2", "V", "Mul", 1.0, 9.0), ("AIV 2", "V", "Exp", 5.0, 10.0))


def test_cores_pipes_and_what_is_under_way():
    found = timeline.timeline(trace(*STEPS))
    assert found["microseconds"] == 10.0
    assert [c["core"] for c in found["cores"]] == ["AIV 2", "AIV 10"], "by number"
    assert list(pipes_of(found, "AIV 10")) == ["MTE2", "V"], "in the order of the data"
    assert {p: v["busy"] for p, v in pipes_of(found, "AIV 10").items()} == {"MTE2": 1.0, "V": 2.0}
    assert pipes_of(found, "AIV 2")["V"]["busy"] == 9.0, "steps that overlap are counted once"


def test_waiting_is_no_work():
    found = timeline.timeline(trace(("AIV 0", "V", "wait for MTE2", 0.0, 6.0), ("AIV 0", "V", "Add", 6.0, 8.0), cores_in_all=64))
    assert pipes_of(found, "AIV 0")["V"]["busy"] == 2.0 and pipes_of(found, "AIV 0")["V"]["steps"] == 1
    assert pipes_of(found, "AIV 0")["V"]["load"][0][0] == timeline.SLOTS * 6 // 8
    assert [s["waits"] for s in found["close"][0]["pipes"][0]["steps"]] == [True, False]
    assert found["of_cores"] == 64 and len(found["cores"]) == 1


def test_load_is_where_the_steps_are():
    found = timeline.timeline(trace(*STEPS))
    slots = timeline.SLOTS
    assert pipes_of(found, "AIV 10")["V"]["load"] == [[slots // 5, 2 * slots // 5 - 1, timeline.LEVELS]]
    half = timeline.timeline(trace(("AIV 0", "V", "Add", 0.0, 0.5 / slots), ("AIV 0", "V", "Add", 0.5, 1.0)))
    assert pipes_of(half, "AIV 0")["V"]["load"] == [[0, 0, timeline.LEVELS // 2], [slots // 2, slots - 1, timeline.LEVELS]]


def test_close_view_is_the_middle_of_the_core_that_ends_last():
    steps = [("AIV 0", "V", f"step{i}", float(i), i + 0.5) for i in range(1001)] + [("AIV 1", "V", "late", 0.0, 2000.0), ("AIC 0", "M", "Mmad", 0.0, 1.0)]
    found = timeline.timeline(trace(*steps))
    assert [c["core"] for c in found["close"]] == ["AIC 0", "AIV 1"]
    found = timeline.timeline(trace(*steps[:1001]))
    names = [s["name"] for s in found["close"][0]["pipes"][0]["steps"]]
    assert len(names) == timeline.CLOSE and names[len(names) // 2] in ("step500", "step501")


def test_an_empty_trace_is_a_timeline_of_nothing():
    assert timeline.timeline({"traceEvents": []})["cores"] == []


@pytest.mark.parametrize("text", ["", "[1]", '{"a": 1}', '[{"ph": "X", "name": "Add"}]', '[{"ph": "X", "ts": "x"}]'])
def test_what_is_no_trace_is_refused(tmp_path, text):
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(timeline.TraceError, match="is no trace"):
        timeline.read(tmp_path / "t.json")


def test_the_page_shows_every_pipe_and_the_ratio_to_the_roof(tmp_path):
    sizes = make_sizes(operator(), "T=1000,H=2560", "bfloat16", "", ())
    data = schedule_json(examiner().schedule.solve(sizes.symbols, sizes.options, sizes.dtype), sizes)
    (tmp_path / "t.json").write_text(json.dumps(trace(*STEPS)))
    data |= {"timeline": timeline.read(tmp_path / "t.json"), "roof": {"cycles": 1000.0, "bound": "hbm", "bounds": {"hbm": 1000.0, "cube": 0.0, "vector": 400.0}},
             "cycles": {"total": 1234}}
    root = ElementTree.fromstring(page(data).partition("<!DOCTYPE html>")[2])
    rows = {t.get("class"): [["".join(c.itertext()) for c in row] for row in t.find("tbody")] for t in root.iter("table")}
    assert [row[1:3] + row[3:5] for row in rows["busy"]] == [["MTE2", "1", "5.0 %", "10.0 %"], ["V", "3", "55.0 %", "90.0 %"]]
    assert [(row[0], row[2], row[4]) for row in rows["roof"]] == [("hbm", "1,000", "1.00"), ("cube", "0", "0.00"), ("vector", "400", "0.40"), ("run", "1,234", "1.23")]
    close = next(s for s in root.iter("svg") if s.get("aria-label") == "steps of AIV 2")
    assert [t.text for t in close.iter("title")] == ["Mul: 1 to 9 µs, 8 µs, kernel.h:7", "Exp: 5 to 10 µs, 5 µs, kernel.h:7"]
    panels = next(s for s in root.iter("svg") if s.get("aria-label") == "pipes of AIV over the run")
    strokes = {p.get("class"): p.get("d") for p in panels.iter("path") if "load" in p.get("class")}
    assert strokes["load q4 v"] == f"M24 0.5h216M{timeline.SLOTS // 5} 1.5h{timeline.SLOTS // 5}"
