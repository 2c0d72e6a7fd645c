"""Own scores: the mean of one number per segment, from any program, with a declared direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sigcore.errors import ReadError
from sigcore.metrics.contract import Done, Metric, Options, choice_of, read_number
from sigcore.proof import Proof, Scored
from sigcore.registry import Option
from sigcore.types import BETTER, Better, Floats


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 2): the score of the segment, and 1."""
    values = np.array([read_number(text) for text in segments], dtype=np.float64)
    for i in np.flatnonzero(np.isnan(values))[:1]:
        raise ReadError(f"{segments[i]!r} is not a number.", "", int(i) + 1, "Every segment needs a finite score.")
    return np.column_stack([values, np.ones(len(values))])


def score(sums: Floats, options: Options) -> Floats:
    """The mean of the segments' scores (nan without segments)."""
    n = sums[..., 1]
    return np.where(n > 0, sums[..., 0] / np.where(n > 0, n, 1.0), np.nan)


def better(options: Options) -> Better:
    """As the user declared it."""
    return choice_of(options, "better", BETTER)


def title(options: Options) -> str:
    """The name that the user gave to the scores."""
    return str(options["label"] or "mean score")


METRIC = Metric(
    name="own_scores",
    title=title,
    kind="scores",
    better=better,
    columns=("score", "segments"),
    statistics=statistics,
    score=score,
    decimals=4,
    options=(
        Option(
            "better",
            "higher",
            choices=BETTER,
            help="Whether higher scores are better (COMET, BLEURT, accuracy) or lower ones (MetricX, MQM errors, WER).",
        ),
        Option("label", None, optional=True, help="Name of the scores."),
    ),
    help="The mean of your own scores per segment (COMET, BLEURT, MetricX, an LLM judge, or any other).",
    source="the mean; scores from the program that computed them",
    proof=Proof(
        (Scored((("0.5",), ("-0.25",), ("1",), ("0.375",)), "(0.5 - 0.25 + 1 + 0.375) / 4", "the mean by hand"),)
    ),
)
