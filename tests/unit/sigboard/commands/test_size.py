"""`sigboard size`: the curve and the detectable gains of the study, as JSON and as tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sigboard import terminal
from sigcore import readers
from sigcore.studies import size

HARBOUR = readers.known.ROOT / "harbour"
FILES = ["--reference", str(HARBOUR / "ref.A.en"), "--systems", *sorted(map(str, (HARBOUR / "systems").glob("*.en")))]
GROUPS = ["--groups", str(HARBOUR / "groups.tsv")]


def answer(out: Path, *words: str) -> dict[str, Any]:
    """The JSON of the command on the sample."""
    assert terminal.main(["size", *FILES, "--resamples", "200", "--json", str(out), *words]) == 0
    content: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return content


def test_json_has_every_class_and_size(tmp_path: Path) -> None:
    """`curve` has each class at each size, `detectable` every pair and the median pair at each size and power."""
    content = answer(tmp_path / "a.json", *GROUPS, "--sizes", "100", "200", "900", "--gain", "1", "--mixtures", "20")
    assert {(item["class"], item["segments"]) for item in content["curve"]} == {
        (name, n)
        for name in (
            "same group",
            "different groups",
            "mixtures of the same two systems",
            "mixtures of different systems",
        )
        for n in (100, 200, 900)
    }
    for item in content["curve"]:
        assert (item["threshold"] is None) == (item["spread"] is None) == bool(item["reason"])
        assert item["threshold"] is None or (item["n"] >= 10 and item["segments"] <= 300)
    assert any(item["threshold"] for item in content["curve"])
    assert len(content["detectable"]) == (28 + 1) * 3 * 2
    assert {item["power"] for item in content["detectable"]} == {0.8, 0.95}
    by_size = {item["segments"]: item["gain"] for item in content["detectable"][:6] if item["power"] == 0.8}
    assert by_size[100] / by_size[900] == pytest.approx(3)
    assert content["needed"][0]["system"] == size.MEDIAN
    assert content["test"] == "two_delta_bootstrap"
    assert content["alternative"] == "greater"


def test_documents_widen_detectable_gains(tmp_path: Path) -> None:
    """With documents as the unit their design effect is given, and enters the detectable gains of every pair."""
    single = answer(tmp_path / "a.json", "--sizes", "100")
    documents = ["--documents", str(HARBOUR / "documents.tsv"), "--unit", "document"]
    whole = answer(tmp_path / "b.json", "--sizes", "100", *documents)
    assert single["design_effect"] is None
    assert whole["unit"] == "document"
    ratios = [
        (b["gain"] / a["gain"]) ** 2
        for a, b in zip(single["detectable"], whole["detectable"], strict=True)
        if a["gain"] and b["gain"] and a["system"] != size.MEDIAN and a["power"] == 0.8
    ]
    assert len(ratios) > 20
    assert whole["design_effect"] == pytest.approx(sorted(ratios)[len(ratios) // 2], rel=0.05)


def test_tables_show_the_pair_and_the_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json: the curve, why there is no threshold, the median pair and the named one, and the warning on power."""
    words = ["--sizes", "100", "400", "--pair", "Dunlin", "Grebe", "--gain", "2", "--resamples", "100"]
    assert terminal.main(["size", *FILES, *words]) == 0
    out = capsys.readouterr().out
    assert "none: fewer than 10 pairs with p from 0.04 to 0.06." in out
    assert "The test set has only 300 segments." in out
    assert "Grebe against Dunlin" in out
    assert "To find a true gain of 2.00 BLEU with a probability of 95%" in out
    assert "they are not about the observed gain" in out


def test_too_few_documents_are_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """Parts of fewer than ten documents have no bootstrap p, and the table says so."""
    words = ["--documents", str(HARBOUR / "documents.tsv"), "--unit", "document", "--sizes", "60", "--resamples", "50"]
    assert terminal.main(["size", *FILES, *words]) == 0
    assert "all, 60 segments: no pair has a p; a bootstrap needs at least 10 units" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pair", "Dunlin", "Heron"], "Heron is not loaded"),
        (["--subsets", "documents"], "does not assign segments to documents"),
        (["--sizes", "0"], "whole numbers of segments"),
        (["--gain", "-1"], "It must be above 0"),
    ],
)
def test_bad_words_are_refused(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be used is an error with a message."""
    assert terminal.main(["size", *FILES, "--resamples", "50", "--sizes", "50", *words]) == 2
    assert message in capsys.readouterr().err


def test_runs_add_to_segments_where_documents_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What differences between runs add is said of all segments of the test set, not of as many as there are documents."""
    files = []
    for system, source in (("Alpha", "Curlew"), ("Beta", "Dunlin")):
        lines = (HARBOUR / "systems" / f"{source}.en").read_text(encoding="utf-8").splitlines()
        for run in (1, 2):
            path = tmp_path / f"{system}.seed{run}.en"
            path.write_text(
                "\n".join(line.replace(" the ", " ", run * (k % 2)) for k, line in enumerate(lines)) + "\n",
                encoding="utf-8",
            )
            files.append(str(path))
    asked = ["--reference", str(HARBOUR / "ref.A.en"), "--systems", *files, "--runs-from-names", "{system}.seed{run}"]
    unit = ["--documents", str(HARBOUR / "documents.tsv"), "--unit", "document", "--sizes", "10"]
    assert terminal.main(["size", *asked, *unit, "--resamples", "200"]) == 0
    assert "design effect on 300 segments" in capsys.readouterr().out
