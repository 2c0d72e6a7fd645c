"""Lines, cells and margins of a table; one character, cell or line to either side of each bound."""

from __future__ import annotations

import pytest

from sigcore.errors import ReadError
from sigcore.readers.contract import Found, Notice
from sigcore.readers.tables import appraise, cells, columns, opposed
from sigcore.readers.tables.cells import Rows
from sigcore.readers.tables.said import Said
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear
from tests.unit.sigcore.readers.tables.built import Cells, cells_of, content, messages, table


def above(*lines: str) -> tuple[int, list[str]]:
    """How many lines of comment stand above the header, and what is said of them."""
    kept, n, notices = cells.below_comments(content("\n".join(lines) + "\n"))
    assert list(kept.lines) == list(lines[n:])
    return n, [one.message for one in notices]


def test_comments_above_a_header_are_left_out() -> None:
    assert above("# made by us", "id,A", "q1,1") == (1, ["1 comment line was left out above its header: # made by us"])
    assert above("// one", "", "% two", "id,A", "q1,1") == (
        3,
        ["2 comment lines were left out above its header: // one"],
    )
    assert above("sep=;", "id;A", "q1;1")[0] == 1
    assert above("# made, by us", "id,A,B", "q1,1,2")[0] == 1
    assert above("#id,A", "id,B", "q1,1")[0] == 0


@pytest.mark.parametrize(
    "lines",
    [
        ("id,A", "q1,1"),  # no comment
        ("", "id,A"),  # a blank line
        ("# made by us",),  # nothing below
        ("# made by us", "text"),  # one cell
        ("# made by us", "q1,1"),  # a number below is no header
        ("# made by us", "1,q1"),
        ("#id,A", "q1,x"),  # a header itself
        ("#id;A", "q1;x"),
        ("#id\tA", "q1\tx"),
    ],
)
def test_other_first_lines_are_no_comments(lines: tuple[str, ...]) -> None:
    assert above(*lines) == (0, [])


def test_a_comment_with_the_cells_of_the_header_is_one() -> None:
    """Where only the header has known headings, or both have the same behind the first."""
    assert above("# two, words", "id,A", "q1,1")[0] == 1
    assert above("# one,x,y", "two,x,y", "1,2,3")[0] == 1
    assert above("# id,x", "id,A", "q1,1")[0] == 0


def test_margins_of_empty_cells() -> None:
    def kept(*rows: list[str]) -> tuple[list[list[str]], list[str]]:
        left, notices = cells.without_margins(Rows("t", ",", rows, range(1, len(rows) + 1)))
        return [list(row) for row in left.cells], [one.message for one in notices]

    assert kept(["a", "b", ""], ["1", "", ""]) == ([["a", "b"], ["1", ""]], [])
    assert kept(["a", "b"], ["1", "2"], ["", " "]) == (
        [["a", "b"], ["1", "2"]],
        ["1 row of empty cells at its end were left out."],
    )
    assert kept(["a", "b"], ["", ""], ["", ""])[1] == ["2 rows of empty cells at its end were left out."]
    assert kept(["a"], [""]) == ([["a"], [""]], [])


def test_rows_of_another_width_name_the_line_of_the_first() -> None:
    rows = Rows("t", ",", [["a", "b"], ["1"], ["1", "2", "3"]], [3, 5, 6])
    assert [one.what for one in cells.ragged(rows)] == [
        "t: line 5 has 1 cell, line 3 has 2.", "t: line 6 has 3 cells, line 3 has 2.",
    ]  # fmt: skip
    assert [one.line for one in cells.ragged(rows)] == [5, 6]
    assert [one.line for one in cells.ragged(rows, 1)] == [3, 6]
    with pytest.raises(ReadError):
        cells.refuse_ragged(rows)
    cells.refuse_ragged(rows.kept([0]))
    assert list(rows.moved(2).lines) == [5, 7, 8]
    assert rows.moved(0) is rows


@pytest.mark.parametrize(
    ("head", "quoted"),
    [('"id"\t"A"', True), ('"id"\tA', False), ('"id"', False), ('"x"\t"y"', False), ('"id"\t""', False)],
)
def test_headings_in_quotes_between_tabs(head: str, quoted: bool) -> None:
    assert cells.is_quoted(head) is quoted


def test_equal_tabs_and_equal_widths() -> None:
    assert [cells.has_equal_tabs(lines) for lines in (["a\tb", "c\td"], ["a\tb", "c"], ["a", "b"], ["a\tb\tc", "a\tb\tc"])] == [
        True, False, False, True,
    ]  # fmt: skip


def test_equal_cells_of_rows_are_one_string() -> None:
    """Of up to thirty characters in a row; longer cells stay as they are."""
    shared = cells.Shared()

    def made(text: str) -> str:
        return "".join(list(text))

    one, two = shared.row([made("name"), made("0.5")]), shared.row([made("name"), made("0.5")])
    assert one[0] is two[0]
    long = [made("x" * 31), made("name")]
    assert shared.row(long)[1] is one[0]
    assert shared.row([made("x" * 31)])[0] is not shared.row([made("x" * 31)])[0]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a,b\n1,2\n", 2), ("a,b\n1,2", 2), ("a,b\n1\n", 0), ("a\nb\n", 0), ('a,"b"\n1,2\n', 0), ("a,ü\n1,2\n", 0), ("a,b,c\n1\n2,3,4,5\n", 0),
        ("a,b\r\n1,2\r\n", 0),
    ],
)  # fmt: skip
def test_a_plain_text_is_cut_into_columns_at_once(text: str, rows: int) -> None:
    whole = columns.grid(text, ",")
    assert (0 if whole is None else len(whole)) == rows
    if whole is not None:
        assert (next(iter(whole)), whole[1], list(whole[1:])) == (("a", "b"), ("1", "2"), [("1", "2")])


def test_cells_that_repeat_in_a_column_are_one_string() -> None:
    whole = columns.grid("".join(f"name{k % 2},{k}\n" for k in range(8)), ",")
    assert whole is not None
    assert whole.columns[0][0] is whole.columns[0][2]
    assert list(whole.columns[0].counts.items()) == [("name0", 4), ("name1", 4)]
    assert columns.counts(["a", "b", "a"]) == {"a": 2, "b": 1}
    assert len(columns.Grid([])) == 0


def test_scores_of_a_tutorial_are_left_out() -> None:
    def kept(heads: str, cells: Cells) -> tuple[int, list[str]]:
        notices: list[Notice] = []
        left = appraise.without_tutorial(table(heads, cells, 4), notices)
        return len(left.rows), [one.message for one in notices]

    assert kept("system score", lambda k: ("tutorial" if k == 0 else "A", k)) == (
        3,
        ["1 score of the tutorial are left out."],
    )
    assert kept("system score", lambda k: ("A", k)) == (4, [])
    assert kept("system score", lambda k: ("tutorial", k)) == (4, [])  # nothing would be left
    assert kept("thing score", lambda k: ("tutorial" if k == 0 else "A", k)) == (4, [])


# Rows that name two systems and have a score of each.


def apart(
    heads: str, cells: Cells, rows: int = 12, meant: Said | None = None
) -> tuple[list[str], list[list[str]], list[str]]:
    result = Found()
    of = opposed.apart(table(heads, cells, rows), meant or Said(), result)
    return of.headings, cells_of(of), messages(result)


def two(k: int) -> tuple[object, ...]:
    return k, f"n{k % 3}", f"n{(k + 1) % 3}", k / 7, k / 9


def test_each_row_becomes_two_of_one_system() -> None:
    told = "model_a and model_b name the systems of each row, so it was read as two rows, one of each system."
    heads, rows, notes = apart("id model_a model_b score_a score_b", two)
    assert (heads, notes[:1]) == (["id", "model", "score"], [told])
    said = "id=question model_a=first model_b=second score_a=score score_b=score"
    assert notes[1:] == [
        f"No question has all 3 systems. To compare the two of each row, by the better score: pairwise --columns {said}."
    ]
    assert [row[:2] for row in rows[:3]] == [["0", "n0"], ["0", "n1"], ["1", "n1"]]
    heads, rows, _ = apart(
        "id model1 model2 value1 value2", lambda k: (*two(k)[:2], two(k)[2] if k else "", *two(k)[3:])
    )
    assert (heads, len(rows)) == (["id", "model", "value"], 23)
    heads, rows, _ = apart("model_a model_b score_a score_b", lambda k: two(k)[1:])
    assert (heads, len(rows)) == (["model", "score"], 24)
    with pytest.raises(Unclear, match="Do thing_a and thing_b name what is compared, with scores of each") as error:
        apart("id thing_a thing_b score_a score_b", two)
    assert [(one.column, one.role) for one in error.value.claims] == [
        ("id", "question"),
        ("thing", "system"),
        ("score", "score"),
    ]
    assert apart("id thing_a thing_b score_a score_b", two, meant=Said(columns=(("thing", "system"),)))[0] == [
        "id",
        "thing",
        "score",
    ]


@pytest.mark.parametrize(
    "heads",
    [
        "id model_a model_b score_a score_c", "id model_a model_c score_a score_b", "id model_a model_b winner score_b", "id sys3 model_b score_a score_b",
        "id a b score_a score_b",
    ],
)  # fmt: skip
def test_other_headings_name_no_two_systems(heads: str) -> None:
    assert apart(heads, two)[0] == heads.split()


@pytest.mark.parametrize(
    ("names", "rows", "same", "are"),
    [
        (3, 6, 0, True),
        (3, 5, 0, False),
        (40, 80, 0, True),
        (41, 82, 0, False),
        (3, 20, 2, True),
        (3, 20, 3, False),
        (1, 12, 0, False),
    ],
)
def test_bounds_of_names_on_both_sides(names: int, rows: int, same: int, are: bool) -> None:
    """Up to forty, with two rows each; in a tenth of the rows one may be compared with itself."""

    def cells(k: int) -> tuple[object, ...]:
        return k, f"n{k % names}", f"n{(k + (k >= same)) % names}", k / 7, k / 9

    assert (apart("id model_a model_b score_a score_b", cells, rows)[0] == ["id", "model", "score"]) is are


def test_names_of_two_systems_are_short_and_no_outcomes() -> None:
    def are(one: str, other: str, heads: str = "id model_a model_b score_a score_b") -> bool:
        try:
            found = apart(heads, lambda k: (k, (one, other)[k % 2], (other, one)[k % 2], k / 7, k / 9))[0]
        except Unclear:
            return True
        return found != heads.split()

    assert are("x" * 60, "y")
    assert not are("x" * 61, "y")
    assert not are("yes", "no")
    assert are("1", "2")
    assert not are("1", "2", "id thing_a thing_b score_a score_b")
    fixed = apart("id model_a model_b score_a score_b", lambda k: (k, "x", "y", k / 7, k / 9))[0]
    assert fixed == ["id", "model", "score"]
    of = table("id model_a model_b score_a score_b", two)
    said = Table(of.file, of.headings, of.rows, of.places, basis="said")
    assert opposed.apart(said, Said(), Found()) is said
