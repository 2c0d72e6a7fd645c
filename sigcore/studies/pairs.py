"""The gain and the p of chosen pairs on any rows of statistics: mixtures, parts of a test set, drawn test sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sigcore import significance
from sigcore.errors import Undefined
from sigcore.significance import Resampling
from sigcore.studies.exact import add_exact
from sigcore.studies.matrix.result import p_of_pairs
from sigcore.studies.statistics import too_few
from sigcore.study import LOCAL, Runtime, Settings, Study, fixed
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.types import Estimator, Floats, Ints, Side, TieRule

# Which stream of child seeds a study draws from; tuning has 10 and 11.
INTERVALS, MIXTURES, SUBSETS, TEST_SETS, SIMULATED = 20, 21, 22, 23, 24


@dataclass(frozen=True)
class How:
    """How p is computed. A one-sided p is that of the first system of a pair being better than the second. With `exact` it is that
    of all ways to swap where these cost little, as in a grid.

    The usual choice is the test of Berg-Kirkpatrick et al. 2012.
    """

    test: str = "two_delta_bootstrap"
    side: Side = "greater"
    estimator: Estimator = "valid"
    ties: TieRule = "counted"
    resamples: int = 10_000
    seed: int = 12345
    exact: bool = False

    @classmethod
    def of(cls, study: Study) -> How:
        """How a study computes p: its first test alone."""
        rules, test = study.settings, (study.tests or (cls.test,))[0]
        return cls(test, rules.side, rules.estimator, rules.ties, fixed(study.resamples), study.seed)

    @property
    def settings(self) -> Settings:
        """The settings that turn counts into p; a pair that is turned to its gain has no other direction."""
        side: Side = "two-sided" if self.side == "two-sided" else "greater"
        return Settings(side, self.estimator, self.ties, "none", self.exact)


@dataclass(frozen=True, eq=False)
class Tested:
    """The gains (P,), first minus second, of P pairs, their p, and the Monte Carlo interval of p; nan where p is undefined."""

    gains: Floats
    p_values: Floats
    p_low: Floats
    p_high: Floats


def generator(seed: int, *key: int) -> np.random.Generator:
    """The generator of one child seed of a study."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def scores(systems: Sequence[SufficientStatistics]) -> Floats:
    """The corpus scores (S,) of the systems, oriented so that higher is better."""
    return oriented(np.array([item.corpus_score for item in systems]), systems[0].better)


def by_gain(systems: Sequence[SufficientStatistics]) -> NDArray[np.intp]:
    """All pairs (P, 2) of the systems, each with the better one first; equal ones in their order."""
    order = np.argsort(-scores(systems), kind="stable")
    left, right = np.triu_indices(len(systems), k=1)
    return np.column_stack((order[left], order[right]))


def rows(systems: Sequence[SufficientStatistics], chosen: NDArray[np.intp]) -> tuple[SufficientStatistics, ...]:
    """The systems with only these rows, in this order; a row may be repeated."""
    return tuple(replace(item, values=item.values[chosen]) for item in systems)


def examine(
    systems: Sequence[SufficientStatistics], pairs: NDArray[np.intp], how: How, runtime: Runtime = LOCAL
) -> Tested:
    """The test of all pairs (P, 2) on the rows of these statistics; the draws are those of a grid on as many rows.

    As in a grid p is 1 where two systems have the same rows, and undefined under a bootstrap where they differ on too
    few of them.

    Raises: Undefined for a test that cannot be run on this data. Cost: that of a grid.
    """
    test = significance.get(how.test)
    question = Resampling((tuple(systems),), (test,), pairs, how.resamples, how.seed)
    if reason := test.unfit(question):
        raise Undefined(f"{test.title} cannot be run: {reason}", "", "Choose another test.")
    (draws,) = significance.tally(question, runtime.mapper, runtime.report)
    if how.exact:
        add_exact(question, [draws])
    tally = draws.tallies[test.name]
    draws.close()
    grid = p_of_pairs(tally, test, how.settings)
    apart = _differing(systems, pairs)
    undefined = too_few(apart) if test.draws == "bootstrap" else np.zeros(len(pairs), dtype=bool)
    p, low, high = (np.where(undefined, np.nan, np.where(apart == 0, 1.0, part)) for part in grid)
    whole = scores(systems)  # of the same sums as in a grid, to the last digit
    return Tested(whole[pairs[:, 0]] - whole[pairs[:, 1]], p, low, high)


def _differing(systems: Sequence[SufficientStatistics], pairs: NDArray[np.intp]) -> Ints:
    """On how many rows each pair differs, (P,)."""
    whole = [np.ascontiguousarray(item.values + 0.0).view(np.int64) for item in systems]
    counts = [np.count_nonzero((whole[a] != whole[b]).any(axis=1)) for a, b in pairs.tolist()]
    return np.array(counts, dtype=np.int64)
