"""Rows with two systems and a score of each: what is below score_a is no system."""

from __future__ import annotations

import itertools

import pytest

from sigcore.readers import Choice, Intake, Unclear, read

ARMS = ("ctl", "x1", "x2")
PAIRS = [pair for _ in range(4) for pair in itertools.permutations(ARMS, 2)]  # 24 rows


def score(k: int, name: str) -> int:
    return (k * 7 + 3 * ARMS.index(name)) % 11


def table(head: str, pairs: list[tuple[str, str]] = PAIRS) -> str:
    rows = [f"q{k},{a},{score(k, a)},{b},{score(k, b)}" for k, (a, b) in enumerate(pairs)]
    return "\n".join([head, *rows]) + "\n"


def intake(text: str, **options: str) -> Intake:
    return read([("t.csv", text.encode())], every=Choice(options=options) if options else None)


def scores(found: Intake) -> dict[str, dict[str, str]]:
    """The scores of each system by question, without those that it does not have."""
    return {
        item.name: {key: cell for key, cell in zip(item.keys, item.segments, strict=True) if cell not in ("", "nan")}
        for item in found.items
        if item.role == "system"
    }


def expected(pairs: list[tuple[str, str]] = PAIRS) -> dict[str, dict[str, str]]:
    return {
        name: {f"q{k}": str(score(k, name)) for k, pair in enumerate(pairs) if name in pair}
        for name in {name for pair in pairs for name in pair}
    }


@pytest.mark.parametrize("head", ["id,model_a,score_a,model_b,score_b", "id,System 1,F1 1,System 2,F1 2"])
def test_each_row_is_two_of_the_systems_that_it_names(head: str) -> None:
    found = intake(table(head))
    assert scores(found) == expected()
    assert any("read as two rows" in notice.message for notice in found.notices)


def test_the_same_two_in_each_row_are_compared_by_their_names() -> None:
    pairs = [("ctl", "x1")] * 20
    assert scores(intake(table("id,left_model,left_score,right_model,right_score", pairs))) == expected(pairs)


def test_systems_may_be_numbers_and_a_row_may_have_one() -> None:
    """A number below system_a names a system; a side without a name has no row."""
    pairs = [(str(ARMS.index(a)), str(ARMS.index(b))) for a, b in PAIRS]
    rows = [f"q{k},{a},{k % 5},{b if k % 4 else ''},{k % 3 if k % 4 else ''}" for k, (a, b) in enumerate(pairs)]
    found = scores(intake("\n".join(["id,system_a,score_a,system_b,score_b", *rows]) + "\n"))
    assert set(found) == {"0", "1", "2"}
    assert sum(map(len, found.values())) == 2 * len(pairs) - len(pairs) // 4


@pytest.mark.parametrize("word", ["arm", "lang"])
def test_other_names_are_asked_about_and_what_is_printed_reads_them(word: str) -> None:
    """Neither lang nor, without an id, arm is known for systems; in no case score_a is one."""
    text = table(f"item,{word}_a,score_a,{word}_b,score_b")
    problem = intake(text).problems[0]
    assert isinstance(problem, Unclear)
    assert problem.plan == {"item": "question", word: "system", "score": "score"}
    assert "score_a" not in {claim.column for claim in problem.claims}
    told = "\n".join(f"{name}={role}" for name, role in problem.plan.items())
    assert scores(intake(text, columns=told)) == expected()


def test_who_names_a_column_of_the_file_is_heard() -> None:
    found = intake(table("id,model_a,score_a,model_b,score_b"), columns="id=question\nscore_a=system\nscore_b=system")
    assert set(scores(found)) == {"score_a", "score_b"}


@pytest.mark.parametrize(
    "cells",
    [
        lambda k: ("good", k % 5, "bad", k % 3),  # a remark on each score
        lambda k: ("yes" if k % 2 else "no", k % 5, "no" if k % 2 else "yes", k % 3),  # outcomes
        lambda k: (f"text {k}", k % 5, f"text {k + 1}", k % 3),  # as many texts as rows
        lambda k: ("xy"[k % 2], k % 5, "xy"[k % 2 if k % 4 else 1 - k % 2], k % 3),  # mostly the same on both sides
    ],
)
def test_other_words_beside_the_scores_of_two_systems_are_no_systems(cells) -> None:  # type: ignore[no-untyped-def]
    rows = [",".join(map(str, (f"q{k}", *cells(k)))) for k in range(24)]
    found = intake("\n".join(["id,note_a,score_a,note_b,score_b", *rows]) + "\n")
    shown = {item.name for item in found.items if item.role == "system"}
    asked = {claim.column for problem in found.problems if isinstance(problem, Unclear) for claim in problem.claims}
    assert "score_a" in shown | asked
    assert "note" not in asked
