"""Pairs in one cell, by place and by the winner: which names are understood, and which are left to be asked."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found
from sigcore.readers.tables import versus
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear
from tests.unit.sigcore.readers.tables.built import Cells, messages, table

Judged = list[tuple[str, str, str]]


def read(heads: str, cells: Cells, rows: int = 12) -> tuple[Judged, list[str], list[str]]:
    """First, second and winner of each row, the other headings, and the notices; [] where it stays as it is."""
    found = Found()
    of = table(heads, cells, rows)
    new = versus.as_pairs(of, found)
    if new is of:
        return [], of.headings, messages(found)
    places = [new.headings.index(name) for name in ("model_a", "model_b", "winner")]
    rest = [name for name in new.headings if name not in ("model_a", "model_b", "winner")]
    return [(row[places[0]], row[places[1]], row[places[2]]) for row in new.rows], rest, messages(found)


@pytest.mark.parametrize(
    ("cell", "pair"),
    [
        ("ann vs bob", ("ann", "bob")),
        ("ann vs. bob", ("ann", "bob")),
        ("ann v bob", ("ann", "bob")),
        ("ann VERSUS bob", ("ann", "bob")),
        ("ann against bob", ("ann", "bob")),
        ("ann or bob", ("ann", "bob")),
        ("ann and bob", ("ann", "bob")),
        ("ann / bob", ("ann", "bob")),
        ("ann | bob", ("ann", "bob")),
        ("ann - bob", ("ann", "bob")),
        ("ann_vs_bob", ("ann", "bob")),
        ("ann-v-bob", ("ann", "bob")),
        ("ann|bob", ("ann", "bob")),
        ("ann; bob", ("ann", "bob")),
        ("ann/bob", ("ann", "bob")),
        ("ann-bob", ("ann", "bob")),
        ("ann_bob", ("ann", "bob")),
        ("ann:bob", ("ann", "bob")),
        ("(ann vs bob)", ("ann", "bob")),
        ("[ann-bob]", ("ann", "bob")),
        ("ann+bob", None),
        ("ann-ann", None),
        ("-bob", None),
        ("ann-", None),
        ("ann", None),
    ],
)
def test_both_systems_in_one_cell(cell: str, pair: tuple[str, str] | None) -> None:
    """With each of the marks between them; not where one is missing, or both are the same."""
    found, rest, notes = read("id pair winner", lambda k: (k, cell, ("ann", "bob", "tie")[k % 3]))
    if pair is None:
        assert (found, rest, notes) == ([], ["id", "pair", "winner"], [])
    else:
        assert found[:3] == [(*pair, "model_a"), (*pair, "model_b"), (*pair, "tie")]
        assert (rest, notes) == (["id"], [f"pair names both systems of a row, as {cell}."])


def test_a_mark_in_a_name_is_no_mark_between_names() -> None:
    """Where winners say what the names are: t5-base and gpt-4."""
    won = ("t5-base", "gpt-4", "tie")
    found, *_ = read("id pair winner", lambda k: (k, "t5-base-gpt-4", won[k % 3]))
    assert found[:3] == [("t5-base", "gpt-4", "model_a"), ("t5-base", "gpt-4", "model_b"), ("t5-base", "gpt-4", "tie")]
    # one known name is enough
    found, *_ = read("id pair winner", lambda k: (k, "t5-base-gpt-4", ("gpt-4", "tie")[k % 2]))
    assert found[:1] == [("t5-base", "gpt-4", "model_b")]
    assert read("id pair winner", lambda k: (k, "t5-base-gpt-4", ("A", "B")[k % 2]))[0] == []


def test_winners_of_a_cell_are_its_parts_or_places() -> None:
    def first(won: tuple[str, ...]) -> list[str]:
        return [one[2] for one in read("id pair winner", lambda k: (k, "ann-bob", won[k % len(won)]))[0][: len(won)]]

    assert first(("ann", "bob")) == ["model_a", "model_b"]
    assert first(("A", "B", "tie")) == ["A", "B", "tie"]
    assert first(("left", "right", "")) == ["left", "right", ""]
    assert first(("ann", "zed")) == []
    assert first(("ann", "left")) == []
    assert first(("tie", "")) == []
    # a system called C is no tie
    assert [one[2] for one in read("id pair winner", lambda k: (k, "C-D", "CD"[k % 2]))[0][:2]] == [
        "model_a",
        "model_b",
    ]


def test_who_judged_is_no_system() -> None:
    """A column of models beside the pairs names the judge, the first if there are two."""
    found, rest, notes = read("id system pair winner", lambda k: (k, "gpt", "ann-bob", ("ann", "bob")[k % 2]))
    assert (len(found), rest) == (12, ["id", "judge"])
    assert notes == ["pair names both systems of a row, as ann-bob. system names the judge."]
    _, rest, notes = read("id judge system pair winner", lambda k: (k, "x", "gpt", "ann-bob", ("ann", "bob")[k % 2]))
    assert (rest, notes) == (["id", "judge", "system"], ["pair names both systems of a row, as ann-bob."])
    _, rest, _ = read("id model system pair winner", lambda k: (k, "x", "gpt", "ann-bob", ("ann", "bob")[k % 2]))
    assert rest == ["id", "judge", "system"]


def test_one_column_says_who_won() -> None:
    """Of two nobody knows which; a column of numbers is none."""

    def cells(k: int) -> tuple[object, ...]:
        return k, "ann-bob", ("ann", "bob")[k % 2], ("ann", "bob")[k // 2 % 2]

    assert read("id pair winner better", cells)[0] == []
    assert len(read("id pair winner better", lambda k: (*cells(k)[:3], k))[0]) == 12


@pytest.mark.parametrize(("names", "rows", "are"), [(4, 8, True), (4, 7, False), (5, 10, True), (5, 9, False)])
def test_names_of_who_won_and_lost_come_again(names: int, rows: int, are: bool) -> None:
    """Two rows for each, on each side."""
    found, rest, notes = read("id winner loser", lambda k: (k, f"n{k % names}", f"n{(k + 1) % names}"), rows)
    assert bool(found) is are
    if are:
        assert found[0] == ("n0", "n1", "model_a")
        assert (rest, notes) == (["id"], ["Each row names who won (winner) and who lost (loser)."])


def test_short_names_that_are_on_both_sides_are_systems() -> None:
    def found(win: str, lose: str) -> int:
        return len(read("id chosen rejected", lambda k: (k, win.format(k % 2), lose.format((k + 1) % 2)))[0])

    assert found("n{}", "n{}") == 12
    assert found("n{}", "m{}") == 0
    assert found("n {} x y", "n {} x y") == 12  # four words
    assert found("n {} x y z", "n {} x y z") == 0


@pytest.mark.parametrize(("heads", "pair"), [("a_source b_source", True), ("source_1 source_2", True), ("left_source right_source", True), ("a_source 2_source", False)])  # fmt: skip
def test_columns_of_sources_name_the_systems(heads: str, pair: bool) -> None:
    """Few short names, and winners that are places, names in them, or ties."""

    def cells(k: int) -> tuple[object, ...]:
        return k, f"n{k % 3}", f"n{(k + 1) % 3}", ("A", "B", "tie")[k % 3]

    found, _, notes = read(f"id {heads} winner", cells)
    assert bool(found) is pair
    if pair:
        one, other = heads.split()
        assert (found[0], notes) == (("n0", "n1", "model_a"), [f"{one}, {other} name the systems of each row."])


@pytest.mark.parametrize(
    ("names", "rows", "word", "won", "are"),
    [
        (6, 12, "n{}", "A", True),
        (6, 11, "n{}", "A", False),
        (6, 12, "n {} x y", "A", True),
        (6, 12, "n {} x y z", "A", False),
        (6, 12, "n{}", "n3", False),  # in most rows, none of the two
        (6, 12, "n{}", "zed", False),
        (6, 12, "n{}", "", True),
    ],
)
def test_bounds_of_sources(names: int, rows: int, word: str, won: str, are: bool) -> None:
    found = read(
        "id a_source b_source winner",
        lambda k: (k, word.format(k % names), word.format((k + 1) % names), won if k else "B"),
        rows,
    )[0]
    assert bool(found) is are


def place(heads: str, won: tuple[str, ...] = ("a", "b", "tie"), more: str = "", rows: int = 12) -> Unclear:
    of = table(
        f"id {heads} {more}".strip(),
        lambda k: (k, f"t{k}", f"u{k}", won[k % len(won)], *([k % 2] if more else [])),
        rows,
    )
    with pytest.raises(ReadError) as error:
        versus.as_pairs(of, Found())
    assert isinstance(error.value, Unclear)
    return error.value


def test_outputs_by_place_are_asked_about() -> None:
    """Nothing names the systems."""
    problem = place("output_a output_b winner")
    assert problem.why.startswith(
        "Are output_a and output_b two systems? They are places, and no column names a system."
    )
    assert problem.ways == (("each is one system, always on its side", "output_a=first output_b=second winner=winner"),)
    assert [(one.column, one.role, one.basis) for one in problem.claims] == [
        ("id", "ignored", "layout"), ("output_a", "first", "guess"), ("output_b", "second", "guess"), ("winner", "winner", "guess"),
    ]  # fmt: skip
    assert place("response_1 response_2 winner", ("response_1", "response_2")).ways
    assert place("summary_left summary_right better", ("left", "right")).ways
    assert place("answer_first answer_second better", ("first", "second")).ways
    assert place("output_a output_b winner", ("model_a", "model_b")).ways


@pytest.mark.parametrize(
    ("heads", "won"),
    [
        ("output_a output_b winner", ("a", "zed")),  # a winner that is no place
        ("word_a word_b winner", ("a", "b")),  # no heading of outputs
        ("output_a output_c winner", ("a", "b")),  # no places
        ("output_a answer_b winner", ("left", "right")),  # two words differ
        ("a b winner", ("a", "b")),
    ],
)
def test_other_columns_are_no_places(heads: str, won: tuple[str, ...]) -> None:
    assert read(f"id {heads}", lambda k: (k, f"t{k}", f"u{k}", won[k % 2])) == ([], f"id {heads}".split(), [])


def test_places_that_were_drawn_anew_are_no_systems() -> None:
    """A column that says so has two values at least."""

    def cells(turns: int) -> Cells:
        return lambda k: (k, f"t{k}", f"u{k}", "ab"[k % 2], k % turns)

    with pytest.raises(
        ReadError, match="swapped may say which system is on which side, so output_a, output_b are no systems"
    ):
        versus.as_pairs(table("id output_a output_b winner swapped", cells(2)), Found())
    with pytest.raises(Unclear):
        versus.as_pairs(table("id output_a output_b winner swapped", cells(1)), Found())


def test_names_by_place_are_the_systems_of_each_row() -> None:
    """Below headings that differ in a place alone."""

    def found(won: tuple[str, ...]) -> Judged:
        def cells(k: int) -> tuple[object, ...]:
            return k, *(("ann", "bob") if k % 2 == 0 else ("bob", "ann")), won[k % len(won)]

        return read("id output_left output_right better", cells)[0]

    assert found(("left", "right"))[:2] == [("ann", "bob", "model_a"), ("bob", "ann", "model_b")]
    assert found(("ann", "ann"))[:2] == [("ann", "bob", "model_a"), ("bob", "ann", "model_b")]
    assert found(("output_left", "tie"))[:2] == [("ann", "bob", "model_a"), ("bob", "ann", "tie")]
    assert found(("A", "2"))[:2] == [("ann", "bob", "model_a"), ("bob", "ann", "model_b")]
    assert found(("left", "zed")) == []


def test_one_system_against_others_by_the_winners() -> None:
    """The headings of texts name the systems that win."""

    def found(heads: str, won: tuple[str, ...], *more: str) -> Judged:
        return read(heads, lambda k: (k, f"t{k}", f"u{k}", won[k % len(won)], *more))[0]

    assert found("id ann_output bob_output winner", ("ann", "bob", "tie"))[:3] == [
        ("ann", "bob", "model_a"), ("ann", "bob", "model_b"), ("ann", "bob", "tie"),
    ]  # fmt: skip
    assert found("id output_ann answer_bob winner", ("ann", "bob"))[:1] == [("ann", "bob", "model_a")]
    assert found("id ann_output bob_output winner", ("ann", "zed")) == []
    # the rival is named in the rows, or is the only other winner
    assert found("id ann_output x winner opponent", ("ann", "bob"), "bob")[:2] == [
        ("ann", "bob", "model_a"), ("ann", "bob", "model_b"),
    ]  # fmt: skip
    assert found("id ann_output other_text winner", ("ann", "bob"))[:2] == [
        ("ann", "bob", "model_a"),
        ("ann", "bob", "model_b"),
    ]
    assert found("id ann_output other_text winner", ("ann", "bob", "cat")) == []
    assert found("id ann_output x winner", ("ann", "bob")) == []
    assert found("id ann_output x winner opponent", ("ann", "bob", "cat"), "ann") == []


def test_a_file_that_says_what_it_is_stays() -> None:
    of = table("id pair winner", lambda k: (k, "ann-bob", ("ann", "bob")[k % 2]))
    for other in (
        Table(of.file, of.headings, of.rows, of.places, role="system"),
        Table(of.file, of.headings, of.rows, of.places, basis="said"),
    ):
        assert versus.as_pairs(other, Found()) is other
    known = table("model_a model_b pair winner", lambda k: ("x", "y", "ann-bob", "A"))
    assert versus.as_pairs(known, Found()) is known
