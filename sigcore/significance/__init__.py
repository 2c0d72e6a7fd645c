"""The significance tests: one file each, listed by name and run together."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from sigcore.registry import member
from sigcore.registry import members as _members
from sigcore.significance.contract import (
    DrawKind,
    Draws,
    Jointly,
    Mapper,
    Minus,
    Resampling,
    Tally,
    Test,
    Turn,
    exact_tally,
)
from sigcore.significance.engine import INTERVAL_RESAMPLES, tally


def members() -> dict[str, Test]:
    """All tests by name."""
    return _members(__name__, "TEST")


def get(name: str) -> Test:
    """The test of that name (UnknownMember, with the nearest names)."""
    test: Test = member(__name__, "TEST", "test", name)
    return test


# How often bootstrap tests reject a true null where there are few units: measured rates, and where no p is given.

# Below LEAST_UNITS units a bootstrap test gives no p, and no interval is given; below FEW_UNITS it rejects clearly too often.
LEAST_UNITS, FEW_UNITS = 10, 30
TABLE = Path(__file__).with_name("few_units.json")  # written by `python -m tests.calibration.few_units`


@cache
def _table() -> tuple[list[float], dict[str, dict[str, list[float]]]]:
    """The levels of alpha, and by test and number of units the rate at each."""
    stored = json.loads(TABLE.read_text(encoding="utf-8"))
    return stored["alphas"], stored["rates"]


# In a grid with max-T, by number of units: the share of test sets in which some adjusted p of five equal systems was at most
# .05 (tests/calibration/test_family_wise.py measures it).
OF_GRIDS = {10: 0.19, 20: 0.11, 30: 0.08}
ENOUGH_FOR_GRIDS = 100  # units; from here on that share is near .05


def coverage(n: int, level: float) -> float:
    """How often the percentile interval of a mean of n normal gains contains the true mean.

    Its half width is z times the root of (n - 1) / n times the standard error, in place of t with n - 1 degrees of
    freedom.
    """
    from scipy.special import ndtri, stdtr  # scipy.stats takes half a second to import

    half = ndtri((1 + level) / 2) * ((n - 1) / n) ** 0.5
    return float(2 * stdtr(n - 1, half) - 1)


def of_grids(n: int) -> tuple[int, float] | None:
    """The number of units, at most n, for which the share in grids was measured, and that share; None where n units
    were not measured or are enough."""
    measured = [units for units in OF_GRIDS if units <= n]
    return None if n >= ENOUGH_FOR_GRIDS or not measured else (max(measured), OF_GRIDS[max(measured)])


def rejection_rate(test: str, n: int, alpha: float) -> float | None:
    """The measured rejection rate of a true null at alpha with `measured_units(n)` units; None where it was not
    measured."""
    alphas, of_tests = _table()
    rates, units = of_tests.get(test, {}), str(measured_units(n))
    return float(rates[units][alphas.index(alpha)]) if units in rates and alpha in alphas else None


def measured_units(n: int) -> int | None:
    """The largest number of units, at most n, for which rates were measured; None if there is none."""
    sizes = [int(units) for rates in _table()[1].values() for units in rates if int(units) <= n]
    return max(sizes, default=None)
