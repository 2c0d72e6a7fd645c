"""The corrections for many tests: one file each, listed by name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sigcore.corrections.contract import Correction, JointTests
from sigcore.errors import OptionError
from sigcore.registry import member
from sigcore.registry import members as _members
from sigcore.types import Floats

__all__ = ["Correction", "JointTests", "adjust_of", "adjusted", "get", "members", "printed", "usual"]

MOST_JOINT = 500_000  # tests, as of 1,000 systems: above this, max-T needs too much drawing

# Names of older project files, links and scripts.
FORMER = {"max_t": "joint"}


def members() -> dict[str, Correction]:
    """All corrections by name."""
    return _members(__name__, "CORRECTION")


def usual(drawn: bool, tests: int = 0) -> str:
    """The correction of a grid of so many tests where none is requested: max-T for tests that draw their joint null, else, or
    for very many, Holm."""
    return "joint" if drawn and tests <= MOST_JOINT else "holm"


def printed(name: str) -> str:
    """The correction as it is written after a p-value: "Holm", "uncorrected"."""
    return "uncorrected" if name == "none" else get(name).title


def get(name: str) -> Correction:
    """The correction of that name (UnknownMember, with the nearest names)."""
    correction: Correction = member(__name__, "CORRECTION", "correction", FORMER.get(name, name))
    return correction


def adjust_of(name: str) -> Callable[[Floats], Floats]:
    """What the correction does with p-values alone (m,).

    Raises: UnknownMember for a name that does not exist; OptionError for a correction that needs a joint null.
    """
    chosen = get(name)
    if chosen.adjust is None:
        raise OptionError(f"{chosen.title} needs a joint null, and there is none here.", "", "Use holm.")
    return chosen.adjust


def adjusted(name: str, p: Floats) -> Floats:
    """p (m,) after a correction over those that are defined; nan stays. Raises: as `adjust_of`."""
    out, defined = np.full_like(p, np.nan), np.isfinite(p)
    out[defined] = adjust_of(name)(p[defined])
    return out
