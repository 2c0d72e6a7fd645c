"""The pairwise grid as the browser draws it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sigboard.render.grid import cells, has_details
from sigboard.render.style import palette
from tests.unit.factories import HOSTILE, matrix

P = np.array([[1, 0.0005, 0.03], [0.0005, 1, 0.2], [0.03, 0.2, 1]])


def words(table: dict) -> list[list[str]]:
    """The words of all cells; "" on the diagonal."""
    return [[cell.get("words", "") for cell in row["cells"]] for row in table["rows"]]


def test_cells_follow_the_verdicts_in_score_order() -> None:
    """The best system is the first row; each cell has the symbol and the colour of row against column, and its pair."""
    table = cells(matrix([40.0, 42.0, 41.5], p=P), 0.05)
    assert [row["name"] for row in table["rows"]] == ["sys1", "sys2", "sys0"] == table["columns"]
    assert [row["score"] for row in table["rows"]] == ["42.00", "41.50", "40.00"]
    assert words(table) == [
        ["", "+0.50<br>·", "+2.00<br>+++"],
        ["−0.50<br>·", "", "+1.50<br>+"],
        ["−2.00<br>−−−", "−1.50<br>−", ""],
    ]
    first = table["rows"][0]["cells"]
    assert [cell.get("pair") for cell in first] == [None, [1, 2], [1, 0]]
    colours = palette("light")
    assert [cell.get("back") for cell in first] == [None, colours.neutral, colours.better[2]]


def test_lower_is_better_turns_the_order() -> None:
    """Under TER the lowest score comes first and is the better one."""
    table = cells(matrix([50.0, 40.0], better="lower", metric_title="TER"), 0.05)
    assert table["rows"][0]["name"] == "sys1"
    assert "+" in table["rows"][0]["cells"][1]["words"].split("<br>")[1]


def test_words_can_be_read_on_their_colour() -> None:
    """In both themes the words of each verdict have a contrast of at least 4.5 to the colour of their cell."""
    p = np.array([[1, 0.0005, 0.005, 0.03], [0.0005, 1, 0.2, 0.2], [0.005, 0.2, 1, 0.2], [0.03, 0.2, 0.2, 1]])
    for theme in ("light", "dark"):
        table = cells(matrix([44.0, 42.0, 41.5, 40.0], p=p), 0.05, theme)  # type: ignore[arg-type]
        shown = {(cell["back"], cell["ink"]) for row in table["rows"] for cell in row["cells"] if "back" in cell}
        assert len(shown) == 7
        assert min(contrast(*pair) for pair in shown) >= 4.5


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2 between two colours "#RRGGBB"."""
    lights = []
    for colour in (one, other):
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def test_hostile_names_are_literal() -> None:
    """The browser sets names as text; details, which it parses, have no live markup of a name."""
    table = cells(matrix([5, 4, 3, 2, 1], systems=HOSTILE, groups=("",) * 5), 0.05)
    details = [cell["details"] for row in table["rows"] for cell in row["cells"]]
    assert not any("<img" in text or "<b>bold" in text for text in details)
    assert any("&lt;img src=x&gt;" in text for text in details)
    assert any(row["name"].endswith("<img src=x>") for row in table["rows"])


def test_full_name_in_the_details() -> None:
    """A name too long for its row is shortened there and whole in the details."""
    name = "a-very-long-name-of-a-system-with-config-17"
    row = cells(matrix([2, 1], systems=(name, "b")), 0.05)["rows"][0]
    assert "…" in row["name"]
    assert name in row["cells"][0]["details"]
    assert name in row["cells"][1]["details"]


def test_details_never_say_p_is_zero() -> None:
    """The smallest p reads as below the resolution."""
    details = cells(matrix([50.0, 40.0]), 0.05)["rows"][0]["cells"][1]["details"]
    assert "p = 0.00010, Monte Carlo" in details


def test_undefined_p_is_a_question_mark() -> None:
    """A pair without a p-value has a question mark and not the colour of no difference."""
    p = np.array([[1, np.nan], [np.nan, 1]])
    table = cells(matrix([2, 1], p=p), 0.05)
    assert words(table) == [["", "?"], ["?", ""]]
    assert "back" not in table["rows"][0]["cells"][1]
    assert "? = no p-value" in table["heading"]


def test_one_system_says_so() -> None:
    """A grid of one system has one cell, no key, and says that there are no pairs."""
    table = cells(matrix([40.0]), 0.05)
    assert len(table["rows"]) == len(table["rows"][0]["cells"]) == 1
    assert not table["key"]
    assert "no pairs" in table["heading"]


def test_the_key_has_only_reachable_verdicts() -> None:
    """Where alpha, or the smallest p of these resamples, excludes a level, the key has no field for it."""
    seven, five = (cells(matrix(), alpha)["key"] for alpha in (0.05, 0.005))
    assert (len(seven), len(five)) == (7, 5)
    assert not any(".05" in line for field in five for line in field["lines"])
    assert any("row better" in line for field in five for line in field["lines"])
    few = matrix([40.0, 42.0], p=np.array([[1, 0.02], [0.02, 1]]), least_p=0.004)
    assert len(cells(few, 0.05)["key"]) == 5
    assert not cells(matrix([40.0, 42.0], least_p=0.2), 0.05)["key"]  # no verdict at all


def test_undecided_cells_are_hatched() -> None:
    """Exactly the pairs whose Monte Carlo interval includes alpha, with words in the heading."""
    p = np.array([[1, 0.049, 0.5], [0.049, 1, 0.001], [0.5, 0.001, 1]])
    result = matrix([42.0, 41.5, 40.0], p=p)
    table = cells(result, 0.05)
    hatched = {
        (r, c) for r, row in enumerate(table["rows"]) for c, cell in enumerate(row["cells"]) if cell.get("hatched")
    }
    assert hatched == {(int(i), int(j)) for i, j in np.argwhere(result.undecided(0.05))} == {(0, 1), (1, 0)}
    assert "hatched" in table["heading"]
    assert "hatched" not in cells(result, 0.2)["heading"]


def test_lines_are_named() -> None:
    """The lines between groups are sent as ranks, and the heading says what they mean."""
    p = np.array([[1, 0.2, 0.01], [0.2, 1, 0.01], [0.01, 0.01, 1]])
    result = matrix([42.0, 41.5, 40.0], p=p)
    assert cells(result, 0.05)["lines"] == [2]
    assert "every system above it is better" in cells(result, 0.05)["heading"]
    assert "every system above" not in cells(result, 0.005)["heading"]


def test_long_names_become_ranks() -> None:
    """Columns have names where they fit without a slant, otherwise ranks; the rows then have both."""
    assert cells(matrix([2.0, 1.0], systems=("a-long-name-indeed-1", "b")), 0.05)["columns"][1] == "b"
    table = cells(matrix(np.arange(6.0), systems=tuple(f"a-long-name-indeed-{k}" for k in range(6))), 0.05)
    assert table["columns"] == ["1", "2", "3", "4", "5", "6"]
    assert table["rows"][0]["name"] == "1 a-long-name-indeed-5"


def test_space_decides_what_cells_say() -> None:
    """Up to eight systems a cell has its gain, up to thirty its symbol; the narrow form leaves scores and gains out."""
    assert words(cells(matrix([42.0, 40.0]), 0.05))[0][1] == "+2.00<br>++"
    assert words(cells(matrix(np.arange(9.0)), 0.05))[0][1] == "+"
    narrow = cells(matrix(np.arange(11.0)), 0.05, compact=True)
    assert narrow["columns"] == [str(k) for k in range(1, 12)]
    assert {row["score"] for row in narrow["rows"]} == {""}
    assert narrow["height"] < cells(matrix(np.arange(11.0)), 0.05)["height"]
    assert has_details(matrix(np.arange(30.0)))
    assert not has_details(matrix(np.arange(31.0)))


@pytest.mark.parametrize("count", [1, 11, 30])
def test_a_grid_can_be_sent(count: int) -> None:
    """The table is JSON, and that of thirty systems is below 600 kB; eleven systems fit a laptop screen."""
    table = cells(matrix(np.linspace(30, 40, count)), 0.05)
    assert len(json.dumps(table, allow_nan=False)) < 600_000
    assert count > 11 or table["height"] * count < 520
