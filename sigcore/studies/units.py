"""The unit of resampling: segments, documents or blocks of segments; their sums, and their design effect."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import MismatchError
from sigcore.formatting import count
from sigcore.studies.statistics import Measured
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Testset
from sigcore.types import DOCUMENT, Floats, Unit

Groups = NDArray[np.intp]

HARMLESS = 1.25  # a design effect at most this large moves no p of .05 above .08

# Leave-one-out scores that differ by less than this share of a score differ only by rounding.
ROUNDING = 1e-14


@dataclass(frozen=True, eq=False)
class DesignEffect:
    """How much more scores vary if n `unit`s are drawn instead of segments: ratios of variances.

    `gains` (S, S) of every pair (nan on the diagonal), `scores` (S,) of every system; nan where segments have no
    variance at all.
    """

    unit: Unit
    n: int
    gains: Floats
    scores: Floats

    def __post_init__(self) -> None:
        for array in (self.gains, self.scores):
            array.setflags(write=False)

    @property
    def of_pairs(self) -> Floats:
        """The effect of each pair once, where it is defined."""
        effects = self.gains[np.triu_indices(len(self.scores), k=1)]
        return np.asarray(effects[np.isfinite(effects)])

    @property
    def interval(self) -> tuple[float, float, float]:
        """The median effect and its 95% interval, as of the variance of n normal numbers; nan without pairs."""
        effects, freedom = self.of_pairs, self.n - 1
        if not len(effects) or freedom < 1:
            return math.nan, math.nan, math.nan
        from scipy.special import chdtri  # only a report asks for it

        middle = float(np.median(effects))
        low, high = (middle * freedom / float(chdtri(freedom, tail)) for tail in (0.025, 0.975))
        return middle, low, high

    @property
    def clear(self) -> bool:
        """Whether it is above 1 by more than chance explains.

        With independent segments its standard error is about sqrt(2 / (n - 1)) for n units, as for any variance.
        """
        effects = self.of_pairs
        return bool(len(effects) and np.median(effects) > 1 + 2 * np.sqrt(2 / max(self.n - 1, 1)))


def groups(testset: Testset, unit: Unit) -> Groups | None:
    """The number of the unit of every segment, (n,), counted as the units first appear; None for segments themselves.

    Segments of one document need not be consecutive. The last block is shorter if N does not divide n.

    Raises: MismatchError if the test set has no documents, or not for each segment.
    """
    if unit.kind == "segment":
        return None
    if unit.kind == "block":
        return np.arange(testset.n, dtype=np.intp) // unit.length
    if not testset.documents:
        raise MismatchError(
            "Documents are to be resampled, but the test set does not assign segments to documents.",
            testset.name,
            "Add a file with the document of every segment, one per line, or use segment or block:50 as the unit.",
        )
    blank = [i for i, name in enumerate(testset.documents) if not name.strip()]
    if blank:
        raise MismatchError(
            f"{count(len(blank), 'segment')} {'has' if len(blank) == 1 else 'have'} no document.",
            f"{testset.name}, segment {blank[0] + 1}",
            "Give every segment the name of its document, or use another unit.",
        )
    first: dict[str, int] = {}
    return np.array([first.setdefault(name, len(first)) for name in testset.documents], dtype=np.intp)


def in_units(measured: Measured, unit_of: Groups | None) -> Measured:
    """The same metric with one row of statistics per unit: the sum of its segments' rows. Cost: O(n K) a system."""
    if unit_of is None:
        return measured
    return replace(measured, systems=tuple(summed(item, unit_of) for item in measured.systems))


def summed(item: SufficientStatistics, unit_of: Groups) -> SufficientStatistics:
    """One system's statistics with a row per unit."""
    sums = np.zeros((int(unit_of.max(initial=-1)) + 1, item.values.shape[1]))
    np.add.at(sums, unit_of, item.values)  # (n, K) -> (units, K), in the order of the segments
    return replace(item, values=sums)


def design_effect(measured: Measured, unit: Unit, unit_of: Groups) -> DesignEffect:
    """The ratios of the variances of gains and scores over units to those over segments, by the delete-one jackknife.

    The jackknife of a function of sums needs no draws: each unit (each segment) is subtracted from the sum once. It is
    first-order equal to the variance of the bootstrap of those units, and free of its factor (n - 1) / n, so that
    independent segments give 1 on average. Cost: O(S n K + S^2 n).

    Source: Kish 1965, Survey Sampling, Section 8.2 (the ratio); Wolter 2007, Introduction to Variance Estimation,
    Chapter 4 (the jackknife, over clusters too).
    """
    units = in_units(measured, unit_of)
    fine, coarse = left_out(measured), left_out(units)
    least = _noise(fine)
    scores = _ratio(variance(coarse), variance(fine), least)
    gains = np.full((len(fine), len(fine)), np.nan)
    for row in range(len(fine)):
        # one row at a time: (S, n) differences are in memory, not (S, S, n)
        gains[row] = _ratio(variance(coarse[row] - coarse), variance(fine[row] - fine), least)
    np.fill_diagonal(gains, np.nan)
    return DesignEffect(unit, coarse.shape[1], gains, scores)


def design_of(testset: Testset, measured: Measured, unit: Unit, unit_of: Groups | None) -> DesignEffect | None:
    """The design effect of the unit; of documents if segments are drawn and each has a document; None if neither."""
    if unit_of is not None:
        return design_effect(measured, unit, unit_of)
    documents = documents_of(testset)
    return None if documents is None else design_effect(measured, testset.by_document, documents)


def documents_of(testset: Testset) -> Groups | None:
    """The number of the document of every segment, (n,); None unless every segment has one."""
    if not testset.documents or not all(name.strip() for name in testset.documents):
        return None
    return groups(testset, DOCUMENT)


def standard_errors(measured: Measured) -> Floats:
    """The jackknife standard error of every score over its rows, (S,); nan for a single row."""
    return np.sqrt(variance(left_out(measured)))


def left_out(measured: Measured) -> Floats:
    """The scores (S, n) of every system without each of its n rows."""
    return np.array([item.score(item.total - item.values) for item in measured.systems])


def variance(left_out: Floats) -> Floats:
    """The jackknife variance of each row of leave-one-out values (..., n); nan for fewer than two of them."""
    n = left_out.shape[-1]
    if n < 2:
        return np.full(left_out.shape[:-1], np.nan)
    centred = left_out - left_out.mean(axis=-1, keepdims=True)
    return np.asarray((n - 1) / n * (centred**2).sum(axis=-1))


def _noise(left_out: Floats) -> float:
    """The variance of leave-one-out values (S, n) that rounding alone may cause."""
    largest = float(np.abs(np.nan_to_num(left_out)).max(initial=0.0))
    return left_out.shape[-1] * (ROUNDING * largest) ** 2


def _ratio(over: Floats, under: Floats, least: float) -> Floats:
    return np.where(under > least, over / np.where(under > least, under, 1.0), np.nan)
