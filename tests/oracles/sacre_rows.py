"""The statistics of every segment as sacrebleu itself computes them (a private function of it, hence the pin)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

Rows = NDArray[np.float64]
Streams = Sequence[Sequence[str]]


def bleu(references: Streams, **options: Any) -> Callable[[Sequence[str]], Rows]:
    """A function from a system's segments to BLEU's rows (n, 2 + 2 * max_order)."""
    order = options.pop("max_order", 4)
    return _rows(BLEU(references=references, force=True, max_ngram_order=order, **options))


def chrf(references: Streams, **options: Any) -> Callable[[Sequence[str]], Rows]:
    """A function from a system's segments to chrF's rows (n, 3 * (char_order + word_order))."""
    return _rows(CHRF(references=references, **options))


def ter(references: Streams, **options: Any) -> Callable[[Sequence[str]], Rows]:
    """A function from a system's segments to TER's rows (n, 2)."""
    return _rows(TER(references=references, **options))


def _rows(metric: Any) -> Callable[[Sequence[str]], Rows]:
    return lambda segments: np.array(metric._extract_corpus_statistics(segments, None), dtype=np.float64)
