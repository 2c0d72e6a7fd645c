"""A histogram of the null as a small SVG picture: no script, no font, colours from the style sheet of the page."""

from __future__ import annotations

import math
from collections.abc import Callable

from sigboard.figures.compare_bars import Bars, bars
from sigcore import TestResult
from sigcore.formatting import format_gain

WIDTH, HEIGHT, MARGIN, FOOT = 560, 190, 12, 26


def histogram(result: TestResult) -> str:
    """The null of one pair: bars, those that count in another colour, dashed lines at the cut-offs, zero and the ends as
    ticks. Exact tests draw nothing and have no bars."""
    if result.exact or not int(result.histogram.counts.sum()):
        return ""
    shown = bars(result.histogram, result.cutoffs, result.setup.decimals)
    cuts = [cut for cut in result.cutoffs if math.isfinite(cut)]
    words = f"Histogram of {result.counted}: {result.tail:,} of {result.setup.resamples:,} count"
    return drawn(shown, cuts, words, lambda value: format_gain(value, result.setup.decimals) if value else "0", (0.0,))


def drawn(
    shown: Bars, cuts: list[float], words: str, write: Callable[[float], str], marked: tuple[float, ...] = ()
) -> str:
    """Bars with dashed lines at the `cuts`; ticks, as `write` has them, there, at the `marked` places and at the ends."""
    low = min([float(shown.left.min()), *cuts, *marked])
    high = max([float(shown.right.max()), *cuts, *marked])
    tallest = float(shown.heights.max()) or 1.0

    def x(value: float) -> float:
        return MARGIN + (value - low) / (high - low or 1.0) * (WIDTH - 2 * MARGIN)

    base = HEIGHT - FOOT
    parts = []
    for left, right, height, tail in zip(shown.left, shown.right, shown.heights, shown.tail, strict=True):
        if height:
            tall = float(height) / tallest * (base - MARGIN)
            width = max(x(float(right)) - x(float(left)) - 0.5, 0.5)
            kind = "tail" if tail else "bar"
            parts.append(
                f'<rect class="{kind}" x="{x(float(left)):.1f}" y="{base - tall:.1f}" width="{width:.1f}" height="{tall:.1f}"/>'
            )
    parts += [f'<line class="cut" x1="{x(cut):.1f}" x2="{x(cut):.1f}" y1="{MARGIN}" y2="{base}"/>' for cut in cuts]
    parts.append(f'<line class="axis" x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{base}" y2="{base}"/>')
    parts += _ticks([low, *cuts, *marked, high], x, write)
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{words}">{"".join(parts)}</svg>'


def _ticks(values: list[float], x: Callable[[float], float], write: Callable[[float], str]) -> list[str]:
    """Labels below the axis, from the most important to the least; one that would cover another is left out."""
    order = [*values[1:-1], values[0], values[-1]]
    out, taken = [], list[float]()
    for value in order:
        place = min(max(x(value), MARGIN + 16), WIDTH - MARGIN - 16)
        if all(abs(place - other) > 48 for other in taken):
            taken.append(place)
            out.append(f'<text x="{place:.1f}" y="{HEIGHT - 8}" text-anchor="middle">{write(value)}</text>')
    return out
