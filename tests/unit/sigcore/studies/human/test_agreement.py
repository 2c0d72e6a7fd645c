"""Accuracy, its intervals and the questions on differences: against definitions, and where nothing can differ."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sigcore.studies.human import result
from tests.oracles import judging

NAMES = ("a", "b", "c", "d", "e", "f")
PAIRS = judging.pairs(NAMES)
PLACES = np.array([(NAMES.index(a), NAMES.index(b)) for a, b in PAIRS])


def right(seed: int, share: float = 0.7, rows: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).random((rows, len(PAIRS))) < share


@pytest.mark.parametrize(("correct", "pairs"), [(0, 5), (5, 5), (3, 7), (34, 55), (66, 66), (1, 1)])
def test_the_exact_interval_is_that_of_binomial_tails(correct, pairs):
    """Both limits solve their tail for 2.5%."""
    share, low, high = result.percent(correct, pairs)
    assert share == pytest.approx(100 * correct / pairs)
    assert (low / 100, high / 100) == pytest.approx(judging.clopper_pearson(correct, pairs), abs=1e-9)


def test_no_pairs_no_percent():
    """Without pairs accuracy is undefined, not zero."""
    assert all(math.isnan(value) for value in result.percent(0, 0))


@pytest.mark.parametrize("seed", range(4))
def test_leaving_out_one_system_is_what_it_says(seed):
    """The half-width is a t quantile of S - 1 degrees times the jackknife error of the accuracies without one system."""
    found = right(seed)[0]
    low, high = result.leave_one_out(found, PLACES)
    middle, error = judging.leave_one_out(dict(zip(PAIRS, found.tolist(), strict=True)))
    assert middle == pytest.approx(found.mean())
    t = 2.570581835636314  # 97.5%, five degrees
    assert (low, high) == pytest.approx((100 * max(0, middle - t * error), 100 * min(1, middle + t * error)))


def test_leaving_out_needs_systems_and_spread():
    """Two systems, or accuracies that never change, give no interval."""
    assert all(map(math.isnan, result.leave_one_out(np.array([True]), np.array([[0, 1]]))))
    assert all(map(math.isnan, result.leave_one_out(np.ones(len(PAIRS), dtype=bool), PLACES)))


@pytest.mark.parametrize("seed", range(4))
def test_statistics_are_those_of_their_definitions(seed):
    """Chi-square cell by cell, Cochran's Q as printed, McNemar's p by counting all outcomes."""
    columns = right(seed, rows=4)
    chi, df, p = result.chi_square(columns.sum(axis=1), columns.shape[1])
    assert (chi, df) == (pytest.approx(judging.chi_square(columns.sum(axis=1).tolist(), columns.shape[1])), 3)
    q, df, q_p = result.cochran_q(columns)
    assert (q, df) == (pytest.approx(judging.cochran_q(columns.tolist())), 3)
    assert 0 < p <= 1
    assert 0 < q_p <= 1
    one, other, exact = result.mcnemar(columns[0], columns[1])
    assert exact == pytest.approx(judging.mcnemar(columns[0].tolist(), columns[1].tolist()))
    assert one - other == columns[0].sum() - columns[1].sum()


def test_where_nothing_can_differ_nothing_is_claimed():
    """All right, all wrong, or alike on every pair: chi-square or Q is 0 / 0, which is nan, and McNemar's p is 1."""
    for value in (True, False):
        same = np.full((3, 8), value)
        assert math.isnan(result.chi_square(same.sum(axis=1), 8)[0])
        assert math.isnan(result.cochran_q(same)[0])
    alike = np.tile([True, False, True, True], (3, 1))
    assert result.chi_square(alike.sum(axis=1), 4) == (0.0, 2, 1.0)
    assert math.isnan(result.cochran_q(alike)[2])
    assert result.mcnemar(alike[0], alike[1]) == (0, 0, 1.0)
    assert math.isnan(result.chi_square(np.array([3]), 4)[0])


def test_known_values():
    """Cochran's Q of a worked table, and of two columns McNemar's statistic without correction."""
    table = np.array([[1, 1, 0, 1, 1, 1], [0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 0]], dtype=bool)
    q, df, _ = result.cochran_q(table)
    assert (q, df) == (pytest.approx(6.5), 2)
    q, df, p = result.cochran_q(table[:2])
    assert (q, df) == (pytest.approx(3.0), 1)
    assert p == pytest.approx(math.erfc(math.sqrt(3 / 2)))
