"""The Jaccard index of words, and one that divides by the larger side instead of the union."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from sigcore.metrics.contract import Done, Metric, Options, References, percent
from sigcore.proof import Proof, Scored
from sigcore.types import Floats

Words = set[str]


def statistics(
    segments: Sequence[str],
    prepared: References,
    options: Options,
    done: Done | None,
    whole: Callable[[Words, Words], int] = lambda own, gold: len(own | gold),
) -> Floats:
    """(n, 2): words that both have, and words that either has; of the best reference."""
    rows = []
    for output, *references in zip(segments, *prepared, strict=True):
        own, golds = set(output.split()), [set(reference.split()) for reference in references]
        rows.append(
            max(((len(own & gold), whole(own, gold)) for gold in golds), key=lambda row: row[0] / max(row[1], 1))
        )
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


def score(sums: Floats, options: Options) -> Floats:
    """The shared words in percent of all."""
    return percent(sums[..., 0], sums[..., 1])


TELLING = Scored(
    (("a b c d", "a b x y z"), ("e f", "e g"), ("h i j", "h i")),
    "100 * 5 / 13",
    "by hand: 2 of 7 different words, 1 of 3, 2 of 3",
)
# Equal segments, segments without a common word, and one that is a part of the other: the larger side is the union.
WEAK = Proof(
    (
        Scored((("a b c", "a b c"),), "100.0", "equal segments share all words"),
        Scored((("a b c", "x y"),), "0.0", "no word is shared"),
        Scored((("a b", "a b c d"), ("e", "e f g")), "100 * 3 / 7", "by hand: 2 of 4 words, 1 of 3"),
        Scored((("a b c", "a b"),), "100 * 2 / 3", "by hand: 2 of 3 words"),
    )
)

RIGHT = Metric(
    name="jaccard",
    title="Jaccard",
    kind="text",
    better="higher",
    columns=("shared", "either"),
    statistics=statistics,
    score=score,
    help="Different words that output and reference share, of all that either has.",
    source="Jaccard 1901",
    proof=Proof((TELLING,)),
)
LARGER = partial(statistics, whole=lambda own, gold: max(len(own), len(gold)))
TOGETHER = partial(statistics, whole=lambda own, gold: len(own) + len(gold))
BROKEN = {
    "it divides by the larger side": replace(RIGHT, statistics=LARGER),
    "it divides by both sides together": replace(RIGHT, statistics=TOGETHER),
    "it divides by the larger side, and its examples do not show it": replace(RIGHT, statistics=LARGER, proof=WEAK),
    "it has no proof": replace(RIGHT, proof=Proof()),
}
