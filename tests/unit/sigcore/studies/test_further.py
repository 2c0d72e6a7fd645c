"""Pairs that go on: their counts are those of a full run, and each has as many resamples as its verdict needs."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from sigboard.render.json import matrix_json
from sigcore.executors import Serial, Threads
from sigcore.results import MatrixResult, matrix_rows, matrix_summary, of_cell, out_of_reach
from sigcore.studies import compare, enough, matrix
from sigcore.study import Runtime, Settings, Study
from sigcore.types import MOST_DRAWN
from tests.made import score_set
from tests.unit import factories

OWN = (("own_scores", {}),)
TESTS = ("approximate_randomization", "bootstrap_shift", "paired_bootstrap", "two_delta_bootstrap")
HERE = Runtime(executor=Serial())


def study(tests: tuple[str, ...] = TESTS[:1], correction: str = "holm", **changes: object) -> Study:
    """Five systems on 60 units: some pairs clearly differ, some are near .05."""
    rng = np.random.default_rng(5)
    base = rng.normal(size=60)
    outputs = [base + gain + rng.normal(0, 1, 60) for gain in (0.0, 0.33, 0.4, 0.9, 1.9)]
    given = {"tests": tests, "settings": Settings(correction=correction), "resamples": "auto", **changes}
    return Study(*score_set(*outputs), metrics=OWN, **given)


def drawn(asked: Study, resamples: int) -> matrix.MatrixRun:
    """All pairs with that many resamples."""
    return matrix.run(replace(asked, resamples=resamples), HERE)


@pytest.mark.parametrize("begun", [100, 512, 700, 1024])
def test_counts_are_those_of_the_full_run(begun: int) -> None:
    """Wherever in a block they stopped, pairs that go on have the counts of all pairs at their R, under every test."""
    asked = study(TESTS)
    first, whole = drawn(asked, begun), drawn(asked, 2_000)
    at = [1, 4, 8]
    gone_on = matrix.go_on(first, matrix.Step(first.pairs[at], begun, 2_000), 0.05, HERE)
    assert gone_on.drawn.tolist() == [2_000 if k in at else begun for k in range(10)]
    for test in TESTS:
        found, full, before = (run.draws[0].tallies[test] for run in (gone_on, whole, first))
        np.testing.assert_array_equal(found.counts[:, :, at], full.counts[:, :, at])
        np.testing.assert_array_equal(found.undefined[at], full.undefined[at])
        np.testing.assert_allclose(found.means[at], full.means[at], rtol=1e-12)
        others = np.setdiff1d(np.arange(10), at)
        np.testing.assert_array_equal(found.counts[:, :, others], before.counts[:, :, others])
        assert found.resamples == 2_000
    boot = TESTS[2]
    np.testing.assert_allclose(gone_on.gain_intervals[0][boot][at], whole.gain_intervals[0][boot][at], rtol=1e-12)
    assert first.drawn.tolist() == [begun] * 10, "the run before is left as it was"


def test_twice_is_once() -> None:
    """A pair that goes on twice has the counts of one that went on once."""
    asked = study()
    first = drawn(asked, 100)
    pairs = first.pairs[[2, 3]]
    once = matrix.go_on(first, matrix.Step(pairs, 100, 1_500), 0.05, HERE)
    half = matrix.go_on(first, matrix.Step(pairs, 100, 900), 0.05, HERE)
    twice = matrix.go_on(half, matrix.Step(pairs, 900, 1_500), 0.05, HERE)
    for one, other in zip(once.draws, twice.draws, strict=True):
        np.testing.assert_array_equal(one.tallies[TESTS[0]].counts, other.tallies[TESTS[0]].counts)
    assert twice.first is first


@pytest.mark.parametrize("workers", [1, 3])
def test_workers_change_nothing(workers: int) -> None:
    """Any number of threads gives the same grid."""
    one = matrix.results(study(), HERE)[0]
    other = matrix.results(study(), Runtime(executor=Threads(workers)))[0]
    np.testing.assert_array_equal(one.adjusted, other.adjusted)
    np.testing.assert_array_equal(one.resamples, other.resamples)
    assert one.setup == other.setup


def beside(correction: str = "holm") -> float:
    """An alpha that 10,000 resamples do not tell from one of the adjusted p."""
    first = matrix.read(drawn(study(), enough.START), "own_scores", TESTS[0], Settings(correction=correction))
    return float(min(first.adjusted[first.adjusted < 1], key=lambda p: abs(p - 0.05))) + 0.002


def settled(correction: str = "holm", **changes: object) -> MatrixResult:
    """The grid of the study at that alpha, with automatic numbers of resamples."""
    asked = study(correction=correction, **{"alpha": beside(), **changes})
    return matrix.results(asked, HERE)[0]


@pytest.mark.parametrize("correction", ["holm", "none", "benjamini_hochberg", "hommel"])
def test_each_pair_has_what_its_verdict_needs(correction: str) -> None:
    """Some pairs go on, others do not; each p is that of the full run at its R; and no verdict is open."""
    alpha = beside(correction)
    result = settled(correction, alpha=alpha)
    numbers = np.unique(result.resamples[~np.eye(5, dtype=bool)]).tolist()
    assert len(numbers) > 1
    assert numbers[0] == enough.START
    assert not (result.undecided(alpha) & ~result.borderline(alpha)).any()
    for number in [one for one in numbers if one <= 200_000]:
        full = matrix.read(
            drawn(study(correction=correction), number), "own_scores", TESTS[0], Settings(correction=correction)
        )
        here = result.resamples == number
        np.testing.assert_array_equal(result.p_values[here], full.p_values[here])
        np.testing.assert_array_equal(result.p_low[here], full.p_low[here])
        np.testing.assert_array_equal(result.p_high[here], full.p_high[here])


@pytest.mark.parametrize("alpha", [None, 0.05, 0.01])
def test_verdicts_are_those_of_a_full_run(alpha: float | None) -> None:
    """Pairs that stopped early have the verdict that a full run gives them."""
    alpha = alpha or beside()
    result = settled(alpha=alpha)
    full = matrix.read(drawn(study(), 200_000), "own_scores", TESTS[0], Settings(correction="holm"))
    clear = ~full.undecided(alpha)
    np.testing.assert_array_equal((result.adjusted <= alpha)[clear], (full.adjusted <= alpha)[clear])


def test_a_fixed_number_is_the_same_for_all() -> None:
    """A requested number, and max-T, draw as many for each pair, and say one number."""
    for result in (matrix.results(study(resamples=700), HERE)[0], settled("joint")):
        assert np.unique(result.resamples[~np.eye(5, dtype=bool)]).tolist() == [result.setup.resamples]
        assert result.setup.fewest == 0
        assert f"|resamples:{result.setup.resamples}|" in result.setup.signature


def test_what_is_said_of_the_numbers() -> None:
    """The signature, the JSON and the rows have the numbers of each pair."""
    result = settled()
    most, fewest = result.setup.resamples, result.setup.fewest
    assert fewest == enough.START < most == result.resamples.max()
    assert f"|resamples:{fewest}-{most}|alpha:{beside():g}|" in result.setup.signature
    document = matrix_json([result])
    assert document["resamples"] == most
    assert document["results"][0]["resamples"] == result.resamples.tolist()
    json.dumps(document, allow_nan=False)
    for row in matrix_rows(result, 0.05):
        assert row["resamples"] == result.resamples_of(row["system"], row["baseline"])


def test_a_pair_of_the_grid_has_its_p() -> None:
    """Compare with the R of the pair in the grid gives the p of the grid."""
    asked, result = study(), settled()
    for i, j in ((0, 1), (0, 4), (1, 3)):
        pair = asked.of_pair(asked.outputs[i], asked.outputs[j])
        number = result.resamples_of(result.systems[i], result.systems[j])
        (found,) = compare.results(replace(pair, resamples=number), HERE, ["two-sided"])
        assert found.results[0].p_value == result.p_values[i, j]


def test_unreached_gains_get_what_settles_them() -> None:
    """No resample reaches four gains: each gets R for which the interval of its adjusted p is below alpha, not more."""
    rng = np.random.default_rng(2)
    base = rng.normal(size=80)
    sets = score_set(*[base + 4 * k + rng.normal(0, 0.1, 80) for k in range(4)])
    asked = Study(*sets, OWN, TESTS[:1], settings=Settings(correction="holm"), alpha=0.001, resamples="auto")
    result = matrix.results(asked, HERE)[0]
    numbers = np.unique(result.resamples[~np.eye(4, dtype=bool)]).tolist()
    assert numbers == [34_000]  # 6 (1 + 1.7 (3.689 - 1)) / .001, above
    assert (result.levels(0.001) != 0).sum() == 12


def test_finer_colours_ask_for_nothing() -> None:
    """Where .05 is settled, R stays what it was, though p <= .001 is out of reach of Holm over six tests and more."""
    rng = np.random.default_rng(2)
    base = rng.normal(size=80)
    sets = score_set(*[base + 4 * k + rng.normal(0, 0.1, 80) for k in range(6)])
    asked = Study(*sets, OWN, TESTS[:1], settings=Settings(correction="holm"), resamples="auto")
    result = matrix.results(asked, HERE)[0]
    assert result.setup.resamples == enough.START
    assert result.setup.least_p > 0.001
    assert not result.undecided(0.05).any()


def test_a_bound_on_work_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a resample costs much, pairs stop early, and the verdict says that it is open."""
    monkeypatch.setattr(enough, "PRODUCTS", 30_000 * 60 * 2)
    result = settled()
    assert result.setup.resamples < 50_000
    assert result.undecided(beside()).any()


def test_borderline_after_a_million() -> None:
    """A verdict that a million resamples leave open is called borderline, with the interval of its p; below, more could
    change it."""
    p = np.array([[1, 0.0501], [0.0501, 1]])
    tables = {"p": p, "p_low": p - 0.0004, "p_high": p + 0.0004}
    few, many = (factories.matrix((40.0, 42.0), resamples=number, **tables) for number in (500_000, MOST_DRAWN))
    assert "1 verdict could change with more resamples" in matrix_summary(few)
    assert "1 verdict is borderline (sys1 against sys0, p in [0.049, 0.051])" in matrix_summary(many)
    assert "more resamples" not in matrix_summary(many)


def test_going_on_leaves_files_as_they_were() -> None:
    """What is saved of a run whose pairs went on is the run of all pairs that it began with."""
    asked = study()
    first = drawn(asked, 100)
    gone_on = matrix.go_on(first, matrix.Step(first.pairs[:2], 100, 900), 0.05, HERE)
    (again,) = matrix.load(matrix.save([gone_on]), asked).values()
    assert again.resamples == 100
    np.testing.assert_array_equal(again.draws[0].tallies[TESTS[0]].counts, first.draws[0].tallies[TESTS[0]].counts)


def test_pairs_go_on_to_what_can_show_a_difference() -> None:
    """Over very many tests, four times as many resamples could not reject anything: pairs get as many as can."""
    run = drawn(study(), 100)
    (result,) = [matrix.read(run, "own_scores", TESTS[0], Settings(correction="holm"))]
    near = replace(result, setup=replace(result.setup, least_p=0.9), adjusted_low=np.full((5, 5), 0.01))
    step = matrix.next_step(run, [near], 0.05)
    assert step is not None
    assert step.begun == 100
    assert step.resamples == 1_817  # .9 * 101 / .05


def test_a_settled_pair_has_the_verdict_of_the_grid() -> None:
    """Of a pair with few resamples Compare says not significant, as the grid does, though so few could not show a difference."""
    p = np.array([[1, 0.9, 0.00001], [0.9, 1, 0.5], [0.00001, 0.5, 1]])
    drawn = np.array([[0, 10_000, 500_000], [10_000, 0, 10_000], [500_000, 10_000, 0]])
    grid = factories.matrix(p=p, drawn=drawn, resamples=500_000, fewest=10_000, least_p=28 / 500_001)
    family = of_cell(grid, "sys1", "sys0")
    one = factories.one_test(system="sys1", baseline="sys0", resamples=10_000)
    assert not family.decides(one).setup.no_verdict(0.001)
    assert grid.least_p[0, 1] == pytest.approx(28 / 10_001)
    assert out_of_reach(grid) == "Of pairs with 10,000 resamples p cannot fall below 0.0028"


def test_unreached_pairs_go_first_and_alone() -> None:
    """A gain that no resample reaches needs a number that is known; a pair near alpha gets four times as many after it."""
    run = drawn(study(), enough.START)
    result = matrix.read(run, "own_scores", TESTS[0], Settings(correction="holm"))
    p, low, high = (np.full((5, 5), value) for value in (0.5, 0.49, 0.51))
    for (i, j), ends in {(0, 1): (0.045, 0.041, 0.049), (0, 2): (0.0465, 0.0, 0.17)}.items():
        for table, value in zip((p, low, high), ends, strict=True):
            table[i, j] = table[j, i] = value
    tables = {"adjusted": p, "adjusted_low": low, "adjusted_high": high}
    step = matrix.next_step(run, [replace(result, **tables)], 0.05)
    assert step is not None
    assert (step.pairs.tolist(), step.begun, step.resamples) == ([[0, 2]], 10_000, 52_000)
    settled_one = np.where(low == 0, 0.06, low)
    step = matrix.next_step(run, [replace(result, **tables | {"adjusted_low": settled_one})], 0.05)
    assert step is not None
    assert (step.pairs.tolist(), step.begun, step.resamples) == ([[0, 1]], 10_000, 50_000)
