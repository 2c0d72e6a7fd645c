"""The verdict strip as a picture: a tile for each test, unit and program, with p in it and the colour of its verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sigboard.questions.compare.report import programs, strip_rows, strip_table
from sigboard.questions.compare.strip import alt_text, groups_of, size, tiles
from sigboard.render.style import CLEAR, palette
from sigcore.studies import strip
from sigcore.study import Study
from tests.made import score_set, text_set
from tests.unit.factories import HOSTILE


def result(rates: tuple[float, float] = (0.05, 0.3), documents: bool = True) -> strip.StripResult:
    """The strip of a made pair."""
    testset, outputs = text_set(60, rates)
    if documents:
        testset = replace(testset, documents=tuple(f"d{k // 5}" for k in range(60)))
    return strip.run(Study(testset, outputs, resamples=999))


def test_each_test_and_program_has_a_tile() -> None:
    """Ten tests and four programs in three groups; each p is written as in the table."""
    found = result()
    groups = groups_of(found)
    assert [title for title, _ in groups] == ["over 60 segments", "over 12 documents", "other programs"]
    assert [len(boxes) for _, boxes in groups] == [5, 5, 4]
    figure = tiles(found)
    assert len(figure.layout.shapes) == 14
    written = [note.text for note in figure.layout.annotations]
    for line in found.lines:
        if line.verdict != "not shown":
            assert line.p_text in written
    assert [box.marked for _, boxes in groups for box in boxes].count(True) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("rates", "blue"), [((0.05, 0.3), True), ((0.3, 0.05), False)])
def test_the_colour_is_that_of_the_verdict(theme: str, rates: tuple[float, float], blue: bool) -> None:
    """Where the system is better all tiles are blue, where it is worse orange, of the strength of a grid's key."""
    found, colours = result(rates), palette(theme)
    assert all(tile.significant for tile in found.tiles)
    fills = {shape.fillcolor for shape in tiles(found, theme).layout.shapes}
    assert fills <= set(colours.better if blue else colours.worse)


def test_the_size_of_a_verdict() -> None:
    """The limits of the colour key; a program that counts p below alpha does not mark p at alpha."""
    assert [size(p, 0.05, 1.0) for p in (0.06, 0.05, 0.01, 0.001)] == [0, 1, 2, 3]
    assert [size(p, 0.05, -1.0) for p in (0.06, 0.05, 0.01, 0.001)] == [0, -1, -2, -3]
    assert size(0.05, 0.05, 1.0, strict=True) == 0
    assert size(0.001, 0.05, 0.0) == size(float("nan"), 0.05, 1.0) == 0


def test_no_p_has_no_colour() -> None:
    """Nine units that differ: the tiles of bootstrap tests are empty and say n/a."""
    testset, outputs = score_set([1.0] * 9 + [0.0] * 30, [0.0] * 39)
    found = strip.run(Study(testset, outputs, [("own_scores", {})], resamples=100))
    shapes = tiles(found).layout.shapes
    assert [shape.fillcolor == CLEAR for shape in shapes] == [False, True, True, True, True, False]


def test_on_a_phone_groups_are_below_each_other() -> None:
    """The same tiles in three rows, so that none is narrower than its p."""
    found = result()
    wide, narrow = tiles(found), tiles(found, compact=True)
    assert narrow.layout.height == 3 * wide.layout.height
    assert narrow.layout.xaxis.range[1] == 5 < wide.layout.xaxis.range[1]
    assert len(narrow.layout.shapes) == len(wide.layout.shapes)


def test_words_say_what_is_shown() -> None:
    """The alternative text has the number of tiles and the sentence; the table has the reasons of all programs."""
    found = result()
    assert alt_text(found) == f"A row of 14 tiles, each with the p of a test or a program. {found.sentence}"
    rows = strip_rows(found)
    assert len(rows) == 15
    assert [row["test or program"] for row in rows[10:]] == [one.program.title for one in found.elsewhere]
    lines = programs(found)
    assert all(line.endswith(one.why) for line, one in zip(lines, found.elsewhere, strict=True))
    assert lines[0].startswith("sacreBLEU --paired-bs: p = 0.0010, one-sided in effect. It centres")
    assert [row["asked for"] for row in rows].count("*") == 1


def test_names_are_text() -> None:
    """A hostile name is printed without control characters, and is in no label of the figure."""
    found = replace(result(documents=False), system=f"{HOSTILE[0]}\x1b[31m")
    assert "\x1b" not in strip_table(found)
    assert HOSTILE[0] not in str(tiles(found).to_dict())
