"""The command rank: the contract of its JSON, its tables in any width, and what it says under each correction."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from sigboard import terminal
from sigboard.questions.rank import report
from sigboard.terminal.words import COMMANDS
from tests.unit.factories import HOSTILE, matrix

ROOT = Path(__file__).resolve().parents[4]
HARBOUR = ROOT / "samples" / "harbour"
NAMES = ("Curlew", "Dunlin", "Grebe", "Albatross-1", "Turnstone", "Cormorant")
ASKED = ["rank", "--reference", str(HARBOUR / "ref.A.en"), "--resamples", "1000"]
ASKED += ["--systems", *(str(HARBOUR / "systems" / f"{name}.en") for name in NAMES)]
CONTRACT = {"system", "score", "low", "high", "rank_low", "rank_high", "tied_with_best"}

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """No width of a terminal, unless a test sets one."""
    monkeypatch.delenv("COLUMNS", raising=False)


def printed(capsys: Capture, *words: str) -> str:
    """What the command prints."""
    assert terminal.main([*ASKED, "--quiet", *words]) == 0
    return capsys.readouterr().out


def written(capsys: Capture, *words: str) -> dict:
    """The JSON that the command writes."""
    return dict(json.loads(printed(capsys, *words, "--json", "-")))


def test_json_has_the_contract(capsys: Capture) -> None:
    """Each system with score, interval, ranks and tie; the clusters; and whether the ranges hold together."""
    (result,) = written(capsys, "--metric", "bleu")["results"]
    assert all(one.keys() >= CONTRACT for one in result["ranks"])
    assert sorted(one["system"] for one in result["ranks"]) == sorted(NAMES)
    assert [name for cluster in result["clusters"] for name in cluster] == [one["system"] for one in result["ranks"]]
    assert result["tied_with_best"] == [one["system"] for one in result["ranks"] if one["tied_with_best"]]
    assert all(one["low"] <= one["score"] <= one["high"] for one in result["ranks"])
    assert result["simultaneous"] is True
    assert result["confidence"] == pytest.approx(0.95)


def test_ranks_are_those_of_the_grid(capsys: Capture) -> None:
    """The same verdicts as matrix: a range ends where its significant pairs say."""
    (result,) = written(capsys, "--metric", "ter")["results"]
    assert terminal.main(["matrix", *ASKED[1:], "--metric", "ter", "--quiet", "--json", "-"]) == 0
    content = json.loads(capsys.readouterr().out)
    (grid,), names = content["results"], content["systems"]
    for one in result["ranks"]:
        row = names.index(one["system"])
        real = [(g, p) for g, p in zip(grid["gains"][row], grid["adjusted"][row], strict=True) if p <= 0.05]
        assert one["rank_low"] == 1 + sum(gain < 0 for gain, _ in real)
        assert one["rank_high"] == len(names) - sum(gain > 0 for gain, _ in real)
        assert one["score"] == grid["scores"][row]


@pytest.mark.parametrize(
    ("correction", "together", "said"),
    [
        ("joint", True, "All ranges of ranks hold together with 95% confidence."),
        ("holm", True, "All ranges of ranks hold together with 95% confidence."),
        ("bonferroni", True, "All ranges of ranks hold together with 95% confidence."),
        ("benjamini_hochberg", False, "do not hold together, because Benjamini-Hochberg allows some false verdicts."),
        ("benjamini_yekutieli", False, "do not hold together, because"),
        ("none", False, "do not hold together, because p is not corrected."),
    ],
)
def test_ranges_hold_together_only_under_some_corrections(
    capsys: Capture, correction: str, together: bool, said: str
) -> None:
    """Where any false verdict is bounded, the confidence is printed; elsewhere the opposite is, with the reason."""
    (result,) = written(capsys, "--correction", correction)["results"]
    assert result["simultaneous"] is together
    assert (result["confidence"] is None) is not together
    out = printed(capsys, "--correction", correction)
    assert said in out
    assert ("% confidence" in out) is together
    assert ("confidence" in printed(capsys, "--correction", correction, "--latex", "-")) is together


def test_another_alpha_is_another_confidence(capsys: Capture) -> None:
    """At .01 the ranges hold with 99%."""
    assert "with 99% confidence" in printed(capsys, "--alpha", "0.01")
    assert written(capsys, "--alpha", "0.01")["results"][0]["confidence"] == pytest.approx(0.99)


def test_the_table_has_all_columns(capsys: Capture) -> None:
    """Score, interval, ranks, tie, gain to the next and p; the sentence is the first line; methods only where asked."""
    out = printed(capsys)
    first, *_ = out.split("\n")
    assert first.endswith((" is first.", " may also be first."))
    (head,) = [line for line in out.split("\n") if "interval" in line and "BLEU" in line]
    assert head.split() == ["system", "BLEU", "95%", "interval", "ranks", "tied", "to", "next", "p", "segments"]
    assert "sigcore:" not in out
    assert "sigcore:" in printed(capsys, "--methods")


@pytest.mark.parametrize("columns", [40, 60, 72, 80, 120])
def test_the_width_of_the_terminal_is_kept(capsys: Capture, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """No line is longer, all systems are there, and score and ranks stay in every width."""
    monkeypatch.setenv("COLUMNS", str(columns))
    out = printed(capsys, "--metric", "bleu", "chrf", "ter", "wer")
    assert max(map(len, out.split("\n"))) <= columns
    heads = [line for line in out.split("\n") if line.lstrip().startswith("system")]
    assert all(" ranks" in head for head in heads)
    assert {title for title in ("BLEU", "chrF", "TER", "WER") if any(title in head for head in heads[4:])} == {
        "BLEU",
        "chrF",
        "TER",
        "WER",
    }
    assert len([line for line in out.split("\n") if "Curlew" in line and line[-1].isdigit()]) >= 5


def test_several_metrics_side_by_side(capsys: Capture) -> None:
    """One result for each metric, one table with all, and each further metric held against the first."""
    content = written(capsys, "--metric", "bleu", "chrf", "ter")
    assert [one["metric"] for one in content["results"]] == ["bleu", "chrf", "ter"]
    leaders = content["results"][0]["tied_with_best"]
    for held, own in zip(content["stability"], content["results"][1:], strict=True):
        assert held["metric"] == own["metric"]
        assert held["places"] == [one["system"] for one in own["ranks"]][: len(leaders)]
        assert held["changes"] is (held["places"] != leaders)
        assert held["tied_with_best"] == own["tied_with_best"]
    assert "stability" not in written(capsys)
    out = printed(capsys, "--metric", "bleu", "chrf", "ter")
    assert any(line.split() == ["system", "BLEU", "ranks", "chrF", "ranks", "TER", "ranks"] for line in out.split("\n"))
    assert "The first places by score" in out


def test_every_metric_keeps_its_numbers_in_a_narrow_terminal() -> None:
    """Where the metrics need several tables, each has the scores and the ranks of its own metrics."""
    grids = [matrix([40.0 + k, 30.0 + k, 20.0 + k], metric=f"m{k}", metric_title=f"M{k}") for k in range(4)]
    (text,) = report.several(report.ranked(grids, 0.05), 36)
    tables = text.split("\n\n")[:-1]
    assert len(tables) > 1
    titles = [word for table in tables for word in table.split("\n")[0].split() if word.startswith("M")]
    scores = [word for table in tables for word in table.split("\n")[1].split() if "." in word]
    assert titles == ["M0", "M1", "M2", "M3"]
    assert scores == ["40.00", "41.00", "42.00", "43.00"]


def test_rows_and_latex(capsys: Capture) -> None:
    """CSV has a row for each metric and system with its cluster; LaTeX a rule below each cluster, and ranges as 2--4."""
    rows = list(csv.DictReader(io.StringIO(printed(capsys, "--metric", "bleu", "chrf", "--csv", "-"))))
    assert len(rows) == 2 * len(NAMES)
    content = written(capsys, "--metric", "bleu")["results"][0]
    cluster = {name: str(k) for k, names in enumerate(content["clusters"], start=1) for name in names}
    assert {row["system"]: row["cluster"] for row in rows if row["metric"] == "bleu"} == cluster
    latex = printed(capsys, "--latex", "-")
    assert latex.count(r"\midrule") == len(content["clusters"])
    wide = next(one for one in content["ranks"] if one["rank_low"] < one["rank_high"])
    line = next(line for line in latex.split("\n") if wide["system"] in line)
    assert line.startswith(f"{wide['rank_low']}--{wide['rank_high']} & ")


def test_lines_are_between_clusters() -> None:
    """Of four systems two and two are tied: the line of a terminal and the rule of LaTeX stand between these pairs."""
    p = np.full((4, 4), 0.001)
    p[0, 1] = p[1, 0] = p[2, 3] = p[3, 2] = 0.5
    rankings = report.ranked([matrix((44.0, 43.0, 41.0, 40.0), p=p)], 0.05)
    wanted = [["sys0", "sys1"], ["sys2", "sys3"]]
    assert rankings.ranks[0].clusters == wanted
    of_terminal = report.table(rankings.ranks[0]).partition("interval")[2].split("---\n")
    latex = report.latex(rankings).split(r"\midrule")[1:]
    for parts in (of_terminal, latex):
        assert [re.findall(r"\bsys\d\b", part) for part in parts] == wanted


def test_markdown_and_workbook_have_literal_names() -> None:
    """Names stay text in a board and in a workbook; the board has a row for each system with its cluster."""
    grids = [matrix([43.0, 40.0, 30.0], systems=HOSTILE[1:4], metric=f"m{k}") for k in range(2)]
    for count, columns in ((1, 8), (2, 6)):
        found = report.ranked(grids[:count], 0.05)
        head, _, *lines = report.board(found).strip().split("\n")
        cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in (head, *lines)]
        assert [len(row) for row in cells] == [columns] * 4
        assert "\\_" in lines[0]
        assert [row[-1].strip() for row in cells[1:]] == ["1", "2", "3"]
        assert "95% confidence" in report.markdown(found)
        book = openpyxl.load_workbook(io.BytesIO(report.workbook(found)))
        assert book.sheetnames == ["ranks", "stability"][:count]
        names = [row[1].value for row in book["ranks"].iter_rows(min_row=2)]
        assert names == list(HOSTILE[1:4]) * count
        assert all(cell.data_type != "f" for row in book["ranks"].iter_rows() for cell in row)


def test_one_test_only(capsys: Capture) -> None:
    """Two tests have no common ranks."""
    assert terminal.main([*ASKED, "--test", "approximate_randomization", "bootstrap_shift"]) == 2
    assert "rank uses one --test." in capsys.readouterr().err


def test_a_partial_family_says_so(capsys: Capture) -> None:
    """Against one baseline most pairs are not tested, and the sentence says it."""
    assert "not all pairs were tested" in printed(capsys, "--baseline", "Cormorant").split("\n")[0]


def test_words_lead_to_rank() -> None:
    """Who types leaderboard means rank; rank itself is a command."""
    assert {COMMANDS[word] for word in ("ranking", "leaderboard", "clusters")} == {"rank"}
    assert "rank" not in COMMANDS
