"""Headings in two lines: which of both names the systems, and what is refused."""

from __future__ import annotations

import pytest

from sigcore.readers import Intake, read

N = 12


def sheet(*heads: str) -> str:
    rows = [f"d{k}," + ",".join(f"{(k * (c + 3)) % 10 / 10}" for c in range(4)) for k in range(N)]
    return "\n".join([*heads, *rows]) + "\n"


def intake(text: str) -> Intake:
    return read([("sheet.csv", text.encode())])


def scores(found: Intake) -> dict[tuple[str, str], tuple[str, ...]]:
    assert not found.problems
    return {(item.measure, item.name): item.segments for item in found.items if item.kind == "scores"}


def column(c: int) -> tuple[str, ...]:
    return tuple(f"{(k * (c + 3)) % 10 / 10}" for k in range(N))


SYSTEMS_ABOVE = {("ROUGE-L", "One"): 0, ("Coverage", "One"): 1, ("ROUGE-L", "Two"): 2, ("Coverage", "Two"): 3}
MEASURES_ABOVE = {("BLEU", "One"): 0, ("BLEU", "Two"): 1, ("chrF", "One"): 2, ("chrF", "Two"): 3}

ONE_MEASURE = {("BLEU", name): c for c, name in enumerate(("One", "Two", "Three", "Four"))}


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        (("item,One,,Two,", ",ROUGE-L,Coverage,ROUGE-L,Coverage"), SYSTEMS_ABOVE),
        (("A study of 2025,,,,", ",,,,", "item,One,,Two,", ",ROUGE-L,Coverage,ROUGE-L,Coverage"), SYSTEMS_ABOVE),
        ((",One,One,Two,Two", "item,ROUGE-L,Coverage,ROUGE-L,Coverage"), SYSTEMS_ABOVE),
        ((",One,One,Two,Two", ",ROUGE-L,Coverage,ROUGE-L,Coverage"), SYSTEMS_ABOVE),  # an index without a name
        (("item,BLEU,,chrF,", ",One,Two,One,Two"), MEASURES_ABOVE),
        ((",BLEU,BLEU,BLEU,BLEU", "item,One,Two,Three,Four"), ONE_MEASURE),
        ((",BLEU,,,", "item,One,Two,Three,Four"), ONE_MEASURE),
        (("Our study,,,,", ",,,,", ",BLEU,,,", "item,One,Two,Three,Four"), ONE_MEASURE),
        ((",One,Two,Three,Four", "item,BLEU,BLEU,BLEU,BLEU"), ONE_MEASURE),
    ],
)
def test_groups_of_columns(heads: tuple[str, ...], expected: dict[tuple[str, str], int]) -> None:
    """Merged or repeated cells above, with or without a title: each measure has the scores of both systems."""
    assert scores(intake(sheet(*heads))) == {key: column(c) for key, c in expected.items()}


def test_lines_without_a_measure_are_refused() -> None:
    """Nobody can know whether Alpha or Ease is the system."""
    (problem,) = intake(sheet("item,Alpha,,Beta,", ",Ease,Care,Ease,Care")).problems
    assert "two lines of headings" in problem.what


@pytest.mark.parametrize(
    "heads",
    [
        ("item,One,,Two,", ",BLEU,chrF,BLEU,TER"),
        ("id,One,Two,Three,Four", "a,0.1,0.2,0.3,0.4"),
        (",,BLEU,,", "item,One,Two,Three,Four"),  # a column of numbers that is below no measure
        (",Trial,,,", "item,One,Two,Three,Four"),  # a word that is no measure
        ("BLEU,,,,", "item,One,Two,Three,Four"),  # a title
    ],
)
def test_groups_of_other_columns_are_not_joined(heads: tuple[str, ...]) -> None:
    """One group lacks a measure, the second line has scores, or what stands above is no measure of all columns."""
    assert not any("two lines" in notice.message for notice in intake(sheet(*heads)).notices)


@pytest.mark.parametrize("above", [(), ("A study of 2025,,,,",), ("A study of 2025,,,,", ",,,,")])
def test_lines_are_those_of_the_file(above: tuple[str, ...]) -> None:
    """The header of each measure is the second line of headings; a row without an id is found where it stands."""
    text = sheet(*above, ",One,,Two,", "id,ROUGE-L,Coverage,ROUGE-L,Coverage").replace("d3,", ",")
    lines = {notice.message.partition(":")[0]: notice.line for notice in intake(text).notices}
    start = len(above) + 1
    assert lines["Its headings are in two lines, systems above; each measure was read with its scores."] == start
    assert lines["Its first line was read as a header"] == start + 1
    assert lines["Column id"] == start + 5
