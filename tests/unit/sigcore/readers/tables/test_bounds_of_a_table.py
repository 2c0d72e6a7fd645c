"""A table and the question about one: what stays where columns or rows are taken away, and what is shown of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Claim, Part
from sigcore.readers.tables import unclear
from sigcore.readers.tables.columns import Grid
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, first_cells
from tests.unit.sigcore.readers.tables.built import cells_of, columns_of, kept, table

ABC = table("a b c", lambda k: (k, f"w{k % 2}", "x"), 4)


@pytest.mark.parametrize("of", [ABC, kept(ABC)])
def test_columns_and_rows_are_taken_away(of: Table) -> None:
    """A table that is kept as columns stays one."""
    grid = isinstance(of.rows, Grid)
    fewer = of.without({1})
    assert columns_of(fewer) == {"a": ["0", "1", "2", "3"], "c": ["x"] * 4}
    assert isinstance(fewer.rows, Grid) is grid
    some = of.kept([3, 1])
    assert cells_of(some) == [["3", "w1", "x"], ["1", "w1", "x"]]
    assert list(some.places) == [5, 3]
    assert isinstance(some.rows, Grid) is grid
    none = of.without({0, 1, 2})
    assert none.headings == []
    assert len(none.rows) == 4


def test_columns_and_rows_are_added() -> None:
    """A row for each of the lists of cells, at the place of its own."""
    more = ABC.kept([0, 1]).beside(["d"], [[["p"], ["q"]], [["r"]]])
    assert cells_of(more) == [["0", "w0", "x", "p"], ["0", "w0", "x", "q"], ["1", "w1", "x", "r"]]
    assert list(more.places) == [2, 2, 3]
    assert more.headings == ["a", "b", "c", "d"]
    assert ABC.renamed({1: "z"}).headings == ["a", "z", "c"]


def test_what_repeats_and_what_differs() -> None:
    assert [ABC.repeats(k) for k in range(3)] == [False, True, True]
    assert [ABC.differ(columns) for columns in ([0], [1], [1, 2], [0, 1], [0, 1, 2])] == [
        True,
        False,
        False,
        True,
        True,
    ]
    assert [ABC.numeric(k) for k in range(3)] == [True, False, False]
    assert ABC.joined([1, 0])[:2] == ["0 of w0", "1 of w1"]


def test_the_first_row_without_a_name_is_refused() -> None:
    table("system x", lambda k: ("A", k), 3).refuse_nameless(0, "system")
    with pytest.raises(ReadError, match=r"A row does not name its system") as error:
        table("system x", lambda k: ("A" if k < 2 else " ", k), 4).refuse_nameless(0, "system")
    assert (error.value.fix, error.value.line) == ("Fill in the column system, or leave the row out.", 4)


def test_a_system_with_each_measure_beside_an_id() -> None:
    """Ids beside them, which differ, are no measure; those that come again are."""

    def crossed(ids: int) -> list[str]:
        return [*table("A_bleu B_bleu row_id", lambda k: (k / 7, k / 9, k // ids)).crossed]

    assert table("A_bleu B_bleu A_ter B_ter row_id", lambda k: (k / 7, k / 9, k / 8, k / 5, k)).crossed == {
        "A_bleu": ("A", "bleu"),
        "B_bleu": ("B", "bleu"),
        "A_ter": ("A", "ter"),
        "B_ter": ("B", "ter"),
    }
    assert table("A_bleu B_bleu A_ter B_ter row_id", lambda k: (k / 7, k / 9, k / 8, k / 5, k // 2)).crossed == {}


@pytest.mark.parametrize(("length", "shown"), [(24, "a" * 24), (25, "a" * 21 + "...")])
def test_a_cell_is_shown_with_at_most_24_characters(length: int, shown: str) -> None:
    """Of the first three rows, with single blanks."""
    assert first_cells(table("a", lambda k: ("a" * length,), 5), 0) == (shown,) * 3
    assert first_cells(table("a", lambda k: (f" p  {k}\n",), 5), 0) == ("p 0", "p 1", "p 2")


def claims(*roles: Part, reason: str = "only a guess", names: str = "") -> list[Claim]:
    heads = names.split() or [f"c{k}" for k in range(len(roles))]
    return [Claim("t.csv", name, role, reason, "guess", cells=("1",)) for name, role in zip(heads, roles, strict=True)]


@pytest.mark.parametrize(
    ("columns", "more"), [(30, ""), (31, ", and 1 more"), (100, ", and 70 more"), (101, ", and 71 more")]
)
def test_at_most_thirty_columns_are_shown(columns: int, more: str) -> None:
    of = table(" ".join(f"c{k}" for k in range(columns)), lambda k: (k,) * columns, 3)
    problem = Unclear(of, "What?", claims(*["system"] * columns))
    assert problem.more == more
    assert ("c29 ('1')" in problem.what, "c30" in problem.what) == (True, False)
    # of systems alone a command names up to a hundred, of several roles thirty
    assert len(problem.plan) == (columns if columns <= 100 else 0)
    mixed = Unclear(of, "What?", claims(*["system"] * (columns - 1), "score"))
    assert len(mixed.plan) == (30 if columns == 30 else 0)


def test_what_is_ignored_is_not_said_where_there_is_too_much() -> None:
    """Beside thirty columns that are tested, one that is not used needs no word."""
    heads = " ".join(f"c{k}" for k in range(31))
    of = table(heads, lambda k: (k,) * 31, 3)
    problem = Unclear(of, "What?", claims(*["system"] * 30, "ignored"))
    assert (problem.fix.count("=system"), problem.fix.count("=ignored")) == (30, 0)
    small = Unclear(table("a b", lambda k: (k, k), 3), "What?", claims("system", "ignored", names="a b"))
    assert small.plan == {"a": "system", "b": "ignored"}


@pytest.mark.parametrize(
    ("roles", "names", "reason", "told"),
    [
        (("score",), "a", "only a guess", True),  # one column of scores
        (("score", "score"), "a b", "only a guess", False),  # of two none has the name of a measure
        (("score", "score"), "a bleu", "only a guess", True),
        (("score", "score"), "a b", unclear.IN_LOG, True),
        (("score", "score"), "a b", unclear.VALUE_BELOW, True),
        (("score", "score", "ignored"), "a bleu age", "only a guess", False),  # what is known about people
        (("score", "score", "system"), "a b s", "only a guess", True),
        (("score", "score", "winner"), "a b s", "only a guess", True),
        (("score", "score", "text"), "a b s", "only a guess", True),
        (("ignored", "question"), "a b", "only a guess", False),
    ],
)  # fmt: skip
def test_a_command_tests_something(roles: tuple[Part, ...], names: str, reason: str, told: bool) -> None:
    """Else only the ways to say what is meant are named."""
    of = table(names, lambda k: (k / 7,) * len(roles), 5)
    problem = Unclear(of, "What?", claims(*roles, reason=reason, names=names))
    commands = bool(problem.plan) or bool(problem.ways)
    assert commands == told
    if not told:
        # where no column would be compared it says that, too
        none = "No column is known to hold outputs or scores of systems: load a file that has them. "
        assert problem.fix == f"{'' if 'score' in roles else none}Say what the columns are: {unclear.SAY}."


@pytest.mark.parametrize(
    ("words", "cells"),
    [
        (("good", "bad"), ("bad=NUMBER", "good=NUMBER")),
        (("yes", "no"), ("no=0", "yes=1")),
        (("C", "I"), ("C=1", "I=0")),
        (("C", "I", "P", "N"), ("C=1", "I=0", "N=0", "P=0.5")),
        (("C", "X"), ("C=NUMBER", "X=NUMBER")),  # a letter alone says nothing
        (("hoch", "tief"), ("hoch=NUMBER", "tief=NUMBER")),
        (("pass", "hmm"), ("hmm=0", "pass=1")),  # the opposite of what is known as good
        (("pass", "hmm", "mmh"), ("hmm=NUMBER", "mmh=NUMBER", "pass=1")),
        (("fail", "hmm"), ("fail=0", "hmm=NUMBER")),
        (("1", "2", "oops"), ("oops=missing",)),  # beside numbers a word says why there is none
    ],
)
def test_what_words_mean_as_scores(words: tuple[str, ...], cells: tuple[str, ...]) -> None:
    of = table("id verdict", lambda k: (k, words[k % len(words)]), 24)
    problem = Unclear(of, "What?", claims("question", "score", names="id verdict"))
    assert tuple(sorted(problem.cells)) == cells


def test_which_of_two_unknown_words_is_better_has_two_answers() -> None:
    of = table("id verdict", lambda k: (k, ("hoch", "tief")[k % 2]), 24)
    problem = Unclear(of, "What?", claims("question", "score", names="id verdict"))
    assert problem.ways == (
        ("hoch is better than tief", "id=question verdict=score --cells hoch=1 tief=0"),
        ("tief is better than hoch", "id=question verdict=score --cells tief=1 hoch=0"),
    )
    three = table("id verdict", lambda k: (k, ("hoch", "tief", "mittel")[k % 3]), 24)
    problem = Unclear(three, "What?", claims("question", "score", names="id verdict"))
    assert problem.plan == {}
    assert [what for what, _ in problem.ways] == [
        *(f"only {word} is right, and the other words count as 0" for word in ("hoch", "mittel", "tief")),
        "the words are steps of a scale, with a number for each NUMBER",
    ]
    assert problem.ways[1][1] == "id=question verdict=score --cells mittel=1 hoch=0 tief=0"
    assert problem.fix.endswith(" --cells hoch=NUMBER mittel=NUMBER tief=NUMBER.")
    rivals = Unclear(three, "What?", claims("question", "system", names="id verdict"))
    assert rivals.ways == ()  # such words are rather labels that a system predicts


def test_numbers_in_a_log_are_systems_or_scores() -> None:
    """Two readings, where both are on one scale and no heading says that it is a score."""

    def ways(heads: str, top: float = 1) -> int:
        of = table(heads, lambda k: (k / 12, top * k / 12), 12)
        return len(Unclear(of, "What?", claims("score", "score", reason=unclear.IN_LOG, names=heads)).ways)

    assert ways("a b") == 2
    assert ways("a b", 500) == 0
    assert ways("a rating") == 0
    assert ways("a bleu") == 0


@pytest.mark.parametrize(
    ("cells", "seen"),
    [
        (lambda k: (k / 4, k), "numbers (0 to 2.75) in a, whole numbers (0 to 11) in b"),
        (lambda k: (k, k * 2), "whole numbers (0 to 22) in a, b"),
        (lambda k: (f"t{k}", f"t{k // 2}"), "other texts in each row in a, texts, some of them again, in b"),
    ],
)
def test_what_was_seen_is_said_where_most_is_guessed(cells: Callable[[int], tuple[object, ...]], seen: str) -> None:
    of = table("a b", cells, 12)
    problem = Unclear(of, "What?", claims("system", "system", names="a b"))
    assert problem.fix.startswith("More is guessed than known. Seen: ")
    assert problem.fix.partition("Seen: ")[2].partition(". If that")[0] == seen
    known = [*claims("system", names="a"), Claim("t.csv", "b", "question", "by its heading", "heading", cells=("1",))]
    assert Unclear(of, "What?", known).fix.startswith("If that is right, confirm it: --columns a=system.")
