"""`sigboard data`: what each file was detected as, and the findings; an error only where nothing can be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sigboard import terminal
from sigcore import readers

HARBOUR = readers.known.ROOT / "harbour"


def answer(out: Path, *words: str) -> dict[str, Any]:
    """The JSON of the command."""
    assert terminal.main(["data", *words, "--json", str(out)]) == 0
    content: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return content


def test_every_file_is_named_with_what_it_holds(tmp_path: Path) -> None:
    """References, systems, documents, groups and ratings of a folder are distinguished."""
    names = ("ref.A.en", "systems", "documents.tsv", "groups.tsv", "assessments.tsv")
    found = answer(tmp_path / "out.json", *(str(HARBOUR / name) for name in names))
    roles = {(row["name"] or row["file"].rpartition("/")[2]): row for row in found["files"]}
    assert {name: row["role"] for name, row in roles.items() if row["role"] != "system"} == {
        "ref.A": "reference",
        "document": "documents",
        "domain": "domains",
        "groups.tsv": "groups",
        "assessments": "ratings",
    }
    assert (roles["ref.A"]["format"], roles["ref.A"]["kind"], roles["ref.A"]["segments"]) == ("plain", "text", 300)
    (made,) = found["test_sets"]
    assert (made["kind"], made["segments"], made["references"], len(made["systems"])) == ("text", 300, 1, 8)
    assert found["problems"] == []


def test_bad_file_does_not_hide_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that cannot be read is a problem beside the others, with exit code 0; alone it is an error."""
    good, bad = tmp_path / "good.txt", tmp_path / "bad.zip"
    good.write_text("a b\nc d\n", encoding="utf-8")
    bad.write_bytes(b"PK\x03\x04 cut off")
    found = answer(tmp_path / "out.json", str(good), str(bad))
    assert len(found["problems"]) == 1
    assert [row["file"].rpartition("/")[2] for row in found["files"] if row["segments"]] == ["good.txt"]
    assert terminal.main(["data", str(bad)]) == 2
    assert "bad.zip" in capsys.readouterr().err


def test_table_names_the_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json the streams are a table, and the findings follow with their severity."""
    for name, lines in (("ref", 3), ("A", 3), ("B", 2)):
        (tmp_path / f"{name}.txt").write_text("a b c\n" * lines, encoding="utf-8")
    assert terminal.main(["data", *(str(tmp_path / f"{name}.txt") for name in ("ref", "A", "B"))]) == 0
    shown = capsys.readouterr().out
    assert shown.split("\n")[0].split() == [
        "file",
        "format",
        "role",
        "kind",
        "name",
        "measure",
        "segments",
        "test",
        "set",
    ]
    assert "error: B has 2 lines" in shown


def test_format_can_be_chosen(tmp_path: Path) -> None:
    """--format reads every file in the given format."""
    path = tmp_path / "numbers.txt"
    path.write_text("1\n2\n3\n", encoding="utf-8")
    assert answer(tmp_path / "a.json", str(path), "--format", "plain")["files"][0]["format"] == "plain"


def test_scores_of_several_measures_are_several_test_sets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each test set and each measure has its own findings, and its own headline in the table."""
    table = tmp_path / "scores.tsv"
    rows = ["system\tsegment\tCOMET\tBLEURT", *(f"{s}\t{i}\t0.{i}\t0.{9 - i}" for s in "AB" for i in range(1, 5))]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    made = answer(tmp_path / "out.json", str(table))["test_sets"]
    assert {one["measure"] for one in made} == {"COMET", "BLEURT"}
    assert {tuple(one["systems"]) for one in made} == {("A", "B")}
    capsys.readouterr()
    assert terminal.main(["data", str(table)]) == 0
    shown = capsys.readouterr().out
    assert all(f"\n{one} scores: 4 segments, 0 references, 2 systems\n" in shown for one in ("COMET", "BLEURT"))
