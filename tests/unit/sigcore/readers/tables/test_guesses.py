"""A table that is asked about: what each of its columns is taken for, and why, so that the printed command is right."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sigcore.readers import Choice, read
from sigcore.readers.tables.unclear import Unclear

Cells = Callable[[int], tuple[object, ...]]


def guessed(heads: str, cells: Cells, rows: int = 12) -> list[str]:
    """COLUMN ROLE: REASON of each claim of a refused table."""
    lines = [heads.replace(" ", ","), *(",".join(map(str, cells(k))) for k in range(rows))]
    (problem,) = read([("t.csv", "\n".join(lines).encode())]).problems
    assert isinstance(problem, Unclear)
    return [f"{one.column} {one.role}: {one.reason}" for one in problem.claims]


GUESS = "only a guess"


@pytest.mark.parametrize(
    ("heads", "cells", "rows", "claims"),
    [
        # judges are no systems, and remarks are not used
        (
            "judge duration shape size note tokens",
            lambda k: (("Ann", "Eve")[k % 2], k * 1.5, k + 0.5, (k * 7) % 5, f"fine x{k}", k * 9),
            12,
            ["judge ignored: by its heading", "note ignored: by its heading"],
        ),
        # the first column names the rows only if they differ
        ("thing A tokens", lambda k: (f"w{k // 2}", k / 10, k * 9), 12, ["thing ignored: text beside numbers"]),
        ("thing A tokens", lambda k: (f"w{k}", k / 10, k * 9), 12, ["thing question: it names the rows"]),
        ("A thing tokens", lambda k: (k / 10, f"w{k}", k * 9), 12, ["thing ignored: text beside numbers"]),
        # ten equal numbers are no scores; in five rows this is chance
        ("A B C tokens", lambda k: (k / 10, k / 7, 0.5, k * 9), 12, ["C ignored: the same in every row"]),
        ("A B C tokens", lambda k: (k / 10, k / 7, 0.5, k * 9), 5, [f"C system: {GUESS}"]),
        # three words may be right, wrong and neither; four are none
        ("A B tokens", lambda k: (("low", "mid", "top")[k % 3], k * 50 + 1, k * 9), 20, ["A ignored: text beside numbers"]),
        ("A B tokens", lambda k: ("lmth"[k % 4], k * 50 + 1, k * 9), 24, ["A ignored: words, no scores"]),
        # a system with a measure needs another system with the same one
        ("One_bleu Two_bleu size2 tokens", lambda k: (k / 10, k / 7, k * 5, k * 9), 12,
         ["One_bleu system: a system with the measure of the others", "Two_bleu system: a system with the measure of the others"]),
        ("One_bleu size2 tokens", lambda k: (k / 10, k * 5, k * 9), 12, [f"One_bleu system: {GUESS}"]),
        ("n A B tokens", lambda k: (k + 1, k / 10, k / 7, k * 9), 12, ["n question: it counts the rows"]),
        ("score_includes depth2 tokens", lambda k: ("CI"[k % 2], k * 3.3, k * 9), 12,
         ["score_includes score: outcomes in words"]),
        # two fields of a log show that a program wrote about one system
        ("depth2 tokens temperature seed", lambda k: (k * 3.3, k * 9, k % 2, k % 3), 12, ["depth2 score: beside fields of a log"]),
        ("depth2 tokens temperature", lambda k: (k * 3.3, k * 9, k % 2), 12, [f"depth2 score: {GUESS}"]),
        ("depth2 width2 tokens", lambda k: (k * 3.3, k * 5, k * 9), 12, [f"depth2 system: {GUESS}", f"width2 system: {GUESS}"]),
    ],
)  # fmt: skip
def test_each_column_is_guessed_for_a_reason(heads: str, cells: Cells, rows: int, claims: list[str]) -> None:
    """What counts is the heading, the cells, and what stands beside it."""
    found = guessed(heads, cells, rows)
    assert [one for one in found if one in claims] == claims, found
    assert any(one.startswith("tokens ignored: ") for one in found), found


def test_a_column_that_is_not_there_shows_what_the_others_are_by_their_headings() -> None:
    """Each role as the vocabulary has it."""
    text = b"id,judge,set,category,target,A\n1,Ann,x,y,z,0.5\n2,Eve,x,y,z,0.25\n"
    (problem,) = read([("t.csv", text)], every=Choice("csv", {"columns": "colour=score"})).problems
    assert isinstance(problem, Unclear)
    assert "no column 'colour'" in problem.what
    roles = {one.column: (one.role, one.basis) for one in problem.claims}
    assert roles == {
        "id": ("question", "heading"),
        "judge": ("ignored", "heading"),
        "set": ("category", "heading"),
        "category": ("category", "heading"),
        "target": ("text", "heading"),
        "A": ("system", "guess"),
    }
