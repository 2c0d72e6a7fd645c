"""The n-grams that segments share with their references: counted once for BLEU and chrF, weighed for NIST."""

from __future__ import annotations

import numpy as np

from sigcore.text.symbols import Joined, Symbols
from sigcore.types import Ints


def shared(text: Symbols, references: Joined, start: int, order: int) -> Ints:
    """Clipped n-gram matches (segments, order) of segments `start` and following with their references.

    Where there are several references, an n-gram may match as often as the one that has it most.
    Cost: O(order * symbols).
    """
    from sigcore.text.kernels.ngrams import matches

    totals = np.zeros((text.lengths.size, order), dtype=np.int64)
    matches(text.numbers, text.starts, references.numbers, references.starts, start, totals)
    return totals


def ngram_counts(lengths: Ints, order: int) -> Ints:
    """The numbers of n-grams (lines, order) in lines of these lengths."""
    return np.maximum(lengths[:, None] - np.arange(order), 0)
