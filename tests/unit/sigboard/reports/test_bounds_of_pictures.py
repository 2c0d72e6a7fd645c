"""What pictures in files, figures and workbooks show at the edges: a null of one value, a gain of zero, a narrow screen."""

from __future__ import annotations

import io
import re
import zipfile

import numpy as np
import plotly.graph_objects as go
import pytest
from PIL import Image

from sigboard.render import picture, style, tables
from sigboard.render.bars import bars
from sigboard.render.picture import Box, DrawnLine, Picture, Text
from sigcore.results import Histogram
from tests.unit.factories import matrix, one_test


def test_a_null_of_one_value_is_a_whole_bar() -> None:
    """Beside a cut-off it is not split, so no part of it is said to be one."""
    point = bars(Histogram(np.array([1.0, 1.0]), np.array([5])), (-9.0, 9.0))
    assert point.split.tolist() == [False]
    parts = bars(Histogram(np.array([0.0, 1.0, 2.0]), np.array([5, 5])), (-9.0, 0.5))
    assert parts.split.tolist() == [True, True, False]


def labels(made: Picture) -> list[str]:
    return [one.text for one in made.shapes if isinstance(one, Text)]


def test_the_tick_at_zero_has_neither_sign_nor_decimals() -> None:
    """The others are gains with their sign."""
    made = picture.histogram(one_test())
    assert made is not None
    assert labels(made) == ["-0.62", "+0.62", "0", "-1.00", "+1.00"]


def test_a_pair_without_p_is_neither_better_nor_worse() -> None:
    """Its box has the colour of no verdict and what stands for p, alone."""
    p = np.array([[1, np.nan], [np.nan, 1]])
    made = picture.grid(matrix((40.0, 42.0), p=p), 0.05)
    assert [one.kind for one in made.shapes if isinstance(one, Box)] == ["none", "none"]
    inside = [one for one in made.shapes if isinstance(one, Text) and one.anchor == "middle"][2:]
    assert [one.kind for one in inside if one.text] == ["name"] * 2


def pixels(*shapes: Box | DrawnLine | Text) -> Image.Image:
    return Image.open(io.BytesIO(picture.png_file(Picture(40, 30, shapes, "words")))).convert("L")


def inked(image: Image.Image) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what is not white."""
    found = np.argwhere(np.asarray(image) < 250)
    return (*found.min(axis=0)[::-1].tolist(), *found.max(axis=0)[::-1].tolist())


def test_a_png_is_three_times_as_large_as_the_picture() -> None:
    """Boxes, lines and texts are where they are in the SVG."""
    assert pixels().size == (120, 90)
    assert inked(pixels(Box(10, 5, 20, 15, "tail"))) == (30, 15, 89, 59)
    left, top, right, bottom = inked(pixels(DrawnLine(5, 20, 35, 20, "axis")))
    assert (left, right) == (15, 105)
    assert (top, bottom) == (59, 61)
    left, top, right, bottom = inked(pixels(Text(20, 20, "HHH", "middle", "name")))
    assert abs((left + right) / 2 - 60) <= 2
    assert bottom in (59, 60)
    assert top < 50


@pytest.mark.parametrize(("anchor", "side"), [("start", 0), ("end", 2)])
def test_a_text_of_a_png_begins_or_ends_at_its_place(anchor: str, side: int) -> None:
    assert abs(inked(pixels(Text(20, 20, "HH", anchor, "name")))[side] - 60) <= 6


@pytest.mark.parametrize(("compact", "letters", "ticks"), [(True, 18, 5), (False, 44, 9)])
def test_a_narrow_figure_has_shorter_names_and_fewer_ticks(compact: bool, letters: int, ticks: int) -> None:
    """A name of so many letters is whole; of one more it is cut."""
    fits, long = "n" * letters, "n" * (letters + 1)
    made = style.layout([fits, long], "gain", "light", compact)
    axis, numbers = made["yaxis"], made["xaxis"]
    assert isinstance(axis, dict)
    assert isinstance(numbers, dict)
    whole, cut = axis["ticktext"]
    assert whole == f"{fits} "
    assert "…" in cut
    assert len(cut) == letters + 1
    assert numbers["nticks"] == ticks


def test_the_first_row_of_a_figure_is_at_its_top() -> None:
    """Each row has its name, and the axis ends a little beyond the first and the last."""
    axis = style.layout(["a", "b", "c"], "gain", "light", False)["yaxis"]
    assert isinstance(axis, dict)
    assert axis["range"] == pytest.approx([2.6, -0.6])
    assert list(axis["tickvals"]) == [0, 1, 2]


def test_whiskers_reach_to_both_ends_of_an_interval() -> None:
    """Their lengths are counted from the point, to the right and to the left."""
    figure = go.Figure()
    style.add_points(figure, np.array([1.0, -2.0]), np.array([[0.5, 3.0], [-2.25, -1.0]]), ["a", "b"], "light")
    (points,) = figure.data
    assert (list(points.x), list(points.y)) == ([1.0, -2.0], [0, 1])
    assert list(points.error_x.array) == [2.0, 1.0]
    assert list(points.error_x.arrayminus) == [0.5, 0.25]


def sheet(rows: list[dict[str, object]]) -> str:
    book = zipfile.ZipFile(io.BytesIO(tables.workbook({"s": rows})))  # type: ignore[dict-item]
    return book.read("xl/worksheets/sheet1.xml").decode()


def test_the_header_and_the_names_of_a_sheet_stay_when_it_is_scrolled() -> None:
    """One row, and one column."""
    pane = re.findall(r"<pane [^>]*>", sheet([{"a": "b", "n": 1}]))
    assert len(pane) == 1
    assert 'xSplit="1"' in pane[0]
    assert 'ySplit="1"' in pane[0]
    assert 'topLeftCell="B2"' in pane[0]


def test_numbers_of_a_sheet_are_below_their_header() -> None:
    """Undefined and infinite numbers are empty cells."""
    found = sheet([{"a": "b", "n": 1.5}, {"a": "c", "n": float("nan")}, {"a": "d", "n": float("inf")}])
    assert re.findall(r'<c r="(B\d)"><v>([^<]*)', found) == [("B2", "1.5")]
