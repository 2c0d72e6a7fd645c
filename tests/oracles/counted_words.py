"""Which words a program counted, found from nothing but its counts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

COMMON = 5e-4  # rarer words are left out, but for single characters (marks, which may be rare and still be counted)
USUAL = 1e-3


def counted_words(texts: Sequence[Sequence[str]], counts: Sequence[int], everything: Sequence[str]) -> set[str]:
    """The words W for which each text (a list of words) has exactly so many in W.

    `everything` is all text there is, for the frequency of words: of several answers the one with the most frequent
    words is taken. Raises: ValueError where there is none.
    """
    frequency = Counter(everything)
    words = [w for w, k in frequency.items() if k / len(everything) >= COMMON or len(w) == 1]
    place = {word: k for k, word in enumerate(words)}
    matrix = np.zeros((len(texts), len(words)))
    for row, text in zip(matrix, texts, strict=True):
        for word in text:
            if word in place:
                row[place[word]] += 1
    cost = [math.log(USUAL * len(everything) / frequency[word]) for word in words]
    found = milp(cost, integrality=1, bounds=Bounds(0, 1), constraints=LinearConstraint(matrix, counts, counts))
    if found.x is None:
        raise ValueError(f"No words fit the counts: {found.message}")
    return {word for word, taken in zip(words, found.x, strict=True) if taken > 0.5}
