"""Exact p and intervals at their bounds: what is counted, convolved or enumerated, and where neither p nor an end exists."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sigcore.errors import OptionError
from sigcore.significance import LEAST_UNITS, Draws, Resampling, Tally, get
from sigcore.studies import exact, intervals, matrix, statistics
from sigcore.studies.intervals import Possible, equivalence
from sigcore.study import Study
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.types import SIDES
from tests.made import score_set

AR = "approximate_randomization"
RNG = np.random.default_rng(3)
LONG = RNG.normal(size=21)  # numbers with so many digits that they are no whole ones


def systems_of(*columns: Any, better: str = "higher") -> tuple[SufficientStatistics, ...]:
    """Systems with these own scores of each unit."""
    testset, outputs = score_set(*[np.asarray(column, dtype=float) for column in columns])
    (measured,) = statistics.measure(testset, outputs, [("own_scores", {"better": better})])
    return measured.systems


def question_of(*columns: Any, tests: tuple[str, ...] = (AR,), resamples: int = 99) -> Resampling:
    systems = systems_of(*columns)
    pairs = np.column_stack(np.triu_indices(len(systems), k=1))
    return Resampling((systems,), tuple(get(name) for name in tests), pairs, resamples, 1)


# ---- whole numbers


@pytest.mark.parametrize(
    ("values", "whole"),
    [
        ([2.0, 4.0, -6.0], [1, 2, -3]), ([0.5, 1.0, 0.0], [1, 2, 0]), ([0.25, 0.5], [1, 2]), ([0.2, 0.4, 1.0], [1, 2, 5]), ([0.1, 0.4], [1, 4]), ([0.01, 0.02], [1, 2]),
        ([0.001, 0.003], [1, 3]), ([0.0001, 1.0], [1, 10_000]), ([0.00001, 1.0], None), ([1 / 3, 1.0], None), ([0.0, 0.0], None), ([0.9999999, 2.0], [1, 2]),
        ([0.9999, 2.0], [9999, 20_000]), ([0.99999, 2.0], None), ([7.0], [1]),
    ],
)  # fmt: skip
def test_numbers_become_whole_ones_without_a_common_factor(values: list[float], whole: list[int] | None) -> None:
    """Up to four decimals; nearly whole ones count as such."""
    found = exact._whole_column(np.array(values))
    assert (None if found is None else found.tolist()) == whole


def test_columns_that_move_together_share_an_axis() -> None:
    """Each column has the size of one step on its axis; units that do not differ are left out, and so are such columns."""
    differences = np.array([[1.0, 0.0, 0.5, 3.0], [0.0, 0.0, 0.0, 0.0], [2.0, 0.0, 1.0, -6.0], [-1.0, 0.0, -0.5, 9.0]])
    found = exact._whole(differences)
    assert found is not None
    assert found.columns.tolist() == [0, 2, 3]
    assert found.axis[0] == found.axis[1] != found.axis[2]
    assert found.step.tolist() == [1.0, 0.5, 3.0]
    assert (found.rows[:, found.axis] * found.step).tolist() == differences[[0, 2, 3]][:, [0, 2, 3]].tolist()
    assert not found.single
    one = exact._whole(differences[:, :3])
    assert one is not None
    assert one.single
    assert exact._whole(np.zeros((3, 2))) is None
    assert exact._whole(np.array([[1.0, 1 / 3], [2.0, 1 / 7]])) is None


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257])
def test_sums_after_heads_are_a_convolution(size: int) -> None:
    """Whether zeros between them are multiplied or left out."""
    chances, heads = np.array([0.1, 0.6, 0.3]), np.array([0.25, 0.5, 0.25])
    spaced = np.zeros(2 * size + 1)
    spaced[[0, size, 2 * size]] = heads
    assert exact._spaced(chances, heads, size) == pytest.approx(np.convolve(chances, spaced))


@pytest.mark.parametrize("numbers", [(1, 1, 2), (-3, 2, 2, 5), (300, -7, 300), (-1,), (4, -4, 4, -4, 1)])
def test_a_sum_of_moved_numbers_by_all_subsets(numbers: tuple[int, ...]) -> None:
    """From the least sum on, each subset once."""
    chances, least = exact._convolved(np.array(numbers, dtype=float))
    wanted = np.zeros(sum(map(abs, numbers)) + 1)
    low = sum(min(number, 0) for number in numbers)
    for kept in itertools.product((0, 1), repeat=len(numbers)):
        wanted[sum(k * number for k, number in zip(kept, numbers, strict=True)) - low] += 0.5 ** len(numbers)
    assert least.tolist() == [low]
    assert chances == pytest.approx(wanted)


@pytest.mark.parametrize("n", [0, 1, 2, 9, 1_000])
def test_a_binomial_is_that_of_scipy(n: int) -> None:
    assert exact._binomial(n) == pytest.approx(stats.binom.pmf(np.arange(n + 1), n, 0.5), rel=1e-9)


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_answers_have_the_p_of_a_sign_test(better: str) -> None:
    """All pairs of up to six units that differ, on every side."""
    pairs = [(first, second) for first in range(7) for second in range(7 - first)]
    first, second = np.array(pairs, dtype=float).T
    found = exact._of_answers(first, second, better)  # type: ignore[arg-type]
    for k, (a, b) in enumerate(pairs):
        ahead = a if better == "higher" else b
        for side, word in (("two-sided", "two-sided"), ("greater", "greater"), ("less", "less")):
            wanted = 1.0 if a + b == 0 else stats.binomtest(ahead, a + b, alternative=word).pvalue
            assert found[SIDES.index(side), k] == pytest.approx(wanted)  # type: ignore[arg-type]


# ---- what is cheap enough


@pytest.mark.parametrize(("differ", "ways"), [(0, (0, 0)), (1, (1, 0)), (19, (19, 0)), (20, (20, 0)), (21, None)])
def test_long_numbers_are_enumerated_up_to_twenty_units(differ: int, ways: tuple[int, int] | None) -> None:
    one = LONG.copy()
    one[differ:] = 0.0
    assert exact._ways(*systems_of(one, np.zeros(21))) == ways


def test_one_sum_is_convolved_in_as_many_steps_as_its_cells_times_its_parts() -> None:
    """1 + the largest sum times the number of units that differ."""
    one = np.array([1.0, 2.0, 2.0, -3.0, 0.0])
    assert exact._ways(*systems_of(one, np.zeros(5))) == (4, 1 + (1 + 2 + 2 + 3) * 4)


@pytest.mark.parametrize(
    ("differ", "pairs", "is_cheap"), [(20, 3, True), (20, 4, False), (19, 6, True), (19, 7, False)]
)
def test_all_ways_of_a_run_have_a_bound(differ: int, pairs: int, is_cheap: bool) -> None:
    """Three million: 2^20 for each pair of twenty units."""
    one = LONG.copy()
    one[differ:] = 0.0
    assert exact._cheap(systems_of(one, np.zeros(21)), np.array([[0, 1]] * pairs)) is is_cheap


@pytest.mark.parametrize(("most", "is_cheap"), [(65, False), (66, True), (67, True)])
def test_all_steps_of_a_run_have_a_bound(most: int, is_cheap: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pairs of 33 steps each; one that is too large alone decides."""
    one = np.array([1.0, 2.0, 2.0, -3.0, 0.0])
    systems = systems_of(one, np.zeros(5), LONG[:5])
    monkeypatch.setattr(exact, "MOST_STEPS", most)
    assert exact._cheap(systems, np.array([[0, 1], [0, 1]])) is is_cheap
    monkeypatch.setattr(exact, "MOST_UNITS", 4)
    assert not exact._cheap(systems, np.array([[0, 2]]))


def test_a_table_grows_with_its_rows() -> None:
    """Each unit adds to the cells on every axis; each cell at the end is scored."""
    rows = np.array([[3.0, -1.0], [1.0, 0.0], [0.0, 2.0]])
    cells = [2 * 1, 2 * 3, 5 * 4]  # the smallest rows first
    assert exact._steps(rows) == sum(cells) + 20 * cells[-1]


@pytest.mark.parametrize(("most", "is_there"), [(19, False), (20, True)])
def test_a_table_has_a_bound_of_cells(most: int, is_there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST_CELLS", most)
    assert (exact._steps(np.array([[3.0, -1.0], [1.0, 0.0], [0.0, 2.0]])) is not None) is is_there


@pytest.mark.parametrize("block", [1, 3, 8, 100])
def test_every_way_is_enumerated_once(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In blocks of any size; gains are those after swapping."""
    monkeypatch.setattr(exact, "BLOCK", block)
    one, other = np.array([1.0, 2.5, 4.0, 0.5]), np.array([0.0, 2.5, 1.0, 7.0])
    pair = systems_of(one, other)
    parts = list(exact._enumerated(*pair, pair[0].values - pair[1].values))
    gains, chances = (np.concatenate(part) for part in zip(*parts, strict=True))
    signs = np.array(list(itertools.product((1, -1), repeat=3)))
    assert sorted(gains) == pytest.approx(sorted(signs @ (one - other)[[0, 2, 3]] / 4))
    assert chances.tolist() == [0.125] * 8
    assert gains[0] == pytest.approx((one - other).mean())


def test_ways_that_tie_with_the_gain_count_on_every_side() -> None:
    """Within the slack; a way without a score leaves no p."""
    gains, chances = np.array([-2.0, -1.0, 0.0, 1.0 - 1e-10, 1.0, 1.0 + 1e-10, 2.0]), np.full(7, 1 / 7)
    found = dict(
        zip(SIDES, exact._shares(iter([(gains[:3], chances[:3]), (gains[3:], chances[3:])]), 1.0, 1e-9), strict=True)
    )
    assert found == pytest.approx({"greater": 4 / 7, "less": 6 / 7, "two-sided": 6 / 7})
    found = dict(zip(SIDES, exact._shares(iter([(gains, chances)]), -1.0, 1e-9), strict=True))
    assert found == pytest.approx({"greater": 6 / 7, "less": 2 / 7, "two-sided": 6 / 7})
    assert np.isnan(exact._shares(iter([(np.array([math.nan]), np.ones(1))]), 1.0, 0.0)).all()
    assert (exact._shares(iter([(np.array([0.0]), np.zeros(1))]), 0.0, 0.0) == np.finfo(float).tiny).all()


@pytest.mark.parametrize(
    ("columns", "tests", "is_there"),
    [
        (([1, 0, 1], [0, 0, 1]), (AR,), True), (([100, 0, 100], [0, 0, 100]), (AR,), True), (([2, 0, 2], [0, 0, 2]), (AR,), False), (([1, 0, 0.5], [0, 0, 1]), (AR,), False),
        (([1, 0, 1], [0, 0, 1]), (AR, "bootstrap_shift"), False), (([1, 0, 1], [0, 0, 1]), ("bootstrap_shift",), False),
    ],
)  # fmt: skip
def test_nothing_is_drawn_for_answers_under_swaps_alone(columns: Any, tests: tuple[str, ...], is_there: bool) -> None:
    found = exact.without_draws(question_of(*columns, tests=tests))
    assert (found is not None) is is_there
    if found is not None:
        tally = found[0].tallies[AR]
        assert (tally.resamples, tally.counts.shape) == (0, (3, 2, 1))
        assert tally.swaps is not None
        assert tally.swaps[SIDES.index("two-sided")].tolist() == [1.0]
        assert tally.gains.tolist() == pytest.approx([max(columns[0]) / 3])


@pytest.mark.parametrize(
    ("values", "whole"),
    [
        ([0, 1], 1.0),
        ([0, 100], 100.0),
        ([0, 50], 0.0),
        ([1, 1], 1.0),
        ([0, 0], 0.0),
        ([0, 0.5, 1], 0.0),
        ([-1, 1], 0.0),
    ],
)
def test_what_a_right_unit_scores(values: list[float], whole: float) -> None:
    """1 or 100, the same in every system; a system that is never right does not matter."""
    one = np.resize(values, 6)
    assert intervals.whole_of(systems_of(one)) == whole
    assert intervals.whole_of(systems_of(one, np.zeros(6))) == whole
    assert intervals.whole_of(systems_of(np.zeros(6), one)) == whole
    assert intervals.whole_of(systems_of(one, np.resize([0, 2.0], 6))) == 0.0
    assert intervals.whole_of(systems_of(np.resize([0, 100.0], 6), np.resize([0, 1.0], 6))) == 0.0


# ---- intervals


@pytest.mark.parametrize(
    ("test", "whole", "method"),
    [
        (AR, 0.0, "inversion"), (AR, 1.0, "Tango"), (AR, 100.0, "Tango"), ("bootstrap_shift", 0.0, "basic"), ("bootstrap_shift", 1.0, "basic"),
        ("two_delta_bootstrap", 0.0, "basic"), ("paired_bootstrap", 0.0, "percentile"), ("paired_bootstrap", 1.0, "percentile"),
    ],
)  # fmt: skip
def test_the_interval_of_each_test(test: str, whole: float, method: str) -> None:
    """And what it needs: bootstrap scores, shuffles, many units that differ."""
    one = get(test)
    assert intervals.method_of(one, whole) == method
    assert intervals.needs_bootstrap([one]) is (method in ("basic", "percentile"))
    assert intervals.needs_bootstrap([get(AR), one]) is (method in ("basic", "percentile"))
    assert intervals.inverting([whole, 0.0], [one]) == [method == "inversion", test == AR]
    counts = np.ones((2, 2), dtype=np.int64)
    assert len(intervals.needing_many([counts], [whole], [one])) == int(method != "Tango")
    assert len(intervals.needing_many([counts], [whole], [get(AR), get("paired_bootstrap")])) == 1
    own = replace(one, cutoffs=lambda gains, side: (gains, gains))
    assert intervals.method_of(own, whole) == "percentile"


def draws_of(scores: Any, test: str, gains: Any, means: Any = None) -> Draws:
    """Draws whose bootstrap scores are these (S, R)."""
    scores = np.asarray(scores, dtype=float)
    pairs = np.array([[0, 1]])
    none = np.zeros((3, 2, 1), dtype=np.int64)
    own = np.asarray(gains, dtype=float)
    tally = Tally(
        pairs,
        own,
        np.ones(1),
        own if means is None else np.asarray(means, dtype=float),
        none,
        none[0, 0],
        scores.shape[1],
    )
    return SimpleNamespace(
        tallies={test: tally}, scores=SimpleNamespace(first=lambda used: iter([scores[:, :2], scores[:, 2:used]]))
    )  # type: ignore[return-value]


@pytest.mark.parametrize(("resamples", "rank"), [(18, 0), (19, 1), (38, 1), (39, 2), (199, 10)])
def test_a_basic_interval_ends_where_5_percent_of_the_draws_are(resamples: int, rank: int) -> None:
    """At the rank-th largest distance from the shifted mean: p of a gain there is just .05; none of fewer than 19 draws."""
    gains = np.random.default_rng(resamples).normal(2.0, 1.0, resamples)
    test = get("two_delta_bootstrap")
    draws = draws_of([gains, np.zeros(resamples)], test.name, [1.5])
    (found,) = intervals.basic(draws, test, resamples)
    if not rank:
        assert np.isnan(found).all()
        return
    half = np.sort(np.abs(gains - 1.5))[-rank]  # this test subtracts the gain
    assert found == pytest.approx([1.5 - half, 1.5 + half])
    assert (rank + 1) / (resamples + 1) > 0.05 >= rank / (resamples + 1)


@pytest.mark.parametrize(("undefined", "is_there"), [(0, True), (1, True), (2, False)])
def test_draws_without_a_score_are_the_farthest(undefined: int, is_there: bool) -> None:
    """Of 39 draws the second farthest is the end."""
    gains = np.arange(39.0)
    gains[:undefined] = math.nan
    test = get("two_delta_bootstrap")
    (found,) = intervals.basic(draws_of([gains, np.zeros(39)], test.name, [0.0]), test, 39)
    assert np.isfinite(found).tolist() == [is_there] * 2
    if is_there:
        assert found == pytest.approx([-(37.0 + undefined), 37.0 + undefined])


def test_percentiles_leave_out_what_is_undefined() -> None:
    gains = np.append(np.arange(201.0), [math.nan] * 9)
    draws = draws_of([gains + 5, np.full(210, 5.0)], "paired_bootstrap", [1.0])
    assert intervals.percentiles(draws, np.array([[0, 1]]), 210)[0] == pytest.approx([5.0, 195.0])
    none = draws_of([np.full(9, math.nan), np.zeros(9)], "paired_bootstrap", [1.0])
    assert np.isnan(intervals.percentiles(none, np.array([[0, 1]]), 9)).all()


@pytest.mark.parametrize(
    ("p", "low", "high", "found"),
    [
        (0.05, -1.0, 1.0, (1e-9, 1.0)),
        (0.05, -1.0, 0.99, (-1.0, -1e-9)),
        (0.05, 0.0, 1.0, (1e-9, 1.0)),
        (0.05, -1.0, 0.0, (-1.0, -1e-9)),
        (0.0501, 0.0, 1.0, (0.0, 1.0)),
        (0.0501, -1.0, -0.5, (-1.0, 0.0)),
    ],
)
def test_an_interval_agrees_with_p(p: float, low: float, high: float, found: tuple[float, float]) -> None:
    """The end next to 0 moves; of two that are as near, the lower one."""
    assert tuple(intervals.agreeing(np.array([[low, high]]), np.array([p]), np.array([1e-9]))[0]) == found


@pytest.mark.parametrize(("right", "n"), [(0, 12), (1, 12), (6, 12), (11, 12), (12, 12), (3, 10)])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_wilsons_interval_is_that_of_scipy(right: int, n: int, alpha: float) -> None:
    wanted = stats.binomtest(right, n).proportion_ci(1 - alpha, "wilson")
    assert intervals.wilson(right, n, alpha) == pytest.approx((wanted.low, wanted.high), abs=1e-12)
    assert (intervals.wilson(right, n, alpha)[0] == 0.0) is (right == 0)
    assert (intervals.wilson(right, n, alpha)[1] == 1.0) is (right == n)


@pytest.mark.parametrize(("first", "second", "n"), [(8, 2, 26), (1, 9, 50), (5, 5, 12), (3, 0, 3), (0, 0, 4)])
@pytest.mark.parametrize("d", [-0.9, -0.3, 0.0, 0.2, 0.7])
def test_tangos_statistic_by_its_likelihood(first: int, second: int, n: int, d: float) -> None:
    """The chance of the second kind of units that makes the counts likeliest under this difference is found by a search; with it
    the variance is n (2 q + d - d^2)."""

    def loglik(q: float) -> float:
        parts = ((first, q + d), (second, q), (n - first - second, 1 - 2 * q - d))
        return sum(k * math.log(x) if x > 0 else (0.0 if k == 0 else -math.inf) for k, x in parts)

    low, high = max(0.0, -d), (1 - d) / 2
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (a, high) if loglik(a) < loglik(b) else (low, b)
    q = (low + high) / 2
    variance = n * (2 * q + d * (1 - d))
    far = first - second - n * d
    found = float(intervals.tango_z(np.array(float(first)), np.array(float(second)), n, np.array(d)))
    if variance > 1e-6:
        assert found == pytest.approx(far / math.sqrt(variance), rel=1e-4, abs=1e-6)
    else:
        assert found == (0.0 if far == 0 else math.copysign(math.inf, far)) or abs(found) > 1e3


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_tangos_interval_ends_at_its_normal_quantile(alpha: float) -> None:
    z = NormalDist().inv_cdf(1 - alpha / 2)
    low, high = intervals.tango(8, 2, 26, alpha)
    assert intervals.tango_z(np.array(8.0), np.array(2.0), 26, np.array([low, high])) == pytest.approx([z, -z])


def scores_of(values: Any, metric: Any = None, better: str = "higher", whole: float = 0.0) -> np.ndarray:
    testset, outputs = score_set(np.asarray(values, dtype=float))
    (measured,) = statistics.measure(testset, outputs, [("own_scores", {"better": better})])
    question = Resampling((measured.systems,), (), np.zeros((0, 2), dtype=np.intp), 9, 1)
    return np.asarray(intervals.of_scores(question, 0, measured, whole)[0])


@pytest.mark.parametrize("n", [LEAST_UNITS - 1, LEAST_UNITS, 15])
def test_a_score_has_the_interval_of_t(n: int) -> None:
    """The mean, and to both sides t with n - 1 degrees of freedom times its standard error; nan for too few units, and not below
    0 where no unit is."""
    values = np.random.default_rng(n).normal(0.0, 3.0, n)
    found = scores_of(values)
    if n < LEAST_UNITS:
        assert np.isnan(found).all()
        return
    half = stats.t.ppf(0.975, n - 1) * values.std(ddof=1) / math.sqrt(n)
    assert found == pytest.approx([values.mean() - half, values.mean() + half])
    wide = np.append(np.zeros(n - 1), 30.0)
    low, high = scores_of(wide)
    assert (low, high) == (0.0, pytest.approx(30 / n + stats.t.ppf(0.975, n - 1) * wide.std(ddof=1) / math.sqrt(n)))
    assert scores_of(wide - 1e-6)[0] < -1.0


def test_the_mean_of_scores_adds_their_distances_as_errors() -> None:
    ends = np.array([[1.0, 4.0], [0.0, 9.0]])
    low, high = intervals.averaged(np.array([2.0, 4.0]), ends, np.eye(2))
    assert (low, high) == pytest.approx((3.0 - math.hypot(1, 4) / 2, 3.0 + math.hypot(2, 5) / 2))
    # what correlates wholly adds its distances, and against each other they cancel
    assert intervals.averaged(np.array([2.0, 4.0]), ends, np.ones((2, 2))) == pytest.approx((3.0 - 5 / 2, 3.0 + 7 / 2))
    against = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert intervals.averaged(np.array([2.0, 4.0]), ends, against) == pytest.approx((3.0 - 3 / 2, 3.0 + 3 / 2))


# ---- equal enough


@pytest.mark.parametrize(
    ("margin", "is_right"),
    [(0.0, False), (-1.0, False), (math.inf, False), (math.nan, False), (1e-9, True), (5.0, True)],
)
def test_a_margin_is_above_0(margin: float, is_right: bool) -> None:
    if not is_right:
        with pytest.raises(OptionError):
            equivalence(None, margin)
        return
    none = equivalence(None, margin)
    assert (none.margin, math.isnan(none.p), math.isnan(none.p_worse)) == (margin, True, True)


@pytest.mark.parametrize(
    ("gain", "at_most", "at_least"), [(-2.5, 1, 6), (-2.0, 2, 6), (1.0, 4, 4), (0.5, 3, 4), (3.0, 6, 2), (3.5, 6, 1)]
)
def test_draws_speak_for_gains_up_to_and_from_theirs(gain: float, at_most: int, at_least: int) -> None:
    """Of -2, 0, 1, 2 and 3 those at a gain count on both sides."""
    possible = Possible(np.array([-2.0, 0.0, 1.0, 2.0, 3.0]))
    assert possible.at_most(gain) == pytest.approx(at_most / 6)
    assert possible.at_least(gain) == pytest.approx(at_least / 6)
    found = equivalence(possible, 2.0)
    assert (found.p_worse, found.p) == (pytest.approx(2 / 6), pytest.approx(max(2, 3) / 6))


@pytest.mark.parametrize("whole", [1.0, 100.0])
def test_answers_are_equal_within_a_margin_by_tangos_test(whole: float) -> None:
    possible = Possible(np.empty(0), 0, (8.0, 2.0, 26), whole)
    for gain in (-0.1, 0.0, 0.4):
        z = float(intervals.tango_z(np.array(8.0), np.array(2.0), 26, np.array(gain)))
        assert possible.at_most(gain * whole) == pytest.approx(stats.norm.sf(z))
        assert possible.at_least(gain * whole) == pytest.approx(stats.norm.cdf(z))


# ---- all kinds of scores together


@pytest.mark.parametrize("block", [2, 1 << 13])
@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("kind", ["answers", "whole", "decimals", "long", "mixed"])
def test_exact_p_is_that_of_all_ways_of_every_kind_of_scores(
    kind: str, better: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted one by one on each side, for all pairs of three systems; in blocks of any size."""
    monkeypatch.setattr(exact, "BLOCK", block)
    rng = np.random.default_rng(6)
    columns = {
        "answers": rng.integers(0, 2, (3, 7)), "whole": rng.integers(0, 6, (3, 7)), "decimals": rng.integers(0, 9, (3, 7)) / 10, "long": rng.normal(size=(3, 7)),
        "mixed": np.vstack([rng.integers(0, 6, (2, 7)), rng.normal(size=(1, 7))]),
    }[kind].astype(float)  # fmt: skip
    columns[1, :2] = columns[0, :2]
    systems = systems_of(*columns, better=better)
    pairs = np.column_stack(np.triu_indices(3, k=1))
    found = exact.exact_swaps(Resampling((systems,), (get(AR),), pairs, 99, 1), 0)
    assert found is not None
    signs = np.array(list(itertools.product((1, -1), repeat=7)))
    for k, (a, b) in enumerate(pairs.tolist()):
        gains = signs @ (columns[a] - columns[b]) * (1 if better == "higher" else -1)
        gain = gains[0]
        wanted = {
            "greater": gains >= gain - 1e-9,
            "less": gains <= gain + 1e-9,
            "two-sided": np.abs(gains) >= abs(gain) - 1e-9,
        }
        assert dict(zip(SIDES, found[:, k], strict=True)) == pytest.approx(
            {side: float(of.mean()) for side, of in wanted.items()}
        )


def test_too_many_ways_have_no_exact_p(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor have gains that do not exist."""
    assert exact.exact_swaps(question_of(LONG, np.zeros(21)), 0) is None
    small = question_of(LONG[:5], np.zeros(5))
    assert exact.exact_swaps(small, 0) is not None
    monkeypatch.setattr(Resampling, "gains", lambda *_: np.array([math.nan]))
    assert exact.exact_swaps(small, 0) is None


@pytest.mark.parametrize(
    ("kinds", "named"),
    [((("swap", False),), {"t0"}), ((("swap", True),), set()), ((("bootstrap", False), ("swap", False)), {"t1"}), ((("bootstrap", False),), set()), (((None, False),), set())],
)  # fmt: skip
@pytest.mark.parametrize("is_cheap", [True, False])
def test_exact_p_is_added_to_tests_that_only_swap(
    kinds: tuple[tuple[str | None, bool], ...], named: set[str], is_cheap: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it is cheap; nothing is computed where no test needs it."""
    asked: list[int] = []
    found = np.full((3, 1), 0.25)
    monkeypatch.setattr(exact, "exact_swaps", lambda _, metric: asked.append(metric) or (found if is_cheap else None))
    tests = [SimpleNamespace(name=f"t{k}", draws=draws, shifts=shifts) for k, (draws, shifts) in enumerate(kinds)]
    none = np.zeros((3, 2, 1), dtype=np.int64)
    tally = Tally(np.array([[0, 1]]), np.ones(1), np.ones(1), np.ones(1), none, none[0, 0], 9)
    every = [Draws({test.name: tally for test in tests}) for _ in range(2)]
    exact.add_exact(SimpleNamespace(tests=tests), every)  # type: ignore[arg-type]
    assert asked == ([0, 1] if named else [])
    for draws in every:
        assert {name for name, one in draws.tallies.items() if one.swaps is found} == (named if is_cheap else set())


@pytest.mark.parametrize("whole", [1.0, 100.0])
@pytest.mark.parametrize("better", ["higher", "lower"])
def test_units_on_which_one_system_alone_is_right(whole: float, better: str) -> None:
    """Counted for each pair; the interval of a gain is Tango's in points of the score, turned where less is better."""
    right = np.array(
        [
            [1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1],
            [1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1],
            [0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1],
        ]
    )
    systems = systems_of(*(whole * right), better=better)
    pairs = np.array([[0, 1], [0, 2], [2, 1]])
    first, second = intervals.discordant(systems, pairs, whole)
    wanted = [(int((right[a] & ~right[b] & 1).sum()), int((right[b] & ~right[a] & 1).sum())) for a, b in pairs.tolist()]
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == wanted
    found = intervals.paired_shares(systems, pairs, whole)
    for k, (ahead, behind) in enumerate(wanted):
        ends = intervals.tango(*((ahead, behind) if better == "higher" else (behind, ahead)), 12)
        assert found[k] == pytest.approx(whole * ends)
    assert intervals.differences(right == 1, pairs) == pytest.approx(
        np.array([intervals.tango(*of, 12) for of in wanted])
    )


def test_units_that_are_all_half_right_have_an_interval_without_width() -> None:
    """Only where all are right, or none is, it is Wilson's."""
    reference = tuple(f"w{k}" for k in range(24))
    testset = Testset("t", "text", 24, (reference,), documents=tuple(f"d{k // 2}" for k in range(24)))
    half, none = tuple(word if k % 2 else "x" for k, word in enumerate(reference)), ("x",) * 24
    outputs = [Outputs("all", reference), Outputs("half", half), Outputs("none", none)]
    run = matrix.run(Study(testset, outputs, [("accuracy", {})], (AR,), unit="document", resamples=99))
    found = run.score_intervals[0]
    assert found[0] == pytest.approx(100 * np.array(intervals.wilson(12, 12)))
    assert found[1] == pytest.approx([50.0, 50.0])
    assert found[2] == pytest.approx(100 * np.array(intervals.wilson(0, 12)))
