"""What a calibration asks: how many repetitions, which null, which rule; and the rules that are known to fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sigcore import corrections
from sigcore.errors import OptionError
from sigcore.significance import Draws
from sigcore.types import Floats

REPETITIONS, MOST_REPETITIONS = 1_000, 100_000
INSIDE = 999  # resamples of each repetition: alpha .05 and .01 are whole numbers of them
FINE = 5  # tests that a correction may multiply p by before more resamples are drawn
LEVELS = (0.05, 0.01)

# What changes sides together: the documents where every segment has one, otherwise the unit of the test.
Null = Literal["auto", "segment", "document"]
NULLS: tuple[Null, ...] = ("auto", "segment", "document")

# Rules of other programs, by name: they are no tests, and have their titles here.
RULES: Mapping[str, str] = {"riezler_maxwell": "Riezler and Maxwell's bootstrap (absolute values before the shift)"}
BASE = "bootstrap_shift"  # the test whose draws a rule reads


@dataclass(frozen=True)
class TrustPlan:
    """How the test of a study is calibrated.

    `repetitions` data sets without a difference are drawn, and as many for each of the `planted` shares of the gains (0 to
    1). With `coverage` as many more of a pair show how often the interval of the gain holds the true one, for each planted
    share (without any, for half of the gain). `null` is what changes sides together. `rule` "riezler_maxwell" reads the draws of a
    bootstrap as Riezler and Maxwell 2005 do, instead of the test of the study. `resamples` 0 are as many as alpha .01 needs.

    Raises: OptionError for a number out of range, a null or a rule that does not exist.
    """

    repetitions: int = REPETITIONS
    null: Null = "auto"
    planted: tuple[float, ...] = ()
    rule: str = ""
    resamples: int = 0
    coverage: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "planted", tuple(self.planted))
        if not 1 <= self.repetitions <= MOST_REPETITIONS:
            raise OptionError(f"repetitions = {self.repetitions}.", "", f"It must be in [1, {MOST_REPETITIONS}].")
        if self.null not in NULLS:
            raise OptionError(f"null = {self.null!r}.", "", f"Choose from: {', '.join(NULLS)}.")
        if self.rule and self.rule not in RULES:
            raise OptionError(f"rule = {self.rule!r}.", "", f"Choose from: {', '.join(RULES)}.")
        if not all(0 < share <= 1 for share in self.planted):
            raise OptionError(f"planted = {self.planted}.", "", "A share of the gain is above 0 and at most 1.")
        if self.rule and self.coverage:
            raise OptionError(f"{RULES[self.rule]} has no interval.", "", "Leave out the coverage.")
        if self.resamples < 0:
            raise OptionError(f"resamples = {self.resamples}.", "", "Give 1 or more, or 0 for as many as are needed.")


HALF = 0.5  # the share of the gain that is true where coverage is asked for alone


def covered_shares(plan: TrustPlan) -> tuple[float, ...]:
    """The shares of the gain for which coverage is counted."""
    return (plan.planted or (HALF,)) if plan.coverage else ()


def resamples_of(plan: TrustPlan, correction: str, tests: int) -> int:
    """The resamples of each repetition: so many that the smallest adjusted p is well below alpha .01."""
    if plan.resamples:
        return plan.resamples
    factor = corrections.get(correction).factor(tests)
    return (INSIDE + 1) * max(1, int(np.ceil(factor / FINE))) - 1


def riezler_maxwell(draws: Draws, gains: Floats, pairs: NDArray[np.intp]) -> Floats:
    """p (P,) as Riezler and Maxwell 2005 print it: the mean is taken off absolute pseudo-gains, so that it is too large.

    Source: Riezler and Maxwell 2005, Figure 2; the slip is described by Graham et al. 2014. sacreBLEU counts so too.
    """
    assert draws.scores is not None
    scores = np.concatenate(list(draws.scores), axis=1)  # (S, R)
    sizes = np.abs(scores[pairs[:, 0]] - scores[pairs[:, 1]])
    reached = sizes - sizes.mean(axis=1, keepdims=True) >= np.abs(gains)[:, None]
    return np.asarray((reached.sum(axis=1) + 1) / (scores.shape[1] + 1))
