"""`sigboard domains`: the calibration, the table of signs and the counts of the study, as JSON and as tables."""

from __future__ import annotations

import csv
import json
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sigboard import terminal
from sigboard.questions.domains import report
from sigcore import readers
from sigcore.studies import domains

HARBOUR = readers.known.ROOT / "harbour"
FILES = ["--reference", str(HARBOUR / "ref.A.en"), "--systems", *sorted(map(str, (HARBOUR / "systems").glob("*.en")))]
DOMAINS = ["--domains", str(HARBOUR / "documents.tsv")]


def answer(out: Path, *words: str) -> dict[str, Any]:
    """The JSON of the command on the sample."""
    assert terminal.main(["domains", *FILES, "--resamples", "200", "--draws", "5", "--json", str(out), *words]) == 0
    content: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return content


def test_json_has_all_parts(tmp_path: Path) -> None:
    """`calibration` is one object, `table` has each bin with each other domain, `replicability` each pair."""
    content = answer(tmp_path / "a.json", *DOMAINS, "--home", "notices")
    names = [item["domain"] for item in content["domains"]]
    assert names[0] == content["home"] == "notices"
    assert sum(item["segments"] for item in content["domains"]) == 300
    calibration = content["calibration"]
    assert {"p_low", "p_high", "pairs", "agree", "percent", "low", "high"} <= set(calibration)
    assert calibration["agree"] <= calibration["pairs"]
    assert [(item["low"], item["high"], item["other"]) for item in content["table"]] == [
        (low, high, name) for low, high in domains.BINS for name in names[1:]
    ]
    assert set(content["table"][0]) >= {"pairs", "same_sign_percent", "low_ci", "high_ci"}
    assert all((item["same_sign_percent"] is None) == (item["pairs"] == 0) for item in content["table"])
    assert len(content["replicability"]) == 28
    assert all(len(item["p_values"]) == 4 for item in content["replicability"])


def test_a_table_and_lines_are_the_same_domains(tmp_path: Path) -> None:
    """A table with a column domain, and a file with one domain per line, give the same answer."""
    with (HARBOUR / "documents.tsv").open(encoding="utf-8", newline="") as rows:
        names = [row["domain"] for row in csv.DictReader(rows, delimiter="\t")]
    (tmp_path / "domains.txt").write_text("\n".join(names) + "\n", encoding="utf-8")
    table = answer(tmp_path / "a.json", *DOMAINS)
    lines = answer(tmp_path / "b.json", "--domains", str(tmp_path / "domains.txt"))
    assert table == lines


def test_tables(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json: domains, signs, thresholds, counts, and the sentences."""
    assert terminal.main(["domains", *FILES, *DOMAINS, "--resamples", "100", "--draws", "2"]) == 0
    out = capsys.readouterr().out
    for words in ("same sign on letters", "On how many of the 4 domains", "on drawn test sets", "by Bonferroni"):
        assert words in out


def test_bins_do_not_overlap(capsys: pytest.CaptureFixture[str]) -> None:
    """No p is in two rows of a column: a bin ends below its end, and the borderline pairs are in a separate table."""
    assert terminal.main(["domains", *FILES, *DOMAINS, "--resamples", "100", "--draws", "0"]) == 0
    bins, borderline = (
        capsys.readouterr().out.split("\nBins of p\n")[1].split("\nBorderline pairs, p from 0.04 to 0.06")
    )
    rows = [line.split() for line in bins.splitlines() if line.startswith("0.")]
    assert [(row[0], row[1:3], row[3]) for row in rows] == [
        (f"{low:g}", ["to", "below"], f"{high:g}") for low, high in domains.BINS
    ]
    assert all(one[3] == other[0] for one, other in pairwise(rows))
    assert [line.split()[:3] for line in borderline.splitlines() if line.startswith("0.")] == [["0.04", "to", "0.06"]]


def test_what_cannot_be_used_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No domains, too few of them, a table without such a column, and an unknown home domain are errors."""
    table, short = tmp_path / "table.tsv", tmp_path / "short.txt"
    table.write_text("segment\tdocument\n1\ta\n2\tb\n", encoding="utf-8")
    short.write_text("news\ntalk\n", encoding="utf-8")
    for words, message in (
        ([], "There are no domains"),
        (["--domains", str(short)], "2 domains for 300 segments"),
        (["--domains", str(table)], "has no column of domains"),
        ([*DOMAINS, "--home", "poems"], "There is no domain poems"),
    ):
        assert terminal.main(["domains", *FILES, "--resamples", "50", *words]) == 2
        assert message in capsys.readouterr().err


def test_pairs_that_differ_nowhere_are_not_among_those_that_differ_on_some() -> None:
    """The headline counts pairs with an effect on every domain, and on some; none is neither."""
    of_pairs = tuple(SimpleNamespace(bonferroni=n) for n in (2, 1, 0, 0))
    result: Any = SimpleNamespace(replicability=of_pairs, domains=("news", "talks"))
    first = "1 of 4 pairs differ significantly on both domains, in the same direction."
    assert report.headline(result) == f"{first} 1 more on one only."
    nowhere: Any = SimpleNamespace(replicability=of_pairs[2:], domains=("news", "talks"))
    assert report.headline(nowhere) == first.replace("1 of 4", "0 of 2")
