"""What one segment may cost a metric whose time grows faster than the text: the only table of these bounds.

A bound is on the cost alone: the same segment is refused on every machine, and what is compiled plays no part.

All other metrics take time and memory in proportion to the text. A bound is far above the segments of any test set we
know; who meets it has usually lost the line ends of a file, so that a whole file is one segment.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sigcore.errors import SigError
from sigcore.types import Ints


@dataclass(frozen=True)
class Bound:
    """The largest cost of one segment with one reference.

    The cost is `what`, and `unit` is in what a segment is measured.
    """

    metric: str
    unit: str
    what: str
    most: int

    def __str__(self) -> str:
        return f"{self.what}: at most {self.most:,}"


PRODUCT = "{0} of the segment times {0} of its reference"

# A job can be cancelled between two segments, so each bound is what one core computes in about half a second with one
# reference (`make bench ARGS=bounds`; 2026). Beside each: what the way without kernels takes at most, and its memory.
WER = Bound("WER", "words", PRODUCT.format("words"), 200_000_000)  # has no kernels
CER = Bound("CER", "characters", PRODUCT.format("characters"), 200_000_000)  # has no kernels
TER = Bound("TER", "words", PRODUCT.format("words"), 10_000_000)  # 3 min, 0.6 GB
METEOR = Bound("METEOR", "words", PRODUCT.format("words"), 8_000_000)  # 1 s
# Every pair is tried on 40 paths.
METEOR_MATCHES = Bound("METEOR", "words", "pairs of words that match", 1_000_000)  # 60 s
# A sentence of the summary costs at least as much as SENTENCE words: it is one step of plain Python. Of one word each: 1 s.
ROUGE_L = Bound("ROUGE-L", "words", PRODUCT.format("words"), 500_000_000)
SENTENCE = 1_000

# Above this cost a segment is slow in TER and METEOR without kernels: about SECONDS for each unit of its cost.
SLOW, SECONDS = 10_000, 5e-5


def check(bound: Bound, outputs: Ints, references: Ints, first: int) -> Ints:
    """Refuse the first segment whose length (n,) times that of one of its references (n, references) is over the bound.

    `first` is the place of the first of these n segments in the test set. The costs (n, references) of segments that pass.
    Raises: SigError that names the segment, its length and the likely reason.
    """
    costs: Ints = outputs[:, None] * references
    over = np.argwhere(costs > bound.most)
    if over.size:
        i, stream = over[0]
        refuse(bound, first + int(i), (int(outputs[i]), int(references[i, stream])), int(costs[i, stream]))
    return costs


def refuse(bound: Bound, segment: int, lengths: tuple[int, int], cost: int) -> None:
    """Raise SigError if the cost of a segment (counted from 0) is over the bound; `lengths` are its own and its reference's."""
    if cost <= bound.most:
        return
    output, reference = lengths
    what = (
        f"It is too long for {bound.metric}: {output:,} {bound.unit}, and {reference:,} in its reference. "
        f"The bound is {bound.most:,} {bound.what}; here it is {cost:,}."
    )
    fix = (
        "Check that the files have one segment per line: their line ends may be lost. BLEU and chrF have no such bound."
    )
    raise SigError(what, f"segment {segment + 1}", fix)


def seconds(costs: Ints) -> float:
    """About how long TER or METEOR takes without kernels for those costs that are large; usual segments are not counted."""
    return float(costs[costs > SLOW].sum()) * SECONDS
