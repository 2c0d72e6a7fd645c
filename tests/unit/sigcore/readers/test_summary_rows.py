"""A row of means or totals is no segment: it is refused with its line, in wide and long tables and in matrices."""

from __future__ import annotations

import pytest

from sigcore import readers
from sigcore.errors import ReadError, SigError
from tests.made import matrix_of

N = 12
WIDE = ["id,A,B", *(f"s{k},0.{k + 10},0.{(k * 7) % 31 + 10}" for k in range(N))]
LONG = ["system,segment,score", *(f"{s},s{k},0.{(k * w) % 31 + 10}" for s, w in (("A", 5), ("B", 7)) for k in range(N))]


def read(lines: list[str]) -> readers.Intake:
    return readers.read([("scores.csv", "\n".join(lines).encode())])


@pytest.mark.parametrize("word", ["mean", "Average", "TOTAL", "avg.", "macro avg", "overall", "std", " mean "])
def test_a_row_of_means_is_refused(word):
    """At the end and at the beginning; the line is named."""
    for lines, line in (
        ([*WIDE, f"{word},0.5,0.5"], N + 2),
        ([WIDE[0], f"{word},0.5,0.5", *WIDE[1:]], 2),
        ([*LONG, f"A,{word},0.5", f"B,{word},0.5"], 2 * N + 2),
    ):
        (problem,) = read(lines).problems
        assert isinstance(problem, ReadError)
        assert problem.line == line
        assert "would count as one more" in problem.what
    with pytest.raises(SigError, match="would count as one more"):
        matrix_of("m.csv", "\n".join([*WIDE, f"{word},0.5,0.5"]).encode())


@pytest.mark.parametrize("word", ["meaning", "sum of parts", "all", "s12", "total-2"])
def test_other_names_are_segments(word):
    """Only the whole name counts."""
    intake = read([*WIDE, f"{word},0.5,0.5"])
    assert intake.problems == ()
    assert {len(item.segments) for item in intake.items} == {N + 1}


def test_data_of_such_words_are_read():
    """Where the segments are such words, they are the data."""
    intake = read(["id,A,B", "mean,0.11,0.22", "median,0.31,0.12", "sum,0.2,0.7", "other,0.3,0.4"])
    assert intake.problems == ()


def test_texts_have_no_means():
    """An output of text for a segment called total."""
    lines = ["id,reference,A", *(f"s{k},a line {k},a lime {k}" for k in range(N)), "total,the total,the totals"]
    assert read(lines).problems == ()


def test_a_mean_of_ratings_is_no_rating():
    """A row of means below the ratings."""
    rows = [f"J{k % 2},{s},{k},{(k * 7) % 31 + 10}" for k in range(N) for s in "AB"]
    content = "\n".join(["judge,system,segment,score", *rows, "all,A,mean,20"]).encode()
    (problem,) = readers.read([("ratings.csv", content)]).problems
    assert "would count as one more" in problem.what


def parts(dash: str) -> list[str]:
    """Two parts of a table of means, each below its title."""
    rows = [[f"--- {part} ---,{dash},{dash}", *(f"{part}{k},{k + 30},{k * 7 % 31}" for k in range(6))] for part in "xy"]
    return ["id,A,B", *rows[0], *rows[1]]


@pytest.mark.parametrize("dash", ["-", "", "\u2014"])
def test_titles_of_parts_are_no_segments(dash):
    intake = read(parts(dash))
    assert intake.problems == ()
    assert {item.name: len(item.segments) for item in intake.items} == {"A": 12, "B": 12}
    (note,) = [one for one in intake.notices if "are titles of parts" in one.message]
    assert note.message == "2 rows without numbers are titles of parts, and no segments: --- x ---, --- y ---."
    assert note.line == 2


def test_a_gap_is_no_title():
    """Where other rows have gaps, too, or one of two systems has a score, all rows stay; so does a segment without any score."""
    nobody = [*parts("")[:1], *parts("")[2:8], "s2,,"]
    assert {len(item.segments) for item in read(nobody).items} == {7}
    gaps = [*parts("")[:1], "s1,,0.5", *parts("")[2:8], "s2,,"]
    assert {len(item.segments) for item in read(gaps).items} == {8}
