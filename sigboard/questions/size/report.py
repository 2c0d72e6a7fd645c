"""Thresholds by the size of the test set, and detectable gains, as JSON and as tables for a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sigboard.render.json import design, of_setup
from sigboard.render.text import align, printable
from sigcore.formatting import count, format_interval, format_level, format_size
from sigcore.results import plain
from sigcore.studies import gain, size
from sigcore.types import Row


@dataclass(frozen=True, eq=False)
class SizeChecks:
    """What is known beside the formula: the power by simulation, and the variation between runs; empty where not requested."""

    simulated: Sequence[size.Simulated] = ()
    between: Sequence[size.BetweenRuns] = ()


def headline(result: size.SizeResult, segments: int, gain: float, power: float) -> str:
    """The gain that the median pair detects on these segments; "" if it is unknown."""
    if not (math.isfinite(gain) and gain > 0):
        return ""
    found = f"{format_size(gain, result.setup.decimals)} {result.setup.metric_title}"
    return f"Your {count(segments, 'segment')} can detect a true gain of {found} ({format_level(power)} power, median pair)."


def size_json(result: size.SizeResult, warnings: Sequence[str] = (), checked: SizeChecks | None = None) -> Row:
    """Everything, ready for `json.dumps(..., allow_nan=False)`; undefined numbers are null.

    `detectable` and `needed` are of a two-sided test at `alpha`; their first system is the median pair.
    """
    own, sizes = checked or SizeChecks(), dict.fromkeys(item.segments for item in result.detectable)
    content = {
        **of_setup(result.setup, result.systems),
        "subsets": result.subsets,
        "draws": result.draws,
        "alpha": result.alpha,
        "design_effect": result.design_effect,
        "curve": [item.as_dict() for item in result.curve],
        "lines": [item.as_dict() for item in result.lines],
        "detectable": [item.as_dict() for item in result.detectable],
        "needed": [item.as_dict() for item in result.needed],
        "simulated": [item.as_dict() for item in own.simulated],
        "between_runs": [
            item.as_dict(segments, power, result.alpha)
            for item in own.between
            for segments in sizes
            for power in size.POWERS
        ],
        "sentences": [*result.sentences, *map(str, own.simulated)],
        "warnings": list(dict.fromkeys(warnings)),
    }
    return {name: plain(value) for name, value in content.items()}


def size_table(result: size.SizeResult, pair: Sequence[str] = (), checked: SizeChecks | None = None) -> str:
    """The curve, the detectable gains of the median pair and of one pair, what runs add, and simulated power, as text."""
    setup, own = result.setup, checked or SizeChecks()
    parts = [design(setup), _curve(result)]
    parts += [_reasons(result), _detectable(result, pair), _between(result, own.between)]
    parts += [printable(str(item), 0) for item in own.simulated]
    if not math.isnan(result.design_effect):
        parts.append(
            f"Design effect of {setup.unit.noun(2)}, which these gains include: {result.design_effect:.2f} (median)."
        )
    parts += ["\n".join(printable(words, 0) for words in result.sentences)] if result.sentences else []
    parts += ["\n".join(f"note: {printable(note, 0)}" for note in result.notes), f"Signature: {setup.signature}"]
    return "\n\n".join(filter(None, parts))


def _reasons(result: size.SizeResult) -> str:
    """Why some classes have no threshold at some sizes."""
    within = [item for item in result.curve if item.reason and item.segments <= item.most]
    few = any(item.threshold.tested for item in within)
    lines = [f"none: fewer than {gain.LEAST_PAIRS} pairs with p from {gain.P_LOW:g} to {gain.P_HIGH:g}."] if few else []
    lines += [
        f"{item.pair_class}, {count(item.segments, 'segment')}: {item.reason}."
        for item in within
        if not item.threshold.tested
    ]
    large = next((item for item in result.curve if item.segments > item.most), None)
    lines += [f"The test set has only {large.most:,} segments."] if large is not None else []
    return "\n".join(lines)


def _curve(result: size.SizeResult) -> str:
    setup = result.setup
    header = ["class", "segments", f"threshold in {setup.metric_title}", "95% interval", "spread", "pairs near .05"]
    rows = []
    for item in result.curve:
        numbers = ["none", "", ""]
        if not item.reason:
            own = item.threshold
            numbers = [
                format_size(own.threshold, setup.decimals),
                format_interval((own.low, own.high), setup.decimals),
                format_size(own.spread, setup.decimals),
            ]
        rows.append([item.pair_class, f"{item.segments:,}", *numbers, f"{item.threshold.n:,}"])
    return align(header, rows, left=(0,))


def _detectable(result: size.SizeResult, pair: Sequence[str]) -> str:
    setup = result.setup
    chosen = [
        item
        for item in result.detectable
        if item.system == size.MEDIAN or (pair and {item.system, item.baseline} == set(pair))
    ]
    names = list(dict.fromkeys((item.system, item.baseline) for item in chosen))
    sizes = list(dict.fromkeys(item.segments for item in chosen))
    gains = {(item.system, item.baseline, item.segments, item.power): item.gain for item in chosen}
    header = [f"detectable gain in {setup.metric_title}", "power", *(f"{count(n, 'segment')}" for n in sizes)]
    rows = [
        [
            printable(" against ".join(filter(None, name)), 0),
            format_level(power),
            *(_size(gains[(*name, n, power)], setup.decimals) for n in sizes),
        ]
        for name in names
        for power in size.POWERS
    ]
    return align(header, rows, left=(0,))


def between_rows(result: size.SizeResult, between: Sequence[size.BetweenRuns], segments: int) -> list[dict[str, str]]:
    """What differences between runs add on this many segments, a row for each pair of systems."""
    decimals, power, alpha = result.setup.decimals, size.POWERS[0], result.alpha
    return [
        {
            "system": item.system,
            "baseline": item.baseline,
            "runs": f"{item.runs[0]} and {item.runs[1]}",
            "sd between runs": _size(item.spread, decimals),
            f"design effect on {count(segments, 'segment')}": _size(item.effect(segments), 2),
            f"detectable with {format_level(power)}": _size(item.detectable(segments, power, alpha), decimals),
            "with any number of segments": _size(item.least(power, alpha), decimals),
        }
        for item in between
    ]


def _between(result: size.SizeResult, between: Sequence[size.BetweenRuns]) -> str:
    rows = between_rows(result, between, result.setup.segments or result.setup.n)
    if not rows:
        return ""
    cells = [[printable(value, 0) for value in row.values()] for row in rows]
    return f"One run of each system, differences between runs included:\n{align(list(rows[0]), cells, left=(0, 1, 2))}"


def _size(value: float, decimals: int) -> str:
    return "n/a" if math.isnan(value) else format_size(value, decimals)
