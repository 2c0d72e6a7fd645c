"""Ratings by people: the points of errors, what makes a table one of ratings, and which column is which."""

from __future__ import annotations

import pytest

from sigcore.readers.contract import Content, Notice
from sigcore.readers.lines import decode, split
from sigcore.readers.tables import rated
from sigcore.readers.tables.table import Table

POINTS = {option.name: option.default for option in rated.POINTS}


def table(heads: str, *rows: str) -> Table:
    return Table("x.csv", heads.split(), [row.split() for row in rows], range(2, len(rows) + 2))


@pytest.mark.parametrize(
    ("category", "severity", "points"),
    [
        ("Accuracy", "Major", 5.0),
        ("Accuracy", " minor", 1.0),
        ("Fluency/Punctuation", "Minor", 0.1),
        ("Fluency/Punctuation", "Major", 5.0),
        ("Accuracy", "trivial", 0.1),
        ("Accuracy", "critical", 10.0),
        ("Non-translation!", "minor", 25.0),
        ("no-error", "major", 0.0),
        ("Accuracy", "Neutral", 0.0),
        ("Accuracy", "", 0.0),
        ("", "major", 5.0),
        ("Accuracy", "huge", None),
    ],
)
def test_points_of_an_error(category: str, severity: str, points: float | None) -> None:
    """By its category and its severity, as at WMT; None for a severity that nobody knows."""
    assert rated.weight(category, severity, POINTS) == points


@pytest.mark.parametrize(
    ("cell", "points"),
    [
        ('[{"severity": "major"}, {"severity": "minor"}]', 6.0),
        ('[{"severity": "minor", "error_type": "Punctuation", "category": "x"}]', 0.1),
        ('[{"severity": "minor", "category": "Punctuation"}]', 0.1),
        ('[{"severity": "major"}, {"severity": "huge"}]', None),
        ("[]", 0.0),
        ("x", None),
        ('[{"type": "minor"}]', None),
        ("3", None),
    ],
)
def test_points_of_a_list_of_errors(cell: str, points: float | None) -> None:
    """Their sum; None where one of them has no points."""
    assert rated.of_spans(cell, POINTS) == points


@pytest.mark.parametrize(
    ("file", "heads", "row", "are"),
    [
        ("x.csv", "judge system segment score", "", True),
        ("x.csv", "system segment score", "", False),
        ("x.csv", "system segment z", "", True),
        ("x.csv", "system segment score z", "", True),
        ("x.csv", "system segment type score", "A 1 CHK 3", True),
        ("x.csv", "system segment type score", "A 1 odd 3", False),
        ("x.csv", "system segment metric z", "", False),
        ("x.da.csv", "system segment score", "", True),
        ("data.csv", "system segment score", "", False),
        ("x.csv", "judge system score", "", False),
    ],
)
def test_what_makes_a_table_one_of_ratings(file: str, heads: str, row: str, are: bool) -> None:
    """A judge; else z, a type of rating or the name of the file, unless it has measures or outputs."""
    assert rated.are_ratings(file, heads.split(), row.split()) is are


def test_a_column_that_numbers_the_rows_names_no_segment() -> None:
    """An id that no two systems share; the next column does."""
    rows = ["1 A s1 5", "2 A s2 6", "3 B s1 7", "4 B s2 8"]
    columns = rated.assign(table("id system item score", *rows))
    assert columns.parts == {"system": 1, "segment": 2, "score": 3}
    shared = rated.assign(table("id system item score", "1 A s1 5", "2 A s2 6", "1 B s1 7", "2 B s2 8"))
    assert shared.parts["segment"] == 0
    alone = rated.assign(table("id system score", "1 A 5", "2 A 6", "3 B 7"))
    assert alone.parts["segment"] == 0


def test_a_score_comes_before_columns_of_criteria() -> None:
    """Without one, each of them is a score."""
    both = rated.assign(table("system segment adequacy fluency score", "A 1 2 3 4"))
    assert (both.rated, both.parts["score"]) == ([], 4)
    several = rated.assign(table("system segment adequacy fluency", "A 1 2 3"))
    assert several.rated == [2, 3]
    assert (
        several.sentence()
        == "Its columns were read as: system = system, segment = segment, adequacy = score, fluency = score."
    )


@pytest.mark.parametrize(
    ("systems", "names", "noted"),
    [
        (("wmt22.A", "wmt22.B"), ["A", "B"], 1),
        (("wmt22.A", "B"), ["wmt22.A", "B"], 0),  # not before all of them
        (("newstest2030.A", "newstest2030.B"), ["A", "B"], 1),
        (("online.A", "online.B"), ["online.A", "online.B"], 0),
        (('"A"', '"B"'), ["A", "B"], 1),
    ],
)
def test_names_without_their_test_set_and_quotes(systems: tuple[str, str], names: list[str], noted: int) -> None:
    """And that is said."""
    notices: list[Notice] = []
    found = rated.with_plain_names(table("system segment score", *(f"{name} 1 5" for name in systems)), notices)
    assert [row[0] for row in found.rows] == names
    assert len(notices) == noted


def test_a_line_is_a_system_and_its_score() -> None:
    """A missing one, too; a number in the place of the system is none."""
    lines = ["A 0.5", "A\tNone", "1 0.5", "A B 0.5", "A x"]
    assert [rated.pair(line) for line in lines] == [("A", "0.5"), ("A", "None"), None, None, None]


def test_lines_of_systems_are_ratings_by_place() -> None:
    """Numbered from 1 for each system; a reference that was made of others is none."""
    text = b"A 5\nA None\nB 6\nB 7\nsynthetic_ref 9\nsynthetic_ref 9\n"
    found = rated.pairs_table(Content("x.seg.score", text, decode, split))
    assert [list(row) for row in found.rows] == [["A", "1", "5"], ["A", "2", ""], ["B", "1", "6"], ["B", "2", "7"]]


@pytest.mark.parametrize(("letters", "known"), [(9_970, True), (10_000, False)])
def test_a_first_line_of_ten_thousand_characters_is_no_header(letters: int, known: bool) -> None:
    """It is a text."""
    text = f"judge,system,segment,score,{'x' * letters}\nAnn,A,1,5,y\n"
    headings, row = rated.first_rows(Content("x.csv", text.encode(), decode, split))
    assert (headings[:4], row[:4]) == (
        (["judge", "system", "segment", "score"], ["Ann", "A", "1", "5"]) if known else ([], [])
    )
