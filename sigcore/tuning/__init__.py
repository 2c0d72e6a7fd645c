"""Methods of tuning: one file each, listed by name, and one call that runs any of them."""

from __future__ import annotations

from sigcore.registry import member
from sigcore.registry import members as _members
from sigcore.tuning.contract import Method, Report, Step, Tuned
from sigcore.tuning.engine import EPSILON, RHO, tune

__all__ = ["EPSILON", "RHO", "Method", "Report", "Step", "Tuned", "get", "members", "tune"]


def members() -> dict[str, Method]:
    """All methods by name."""
    return _members(__name__, "METHOD")


def get(name: str) -> Method:
    """The method of that name (UnknownMember, with the nearest names)."""
    method: Method = member(__name__, "METHOD", "method", name)
    return method
