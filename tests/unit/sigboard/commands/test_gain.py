"""`sigboard gain`: the numbers of the matrix as points, and classes only of groups that were given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sigboard import commands
from sigcore import readers

HARBOUR = readers.samples.ROOT / "harbour"
FILES = ["--reference", str(HARBOUR / "ref.A.en"), "--systems", *sorted(map(str, (HARBOUR / "systems").glob("*.en")))]
GROUPS = ["--groups", str(HARBOUR / "groups.tsv")]


def answer(out: Path, command: str, *words: str) -> dict[str, Any]:
    """The JSON of a command on the sample."""
    call = [command, *FILES, "--resamples", "200", "--alternative", "greater", "--json", str(out), *words]
    assert commands.main(call) == 0
    content: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return content


def test_points_are_the_pairs_of_the_matrix(tmp_path: Path) -> None:
    """Every pair is a point once, with the gain and the p of the matrix, turned so that its gain is not negative."""
    found = answer(tmp_path / "gain.json", "gain", "--metric", "bleu", "ter")
    grid = answer(tmp_path / "matrix.json", "matrix", "--metric", "bleu", "ter")
    place = {system: k for k, system in enumerate(grid["systems"])}
    shared = ("systems", "n", "unit", "segments", "resamples", "seed", "alternative")
    assert [found[field] for field in shared] == [grid[field] for field in shared]
    for points, own in zip(found["results"], grid["results"], strict=True):
        assert (points["metric"], points["test"]) == (own["metric"], own["test"])
        assert len(points["points"]) == 8 * 7 / 2
        for point in points["points"]:
            i, j = place[point["system"]], place[point["baseline"]]
            assert point["gain"] == own["gains"][i][j] >= 0
            assert point["p_value"] == own["p_values"][i][j]
            assert point["confidence"] == 1 - point["p_value"]
            assert point["synthetic"] is False


def test_class_needs_groups(tmp_path: Path) -> None:
    """Without groups no pair has a class, however alike the names are; with them each pair has one."""
    silent = answer(tmp_path / "a.json", "gain")
    assert {point["class"] for point in silent["results"][0]["points"]} == {""}
    assert set(silent["groups"]) == {""}
    given = answer(tmp_path / "b.json", "gain", *GROUPS)
    classes = {(p["system"], p["baseline"]): p["class"] for p in given["results"][0]["points"]}
    assert set(classes.values()) == {"same group", "different groups"}
    assert classes["Albatross-2", "Albatross-1"] == "same group"


def test_pair_with_half_the_groups_has_no_class(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A system without a group gives its pairs no class and is named in a note; so is a group without a system."""
    table = tmp_path / "groups.tsv"
    table.write_text("system\tgroup\nDunlin\twaders\nCurlew\twaders\nHeron\twaders\n", encoding="utf-8")
    points = answer(tmp_path / "out.json", "gain", "--groups", str(table))["results"][0]["points"]
    assert [p["class"] for p in points if {p["system"], p["baseline"]} == {"Dunlin", "Curlew"}] == ["same group"]
    assert sum(p["class"] == "" for p in points) == len(points) - 1
    notes = capsys.readouterr().err
    assert "No group was given for Albatross-1" in notes
    assert "The table assigns a group to Heron, but no such system is loaded." in notes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("one\ntwo\n", "does not assign a group to any system"),
        ("system\tgroup\nHeron\twaders\n", "none of these systems is loaded"),
    ],
)
def test_groups_that_cannot_be_used_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    """A table that is not about groups, or about none of the systems, is an error."""
    table = tmp_path / "groups.tsv"
    table.write_text(text, encoding="utf-8")
    assert commands.main(["gain", *FILES, "--groups", str(table)]) == 2
    assert message in capsys.readouterr().err


def test_table_has_the_largest_gain_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json the pairs are a table, the largest gain first."""
    assert commands.main(["gain", *FILES, *GROUPS, "--resamples", "100"]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert lines[2].split() == ["system", "baseline", "gain", "in", "BLEU", "p", "class"]
    gains = [float(line.split()[2]) for line in lines[3:31]]
    assert gains == sorted(gains, reverse=True)
