"""Names that cross questions, ids that join both, and ids of rows; one step to either side of each bound."""

from __future__ import annotations

import pytest

from sigcore.readers import names as naming
from sigcore.readers.contract import Found
from sigcore.readers.tables import crossing, failed, outcomes
from sigcore.readers.tables.crossing import Crossing
from sigcore.readers.tables.table import Table
from tests.made_tables import asked, means, roles, scored
from tests.unit.sigcore.readers.tables.built import Cells, cells_of, messages, table


def ids(*names: str, segments: int = 3, mark: str = "_") -> list[str]:
    return [f"{name}{mark}{k}" for name in names for k in range(segments)]


def glued(cells: list[str], heading: str = "id") -> str:
    return crossing.glued(table(f"{heading} x", lambda k: (cells[k], k), len(cells)))[0]


@pytest.mark.parametrize("mark", ["_", "-", ":", "/", "|", "#", "__"])
def test_ids_that_join_a_system_and_a_segment(mark: str) -> None:
    assert glued(ids("bart", "t5", mark=mark)) == "The ids below id seem to join a system (bart, t5) and a segment."


@pytest.mark.parametrize(
    ("cells", "joined"),
    [
        (ids("bart", "t5"), True),
        (ids("bart", "t5", segments=2), False),  # two segments
        (ids("bart"), False),  # one name
        ([*ids("bart", "t5"), "t5_9"], False),  # another segment
        ([*ids("bart", "t5"), "x"], False),  # no mark
        (ids("1", "2"), False),  # numbers
        (ids("", "t5"), False),
        (["1A", "1B", "2A", "2B", "3A", "3B"], True),  # a letter behind a number
        (["1A", "1B", "2A", "2B"], False),
        (ids("my_bart", "my_t5"), True),  # the last mark
        ([f"{name}_de_{k}" for name in ("bart", "t5") for k in range(3)], True),
    ],
)
def test_bounds_of_joined_ids(cells: list[str], joined: bool) -> None:
    assert bool(glued(cells)) is joined


@pytest.mark.parametrize(("n", "joined"), [(100, True), (101, False)])
def test_a_hundred_names_are_joined_with_segments(n: int, joined: bool) -> None:
    assert bool(glued(ids(*(f"s{k}x" for k in range(n))))) is joined


def test_ids_are_not_looked_into_beside_a_system_or_below_other_headings() -> None:
    cells = ids("bart", "t5")
    assert crossing.glued(table("id system", lambda k: (cells[k], "A"), 6)) == ("", "")
    assert glued(cells, "thing") == ""
    assert glued(cells, "task_id") != ""


@pytest.mark.parametrize(
    ("heading", "cells", "is_one"),
    [
        ("task_id", "t{}", True), ("taskId", "t{}", True), ("bbcid", "t{}", True), ("item", "t{}", True), ("Nr", "{}", True),
        ("case", "{}", True), ("task_id", "{}.5", False), ("task_id", "a b {}", False), ("task_id", "t", False),
        ("response_id", "t{}", False), ("user_id", "t{}", False), ("record_id", "t{}", True), ("row_id", "{}", True),
        ("doc_id", "t{}", False), ("thing", "t{}", False), ("system_id", "t{}", False),
    ],
)  # fmt: skip
def test_a_column_that_names_the_rows(heading: str, cells: str, is_one: bool) -> None:
    """By its heading, and with another word or whole number in each row; not of what one system did, or of people."""
    assert crossing.is_id(table(heading, lambda k: (cells.format(k),), 12), 0) is is_one


@pytest.mark.parametrize(("length", "is_one"), [(60, True), (61, False)])
def test_an_id_has_at_most_sixty_characters(length: int, is_one: bool) -> None:
    assert crossing.is_id(table("task_id", lambda k: (f"{k:0{length}d}",), 3), 0) is is_one
    assert not crossing.is_id(table("task_id", lambda k: (f"t{k}" if k else "",), 3), 0)


def found(heads: str, cells: Cells, rows: int = 12, scores: tuple[int, ...] = (2,)) -> Crossing | None:
    return crossing.found(table(heads, cells, rows), scores)


def names(word: str, n: int = 2, questions: int = 6) -> Cells:
    return lambda k: (word.format(k % n), f"t{k // n}", k / 10)


@pytest.mark.parametrize(
    ("heads", "word", "are"),
    [
        ("colour task_id x", "n{}", True),
        ("colour task_id x", "{}", False),  # numbers
        ("colour task_id x", "n" * 59 + "{}", True),
        ("colour task_id x", "n" * 60 + "{}", False),
        ("judge task_id x", "n{}", False),  # known for something else
        ("run task_id x", "n{}", True),
        ("age task_id x", "n{}", False),  # what is known about people
        ("tokens task_id x", "n{}", False),
        ("backend_id task_id x", "n{}", True),
        ("colour thing x", "n{}", True),
    ],
)
def test_columns_of_names_and_of_questions(heads: str, word: str, are: bool) -> None:
    assert found(heads, names(word)) == (Crossing(0, 1) if are else None)


def test_each_name_comes_twice_and_each_question_too() -> None:
    assert found("colour task_id x", lambda k: ("ab"[k % 2], f"t{k // 2}", k), 6) == Crossing(0, 1)
    assert found("colour task_id x", lambda k: ("ab"[k % 2], f"t{k // 2}", k), 4) is None  # two questions
    assert found("colour task_id x", lambda k: (("a", "")[k % 2], f"t{k // 2}", k), 6) is None  # without a name
    assert found("colour task_id x", lambda k: ("ab"[k % 2], f"t{k}", k), 6) is None


def test_a_heading_that_says_system_is_the_better_reason() -> None:
    """Also of several words; then fewer columns."""
    assert [naming.says_system(one) for one in ("model name", "the_system", "Arm", "colour", "modelling")] == [
        True, True, True, False, False,
    ]  # fmt: skip

    def cells(k: int) -> tuple[object, ...]:
        return "ab"[k % 2], "xy"[k % 2], f"t{k // 2}", k / 10

    assert found("colour model_kind task_id x", cells, scores=(3,)) == Crossing(1, 2)
    assert found("colour hue task_id x", cells, scores=(3,)) == Crossing(0, 2)


# Columns of numbers, however they are written.


@pytest.mark.parametrize(
    ("cells", "is_one"),
    [
        (("1", "2", ""), True), (("5%", "7 %", ""), True), (("5%", "x"), False), (("0,5", "1"), True), (("x", "0,5"), False),
        (("true", "false"), True), (("pass", "fail"), True), (("yes", "no"), False), (("", ""), False), (("1", "x"), False),
    ],
)  # fmt: skip
def test_numbers_as_people_write_them(cells: tuple[str, ...], is_one: bool) -> None:
    assert outcomes.is_numeric(table("a", lambda k: (cells[k % len(cells)],), 12), 0) is is_one


@pytest.mark.parametrize(
    ("heading", "cells", "right"),
    [
        ("is_correct", ("1", "0"), True), ("correct", ("1", "0"), True), ("Correct", ("true", "false"), True),
        ("correct", ("1", "0.0", ""), True), ("correct", ("1", "2"), False), ("correct", ("a", "b"), False),
        ("right answer", ("1", "0"), False), ("A", ("1", "0"), False),
    ],
)  # fmt: skip
def test_a_column_says_which_answers_are_right(heading: str, cells: tuple[str, ...], right: bool) -> None:
    of = Table("t.csv", [heading], [[cells[k % len(cells)]] for k in range(12)], range(2, 14))
    assert outcomes.says_right(of, 0) is right


@pytest.mark.parametrize(
    ("share", "other", "read"),
    [
        (("45%", "5%"), ("0.75", "0.5"), ["0.45", "0.05"]),
        (("45,5 %", "5%"), ("0,75", "1"), ["0.455", "0.05"]),
        (("45%", ""), ("0.75", ""), ["0.45", ""]),
        (("45%", "5%"), ("0", "1"), None),  # right and wrong
        (("45%", "5%"), ("0.75", "1.5"), None),
        (("45%", "5%"), ("0.75", "-0.5"), None),
        (("45%", "5%"), ("0.75", "x"), None),
        (("45%", "5%"), ("", ""), None),
    ],
)
def test_percentages_beside_fractions_are_fractions(
    share: tuple[str, ...], other: tuple[str, ...], read: list[str] | None
) -> None:
    result = Found()
    of = table("A B", lambda k: (share[k % 2], other[k % 2]))
    new = outcomes.in_one_unit(of, result)
    if read is None:
        assert (new is of, messages(result)) == (True, [])
    else:
        assert [row[0] for row in cells_of(new)[:2]] == read
        assert messages(result) == ["The percentages of A were read as fractions, as other columns have them."]


@pytest.mark.parametrize("heads", ["A bleu", "bleu B", "system B"])
def test_only_rivals_have_one_unit(heads: str) -> None:
    of = table(heads, lambda k: (("45%", "5%")[k % 2], ("0.75", "0.5")[k % 2]))
    assert outcomes.in_one_unit(of, Found()) is of


@pytest.mark.parametrize(
    ("columns", "word"),
    [
        ((["1", "ERROR", "ERROR"], ["3", "4", "ERROR"]), ["ERROR"]),
        ((["1", "ERROR", "ERROR"], ["3", "4", "5"]), ["ERROR"]),
        ((["1", "ERROR", "2"], ["3", "4", "ERROR"]), []),  # once in each
        ((["1", "x", "x"], ["3", "4", "5"]), []),  # a letter
        ((["1", "ERROR", "ERROR"], ["3", "oops", "oops"]), ["ERROR", "oops"]),
        ((["1", *"abcd", "aa", "aa", "bb", "cc"], ["3"] * 9), []),
        ((["1", "aa", "aa", "bb", "cc", "dd"], ["3"] * 6), []),  # four words
        ((["1", "true", "true"], ["3", "4", "5"]), []),  # a score in a word
        ((["ERROR", "ERROR"], ["ERROR", "ERROR"]), []),  # no numbers
        ((["1", "", "na"], ["3", "4", "5"]), []),
    ],
)
def test_few_words_between_numbers_are_failures(columns: tuple[list[str], ...], word: list[str]) -> None:
    assert failed.between(columns) == word


def test_words_that_may_be_scores() -> None:
    """Below headings that say nothing else, and are no remarks."""
    of = table("x comment system y", lambda k: ("ab"[k % 2],) * 3 + (k,), 20)
    assert outcomes.marked(of) == {0: ["a", "b"]}
    assert outcomes.said_of(["Pass", "a b"], "ratings", "x") == (
        "If words are ratings, write a number, or missing, for each NUMBER: --columns x=score --cells Pass=1 'a b=NUMBER'."
    )
    assert outcomes.said_of(["no"], "scores").endswith("for each NUMBER: --cells no=0.")


def of_recordings(name: str, n: int = 5, end: str = "wav") -> str:
    """A table of predicted MOS of recordings of three systems, which are called as `name` says."""
    rows_ = [
        f"{name.format(s=s, k=k, o=3 * k + i)}.{end},{k % 4 + i / 2},P" for i, s in enumerate("abc") for k in range(n)
    ]
    return "\n".join(["deg,mos_pred,model", *rows_]) + "\n"


@pytest.mark.parametrize("name", ["{s}_LJ{k}-1", "set{k}__{s}", "{s}_TF{k}_SM_3{o}_HUB"])
def test_names_of_recordings_are_taken_apart(name: str) -> None:
    """They may be below any heading; a part that no other system has is left out of the name of the segment."""
    problem = asked(of_recordings(name))
    assert problem.why == "The ids below deg seem to join a system (a, b, c) and a segment."
    assert roles(problem) == {"deg": "joined", "mos_pred": "score", "model": "ignored"}
    found = means(scored(of_recordings(name), columns="deg=joined\nmos_pred=score"))
    assert found == {s: sum(k % 4 + i / 2 for k in range(5)) / 5 for i, s in enumerate("abc")}


def test_names_of_other_files_or_few_are_not_taken_apart() -> None:
    assert crossing.of_files(Table("t.csv", ["deg"], [["a_1.wav"]] * 5, range(5))) == []
    assert crossing.of_files(Table("t.csv", ["deg"], [[f"a_{k}.xyz"] for k in range(9)], range(9))) == []
    assert crossing.of_files(Table("t.csv", ["deg"], [[f"a_{k}.wav"] for k in range(9)], range(9))) == [0]
    both = Table("t.csv", ["utt_id", "deg"], [[f"u{k}", f"a_{k}.wav"] for k in range(9)], range(9))
    assert crossing.of_files(both) == []
