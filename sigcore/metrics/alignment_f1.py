"""Alignment F: the weighted harmonic mean of alignment precision and recall."""

from __future__ import annotations

import numpy as np

from sigcore.metrics.contract import Metric, Options, only_reference, percent, rows, settings
from sigcore.proof import Proof
from sigcore.registry import Option, number_of
from sigcore.text import links
from sigcore.types import Floats


def score(sums: Floats, options: Options) -> Floats:
    """1 / (weight / precision + (1 - weight) / recall), 0 to 100, of sums (..., 4).

    0 if one of the two is 0, even if the other is undefined; nan if one is undefined and the other is not 0.
    """
    precision, recall = percent(sums[..., 3], sums[..., 0]), percent(sums[..., 2], sums[..., 1])
    weight = number_of(options, "precision_weight")
    zero = (precision == 0) | (recall == 0)
    below = np.where(zero, 1.0, weight * recall + (1 - weight) * precision)
    return np.where(zero, 0.0, precision * recall / below)


def title(options: Options) -> str:
    """F1, or F with the weight of precision where it is not 0.5."""
    weight = number_of(options, "precision_weight")
    return "Alignment F1" if weight == 0.5 else f"Alignment F (weight {weight:g})"


METRIC = Metric(
    name="alignment_f1",
    title=title,
    kind="alignments",
    better="higher",
    columns=links.COLUMNS,
    prepare=lambda references, options: links.gold_links(only_reference(references, "Alignment F")),
    statistics=rows,
    score=score,
    describe=lambda references, options: settings("alignment_f1", options),
    options=(
        Option(
            "precision_weight",
            0.5,
            low=0.1,
            high=0.9,
            help="Weight of precision against recall: 0.5 is F1; a smaller weight favours recall.",
        ),
    ),
    help="Harmonic mean of alignment precision (over possible links) and recall (over sure links).",
    source="Och & Ney 2003; Fraser & Marcu 2007",
    proof=Proof(oracle="of_metrics:alignment_f1"),
)
