"""The table of signs: pairs by their p on the home domain, and how many have the same sign on every other domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sigcore.studies.domains.calibration import share
from sigcore.studies.gain import P_HIGH, P_LOW
from sigcore.types import Floats

# The rows of the paper's Table 1: p from the first to below the second.
BINS = ((0.00125, 0.0025), (0.0025, 0.005), (0.005, 0.01), (0.01, 0.02), (0.02, 0.04), (0.04, 0.08))
MOST = 7  # other domains that are shown one by one
BORDERLINE = (P_LOW, P_HIGH)  # of its text, both ends included


@dataclass(frozen=True)
class Cell:
    """Of `pairs` pairs with p on the home domain from `low` to `high`, how many have the same sign on `other`."""

    low: float
    high: float
    other: str
    pairs: int
    same: int

    def as_dict(self) -> dict[str, Any]:
        """One object of JSON; the share in percent is nan, and its exact interval 0 to 100, without a pair."""
        percent, low, high = share(self.same, self.pairs)
        return {**vars(self), "same_sign_percent": percent, "low_ci": low, "high_ci": high}


def cells(p_values: Floats, gains: Floats, elsewhere: Mapping[str, Floats]) -> tuple[Cell, ...]:
    """The cells of all bins and other domains, from p and gains (P,) on the home domain, and gains (P,) elsewhere.

    A pair without a gain at home is left out, and a gain of 0 elsewhere is not the same sign.

    Source: Berg-Kirkpatrick et al. 2012, Table 1: "system pairs are ordered so that A always outperforms B on section 23".
    """
    inside = [(p_values >= low) & (p_values < high) for low, high in BINS]
    return _cells(BINS, inside, gains, elsewhere)


def borderline(p_values: Floats, gains: Floats, elsewhere: Mapping[str, Floats]) -> tuple[Cell, ...]:
    """The cells of the pairs with p from .04 to .06, as in the paper's text: 58 pairs, of which 83, 71 and 48 % agreed."""
    low, high = BORDERLINE
    return _cells((BORDERLINE,), [(p_values >= low) & (p_values <= high)], gains, elsewhere)


def readable(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells, or, with more than MOST other domains, those of all others together: a pair counts once on each."""
    others = list(dict.fromkeys(cell.other for cell in cells))
    if len(others) <= MOST:
        return tuple(cells)
    bins = dict.fromkeys((cell.low, cell.high) for cell in cells)
    each = {ends: [cell for cell in cells if (cell.low, cell.high) == ends] for ends in bins}
    return tuple(
        Cell(*ends, f"{len(others)} others", sum(cell.pairs for cell in own), sum(cell.same for cell in own))
        for ends, own in each.items()
    )


def _cells(
    ends: Sequence[tuple[float, float]], inside: Sequence[np.ndarray], gains: Floats, elsewhere: Mapping[str, Floats]
) -> tuple[Cell, ...]:
    out = []
    for (low, high), chosen in zip(ends, inside, strict=True):
        chosen = chosen & (gains != 0)
        for name, others in elsewhere.items():
            same = int((np.sign(others[chosen]) == np.sign(gains[chosen])).sum())
            out.append(Cell(low, high, name, int(chosen.sum()), same))
    return tuple(out)
