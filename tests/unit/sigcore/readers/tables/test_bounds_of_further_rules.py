"""Further bounds of the rules for tables: ties, orders and gaps, one step to either side."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found
from sigcore.readers.tables import (
    annotation,
    applied,
    doubts,
    evident,
    grids,
    long,
    objects,
    outcomes,
    preferred,
    printed,
    proposals,
    rated,
    read,
    said,
    sides,
    versus,
    whole,
    wide_ratings,
)
from sigcore.readers.tables import roles as parts_of
from sigcore.readers.tables.cells import Rows
from sigcore.readers.tables.said import Said
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear
from tests.unit.sigcore.readers.tables.built import Cells, columns_of, content, item, messages, table


@pytest.mark.parametrize(("spread", "asked"), [(0.045, True), (0.035, False)])
def test_shares_vary_by_more_than_their_rounding(spread: float, asked: bool) -> None:
    """By more than four times half a digit for each of two columns, .04."""
    one = [0.5 + (spread if k % 2 else 0) for k in range(12)]
    of = table("A B", lambda k: (one[k], 1 - one[k]))
    rivals = {k: item(name, of.column(k)) for k, name in enumerate("AB")}
    assert any("add up to a whole" in why for why in doubts.about(of, rivals, [])) is asked
    gap = table("A B", lambda k: (one[k], "" if k == 3 else 1 - one[k]))
    rivals = {k: item(name, gap.column(k)) for k, name in enumerate("AB")}
    assert not any("add up to a whole" in why for why in doubts.about(gap, rivals, []))


def test_words_of_a_reference_that_a_column_lacks_are_no_repetitions() -> None:
    """Eight of ten cells are labels, and two labels never come."""
    of = table("gold own", lambda k: ("abcd"[k % 4], "ab"[k % 2] if k < 8 else f"x{k}"), 10)
    assert not evident.repeats(of, 1, 0)


def test_what_a_program_noted_stays_beside_numbers_or_systems() -> None:
    def left(heads: str, cells: Cells) -> list[str]:
        return evident.plain(table(heads, cells), Found()).headings

    def noted(k: int) -> tuple[object, ...]:
        return k, f"text {k}", k * 9, k / 7

    assert left("id output tokens latency", noted) == ["id", "output"]
    assert left("id output tokens A", noted) == ["id", "output", "tokens", "A"]
    assert left("id output tokens system", lambda k: (*noted(k)[:3], f"s{k % 2}")) == [
        "id",
        "output",
        "tokens",
        "system",
    ]
    assert left("id A tokens latency", noted) == ["id", "A", "tokens", "latency"]


def test_criteria_beside_what_was_asked_name_the_rows() -> None:
    """correctness_score and relevance_score, below a first column of sources."""

    def first(heading: str) -> str:
        return grids.measured(
            table(f"{heading} correctness_score relevance_score", lambda k: (f"a text {k}", k / 7, k / 9)), Found()
        ).headings[0]

    assert first("x") == "x"
    assert first("source") == "source"


def test_what_is_claimed_of_a_reference_and_its_outputs() -> None:
    """One output is a text of the file's system; two are systems."""

    def roles(heads: str) -> list[tuple[str, str]]:
        found = Found()
        grids.paired(
            table(
                heads,
                lambda k: tuple(f"{'r' if i == 1 or i == 3 else 'pq'[i // 3]}{k} x" for i in range(len(heads.split()))),
            ),
            found,
        )
        return [(one.column, one.role) for one in found.claims]

    assert roles("id A_ref A_pred") == [("A_ref", "reference"), ("A_pred", "text")]
    assert roles("id A_ref A_pred B_ref B_pred") == [("A_ref", "reference"), ("A_pred", "system"), ("B_pred", "system")]


def test_half_of_the_names_are_not_most_of_them() -> None:
    """Names of systems in most rows: half of them are none."""

    def named(few: int) -> bool:
        return long.is_long(
            table("system score", lambda k: (f"n{k}" if k < few else f"an answer of many words {k}", k), 12)
        )

    assert [named(6), named(7)] == [False, True]


def test_fractions_begin_at_nought() -> None:
    """45% is read as a fraction beside a column from 0 to 1, whose ends count."""
    of = table("A B", lambda k: (("45%", "5%")[k % 2], ("0", "0.5", "1")[k % 3]))
    assert columns_of(outcomes.in_one_unit(of, Found()))["A"][0] == "0.45"


def test_empty_objects_have_no_samples() -> None:
    assert list(objects.shaped("x.json", {}).records) == [{}]
    assert list(objects.shaped("x.json", {"x": 1}).records) == [{"x": 1}]


@pytest.mark.parametrize(
    ("cells", "graded"),
    [
        (("1", "2"), [1, 0]),
        (("1", "1"), [1, 1]),
        (("0", "2"), []),  # 0 may be the first one
        (("1.5", "0"), [0.5, 0.5]),
        (("0", "1"), []),
        (("2", "3"), []),
    ],
)
def test_grades_from_one_to_two_say_which_is_better(cells: tuple[str, str], graded: list[float]) -> None:
    """0 is a tie, beside more than 1."""
    of, result = Table("t.csv", ["model_a", "model_b", "winner"], [["x", "y", cell] for cell in cells], [2, 3]), Found()
    what = preferred.columns(of.headings)
    assert what is not None
    if graded:
        preferred.read(of, what, result)
        assert [float(one) for one in result.preferences[0].outcome] == graded
    else:
        with pytest.raises(ReadError, match=r"does not say which|What does each mean"):
            preferred.read(of, what, result)


def test_a_table_with_a_rule_has_all_its_cells() -> None:
    """Three rows with the headings, and a frame whose first rows have numbers."""

    def found(*lines: str) -> int:
        shown = printed.found(content("\n".join(lines) + "\n"))
        return 0 if shown is None else len(shown.rows)

    ruled = ("id   A    B", "---  ---  ---", "q1   1    0.5", "q2   2    0.25")
    assert found(*ruled) == 3
    words = ("   id    A", "a  q1  one", "b  q2  two", "c  q3  six")
    assert found(*words) == 0
    mixed = ("   id    A", "a  q1  1.0", "b  q2  1.5", "c  q3  six", "d  q4  2.0")
    assert found(*mixed) == 0
    assert found("   id    A", "0  q1  1.0", "1  q2  2.0", "2  q3  6.0") == 4


def test_measures_in_one_line_of_two() -> None:
    """One word for a measure among others is enough to tell the lines apart; not one in both."""
    body = [["q1", "1", "2", "3", "4"], ["q2", "2", "3", "4", "5"], ["q3", "3", "4", "5", "6"]]
    levels = printed.of_two(
        "t.csv", [["", "BLEU", "", "Foo", ""], ["id", "One", "Two", "One", "Two"], *body], range(1, 6)
    )
    assert levels is not None
    assert (levels.above, sorted(levels.tables)) == ("measures", ["BLEU", "Foo"])
    turned = printed.of_two(
        "t.csv", [["", "One", "", "Two", ""], ["id", "BLEU", "Foo", "BLEU", "Foo"], *body], range(1, 6)
    )
    assert turned is not None
    assert (turned.above, sorted(turned.tables)) == ("systems", ["BLEU", "Foo"])


def test_numbers_that_name_systems_are_in_any_order() -> None:
    """2, 1, 0 as well as 0, 1, 2; of a column that differs in every row nothing comes again."""
    down = proposals.of(table("arm thing score", lambda k: (1 - k % 2, f"q{k // 2}", (k * 7 % 11) / 10), 24))
    assert [roles for _, roles in down] == ["arm=system thing=question score=score"]


def test_a_reading_needs_more_questions_than_systems() -> None:
    """As many are enough."""

    def found(systems: int, questions: int) -> bool:
        rows = systems * questions
        return bool(
            proposals.of(
                table(
                    "colour task_id score", lambda k: (f"n{k % systems}", f"t{k // systems}", (k * 7 % 11) / 10), rows
                )
            )
        )

    assert [found(3, 4), found(4, 4), found(4, 3)] == [True, True, False]


def test_half_of_the_rows_tell_a_question_apart() -> None:
    """A column with another word in more of them names no runs."""

    def found(words: int) -> list[str]:
        of = table(
            "colour thing side score",
            lambda k: (f"n{k % 2}", f"q{k // 4}", f"w{k // 2 % words}x", (k * 7 % 11) / 10),
            24,
        )
        return [roles for _, roles in proposals.of(of)]

    assert found(2) != []
    assert any("side=" in roles for roles in found(12))


def test_lines_without_a_name_of_a_system() -> None:
    """A TAB and a word for a missing score; a blank between two words is a system and its score."""
    assert rated.columns(content("A\t1\n\tNone\nB\t2\n\tna\n")) == {"A": ["1", ""], "B": ["2", ""]}
    assert rated.columns(content("A None\nB 2\n")) == {"A": [""], "B": ["2"]}


def test_a_table_of_ratings_without_ids_has_no_segment() -> None:
    assert "segment" not in rated.assign(table("system score judge", lambda k: ("A", k, "j"))).parts


def test_the_lines_of_a_frame_with_two_levels_are_known() -> None:
    """Below the name of its index, which has a line of its own."""
    rows = [
        ["", "One", "Two"],
        ["", "bleu", "bleu"],
        ["id", "", ""],
        *([f"q{k}", "x" if k == 2 else str(k / 7), str(k / 9)] for k in range(30)),
    ]
    (problem,) = read.read_rows("t.csv", rows, range(5, 38)).problems
    assert isinstance(problem, ReadError)
    assert problem.line == 10


def test_documents_that_come_again_are_the_questions_of_runs() -> None:
    """The first of two."""
    of = parts_of.with_runs(table("document topic run A", lambda k: (f"d{k // 3}", f"t{k}", k % 3, k)), Found())
    assert of.headings[0] == "segment"
    assert of.rows[0][0] == "run 0 of d0"


def test_rows_that_are_systems_are_no_column() -> None:
    """rows=system names none, wherever it stands."""
    assert said.named({"columns": "rows=system\nx=score"}) == ["x"]
    assert said.named({"columns": "x=score\nrows=system"}) == ["x"]


def test_all_columns_of_names_are_joined_to_systems() -> None:
    """Where each of them comes again; numbers are names next to words alone."""

    def joined(cells: Cells) -> bool:
        result, meant = Found(), Said(columns=(("A", "system"), ("B", "system"), ("C", "question"), ("D", "score")))
        try:
            applied.to(table("A B C D", cells), meant, result)
        except Exception:
            return False
        return any("name the systems together" in one for one in messages(result))

    assert joined(lambda k: ("xy"[k % 2], "pq"[k // 2 % 2], k // 4, k / 7))
    assert joined(lambda k: ("xy"[k % 2], k // 2 % 2, k // 4, k / 7))
    assert not joined(lambda k: (k % 2, k // 2 % 2, k // 4, k / 7))
    assert not joined(lambda k: ("xy"[k % 2], f"w{k}", k // 4, k / 7))


def test_two_names_in_common_are_rivals_and_each_other_cell_is_a_place() -> None:
    """A cell with outer blanks is the name without them."""
    of = table(
        "one~1 one~2 better",
        lambda k: ((" ann", "bob ")[k % 2], ("bob", "ann")[k % 2], ("ann", "bob ")[k // 2 % 2]),
        24,
    )
    problem = sides.proposed(of)
    assert problem is not None
    assert [one.role for one in problem.claims] == ["first", "second", "winner"]


@pytest.mark.parametrize(("words", "are"), [(8, True), (9, True), (10, False)])
def test_winners_have_as_many_words_as_systems_and_two(words: int, are: bool) -> None:
    """Or eight: places, ties and words that are none."""
    names = [f"n{k}x" for k in range(7)]
    more = ("tie", "draw", "both", "neither", "same", "equal", "even", "similar")[: words - 2]

    def cells(k: int) -> tuple[object, ...]:
        return names[k % 7], names[(k + 1 + k // 7 % 3) % 7], ("left", "right", *more)[k % words]

    assert (sides.proposed(table("one~1 one~2 better", cells, 63)) is not None) is are


def test_long_names_of_rivals_are_none() -> None:
    """Of the others in a column: all have four words at most."""

    def found(other: str) -> bool:
        def cells(k: int) -> tuple[object, ...]:
            rival = ("bob", other)[k // 2 % 2]
            return k, f"t{k}", f"u{k}", ("ann", rival)[k % 2], rival

        of = table("id ann_output x winner opponent", cells)
        return versus.as_pairs(of, Found()) is not of

    assert [found("cat"), found("a name of words"), found("a name of five words")] == [True, True, False]


def test_what_names_the_rows_of_whole_systems_is_said() -> None:
    with pytest.raises(Unclear) as error:
        whole.refuse(table("dataset A B", lambda k: (f"l{k}", k / 7, k / 9)), False)
    assert [one.reason for one in error.value.claims] == [
        "it names the rows",
        "of a whole row of others",
        "of a whole row of others",
    ]


def test_a_mean_or_its_spread_beside_one_system_is_no_rival() -> None:
    def found(heads: str) -> bool:
        return wide_ratings.long_form(table(heads, lambda k: (k, (k * 7) % 5 + 1, (k * 3) % 5 + 1)), []) is not None

    assert [found("id A B"), found("id A mean"), found("id A std"), found("id stderr mean")] == [
        True,
        False,
        False,
        False,
    ]


def test_an_export_of_a_form_keeps_the_lines_of_its_rows() -> None:
    """Of two lines of headings the first is that of both."""
    cells = [
        ["", "X", "", "Y", ""],
        ["id", "BLEU", "chrF", "BLEU", "chrF"],
        *([f"q{k}", "1", "2", "3", "4"] for k in range(3)),
    ]
    of = annotation.joined(Rows("t", ",", cells, [3, 4, 6, 7, 8]), notices := [])
    assert list(of.cells[0]) == ["id", "X: BLEU", "X: chrF", "Y: BLEU", "Y: chrF"]
    assert (list(of.lines), notices[0].line) == ([3, 6, 7, 8], 3)
