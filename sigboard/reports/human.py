"""People and metrics side by side: rows for tables and CSV, one JSON shape, a table for the terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sigboard.reports import human_differ
from sigboard.reports.human_words import alpha_name, conclusion_word, gold_note, summary
from sigboard.reports.json import plain
from sigboard.reports.tables import Row
from sigboard.reports.text import align, printable
from sigcore.formatting import format_p, format_score
from sigcore.studies import human

FINE = 10**7  # exact p-values are written as if so many resamples had been drawn


def accuracy_rows(result: human.HumanResult) -> list[Row]:
    """One row per alpha, metric and test: correct conclusions, percent, the paper's interval, the one over systems."""
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
    for found in result.differences:
        least = min(found.mcnemar, key=lambda pair: pair.p_value)
        rows.append(
            {
                "alpha": found.alpha,
                "between": found.between,
                "under": found.held_title,
                "chi_square": found.chi_square,
                "df": found.df,
                "chi_square_p": found.chi_p,
                "cochran_q": found.q,
                "cochran_q_p": found.q_p,
                "smallest_mcnemar_p": least.p_value,
                "of": f"{titles[least.first]} and {titles[least.second]}",
            }
        )
    return rows


def mcnemar_rows(result: human.HumanResult) -> list[Row]:
    """One row per pair of metrics (tests): the pairs of systems that only one of them gets right, and the exact p."""
    titles = result.metrics | result.tests
    return [
        {
            "alpha": found.alpha,
            "under": found.held_title,
            "first": titles[pair.first],
            "second": titles[pair.second],
            "only_first": pair.only_first,
            "only_second": pair.only_second,
            "p_value": pair.p_value,
        }
        for found in result.differences
        for pair in found.mcnemar
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
    """One row per judge and dimension: mean and SD as used, what the controls show, and why one is left out."""
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
    """One row per pair that people speak of: their p in each dimension, their conclusion, and that of every metric."""
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
            found = int(result.conclusions(metric, test, alpha)[i, j])
            row[f"{grid.setup.metric_title}, {grid.setup.test_title}"] = conclusion_word(found)
        rows.append(row)
    return rows


def human_json(result: human.HumanResult, warnings: Sequence[str] = ()) -> dict[str, Any]:
    """Everything as one JSON shape, ready for `json.dumps(..., allow_nan=False)`.

    Grids are nested lists, row against column, in the order of `systems` (all judged ones, best first); null where
    people do not speak of a pair. `compared` are the systems that have outputs too: the accuracy is over their pairs.
    """
    content = {
        **_of_people(result),
        "accuracy": [_accuracy(cell) for cell in result.accuracies],
        **_of_differences(result),
        **human_differ.as_json(result),
        "conclusions": [
            {"metric": m, "test": t, "alpha": a, "conclusions": result.conclusions(m, t, a)}
            for a in result.alphas
            for m, t in result.grids
        ],
        "judges": [vars(judge) for judge in result.people.judges],
        "dropped": [judge.name for judge in result.people.dropped],
        "alphas": result.alphas,
        **_of_setup(result),
        "warnings": [*warnings, *(note for note in result.notes if note not in warnings)],
        "notes": [gold_note(result.people, max(result.alphas)), human_differ.why_too_narrow()],
        "signature": result.signature,
    }
    return dict(plain(content))


def _of_people(result: human.HumanResult) -> dict[str, Any]:
    """What people say, by dimension and by alpha."""
    people = result.people
    by = {rated.dimension: rated for rated in people.rated}
    return {
        "systems": people.systems,
        "compared": result.systems,
        "judged_only": result.matched.judged_only,
        "unjudged": result.matched.unjudged,
        "names": result.matched.names,
        "dimensions": people.dimensions,
        "standardise": people.standard,
        "z_scores": {name: rated.scores for name, rated in by.items()},
        "raw_scores": {name: rated.raw for name, rated in by.items()},
        "segments": {name: rated.segments for name, rated in by.items()},
        "ratings": {name: rated.ratings for name, rated in by.items()},
        "rank_sum": {name: rated.p_values for name, rated in by.items()},
        "gold": {alpha_name(a): _gold(people.decided(a)) for a in result.alphas},
        "decided_by": {alpha_name(a): _deciding(people, a) for a in result.alphas},
    }


def _of_differences(result: human.HumanResult) -> dict[str, Any]:
    """Whether metrics, and tests, differ in how often they agree with people, as in the paper."""
    return {
        "chi_square": [_difference(d) | {"chi_square": d.chi_square, "p": d.chi_p} for d in result.differences],
        "cochran_q": [
            _difference(d) | {"q": d.q, "p": d.q_p, "mcnemar": [vars(pair) for pair in d.mcnemar]}
            for d in result.differences
        ],
    }


def _of_setup(result: human.HumanResult) -> dict[str, Any]:
    """What all grids of the metrics share."""
    setup = next(iter(result.grids.values())).setup
    return {
        "n": setup.n,
        "unit": str(setup.unit),
        "resamples": setup.resamples,
        "seed": setup.seed,
        "estimator": setup.estimator,
    }


def _gold(decided: human.Decided) -> list[list[int | None]]:
    grid = decided.conclusions.astype(object)
    grid[~decided.known & ~np.eye(len(grid), dtype=bool)] = None
    found: list[list[int | None]] = grid.tolist()
    return found


def _deciding(people: human.People, alpha: float) -> list[list[str | None]]:
    return [
        [people.dimensions[place] if place >= 0 else None for place in row] for row in people.decided(alpha).by.tolist()
    ]


def _accuracy(cell: human.Accuracy) -> dict[str, Any]:
    fields = ("metric", "test", "alpha", "correct", "pairs", "percent", "low", "high", "system_low", "system_high")
    row = {field: getattr(cell, field) for field in (*fields, "best")}
    return row | {"system_interval": [cell.system_low, cell.system_high]}


def _difference(found: human.Difference) -> dict[str, Any]:
    return {
        "between": found.between,
        "metric" if found.between == "tests" else "test": found.held,
        "names": found.names,
        "alpha": found.alpha,
        "df": found.df,
    }


def human_table(result: human.HumanResult) -> str:
    """The accuracy table, the differences between metrics, people's ranking and the paper's figures, as text."""
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
        header += [f"{name} z", "segments"]
    rows = []
    for k, system in enumerate(people.systems):
        row = [str(k + 1), printable(system)]
        for rated in people.rated:
            there = bool(rated.segments[k])
            row += [f"{rated.scores[k]:+.3f}" if there else "none", str(int(rated.segments[k]))]
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
    return "none" if math.isnan(value) else format_score(value)


def _p(value: float) -> str:
    return "none" if math.isnan(value) else format_p(value, FINE)
