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
LEAST_UNITS, FEW_UNITS = 10, 60
TABLE = Path(__file__).with_name("few_units.json")  # written by `python -m tests.calibration.few_units`


Rates = dict[str, dict[str, list[float]]]  # of two names, the second a number of units: one rate for each level


@cache
def _table() -> tuple[list[float], tuple[Rates, Rates]]:
    """The levels of alpha; by test and units the rate at each, two-sided and one-sided."""
    stored = json.loads(TABLE.read_text(encoding="utf-8"))
    return stored["alphas"], (stored["rates"], stored["one_sided"])


def coverage(n: int, level: float) -> float:
    """How often the percentile interval of a mean of n normal gains contains the true mean.

    Its half width is z times the root of (n - 1) / n times the standard error, in place of t with n - 1 degrees of
    freedom.
    """
    from scipy.special import ndtri, stdtr  # scipy.stats takes half a second to import

    half = ndtri((1 + level) / 2) * ((n - 1) / n) ** 0.5
    return float(2 * stdtr(n - 1, half) - 1)


def rejection_rate(test: str, n: int, alpha: float) -> float | None:
    """The measured rejection rate of a true null at alpha with `measured_units(n)` units, two-sided or one-sided, whichever is
    larger; None where it was not measured."""
    alphas, kinds = _table()
    found = [kind.get(test, {}).get(str(measured_units(n))) for kind in kinds]
    return max((rates[alphas.index(alpha)] for rates in found if rates and alpha in alphas), default=None)


def measured_units(n: int) -> int | None:
    """The largest number of units, at most n, for which rates were measured; None if there is none."""
    sizes = [int(units) for rates in _table()[1][0].values() for units in rates if int(units) <= n]
    return max(sizes, default=None)
