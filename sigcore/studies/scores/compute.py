"""All pairs of a score matrix under unpaired T, paired T and W, in theory and by resampling, and the rank tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore import executors
from sigcore.errors import OptionError, Undefined
from sigcore.registry import SEED
from sigcore.resampling.blocks import blocks, steps
from sigcore.results import freeze
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies.scores.draws import METHODS as DRAWN
from sigcore.studies.scores.draws import draw, nulls
from sigcore.studies.scores.efficiency import efficiency
from sigcore.studies.scores.pairs import ZEROS, Pairs, exact_kind, pairs, student, theoretical_cutoffs, theoretical_p
from sigcore.studies.scores.ranks import MeanRanks, Omnibus, examine
from sigcore.sufficient import oriented
from sigcore.types import Floats, Ints

Bools = NDArray[np.bool_]
Progress = Callable[[str, int, int], None]

METHODS = ("theory", *DRAWN)
METHOD_TITLES = {"theory": "theory", "mc": "MC: swap", "hb": "HB: resample, swap"}
LEVELS = (0.1, 0.05, 0.01, 0.005, 0.001)
LEAST = 6  # with fewer documents signs and ranks alone cannot reach 0.05
MOST_RESAMPLES = 1_000_000
SAME = 1e-9  # relative rounding error of a statistic computed in two ways
AT_ONCE = 8_000_000  # numbers of an empirical null held in memory


@dataclass(frozen=True, eq=False)
class ScoresRun:
    """What was computed for a matrix: the statistics of all P pairs, their p and cut-offs, and the rank tests.

    `pairs` (P, 2) are positions in the matrix's systems, the first being the system and the second the baseline; `n`
    (P,) the documents both have. `gains` and `statistics` (3, P) are positive where the system is better. `p_theory`
    (3, P); `counts` (2, 3, P) of draws that reach the statistic; `cutoffs` (3 methods, 3, P, L) of |statistic| for each
    of `levels`, `paper_cutoffs` those where an empirical p is c / R. nan = not defined: `few` (P,) marks pairs with fewer
    than LEAST documents, `same` (P,) identical systems. `exact` (P,): the null of W is exact. `plus` (P,) is the sum of the
    positive ranks, `apart` (P,) the number of documents on which the two differ.
    """

    matrix: ScoreMatrix
    pairs: Ints
    n: Ints
    few: Bools
    same: Bools
    exact: Bools
    gains: Floats
    statistics: Floats
    plus: Floats
    apart: Ints
    p_theory: Floats
    counts: Ints
    cutoffs: Floats
    paper_cutoffs: Floats
    efficiency: Floats
    omnibus: tuple[Omnibus, ...]
    mean_ranks: tuple[MeanRanks, ...]
    levels: tuple[float, ...]
    zeros: str
    resamples: int
    seed: int

    def __post_init__(self) -> None:
        freeze(self)

    def test(self, name: str, factor: str) -> Omnibus | None:
        """The omnibus test of that name over that factor, None if it was not computed."""
        return next((item for item in self.omnibus if (item.test, item.factor) == (name, factor)), None)

    def ranks(self, factor: str) -> MeanRanks | None:
        """The mean ranks of that factor, None if there are none."""
        return next((item for item in self.mean_ranks if item.factor == factor), None)


def run(
    matrix: ScoreMatrix,
    *,
    resamples: int = 2000,
    seed: int = 12345,
    zeros: str = "pratt",
    levels: Sequence[float] = LEVELS,
    executor: executors.Executor | None = None,
    progress: Progress | None = None,
) -> ScoresRun:
    """All pairs of systems under the three statistics, in theory and by resampling, and the rank tests.

    A pair is compared on the documents that both systems have. The draws depend only on these documents, R and the
    seed: not on the executor, nor on the other systems.

    Raises: Undefined for fewer than two systems or no document; OptionError for numbers out of range; Cancelled from
    `progress`. Cost: O(R n) per pair; memory bounded by AT_ONCE.
    """
    _check(matrix, resamples, seed, zeros, levels)
    values = oriented(matrix.values, matrix.better)
    places = np.column_stack(np.triu_indices(len(matrix.systems), k=1)).astype(np.int64)
    out = _empty(values, places, len(levels))
    parts = list(_parts(~np.isnan(values), places, resamples))
    step = steps(progress, "drawing", len(parts) * len(blocks(resamples)))
    executor = executor or executors.local()
    for documents, chosen in parts:
        left, right = places[chosen].T
        part = pairs(values[np.ix_(documents, left)], values[np.ix_(documents, right)], zeros)
        _fill(out, chosen, part, levels)
        drawn = draw(part, levels, resamples, seed, executor, step)
        out["counts"][..., chosen] = drawn.counts
        for name, of_draws in (("cutoffs", drawn.cutoffs), ("paper_cutoffs", drawn.paper_cutoffs)):
            out[name][1:, :, chosen] = _snapped(of_draws, out["statistics"][:, chosen])
    omnibus, mean_ranks = examine(matrix)
    return ScoresRun(
        matrix=matrix,
        pairs=places,
        omnibus=omnibus,
        mean_ranks=mean_ranks,
        levels=tuple(levels),
        zeros=zeros,
        resamples=resamples,
        seed=seed,
        **out,
    )


def _check(matrix: ScoreMatrix, resamples: int, seed: int, zeros: str, levels: Sequence[float]) -> None:
    if len(matrix.systems) < 2:
        raise Undefined(
            "There is only one system, so there are no pairs.", matrix.name, "Add another column of scores."
        )
    if not matrix.n:
        raise Undefined("There are no documents.", matrix.name, "Add a row for each document.")
    if not 1 <= resamples <= MOST_RESAMPLES:
        raise OptionError(f"resamples = {resamples}.", "", f"It must be in [1, {MOST_RESAMPLES}].")
    SEED.read(seed)
    if zeros not in ZEROS:
        raise OptionError(f"zeros = {zeros!r}.", "", f"Choose from: {', '.join(ZEROS)}.")
    if not all(0 < level < 1 for level in levels):
        raise OptionError("A level is outside 0 to 1.", "", "0.05 is usual.")


def _empty(values: Floats, places: Ints, levels: int) -> dict[str, Any]:
    """Everything undefined except the documents and the gain of every pair."""
    left, right = values[:, places[:, 0]], values[:, places[:, 1]]
    shared = ~np.isnan(left) & ~np.isnan(right)  # (n, P)
    n, count = shared.sum(axis=0), len(places)
    sums = np.where(shared, left - right, 0.0).sum(axis=0)
    return {
        "n": n.astype(np.int64),
        "few": n < LEAST,
        "same": np.zeros(count, dtype=bool),
        "exact": np.zeros(count, dtype=bool),
        "gains": np.where(n > 0, sums / np.maximum(n, 1), np.nan),
        "statistics": np.full((3, count), np.nan),
        "plus": np.full(count, np.nan),
        "apart": np.zeros(count, dtype=np.int64),
        "p_theory": np.full((3, count), np.nan),
        "counts": np.zeros((2, 3, count), dtype=np.int64),
        "cutoffs": np.full((3, 3, count, levels), np.nan),
        "paper_cutoffs": np.full((3, 3, count, levels), np.nan),
        "efficiency": np.full(count, np.nan),
    }


def _parts(present: Bools, places: Ints, resamples: int) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """(documents, pairs) of pairs that are scored on the same documents, few enough to hold their nulls in memory.

    Pairs with too few documents are left out.
    """
    shared = present[:, places[:, 0]] & present[:, places[:, 1]]  # (n, P)
    patterns: dict[bytes, list[int]] = {}
    for k, mask in enumerate(np.packbits(shared, axis=0).T):
        patterns.setdefault(mask.tobytes(), []).append(k)
    most = max(1, AT_ONCE // (6 * resamples))
    for chosen in patterns.values():
        documents = np.nonzero(shared[:, chosen[0]])[0]
        if len(documents) >= LEAST:
            for start in range(0, len(chosen), most):
                yield documents, np.array(chosen[start : start + most], dtype=np.intp)


def _fill(out: dict[str, Any], chosen: NDArray[np.intp], part: Pairs, levels: Sequence[float]) -> None:
    """Fill in the theoretical results of these pairs."""
    out["same"][chosen] = part.same
    out["exact"][chosen] = exact_kind(part)
    out["statistics"][:, chosen] = [*student(part), part.w]
    out["plus"][chosen] = np.maximum(part.signed_ranks, 0.0).sum(axis=0)
    out["apart"][chosen] = (part.z != 0).sum(axis=0)
    out["p_theory"][:, chosen] = theoretical_p(part)
    out["efficiency"][chosen] = efficiency(part.z / part.unit)
    for k, level in enumerate(levels):
        out["cutoffs"][0, :, chosen, k] = theoretical_cutoffs(part, level).T
    out["paper_cutoffs"][0] = out["cutoffs"][0]


def _snapped(cutoffs: Floats, statistics: Floats) -> Floats:
    """The cut-offs (2, 3, P, L); one that differs from the size of the statistic (3, P) only by rounding is that size."""
    size = np.broadcast_to(np.abs(statistics)[None, ..., None], cutoffs.shape)
    return np.where(np.isclose(cutoffs, size, rtol=SAME, atol=0.0), size, cutoffs)


# ---- one pair


def pair_of(run: ScoresRun, place: int) -> Pairs:
    """The scores of one pair on the documents both have, from which its statistics are computed."""
    left, right = run.pairs[place]
    values = oriented(run.matrix.values, run.matrix.better)[:, [left, right]]
    values = values[~np.isnan(values).any(axis=1)]
    return pairs(values[:, :1], values[:, 1:], run.zeros)


def null_of(run: ScoresRun, place: int) -> Floats:
    """The sizes of the three statistics on every draw, (2, 3, R): the draws behind the counts of this pair.

    Raises: Undefined if the pair has too few documents, or its systems are identical.
    """
    if run.few[place] or run.same[place]:
        raise Undefined("This pair has no null.", run.matrix.name, "Choose another pair.")
    return nulls(pair_of(run, place), run.resamples, run.seed)
