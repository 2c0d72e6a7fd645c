"""METEOR's 23 statistics of a segment, its parameters, and its score of any sum of the statistics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sigcore.types import Floats

STAGES = 4
FEW = 4096  # a single row of at most this many scores uses math.pow
_plain_power = np.vectorize(math.pow, otypes=[float])

_OF_A_STAGE = ("output_content", "reference_content", "output_function", "reference_function")

# In the order of the Java program's -ssOut. A stage is a place in its list of matchers: 1 exact, 2 stem, 3 synonym and
# 4 paraphrase for English; in languages without synonyms, paraphrases are one stage earlier.
METEOR_COLUMNS: tuple[str, ...] = (
    "output_words",
    "reference_words",
    "output_function",
    "reference_function",
    *(f"m{stage}_{name}" for stage in range(1, STAGES + 1) for name in _OF_A_STAGE),
    "chunks",
    "output_matched",
    "reference_matched",
)


@dataclass(frozen=True)
class MeteorParameters:
    """METEOR's tuned parameters: weight of recall (alpha), form and weight of the fragmentation penalty (beta, gamma),
    weight of content words (delta), and the weight of a match in each stage."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


# By language; "other" is for all other languages. Tuned to rankings of the WMT evaluations (METEOR's task "rank").
# Source: Denkowski and Lavie 2014 (and 2011 for all but ru and other); the defaults of METEOR 1.5.
METEOR_PARAMETERS: dict[str, MeteorParameters] = {
    "en": MeteorParameters(0.85, 0.20, 0.60, 0.75, (1.0, 0.6, 0.8, 0.6)),
    "cs": MeteorParameters(0.95, 0.20, 0.60, 0.80, (1.0, 0.4)),
    "de": MeteorParameters(0.95, 1.00, 0.55, 0.55, (1.0, 0.8, 0.2)),
    "es": MeteorParameters(0.65, 1.30, 0.50, 0.80, (1.0, 0.8, 0.6)),
    "fr": MeteorParameters(0.90, 1.40, 0.60, 0.65, (1.0, 0.2, 0.4)),
    "ru": MeteorParameters(0.75, 1.40, 0.70, 0.50, (1.0, 0.5, 0.5)),
    "other": MeteorParameters(0.75, 1.40, 0.70, 0.50, (1.0, 0.5, 0.5)),
}

# Tuned to judgements of adequacy instead of rankings (METEOR's task "adq"), for English only. Source: as above.
METEOR_ADEQUACY = MeteorParameters(0.75, 1.40, 0.45, 0.70, (1.0, 1.0, 0.6, 0.8))


def meteor_score(
    sums: Floats, alpha: float, beta: float, gamma: float, delta: float, weights: Sequence[float]
) -> Floats:
    """METEOR as a share, 0 to 1 (the Java program's "Final score"), of sums (..., 23) in the order of METEOR_COLUMNS.

    `weights` has one number for each stage that counts; matches of other stages count nothing. 0 where nothing matches,
    nan where neither side has words. Source: Denkowski and Lavie 2014.
    """
    precision_of, recall_of = _weighted(sums, delta, weights, 0), _weighted(sums, delta, weights, 1)
    known = (precision_of[1] > 0) | (recall_of[1] > 0)
    precision, recall = _share(*precision_of), _share(*recall_of)
    matched = (precision > 0) & (recall > 0)
    safe_p, safe_r = np.where(matched, precision, 1.0), np.where(matched, recall, 1.0)
    mean = 1.0 / ((1.0 - alpha) / safe_p + alpha / safe_r)
    fragments = _share(sums[..., 20], (sums[..., 21] + sums[..., 22]) / 2.0)
    score = mean * (1.0 - gamma * _power(fragments, beta))
    return np.where(known, np.where(matched, score, 0.0), np.nan)


def _weighted(sums: Floats, delta: float, weights: Sequence[float], side: int) -> tuple[Floats, Floats]:
    """Weighted matches and weighted words of the output (side 0) or the reference (side 1).

    Content words are added before function words, as in the Java program, so that the last digit is the same.
    """
    matches = np.zeros(sums.shape[:-1])
    for kind, share in ((4, delta), (6, 1.0 - delta)):
        for stage, weight in enumerate(weights):
            if weight:
                matches = matches + sums[..., kind + 4 * stage + side] * weight * share
    words, function = sums[..., side], sums[..., 2 + side]
    return matches, (words - function) * delta + function * (1.0 - delta)


def _share(part: Floats, whole: Floats) -> Floats:
    """part / whole, 0 where the whole is 0."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), 0.0)


def _power(base: Floats, exponent: float) -> Floats:
    # numpy's vector form may differ in the last digit; math.pow would be too slow for blocks of resamples
    plain = base.ndim <= 1 and base.size <= FEW
    return np.asarray(_plain_power(base, exponent) if plain and base.size else base**exponent)
