"""The gains of all pairs as JSON and as a table for a terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sigboard.reports.json import plain
from sigboard.reports.sentences import methods
from sigboard.reports.text import align, printable
from sigcore import GainResult, families
from sigcore.formatting import format_draws, format_gain, format_units
from sigcore.verdicts import ALPHA, gain_summary


def gain_json(
    results: Sequence[GainResult],
    groups: Mapping[str, str],
    notes: Sequence[Sequence[str]] = (),
    warnings: Sequence[str] = (),
) -> dict[str, Any]:
    """The pairs of one set of systems, one object per metric and test, ready for `json.dumps(..., allow_nan=False)`.

    `groups` gives every system its group, "" if it has none; `notes` are those of each result. `family` as in
    `matrix_json`, uncorrected.
    """
    first = results[0]
    top = {
        "systems": list(groups),
        "groups": list(groups.values()),
        "n": first.setup.n,
        "unit": str(first.setup.unit),
        "segments": first.setup.segments,
        "resamples": max(result.setup.resamples for result in results),  # of an exact test 0
        "seed": first.setup.seed,
        "alternative": first.setup.side,
    }
    objects = [_result(result, own) for result, own in zip(results, notes or [()] * len(results), strict=True)]
    return {**plain(top), "warnings": list(warnings), "results": objects}


def _result(result: GainResult, notes: Sequence[str]) -> dict[str, Any]:
    return {
        "metric": result.setup.metric,
        "metric_title": result.setup.metric_title,
        "test": result.setup.test,
        "test_title": result.setup.test_title,
        "signature": result.setup.signature,
        "family": families.of_gain(result).to_dict(),
        "points": [_point(result, k) for k in range(len(result.systems))],
        "notes": list(notes),
    }


def _point(result: GainResult, k: int) -> dict[str, Any]:
    point = {
        "system": result.systems[k],
        "baseline": result.baselines[k],
        "gain": float(result.gains[k]),
        "p_value": float(result.p_values[k]),
        "p_low": math.nan if result.p_low is None else float(result.p_low[k]),
        "p_high": math.nan if result.p_high is None else float(result.p_high[k]),
        "confidence": float(result.confidence[k]),
        "class": result.pair_class[k],
        "synthetic": False,  # both are real systems
    }
    return dict(plain(point))


def gain_table(result: GainResult, notes: Sequence[str] = (), alpha: float = ALPHA) -> str:
    """The pairs as text, the largest gain first, undefined gains last."""
    units = format_units(result.setup.n, result.setup.unit, result.setup.segments)
    drawn = format_draws(result.setup.resamples, result.setup.seed)
    design = f"{result.setup.test_title}, {result.setup.side}, n = {units}, {drawn}"
    classed = any(result.pair_class)
    header = ["system", "baseline", f"gain in {result.setup.metric_title}", "p", *(["class"] if classed else [])]
    rows = [
        [
            printable(result.systems[k]),
            printable(result.baselines[k]),
            format_gain(float(result.gains[k]), result.setup.decimals),
            result.written_p(int(k)),
            *([result.pair_class[k]] if classed else []),
        ]
        for k in (-result.gains).argsort(kind="stable")
    ]
    lines = [design, "", align(header, rows, left=(0, 1, 4)), "", "Confidence is 1 - p."]
    lines += [printable(gain_summary(result, alpha), 0), *(f"note: {printable(note, 0)}" for note in notes)]
    return "\n".join([*lines, "", printable(methods(result, alpha), 0)])
