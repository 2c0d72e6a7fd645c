"""Standard errors by formula: of a mean, of a mean of clustered scores, of a paired difference.

Source: Miller 2024, Adding Error Bars to Evals (arXiv 2411.00640), Sections 2 and 4.
"""

from __future__ import annotations

import numpy as np

from sigcore.types import Floats, Ints


def standard_error(scores: Floats, unit_of: Ints | None = None) -> Floats:
    """The standard error of the mean of each column of `scores` (n, C); (C,), nan for fewer than two units.

    Without clusters: sqrt(sum (s_i - s)^2 / (n - 1) / n), the central limit theorem. With `unit_of` (n,), the number of
    the cluster of each score: the square root of that variance plus 1/n^2 times the sum, over all clusters, of the products
    (s_i - s)(s_j - s) of different scores of one cluster. Differences of two systems are columns like any others: that is
    the paired standard error.
    """
    n = len(scores)
    if n < 2:
        return np.full(scores.shape[1], np.nan)
    centred = scores - scores.mean(axis=0)
    squares = (centred**2).sum(axis=0)
    variance = squares / (n - 1) / n
    if unit_of is not None:
        units = int(unit_of.max()) + 1
        if units < 2:
            return np.full(scores.shape[1], np.nan)
        sums = np.zeros((units, scores.shape[1]))
        np.add.at(sums, unit_of, centred)
        variance = variance + ((sums**2).sum(axis=0) - squares) / n**2
    return np.sqrt(np.maximum(variance, 0.0))


def normal_p(gains: Floats, errors: Floats) -> Floats:
    """The two-sided p of z = gain / error under a normal distribution; nan where the error is 0 or undefined."""
    from scipy.stats import norm

    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(errors > 0, 2 * norm.sf(np.abs(gains / errors)), np.nan))
