"""Whether the scores of several systems can be in the same range."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

FAR = 20.0  # the scores of rivals do not differ by this factor in both the largest and the median size
FEWEST = 3  # segments; in fewer, numbers differ by chance


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
