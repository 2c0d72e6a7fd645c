"""Unpaired T, paired T and W of a pair: the statistic, its theoretical p and its cut-off."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sigcore.errors import OptionError
from sigcore.studies.scores.pairs import (
    exact_cutoff,
    exact_kind,
    from_shares,
    pairs,
    shares,
    signed_sums,
    student,
    theoretical_cutoffs,
    theoretical_p,
)
from tests.oracles import score_pairs as slow
from tests.stored import stored

RNG = np.random.default_rng(7)


def columns(n: int, count: int = 12, ties: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Two sets of columns with a common difficulty of documents; with ties, of few different values."""
    rng = np.random.default_rng(n + 1000 * ties)
    base = rng.normal(0, 1, (n, 1))
    x, y = (base + rng.normal(0.2 * k, 0.7, (n, count)) for k in (1, 0))
    return (np.round(x), np.round(y)) if ties else (x, y)


@pytest.mark.parametrize("n", [6, 10, 14, 46, 51, 100])
@pytest.mark.parametrize("ties", [False, True])
def test_p_is_that_of_scipy(n: int, ties: bool) -> None:
    """Each p equals scipy's for the pair alone, for few and for many documents, with and without ties."""
    x, y = columns(n, ties=ties)
    p = theoretical_p(pairs(x, y))
    for k in range(x.shape[1]):
        a, b = x[:, k], y[:, k]
        alone = [stats.ttest_ind(a, b).pvalue, stats.ttest_rel(a, b).pvalue, stats.wilcoxon(a, b, "pratt").pvalue]
        np.testing.assert_allclose(p[:, k], alone, rtol=1e-9)


@pytest.mark.parametrize("zeros", ["pratt", "wilcox", "zsplit"])
@pytest.mark.parametrize("n", [9, 60])
def test_every_rule_for_zeros_is_that_of_scipy(zeros: str, n: int) -> None:
    """p under each rule equals scipy's where differences are zero."""
    x, y = columns(n, ties=True)
    found = pairs(x, y, zeros)
    assert (found.z == 0).any(axis=0).all()
    for k in range(x.shape[1]):
        assert theoretical_p(found)[2, k] == pytest.approx(
            stats.wilcoxon(x[:, k], y[:, k], zero_method=zeros).pvalue, rel=1e-9
        )


@pytest.mark.parametrize("zeros", ["pratt", "wilcox", "zsplit"])
def test_statistics_are_those_of_plain_loops(zeros: str) -> None:
    """Both T and W equal what plain loops give, ties and zeros included."""
    for ties in (False, True):
        x, y = columns(17, ties=ties)
        found = pairs(x, y, zeros)
        fast = np.array([*student(found), found.w])
        for k in range(x.shape[1]):
            np.testing.assert_allclose(fast[:, k], slow.statistics(x[:, k], y[:, k], zeros), rtol=1e-10)


def test_a_tie_does_not_depend_on_rounding() -> None:
    """0.3 - 0.1 and 0.4 - 0.2 are one size, although floating point makes two of them."""
    x, y = np.array([0.3, 0.4, 0.9, 0.1, 0.5, 0.7]), np.array([0.1, 0.2, 0.2, 0.2, 0.9, 0.1])
    assert len({abs(d) for d in (0.3 - 0.1, 0.4 - 0.2)}) == 2
    ranks = np.abs(pairs(x[:, None], y[:, None]).signed_ranks[:, 0])
    assert ranks[0] == ranks[1] == 2.5


def test_identical_systems_give_one() -> None:
    """A system against itself has T = W = 0 and p = 1 under every statistic and rule."""
    x = columns(20)[0]
    for zeros in ("pratt", "wilcox", "zsplit"):
        found = pairs(x, x, zeros)
        assert (theoretical_p(found) == 1).all()
        assert (np.array([*student(found), found.w]) == 0).all()


def test_a_constant_gain_has_no_theoretical_t() -> None:
    """Where every difference is the same, paired T is infinite and has no p; W still has."""
    x = columns(20)[0][:, :1]
    found = pairs(x + 0.3, x)
    assert np.isinf(student(found)[1]).all()
    p = theoretical_p(found)
    assert np.isnan(p[1]).all()
    assert (p[2] < 0.001).all()
    flat = pairs(np.full((8, 1), 2.0), np.full((8, 1), 1.0))
    assert np.isinf(student(flat)).all()


def test_turning_a_pair_round_turns_its_statistics() -> None:
    """Swapping the systems changes the sign of each statistic and no p."""
    x, y = columns(30, ties=True)
    there, back = pairs(x, y), pairs(y, x)
    np.testing.assert_allclose(np.array(student(there)), -np.array(student(back)), rtol=1e-12)
    np.testing.assert_array_equal(there.w, -back.w)
    np.testing.assert_allclose(theoretical_p(there), theoretical_p(back), rtol=1e-12)


@pytest.mark.parametrize("n", [6, 10, 13, 46, 80])
@pytest.mark.parametrize("ties", [False, True])
def test_the_cutoff_parts_p_at_alpha(n: int, ties: bool) -> None:
    """A pair reaches the cut-off exactly where its p is at most alpha."""
    x, y = columns(n, count=40, ties=ties)
    found = pairs(x, y)
    sizes, p = np.abs([*student(found), found.w]), theoretical_p(found)
    for alpha in (0.1, 0.05, 0.01):
        np.testing.assert_array_equal(sizes >= theoretical_cutoffs(found, alpha) - 1e-9, p <= alpha + 1e-12)


def test_the_exact_null_counts_all_swaps() -> None:
    """The chances of W for three documents are those of the eight swaps."""
    chance = signed_sums((2, 4, 6))  # doubled ranks 1, 2, 3
    found = {k - len(chance) // 2: c for k, c in enumerate(chance) if c}
    assert found == {-12: 1 / 8, -8: 1 / 8, -4: 1 / 8, 0: 2 / 8, 4: 1 / 8, 8: 1 / 8, 12: 1 / 8}
    assert exact_cutoff((2, 4, 6), 0.05) == np.inf
    assert exact_cutoff((2, 4, 6), 0.25) == 6


def test_the_printed_cutoff_of_w_is_that_of_another_statistic() -> None:
    """Rankel et al. 2011 print sqrt(n^3/12) z for the signed W: it would reject a third of true nulls, sqrt(n^3/3) z 5%.

    Their sqrt(n^3/12) belongs to W+, the sum of the positive ranks, which is (W + n (n + 1) / 2) / 2.
    """
    n, z = 46, stats.norm.isf(0.025)
    chance = signed_sums(tuple(range(1, n + 1)))
    sums = np.arange(len(chance)) - len(chance) // 2
    printed, right = (float(chance[np.abs(sums) >= z * np.sqrt(n**3 / part)].sum()) for part in (12, 3))
    assert printed == pytest.approx(stored("scores.printed_cutoff"), abs=0.005)
    assert right == pytest.approx(0.05, abs=0.005)
    plus = (sums + n * (n + 1) / 2) / 2
    assert np.sqrt((chance * (plus - plus @ chance) ** 2).sum()) == pytest.approx(np.sqrt(n**3 / 12), rel=0.02)
    x, y = columns(n)
    used = theoretical_cutoffs(pairs(x, y), 0.05)[2]
    assert np.abs(used / (z * np.sqrt(n**3 / 3)) - 1).max() < 0.03


def test_the_variance_of_w_is_the_textbook_one_without_ties() -> None:
    """Without ties it is n (n + 1) (2n + 1) / 6; ties and zeros make it smaller."""
    x, y = columns(46)
    assert pairs(x, y).variance == pytest.approx(46 * 47 * 93 / 6)
    tied = pairs(*columns(46, ties=True))
    assert (tied.variance < 46 * 47 * 93 / 6).all()


def test_shares_order_t_and_come_back() -> None:
    """The share grows with |T|, is 1 for an infinite T, and gives |T| back."""
    t = np.array([0.0, -0.5, 2.0, np.inf])
    share = shares(t, 45)
    assert share[0] == 0
    assert share[-1] == 1
    np.testing.assert_allclose(from_shares(share, 45), np.abs(t))


def test_exact_where_it_is_known() -> None:
    """W is exact up to 50 documents without ties, up to 13 with them."""
    for n, ties, exact in ((50, False, True), (51, False, False), (13, True, True), (14, True, False)):
        assert exact_kind(pairs(*columns(n, ties=ties))).all() == exact


def test_an_unknown_rule_is_refused() -> None:
    """Only the three rules for zeros exist."""
    with pytest.raises(OptionError, match="pratt, wilcox, zsplit"):
        pairs(*columns(6), "drop")
