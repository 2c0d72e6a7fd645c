"""Few units: no bootstrap p and no interval below ten, measured rates below thirty."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sigcore import significance
from sigcore.results import matrix_summary
from sigcore.significance import engine
from sigcore.studies import compare, enough, matrix
from sigcore.studies.matrix import Settings
from sigcore.study import Runtime, Study
from sigcore.types import SIDES
from tests.made import score_set, text_set

BOOTSTRAP = [name for name, test in significance.members().items() if test.draws == "bootstrap"]
QUICK = {"resamples": 300}


@pytest.mark.parametrize("n", [1, 2, 9])
@pytest.mark.parametrize("side", SIDES)
def test_no_bootstrap_p_and_no_interval(n, side):
    """One segment was "p < 0.0001, significant" with an interval of one point; now it is undefined, with the reason."""
    testset, outputs = text_set(n, (0.1, 0.4), seed=3)
    result = compare.read(
        compare.run(Study(testset, outputs, [("chrf", {})], tests=None, **QUICK)), "chrf", Settings(side)
    )
    assert np.isnan(result.interval).all()
    assert np.isnan(result.score_intervals).all()
    for item in result.results:
        assert np.isnan(item.p_value) == (item.setup.test in BOOTSTRAP)
        assert not (item.setup.test in BOOTSTRAP and item.significant(0.05))
    assert any(f"With {n} segment" in note and "At least 10 are needed" in note for note in result.notes)
    assert "n/a" not in str(result)


@pytest.mark.parametrize("correction", ["none", "holm", "bonferroni", "joint", "auto"])
def test_a_grid_of_few_units_has_no_verdicts(correction):
    """Undefined p stay undefined under every correction; identical systems keep p = 1."""
    testset, outputs = text_set(8, (0.1, 0.4, 0.4), seed=3)
    outputs[2] = type(outputs[1])("twin", outputs[1].segments)
    run = matrix.run(Study(testset, outputs, tests=["bootstrap_shift"], **QUICK), corrections=[correction])
    result = matrix.read(run, "bleu", "bootstrap_shift", Settings(correction=correction))
    assert np.isnan(result.adjusted[0, 1])
    assert result.adjusted[1, 2] == 1
    assert not result.levels(0.05).any()
    assert np.isnan(result.score_intervals).all()


def test_randomization_is_given_at_any_size():
    """Eight segments have a p of randomization, adjusted by Holm."""
    testset, outputs = text_set(8, (0.1, 0.4), seed=3)
    result = matrix.read(matrix.run(Study(testset, outputs, **QUICK)), "bleu", "approximate_randomization")
    assert 0 < result.p_values[0, 1] <= 1


@pytest.mark.parametrize("n", [10, 17, 29, 59])
def test_measured_rates_are_quoted(n):
    """From ten to sixty units the note has the rate that was measured for so many, at both usual levels."""
    testset, outputs = text_set(n, (0.1, 0.3), seed=3)
    run = matrix.run(Study(testset, outputs, tests=["paired_bootstrap"], **QUICK))
    notes = matrix.read(run, "bleu", "paired_bootstrap").notes
    (note,) = (note for note in notes if "too small" in note)
    assert f"of true nulls of {significance.measured_units(n)} units" in note
    narrow = f"contain the true gain in {100 * significance.coverage(n, 0.95):.0f}% of test sets"
    assert any(narrow in other for other in notes)
    for alpha in (0.1, 0.05, 0.01):
        rate = significance.rejection_rate("paired_bootstrap", n, alpha)
        assert rate is not None
        assert rate > alpha
        assert f"{100 * rate:.2g}% at alpha {alpha:g}" in note


def test_sixty_units_need_no_note():
    """Nothing is said where the rate is near the level."""
    testset, outputs = text_set(180, (0.1, 0.3), seed=3)
    run = matrix.run(Study(testset, outputs, tests=["paired_bootstrap"], unit="block:3", **QUICK))
    assert run.n == 60
    assert run.differing[0][0, 1] == 60
    assert not any("too small" in note for note in matrix.read(run, "bleu", "paired_bootstrap").notes)


@pytest.mark.parametrize(
    ("differing", "least", "words"), [(4, True, "At least 10"), (12, False, "of true nulls of 12")]
)
def test_units_that_do_not_differ_add_nothing(differing, least, words):
    """Of 300 segments only those count on which two systems differ: with too few of them there is no bootstrap p and no
    interval, with few the note has the rate of that many; randomization has its p either way."""
    right = np.ones(300)
    wrong = right.copy()
    wrong[:differing] = 0
    testset, outputs = score_set(right, wrong, np.linspace(0, 1, 300))
    tests = ["bootstrap_shift", "approximate_randomization"]
    run = matrix.run(Study(testset, outputs, [("own_scores", {})], tests, **QUICK))
    np.testing.assert_array_equal(run.differing[0][0, 1:], [differing, 299])
    found = matrix.read(run, "own_scores", "bootstrap_shift", Settings(correction="none"))
    assert np.isnan(found.p_values[0, 1]) == least
    assert np.isnan(found.gain_intervals[0, 1]).all() == least
    assert not np.isnan(found.p_values[0, 2])
    assert any(f"differ on only {differing} of 300 segments" in note and words in note for note in found.notes)
    assert not np.isnan(matrix.read(run, "own_scores", "approximate_randomization").p_values).any()
    pair = compare.read(compare.run(Study(testset, outputs[:2], [("own_scores", {})], tests, **QUICK)), "own_scores")
    assert np.isnan(pair.interval).all() == least


def test_the_least_p_is_corrected_for_the_pairs_that_have_a_p():
    """Of three pairs one differs on too few segments: a bootstrap corrects two tests, and randomization all three."""
    right = np.ones(300)
    wrong = right.copy()
    wrong[:4] = 0
    testset, outputs = score_set(right, wrong, np.linspace(0, 1, 300))
    tests = {"bootstrap_shift": 2, "approximate_randomization": 3}
    run = matrix.run(Study(testset, outputs, [("own_scores", {})], list(tests), **QUICK))
    for name, corrected in tests.items():
        result = matrix.read(run, "own_scores", name, Settings(correction="bonferroni", exact=False))
        assert np.count_nonzero(~np.isnan(result.p_values[np.triu_indices(3, 1)])) == corrected
        assert result.setup.least_p == pytest.approx(corrected / (QUICK["resamples"] + 1), rel=1e-12)


def test_coverage_is_that_of_simulated_percentile_intervals():
    """The formula gives the coverage of percentile intervals of means of normal gains, within its Monte Carlo error."""
    rng = np.random.default_rng(2)
    for n in (10, 20):
        draws = rng.integers(0, n, (1000, n))
        held = [
            low <= 0 <= high
            for low, high in (
                np.quantile(gains[draws].mean(axis=1), (0.025, 0.975)) for gains in rng.normal(size=(1500, n))
            )
        ]
        assert np.mean(held) == pytest.approx(significance.coverage(n, 0.95), abs=0.025)


@pytest.mark.parametrize("test", ["bootstrap_shift", "paired_bootstrap"])
@pytest.mark.parametrize("side", SIDES)
def test_max_t_of_a_bootstrap_is_that_of_swaps_and_never_below_p(test, side):
    """The joint null is that of randomization with the same seed; where p of the bootstrap is larger, it stays."""
    testset, outputs = text_set(40, (0.1, 0.2, 0.3, 0.3), seed=3)
    settings = Settings(side, correction="joint")
    of = {
        name: matrix.read(
            matrix.run(Study(testset, outputs, tests=[name], **QUICK), corrections=["joint"]), "bleu", name, settings
        )
        for name in (test, "approximate_randomization")
    }
    swapped = of["approximate_randomization"]
    tested = ~np.eye(4, dtype=bool)
    np.testing.assert_allclose(of[test].adjusted, np.maximum(of[test].p_values, swapped.adjusted), rtol=1e-12)
    assert (of[test].adjusted[tested] > of[test].p_values[tested]).any()
    assert (of[test].adjusted_low <= of[test].adjusted + 1e-12).all()
    assert (of[test].adjusted <= of[test].adjusted_high + 2 / QUICK["resamples"]).all()


def test_the_swaps_of_a_joint_null_are_no_test_of_the_run(monkeypatch):
    """A run has the tests that it was asked for, and their tallies; partial results have adjusted p as well."""
    testset, outputs = text_set(40, (0.1, 0.2, 0.3), seed=3)
    shown = list[matrix.MatrixRun]()
    monkeypatch.setattr(engine, "REPORT_EVERY", 0.0)
    study = Study(testset, outputs, tests=["bootstrap_shift"], resamples=2000)
    run = matrix.run(study, Runtime(publish=shown.append), corrections=["joint"])
    assert shown
    for one in (run, *shown):
        assert [test.name for test in one.tests] == ["bootstrap_shift"]
        assert set(one.draws[0].tallies) == {"bootstrap_shift"}
        assert {test for _, test, _ in one.prepared[0]} == {"bootstrap_shift"}


@pytest.mark.parametrize("correction", ["joint"])
def test_a_copy_of_a_system_changes_no_other_pair(correction):
    """Two equal systems have no spread, and a system that differs on few segments has no p: neither takes part."""
    testset, outputs = text_set(60, (0.1, 0.25, 0.4), seed=3)
    segments = outputs[0].segments
    more = [
        *outputs,
        type(outputs[0])("twin", segments),
        type(outputs[0])("nearly", (f"{segments[0]} x", *segments[1:])),
    ]
    grids = [
        matrix.read(
            matrix.run(Study(testset, systems, tests=["bootstrap_shift"], **QUICK), corrections=[correction]),
            "bleu",
            "bootstrap_shift",
            Settings(correction=correction),
        )
        for systems in (outputs, more[:4])
    ]
    np.testing.assert_array_equal(grids[0].adjusted, grids[1].adjusted[:3, :3])
    assert grids[0].levels(0.05).any()
    run = matrix.run(Study(testset, more, tests=["bootstrap_shift"], **QUICK), corrections=[correction])
    found = matrix.read(run, "bleu", "bootstrap_shift", Settings(correction=correction))
    assert found.levels(0.05)[:3, :3].any()
    assert np.isnan(found.adjusted[0, 4])
    assert found.adjusted[0, 3] == 1


@pytest.mark.parametrize(("n", "alpha", "possible"), [(10, 0.05, False), (10, 0.1, True), (40, 0.05, True)])
def test_swaps_of_few_units_can_show_only_so_much(n, alpha, possible):
    """Eight systems in ten blocks: 2 / 2^10 times 28 is above .05, so no data could be significant, and it says so."""
    rng = np.random.default_rng(1)
    testset, outputs = score_set(*(rng.normal(5 * k, 0.1, 40) for k in range(8)))
    run = matrix.run(
        Study(testset, outputs, [("own_scores", {})], unit=f"block:{40 // n}", **QUICK | {"resamples": 20_000})
    )
    result = matrix.read(run, "own_scores", "approximate_randomization")
    assert ("cannot show a difference" in matrix_summary(result, alpha)) != possible
    assert (28 * 2 / 2**n > alpha) != possible
    assert enough.wanted(run, [result], alpha) == 0 or possible


def test_unmeasured_levels_have_no_rate():
    """Another alpha, a test that draws nothing and fewer units than were measured give None."""
    assert significance.rejection_rate("paired_bootstrap", 12, 0.03) is None
    assert significance.rejection_rate("approximate_randomization", 12, 0.05) is None
    assert significance.rejection_rate("paired_bootstrap", 9, 0.05) is None


def test_the_larger_of_both_measured_rates_is_quoted():
    """The two-sided and the one-sided test were measured, and no reader is told the smaller rate."""
    stored = json.loads(significance.TABLE.read_text(encoding="utf-8"))
    for test, of in stored["rates"].items():
        for n, rates in of.items():
            for alpha, rate, other in zip(stored["alphas"], rates, stored["one_sided"][test][n], strict=True):
                assert significance.rejection_rate(test, int(n), alpha) == (rate if rate > other else other)


@pytest.mark.parametrize("values", [(0.0, 1.0), (-1.0, 0.0, 1.0), (-0.0, 0.0, 2.0)])
def test_units_that_differ_are_counted_one_by_one(values):
    """Right and wrong answers are counted by a product, other scores pair by pair: both give the count of a loop."""
    rows = np.random.default_rng(7).choice(values, size=(6, 50))
    testset, outputs = score_set(*rows)
    run = matrix.run(Study(testset, outputs, [("own_scores", {})], ["approximate_randomization"], **QUICK))
    assert run.differing[0].tolist() == [[int((one != other).sum()) for other in rows] for one in rows]


def test_rates_are_those_of_the_most_units_that_were_measured():
    """A measured number of units has its own rates, those between two the rates of the lower one."""
    measured = sorted({int(n) for of in json.loads(significance.TABLE.read_text())["rates"].values() for n in of})
    for n, following in zip(measured, [*measured[1:], measured[-1] + 5], strict=True):
        assert significance.measured_units(n) == n
        assert significance.measured_units(following - 1) == n
    assert significance.measured_units(measured[0] - 1) is None
