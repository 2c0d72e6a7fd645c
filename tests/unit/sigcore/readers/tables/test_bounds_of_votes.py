"""Sheets of votes, rejected answers, long plans and headings in two lines; one step to either side of each bound."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Claim, Found, Notice
from sigcore.readers.tables import annotation, applied, printed, proposals, scored, trec, versus, votes
from sigcore.readers.tables.said import Said
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear
from tests.unit.sigcore.readers.tables.built import Cells, cells_of, columns_of, messages, table


def refused(heads: list[str], words: tuple[str, ...], rows: int = 12, **more: object) -> str:
    """What is said of a sheet with these questions, and these words in turn."""
    body = [[words[(k + i) % len(words)] for i in range(len(heads))] for k in range(rows)]
    try:
        votes.refuse(Table("v.csv", heads, body, range(2, rows + 2), **more))  # type: ignore[arg-type]
    except ReadError as error:
        return error.what
    return ""


@pytest.mark.parametrize(("questions", "told"), [(3, True), (2, False)])
def test_votes_on_three_questions_need_the_names_of_both_sides(questions: int, told: bool) -> None:
    what = refused([f"Q{k}" for k in range(questions)], ("A", "B", "tie"))
    said = f"Its cells are votes (A, B, tie) on {questions} questions, a column each. Its 12 rows would be people."
    assert what.startswith(said) is told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("A", "B"), True), (("A", "B", ""), True), (("left", "right", "both are good"), True), (("Response 1", "response 2"), True),
        (("first one", "second one", "not sure"), True), (("A", "A"), False), (("A", "B", "X"), False), (("1", "2"), False), (("tie", "same"), False),
        (("A", "B", "hm"), False), (("A", "a", "B", "b", "tie", "draw"), True), (("A", "a", "B", "b", "tie", "draw", "same"), False),
    ],
)  # fmt: skip
def test_words_for_one_of_two_sides(words: tuple[str, ...], told: bool) -> None:
    """Six different ones at most."""
    assert bool(refused(["Q1", "Q2", "Q3"], words)) is told


@pytest.mark.parametrize(
    ("heading", "told"),
    [
        ("Q1", True), ("1", True), ("question 3: which is better", True), ("Which do you prefer?", True), ("Which is better? [2]", True), ("item-12", True),
        ("A", False), ("winner", False), ("Q1234", False),
    ],
)  # fmt: skip
def test_headings_of_questions(heading: str, told: bool) -> None:
    assert bool(refused([heading, "Q2", "Q3"], ("A", "B"))) is told


def test_a_sheet_that_says_what_it_is_holds_no_votes() -> None:
    assert refused(["Q1", "Q2", "Q3"], ("A", "B"), role="system") == ""
    assert refused(["Q1", "Q2", "Q3"], ("A", "B"), basis="said") == ""


def test_rejected_answers_are_left_out() -> None:
    def kept(heads: str, *status: str) -> tuple[int, list[str]]:
        notices: list[Notice] = []
        rows = [[str(k), one] for k, one in enumerate(status)]
        of = annotation.counting(Table("b.csv", heads.split(), rows, range(2, len(rows) + 2)), notices)
        return len(of.rows), [one.message for one in notices]

    heads = "HITId AssignmentStatus"
    assert kept(heads, "Approved", "Rejected ") == (1, ["1 answer with AssignmentStatus Rejected is left out."])
    assert kept(heads, "Approved", "Rejected", "Rejected") == (
        1,
        ["2 answers with AssignmentStatus Rejected are left out."],
    )
    assert kept(heads, "Approved", "Submitted") == (2, [])
    assert kept("HITId Status", "Approved", "Rejected") == (2, [])
    with pytest.raises(ReadError, match="None of its answers counts"):
        kept(heads, "Rejected")


@pytest.mark.parametrize(
    ("lines", "are"),
    [
        (["map  |q1|0.5", "map  |all|0.5"], True), (["mine|q1|0.5", "mine|all|0.5"], False), (["nDCG@10 |q1|0.5"], True), (["foo |q1|0.5"], False),
        (["map  |q1|x", "map  |all|0.5"], False), (["runid |all|x", "map |all|0.5"], True), (["11 |all|0.5"], False), (["11pt_avg |all|0.5"], True), (["map |all|0.5|x"], False),
    ],
)  # fmt: skip
def test_lines_of_trec_eval(lines: list[str], are: bool) -> None:
    """A measure padded with blanks, a query and a number."""
    assert trec.is_trec([line.split("|") for line in lines]) is are


def test_means_and_counts_of_trec_eval_are_not_used() -> None:
    found = Found()
    rows = [
        line.split("|") for line in ("runid |all|x", "num_q |all|2", "map |q1|0.5", "num_ret |q1|9", "map |all|0.5")
    ]
    of = trec.table("t", rows, range(1, 6), found)
    assert (of.headings, cells_of(of), list(of.places)) == (["measure", "qid", "score"], [["map", "q1", "0.5"]], [3])
    assert messages(found)[0].endswith("4 lines of means and counts were not used.")
    with pytest.raises(ReadError, match="It is the output of trec_eval for all queries together"):
        trec.table("t", rows[:2], range(1, 3), Found())


def test_a_long_plan_says_how_many_columns_are_not_shown() -> None:
    """In its message, with the first cells of each that is shown."""
    of = table(" ".join(f"c{k}x" for k in range(32)), lambda k: (k,) * 32, 3)
    claims = [Claim("t.csv", name, "system", "only a guess", "guess", cells=("0", "1")) for name in of.headings]
    what = Unclear(of, "What?", claims).what
    assert what.startswith(
        "What? Its columns, with first cells and what each was taken for: c0x ('0', '1'): system, only a guess; c1x"
    )
    assert ", and 2 more." in what
    assert "c30x" not in what


def test_the_first_column_below_no_heading_names_the_segments() -> None:
    """Other columns without one have none."""
    body = [["q1", "x", "1", "2", "3", "4"], ["q2", "x", "2", "3", "4", "5"], ["q3", "x", "3", "4", "5", "6"]]
    levels = printed.of_two(
        "t.csv", [["", "", "BLEU", "", "chrF", ""], ["", "note", "One", "Two", "One", "Two"], *body], range(1, 6)
    )
    assert levels is not None
    assert levels.tables["BLEU"][:2] == [["segment", "note", "One", "Two"], ["q1", "x", "1", "2"]]
    blank = printed.of_two(
        "t.csv", [["", "", "BLEU", "", "chrF", ""], ["", "", "One", "Two", "One", "Two"], *body], range(1, 6)
    )
    assert blank is not None
    assert blank.tables["BLEU"][0] == ["segment", "", "One", "Two"]


def test_one_measure_in_the_second_line_stands_below_each_system() -> None:
    """Behind the column that names the rows; a column between them belongs to none."""
    body = [["q1", "1", "2", "3"], ["q2", "2", "3", "4"], ["q3", "3", "4", "5"]]
    levels = printed.of_two("t.csv", [["", "One", "Two", "Six"], ["id", "BLEU", "BLEU", "BLEU"], *body], range(1, 6))
    assert levels is not None
    assert (levels.above, levels.tables["BLEU"][0]) == ("systems", ["id", "One", "Two", "Six"])
    gap = [["", "One", "", "Six"], ["id", "BLEU", "", "BLEU"], *body]
    assert printed.of_two("t.csv", gap, range(1, 6)) is None


def test_a_number_that_names_no_row_is_no_system() -> None:
    """All names are numbers, from 0 or 1 on."""
    of = table("arm thing score", lambda k: (("0", "x")[k % 2], f"q{k // 2}", (k * 7 % 11) / 10), 24)
    assert [roles for _, roles in proposals.of(of)] == ["arm=system thing=question score=score"]
    mixed = table("number2 thing score", lambda k: (("0", "1.5")[k % 2], f"q{k // 2}", (k * 7 % 11) / 10), 24)
    assert not any("number2=system" in roles for _, roles in proposals.of(mixed))


def test_runs_and_judges_tell_the_rows_of_a_question_apart() -> None:
    """So an item may come again with each of them, and a document names no question where nothing is compared."""

    def segments(heads: str, cells: Cells, system: str = "A") -> list[str]:
        of = applied.to(table(heads, cells), Said(system=system, scores=("C",)), Found())
        return columns_of(of).get("segment", [])[:3]

    assert segments("A item judge C", lambda k: ("xy"[k % 2], f"w{k // 4}", "jk"[k // 2 % 2], k / 7)) == [
        "w0",
        "w0",
        "w0",
    ]
    assert segments("A item run C", lambda k: ("xy"[k % 2], f"w{k // 4}", "jk"[k // 2 % 2], k / 7)) == [
        "w0",
        "w0",
        "w0",
    ]
    assert segments("document thing C", lambda k: (f"d{k}", k, k / 7), "") == ["1", "2", "3"]


def test_a_tie_is_no_name_between_marks() -> None:
    """A system called C is one, where winners name it."""

    def first(cell: str, *won: str) -> list[str]:
        of = table("id pair winner", lambda k: (k, cell, won[k % len(won)]))
        new = versus.as_pairs(of, Found())
        return [] if new is of else [columns_of(new)[name][0] for name in ("model_a", "model_b")]

    assert first("x-C-D", "C-D", "x") == ["x", "C-D"]
    assert first("x-C", "x", "C") == ["x", "C"]
    assert first("a-b-c", "a-b", "c") == ["a-b", "c"]


def test_scores_that_are_named_are_no_guesses() -> None:
    """In long form: what was said, and what its heading says."""
    of = table("system id bleu", lambda k: ("AB"[k % 2], k // 2, k / 7))
    result = Found()
    assert scored.columns(of, 0, [1], [2], result) == [2]
    assert [(one.role, one.reason, one.basis) for one in result.claims] == [
        ("system", "it names the system of the row", "heading"), ("question", "it names what was asked", "heading"), ("score", "by its heading", "heading"),
    ]  # fmt: skip
    told = Table(of.file, of.headings, of.rows, of.places, basis="said")
    result = Found()
    scored.columns(told, 0, [1], [2], result)
    assert [(one.reason, one.basis) for one in result.claims] == [
        ("it names the system of the row", "said"), ("it names what was asked", "said"), ("as it was said", "said"),
    ]  # fmt: skip
    only = Found()
    assert scored.columns(table("system id x", lambda k: ("AB"[k % 2], k // 2, k / 7)), 0, [1], [2], only) == [2]
    assert only.claims[2].reason == "the only column of numbers that may be scores"
