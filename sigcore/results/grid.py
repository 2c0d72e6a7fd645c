"""All pairs of a grid: the result, its family, its sentence, its rows, and the coloured table of a notebook."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from sigcore.formatting import (
    NO_VERDICT,
    SYMBOLS,
    count,
    format_gain,
    format_p,
    format_score,
    verdict_word,
)
from sigcore.results.pair import ALPHA, Family, Row, corrected, frame, freeze, too_few
from sigcore.types import Bools, Floats, Ints, Setup


def of_matrix(result: MatrixResult) -> Family:
    """All tests of a grid that have a p-value: what its correction was applied to."""
    each = 2 if result.setup.side == "two-sided" else 1  # cells of the grid per test
    defined = ~np.isnan(result.p_values) & ~np.eye(len(result.systems), dtype=bool)
    pairs = int(np.triu(defined | defined.T, k=1).sum())
    return Family(int(defined.sum()) // each, pairs, result.setup.correction, result.setup.correction_title)


def of_cell(result: MatrixResult, system: str, baseline: str) -> Family:
    """The family of one cell of a grid: `of_matrix`, and the adjusted p of that cell."""
    whole, i, j = of_matrix(result), result.systems.index(system), result.systems.index(baseline)
    if result.setup.correction == "none":
        return whole
    low = result.p_low if result.adjusted_low is None else result.adjusted_low
    high = result.p_high if result.adjusted_high is None else result.adjusted_high
    interval = float(low[i, j]), float(high[i, j])
    return replace(
        whole,
        adjusted=float(result.adjusted[i, j]),
        adjusted_interval=interval,
        least_p=result.setup.least_p,
        least_by_units=result.setup.least_by_units,
    )


LISTED = 3  # names that a sentence lists; more are counted


def matrix_summary(result: MatrixResult, alpha: float = ALPHA) -> str:
    """One sentence on a grid: how many pairs differ, and whether one system is better than all others."""
    systems = len(result.systems)
    if systems < 2:
        number = "There is one system" if systems else "There are no systems"
        return f"{number}: no pair to compare."
    if result.setup.as_printed:
        return f"No verdict on any pair: {why_no_verdict(result.setup)}."
    few = too_few(result.setup, alpha)
    if few:
        return as_sentence(few)
    differing = int((result.levels(alpha) > 0).sum())
    pairs = systems * (systems - 1) // 2
    verb = "pair differs" if pairs == 1 else "pairs differ"
    head = f"{differing} of {pairs} {verb} at alpha {alpha:g} ({corrected(result.setup)})"
    each = 2 if result.setup.side == "two-sided" else 1  # cells of the grid per test
    tail = undefined_words(int(np.isnan(result.adjusted).sum()) // each)
    unsure = int(result.undecided(alpha).sum()) // each
    if unsure:
        tail += f"; {count(unsure, 'verdict')} could change with more resamples"
    return f"{head}; {_leader(result, alpha)}{tail}."


def as_sentence(words: str) -> str:
    """The words as a whole sentence."""
    return f"{words[0].upper()}{words[1:]}."


def undefined_words(number: int) -> str:
    """How many p-values are undefined, as the end of a sentence."""
    return f"; {number} {'p-value is' if number == 1 else 'p-values are'} undefined" if number else ""


def why_no_verdict(setup: Setup) -> str:
    return f"the p-values are as some papers and tools print them: {setup.as_printed}"


def _leader(result: MatrixResult, alpha: float) -> str:
    order, levels = result.order, result.levels(alpha)
    best = order[0]
    rivals = [result.systems[j] for j in order[1:] if levels[best, j] <= 0]
    name = result.systems[best]
    if not rivals:
        others = "the other system" if len(order) == 2 else "every other system"
        return f"{name} is better than {others}"
    others = ", ".join(rivals) if len(rivals) <= LISTED else f"{len(rivals)} others"
    return f"{name} has the best score but is not shown to be better than {others}"


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


# A grid of all pairs as an HTML table, for notebooks: the colours and symbols of the figure, no script, no style
# sheet.

# Background and text colour, from the weakest to the strongest verdict (.05, .01, .001).
BETTER = (("#BBDCEF", "#262523"), ("#5DA9D6", "#262523"), ("#0072B2", "#FFFFFF"))
WORSE = (("#F8D6BE", "#262523"), ("#EA9A62", "#262523"), ("#D55E00", "#FFFFFF"))
NEUTRAL = ("#ECEAE6", "#262523")
CELL = "padding:4px 8px;text-align:center"


def grid(result: MatrixResult, alpha: float = ALPHA) -> str:
    """The grid, systems from best to worst: blue = the row is significantly better than the column, orange = worse."""
    levels, order, no_verdict = result.levels(alpha), result.order, result.setup.no_verdict(alpha)
    symbols = {} if no_verdict else SYMBOLS
    ranks = "".join(f'<th style="{CELL}">{rank}</th>' for rank in range(1, len(order) + 1))
    rows = [f"<tr><th></th><th>{html.escape(result.setup.metric_title)}</th>{ranks}</tr>"]
    for rank, i in enumerate(order, start=1):
        name = f'<th style="text-align:left">{rank} {html.escape(result.systems[i])}</th>'
        score = f'<td style="{CELL}">{format_score(float(result.scores[i]), result.setup.decimals)}</td>'
        rows.append(
            f"<tr>{name}{score}{''.join(_notebook_cell(result, i, j, int(levels[i, j]), symbols) for j in order)}</tr>"
        )
    key = (
        f"Row against column, adjusted p ({corrected(result.setup)}), {result.setup.test_title}, {result.setup.side}. "
        f"Blue: the row is significantly better; orange: worse; grey: {NO_VERDICT if no_verdict else 'no significant difference'}."
    )
    summary = html.escape(matrix_summary(result, alpha))
    return f"<p>{summary}</p><table>{''.join(rows)}</table><p><small>{html.escape(key)}</small></p>"


def _notebook_cell(result: MatrixResult, i: int, j: int, level: int, symbols: Mapping[int, str]) -> str:
    if i == j:
        return "<td></td>"
    back, ink = NEUTRAL if level == 0 else (BETTER if level > 0 else WORSE)[abs(level) - 1]
    gain = format_gain(float(result.gains[i, j]), result.setup.decimals)
    text = "?" if math.isnan(result.adjusted[i, j]) else f"{result.written_p(i, j)} {symbols.get(level, '')}".strip()
    return f'<td style="{CELL};background:{back};color:{ink}" title="gain {gain}">{html.escape(text)}</td>'


@dataclass(frozen=True, eq=False)
class MatrixResult:
    """All pairs of S systems under one metric, test and side; row minus column throughout.

    `gains`, `p_values`, `p_low`, `p_high`, `adjusted` are (S, S); the diagonal is 0 for gains and 1 for p.
    `score_intervals` (S, 2) and `gain_intervals` (S, S, 2; None if the run has none) are percentile intervals. `doubled`
    means that p is twice the smaller of two one-sided p. `adjusted_low`, `adjusted_high` (S, S) are `p_low`
    and `p_high` after the correction (None for a result built without them). `design_effect` (S, S; nan on the diagonal)
    and `score_design_effect` (S,) are ratios of variances, over units to over segments, of gains and of scores (None if
    the unit is the segment).
    """

    setup: Setup
    systems: tuple[str, ...]
    groups: tuple[str, ...]
    scores: Floats = field(repr=False)
    score_intervals: Floats = field(repr=False)
    gains: Floats = field(repr=False)
    p_values: Floats = field(repr=False)
    p_low: Floats = field(repr=False)
    p_high: Floats = field(repr=False)
    adjusted: Floats = field(repr=False)
    notes: tuple[str, ...] = ()
    adjusted_low: Floats | None = field(default=None, repr=False)
    adjusted_high: Floats | None = field(default=None, repr=False)
    design_effect: Floats | None = field(default=None, repr=False)
    score_design_effect: Floats | None = field(default=None, repr=False)
    gain_intervals: Floats | None = field(default=None, repr=False)
    doubled: bool = False

    def __post_init__(self) -> None:
        freeze(self)

    def __str__(self) -> str:
        return matrix_summary(self)

    def _repr_html_(self) -> str:
        return grid(self)

    def to_frame(self, alpha: float = ALPHA) -> Any:
        """A pandas DataFrame with a row per pair, from best to worst system; one-sided, a row per direction."""
        return frame(matrix_rows(self, alpha))

    @property
    def design_effects(self) -> tuple[float, ...]:
        """The design effect of each pair once, where it is defined; () if the unit is the segment."""
        if self.design_effect is None:
            return ()
        of_pairs = self.design_effect[np.triu_indices(len(self.systems), k=1)]
        return tuple(float(x) for x in of_pairs[np.isfinite(of_pairs)])

    @property
    def order(self) -> list[int]:
        """System positions from best to worst score; equal scores keep their order."""
        best_first = self.scores if self.setup.better == "lower" else -self.scores
        return [int(i) for i in np.argsort(best_first, kind="stable")]

    def written_p(self, row: int, column: int, adjusted: bool = True) -> str:
        """The p of row against column, after the correction or before it, as it is written everywhere."""
        p, high = (self.adjusted, self.adjusted_high) if adjusted else (self.p_values, self.p_high)
        upper = np.nan if high is None else float(high[row, column])
        return format_p(float(p[row, column]), self.setup.resamples, upper)

    def levels(self, alpha: float = 0.05) -> Ints:
        """(S, S) verdicts: positive where the row is significantly better at alpha, negative where it is worse, 0
        where neither. The size is 1, and one more at p <= .01, and again at p <= .001; undefined p gives 0. A p as it is
        printed elsewhere gives no verdicts, only zeros."""
        return np.zeros_like(self.gains, dtype=np.int64) if self.setup.as_printed else self.levels_of_p(alpha)

    def levels_of_p(self, alpha: float) -> Ints:
        """`levels` of p under any rule: for conclusions that a paper drew from such a p."""
        reached = np.where(self.adjusted <= alpha, 1 + (self.adjusted <= 0.01) + (self.adjusted <= 0.001), 0)
        np.fill_diagonal(reached, 0)
        if self.setup.side == "two-sided":
            return np.asarray(np.sign(self.gains).astype(np.int64) * reached)
        row_better = reached if self.setup.side == "greater" else reached.T
        return np.asarray(row_better - row_better.T, dtype=np.int64)

    def undecided(self, alpha: float) -> Bools:
        """(S, S): pairs whose verdict more resamples could change: the Monte Carlo interval of p, corrected as p is,
        includes alpha."""
        low = self.p_low if self.adjusted_low is None else self.adjusted_low
        high = self.p_high if self.adjusted_high is None else self.adjusted_high
        within = (low <= alpha) & (alpha < high) & ~np.eye(len(self.systems), dtype=bool)
        return np.asarray(within & (not self.setup.as_printed))
