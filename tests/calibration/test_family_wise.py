"""Among equal systems, max-T and Holm find a difference in about alpha of all test sets, uncorrected p far more often."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sigcore.data import Collection
from sigcore.significance import Test
from sigcore.testset import Outputs, Testset
from sigcore.types import ALL_PAIRS, SIDES, Comparisons, Side
from tests import some
from tests.calibration.families import BOOTSTRAP, RANDOMIZATION, adjusted, equal_means, family_wise_errors
from tests.calibration.nulls import Systems, allowance, band, permuted, statistics_of
from tests.conftest import DATA, wmt
from tests.stored import stored

TWO_LEVELS = (0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
SOME = [BOOTSTRAP[0], BOOTSTRAP[2]]


def sample() -> tuple[Testset, list[Outputs]]:
    """The sample harbour: text of the project."""
    collection = Collection()
    collection.add_sample("harbour")
    loaded = collection.sound()
    assert loaded.testset is not None
    return loaded.testset, list(loaded.outputs)


def text(metric: str, systems: int, real: bool = False) -> Systems:
    """Systems under a metric in the order of their scores, half of them the worst and half the best; on real text where
    that is asked for and there, else on the sample."""
    made = statistics_of(metric, *(wmt(DATA / "mt/wmt22.cs-en", "B", "en") if real and DATA.is_dir() else sample()))
    made.sort(key=lambda item: item.corpus_score)
    return made[: systems // 2] + made[len(made) - (systems - systems // 2) :]


def holds(rates: dict[tuple[str, str, Side, float], float], n: int, replications: int, least: float = 1.0) -> None:
    """max-T and Holm find a difference among equals in at most alpha of all test sets: not above the exact binomial
    99.9% band, a bootstrap by no more than its allowance; max-T not below `least` times its lower end. Without a
    correction it is more than either."""
    for key, rate in rates.items():
        correction, test, _, alpha = key
        low, high = band(replications, alpha)
        if correction == "none":
            assert rate > high + 1 / n, (key, rate)
        else:
            assert rate <= high + allowance(test, n, alpha), (key, rate)
        assert correction != "joint" or rate >= least * low, (key, rate)


def full_null(systems: Systems, tests: Sequence[Test], n: int, replications: int) -> None:
    """Five equal systems."""
    rates = family_wise_errors(
        permuted(systems, n), (0.0,) * len(systems), tests, replications=replications, resamples=999, seed=n
    )
    holds(rates, n, replications)


def partial_null(systems: Systems, tests: Sequence[Test], n: int, replications: int) -> None:
    """Three systems that are better than three others: only equals count. One-sided, max-T may be careful, since most
    tests of the grid have gains far below zero."""
    null = permuted(systems, n, [(0, 1, 2), (3, 4, 5)])
    rates = family_wise_errors(null, TWO_LEVELS, tests, replications=replications, resamples=999, seed=n + 1)
    holds(rates, n, replications, least=0.5)


def test_equal_systems_quick() -> None:
    """BLEU on the sample, 100 segments, 150 test sets."""
    full_null(text("bleu", 5), [*SOME, RANDOMIZATION], 100, 150)


def test_equal_systems_below_better_ones_quick() -> None:
    """Means of skewed scores, 100 segments, 200 test sets."""
    partial_null(equal_means(TWO_LEVELS), SOME, 100, 200)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "n"), [("own_scores", 50), ("own_scores", 200), ("bleu", 50), ("bleu", 200), ("chrf", 100)]
)
def test_equal_systems(metric: str, n: int) -> None:
    """The same on 1000 test sets, under every bootstrap test."""
    systems = equal_means((0.0,) * 5) if metric == "own_scores" else text(metric, 5, real=True)
    full_null(systems, [*BOOTSTRAP, RANDOMIZATION], n, 1000)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["own_scores", "chrf"])
def test_equal_systems_below_better_ones(metric: str) -> None:
    """The same on 1000 test sets of 100 segments."""
    systems = equal_means(TWO_LEVELS) if metric == "own_scores" else text(metric, 6, real=True)
    partial_null(systems, SOME, 100, 1000)


@pytest.mark.parametrize(("systems", "n", "replications"), some.first([(5, 30, 150), (10, 12, 60)]))
def test_bootstraps_of_few_units_keep_the_family_wise_error_quick(systems: int, n: int, replications: int) -> None:
    """Under bootstrap tests, too, max-T finds a difference among equals in at most alpha of all test sets."""
    of_bootstraps(systems, n, replications)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("systems", "n"), [(5, 30), (5, 100), (5, 300), (10, 30), (10, 100), (10, 300), (30, 30), (30, 100), (30, 300)]
)
def test_bootstraps_of_few_units_keep_the_family_wise_error(systems: int, n: int) -> None:
    """5, 10 and 30 systems, with 30, 100 and 300 units."""
    replications = 300 if systems == 30 else 1000
    row = next(row for row in stored("families.bootstrap") if row[0] == n)
    printed = float(row[1 + (5, 10, 30).index(systems)].partition("%")[0]) / 100
    assert of_bootstraps(systems, n, replications) == pytest.approx(printed, abs=0.06 if systems == 30 else 0.03)


def of_bootstraps(systems: int, n: int, replications: int) -> float:
    """Equal systems: max-T, the default, at .05 and .01 on every side; the rate of a shifted bootstrap, two-sided, at .05."""
    equal = (0.0,) * systems
    null = permuted(equal_means(equal), n)
    rates = family_wise_errors(null, equal, BOOTSTRAP, replications=replications, resamples=999, seed=n)
    for (correction, test, side, alpha), rate in rates.items():
        if correction == "joint":
            assert rate <= band(replications, alpha)[1], (test, side, alpha, rate)
    return rates["joint", BOOTSTRAP[0].name, "two-sided", 0.05]


def grades(null: str, systems: int) -> tuple[tuple[float, ...], list[list[int]] | None]:
    """The levels of so many systems, and the groups of those that are equal: all; two halves; a ladder of pairs of equals;
    or one that is better than all others."""
    places = list(range(systems))
    groups = {
        "all equal": [places],
        "two groups": [places[: systems // 2], places[systems // 2 :]],
        "a ladder": [places[k : k + 2] for k in range(0, systems, 2)],
        "one better": [places[:1], places[1:]],
    }[null]
    levels = {place: 0.7 * k for k, group in enumerate(groups) for place in group}
    return tuple(levels[place] for place in places), groups


NULLS = ("all equal", "two groups", "a ladder", "one better")


def of_shuffles(null: str, systems: int, n: int, replications: int, family: Comparisons = ALL_PAIRS) -> None:
    """Randomization: the joint null of the family's shuffles finds a difference among equals in at most alpha of all test
    sets, whichever others differ; under the full null of all pairs, not much less often either."""
    levels, groups = grades(null, systems)
    made = permuted(equal_means(levels), n, groups)
    rates = family_wise_errors(
        made, levels, [RANDOMIZATION], replications=replications, resamples=999, seed=n + systems, family=family
    )
    for (correction, _, side, alpha), rate in rates.items():
        low, high = band(replications, alpha)
        if correction != "none":
            assert rate <= high, (null, systems, correction, side, alpha, rate)
        if correction == "joint" and null == "all equal":
            assert rate >= low, (null, systems, side, alpha, rate)


@pytest.mark.parametrize("null", some.first(NULLS, 2))
def test_shuffles_together_quick(null: str) -> None:
    """Five systems, 30 segments, 150 test sets."""
    of_shuffles(null, 5, 30, 150)


@pytest.mark.parametrize("null", some.first(["two groups", "all equal"]))
def test_shuffles_against_one_baseline_quick(null: str) -> None:
    """Four systems against one, 30 segments, 200 test sets."""
    of_shuffles(null, 5, 30, 200, Comparisons("one baseline", "1"))


@pytest.mark.slow
@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize(
    ("systems", "n"), [(3, 12), (3, 100), (5, 12), (5, 100), (10, 20), (10, 100), (30, 30), (30, 100)]
)
def test_shuffles_together(null: str, systems: int, n: int) -> None:
    """3, 5, 10 and 30 systems, with few and with more segments."""
    of_shuffles(null, systems, n, 400 if systems == 30 else 1000)


@pytest.mark.slow
@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize(("systems", "n"), [(3, 20), (10, 20), (10, 100), (30, 50)])
def test_shuffles_against_one_baseline(null: str, systems: int, n: int) -> None:
    """All others against the second system."""
    of_shuffles(null, systems, n, 1000, Comparisons("one baseline", "1"))


@pytest.mark.slow
@pytest.mark.parametrize("null", ["all equal", "two groups"])
@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_shuffles_of_text_together(metric: str, null: str) -> None:
    """Corpus metrics on real text where it is there: six systems, 100 segments."""
    levels, groups = grades(null, 6)
    made = permuted(text(metric, 6, real=True), 100, groups)
    rates = family_wise_errors(made, levels, [RANDOMIZATION], replications=1000, resamples=999, seed=1)
    for (correction, _, side, alpha), rate in rates.items():
        assert correction == "none" or rate <= band(1000, alpha)[1], (metric, null, correction, side, alpha, rate)


def between(systems: Systems, resamples: int) -> None:
    """Adjusted by max-T, no p is below the p of its pair; for tests of shifted gains none is above Holm's, up to Monte
    Carlo error. The paired bootstrap does not shift gains, and max-T does: where the gains are skewed, it may be above."""
    grids = adjusted(systems, [*BOOTSTRAP, RANDOMIZATION], resamples, seed=1)
    for test in (*BOOTSTRAP, RANDOMIZATION):
        for side in SIDES:
            raw, holm, joint = (grids[name, test.name, side] for name in ("none", "holm", "joint"))
            assert (joint[0] >= raw[0]).all()
            assert test.name == "paired_bootstrap" or (joint[1] <= holm[2]).all(), (test.name, side)


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_adjusted_p_lie_between_p_and_holms_quick(metric: str) -> None:
    """All 28 pairs of the sample, 10,000 resamples."""
    between(text(metric, 8), 9_999)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["bleu", "chrf"])
def test_adjusted_p_lie_between_p_and_holms(metric: str) -> None:
    """All pairs of ten systems of real text where it is there, 100,000 resamples."""
    between(text(metric, 10, real=True), 99_999)
