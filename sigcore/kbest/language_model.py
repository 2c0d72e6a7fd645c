"""A language model of pairs of words, from monolingual text: how likely a word is after another one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sigcore.errors import Undefined
from sigcore.types import Floats

BEGIN, END = "<s>", "</s>"
NAME = "language_model"  # of the feature


@dataclass(frozen=True, eq=False)
class BigramModel:
    """Counts of words and of pairs of words; BEGIN and END are the borders of segments.

    `followers` is how many different words follow each word. Words that the text does not have share one probability.
    """

    words: Counter[str]
    pairs: Counter[tuple[str, str]]
    before: Counter[str]
    followers: Counter[str]

    def probability(self, word: str, before: str) -> float:
        """P(word | before), interpolated with that of the word alone, and this with a uniform one.

        P(w | v) = (c(v, w) + t(v) P(w)) / (c(v) + t(v)) with t(v) different followers of v. Source: Witten & Bell 1991,
        as in Chen & Goodman 1998.
        """
        types = len(self.words)
        alone = (self.words[word] + types / (types + 1)) / (self.words.total() + types)
        seen, kinds = self.before[before], self.followers[before]
        return (self.pairs[before, word] + kinds * alone) / (seen + kinds) if seen else alone

    def between(self, vocabulary: Sequence[str]) -> Floats:
        """log P of every word (columns) after every word (rows), (V, V)."""
        return np.array([[math.log(self.probability(word, first)) for word in vocabulary] for first in vocabulary])

    def score(self, text: str) -> float:
        """log P of a segment with its end; its words are separated by spaces."""
        return sum(math.log(self.probability(word, first)) for first, word in pairwise([BEGIN, *text.split(), END]))


def trained(segments: Iterable[str]) -> BigramModel:
    """The model of a text, one segment each, words separated by spaces.

    Raises: Undefined for a text without words.
    """
    pairs = Counter[tuple[str, str]]()
    for segment in segments:
        if own := segment.split():
            pairs.update(pairwise([BEGIN, *own, END]))
    if not pairs:
        raise Undefined("The text for the language model has no words.", "", "Give plain text, one segment per line.")
    words, before, followers = Counter[str](), Counter[str](), Counter[str]()
    for (first, word), number in pairs.items():
        words[word] += number
        before[first] += number
        followers[first] += 1
    return BigramModel(words, pairs, before, followers)
