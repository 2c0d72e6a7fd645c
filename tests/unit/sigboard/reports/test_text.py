"""Tables for a terminal."""

from __future__ import annotations

from collections import Counter

import numpy as np

from sigboard.render.text import compare_table, matrix_table, printable
from sigcore import results
from sigcore.results import decision, grid_rows, matrix_rows
from tests.unit.factories import compare, matrix, one_test


def test_matrix_table_is_aligned() -> None:
    """Rows are sorted best first, and the symbols are under the numbers of their columns."""
    p = np.array([[1, 0.0005, 0.03], [0.0005, 1, 0.2], [0.03, 0.2, 1]])
    lines = matrix_table(matrix([40.0, 42.0, 41.5], p=p), 0.05).splitlines()
    assert lines[2] == "   system   BLEU    95% interval   ranks  to next      p    1  2    3"
    assert lines[3] == "1  sys1    42.00  [41.00, 43.00]  1 to 2    +0.50   0.20       .  +++"
    assert lines[5] == "3  sys0    40.00  [39.00, 41.00]       3      n/a    n/a  ---  -"
    assert "+++ p <= 0.001, ++ p <= 0.01, + p <= 0.05" in lines[7]
    assert "2 of 3 pairs differ" in lines[8]


def test_exact_test_names_no_draws() -> None:
    """Above the table of an exact test there is neither R nor a seed."""
    assert matrix_table(matrix(), 0.05).startswith(
        "Approximate randomization, two-sided, n = 1,448 segments, R = 10,000, seed 12345"
    )
    exact = matrix_table(matrix(test_title="McNemar", resamples=0), 0.05)
    assert exact.splitlines()[0] == "McNemar, two-sided, n = 1,448 segments, exact"


def test_wide_letters_keep_the_columns() -> None:
    """East Asian names take two columns a letter, and the scores still end in one column."""
    lines = matrix_table(matrix([2.0, 1.0], systems=("翻訳", "abcd")), 0.05).splitlines()
    assert lines[3].startswith("1  翻訳    2.00")
    assert lines[4].startswith("2  abcd    1.00")


def test_names_cannot_drive_the_terminal() -> None:
    """Escape sequences and line breaks in a name are replaced everywhere."""
    result = matrix([2.0, 1.0], systems=("x\x1b[31m", "a\nb"), notes=("note\x07",))
    assert "\x1b" not in matrix_table(result, 0.05)
    assert "\x07" not in matrix_table(result, 0.05)
    assert printable("a\nb") == "a\ufffdb"


def test_undefined_p_is_marked_and_explained() -> None:
    """A pair without p shows a question mark and the key says what it means."""
    table = matrix_table(matrix([2.0, 1.0], p=np.array([[1, np.nan], [np.nan, 1]])), 0.05)
    assert "?" in table.splitlines()[3]
    assert "? no p-value" in table


def test_one_system() -> None:
    """One system has its score and a sentence that there are no pairs."""
    assert "There is one system: no pair to compare." in matrix_table(matrix([1.0]), 0.05)


def test_compare_table() -> None:
    """Each test has a row with p and its verdict, the gain its sign; then verdicts, notes and the methods."""
    table = compare_table(compare(one_test(), one_test("paired_bootstrap", p_value=0.2), notes=("a note",)), 0.05)
    assert "gain      +0.62" in table
    lines = {line.split("  ")[0]: line for line in table.splitlines()}
    assert lines["Approximate randomization"].endswith("significant")
    assert lines["Paired bootstrap"].endswith("not significant")
    assert " 2 x tail " in lines["Paired bootstrap"] + " " or "2 x tail" in table
    rest = table.partition("lower is better" if "lower is better" in table else "higher is better")[2].splitlines()
    assert [line[:21] for line in rest if line] == [
        "Approximate randomiza",
        "Paired bootstrap: Onl",
        "note: a note",
    ] + ["Online-B was compared"] * 2


def test_without_enough_resamples_no_row_and_no_cell_has_a_verdict() -> None:
    """Where R cannot show a difference, rows say "no verdict", and cells have p instead of a symbol."""
    few = {"resamples": 100, "least_p": 2 / 101}
    pair = compare(one_test(**few), one_test("paired_bootstrap", p_value=np.nan, **few))
    assert [decision(item, 0.01) for item in pair.results] == ["no verdict", "undefined"]
    table = compare_table(pair, 0.01)
    assert "no verdict" in table
    assert "not significant" not in table
    grid = matrix(**few)
    table = matrix_table(grid, 0.01)
    assert "adjusted p of row against column (Holm): no verdict\n" in table
    assert "not significant" not in table
    assert grid.written_p(0, 1) in table
    assert {row["verdict"] for row in matrix_rows(grid, 0.01)} == {"no verdict"}
    assert grid_rows(grid, 0.01)[0]["vs sys0"] == grid.written_p(1, 0)
    assert "grey: no verdict." in results.grid_html(results.Grid.of(grid, 0.01))
    assert grid_rows(grid, 0.05)[0]["vs sys0"].endswith(" ++")


def test_a_grid_fits_the_columns() -> None:
    """Where the table is too wide, its symbols stand below the scores, in parts; nothing is lost and no line is wider."""
    result = matrix([40.0, 42.0, 41.5])
    narrow, whole = matrix_table(result, 0.05, said=False, columns=66), matrix_table(result, 0.05, said=False)
    assert max(map(len, whole.split("\n"))) > 66 >= max(map(len, narrow.split("\n")))
    assert Counter(whole.split()) <= Counter(narrow.split())
    several = matrix([40.0 + k for k in range(12)])
    for columns in range(60, 90):
        shown = matrix_table(several, 0.05, said=False, columns=columns).split("\n")
        assert max(map(len, shown)) <= columns
    assert "Signature: " not in whole
    assert "Signature: " in matrix_table(result, 0.05)


def test_very_many_symbols_are_left_out() -> None:
    """The ranking stays as it is, with the clusters and how to get the pairs; symbols are all there or none."""
    p = np.array([[1, 0.2, 1e-4], [0.2, 1, 1e-4], [1e-4, 1e-4, 1]])
    result = matrix([42.0, 41.5, 40.0], p=p)
    whole, ranking = (matrix_table(result, 0.05, most=most).split("\n") for most in (45, 44))
    assert whole == matrix_table(result, 0.05).split("\n")
    assert whole[2].split() == [*ranking[2].split(), "1", "2", "3"]
    for k in (3, 4, 5):
        assert whole[k].startswith(ranking[k])
    said = " ".join(ranking[6:])
    assert "2 clusters, separated after rank 2: all systems of one beat all of the next." in said
    assert "The 3 pairs are not printed, because their symbols take more than 44 bytes" in said
    assert "--npz FILE or --parquet FILE" in said
    assert "+++" not in said
    assert "2 of 3 pairs differ significantly" in said
    assert "1 cluster." in matrix_table(matrix([42.0, 41.9]), 0.05, most=1)
