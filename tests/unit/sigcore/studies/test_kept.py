"""Saved runs are the runs that were saved, answer no other question, and those of the samples are not outdated."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import numpy as np
import pytest

from sigcore import readers
from sigcore.data import Collection, Loaded
from sigcore.errors import MismatchError, SigError
from sigcore.studies import enough, matrix
from sigcore.study import Settings, Study
from sigcore.testset import Testset
from sigcore.types import ALL_PAIRS, Comparisons

ASKED, TESTS = (("bleu", {}),), ("approximate_randomization",)


def sample(name: str) -> tuple[Testset, Loaded]:
    """The sample as the first page loads it."""
    collection = Collection()
    collection.add_sample(name)
    loaded = collection.loaded()
    assert loaded.testset is not None
    return loaded.testset, loaded


def same(one: matrix.MatrixRun, other: matrix.MatrixRun) -> None:
    """Both runs have equal counts and intervals, and give equal results."""
    for left, right in zip(one.draws, other.draws, strict=True):
        assert left.tallies.keys() == right.tallies.keys()
        for test, tally in left.tallies.items():
            for field in dataclasses.fields(tally):
                np.testing.assert_array_equal(getattr(tally, field.name), getattr(right.tallies[test], field.name))
    for a, b in zip(one.score_intervals, other.score_intervals, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)
    for here, there in zip(one.gain_intervals, other.gain_intervals, strict=True):
        assert here.keys() == there.keys()
        for test, ends in here.items():
            np.testing.assert_allclose(ends, there[test], rtol=1e-12)
    results = [matrix.read(run, "bleu", TESTS[0]) for run in (one, other)]
    np.testing.assert_array_equal(results[0].p_values, results[1].p_values)
    assert results[0].setup.signature == results[1].setup.signature
    assert results[0].notes == results[1].notes


def test_the_samples_of_translations_have_a_stored_grid() -> None:
    """The first sample opens the app, so it needs one."""
    stored = [name for name in readers.sample_names() if readers.finished_grid(name)]
    assert stored == ["harbour", "kitchen-radio"]
    assert readers.sample_names()[0] in stored


@pytest.mark.parametrize("name", ["harbour", "kitchen-radio"])
def test_stored_grids_of_samples_are_current(name: str) -> None:
    """The grid that the first page opens with is the one that is drawn today, with as many resamples as are needed."""
    testset, loaded = sample(name)
    content = readers.finished_grid(name)
    assert content is not None
    stored = matrix.load(content, Study(testset, loaded.outputs, ASKED, TESTS))
    taken: list[int] = []

    def work(study: Study) -> matrix.MatrixRun:
        taken.append(study.resamples)
        return matrix.run(study)

    settings = Settings(correction="auto")
    study = Study(testset, loaded.outputs, resamples="auto", settings=settings)
    last = enough.draw(study, work, lambda run: [matrix.read(run, "bleu", TESTS[0], settings)])
    assert stored[last.resamples].prepared_for(study)
    assert list(stored) == taken
    same(stored[last.resamples], last)
    same(stored[taken[0]], matrix.run(Study(testset, loaded.outputs, resamples=taken[0])))


def test_other_questions_are_not_answered() -> None:
    """Another metric, test, unit, seed or file: nothing is loaded."""
    testset, loaded = sample("harbour")
    content = matrix.save([matrix.run(Study(testset, loaded.outputs, resamples=50))])
    given = (testset, loaded.outputs, ASKED, TESTS)
    assert list(matrix.load(content, Study(*given))) == [50]
    assert not matrix.load(content, Study(*given[:2], (("chrf", {}),), TESTS))
    assert not matrix.load(content, Study(*given[:2], (("bleu", {"tokenize": "char"}),), TESTS))
    assert not matrix.load(content, Study(*given[:3], ("paired_bootstrap",)))
    assert not matrix.load(content, Study(*given, unit="segment"))
    assert not matrix.load(content, Study(*given, seed=1))
    assert not matrix.load(content, Study(testset, loaded.outputs[:-1], *given[2:]))
    assert not matrix.load(content, Study(testset, loaded.outputs[::-1], *given[2:]))
    with pytest.raises(SigError, match="damaged"):
        matrix.load(content[:-50], Study(*given))


def test_several_tests_and_metrics_are_saved() -> None:
    """Bootstrap tests too, and exact ones, as long as no joint null belongs to them."""
    testset, loaded = sample("kitchen-radio")
    asked, tests = (("bleu", {}), ("ter", {})), ("approximate_randomization", "paired_bootstrap", "bootstrap_shift")
    run = matrix.run(Study(testset, loaded.outputs, asked, tests, resamples=60))
    same(matrix.load(matrix.save([run]), Study(testset, loaded.outputs, asked, tests))[60], run)


def test_runs_of_two_questions_are_refused() -> None:
    """One file answers one question."""
    testset, loaded = sample("harbour")
    runs = [matrix.run(Study(testset, loaded.outputs, resamples=20, seed=seed)) for seed in (1, 2)]
    with pytest.raises(MismatchError, match="one question"):
        matrix.save(runs)


@pytest.mark.parametrize("test", ["bootstrap_shift", "approximate_randomization"])
@pytest.mark.parametrize("family", [ALL_PAIRS, Comparisons("one baseline", "Curlew")])
def test_what_was_counted_together_is_kept(test: str, family: Comparisons) -> None:
    """The adjusted p of max-T are the same after a file; another family answers another question."""
    testset, loaded = sample("harbour")
    study = Study(testset, loaded.outputs, ASKED, [test], resamples=40, family=family)
    study = replace(study, settings=Settings(correction="joint"))
    run = matrix.run(study)
    (again,) = matrix.load(matrix.save([run]), study).values()
    before, after = (matrix.read(one, ASKED[0][0], test, study.settings) for one in (run, again))
    np.testing.assert_array_equal(before.adjusted, after.adjusted)
    np.testing.assert_array_equal(before.adjusted_high, after.adjusted_high)
    other = replace(study, family=Comparisons("one baseline", "Dunlin"))
    assert not matrix.load(matrix.save([run]), other)
