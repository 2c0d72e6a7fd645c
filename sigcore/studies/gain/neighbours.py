""" "My gain is x": how many of the pairs with about such a gain were significant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sigcore.errors import OptionError
from sigcore.formatting import count, format_gain, format_size
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.results import GainResult

WITHIN = 0.2  # a neighbouring gain differs by at most this share of the gain


@dataclass(frozen=True)
class Neighbours:
    """The `pairs` whose gains are from `least` to `most`, WITHIN around `gain`, and how many of them are `significant`.

    `low` and `high` are the exact interval of the share, as if the pairs were independent; 0 and 1 without a pair.
    """

    gain: float
    pairs: int
    least: float
    most: float
    significant: int
    low: float
    high: float
    alpha: float
    metric: str
    decimals: int

    def __str__(self) -> str:
        ends = f"{format_size(self.least, self.decimals)} to {format_size(self.most, self.decimals)} {self.metric}"
        gain = f"A gain of {format_gain(self.gain, self.decimals)} {self.metric}"
        if not self.pairs:
            return f"{gain}: no pair here has about such a gain ({ends}), so these pairs say nothing about it."
        verb = "was" if self.significant == 1 else "were"
        return (
            f"{gain}: {self.significant} of the {count(self.pairs, 'pair')} here with about such a gain ({ends}) {verb} "
            f"significant at alpha {self.alpha:g}; the 95 % interval of this share, if pairs were independent, is "
            f"[{100 * self.low:.0f} %, {100 * self.high:.0f} %]. Pairs that share a system are not, so it is too narrow."
        )

    def as_dict(self) -> dict[str, Any]:
        """One object of JSON."""
        return {
            "gain": self.gain,
            "pairs": self.pairs,
            "least": self.least,
            "most": self.most,
            "significant": self.significant,
            "low": self.low,
            "high": self.high,
            "sentence": str(self),
        }


def near(result: GainResult, gain: float, alpha: float) -> Neighbours:
    """The pairs of the result with about this gain, among those that have a verdict at alpha.

    Raises: OptionError for a gain that is not above 0: every pair is turned so that its gain is positive.
    """
    if not gain > 0:
        raise OptionError(f"gain = {gain:g}.", "", "It must be above 0, as the gains of these pairs are.")
    least, most = gain * (1 - WITHIN), gain * (1 + WITHIN)
    judged = result.significant(alpha) | result.not_significant(alpha)
    chosen = judged & (result.gains >= least) & (result.gains <= most)
    pairs, significant = int(chosen.sum()), int(result.significant(alpha)[chosen].sum())
    low, high = clopper_pearson(significant, pairs)
    return Neighbours(
        gain=gain,
        pairs=pairs,
        least=least,
        most=most,
        significant=significant,
        low=float(low),
        high=float(high),
        alpha=alpha,
        metric=result.setup.metric_title,
        decimals=result.setup.decimals,
    )
