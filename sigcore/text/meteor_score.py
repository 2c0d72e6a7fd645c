"""METEOR's 23 statistics of a segment, its score of any sum of them, its parameters, and a row of them read from text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sigcore.errors import SigError
from sigcore.types import Floats

STAGES = 4
FEW = 4096  # up to so many scores in one row have every digit of the plain power
_plain_power = np.vectorize(math.pow, otypes=[float])

_OF_A_STAGE = ("output_content", "reference_content", "output_function", "reference_function")

# In the order of the Java program's -ssOut. A stage is a place in its list of matchers: 1 exact, 2 stem, 3 synonym and
# 4 paraphrase for English; without a matcher for synonyms the paraphrases are the stage before.
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
    """What METEOR was tuned to: weight of recall (alpha), form and weight of the penalty for fragments (beta, gamma),
    weight of content words (delta), and the weight of a match of each stage."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


# By language; "other" is for all that are not here. Tuned to rankings of the WMT evaluations (METEOR's task "rank").
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

# Tuned to judgements of adequacy in place of rankings (METEOR's task "adq"), English only. Source: as above.
METEOR_ADEQUACY = MeteorParameters(0.75, 1.40, 0.45, 0.70, (1.0, 1.0, 0.6, 0.8))


def meteor_score(
    sums: Floats, alpha: float, beta: float, gamma: float, delta: float, weights: Sequence[float]
) -> Floats:
    """METEOR as a share, 0 to 1 (the Java program's "Final score"), of sums (..., 23) in the order of METEOR_COLUMNS.

    `weights` has one number for each stage that counts; matches of the others weigh nothing. Nothing matched gives 0,
    no words on either side nan. Source: Denkowski and Lavie 2014.
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

    All content first, then all function words: then the last digit is the Java program's too.
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
    # numpy's vector form may differ in the last digit; blocks of resamples are spared the plain one
    plain = base.ndim <= 1 and base.size <= FEW
    return np.asarray(_plain_power(base, exponent) if plain and base.size else base**exponent)


def meteor_row(line: str, where: str = "") -> tuple[float, ...]:
    """The 23 statistics of one line of the Java program's -ssOut, ready to be added.

    The program prints one chunk for a segment that is matched whole in one piece, but counts none: so does this.
    Raises: SigError, saying at `where`, for a line that cannot be such a row.
    """
    cells = line.split()
    if len(cells) != len(METEOR_COLUMNS):
        what = f"{len(cells)} numbers, a row of METEOR statistics has {len(METEOR_COLUMNS)}."
        raise SigError(what, where, "Take the rows that METEOR 1.5 prints with -ssOut, one for each segment.")
    row = tuple(_number(cell, where) for cell in cells)
    _check(row, where)
    output, reference = row[0] == row[21], row[1] == row[22]
    whole = row[20] == 1 and output and reference
    return (*row[:20], 0.0 if whole else row[20], *row[21:])


def _number(cell: str, where: str) -> float:
    try:
        # Python alone would also read 1_000 and digits of other scripts
        value = float(cell) if cell.isascii() and "_" not in cell else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise SigError(f"{cell[:40]!r} is no count.", where, "All 23 numbers must be 0 or more.")
    return value


def _check(row: tuple[float, ...], where: str) -> None:
    """Nothing; raises SigError where the counts contradict each other."""
    for side, name in enumerate(("output", "reference")):
        words, function, matched = row[side], row[2 + side], row[21 + side]
        if function > words:
            raise _contradiction(f"{function:g} function words among {words:g} words of the {name}", where)
        if matched > words:
            raise _contradiction(f"{matched:g} matched words among {words:g} words of the {name}", where)
        parts = sum(row[4 + side : 20 : 2])
        if not math.isclose(parts, matched, abs_tol=1e-6):
            raise _contradiction(f"matches of the {name} by stage add up to {parts:g}, not {matched:g}", where)
    if row[20] > min(row[21], row[22]):
        raise _contradiction(f"{row[20]:g} chunks of {min(row[21], row[22]):g} matched words", where)


def _contradiction(what: str, where: str) -> SigError:
    return SigError(
        f"No row of METEOR statistics: {what}.", where, "Are these the numbers of -ssOut, all 23 in their order?"
    )
