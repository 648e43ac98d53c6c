"""The emulator bites: of every kind of fault that is put into emitted sources, one is found. And it does not cry wolf: what
was emitted holds on the same cases. ``python -m tests.mutants`` runs many more of each kind.
"""

import pytest

from tests.mutants.__main__ import one_of, problem
from tests.mutants.kinds import KINDS
from tests.mutants.suite import MIXED_A2, TARGETS, Target, atlas_sources, evidence, judge
from tests.mutants.survivors import SURVIVORS


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_emitted_sources_hold(target):
    assert list(evidence(target.examiner, target)) == []


def test_atlas_a3_runs_the_text_of_atlas_a2():
    assert atlas_sources("ascend910_93") == atlas_sources(MIXED_A2.product)


@pytest.mark.long
def test_emitted_sources_hold_on_atlas_a3():
    target = Target(MIXED_A2.operator, "ascend910_93")
    assert list(evidence(target.examiner, target)) == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.name)
def test_every_kind_still_fits_what_is_emitted(kind):
    assert len(kind.mutants()) >= kind.least > 0


def test_there_are_enough_mutants():
    assert len({k.name for k in KINDS}) == len(KINDS) >= 15
    assert sum(len(k.mutants()) for k in KINDS) >= 150


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.name)
def test_one_of_each_kind_is_found(kind, tmp_path):
    verdict = judge(one_of(kind), tmp_path)
    assert problem(verdict) is None, f"{verdict.mutant.title}\n{problem(verdict)}"


@pytest.mark.parametrize("survivor", SURVIVORS, ids=lambda s: f"{s.kind}, {s.place}")
def test_what_is_said_to_survive_is_a_mutant(survivor):
    assert any(survivor.covers(m) for k in KINDS if k.name == survivor.kind for m in k.mutants())
