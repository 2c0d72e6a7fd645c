"""How large a gain is usually real? Confidence against gain for all pairs, by pair class."""

from __future__ import annotations

import re

import numpy as np

from sigcore.results import GainResult, MatrixResult

SAME, DIFFERENT = "same group", "different groups"


def default_group(system: str) -> str:
    """The default group of a system: its name up to the first digit, dot, dash or underscore."""
    return re.split(r"[-_.\d\s]", system, maxsplit=1)[0] or system


def read(matrix: MatrixResult) -> GainResult:
    """Every pair of a grid as a point, oriented so that its gain is not negative.

    The class of a pair is whether both systems are of one group (Berg-Kirkpatrick et al. 2012, Section 4).
    """
    groups = [group or default_group(system) for system, group in zip(matrix.systems, matrix.groups, strict=True)]
    left, right = np.triu_indices(len(matrix.systems), k=1)
    turn = matrix.gains[left, right] < 0
    better, worse = np.where(turn, right, left), np.where(turn, left, right)
    # "less" tests whether the row is worse: the pair is read from the losing side
    cells = (worse, better) if matrix.setup.side == "less" else (better, worse)
    p = matrix.p_values[cells]
    return GainResult(
        setup=matrix.setup,
        systems=tuple(matrix.systems[i] for i in better),
        baselines=tuple(matrix.systems[i] for i in worse),
        pair_class=tuple(SAME if groups[i] == groups[j] else DIFFERENT for i, j in zip(better, worse, strict=True)),
        gains=matrix.gains[better, worse],
        p_values=p,
        confidence=1 - p,
        p_low=matrix.p_low[cells],
        p_high=matrix.p_high[cells],
        pair_design_effect=None if matrix.design_effect is None else matrix.design_effect[better, worse],
    )
