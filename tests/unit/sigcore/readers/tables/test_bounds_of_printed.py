"""Tables as they are printed: rules of dashes, boxes, cut frames and two lines of headings; one cell to either side of each bound."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.tables import printed
from tests.unit.sigcore.readers.tables.built import content


def found(*lines: str, name: str = "t.txt") -> list[list[str]]:
    """The rows of the printed table in a text; [] without one."""
    shown = printed.found(content("\n".join(lines) + "\n", name))
    return [] if shown is None else [list(row) for row in shown.rows]


def refused(*lines: str, name: str = "t.txt") -> str:
    with pytest.raises(ReadError) as error:
        found(*lines, name=name)
    return f"{error.value.what} {error.value.line}"


RULED = ("id   A    B", "---  ---  ---", "q1   1    0.5", "q2   2    0.25", "q3   3    0.125")


def test_columns_begin_below_a_rule_of_dashes() -> None:
    """Three rows at least, with the headings; a last rule is none."""
    rows = [["id", "A", "B"], ["q1", "1", "0.5"], ["q2", "2", "0.25"], ["q3", "3", "0.125"]]
    assert found(*RULED) == rows
    assert found(*RULED, RULED[1]) == rows
    assert found("", *RULED) == rows
    assert found(*RULED[:4]) == rows[:3]
    assert found(*RULED[:3]) == []
    assert found("id   A    B", "---------", *RULED[2:]) == []
    assert found(*RULED[:3], "q2xxxxx    0.25", "q3   3    0.125") == []  # a text goes through a column
    assert found(*RULED[:3], " q2  2    0.25", "q3   3    0.125")[2] == ["q2", "2", "0.25"]


@pytest.mark.parametrize("name", ["README.txt", "licence", "CHANGELOG.md", "contributing.rst"])
def test_what_describes_a_project_holds_no_table(name: str) -> None:
    assert found(*RULED, name=name) == []


FRAME = ("   id    A      B", "0  q1  1.0  0.500", "1  q2  2.0  0.250", "2  q3  3.0  0.125")


def test_cells_end_below_the_headings_of_a_frame() -> None:
    rows = [["id", "A", "B"], ["q1", "1.0", "0.500"], ["q2", "2.0", "0.250"], ["q3", "3.0", "0.125"]]
    assert found(*FRAME) == rows
    assert found(*FRAME, "", "[3 rows x 3 columns]") == rows
    assert found(*(line[3:] for line in FRAME)) == rows  # without numbers of its rows
    assert found(*FRAME[:3]) == []
    assert found(FRAME[0], *(f"{line} " for line in FRAME[1:])) == rows
    assert found(FRAME[0], FRAME[1] + "0", *FRAME[2:]) == []
    named = [line.replace(str(k), "xyz"[k], 1) for k, line in enumerate(FRAME[1:])]
    assert found(FRAME[0], *named)[1] == ["x", "q1", "1.0", "0.500"]
    same = [line.replace(str(k), "x", 1) for k, line in enumerate(FRAME[1:])]
    assert found(FRAME[0], *same) == []


def test_a_frame_that_was_printed_in_part_is_refused() -> None:
    told = "It is a printed data frame without some of its {} (...)."
    assert told.format("rows") in refused(*FRAME, "..  ..  ...    ...", "9  q9  9.0  0.975")
    columns = ("   id    A  ...      B", "0  q1  1.0  ...  0.500", "1  q2  2.0  ...  0.250", "2  q3  3.0  ...  0.125")
    assert told.format("columns") in refused(*columns)
    assert printed.is_printed(content("\n".join(columns) + "\n"))
    assert not printed.is_printed(content("a text\nin lines\nwithout a table\nat all\n"))


BOX = ("┌────┬─────┐", "│ id ┆ A   │", "│ --- ┆ --- │", "╞════╪═════╡", "│ q1 ┆ 0.5 │", "│ q2 ┆ 1.0 │", "└────┴─────┘")


def test_one_table_in_a_text_of_markdown() -> None:
    """With a rule below its headings, and two rows; of several nobody knows how they belong together."""
    lines = ("# A title", "", "| id | A |", "|----|---|", "| q1 | 1 |", "| **q2** | 2 |", "", "some words")
    rows = [["id", "A"], ["q1", "1"], ["q2", "2"]]
    assert found(*lines, name="t.md") == rows
    assert found(*lines[2:6]) == rows
    assert found(*lines, "more words", "and more") == []  # more text than table
    assert found(*lines, "more words", "and more", name="t.md") == rows
    assert found(*lines[2:5], name="t.md") == []
    assert found(*lines[2:3], *lines[4:6], name="t.md") == []
    assert found(*lines[2:5], "| q2 | 2 | 3 |", name="t.md") == []
    told = "It has 2 tables, which belong together in no known way: line 3: id, A (2 rows); line 10: id, A (2 rows)."
    assert refused(*lines, *lines[1:6], name="t.md") == f"{told} 10"


def test_a_box_with_types_below_its_headings() -> None:
    types = (
        "┌─────┬─────┐",
        "│ id  ┆ A   │",
        "│ --- ┆ --- │",
        "│ str ┆ f64 │",
        "╞═════╪═════╡",
        "│ q1  ┆ 0.5 │",
        "│ q2  ┆ 1.0 │",
        "└─────┴─────┘",
    )
    rows = [["id", "A"], ["q1", "0.5"], ["q2", "1.0"]]
    assert found(*types) == rows
    plus = (
        "+----+-----+",
        "| id | A   |",
        "+----+-----+",
        "| q1 | 0.5 |",
        "+----+-----+",
        "| q2 | 1.0 |",
        "+----+-----+",
    )
    assert found(*plus) == rows
    assert "without some of its rows" in refused(*plus[:5], "| … | … |", *plus[5:])


def test_a_table_that_r_wrote() -> None:
    """The names of its rows have no heading."""
    lines = ('"id" "A"', '"1" "q1" 0.5', '"2" "q2" 1', '"3" "q 3" 0')
    assert found(*lines) == [["id", "A"], ["q1", "0.5"], ["q2", "1"], ["q 3", "0"]]
    assert found(*lines[:2]) == [["id", "A"], ["q1", "0.5"]]
    assert found(*lines[:2], '"q2" 1') == []
    assert found(*lines[:2], '"2" "x" "q2" 1') == []
    assert found(lines[0], '"q1" 0.5', '"q2" 1')[1] == ["q1", "0.5"]


def sheet(upper: str, lower: str, *rows: str) -> list[list[str]]:
    return [line.split(",") for line in (upper, lower, *rows)]


BODY = ("q1,1,2,3,4", "q2,2,3,4,5", "q3,3,4,5,6")


def test_groups_of_columns_below_merged_cells() -> None:
    upper, lower = ",BLEU,,chrF,", "id,One,Two,One,Two"
    levels = printed.of_two("t.csv", sheet(upper, lower, *BODY), range(1, 6))
    assert levels is not None
    assert (levels.start, levels.above) == (0, "measures")
    assert levels.tables["chrF"] == [["id", "One", "Two"], ["q1", "3", "4"], ["q2", "4", "5"], ["q3", "5", "6"]]
    turned = printed.of_two("t.csv", sheet(",One,,Two,", "id,BLEU,chrF,BLEU,chrF", *BODY), range(1, 6))
    assert turned is not None
    assert (turned.above, turned.tables["chrF"][:2]) == ("systems", [["id", "One", "Two"], ["q1", "2", "4"]])
    titled = printed.of_two("t.csv", [["Results", "", "", "", ""], *sheet(upper, lower, *BODY)], range(1, 7))
    assert titled is not None
    assert titled.start == 1


@pytest.mark.parametrize(
    ("upper", "lower", "rows"),
    [
        (",BLEU,,chrF,", "id,One,Two,One,Two", BODY[:2]),  # two rows
        (",BLEU,,chrF,", "id,One,Two,One,Six", BODY),  # other columns in a group
        (",BLEU,,chrF,", "id,One,Two,One,2", BODY),
        (",BLEU,,chrF,", "id,One,Two,One,Two", ("q1,1,2,3,x", "q2,2,3,4,y", "q3,3,4,5,z")),
        ("id,A,B,C,D", "q0,1,2,3,4", BODY),
    ],
)
def test_other_rows_have_no_groups(upper: str, lower: str, rows: tuple[str, ...]) -> None:
    assert printed.of_two("t.csv", sheet(upper, lower, *rows), range(1, len(rows) + 3)) is None
    assert printed.grouped(sheet(upper, lower, *rows)) == {}


def test_one_measure_above_all_systems_and_texts_beside_numbers() -> None:
    levels = printed.of_two("t.csv", sheet(",BLEU,,,", "id,One,Two,Six,Ten", *BODY), range(1, 6))
    assert levels is not None
    assert levels.tables["BLEU"][0] == ["id", "One", "Two", "Six", "Ten"]
    commented = sheet(",BLEU,,,chrF,,", "id,One,Two,note,One,Two,note", *(f"q{k},{k},2,a,{k},4,b" for k in range(3)))
    assert printed.grouped(commented)[3] == ("BLEU", "note")
    assert printed.grouped([*commented[:2], *([*row[:6], "5"] for row in commented[2:])]) == {}
    with pytest.raises(ReadError, match="It has two lines of headings, and none of both names measures") as error:
        printed.of_two("t.csv", sheet(",Foo,,Bar,", "id,One,Two,One,Two", *BODY), range(1, 6))
    assert (error.value.line, "Foo_One, Bar_One" in error.value.fix) == (1, True)
