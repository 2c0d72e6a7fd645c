"""Whether several systems can be rivals: their scores in the same range, none of them a copy of the reference."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

FAR = 20.0  # the scores of rivals do not differ by this factor in both the largest and the median size
FEWEST = 3  # segments; in fewer, numbers differ by chance
NEARLY, MANY = 0.98, 30  # an output that equals gold in this share of this many segments is a copy of it


def different(scores: Sequence[tuple[str, Sequence[float]]]) -> tuple[str, str]:
    """Two systems whose scores, given by name, are on very different scales; ("", "") if there are none."""
    known = [(name, values) for name, values in scores if len(values) >= FEWEST and any(values)]
    below = [name for name, values in known if max(values) <= 0]
    above = [name for name, values in known if min(values) >= 0]
    if below and above:
        return below[0], above[0]
    sizes = sorted((_largest(values), _usual(values), name) for name, values in known)
    if len(sizes) < 2:
        return "", ""
    low, high = sizes[0], sizes[-1]
    far = high[0] > FAR * low[0] and high[1] > FAR * low[1]
    return (low[2], high[2]) if far else ("", "")


def _largest(values: Sequence[float]) -> float:
    return max(map(abs, values))


def _usual(values: Sequence[float]) -> float:
    return median(map(abs, values))


def is_copy(segments: Sequence[str], gold: Sequence[str]) -> bool:
    """Whether all segments, or nearly all of many, are those of a gold text of the same length."""
    equal = sum(map(str.__eq__, segments, gold))
    return equal == len(segments) or (len(segments) >= MANY and equal >= NEARLY * len(segments))
