"""Own scores: the mean of one number per segment, from any program, with a direction that is stated, known or assumed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from sigcore import measures
from sigcore.errors import ReadError
from sigcore.metrics.contract import (
    Done,
    Metric,
    Options,
    References,
    Swapped,
    choice_of,
    described,
    options_of,
    read_number,
)
from sigcore.proof import Proof, Scored
from sigcore.text import mean_pairs
from sigcore.types import Direction, Floats

Stated = Literal["automatic", "higher", "lower", "negated"]
STATED: tuple[Stated, ...] = ("automatic", "higher", "lower", "negated")


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 2): the score of the segment, and 1."""
    known = {text: read_number(text) for text in set(segments)}  # right and wrong answers are two numbers
    values = np.array([known[text] for text in segments], dtype=np.float64)
    for i in np.flatnonzero(np.isnan(values))[:1]:
        raise ReadError(f"{segments[i]!r} is not a number.", "", int(i) + 1, "Every segment needs a finite score.")
    return np.column_stack([values, np.ones(len(values))])


def score(sums: Floats, options: Options) -> Floats:
    """The mean of the segments' scores (nan without segments)."""
    n = sums[..., 1]
    if n.min(initial=1.0) > 0:  # as always but for empty parts of a test set
        return np.asarray(sums[..., 0] / n)
    return np.where(n > 0, sums[..., 0] / np.where(n > 0, n, 1.0), np.nan)


def better(options: Options) -> Direction:
    """As the user stated it, or as it is known by the label, or higher, which is assumed."""
    stated = choice_of(options, "better", STATED)
    known = measures.direction_of(str(options["label"] or ""))
    if stated == "negated":
        return Direction("higher", "known" if known.why == "known" else "stated")
    return known if stated == "automatic" else Direction(stated, "stated")


def describe(references: References, options: Options) -> str:
    """The signature, with the direction and why it is that."""
    direction = better(options)
    label = f"|label:{options['label']}" if options["label"] else ""
    return f"own_scores|better:{direction.better}|why:{direction.why}{label}"


METRIC = Metric(
    **described("own_scores"),
    title=lambda options: str(options["label"] or "mean score"),
    kind="scores",
    better=better,
    columns=("score", "segments"),
    statistics=statistics,
    score=score,
    swapped=Swapped(mean_pairs.KERNELS, mean_pairs.means),
    decimals=4,
    describe=describe,
    options=options_of("own_scores", better=STATED),
    proof=Proof(
        (Scored((("0.5",), ("-0.25",), ("1",), ("0.375",)), "(0.5 - 0.25 + 1 + 0.375) / 4", "the mean by hand"),)
    ),
)
