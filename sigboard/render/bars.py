"""The parts of a histogram of resamples: bars split at the cut-offs, lines with labels, the common axis, p in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from sigboard.render.style import minus
from sigcore import CompareResult, Floats, Histogram, TestResult
from sigcore.formatting import count, format_gain, p_text
from sigcore.results import DOUBLED

SMALL_TAIL = 0.05  # largest share of the resamples that is magnified
SPACE, ROUNDS = 0.175, 8  # share of the axis beyond a cut-off that is left for the magnified tail
SAME = 1e-6  # relative distance below which two positions on the axis are equal


@dataclass(frozen=True)
class Bars:
    """The bars of a histogram: `left`, `right`, `heights` and whether each counts (`tail`), all (bars,).

    The area of a bar is its share of the resamples: a height is resamples per bin of the usual width.
    """

    left: Floats
    right: Floats
    heights: Floats
    tail: Any
    split: Any


def bars(histogram: Histogram, cutoffs: tuple[float, float], decimals: int = 2) -> Bars:
    """The bars of a histogram; a bar that contains a cut-off is split there, so that each part has its own colour.

    A null with a single value becomes one bar around it; `decimals` of the metric determine its width.
    """
    low, high = cutoffs
    edges = np.asarray(histogram.edges, dtype=float)
    if edges[-1] - edges[0] <= 0:
        return _point(float(edges[0]), float(histogram.counts.sum()), cutoffs, decimals)
    inner = [c for c in cutoffs if math.isfinite(c) and edges[0] < c < edges[-1]]
    cuts = np.unique(np.concatenate([edges, inner]))
    middles = (cuts[:-1] + cuts[1:]) / 2
    bins = np.clip(np.searchsorted(edges, middles) - 1, 0, len(histogram.counts) - 1)
    widths = np.diff(edges)
    usual = float(np.median(widths[widths > 0]))
    heights = histogram.counts[bins] * usual / widths[bins]
    split = np.diff(cuts) < widths[bins] * (1 - SAME)
    return Bars(cuts[:-1], cuts[1:], heights, (middles <= low) | (middles >= high), split)


def _point(place: float, count: float, cutoffs: tuple[float, float], decimals: int) -> Bars:
    half = max(abs(place), clear_gain(decimals)) * 0.02
    tail = np.array([place <= cutoffs[0] or place >= cutoffs[1]])
    return Bars(np.array([place - half]), np.array([place + half]), np.array([count]), tail, np.array([False]))


def clear_gain(decimals: int) -> float:
    """A gain that is large among those of the metric: 1 of BLEU, 0.01 of COMET."""
    return float(10.0 ** (2 - decimals))


def span(tests: list[TestResult], result: CompareResult) -> tuple[float, float]:
    """The common range of the axis: all bars and lines, with a margin, and space for magnified tails."""
    places = [result.gain, 0.0]
    for test in tests:
        pieces = bars(test.histogram, test.cutoffs, result.setup.decimals)
        filled = pieces.heights > 0
        places += [float(pieces.left[filled].min()), float(pieces.right[filled].max())] if filled.any() else []
        places += [c for c in test.cutoffs if math.isfinite(c)]
    places = [x for x in places if math.isfinite(x)]
    width = max(places) - min(places)
    margin = clear_gain(result.setup.decimals)
    if width < 0.1 * margin:
        return min(places) - margin, max(places) + margin
    return _with_space(tests, min(places) - 0.04 * width, max(places) + 0.04 * width)


def _with_space(tests: list[TestResult], low: float, high: float) -> tuple[float, float]:
    """The range, wider where a magnified tail needs space beyond its cut-off."""
    cutoffs = [test.cutoffs for test in tests if small_tail(test)]
    lower = [cut for cut, _ in cutoffs if math.isfinite(cut)]
    upper = [cut for _, cut in cutoffs if math.isfinite(cut)]
    for _ in range(ROUNDS):  # each end moves the other; the steps shrink quickly
        low = min([low, *((cut - SPACE * high) / (1 - SPACE) for cut in lower)])
        high = max([high, *((cut - SPACE * low) / (1 - SPACE) for cut in upper)])
    return low, high


def small_tail(test: TestResult) -> bool:
    """Whether some resamples count towards p, but too few to be seen without magnification."""
    return 0 < test.tail <= SMALL_TAIL * test.setup.resamples


def p_label(test: TestResult) -> str:
    """The p-value and the counted resamples: "p = 0.034, 339 of 10,000 resamples"; and whether p is twice their share."""
    words = [p_text(test.p_value, test.setup.resamples, test.p_interval[1])]
    if math.isnan(test.p_value):
        return words[0]
    if test.exact:
        words.append("exact")
    if test.setup.resamples and not test.exact:
        words.append(f"{test.tail:,} of {count(test.setup.resamples, 'resample')}{DOUBLED if test.doubled else ''}")
    if test.ties:
        words.append(f"{test.ties:,} on the cut-off")
    return ", ".join(words)


def lines(test: TestResult, decimals: int = 2) -> list[tuple[float, str, bool]]:
    """The vertical lines of a panel from left to right: position, label, whether solid (the observed gain)."""
    scale = SAME * max(1.0, abs(test.gain))
    marked = [(test.gain, f"gain {minus(format_gain(test.gain, decimals))}", True)]
    for cutoff in sorted({c for c in test.cutoffs if math.isfinite(c)}):
        if abs(cutoff - test.gain) <= scale:
            continue
        if abs(cutoff + test.gain) <= scale:
            words = f"mirror {minus(format_gain(-test.gain, decimals))}"
        elif abs(cutoff - 2 * test.gain) <= 2 * scale:
            words = "2 × gain"
        else:
            words = "cut-off 0" if abs(cutoff) <= scale else f"cut-off {minus(format_gain(cutoff, decimals))}"
        marked.append((cutoff, words, False))
    return sorted(marked)
