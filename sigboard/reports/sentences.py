"""Results as plain sentences: a verdict on a pair, a summary of a grid, the lines for a Methods section."""

from __future__ import annotations

from sigcore import CompareResult, GainResult, MatrixResult, TestResult
from sigcore.formatting import (
    correction_word,
    format_level,
    format_units,
)

LISTED = 3  # names a sentence lists before it counts
ESTIMATORS = {"valid": "p = (c + 1) / (R + 1)", "paper": "p = c / R"}


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
