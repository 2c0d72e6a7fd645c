"""The compiled scores of swapped pairs have the bits of numpy's way, wherever they give any."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore import Outputs, metrics, significance
from sigcore.metrics import from_values
from sigcore.resampling.blocks import Block
from sigcore.significance.engine import _block_sums, _swapped_scores
from sigcore.text import bleu_pairs
from sigcore.text.bleu import bleu_score
from tests.routes import ROUTES, route

PAIRS = np.column_stack(np.triu_indices(4, k=1))


def question(rows: np.ndarray, **options: object) -> significance.Resampling:
    metric = metrics.get("bleu")
    chosen = metric.chosen(options)
    systems = tuple(from_values(metric, chosen, Outputs(f"s{k}", ()), one, "") for k, one in enumerate(rows))
    return significance.Resampling((systems,), (significance.get("approximate_randomization"),), PAIRS, 700, 3)


def made(least: int) -> np.ndarray:
    """Statistics (4, 30, 10) with at least so many matches: some outputs are shorter than the reference, some longer."""
    rng = np.random.default_rng(5)
    rows = np.empty((4, 30, 10))
    rows[..., 0], rows[..., 1] = rng.integers(15, 30, (4, 30)), rng.integers(15, 30, 30)
    rows[..., 6:] = rows[..., :1] - np.arange(4)
    rows[..., 2:6] = rng.integers(least, 11, (4, 30, 4))
    return rows


def both(asked: significance.Resampling) -> list[tuple[np.ndarray, np.ndarray]]:
    """The scores after swaps by every route."""
    masks = np.random.default_rng(6).integers(0, 2, (90, 30)).astype(np.float32)
    total, moved = (asked.columns.totals(0).T, asked.columns.pick(asked.columns.sums(masks), 0))
    out = []
    for name in ROUTES:
        with route(name):
            out.append(_swapped_scores(asked, 0, total, moved, PAIRS))
    return out


@pytest.mark.parametrize("draws", ["swap", "bootstrap"])
def test_both_routes_draw_the_same_sums(draws):
    """Swaps are added up by their bits or by a product, and resamples of the bootstrap by a product alone."""
    asked, found = question(made(1)), []
    for name in ROUTES:
        with route(name):
            found.append(_block_sums(asked, draws, Block(1, 512, 90)))
    np.testing.assert_array_equal(found[0], found[-1])
    assert np.ptp(found[0], axis=1).max() > 0


@pytest.mark.parametrize("smooth", ["exp", "floor", "add-k", "none"])
@pytest.mark.parametrize("better", [1, 0])
def test_both_routes_score_alike(smooth, better):
    """Also where some order has no match, which the loop leaves to the general way."""
    rows = made(better)
    if not better:
        rows[1, :, 5] = 0
    found = both(question(rows, smooth=smooth))
    for one, other in zip(found[0], found[-1], strict=True):
        np.testing.assert_array_equal(one, other)
    assert np.ptp(found[0][0]) > 0


@pytest.mark.skipif(len(ROUTES) == 1, reason="nothing is compiled here")
def test_loop_equals_scores_of_swapped_sums():
    """The sums of each pseudo-output are added up unit by unit; the loop is really used, and refuses what it must."""
    rows = made(1)
    masks = np.random.default_rng(7).integers(0, 2, (9, 30)).astype(bool)
    moved = np.stack([(rows * mask[None, :, None]).sum(axis=1).T for mask in masks], axis=2)
    with route("compiled"):
        scores = bleu_pairs.scores_of_pairs(rows.sum(axis=1).T, moved, *np.ascontiguousarray(PAIRS.T))
        assert scores is not None
        for p, (x, y) in enumerate(PAIRS):
            for k, mask in enumerate(masks):
                first = np.where(mask[:, None], rows[y], rows[x]).sum(axis=0)
                second = np.where(mask[:, None], rows[x], rows[y]).sum(axis=0)
                assert scores[0][p, k] == bleu_score(first[None, None])[0, 0]
                assert scores[1][p, k] == bleu_score(second[None, None])[0, 0]
        rows[0, :, 5] = rows[1, :, 5] = 0
        assert bleu_pairs.scores_of_pairs(rows.sum(axis=1).T, moved * 0, *np.ascontiguousarray(PAIRS.T)) is None


@pytest.mark.skipif(len(ROUTES) == 1, reason="nothing is compiled here")
@pytest.mark.parametrize("missed", [0, 3])
def test_one_side_without_a_match_is_refused(missed):
    """System 0 stands on the left of all its pairs, system 3 on the right: each side alone is enough."""
    rows = made(1)
    rows[missed, :, 5] = 0
    total, still = rows.sum(axis=1).T, np.zeros((10, 4, 2))
    with route("compiled"):
        assert bleu_pairs.scores_of_pairs(total, still, *np.ascontiguousarray(PAIRS.T)) is None
