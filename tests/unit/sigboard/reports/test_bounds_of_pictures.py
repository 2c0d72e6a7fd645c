"""What pictures in files, figures and workbooks show at the edges: one value, a gain of zero, a narrow screen."""

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
    book = zipfile.ZipFile(io.BytesIO(tables.workbook({"s": rows})))
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


def boxes(made: Picture | None) -> list[Box]:
    assert made is not None
    return [one for one in made.shapes if isinstance(one, Box)]


def test_bars_that_count_have_their_own_colour() -> None:
    """Beyond the cut-offs, which are dashed lines; a side without a cut-off has none, and a bin of nothing no bar."""
    null = Histogram(np.array([-2.0, -1.0, 0.0, 1.0, 2.0]), np.array([1, 4, 0, 1]))
    both = picture.histogram(one_test(histogram=null, cutoffs=(-1.0, 1.0)))
    assert [one.kind for one in boxes(both)] == ["tail", "bar", "tail"]
    one = picture.histogram(one_test(histogram=null, cutoffs=(-np.inf, 1.0)))
    assert one is not None
    assert [shape.kind for shape in one.shapes if isinstance(shape, DrawnLine)] == ["cut", "axis"]
    assert [shape.kind for shape in boxes(one)] == ["bar", "bar", "tail"]


def test_a_null_of_nothing_has_no_picture() -> None:
    """An exact p has one, if something was drawn beside it."""
    null = Histogram(np.array([-1.0, 1.0]), np.array([0]))
    assert picture.histogram(one_test(histogram=null)) is None
    exact, drawn = picture.histogram(one_test(exact=True)), picture.histogram(one_test())
    assert exact is not None
    assert drawn is not None
    assert exact.words == "Histogram of 10,000 shuffles; p is exact"
    assert drawn.words == "Histogram of shuffles: 38 of 10,000 count"


def test_zero_and_the_cut_offs_are_on_the_axis_of_a_picture() -> None:
    """Also where all bars are beside them."""
    right = Histogram(np.array([2.0, 3.0]), np.array([5]))
    left = Histogram(np.array([-3.0, -2.0]), np.array([5]))
    for null, cutoffs in ((right, (-np.inf, 4.0)), (left, (-4.0, np.inf))):
        made = picture.histogram(one_test(histogram=null, cutoffs=cutoffs))
        assert made is not None
        lines = [one for one in made.shapes if isinstance(one, DrawnLine) and one.kind == "cut"]
        assert all(picture.MARGIN <= one.x1 <= picture.WIDTH - picture.MARGIN for one in lines)
        (bar,) = boxes(made)
        assert bar.width == pytest.approx((picture.WIDTH - 2 * picture.MARGIN) / 4 - 0.5)


def test_colours_of_a_grid_are_those_of_its_verdicts() -> None:
    """The better system has a better row, of the level of p."""
    p = np.array([[1, 1e-4, 0.03], [1e-4, 1, 0.2], [0.03, 0.2, 1]])
    made = picture.grid(matrix((40.0, 42.0, 41.5), p=p), 0.05)
    assert [one.kind for one in boxes(made)] == ["none", "better3", "none", "better1", "worse3", "worse1"]


@pytest.mark.parametrize(("letters", "whole"), [(32, True), (33, False)])
def test_a_picture_has_names_of_32_letters(letters: int, whole: bool) -> None:
    made = picture.grid(matrix((40.0, 42.0), systems=("a", "n" * letters)), 0.05)
    assert (f"1 {'n' * letters}" in labels(made)) is whole


def test_names_of_an_svg_are_no_markup() -> None:
    """Neither as texts nor as what the picture shows in words."""
    shown = picture.svg(Picture(40, 30, (Text(1, 2, "<b>&\x07"),), 'a "b" <c>'))
    assert "&lt;b&gt;&amp;\ufffd" in shown
    assert 'aria-label="a &quot;b&quot; &lt;c&gt;"' in shown


def test_a_dashed_line_ends_where_it_should() -> None:
    """Between its dashes is white; other lines are whole."""
    dashed = np.asarray(pixels(DrawnLine(20, 2, 20, 18, "cut")))[:, 60]
    assert {bool(value < 250) for value in dashed[6:54]} == {True, False}
    assert (dashed[57:] >= 250).all()
    assert (np.asarray(pixels(DrawnLine(20, 2, 20, 18, "axis")))[6:54, 60] < 250).all()


def test_an_enlarged_figure_has_larger_texts_and_the_same_data() -> None:
    """The width of a bar is a number of its axis, and what is on or off stays so."""
    figure = go.Figure(go.Bar(x=[1.0], y=[2.0], width=0.5, marker={"line": {"width": 2}}))
    figure.update_layout(font={"size": 12}, margin={"l": 8, "autoexpand": True}, height=100)
    large = style.enlarged(figure, 2.0, 300)
    assert (large.layout.font.size, large.layout.margin.l, large.layout.height) == (24, 16, 300)
    assert large.layout.margin.autoexpand is True
    assert large.data[0].marker.line.width == 4
    assert (large.data[0].x[0], large.data[0].y[0]) == (1.0, 2.0)


@pytest.mark.parametrize("colours", [style.LIGHT, style.DARK], ids=["light", "dark"])
def test_each_verdict_has_its_colour(colours: style.Palette) -> None:
    """None is neutral; levels count from the weakest."""
    assert [colours.verdict(level) for level in (-3, -1, 0, 1, 3)] == [
        colours.worse[2], colours.worse[0], colours.neutral, colours.better[0], colours.better[2],
    ]  # fmt: skip
