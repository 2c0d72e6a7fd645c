"""Results as plain sentences: a verdict on a pair, a summary of a grid, the lines for a Methods section."""

from __future__ import annotations

import math

from sigcore import CompareResult, GainResult, MatrixResult, TestResult
from sigcore.formatting import (
    correction_word,
    format_interval,
    format_level,
    format_p_interval,
    format_score,
    format_share,
    format_size,
    format_units,
    p_text,
)

LISTED = 3  # names a sentence lists before it counts
ESTIMATORS = {"valid": "p = (c + 1) / (R + 1)", "paper": "p = c / R"}


def verdict(result: CompareResult, test: str, alternative: str, alpha: float) -> str:
    """What one test says about the pair at alpha, with its reason and the interval of the gain.

    Raises: KeyError where that test was not run on that side.
    """
    item = result.result(test, alternative)
    if _identical(result, item):
        return (
            f"{result.system} and {result.baseline} have the same score on every resample "
            f"({format_score(result.scores[0], result.decimals)} {result.metric_title}): there is no difference to test."
        )
    parts = [f"{_standing(result, item.significant(alpha))}; {_decision(result, item, alpha)}"]
    if not any(math.isnan(x) for x in result.interval):
        parts.append(
            f"the {format_level(result.level)} interval of the gain is {format_interval(result.interval, result.decimals)}"
        )
    return "; ".join(parts) + "."


def _identical(result: CompareResult, item: TestResult) -> bool:
    edges, counts = item.histogram.edges, item.histogram.counts
    one_bin = int((counts > 0).sum()) <= 1 and bool(edges[0] <= 0 <= edges[-1])
    return result.gain == 0 and result.interval == (0, 0) and one_bin


def _standing(result: CompareResult, significant: bool) -> str:
    """Who is ahead and by how much; only a significant gain "beats"."""
    scores = (
        f"{format_score(result.scores[0], result.decimals)} against {format_score(result.scores[1], result.decimals)}"
    )
    note = f" ({scores}; lower is better)" if result.better == "lower" else ""
    if result.gain == 0:
        return f"{result.system} and {result.baseline} have the same {result.metric_title} score{note}"
    size = f"{format_size(result.gain, result.decimals)} {result.metric_title}{note}"
    ahead, behind = ("beats", "is worse than") if significant else ("is ahead of", "is behind")
    return f"{result.system} {ahead if result.gain > 0 else behind} {result.baseline} by {size}"


def _decision(result: CompareResult, item: TestResult, alpha: float) -> str:
    p = p_text(item.p_value, item.resamples)
    if math.isnan(item.p_value):
        return f"{item.title} gives no p-value here"
    reason = _reason(result, item)
    words = f"{reason} ({p})" if reason else f"{item.title} gives {p}{' (exact)' if item.exact else ''}"
    if item.significant(alpha):
        words += f", so at alpha {alpha:g} it is significant{_claim(result, item)}"
    else:
        words += f", so at alpha {alpha:g} it is not significant; this does not show that they are equal"
    if item.undecided(alpha):
        interval = format_p_interval(item.p_interval)
        words += f"; the Monte Carlo interval of p, {interval}, includes alpha: more resamples could turn the verdict"
    return words


def _claim(result: CompareResult, item: TestResult) -> str:
    """What a one-sided test has shown; a two-sided one speaks of the difference itself."""
    if item.alternative == "two-sided":
        return ""
    side = "better" if item.alternative == "greater" else "worse"
    return f" that {result.system} is {side}"


def _share(item: TestResult, of: str) -> str:
    """ "3.4 % of shuffles", "none of the 10,000 shuffles"."""
    share = format_share(item.tail, item.resamples)
    return f"{share} of the {item.resamples:,} {of}" if share in ("none", "all") else f"{share} of {of}"


def _as_large(item: TestResult) -> str:
    """What counts for a null centred on zero, on each side."""
    if item.tie_rule == "strict":
        return {"two-sided": "a larger difference", "greater": "a higher gain"}.get(item.alternative, "a lower gain")
    words = {"two-sided": "a difference at least this large", "greater": "a gain at least this high"}
    return words.get(item.alternative, "a gain at least this low")


def _reason(result: CompareResult, item: TestResult) -> str:
    """What was counted, in words; "" for an exact p, and where nothing was cut off."""
    if item.exact:
        return ""
    low, high = item.cutoffs
    half = " (ties with half their number)" if item.tie_rule == "half" else ""
    # a null centred on zero counts gains from the cut-off on; a cut-off at zero may also ask how often a gain is lost
    loses = item.doubled or (item.alternative, 0.0) in (("greater", low), ("less", high))
    if not loses:
        return f"{_as_large(item)} comes up in {_share(item, item.counted)}{half}"
    if item.doubled and result.gain == 0:
        return ""  # p is 1 by definition, whatever was counted
    place, against = ("ahead of", "behind") if low == 0 else ("behind", "ahead of")
    verb = f"comes out {against}" if item.tie_rule == "strict" else f"does not come out {place}"
    doubled = ", doubled for the two sides" if item.doubled else ""
    return f"{result.system} {verb} {result.baseline} in {_share(item, item.counted)}{half}{doubled}"


def matrix_summary(result: MatrixResult, alpha: float) -> str:
    """One sentence on a grid: how many pairs differ, and whether one system is better than all others."""
    count = len(result.systems)
    if count < 2:
        return f"There {'is one system' if count else 'are no systems'}: no pair to compare."
    levels = result.levels(alpha)
    differing = int((levels > 0).sum())
    pairs = count * (count - 1) // 2
    verb = "pair differs" if pairs == 1 else "pairs differ"
    head = f"{differing} of {pairs} {verb} at alpha {alpha:g} ({correction_word(result.correction)})"
    undefined = sum(bool(math.isnan(p)) for p in result.adjusted.ravel()) // (
        2 if result.alternative == "two-sided" else 1
    )
    tail = f"; {undefined} {'p-value is' if undefined == 1 else 'p-values are'} undefined" if undefined else ""
    return f"{head}; {_leader(result, alpha)}{tail}."


def _leader(result: MatrixResult, alpha: float) -> str:
    order, levels = result.order, result.levels(alpha)
    best = order[0]
    rivals = [result.systems[j] for j in order[1:] if levels[best, j] <= 0]
    name = result.systems[best]
    if not rivals:
        others = "the other system" if len(order) == 2 else "every other system"
        return f"{name} is better than {others}"
    listed = ", ".join(rivals) if len(rivals) <= LISTED else f"{len(rivals)} others"
    return f"{name} has the best score but is not shown to be better than {listed}"


def methods(result: MatrixResult | CompareResult | GainResult | TestResult) -> str:
    """Sentences for a Methods section, ending in the signature of each test."""
    if isinstance(result, MatrixResult):
        return _matrix_methods(result)
    if isinstance(result, GainResult):
        design = _design(result, result.test_title, result.resamples)
        pairs = f"All {len(result.systems):,} pairs of systems were compared in {result.metric_title} with {design}."
        return f"{pairs} Signature: {result.signature}"
    tests = [result] if isinstance(result, TestResult) else list(result.results)
    title = result.metric if isinstance(result, TestResult) else result.metric_title
    return " ".join(_test_methods(item, title) for item in tests)


def _matrix_methods(result: MatrixResult) -> str:
    count = len(result.systems)
    design = _design(result, result.test_title, result.resamples, result.estimator)
    words = f"{count} systems were compared pairwise in {result.metric_title} with {design}."
    if result.correction == "none":
        words += " p-values were not corrected for multiple comparisons."
    else:
        pairs = count * (count - 1) // (2 if result.alternative == "two-sided" else 1)
        words += f" p-values were corrected over {pairs} comparisons ({correction_word(result.correction)})."
    words += f" Score intervals are {format_level(result.level)} percentile bootstrap intervals."
    return f"{words} Signature: {result.signature}"


def _test_methods(item: TestResult, title: str) -> str:
    resamples = 0 if item.exact else item.resamples
    design = _design(item, item.title, resamples, "" if item.exact else item.estimator)
    return f"{item.system} was compared with {item.baseline} in {title} with {design}. Signature: {item.signature}"


def _design(result: MatrixResult | GainResult | TestResult, title: str, resamples: int, estimator: str = "") -> str:
    side = result.alternative
    sides = "two-sided" if side == "two-sided" else f"one-sided, {side}"
    drawn = f", {resamples:,} resamples, seed {result.seed}" if resamples else ", exact"
    formula = f", {ESTIMATORS.get(estimator, f'estimator {estimator}')}" if estimator else ""
    return f"{title} ({sides}{drawn}{formula}) on {format_units(result.n, result.unit, result.segments)}"
