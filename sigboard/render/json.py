"""Results as one JSON shape for all studies; undefined numbers are null."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sigcore import CompareResult, Family, MatrixResult, MismatchError, Setup, Side, TestResult, Undefined
from sigcore import results as families
from sigcore.formatting import format_draws, format_units

SHARED = ("systems", "n", "unit", "segments", "resamples", "seed", "alternative")
TABLES = (
    *("scores", "gains", "p_values", "p_low", "p_high", "adjusted", "score_intervals"),
    *("gain_intervals", "adjusted_low", "adjusted_high"),
)
OTHER_SIDE: Mapping[Side, Side] = {"two-sided": "two-sided", "greater": "less", "less": "greater"}


def matrix_json(results: Sequence[MatrixResult], warnings: Sequence[str] = ()) -> dict[str, Any]:
    """The pairwise results of one set of systems, ready for `json.dumps(..., allow_nan=False)`.

    The tables are S x S nested lists, row minus column; the diagonal is 0 for gains and 1 for p. `n` is the number of
    units that were resampled; the design effects are null where the unit is the segment. `family` = {"tests", "pairs",
    "correction", "planned"}: the number of p-values that were corrected together, of how many pairs, and how.

    Raises: Undefined if there is no result; MismatchError if the results do not belong together.
    """
    tops = [
        {
            "systems": list(result.systems),
            "n": result.setup.n,
            "unit": str(result.setup.unit),
            "segments": result.setup.segments,
            "resamples": result.setup.resamples,
            "seed": result.setup.seed,
            "alternative": result.setup.side,
        }
        for result in results
    ]
    return _together(tops, [_matrix(result) for result in results], warnings)


def compare_json(
    results: Sequence[CompareResult], warnings: Sequence[str] = (), side: Side | None = None
) -> dict[str, Any]:
    """The results of one pair in the shape of `matrix_json`, each test with its interval and its null.

    One object per metric and test on that side (the side of the first test if it is None). The p of
    baseline over system is that of the same test on the other side, null if that was not run. `family` says that a
    test alone is a single planned comparison, {"tests": 1, "pairs": 1, "correction": "none", "planned": true}; of k
    tests each is one of {"tests": k, "pairs": 1, "correction": "none", "planned": false}. `tail` and `ties` are null
    where p is undefined.

    Raises: Undefined if no test was run on that side; MismatchError if the results do not belong together.
    """
    sides = [item.setup.side for result in results for item in result.results]
    side = side or (sides[0] if sides else "two-sided")
    tops: list[dict[str, Any]] = [
        {
            "systems": [result.system, result.baseline],
            "n": result.setup.n,
            "unit": str(result.setup.unit),
            "segments": result.setup.segments,
            "resamples": max((item.setup.resamples for item in result.results), default=result.setup.resamples),
            "seed": result.setup.seed,
            "alternative": side,
        }
        for result in results
    ]
    pairs = [(result, item) for result in results for item in result.results if item.setup.side == side]
    family = families.of_command(len({(item.setup.metric, item.setup.test) for _, item in pairs}))
    return _together(tops, [_test(result, item, family) for result, item in pairs], warnings)


def _together(
    tops: Sequence[dict[str, Any]], objects: Sequence[dict[str, Any]], warnings: Sequence[str]
) -> dict[str, Any]:
    if not tops or not objects:
        raise Undefined("There is no result to write.", "", "Run at least one test on this side.")
    first = next((top for top in tops if top["resamples"]), tops[0])
    for top in tops:
        for field in SHARED:
            if top[field] != first[field] and not (field == "resamples" and not top[field]):  # an exact test draws none
                raise MismatchError(
                    f"Two results differ in {field}: {first[field]} and {top[field]}.",
                    "",
                    "Write results together only if they have the same systems and settings.",
                )
    return {**plain(first), "warnings": list(warnings), "results": list(objects)}


def _matrix(result: MatrixResult) -> dict[str, Any]:
    tables = {field: plain(getattr(result, field)) for field in TABLES}
    words = {
        "metric_title": result.setup.metric_title,
        "test_title": result.setup.test_title,
        "correction": result.setup.correction,
        "family": families.of_matrix(result).to_dict(),
        "estimator": result.setup.estimator,
        "tie_rule": result.setup.ties,
        "doubled": result.doubled,
        "level": result.setup.level,
        "exact": not result.setup.resamples,
        "better": result.setup.better,
        "design_effect": result.design_effect,
        "score_design_effect": result.score_design_effect,
        "groups": list(result.groups),
        "notes": list(result.notes),
    }
    return {
        "metric": result.setup.metric,
        "test": result.setup.test,
        "signature": result.setup.signature,
        **tables,
        **plain(words),
    }


def _test(result: CompareResult, item: TestResult, family: Family) -> dict[str, Any]:
    back = _other_side(result, item)
    content = {
        "metric": item.setup.metric,
        "test": item.setup.test,
        "signature": item.setup.signature,
        "scores": result.scores,
        "gains": [[0.0, item.gain], [-item.gain, 0.0]],
        "p_values": _square(item.p_value, back.p_value if back else math.nan),
        "p_low": _square(item.p_interval[0], back.p_interval[0] if back else math.nan),
        "p_high": _square(item.p_interval[1], back.p_interval[1] if back else math.nan),
        "adjusted": _square(item.p_value, back.p_value if back else math.nan),
        "adjusted_low": _square(item.p_interval[0], back.p_interval[0] if back else math.nan),
        "adjusted_high": _square(item.p_interval[1], back.p_interval[1] if back else math.nan),
        "gain_intervals": [[(0.0, 0.0), item.interval], [(-item.interval[1], -item.interval[0]), (0.0, 0.0)]],
        "interval": item.interval,
        "level": item.setup.level,
        "histogram": {"edges": item.histogram.edges, "counts": item.histogram.counts},
        "cutoffs": item.cutoffs,
        "tail": None if math.isnan(item.p_value) else item.tail,
        "ties": None if math.isnan(item.p_value) else item.ties,
        "exact": item.exact,
        "metric_title": result.setup.metric_title,
        "test_title": item.setup.test_title,
        "correction": "none",
        "family": family.to_dict(),
        "estimator": item.setup.estimator,
        "tie_rule": item.setup.ties,
        "doubled": item.doubled,
        "better": result.setup.better,
        "design_effect": None if result.design_effect is None else _pair(result.design_effect),
        "score_design_effect": result.score_design_effect,
        "score_intervals": result.score_intervals,
        "notes": list(result.notes),
    }
    return dict(plain(content))


def _other_side(result: CompareResult, item: TestResult) -> TestResult | None:
    side = OTHER_SIDE[item.setup.side]
    return next(
        (other for other in result.results if (other.setup.test, other.setup.side) == (item.setup.test, side)), None
    )


def _square(forth: float, back: float) -> list[list[float]]:
    return [[1.0, forth], [back, 1.0]]


def _pair(value: float) -> list[list[float]]:
    """A number of the pair, the same in both directions, undefined on the diagonal."""
    return [[math.nan, value], [value, math.nan]]


def plain(value: Any) -> Any:
    """The value as JSON can hold it: arrays and tuples as lists, nan and infinities as null."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def of_setup(setup: Setup, systems: Sequence[str]) -> dict[str, Any]:
    """How the p-values of a study of partial or drawn test sets were made, as the top of its JSON."""
    return {
        "systems": list(systems),
        "metric": setup.metric,
        "metric_title": setup.metric_title,
        "test": setup.test,
        "test_title": setup.test_title,
        "alternative": setup.side,
        "n": setup.n,
        "unit": str(setup.unit),
        "segments": setup.segments,
        "resamples": setup.resamples,
        "seed": setup.seed,
        "signature": setup.signature,
    }


def design(setup: Setup) -> str:
    """How the p-values were made, in one line."""
    units = format_units(setup.n, setup.unit, setup.segments)
    return f"{setup.test_title}, {setup.side}, n = {units}, {format_draws(setup.resamples, setup.seed)}"
