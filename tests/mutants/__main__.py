"""Puts faults into emitted sources and reports which of them are found: ``python -m tests.mutants``.

A table of kinds: how many mutants, how many are caught, by what, and those that survive. Exit status 1 where a mutant survives
that `tests/mutants/survivors.py` does not explain, where one that it explains is caught, and where one does not compile.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from compiler.emulator import run
from tests.mutants.kinds import KINDS
from tests.mutants.suite import Kind, Mutant, Verdict, calls, judge, sample
from tests.mutants.survivors import SURVIVORS, reason
from tests.running import quick_unit


def chosen(most: int | None, kinds) -> list[Mutant]:
    """The mutants of a run: at most so many of a kind on each target (None: all)."""
    every = [(k, t, k.mutants_of(t)) for k in kinds for t in k.targets]
    return [m for _, _, found in every for m in (found if most is None else sample(found, most))]


def one_of(kind: Kind) -> Mutant:
    """A mutant in the middle of those that are no equivalents; of each kind on another target."""
    targets = [t for t in kind.targets if kind.mutants_of(t)]
    target = targets[KINDS.index(kind) % len(targets)]
    mutants = [m for m in kind.mutants_of(target) if reason(m) is None]
    return mutants[len(mutants) // 2]


def run_one(mutant: Mutant) -> Verdict:
    with tempfile.TemporaryDirectory(prefix="ascgrad-mutant-") as folder:
        return judge(mutant, Path(folder))


def problem(verdict: Verdict) -> str | None:
    """Why a verdict is none that the suite expects."""
    explained = reason(verdict.mutant)
    if verdict.invalid:
        return f"does not compile: {verdict.invalid}"
    if verdict.caught and explained:
        return f"is caught ({verdict.said}), but is listed as equivalent: {explained}"
    if not verdict.caught and not explained:
        return "survives, and nothing says why"
    return None


def table(verdicts: list[Verdict]) -> str:
    lines = [f"{'kind':48}{'mutants':>8}{'caught':>8}  how"]
    for kind in dict.fromkeys(v.mutant.kind for v in verdicts):
        own = [v for v in verdicts if v.mutant.kind is kind]
        how = Counter(h for v in own for h in v.how)
        lines.append(f"{kind.name:48}{len(own):8}{sum(v.caught for v in own):8}  " + ", ".join(f"{h} {n}" for h, n in how.most_common()))
    caught = [v for v in verdicts if v.caught]
    alone = lambda test: sum(all(map(test, v.how)) for v in caught)
    lines.append(f"{'in all':48}{len(verdicts):8}{len(caught):8}  by findings alone {alone(lambda h: h.startswith('finding'))}, "
                 f"by numbers alone {alone(lambda h: h in ('numbers', 'order of the cores'))}, "
                 f"by traffic or tiling alone {alone(lambda h: h in ('traffic', 'tiling'))}")
    survivors = [v for v in verdicts if not v.caught and not v.invalid]
    lines += [f"\nsurvivors: {len(survivors)}"] + [f"  {v.mutant.title}\n    {reason(v.mutant) or 'unexplained'}" for v in survivors]
    problems = [(v, p) for v in verdicts if (p := problem(v))]
    lines += [f"\nproblems: {len(problems)}"] + [f"  {v.mutant.title}\n    {p}" for v, p in problems]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--most", type=int, default=2, help="mutants of a kind on each operator and product (default 2; 0: all)")
    parser.add_argument("--quick", action="store_true", help="one mutant of each kind, as the tests run them")
    parser.add_argument("--kind", action="append", default=[], help="only kinds whose names contain this; may be repeated")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time (default 1)")
    parser.add_argument("--json", metavar="FILE", help="writes what happened to each mutant, as it happens")
    options = parser.parse_args()
    run.Unit = quick_unit
    kinds = [k for k in KINDS if not options.kind or any(text in k.name for text in options.kind)]
    for kind in kinds:
        if len(kind.mutants()) < kind.least:
            parser.error(f"{kind.name}: {len(kind.mutants())} mutants, wants {kind.least}: its pattern no longer fits what is emitted")
    mutants = [one_of(k) for k in kinds] if options.quick else chosen(options.most or None, kinds)
    for target in dict.fromkeys(m.target for m in mutants):
        calls(target)
    started, verdicts = time.monotonic(), {}
    with ThreadPoolExecutor(options.jobs) as pool:
        waiting = {pool.submit(run_one, m): i for i, m in enumerate(mutants)}
        for done in as_completed(waiting):
            if done.exception():
                pool.shutdown(cancel_futures=True)
            v = verdicts[waiting[done]] = done.result()
            verdict = "INVALID" if v.invalid else ", ".join(v.how) if v.caught else "SURVIVES"
            if options.json:
                Path(options.json).write_text(json.dumps([v.to_json() for _, v in sorted(verdicts.items())], indent=1))
            print(f"{len(verdicts):4} of {len(mutants)} {v.mutant.title}\n       {verdict}", file=sys.stderr, flush=True)
    ordered = [verdicts[i] for i in range(len(mutants))]
    print(table(ordered))
    print(f"\n{len(mutants)} mutants of {len(kinds)} kinds in {time.monotonic() - started:.0f} s")
    unmatched = [s for s in SURVIVORS if not options.kind and not any(s.covers(m) for k in KINDS for m in k.mutants())]
    for s in unmatched:
        print(f"survivor that is no mutant: {s.kind}: {s.place}")
    return int(bool(unmatched) or any(map(problem, ordered)))


if __name__ == "__main__":
    sys.exit(main())
