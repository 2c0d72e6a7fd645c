"""Every command that reads scores states their direction, and asks what numbers such as -1 mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sigboard import terminal

N = 60
COMMANDS = {
    "matrix": ["matrix", "--systems"],
    "compare": ["compare", "--systems"],
    "gain": ["gain", "--systems"],
    "size": ["size", "--test", "approximate_randomization", "--systems"],
    "pairwise": ["pairwise"],
    "tasks": ["tasks"],
    "scores": ["scores", "--matrix"],
}
FEW = ["--resamples", "200"]


def table(folder: Path, measure: str, wide: bool = False, failed: bool = False) -> str:
    """Scores of A and B, A's larger; A's `failed` ones are -1."""
    cells = {"A": [5 + (7 * k) % 4 for k in range(N)], "B": [2 + (5 * k) % 5 for k in range(N)]}
    if failed:
        cells["A"] = [-1 if k % 10 == 3 else x for k, x in enumerate(cells["A"])]
    path = folder / f"{measure}.csv"
    if wide:
        lines = ["doc,A,B", *(f"d{k},{cells['A'][k]},{cells['B'][k]}" for k in range(N))]
    else:
        lines = [f"item_id,model,{measure}", *(f"{k},{name},{cells[name][k]}" for k in range(N) for name in "AB")]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def asked(command: str, file: str, *words: str) -> int:
    return terminal.main([*COMMANDS[command], file, *FEW, *words])


def found(command: str, file: str, tmp_path: Path, *words: str) -> dict[str, Any]:
    """The JSON of a command, of a grid its first result, of tasks the first task."""
    out = tmp_path / "out.json"
    assert asked(command, file, "--json", str(out), *words) == 0
    content = json.loads(out.read_text(encoding="utf-8"))
    inner = content.get("results") or content.get("tasks") or [content]
    one: dict[str, Any] = inner[0]
    return content | one


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("measure", "words", "direction"),
    [
        ("accuracy", (), {"better": "higher", "why": "known"}),
        ("hallucination", (), {"better": "lower", "why": "known"}),
        ("zork", (), {"better": "higher", "why": "assumed"}),
        ("zork", ("--better", "lower"), {"better": "lower", "why": "stated"}),
        ("zork", ("--better", "higher"), {"better": "higher", "why": "stated"}),
        ("hallucination", ("--better", "higher"), {"better": "higher", "why": "stated"}),
    ],
)
def test_json_says_which_scores_are_better_and_why(
    command: str, measure: str, words: tuple[str, ...], direction: dict[str, str], tmp_path: Path
) -> None:
    """The name of the measure decides, unless the user states it."""
    content = found(command, table(tmp_path, measure, wide=command == "scores"), tmp_path, *words)
    assert content["direction"] == direction


@pytest.mark.parametrize("command", ["matrix", "compare", "gain", "pairwise", "tasks", "scores"])
def test_an_assumption_is_in_the_sentence_until_it_is_stated(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The verdict, the signature and a note carry it; with --better the word assumed is nowhere."""
    file = table(tmp_path, "zork", wide=command == "scores")
    assert asked(command, file) == 0
    said = capsys.readouterr()
    assert ", if higher is better (assumed)" in said.out
    assert "zork is not a known measure: higher is better (assumed)." in said.out + said.err
    assert asked(command, file, "--better", "higher") == 0
    assert "assumed" not in "".join(capsys.readouterr())


def test_the_notes_of_a_matrix_have_the_assumption_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The note is part of the JSON, and is printed once."""
    content = found("scores", table(tmp_path, "zork", wide=True), tmp_path)
    assert sum("zork is not a known measure" in note for note in content["notes"]) == 1
    assert capsys.readouterr().err.count("zork is not a known measure") == 1


def test_the_signature_says_why(tmp_path: Path) -> None:
    """Results on an assumption cannot be mistaken for others."""
    file = table(tmp_path, "zork")
    assert "|better:higher|why:assumed|" in found("matrix", file, tmp_path)["signature"]
    assert "|better:lower|why:stated|" in found("matrix", file, tmp_path, "--lower-is-better")["signature"]


def test_another_label_changes_no_direction(tmp_path: Path) -> None:
    """A label on the terminal renames the scores; what is better stays what the file says."""
    file = table(tmp_path, "hallucination")
    assert found("matrix", file, tmp_path, "--option", "own_scores.label=My score")["better"] == "lower"
    assert found("matrix", file, tmp_path)["gains"][0][1] < 0


@pytest.mark.parametrize("command", COMMANDS)
def test_a_code_stops_every_command(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The exit code is 2, and the message names the cells, the system and both ways out."""
    file = table(tmp_path, "quality", wide=command == "scores", failed=True)
    assert asked(command, file) == 2
    message = capsys.readouterr().err
    assert "6 cells of A hold -1. All other scores are between 2 and 8." in message
    assert "use --missing-code -1." in message
    assert "use --missing-code none." in message


@pytest.mark.parametrize("command", ["matrix", "pairwise", "tasks"])
def test_both_ways_out_give_a_result(command: str, tmp_path: Path) -> None:
    """As missing scores the cells are left out, as scores they are kept."""
    file = table(tmp_path, "quality", failed=True)
    missing = found(command, file, tmp_path, "--missing-code", "-1", "--missing", "drop")
    kept = found(command, file, tmp_path, "--missing-code", "none")
    assert (missing["n"], kept["n"]) == (N - 6, N)


def test_a_matrix_has_both_ways_out(tmp_path: Path) -> None:
    """There, a missing score is left out for its pairs alone."""
    file = table(tmp_path, "quality", wide=True, failed=True)
    assert found("scores", file, tmp_path, "--missing-code", "-1")["missing"] == 6
    assert found("scores", file, tmp_path, "--missing-code", "none")["missing"] == 0
    assert asked("scores", file, "--missing-code", "x") == 2


def test_mixed_signs_of_errors_end_with_a_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An error measure with both signs is no guess: exit code 2 until --better says which."""
    path = tmp_path / "m.csv"
    rows = [f"{k},{name},{(k % 5 - 1) / 3}" for k in range(N) for name in "AB"]
    path.write_text("\n".join(["item_id,model,rmse", *rows]) + "\n", encoding="utf-8")
    assert asked("matrix", str(path)) == 2
    assert "rmse counts errors by its name, but some of its numbers are negative" in capsys.readouterr().err
    assert asked("matrix", str(path), "--better", "lower") == 0


def test_data_lists_the_suspect_and_the_assumption(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The list of findings has both, and codes clear the first."""
    file = table(tmp_path, "zork", failed=True)
    assert terminal.main(["data", file]) == 0
    said = capsys.readouterr().out
    assert "error: 6 cells of A hold -1." in said
    assert "warning: zork is not a known measure" in said
    out = tmp_path / "out.json"
    assert terminal.main(["data", file, "--json", str(out)]) == 0
    (one,) = json.loads(out.read_text(encoding="utf-8"))["test_sets"]
    assert one["direction"] == {"better": "higher", "why": "assumed"}
    capsys.readouterr()
    assert terminal.main(["data", file, "--missing-code", "-1"]) == 0
    said = capsys.readouterr().out
    assert "cells of A hold" not in said
    assert "6 cells with -1 are missing, as stated." in said


def test_outputs_are_scored_by_a_measure_whose_direction_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The direction was accepted without a word, and without any effect."""
    path = tmp_path / "labels.csv"
    lines = ["id,gold,A,B", *(f"{k},{k % 2},{k % 2},{(k + (k % 3 == 0)) % 2}" for k in range(24))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = ["matrix", str(path), *FEW, "--columns", "gold=reference", "A=system", "B=system"]
    assert terminal.main(said) == 0
    assert terminal.main([*said, "--better", "lower"]) == 2
    assert "--better lower is about scores in files." in capsys.readouterr().err
