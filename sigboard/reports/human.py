"""People and metrics compared: rows for tables and CSV, a table for the terminal."""

from __future__ import annotations

import math
from collections.abc import Callable

from sigboard.reports import human_differ
from sigboard.reports.human_words import conclusion_word, gold_note, summary
from sigboard.reports.tables import Row
from sigboard.reports.text import align, printable
from sigcore.formatting import format_p, format_score
from sigcore.studies import human

EXACT = 0  # resamples behind a p that is computed


def accuracy_rows(result: human.HumanResult) -> list[Row]:
    """One row per alpha, metric and test: correct conclusions, percent, the exact interval, the one over systems."""
    return [
        {
            "alpha": cell.alpha,
            "metric": cell.metric_title,
            "test": cell.test_title,
            "correct": cell.correct,
            "pairs": cell.pairs,
            "percent": cell.percent,
            "low": cell.low,
            "high": cell.high,
            "system_low": cell.system_low,
            "system_high": cell.system_high,
            "best": cell.best,
        }
        for cell in result.accuracies
    ]


def difference_rows(result: human.HumanResult) -> list[Row]:
    """One row per question "do the metrics (tests) differ?": chi-square, Cochran's Q, the smallest McNemar p."""
    titles = result.metrics | result.tests
    rows = []
    for difference in result.differences:
        least = min(difference.mcnemar, key=lambda pair: pair.p_value)
        rows.append(
            {
                "alpha": difference.alpha,
                "between": difference.between,
                "under": difference.held_title,
                "chi_square": difference.chi_square,
                "df": difference.df,
                "chi_square_p": difference.chi_p,
                "cochran_q": difference.q,
                "cochran_q_p": difference.q_p,
                "smallest_mcnemar_p": least.p_value,
                "of": f"{titles[least.first]} and {titles[least.second]}",
            }
        )
    return rows


def mcnemar_rows(result: human.HumanResult) -> list[Row]:
    """One row per pair of metrics (tests): the pairs of systems on which only one of them is correct, and the exact p."""
    titles = result.metrics | result.tests
    return [
        {
            "alpha": difference.alpha,
            "under": difference.held_title,
            "first": titles[pair.first],
            "second": titles[pair.second],
            "only_first": pair.only_first,
            "only_second": pair.only_second,
            "p_value": pair.p_value,
        }
        for difference in result.differences
        for pair in difference.mcnemar
    ]


def system_rows(people: human.People) -> list[Row]:
    """One row per judged system, best first: z, raw score, segments and ratings in each dimension."""
    rows = []
    for k, system in enumerate(people.systems):
        row: Row = {"rank": k + 1, "system": system}
        for rated in people.rated:
            row |= {
                f"{rated.dimension} z": float(rated.scores[k]),
                f"{rated.dimension} raw": float(rated.raw[k]),
                f"{rated.dimension} segments": int(rated.segments[k]),
                f"{rated.dimension} ratings": int(rated.ratings[k]),
            }
        rows.append(row)
    return rows


def judge_rows(people: human.People) -> list[Row]:
    """One row per judge and dimension: the mean and SD used, the result of quality control, and why a judge is left out."""
    return [
        {
            "judge": judge.name or "(no name)",
            "dimension": judge.dimension,
            "ratings": judge.ratings,
            "controls": judge.controls,
            "mean": judge.mean,
            "sd": judge.sd,
            "mean of outputs": judge.ordinary,
            "mean of degraded": judge.degraded,
            "p degraded lower": judge.trust,
            "left out": judge.dropped,
        }
        for judge in people.judges
    ]


def segment_rows(people: human.People) -> list[Row]:
    """One row per dimension, system and segment: mean raw score, mean z, number of ratings."""
    rows = []
    for dimension, part in zip(people.dimensions, people.by_segment, strict=True):
        columns = (part.system, part.document, part.segment, part.raw, part.z, part.ratings)
        for system, document, segment, raw, z, n in zip(*(c.tolist() for c in columns), strict=True):
            row = {"dimension": dimension, "system": system, "document": document, "segment": segment}
            rows.append({**row, "raw_mean": raw, "z_mean": z, "n": n})
    return rows


def pair_rows(result: human.HumanResult, alpha: float) -> list[Row]:
    """One row per pair with a human conclusion: its p in each dimension, the conclusion, and that of every metric."""
    decided, people = result.decided(alpha), result.people
    rows = []
    for i, j in result.pairs.tolist():
        a, b = (people.systems.index(result.systems[k]) for k in (i, j))
        row: Row = {"system": result.systems[i], "baseline": result.systems[j]}
        for rated in people.rated:
            row[f"{rated.dimension} p"] = float(rated.p_values[a, b])
            row[f"{rated.dimension} p other way"] = float(rated.p_values[b, a])
        row["people"] = conclusion_word(int(decided.conclusions[i, j]))
        row["decided by"] = people.dimensions[int(decided.by[i, j])] if decided.by[i, j] >= 0 else ""
        for (metric, test), grid in result.grids.items():
            conclusion = int(result.conclusions(metric, test, alpha)[i, j])
            row[f"{grid.setup.metric_title}, {grid.setup.test_title}"] = conclusion_word(conclusion)
        rows.append(row)
    return rows


def human_table(result: human.HumanResult) -> str:
    """The human ranking, accuracies, differences between metrics, and the tables and tests of the paper, as text."""
    parts = [summary(result, result.alphas[0]), "", _ranking(result.people), ""]
    for alpha in result.alphas:
        best = f"best of {len(result.grids)}"
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
            row.append(f"{cell.correct}/{cell.pairs} {cell.percent:.1f} {interval(cell)}{star}")
        rows.append(row)
    return align(["metric", *result.tests.values()], rows, left=(0,))


def _over_systems(cell: human.Accuracy) -> str:
    return human_differ.interval(cell.system_low, cell.system_high)


def _exact(cell: human.Accuracy) -> str:
    return human_differ.interval(cell.low, cell.high)


def _differences(result: human.HumanResult) -> str:
    header = ["between", "under", "alpha", "chi-square", "df", "p", "Cochran's Q", "p", "smallest McNemar p"]
    rows = [
        [
            d.between,
            d.held_title,
            f"{d.alpha:g}",
            _number(d.chi_square),
            str(d.df),
            _p(d.chi_p),
            _number(d.q),
            _p(d.q_p),
            _p(min(pair.p_value for pair in d.mcnemar)),
        ]
        for d in result.differences
    ]
    return align(header, rows, left=(0, 1)) if rows else "One metric and one test: nothing to compare."


def _number(value: float) -> str:
    return "n/a" if math.isnan(value) else format_score(value)


def _p(value: float) -> str:
    return format_p(value, EXACT)
