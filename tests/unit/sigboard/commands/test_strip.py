"""compare --strip: the strip of each pair and metric, its p those of the command itself, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigboard import terminal
from sigcore.studies import strip

ROOT = Path(__file__).resolve().parents[4]
HARBOUR = ROOT / "samples" / "harbour"
Capture = pytest.CaptureFixture[str]


def words(*names: str) -> list[str]:
    """The arguments for these systems of the sample, with documents."""
    systems = [str(HARBOUR / "systems" / f"{name}.en") for name in names]
    documents = str(HARBOUR / "documents.tsv")
    return ["compare", "--reference", str(HARBOUR / "ref.A.en"), "--systems", *systems, "--documents", documents]


def content(folder: Path, *more: str, names: tuple[str, ...] = ("Curlew", "Grebe")) -> dict:
    """The JSON of the command."""
    file = folder / "out.json"
    assert terminal.main([*words(*names), *more, "--json", str(file)]) == 0
    return json.loads(file.read_text())


@pytest.mark.parametrize("unit", ["segment", "document"])
@pytest.mark.parametrize("test", ["approximate_randomization", "paired_bootstrap"])
def test_the_chosen_tile_is_the_result(unit: str, test: str, tmp_path: Path) -> None:
    """The p of the command is that of the marked tile, and no other tile is marked."""
    found = content(tmp_path, "--strip", "--unit", unit, "--test", test, "--resamples", "300")
    (one,) = found["strip"]
    (marked,) = [tile for tile in one["tests"] if tile["chosen"]]
    assert (marked["test"], marked["unit"], marked["alternative"]) == (test, unit, "two-sided")
    assert marked["p_value"] == found["results"][0]["p_values"][0][1]
    assert len(one["tests"]) == 10
    assert [each["option"] for each in one["programs"]][:2] == ["--paired-bs", "--paired-ar"]


def test_a_pair_of_a_grid_has_the_draws_of_the_grid(tmp_path: Path) -> None:
    """Every system against a baseline: each comparison has its own strip, whose marked p is the uncorrected one."""
    names = ("Curlew", "Grebe", "Dunlin")
    found = content(tmp_path, "--strip", "--baseline", "Dunlin", "--metric", "bleu", "wer", names=names)
    assert len(found["comparisons"]) == 2
    for one in found["comparisons"]:
        assert [each["metric"] for each in one["strip"]] == ["bleu", "wer"]
        for own, result in zip(one["strip"], one["results"], strict=True):
            (marked,) = [tile for tile in own["tests"] if tile["chosen"]]
            assert marked["p_value"] == result["p_values"][0][1]


def test_without_the_flag_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is computed for a strip, and the JSON has no such field."""
    monkeypatch.setattr(strip, "results", None)
    assert "strip" not in content(tmp_path, "--resamples", "100")


def test_the_strip_is_printed(capsys: Capture) -> None:
    """A row for each test, unit and program, the sentence, and a sentence for each program."""
    assert terminal.main([*words("Curlew", "Grebe"), "--strip", "--resamples", "100"]) == 0
    out = capsys.readouterr().out
    assert "Verdict strip of Curlew against Grebe, BLEU" in out
    assert out.count("300 segments          two-sided") == 5
    assert out.count("26 documents          two-sided") == 5
    assert "a difference is found by 0 of 5 tests over segments and 0 of 5 tests over documents." in out
    for program in strip.PROGRAMS:
        shown = "bleu" in program.metrics
        lines = [line for line in out.splitlines() if line.startswith(f"{program.title}: ")]
        assert [line.endswith(program.why if shown else program.otherwise) for line in lines] == [True]
        assert (f"{program.title}: p = " in out) == shown


def test_runs_have_a_strip_of_their_own(tmp_path: Path, capsys: Capture) -> None:
    """Several runs of each system: the tests of runs and MultEval in JSON and on the terminal; without the flag none."""
    names = {"A": ("Curlew", "Dunlin"), "B": ("Grebe", "Cormorant")}
    given = [f"{one}={','.join(f'{HARBOUR}/systems/{run}.en' for run in own)}" for one, own in names.items()]
    file = tmp_path / "runs.json"
    command = ["compare", "--reference", str(HARBOUR / "ref.A.en"), "--runs", *given, "--resamples", "200"]
    assert terminal.main([*command, "--strip", "--json", str(file)]) == 0
    found = json.loads(file.read_text())
    (one,) = found["strip"]
    assert one["runs"] == [2, 2]
    (marked,) = [tile for tile in one["tests"] if tile["chosen"]]
    assert marked["p_value"] == found["results"][0]["p_values"][0][1]
    assert [each["program"] for each in one["programs"] if each["printed"]] == ["MultEval"]
    capsys.readouterr()
    assert terminal.main([*command, "--strip"]) == 0
    assert "t test of the runs" in capsys.readouterr().out
    assert terminal.main([*command, "--json", str(file)]) == 0
    assert "strip" not in json.loads(file.read_text())
