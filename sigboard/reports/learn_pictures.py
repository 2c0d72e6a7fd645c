"""The picture of a lesson for its handout, as SVG; "" for a lesson whose numbers are enough."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sigboard.figures.compare_bars import Bars
from sigboard.reports.picture import Picture, drawn, histogram
from sigboard.reports.svg import svg
from sigcore import Floats
from sigcore.formatting import format_gain
from sigcore.studies import learn

LEVEL, MOST = 0.05, 30


def picture(word: str, numbers: Any) -> str:
    """The picture of the lesson of that word."""
    return PICTURES[word](numbers) if word in PICTURES else ""


def _test(name: str) -> Callable[[learn.Steps], str]:
    return lambda numbers: _shown(histogram(numbers.compared.result(name, "two-sided")))


def _shown(picture: Picture | None) -> str:
    return "" if picture is None else svg(picture)


def _three(numbers: learn.Steps) -> str:
    parts = [(numbers.compared.result(name, "two-sided"), _test(name)(numbers)) for name in learn.TESTS]
    return "".join(f"<figure><figcaption>{test.setup.test_title}</figcaption>{shown}</figure>" for test, shown in parts)


def _tail(numbers: learn.Lab) -> str:
    own, counts = numbers.shown.statistics, numbers.shown.counts
    keep = np.isfinite(own)
    cuts = [cut for cut in numbers.shown.cutoffs if np.isfinite(cut)]
    edges = np.unique([*np.histogram_bin_edges(own[keep], 50), *cuts])
    heights = np.histogram(own[keep], edges)[0].astype(float)
    middles = (edges[:-1] + edges[1:]) / 2
    tail = (middles > max(cuts)) | (middles < min(cuts) if len(cuts) > 1 else np.zeros(len(middles), dtype=bool))
    words = f"Histogram of the resamples: {int(counts.sum()):,} of {len(own):,} count"
    return svg(drawn(_bars(edges, heights, tail), cuts, words, lambda value: format_gain(value, 2), [0.0]))


def _null(numbers: learn.Factory) -> str:
    edges = np.linspace(0, 1, learn.BINS + 1)
    heights = numbers.counts(len(numbers.p))
    words = f"Histogram of {len(numbers.p):,} p-values"
    return svg(drawn(_bars(edges, heights, edges[1:] <= LEVEL), [], words, lambda value: f"{value:g}", [LEVEL]))


def _many(numbers: learn.Many) -> str:
    found = numbers.found(LEVEL)
    edges = np.arange(max(10, int(found.max()) + 2), dtype=float)
    heights = np.histogram(found, edges)[0].astype(float)
    words = f"Histogram of the false alarms of {len(found)} worlds"
    return svg(drawn(_bars(edges, heights, edges[:-1] > 0), [], words, lambda value: f"{value:g}", []))


def _bars(edges: Floats, heights: Floats, tail: Any) -> Bars:
    return Bars(edges[:-1], edges[1:], heights, tail, np.zeros(len(heights), dtype=bool))


PICTURES: dict[str, Callable[[Any], str]] = {
    "shuffle": _test("approximate_randomization"),
    "bootstrap": _test("bootstrap_shift"),
    "three": _three,
    "tail": _tail,
    "null": _null,
    "many": _many,
}
