"""`sigboard gain`: the numbers of the matrix as points, and classes only of groups that were given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sigboard import terminal
from sigcore import readers
from sigcore.studies import gain
from tests.oracles import thresholds as slow

HARBOUR = readers.known.ROOT / "harbour"
FILES = ["--reference", str(HARBOUR / "ref.A.en"), "--systems", *sorted(map(str, (HARBOUR / "systems").glob("*.en")))]
GROUPS = ["--groups", str(HARBOUR / "groups.tsv")]


def answer(out: Path, command: str, *words: str) -> dict[str, Any]:
    """The JSON of a command on the sample."""
    call = [command, *FILES, "--resamples", "200", "--alternative", "greater", "--json", str(out), *words]
    assert terminal.main(call) == 0
    content: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return content


def test_points_are_the_pairs_of_the_matrix(tmp_path: Path) -> None:
    """Every pair is a point once, with the gain and the p of the matrix, turned so that its gain is not negative."""
    both = ("--metric", "bleu", "ter", "--test", "two_delta_bootstrap", "approximate_randomization")
    found = answer(tmp_path / "gain.json", "gain", *both)
    grid = answer(tmp_path / "matrix.json", "matrix", *both)
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
            p = point["p_value"]
            assert point["confidence"] == (None if p is None else 1 - p)
            assert point["synthetic"] is False


def test_class_needs_groups(tmp_path: Path) -> None:
    """Without groups all pairs are one class, however alike the names are; with them each pair has its own."""
    silent = answer(tmp_path / "a.json", "gain")
    assert {point["class"] for point in silent["results"][0]["points"]} == {"all"}
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
    assert terminal.main(["gain", *FILES, "--groups", str(table)]) == 2
    assert message in capsys.readouterr().err


def test_the_test_of_the_paper_is_the_default(tmp_path: Path) -> None:
    """Without --test and --alternative it is the two-delta bootstrap, on the side of the gain."""
    out = tmp_path / "out.json"
    assert terminal.main(["gain", *FILES, "--resamples", "100", "--json", str(out)]) == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    assert content["alternative"] == "greater"
    assert [item["test"] for item in content["results"]] == ["two_delta_bootstrap"]
    assert content["points"] == content["results"][0]["points"]
    assert content["thresholds"] == content["results"][0]["thresholds"]


def test_thresholds_are_those_of_the_points(tmp_path: Path) -> None:
    """Every threshold is what loops find in the points of its class; mixtures are points of other classes, and marked."""
    content = answer(tmp_path / "out.json", "gain", *GROUPS, "--mixtures", "12", "--metric", "bleu")
    points, named = content["points"], {item["class"]: item for item in content["thresholds"]}
    assert sum(point["synthetic"] for point in points) == 36 * 35 / 2
    assert sum(not point["synthetic"] for point in points) == 8 * 7 / 2
    assert {point["class"] for point in points if point["synthetic"]} == {gain.MIXED_TOGETHER, gain.MIXED_APART}
    assert set(named) == {point["class"] for point in points}
    for name, item in named.items():
        own = [p for p in points if p["class"] == name and p["p_value"] is not None]
        near = slow.borderline([p["gain"] for p in own], [p["p_value"] for p in own])
        assert item["n"] == len(near)
        assert (item["threshold"] is None) == (len(near) < 10) == bool(item["reason"])
        if len(near) >= 10:
            assert item["threshold"] == pytest.approx(slow.percentile(near, 95), abs=1e-9)
            assert item["low"] <= item["threshold"] <= item["high"]
    assert named[gain.MIXED_APART]["n"] >= 10  # the test is not empty


def test_mixtures_of_chosen_systems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--base names the pairs that are mixed; a name that is not loaded, or twice the same, is an error."""
    content = answer(tmp_path / "out.json", "gain", "--mixtures", "2", "--base", "Dunlin", "Curlew")
    mixed = [point for point in content["points"] if point["synthetic"]]
    assert [(p["class"], {p["system"], p["baseline"]}) for p in mixed] == [
        (gain.MIXED_TOGETHER, {"Dunlin with 33.3% Curlew", "Dunlin with 66.7% Curlew"})
    ]
    for names, message in ((("Dunlin", "Heron"), "Heron is not loaded"), (("Dunlin", "Dunlin"), "mixed with itself")):
        assert terminal.main(["gain", *FILES, "--mixtures", "2", "--base", *names, "--resamples", "50"]) == 2
        assert message in capsys.readouterr().err


def test_combinations_are_a_class(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The column kind makes pairs of combinations a class, and pairs of one with another system none; others are refused."""
    table = tmp_path / "groups.tsv"
    rows = [("system", "group", "kind"), ("Dunlin", "waders", "combination"), ("Curlew", "waders", "Combination")]
    rows += [("Grebe", "waders", "system"), ("Cormorant", "divers", "")]
    table.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    points = answer(tmp_path / "out.json", "gain", "--groups", str(table))["points"]
    classes = {frozenset((p["system"], p["baseline"])): p["class"] for p in points}
    assert classes[frozenset(("Dunlin", "Curlew"))] == "combination"
    assert classes[frozenset(("Dunlin", "Grebe"))] == ""
    assert classes[frozenset(("Cormorant", "Grebe"))] == "different groups"
    table.write_text("system\tgroup\tkind\nDunlin\twaders\tduck\n", encoding="utf-8")
    assert terminal.main(["gain", *FILES, "--groups", str(table)]) == 2
    assert "'duck' is not a kind of system" in capsys.readouterr().err


def test_my_gain(tmp_path: Path) -> None:
    """--my-gain counts the pairs within a fifth of the gain, and the significant ones among them."""
    content = answer(tmp_path / "out.json", "gain", "--my-gain", "4.5")
    near = [p for p in content["points"] if 3.6 <= p["gain"] <= 5.4 and p["p_value"] is not None]
    mine = content["results"][0]["my_gain"]
    assert (mine["pairs"], mine["significant"]) == (len(near), sum(p["p_value"] <= 0.05 for p in near))
    assert mine["pairs"] > 0


def test_table_has_the_largest_gain_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json the pairs are a table, the largest gain first."""
    assert terminal.main(["gain", *FILES, *GROUPS, "--resamples", "100"]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert lines[2].split() == ["system", "baseline", "gain", "in", "BLEU", "p", "class"]
    gains = [float(line.split()[2]) for line in lines[3:31]]
    assert gains == sorted(gains, reverse=True)
