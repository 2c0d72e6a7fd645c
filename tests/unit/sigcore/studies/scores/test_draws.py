"""MC and HB: the draws, their counts and cut-offs, against plain loops, against all swaps and against theory."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from sigcore.executors import Serial, Threads
from sigcore.resampling.blocks import BLOCK, Block, generator, hybrid_counts, swap_masks
from sigcore.studies.scores.pairs import (
    draw,
    from_shares,
    most_exceedances,
    null,
    nulls,
    observed,
    pairs,
    signed_sums,
    student,
    sums_of,
    theoretical_cutoffs,
)
from tests import some
from tests.oracles import cutoffs as slow_cutoffs
from tests.oracles import score_pairs as slow
from tests.unit.sigcore.studies.scores.test_pairs import columns


@pytest.mark.parametrize("zeros", ["pratt", "wilcox", "zsplit"])
@pytest.mark.parametrize("ties", [False, True])
def test_every_draw_is_that_of_plain_loops(zeros: str, ties: bool) -> None:
    """The statistics on every swapped and on every redrawn sample equal those of the sample written out."""
    x, y = columns(11, count=3, ties=ties)
    found = pairs(x, y, zeros)
    fast = null(sums_of(found), 5, Block(0, 0, 40))
    masks = swap_masks(generator(5, "swap", 0), 40, 11)
    drawn = hybrid_counts(generator(5, "hybrid", 0), 40, 11)
    for k in range(3):
        for row in range(40):
            a, b = x[:, k].tolist(), y[:, k].tolist()
            for method, sample in enumerate(
                (slow.swapped(a, b, masks[row]), slow.redrawn(a, b, drawn[row, :11], drawn[row, 11:]))
            ):
                expected = np.abs(slow.statistics(*sample, zeros))
                mine = fast[method, :, k, row].copy()
                mine[0], mine[1] = from_shares(mine[0], 20), from_shares(mine[1], 10)
                np.testing.assert_allclose(mine, expected, rtol=1e-8, atol=1e-8)


def test_what_is_observed_is_measured_as_the_draws_are() -> None:
    """The shares of the observed pair lead back to its T, and W to its size."""
    x, y = columns(30)
    found = pairs(x, y)
    seen = observed(sums_of(found))
    np.testing.assert_allclose(from_shares(seen[0], 58), np.abs(student(found)[0]), rtol=1e-9)
    np.testing.assert_allclose(from_shares(seen[1], 29), np.abs(student(found)[1]), rtol=1e-9)
    np.testing.assert_array_equal(seen[2], np.abs(found.w))


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("n", [6, 7, 20])
def test_counts_and_cutoffs_are_those_of_the_draws(n: int, ties: bool) -> None:
    """Counts are the draws that reach the observed size; a cut-off is the smallest size seen whose p is at most alpha."""
    x, y = columns(n, count=4, ties=ties)
    found = pairs(x, y)
    said = draw(found, (0.1, 0.05), 300, 3, Serial())
    for k in range(4):
        alone = nulls(pairs(x[:, [k]], y[:, [k]]), 300, 3)
        sizes = np.abs([*(part[k] for part in student(found)), found.w[k]])
        np.testing.assert_array_equal(said.counts[:, :, k], (alone >= sizes[:, None] - 1e-9).sum(axis=-1))
        for level, alpha in enumerate((0.1, 0.05)):
            for cutoffs, extra in ((said.cutoffs, 1), (said.paper_cutoffs, 0)):
                expected = [
                    [
                        slow_cutoffs.smallest(part, size, alpha, extra)
                        for part, size in zip(of_method, sizes, strict=True)
                    ]
                    for of_method in alone.tolist()
                ]
                np.testing.assert_allclose(cutoffs[:, :, k, level], expected, rtol=1e-9)


def test_the_most_draws_that_may_reach_a_cutoff() -> None:
    """The largest c with (c + 1) / (R + 1), or c / R, at most alpha; -1 where none is."""
    assert [most_exceedances(level, 2000, "valid") for level in (0.05, 0.01, 0.001)] == [99, 19, 1]
    assert [most_exceedances(level, 2000, "paper") for level in (0.05, 0.01, 0.001)] == [100, 20, 2]
    assert [most_exceedances(0.05, resamples, "valid") for resamples in (1, 18, 19)] == [-1, -1, 0]
    assert most_exceedances(0.05, 1, "paper") == 0


def test_six_documents_need_all_six_signs() -> None:
    """With six documents P(|W| >= 19) is 4 / 64 and P(|W| >= 21) is 2 / 64: the cut-off at 0.05 is 21 by every method."""
    gains = np.array([[1.0], [2.0], [4.0], [-3.0], [5.0], [6.0]])
    found = pairs(gains, np.zeros_like(gains))
    null_of_w = [sizes[2] for sizes in slow_cutoffs.sizes_of_all_swaps(gains[:, 0].tolist(), [0.0] * 6)]
    assert [slow_cutoffs.reached(null_of_w, size) / 64 for size in (19, 21)] == [0.0625, 0.03125]
    assert slow_cutoffs.smallest(null_of_w, float(found.w[0]), 0.05) == 21
    said = draw(found, (0.05,), 2000, 12345, Serial())
    assert theoretical_cutoffs(found, 0.05)[2, 0] == said.cutoffs[0, 2, 0, 0] == said.paper_cutoffs[0, 2, 0, 0] == 21


@pytest.mark.parametrize("zeros", ["pratt", "wilcox", "zsplit"])
@pytest.mark.parametrize("n", some.first([9, 6, 7, 8], 2))
def test_cutoffs_of_small_samples_are_those_of_all_swaps(n: int, zeros: str) -> None:
    """On coarse scores with ties and zeros, W in theory and W and T by 20,000 swaps have the cut-offs of all 2^n swaps.

    Levels lie between the attainable p-values, away from each by more than 5 Monte Carlo standard errors.
    """
    x, y = (np.random.default_rng((n, k)).integers(0, 4, (n, 5)).astype(float) for k in range(2))
    found, levels = pairs(x, y, zeros), (0.2, 0.1, 0.05)
    for k in np.nonzero(~found.same)[0]:
        null = np.array(slow_cutoffs.sizes_of_all_swaps(x[:, k].tolist(), y[:, k].tolist(), zeros))
        # of T and W, the p-values that can be attained
        shares = [{slow_cutoffs.reached(all_, size) / 2**n for size in {*all_}} for all_ in null[:, 1:].T.tolist()]
        alone = pairs(x[:, [k]], y[:, [k]], zeros)
        draws = draw(alone, levels, 20_000, 5, Serial()).cutoffs[0, :, 0].T
        for alpha, drawn in zip(levels, draws, strict=True):
            expected = [slow_cutoffs.smallest(part.tolist(), 0.0, alpha) for part in null.T]
            theory = theoretical_cutoffs(alone, alpha)[2, 0]
            assert theory == pytest.approx(expected[2], nan_ok=True)
            error = 5 * np.sqrt(alpha / 20_000)
            if min(abs(share - alpha) for share in shares[0]) > error:
                np.testing.assert_allclose(drawn[:2], expected[:2], rtol=1e-9)
            if min(abs(share - alpha) for share in shares[1]) > error:
                np.testing.assert_allclose(drawn[2], expected[2], rtol=1e-9)


def test_any_number_of_workers_gives_the_same_bits() -> None:
    """One worker, three workers and the pair alone draw the same."""
    x, y = columns(25, count=5)
    found = pairs(x, y)
    one = draw(found, (0.05,), 2 * BLOCK + 7, 1, Serial())
    many = draw(found, (0.05,), 2 * BLOCK + 7, 1, Threads(3))
    alone = draw(pairs(x[:, 2:3], y[:, 2:3]), (0.05,), 2 * BLOCK + 7, 1, Serial())
    np.testing.assert_array_equal(one.counts, many.counts)
    np.testing.assert_array_equal(one.cutoffs, many.cutoffs)
    np.testing.assert_array_equal(one.counts[..., 2:3], alone.counts)
    other = draw(found, (0.05,), 2 * BLOCK + 7, 2, Serial())
    assert (one.counts != other.counts).any()


def test_identical_systems_are_reached_by_every_draw() -> None:
    """Without any difference all draws are as large as what is observed, and there is no cut-off."""
    x = columns(10)[0]
    said = draw(pairs(x, x), (0.05,), 100, 1, Serial())
    assert (said.counts == 100).all()
    assert np.isnan(said.cutoffs).all()


def test_a_constant_gain_is_only_reached_by_swaps_of_all_or_none() -> None:
    """Where T has no error, a draw counts only if all signs agree."""
    x = columns(8, count=1)[0]
    said = draw(pairs(x + 0.5, x), (0.05,), 2000, 1, Serial())
    assert abs(said.counts[0, 1, 0] / 2000 - 2 / 2**8) < 5 * np.sqrt(2 / 2**8 / 2000)


def test_a_draw_below_a_tiny_gain_does_not_reach_it() -> None:
    """Two large differences cancel and two tiny ones are left: swaps that leave half of their sum do not count."""
    tiny = 2.0**-20
    gains = np.array([1.0, -1.0, 2.0, -2.0, 3 * tiny, tiny])
    masks = swap_masks(generator(5, "swap", 0), 300, 6)
    sums = np.abs(((1 - 2 * masks) * gains).sum(axis=1))
    assert (sums == 2 * tiny).any()
    said = draw(pairs(gains[:, None], np.zeros((6, 1))), (0.05,), 300, 5, Serial())
    assert said.counts[0, 1, 0] == (sums >= 4 * tiny).sum()


@pytest.mark.parametrize("ties", [False, True])
def test_mc_estimates_the_p_of_all_swaps(ties: bool) -> None:
    """The share of draws that count lies within 5 standard errors of the share of all 2^n swaps; both T agree."""
    n, resamples = 9, 4000
    x, y = columns(n, count=4, ties=ties)
    found = pairs(x, y)
    share = draw(found, (0.05,), resamples, 11, Serial()).counts[0] / resamples
    np.testing.assert_array_equal(share[0], share[1])
    for k in range(4):
        sizes = np.abs(slow.statistics(x[:, k], y[:, k]))
        every = np.abs([slow.statistics(*slow.swapped(x[:, k], y[:, k], m)) for m in product((0, 1), repeat=n)])
        exact = (every >= sizes - 1e-9).mean(axis=0)
        assert (np.abs(share[:, k] - exact) <= 5 * np.sqrt(exact * (1 - exact) / resamples) + 1e-12).all()


def test_the_mc_cutoff_of_w_is_that_of_theory() -> None:
    """Without ties the null of W is known: the drawn cut-off cuts off a tail that 2000 draws can have (5 sigma)."""
    x, y = columns(46, count=30)
    said = draw(pairs(x, y), (0.05, 0.01), 2000, 9, Serial())
    chance = signed_sums(tuple(range(1, 47)))
    sums = np.abs(np.arange(len(chance)) - len(chance) // 2)
    for level, alpha in enumerate((0.05, 0.01)):
        beyond = np.array([chance[sums > cut].sum() for cut in said.cutoffs[0, 2, :, level]])
        reached = np.array([chance[sums >= cut].sum() for cut in said.cutoffs[0, 2, :, level]])
        error = np.sqrt(alpha * (1 - alpha) / 2000)
        assert (beyond <= alpha + 5 * error).all()
        assert (reached >= alpha - 5 * error).all()


def test_empirical_cutoffs_of_paired_t_and_w_agree_with_theory() -> None:
    """For normal differences the drawn cut-offs cut off 5% of Student's t and of W, on average over 60 pairs."""
    rng = np.random.default_rng(2)
    found = pairs(rng.normal(size=(46, 60)), rng.normal(size=(46, 60)))
    said = draw(found, (0.05,), 2000, 4, Serial())
    for method in range(2):
        tails = 2 * stats.t.sf(said.cutoffs[method, 1, :, 0], 45)
        assert abs(tails.mean() - 0.05) < 5 * tails.std(ddof=1) / np.sqrt(60) + 0.003
        ratio = said.cutoffs[method, 2, :, 0] / theoretical_cutoffs(found, 0.05)[2]
        assert abs(ratio.mean() - 1) < 5 * ratio.std(ddof=1) / np.sqrt(60) + 0.01


def test_unpaired_t_is_far_too_careful_where_documents_differ() -> None:
    """With documents twice as spread as systems, true nulls are never found by unpaired T, and 5% by paired T."""
    rng = np.random.default_rng(3)
    documents = rng.normal(0, 1, (46, 400))
    x, y = (documents + rng.normal(0, 0.5, (46, 400)) for _ in range(2))
    found = pairs(x, y)
    unpaired, paired = student(found)
    assert (np.abs(unpaired) >= stats.t.isf(0.025, 90)).mean() == 0
    assert abs((np.abs(paired) >= stats.t.isf(0.025, 45)).mean() - 0.05) < 5 * np.sqrt(0.05 * 0.95 / 400)
    drawn = draw(pairs(x[:, :8], y[:, :8]), (0.05,), 2000, 1, Serial()).cutoffs[:, 0, :, 0]
    assert (drawn < 1.5).all()


def test_hybrid_counts_draw_and_swap() -> None:
    """Every row draws n documents in whole counts; each is kept or swapped alike often (5 sigma)."""
    n, rows = 15, 20_000
    drawn = hybrid_counts(np.random.default_rng(1), rows, n)
    assert drawn.shape == (rows, 2 * n)
    assert (drawn.sum(axis=1) == n).all()
    assert np.abs(drawn.mean(axis=0) - 0.5).max() < 5 * np.sqrt(0.5 / rows)
    wide = hybrid_counts(np.random.default_rng(1), 2, 40_000)
    assert (wide.sum(axis=1, dtype=np.float64) == 40_000).all()
