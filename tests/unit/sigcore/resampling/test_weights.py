"""Weights: bootstrap counts and swap masks."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore.resampling import blocks, scatter
from sigcore.resampling.blocks import AT_ONCE, bootstrap_counts, joined, strips, swap_masks
from tests.routes import ROUTES, route


@pytest.mark.parametrize("n", [1, 2, 9, 65_536, 65_537])
def test_bootstrap_rows_sum_to_n(n):
    """Every row draws n segments, in whole counts, also past the range of 16-bit numbers."""
    counts = bootstrap_counts(np.random.default_rng(0), 3, n)
    assert counts.shape == (3, n)
    assert (counts.sum(axis=1, dtype=np.float64) == n).all()
    assert (counts >= 0).all()
    assert (counts == counts.astype(int)).all()


@pytest.mark.parametrize("n", [65_536, 65_537])
def test_bootstrap_reaches_the_last_segment(n):
    """The last segment is drawn as well as the first (a wrong bound of the small number type would miss it)."""
    counts = bootstrap_counts(np.random.default_rng(1), 40, n).sum(axis=0)
    assert counts[0] > 0
    assert counts[-1] > 0


@pytest.mark.parametrize("n", [1, 7, 8, 9, 100])
def test_masks_are_zero_or_one(n):
    """A mask holds 0 and 1 only, one for each segment."""
    masks = swap_masks(np.random.default_rng(0), 50, n)
    assert masks.shape == (50, n)
    assert set(np.unique(masks)) == {0.0, 1.0}


def test_masks_are_fair_in_every_column():
    """Each segment is swapped in half of the shuffles, independently of its neighbour (5 sigma)."""
    masks = swap_masks(np.random.default_rng(2), 20_000, 11)
    assert (np.abs(masks.mean(axis=0) - 0.5) < 5 * 0.5 / np.sqrt(20_000)).all()
    together = (masks[:, 1:] * masks[:, :-1]).mean(axis=0)
    assert (np.abs(together - 0.25) < 5 * np.sqrt(0.25 * 0.75 / 20_000)).all()


def test_counts_are_multinomial():
    """Mean 1, variance 1 - 1/n and covariance -1/n of two segments, as a multinomial draw has (5 sigma)."""
    n, rows = 20, 40_000
    counts = bootstrap_counts(np.random.default_rng(3), rows, n).astype(float)
    assert np.abs(counts.mean(axis=0) - 1).max() < 5 / np.sqrt(rows)
    assert np.abs(counts.var(axis=0) - (1 - 1 / n)).max() < 5 * np.sqrt(3 / rows)
    assert np.mean((counts[:, 0] - 1) * (counts[:, 1] - 1)) == pytest.approx(-1 / n, abs=5 / np.sqrt(rows))


def test_strips_bound_memory():
    """A large test set is drawn in strips of at most AT_ONCE numbers that add up to the block."""
    parts = list(strips(np.random.default_rng(0), "swap", 50, AT_ONCE // 7))
    assert [len(part) for part in parts] == [7] * 7 + [1]


@pytest.mark.parametrize("n", [1, 7, 1448, 70_000])
def test_compiled_counting_gives_the_same_counts(n):
    """The compiled loop and numpy alone count the same draws alike, for 16-bit and for 32-bit numbers."""
    found = []
    for name in ROUTES:
        with route(name):
            found.append(bootstrap_counts(np.random.default_rng(5), 6, n))
    np.testing.assert_array_equal(found[0], found[-1])


@pytest.mark.skipif("compiled" not in ROUTES, reason="numba is not installed")
@pytest.mark.parametrize("n", [1, 2, 7, 1448, 2034, 32_769, 40_000, 65_535, 65_536, 65_537])
@pytest.mark.parametrize("rows", [1, 3, 6])
def test_compiled_draws_are_numpys(n, rows):
    """The compiled loop draws numpy's numbers and leaves the generator as numpy does, draw after draw; few numbers are
    refused where n is small, half of them where it is 32,769."""
    found = []
    for name in ROUTES:
        rng = np.random.Generator(np.random.SFC64(5))
        with route(name):
            found.append([*(bootstrap_counts(rng, rows, n) for _ in range(3)), rng.integers(0, 9, 5), rng.random(3)])
    for fast, plain in zip(*found, strict=True):
        np.testing.assert_array_equal(fast, plain)


def test_joined_strips_are_the_same_weights(monkeypatch):
    """However many strips are multiplied at once, the weights of a block are those of its strips."""
    n, whole = AT_ONCE // 7, list(strips(np.random.default_rng(0), "swap", 50, AT_ONCE // 7))
    for most in (1, 15 * n, 10**9):
        monkeypatch.setattr(blocks, "MULTIPLIED", most)
        parts = list(joined(np.random.default_rng(0), "swap", 50, n))
        assert max(len(part) for part in parts) == {1: 7, 15 * n: 14, 10**9: 50}[most]
        np.testing.assert_array_equal(np.concatenate(parts), np.concatenate(whole))


def test_numba_is_not_loaded_for_counting():
    """Where the loop has not been loaded, counting does not load it."""
    with route("plain"):
        assert scatter.compiled() is None
