"""Notes for the reader of a grid: few units, ties, resolution, design effects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sigcore import corrections, formatting
from sigcore.formatting import listed
from sigcore.significance import FEW_UNITS, LEAST_UNITS, Tally, Test, rejection_rate
from sigcore.studies.statistics import Measured, same_statistics
from sigcore.types import SEGMENT, Unit

if TYPE_CHECKING:
    from sigcore.studies.matrix.compute import MatrixRun
    from sigcore.studies.matrix.result import Settings


def of_rows(measured: Sequence[Measured], summed: Sequence[Measured], unit: Unit) -> tuple[str, ...]:
    """Notes on systems that cannot differ, and the remarks of the metrics on their rows."""
    notes = []
    for rows, item in zip(measured, summed, strict=True):
        same = np.triu(same_statistics(item), k=1)
        for a, b in zip(*np.nonzero(same), strict=True):
            names = f"{item.systems[a].system} and {item.systems[b].system}"
            notes.append(
                f"{names} have the same {item.title} statistics on every {unit.noun(1)}: p = 1 under every test."
            )
        notes += rows.remarks()
    return tuple(notes)


def of_few_units(unit: Unit, n: int, tests: Sequence[Test]) -> tuple[str, ...]:
    """Notes on tests that find differences too easily, or never, if there are few units to draw from."""
    noun, out = unit.noun(n), []
    bootstrap = [test for test in tests if test.draws == "bootstrap"]
    if n < LEAST_UNITS:
        out.append(_too_few(n, noun, bootstrap))
    elif n < FEW_UNITS and bootstrap:
        out.append(_measured_rates(n, noun, bootstrap))
    if unit != SEGMENT and 2.0 ** (1 - n) > 0.05 and any(test.draws == "swap" for test in tests):
        out.append(
            f"{n} {noun} can be swapped in only {2**n} ways: a two-sided p of a randomization test hardly falls below "
            f"{min(1.0, 2.0 ** (1 - n)):.2g}."
        )
    return tuple(out)


def _too_few(n: int, noun: str, bootstrap: Sequence[Test]) -> str:
    p = f", and no p-value of {listed(test.title for test in bootstrap)}" if bootstrap else ""
    return (
        f"With {n} {noun} no interval is given{p}: so few of them resampled cannot show how much the scores vary. "
        f"At least {LEAST_UNITS} are needed. Approximate randomization holds its level at any size."
    )


def _measured_rates(n: int, noun: str, bootstrap: Sequence[Test]) -> str:
    """What was measured of these tests on true nulls of as many units."""
    measured = []
    for test in bootstrap:
        rates = [(alpha, rejection_rate(test.name, n, alpha)) for alpha in (0.05, 0.01)]
        words = " and ".join(f"{100 * rate:.2g} % at alpha {alpha:g}" for alpha, rate in rates if rate is not None)
        measured += [f"{test.title} rejected {words}"] if words else []
    return (
        f"With {n} {noun} bootstrap p-values tend to be too small. Measured on true nulls of that size, at worst of four kinds of scores: "
        f"{'; '.join(measured)}. Approximate randomization holds its level at any size; prefer it here."
    )


def of_design(run: MatrixRun, position: int, effects: Sequence[float]) -> tuple[str, ...]:
    """The design effect of the unit; or, if segments are drawn that are clearly alike within documents, what this
    ignores."""
    design = run.design[position]
    if design is None or not len(design.of_pairs):
        return ()
    if design.unit == run.unit:
        return (formatting.design_effect_sentence(run.unit, effects),) if effects else ()
    return (formatting.ignored_documents(design.n, design.of_pairs.tolist()),) if design.clear else ()


def of_resolution(count: int, test: Test, settings: Settings, resamples: int) -> tuple[str, ...]:
    """A note if R is too small for any of `count` tests to be significant at 0.05, with any data."""
    correction = corrections.get(settings.correction)
    if count == 0 or not resamples or settings.estimator == "paper":
        return ()
    steps = 2 if test.doubled and settings.side == "two-sided" else 1
    factor = steps * correction.factor(count)
    if factor / (resamples + 1) <= 0.05:
        return ()
    after = f"after {correction.title} over {count} test{'s' * (count > 1)} " if settings.correction != "none" else ""
    return (
        f"With {resamples} resamples the smallest p is {steps}/{resamples + 1}; {after}no p can fall below "
        f"{factor / (resamples + 1):.2g}. Use at least {int(20 * factor / 0.05)} resamples.",
    )


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
