"""What the tests say of few units and of a pair without a gain, and what their passes report."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore import significance
from sigcore.errors import SigError
from sigcore.executors import Serial
from sigcore.resampling.inversion import INVERTED
from sigcore.significance import engine
from tests.calibration.nulls import statistics_of
from tests.made import score_set


@pytest.mark.parametrize("n", [5, 10, 30])
def test_the_coverage_of_few_units_is_that_of_drawn_samples(n: int) -> None:
    """Of 200,000 normal samples, as many hold their true mean within z standard deviations (by n) over the root of n."""
    draws = np.random.default_rng(n).normal(size=(200_000, n))
    half = 1.959963984540054 * draws.std(axis=1) / np.sqrt(n)  # the spread of bootstrap means divides by n, not n - 1
    held = float((np.abs(draws.mean(axis=1)) <= half).mean())
    assert significance.coverage(n, 0.95) == pytest.approx(held, abs=4 * (held * (1 - held) / 200_000) ** 0.5)


def test_the_paired_bootstrap_counts_away_from_the_gain() -> None:
    """Two-sided: at or below zero where the first system is better or equal, at or above where it is worse."""
    cutoffs = significance.get("paired_bootstrap").cutoffs
    gain = np.array([-1.0, 0.0, 1.0])
    low, high = cutoffs(gain, "two-sided")
    assert low.tolist() == [-np.inf, 0, 0]
    assert high.tolist() == [0, np.inf, np.inf]
    for side, expected in (("greater", [0, np.inf]), ("less", [-np.inf, 0])):
        assert [each.tolist() for each in cutoffs(gain, side)] == [[end] * 3 for end in expected]  # type: ignore[arg-type]


def test_only_tests_with_a_proof_of_their_level_are_without_the_word_approximate() -> None:
    """Every test whose p is no count of draws shows in its proof that at most a share p of them gives p or less."""
    assert [name for name, test in significance.members().items() if test.approximate] == []


def question(tests: tuple[str, ...], resamples: int, n: int = 40) -> significance.Resampling:
    """The mean scores of three made systems."""
    testset, outputs = score_set(*np.random.default_rng(3).normal(size=(3, n)))
    rows = statistics_of("own_scores", testset, outputs)
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    return significance.Resampling((tuple(rows),), tuple(map(significance.get, tests)), pairs, resamples, 5)


@pytest.mark.parametrize("third", [0.0, 0.5])
def test_sizes_that_decide_ties_are_largest_differences(third: float) -> None:
    """Of answers, where one product finds them, and with a score between: at least a share of the largest score."""
    rows = np.random.default_rng(4).integers(0, 2, (4, 12)) * 2.0
    rows[1], rows[2, 0] = rows[0], third
    pairs = np.column_stack(np.triu_indices(4, k=1))
    asked = question(("approximate_randomization",), 100)
    asked = replace(asked, statistics=(tuple(statistics_of("own_scores", *score_set(*rows))),), pairs=pairs)
    wanted = [max(np.abs(rows[a] - rows[b]).max(), 0.005 * 2) for a, b in pairs]
    assert asked.units(0).tolist() == wanted


def test_the_mean_sign_of_a_shuffle_is_weighted_by_sizes() -> None:
    """1 where no unit is swapped, -1 where all are; a unit counts as its mean size in both outputs."""
    asked = question(("approximate_randomization",), 100, n=4)
    sizes = np.array([[1.0, 2, 3, 10], [1, 4, 1, 2], [2, 2, 2, 2]])
    rows = [
        replace(item, values=np.column_stack((item.values[:, 0], own)))
        for item, own in zip(asked.statistics[0], sizes, strict=True)
    ]
    asked = replace(asked, statistics=(tuple(rows),))
    swapped = np.array([[0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 1], [1, 0, 1, 0]], dtype=np.float32)
    signs = asked.signs(asked.columns.sums(swapped), 0, asked.pairs)
    for (first, second), found in zip(asked.pairs.tolist(), signs, strict=True):
        both = sizes[first] + sizes[second]
        expected = [sum((-1 if moved else 1) * size for moved, size in zip(row, both, strict=True)) for row in swapped]
        assert found == pytest.approx([value / both.sum() for value in expected])


def test_mean_signs_are_kept_of_the_shuffles_that_intervals_use() -> None:
    """Pseudo-gains are kept of all shuffles, and mean signs of no more than the first INVERTED."""
    resamples = INVERTED + 512
    (draws,) = significance.tally(question(("approximate_randomization",), resamples), Serial(), keep_gains=True)
    assert draws.gains is not None
    assert sum(block.shape[1] for block in draws.gains.first(resamples)) == resamples
    assert draws.signs is not None
    assert draws.signs.shape == (3, INVERTED)


@pytest.mark.parametrize(
    ("tests", "parts"),
    [
        (("bootstrap_shift",), False),
        (("bootstrap_shift",), True),
        (("approximate_randomization",), True),
        (("bootstrap_shift", "approximate_randomization"), True),
    ],
)
def test_the_bar_is_full_when_the_work_is_done(tests: tuple[str, ...], parts: bool) -> None:
    """Each step of drawing and counting moves the bar by one, to its end and no further."""
    seen: list[tuple[int, int]] = []
    shown: list[int] = []
    asked = question(tests, 40_000)
    significance.tally(
        asked,
        Serial(),
        lambda phase, done, total: seen.append((done, total)),
        partial_results=(lambda out, done: shown.append(done)) if parts else None,
    )
    (total,) = {total for _, total in seen}
    assert [done for done, _ in seen] == list(range(1, total + 1))
    if parts and tests == ("bootstrap_shift",):
        assert shown == [9_728]  # a quarter of them, in whole blocks; all of them are the result
    assert all(0 < done < 40_000 for done in shown)


@pytest.mark.parametrize(
    ("resamples", "first"), [(4 * engine.FIRST_STAGE, []), (4 * engine.FIRST_STAGE + 512, [8_192])]
)
def test_a_bootstrap_reports_before_its_end_only_above_four_first_stages(resamples: int, first: list[int]) -> None:
    """Up to there all resamples are one stage; above, the whole blocks below a quarter of them come first."""
    shown: list[int] = []
    asked = question(("bootstrap_shift",), resamples)
    significance.tally(asked, Serial(), partial_results=lambda out, done: shown.append(done))
    assert shown == first


def test_nothing_is_counted_where_the_bootstrap_is_for_intervals_alone() -> None:
    """With no bootstrap test its blocks are drawn once, and the bar has a step for each of them and of the shuffles."""
    totals: set[int] = set()
    asked = question(("approximate_randomization",), 2_048)
    significance.tally(asked, Serial(), lambda phase, done, total: totals.add(total), bootstrap_too=True)
    assert totals == {2 * (2_048 // 512)}


def test_sizes_that_were_given_are_the_shares_of_units() -> None:
    """Where no column holds the size of a unit, it is what the caller says; a unit without any value has none."""
    asked = question(("approximate_randomization",), 100, n=4)
    rows = [
        replace(item, values=np.array([[2.0, 0], [0, 1], [0, 0], [1, 1]]), columns=("a", "b"))
        for item in asked.statistics[0]
    ]
    asked = replace(asked, statistics=(tuple(rows),))
    assert asked.shares(0)[0].ravel().tolist() == [1, 1, 0, 1]
    assert replace(asked, sizes=np.array([5.0, 2, 7, 1])).shares(0)[2].ravel().tolist() == [5, 2, 0, 1]


def test_a_unit_without_which_a_score_is_undefined_leaves_a_spread() -> None:
    """Without the only unit that has a size there is no score; the spread is that of the other units, and no nan."""
    asked = question(("approximate_randomization",), 100, n=3)
    first, second, third = asked.statistics[0]
    lone = replace(first, values=np.array([[3.0, 1.0], [0.0, 0.0], [0.0, 0.0]]))
    asked = replace(asked, statistics=((lone, second, third),))
    spread = asked.swap_spread(0)
    assert np.isfinite(spread).all()
    assert (spread > 0).all()


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({}, False),
        ({"null": None}, True),  # drawn gains, and nothing that makes a null of them
        ({"draws": None, "null": None}, True),  # neither draws nor a count of its own
        ({"tally": lambda question, mapper: ()}, True),  # both
        ({"draws": None, "null": None, "tally": lambda question, mapper: ()}, False),
        ({"draws": None, "tally": lambda question, mapper: ()}, True),  # a null of gains that are not drawn
    ],
)
def test_a_test_uses_drawn_gains_or_counts_for_itself(changes: dict[str, object], wrong: bool) -> None:
    known = significance.get("bootstrap_shift")
    if wrong:
        with pytest.raises(SigError, match="must either use drawn gains or count for itself"):
            replace(known, **changes)  # type: ignore[arg-type]
    else:
        replace(known, **changes)  # type: ignore[arg-type]


def test_only_a_shift_to_the_expectation_uses_the_centre() -> None:
    """As printed, the shift is to the mean of the draws, whose error nobody has to add."""
    assert [name for name, test in significance.members().items() if test.uses_centre] == ["bootstrap_shift"]


def test_each_metric_has_the_sizes_of_its_own_units() -> None:
    """The mean sign of the second metric is weighted by its sizes, not by those of the first."""
    one = question(("approximate_randomization",), 100, n=4)
    sizes = np.array([[1.0, 1, 1, 1], [1, 1, 1, 9]])
    statistics = tuple(
        tuple(replace(item, values=np.column_stack((item.values[:, 0], own))) for item in one.statistics[0])
        for own in sizes
    )
    asked = replace(one, statistics=statistics)
    swapped = np.array([[0, 0, 0, 1]], dtype=np.float32)
    sums = asked.columns.sums(swapped)
    assert [float(asked.signs(sums, metric, asked.pairs)[0, 0]) for metric in (0, 1)] == pytest.approx([0.5, -0.5])
