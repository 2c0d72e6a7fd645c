"""Files of counts per segment: both ways of writing them, what is recognised, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from sigboard import terminal
from sigcore.metrics.own_statistics import FORMULAS, fitting
from sigcore.readers import Choice, Intake, read

ROWS = ((3, 5, 4), (0, 1, 2), (1, 1, 1))
SEGMENTS = tuple(f"tp={a} pred={b} gold={c}" for a, b, c in ROWS)


def one(text: str, file: str = "One.txt", **chosen: object) -> Intake:
    """What is read from one file."""
    return read([(file, text.encode())], chosen={file: Choice("statistics")} if chosen else None)


def table(mark: str, head: str = "tp pred gold") -> str:
    """The counts as a table."""
    rows = [head.split(), *([str(x) for x in row] for row in ROWS)]
    return "\n".join(mark.join(row) for row in rows) + "\n"


@pytest.mark.parametrize("text", ["\n".join(SEGMENTS) + "\n", *(table(mark) for mark in "\t,; ")])
def test_counts_are_recognised_however_they_are_written(text):
    """Lines of name=number and tables separated by TAB, comma, semicolon or blank give the same segments."""
    (item,) = one(text).items
    assert (item.kind, item.role, item.name, item.segments) == ("statistics", "system", "One", SEGMENTS)


def test_ids_are_left_out_and_documents_are_kept():
    """A column of segment numbers is no count; one of documents becomes the test set's."""
    rows = [["segment", "doc", "tp", "pred", "gold"]]
    rows += [[str(i + 1), f"d{i // 2}", *map(str, row)] for i, row in enumerate(ROWS)]
    found = one("\n".join("\t".join(row) for row in rows) + "\n").items
    assert [(item.role, item.kind) for item in found] == [("system", "statistics"), ("documents", "text")]
    assert found[0].segments == SEGMENTS
    assert found[1].segments == ("d0", "d0", "d1")


@pytest.mark.parametrize(
    ("file", "text", "kinds"),
    [
        ("scores.tsv", "A\tB\n0.1\t0.2\n0.3\t0.4\n", {"scores"}),
        ("scores.tsv", "A\tS\n0.1\t0.2\n0.3\t0.4\n", {"scores"}),
        ("texts.tsv", "gold\ttest\none word\ttwo words\nmore\tless\n", {"text"}),
        ("maths.txt", "x=3\ny=4\n", {"text"}),
        ("maths.txt", "let x = 3\nlet x = 4\n", {"text"}),
        ("plain.txt", "1\n2\n3\n", {"scores"}),
    ],
)
def test_other_files_are_not_taken_for_counts(file, text, kinds):
    """Scores of systems, texts and equations stay what they are."""
    assert {item.kind for item in one(text, file).items} == kinds


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("tp,pred\n1,2\n1\n", "line 3 has 1 cell, line 1 has 2"),
        ("tp,pred\n1,2\n1,x\n", r"column pred, row 2: 'x' is not a number"),
        ("tp,tp\n1,2\n", "'tp' is the name of two columns"),
        ("1,2\n1,2\n", "'1' is not the name of a column"),
        ("tp,pred\n", "a header and a row per segment"),
        ("segment\n1\n", "No column contains counts"),
    ],
)
def test_broken_tables_are_explained(text, told):
    """Each fault has its line and a way to fix it."""
    (problem,) = one(text, chosen=True).problems
    assert told in problem.what
    assert problem.where
    assert problem.fix


def test_counts_go_through_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two files of counts are compared in F1, over documents too, without a reference."""
    for name, hits in (("one", 2), ("two", 1)):
        rows = [f"d{i // 5}\t{hits + i % 2}\t4\t{3 + i % 3}" for i in range(40)]
        (tmp_path / f"{name}.tsv").write_text("\n".join(["doc\ttp\tpred\tgold", *rows]) + "\n", encoding="utf-8")
    where = ["--systems", *(str(tmp_path / f"{name}.tsv") for name in ("one", "two"))]
    words = ["--metric", "own_statistics", "--unit", "document", "--resamples", "200"]
    assert terminal.main(["matrix", *where, *words]) == 0
    printed = capsys.readouterr().out
    assert "F1" in printed
    assert "n = 8 documents (40 segments)" in printed


def test_rows_of_meteor_are_recognised():
    """23 numbers without a header whose matches add up get the names that the formula knows; no others do."""
    row = "4 5 1 2 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 0 2 3.0 3.0"
    (item,) = one(f"{row}\n{row}\n").items
    assert item.kind == "statistics"
    assert fitting(FORMULAS["meteor"], [part.partition("=")[0] for part in item.segments[1].split()])
    assert item.segments[1].startswith("hyp_len=4 ref_len=5 ")
    assert not any(item.kind == "statistics" for item in one(f"{row[:-3]}9.0\n" * 2).items)
    (problem,) = one(f"{row}\n" * 60 + "1 2 3\n", chosen=True).problems
    assert "line 61 has 3 numbers, a row of METEOR has 23." in str(problem)
