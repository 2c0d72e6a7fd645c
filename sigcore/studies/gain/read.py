"""All pairs of a grid as points, each with its class."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import numpy as np

from sigcore.errors import SigError
from sigcore.results import GainResult, MatrixResult

SAME, DIFFERENT, COMBINATION = "same group", "different groups", "combination"
KINDS = ("system", COMBINATION)  # what a person may say that a system is


def pair_class(first: str, second: str, kinds: tuple[str, str] = ("", "")) -> str:
    """The class of a pair with these two groups; "" where the group of one of them is not known.

    Two combinations of systems are a class, and a combination with another system is in none: their outputs are alike for
    another reason than who built them.

    Source: Berg-Kirkpatrick et al. 2012, Section 3.1. Names never give a group: they do not show who built a system.
    """
    if COMBINATION in kinds:
        return COMBINATION if kinds[0] == kinds[1] else ""
    if not (first and second):
        return ""
    return SAME if first == second else DIFFERENT


def check_kinds(kinds: Mapping[str, str], where: str = "") -> None:
    """Raise SigError for a kind that is not one of KINDS."""
    odd = next((kind for kind in kinds.values() if kind not in ("", *KINDS)), None)
    if odd is not None:
        raise SigError(f"{odd!r} is not a kind of system.", where, f"Write {' or '.join(KINDS)}, or nothing.")


def propose_groups(systems: Iterable[str]) -> dict[str, str]:
    """A group per system to be checked by a person: its name up to the first digit, dot, dash, underscore or space.

    No result uses it: Online-A and Online-B are systems of different vendors.
    """
    return {system: re.split(r"[-_.\d\s]", system, maxsplit=1)[0] or system for system in systems}


def read(matrix: MatrixResult, kinds: Mapping[str, str] | None = None) -> GainResult:
    """Every pair of a grid as a point, oriented so that its gain is not negative.

    The class of a pair comes from the groups and the `kinds` (one of KINDS) of its systems, as they were given
    (`pair_class`).
    """
    left, right = np.triu_indices(len(matrix.systems), k=1)
    turn = matrix.gains[left, right] < 0
    better, worse = np.where(turn, right, left), np.where(turn, left, right)
    # "less" tests whether the row is worse: the pair is read from the losing side
    cells = (worse, better) if matrix.setup.side == "less" else (better, worse)
    p = matrix.p_values[cells]
    known = [(kinds or {}).get(system, "") for system in matrix.systems]
    return GainResult(
        setup=matrix.setup,
        systems=tuple(matrix.systems[i] for i in better),
        baselines=tuple(matrix.systems[i] for i in worse),
        pair_class=tuple(
            pair_class(matrix.groups[i], matrix.groups[j], (known[i], known[j]))
            for i, j in zip(better, worse, strict=True)
        ),
        gains=matrix.gains[better, worse],
        p_values=p,
        confidence=1 - p,
        p_low=matrix.p_low[cells],
        p_high=matrix.p_high[cells],
        pair_design_effect=None if matrix.design_effect is None else matrix.design_effect[better, worse],
        doubled=matrix.doubled,
    )
