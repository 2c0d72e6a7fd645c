"""Results as plain sentences: a verdict on a pair, a summary of a grid, the lines for a Methods section."""

from __future__ import annotations

from collections.abc import Mapping

from sigcore import CompareResult, Estimator, GainResult, MatrixResult, Setup, TestResult
from sigcore.formatting import format_level, format_units

FORMULAS: Mapping[Estimator, str] = {"valid": "p = (c + 1) / (R + 1)", "paper": "p = c / R"}


def methods(result: MatrixResult | CompareResult | GainResult | TestResult) -> str:
    """Sentences for a Methods section, ending in the signature of each test."""
    if isinstance(result, MatrixResult):
        return _matrix_methods(result)
    if isinstance(result, GainResult):
        design = _design(result.setup)
        pairs = (
            f"All {len(result.systems):,} pairs of systems were compared in {result.setup.metric_title} with {design}."
        )
        return f"{pairs} Signature: {result.setup.signature}"
    tests = [result] if isinstance(result, TestResult) else list(result.results)
    return " ".join(map(_test_methods, tests))


def _matrix_methods(result: MatrixResult) -> str:
    count = len(result.systems)
    design = _design(result.setup, FORMULAS[result.setup.estimator])
    words = f"{count} systems were compared pairwise in {result.setup.metric_title} with {design}."
    if result.setup.correction == "none":
        words += " p-values were not corrected for multiple comparisons."
    else:
        pairs = count * (count - 1) // (2 if result.setup.side == "two-sided" else 1)
        words += f" p-values were corrected over {pairs} comparisons ({result.setup.correction_title})."
    words += f" Score intervals are {format_level(result.setup.level)} percentile bootstrap intervals."
    return f"{words} Signature: {result.setup.signature}"


def _test_methods(item: TestResult) -> str:
    design = _design(item.setup, "exact" if item.exact else FORMULAS[item.setup.estimator])
    pair = f"{item.system} was compared with {item.baseline} in {item.setup.metric_title}"
    return f"{pair} with {design}. Signature: {item.setup.signature}"


def _design(setup: Setup, formula: str = "") -> str:
    """The test, its side, its draws (if any), the formula of p, and what was resampled."""
    sides = "two-sided" if setup.side == "two-sided" else f"one-sided, {setup.side}"
    drawn = f", {setup.resamples:,} resamples, seed {setup.seed}" if setup.resamples else ""
    made = f"{sides}{drawn}{f', {formula}' if formula else ''}"
    return f"{setup.test_title} ({made}) on {format_units(setup.n, setup.unit, setup.segments)}"
