"""Rows and CSV."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from sigboard.render.tables import latex_table, spanning, to_csv
from sigcore.results import PAIRS, compare_rows, gain_rows, grid_rows, in_order, matrix_rows, rows, scores_rows
from sigcore.types import Side
from tests.unit.factories import HOSTILE, compare, gain, matrix, one_test

P = np.array([[1, 0.0005, 0.03], [0.0005, 1, 0.2], [0.03, 0.2, 1]])


def test_two_sided_pairs_come_once_better_first() -> None:
    """A two-sided result has one row per pair, the better score first, so that no gain is negative."""
    rows = matrix_rows(matrix([40.0, 42.0, 41.5], p=P), 0.05)
    assert [(row["system"], row["baseline"]) for row in rows] == [("sys1", "sys2"), ("sys1", "sys0"), ("sys2", "sys0")]
    assert [row["verdict"] for row in rows] == ["no significant difference", "better", "better"]
    assert all(row["gain"] >= 0 for row in rows)


def test_one_sided_pairs_come_in_both_orders() -> None:
    """A one-sided result has a row for each direction."""
    p = np.array([[1, 0.98], [0.02, 1]])
    rows = matrix_rows(matrix([40.0, 42.0], p=p, side="greater"), 0.05)
    assert [(row["system"], row["p_value"], row["verdict"]) for row in rows] == [
        ("sys1", 0.02, "better"),
        ("sys0", 0.98, "worse"),
    ]


def test_lower_is_better_keeps_the_gain_positive() -> None:
    """Under TER the first system of a row is the one with the lower score, and its gain is positive."""
    row = matrix_rows(matrix([50.0, 40.0], better="lower"), 0.05)[0]
    assert (row["system"], row["score"], row["gain"]) == ("sys1", 40.0, 10.0)


def test_grid_rows_are_the_twin_of_the_grid() -> None:
    """Each cell holds the adjusted p and the symbol; the diagonal is empty, a missing p is n/a."""
    p = P.copy()
    p[1, 2] = p[2, 1] = np.nan
    rows = grid_rows(matrix([40.0, 42.0, 41.5], p=p), 0.05)
    assert rows[0] == {"system": "sys1", "score": 42.0, "vs sys1": "", "vs sys2": "n/a", "vs sys0": "0.00050 +++"}
    assert rows[2]["vs sys2"] == "0.030 -"


def test_a_system_named_like_a_column_loses_nothing() -> None:
    """Systems called "system" and "score" keep their own columns in the grid."""
    rows = grid_rows(matrix([2.0, 1.0], systems=("system", "score")), 0.05)
    assert list(rows[0]) == ["system", "score", "vs system", "vs score"]
    assert rows[0]["score"] == 2.0


def test_compare_rows_hold_every_test_and_side() -> None:
    """One row per test and side with the counts behind its p."""
    rows = compare_rows(compare(one_test(ties=3), one_test(side="greater", p_interval=(0.04, 0.06))), 0.05)
    assert [(row["alternative"], row["tail"], row["ties"]) for row in rows] == [
        ("two-sided", 38, 3),
        ("greater", 38, 0),
    ]
    assert [row["verdict"] for row in rows] == ["significant", "significant (undecided)"]
    assert (rows[0]["cutoff_low"], rows[0]["cutoff_high"]) == (-0.62, 0.62)


def test_gain_rows_and_scores_rows() -> None:
    """The scatter has one row per pair, the scores one per system, best first."""
    assert len(gain_rows(gain(5))) == 5
    assert [(row["rank"], row["system"], row["interval_low"]) for row in scores_rows(matrix([1.0, 2.0]))] == [
        (1, "sys1", 1.0),
        (2, "sys0", 0.0),
    ]


def test_csv_can_be_read_back() -> None:
    """Hostile names survive CSV, lines end in CRLF, and no cell starts a formula."""
    result = matrix([5, 4, 3, 2, 1], systems=(*HOSTILE[:4], 'say "a,b"\nc'), groups=("",) * 5)
    text = to_csv(scores_rows(result))
    assert text.startswith("rank,system,group,score,interval_low,interval_high\r\n")
    names = [row["system"] for row in csv.DictReader(io.StringIO(text, newline=""))]
    assert names == [*HOSTILE[:3], "'=1+1", 'say "a,b"\nc']


def test_csv_leaves_numbers_alone() -> None:
    """A negative number is not a formula; an undefined or infinite one is empty."""
    rows = [{"system": "-x", "gain": -0.5, "p_value": float("nan"), "cutoff_low": -np.inf}]
    assert to_csv(rows) == "system,gain,p_value,cutoff_low\r\n'-x,-0.5,,\r\n"


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-1+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "-x"])
def test_text_of_any_column_is_no_formula(text: str) -> None:
    """Names of metrics, measures and test sets come from files, too; numbers and signs stay as they are."""
    assert to_csv([{"measure": text, "p": "-1.5e-3", "sign": "+++", "minus": "-", "share": "-3%"}]).split("\r\n")[
        1
    ] == (f"'{text},-1.5e-3,+++,-,-3%")


def test_a_carriage_return_begins_no_formula() -> None:
    """A spreadsheet may drop it and run the rest; the cell is in quotes, as it holds a line end."""
    assert to_csv([{"measure": "\r=1+1"}]) == 'measure\r\n"\'\r=1+1"\r\n'


def test_csv_of_nothing_is_empty() -> None:
    """No rows, no text."""
    assert to_csv([]) == ""
    assert to_csv(matrix_rows(matrix([1.0]), 0.05)) == ""


def test_grid_csv_cells_are_no_formulas() -> None:
    """Neither a symbol nor a header of the grid starts a formula."""
    text = to_csv(grid_rows(matrix([2.0, 1.0], systems=("=cmd", "@x")), 0.05))
    for row in csv.reader(io.StringIO(text, newline="")):
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)


def test_rows_without_a_p_have_no_count() -> None:
    """A reader must not compute the p that was refused: no counted resamples, no ties."""
    row = compare_rows(compare(one_test(p_value=np.nan)), 0.05)[0]
    assert (row["tail"], row["ties"], row["verdict"]) == (None, None, "undefined")


def test_a_rule_follows_the_row_that_is_named() -> None:
    """Rows count from 0; booktabs' lines are above the header, below it, after the named rows, and at the end."""
    lines = latex_table(["system", "BLEU"], [["A", "1"], ["B", "2"], ["C", "3"]], "c", "l", rules=(1,)).split("\n")
    inside = lines[lines.index(r"\toprule") : lines.index(r"\bottomrule") + 1]
    rows = [rf"{name} & {score} \\" for name, score in ("A1", "B2", "C3")]
    assert inside == [r"\toprule", r"system & BLEU \\", r"\midrule", *rows[:2], r"\midrule", rows[2], r"\bottomrule"]


def test_a_thin_rule_is_as_wide_as_its_heading() -> None:
    """Columns count from 1, and both ends belong to the heading."""
    assert spanning([("", 1), ("MC", 2), ("HB", 3)]).split("\n") == [
        r" & \multicolumn{2}{c}{MC} & \multicolumn{3}{c}{HB} \\",
        r"\cmidrule(lr){2-3} \cmidrule(lr){4-6}",
    ]


@pytest.mark.parametrize("side", ["two-sided", "greater"])
def test_columns_of_pairs_equal_their_cells(side: Side) -> None:
    """Pairs read as columns have the values of the single cells."""
    ends = np.arange(18.0).reshape(3, 3, 2)
    result = replace(matrix([40.0, 42.0, 41.5], p=P, side=side), gain_intervals=ends)
    found = json.dumps(matrix_rows(result, 0.05), sort_keys=True)
    assert found == json.dumps(rows(PAIRS, in_order(result, 0.05)), sort_keys=True)
