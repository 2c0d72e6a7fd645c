"""The significance tests: one file each, listed by name and run together."""

from __future__ import annotations

from sigcore.registry import member
from sigcore.registry import members as _members
from sigcore.significance.contract import DrawKind, Draws, Mapper, Question, Tally, Test, exact_tally
from sigcore.significance.engine import INTERVAL_RESAMPLES, tally
from sigcore.significance.few_units import FEW_UNITS, LEAST_UNITS, coverage, measured_units, of_grids, rejection_rate


def members() -> dict[str, Test]:
    """All tests by name."""
    return _members(__name__, "TEST")


def get(name: str) -> Test:
    """The test of that name (UnknownMember, with the nearest names)."""
    test: Test = member(__name__, "TEST", "test", name)
    return test
