"""The gains of all pairs, and the thresholds of their classes, as JSON and as a table for a terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sigboard.render.json import plain
from sigboard.render.sentences import methods
from sigboard.render.text import align, printable
from sigcore import GainResult, results
from sigcore.formatting import format_draws, format_gain, format_interval, format_size, format_units
from sigcore.results import ALPHA, gain_summary
from sigcore.studies import gain

MIXED = (
    "Mixtures take each segment from one of two systems. They show how confidence grows with the gain where few real "
    "systems are there; they are not systems that anybody built, so their thresholds are apart."
)


@dataclass(frozen=True, eq=False)
class Scatter:
    """All pairs under one metric and test: the real ones, the mixtures (None without), and what is read from both."""

    real: GainResult
    mixed: GainResult | None
    thresholds: tuple[gain.Threshold, ...]
    rules: tuple[str, ...]
    mine: gain.Neighbours | None
    notes: tuple[str, ...]

    @classmethod
    def of(
        cls,
        real: GainResult,
        mixed: GainResult | None = None,
        notes: Sequence[str] = (),
        alpha: float = ALPHA,
        my_gain: float | None = None,
    ) -> Scatter:
        """The thresholds and sentences of these pairs; `my_gain` is compared with the real ones."""
        both = [real] if mixed is None else [real, mixed]
        return cls(
            real=real,
            mixed=mixed,
            thresholds=tuple(item for result in both for item in gain.thresholds(result)),
            rules=tuple(words for result in both if (words := gain.rule(result, alpha))),
            mine=None if my_gain is None else gain.near(real, my_gain, alpha),
            notes=(*notes, *((MIXED,) if mixed is not None else ())),
        )


def gain_json(scatters: Sequence[Scatter], groups: Mapping[str, str], warnings: Sequence[str] = ()) -> dict[str, Any]:
    """The pairs of one set of systems, one object per metric and test, ready for `json.dumps(..., allow_nan=False)`.

    `groups` gives every system its group, "" if it has none. `points` and `thresholds` are those of the first result.
    `family` as in `matrix_json`, uncorrected; it is that of the real pairs.
    """
    setup = scatters[0].real.setup
    top = {
        "systems": list(groups),
        "groups": list(groups.values()),
        "n": setup.n,
        "unit": str(setup.unit),
        "segments": setup.segments,
        "resamples": max(item.real.setup.resamples for item in scatters),  # of an exact test 0
        "seed": setup.seed,
        "alternative": setup.side,
    }
    objects = [_result(item) for item in scatters]
    first = {name: objects[0][name] for name in ("points", "thresholds")}
    return {**plain(top), "warnings": list(warnings), **first, "results": objects}


def _result(item: Scatter) -> dict[str, Any]:
    setup, both = item.real.setup, [item.real] if item.mixed is None else [item.real, item.mixed]
    content = {
        "metric": setup.metric,
        "metric_title": setup.metric_title,
        "test": setup.test,
        "test_title": setup.test_title,
        "signature": setup.signature,
        "family": results.of_gain(item.real).to_dict(),
        "points": [point for result in both for point in _points(result)],
        "thresholds": [threshold.as_dict() for threshold in item.thresholds],
        "rules": list(item.rules),
        "my_gain": None if item.mine is None else item.mine.as_dict(),
        "notes": list(item.notes),
    }
    return dict(plain(content))


def _points(result: GainResult) -> list[dict[str, Any]]:
    classes = gain.classes(result.pair_class)
    return [_point(result, k, classes[k]) for k in range(len(result.systems))]


def _point(result: GainResult, k: int, pair_class: str) -> dict[str, Any]:
    return {
        "system": result.systems[k],
        "baseline": result.baselines[k],
        "gain": float(result.gains[k]),
        "p_value": float(result.p_values[k]),
        "p_low": math.nan if result.p_low is None else float(result.p_low[k]),
        "p_high": math.nan if result.p_high is None else float(result.p_high[k]),
        "confidence": float(result.confidence[k]),
        "class": pair_class,
        "synthetic": result.synthetic,
    }


def gain_table(item: Scatter, alpha: float = ALPHA) -> str:
    """The real pairs as text, the largest gain first, undefined gains last; then the thresholds and the sentences."""
    result = item.real
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
    lines += ["", threshold_table(item.thresholds, result.setup.metric_title, result.setup.decimals), ""]
    lines += [printable(gain_summary(result, alpha), 0), *item.rules]
    lines += [str(item.mine)] if item.mine is not None else []
    lines += [f"note: {printable(note, 0)}" for note in item.notes]
    return "\n".join([*lines, "", printable(methods(result, alpha), 0)])


def threshold_table(thresholds: Sequence[gain.Threshold], metric: str, decimals: int) -> str:
    """The thresholds of the classes, and why a class has none."""
    header = ["class", "pairs near .05", f"threshold in {metric}", "95 % interval"]
    rows = [
        [item.pair_class, f"{item.n:,}", "none", ""]
        if item.reason
        else [
            item.pair_class,
            f"{item.n:,}",
            format_size(item.threshold, decimals),
            format_interval((item.low, item.high), decimals),
        ]
        for item in thresholds
    ]
    reasons = [f"No threshold of {item.pair_class}: {item.reason}." for item in thresholds if item.reason]
    return "\n".join([align(header, rows, left=(0,)), *reasons])
