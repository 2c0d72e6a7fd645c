"""What the sizes mean for a new test set, as sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sigcore.formatting import format_level, format_size
from sigcore.studies.size.result import Line, Needed
from sigcore.types import Setup

HINDSIGHT = (
    "These numbers plan a new test set; they are not about the observed gain. Power computed at the observed gain is only p "
    "on another scale (p of .05 always has about 50 % power), so it cannot show that a test set was too small for a gain that "
    "was not significant. Use the interval of the gain for that."
)


def of_curve(line: Line, setup: Setup) -> str:
    """How the threshold of a class falls with the size."""
    return (
        f"{line.pair_class}: the threshold falls as segments to the power {line.slope:.2f} (-0.50 is expected); "
        f"threshold = {format_size(line.constant, setup.decimals)} {setup.metric_title} / sqrt(segments)."
    )


def of_needed(needed: Sequence[Needed], setup: Setup, alpha: float, most: float) -> tuple[str, ...]:
    """The segments that a gain needs, for each probability, of the median pair and of nearly all pairs."""
    out = []
    for middle in (item for item in needed[:2] if not math.isnan(item.segments)):
        nearly = next(item for item in needed[2:4] if item.power == middle.power)
        out.append(
            f"To find a true gain of {format_size(middle.gain, setup.decimals)} {setup.metric_title} with a probability of "
            f"{format_level(middle.power)} (two-sided, alpha {alpha:g}), about {rounded(middle.segments):,} segments like "
            f"these are needed for the median pair of these systems; about {rounded(nearly.segments):,} are enough for "
            f"{format_level(most)} of the pairs."
        )
    return tuple(out)


def rounded(segments: float) -> int:
    """The number in two significant digits, rounded up."""
    step = 10 ** max(0, len(str(math.ceil(segments))) - 2)
    return math.ceil(segments / step) * step
