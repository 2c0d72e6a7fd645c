"""The line above the grid."""

from __future__ import annotations

import numpy as np

from sigboard.questions.matrix.page import line, parts_of
from tests.unit.factories import matrix


def test_the_line_has_the_smallest_significant_gain_and_the_resamples() -> None:
    """Of the pairs that differ, the smallest gain; with every verdict clear, no pair needs more resamples."""
    p = np.array([[1, 0.0005, 0.2], [0.0005, 1, 0.01], [0.2, 0.01, 1]])
    words = line(matrix([40.0, 42.0, 41.5], p=p), 0.05)
    assert words == "Smallest significant gain 0.50 BLEU · R = 10,000, no pair needs more"
    assert line(matrix([40.0, 42.0], p=np.array([[1, 0.5], [0.5, 1]])), 0.05).startswith("No gain is significant · ")


def test_pairs_that_more_resamples_could_decide_are_counted_once() -> None:
    """A pair is two cells and one pair."""
    p = np.array([[1, 0.049], [0.049, 1]])
    assert line(matrix([40.0, 42.0], p=p), 0.05).endswith("R = 10,000, 1 pair could need more (hatched)")


def test_exact_printed_and_single() -> None:
    """Without resampling p is exact; a p as printed elsewhere gives no verdict, and one system no pair."""
    assert line(matrix([40.0, 42.0], resamples=0), 0.05).endswith("· p is exact")
    assert line(matrix([40.0, 42.0], tie_rule="strict"), 0.05) == "R = 10,000"
    assert line(matrix([40.0]), 0.05) == "R = 10,000"


def test_nothing_is_called_hatched_where_no_cell_is() -> None:
    """Above 300 systems the marks would be smaller than a pixel, and are left out."""
    assert line(matrix(np.linspace(30, 40, 301), p=np.full((301, 301), 0.049)), 0.05).endswith(" pairs could need more")


def test_a_grid_that_is_too_large_is_drawn_in_parts() -> None:
    """First some of all ranks, then each rank in one part; up to the bound, which is in cells, it is one picture."""
    assert parts_of(1_414) == {}
    assert parts_of(5, most=25) == {}
    (every, first), *rest = parts_of(3_000).items()
    assert every == "every 10th rank"
    assert list(first) == list(range(0, 3_000, 10))
    assert [name for name, _ in rest][:2] == ["1 to 300", "301 to 600"]
    assert [rank for _, part in rest for rank in part] == list(range(3_000))
    assert all(len(part) <= 300 for part in parts_of(1_501).values())
    assert list(parts_of(1_501))[-1] == "1,501 to 1,501"
    assert parts_of(1_501)["every 6th rank"][-1] == 1_500
