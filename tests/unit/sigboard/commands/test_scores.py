"""The terminal's scores: the JSON, the table, the LaTeX, and what it says of wrong questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sigboard import terminal

RNG = np.random.default_rng(6)
VALUES = np.round(RNG.normal(0, 1, (20, 1)) + RNG.normal(0, 0.5, (20, 4)) + np.array([0, 0.2, 0.4, 1.5]), 3)
VALUES[::2, 3] = np.nan


@pytest.fixture
def table(tmp_path: Path) -> str:
    """A matrix of three machines and one human, who has half of the documents."""
    rows = [",".join([f"d{k}", *("" if np.isnan(x) else str(x) for x in row)]) for k, row in enumerate(VALUES)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["doc,A,B,C,H", *rows]) + "\n", encoding="utf-8")
    return str(path)


def written(table: str, *words: str) -> dict[str, Any]:
    """What the command writes."""
    out = Path(table).with_suffix(".json")
    assert terminal.main(["scores", "--matrix", table, "--resamples", "300", "--json", str(out), *words]) == 0
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def test_pairs_are_those_of_scipy(table: str) -> None:
    """Each pair has n, statistics and p as scipy gives them on the documents both have."""
    found = written(table, "--human", "H")
    assert [(p["system"], p["baseline"], p["n"]) for p in found["pairs"]] == [
        ("A", "B", 20),
        ("A", "C", 20),
        ("A", "H", 10),
        ("B", "C", 20),
        ("B", "H", 10),
        ("C", "H", 10),
    ]
    for pair in found["pairs"]:
        x, y = (VALUES[:, "ABCH".index(pair[side])] for side in ("system", "baseline"))
        both = ~np.isnan(x) & ~np.isnan(y)
        for name, said in (
            ("t", stats.ttest_ind(x[both], y[both])),
            ("paired_t", stats.ttest_rel(x[both], y[both])),
        ):
            assert pair[name]["statistic"] == pytest.approx(said.statistic)
            assert pair[name]["p"] == pytest.approx(said.pvalue)
        w = stats.wilcoxon(np.round(x[both] - y[both], 9), zero_method="pratt")
        assert pair["wilcoxon"]["p"] == pytest.approx(w.pvalue)
        assert min(pair["wilcoxon"]["w_plus"], pair["wilcoxon"]["w_minus"]) == pytest.approx(w.statistic)
    assert found["counts"]["all"]["pairs"] == 6
    assert found["counts"]["human_machine"]["pairs"] == 3
    groups = [row[~np.isnan(row)] for row in VALUES]
    assert found["kruskal"]["p"] == pytest.approx(stats.kruskal(*groups).pvalue)
    assert len(found["tukey"]["mean_ranks"]) == 20


def test_workers_change_nothing_and_the_seed_does(table: str) -> None:
    """One thread and three give the same file; another seed gives other draws."""
    one = written(table, "--workers", "1")
    assert written(table, "--workers", "3") == one
    assert written(table, "--seed", "9")["pairs"][0]["mc"] != one["pairs"][0]["mc"]


def test_options_reach_the_study(table: str) -> None:
    """Direction, zeros, alpha, correction and title are taken."""
    found = written(table, "--better", "lower", "--zeros", "wilcox", "--alpha", "0.2", "--correction", "none")
    plain = written(table)
    assert found["pairs"][0]["t"]["statistic"] == -plain["pairs"][0]["t"]["statistic"]
    assert (found["zeros"], found["alpha"], found["correction"]) == ("wilcox", 0.2, "none")
    assert found["pairs"][0]["t"]["cutoff"] < plain["pairs"][0]["t"]["cutoff"]


def test_the_notes_are_reported_beside_json_too(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever writes a file reads what is missing on the terminal, as in the other questions."""
    found = written(table)
    shown = capsys.readouterr().err
    assert "10 of 80 scores are missing" in shown
    assert shown.count("note: ") == len(found["notes"])


def test_a_table_and_latex_come_without_json(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The terminal shows the counts and the tests; --latex - gives the table of the paper instead."""
    words = ["scores", "--matrix", table, "--human", "H", "--resamples", "200", "--title", "ROUGE_2"]
    assert terminal.main([*words, "--latex", "-"]) == 0
    latex = capsys.readouterr().out
    assert r"differ in ROUGE\_2" in latex
    assert "human against machine: 3 x 1 = 3 pairs" in latex
    assert "Kruskal-Wallis" not in latex
    assert terminal.main(words) == 0
    page = capsys.readouterr().out
    assert "all pairs, 6: those with p <= 0.05" in page
    assert "Kruskal-Wallis over document sets" in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--human", "h"], "There is no system named 'h'"),
        (["--resamples", "0"], "resamples = 0"),
        (["--correction", "helm"], "holm"),
        (["--alpha", "2"], "alpha is 2"),
    ],
)
def test_wrong_questions_are_explained(
    arguments: list[str], message: str, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each fault ends with 2 and a message."""
    assert terminal.main(["scores", "--matrix", table, *arguments]) == 2
    assert message in capsys.readouterr().err


def test_bad_cells_are_reported_with_row_and_column(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A cell that is not a number is named; so is a missing file."""
    path = tmp_path / "bad.csv"
    rows = [f"d{k},{k % 7},{'two' if k == 3 else k % 5}" for k in range(40)]
    path.write_text("\n".join(["doc,A,B", *rows]), encoding="utf-8")
    assert terminal.main(["scores", "--matrix", str(path)]) == 2
    assert "column B, row 4: 'two' is not a number." in capsys.readouterr().err
    assert terminal.main(["scores", "--matrix", str(tmp_path / "none.csv")]) == 2
    assert "cannot be read" in capsys.readouterr().err


# ---- several metrics and test sets


def matrices(tmp_path: Path) -> dict[tuple[str, str], str]:
    """Two metrics on two test sets, as files in folders of the test sets."""
    paths = {}
    for place, testset in enumerate(("t2008", "t2009")):
        (tmp_path / testset).mkdir()
        for shift, metric in enumerate(("rouge", "pyramid")):
            values = np.round(VALUES[:, :3] * (1 + shift) + 0.1 * place * np.arange(3), 3)
            rows = [",".join([f"d{k}", *map(str, row)]) for k, row in enumerate(values.tolist())]
            path = tmp_path / testset / f"{metric}.csv"
            path.write_text("\n".join(["doc,A,B,H", *rows]) + "\n", encoding="utf-8")
            paths[testset, metric] = str(path)
    return paths


def test_metrics_are_rows_and_test_sets_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each cell of the one table has the counts of the command on that matrix alone, in JSON, CSV, LaTeX and XLSX."""
    import openpyxl

    paths = matrices(tmp_path)
    out, csv, latex, book = (str(tmp_path / f"whole.{kind}") for kind in ("json", "csv", "tex", "xlsx"))
    files = ["--json", out, "--csv", csv, "--latex", latex, "--xlsx", book]
    settings = ["--human", "H", "--resamples", "200", "--better", "higher"]
    assert terminal.main(["scores", "--matrix", *paths.values(), *settings, *files]) == 0
    found = json.loads(Path(out).read_text(encoding="utf-8"))
    assert [(item["test_set"], item["metric"]) for item in found["results"]] == list(paths)
    rows = {(row["family"], row["metric"], row["test_set"]): row for row in found["table"]}
    assert len(rows) == 8
    for (testset, metric), path in paths.items():
        alone = written(path, "--human", "H", "--resamples", "200", "--better", "higher")
        whole = next(item for item in found["results"] if (item["test_set"], item["metric"]) == (testset, metric))
        assert {key: whole[key] for key in alone} | {"notes": []} == alone | {"notes": []}
        assert set(whole["notes"]) <= set(alone["notes"]) <= {*whole["notes"], *found["warnings"]}
        for family in ("all", "human_machine"):
            row = rows[family, metric, testset]
            pairs = [p for p in alone["pairs"] if family == "all" or "H" in (p["system"], p["baseline"])]
            assert row["pairs"] == len(pairs)
            for name in ("t", "paired_t", "wilcoxon"):
                assert row[name] == sum(pair[name]["p"] <= 0.05 for pair in pairs)
    lines = Path(csv).read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("family,metric,test_set,pairs,t,t_corrected,paired_t")
    assert len(lines) == 9
    text = Path(latex).read_text(encoding="utf-8")
    assert text.count(r"\begin{table}") == 2
    assert r"\multicolumn{3}{c}{t2008: 3 pairs} & \multicolumn{3}{c}{t2009: 3 pairs}" in text
    first = rows["all", "rouge", "t2008"], rows["all", "rouge", "t2009"]
    cells = " & ".join(str(row[name]) for row in first for name in ("t", "paired_t", "wilcoxon"))
    assert f"rouge & {cells}" in text
    sheets = openpyxl.load_workbook(book)
    assert sheets.sheetnames == ["counts", "pairs"]
    assert sheets["counts"].max_row == 9
    assert sheets["pairs"].max_row == 1 + 4 * 3
    capsys.readouterr()


def test_outputs_are_scored_by_each_metric(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table of outputs is that of the matrix of their sentence scores, which sacrebleu gives."""
    from sacrebleu.metrics import CHRF

    words = ["the", "old", "boat", "sails", "home", "again", "under", "a", "small", "red", "moon"]
    reference = [" ".join(words[k % 4 : k % 4 + 6]) for k in range(12)]
    systems = {
        name: [" ".join(line.split()[: 6 - (k + place) % 3]) for k, line in enumerate(reference)]
        for place, name in enumerate("AB")
    }
    for name, lines in (("ref", reference), *systems.items()):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    out = str(tmp_path / "out.json")
    paths = [str(tmp_path / f"{name}.txt") for name in "AB"]
    asked = [
        "scores",
        "--reference",
        str(tmp_path / "ref.txt"),
        "--systems",
        *paths,
        "--resamples",
        "50",
        "--json",
        out,
    ]
    assert terminal.main([*asked, "--metric", "chrf", "bleu"]) == 0
    whole = json.loads(Path(out).read_text(encoding="utf-8"))
    assert [item["metric"] for item in whole["results"]] == ["chrF", "BLEU"]
    scored = {
        name: [CHRF().sentence_score(line, [gold]).score for line, gold in zip(lines, reference, strict=True)]
        for name, lines in systems.items()
    }
    (pair,) = whole["results"][0]["pairs"]
    assert pair["gain"] == pytest.approx(float(np.mean(scored["A"]) - np.mean(scored["B"])))
    assert pair["paired_t"]["p"] == pytest.approx(stats.ttest_rel(scored["A"], scored["B"]).pvalue)
    assert terminal.main([*asked, "--metric", "chrf"]) == 0
    assert json.loads(Path(out).read_text(encoding="utf-8"))["pairs"] == whole["results"][0]["pairs"]
    capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "There are no scores"),
        (("--matrix", "m.csv", "--systems", "m.csv"), "--matrix and outputs were given"),
        (("--matrix", "m.csv", "m.csv"), "two matrices of m"),
        (("--matrix", "m.csv", "n.csv", "--title", "x"), "--title is the name of one matrix"),
    ],
)
def test_questions_about_several_that_are_refused(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line says what is wrong."""
    monkeypatch.chdir(tmp_path)
    for name in "mn":
        Path(f"{name}.csv").write_text("doc,A,B\n" + "".join(f"d{k},{k % 3},{k % 4}\n" for k in range(9)))
    assert terminal.main(["scores", *words]) == 2
    assert said in capsys.readouterr().err


def test_files_of_one_system_each_are_one_matrix(tmp_path: Path) -> None:
    """Files with a score in each line are systems, as a table with a column for each of them has it."""
    paths = []
    for j, name in enumerate("AB"):
        path = tmp_path / f"{name}.txt"
        path.write_text("".join(f"{x}\n" for x in VALUES[:, j]), encoding="utf-8")
        paths.append(str(path))
    whole = tmp_path / "both.csv"
    lines = ["doc,A,B", *(f"d{k},{a},{b}" for k, (a, b) in enumerate(VALUES[:, :2]))]
    whole.write_text("\n".join(lines) + "\n", encoding="utf-8")
    out = tmp_path / "out.json"
    assert terminal.main(["scores", *paths, "--resamples", "300", "--json", str(out)]) == 0
    own, expected = json.loads(out.read_text(encoding="utf-8")), written(str(whole))
    assert own["pairs"] == expected["pairs"]
    # two tables of several systems stay two
    assert terminal.main(["scores", str(whole), str(whole), "--resamples", "300"]) == 2
