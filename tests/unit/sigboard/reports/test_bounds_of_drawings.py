"""What fits into grids, bars, pictures, tables and sheets: one system, pixel or letter to either side of each bound."""

from __future__ import annotations

import io
import re
import zipfile

import numpy as np
import pytest

from sigboard.render import bibtex, grid, paper, picture, style, tables
from sigboard.render.bars import bars
from sigboard.render.grid import Space
from sigboard.render.picture import Box, Picture, Text
from sigboard.render.sentences import methods
from sigboard.render.text import matrix_table
from sigcore.results import Histogram
from tests.unit.factories import gain, matrix


def named(count: int, letters: int = 2) -> list[str]:
    return [f"{k:0{letters}d}" for k in range(count)]


@pytest.mark.parametrize(
    ("count", "space"),
    [
        (0, Space(46, 20, True, True, True, True, False)),
        (8, Space(46, 20, True, True, True, True, False)),
        (9, Space(44, 20, True, False, True, True, False)),
        (30, Space(14, 20, True, False, True, True, False)),
        (31, Space(14, 20, False, False, True, True, False)),
        (80, Space(14, 20, False, False, True, False, False)),
        (81, Space(11, 20, False, False, False, False, False)),
        (300, Space(3, 20, False, False, False, False, False)),
        (900, Space(2, 20, False, False, False, False, False)),
    ],
)
def test_what_fits_into_a_grid(count: int, space: Space) -> None:
    """Names of two letters, of seven pixels each, in 480 pixels: of 34 systems."""
    assert grid.space_of(named(count), False) == space


@pytest.mark.parametrize(
    ("count", "letters", "fits"),
    [(34, 2, True), (35, 2, False), (6, 11, True), (6, 12, False), (3, 20, True), (3, 90, True)],
)
def test_names_of_columns_fit_by_their_longest(count: int, letters: int, fits: bool) -> None:
    """Names are cut at twenty letters; a grid with short ones and a long one has no space for them."""
    assert grid.space_of(named(count, letters), False).names is fits
    mixed = [*named(count - 1, 1), *named(1, letters)]
    assert grid.space_of(mixed, False).names is fits


@pytest.mark.parametrize(
    ("count", "space"),
    [
        (1, Space(46, 12, True, False, True, False, True)),
        (8, Space(31, 12, True, False, True, False, True)),
        (12, Space(21, 12, True, False, True, False, True)),
        (13, Space(19, 12, False, False, True, False, True)),
        (22, Space(11, 12, False, False, True, False, True)),
        (23, Space(16, 12, False, False, False, False, True)),
        (300, Space(1, 12, False, False, False, False, True)),
        (500, Space(1, 12, False, False, False, False, True)),
    ],
)
def test_what_fits_into_the_narrow_form_of_a_grid(count: int, space: Space) -> None:
    """Names are left out beyond 22 systems, so that cells have their space."""
    assert grid.space_of(named(count), True) == space


def test_where_names_do_not_fit_columns_have_ranks() -> None:
    wide, narrow = grid.space_of(named(2), False), grid.space_of(named(2), True)
    assert grid.names_of(["first", "second"], wide) == (["first", "second"], ["first", "second"])
    assert grid.names_of(["first", "second"], narrow) == (["1 first", "2 second"], ["1", "2"])


def test_a_bin_without_width_has_no_bar() -> None:
    """Only a null with a single value is a point."""
    shown = bars(Histogram(np.array([0.0, 0.0, 1.0]), np.array([2, 3])), (-9.0, 9.0))
    assert (shown.left.tolist(), shown.right.tolist(), shown.heights.tolist()) == ([0.0], [1.0], [3.0])
    point = bars(Histogram(np.array([1.0, 1.0]), np.array([5])), (-9.0, 9.0))
    assert (point.left.tolist(), point.right.tolist(), point.heights.tolist()) == ([0.98], [1.02], [5.0])


def test_papers_are_found_by_author_and_year() -> None:
    found = bibtex.papers()
    assert {"papineni2002", "post2018", "koehn2004"} <= found.keys()
    assert all(re.match(rf"@\w+{{{re.escape(key)},\n", entry) for key, entry in found.items())


def drawn(*edges: float) -> Picture:
    counts = np.arange(1, len(edges))
    return picture.drawn(
        bars(Histogram(np.array(edges), counts), (-9.0, 99.0)), [], "words", lambda value: f"{value:g}", []
    )


def test_bars_of_a_picture_stand_side_by_side() -> None:
    """Between both margins, half a pixel apart, as high as their share of the tallest."""
    shapes = [one for one in drawn(0.0, 1.0, 2.0, 4.0).shapes if isinstance(one, Box)]
    whole = picture.WIDTH - 2 * picture.MARGIN
    assert [(one.x, one.width) for one in shapes] == [
        (12.0, whole / 4 - 0.5), (12.0 + whole / 4, whole / 4 - 0.5), (12.0 + whole / 2, whole / 2 - 0.5),
    ]  # fmt: skip
    base = picture.HEIGHT - picture.FOOT
    assert [one.y + one.height for one in shapes] == [base] * 3
    assert [one.height / (base - picture.MARGIN) for one in shapes] == pytest.approx([0.5, 1.0, 0.75])


def test_marked_places_have_their_labels_before_the_ends() -> None:
    """A label that would cover another one is left out."""

    def labels(cuts: list[float]) -> list[str]:
        shown = bars(Histogram(np.array([0.0, 10.0]), np.array([1])), (-9.0, 99.0))
        made = picture.drawn(shown, cuts, "words", lambda value: f"{value:g}", [])
        return [one.text for one in made.shapes if isinstance(one, Text)]

    assert labels([]) == ["0", "10"]
    assert labels([5.0]) == ["5", "0", "10"]
    assert labels([0.5, 5.0]) == ["0.5", "5", "10"]
    assert labels([0.0, 2.0, 10.0]) == ["0", "2", "10"]


def test_a_picture_of_a_grid_has_space_for_its_names() -> None:
    """Left of its cells, each of which has one pixel of space around it."""
    names = ("Kestrel", "A", "B")
    made = picture.grid(
        matrix((40.0, 42.0, 41.5), systems=names, p=np.array([[1, 0.001, 0.2], [0.001, 1, 0.03], [0.2, 0.03, 1]])), 0.05
    )
    cells = [one for one in made.shapes if isinstance(one, Box)]
    side = 2 * picture.MARGIN + picture.LETTER * len("3 Kestrel")
    assert min(one.x for one in cells) == side + 1
    assert {(one.width, one.height) for one in cells} == {(picture.CELL - 2, picture.ROW - 2)}
    stars = [one for one in made.shapes if isinstance(one, Text) and set(one.text) <= set("+-−*≪≫<>▲▼△▽«»‹›")]
    strong = [one for one in made.shapes if isinstance(one, Text) and one.kind == "strong"]
    assert len(strong) == 2 * sum(one.kind.endswith("3") for one in cells)
    centres = {one.x for one in made.shapes if isinstance(one, Text) and one.anchor == "middle"}
    assert centres == {side + picture.CELL * (k + 0.5) for k in range(3)}
    assert all(one.y - 29 in {picture.ROW * (k + 1) for k in range(3)} for one in stars)


def test_letters_that_cannot_be_printed_are_blanks_in_a_picture() -> None:
    """The font would have a box for them."""

    def png(text: str) -> bytes:
        return picture.png_file(Picture(120, 40, (Text(10, 20, text, "start", "name"),), "words"))

    assert png("a\x07b") == png("a b")
    assert png("axb") != png("a b")


@pytest.mark.parametrize(("rows", "height"), [(0, 120), (1, 120), (2, 120), (3, 146), (10, 328)])
def test_a_figure_is_as_high_as_its_rows_and_has_two_at_least(rows: int, height: int) -> None:
    assert style.height(rows) == height


@pytest.mark.parametrize(
    ("title", "cell", "width"),
    [
        ("a", "b", 10),
        ("a" * 8, "b", 10),
        ("a" * 9, "b", 11),
        ("a", "b" * 20, 22),
        ("a", "b" * 58, 60),
        ("a", "b" * 99, 60),
    ],
)
def test_columns_of_a_sheet_are_as_wide_as_their_texts(title: str, cell: str, width: int) -> None:
    """From ten letters to sixty; numbers need no more."""
    book = zipfile.ZipFile(io.BytesIO(tables.workbook({"s": [{title: cell, "n": 0.123456789012345}]})))
    sheet = book.read("xl/worksheets/sheet1.xml").decode()
    found = re.findall(r'<col min="(\d+)" max="(\d+)" width="([0-9.]+)"', sheet)
    widths = [round(float(one) - 0.7109375) for first, last, one in found for _ in range(int(first), int(last) + 1)]
    assert widths == [width, 10]


def test_a_workbook_has_one_date() -> None:
    """The same rows give the same bytes on any day."""
    book = zipfile.ZipFile(io.BytesIO(tables.workbook({"s": [{"a": "b"}]})))
    assert "1980-01-01T00:00:00Z" in book.read("docProps/core.xml").decode()


def test_a_caption_explains_the_marks_that_a_table_has() -> None:
    """Only beside a baseline, and where there are verdicts."""
    result = matrix((40.0, 42.0))
    with_baseline = paper.scores([result], 0.05, result.systems[0]).caption
    assert (
        f"{paper.BETTER}: significantly better than {result.systems[0]}; {paper.WORSE}: significantly worse"
        in with_baseline
    )
    assert "significantly better than" not in paper.scores([result], 0.05).caption.partition("Clusters")[0]


@pytest.mark.parametrize(
    ("pairs", "said"), [(1, "1 pair of systems was compared"), (2, "All 2 pairs of systems were compared")]
)
def test_how_many_pairs_were_compared(pairs: int, said: str) -> None:
    assert methods(gain(pairs), 0.05).startswith(said)


def test_parts_of_a_wide_table_have_their_names_to_the_left() -> None:
    """Numbers end below each other, and names begin so."""
    names = tuple(f"Kite{'x' * k}" for k in range(12))
    shown = matrix_table(matrix(tuple(40.0 + k for k in range(12)), systems=names), 0.05, said=False, columns=50)
    parts = [part.split("\n") for part in shown.split("\n\n") if part.startswith("    system")]
    assert [len(lines) for lines in parts] == [13, 13, 13]
    assert {line.index("Kite") for lines in parts for line in lines[1:]} == {4}
    assert all(len(line) <= 50 or "interval" in lines[0] for lines in parts for line in lines)
