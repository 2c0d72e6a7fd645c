"""The corrections for many tests: one file each, listed by name."""

from __future__ import annotations

from sigcore.corrections.contract import Correction, JointNull
from sigcore.registry import member
from sigcore.registry import members as _members

__all__ = ["Correction", "JointNull", "get", "members", "printed", "usual"]


def members() -> dict[str, Correction]:
    """All corrections by name."""
    return _members(__name__, "CORRECTION")


def usual(bootstrap: bool) -> str:
    """The correction of a grid where none is requested: max-T for tests that have a joint null, else Holm."""
    return "max_t" if bootstrap else "holm"


def printed(name: str) -> str:
    """The correction as it is written after a p-value: "Holm", "uncorrected"."""
    return "uncorrected" if name == "none" else get(name).title


def get(name: str) -> Correction:
    """The correction of that name (UnknownMember, with the nearest names)."""
    correction: Correction = member(__name__, "CORRECTION", "correction", name)
    return correction
