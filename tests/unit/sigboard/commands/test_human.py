"""`cli.py human`: the shape of the JSON, the options, and what is said of files that do not fit."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from sigboard import terminal
from sigcore import readers
from sigcore.studies import human
from tests.unit.judged import GOLD, SYSTEMS, outputs, ratings

TYPES = {"ordinary": "SYSTEM", "repeat": "REPEAT", "reference": "REF", "degraded": "BAD_REF"}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Any]:
    """A reference, five outputs and ratings of two dimensions in a file each."""
    for item in outputs():
        # the best system must not be a copy of the reference, which is refused
        segments = [text if k % 10 else f"{text} indeed" for k, text in enumerate(item.segments)]
        (tmp_path / f"{item.system}.txt").write_text("\n".join(segments) + "\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("\n".join(GOLD) + "\n", encoding="utf-8")
    for dimension in ("adequacy", "fluency"):
        with (tmp_path / f"{dimension}.csv").open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow(("judge", "system", "segment", "type", "score"))
            table.writerows((j, s, g, TYPES[kind], score) for j, s, g, kind, score in ratings(dimension))
    return {"folder": tmp_path, "systems": [str(tmp_path / f"{name}.txt") for name in SYSTEMS]}


def ask(files: dict[str, Any], *words: str, ratings: tuple[str, ...] = ("adequacy.csv", "fluency.csv")) -> int:
    folder = files["folder"]
    call = ["human", "--assessments", *(str(folder / name) for name in ratings), "--reference", str(folder / "ref.txt")]
    return terminal.main(
        [*call, "--systems", *files["systems"], "--resamples", "300", "--metric", "bleu", "chrf", *words]
    )


def written(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_two_files_give_two_dimensions(files, tmp_path):
    """Ratings in several files are taken together; the JSON does not depend on the number of workers."""
    found = []
    for workers in ("1", "8"):
        out = tmp_path / f"{workers}.json"
        assert ask(files, "--workers", workers, "--json", str(out)) == 0
        found.append(written(out))
    assert found[0] == found[1]
    assert found[0]["dimensions"] == ["adequacy", "fluency"]
    assert found[0]["standardise"] == "all"
    assert len(found[0]["accuracy"]) == 2 * 3 * 3
    assert set(found[0]["gold"]) == {"0.05", "0.01", "0.001"}


def test_options_say_how_ratings_are_taken(files, tmp_path):
    """One dimension, ordinary rows, a level of control, one alpha and one test; and means per segment as CSV."""
    out, means = tmp_path / "o.json", tmp_path / "m.csv"
    words = ["--dimension", "fluency", "--standardise", "ordinary", "--control", "0.05", "--alpha", "0.01"]
    words += ["--test", "bootstrap_shift", "--segment-scores", str(means), "--json", str(out)]
    assert ask(files, *words) == 0
    got = written(out)
    assert (got["dimensions"], got["standardise"], got["alphas"]) == (["fluency"], "ordinary", [0.01])
    assert {cell["test"] for cell in got["accuracy"]} == {"bootstrap_shift"}
    assert "control:0.05" in got["signature"]
    with means.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 5 * 24
    assert set(rows[0]) == {"dimension", "system", "document", "segment", "raw_mean", "z_mean", "n"}


def test_names_that_differ_are_reported_and_can_be_renamed(files, tmp_path, capsys):
    """A judged system without output, an output without judgments, and --rename that brings them together."""
    first = Path(files["systems"][0])
    other = first.with_name("Alpha-Prime.txt")
    other.write_text(first.read_text(encoding="utf-8"), encoding="utf-8")
    files["systems"][0] = str(other)
    out = tmp_path / "o.json"
    assert ask(files, "--json", str(out)) == 0
    got = written(out)
    assert (got["judged_only"], got["unjudged"], len(got["compared"])) == (["alpha"], ["Alpha-Prime"], 4)
    shown = capsys.readouterr().err
    assert "Judged, but without an output of that name: alpha." in shown
    assert "With an output, but without judgments: Alpha-Prime." in shown
    assert ask(files, "--rename", "alpha=Alpha-Prime", "--json", str(out)) == 0
    got = written(out)
    assert (got["judged_only"], got["unjudged"], len(got["compared"])) == ([], [], 5)


def test_table_and_figure_come_as_latex(files, tmp_path):
    """The accuracy table with a row per metric and alpha, and the grids."""
    table, figure = tmp_path / "t.tex", tmp_path / "f.tex"
    assert ask(files, "--latex", str(table), "--latex-figure", str(figure)) == 0
    assert r"\begin{tabular}" in table.read_text(encoding="utf-8")
    assert figure.read_text(encoding="utf-8").count(r"\begin{tikzpicture}") >= 3


def test_the_table_is_for_reading(files, capsys):
    """Without --json the terminal shows ranking, accuracy and differences, each note once."""
    assert ask(files) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("At alpha 0.05, people distinguish")
    assert "Correct conclusions at alpha 0.05 (* best), exact 95% interval" in printed.out
    # where no metric has a conclusion there is no best one
    assert "Accuracy of conclusions at alpha 0.001: none, because no metric has a conclusion." in printed.out
    assert "Correct conclusions at alpha 0.001" not in printed.out
    assert "best of 0" not in printed.out
    # two metrics are one pair
    assert "Holm over 1 pair\n" in printed.out
    assert "1 pairs" not in printed.out
    assert ask(files, "--metric", "bleu", "--test", "bootstrap_shift") == 0
    assert "best of 1" not in capsys.readouterr().out
    assert (printed.out + printed.err).count("at alpha 0.001 no metric has a conclusion") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--alpha", "0.7"], "between 0 and 0.5"),
        (["--alpha", "0.05", "2"], "between 0 and 1"),
        (["--dimension", "style"], "Rated: adequacy, fluency"),
        (["--standardise", "given"], "no column z"),
        (["--rename", "nobody=x"], "No rating names 'nobody'"),
        (["--rename", "alpha"], "JUDGED=OUTPUT"),
        (["--ratings", "none such"], "Choose one with --ratings: adequacy, fluency"),
        (["--metric", "blue"], "Did you mean bleu?"),
        (["--control", "5"], "between 0 and 1"),
    ],
)
def test_wrong_options_are_explained(arguments, message, files, capsys):
    """A wrong option ends with code 2 and one message."""
    assert ask(files, *arguments) == 2
    assert message in capsys.readouterr().err


def test_ratings_of_segments_outside_are_a_warning(files, tmp_path, capsys):
    """The terminal and the JSON say how many ratings are of segments that the test set lacks; all of them are an error."""
    path, out = files["folder"] / "adequacy.csv", tmp_path / "o.json"
    rows = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(row.replace(",3,SYSTEM", ",900,SYSTEM") for row in rows), encoding="utf-8")
    assert ask(files, "--json", str(out), ratings=("adequacy.csv",)) == 0
    said = "10 of 248 ratings are of 1 segment that the test set does not have (it has 40): segment 900."
    assert any(said in warning for warning in written(out)["warnings"])
    capsys.readouterr()
    assert ask(files, ratings=("adequacy.csv",)) == 0
    printed = capsys.readouterr()
    assert (printed.out + printed.err).count(said) == 1
    far = [row.replace(",SYSTEM", "99,SYSTEM").replace(",REPEAT", "99,REPEAT") for row in rows]
    path.write_text("\n".join(far), encoding="utf-8")
    assert ask(files, ratings=("adequacy.csv",)) == 2
    assert "No rated segment is in the test set" in capsys.readouterr().err


def test_files_that_hold_no_ratings_are_reported(files, capsys):
    """Text in place of ratings, and a file that is not there."""
    assert ask(files, ratings=("ref.txt",)) == 2
    assert "no recognisable ratings" in capsys.readouterr().err
    (files["folder"] / "head.csv").write_text("judge,system,segment,type,score\n", encoding="utf-8")
    assert ask(files, ratings=("head.csv",)) == 2
    assert "has a header but no ratings" in capsys.readouterr().err
    assert ask(files, ratings=("missing.csv",)) == 2
    assert "missing.csv cannot be read" in capsys.readouterr().err


def test_a_file_of_several_languages_asks_which(files, tmp_path, capsys):
    """Ratings of two pairs of languages are two sets of ratings; --ratings chooses one."""
    rows = [
        f"{j},{s},{g},TGT,ces,{to},{score},1,2"
        for to in ("eng", "deu")
        for j, s, g, k, score in ratings()
        if k == "ordinary"
    ]
    (tmp_path / "wave.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert ask(files, ratings=("wave.csv",)) == 2
    assert "Choose one with --ratings: wave ces-eng, wave ces-deu" in capsys.readouterr().err
    assert ask(files, "--ratings", "wave ces-deu", ratings=("wave.csv",)) == 0


def test_the_sample_can_be_asked(tmp_path):
    """The invented judges of the harbour sample are read, and every field is there."""
    folder = readers.known.ROOT / "harbour"
    out = tmp_path / "h.json"
    call = ["human", "--assessments", str(folder / "assessments.tsv"), "--reference", str(folder / "ref.A.en")]
    call += [
        "--systems",
        *map(str, sorted((folder / "systems").glob("*.en"))),
        "--resamples",
        "200",
        "--json",
        str(out),
    ]
    assert terminal.main(call) == 0
    got = written(out)
    assert sorted(got["dropped"]) == ["J-fifty", "J-once"]
    assert got["judged_only"] == ["Port-Averil-Press"]
    assert {cell["metric"] for cell in got["accuracy"]} >= set(human.METRICS) & {"bleu", "ter", "chrf"}


def test_documents_can_be_what_is_resampled(files, tmp_path):
    """The metrics' side takes the unit that is asked for, and says so; people's side does not change."""
    documents, out = tmp_path / "docs.txt", tmp_path / "o.json"
    documents.write_text("\n".join(f"d{k // 4}" for k in range(len(GOLD))) + "\n", encoding="utf-8")
    assert ask(files, "--json", str(out)) == 0
    plain = written(out)
    assert ask(files, "--unit", "document", "--documents", str(documents), "--json", str(out)) == 0
    got = written(out)
    assert (plain["unit"], plain["n"], got["unit"], got["n"]) == ("segment", 40, "document", 10)
    assert got["rank_sum"] == plain["rank_sum"]


# ---- several test sets in one table


def test_folders_of_language_pairs_are_one_table(files, tmp_path, capsys):
    """Each test set has the accuracies of the command on it alone; the table has all, as JSON, CSV, LaTeX and XLSX."""
    import openpyxl

    folders = ("wmt22.cs-en", "wmt22.uk-en")
    for place, name in enumerate(folders):
        folder = tmp_path / name
        folder.mkdir()
        for path in tmp_path.glob("*.txt"):
            lines = path.read_text(encoding="utf-8").splitlines()
            # the second test set has other words, so its scores differ
            changed = [
                line if place == 0 or path.name == "ref.txt" or k % 3 else f"{line} too" for k, line in enumerate(lines)
            ]
            (folder / path.name).write_text("\n".join(changed) + "\n", encoding="utf-8")
        (folder / "adequacy.csv").write_text((tmp_path / "adequacy.csv").read_text(encoding="utf-8"), encoding="utf-8")

    def call(names, *words):
        paths = {kind: [str(tmp_path / name / kind) for name in names] for kind in ("ref.txt", "adequacy.csv")}
        systems = [str(tmp_path / name / f"{system}.txt") for name in names for system in SYSTEMS]
        given = ["--reference", *paths["ref.txt"], "--systems", *systems, "--assessments", *paths["adequacy.csv"]]
        return terminal.main(["human", *given, "--resamples", "300", "--metric", "bleu", "chrf", *words])

    out, table, latex, book = (str(tmp_path / f"whole.{kind}") for kind in ("json", "csv", "tex", "xlsx"))
    assert call(folders, "--json", out, "--csv", table, "--latex", latex, "--xlsx", book) == 0
    found = written(Path(out))
    assert [item["test_set"] for item in found["test_sets"]] == ["cs-en", "uk-en"]
    for name, whole in zip(folders, found["test_sets"], strict=True):
        alone = str(tmp_path / "alone.json")
        assert call([name], "--json", alone) == 0
        single = written(Path(alone))
        assert whole["accuracy"] == single["accuracy"]
        assert whole["gold"] == single["gold"]
    accuracies = [item["accuracy"] for item in found["test_sets"]]
    assert accuracies[0] != accuracies[1]
    rows = list(csv.DictReader(Path(table).read_text(encoding="utf-8").splitlines()))
    assert len(rows) == len(found["table"]) == 2 * len(accuracies[0])
    assert [row["test_set"] for row in rows] == [row["test_set"] for row in found["table"]]
    text = Path(latex).read_text(encoding="utf-8")
    assert r"\label{tab:human-cs-en}" in text
    assert r"\label{tab:human-uk-en}" in text
    sheets = openpyxl.load_workbook(book)
    assert sheets.sheetnames == ["all", "cs-en", "uk-en"]
    assert [sheets[name].max_row - 1 for name in sheets.sheetnames] == [len(rows), len(rows) // 2, len(rows) // 2]
    capsys.readouterr()
    assert call(folders) == 0
    notes = [line for line in capsys.readouterr().err.split("\n") if line.startswith("note: ")]
    for name in ("cs-en", "uk-en"):  # what is said of the files of each test set
        assert any(line.startswith(f"note: {name}: ") and "ratings by 8 judges" in line for line in notes)
    assert call(folders, "--segment-scores", str(tmp_path / "s.csv")) == 2
    assert "hold one test set" in capsys.readouterr().err


def test_ratings_alone_rank_the_judged_systems(files, tmp_path, capsys):
    """Without outputs the terminal shows what the page shows: the conclusions of people, and the means for other tests."""
    folder, means = files["folder"], tmp_path / "means.csv"
    alone = ["human", "--assessments", str(folder / "adequacy.csv")]
    assert terminal.main([*alone, "--segment-scores", str(means)]) == 0
    printed = capsys.readouterr()
    lines = printed.out.split("\n")
    rated = [line.split() for line in lines if line[:1].isdigit()]
    judged = human.people(readers.read_ratings([("adequacy.csv", (folder / "adequacy.csv").read_bytes())]).judgments[0])
    assert [row[1] for row in rated] == [*judged.systems] * 2  # the scores, then the grid
    signs = {0.0: ".", 1.0: "+", 2.0: "++", 3.0: "+++", -1.0: "-", -2.0: "--", -3.0: "---"}
    for k, row in enumerate(rated[len(judged.systems) :]):
        assert row[2:] == [signs[level] for level in judged.levels(0.05)[k] if level == level]
    differ = int((judged.levels(0.05) > 0).sum())
    pairs = len(judged.systems) * (len(judged.systems) - 1) // 2
    assert lines[0] == f"People distinguish {differ} of {pairs} pairs of judged systems (alpha 0.05)."
    assert 0 < differ < pairs
    assert "No outputs are given" in printed.err
    assert terminal.main(["matrix", "--systems", str(means), "--format", "csv", "--score-field", "raw_mean"]) == 0
    assert "raw_mean" in capsys.readouterr().out
    assert terminal.main([*alone, "--json", "-"]) == 2
    assert "need the outputs that metrics score" in capsys.readouterr().err


def test_ratings_alone_are_printed_with_what_the_page_says_of_them(tmp_path, capsys):
    """Few segments and ratings that come twice are noted where only ratings are given, too."""
    rows = [f"ann,s{k},{name},{(k * 7 + i) % 5 + 1}" for i, name in enumerate(("A", "B")) for k in range(4)]
    (tmp_path / "r.csv").write_text("\n".join(["judge,segment,system,score", *rows, rows[0]]) + "\n")
    assert terminal.main(["human", "--assessments", str(tmp_path / "r.csv")]) == 0
    told = capsys.readouterr().err
    assert "note: Few segments were rated for quality, so p is approximate: A (4), B (4)." in told
    assert "note: 1 rating repeats another one" in told


def test_ratings_of_a_system_can_be_left_out(tmp_path, capsys):
    """They were left in, without a word; a name that nobody rated is an error."""
    rows = [f"ann,s{k},{name},{(k * 7 + i) % 5 + 1}" for i, name in enumerate("ABC") for k in range(8)]
    (tmp_path / "r.csv").write_text("\n".join(["judge,segment,system,score", *rows]) + "\n")
    alone = ["human", "--assessments", str(tmp_path / "r.csv"), "--standardise", "none"]
    assert terminal.main(alone) == 0
    assert "of 3 pairs" in capsys.readouterr().out
    assert terminal.main([*alone, "--leave-out", "C"]) == 0
    printed = capsys.readouterr().out
    assert "of 1 pair " in printed
    assert {line.split()[1] for line in printed.split("\n") if line[:1].isdigit()} == {"A", "B"}
    assert terminal.main([*alone, "--leave-out", "D"]) == 2
    assert "There is no system named 'D'. Known: A, B, C." in capsys.readouterr().err
