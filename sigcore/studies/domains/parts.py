"""The calibration experiment: test sets drawn from one population, and how often a borderline p has the right sign."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from sigcore.errors import MismatchError, Undefined
from sigcore.formatting import count, listed
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.studies.gain import P_HIGH, P_LOW
from sigcore.studies.pairs import TEST_SETS, How, scores
from sigcore.studies.prepared import Compared, Prepared, drawn_sets, points
from sigcore.studies.statistics import Asked, Measured, measure
from sigcore.study import LOCAL, Runtime
from sigcore.testset import Outputs, Testset, digest
from sigcore.types import Bools, Floats, Row

# p of the bins, from each number to below the next: those of the paper's Table 1, and beyond them to 0.5.
EDGES = (0.0, 0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.5)


@dataclass(frozen=True)
class Bin:
    """Of `pairs` tests with p from `low` to below `high` on a drawn test set, how many `agree` with the population."""

    low: float
    high: float
    pairs: int
    agree: int

    def as_dict(self) -> Row:
        """One object of JSON; the share in percent is nan, and its exact interval 0 to 100, without a test."""
        percent, low, high = share(self.agree, self.pairs)
        return {**vars(self), "percent": percent, "low_ci": low, "high_ci": high}


@dataclass(frozen=True)
class Calibration:
    """Of `pairs` pairs with p in [p_low, p_high] on a drawn test set, how many `agree` with the sign on the population.

    `percent` with its exact interval `low`, `high` in percent, as if the pairs were independent; nan without a pair.
    `draws` test sets of about `segments` segments were drawn, which gave `tested` p-values. Pairs without a gain on
    the population are left out. `bins` has the same counts for all p.
    """

    p_low: float
    p_high: float
    pairs: int
    agree: int
    draws: int
    segments: int
    tested: int
    bins: tuple[Bin, ...] = ()

    @property
    def percent(self) -> float:
        """The share that agrees, in percent."""
        return share(self.agree, self.pairs)[0]

    def as_dict(self) -> Row:
        """One object of JSON."""
        percent, low, high = share(self.agree, self.pairs)
        bins = [item.as_dict() for item in self.bins]
        return {**vars(self), "percent": percent, "low": low, "high": high, "bins": bins}

    def __str__(self) -> str:
        if not self.pairs:
            return f"None of the {count(self.tested, 'test')} on drawn test sets had p from {self.p_low:g} to {self.p_high:g}."
        percent, low, high = share(self.agree, self.pairs)
        return (
            f"Of {count(self.pairs, 'test')} with p from {self.p_low:g} to {self.p_high:g} on test sets drawn from these segments, "
            f"{percent:.1f}% found the system that is better on all of them (95% interval [{low:.1f}%, {high:.1f}%] if "
            "tests were independent, which tests on one test set are not)."
        )


def share(part: int, whole: int) -> tuple[float, float, float]:
    """A share in percent and the ends of its exact 95% interval; nan, 0 and 100 of nothing."""
    low, high = clopper_pearson(part, whole)
    return (100 * part / whole if whole else math.nan), 100 * float(low), 100 * float(high)


def calibration(
    prepared: Prepared, compared: Compared, size: int, draws: int, how: How, runtime: Runtime = LOCAL
) -> Calibration:
    """The experiment with the pairs of `compared`: the whole test set is the population, the sign of a gain on it the truth.

    Source: Berg-Kirkpatrick et al. 2012, Section 4.2: of 942 tests with p from .04 to .06 on test sets of 1,600 segments
    drawn from Brown, 869 (92%) agreed.
    """
    upward = scores(compared.systems)
    p, right = list[Floats](), list[Bools]()
    tested = 0
    for number, part in enumerate(drawn_sets(prepared, size, draws, how.seed, TEST_SETS)):
        inner = runtime.staged(f"test sets of {count(size, 'segment')}", number, draws)
        found = points(compared, part, how, inner)
        truth = np.sign(upward[found.pairs[:, 0]] - upward[found.pairs[:, 1]])
        used = truth != 0
        p.append(found.p_values[used])
        right.append((truth == np.sign(found.gains))[used])
        tested += int((~np.isnan(found.p_values)).sum())
    return _counted(np.concatenate(p), np.concatenate(right), draws, size, tested)


def _counted(p: Floats, right: Bools, draws: int, size: int, tested: int) -> Calibration:
    """The counts of tests with these p (T,) that found the right system or not (T,)."""
    borderline = (p >= P_LOW) & (p <= P_HIGH)
    bins = list[Bin]()
    for low, high in pairwise(EDGES):
        inside = (p >= low) & (p < high)
        bins.append(Bin(low, high, int(inside.sum()), int(right[inside].sum())))
    near, agree = int(borderline.sum()), int(right[borderline].sum())
    return Calibration(P_LOW, P_HIGH, near, agree, draws, size, tested, tuple(bins))


# Replicability: on at least how many domains a system is better, by partial conjunction tests.

Combine = Literal["bonferroni", "fisher"]


@dataclass(frozen=True, eq=False)
class Replicated:
    """One pair on all domains: its one-sided `p_values`, and on at least how many domains `system` is better.

    `significant` domains have p <= alpha without any correction; `bonferroni` and `fisher` are the counts. nan p (too few
    units differ) are counted as 1.
    """

    system: str
    baseline: str
    p_values: tuple[float, ...]
    significant: int
    bonferroni: int
    fisher: int

    def as_dict(self) -> Row:
        """One object of JSON."""
        return dict(vars(self))


def partial_conjunction(p_values: Sequence[float], combine: Combine) -> Floats:
    """p of the hypotheses "fewer than u of the n effects are there", for u = 1 ... n, made monotone, (n,).

    With the p-values in order, that of u uses the n - u + 1 largest: Bonferroni (n - u + 1) p_(u), Fisher the chi-square of
    -2 times the sum of their logarithms with 2 (n - u + 1) degrees of freedom. Fisher's needs independent p-values, so
    domains without a common document; Bonferroni's holds for any.

    Source: Dror et al. 2017, Replicability Analysis for Natural Language Processing, Section 4; Benjamini & Heller 2008.
    """
    from scipy.stats import chi2

    ordered, n = np.sort(np.asarray(p_values, dtype=np.float64)), len(p_values)
    left = n - np.arange(n)  # n - u + 1
    if combine == "bonferroni":
        of_u = np.minimum(1.0, left * ordered)
    else:
        with np.errstate(divide="ignore"):  # p of c / R may be 0
            logarithms = np.log(ordered)
        largest = np.cumsum(logarithms[::-1])[::-1]  # of the n - u + 1 largest
        of_u = chi2.sf(-2 * largest, 2 * left)
    return np.asarray(np.maximum.accumulate(of_u))


def replicated(system: str, baseline: str, p_values: Sequence[float], alpha: float) -> Replicated:
    """The counts of one pair from its one-sided p on every domain.

    The probability that a count is larger than the number of domains on which the system is better is at most alpha, if
    the direction was chosen before the scores were seen; twice that if the same scores decided it.
    """
    p = np.where(np.isnan(p_values), 1.0, np.asarray(p_values, dtype=np.float64))
    return Replicated(
        system=system,
        baseline=baseline,
        p_values=tuple(float(value) for value in p_values),
        significant=int((p <= alpha).sum()),
        bonferroni=int((partial_conjunction(p.tolist(), "bonferroni") <= alpha).sum()),
        fisher=int((partial_conjunction(p.tolist(), "fisher") <= alpha).sum()),
    )


# The table of signs: pairs by their p on the home domain, and how many have the same sign on every other domain.

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

    def as_dict(self) -> Row:
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
    """The cells of the pairs with p from .04 to .06, as in the paper's text: 58 pairs, of which 83, 71 and 48% agreed."""
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


def bins_of(cells: Sequence[Cell]) -> list[tuple[str, list[Cell]]]:
    """The cells by their bin, each with the bin in words: "0.02 to below 0.04", but "0.04 to 0.06" for the borderline."""
    found = dict[tuple[float, float], list[Cell]]()
    for cell in cells:
        found.setdefault((cell.low, cell.high), []).append(cell)
    below = {ends: "" if ends == BORDERLINE else "below " for ends in found}
    return [(f"{ends[0]:g} to {below[ends]}{ends[1]:g}", own) for ends, own in found.items()]


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


# Several test sets with the same systems as one, each of them a domain.

OneSet = tuple[Testset, Sequence[Outputs]]


@dataclass(frozen=True, eq=False)
class Together:
    """Test sets, one after the other, as one: its `testset` has them as domains, and no references; `outputs` are those of
    the systems that all of them have, `sets` the parts."""

    testset: Testset
    outputs: tuple[Outputs, ...]
    sets: tuple[OneSet, ...]
    notes: tuple[str, ...]

    def measure(self, asked: Asked, runtime: Runtime = LOCAL) -> Measured:
        """The statistics of the systems under the first metric of `asked`: those of each test set, with its own references.

        Raises: as `statistics.measure`; MismatchError for statistics of different columns.
        """
        parts = [measure(testset, outputs, asked[:1], runtime)[0] for testset, outputs in self.sets]
        if len({part.systems[0].columns for part in parts}) > 1:
            raise MismatchError("The test sets have statistics with different columns.", "", "Compare them one by one.")
        signature = " + ".join(dict.fromkeys(part.systems[0].signature for part in parts))
        systems = tuple(
            replace(own[0], values=np.concatenate([item.values for item in own]), signature=signature)
            for own in zip(*(part.systems for part in parts), strict=True)
        )
        return replace(parts[0], systems=systems)


def together(sets: Sequence[OneSet]) -> Together:
    """The test sets as one; documents are kept if every one has them, and the same name in two is two documents.

    Raises: Undefined for fewer than two test sets, or fewer than two systems that all of them have.
    """
    if len(sets) < 2:
        raise Undefined("There is only one test set.", "", "Load another one with the same systems.")
    named = [{item.system: item for item in outputs} for _, outputs in sets]
    common = _common(named, [testset.name for testset, _ in sets])
    kept = tuple((testset, tuple(own[name] for name in common)) for (testset, _), own in zip(sets, named, strict=True))
    left_out = [name for name in dict.fromkeys(name for own in named for name in own) if name not in common]
    outputs = tuple(_one_after_the_other([own[k] for _, own in kept]) for k in range(len(common)))
    whole = [testset for testset, _ in kept]
    return Together(_joined(whole), outputs, kept, tuple(_notes(whole, left_out)))


def _common(named: Sequence[Mapping[str, Outputs]], sets: Sequence[str]) -> list[str]:
    """The systems that all of these test sets have, as in the first."""
    common = [name for name in named[0] if all(name in own for own in named)]
    if len(common) < 2:
        what = f"Fewer than two systems are in all of the test sets {listed(sets)}."
        raise Undefined(what, "", "Load test sets with the same systems, under the same names.")
    return common


def _one_after_the_other(parts: Sequence[Outputs]) -> Outputs:
    """The outputs of one system on all test sets; its group is the first that is given."""
    segments = tuple(segment for part in parts for segment in part.segments)
    return Outputs(parts[0].system, segments, group=next((part.group for part in parts if part.group), ""))


def _notes(sets: Sequence[Testset], left_out: Sequence[str]) -> Iterator[str]:
    yield f"The test sets {listed([one.name for one in sets])} are the domains."
    if left_out:
        verb = "is" if len(left_out) == 1 else "are"
        yield f"{listed(left_out)} {verb} left out: not every test set has an output of it."
    if len({len(one.references) for one in sets}) > 1:
        yield "The test sets have different numbers of references, so their scores differ in level."


def _joined(sets: Sequence[Testset]) -> Testset:
    """The test sets as one, without references: their statistics are extracted one by one."""
    documents = tuple(f"{one.name}: {name}" if name.strip() else "" for one in sets for name in one.documents)
    return Testset(
        name=" + ".join(one.name for one in sets),
        kind=sets[0].kind,
        n=sum(one.n for one in sets),
        domains=tuple(one.name for one in sets for _ in range(one.n)),
        documents=documents if all(one.documents for one in sets) else (),
        digest=digest([one.digest for one in sets]),
    )
