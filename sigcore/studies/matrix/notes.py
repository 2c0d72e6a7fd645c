"""Notes for the reader of a grid: few units, ties, resolution, design effects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sigcore import corrections, formatting
from sigcore.formatting import listed
from sigcore.significance import FEW_UNITS, LEAST_UNITS, Tally, Test, coverage, measured_units, of_grids, rejection_rate
from sigcore.studies.matrix.joint import LEVEL
from sigcore.studies.statistics import Measured, too_few
from sigcore.types import SEGMENT, TIES_AS_PRINTED, Ints, TieRule, Unit

if TYPE_CHECKING:
    from sigcore.studies.matrix.compute import MatrixRun
    from sigcore.studies.matrix.result import Settings

RANDOMIZATION = (
    "Approximate randomization holds its level at any size where the two outputs of a unit could change places under the "
    "null, independently of other units"
)
INSTEAD = " Use documents as the unit of resampling."
AS_PRINTED: dict[TieRule, str] = {
    "strict": "Two systems that differ in one segment then get the smallest p there is under randomization.",
    "half": "p can then be half of what it is with all ties counted.",
}


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
        out += _of_bootstrap(unit, n, bootstrap, differing)
    if LEAST_UNITS <= n < FEW_UNITS:
        out.append(_narrow(unit, n))
    if unit != SEGMENT and 2.0 ** (1 - n) > 0.05 and any(test.draws == "swap" for test in tests):
        out.append(
            f"{n} {noun} can be swapped in only {2**n} ways: a two-sided p of a randomization test hardly falls below "
            f"{min(1.0, 2.0 ** (1 - n)):.2g}."
        )
    return tuple(out)


def _of_bootstrap(unit: Unit, n: int, bootstrap: Sequence[Test], differing: Sequence[Ints]) -> list[str]:
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
        words += [f"{' to '.join(dict.fromkeys(ends))} % at alpha {alpha:g}"] if ends else []
    what = f"p of {bootstrap[0].title} tends" if one else "bootstrap p-values tend"
    who, rejected = "it" if one else "they", f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
    measured = (
        f": of true nulls of {measured_units(n)} units {who} rejected {rejected} (smaller levels were not measured), at "
        "worst of four kinds of scores"
    )
    return f"{where} {what} to be too small{measured if words else ''}. {RANDOMIZATION}; prefer it here."


def _narrow(unit: Unit, n: int) -> str:
    """That intervals of few units are too narrow, and by how much."""
    held = f"{100 * coverage(n, LEVEL):.0f} %"
    return (
        f"With {n} {unit.noun(n)} the {formatting.format_level(LEVEL)} intervals of scores and gains are too narrow: those of "
        f"the mean of normal gains contain the true gain in {held} of test sets."
    )


def of_grid(unit: Unit, n: int, settings: Settings, systems: int) -> tuple[str, ...]:
    """A note on the family-wise error of a correction that uses the joint null, where there are few units."""
    found = of_grids(n)
    if not corrections.get(settings.correction).needs_joint or systems < 3 or found is None:
        return ()
    units, rate = found
    return (
        f"With {n} {unit.noun(n)} {corrections.get(settings.correction).title} finds too many differences: where five systems "
        f"were equal, some adjusted p was at most 0.05 in {100 * rate:.0f} % of test sets of {units} units.",
    )


def of_design(run: MatrixRun, position: int, effects: Sequence[float]) -> tuple[str, ...]:
    """The design effect of the unit; or, if segments are drawn that are clearly alike within documents, what this
    ignores."""
    design = run.design[position]
    if design is None or not len(design.of_pairs):
        return ()
    if design.unit == run.unit:
        return (formatting.design_effect_sentence(run.unit, effects),) if effects else ()
    ignored = ignored_documents(run, position)
    return (ignored + (INSTEAD if design.n >= LEAST_UNITS else ""),) if ignored else ()


def caveat(run: MatrixRun, position: int, test: Test) -> str:
    """What makes the p of a test too small, as far as it is known: ignored documents, few units; "" otherwise."""
    few = list[str]()
    if test.draws == "bootstrap" and run.n >= LEAST_UNITS:
        few = _of_bootstrap(run.unit, run.n, [test], run.differing[position : position + 1])
    return " ".join(filter(None, (ignored_documents(run, position), *few)))


def ignored_documents(run: MatrixRun, position: int) -> str:
    """What resampling segments ignores where they are clearly alike within documents; "" otherwise."""
    design = run.design[position]
    if design is None or design.unit == run.unit or not len(design.of_pairs) or not design.clear:
        return ""
    return formatting.ignored_documents(design.n, design.of_pairs.tolist())


def as_printed(settings: Settings) -> tuple[str, ...]:
    """Warnings that p follows a paper or another tool, and is not a verdict."""
    out = []
    if settings.ties in TIES_AS_PRINTED:
        words = TIES_AS_PRINTED[settings.ties]
        out.append(
            f"{words[0].upper()}{words[1:]} ({settings.ties}), as in some papers and tools. {AS_PRINTED[settings.ties]} "
            "So such a p is not a verdict. Count all ties for one."
        )
    if settings.estimator == "paper":
        out.append(
            "p is c / R, as in some papers. Where no resample counts it is 0, below any alpha and any correction however "
            "few resamples were drawn, so such a p is not a verdict. Use (c + 1) / (R + 1) for one."
        )
    return tuple(out)


def of_both_sides(settings: Settings) -> tuple[str, ...]:
    """A note if one-sided tests are read in both directions without a correction."""
    if settings.side == "two-sided" or settings.correction != "none":
        return ()
    return (
        "Every pair is tested one-sided in both directions: the chance that two equal systems are called different is "
        "twice alpha, unless the direction was fixed before the scores were seen.",
    )


def of_undefined(tallies: Iterable[Tally], title: str) -> tuple[str, ...]:
    """A note if the score of a system does not exist on some resamples."""
    worst = max(tallies, key=lambda tally: int(tally.undefined.max(initial=0)), default=None)
    count = 0 if worst is None else int(worst.undefined.max(initial=0))
    if worst is None or not count:
        return ()
    return (
        f"{title} is not defined for a system on up to {count} of {worst.resamples} resamples. They count against every "
        "gain, so no p is too small for it; intervals leave them out.",
    )
