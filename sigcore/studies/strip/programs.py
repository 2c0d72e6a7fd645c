"""What other programs print for a pair: the rule of each, on the scores of this metric, with its own draws where it seeds them.

Each rule follows the program's documented behaviour and source; versions are those that the tests compare with. All of them
draw segments, whatever the unit of the study is.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sigcore.formatting import count
from sigcore.resampling.pvalues import of_student
from sigcore.sufficient import SufficientStatistics
from sigcore.types import Floats

AR_TRIALS, BS_TRIALS = 10_000, 1_000  # of sacreBLEU; MultEval shuffles as often as the first
SACRE_SEED = 12345  # of sacreBLEU, where SACREBLEU_SEED says nothing else
HALVES, HALF = 1_000, 0.5  # of compare-mt: what its function draws by default, and the share of the segments
SPLITS, SHARE, COMET_SEED = 300, 0.4, 1  # of comet-compare
EPSILON = 0.001  # two means nearer than this are a tie of comet-compare
DIGITS = 9  # sizes of gains are compared after so many decimals: a tie must not depend on the last bit of a logarithm
AT_ONCE = 4_000_000  # numbers drawn at once
WORDS = 32  # rows of coins that are drawn together are a multiple of it, since a generator makes 32 coins of one number
OFTEN = 100  # samples between two reports of progress
LEAST = 2  # segments: of fewer compare-mt draws none

# "its own": the program seeds its draws, and these are they; "other": it does not, so another run of it differs by chance;
# "none": its p needs no draws.
DrawsOf = Literal["its own", "other", "none"]
# "one-sided in effect": p is about that of a one-sided test in the direction of the observed gain.
Tail = Literal["two-sided", "one-sided in effect"]

Step = Callable[[], object]


@dataclass(frozen=True)
class Pair:
    """The statistics of the system and the baseline, a row for each segment, and the seed for draws that are not seeded."""

    system: SufficientStatistics
    baseline: SufficientStatistics
    seed: int
    step: Step = lambda: None

    @property
    def n(self) -> int:
        """The number of segments."""
        return self.system.n

    def scores(self, first: Floats, second: Floats) -> tuple[Floats, Floats]:
        """The scores of sums (..., K) of both."""
        with np.errstate(all="ignore"):
            return self.system.score(first), self.baseline.score(second)

    @property
    def size(self) -> float:
        """The absolute difference of the two scores."""
        return abs(float(self.system.corpus_score) - float(self.baseline.corpus_score))


@dataclass(frozen=True)
class Counted:
    """What a rule gives: p (nan: the program prints nan), how many of `resamples` count towards it, and the shares of
    resamples that the system and the baseline win, where the program prints them."""

    p: float
    count: int | None = None
    resamples: int = 0
    wins: tuple[float, float] | None = None


@dataclass(frozen=True)
class Program:
    """A program, one of its tests, and the rule of that test.

    `metrics` are the names of those for which it is shown, `otherwise` says why it is not for others. `decimals` are those
    of the p that it prints, `tail` and `draws` as above, `why` is one sentence on how it differs from the tests here.
    """

    name: str
    version: str
    option: str
    metrics: tuple[str, ...]
    tail: Tail
    draws: DrawsOf
    decimals: int
    rule: Callable[[Pair], Counted]
    why: str
    otherwise: str

    @property
    def title(self) -> str:
        """The program, and the option that tells two of its tests apart."""
        return f"{self.name} {self.option}" if self.option.startswith("--") else self.name

    def printed(self, p: float) -> str:
        """p with the decimals that the program prints."""
        return "nan" if math.isnan(p) else f"{p:.{self.decimals}f}"


def _larger(sizes: Floats, observed: float) -> int:
    """How many are strictly larger, after rounding."""
    return int(np.count_nonzero(np.round(sizes, DIGITS) > np.round(observed, DIGITS)))


def _rows(total: int, n: int, multiple: int = 1) -> Iterator[int]:
    """So many rows of n numbers at once that memory stays bounded, each but the last a multiple."""
    together = max(1, AT_ONCE // n // multiple) * multiple
    for start in range(0, total, together):
        yield min(together, total - start)


def coins(seed: int, rows: int, n: int) -> Iterator[NDArray[np.bool_]]:
    """The coins of sacreBLEU's randomization, (some rows, n) at a time: numpy's default generator, one call for all of them."""
    rng = np.random.default_rng(seed)
    for some in _rows(rows, n, WORDS):
        yield rng.integers(2, size=(some, n), dtype=bool)


def drawn(seed: int, rows: int, n: int) -> Iterator[NDArray[np.int64]]:
    """The segments of sacreBLEU's bootstrap, (some rows, n) at a time: numpy's default generator, with replacement."""
    rng = np.random.default_rng(seed)
    for some in _rows(rows, n):
        yield rng.choice(n, size=(some, n), replace=True)


def shuffled(pair: Pair, seed: int) -> Counted:
    """Approximate randomization as sacreBLEU took it over from MultEval: a coin for each segment, two-sided by absolute value,
    larger differences alone counted, (c + 1) / (R + 1)."""
    first, second = pair.baseline.values, pair.system.values
    whole = first.sum(axis=0) + second.sum(axis=0)
    larger = 0
    for kept in coins(seed, AR_TRIALS, pair.n):
        one = second.sum(axis=0) + kept.astype(np.float64) @ (first - second)
        a, b = pair.scores(one, whole - one)
        larger += _larger(np.abs(a - b), pair.size)
        pair.step()
    return Counted((larger + 1) / (AR_TRIALS + 1), larger, AR_TRIALS)


def paired_ar(pair: Pair) -> Counted:
    """sacreBLEU's `--paired-ar`, with its own draws."""
    return shuffled(pair, SACRE_SEED)


def paired_bs(pair: Pair) -> Counted:
    """sacreBLEU's `--paired-bs`, with its own draws: absolute differences less their own mean, strictly larger than the observed
    one, (c + 1) / (R + 1). Sums are in single precision, as there."""
    rows = [item.values.astype(np.float32) for item in (pair.system, pair.baseline)]
    sizes = list[Floats]()
    for index in drawn(SACRE_SEED, BS_TRIALS, pair.n):
        sums = [np.array([own[line].sum(axis=0) for line in index], dtype=np.float64) for own in rows]
        first, second = pair.scores(*sums)
        sizes.append(np.abs(first - second))
        pair.step()
    whole = np.concatenate(sizes)
    larger = _larger(whole - whole.mean(), pair.size)
    return Counted((larger + 1) / (BS_TRIALS + 1), larger, BS_TRIALS)


def multeval(pair: Pair) -> Counted:
    """MultEval's randomization of one run of each system: as sacreBLEU's, with draws that it does not seed."""
    return shuffled(pair, pair.seed)


def win_ratio(pair: Pair) -> Counted:
    """compare-mt's p: 1 less the share of samples of half of the segments that the more frequent winner wins; 0 if all.

    With `--seed` its draws are those of numpy's old generator with that seed, as here.
    """
    rng = np.random.RandomState(pair.seed)
    size = int(pair.n * HALF)
    sums = np.empty((2, HALVES, pair.system.values.shape[1]))
    for k in range(HALVES):
        index = rng.choice(pair.n, size=size, replace=True)
        sums[:, k] = [item.values[index].sum(axis=0) for item in (pair.system, pair.baseline)]
        if k % OFTEN == 0:
            pair.step()
    first, second = pair.scores(*sums)
    sign = -1 if pair.system.better == "lower" else 1
    apart = np.round(sign * (first - second), DIGITS)
    won = int((apart > 0).sum()), int((apart < 0).sum())
    left = HALVES - max(won)
    return Counted(left / HALVES, left, HALVES, (won[0] / HALVES, won[1] / HALVES))


def t_test(pair: Pair) -> Counted:
    """comet-compare's p, the paired t test of the segments' scores (single precision, two-sided; nan where they do not
    differ), and the shares of its 300 samples of two fifths of the segments that each system wins by .001 or more."""
    x, y = (item.values[:, 0].astype(np.float32) for item in (pair.system, pair.baseline))
    apart = (x - y).astype(np.float64)
    n = pair.n
    with np.errstate(all="ignore"):
        t = apart.mean() / math.sqrt(apart.var(ddof=1) / n) if apart.var(ddof=1) > 0 else math.nan
    p = float(of_student(np.array(t), np.array(n - 1)))
    rng = np.random.RandomState(COMET_SEED)
    index = rng.choice(n, size=(max(int(n * SHARE), 1), SPLITS), replace=True)
    first, second = (np.take(own, index).mean(axis=0) for own in (x, y))
    pair.step()
    gain = (second - first) if pair.system.better == "lower" else (first - second)
    won = float((gain >= EPSILON).sum()) / SPLITS, float((gain <= -EPSILON).sum()) / SPLITS
    return Counted(p, None, 0, won)


RULES = (paired_bs, paired_ar, multeval, win_ratio, t_test)
RECORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["program"]
PROGRAMS: tuple[Program, ...] = tuple(
    Program(
        **{
            **one,
            "metrics": tuple(one["metrics"]),
            "rule": next(rule for rule in RULES if rule.__name__ == one["rule"]),
        }
    )
    for one in RECORDS
)


def why_not(program: Program, metric: str, n: int) -> str:
    """Why a program prints nothing for this metric and so many segments; "" if it does."""
    if metric not in program.metrics:
        return program.otherwise
    return f"It is not shown for {count(n, 'segment')}." if n < LEAST else ""
