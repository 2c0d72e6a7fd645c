"""Results in one sentence: the verdict on a pair, the summary of a grid, the summary of a scatter of gains."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sigcore import families
from sigcore.formatting import (
    count,
    format_interval,
    format_level,
    format_p_interval,
    format_score,
    format_share,
    format_size,
    p_text,
)

if TYPE_CHECKING:
    from sigcore.families import Family
    from sigcore.results import GainResult, MatrixResult, TestResult
    from sigcore.types import Setup

ALPHA = 0.05
DOUBLED = ", doubled for the two sides"
LISTED = 3  # names that a sentence lists; more are counted


def verdict(result: TestResult, alpha: float = ALPHA, family: Family | None = None) -> str:
    """The verdict of one test on the pair at alpha, with its reason and the interval of the gain.

    With a family, the sentence says among how many tests this p is one, and the verdict is on the adjusted p.
    """
    judged = result if family is None else family.decides(result)
    if _identical(result):
        score = format_score(result.scores[0], result.setup.decimals)
        return (
            f"{result.system} and {result.baseline} have the same score on every resample "
            f"({score} {result.setup.metric_title}): there is no difference to test."
        )
    decision = _as_printed(result, family) if result.setup.as_printed else _decision(result, judged, alpha, family)
    parts = [f"{_standing(result, judged.significant(alpha))}; {decision}"]
    if not any(math.isnan(x) for x in result.interval):
        interval = format_interval(result.interval, result.setup.decimals)
        parts.append(f"the {format_level(result.setup.level)} interval of the gain is {interval}")
    return "; ".join(parts) + "." + _but(result, judged.significant(alpha))


def _but(result: TestResult, significant: bool) -> str:
    """What makes p too small, where it is called significant."""
    caveat = result.setup.caveat
    return f" However, {caveat[0].lower()}{caveat[1:]}" if caveat and significant else ""


def _identical(result: TestResult) -> bool:
    edges, counts = result.histogram.edges, result.histogram.counts
    one_bin = int((counts > 0).sum()) <= 1 and bool(edges[0] <= 0 <= edges[-1])
    return result.gain == 0 and result.interval == (0, 0) and one_bin


def _standing(result: TestResult, significant: bool) -> str:
    """Who is ahead and by how much; only a significant gain "beats"."""
    setup = result.setup
    first, second = (format_score(score, setup.decimals) for score in result.scores)
    note = f" ({first} against {second}; lower is better)" if setup.better == "lower" else ""
    if result.gain == 0:
        return f"{result.system} and {result.baseline} have the same {setup.metric_title} score{note}"
    size = f"{format_size(result.gain, setup.decimals)} {setup.metric_title}{note}"
    ahead, behind = ("beats", "is worse than") if significant else ("is ahead of", "is behind")
    return f"{result.system} {ahead if result.gain > 0 else behind} {result.baseline} by {size}"


def _decision(result: TestResult, judged: TestResult, alpha: float, family: Family | None) -> str:
    """What was counted, p, and the decision on the p of `judged`."""
    if math.isnan(judged.p_value):
        return f"{result.setup.test_title} gives no p-value here"
    words = _evidence(result, family)
    few = too_few(judged.setup, alpha)
    if few:
        return f"{words}; {few}"
    if judged.significant(alpha):
        words += f", so at alpha {alpha:g} it is significant{_claim(result)}"
        chance = "" if family is None else family.by_chance(alpha)
        words += f"; {chance}" if chance else ""
    else:
        words += f", so at alpha {alpha:g} it is not significant; this does not show that they are equal"
    if judged.undecided(alpha):
        name = "p" if judged is result else "the adjusted p"
        interval = format_p_interval(judged.p_interval, judged.setup.resamples)
        words += f"; the Monte Carlo interval of {name}, {interval}, includes alpha: more resamples could change the "
        words += "verdict"
    return words


def too_few(setup: Setup, alpha: float) -> str:
    """Why so few resamples, or units that are swapped, allow no verdict at alpha; "" if they do."""
    if setup.reaches(alpha):
        return ""
    after = "" if setup.correction == "none" else f" after {setup.correction_title}"
    if setup.least_by_units > alpha:
        return (
            f"swaps of {_units(setup)} cannot show a difference at alpha {alpha:g}: the smallest p that any scores can give"
            f"{after} is {setup.least_by_units:.2g}"
        )
    least = setup.least_p * (setup.resamples + 1)
    return (
        f"{count(setup.resamples, 'resample')} cannot show a difference at alpha {alpha:g}: the smallest p they can give"
        f"{after} is {setup.least_p:.2g}; at least {math.ceil(least / alpha) - 1:,} are needed"
    )


def _as_printed(result: TestResult, family: Family | None) -> str:
    """A p as it is printed elsewhere, which is not a verdict, and the p that could be one."""
    setup = result.setup
    if math.isnan(result.p_value):
        return f"{setup.test_title} gives no p-value here"
    words = f"{_evidence(result, family)}; as in some papers and tools, {setup.as_printed}, so this p is not a verdict"
    if math.isnan(result.counted_p):
        return words
    return f"{words}; with all ties counted and (c + 1) / (R + 1), {p_text(result.counted_p, setup.resamples)}"


def _evidence(result: TestResult, family: Family | None) -> str:
    """What was counted, and p, alone or as one of its family."""
    reason, alone = _reason(result), p_text(result.p_value, result.setup.resamples, result.p_interval[1])
    test = f"{result.setup.test_title} over {_units(result.setup)} gives"
    reason = reason and f"over {_units(result.setup)}, {reason}"
    exact = " (exact)" if result.exact else ""
    if family is None or family.planned:
        p = alone if family is None else family.words(result)
        return f"{reason} ({p})" if reason else f"{test} {p}{exact}"
    return f"{reason or f'{test} {alone}{exact}'}; this is {family.words(result)}"


def _claim(result: TestResult) -> str:
    """The claim of a one-sided test; a two-sided test is about the difference itself."""
    if result.setup.side == "two-sided":
        return ""
    side = "better" if result.setup.side == "greater" else "worse"
    return f" that {result.system} is {side}"


def _share(result: TestResult) -> str:
    """ "3.4 % of shuffles", "none of the 10,000 shuffles"."""
    resamples = result.setup.resamples
    share = format_share(result.tail, resamples)
    whole = f"the {resamples:,} {result.counted}" if share in ("none", "all") else result.counted
    return f"{share} of {whole}"


def _units(setup: Setup) -> str:
    return f"{setup.n:,} {setup.unit.noun(setup.n)}"


def _as_large(result: TestResult) -> str:
    """What counts for a null centred on zero, on each side."""
    side = result.setup.side
    if result.setup.ties == "strict":
        return "a larger difference" if side == "two-sided" else f"a {'higher' if side == 'greater' else 'lower'} gain"
    if side == "two-sided":
        return "a difference at least this large"
    return f"a gain at least this {'high' if side == 'greater' else 'low'}"


def _reason(result: TestResult) -> str:
    """What was counted, in words; "" for an exact p, and if there was no cut-off."""
    if result.exact:
        return ""
    low, high = result.cutoffs
    half = " (ties with half their number)" if result.setup.ties == "half" else ""
    # a null centred on zero counts gains at or beyond the cut-off; a cut-off at zero may also count how often a gain is lost
    loses = result.doubled or (result.setup.side, 0.0) in (("greater", low), ("less", high))
    if not loses:
        return f"{_as_large(result)} comes up in {_share(result)}{half}"
    if result.doubled and result.gain == 0:
        return ""  # p is 1 by definition
    place, against = ("ahead of", "behind") if low == 0 else ("behind", "ahead of")
    verb = f"comes out {against}" if result.setup.ties == "strict" else f"does not come out {place}"
    doubled = DOUBLED if result.doubled else ""
    share = _share(result)
    if not result.tail and result.setup.ties != "strict":
        verb, share = f"comes out {place}", share.replace("none", "all", 1)  # "does not ... in none" says it twice
    return f"{result.system} {verb} {result.baseline} in {share}{half}{doubled}"


def matrix_summary(result: MatrixResult, alpha: float = ALPHA) -> str:
    """One sentence on a grid: how many pairs differ, and whether one system is better than all others."""
    systems = len(result.systems)
    if systems < 2:
        number = "There is one system" if systems else "There are no systems"
        return f"{number}: no pair to compare."
    if result.setup.as_printed:
        return f"No verdict on any pair: {_no_verdict(result.setup)}."
    few = too_few(result.setup, alpha)
    if few:
        return _whole(few)
    differing = int((result.levels(alpha) > 0).sum())
    pairs = systems * (systems - 1) // 2
    verb = "pair differs" if pairs == 1 else "pairs differ"
    head = f"{differing} of {pairs} {verb} at alpha {alpha:g} ({corrected(result.setup)})"
    each = 2 if result.setup.side == "two-sided" else 1  # cells of the grid per test
    tail = _undefined(int(np.isnan(result.adjusted).sum()) // each)
    unsure = int(result.undecided(alpha).sum()) // each
    if unsure:
        tail += f"; {count(unsure, 'verdict')} could change with more resamples"
    return f"{head}; {_leader(result, alpha)}{tail}."


def _whole(words: str) -> str:
    """The words as a whole sentence."""
    return f"{words[0].upper()}{words[1:]}."


def _undefined(number: int) -> str:
    """How many p-values are undefined, as the end of a sentence."""
    return f"; {number} {'p-value is' if number == 1 else 'p-values are'} undefined" if number else ""


def _no_verdict(setup: Setup) -> str:
    return f"the p-values are as some papers and tools print them: {setup.as_printed}"


def corrected(setup: Setup) -> str:
    """The correction in one word, as it is written after a p-value: "Holm", "uncorrected"."""
    return "uncorrected" if setup.correction == "none" else setup.correction_title


def _leader(result: MatrixResult, alpha: float) -> str:
    order, levels = result.order, result.levels(alpha)
    best = order[0]
    rivals = [result.systems[j] for j in order[1:] if levels[best, j] <= 0]
    name = result.systems[best]
    if not rivals:
        others = "the other system" if len(order) == 2 else "every other system"
        return f"{name} is better than {others}"
    others = ", ".join(rivals) if len(rivals) <= LISTED else f"{len(rivals)} others"
    return f"{name} has the best score but is not shown to be better than {others}"


def gain_summary(result: GainResult, alpha: float = ALPHA) -> str:
    """The sentences on all pairs: the smallest significant gain and the largest that is not, how many have no p, and what
    is not corrected."""
    if result.setup.as_printed:
        return f"No verdict on any pair: {_no_verdict(result.setup)}."
    few = too_few(result.setup, alpha)
    if few:
        return _whole(few)
    pairs, real, other = len(result.gains), result.significant(alpha), result.not_significant(alpha)
    words = f"{int(real.sum())} of {count(pairs, 'pair')} significant at alpha {alpha:g} (uncorrected)"

    def size(gain: float) -> str:
        return f"{format_size(gain, result.setup.decimals)} {result.setup.metric_title}"

    if real.any():
        words += f"; the smallest significant gain is {size(float(result.gains[real].min()))}"
    if other.any():
        words += f"; the largest gain that is not significant is {size(float(result.gains[other].max()))}"
    words += _undefined(int(np.isnan(result.p_values).sum()))
    chance = families.of_gain(result).by_chance(alpha)
    ending = f"The p-values are not corrected for the number of pairs: {chance}." if chance else ""
    return f"{words}. {ending}".rstrip()
