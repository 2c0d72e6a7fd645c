"""Results as aligned tables for a terminal."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence

from sigboard.render.sentences import OTHER_TESTS, methods, verdict_lines
from sigboard.render.tables import decision
from sigcore import CompareResult, MatrixResult, TestResult
from sigcore.formatting import (
    NO_VERDICT,
    SYMBOLS,
    format_draws,
    format_gain,
    format_interval,
    format_level,
    format_p,
    format_p_interval,
    format_score,
    format_units,
    shorten,
    thresholds,
)
from sigcore.results import corrected, matrix_summary

NAME_LIMIT = 32


def matrix_table(result: MatrixResult, alpha: float) -> str:
    """The grid as text: one numbered row per system, best first, one symbol per column, and a key."""
    order, levels, no_verdict = result.order, result.levels(alpha), result.setup.no_verdict(alpha)
    header = ["", "system", result.setup.metric_title, f"{format_level(result.setup.level)} interval"]
    header += [str(k + 1) for k in range(len(order))]
    rows = []
    for rank, i in enumerate(order, start=1):
        low, high = (float(x) for x in result.score_intervals[i])
        row = [
            str(rank),
            printable(result.systems[i]),
            format_score(float(result.scores[i]), result.setup.decimals),
            format_interval((low, high), result.setup.decimals),
        ]
        rows.append(row + [_symbol(result, i, j, None if no_verdict else int(levels[i, j])) for j in order])
    table = align(header, rows, left=(1,))
    units = format_units(result.setup.n, result.setup.unit, result.setup.segments)
    drawn = format_draws(result.setup.resamples, result.setup.seed)
    design = f"{result.setup.test_title}, {result.setup.side}, n = {units}, {drawn}"
    lines = [design, "", table, "", _key(result, alpha), printable(matrix_summary(result, alpha), 0)]
    return "\n".join(
        lines + [f"note: {printable(note, 0)}" for note in result.notes] + ["", printable(methods(result, alpha), 0)]
    )


def compare_table(result: CompareResult, alpha: float, tests: int = 0) -> str:
    """The tests on one pair as text: p, its Monte Carlo interval, the resamples that count, the decision; the tests on
    the side of the result are marked, and their verdicts follow, each as one of this many `tests` (see `verdict_lines`)."""
    shown = result.setup.decimals
    head = align(
        ["", result.setup.metric_title, f"{format_level(result.setup.level)} interval"],
        [
            [
                printable(result.system),
                format_score(result.scores[0], shown),
                format_interval(result.score_intervals[0], shown),
            ],
            [
                printable(result.baseline),
                format_score(result.scores[1], shown),
                format_interval(result.score_intervals[1], shown),
            ],
            ["gain", format_gain(result.gain, shown), format_interval(result.interval, shown)],
        ],
        left=(0,),
    )
    header = ["test", "side", "", "p", "Monte Carlo", "tail", "ties", "p from", f"at alpha {alpha:g}"]
    rows = [
        [
            item.setup.test_title,
            item.setup.side,
            "*" if item.setup.side == result.setup.side else "",
            format_p(item.p_value, item.setup.resamples, item.p_interval[1]),
            format_p_interval(item.p_interval, item.setup.resamples),
            *_counted(item),
            decision(item, alpha),
        ]
        for item in result.results
    ]
    units = format_units(result.setup.n, result.setup.unit, result.setup.segments)
    drawn = format_draws(result.setup.resamples, result.setup.seed)
    design = f"n = {units}, {drawn}, {result.setup.better} is better"
    asked = [item for item in result.results if item.setup.side == result.setup.side]
    verdicts = [printable(line, 0) for line in verdict_lines(result, alpha, tests)]
    others = [f"* {OTHER_TESTS}"] if len(rows) > len(verdicts) else []
    lines = [head, "", align(header, rows, left=(0, 1, 2, 7, 8)), "", design, *others, *verdicts]
    lines += [f"note: {printable(note, 0)}" for note in result.notes]
    return "\n".join([*lines, "", *(printable(methods(item, alpha), 0) for item in asked)])


def _counted(item: TestResult) -> list[str]:
    """The counted resamples, the ties among them, and how p follows from them; "n/a" where there is no p."""
    if math.isnan(item.p_value):
        return [format_p(item.p_value, item.setup.resamples)] * 3
    return [f"{item.tail:,}", f"{item.ties:,}", "exact" if item.exact else "2 x tail" if item.doubled else "tail"]


def printable(name: str, limit: int = NAME_LIMIT) -> str:
    """The name without control characters, shortened to `limit` characters (0: not shortened)."""
    clean = "".join(c if c.isprintable() else "\ufffd" for c in name)
    return shorten(clean, limit) if limit else clean


def _symbol(result: MatrixResult, i: int, j: int, level: int | None) -> str:
    """The symbol of a verdict; p where there are none (None)."""
    if i == j:
        return ""
    if math.isnan(float(result.adjusted[i, j])):
        return "?"
    return result.written_p(i, j) if level is None else SYMBOLS[level]


def _key(result: MatrixResult, alpha: float) -> str:
    if result.setup.no_verdict(alpha):
        printed = ", as printed elsewhere" if result.setup.as_printed else ""
        return f"adjusted p of row against column ({corrected(result.setup)}){printed}: {NO_VERDICT}"
    steps = ", ".join(
        f"{SYMBOLS[size]} p <= {bound:g}" for size, bound in sorted(thresholds(alpha).items(), reverse=True)
    )
    words = f"row better than column: {steps}; - row worse; . not significant"
    unknown = "; ? no p-value" if any(math.isnan(p) for p in result.adjusted.ravel()) else ""
    return f"{words}{unknown} ({corrected(result.setup)})"


def align(header: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int]) -> str:
    """The cells in columns, aligned to the right, except the columns `left`."""
    lines = [header, *rows]
    widths = [max(_width(line[k]) for line in lines) for k in range(len(header))]
    return "\n".join(
        "  ".join(_pad(cell, widths[k], k in left) for k, cell in enumerate(line)).rstrip() for line in lines
    )


def _width(text: str) -> int:
    """The width of the text in a terminal: wide East Asian characters take two columns, combining marks none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, width: int, left: bool) -> str:
    space = " " * (width - _width(text))
    return text + space if left else space + text
