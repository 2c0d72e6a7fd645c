"""The command reproduce: the list of claims, the contract of its JSON, own files, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from sigboard import terminal
from sigboard.questions.reproduce import report
from sigcore.studies import reproduce

Capture = pytest.CaptureFixture[str]
KEYS = {"paper_value", "value", "low", "high", "same_conclusion", "why"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to write to."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def content(*words: str) -> dict[str, object]:
    """The JSON of the command."""
    assert terminal.main(["reproduce", *words, "--json", "out.json"]) == 0
    found: dict[str, object] = json.loads(Path("out.json").read_text(encoding="utf-8"))
    return found


def test_the_list_names_every_claim(capsys: Capture) -> None:
    """Id, paper, place and need of each, as a table and as JSON; a word lists a part of them."""
    assert terminal.main(["reproduce", "--list"]) == 0
    text = capsys.readouterr().out
    for claim in reproduce.CLAIMS:
        line = next(line for line in text.splitlines() if line.startswith(f"{claim.id} "))
        assert claim.paper in line
        assert claim.place in line
        assert f" {claim.needs} " in line
    listed = content("--list")["claims"]
    assert [item["claim"] for item in listed] == [claim.id for claim in reproduce.CLAIMS]
    assert {"paper", "place", "needs", "paper_value", "rule"} <= set(listed[0])
    assert len(content("rankel-are", "--list")["claims"]) == 3


def test_one_claim_has_its_keys_at_the_top() -> None:
    """The contract of a comparison, and the same object among the results."""
    found = content("rankel-are-least")
    assert set(found) >= KEYS
    assert found["paper_value"] == 0.864
    assert found["value"] == pytest.approx(0.864)
    assert found["same_conclusion"] is True
    (inside,) = found["results"]
    assert {key: found[key] for key in inside} == inside


def test_several_claims_are_results_alone(capsys: Capture) -> None:
    """No key of one of them stands at the top; the table counts the conclusions."""
    found = content("rankel-are-normal", "rankel-are-least")
    assert not KEYS & set(found)
    assert [item["claim"] for item in found["results"]] == ["rankel-are-normal", "rankel-are-least"]
    capsys.readouterr()
    assert terminal.main(["reproduce", "rankel-are-normal", "rankel-are-least"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("2 of 2 claims have the same conclusion here, 0 another one")


def test_own_files_take_the_place_of_the_sample(capsys: Capture) -> None:
    """A matrix of scores is tested as it is, and its name stands in the verdict."""
    rows = ["document,h,a,b"] + [f"d{k},{5 + k % 7},{2 + k % 5},{1 + (3 * k) % 5}" for k in range(12)]
    Path("own.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert terminal.main(["reproduce", "rankel-table2-rouge-2-2010", "--matrix", "own.csv", "--human", "h"]) == 0
    out = capsys.readouterr().out
    assert " on own." in out
    assert "Of 2 pairs" in out
    assert terminal.main(["reproduce", "rankel-table2-rouge-2-2010", "--matrix", "own.csv", "--csv", "-"]) == 0


def test_the_table_of_a_claim_is_its_csv(capsys: Capture) -> None:
    """One claim with a table gives that table, several give a row for each."""
    assert terminal.main(["reproduce", "rankel-are-normal", "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert "density" in rows[0]
    assert terminal.main(["reproduce", "rankel-are-normal", "rankel-are-least", "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["claim"] for row in rows] == ["rankel-are-normal", "rankel-are-least"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "No claim was named"),
        (("graham-fig55",), "Did you mean graham-fig5"),
        (("graham-fig8", "--reference", "ref.txt"), "no outputs of systems"),
        (("graham-fig8", "--matrix", "own.csv", "--systems", "a.txt"), "--matrix and outputs were given"),
        (("graham-fig8", "--systems", "a.txt", "b.txt", "--reference", "ref.txt"), "ratings"),
    ],
)
def test_what_is_refused(words: tuple[str, ...], said: str, capsys: Capture) -> None:
    """One line that says what is wrong and how to fix it, and nothing is written."""
    for name in ("a", "b", "ref"):
        Path(f"{name}.txt").write_text("".join(f"the {name} boat {k} sails\n" for k in range(5)), encoding="utf-8")
    Path("own.csv").write_text("document,a,b\nd1,1,2\nd2,2,1\n", encoding="utf-8")
    assert terminal.main(["reproduce", *words, "--json", "out.json"]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error
    assert not Path("out.json").exists()


def test_markdown_has_a_row_for_each_claim() -> None:
    """A table for each paper, with the numbers as people read them."""
    found = [reproduce.run(f"rankel-are-{name}").as_dict() for name in ("normal", "least")]
    text = report.markdown(found)
    assert text.count("\n## ") == 1
    line = next(line for line in text.splitlines() if "rankel-are-least" in line)
    assert [cell.strip() for cell in line.split("|")][4:7] == ["0.864", "0.864 [0.864, 0.864]", "same"]
