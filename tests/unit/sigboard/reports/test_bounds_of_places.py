"""Where things stand in grids, histograms and figures: what is equal, what fits, and what would cover something else."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from sigboard.render import document, grid, picture, style
from sigboard.render.bars import bars, lines, span
from sigboard.render.picture import Box, DrawnLine, Picture, Text
from sigcore.results import Histogram
from sigcore.types import Comparisons
from tests.unit.factories import compare, matrix, one_test
from tests.unit.sigboard.figures.test_style import contrast

# ---- the lines and the axis of a histogram


@pytest.mark.parametrize("gain", [0.1, 1.0, -1.0, 40.0, -40.0])
@pytest.mark.parametrize(
    ("place", "width", "said"), [(1, 1, ""), (-1, 1, "mirror"), (2, 2, "2 × gain"), (0, 1, "cut-off 0")]
)
def test_places_on_an_axis_are_equal_to_a_millionth(gain: float, place: float, width: float, said: str) -> None:
    """Of the gain, or of 1 where it is smaller; of twice the gain it is twice as much."""
    scale = 1e-6 * max(1.0, abs(gain))

    def words(distance: float) -> list[str]:
        found = lines(one_test(gain=gain, cutoffs=(-math.inf, place * gain + distance * width * scale)))
        return [said for _, said, solid in found if not solid]

    for side in (-1, 1):
        (*near,) = words(side * 0.9)
        assert [word.startswith(said) for word in near] == [True] * bool(said)
        (far,) = words(side * 1.1)
        assert re.fullmatch("cut-off [+\u2212]?[0-9.]+", far)
        assert far != "cut-off 0"


@pytest.mark.parametrize("width", [0.02, 0.099, 0.1, 0.101, 0.5])
def test_an_axis_that_would_be_narrow_has_a_clear_gain_to_both_sides(width: float) -> None:
    """Narrower than a tenth of it; else it has a margin of a twenty-fifth."""
    null = Histogram(np.array([0.0, width]), np.array([10_000]))
    test = one_test(gain=0.0, cutoffs=(-math.inf, 0.0), histogram=null, tail=0)
    more = 1.0 if width < 0.1 else 0.04 * width
    assert span([test], compare(test)) == pytest.approx((-more, width + more))


def test_an_undefined_gain_has_no_place() -> None:
    """The axis is that of bars and lines; without any it is around zero."""
    test = one_test(gain=math.nan)
    assert span([test], compare(test)) == pytest.approx((-1.08, 1.08))
    none = one_test(gain=math.nan, histogram=Histogram(np.array([-1.0, 1.0]), np.array([0])), cutoffs=(-math.inf,) * 2)
    assert span([none], compare(none)) == (-1.0, 1.0)
    assert span([], compare(test)) == (-1.0, 1.0)


# ---- the grid of a page


@pytest.mark.parametrize("count", [34, 80, 90, 187, 374, 375])
def test_cells_of_a_narrow_grid_fill_the_screen(count: int) -> None:
    """Of 374 pixels, where names take none; each cell has at least one."""
    space = grid.space_of([str(k) for k in range(count)], True)
    assert space.cell == max(1, min(374 // count, 14 if count <= 80 else max(900 // count, 2)))


@pytest.mark.parametrize(("count", "size"), [(2, 13), (20, 13), (21, 12)])
def test_words_of_a_large_grid_are_smaller(count: int, size: int) -> None:
    assert grid.cells(matrix(np.arange(count, dtype=float)), 0.05)["size"] == size


def test_the_ink_of_each_colour_has_the_larger_contrast() -> None:
    """Of black and white; also where a part of the colour is nearly black."""
    for red in (0, 7, 11, 90, 250):
        for blue in (0, 10, 12, 255):
            for green in range(0, 256, 3):
                back = f"#{red:02X}{green:02X}{blue:02X}"
                black, white = contrast(back, "#000000"), contrast(back, "#FFFFFF")
                assert grid._ink(back) == ("#000000" if black > white else "#FFFFFF"), back


def test_only_open_verdicts_are_hatched() -> None:
    """Others have no word of it."""
    p = np.array([[1, 0.05, 0.5], [0.05, 1, 1e-4], [0.5, 1e-4, 1]])
    found = [cell for row in grid.cells(matrix(p=p), 0.05)["rows"] for cell in row["cells"]]
    assert {tuple(cell["pair"]) for cell in found if "hatched" in cell} == {(0, 1), (1, 0)}


# ---- pictures in files


def parts(made: Picture) -> tuple[list[Box], list[Text]]:
    boxes = [one for one in made.shapes if isinstance(one, Box)]
    return boxes, [one for one in made.shapes if isinstance(one, Text)]


@pytest.mark.parametrize("count", [1, 2, 3, 5, 12])
def test_texts_of_a_grid_stand_in_their_cells(count: int) -> None:
    """p and the symbol below it, a letter apart; p alone on the line of the name; the words below the last row."""
    p = np.full((count, count), 0.5)
    p[0, 1:] = p[1:, 0] = 1e-4
    boxes, texts = parts(made := picture.grid(matrix(np.arange(count, dtype=float), p=p), 0.05))
    *_, words = texts
    rows = [one for one in texts if one.anchor == "start" and one.kind == "name"]
    heads = [one for one in texts if one.anchor == "middle"][: 1 if count == 1 else None]
    assert len(rows) == count
    assert words.text == made.words
    middles = [picture.ROW * (k + 1.5) for k in range(count)]
    assert [one.y for one in rows] == pytest.approx([middle + picture.SIZE / 3 for middle in middles])
    for box in boxes:
        inside = [one for one in heads if box.x < one.x < box.x + box.width and box.y < one.y < box.y + box.height]
        assert {one.x for one in inside} == {box.x + box.width / 2}
        lines = sorted(one.y for one in inside)
        assert len(lines) == (1 if box.kind == "none" else 2)
        assert lines[-1] - lines[0] >= picture.SIZE or len(lines) == 1
        assert lines[0] - picture.SIZE >= box.y
        if len(lines) == 1:
            assert lines[0] in {one.y for one in rows}
    assert {box.y + box.height / 2 for box in boxes} == set(middles if count > 1 else [])
    below = max([middles[-1] + picture.ROW / 2, *(box.y + box.height for box in boxes)])
    assert below + picture.SIZE / 2 <= words.y - picture.SIZE <= below + picture.ROW
    assert made.height == words.y + picture.MARGIN


@pytest.mark.parametrize("count", [2, 30])
def test_a_picture_of_a_grid_holds_all_of_it(count: int) -> None:
    """Its words, where they are wider than the cells, and the cells, where they are; with a margin."""
    boxes, texts = parts(made := picture.grid(matrix(np.arange(count, dtype=float)), 0.05))
    cells = max(one.x + one.width + 1 for one in boxes)
    words = picture.LETTER * len(made.words)
    assert (cells > words) == (count == 30)
    assert made.width == pytest.approx(max(cells, words) + picture.MARGIN)
    heads = [one for one in texts if one.anchor == "middle" and one.y < picture.ROW]
    assert [one.text for one in heads] == [str(k + 1) for k in range(count)]
    assert all(picture.SIZE <= one.y <= picture.ROW - picture.SIZE / 3 for one in heads)


def test_a_pair_that_was_not_asked_is_not_drawn() -> None:
    """Against one baseline: each other system beside it, and it beside each."""
    result = matrix((40.0, 42.0, 41.5), family=Comparisons("one baseline", "sys0"))
    boxes, _ = parts(picture.grid(result, 0.05))
    column, row = picture.CELL, picture.ROW
    left = min(box.x for box in boxes)
    places = {(round((box.y - 1) / row) - 1, round((box.x - left) / column)) for box in boxes}
    assert places == {(0, 2), (1, 2), (2, 0), (2, 1)}  # the baseline is the last
    assert len(parts(picture.grid(matrix((40.0, 42.0, 41.5)), 0.05))[0]) == 6


def ticks(cuts: list[float], marked: list[float]) -> dict[str, float]:
    """The labels of an axis on which each pixel is 1, by where they are from its left."""
    null = bars(Histogram(np.array([0.0, 536.0]), np.array([1])), (-math.inf, math.inf))
    made = picture.drawn(null, cuts, "words", lambda value: f"{value:g}", marked)
    return {one.text: one.x - picture.MARGIN for one in parts(made)[1]}


@pytest.mark.parametrize(
    ("cuts", "marked", "shown"),
    [
        ([200.0, 248.0], [], {"200": 200, "0": 16, "536": 520}),
        ([200.0, 249.0], [], {"200": 200, "249": 249, "0": 16, "536": 520}),
        ([249.0, 200.0], [], {"200": 200, "249": 249, "0": 16, "536": 520}),
        ([200.0], [152.0], {"200": 200, "0": 16, "536": 520}),
        ([200.0], [151.0], {"200": 200, "151": 151, "0": 16, "536": 520}),
        ([64.0], [], {"64": 64, "536": 520}),
        ([65.0], [], {"65": 65, "0": 16, "536": 520}),
        ([472.0], [], {"472": 472, "0": 16}),
        ([471.0], [], {"471": 471, "0": 16, "536": 520}),
    ],
)
def test_labels_below_an_axis_are_48_pixels_apart(
    cuts: list[float], marked: list[float], shown: dict[str, float]
) -> None:
    """Those of cut-offs come first, those of the ends last, and these are moved inwards by 16 pixels."""
    assert ticks(cuts, marked) == shown


def test_labels_stand_between_the_axis_and_the_end_of_the_picture() -> None:
    made = picture.histogram(one_test())
    assert made is not None
    axis = next(one for one in made.shapes if isinstance(one, DrawnLine) and one.kind == "axis")
    assert (axis.x1, axis.x2, axis.y1) == (12, picture.WIDTH - 12, picture.HEIGHT - picture.FOOT)
    assert all(axis.y1 + picture.SIZE <= one.y < made.height - picture.SIZE / 3 for one in parts(made)[1])
    cuts = [one for one in made.shapes if isinstance(one, DrawnLine) and one.kind == "cut"]
    assert [(one.y1, one.y2) for one in cuts] == [(picture.MARGIN, axis.y1)] * 2


def test_very_many_bars_are_half_a_pixel_wide() -> None:
    """Or they could not be seen."""
    null = bars(Histogram(np.linspace(0, 1, 2001), np.ones(2000, dtype=int)), (-math.inf, math.inf))
    boxes, _ = parts(picture.drawn(null, [], "words", str, []))
    assert {one.width for one in boxes} == {0.5}
    assert len(picture.png_file(Picture(9, 9, (Box(1, 1, 0.1, 0.1, "bar"),), "words"))) > 0


@pytest.mark.parametrize(
    ("end", "drawn"),
    [
        (6, [(2, 6)]),
        (9, [(2, 6)]),
        (10, [(2, 6), (9, 10)]),
        (13, [(2, 6), (9, 13)]),
        (18, [(2, 6), (9, 13), (16, 18)]),
    ],
)
def test_the_dashes_of_a_cut_off(end: int, drawn: list[tuple[int, int]]) -> None:
    """Four pixels are drawn and three left out, as in a file of the browser and on its pages."""
    assert picture._parts(DrawnLine(5, 2, 5, end, "cut")) == [(5, top, 5, bottom) for top, bottom in drawn]
    assert picture._parts(DrawnLine(5, 2, 5, end, "axis")) == [(5, 2, 5, end)]
    for sheet in (picture.svg_file(Picture(9, 9, (), "words")), document.STYLE):
        assert re.findall(r"stroke-dasharray:(\d+) (\d+)", sheet) == [("4", "3")]


# ---- figures


def test_an_enlarged_figure_has_larger_sizes_and_nothing_else() -> None:
    """Sizes, widths, distances and margins are larger; numbers of the data, flags and names are the same."""
    small = go.Figure(
        go.Scatter(
            x=[1.0, 2.0],
            y=[3.0, 4.0],
            marker={"size": [5, 7], "opacity": 0.5, "line": {"width": 3}},
            error_x={"array": [1.0, 2.0], "thickness": 2, "width": 4},
            textfont={"size": 9},
        ),
        layout={
            "template": "none",
            "margin": {"l": 8, "t": 6, "pad": 2, "autoexpand": False},
            "xaxis": {"title": {"text": "12", "standoff": 8}, "nticks": 5, "range": [0, 10], "gridwidth": 1},
            "annotations": [{"text": "a", "xshift": 3, "yshift": -4, "x": 7, "showarrow": False, "borderpad": 1}],
            "height": 100,
        },
    )
    large = style.enlarged(small, 3.0, 250).to_dict()
    expected: dict[str, Any] = small.to_dict()
    trace, layout = expected["data"][0], expected["layout"]
    trace["marker"] |= {"size": [15, 21], "line": {"width": 9}}
    trace["error_x"] |= {"thickness": 6, "width": 12}
    trace["textfont"] = {"size": 27}
    layout["margin"] |= {"l": 24, "t": 18, "pad": 6}
    layout["xaxis"]["title"]["standoff"] = 24
    layout["annotations"][0] |= {"xshift": 9, "yshift": -12}
    layout["height"] = 250
    assert json.loads(go.Figure(large).to_json()) == json.loads(go.Figure(expected).to_json())


def test_a_figure_begins_with_nothing_but_its_words() -> None:
    """No grid, no line at zero, no legend, no way to zoom; what a figure asks for is added."""
    axis, layout = style.axis("light", "gain"), style.base_layout("light", 90)
    assert {axis[name] for name in ("zeroline", "showline", "showgrid")} == {False}
    assert axis["automargin"] is True
    assert (layout["showlegend"], layout["dragmode"], layout["height"]) == (False, False, 90)
    assert style.axis("light", "gain", showgrid=True) == {**axis, "showgrid": True}
    rows = style.layout(["a"], "gain", "light", False)
    numbers, names = rows["xaxis"], rows["yaxis"]
    assert isinstance(numbers, dict)
    assert isinstance(names, dict)
    assert (numbers["showgrid"], numbers["fixedrange"], names["fixedrange"]) == (True, True, True)


def test_a_finished_figure_is_made_once() -> None:
    """What is sent is what was made, the same object each time."""
    made = style.finished(lambda width, height: go.Figure(layout={"width": width, "height": height}), 30, height=20)
    assert made.to_dict()["layout"]["width"] == 30
    assert made.to_dict()["layout"]["height"] == 20
    assert made.to_dict() is made.to_dict()
