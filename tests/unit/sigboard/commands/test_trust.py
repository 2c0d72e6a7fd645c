"""The command trust: the contract of its JSON, its sentence, rules by name, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from sigboard import terminal

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with scores of three systems on 30 segments in 10 documents."""
    rng = np.random.default_rng(2)
    for name in "ABC":
        (tmp_path / f"{name}.txt").write_text("".join(f"{value:.2f}\n" for value in rng.normal(size=30)))
    (tmp_path / "docs.txt").write_text("".join(f"d{k // 3}\n" for k in range(30)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str, systems: tuple[str, ...] = ("A.txt", "B.txt")) -> int:
    """The exit code of the command on these systems."""
    return terminal.main(["trust", "--metric", "own_scores", "--systems", *systems, "--repetitions", "20", *words])


def content(*words: str, systems: tuple[str, ...] = ("A.txt", "B.txt")) -> dict[str, object]:
    """The JSON of the command."""
    assert run(*words, "--json", "out.json", systems=systems) == 0
    found: dict[str, object] = json.loads(Path("out.json").read_text())
    return found


def test_rates_have_the_contract() -> None:
    """rates is a list of alpha, rejected, of, low and high, and the counts are those of p."""
    found = content("--test", "approximate_randomization", "--unit", "segment")
    p = np.array(found["p_values"])
    assert [rate["alpha"] for rate in found["rates"]] == [0.05, 0.01]
    for rate in found["rates"]:
        assert {"alpha", "rejected", "of", "low", "high"} <= set(rate)
        assert (rate["rejected"], rate["of"]) == (int((p <= rate["alpha"]).sum()), 20)
        assert 0 <= rate["low"] <= rate["rejected"] / 20 <= rate["high"] <= 1
    assert sum(found["histogram"]) == len(p) == 20


def test_the_sentence_is_printed(capsys: Capture) -> None:
    """The rate of true nulls in words, the table, and a line for each planted gain and level."""
    assert run("--planted", "0.5") == 0
    out = capsys.readouterr().out
    assert "On your 30 segments and 2 systems" in out
    assert "of true nulls at alpha 0.05. 20 repetitions are too few to tell." in out
    assert out.count("power") == 2


def test_a_rule_has_a_name_that_other_commands_refuse(capsys: Capture) -> None:
    """--test riezler_maxwell is known here alone."""
    assert content("--test", "riezler_maxwell")["test"] == "riezler_maxwell"
    assert terminal.main(
        ["compare", "--metric", "own_scores", "--systems", "A.txt", "B.txt", "--test", "riezler_maxwell"]
    )
    assert "no test named" in capsys.readouterr().err


def test_the_unit_and_the_null_are_said() -> None:
    """Documents change places where there are any; --null says otherwise; another alpha has a rate of its own."""
    found = content("--documents", "docs.txt", "--unit", "segment", "--alpha", "0.1")
    assert (found["unit"], found["null"], found["changed"], found["n"]) == ("segment", "document", 10, 30)
    assert [rate["alpha"] for rate in found["rates"]] == [0.1, 0.05, 0.01]
    assert content("--documents", "docs.txt", "--null", "segment")["null"] == "segment"


def test_a_grid_has_a_family() -> None:
    """Three systems are three tests, two against a baseline, corrected as asked."""
    grid = content("--correction", "holm", systems=("A.txt", "B.txt", "C.txt"))
    assert (grid["tests"], grid["correction"]) == (3, "holm")
    assert content("--baseline", "C", systems=("A.txt", "B.txt", "C.txt"))["tests"] == 2


def test_rows_are_those_of_the_table(capsys: Capture) -> None:
    """--csv has a row for each level, planted gains after the null."""
    assert run("--planted", "0.5", "--csv", "-") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(float(row["planted"]), float(row["alpha"])) for row in rows] == [
        (0, 0.05),
        (0, 0.01),
        (0.5, 0.05),
        (0.5, 0.01),
    ]


@pytest.mark.parametrize(
    "words", [("--test", "bootstrap_shift", "paired_bootstrap"), ("--repetitions", "0"), ("--planted", "2")]
)
def test_what_makes_no_sense_is_refused(words: tuple[str, ...]) -> None:
    """Two tests, no repetitions, more than the whole gain."""
    assert run(*words) != 0


def test_an_unpaired_test_has_halves() -> None:
    """The names of unpaired tests are names of --test; their null is halves, without resamples."""
    found = content("--test", "rank_sum")
    assert (found["null"], found["resamples"], found["tests"]) == ("halves", 0, 1)
    assert "splits the segments of one system" in " ".join(found["notes"])
    assert content("--test", "unpaired_t", "--null", "segment")["null"] == "segment"
