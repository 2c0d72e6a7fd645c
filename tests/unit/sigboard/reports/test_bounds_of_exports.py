"""What CSV, Parquet, sheets, JSON, BibTeX and the terminal hold at the edges: no rows, long texts, no numbers."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet

from sigboard.render import bibtex, json, tables, text
from sigboard.render.sentences import methods, note_on_names, of_grids, verdict_lines
from sigcore.results import Equivalence
from tests.unit.factories import compare, matrix, one_test

NAN = float("nan")


# ---- tables


def test_a_table_of_no_rows_says_so() -> None:
    """And a sheet of none is empty; both are files all the same."""
    assert r"no rows \\" in tables.rows_table([], "c")
    book = zipfile.ZipFile(io.BytesIO(tables.workbook({"none": []})))
    assert "<sheetData/>" in book.read("xl/worksheets/sheet1.xml").decode()


def test_heads_of_single_columns_have_no_rule() -> None:
    assert tables.spanning([("a", 1), ("b_c", 1)]) == r"a & b\_c \\"


def test_control_characters_are_blanks_in_markdown_and_latex() -> None:
    assert tables.markdown_escape("a\x07b*\n") == r"a b\* "
    assert tables.latex_escape("a\x07b%\n") == r"a b\% "


def test_a_line_of_latex_begins_with_no_argument() -> None:
    """A star or a bracket after the end of a line would be one of it."""
    lines = tables.latex_table(["a", "b"], [["*", "1"], ["[x]", "2"], ["x[", "3"]], "c", "l").split("\n")
    assert [line for line in lines if line.endswith(r"\\")] == [
        r"a & b \\",
        r"{}* & 1 \\",
        r"{}[x] & 2 \\",
        r"x[ & 3 \\",
    ]


def book_of(rows: list[dict[str, Any]]) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(tables.workbook({"s": rows})))


def test_the_header_of_a_sheet_is_bold_and_its_rows_are_not() -> None:
    book = book_of([{"a": "b", "n": 1}])
    cells = re.findall(r'<c r="(\w+)"( s="1")?', book.read("xl/worksheets/sheet1.xml").decode())
    assert [(name, bool(style)) for name, style in cells] == [
        ("A1", True), ("B1", True), ("A2", False), ("B2", False),
    ]  # fmt: skip
    assert "<b/>" in book.read("xl/styles.xml").decode()


def test_a_column_is_as_wide_as_its_longest_text() -> None:
    """Not as the first or the shortest."""
    sheet = book_of([{"a": "b" * 12}, {"a": "b" * 30}, {"a": "b" * 9}]).read("xl/worksheets/sheet1.xml").decode()
    assert re.findall(r'<col [^>]*width="(\d+)', sheet) == ["32"]


@pytest.mark.parametrize(("letters", "kept"), [(31_999, 31_999), (32_000, 32_000), (32_001, 32_000)])
def test_a_cell_of_a_sheet_holds_so_many_letters(letters: int, kept: int) -> None:
    """More would make the file one that cannot be opened."""
    strings = book_of([{"a": "x" * letters}]).read("xl/sharedStrings.xml").decode()
    assert max(map(len, re.findall("x+", strings))) == kept


def test_columns_are_the_same_in_portions() -> None:
    """Whatever their size, texts of one width, and the number of all pairs of all results."""
    long = tuple(f"a longer name {k}" for k in range(4))
    results = [matrix((40.0, 42.0, 41.5, 39.0)), matrix((1.0, 2.0, 3.0, 9.0), systems=long, metric="ter")]
    whole, parts = tables.pair_columns(results, 0.05), tables.pair_columns(results, 0.05, most=1)
    assert list(whole) == list(parts)
    assert list(whole)[:2] == ["metric", "test"]
    assert set(np.concatenate(list(parts["system"])).tolist()) > {"sys1", "a longer name 3"}
    for name, column in whole.items():
        assert len(column) == len(parts[name]) == 12
        one, other = np.concatenate(list(column)), np.concatenate(list(parts[name]))
        assert one.dtype == other.dtype == column.dtype
        assert one.tolist() == pytest.approx(other.tolist(), nan_ok=True) if one.dtype.kind == "f" else True
        assert one.tolist() == other.tolist() or one.dtype.kind == "f"


def test_a_parquet_file_has_all_portions_and_no_undefined_numbers() -> None:
    p = np.array([[1, NAN, 0.2], [NAN, 1, 0.001], [0.2, 0.001, 1]])
    content = tables.to_parquet(tables.pair_columns([matrix(p=p)], 0.05, most=1))
    table = parquet.read_table(io.BytesIO(content))
    assert table.num_rows == 3
    assert sum(value is None for value in table.column("p_value").to_pylist()) == 1
    assert not any(value != value for value in table.column("p_value").to_pylist())


# ---- JSON


@pytest.mark.parametrize(("side", "tests"), [("two-sided", 6), ("greater", 12)])
def test_a_study_says_how_many_pairs_its_systems_are(side: str, tests: int) -> None:
    """Four systems are six pairs, one-sided twice as many tests."""
    found = json.of_setup(replace(matrix().setup, side=side), ["a", "b", "c", "d"])
    family = found["family"]
    assert isinstance(family, dict)
    assert (family["pairs"], family["tests"]) == (6, tests)


def test_ends_of_intervals_of_p_are_not_swapped() -> None:
    """Nor is the design effect, which is the same in both directions; without one it is null."""
    pair = compare(one_test(p_value=0.03, p_interval=(0.02, 0.04)), design_effect=1.5)
    (found,) = json.compare_json([pair])["results"]
    assert (found["p_values"][0][1], found["p_low"][0][1], found["p_high"][0][1]) == (0.03, 0.02, 0.04)
    assert found["p_low"] == [[1.0, 0.02], [0.02, 1.0]]
    assert found["design_effect"] == [[None, 1.5], [1.5, None]]
    (without,) = json.compare_json([compare()])["results"]
    assert without["design_effect"] is None


@pytest.mark.parametrize(("systems", "grids", "refused"), [(10, 1, False), (11, 1, True), (10, 2, True), (7, 2, False)])
def test_text_of_too_many_pairs_is_refused(systems: int, grids: int, refused: bool) -> None:
    """Of more bytes than the most, at 150 for each cell of each grid."""
    assert (json.too_large(systems, grids, most=15_000) is not None) is refused


def test_a_thousand_systems_are_not_too_many() -> None:
    """Two thousand are; the error says how much it would be."""
    assert json.too_large(1_000) is None
    error = json.too_large(2_000)
    assert error is not None
    assert "All pairs of 2,000 systems are about 600 MB of text, and at most 300 MB are written." in str(error)


def test_several_tests_of_a_command_are_one_family() -> None:
    """On their side; one alone is a planned comparison."""

    def planned(*tests: Any) -> list[bool]:
        return [item["family"]["planned"] for item in json.compare_json([compare(*tests)])["results"]]

    assert planned(one_test()) == [True]
    assert planned(one_test(), one_test("paired_bootstrap")) == [False, False]
    assert planned(one_test(), one_test("paired_bootstrap", side="greater")) == [True]


def test_equality_within_a_margin_is_in_the_json_where_it_was_asked() -> None:
    """Its verdict is that at alpha."""
    equal = compare(one_test(equivalence=Equivalence(1.0, 0.03, 0.02)))
    (found,) = json.compare_json([equal])["results"]
    assert found["equivalence"] == {"margin": 1.0, "p": 0.03, "p_worse": 0.02, "verdict": "equivalent"}
    (strict,) = json.compare_json([equal], alpha=0.02)["results"]
    assert strict["equivalence"]["verdict"] == "not worse"
    (without,) = json.compare_json([compare()])["results"]
    assert "equivalence" not in without


# ---- sentences of commands


def test_names_that_look_like_runs_are_noted() -> None:
    """With the pattern that says so; others are not, nor is a result of no grids."""
    assert note_on_names(["A", "B"]) == []
    (note,) = note_on_names(["A.seed1", "A.seed2", "B"])
    assert note.startswith("These names look like runs of one system: A.seed1, A.seed2.")
    assert note.endswith("'{system}.seed{run}'.")
    grid = matrix((1.0, 2.0, 3.0), systems=("A.seed1", "A.seed2", "B"))
    assert of_grids(["file"], [grid, grid], "none")[:2] == ["file", note]
    assert of_grids(["file"], [], "none") == ["file"]


def test_a_test_of_several_is_named_before_its_verdict() -> None:
    """And its family has as many tests as were asked, or else as there are."""
    one, two = compare(one_test()), compare(one_test(), one_test("paired_bootstrap"))
    (alone,) = verdict_lines(one, 0.05)
    assert alone.startswith("Online-B beats Online-A")
    (among,) = verdict_lines(one, 0.05, 3)
    assert "1 of 3 tests in this command" in among
    lines = verdict_lines(two, 0.05)
    assert [line.partition(":")[0] for line in lines] == ["Approximate randomization", "Paired bootstrap"]
    assert all("1 of 2 tests in this command" in line for line in lines)


# ---- the terminal


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((), "The ranks are 1 cluster. The 3 pairs"),
        ((1,), "The ranks are 2 clusters, separated after rank 1: all"),
        ((1, 2), "The ranks are 3 clusters, separated after ranks 1, 2: all"),
    ],
)
def test_the_clusters_of_a_grid_that_is_not_printed(lines: tuple[int, ...], said: str) -> None:
    """One rank after which there is a line, or several ranks."""
    p = np.full((3, 3), 0.5)
    for line in lines:
        p[:line, line:] = p[line:, :line] = 0.001
    assert said in text.matrix_table(matrix((42.0, 41.0, 40.0), p=p), 0.05, said=False, most=1)


def test_a_pair_that_was_not_asked_has_no_symbol() -> None:
    """One that was asked and has no p has a question mark; a system has nothing beside itself."""
    p = np.array([[1, NAN, 0.001], [NAN, 1, 0.2], [0.001, 0.2, 1]])
    rows = text.matrix_table(matrix((42.0, 41.0, 40.0), p=p), 0.05, said=False).split("\n")
    assert [row.split()[-2:] for row in rows[3:6]] == [["?", "+++"], ["?", "."], ["---", "."]]


def test_a_key_says_whether_p_is_as_printed_elsewhere() -> None:
    """Or only that there is no verdict."""

    def key(**settings: Any) -> str:
        shown = text.matrix_table(matrix(**settings), 0.05, said=False).split("\n")
        return next(line for line in shown if line.startswith("adjusted p"))

    assert key(estimator="paper") == "adjusted p of row against column (Holm), as printed elsewhere: no verdict"
    assert key(resamples=10, least_p=0.09) == "adjusted p of row against column (Holm): no verdict"


def test_daggers_are_explained_where_there_is_a_baseline() -> None:
    """Below the systems of several metrics; a single metric has no such table."""
    results = [matrix(), matrix(metric="ter", metric_title="TER", better="lower")]
    assert text.several_tables([matrix()], 0.05) == []
    (plain,), (against,) = text.several_tables(results, 0.05), text.several_tables(results, 0.05, "sys0")
    assert plain.split("\n")[0].split() == ["system", "BLEU", "TER"]
    assert "significantly" not in plain.split("\n\n")[1]
    assert "† significantly better than sys0, ‡ significantly worse" in against.split("\n\n")


def test_a_direction_that_was_assumed_is_in_the_design() -> None:
    """A known one is not."""

    def design(**settings: Any) -> str:
        return text.matrix_table(matrix(**settings), 0.05, said=False).split("\n")[0]

    assert design().endswith("R = 10,000, seed 12345")
    assert "higher is better" in design(why="assumed")


def test_names_of_the_terminal_have_32_letters() -> None:
    """In tables; a sentence has them whole."""
    assert text.printable("n" * 32) == "n" * 32
    assert len(text.printable("n" * 33)) == 32
    assert text.printable("n" * 99, 0) == "n" * 99


def test_letters_that_nobody_sees_take_no_column() -> None:
    """A joiner between letters, and an accent on one; cells end without blanks."""
    assert text.width("a\u200db\u0301") == 2
    assert text.align(["x", "name"], [["1", "a\u200d"], ["22", "bcd"]], left=(1,)).split("\n") == [
        " x  name", " 1  a\u200d", "22  bcd",
    ]  # fmt: skip


# ---- BibTeX


def test_papers_of_a_result_are_those_of_its_members() -> None:
    """Each once; what has no entry is a comment."""
    found = bibtex.of_results([matrix(), matrix()])
    keys = re.findall(r"^@\w+{(\w+),", found, re.MULTILINE)
    assert keys == ["papineni2002", "post2018", "riezler2005", "noreen1989", "graham2014", "holm1979"]
    assert "%" not in found
    plain = bibtex.of_results([matrix(metric="accuracy", metric_title="Accuracy", correction="none")])
    assert "papineni2002" not in plain
    assert "holm1979" not in plain
    assert [line for line in plain.split("\n") if line.startswith("%")] == [
        "% Accuracy: the definition (no entry here)",
    ]


# ---- tables and keys of the terminal


def test_a_table_as_wide_as_the_terminal_is_not_parted() -> None:
    """One column less, and its symbols are below the scores; with no room at all, one by one."""
    result = matrix((40.0, 42.0, 41.5))
    whole = text.matrix_table(result, 0.05, said=False).split("\n\n")[1]
    wide = max(map(text.width, whole.split("\n")))
    assert text.matrix_table(result, 0.05, said=False, columns=wide).split("\n\n")[1] == whole
    assert text.matrix_table(result, 0.05, said=False, columns=wide - 1).split("\n\n")[1] != whole
    parts = text.matrix_table(result, 0.05, said=False, columns=9).split("\n\n")
    heads = [part.split("\n")[0].split() for part in parts]
    assert [head for head in heads if head[0] == "system" and len(head) == 2] == [["system", str(k)] for k in (1, 2, 3)]


def test_a_key_explains_what_is_there() -> None:
    """A question mark where a pair has no p, and a p that few resamples cannot reach."""

    def key(**settings: Any) -> str:
        shown = text.matrix_table(matrix((42.0, 40.0), **settings), 0.05, said=False).split("\n")
        return next(line for line in shown if line.startswith("row better than column"))

    assert key() == (
        "row better than column: +++ p <= 0.001, ++ p <= 0.01, + p <= 0.05; - row worse; . not significant (Holm)"
    )
    assert key(p=np.array([[1, NAN], [NAN, 1]])).endswith("not significant; ? no p-value (Holm)")
    assert key(resamples=100, least_p=0.0099).endswith("(Holm). With 100 resamples p cannot fall below 0.0099.")


def test_equality_within_a_margin_is_said_where_it_was_asked() -> None:
    """Beside the verdict, in the words of the test."""
    equal = text.compare_table(compare(one_test(equivalence=Equivalence(1.0, 0.03, 0.02))), 0.05)
    plain = text.compare_table(compare(), 0.05)
    (line,) = set(equal.split("\n")) - set(plain.split("\n"))
    assert "0.030" in line


def test_p_as_printed_elsewhere_is_without_a_verdict() -> None:
    """The methods say by which rule, and no level of significance."""
    assert "The significance level was 0.05." in methods(one_test(), 0.05)
    printed = methods(one_test(estimator="paper"), 0.05)
    assert "Without a verdict, because p follows a rule as printed elsewhere: p is c / R, which can be 0." in printed
    assert "significance level" not in printed
