"""The rule of thumb that all pairs of a scatter give, as one sentence."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from sigcore.formatting import count
from sigcore.results import GainResult


def rule(result: GainResult, alpha: float) -> str:
    """ "Above 0.62 BLEU every pair here was significant; below 0.40 none"; "" where no p can be a verdict.

    The ends are rounded so that the sentence is true of every pair that has a p.
    """
    real, other = result.gains[result.significant(alpha)], result.gains[result.not_significant(alpha)]
    if not len(real) + len(other):
        return ""
    number = len(real) + len(other)
    every, none = ("Every pair here", "No pair here")
    if result.synthetic:
        every, none = (
            f"Each of the {count(number, 'pair')} of mixtures",
            f"None of the {count(number, 'pair')} of mixtures",
        )
    if not len(real):
        return f"{none} was significant at alpha {alpha:g}: gains up to {_up(result, other.max())}."
    if not len(other):
        return f"{every} was significant at alpha {alpha:g}: gains from {_down(result, real.min())}."
    whose = "of mixtures" if result.synthetic else "here"
    decimals = result.setup.decimals
    least, most = _rounded(real.min(), decimals, ROUND_FLOOR), _rounded(other.max(), decimals, ROUND_CEILING)
    if other.max() < float(least) and float(most) < real.min():
        return (
            f"Every pair {whose} with a gain of {_down(result, real.min())} or more was significant at alpha {alpha:g}; "
            f"none with {_up(result, other.max())} or less."
        )
    return (
        f"Above {_up(result, other.max())} every pair {whose} was significant at alpha {alpha:g}; "
        f"below {_down(result, real.min())} none."
    )


def _up(result: GainResult, gain: float) -> str:
    return f"{_rounded(gain, result.setup.decimals, ROUND_CEILING)} {result.setup.metric_title}"


def _down(result: GainResult, gain: float) -> str:
    return f"{_rounded(gain, result.setup.decimals, ROUND_FLOOR)} {result.setup.metric_title}"


def _rounded(gain: float, decimals: int, rounding: str) -> str:
    return str(Decimal(repr(float(gain))).quantize(Decimal(1).scaleb(-decimals), rounding=rounding))
