"""What a calibration asks: how many repetitions, which null, which rule; and the rules that are known to fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sigcore import corrections
from sigcore.errors import OptionError
from sigcore.resampling.pvalues import of_student
from sigcore.significance import Draws
from sigcore.studies.human.judges import rank_sums
from sigcore.types import Floats

REPETITIONS, MOST_REPETITIONS = 1_000, 100_000
INSIDE = 999  # resamples of each repetition: alpha .05 and .01 are whole numbers of them
FINE = 5  # tests that a correction may multiply p by before more resamples are drawn
LEVELS = (0.05, 0.01)

# What changes sides together: the documents where every segment has one, otherwise the unit of the test. "halves" are two
# halves of one system, split by chance: the null of unpaired tests, and their "auto".
Null = Literal["auto", "segment", "document", "halves"]
NULLS: tuple[Null, ...] = ("auto", "segment", "document", "halves")

# Tests of two sets of scores that are not of the same units, and rules of other programs, by name. No verdict uses them, and
# they have their titles here.
UNPAIRED: Mapping[str, str] = {"unpaired_t": "Unpaired t (pooled variance)", "rank_sum": "Wilcoxon's rank-sum test"}
FLAWED = "riezler_maxwell"
RULES: Mapping[str, str] = {FLAWED: "Riezler and Maxwell's bootstrap (absolute values before the shift)", **UNPAIRED}
BASE = "bootstrap_shift"  # the test whose draws a rule reads


@dataclass(frozen=True)
class TrustPlan:
    """How the test of a study is calibrated.

    `repetitions` data sets without a difference are drawn, and as many for each of the `planted` shares of the gains (0 to
    1). With `coverage` as many more of a pair show how often the interval of the gain holds the true one, for each planted
    share (without any, for half of the gain). `null` is what changes sides together, or "halves": two halves of one system, for an
    unpaired rule. `rule` takes the place of the test of the study: "riezler_maxwell" reads the draws of a bootstrap as Riezler and
    Maxwell 2005 do, "unpaired_t" and "rank_sum" compare the scores of the units. `resamples` 0 are as many as alpha .01 needs.

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
        if self.null == "halves" and self.rule not in UNPAIRED:
            what, why = (
                "Halves of one system are for unpaired tests.",
                "They have no segment in common, so nothing is paired.",
            )
            raise OptionError(what, why, f"Choose another null, or one of: {', '.join(UNPAIRED)}.")
        if self.halves and self.planted:
            raise OptionError(
                "Halves of one system have no gain.", "", "Leave out the planted gain, or exchange segments."
            )
        if self.resamples < 0:
            raise OptionError(f"resamples = {self.resamples}.", "", "Give 1 or more, or 0 for as many as are needed.")

    @property
    def halves(self) -> bool:
        """Whether a repetition compares two halves of one system."""
        return self.rule in UNPAIRED and self.null in ("auto", "halves")


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


def unpaired(rule: str, first: Floats, second: Floats) -> float:
    """Two-sided p of two sets of scores, which need not be of the same size; 1 where no score varies.

    Source: Student's t with pooled variance, as in Rankel et al. 2011; Wilcoxon's rank sum, as in Graham et al. 2014.
    """
    if rule == "rank_sum":
        return min(1.0, 2 * min(rank_sums(first, second)))
    n, m = len(first), len(second)
    within = ((first - first.mean()) ** 2).sum() + ((second - second.mean()) ** 2).sum()
    error = np.sqrt(within / (n + m - 2) * (1 / n + 1 / m))
    return float(of_student((first.mean() - second.mean()) / error, np.array(n + m - 2.0))) if error > 0 else 1.0
