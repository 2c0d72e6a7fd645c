"""What a table is taken for that nobody understands, what its headings say, and exports of Appraise."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found
from sigcore.readers.tables import appraise, evident, outcomes, plan
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.rated import POINTS
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear
from tests.unit.sigcore.readers.tables.built import Cells, cells_of, content, item, table

OPTIONS = {option.name: option.default for option in POINTS}


def claims(problem: ReadError | None) -> list[tuple[str, str, str, str]]:
    assert isinstance(problem, Unclear)
    return [(one.column, one.role, one.reason, one.basis) for one in problem.claims]


def test_columns_by_their_headings_alone() -> None:
    of = table("system id tokens score thing judge", lambda k: (k, k, k, k, k, k), 3)
    assert claims(plan.unclear(of, "What?")) == [
        ("system", "system", "by its heading", "heading"), ("id", "question", "by its heading", "heading"),
        ("tokens", "ignored", "by its heading no score", "heading"), ("score", "score", "by its heading", "heading"),
        ("thing", "system", "only a guess", "guess"), ("judge", "ignored", "by its heading", "heading"),
    ]  # fmt: skip


def test_ids_that_come_again_may_name_documents() -> None:
    """Where another id tells the rows of one apart."""
    of = table("id turn_id x", lambda k: (f"d{k // 3}", f"t{k % 3}", k), 12)
    problem = plan.repeated(of, 0, "Row 2 again.", Found())
    assert problem.why == "Row 2 again. Does it name documents, and turn_id the questions in each?"  # type: ignore[attr-defined]
    assert [role for _, role, *_ in claims(problem)] == ["document", "question", "system"]
    other = plan.repeated(table("id thing x", lambda k: (f"d{k // 3}", f"t{k % 3}", k), 12), 0, "Row 2 again.", Found())
    assert other.why == "Row 2 again."  # type: ignore[attr-defined]


def nameless(heads: str, cells: Cells, rows: int = 12) -> tuple[str, list[str]]:
    problem = plan.nameless(table(heads, cells, rows), 0)
    return ("", []) if problem is None else (problem.why, [role for _, role, *_ in claims(problem)])  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("heads", "cells", "asked", "roles"),
    [
        ("system word x", lambda k: ("AB"[k % 2], f"w{k // 2}", k / 7), "word", ["system", "question", "score"]),
        ("system n x", lambda k: ("AB"[k % 2], k // 2, k / 7), "n", ["system", "question", "score"]),
        (
            "system word task_id x",
            lambda k: ("AB"[k % 2], f"w{k // 2}", k // 2, k / 7),
            "task_id",
            ["system", "ignored", "question", "score"],
        ),
        (
            "system word n x",
            lambda k: ("AB"[k % 2], f"w{k // 2}", k // 2, k / 7),
            "n",
            ["system", "ignored", "question", "score"],
        ),
        ("system bleu x", lambda k: ("AB"[k % 2], k // 2, k / 7), "", []),
        ("system word x", lambda k: ("AB"[k % 2], f"w{k // 4}", k / 7), "", []),
        (
            "system task_id judge x",
            lambda k: ("AB"[k % 2], f"t{k // 4}", "jk"[k // 2 % 2], k / 7),
            "task_id",
            ["system", "question", "run", "score"],
        ),
        (
            "system task_id side x",
            lambda k: ("AB"[k % 2], f"t{k // 4}", "jk"[k // 2 % 2], k / 7),
            "task_id",
            ["system", "question", "run", "score"],
        ),
        (
            "system word is_correct x",
            lambda k: ("AB"[k % 2], f"w{k // 2}", k % 2, k / 7),
            "word",
            ["system", "question", "score", "ignored"],
        ),
        ("system word x", lambda k: ("AB"[k % 2], f"w{k // 2}", f"0,{k}"), "word", ["system", "question", "score"]),
    ],
)
def test_a_column_that_tells_the_rows_of_a_system_apart_may_name_the_questions(
    heads: str, cells: Cells, asked: str, roles: list[str]
) -> None:
    """Ids first, then whole numbers, then words."""
    why = f"Does {asked} name the questions? Each system has several rows." if asked else ""
    assert nameless(heads, cells) == (why, roles)


def test_one_system_that_was_tried_in_several_ways() -> None:
    why, roles = nameless("system colour task_id x", lambda k: ("A", "xy"[k % 2], f"t{k // 2}", k / 7))
    assert "colour" in why
    assert roles == ["ignored", "system", "question", "score"]


def wide(
    heads: str, cells: Cells, rows: int = 12, one_system: bool = False, **more: object
) -> list[tuple[str, str, str, str]]:
    """The claims on a table in wide form whose columns are all rivals, also where it is asked about."""
    of = table(heads, cells, rows)
    of = Table(of.file, of.headings, of.rows, of.places, **more)  # type: ignore[arg-type]
    streams = [
        (k, item(name, of.column(k), "scores" if of.numeric(k) else "text")) for k, name in enumerate(of.headings)
    ]
    result = Found()
    try:
        plan.wide(of, streams, one_system, result)
    except Unclear as problem:
        return claims(problem)
    return [(one.column, one.role, one.reason, one.basis) for one in result.claims]


def wave(*scales: float) -> Cells:
    return lambda k: tuple(round(scale * (k * (7, 8, 9, 11)[i] % 5 + 1) / 7, 4) for i, scale in enumerate(scales))


def test_rivals_are_alike() -> None:
    assert wide("A B", wave(1, 1)) == [
        ("A", "system", "its column is like the others", "layout"), ("B", "system", "its column is like the others", "layout"),
    ]  # fmt: skip
    assert wide("A B", wave(1, 1), basis="said")[0] == ("A", "system", "as it was said", "said")
    assert wide("A B", wave(1, 1), role="reference") == []
    assert wide("A", wave(1), role="system") == []
    assert len(wide("A B", wave(1, 1), role="system")) == 2
    assert wide("bleu", wave(1), one_system=True) == [
        ("bleu", "score", "by its heading, of the one system of the file", "heading")
    ]


@pytest.mark.parametrize(
    ("scales", "odd"),
    [((1, 1, 500), "C"), ((500, 1, 1), "A"), ((1, 500), ""), ((1, 500, 500, 1), ""), ((1, 500, 0.001), "")],
)
def test_a_column_on_another_scale_than_all_others_is_no_system(scales: tuple[float, ...], odd: str) -> None:
    """Of three at least, the others of which are on one scale."""
    found = wide(" ".join("ABCD"[: len(scales)]), wave(*scales))
    assert [name for name, role, reason, _ in found if reason == "on another scale than the others"] == (
        [odd] if odd else []
    )


def test_claims_on_the_columns_of_the_file_in_their_order() -> None:
    of = table("A B id thing", lambda k: (k, k, k, k), 3)
    known = plan.unclear(table("B", lambda k: (k,), 3), "What?").claims
    done = plan.completed(of, {"A": "text"}, known)
    assert [(one.column, one.role, one.reason, one.basis) for one in done] == [
        ("A", "text", "as it was said", "said"), ("B", "system", "only a guess", "guess"),
        ("id", "question", "by its heading", "heading"), ("thing", "ignored", "no known heading", "heading"),
    ]  # fmt: skip


@pytest.mark.parametrize(("names", "few"), [(40, True), (41, False)])
def test_people_judge_up_to_forty_systems(names: int, few: bool) -> None:
    """The first column of a few short names beside judges, and the first id."""
    of = table("judge colour task_id x", lambda k: ("jk"[k % 2], f"n{k % names}", f"t{k}", k % 5 / 2), 2 * names + 6)
    streams = [(3, item("x", of.column(3)))]
    with pytest.raises(Unclear) as error:
        plan.wide(of, streams, True, Found())
    assert ("colour", "system") in [(one.column, one.role) for one in error.value.claims] or not few
    assert (("colour", "system") in [(one.column, one.role) for one in error.value.claims]) is few


def test_what_is_empty_for_one_system_tells_of_the_others_alone() -> None:
    of = table("colour x y", lambda k: ("ab"[k % 2], k, "" if k % 2 else k))
    assert (evident.is_empty_for_one(of, 1, (0,)), evident.is_empty_for_one(of, 2, (0,))) == (False, True)
    assert [outcomes.says_score(name) for name in ("rating_score", "the score", "scores2", "A")] == [
        True,
        True,
        False,
        False,
    ]


# Headings.


@pytest.mark.parametrize(
    ("heading", "system", "measure"),
    [
        ("A_bleu", "A", "bleu"), ("bleu A", "A", "bleu"), ("my_A_bleu", "my_A", "bleu"), ("A", "", ""), ("bleu", "", ""), ("run1_bleu", "", ""),
        ("bleu_ter", "", ""), ("A_fluency", "", ""), ("gpt-4_comet", "gpt-4", "comet"), ("A_score", "", ""),
    ],
)  # fmt: skip
def test_a_heading_of_a_system_and_a_measure(heading: str, system: str, measure: str) -> None:
    assert words.cut(heading) == (system, measure)


@pytest.mark.parametrize(
    ("heads", "crossed"),
    [
        ("A_bleu A_ter B_bleu B_ter", True), ("bleu_A ter_A bleu_B ter_B", True), ("A_bleu A_ter B_bleu", False), ("A_bleu B_bleu", False),
        ("A_x A_y B_x B_y", False), ("A_bleu A_tokens B_bleu B_tokens", True), ("A_bleu A_x B_bleu B_x", False),
        ("rouge-1.recall rouge-1.precision rouge-2.recall rouge-2.precision", False), ("A_b_bleu A_b_ter A_c_bleu A_c_ter", True), ("A bleu", False),
    ],
)  # fmt: skip
def test_each_of_several_systems_with_each_of_several_measures(heads: str, crossed: bool) -> None:
    assert bool(words.crossed(heads.split())) is crossed


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("reference", "reference"), ("references 2", "reference"), ("source", "source"), ("document", "documents"), ("domain", "domains"), ("A", "system"),
        ("output", "system"), ("ref_id", "system"), ("score_ref", "system"), ("comet_src", "system"), ("source language", "ignored"), ("A ref", "reference"),
    ],
)  # fmt: skip
def test_the_role_of_a_column_by_its_heading(heading: str, role: str) -> None:
    assert words.role(heading) == role


def test_preferred_headings_come_in_the_order_of_the_vocabulary() -> None:
    assert words.preferred(["id", "segment", "item", "x"], "segment", "perhaps segment") == [1, 0, 2]
    assert words.preferred(["id", "segment", "item", "x"], "perhaps segment", "segment") == [2, 1, 0]
    assert words.preferred(["x"], "segment") == []
    assert words.measures_in("A_bleu") == {"bleu"}
    assert words.measures_in("bleu") == frozenset()
    assert words.measures_in("A_score") == frozenset()


# Exports of Appraise.


def exported(*rows: str) -> tuple[list[list[str]], list[str]]:
    found, notices = appraise.table(content("\n".join(rows) + "\n", "a.csv"), OPTIONS)
    return cells_of(found), [one.message for one in notices]


ROW = "ann,A,{},TGT,deu,eng,{},doc{},False,1,2"


def test_rows_of_appraise_without_the_tutorial_and_whole_documents() -> None:
    rows, notes = exported(
        ROW.format(1, 70, "1#bad"),
        ROW.format(2, 80, "1").replace("False", "True"),
        ROW.format(3, 90, "1").replace(",A,", ",A-tutorial,"),
    )
    assert [row[:8] for row in rows] == [["ann", "A", "1", "TGT", "deu", "eng", "70", "doc1"]]
    assert notes == ["1 score of the tutorial are left out.", "1 score of whole documents are left out."]
    with pytest.raises(ReadError, match=r"a.csv contains only scores of the tutorial."):
        exported(ROW.format(3, 90, "1").replace(",A,", ",A-tutorial,"))
    with pytest.raises(ReadError, match=r"a.csv contains only scores of whole documents."):
        exported(ROW.format(3, 90, "1").replace("False", "True"))


def test_errors_are_counted_where_all_scores_are_nought() -> None:
    spans = '"[{""severity"": ""major""}]"'
    row = "ann,A,{},TGT,deu,eng,0,doc1,False,{},1,2"
    rows, notes = exported(row.format(1, spans), row.format(2, "[]"), row.format(3, ""))
    assert [(one[6], one[-1]) for one in rows] == [("-5.0", "MQM"), ("0.0", "MQM"), ("", "MQM")]
    assert notes[-1].startswith("All its scores are 0; the errors in the spans were scored as MQM (major 5.0")
    with pytest.raises(ReadError, match=r"All scores in a.csv are 0, and no errors are marked."):
        exported(row.format(1, "[]"), row.format(2, "[]"))
    with pytest.raises(ReadError, match="line 2: all scores are 0, and 'odd' is not a list of errors"):
        exported(row.format(1, spans), row.format(2, "odd"))
    assert exported(row.format(1, "[]"))[0][0][6] == "0"  # of one rating nothing is known
