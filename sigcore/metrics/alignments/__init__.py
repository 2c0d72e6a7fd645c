"""Measures of word alignments over sure and possible links: AER, precision, recall and their weighted harmonic mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from sigcore.metrics.contract import Metric, Options, References, only_reference, percent, rows, settings
from sigcore.proof import Proof
from sigcore.registry import Option, number_of
from sigcore.text import links
from sigcore.types import Better, Floats


def error_rate(sums: Floats, options: Options) -> Floats:
    """AER in percent, 100 - 100 (|A and S| + |A and P|) / (|A| + |S|), of sums (..., 4); nan without any link."""
    return 100.0 - percent(sums[..., 2] + sums[..., 3], sums[..., 0] + sums[..., 1])


def precision(sums: Floats, options: Options) -> Floats:
    """|A and P| / |A|, 0 to 100, of sums (..., 4); nan where the system has no links."""
    return percent(sums[..., 3], sums[..., 0])


def recall(sums: Floats, options: Options) -> Floats:
    """|A and S| / |S|, 0 to 100, of sums (..., 4); nan where there are no sure gold links."""
    return percent(sums[..., 2], sums[..., 1])


def f(sums: Floats, options: Options) -> Floats:
    """1 / (weight / precision + (1 - weight) / recall), 0 to 100, of sums (..., 4).

    0 if one of the two is 0, even if the other is undefined; nan if one is undefined and the other is not 0.
    """
    right, found = precision(sums, options), recall(sums, options)
    weight = number_of(options, "precision_weight")
    zero = (right == 0) | (found == 0)
    below = np.where(zero, 1.0, weight * found + (1 - weight) * right)
    return np.where(zero, 0.0, right * found / below)


def _title(options: Options) -> str:
    """F1, or F with the weight of precision where it is not 0.5."""
    weight = number_of(options, "precision_weight")
    return "Alignment F1" if weight == 0.5 else f"Alignment F (weight {weight:g})"


def _gold(title: str, references: References, options: Options) -> links.GoldLinks:
    return links.gold_links(only_reference(references, title))


def _metric(
    name: str, title: str, better: Better, score: Callable[[Floats, Options], Floats], help: str, *golden: str
) -> Metric:
    return Metric(
        name=name,
        title=title,
        kind="alignments",
        better=better,
        columns=links.COLUMNS,
        prepare=partial(_gold, title),
        statistics=rows,
        score=score,
        help=help,
        source="Och & Ney 2003",
        proof=Proof(oracle=f"of_metrics:{name}", golden=golden),
    )


NOTES = """The counts are summed over the test set, so AER is not the mean over sentences. Precision uses possible links (sure
links are possible too), recall uses sure links. Gold links in two files have the roles reference (sure links) and
possible (possible links). A link that a system marks as possible counts like any other of its links."""
RATE = "Alignment error rate: links that are not possible, and sure links that are missing; lower is better."
RIGHT = "Share of a system's links that are sure or possible in the gold links."
MEAN = "Harmonic mean of alignment precision (over possible links) and recall (over sure links)."
WEIGHT = "Weight of precision against recall: 0.5 is F1; a smaller weight favours recall."
FOUND = "Share of the sure gold links that a system has."
METRICS = (
    replace(_metric("aer", "AER", "lower", error_rate, RATE, "aer.lilt", "aer.nltk"), notes=NOTES),
    replace(
        _metric("alignment_f1", "Alignment F", "higher", f, MEAN),
        title=_title,
        describe=lambda references, options: settings("alignment_f1", options),
        options=(Option("precision_weight", 0.5, low=0.1, high=0.9, help=WEIGHT),),
        source="Och & Ney 2003; Fraser & Marcu 2007",
    ),
    _metric("alignment_precision", "Alignment precision", "higher", precision, RIGHT, "aer.nltk"),
    _metric("alignment_recall", "Alignment recall", "higher", recall, FOUND, "aer.nltk"),
)
