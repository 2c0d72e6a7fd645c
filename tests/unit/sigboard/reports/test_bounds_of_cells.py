"""What the key and the cells of a grid say at the edges: exact p, pairs not asked, few and many systems."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sigboard.render import grid
from sigboard.render.grid import about_pair, cells, heading, key_words, p_of, statement
from sigcore.results import Grid, MatrixResult
from sigcore.types import Comparisons
from tests.unit.factories import matrix


def said(result: MatrixResult, compact: bool = False) -> list[str]:
    return heading(Grid.of(result, 0.05), compact)


def test_the_heading_names_the_correction_where_there_is_one() -> None:
    """And that there are no verdicts, where p follows other settings or few resamples cannot reach alpha."""
    assert said(matrix())[0] == "Row against column, p (Holm)"
    assert said(matrix(correction="none"))[0] == "Row against column, p"
    assert said(matrix(estimator="paper", least_p=0.02)) == ["Row against column, p (Holm): no verdict"]
    assert said(matrix(resamples=10, least_p=0.09)) == ["Row against column, p (Holm): no verdict"]


def open_grid(count: int, **changes: Any) -> MatrixResult:
    """All pairs with p at alpha, so that more resamples could change each verdict."""
    p = np.full((count, count), 0.05)
    return matrix(np.arange(count, dtype=float), p=p, **changes)


def test_the_heading_explains_marks_that_are_there() -> None:
    """Hatched cells and lines, not in the narrow form."""
    assert grid.UNDECIDED in said(open_grid(3))
    assert grid.BORDERLINE in said(open_grid(3, resamples=1_000_000))
    assert not {grid.UNDECIDED, grid.BORDERLINE} & set(said(open_grid(3), compact=True))
    clear = matrix((40.0, 42.0), p=np.array([[1, 1e-4], [1e-4, 1]]))
    assert said(clear) == ["Row against column, p (Holm)", grid.LINES]
    assert said(clear, compact=True) == ["Row against column, p (Holm)"]


@pytest.mark.parametrize(("count", "seen"), [(300, True), (301, False)])
def test_hatched_cells_are_seen_up_to_300_systems(count: int, seen: bool) -> None:
    assert (grid.UNDECIDED in said(open_grid(count))) is seen


def test_a_pair_that_was_not_asked_has_no_p() -> None:
    """Neither in its words nor in its details; one that was asked and has none has a question mark."""
    p = np.array([[1, 0.001, np.nan], [0.001, 1, np.nan], [np.nan, np.nan, 1]])
    result = matrix((40.0, 42.0, 41.5), p=p, family=Comparisons("one baseline", "sys0"))
    shown = cells(result, 0.05)
    found = {tuple(cell["pair"]): cell for row in shown["rows"] for cell in row["cells"] if "pair" in cell}
    assert found[1, 2]["words"] == ""
    assert "<br>p " not in found[1, 2]["details"]
    assert "adjusted" not in found[1, 2]["details"]
    assert found[2, 0]["words"] == "?"
    assert "<br>p = n/a" in found[2, 0]["details"]
    assert "adjusted (Holm) p = 0.0010" in found[1, 0]["details"]
    plain = Grid.of(matrix(correction="none"), 0.05).cell(0, 1)
    assert "adjusted" not in about_pair(plain)


def test_the_details_of_p_say_how_sure_it_is() -> None:
    """The interval of a p that was drawn; an exact one has none."""

    def ends(**settings: Any) -> tuple[str, str]:
        p = np.array([[1, 0.03], [0.03, 1]])
        return p_of(Grid.of(matrix((42.0, 40.0), p=p, **settings), 0.05).cell(0, 1))

    assert ends() == ("= 0.030", "Monte Carlo [0.027, 0.033]")
    assert ends(resamples=0) == ends(p_exact=True) == ("= 0.030", "exact")
    assert statement("< 0.001") == "&lt; 0.001"
    assert statement("0.001") == "= 0.001"


def test_the_words_of_the_key() -> None:
    """Each field has its symbol and its largest p; the middle one of each side says what it means."""
    words = key_words([-3, -2, -1, 0, 1, 2, 3], 0.05, False)
    assert [one.split("<br>")[0] for one in words] == [
        "\u2212\u2212\u2212 ≤ .001", "\u2212\u2212 ≤ .01", "\u2212 ≤ .05", "· not", "+ ≤ .05", "++ ≤ .01", "+++ ≤ .001",
    ]  # fmt: skip
    assert [one.split("<br>")[1] for one in words] == ["", "row worse", "", "significant", "", "row better", ""]
    two = key_words([-3, -2, 0, 2, 3], 0.01, False)
    assert [one.split("<br>")[1] for one in two] == ["row worse", "", "significant", "", "row better"]
    assert key_words([-1, 0, 1], 0.05, True) == [
        "\u2212<br>≤ .05<br>row worse", "·<br>not<br>significant", "+<br>≤ .05<br>row better",
    ]  # fmt: skip


def test_one_system_has_neither_key_nor_pairs() -> None:
    """Two have both; without verdicts there is no key."""
    assert (cells(matrix((1.0,)), 0.05)["heading"], cells(matrix((1.0,)), 0.05)["key"]) == (grid.ALONE, [])
    two = cells(matrix((1.0, 2.0)), 0.05)
    assert two["heading"] != grid.ALONE
    assert len(two["key"]) == 7
    assert cells(matrix((1.0, 2.0), estimator="paper"), 0.05)["key"] == []


@pytest.mark.parametrize(("count", "symbols"), [(30, True), (31, False)])
def test_cells_have_symbols_up_to_30_systems(count: int, symbols: bool) -> None:
    result = matrix(np.arange(count, dtype=float))
    assert grid.has_details(result) is symbols
    rows = cells(result, 0.05)["rows"]
    words = {cell.get("words") for row in rows for cell in row["cells"]} - {None}
    assert (words != {""}) is symbols


@pytest.mark.parametrize(("compact", "score"), [(False, "\u22121.00"), (True, "")])
def test_scores_below_zero_have_a_real_minus(compact: bool, score: str) -> None:
    """In the narrow form there is no space for them."""
    assert cells(matrix((-1.0, -2.0)), 0.05, compact=compact)["rows"][0]["score"] == score


@pytest.mark.parametrize(
    ("back", "ink"),
    [
        ("#FFFFFF", "#000000"),
        ("#000000", "#FFFFFF"),
        ("#00FF00", "#000000"),
        ("#0000FF", "#FFFFFF"),
        ("#767676", "#000000"),
        ("#747474", "#FFFFFF"),
    ],
)
def test_words_are_in_the_ink_that_can_be_read_better(back: str, ink: str) -> None:
    """Green is bright and blue is dark; between two greys it changes."""
    assert grid._ink(back) == ink
