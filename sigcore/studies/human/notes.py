"""Notes on people and metrics compared: what is not counted in the accuracy, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sigcore.formatting import count, format_p
from sigcore.studies.matrix import MatrixRun

if TYPE_CHECKING:
    from sigcore.studies.human.result import HumanResult


def of_human(result: HumanResult, computed: MatrixRun) -> tuple[str, ...]:
    """Those of the names, of people and of the metrics, and what is not counted in the accuracy at any alpha, and why."""
    notes = [*result.matched.notes, *result.people.notes, *computed.notes]
    missing = len(result.systems) * (len(result.systems) - 1) // 2 - len(result.pairs)
    if missing:
        notes.append(f"{missing} pairs are not counted in the accuracy: no dimension has ratings of both systems.")
    printed = {rule for grid in result.grids.values() if (rule := grid.setup.as_printed)}
    notes += [
        f"As in some papers and tools, {rule}: these conclusions of metrics are only for comparison with such a source."
        for rule in sorted(printed)
    ]
    return tuple(dict.fromkeys([*notes, *_without_p(result)]))


def _without_p(result: HumanResult) -> Iterator[str]:
    """Which pairs are not counted because a test gives no p for them."""
    left, other = result.pairs.T
    missing: dict[tuple[str, int], list[str]] = {}
    for (metric, test), grid in result.grids.items():
        number = int((~result.defined(metric, test)[left, other]).sum())
        if number:
            missing.setdefault((grid.setup.test_title, number), []).append(grid.setup.metric_title)
    for (title, number), metrics in missing.items():
        yield (
            f"Not counted in the accuracy: {number} of {count(len(result.pairs), 'pair')} under {', '.join(metrics)}, because "
            f"{title} gives no p-value and so no conclusion."
        )
    if missing:
        yield (
            "Accuracies over different pairs cannot be compared directly: differences are tested on the pairs on which "
            "all that are compared have a conclusion."
        )


def too_few(result: HumanResult) -> Iterator[str]:
    """At which alphas no test has a conclusion because R cannot show a difference."""
    unreachable: dict[tuple[int, float], list[str]] = {}
    for alpha in result.alphas:
        for setup in (grid.setup for grid in result.grids.values() if not grid.setup.reaches(alpha)):
            names = unreachable.setdefault((setup.resamples, setup.least_p), [])
            names += [f"{alpha:g}"] * (f"{alpha:g}" not in names)
    for (resamples, least), alphas in unreachable.items():
        yield (
            f"With {count(resamples, 'resample')} the smallest p is {format_p(least, resamples)}: at alpha "
            f"{', '.join(alphas)} no metric has a conclusion, and there is no accuracy. Use more resamples."
        )
