"""Tables with a column for each system: what is a score, an output, a remark or an id; one step to either side of each bound."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found
from sigcore.readers.tables import wide
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear
from tests.unit.sigcore.readers.tables.built import Cells, messages, table


def read(heads: str, cells: Cells, rows: int = 12, file: str = "t.csv", **more: object) -> Found:
    of = table(heads, cells, rows, file)
    of = Table(of.file, of.headings, of.rows, of.places, **more)  # type: ignore[arg-type]
    return wide.read_columns(of, Found())


def roles(found: Found) -> dict[str, str]:
    return {one.name: f"{one.role} {one.kind}" for one in found.items}


def used(heads: str, cells: Cells, rows: int = 12, **more: object) -> list[str]:
    """The names of the systems that are left, also in a table that is asked about."""
    try:
        return [one.name for one in read(heads, cells, rows, **more).items if one.role == "system"]
    except Unclear as problem:
        return ["asked", *(one.column for one in problem.claims if one.role == "system")]


def text(k: int, letter: str) -> str:
    return f"{letter}{k} is a text of words"


def test_a_table_without_a_header_is_numbered() -> None:
    rows = [[text(k, "a"), text(k, "b")] for k in range(4)]
    found = wide.read_bare("x.csv", rows, range(1, 5), Found())
    assert [one.name for one in found.items] == ["x column 1", "x column 2"]
    assert "No header row was recognised, so its columns are numbered." in messages(found)[0]
    alone = wide.read_bare("x.csv", [[text(k, "a")] for k in range(4)], range(1, 5), Found())
    assert ([one.name for one in alone.items], messages(alone)) == (["x"], [])
    named = wide.read_bare("x.csv", [[str(k + 7), text(k, "a")] for k in range(4)], range(1, 5), Found())
    assert [(one.name, one.keys) for one in named.items] == [("x", ("7", "8", "9", "10"))]
    assert messages(named) == ["Its first column names the segments (7 ...); it is not an output."]
    three = wide.read_bare("x.csv", [[str(k), text(k, "a"), text(k, "b")] for k in range(4)], range(1, 5), Found())
    assert [one.name for one in three.items] == ["x column 2", "x column 3"]
    with pytest.raises(Unclear, match="which are systems"):
        wide.read_bare("x.csv", [[str(k // 2), text(k, "a")] for k in range(4)], range(1, 5), Found())


def test_ids_that_are_not_in_order_sort_the_rows() -> None:
    found = read("id A B", lambda k: (12 - k, k / 7, k / 9))
    assert "Its rows were sorted by id." in messages(found)
    assert found.items[0].keys[:2] == ("1", "2")
    assert "Its rows were sorted by id." not in messages(read("id A B", lambda k: (k, k / 7, k / 9)))
    again = read("id A B", lambda k: (12 - k // 2, k / 7, k / 9))
    assert messages(again) == [
        "Column id: row 2 has 12 a second time, so its ids are not used: segments are matched by place."
    ]
    gap = read("id A B", lambda k: ("" if k == 2 else f"q{k}", k / 7, k / 9))
    assert messages(gap) == ["Column id: row 3 has no id, so its ids are not used: segments are matched by place."]
    assert [one.line for one in gap.notices] == [4]
    both = read("id document A B", lambda k: (k % 3, f"d{k // 3}", k / 7, k / 9), basis="said")
    assert both.items[0].keys[:2] == ("0 of d0", "1 of d0")
    with pytest.raises(ReadError, match=r"t.csv contains nothing except the numbers of segments."):
        read("id", lambda k: (k,))


def test_numbers_are_scores_of_the_measure_of_the_file_or_the_headings() -> None:
    def measures(heads: str, file: str = "t.csv") -> set[str]:
        return {
            one.measure for one in read(heads, lambda k: (k, k / 7, k / 9), file=file).items if one.kind == "scores"
        }

    assert measures("id A_wer B_wer") == {"wer"}
    assert len(measures("id A B")) == 1


def test_words_for_right_and_wrong_are_scores_without_a_reference() -> None:
    words = ("pass", "fail")
    assert roles(read("id A B", lambda k: (k, words[k % 2], words[k // 2 % 2]))) == {
        "A": "system scores",
        "B": "system scores",
    }
    beside = read("id A reference", lambda k: (k, ("true", "false")[k % 2], ("true", "false")[k // 2 % 2]))
    assert roles(beside) == {"A": "system text", "reference": "reference text"}


def test_remarks_are_no_outputs() -> None:
    told = "Judging by their headings they contain remarks, not outputs; not used: comment."
    found = read("id A B comment", lambda k: (k, k / 7, k / 9, text(k, "c")))
    assert (told in messages(found), roles(found)["comment"]) == (True, "ignored text")
    texts = read("id A B comment", lambda k: (k, text(k, "a"), text(k, "b"), text(k, "c")))
    assert roles(texts)["comment"] == "ignored text"


@pytest.mark.parametrize(("length", "rows", "people"), [(40, 12, True), (41, 12, False)])
def test_names_of_judges_are_short_and_come_again(length: int, rows: int, people: bool) -> None:
    def cells(k: int) -> tuple[object, ...]:
        return k, "ab"[k % 2] * length, text(k, "a"), text(k, "b")

    assert ("judge" not in used("id judge A B", cells, rows)) is people
    assert "judge" not in used("id judge A B", lambda k: (k, f"j{k // 2}", text(k, "a"), text(k, "b")), rows)
    assert "judge" in used("id judge A B", lambda k: (k, text(k, "j"), text(k, "a"), text(k, "b")), rows)


def test_what_was_asked_is_no_output() -> None:
    found = read("prompt A B", lambda k: (text(k, "p"), text(k, "a"), text(k, "b")))
    assert "Not used: prompt. By the heading it is not an output." in messages(found)
    assert roles(found)["prompt"] == "ignored text"
    alone = read("prompt", lambda k: (text(k, "p"),))
    assert "ignored text" not in roles(alone).values()


def test_the_measure_of_the_prompt_is_a_fact_about_the_question() -> None:
    """Where two systems or more have it."""
    told = "Not used: prompt_toxicity. By the heading it is a score of what the systems were given."
    assert told in messages(read("prompt_toxicity A_toxicity B_toxicity", lambda k: (k / 7, k / 8, k / 9)))
    try:
        one = messages(read("prompt_toxicity A_toxicity", lambda k: (k / 7, k / 8)))
    except Unclear:
        one = []
    assert told not in one


def test_other_columns_beside_measures_of_one_system_are_not_used() -> None:
    found = read("id bleu ter tokens note2", lambda k: (k, k / 7, k / 9, k * 9, text(k, "n")))
    assert "Not used beside bleu, ter: tokens, note2." in messages(found)
    assert {(one.name, one.measure) for one in found.items if one.role == "system"} == {("t", "bleu"), ("t", "ter")}
    assert [one for one in messages(read("id bleu ter", lambda k: (k, k / 7, k / 9))) if "Not used" in one] == []


def test_one_output_beside_its_scores_is_of_the_file() -> None:
    found = read(
        "source output reference COMET", lambda k: (text(k, "s"), text(k, "o"), text(k, "r"), k / 12), file="Mine.csv"
    )
    assert [(one.name, one.role, one.kind, one.measure) for one in found.items if one.role == "system"] == [
        ("Mine", "system", "text", ""), ("Mine", "system", "scores", "COMET"),
    ]  # fmt: skip


def test_a_column_of_few_numbers_beside_scores_is_scores() -> None:
    """A person who wrote for fewer than half of the documents."""
    found = read("id A B C", lambda k: (k, k / 7, k / 9, k / 5 if k < 4 else ""))
    assert roles(found)["C"] == "system scores"
    empty = read("id A B C", lambda k: (k, k / 7, k / 9, ""))
    assert roles(empty)["C"] == "ignored text"
    asked = used("id A B C", lambda k: (k, k / 7, k / 9, "x" if k == 3 else ""))
    assert asked == ["asked", "A", "B"]


@pytest.mark.parametrize(("gold", "few"), [(6, True), (7, False)])
def test_predictions_that_repeat_a_few_right_labels_are_the_output(gold: int, few: bool) -> None:
    found = used(
        "reference pred_label note2 bleu", lambda k: (f"l{k % gold}", f"l{k // 2 % gold}", text(k, "n"), k / 12)
    )
    assert found == (["t", "t"] if few else ["t"])
