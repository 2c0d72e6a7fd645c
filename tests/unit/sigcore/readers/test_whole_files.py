"""Whole files: several tables in one text, lines that do not fit, files that are set aside, totals above a part of the results."""

from __future__ import annotations

import json

import pytest

from sigcore.data.assembly import assemble
from sigcore.readers import Intake, read
from tests.made_tables import asked, means, rows, scored, told, value
from tests.unit.sigcore.readers.test_votes_and_rows import said

TOTALS = ["| Metric | A | B |", "| --- | --- | --- |", "| NDCG | 0.41 | 0.52 |", "| MRR | 0.40 | 0.50 |"]


def page(*tables: list[str]) -> str:
    """A text of Markdown with these tables below sentences."""
    return "\n".join(line for own in tables for line in ("Some words.", "", *own, "")) + "\n"


def of_queries(n: int, names: tuple[str, ...] = ("A", "B")) -> list[str]:
    """A table with a row for each query."""
    head = ["| Query | " + " | ".join(names) + " |", "| --- |" + " --- |" * len(names)]
    return [
        *head,
        *(f"| query {k} | " + " | ".join(str(value(k, i)) for i in range(len(names))) + " |" for k in range(n)),
    ]


def wanted(n: int, i: int) -> float:
    return sum(value(k, i) for k in range(n)) / n


def refused(text: str, name: str) -> str:
    """The one problem of a file, which nothing is read of."""
    found = scored(text, name)
    (problem,) = found.problems
    assert not found.items
    return str(problem)


@pytest.mark.parametrize("first", [True, False])
def test_the_table_of_many_rows_is_read_and_its_summary_is_not(first: bool) -> None:
    tables = [TOTALS, of_queries(12)]
    found = scored(page(*(tables if first else reversed(tables))), "report.md")
    assert means(found) == pytest.approx({"A": wanted(12, 0), "B": wanted(12, 1)})
    line = 10 if first else 3
    assert f"the one in line {line} (Query, A, B; 12 rows) was read; 1 other table not used." in told(found)


@pytest.mark.parametrize(
    "tables",
    [
        [TOTALS, of_queries(9)],  # too few
        [of_queries(12, ("C", "D")), of_queries(30)],  # not three times as many
        [of_queries(12), of_queries(60)],  # the same columns: parts of one table
        [TOTALS, ["| Query | Text |", "| --- | --- |", *(f"| q{k} | words {k} |" for k in range(20))], of_queries(12)],
        [TOTALS, ["| Query | F1 |", "| --- | --- |", *(f"| q{k} | 0.{k} |" for k in range(20))]],
    ],
)
def test_where_no_table_stands_out_all_are_named(tables: list[list[str]]) -> None:
    assert "which belong together in no known way: line 3: " in refused(page(*tables), "report.md")


TEXTS = [
    "| # | Prompt | One | Two |",
    "| --- | --- | --- | --- |",
    *(f"| {k + 1} | say {k} | yes | no |" for k in range(6)),
]
NAMES = ("One", "Two", "Three")


def test_the_only_table_of_numbers_may_have_systems_in_rows() -> None:
    """What was asked and said stands below it; its questions are numbered, and it has a mean."""
    mean = [wanted(6, i) for i in range(3)]
    body = [f"| **{name}** | {mean[i]:.3f} | " + " | ".join(str(value(k, i)) for k in range(6)) + " |" for i, name in enumerate(NAMES)]  # fmt: skip
    table = ["|  | 平均分 | #1 | #2 | #3 | #4 | #5 | #6 |", "|" + " --- |" * 8, *body]
    text = page(table, TEXTS)
    ((what, command),) = asked(text, "t.md").ways
    assert (what, command) == ("each row is a system, and #1 to #6 are questions", "rows=system")
    found = scored(text, "t.md", **said(command))
    assert means(found) == pytest.approx(dict(zip(NAMES, mean, strict=True)))
    assert "1 other table not used" in told(found)


# Lines with other numbers of cells.


def test_all_lines_with_another_number_of_cells_are_named() -> None:
    lines = [f"q{k},0.{k},{'fine, really' if k in (2, 5, 7) else 'fine'}" for k in range(9)]
    problem = refused(rows("id,score,note", *lines), "t.csv")
    assert "line 4 has 4 cells, line 1 has 3. Other lines that differ: line 7 (4 cells), line 9 (4 cells)." in problem
    assert "[t.csv, line 4]" in problem
    many = refused(rows("id,score,note", *(f"q{k},0.{k},a{',b' * (k % 2)}" for k in range(20))), "t.csv")
    assert "line 11 (4 cells) and 5 more." in many


def shifted(head: str, *last: str, body: str = "{k}\t{a}\t{b}\t\t{n}") -> str:
    cells = (body.format(k=f"lang_{k}", a=value(k, 0), b=value(k, 1), n=100 + k * k) for k in range(10))
    return rows(head, *cells, *last)


@pytest.mark.parametrize("last", [(), ("SMALL\t\t0.5", "TOTAL\t\t0.4")])
def test_one_empty_heading_too_many_is_left_out_where_the_others_fit(last: tuple[str, ...]) -> None:
    """The numbers would stand below the heading of their neighbour; rows of sums are shorter."""
    text = shifted("Lang\t\tacc\tlemma acc\t\t#total", *last)
    found = scored(text, "one_test.txt", **said("Lang=question acc=score"))
    assert means(found) == pytest.approx({"one_test": wanted(10, 0)})
    assert ("left out (SMALL, TOTAL)" in told(found)) == bool(last)
    assert "were moved to the columns that they fit" in told(found)


@pytest.mark.parametrize(
    ("head", "last", "words"),
    [
        (
            "Lang\tacc\tlemma acc\tmore\t\t#total",
            (),
            "Its first line has 6 cells, but 10 of the other 10 lines have 5.",
        ),
        (
            "Lang\t\tacc\tlemma acc\tmore\t#total",
            (),
            "Its first line has 6 cells",
        ),  # no heading stands above the empty cells
        ("Lang\tacc\t\t#total", (), "Its first line has 4 cells"),
        ("Lang\tacc\tlemma acc\t\t#total", ("x\t0.5",), "line 12 has 2 cells, line 1 has 5"),  # no sum
        ("Lang\t\tacc\tlemma acc\t\t#total", ("y\t0.1\t0.1", "TOTAL\t0.5"), "Others: line 12 (3), line 13 (2)."),
    ],
)
def test_other_shifts_are_named_and_not_read(head: str, last: tuple[str, ...], words: str) -> None:
    assert words in refused(shifted(head, *last), "one_test.txt")


def test_names_of_rows_have_no_heading_beside_measures() -> None:
    body = "{k}\t{a}\t{b}"
    found = scored(shifted("bleu\tchrf", body=body), "A.txt", **said("'column 1=question' bleu=score"))
    assert means(found) == pytest.approx({"A": wanted(10, 0)})
    assert "Its headings have one cell" in told(found)
    assert "Its first line has 2 cells" in refused(
        shifted("Lang\tacc", body=body), "A.txt"
    )  # names of rows have a heading


def test_texts_with_some_tabs_are_texts() -> None:
    found = scored(rows("One\tword here", *(f"A line\twith {k} words\tand more" for k in range(9))), "A.txt")
    (item,) = found.items
    assert (item.kind, len(item.segments)) == ("text", 10)


# Files that are set aside, reports, and totals.


def needed(found: Intake) -> str:
    """What to load, where nothing is used."""
    (error,) = assemble(found.items).of("error")
    return error.fix


def test_a_readme_says_where_its_table_is_and_what_to_do() -> None:
    found = scored(page(TOTALS, of_queries(12)), "README.md")
    assert [item.role for item in found.items] == ["ignored"]
    fix = needed(found)
    assert "not data, judging by its name; line 10 begins a table of 12 rows)." in fix
    assert "copy the table to a file of its own, such as scores.md" in fix
    assert "tests need the scores of every question" in fix
    # what it says leads to the table
    copied = scored("\n".join(of_queries(12)) + "\n", "scores.md")
    assert means(copied) == pytest.approx({"A": wanted(12, 0), "B": wanted(12, 1)})
    assert "begins a table" not in needed(scored(page(TOTALS), "Results.md"))
    assert "judging by its name" not in needed(read([]))


HARNESS = [
    "|  Tasks  |Version|Metric|   |Value|   |Stderr|",
    "|---------|------:|------|---|----:|---|-----:|",
    *(f"|task_{k}|      1|acc   |↑  | 0.{50 + k}|±  |0.0{k}|" for k in range(14)),
]


@pytest.mark.parametrize("name", ["results.txt", "report.md"])
@pytest.mark.parametrize("above", [(), (["# Results", ""])])
def test_tables_of_the_harness_have_no_questions(name: str, above: list[str]) -> None:
    problem = refused("\n".join([*above, *HARNESS]) + "\n", name)
    assert "one number for each task" in problem
    assert "lm_eval --log_samples" in problem


def test_tables_of_the_harness_in_a_readme() -> None:
    fix = needed(scored(page(HARNESS), "README.md"))
    assert "README.md has the mean of each task alone" in fix
    assert "lm_eval --log_samples" in fix


FAILED = [{"id": f"js_{k}", "model_name": "M", "valid": False, "error": ["no"]} for k in (2, 3, 7, 9)]


def lines(*records: object) -> str:
    return "".join(json.dumps(one) + "\n" for one in records)


@pytest.mark.parametrize("name", ["t.json", "t.jsonl"])
def test_totals_of_more_results_than_follow_are_refused(name: str) -> None:
    """The failed ones alone would be a table of zeros."""
    problem = refused(lines({"accuracy": 0.5, "correct_count": 25, "total_count": 50}, *FAILED), name)
    assert "Its first line counts 50 results, but only 4 of them follow, all with valid = false." in problem
    other = [{"id": k, "system": "A", "score": k / 9} for k in range(9)]
    assert "but only 9 of them follow." in refused(lines({"mean": 0.5, "num_samples": 20}, *other), name)


def test_totals_of_as_many_failures_are_read() -> None:
    """All that are not listed passed."""
    found = scored(lines({"accuracy": 0.6, "correct_count": 6, "total_count": 10}, *FAILED), "t.json")
    assert means(found) == {"M": 0.6}


@pytest.mark.parametrize("head", [{"id": 99, "total": 50}, {"total_tokens": 5000}, {"total": 9}, {"total": True}])
def test_other_first_records_are_no_totals_of_more(head: dict[str, object]) -> None:
    other = [{"id": k, "system": "A", "score": k / 9} for k in range(9)]
    assert "Its first line counts" not in " ".join(map(str, scored(lines(head, *other), "t.jsonl").problems))


REPORT = """Test file: 'story.MT'
Reference file 'story.post-edited'

Statistics about input files
-------------------------------------------------------
Number of words in reference: 415
Number of words in test: 433
Number of unknown words (marked with a star) in test: 5
Percentage of unknown words: 1.15 %

Results when removing unknown-word marks (stars)
-------------------------------------------------------
Edit distance: 199
Word error rate (WER): 45.96 %
"""


def test_a_report_of_apertium_is_no_text() -> None:
    assert "It looks like a report on a whole run." in refused(REPORT, "story.res")
    without = REPORT.replace("Number of unknown words (marked with a star) in test: 5\n", "")
    assert "It looks like a report on a whole run." in refused(without, "story.res")
