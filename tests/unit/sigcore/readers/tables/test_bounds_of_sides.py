"""Which columns may be both systems, the winner and the question of pairwise judgments: one step to either side of each bound."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found
from sigcore.readers.tables import judged as spoken
from sigcore.readers.tables import sides
from sigcore.readers.tables.said import Said
from tests.unit.sigcore.readers.tables.built import Cells, columns_of, messages, table

NAMES = ("ann", "bob", "cat", "dan")


def pair(k: int) -> tuple[str, str]:
    """Two different names, each of which is on either side."""
    return NAMES[k % 4], NAMES[(k + 1 + k // 4 % 3) % 4]


def judged(*more: str, rows: int = 24, heads: str = "one~1 one~2 better") -> dict[str, str]:
    """The roles in the question about a table of two names, who was better, and more columns; {} where nothing is asked."""

    def cells(k: int) -> tuple[str, ...]:
        a, b = pair(k)
        return (a, b, (a, b, "tie")[k % 3], *(one.format(k=k, half=k // 2, two=k % 2) for one in more))

    return roles(" ".join([heads, *(f"x{i}" for i in range(len(more)))]), cells, rows)


def roles(heads: str, cells: Cells, rows: int = 24) -> dict[str, str]:
    found = sides.proposed(table(heads, cells, rows))
    return {} if found is None else {one.column: one.role for one in found.claims if one.role != "ignored"}


SIDES = {"one 1": "first", "one 2": "second", "better": "winner"}


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("what is up {half}", True),  # four words
        ("what is {half}", False),
        ("what is up {k}", False),  # other in each row
        ("what is up now", False),  # the same in all rows
    ],
)
def test_a_text_of_four_words_that_comes_again_was_asked(text: str, asked: bool) -> None:
    assert judged(text) == (SIDES | {"x0": "question"} if asked else SIDES)


def test_half_of_the_texts_are_long_where_they_were_asked() -> None:
    """One long text more or less decides."""

    def texts(long: int) -> dict[str, str]:
        def cells(k: int) -> tuple[str, ...]:
            a, b = pair(k)
            return a, b, (a, b, "tie")[k % 3], f"why {k % 6}" if k % 6 >= long else f"what is up {k % 6}"

        return roles("one~1 one~2 better x", cells)

    assert texts(3) == SIDES | {"x": "question"}
    assert texts(2) == SIDES


@pytest.mark.parametrize(("words", "are"), [(6, True), (7, False)])
def test_names_of_systems_have_at_most_six_words(words: int, are: bool) -> None:
    def cells(k: int) -> tuple[str, ...]:
        a, b = (" ".join([name, *["x"] * (words - 1)]) for name in pair(k))
        return a, b, (a, b, "tie")[k % 3]

    assert roles("one~1 one~2 better", cells) == (SIDES if are else {})


@pytest.mark.parametrize(("names", "are"), [(40, True), (41, False)])
def test_at_most_forty_systems_are_compared(names: int, are: bool) -> None:
    def cells(k: int) -> tuple[str, ...]:
        a, b = f"m{k % names}x", f"m{(k + 1) % names}x"
        return a, b, ("1", "2")[k % 2]

    found = roles("one~1 one~2 better", lambda k: (*cells(k)[:2], ("left", "right")[k % 2]), 2 * names)
    assert found == (SIDES if are else {})


@pytest.mark.parametrize(("rows", "are"), [(8, True), (7, False)])
def test_each_system_is_compared_twice_on_average(rows: int, are: bool) -> None:
    """Four names on either side."""
    found = roles("one~1 one~2 better", lambda k: (NAMES[k % 4], NAMES[(k + 1) % 4], ("left", "right")[k % 2]), rows)
    assert found == (SIDES if are else {})


@pytest.mark.parametrize(("same", "are"), [(2, True), (3, False)])
def test_in_a_tenth_of_the_rows_a_system_may_be_compared_with_itself(same: int, are: bool) -> None:
    def cells(k: int) -> tuple[str, ...]:
        a, b = pair(k)
        return a, (a if k < same else b), ("left", "right")[k % 2]

    assert roles("one~1 one~2 better", cells, 20) == (SIDES if are else {})


@pytest.mark.parametrize(("right", "are"), [(("ann", "bob"), True), (("ann", "zed"), False)])
def test_half_of_the_names_are_on_both_sides(right: tuple[str, str], are: bool) -> None:
    """Of all names in both columns, here two of four, or one of five."""
    left = ("a1x", "a2x", "ann", "bob")
    rows = [(a, b, won) for a in left for b in right for won in ("left", "right") if a != b]
    assert roles("one~1 one~2 better", lambda k: rows[k], len(rows)) == (SIDES if are else {})


@pytest.mark.parametrize(
    "words", [("left", "right"), ("1st", "first"), ("yes", "no"), ("true", "false"), ("tie", "both")]
)
def test_outcomes_are_no_names_of_systems(words: tuple[str, str]) -> None:
    """Two columns of yes and no, or of places, are not compared with each other."""
    rows = [(a, b, won) for a, b in (words, words[::-1]) for won in words * 4]
    known = "1st" in words  # a name, which nobody knows as a place
    assert roles("one~1 one~2 better", lambda k: rows[k], len(rows)) == (SIDES if known else {})


def test_of_several_columns_of_names_those_of_two_places_are_compared() -> None:
    """left_model and right_model, beside the model that wrote the question; two pairs of places are not understood."""

    def cells(k: int) -> tuple[str, ...]:
        a, b = pair(k)
        return a, b, NAMES[(k + 3) % 4], ("left", "right")[k % 2]

    assert roles("m~left m~right by~left better", cells) == {"m left": "first", "m right": "second", "better": "winner"}
    assert roles("m~left n~right by better", cells) == {}
    assert roles("m~left m~right m~left~right better", cells) == {
        "m left": "first",
        "m right": "second",
        "better": "winner",
    }


def test_the_only_two_words_of_a_winner_are_the_systems() -> None:
    """Beside ties and empty cells; three words, places, numbers and long names are none."""
    won = {"winner": "winner"}
    assert roles("winner x", lambda k: (("ann", "bob")[k % 2], k)) == won
    assert roles("winner x", lambda k: (("ann", "bob", "tie", "")[k % 4], k)) == won
    assert roles("winner x", lambda k: (("ann", "bob", "cat")[k % 3], k)) == {}
    assert roles("winner x", lambda k: (("ann", "left")[k % 2], k)) == {}
    assert roles("winner x", lambda k: (("1", "2")[k % 2], k)) == {}
    assert roles("winner x", lambda k: (("ann of the four", "bob")[k % 2], k)) == won
    assert roles("winner x", lambda k: (("ann of the four winds and seas", "bob")[k % 2], k)) == {}
    # of two columns that name the same systems the first one is proposed; those of other systems say two things
    assert roles("winner better", lambda k: (("ann", "bob")[k % 2], ("ann", "bob")[k // 2 % 2])) == won
    assert roles("winner better", lambda k: (("ann", "bob")[k % 2], ("ann", "cat")[k // 2 % 2])) == {}


def test_a_fuller_column_of_winners_comes_first() -> None:
    """The one without empty cells says where nobody won, too; the others are named."""

    def cells(k: int) -> tuple[str, ...]:
        a, b = pair(k)
        return a, b, (a, b, "")[k % 3], (a, b, "tie")[k % 3]

    found = sides.proposed(table("one~1 one~2 better preferred_side", cells, 24))
    assert found is not None
    assert (
        found.why
        == "Does preferred_side say which of one 1, one 2 is better in each row? Others may say it, too: better."
    )
    found = sides.proposed(table("one~1 one~2 preferred_side better", lambda k: (*pair(k), *cells(k)[:1:-1]), 24))
    assert found is not None
    assert "Does preferred_side say" in found.why


@pytest.mark.parametrize(
    ("heads", "words", "unknown"),
    [
        ("left right better", ("left", "right", "gleich"), ["gleich"]),
        ("left right better", ("left", "right", "tie"), []),
        ("left right better", ("left", "right", "none"), []),
        ("left right better", ("left", "right", "inconsistent"), []),
    ],
)
def test_unknown_words_of_a_winner_are_asked(heads: str, words: tuple[str, ...], unknown: list[str]) -> None:
    """Where the headings of both systems are words of it."""
    found = sides.proposed(table(heads, lambda k: (*pair(k), words[k % 3]), 24))
    assert found is not None
    assert [word for word in words if f"{word}=WHO" in found.fix] == unknown


@pytest.mark.parametrize(("answers", "are"), [(8, True), (9, False)])
def test_a_column_that_names_both_headings_has_at_most_eight_words(answers: int, are: bool) -> None:
    words = ["links", "rechts", *(f"w{i}" for i in range(answers - 2))]
    found = roles("links rechts mark", lambda k: (f"t{k % 8}", f"u{k % 8}", words[k % answers]), 36)
    assert (found.get("links") == "first") == are


@pytest.mark.parametrize(
    ("names", "word", "systems"),
    [(6, "n{}", True), (7, "n{}", False), (4, "n {} x y z a", True), (4, "n {} x y z a b", False)],
)
def test_names_that_come_twice_are_the_systems_of_each_row(names: int, word: str, systems: bool) -> None:
    """Else both columns hold outputs, and their headings are the systems, each always on one side."""
    meant = Said(columns=(("one", "first"), ("two", "second"), ("best", "winner")))
    result = Found()
    of = table("id one two best", lambda k: (k, word.format(k % names), word.format((k + 1) % names), "AB"[k % 2]))
    read, _ = spoken.said(of, meant, result)
    shown = columns_of(read)
    first = (word.format(0), word.format(1)) if systems else ("one", "two")
    assert (shown["model_a"][0], shown["model_b"][0]) == first
    assert messages(result)[0] == "best says which of one and two is better."
    assert any("hold outputs, so they are the systems" in one for one in messages(result)) is not systems


def test_both_systems_and_the_winner_are_said() -> None:
    """Or the winner alone, where it is always one of the same two."""
    of = table("id one two best", lambda k: (k, f"n{k % 3}", f"n{(k + 1) % 3}", ("ann", "bob", "tie")[k % 3]))
    with pytest.raises(ReadError, match="both systems and the winner have to be known"):
        spoken.said(of, Said(columns=(("one", "first"), ("best", "winner"))), Found())
    read, _ = spoken.said(of, Said(columns=(("best", "winner"),)), Found())
    assert (columns_of(read)["model_a"][0], columns_of(read)["model_b"][0]) == ("ann", "bob")
    assert spoken.said(of, Said(scores=("one",)), Found())[0] is of
    ignored, _ = spoken.said(
        of, Said(columns=(("one", "first"), ("two", "second"), ("best", "winner"), ("id", "ignored"))), Found()
    )
    assert ignored.headings == ["model_a", "model_b", "winner"]
    asked, rest = spoken.said(
        of, Said(columns=(("one", "first"), ("two", "second"), ("best", "winner"), ("id", "question"))), Found()
    )
    assert (asked.headings, rest.segment) == (["id", "model_a", "model_b", "winner"], ("id",))
    places = table("id one two best", lambda k: (k, f"n{k % 3}", f"n{(k + 1) % 3}", ("One", "two ")[k % 2]))
    read, _ = spoken.said(places, Said(columns=(("one", "first"), ("two", "second"), ("best", "winner"))), Found())
    assert columns_of(read)["winner"][:2] == ["model_a", "model_b"]


def test_one_long_cell_shows_that_both_columns_hold_outputs() -> None:
    names = ("n0 is much longer than a name", "n1", "n2", "n3")
    of = table("id one two best", lambda k: (k, names[k % 4], names[(k + 1) % 4], "AB"[k % 2]))
    read, _ = spoken.said(of, Said(columns=(("one", "first"), ("two", "second"), ("best", "winner"))), Found())
    assert columns_of(read)["model_a"][0] == "one"
