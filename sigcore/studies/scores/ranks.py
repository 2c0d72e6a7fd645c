"""Do document sets, or systems, differ at all? Kruskal-Wallis, Friedman, and Tukey's intervals of mean ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sigcore import metrics, readers
from sigcore.formatting import count
from sigcore.results import freeze
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies.statistics import Asked, Measured, measure
from sigcore.studies.units import Groups, groups, in_units
from sigcore.study import LOCAL, Runtime, chosen_unit
from sigcore.sufficient import oriented
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, HIGHER, Direction, Floats, Ints, Unit

Bools = NDArray[np.bool_]

FEW_BLOCKS = 2
WITHIN = "systems within documents"  # ranks within each document; the others are among all scores


@dataclass(frozen=True)
class Omnibus:
    """One test of whether groups differ at all: the statistic, its degrees of freedom and p; nan with the reason `why`.

    `test` is "kruskal" or "friedman", `factor` what the groups are ("documents" or "systems"), `n` the number of scores
    for Kruskal-Wallis and of blocks for Friedman. `used` says what was left out, if anything.
    """

    test: str
    factor: str
    statistic: float
    freedom: int
    p_value: float
    groups: int
    n: int
    why: str = ""
    used: str = ""


@dataclass(frozen=True, eq=False)
class MeanRanks:
    """The mean ranks of G groups (a high rank is a good score), and what is needed to compare them.

    `factor` is "documents", "systems" or "systems within documents"; `counts` (G,) are the scores of each group,
    `variance` that of one rank when no group differs (ties taken into account).
    """

    factor: str
    names: tuple[str, ...]
    means: Floats
    counts: Ints
    variance: float

    def __post_init__(self) -> None:
        freeze(self)

    def critical(self, alpha: float) -> float:
        """The studentized range that the largest difference exceeds with probability alpha; nan for one group."""
        return _range(alpha, len(self.names)) if len(self.names) > 1 else float("nan")

    def errors(self, group: int) -> Floats:
        """The standard errors of the differences to this group, (G,)."""
        return np.sqrt(self.variance / 2 * (1 / self.counts[group] + 1 / self.counts))

    def p_values(self, group: int) -> Floats:
        """Tukey's p of this group against each, (G,); 1 against itself."""
        from scipy.stats import studentized_range

        if self.variance <= 0:
            return np.ones(len(self.names))
        ratio = np.abs(self.means - self.means[group]) / self.errors(group)
        p = np.asarray(studentized_range.sf(ratio, len(self.names), np.inf), dtype=np.float64)
        return np.where(ratio == 0, 1.0, np.clip(p, 0.0, 1.0))

    def differing(self, group: int, alpha: float) -> Bools:
        """Which groups differ from this one at alpha, (G,)."""
        apart = np.abs(self.means - self.means[group]) > self.critical(alpha) * self.errors(group)
        return np.asarray(apart & (np.arange(len(self.names)) != group))

    def half_widths(self, alpha: float) -> Floats:
        """Half the comparison interval of every group, (G,): two groups differ where their intervals do not overlap.

        Exact if all groups have the same size; else the approximation of Hochberg, Weiss and Hart 1982, so
        intervals that just touch should be checked with `differing`.
        """
        groups, q = len(self.names), self.critical(alpha)
        if groups < 3:
            return np.array([q * self.errors(g)[1 - g] / 2 if groups == 2 else np.nan for g in range(groups)])
        inverse = 1 / self.counts
        # row sums of the needed differences d_ij = q sqrt(variance / 2 (1/n_i + 1/n_j)), row by row to save memory
        rows = np.array([np.sqrt(inverse[g] + inverse).sum() - np.sqrt(2 * inverse[g]) for g in range(groups)])
        rows *= q * np.sqrt(self.variance / 2)
        return np.asarray(((groups - 1) * rows - rows.sum() / 2) / ((groups - 1) * (groups - 2)))

    def ends(self, alpha: float) -> tuple[Floats, Floats]:
        """Both ends of every comparison interval, (G,) each, cut at the first and the last rank that there is.

        The cut changes no overlap: a mean rank is never beyond it.
        """
        half = self.half_widths(alpha)
        last = float(len(self.names) if self.factor == WITHIN else self.counts.sum())
        return np.clip(self.means - half, 1.0, last), np.clip(self.means + half, 1.0, last)


@cache
def _range(alpha: float, groups: int) -> float:
    from scipy.stats import studentized_range

    return float(studentized_range.isf(alpha, groups, np.inf))


def document_sets(matrix: ScoreMatrix) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """The names of the document sets in order of appearance, and the set of every document, (n,).

    If the matrix names no sets, each document is its own set.
    """
    if not matrix.sets:
        return matrix.documents, np.arange(matrix.n)
    names = tuple(dict.fromkeys(matrix.sets))
    place = {name: k for k, name in enumerate(names)}
    return names, np.array([place[name] for name in matrix.sets], dtype=np.intp)


def examine(matrix: ScoreMatrix) -> tuple[tuple[Omnibus, ...], tuple[MeanRanks, ...]]:
    """Both omnibus tests over both factors, and the mean ranks of document sets and of systems."""
    values = oriented(matrix.values, matrix.better)
    names, place = document_sets(matrix)
    down = np.repeat(place, len(matrix.systems)).reshape(values.shape)
    across = np.broadcast_to(np.arange(len(matrix.systems)), values.shape)
    tests: list[Omnibus] = []
    ranks: list[MeanRanks] = []
    for factor, labels, group in (("documents", names, down), ("systems", matrix.systems, across)):
        pooled = _pooled(values, group, labels, factor)
        tests.append(_kruskal(values, group, pooled, factor))
        ranks.append(pooled)
    whole, kept, used = _complete(values, matrix)
    tests.append(_friedman(whole, "systems", used))
    if len(names) == matrix.n:
        tests.append(_friedman(whole.T, "documents", used))
    ranks.append(_within(whole, kept))
    return tuple(tests), tuple(part for part in ranks if len(part.names))


def _pooled(values: Floats, group: NDArray[np.intp], labels: Sequence[str], factor: str) -> MeanRanks:
    """Mean ranks among all scores; groups without any score are left out."""
    from scipy.stats import rankdata

    present = ~np.isnan(values)
    ranks = rankdata(values[present])
    counts = np.bincount(group[present], minlength=len(labels))
    sums = np.bincount(group[present], weights=ranks, minlength=len(labels))
    kept = np.asarray(counts > 0)
    n = len(ranks)
    # the sample variance of the ranks is n (n + 1) / 12, reduced by ties
    variance = float(((ranks - ranks.mean()) ** 2).sum() / (n - 1)) if n > 1 else 0.0
    groups = tuple(label for label, keep in zip(labels, kept, strict=True) if keep)
    return MeanRanks(factor, groups, sums[kept] / counts[kept], counts[kept].astype(np.int64), variance)


def _kruskal(values: Floats, group: NDArray[np.intp], pooled: MeanRanks, factor: str) -> Omnibus:
    from scipy.stats import kruskal

    present = ~np.isnan(values)
    n, groups = int(present.sum()), len(pooled.names)
    none = Omnibus("kruskal", factor, np.nan, max(groups - 1, 0), np.nan, groups, n)
    if groups < 2:
        return replace(none, why="At least two groups with scores are needed.")
    if pooled.variance == 0:
        return replace(none, why="All scores are the same, so there is nothing to rank.")
    if n == groups:
        return replace(none, why="Each group has only one score, so nothing varies within a group.")
    order = np.argsort(group[present], kind="stable")
    sizes = np.bincount(group[present])
    result = kruskal(*np.split(values[present][order], np.cumsum(sizes[sizes > 0])[:-1]))
    return replace(none, statistic=float(result.statistic), p_value=float(result.pvalue))


def _complete(values: Floats, matrix: ScoreMatrix) -> tuple[Floats, tuple[str, ...], str]:
    """The largest part without a missing cell: all systems on the documents they share, or all documents for the
    systems that have every one; with the systems' names and what was left out in words."""
    present, systems = ~np.isnan(values), matrix.systems
    if present.all():
        return values, systems, ""
    rows, columns = np.asarray(present.all(axis=1)), np.asarray(present.all(axis=0))
    shared, whole = values[rows], values[:, columns]
    if shared.size >= whole.size and len(shared) >= FEW_BLOCKS:
        return shared, systems, f"only the {len(shared)} of {len(values)} {matrix.rows} that every system has"
    kept = tuple(name for name, keep in zip(systems, columns, strict=True) if keep)
    return whole, kept, f"only the {len(kept)} of {count(len(systems), 'system')} that have every {matrix.row}"


def _friedman(values: Floats, factor: str, used: str) -> Omnibus:
    """Friedman's test of the columns, rows being blocks."""
    from scipy.stats import friedmanchisquare

    blocks, groups = values.shape
    none = Omnibus("friedman", factor, np.nan, max(groups - 1, 0), np.nan, groups, blocks, used=used)
    if groups < 3:
        return replace(none, why="At least three groups without missing scores are needed.")
    if blocks < FEW_BLOCKS:
        return replace(none, why="At least two blocks without missing scores are needed.")
    if (values == values[:, :1]).all():
        return replace(none, why="All groups tie in every block.")
    result = friedmanchisquare(*values.T)
    return replace(none, statistic=float(result.statistic), p_value=float(result.pvalue))


def _within(values: Floats, systems: tuple[str, ...]) -> MeanRanks:
    """Mean ranks of the systems within each document, as in Friedman's test (Nemenyi's comparison)."""
    from scipy.stats import rankdata

    n, count = values.shape
    if n < FEW_BLOCKS or count < 2:
        return MeanRanks(WITHIN, (), np.zeros(0), np.zeros(0, dtype=np.int64), 0.0)
    ranks = rankdata(values, axis=1)
    # k (k + 1) / 12 without ties; the mean over documents of the sample variance of the ranks in each
    variance = float(((ranks - (count + 1) / 2) ** 2).sum() / (n * (count - 1)))
    counts = np.full(count, n, dtype=np.int64)
    return MeanRanks(WITHIN, systems, ranks.mean(axis=0), counts, variance)


# How efficient is Wilcoxon's W against paired T? In theory for known shapes, and estimated on the differences.

# Asymptotic relative efficiency 12 s^2 (integral of f^2)^2 of W against paired T, by the density f of the differences.
THEORY = {"normal": 3 / np.pi, "logistic": np.pi**2 / 9, "Laplace": 1.5, "uniform": 1.0, "smallest possible": 108 / 125}
MOST = 1_000  # differences used; of more, every k-th in sorted order, which preserves the shape
Z = 1.959963984540054  # the interval that measures the error of the median of means covers 95%


def efficiency(z: Floats) -> Floats:
    """The efficiency of W against paired T estimated for every pair from its differences z (n, P): (P,).

    It is the variance of the mean of the differences over that of their Hodges-Lehmann estimate (the median of all
    means of two), the latter read from the length of its distribution-free interval (Lehmann 1963). nan where the
    differences do not vary, or tie so much that the interval has no length.
    """
    return np.array([_of_one(column) for column in z.T])


def _of_one(z: Floats) -> float:
    ordered = np.sort(z)
    if len(ordered) > MOST:
        ordered = ordered[np.linspace(0, len(ordered) - 1, MOST).round().astype(np.intp)]
    n = len(ordered)
    left, right = np.triu_indices(n)
    means = (ordered[left] + ordered[right]) / 2
    middle, spread = len(means) / 2, Z * np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    low = max(round(float(middle - spread)), 0)
    means.partition([low, len(means) - 1 - low])
    length = means[len(means) - 1 - low] - means[low]
    deviation = float(ordered.std(ddof=1))
    if not (length > 0 and deviation > 0):
        return float("nan")
    return float((deviation / np.sqrt(n) / (length / (2 * Z))) ** 2)


def hodges_lehmann(z: Floats) -> float:
    """The median of the means of all pairs of differences z (n,), each with itself too."""
    ordered = np.sort(z)
    if len(ordered) > MOST:
        ordered = ordered[np.linspace(0, len(ordered) - 1, MOST).round().astype(np.intp)]
    left, right = np.triu_indices(len(ordered))
    return float(np.median((ordered[left] + ordered[right]) / 2))


# A matrix of scores from the loaded data: a test set of scores, or a metric computed per unit.


def build(
    testset: Testset, outputs: Sequence[Outputs], asked: Asked, unit: str | Unit = AUTO, runtime: Runtime = LOCAL
) -> ScoreMatrix:
    """The matrix of a test set: its scores as they are, or the first requested metric (name, options) for any other kind.

    The rows are segments, documents or blocks. A unit's score is the metric of the sum over its segments; for scores
    it is their mean, without the missing ones.
    Raises: what `measure` and `units.groups` raise.
    """
    if testset.kind == "scores":
        metric = metrics.get(asked[0][0])
        options = metric.chosen(asked[0][1])
        return from_scores(testset, outputs, metric.direction_of(options), metric.title_of(options), unit)
    return from_metric(testset, measure(testset, outputs, asked[:1], runtime)[0], unit)


def from_scores(
    testset: Testset,
    outputs: Sequence[Outputs],
    direction: Direction = HIGHER,
    title: str = "score",
    unit: str | Unit = AUTO,
) -> ScoreMatrix:
    """The matrix of a test set of kind "scores", one column per system; a segment that is not a number is missing."""
    columns = [[float(cell) if readers.is_number(cell) else float("nan") for cell in item.segments] for item in outputs]
    values = np.array(columns, dtype=np.float64).reshape(len(outputs), testset.n).T
    unit, _ = chosen_unit(testset, unit)
    unit_of = groups(testset, unit)
    if unit_of is not None:
        values = _means(values, unit_of)
    return _matrix(testset, tuple(item.system for item in outputs), values, direction, title, unit)


def from_metric(testset: Testset, measured: Measured, unit: str | Unit = AUTO) -> ScoreMatrix:
    """The matrix of a metric, scored on each unit alone; a score that is not defined there is missing."""
    unit, _ = chosen_unit(testset, unit)
    in_rows = in_units(measured, groups(testset, unit))
    scores = [np.asarray(item.score(item.values), dtype=np.float64) for item in in_rows.systems]
    values = np.column_stack([np.where(np.isfinite(column), column, np.nan) for column in scores])
    systems = tuple(item.system for item in measured.systems)
    return _matrix(
        testset, systems, values, Direction(measured.systems[0].better, measured.systems[0].why), measured.title, unit
    )


def humans_among(outputs: Sequence[Outputs]) -> tuple[str, ...]:
    """The systems that are people, judging by names and groups: the group, or the start of the name, is human."""
    return tuple(o.system for o in outputs if "human" in (o.group.lower(), o.system.lower()[:5]))


def with_rows(matrix: ScoreMatrix, own_sets: bool) -> ScoreMatrix:
    """The matrix with its document sets, or with each row as its own set."""
    return replace(matrix, sets=(), digest="") if own_sets else matrix


def _means(values: Floats, unit_of: Groups) -> Floats:
    """The mean of the scores of every unit, (units, S), over those that are not missing."""
    present = ~np.isnan(values)
    sums, counts = (np.zeros((int(unit_of.max(initial=-1)) + 1, values.shape[1])) for _ in range(2))
    np.add.at(sums, unit_of, np.where(present, values, 0.0))
    np.add.at(counts, unit_of, present)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _matrix(
    testset: Testset, systems: tuple[str, ...], values: Floats, direction: Direction, title: str, unit: Unit
) -> ScoreMatrix:
    """The matrix with its rows named.

    Segments are named after their documents if each has its own, and otherwise belong to the set of their document;
    documents belong to the set of their domain.
    """
    named, sets, row = testset.documents, tuple[str, ...](), unit.kind
    if unit.kind == "document":
        rows = tuple(dict.fromkeys(named))
        sets = _domains_of(testset, rows)
    elif unit.kind == "segment":
        are_named = bool(named) and len(set(named)) == testset.n and all(named)
        row = "document" if are_named else "segment"
        rows = named if are_named else tuple(str(k + 1) for k in range(testset.n))
        sets = testset.domains if are_named or not named else named
    else:
        starts = range(0, testset.n, unit.length)
        rows = tuple(f"{start + 1}-{min(start + unit.length, testset.n)}" for start in starts)
    return ScoreMatrix(
        testset.name, rows, systems, values, (), sets, direction.better, title, row=row, why=direction.why
    )


def _domains_of(testset: Testset, documents: Sequence[str]) -> tuple[str, ...]:
    """The domain of every document; none if a document has several, or the test set has none."""
    if not testset.domains:
        return ()
    domain: dict[str, str] = {}
    for document, name in zip(testset.documents, testset.domains, strict=True):
        if domain.setdefault(document, name) != name:
            return ()
    return tuple(domain[name] for name in documents)
