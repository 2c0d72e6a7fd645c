"""Results as aligned tables for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from sigboard.render.paper import BETTER, WORSE, scores
from sigboard.render.sentences import OTHER_TESTS, family_methods, methods, verdict_lines
from sigcore import CompareResult, MatrixResult
from sigcore.formatting import (
    NO_VERDICT,
    SYMBOLS,
    UNSEEN,
    count,
    draws_of,
    format_gain,
    format_interval,
    format_level,
    format_score,
    format_units,
    listed,
    shorten,
    shorten_all,
    thresholds,
    visible,
)
from sigcore.results import (
    AGREEMENTS,
    RANKS,
    TESTS,
    Cell,
    Families,
    Fields,
    Grid,
    Ranks,
    Several,
    alone,
    corrected,
    equal_enough,
    judged,
    matrix_summary,
    out_of_reach,
    printed,
)

NAME_LIMIT = 32


MOST = 10**6  # bytes of symbols that are printed; nobody reads more


def matrix_table(result: MatrixResult, alpha: float, said: bool = True, columns: int = 0, most: int = MOST) -> str:
    """The grid as text: one numbered row per system, best first, one symbol per column, and a key.

    `said`: the sentences for a Methods section follow. With so many `columns` (0: as wide as it is) no line is wider, if the
    names leave the room: the symbols stand below the scores, in parts. Symbols that take more than `most` bytes are left
    out: then it is the ranking, and a sentence says how to get the pairs.
    """
    ranks = Ranks(result, alpha)
    shown, size = ranks.grid, len(ranks.grid.order)
    whole = size * size * (2 + max(3, len(str(size)))) <= most
    header = ["", "system", result.setup.metric_title, f"{format_level(result.setup.level)} interval"]
    header += ["ranks", "to next", "p", *(str(k + 1) for k in range(size if whole else 0))]
    rows, beside = [], RANKS.only("range", "gain_to_next", "adjusted_to_next")
    for one, name, score in zip(ranks.systems, printable_all(shown.names), shown.scores, strict=True):
        row = [str(one.place + 1), name, score, format_interval(one.interval, result.setup.decimals)]
        cells = shown.cells[one.place] if whole else ()
        rows.append(
            [*row, *(field.cell(one) for field in beside), *(_symbol(cell, shown.no_verdict) for cell in cells)]
        )
    table = _in_parts(header, rows, columns)
    units = format_units(result.setup.n, result.setup.unit, result.setup.segments)
    drawn = draws_of(result.setup)
    design = f"{result.setup.test_title}, {result.setup.side}, n = {units}, {drawn}"
    design += f", {result.setup.direction}" if result.setup.why == "assumed" else ""
    words = [_key(shown) if whole else _left_out(shown, most), printable(matrix_summary(result, alpha), 0)]
    words += [f"note: {printable(note, 0)}" for note in result.notes]
    end = ["", *wrapped([printable(methods(result, alpha), 0)], columns)] if said else []
    return "\n".join([*wrapped([design], columns), "", table, "", *wrapped(words, columns), *end])


FIXED = 7  # columns of the grid before its symbols


def _left_out(shown: Grid, most: int) -> str:
    """What is said where the symbols are left out: the clusters, and how to get the pairs."""
    ends = [*shown.lines, len(shown.order)]
    found = f"The ranks are {count(len(ends), 'cluster')}"
    if len(ends) > 1:
        after = listed(map(str, shown.lines))
        found += (
            f", separated after {'ranks' if len(ends) > 2 else 'rank'} {after}: all systems of one beat all of the next"
        )
    pairs = len(shown.order) * (len(shown.order) - 1) // 2
    return (
        f"{found}. The {pairs:,} pairs are not printed, because their symbols take more than {most:,} bytes. "
        "Write them with --npz FILE or --parquet FILE."
    )


def _in_parts(header: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> str:
    """The table of the grid; where it is wider than the columns, its scores, and below them its symbols in parts."""
    whole = align(header, rows, left=(1,))
    if not columns or max(map(width, whole.split("\n"))) <= columns:
        return whole
    parts = [align(header[:FIXED], [row[:FIXED] for row in rows], left=(1,))]
    names = max(width(row[1]) for row in [header, *rows]) + len(str(len(rows))) + 2
    most = max(1, (columns - names) // (2 + max(3, len(str(len(rows))))))
    for start in range(FIXED, len(header), most):
        own = slice(start, start + most)
        parts.append(align([*header[:2], *header[own]], [[*row[:2], *row[own]] for row in rows], left=(1,)))
    return "\n\n".join(parts)


def wrapped(texts: Sequence[str], columns: int) -> list[str]:
    """The lines of these texts, none wider than the columns (0: as they are)."""
    return [line for text in texts for line in wrap(text, columns)] if columns else list(texts)


def several_tables(results: Sequence[MatrixResult], alpha: float, baseline: str = "") -> list[str]:
    """The systems by metrics and where metrics agree, as text; nothing for one metric."""
    several = Several.of(results, alpha, baseline)
    if several is None:
        return []
    table = scores(results, alpha, baseline)
    rows = [
        [name, *(f"{c.text}{c.mark}" for c in cells)]
        for name, cells in zip(printable_all(table.systems), table.cells, strict=True)
    ]
    parts = [align(["system", *table.metrics], rows, left=(0,))]
    if baseline:
        parts.append(f"{BETTER} significantly better than {printable(baseline)}, {WORSE} significantly worse")
    parts.append(as_text(AGREEMENTS, several.agreement))
    return ["\n\n".join([*parts, str(several)])]


def compare_table(result: CompareResult, alpha: float, tests: int = 0, in_family: Families | None = None) -> str:
    """The tests on one pair as text: p, its Monte Carlo interval, the resamples that count, the decision; the tests on
    the side of the result are marked, and their verdicts follow, each in its family, or as one of this many `tests` (see `verdict_lines`)."""
    shown = result.setup.decimals
    names = printable_all((result.system, result.baseline))
    scored = zip(names, result.scores, result.score_intervals, strict=True)
    rows = [[name, format_score(score, shown), format_interval(ends, shown)] for name, score, ends in scored]
    rows.append(["gain", format_gain(result.gain, shown), format_interval(result.interval, shown)])
    head = align(["", result.setup.metric_title, f"{format_level(result.setup.level)} interval"], rows, left=(0,))
    units = format_units(result.setup.n, result.setup.unit, result.setup.segments)
    drawn = draws_of(result.setup)
    design = f"n = {units}, {drawn}, {result.setup.direction}"
    asked = [item for item in result.results if item.setup.side == result.setup.side]
    verdicts = [printable(line, 0) for line in verdict_lines(result, alpha, tests, in_family)]
    others = [f"* {OTHER_TESTS}"] if len(result.results) > len(verdicts) else []
    table = as_text(TESTS, judged(result, alpha, in_family or alone), alpha=alpha)
    equal = [printable(line, 0) for item in asked if (line := equal_enough(item, alpha))]
    lines = [head, "", table, "", design, *others, *verdicts, *equal]
    lines += [f"note: {printable(note, 0)}" for note in result.notes]
    words = [methods(item, alpha, *([family_methods(in_family(item), item)] if in_family else [])) for item in asked]
    return "\n".join([*lines, "", *(printable(line, 0) for line in words)])


def printable(name: str, limit: int = NAME_LIMIT) -> str:
    """The name without control characters, shortened to `limit` characters (0: not shortened)."""
    clean = visible(name)
    return shorten(clean, limit) if limit else clean


def printable_all(names: Sequence[str], limit: int = NAME_LIMIT) -> list[str]:
    """The names as `printable` has them, told apart where they would be the same."""
    clean = list(map(visible, names))
    return shorten_all(clean, limit) if limit else clean


def _symbol(cell: Cell, no_verdict: bool) -> str:
    """The symbol of a verdict; p where there are none."""
    if cell.row == cell.column:
        return ""
    if cell.level is None:
        return "?" if cell.asked else ""
    return cell.adjusted if no_verdict else cell.symbol


def _key(shown: Grid) -> str:
    setup = shown.setup
    if shown.no_verdict:
        printed_elsewhere = ", as printed elsewhere" if setup.as_printed else ""
        return f"adjusted p of row against column ({corrected(setup)}){printed_elsewhere}: {NO_VERDICT}"
    bounds = sorted(thresholds(shown.alpha).items(), reverse=True)
    steps = ", ".join(f"{SYMBOLS[size]} p <= {bound:g}" for size, bound in bounds)
    words = f"row better than column: {steps}; - row worse; . not significant"
    words = f"{words}{'; ? no p-value' if shown.unknown else ''} ({corrected(setup)})"
    least = out_of_reach(shown.result)
    return f"{words}. {least}." if least else words


def as_text(fields: Fields, items: Sequence[Any], **words: Any) -> str:
    """The printed columns of these fields, texts to the left; `words` are those that headings hold."""
    table = printed(fields, items, **words)
    limits = [NAME_LIMIT if column.unit == "name" else 0 for column in table.columns]
    # a pair stands in two columns, and both are told apart
    names = list(dict.fromkeys(one for line in table.cells for one, most in zip(line, limits, strict=True) if most))
    short = dict(zip(names, printable_all(names), strict=True))
    cells = [
        [short[one] if most else printable(one, 0) for one, most in zip(line, limits, strict=True)]
        for line in table.cells
    ]
    return align(table.head, cells, [k for k, column in enumerate(table.columns) if column.type.startswith("text")])


def align(header: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int]) -> str:
    """The cells in columns, aligned to the right, except the columns `left`."""
    lines = [header, *rows]
    widths = [max(width(line[k]) for line in lines) for k in range(len(header))]
    return "\n".join(
        "  ".join(_pad(cell, widths[k], k in left) for k, cell in enumerate(line)).rstrip() for line in lines
    )


def width(text: str) -> int:
    """The width of the text in a terminal: wide East Asian characters take two columns, combining marks and joiners none."""
    seen = [c for c in text if not unicodedata.combining(c) and c not in UNSEEN]
    return len(seen) + sum(unicodedata.east_asian_width(c) in "WF" for c in seen)


def _pad(cell: str, columns: int, left: bool) -> str:
    space = " " * (columns - width(cell))
    return cell + space if left else space + cell
