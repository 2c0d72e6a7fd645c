"""What somebody says about columns and words: it is used as it was said, and all that is not used is reported."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sigcore.errors import OptionError
from sigcore.readers import Choice, Intake, read
from sigcore.readers.tables import said

Stream = tuple[str, str, tuple[str, ...], tuple[str, ...]]  # name, measure, segments, keys


def loaded(heads: str, rows: Iterable[str], file: str = "t.csv", **options: str) -> Intake:
    return read([(file, "\n".join([heads, *rows]).encode())], every=Choice("csv", options))


def streams(heads: str, rows: Iterable[str], file: str = "t.csv", **options: str) -> list[Stream]:
    intake = loaded(heads, rows, file, **options)
    assert not intake.problems, intake.problems
    return [(item.name, item.measure, item.segments, item.keys) for item in intake.items]


def test_two_columns_name_the_segment_as_they_were_said() -> None:
    """In their order: document and segment, or segment and document."""
    rows = [f"d{k // 2},{k % 2},{s},{k}.5,{k}" for s in "AB" for k in range(4)]
    named = {"system_field": "sys", "score_field": "val"}
    (one, two) = streams("Doc,Seg,sys,val,other", rows, id_field="Doc,Seg", **named)
    assert one == ("A", "val", ("0.5", "1.5", "2.5", "3.5"), ("d0 of 0", "d0 of 1", "d1 of 0", "d1 of 1"))
    assert two[0] == "B"
    assert streams("Doc,Seg,sys,val,other", rows, id_field="Seg, Doc", **named)[0][3][1] == "1 of d0"
    notices = [one.message for one in loaded("Doc,Seg,sys,val,other", rows, id_field="Doc,Seg", **named).notices]
    assert "Columns that are not used: other." in notices


def test_words_mean_what_was_said() -> None:
    """In capital or in small letters; a word for missing leaves a gap."""
    cells = "C=1\nI=0\np=0.5\nerror=missing"
    rows = ["x,C,I", "y,P,C", "z,ERROR,I"]
    assert streams("q,A,B", rows, id_field="q", score_field="A,B", cells=cells) == [
        ("A", "t", ("1", "0.5", ""), ("x", "y", "z")),
        ("B", "t", ("0", "1", "0"), ("x", "y", "z")),
    ]


@pytest.mark.parametrize("text", ["w", "=1", "w=x", "w=1,5"])
def test_a_word_needs_a_number(text: str) -> None:
    """Or missing, first, second, tie."""
    with pytest.raises(OptionError, match="does not say what a word means"):
        said.said({"cells": text})
    assert said.said({"cells": "a=b=Tie\n\n both = MISSING"}).cells == (("a=b", "tie"), ("both", ""))


def test_a_role_is_one_of_those_that_there_are() -> None:
    """The name may contain the sign."""
    assert said.said_columns(["a=b=score", " x = System "]) == {"a=b": "score", "x": "system"}
    for text in ("x", "x=boss", "=score"):
        with pytest.raises(OptionError, match="does not say what a column holds"):
            said.said_columns([text])


@pytest.mark.parametrize(
    ("name", "scores"), [("Score", ("5", "6", "7")), ("score", ("1", "2", "3")), ("SCORE", ("1", "2", "3"))]
)
def test_the_exact_heading_comes_first(name: str, scores: tuple[str, ...]) -> None:
    """Then the first that is written alike."""
    ((_, _, found, _),) = streams("score,Score", ["1,5", "2,6", "3,7"], score_field=name)
    assert found == scores


def test_scores_of_one_system_and_of_several() -> None:
    """Scores are measures of the system of the file; systems are rivals, and segments are numbered from 1."""
    rows = [f"{k},{k}.5" for k in range(1, 4)]
    one = ("1", "2", "3"), ("1.5", "2.5", "3.5")
    measures = streams("x,y", rows, "One.csv", columns="x=score\ny=score")
    assert [(name, measure, cells) for name, measure, cells, _ in measures] == [
        ("One", "x", one[0]),
        ("One", "y", one[1]),
    ]
    rivals = streams("x,y", rows, "One.csv", columns="x=system\ny=system")
    assert rivals == [("x", "One", one[0], ("1", "2", "3")), ("y", "One", one[1], ("1", "2", "3"))]
    alone = streams("x,y", rows, "One.csv", score_field="y")
    assert [(name, measure, cells) for name, measure, cells, _ in alone] == [("One", "y", one[1])]


@pytest.mark.parametrize("systems", ["AB", "ABCDEF", "ABCDEFG"])
def test_a_column_of_systems_beside_questions_that_come_again(systems: str) -> None:
    """It names the systems, also where most of them have one row."""
    rows = [f"{systems[k % len(systems)]},{k // len(systems)},{k}.5,3" for k in range(12)]
    found = streams("a,b,c,w", rows, columns="a=system\nb=question\nc=score\nw=weight")
    assert [name for name, *_ in found] == list(systems)
    assert found[0][1:3] == ("c", tuple(f"{k}.5" for k in range(0, 12, len(systems))))


def test_answers_beside_questions_that_differ_are_no_names() -> None:
    """A column of systems with other texts holds outputs."""
    rows = [f"answer {k // 2 if k < 2 else k},{k},r {k}" for k in range(12)]  # two of them say the same
    found = loaded("a,b,reference", rows, columns="a=system\nb=question").items
    assert [(item.name, item.role, item.kind) for item in found] == [
        ("reference", "reference", "text"),
        ("t", "system", "text"),
    ]


def test_several_scores_beside_a_column_of_systems() -> None:
    """Each is a measure, in the order in which they were said."""
    rows = [f"{'AB'[k % 2]},{k // 2},{k}.5,{k}" for k in range(6)]
    found = streams("a,b,c,d", rows, system_field="a", id_field="b", score_field="d,c")
    assert [(name, measure) for name, measure, *_ in found] == [("A", "d"), ("B", "d"), ("A", "c"), ("B", "c")]


def test_items_name_the_questions_of_scores_if_they_differ() -> None:
    """Nobody has to say so."""
    assert streams("item,y", ["i1,0.5", "i2,1.5"], score_field="y")[0][3] == ("i1", "i2")
    assert streams("item,y", ["i1,0.5", "i1,1.5"], score_field="y")[0][3] == ()


def test_what_is_no_score_is_refused_with_its_place() -> None:
    """The column, the row, and how to say what a word means; a long text gets no such hint."""
    (problem,) = loaded("x,y", ["1,2", "2,bad"], score_field="y").problems
    assert "column y, row 2: 'bad' is not a number" in problem.what
    assert (getattr(problem, "line", None), "--cells bad=NUMBER" in problem.fix) == (3, True)
    (problem,) = loaded("x,y", ["1,2", f"2,{'long ' * 7}"], score_field="y").problems
    assert "--cells" not in problem.fix


def test_a_word_for_a_winner() -> None:
    """In judgments of pairs."""
    rows = ["1,undecided,A,B", "2,A,A,B"]
    (part,) = loaded("id,winner,model_a,model_b", rows, cells="undecided=tie").preferences
    assert part.outcome.tolist() == [0.5, 1.0]


@pytest.mark.parametrize("role", ["weight", "ignored"])
def test_a_weight_is_no_system(role: str) -> None:
    """It is left out, and that is said."""
    intake = loaded(
        "id,A,B,w", [f"s{k},{k * 7 % 11}.5,{k * 5 % 11}.25,{k % 2 + 1}.75" for k in range(12)], columns=f"w={role}"
    )
    assert [item.name for item in intake.items] == ["A", "B"]
    assert any(notice.message == "Columns that are not used: w." for notice in intake.notices)
