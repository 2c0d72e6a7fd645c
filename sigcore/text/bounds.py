"""What one segment may cost a metric whose time grows faster than the text: the only table of these bounds.

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

    The cost is `what`, and `unit` is in what a segment is measured. `most` is the bound of the compiled kernel, half a
    second; `plain` that of the way without kernels, where it is slower.
    """

    metric: str
    unit: str
    what: str
    most: int
    plain: int

    def limit(self, compiled: bool) -> int:
        """The bound with or without the compiled kernels."""
        return self.most if compiled else self.plain

    def __str__(self) -> str:
        slower = "" if self.plain == self.most else f" ({self.plain:,} without compiled kernels)"
        return f"{self.what}: at most {self.most:,}{slower}"


PRODUCT = "{0} of the segment times {0} of its reference"

# A job can be cancelled between two segments, so each bound is what one core computes in half a second with one reference
# (`make bench ARGS=bounds`; 2026). Beside each: what the way without kernels takes at most, and its memory.
WER = Bound("WER", "words", PRODUCT.format("words"), 200_000_000, 200_000_000)  # 0.1 s, 14 MB
CER = Bound("CER", "characters", PRODUCT.format("characters"), 200_000_000, 200_000_000)  # 0.1 s, 14 MB
TER = Bound("TER", "words", PRODUCT.format("words"), 200_000_000, 90_000)  # 12 s, 80 MB
METEOR = Bound("METEOR", "words", PRODUCT.format("words"), 8_000_000, 8_000_000)  # 1 s
# Every pair is tried on 40 paths.
METEOR_MATCHES = Bound("METEOR", "words", "pairs of words that match", 1_000_000, 10_000)  # 1 s
# A sentence of the summary costs at least as much as SENTENCE words: it is one step of plain Python. Of one word each: 1 s.
ROUGE_L = Bound("ROUGE-L", "words", PRODUCT.format("words"), 500_000_000, 500_000_000)
SENTENCE = 1_000


def check(bound: Bound, outputs: Ints, references: Ints, first: int, compiled: bool = True) -> None:
    """Refuse the first segment whose length (n,) times that of one of its references (n, references) is over the bound.

    `first` is the place of the first of these n segments in the test set.
    Raises: SigError that names the segment, its length and the likely reason.
    """
    costs = outputs[:, None] * references
    over = np.argwhere(costs > bound.limit(compiled))
    if over.size:
        i, stream = over[0]
        refuse(bound, first + int(i), (int(outputs[i]), int(references[i, stream])), int(costs[i, stream]), compiled)


def refuse(bound: Bound, segment: int, lengths: tuple[int, int], cost: int, compiled: bool = True) -> None:
    """Raise SigError if the cost of a segment (counted from 0) is over the bound; `lengths` are its own and its reference's."""
    most = bound.limit(compiled)
    if cost <= most:
        return
    output, reference = lengths
    what = (
        f"It is too long for {bound.metric}: {output:,} {bound.unit}, and {reference:,} in its reference. "
        f"The bound is {most:,} {bound.what}; here it is {cost:,}."
    )
    fix = (
        "Check that the files have one segment per line: their line ends may be lost. BLEU and chrF have no such bound."
    )
    raise SigError(what, f"segment {segment + 1}", fix)
