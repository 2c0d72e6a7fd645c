"""All pairs of a score matrix under unpaired T, paired T and W, in theory and by resampling, and the rank tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore import corrections
from sigcore.data import assumed
from sigcore.errors import OptionError, Undefined
from sigcore.formatting import count, format_p
from sigcore.registry import SEED
from sigcore.resampling.blocks import number_of_blocks, steps
from sigcore.resampling.pvalues import p_values
from sigcore.results import freeze
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies.scores.pairs import METHODS as DRAWN
from sigcore.studies.scores.pairs import (
    STATISTICS,
    ZEROS,
    Pairs,
    draw,
    exact_kind,
    nulls,
    pairs,
    student,
    theoretical_cutoffs,
    theoretical_p,
)
from sigcore.studies.scores.ranks import MeanRanks, Omnibus, efficiency, examine
from sigcore.studies.signature import signature as signed
from sigcore.study import LOCAL, Runtime
from sigcore.sufficient import oriented
from sigcore.types import AUTO, ESTIMATORS, Bools, Floats, Ints

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
    runtime: Runtime = LOCAL,
) -> ScoresRun:
    """All pairs of systems under the three statistics, in theory and by resampling, and the rank tests.

    A pair is compared on the documents that both systems have. The draws depend only on these documents, R and the
    seed: not on the executor, nor on the other systems.

    Raises: Undefined for fewer than two systems or no document; OptionError for numbers out of range; Cancelled from
    `runtime`. Cost: O(R n) per pair; memory bounded by AT_ONCE.
    """
    _check(matrix, resamples, seed, zeros, levels)
    values = oriented(matrix.values, matrix.better)
    places = np.column_stack(np.triu_indices(len(matrix.systems), k=1)).astype(np.int64)
    out = _empty(values, places, len(levels))
    parts = list(_parts(~np.isnan(values), places, resamples))
    step = steps(runtime.report, "drawing", len(parts) * number_of_blocks(resamples))
    executor = runtime.mapper
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


def _empty(values: Floats, places: Ints, levels: int) -> dict[str, NDArray[Any]]:
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


def _fill(out: dict[str, NDArray[Any]], chosen: NDArray[np.intp], part: Pairs, levels: Sequence[float]) -> None:
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


# The pairs of a score matrix as results: p, corrected p, counts, and notes.

NOT_POSSIBLE = "n/a"  # instead of a number of pairs that R draws keep at 0


@dataclass(frozen=True)
class Count:
    """How many pairs of a family differ at alpha by one statistic and method, as they are and after the correction.

    `family` is "all" or "human_machine"; `tested` of its `pairs` have a p-value. `raw_possible` and `corrected_possible`:
    whether R draws can give a p of at most alpha; if not, the number is 0 for any data, and is not shown.
    """

    family: str
    method: str
    statistic: str
    raw: int
    corrected: int
    tested: int
    pairs: int
    raw_possible: bool = True
    corrected_possible: bool = True

    def __str__(self) -> str:
        raw = str(self.raw) if self.raw_possible else NOT_POSSIBLE
        return f"{raw} ({self.corrected if self.corrected_possible else NOT_POSSIBLE})"


@dataclass(frozen=True, eq=False)
class ScoresResult:
    """All pairs read under an estimator and a correction: p, and p adjusted over all pairs or over human-machine pairs,
    each (3 methods, 3 statistics, P); nan where there is no p."""

    run: ScoresRun
    humans: tuple[str, ...]
    correction: str
    estimator: str
    p_values: Floats
    adjusted: Floats
    adjusted_human: Floats
    mixed: Bools

    def __post_init__(self) -> None:
        freeze(self)

    @cached_property
    def matrix(self) -> ScoreMatrix:
        """The score matrix of the run, with these humans."""
        return self.run.matrix.marked(self.humans)

    def counts(self, alpha: float) -> tuple[Count, ...]:
        """The cells of Rankel et al.'s Tables 1 and 2, for every method; without humans only those of Table 1."""
        families = [("all", np.ones_like(self.mixed), self.adjusted)]
        families += [("human_machine", self.mixed, self.adjusted_human)] if self.mixed.any() else []
        return tuple(
            Count(
                family,
                method,
                statistic,
                raw=int((self.p_values[m, s, chosen] <= alpha).sum()),
                corrected=int((adjusted[m, s, chosen] <= alpha).sum()),
                tested=(tested := int((~np.isnan(self.p_values[m, s, chosen])).sum())),
                pairs=int(chosen.sum()),
                raw_possible=self.least_p(method) <= alpha,
                corrected_possible=self.least_p(method, tested) <= alpha,
            )
            for family, chosen, adjusted in families
            for m, method in enumerate(METHODS)
            for s, statistic in enumerate(STATISTICS)
        )

    def least_p(self, method: str, tested: int | None = None) -> float:
        """The smallest p that the draws can give, after the correction over this many tests (None: uncorrected); 0 where
        nothing is drawn, or p is c / R."""
        if method == "theory" or self.estimator == "paper":
            return 0.0
        factor = 1.0 if tested is None else corrections.get(self.correction).factor(max(tested, 1))
        return min(1.0, factor / (self.run.resamples + 1))

    def count(self, family: str, method: str, statistic: str, alpha: float) -> Count:
        """One of the counts.

        Raises: Undefined if that family has no pair.
        """
        for item in self.counts(alpha):
            if (item.family, item.method, item.statistic) == (family, method, statistic):
                return item
        raise Undefined(f"There are no pairs of {family.replace('_', ' and ')}.", self.run.matrix.name)

    def cutoffs(self, alpha: float) -> Floats:
        """The cut-offs of |statistic| at alpha, (3 methods, 3, P): p is at most alpha exactly if the size reaches them.

        Raises: Undefined for an alpha that was not computed.
        """
        if alpha not in self.run.levels:
            known = ", ".join(f"{level:g}" for level in self.run.levels)
            raise Undefined(f"Cut-offs at alpha {alpha:g} were not computed.", "", f"Computed: {known}.")
        cutoffs = self.run.paper_cutoffs if self.estimator == "paper" else self.run.cutoffs
        return np.asarray(cutoffs[..., self.run.levels.index(alpha)])

    def names(self, place: int) -> tuple[str, str]:
        """The system and the baseline of a pair."""
        i, j = self.run.pairs[place]
        return self.run.matrix.systems[i], self.run.matrix.systems[j]

    def place(self, system: str, baseline: str) -> tuple[int, int]:
        """The position of a pair, and 1 if it is stored in this order or -1 if reversed.

        Raises: Undefined if there is no such pair.
        """
        names = self.run.matrix.systems
        for k, (i, j) in enumerate(self.run.pairs):
            if {names[i], names[j]} == {system, baseline} and system != baseline:
                return k, 1 if names[i] == system else -1
        raise Undefined("There is no such pair.", f"{system}, {baseline}", "Choose two different systems.")

    def notes(self, alpha: float) -> tuple[str, ...]:
        """Notes for the user about these numbers."""
        return tuple(_notes(self, alpha))

    @property
    def signature(self) -> str:
        """Everything that is needed to compute this again, in one string."""
        run = self.run
        parts = {
            "scores": run.matrix.title,
            "better": run.matrix.better,
            "why": run.matrix.why,
            "zeros": run.zeros,
            "resamples": run.resamples,
            "seed": run.seed,
            "estimator": self.estimator,
            "correction": self.correction,
            "n": run.matrix.n,
            "systems": len(run.matrix.systems),
            "missing": run.matrix.missing,
            "data": run.matrix.digest[:12],
        }
        return signed(parts)


def read(
    run: ScoresRun, correction: str = "holm", estimator: str = "valid", humans: Sequence[str] | None = None
) -> ScoresResult:
    """The p-values of a run under a correction and an estimator; `humans` replaces those of the matrix.

    Raises: OptionError or UnknownMember for names that do not exist.
    """
    correction = corrections.usual(drawn=False) if correction == AUTO else correction
    if estimator not in ESTIMATORS:
        raise OptionError(f"estimator = {estimator!r}.", "", f"Choose from: {', '.join(ESTIMATORS)}.")
    matrix = run.matrix if humans is None else run.matrix.marked(humans)
    drawn = np.where(run.few, np.nan, p_values(run.counts, run.resamples, estimator))
    p = np.concatenate([run.p_theory[None], drawn])
    mixed = matrix.human[run.pairs[:, 0]] != matrix.human[run.pairs[:, 1]]
    everything = np.ones_like(mixed)
    return ScoresResult(
        run=run,
        humans=matrix.humans,
        correction=correction,
        estimator=estimator,
        p_values=p,
        adjusted=_adjusted(p, everything, correction),
        adjusted_human=_adjusted(p, mixed, correction),
        mixed=mixed,
    )


def _adjusted(p: Floats, family: Bools, correction: str) -> Floats:
    """p (3, 3, P) corrected over the pairs of the family that have one; nan outside it."""
    member = corrections.get(correction)
    if member.needs_joint:
        fix = "Choose Holm or Benjamini-Hochberg."
        raise Undefined(f"{member.title} needs the joint null of bootstrap gains, and these tests have none.", "", fix)
    out = np.full_like(p, np.nan)
    for at in np.ndindex(p.shape[:-1]):
        defined = family & ~np.isnan(p[at])
        if defined.any():
            out[at][defined] = member.grid((p[at][defined],) * 3, None, 0)[0]
    return out


def _notes(result: ScoresResult, alpha: float) -> Iterator[str]:
    run = result.run
    names = run.matrix.systems
    if run.matrix.why == "assumed":
        yield assumed(run.matrix.title)
    for i, j in run.pairs[run.same][:5]:
        yield f"{names[i]} and {names[j]} have the same score on every {run.matrix.row}: p = 1 under every test."
    if int(run.same.sum()) > 5:
        yield f"So do {count(int(run.same.sum()) - 5, 'more pair')}."
    if run.few.any():
        yield (
            f"{count(int(run.few.sum()), 'pair')} of {len(run.pairs)} cannot be tested: the two systems share fewer "
            f"than {LEAST} {run.matrix.rows}, too few for signs and ranks alone to reach p = 0.05."
        )
    endless = np.isinf(run.statistics[:2]).sum(axis=1)
    if endless.any():
        number = int(endless.max())
        verb = "differs" if number == 1 else "differ"
        yield (
            f"{count(number, 'pair')} {verb} by the same amount on every {run.matrix.row}, so T has a standard error of "
            "zero and no theoretical p; swapping the scores (MC) and W still test the difference."
        )
    if run.matrix.missing:
        few, most = int(run.n.min()), int(run.n.max())
        shared = f"{few}" if few == most else f"{few} to {most}"
        yield (
            f"{run.matrix.missing:,} of {run.matrix.values.size:,} scores {_are(run.matrix.missing)} missing. Each pair is "
            f"compared on the {shared} {run.matrix.rows} that both systems have."
        )
    yield from _too_coarse(result, alpha)


def _too_coarse(result: ScoresResult, alpha: float) -> Iterator[str]:
    """A note if the draws are too few for any corrected p to reach alpha."""
    member, run = corrections.get(result.correction), result.run
    tested = int((~np.isnan(result.p_values[1, 0])).sum())
    if not tested or result.estimator == "paper":
        return
    least = result.least_p("mc", tested)
    if least > alpha:
        yield (
            f"With {count(run.resamples, 'draw')} no empirical p (MC, HB) can fall below {format_p(least, run.resamples)} after {member.title} over "
            f"{count(tested, 'pair')}. Use at least {count(int(np.ceil(member.factor(tested) / alpha)), 'draw')}."
        )


def _are(n: int) -> str:
    return "is" if n == 1 else "are"
