"""Kruskal-Wallis, Friedman and Tukey's intervals of mean ranks, over document sets and over systems."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from sigcore.score_matrix import ScoreMatrix
from sigcore.studies.scores.ranks import THEORY, MeanRanks, Omnibus, efficiency, examine, hodges_lehmann
from tests.oracles.efficiency import by_bootstrap


def matrix(values: np.ndarray, **changes: object) -> ScoreMatrix:
    n, count = values.shape
    names = [f"d{k}" for k in range(n)], [f"s{k}" for k in range(count)]
    return ScoreMatrix("made", *map(tuple, names), values, **changes)  # type: ignore[arg-type]


def scores(n: int = 12, count: int = 5, holes: float = 0.0, digits: int = 8, seed: int = 0) -> np.ndarray:
    """Documents of different difficulty; some cells missing, some tied."""
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(0, 1, (n, 1)) + rng.normal(0, 0.7, (n, count)), digits)
    return np.where(rng.random(values.shape) < holes, np.nan, values)


def found(values: np.ndarray, **changes: object) -> tuple[dict[tuple[str, str], Omnibus], dict[str, MeanRanks]]:
    tests, ranks = examine(matrix(values, **changes))
    return {(t.test, t.factor): t for t in tests}, {r.factor: r for r in ranks}


@pytest.mark.parametrize("holes", [0.0, 0.2])
@pytest.mark.parametrize("digits", [8, 0])
def test_kruskal_wallis_is_that_of_scipy(holes: float, digits: int) -> None:
    """Over document sets and over systems, with ties and gaps, it equals scipy's on lists."""
    values = scores(holes=holes, digits=digits)
    tests, _ = found(values)
    for factor, groups in (("documents", values), ("systems", values.T)):
        said = stats.kruskal(*[row[~np.isnan(row)] for row in groups])
        assert tests["kruskal", factor].statistic == pytest.approx(said.statistic)
        assert tests["kruskal", factor].p_value == pytest.approx(said.pvalue)


def test_sets_are_the_groups_where_the_matrix_has_them() -> None:
    """Documents of one set are one group; Friedman's test over documents then has no blocks."""
    values = scores()
    sets = tuple("xyz"[k % 3] for k in range(12))
    tests, ranks = found(values, sets=sets)
    said = stats.kruskal(*[values[[s == name for s in sets]].ravel() for name in "xyz"])
    assert tests["kruskal", "documents"].p_value == pytest.approx(said.pvalue)
    assert ranks["documents"].names == ("x", "y", "z")
    assert ("friedman", "documents") not in tests


@pytest.mark.parametrize("digits", [8, 0])
def test_friedman_is_that_of_scipy(digits: int) -> None:
    """Over systems with documents as blocks, and the other way round."""
    values = scores(digits=digits)
    tests, _ = found(values)
    assert tests["friedman", "systems"].p_value == pytest.approx(stats.friedmanchisquare(*values.T).pvalue)
    assert tests["friedman", "documents"].p_value == pytest.approx(stats.friedmanchisquare(*values).pvalue)


def test_friedman_takes_the_largest_complete_part() -> None:
    """Where people have half of the documents each, it takes the systems that have all, and says so."""
    values = scores(count=6)
    values[::2, 5] = np.nan
    values[1::2, 4] = np.nan
    tests, ranks = found(values)
    said = tests["friedman", "systems"]
    assert said.p_value == pytest.approx(stats.friedmanchisquare(*values[:, :4].T).pvalue)
    assert said.used == "only the 4 of 6 systems that have every document"
    assert ranks["systems within documents"].names == ("s0", "s1", "s2", "s3")
    values = scores(count=6)
    values[0, 5] = np.nan
    assert found(values)[0]["friedman", "systems"].used == "only the 11 of 12 documents that every system has"


def test_one_shared_document_is_no_complete_part() -> None:
    """One document of six systems is as large as two of three, and Friedman's test needs two blocks."""
    values = scores(n=2, count=6)
    values[1, 3:] = np.nan
    said = found(values)[0]["friedman", "systems"]
    assert said.used == "only the 3 of 6 systems that have every document"
    assert said.p_value == pytest.approx(stats.friedmanchisquare(*values[:, :3].T).pvalue)


def test_what_is_not_defined_says_why() -> None:
    """One document, equal scores, two systems, ties everywhere: no number, but a reason."""
    one, _ = found(scores(n=1))
    assert np.isnan(one["kruskal", "documents"].p_value)
    assert "two groups" in one["kruskal", "documents"].why
    assert "only one score" in one["kruskal", "systems"].why
    assert "two blocks" in one["friedman", "systems"].why
    flat, _ = found(np.ones((6, 3)))
    assert "All scores are the same" in flat["kruskal", "systems"].why
    assert "tie in every block" in flat["friedman", "systems"].why
    two, _ = found(scores(count=2))
    assert "three groups" in two["friedman", "systems"].why
    empty, ranks = found(np.full((6, 3), np.nan))
    assert all(item.why and np.isnan(item.p_value) for item in empty.values())
    assert not ranks


def test_tukey_is_that_of_unique_ranks_by_hand() -> None:
    """Without ties the p of two groups is that of the studentized range at |difference| / sqrt(N (N + 1) / 12 / n)."""
    values = scores()
    _, ranks = found(values)
    sets = ranks["documents"]
    order = stats.rankdata(values).reshape(values.shape).mean(axis=1)
    np.testing.assert_allclose(sets.means, order)
    error = np.sqrt(60 * 61 / 12 / 5)
    for i, j in combinations(range(12), 2):
        expected = stats.studentized_range.sf(abs(order[i] - order[j]) / error, 12, np.inf)
        assert sets.p_values(i)[j] == pytest.approx(expected, abs=1e-9)
    assert sets.p_values(3)[3] == 1


def test_intervals_stay_among_the_ranks() -> None:
    """No end is below 1 or above the last rank, and two intervals overlap exactly where they do without the cut."""
    cut = set[str]()
    for factor, ranks in found(scores(n=4, count=5))[1].items():
        half, (low, high) = ranks.half_widths(0.05), ranks.ends(0.05)
        last = 5 if factor == "systems within documents" else 20
        assert low.min() >= 1
        assert high.max() <= last
        inside = (ranks.means - half >= 1) & (ranks.means + half <= last)
        np.testing.assert_allclose(high[inside] - low[inside], 2 * half[inside])
        cut |= {factor} if not inside.all() else set()
        for i in range(len(ranks.names)):
            whole = np.abs(ranks.means - ranks.means[i]) <= half + half[i]
            np.testing.assert_array_equal((low <= high[i]) & (low[i] <= high), whole)
    assert cut == {"documents", "systems", "systems within documents"}


def test_intervals_overlap_exactly_where_groups_do_not_differ() -> None:
    """With groups of one size two intervals overlap if and only if Tukey's test does not part them."""
    for factor, ranks in found(scores(n=20, count=7))[1].items():
        half = ranks.half_widths(0.05)
        assert np.ptp(half) < 1e-9, factor
        for i in range(len(ranks.names)):
            apart = np.abs(ranks.means - ranks.means[i]) > half + half[i]
            np.testing.assert_array_equal(apart, ranks.differing(i, 0.05))
            p = ranks.p_values(i)
            np.testing.assert_array_equal(np.delete(p, i) < 0.05, np.delete(apart, i))


def test_unequal_groups_get_the_widths_of_hochberg() -> None:
    """w_i = ((G - 1) sum_j d_ij - sum of all d) / ((G - 1) (G - 2)), here by loops; two groups share theirs."""
    ranks = MeanRanks("documents", tuple("abcd"), np.arange(4.0), np.array([3, 5, 8, 20]), 7.0)
    q = stats.studentized_range.isf(0.05, 4, np.inf)
    d = [[q * np.sqrt(7 / 2 * (1 / a + 1 / b)) for b in ranks.counts] for a in ranks.counts]
    whole = sum(d[i][j] for i, j in combinations(range(4), 2))
    expected = [(3 * sum(d[i][j] for j in range(4) if j != i) - whole) / 6 for i in range(4)]
    np.testing.assert_allclose(ranks.half_widths(0.05), expected)
    two = MeanRanks("documents", ("a", "b"), np.array([1.0, 2.0]), np.array([4, 9]), 7.0)
    assert two.half_widths(0.05).sum() == pytest.approx(two.critical(0.05) * two.errors(0)[1])
    assert np.isnan(MeanRanks("documents", ("a",), np.ones(1), np.array([4]), 7.0).half_widths(0.05)).all()


def test_the_published_critical_range() -> None:
    """For 46 groups it is 5.591 at 0.05, as tables of the studentized range have it."""
    ranks = MeanRanks("documents", tuple(map(str, range(46))), np.arange(46.0), np.full(46, 51), 1.0)
    assert ranks.critical(0.05) == pytest.approx(5.591, abs=0.001)


def test_low_scores_rank_high_where_lower_is_better() -> None:
    """The best group has the highest mean rank under either direction."""
    values = scores()
    up, down = found(values)[1], found(values, better="lower")[1]
    assert up["systems"].means.argmax() == down["systems"].means.argmin()


# ---- efficiency


@pytest.mark.parametrize(("shape", "name"), [("normal", "normal"), ("logistic", "logistic"), ("laplace", "Laplace")])
def test_the_estimate_meets_theory(shape: str, name: str) -> None:
    """On 900 differences of a known shape the median of 30 estimates lies within 6% of theory."""
    draws = getattr(np.random.default_rng(1), shape)(size=(900, 30))
    assert np.median(efficiency(draws)) == pytest.approx(THEORY[name], rel=0.06)


def test_the_estimate_is_that_of_the_bootstrap() -> None:
    """Over 20 samples of 60 differences both estimates agree on average and sample by sample."""
    rng = np.random.default_rng(4)
    z = rng.standard_t(4, size=(60, 20))
    fast = efficiency(z)
    slow = np.array([by_bootstrap(z[:, k], 300, k) for k in range(20)])
    assert fast.mean() == pytest.approx(slow.mean(), rel=0.1)
    assert np.corrcoef(fast, slow)[0, 1] > 0.7


def test_theory_is_what_the_formula_gives() -> None:
    """12 s^2 (integral of f^2)^2 of each density, by summing it up."""
    x = np.linspace(-40, 40, 400_001)
    for name, law in (("normal", stats.norm), ("logistic", stats.logistic), ("Laplace", stats.laplace)):
        assert 12 * law.var() * np.trapezoid(law.pdf(x) ** 2, x) ** 2 == pytest.approx(THEORY[name], rel=1e-6)


def test_no_estimate_without_variation() -> None:
    """Constant differences, and ones that tie nearly all, have none."""
    assert np.isnan(efficiency(np.ones((20, 1))))[0]
    assert np.isnan(efficiency(np.eye(40)[:, :1]))[0]


def test_more_differences_than_are_used_keep_their_shape() -> None:
    """Of 5000 differences a thousand stand for all."""
    z = np.random.default_rng(5).laplace(size=5000)
    assert efficiency(z[:, None])[0] == pytest.approx(1.5, rel=0.12)
    assert hodges_lehmann(z + 3) == pytest.approx(3, abs=0.1)
    assert hodges_lehmann(np.array([1.0, 2.0, 6.0])) == 2.75
