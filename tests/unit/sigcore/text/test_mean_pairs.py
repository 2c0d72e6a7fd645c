"""The compiled means of swapped pairs have the bits of numpy's way, wherever they give any."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore import Outputs, metrics, significance
from sigcore.metrics import from_values
from sigcore.significance.engine import _swapped_scores
from sigcore.text import mean_pairs
from tests.routes import ROUTES, route

PAIRS = np.column_stack(np.triu_indices(4, k=1))


@pytest.mark.parametrize("name", ["own_scores", "accuracy", "exact_match", "cover_em"])
@pytest.mark.parametrize("least", [1, 0])
def test_both_routes_score_alike(name, least):
    """Scores of units of different sizes; where a size is 0, the loop leaves all to the general way."""
    rng = np.random.default_rng(5)
    rows = np.stack([np.round(rng.normal(size=(4, 30)), 3), rng.integers(1, 4, (4, 30)).astype(float)], axis=2)
    rows[2, :, 1] *= least
    metric = metrics.get(name)
    chosen = metric.chosen({})
    systems = tuple(from_values(metric, chosen, Outputs(f"s{k}", ()), one, "") for k, one in enumerate(rows))
    asked = significance.Resampling((systems,), (significance.get("approximate_randomization"),), PAIRS, 700, 3)
    masks = rng.integers(0, 2, (90, 30)).astype(np.float32)
    masks[0] = 0
    total, moved, found = asked.columns.totals(0).T, asked.columns.pick(asked.columns.sums(masks), 0), []
    for used in ROUTES:
        with route(used):
            found.append(_swapped_scores(asked, 0, total, moved, PAIRS))
            quick = mean_pairs.means(total, moved, *np.ascontiguousarray(PAIRS.T), {})
            assert (quick is None) == (used != "compiled" or not least)
    for one, other in zip(found[0], found[-1], strict=True):
        np.testing.assert_array_equal(one, other)
    assert np.ptp(np.nan_to_num(found[0][0])) > 0
