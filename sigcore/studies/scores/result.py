"""The pairs of a score matrix as results: p, corrected p, counts, and notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sigcore import corrections
from sigcore.errors import OptionError, Undefined
from sigcore.formatting import format_p
from sigcore.resampling.pvalues import p_values
from sigcore.results import freeze
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies.scores.compute import LEAST, METHODS, ScoresRun
from sigcore.studies.scores.pairs import STATISTICS
from sigcore.studies.signature import signature as signed
from sigcore.types import AUTO, ESTIMATORS, Floats

Bools = NDArray[np.bool_]
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
    correction = corrections.usual(bootstrap=False) if correction == AUTO else correction
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
    for i, j in run.pairs[run.same][:5]:
        yield f"{names[i]} and {names[j]} have the same score on every {run.matrix.row}: p = 1 under every test."
    if int(run.same.sum()) > 5:
        yield f"So do {_count(int(run.same.sum()) - 5, 'more pair')}."
    if run.few.any():
        yield (
            f"{_count(int(run.few.sum()), 'pair')} of {len(run.pairs)} cannot be tested: the two systems share fewer "
            f"than {LEAST} {run.matrix.rows}, too few for signs and ranks alone to reach p = 0.05."
        )
    endless = np.isinf(run.statistics[:2]).sum(axis=1)
    if endless.any():
        number = int(endless.max())
        verb = "differs" if number == 1 else "differ"
        yield (
            f"{_count(number, 'pair')} {verb} by the same amount on every {run.matrix.row}, so T has a standard error of "
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
            f"With {run.resamples:,} draws no empirical p (MC, HB) can fall below {format_p(least, run.resamples)} after {member.title} over "
            f"{tested:,} pairs. Use at least {int(np.ceil(member.factor(tested) / alpha)):,} draws."
        )


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" + ("" if n == 1 else "s")
