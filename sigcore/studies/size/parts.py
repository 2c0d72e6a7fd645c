"""The result of the study of sizes: the curve, its line, detectable gains, and the segments that a gain needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import NormalDist
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError, Undefined
from sigcore.formatting import count
from sigcore.studies import gain, units
from sigcore.studies.gain import Threshold
from sigcore.studies.pairs import SUBSETS as STREAM
from sigcore.studies.pairs import How, generator
from sigcore.studies.prepared import Compared, Points, Prepared, points
from sigcore.studies.statistics import Measured, too_few
from sigcore.study import LOCAL, Runtime
from sigcore.types import DOCUMENT, Floats, Row, Setup, Side

NORMAL = NormalDist()
MEDIAN = "median pair"  # in place of a system: the pair whose gain varies as much as the median one


@dataclass(frozen=True)
class Size:
    """The threshold of one class on parts of `segments` segments; `drawn` is how many they had on average (nan without a
    part), `most` how many the test set has. `gains` and `p_values` (P,) are those of the pairs of all parts."""

    threshold: Threshold
    segments: int
    drawn: float
    most: int
    gains: Floats = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)
    p_values: Floats = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)

    @property
    def pair_class(self) -> str:
        """The class."""
        return self.threshold.pair_class

    @property
    def reason(self) -> str:
        """Why there is no threshold; "" if there is one."""
        if self.segments > self.most:
            return f"the test set has only {count(self.most, 'segment')}"
        return self.threshold.reason

    def as_dict(self) -> Row:
        """One object of JSON."""
        item = self.threshold.as_dict()
        return {
            "class": item["class"],
            "segments": self.segments,
            "drawn": self.drawn,
            **{name: item[name] for name in ("threshold", "low", "high", "spread", "n", "tested", "synthetic")},
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Line:
    """threshold = `constant` / sqrt(segments) for one class, and the `slope` of the logarithms, which that line has as
    -0.5."""

    pair_class: str
    constant: float
    slope: float

    def as_dict(self) -> Row:
        """One object of JSON."""
        return {"class": self.pair_class, "constant": self.constant, "slope": self.slope}


@dataclass(frozen=True)
class Detectable:
    """The smallest true gain that is found on this many segments with this probability; `system` may be MEDIAN."""

    system: str
    baseline: str
    segments: int
    power: float
    gain: float

    def as_dict(self) -> Row:
        """One object of JSON."""
        return dict(vars(self))


@dataclass(frozen=True)
class Needed:
    """The segments on which a true gain is found with this probability; `system` may be MEDIAN, or a share of the pairs."""

    system: str
    baseline: str
    gain: float
    power: float
    segments: float

    def as_dict(self) -> Row:
        """One object of JSON."""
        return dict(vars(self))


@dataclass(frozen=True, eq=False)
class SizeResult:
    """Thresholds by size, and what can be detected; `setup` is that of the tests of the curve, `alpha` the level of the
    planned two-sided test, `design_effect` the median over the pairs (nan if the unit is the segment)."""

    setup: Setup
    systems: tuple[str, ...]
    subsets: str
    draws: int
    alpha: float
    curve: tuple[Size, ...]
    lines: tuple[Line, ...]
    detectable: tuple[Detectable, ...]
    needed: tuple[Needed, ...]
    design_effect: float
    notes: tuple[str, ...]
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.sentences)


# The threshold against the size of the test set: parts of it of several sizes, all pairs tested on each.

Subsets = Literal["initial", "random", "documents"]
SUBSETS: tuple[Subsets, ...] = get_args(Subsets)
FEWEST_SIZES = 2  # sizes with a threshold that a line needs


def subset(prepared: Prepared, size: int, kind: Subsets, seed: int, number: int) -> NDArray[np.intp]:
    """The segments, in order, of the part with this number: the first ones, a random choice, or whole documents.

    Documents come in random order, as many as bring their number of segments nearest to `size` (at least one). No segment
    is chosen twice.

    Raises: Undefined for documents where the test set has none.
    """
    if kind == "initial":
        return np.arange(size, dtype=np.intp)
    rng = generator(seed, STREAM, size, number)
    if kind == "random":
        return np.sort(rng.permutation(prepared.n)[:size])
    document_of = units.groups(prepared.testset, DOCUMENT)
    assert document_of is not None
    lengths = np.bincount(document_of)
    order = rng.permutation(len(lengths))
    many = int(np.abs(np.cumsum(lengths[order]) - size).argmin()) + 1
    return np.nonzero(np.isin(document_of, order[:many]))[0]


def check(prepared: Prepared, sizes: Sequence[int], kind: Subsets, draws: int) -> None:
    """Refuse sizes and numbers that cannot be used (OptionError), and documents where there are none (Undefined)."""
    if kind not in SUBSETS:
        raise OptionError(f"subsets = {kind!r}.", "", f"Choose from: {', '.join(SUBSETS)}.")
    if not sizes or min(sizes) < 1:
        raise OptionError(f"sizes = {list(sizes)}.", "", "Give whole numbers of segments, 1 or more.")
    if draws < 1:
        raise OptionError(f"draws = {draws}.", "", "It must be at least 1.")
    if kind == "documents" and not prepared.testset.documents:
        fix = "Add the document of every segment, or choose initial or random."
        raise Undefined("The test set does not assign segments to documents.", prepared.testset.name, fix)


def curve(
    prepared: Prepared, compared: Compared, size: int, kind: Subsets, draws: int, how: How, runtime: Runtime = LOCAL
) -> list[Size]:
    """The threshold of each class at one size, from the pairs of all parts of that size together.

    A part that is the whole test set, or its first segments, is tested once. Source: Berg-Kirkpatrick et al. 2012, Section
    4.1, Figures 9 and 10 (initial segments); random parts and documents are ours.
    """
    names = sorted(set(compared.classes[np.triu_indices(len(compared.systems), k=1)].tolist()) - {""})
    if size > prepared.n:
        return [Size(_none(name, how, compared), size, math.nan, prepared.n) for name in names]
    times = 1 if kind == "initial" or size == prepared.n else draws
    found, segments = list[Points](), list[int]()
    for number in range(times):
        part = prepared.part(subset(prepared, size, kind, how.seed, number))
        inner = runtime.staged(f"parts of {count(size, 'segment')}", number, times)
        found.append(points(compared, part, how, inner))
        segments.append(part.n)
    gains = np.concatenate([item.gains for item in found])
    p, classes = (np.concatenate([getattr(item, name) for item in found]) for name in ("p_values", "classes"))
    return [
        Size(
            gain.threshold(gains[classes == name], p[classes == name], name, how.seed, compared.synthetic),
            size,
            float(np.mean(segments)),
            prepared.n,
            gains[classes == name],
            p[classes == name],
        )
        for name in names
    ]


def _none(name: str, how: How, compared: Compared) -> gain.Threshold:
    return gain.threshold(np.zeros(0), np.zeros(0), name, how.seed, compared.synthetic)


def lines(sizes: Sequence[Size]) -> tuple[Line, ...]:
    """For each class the line constant / sqrt(segments) through its thresholds, and the slope that they have themselves."""
    out = []
    for name in dict.fromkeys(item.pair_class for item in sizes):
        own = [item for item in sizes if item.pair_class == name and item.threshold.threshold > 0]
        if len({item.drawn for item in own}) >= FEWEST_SIZES:
            x = np.log([item.drawn for item in own])
            y = np.log([item.threshold.threshold for item in own])
            out.append(Line(name, float(np.exp(np.mean(y + x / 2))), _slope(x, y)))
    return tuple(out)


def _slope(x: Floats, y: Floats) -> float:
    centred = x - x.mean()
    return float((centred * y).sum() / (centred**2).sum())


# The smallest gain that a test of a given size detects, and the segments that a gain needs, from the jackknife.

POWERS = (0.8, 0.95)


@dataclass(frozen=True, eq=False)
class Variation:
    """How much the gains of the P pairs (P, 2) vary: `deviation` (P,) is the standard deviation of a gain on n segments
    times the root of n; nan where two systems differ on too few units, 0 where on none.

    `design_effect` (P,) is how much of its square is due to the unit: the variance over units divided by that over
    segments.
    """

    pairs: NDArray[np.intp]
    deviation: Floats = field(repr=False)
    design_effect: Floats = field(repr=False)

    def quantile(self, share: float) -> float:
        """The deviation that this share of the pairs do not exceed; nan without a pair that differs."""
        defined = self.deviation[self.deviation > 0]
        return float(np.quantile(defined, share)) if len(defined) else math.nan


def variation(measured: Measured, unit_of: units.Groups | None, pairs: NDArray[np.intp]) -> Variation:
    """The variation of the gains of these pairs, by the delete-one jackknife over the units.

    The squared deviation is n (m - 1) / m times the sum of the squared deviations of the m leave-one-out gains: for m = n
    the variance of the influence values u = (n - 1) (mean - leave-one-out). Cost: O(S m K + P m).

    Source: Efron & Tibshirani 1993, Chapter 11 (the jackknife, and influence values); Kish 1965 (the design effect).
    """
    fine = units.left_out(measured)
    summed = units.in_units(measured, unit_of)
    coarse = fine if unit_of is None else units.left_out(summed)
    n = fine.shape[1]
    variances = np.array([units.variance(coarse[a] - coarse[b]) for a, b in pairs.tolist()])
    of_segments = np.array([units.variance(fine[a] - fine[b]) for a, b in pairs.tolist()])
    apart = np.array(
        [
            np.count_nonzero((summed.systems[a].values != summed.systems[b].values).any(axis=1))
            for a, b in pairs.tolist()
        ],
        dtype=np.int64,
    )
    deviation = np.where(too_few(apart), np.nan, np.where(apart == 0, 0.0, np.sqrt(n * variances)))
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = np.where(deviation > 0, variances / of_segments, np.nan)
    return Variation(pairs, deviation, effect)


def detectable_gain(
    deviation: float, segments: int, power: float, alpha: float = 0.05, side: Side = "two-sided"
) -> float:
    """The smallest true gain that a test at alpha on this many segments finds with this probability.

    Source: (z of 1 - alpha / 2, plus z of the power) times the standard error; any textbook, for example Cohen 1988.
    """
    return _distance(power, alpha, side) * deviation / math.sqrt(segments)


def needed_segments(
    deviation: float, gain: float, power: float, alpha: float = 0.05, side: Side = "two-sided"
) -> float:
    """The segments on which a test at alpha finds this true gain with this probability; nan if the deviation is.

    Raises: OptionError for a gain that is not above 0.
    """
    if not gain > 0:
        raise OptionError(f"gain = {gain:g}.", "", "It must be above 0.")
    return float(np.ceil((_distance(power, alpha, side) * deviation / gain) ** 2))


def power(deviation: float, segments: int, gain: float, alpha: float = 0.05, side: Side = "two-sided") -> float:
    """The probability that a test at alpha on this many segments finds this true gain, in its direction."""
    error = deviation / math.sqrt(segments)
    return NORMAL.cdf(gain / error - NORMAL.inv_cdf(1 - alpha / (2 if side == "two-sided" else 1)))


@lru_cache(maxsize=256)
def _distance(power: float, alpha: float, side: Side) -> float:
    """How many standard errors a true gain must be above 0."""
    if not 0 < power < 1:
        raise OptionError(f"power = {power:g}.", "", "It must be between 0 and 1; 0.8 is usual.")
    return NORMAL.inv_cdf(1 - alpha / (2 if side == "two-sided" else 1)) + NORMAL.inv_cdf(power)


def median(values: Sequence[float]) -> float:
    """The median of the defined values; nan without one."""
    defined = [value for value in values if not math.isnan(value)]
    return float(np.median(defined)) if defined else math.nan
