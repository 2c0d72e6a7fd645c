"""Columns that are evidently no systems: how few words, how short, beside what; one step to either side of each bound."""

from __future__ import annotations

import pytest

from sigcore.readers.contract import Found
from sigcore.readers.tables import evident
from sigcore.readers.tables.table import Table
from tests.unit.sigcore.readers.tables.built import Cells, messages, table


def left(heads: str, cells: Cells, rows: int = 24) -> list[str]:
    """The headings that stay where evident columns are left out."""
    return evident.plain(table(heads, cells, rows), Found()).headings


@pytest.mark.parametrize(
    ("words", "rows", "few"),
    [(1, 9, False), (2, 6, True), (2, 5, False), (20, 60, True), (20, 59, False), (21, 63, False)],
)
def test_a_few_words_are_two_to_twenty_with_three_rows_each(words: int, rows: int, few: bool) -> None:
    assert evident.are_few(table("a", lambda k: (f"w{k % words}",), rows), 0) is few


@pytest.mark.parametrize(("same", "are"), [(9, True), (8, False)])
def test_nine_of_ten_cells_repeat_the_words_of_another_column(same: int, are: bool) -> None:
    """How often a word comes counts."""
    of = table("gold own", lambda k: ("ab"[k % 2], "ab"[k % 2] if k < same else f"x{k}"), 10)
    assert evident.repeats(of, 1, 0) is are


@pytest.mark.parametrize(("words", "rows", "kept"), [(2, 6, False), (2, 5, True), (20, 60, False), (21, 63, True)])
def test_a_few_words_below_source_are_no_text(words: int, rows: int, kept: bool) -> None:
    def headings(heads: str, said: tuple[str, ...] = (), end: str = "") -> list[str]:
        of = table(heads, lambda k: (f"w{k % words}{end}", k / 7), rows)
        return evident.without_kinds_as_source(of, said, Found()).headings

    assert ("source" in headings("source A")) is kept
    assert "source" in headings("source A", ("source",))  # somebody said what it is
    assert ("source" in headings("source A", end=" b c")) is kept  # three words are a kind
    assert "source" in headings("source A", end=" b c d")  # four are a sentence


def test_in_a_row_for_each_system_questions_count() -> None:
    """Six questions of two systems: two kinds come with three questions each, three with two."""

    def kept(kinds: int, questions: int = 6) -> bool:
        of = table("system id source", lambda k: ("AB"[k % 2], k // 2, f"w{k // 2 % kinds}"), 2 * questions)
        return "source" in evident.without_kinds_as_source(of, (), Found()).headings

    assert [kept(2), kept(3), kept(2, 5)] == [False, True, True]


def test_a_fact_is_shorter_than_any_output_beside_it() -> None:
    """By half: outputs have thirty characters, and twenty are a fact; of two systems, below headings with one end."""

    def headings(fact: int, heads: str = "A_answer B_answer x", other: int = 30) -> list[str]:
        return left(heads, lambda k: (f"{k:030d}a"[1:], f"b{k:0{other - 1}d}", f"c{k:0{fact - 1}d}"))

    assert headings(20) == ["A_answer", "B_answer"]
    assert headings(21) == ["A_answer", "B_answer", "x"]
    assert headings(20, other=29) == ["A_answer", "B_answer", "x"]
    assert headings(20, "A_answer B_summary x") == ["A_answer", "B_summary", "x"]
    assert headings(20, "A_answer B x") == ["A_answer", "B", "x"]


def test_the_columns_that_were_left_out_are_said() -> None:
    found = Found()
    of = table("A_answer B_answer x", lambda k: (f"a{k:030d}", f"b{k:030d}", f"c{k}"), 24)
    assert evident.plain(of, found).headings == ["A_answer", "B_answer"]
    assert messages(found) == ["Not used, beside A_answer, B_answer: x."]
    assert [(one.column, one.role, one.basis) for one in found.claims] == [("x", "ignored", "layout")]
    assert evident.left_out(of, [], "for nothing", found) is of
    assert len(found.notices) == 1


def test_what_people_wrote_is_the_reference() -> None:
    """Beside two texts, or one that is an output by its heading; not beside a reference, and not two of them."""

    def reference(heads: str) -> bool:
        return "reference" in left(heads, lambda k: tuple(f"t{k}{i}" for i in range(len(heads.split()))))

    assert reference("human_translation A B")
    assert not reference("human_translation A")
    assert reference("human_translation prediction")
    assert reference("human_translation output")
    assert not reference("human_translation expert_summary output")
    assert left("human_translation gold A B", lambda k: (f"t{k}", f"u{k}", f"v{k}", f"w{k}"))[0] == "human_translation"


def test_what_was_said_in_recordings_is_the_reference() -> None:
    """Beside what was recognised, and recordings in every row."""

    def cells(k: int) -> tuple[str, ...]:
        return f"{k}.wav", f"t{k}", f"u{k}"

    assert left("file sentence hypothesis", cells) == ["file", "reference", "hypothesis"]
    assert "reference" not in left("file sentence heard", cells)
    assert "reference" not in left("file sentence hypothesis", lambda k: (f"{k}.wav" if k else "x", f"t{k}", f"u{k}"))
    assert "reference" not in left("file sentence hypothesis text", lambda k: (*cells(k), f"v{k}"))


def test_the_column_of_recordings_names_the_rows() -> None:
    """Only below a heading that may name segments, and where every cell is a recording."""
    assert evident.recordings(table("x item", lambda k: (k, f"{k}.wav"), 3)) == [1]
    assert evident.recordings(table("x item", lambda k: (k, f"{k}.wav" if k else ""), 3)) == []
    assert evident.recordings(table("x item", lambda k: (k, k), 3)) == []


def test_labels_that_outputs_repeat_are_right() -> None:
    """Every other column but one has their words; the one is what was labelled."""

    def headings(*others: str, rows: int = 63) -> list[str]:
        heads = " ".join(["label", *(f"x{i}" for i in range(len(others)))])
        return left(
            heads, lambda k: ("ab"[k % 2], *(one.format(ab="ab"[k // 2 % 2], k=k, few=k % 20) for one in others)), rows
        )

    assert headings("{ab}") == ["reference", "x0"]
    assert headings("{ab}", "t{k}") == ["reference", "x0"]
    assert headings("t{k}") == ["label", "x0"]
    assert headings("{ab}", "t{k}", "u{k}") == ["label", "x0", "x1", "x2"]
    assert headings("{ab}", "t{few}") == ["label", "x0", "x1"]  # a few words may be another output
    assert headings("{ab}", "t{k}", rows=21) == ["reference", "x0"]
    assert headings("{ab}", "t{k}", rows=20) == ["label", "x0", "x1"]


@pytest.mark.parametrize(("rows", "kept"), [(3, ["id", "output"]), (2, ["id", "output", "x"])])
def test_a_word_that_is_the_same_in_every_row_is_no_output(rows: int, kept: list[str]) -> None:
    assert left("id output x", lambda k: (k, f"t{k}", "v2"), rows) == kept
    assert left("id output x", lambda k: (k, "t", "v2"), rows) == ["id", "output", "x"]
    assert left("id output x", lambda k: (k, f"t{k}", 5), rows) == ["id", "output", "x"]
    assert left("system id output x", lambda k: ("AB"[k % 2], k, f"t{k}", "v2"), rows) == [
        "system",
        "id",
        "output",
        "x",
    ]


def test_numbers_in_objects_that_say_what_an_answer_took_are_no_scores() -> None:
    def kept(heads: str, nested: bool = True) -> list[str]:
        of = table(heads, lambda k: (k, k / 7), 12)
        return evident.without_usage(Table(of.file, of.headings, of.rows, of.places, nested=nested), Found()).headings

    assert kept("token_usage.total scores.A") == ["scores.A"]
    assert kept("token_usage.total usage.all") == ["token_usage.total", "usage.all"]
    assert kept("token_usage.total scores.A", nested=False) == ["token_usage.total", "scores.A"]
    assert kept("a.usage scores.A") == ["a.usage", "scores.A"]  # the name itself is no object


def test_whole_numbers_below_a_heading_of_kinds_sort_the_rows() -> None:
    def sorts(heading: str, values: int = 20, step: float = 1) -> bool:
        return evident.names_kind(table(heading, lambda k: (k % values * step,), 63), 0)

    assert [sorts("error_class"), sorts("error_class", 21), sorts("error"), sorts("error_class", 4, 0.5)] == [
        True,
        False,
        False,
        False,
    ]


def test_marks_in_two_columns_are_systems() -> None:
    """At least half of the columns have no heading with a measure."""

    def asked(heads: str) -> str:
        of = table(heads, lambda k: tuple("✓✗"[(k + i) % 2] for i in range(len(heads.split()))), 12)
        problem = evident.Unclear(of, "What?", [evident.claim(of, k, "ignored", "") for k in range(len(of.headings))])
        return evident.marked(of, problem).why

    told = "Are {} systems? They hold marks for right and wrong answers."
    assert asked("A B") == told.format("A, B")
    assert asked("A") == "What?"
    assert asked("A bleu") == told.format("A, bleu")
    assert asked("A bleu ter") == "What?"
