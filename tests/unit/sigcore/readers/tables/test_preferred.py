"""Tables of preferences: who won each comparison, which rows count, what names the question and the judge."""

from __future__ import annotations

import pytest

from sigcore.readers import Intake, read

Comparison = tuple[str, str, float, str, str]  # first, second, outcome, question, judge
H = "question_id,model_1,model_2,judge,g1_winner,g2_winner"


def loaded(text: str, file: str = "pairs.csv") -> Intake:
    return read([(file, text.encode())])


def compared(text: str, file: str = "pairs.csv") -> list[Comparison]:
    (part,) = loaded(text, file).preferences
    columns = (part.first, part.second, part.outcome, part.question, part.judge)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def outcomes(heads: str, *cells: str) -> list[tuple[str, float]]:
    """The question and the outcome of each comparison of A and B that counts; rows are called q1, q2 ..."""
    rows = [f"q{k},A,B,{cell}\n" for k, cell in enumerate(cells, 1)]
    return [
        (question, outcome) for _, _, outcome, question, _ in compared(f"id,model_a,model_b,{heads}\n{''.join(rows)}")
    ]


def test_both_orders_have_to_agree() -> None:
    """A win in one order only is a tie; without an answer in one order there is no judgment; systems never meet themselves."""
    rows = [
        "1,A,B,gpt,model_1,model_1",
        "1,A,C,gpt,model_1,model_2",
        "2,A,B,gpt,tie,tie",
        "2,B,C,gpt,model_2,error",
        "2,B,C,gpt,error,model_1",
        "3,A,C,gpt,model_1,tie",
        "3,A,A,gpt,model_1,model_1",
    ]
    text = "\n".join([H, *rows]) + "\n"
    assert compared(text) == [
        ("A", "B", 1.0, "1", "gpt"),
        ("A", "C", 0.5, "1", "gpt"),
        ("A", "B", 0.5, "2", "gpt"),
        ("A", "C", 0.5, "3", "gpt"),
    ]
    left = [notice.message for notice in loaded(text).notices if "left out" in notice.message]
    assert left == ["2 rows without a judgment left out.", "1 row with a system against itself left out."]


@pytest.mark.parametrize(
    ("heads", "cells", "wanted"),
    [
        # a column for each outcome: exactly one of them is marked
        ("winner_model_a,winner_model_b,winner_tie", ("1,0,0", "0,1,0", "0,0,1", "1,1,0", "0,0,0", "True,False,False"),
         [("q1", 1.0), ("q2", 0.0), ("q3", 0.5), ("q6", 1.0)]),
        # from 1, the first, to 2, the second; 0 is a tie of AlpacaEval
        ("preference", ("1", "2", "1.25", "0", ""), [("q1", 1.0), ("q2", 0.0), ("q3", 0.75), ("q4", 0.5)]),
        ("winner", ("A", "B", "tie", "both", "inconsistent", "n/a", "tie (bothbad)"),
         [("q1", 1.0), ("q2", 0.0), ("q3", 0.5), ("q4", 0.5), ("q5", 0.5), ("q7", 0.5)]),
        ("verdict", ("[[A]]", "[[B]]", "[[C]]"), [("q1", 1.0), ("q2", 0.0), ("q3", 0.5)]),
        ("better", ("model_a", "Model B", "no preference"), [("q1", 1.0), ("q2", 0.0), ("q3", 0.5)]),
        ("choice", ("left", "right", "equal"), [("q1", 1.0), ("q2", 0.0), ("q3", 0.5)]),
    ],
)  # fmt: skip
def test_outcomes_as_they_are_written(heads: str, cells: tuple[str, ...], wanted: list[tuple[str, float]]) -> None:
    """1 is a win of the first system, 0 of the second; rows without a judgment are missing."""
    assert outcomes(heads, *cells) == wanted


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        (("1", "0", "1"), "winner says by numbers which of two systems is better: 0, 1. What does each mean?"),
        (("A", "B", "nobody"), "does not say which of two systems is better"),
        (("", "", ""), "No row has a winner or a tie"),
    ],
)
def test_what_may_mean_two_things_is_asked(cells: tuple[str, ...], what: str) -> None:
    """0 and 1 may be either side; names and places are not mixed."""
    rows = "".join(f"q{k},A,B,{cell}\n" for k, cell in enumerate(cells))
    (problem,) = loaded(f"id,system_1,system_2,winner\n{rows}").problems
    assert what in problem.what


def test_a_system_called_like_a_place_is_asked() -> None:
    """`a` may be the system or the first of the two."""
    (problem,) = loaded("id,system_1,system_2,winner\nq1,a,b,a\nq2,b,a,b\n").problems
    assert "may hold the name of the better system" in problem.what
    same = compared("id,system_1,system_2,winner\nq1,a,b,a\nq2,a,b,b\n")  # both readings say the same
    assert [outcome for _, _, outcome, _, _ in same] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("heads", "first", "second", "questions"),
    [
        ("question,prompt", "x,p1", "x,p2", ["p1", "p2"]),
        ("item,prompt", "i1,p1", "i2,p2", ["p1", "p2"]),
        ("item,prompt", "i1,Which?", "i2,Which?", ["i1", "i2"]),  # the same prompt names no question
        ("id,prompt", "1,p1", "2,p1", ["1", "2"]),
        ("id,instruction", "7,p1", "7,p2", ["p1", "p2"]),
        ("colour,size", "red,1", "blue,2", ["0", "1"]),
    ],
)
def test_what_differs_names_the_question(heads: str, first: str, second: str, questions: list[str]) -> None:
    """An id, else a prompt, else an item, and only where it differs; without any, each row is a question."""
    found = compared(f"{heads},system_1,system_2,winner\n{first},A,B,A\n{second},A,B,B\n")
    assert [question for *_, question, _ in found] == questions


def test_one_row_names_its_question() -> None:
    """There nothing can differ."""
    assert compared("id,system_1,system_2,winner\nq9,A,B,A\n") == [("A", "B", 1.0, "q9", "")]


def test_a_judge_with_a_prompt_is_the_judge() -> None:
    """As MT-bench writes it: a list of the judge and its prompt."""
    text = (
        '{"question_id":1,"model_1":"A","model_2":"B","judge":["gpt-4","v2"],"g1_winner":"model_1","g2_winner":"tie"}\n'
    )
    assert compared(text, "pairs.jsonl") == [("A", "B", 0.5, "1", "gpt-4")]


def test_each_annotator_has_a_column_of_winners() -> None:
    """Each is a judge of its own."""
    rows = compared("id,system_1,system_2,winner1,winner2\nq1,X,Y,X,Y\nq2,Y,X,Y,tie\n")
    assert rows == [
        ("X", "Y", 1.0, "q1", "winner1"),
        ("X", "Y", 0.0, "q1", "winner2"),
        ("Y", "X", 1.0, "q2", "winner1"),
        ("Y", "X", 0.5, "q2", "winner2"),
    ]


def test_two_models_that_often_give_the_same_label_are_no_rivals() -> None:
    """They label; a system beside itself in fewer than a tenth of the rows is a row that is left out."""
    rows = "".join(f"{k},A,B,a\n" for k in range(9))
    assert not loaded(f"id,model_a,model_b,label\n{rows}9,A,A,b\n8,A,A,b\n").preferences
    assert len(compared(f"id,model_a,model_b,label\n{rows}9,A,A,b\n")) == 9


def test_of_two_columns_alike_the_first_counts() -> None:
    """The first column of each heading names the system."""
    rows = compared("id,model_a,model_a,model_b,winner\n1,A,C,B,A\n2,A,C,B,B\n")
    assert [(first, outcome) for first, _, outcome, _, _ in rows] == [("A", 1.0), ("A", 0.0)]


@pytest.mark.parametrize(
    ("row", "what"),
    [("q2,A,,A", "A comparison names only one system."), (",A,B,A", "A comparison names no question.")],
)
def test_a_comparison_names_its_systems_and_its_question(row: str, what: str) -> None:
    """The line is named."""
    (problem,) = loaded(f"id,system_1,system_2,winner\nq1,A,B,A\n{row}\nq3,A,B,B\n").problems
    assert (problem.what, getattr(problem, "line", None)) == (what, 3)
