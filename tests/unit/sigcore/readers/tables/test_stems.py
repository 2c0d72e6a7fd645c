"""Columns X_ref beside X_pred: one output and its reference, whatever else the table has."""

from __future__ import annotations

import json
import random

from sigcore.readers import Intake, read

N, DRAW = 24, random.Random(4)
ENGLISH = ["the", "cat", "sat", "on", "a", "mat", "while", "dogs", "ran", "far"]
GERMAN = ["der", "hund", "lief", "weit", "fort", "vom", "haus", "und", "sang", "laut"]
FRENCH = ["le", "chien", "courait", "loin", "de", "la", "maison", "et", "chantait", "fort"]


def lines(words: list[str]) -> list[str]:
    return [" ".join(DRAW.choices(words, k=8)) for _ in range(N)]


def changed(texts: list[str], words: list[str]) -> list[str]:
    return [f"{text.rpartition(' ')[0]} {DRAW.choice(words)}" for text in texts]


SOURCE, GOLD, OTHER = lines(ENGLISH), lines(GERMAN), lines(FRENCH)


def intake(*files: dict[str, list[object]]) -> Intake:
    """A file of records for each set of columns: first.json, second.json."""
    given = []
    for name, columns in zip(("first", "second"), files, strict=False):
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        text = json.dumps({"model": name, "results": [{"id": k, **row} for k, row in enumerate(rows)]})
        given.append((f"{name}.json", text.encode()))
    return read(given)


def roles(found: Intake) -> set[tuple[str, str, str]]:
    assert not found.problems
    return {(item.testset, item.role, item.name) for item in found.items}


def test_a_language_has_one_output_and_its_source() -> None:
    """en is what was translated, and the systems are the files."""
    files = (
        {"en": SOURCE, "de_ref": GOLD, "de_pred": changed(GOLD, GERMAN), "latency_ms": [*range(N)]} for _ in range(2)
    )
    found = intake(*files)
    assert {(role, name) for _, role, name in roles(found) if role == "system"} == {
        ("system", "first"),
        ("system", "second"),
    }
    assert {item.segments for item in found.items if item.role == "source"} == {tuple(SOURCE)}
    assert {item.segments for item in found.items if item.role == "reference"} == {tuple(GOLD)}


def test_each_language_is_a_test_set() -> None:
    one = {"de_ref": GOLD, "de_pred": changed(GOLD, GERMAN), "fr_ref": OTHER, "fr_pred": changed(OTHER, FRENCH)}
    found = intake(one)
    assert roles(found) == {
        (t, r, n) for t in ("de", "fr") for r, n in (("reference", "reference"), ("system", "first"))
    }


def test_systems_with_the_same_reference_are_rivals() -> None:
    one = {"t5_ref": GOLD, "t5_pred": changed(GOLD, GERMAN), "bart_ref": GOLD, "bart_pred": changed(GOLD, GERMAN)}
    assert roles(intake(one)) == {("", "reference", "reference"), ("", "system", "t5"), ("", "system", "bart")}


def test_a_text_like_the_reference_may_be_another_system() -> None:
    """baseline shares the words of the reference, so it is left as it was."""
    one = {"de_ref": GOLD, "de_pred": changed(GOLD, GERMAN), "baseline": changed(GOLD, GERMAN)}
    assert {name for _, role, name in roles(intake(one)) if role == "system"} == {"de_pred", "baseline"}


def test_rows_of_several_systems_are_not_pooled() -> None:
    """Each sentence comes again for another recogniser, raw and normalised: no table of one system."""
    rows = {"raw_reference": GOLD * 2, "raw_hypothesis": changed(GOLD, GERMAN) * 2}
    assert {name for _, role, name in roles(intake(rows)) if role == "system"} != {"first"}


def test_one_text_in_two_shapes_is_no_two_languages() -> None:
    upper = [text.replace("der", "Der") for text in GOLD]
    one = {"raw_ref": GOLD, "raw_pred": changed(GOLD, GERMAN), "cased_ref": upper, "cased_pred": changed(upper, GERMAN)}
    assert not {item.testset for item in intake(one).items} - {""}


def test_an_empty_column_is_like_no_reference() -> None:
    """It has no words that could be compared, and is left out beside the output."""
    one = {"de_ref": GOLD, "de_pred": changed(GOLD, GERMAN), "baseline": [""] * N}
    assert roles(intake(one)) == {("", "reference", "reference"), ("", "system", "first")}
