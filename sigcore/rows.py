"""Results as rows for tables, CSV and data frames: raw numbers, one dict per row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sigcore.formatting import NO_VERDICT, SYMBOLS, verdict_word

if TYPE_CHECKING:
    from sigcore.results import CompareResult, GainResult, MatrixResult, TestResult

Row = dict[str, Any]


def matrix_rows(result: MatrixResult, alpha: float, ordered: bool | None = None) -> list[Row]:
    """One row per pair, the systems sorted from best to worst score.

    A two-sided result lists each pair once, the higher-scoring system first; a one-sided result lists both orders,
    because they are two tests. `ordered` overrides this. The design effect is a column if a unit other than the segment
    was resampled.
    """
    both = result.setup.side != "two-sided" if ordered is None else ordered
    levels = result.levels(alpha)
    order, no_verdict = result.order, result.setup.no_verdict(alpha)
    rows: list[Row] = []
    for rank, i in enumerate(order):
        for j in order if both else order[rank + 1 :]:
            if i != j:
                word = verdict_word(int(levels[i, j]), float(result.adjusted[i, j]), no_verdict)
                rows.append(_pair(result, i, j, word))
    return rows


def _cell_of(grid: Any, i: int, j: int) -> float:
    """A cell of a grid that a result may not have; nan without it."""
    return math.nan if grid is None else float(grid[i, j])


def _pair(result: MatrixResult, i: int, j: int, word: str) -> Row:
    between = result.gain_intervals
    low, high = (math.nan, math.nan) if between is None else (float(end) for end in between[i, j])
    row = {
        "system": result.systems[i],
        "baseline": result.systems[j],
        "score": float(result.scores[i]),
        "baseline_score": float(result.scores[j]),
        "gain": float(result.gains[i, j]),
        "gain_low": low,
        "gain_high": high,
        "p_value": float(result.p_values[i, j]),
        "p_low": float(result.p_low[i, j]),
        "p_high": float(result.p_high[i, j]),
        "adjusted": float(result.adjusted[i, j]),
        "adjusted_low": _cell_of(result.adjusted_low, i, j),
        "adjusted_high": _cell_of(result.adjusted_high, i, j),
        "verdict": word,
    }
    if result.design_effect is not None:
        row["design_effect"] = float(result.design_effect[i, j])
    return row


def grid_rows(result: MatrixResult, alpha: float) -> list[Row]:
    """The grid as a table: one row per system, a column "vs NAME" per system with its adjusted p and symbol."""
    levels, order = result.levels(alpha), result.order
    symbols = {} if result.setup.no_verdict(alpha) else SYMBOLS
    rows: list[Row] = []
    for i in order:
        row: Row = {"system": result.systems[i], "score": float(result.scores[i])}
        row |= {f"vs {result.systems[j]}": _cell(result, i, j, symbols.get(int(levels[i, j]), "")) for j in order}
        rows.append(row)
    return rows


def _cell(result: MatrixResult, i: int, j: int, symbol: str) -> str:
    if i == j:
        return ""
    p = result.written_p(i, j)
    return p if math.isnan(result.adjusted[i, j]) else f"{p} {symbol}".rstrip()


def compare_rows(result: CompareResult, alpha: float = 0.05) -> list[Row]:
    """One row per test and side: p, its Monte Carlo interval, the cut-offs, the resamples that count (None where p is
    undefined), the verdict."""
    return [_test(item, alpha) for item in result.results]


def _test(item: TestResult, alpha: float) -> Row:
    undefined = math.isnan(item.p_value)
    return {
        "test": item.setup.test_title,
        "alternative": item.setup.side,
        "system": item.system,
        "baseline": item.baseline,
        "gain": item.gain,
        "interval_low": item.interval[0],
        "interval_high": item.interval[1],
        "p_value": item.p_value,
        "p_low": item.p_interval[0],
        "p_high": item.p_interval[1],
        "cutoff_low": item.cutoffs[0],
        "cutoff_high": item.cutoffs[1],
        "tail": None if undefined else item.tail,
        "ties": None if undefined else item.ties,
        "doubled": item.doubled,
        "resamples": item.setup.resamples,
        "verdict": decision(item, alpha),
    }


def decision(item: TestResult, alpha: float) -> str:
    """The decision of one test at alpha: significant, not significant, undecided or undefined; or no verdict."""
    if math.isnan(item.p_value):
        return "undefined"
    if item.setup.no_verdict(alpha):
        return NO_VERDICT
    word = "significant" if item.significant(alpha) else "not significant"
    return f"{word} (undecided)" if item.undecided(alpha) else word


def gain_rows(result: GainResult) -> list[Row]:
    """One row per pair of the gain scatter."""
    effects = result.pair_design_effect
    return [
        {
            "system": result.systems[k],
            "baseline": result.baselines[k],
            "pair_class": result.pair_class[k],
            "gain": float(result.gains[k]),
            "p_value": float(result.p_values[k]),
            "p_low": math.nan if result.p_low is None else float(result.p_low[k]),
            "p_high": math.nan if result.p_high is None else float(result.p_high[k]),
            "confidence": float(result.confidence[k]),
            **({} if effects is None else {"design_effect": float(effects[k])}),
        }
        for k in range(len(result.systems))
    ]


def scores_rows(result: MatrixResult) -> list[Row]:
    """One row per system, best first: its score, the interval of that score, and its design effect."""
    effects = result.score_design_effect
    return [
        {
            "rank": rank,
            "system": result.systems[i],
            "group": result.groups[i],
            "score": float(result.scores[i]),
            "interval_low": float(result.score_intervals[i, 0]),
            "interval_high": float(result.score_intervals[i, 1]),
            **({} if effects is None else {"design_effect": float(effects[i])}),
        }
        for rank, i in enumerate(result.order, start=1)
    ]
