"""Tables with a row for each system and segment: which columns name the segments, and what each value column becomes."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found, Item
from sigcore.readers.tables import long
from tests.unit.sigcore.readers.tables.built import Cells, item, messages, table


def crossed(k: int) -> tuple[object, ...]:
    return "AB"[k % 2], k // 2, k / 7, f"x{k}"


def ids(heads: str, cells: Cells, rows: int = 12) -> list[str]:
    of = table(heads, cells, rows)
    return of.named(long.id_columns(of, 0))


def refused(heads: str, cells: Cells, rows: int = 12) -> tuple[str, str]:
    with pytest.raises(ReadError) as error:
        long.id_columns(table(heads, cells, rows), 0)
    return error.value.what, error.value.fix


def test_which_columns_name_the_segments() -> None:
    """Ids that several systems share; with the document where these are needed."""
    assert ids("system id score", crossed) == ["id"]
    assert ids("system item id score", lambda k: ("AB"[k % 2], k, k // 2, k)) == ["id"]
    assert ids("system item score", lambda k: ("AB"[k % 2], f"w{k // 2}", k)) == ["item"]
    assert ids("system item document score", lambda k: ("AB"[k % 2], f"w{k // 2}", k // 2, k)) == ["document"]
    assert ids("system document id score", lambda k: ("AB"[k % 2], f"d{k // 6}", k // 2 % 3, k)) == ["document", "id"]
    assert ids("system document score", lambda k: ("AB"[k % 2], f"d{k // 2}", k)) == ["document"]
    assert ids("system email_id score", crossed) == ["email_id"]
    assert ids("system id", lambda k: ("AB"[k % 2], k)) == ["id"]


def test_rows_that_nothing_tells_apart_are_refused() -> None:
    what, fix = refused("system id score", lambda k: ("AB"[k % 2], k // 4, k))
    assert "row 3: A has segment 0 a second time (first in row 1)." in what
    assert fix.startswith(
        "If these rows are runs of one question: --columns rows=run. Several ratings of one segment need a column for the judge"
    )
    _, fix = refused("system id judge score", lambda k: ("AB"[k % 2], k // 4, "x", k))
    assert (
        fix
        == "The column judge names judges. To test the ratings, each segment with all its judges, add --run-field judge."
    )
    _, fix = refused("system id colour score", lambda k: ("AB"[k % 2], k // 4, "xy"[k // 2 % 2], k), 16)
    assert fix == (
        "If system and colour name the systems together: --columns system=system colour=system id=question score=score. "
        "If colour names the runs of a question, say so: --columns colour=run. If it names people, head it judge."
    )
    _, fix = refused("system id colour mass", lambda k: ("AB"[k % 2], k // 4, "xy"[k // 2 % 2], k), 16)
    assert "together" not in fix, "nothing is known to be a score"
    _, fix = refused("system id language score", lambda k: ("AB"[k % 2], k // 4, ("de", "en")[k // 2 % 2], k), 16)
    both = "--id-field language,ID, with the heading of the ids for ID"
    assert fix == f"If questions are numbered anew in each language, both columns name them: {both}."
    _, fix = refused("system id colour score", lambda k: ("A", k // 2, "xy"[k % 2], k), 16)
    assert fix.startswith("If colour names what is compared: --columns colour=system. If colour names the runs")


def test_two_columns_that_name_the_segment_together() -> None:
    what, fix = refused("system word side score", lambda k: ("AB"[k % 2], f"w{k // 4}", "xy"[k // 2 % 2], k), 24)
    assert what.startswith(
        "t.csv has a row per system and segment, and no heading says which column names the segment."
    )
    assert fix == "If word and side name it together, say so: --id-field word,side."
    what, fix = refused("system word side score", lambda k: ("AB"[k % 2], f"w{k // 4}", "xy"[k // 2 % 2], k), 8)
    assert what.startswith("Each row is a whole system with a setting (word, side)")
    _, fix = refused("system score", lambda k: ("AB"[k % 2], k))
    assert fix == "Add a column headed segment or seg_id or id."


@pytest.mark.parametrize(("questions", "whole"), [(4, True), (5, False)])
def test_five_questions_of_two_systems_can_be_tested(questions: int, whole: bool) -> None:
    def cells(k: int) -> tuple[object, ...]:
        name = k // 2
        return "AB"[k % 2], f"w{name // 2}", "xy"[name % 2], k

    what, _ = refused("system word side score", cells, 2 * questions)
    assert what.startswith("Each row is a whole system with a setting") is whole


@pytest.mark.parametrize(
    ("heads", "cells", "is_one"),
    [
        ("system text", lambda k: ("AB"[k % 2], f"t {k}"), True),
        ("system text", lambda k: (f"s{k}", f"t {k}"), True),  # names above outputs
        ("system thing", lambda k: (f"s{k}", k), True),  # beside numbers alone
        ("system thing", lambda k: (f"s{k}", f"t {k}"), False),
        ("system score", lambda k: (f"an answer of many words {k}", k), False),
        ("system score", lambda k: (f"an answer of words{k}", k), True),  # four words
        ("system score", lambda k: ("x" * 79 + str(k % 10), k), True),
        ("system score", lambda k: ("x" * 79 + f"{k:02d}", k), False),
        ("system score", lambda k: (k, k), False),
        ("thing score", lambda k: ("AB"[k % 2], k), False),
        ("system id", lambda k: (f"s{k}", k), False),
    ],
)
def test_a_column_names_systems_or_holds_the_output_of_one(heads: str, cells: Cells, is_one: bool) -> None:
    assert long.is_long(table(heads, cells)) is is_one


def pivot(heads: str, cells: Cells, rows: int = 12) -> Found:
    return long.pivot(table(heads, cells, rows))


def streams(found: Found) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [(one.name, one.role, one.measure, one.segments) for one in found.items]


def test_values_become_a_stream_of_each_system() -> None:
    found = pivot("system id score", lambda k: crossed(k)[:3], 4)
    assert streams(found) == [
        ("A", "system", "score", ("0.0", "0.2857142857142857")),
        ("B", "system", "score", ("0.14285714285714285", "0.42857142857142855")),
    ]
    assert messages(found) == ["It was read in long form, a row per system and segment: system = system, id = segment."]
    assert [one.keys for one in found.items] == [("0", "1")] * 2
    gap = pivot("system id score", lambda k: ("AB"[k == 4], (3, 1, 10, 2, 1)[k], k), 5)
    assert streams(gap)[1] == ("B", "system", "score", ("4", "", "", ""))
    assert gap.items[0].keys == ("1", "2", "3", "10")  # whole numbers in their order


def test_texts_need_a_row_for_every_segment() -> None:
    found = pivot("system id text reference", lambda k: ("AB"[k % 2], k // 2, f"t {k}", f"r {k // 2}"), 6)
    assert [(one.name, one.role) for one in found.items] == [
        ("A", "system"),
        ("B", "system"),
        ("reference", "reference"),
    ]
    found = pivot("system id output", lambda k: ("AB"[k % 2], k // 2, f"t {k}"), 5)
    assert [one.what for one in found.problems] == ["B has no row for 1 of 3 segments; the first is segment 2."]
    with pytest.raises(ReadError, match="column reference: B has another reference for segment 0 than earlier systems"):
        pivot("system id output reference", lambda k: ("AB"[k % 2], k // 2, f"t {k}", f"r {k}"), 6)


@pytest.mark.parametrize(("n", "source"), [(30, True), (29, False)])
def test_a_text_that_many_segments_share_is_no_output(n: int, source: bool) -> None:
    found = pivot("system id text output", lambda k: ("AB"[k % 2], k // 2, f"t {k // 2}", f"o {k}"), 2 * n)
    assert [one.role for one in found.items] == (["source", "system", "system"] if source else ["system"] * 4)
    assert ("Column text is the same for every system: it is no output." in messages(found)) is source


def test_systems_without_values_are_left_out() -> None:
    found = pivot("system id score bleu", lambda k: ("AB"[k % 2], k // 2, k, "" if k % 2 else k), 8)
    assert "B has no bleu values; left out." in messages(found)
    with pytest.raises(ReadError, match=r"no column is known to hold their outputs or scores"):
        pivot("system id note", lambda k: ("AB"[k % 2], k // 2, f"n{k}"), 8)
    with pytest.raises(ReadError, match="A row does not name its system"):
        pivot("system id score", lambda k: ("A" if k else "", k, k), 8)


def test_names_of_measures_in_rows_are_tables_of_their_own() -> None:
    found = pivot("system id metric score", lambda k: ("AB"[k % 2], k // 4, ("bleu", "ter")[k // 2 % 2], k), 8)
    assert {(one.name, one.measure) for one in found.items} == {
        ("A", "bleu"),
        ("A", "ter"),
        ("B", "bleu"),
        ("B", "ter"),
    }
    once = table("id metric A", lambda k: (k, "xyz"[k % 3], k), 12)
    assert long.measures_of(once) == [1]
    assert long.measures_of(table("id metric A", lambda k: (k, "xyz"[k % 3], k), 11)) == []
    assert long.measures_of(table("id metric A", lambda k: (k // 2, "xyz"[k % 3], k), 11)) == [1]
    assert long.measures_of(table("id metric A", lambda k: (k, k % 3, k), 12)) == []
    # the first id decides
    assert long.measures_of(table("id uid metric A", lambda k: (k // 2, k, "xyz"[k % 3], k), 11)) == [2]
    assert long.measures_of(table("metric measure A", lambda k: ("xy"[k % 2], "pq"[k % 2], k), 12)) == [0]


def test_scores_beside_the_outputs_of_a_system_are_its_own() -> None:
    def paired(*items: Item) -> list[tuple[str, str]]:
        return [(one.name, one.measure) for one in long.paired(items) if one.kind == "scores"]

    output = item("A", ["t"], "text")
    assert paired(output, item("A_score", [1])) == [("A", "")]
    assert paired(output, item("A score", [1])) == [("A", "")]
    assert paired(output, item("A_bleu", [1])) == [("A", "bleu")]
    assert paired(output, item("B_score", [1])) == [("B_score", "")]
    assert paired(item("A", ["t"], "text", "reference"), item("A_score", [1])) == [("A_score", "")]
    assert paired(output, item("A_score", [1], role="ignored")) == [("A_score", "")]


@pytest.mark.parametrize(
    ("cells", "digits", "whole"),
    [
        (["1", "22"], 2, True),
        (["1", "222"], 2, False),
        (["-1"], 2, False),
        (["1.0"], 9, False),
        ([], 1, True),
        (["1", ""], 9, False),
    ],
)
def test_whole_numbers_have_digits_alone(cells: list[str], digits: int, whole: bool) -> None:
    assert long.are_whole(cells, digits) is whole


def test_the_one_id_by_its_heading_names_what_was_asked() -> None:
    def named(
        heads: str, cells: Cells = lambda k: ("AB"[k % 2], f"t{k // 2}", f"u{k // 2}"), system: tuple[int, ...] = (0,)
    ) -> list[int]:
        return long.named_ids(table(heads, cells), system)

    assert named("system task_id x") == [1]
    assert named("system task_id email_id") == []  # which of both?
    assert named("system response_id x") == []
    assert named("system task_id x", lambda k: ("AB"[k % 2], f"t{k}", k)) == []  # no system shares one
    assert named("system task_id x", lambda k: ("A", f"t{k}", k)) == [1]
    assert named("x task_id y", lambda k: ("A", f"t{k}", k), ()) == [1]
    assert named("system task_id judge", lambda k: ("AB"[k % 2], f"t{k // 4}", f"j{k // 2 % 2}")) == [1]
    assert named("system task_id x", lambda k: ("AB"[k % 2], f"t{k // 4}", k)) == []


def test_what_two_systems_have_in_common() -> None:
    of = table("system a b", lambda k: ("AB"[k % 2], k // 2, k))
    assert (long.in_common(of, 0, 1), long.in_common(of, 0, 2)) == (True, False)
