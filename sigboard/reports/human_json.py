"""People and metrics side by side as one JSON shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sigboard.reports import human_differ
from sigboard.reports.human_words import alpha_name, gold_note
from sigboard.reports.json import plain
from sigcore.studies import human
from sigcore.types import Bools, Ints


def human_json(result: human.HumanResult, warnings: Sequence[str] = ()) -> dict[str, Any]:
    """Everything as one JSON shape, ready for `json.dumps(..., allow_nan=False)`.

    Grids are nested lists, row against column, in the order of `systems` (all judged systems, best first); null where
    people, or a metric, have no conclusion. `compared` are the systems that also have outputs: the accuracy is over their
    pairs, without those on which the metric has no conclusion.
    """
    content = {
        **_of_people(result),
        "accuracy": [_accuracy(cell) for cell in result.accuracies],
        **_of_differences(result),
        **human_differ.as_json(result),
        "conclusions": [
            {
                "metric": m,
                "test": t,
                "alpha": a,
                "conclusions": _known(result.conclusions(m, t, a), result.known(m, t, a)),
            }
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
    return _known(decided.conclusions, decided.known)


def _known(conclusions: Ints, known: Bools) -> list[list[int | None]]:
    """Conclusions (S, S), null where there is none."""
    grid = conclusions.astype(object)
    grid[~known & ~np.eye(len(grid), dtype=bool)] = None
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
        "pairs": found.pairs,
        "df": found.df,
    }
