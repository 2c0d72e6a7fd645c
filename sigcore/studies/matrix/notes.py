"""Notes on the units that are drawn, and on systems that cannot differ: the same for every test and correction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sigcore import formatting
from sigcore.formatting import listed
from sigcore.significance import FEW_UNITS, LEAST_UNITS, Test, coverage, measured_units, rejection_rate
from sigcore.studies.intervals import LEVEL
from sigcore.studies.statistics import Measured, too_few
from sigcore.types import SEGMENT, Ints, Unit

RANDOMIZATION = (
    "Approximate randomization keeps its false-alarm rate at any size if the two outputs of a unit could change places under the "
    "null, independently of other units"
)


INSTEAD = " Use documents as the unit of resampling."


def of_rows(measured: Sequence[Measured], differing: Sequence[Ints], unit: Unit) -> tuple[str, ...]:
    """Notes on systems that cannot differ, and the remarks of the metrics on their rows."""
    notes = []
    for item, counts in zip(measured, differing, strict=True):
        for a, b in zip(*np.nonzero(np.triu(counts == 0, k=1)), strict=True):
            names = f"{item.systems[a].system} and {item.systems[b].system}"
            notes.append(
                f"{names} have the same {item.title} statistics on every {unit.noun(1)}: p = 1 under every test."
            )
        notes += item.remarks()
    return tuple(notes)


def of_few_units(unit: Unit, n: int, tests: Sequence[Test], differing: Sequence[Ints] = ()) -> tuple[str, ...]:
    """Notes on tests that find differences too easily, or never, if there are few units to draw from; `differing` has
    the number of units on which each pair of systems differs, one array (S, S) for each metric."""
    noun, out = unit.noun(n), []
    bootstrap = [test for test in tests if test.draws == "bootstrap"]
    if n < LEAST_UNITS:
        out.append(_too_few(f"With {n} {noun}", bootstrap))
    else:
        out += of_bootstrap(unit, n, bootstrap, differing)
    if bootstrap and LEAST_UNITS <= n < FEW_UNITS:
        out.append(_narrow(unit, n))
    least = min(1.0, 2.0 ** (1 - n))
    if unit != SEGMENT and least > formatting.SMALLEST and any(test.draws == "swap" for test in tests):
        out.append(
            f"{n} {noun} can be swapped in only {2**n:,} ways: a two-sided p of a randomization test hardly falls below "
            f"{formatting.format_p(least, 0)}."
        )
    return tuple(out)


def of_bootstrap(unit: Unit, n: int, bootstrap: Sequence[Test], differing: Sequence[Ints]) -> list[str]:
    """Notes on bootstrap tests where n units, or those on which pairs differ, are few: the others add nothing."""
    if n < FEW_UNITS:
        return [_measured_rates(n, f"With {n} {unit.noun(n)}", bootstrap)] if bootstrap else []
    counts = np.concatenate(
        [grid[np.triu_indices(len(grid), k=1)] for grid in differing] or [np.zeros(0, dtype=np.int64)]
    )
    none = counts[too_few(counts)]
    few = counts[(counts >= LEAST_UNITS) & (counts < FEW_UNITS)]
    of_all = f"of {n:,} {unit.noun(n)}"
    out = []
    if len(none):
        out.append(_too_few(f"For two systems that differ on only {_range(none)} {of_all}", bootstrap))
    if len(few) and bootstrap:
        where = f"Where two systems differ on only {_range(few)} {of_all}"
        out.append(_measured_rates(int(few.min()), where, bootstrap))
    return out


def _range(counts: Ints) -> str:
    low, high = int(counts.min()), int(counts.max())
    return str(low) if low == high else f"{low} to {high}"


def _too_few(where: str, bootstrap: Sequence[Test]) -> str:
    p = f", and no p-value of {listed(test.title for test in bootstrap)}" if bootstrap else ""
    return (
        f"{where} no interval is given{p}: so few of them resampled cannot show how much the scores vary. "
        f"At least {LEAST_UNITS} are needed. {RANDOMIZATION}."
    )


def _measured_rates(n: int, where: str, bootstrap: Sequence[Test]) -> str:
    """What was measured of these tests on true nulls of n units, or of the next smaller number that was measured."""
    one = len(bootstrap) == 1
    words = []
    for alpha in (0.1, 0.05, 0.01):
        rates = [rate for test in bootstrap if (rate := rejection_rate(test.name, n, alpha)) is not None]
        ends = [f"{100 * rate:.2g}" for rate in sorted({min(rates), max(rates)})] if rates else []
        words += [f"{' to '.join(dict.fromkeys(ends))}% at alpha {alpha:g}"] if ends else []
    what = f"p of {bootstrap[0].title} tends" if one else "bootstrap p-values tend"
    who, rejected = "it" if one else "they", f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
    measured = (
        f": of true nulls of {measured_units(n)} units {who} rejected {rejected} (smaller levels were not measured), at "
        "worst of four kinds of scores, one-sided or two-sided"
    )
    return f"{where} {what} to be too small{measured if words else ''}. {RANDOMIZATION}; prefer it here."


def _narrow(unit: Unit, n: int) -> str:
    """That bootstrap intervals of few units are too narrow, and by how much."""
    held = f"{100 * coverage(n, LEVEL):.0f}%"
    return (
        f"With {n} {unit.noun(n)} the {formatting.format_level(LEVEL)} intervals of bootstrap tests are too narrow. For means of "
        f"normal gains they contain the true gain in {held} of test sets."
    )
