"""People and metrics compared, as aligned tables for a terminal."""

from __future__ import annotations

import math
from collections.abc import Callable

from sigboard.reports import human_differ
from sigboard.reports.human_words import gold_note, summary
from sigboard.reports.text import align, printable
from sigcore.formatting import format_p, format_score
from sigcore.studies import human

EXACT = 0  # resamples behind a p that is computed


def human_table(result: human.HumanResult) -> str:
    """The human ranking, accuracies, differences between metrics, and the tables and tests of the paper, as text."""
    parts = [summary(result, result.alphas[0]), "", _ranking(result.people), ""]
    for alpha in result.alphas:
        best = f"best of {sum(cell.alpha == alpha and cell.pairs > 0 for cell in result.accuracies)}"
        head = f"Accuracy of conclusions at alpha {alpha:g} (* {best}), 95 % interval over systems"
        parts += [head, _accuracies(result, alpha, _over_systems), ""]
    parts += [human_differ.text(result, result.alphas[0]), f"As in the paper ({human_differ.PAPER})"]
    for alpha in result.alphas:
        head = f"Correct conclusions at alpha {alpha:g} (* best), exact 95 % interval"
        parts += [head, _accuracies(result, alpha, _exact), ""]
    parts += [_differences(result), "", human_differ.why_too_narrow(), gold_note(result.people, result.alphas[0])]
    return "\n".join([*parts, *(f"note: {printable(note, 0)}" for note in result.notes)])


def _ranking(people: human.People) -> str:
    header = ["", "judged system"]
    for name in people.dimensions:
        header += [f"{name} {people.scale}", "segments"]
    rows = []
    for k, system in enumerate(people.systems):
        row = [str(k + 1), printable(system)]
        for rated in people.rated:
            was_rated = bool(rated.segments[k])
            row += [f"{rated.scores[k]:+.3f}" if was_rated else "n/a", str(int(rated.segments[k]))]
        rows.append(row)
    return align(header, rows, left=(1,))


def _accuracies(result: human.HumanResult, alpha: float, interval: Callable[[human.Accuracy], str]) -> str:
    rows = []
    for metric, title in result.metrics.items():
        row = [title]
        for test in result.tests:
            cell = result.accuracy(metric, test, alpha)
            star = "*" if cell.best else " "
            row.append(
                f"{cell.correct}/{cell.pairs} {cell.percent:.1f} {interval(cell)}{star}" if cell.pairs else "n/a "
            )
        rows.append(row)
    return align(["metric", *result.tests.values()], rows, left=(0,))


def _over_systems(cell: human.Accuracy) -> str:
    return human_differ.interval(cell.system_low, cell.system_high)


def _exact(cell: human.Accuracy) -> str:
    return human_differ.interval(cell.low, cell.high)


def _differences(result: human.HumanResult) -> str:
    header = ["between", "under", "alpha", "pairs", "chi-square", "df", "p", "Cochran's Q", "p", "smallest McNemar p"]
    rows = [
        [
            d.between,
            d.held_title,
            f"{d.alpha:g}",
            str(d.pairs),
            _number(d.chi_square),
            str(d.df),
            _p(d.chi_p),
            _number(d.q),
            _p(d.q_p),
            _p(d.smallest.p_value),
        ]
        for d in result.differences
    ]
    return align(header, rows, left=(0, 1)) if rows else "One metric and one test: nothing to compare."


def _number(value: float) -> str:
    return "n/a" if math.isnan(value) else format_score(value)


def _p(value: float) -> str:
    return format_p(value, EXACT)
