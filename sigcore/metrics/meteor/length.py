"""Whether segments are short enough for METEOR's search, which tries every pair of words that match."""

from __future__ import annotations

import numpy as np

from sigcore.metrics.meteor.word_table import EXACT, STEM, SYNONYM, WordTable
from sigcore.text import bounds
from sigcore.text.symbols import Joined, Numbers, Symbols
from sigcore.types import Ints


def check(text: Symbols, gold: Joined, first: int, stages: int, table: WordTable, compiled: bool) -> None:
    """Raise SigError for the first segment over one of METEOR's two bounds; segment i belongs to line first + i."""
    last = first + text.lengths.size
    lengths = (gold.starts[:, first + 1 : last + 1] - gold.starts[:, first:last]).T  # (segments, references)
    bounds.check(bounds.METEOR, text.lengths, lengths, first, compiled)
    most = bounds.METEOR_MATCHES.limit(compiled)
    # no more pairs can match than there are, in each stage: short segments need not be counted
    for i, stream in np.argwhere(stages * text.lengths[:, None] * lengths > most):
        output = text.numbers[text.starts[i] : text.starts[i + 1]]
        start = gold.starts[stream, first + i]
        reference = gold.numbers[start : start + lengths[i, stream]]
        sizes = (output.size, reference.size)
        matches = matching(output, reference, stages, table)
        bounds.refuse(bounds.METEOR_MATCHES, first + int(i), sizes, matches, compiled)


def matching(output: Numbers, reference: Numbers, stages: int, table: WordTable) -> int:
    """At most how many matches the search has to try: pairs of equal words, of equal stems, and of synonyms.

    Equal words, which have equal stems too, count once; words that share several sets of synonyms may count more often.
    """
    pairs = [_pairs(*(_marks(words, stage, table) for words in (output, reference))) for stage in range(stages)]
    return max(pairs[:SYNONYM]) + sum(min(shared, output.size * reference.size) for shared in pairs[SYNONYM:])


def _pairs(output: Numbers | Ints, reference: Numbers | Ints) -> int:
    """The number of pairs of equal numbers."""
    (one, often), (other, times) = (np.unique(each, return_counts=True) for each in (output, reference))
    _, here, there = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    return int(often[here] @ times[there])


def _marks(words: Numbers, stage: int, table: WordTable) -> Numbers | Ints:
    """What has to be equal for two words to match in a stage: the words, their stems, or one of their sets."""
    if stage == EXACT:
        return words
    if stage == STEM:
        return table.stems[words]
    sets = [table.sets[table.starts[word] : table.starts[word + 1]] for word in words]
    return np.concatenate([np.empty(0, np.int64), *sets])
