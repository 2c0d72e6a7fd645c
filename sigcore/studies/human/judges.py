"""Standardised judges: each rating in standard deviations from its judge's mean, and the mean of each segment."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError, Undefined
from sigcore.formatting import count, p_text
from sigcore.judgments import Judgments
from sigcore.types import Floats, Ints

STANDARDS = {
    "given": "as in the file (its column z)",
    "all": "mean and SD of all ratings of a judge",
    "ordinary": "mean and SD of a judge's ratings of systems, without quality control",
    "none": "not standardised: the scores as they are",
}
FEW_SEGMENTS = 10  # with fewer, the normal approximation of the rank-sum test is rough
DIGITS = 15  # of z in files, and hence of their means
LISTED = 6  # judges named in a message
DECIMALS = 10  # two computed means that agree to this precision are equal: rounding must not break a tie


@dataclass(frozen=True)
class Judge:
    """One judge in one dimension: the number of ratings, their mean and SD as used, and the result of the controls.

    `ordinary` and `degraded` are the mean raw scores of outputs and of deliberately degraded texts; `trust` is the
    one-sided p that the latter are rated lower (nan without them). `dropped` is the reason why the ratings are left out, or "".
    """

    name: str
    dimension: str
    ratings: int
    controls: int
    mean: float
    sd: float
    ordinary: float
    degraded: float
    trust: float
    dropped: str = ""


@dataclass(frozen=True, eq=False)
class Standardised:
    """Standardised ratings: `z` (N,), nan where a judge was dropped; the judges; `standard`, one of STANDARDS."""

    judgments: Judgments
    standard: str
    z: Floats
    judges: tuple[Judge, ...]

    @property
    def dropped(self) -> tuple[Judge, ...]:
        """The judges whose ratings are left out."""
        return tuple(judge for judge in self.judges if judge.dropped)


@dataclass(frozen=True, eq=False)
class Segments:
    """Every rated output of a segment in one dimension: mean score, mean z and number of ratings, each (n,)."""

    system: NDArray[np.str_]
    document: NDArray[np.str_]
    segment: NDArray[np.str_]
    raw: Floats
    z: Floats
    ratings: Ints

    def __post_init__(self) -> None:
        for item in fields(self):
            getattr(self, item.name).setflags(write=False)


def default_standard(judgments: Judgments) -> str:
    """How ratings are standardised by default: z from the file, points as they are, else by all ratings; not at all where each judge
    rated one system only."""
    given = np.isfinite(judgments.z[judgments.counted])
    if given.any() and given.all():
        return "given"
    return "none" if judgments.absolute or each_of_one(judgments) else "all"


def each_of_one(judgments: Judgments) -> bool:
    """Whether each judge rated a single one of several systems, and several of its outputs: the mean of a judge is that of the system
    then, and z is 0 for all."""
    named = judgments.counted & (judgments.judge != "")
    rated = list(zip(judgments.judge[named].tolist(), judgments.system[named].tolist(), strict=True))
    judges, systems = ({pair[k] for pair in rated} for k in (0, 1))
    several = min(Counter(judge for judge, _ in rated).values(), default=0) > 1
    return len(systems) > 1 and several and len({*rated}) == len(judges)


def of_one_system(judgments: Judgments, standard: str) -> list[str]:
    """What is said where each judge rated one of several systems: the mean of a judge takes that of the system with it."""
    if judgments.absolute or standard == "given" or not each_of_one(judgments):
        return []
    kept = "are not standardised" if standard == "none" else "are all 0 on average"
    return [f"Each judge rated one system only, so ratings {kept}: by judge no difference is left."]


def standards(judgments: Judgments) -> tuple[str, ...]:
    """The ways in which these ratings can be standardised."""
    possible = {"given": np.isfinite(judgments.z).any(), "none": True}
    possible |= dict.fromkeys(("all", "ordinary"), (judgments.judge != "").any())
    return tuple(name for name in STANDARDS if possible[name])


def standardise(judgments: Judgments, standard: str = "", control: float | None = None) -> Standardised:
    """Each rating minus the mean of its judge over the SD (n - 1) of that judge's ratings, dimension by dimension.

    Judges with a single rating, or with ratings that are all the same, have no SD: their ratings are dropped. With a
    level `control`, so are those of judges whose ratings of deliberately degraded texts are not significantly lower, at
    that level, than their ratings of outputs.

    Raises: OptionError for an unknown standard, or one that the file does not allow.
    Source: Graham, Mathur & Baldwin 2014, section 4.
    """
    standard = standard or default_standard(judgments)
    _check(judgments, standard)
    group, names = _codes(judgments.judge, judgments.dimension)
    everything = np.ones(judgments.n, dtype=bool)
    rated = judgments.counted if standard == "ordinary" else everything
    count, mean, sd = _moments(group, judgments.score, rated, len(names))
    why = ["" if standard in ("given", "none") else _no_scale(int(n), float(s)) for n, s in zip(count, sd, strict=True)]
    trust = _trust(judgments, group, len(names))
    if control is not None:
        why = [reason or _unreliable(p, control) for reason, p in zip(why, trust, strict=True)]
    z = judgments.z if standard == "given" else judgments.score
    if standard in ("all", "ordinary"):
        z = _scaled(judgments.score, mean[group], sd[group])
    z = np.where(np.array([reason == "" for reason in why])[group], z, np.nan)
    ratings, controls = (np.bincount(group[part], minlength=len(names)) for part in (everything, ~judgments.counted))
    ordinary, degraded = (
        _moments(group, judgments.score, part, len(names))[1]
        for part in (judgments.counted, judgments.kind == "degraded")
    )
    judges = (
        Judge(
            name=name,
            dimension=dimension,
            ratings=int(ratings[k]),
            controls=int(controls[k]),
            mean=float(mean[k]),
            sd=float(sd[k]),
            ordinary=float(ordinary[k]),
            degraded=float(degraded[k]),
            trust=float(trust[k]),
            dropped=why[k],
        )
        for k, (name, dimension) in enumerate(names)
    )
    return Standardised(judgments, standard, z, tuple(judges))


def recomputed(judgments: Judgments) -> Floats:
    """z of each rating (N,) by all ratings of its judge, as `standardise` has it; not finite for a judge without an SD."""
    group, names = _codes(judgments.judge, judgments.dimension)
    _, mean, sd = _moments(group, judgments.score, np.ones(judgments.n, dtype=bool), len(names))
    return _scaled(judgments.score, mean[group], sd[group])


def _scaled(scores: Floats, mean: Floats, sd: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return (scores - mean) / sd


def _no_scale(count: int, sd: float) -> str:
    """Why the ratings of a judge cannot be standardised; "" if they can."""
    if count < 2:
        return f"{count or 'no'} rating{'s' * (count == 0)}"
    return "" if sd > 0 else "all ratings are the same"


def _unreliable(p: float, level: float) -> str:
    return f"does not rate degraded texts lower ({p_text(p, 0)})" if p > level else ""


def _trust(judgments: Judgments, group: Ints, groups: int) -> Floats:
    """One-sided rank-sum p of "outputs are rated higher than degraded texts" for each judge; nan without such texts."""
    p_values = np.full(groups, np.nan)
    counted, degraded = judgments.counted, judgments.kind == "degraded"
    order = np.argsort(group, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
        better, worse = rows[counted[rows]], rows[degraded[rows]]
        if len(better) and len(worse):
            p_values[group[rows[0]]] = rank_sum(judgments.score[better], judgments.score[worse])
    return p_values


def rank_sum(better: Floats, worse: Floats) -> float:
    """One-sided p of Wilcoxon's rank-sum test that the first values tend to be higher.

    Normal approximation with correction for ties and for continuity; 1 where all values are the same.

    Source: scipy.stats.mannwhitneyu, as the WMT organisers' wilcox.test(..., exact = FALSE).
    """
    return rank_sums(better, worse)[0]


def rank_sums(one: Floats, other: Floats) -> tuple[float, float]:
    """p of `rank_sum` in both directions, from one ranking: that the first values are higher, and that the others are."""
    from scipy.special import ndtr  # scipy.stats takes half a second to import

    n, m = len(one), len(other)
    _, places, times = np.unique(np.concatenate([one, other]), return_inverse=True, return_counts=True)
    middle = np.cumsum(times) - (times - 1) / 2  # the mean rank of values that are equal
    times = times.astype(np.float64)
    ties = float((times**3 - times).sum()) / ((n + m) * (n + m - 1))
    u = float(middle[places[:n]].sum()) - n * (n + 1) / 2
    spread = math.sqrt(n * m / 12 * max(n + m + 1 - ties, 0.0))
    if spread == 0:
        return 1.0, 1.0
    return float(ndtr(-((u - n * m / 2 - 0.5) / spread))), float(ndtr(-((n * m / 2 - u - 0.5) / spread)))


def _check(judgments: Judgments, standard: str) -> None:
    if standard not in STANDARDS:
        raise OptionError(f"standardise = {standard!r}.", "", f"Choose from: {', '.join(STANDARDS)}.")
    if standard == "given" and not np.isfinite(judgments.z).any():
        raise OptionError("The file has no column z.", judgments.name, "Choose all, ordinary or none.")
    if standard in ("all", "ordinary") and not (judgments.judge != "").any():
        fix = "Use the scores as they are (none), or load the ratings of each judge."
        raise OptionError("The ratings name no judge, so no judge can be standardised.", judgments.name, fix)


def _codes(*columns: NDArray[np.str_]) -> tuple[Ints, list[tuple[str, ...]]]:
    """The number of each row's combination of names, and the combinations, in order of appearance."""
    known: dict[tuple[str, ...], int] = {}
    rows = zip(*(column.tolist() for column in columns), strict=True)
    codes = np.array([known.setdefault(row, len(known)) for row in rows], dtype=np.int64)
    return codes, list(known)


def _moments(group: Ints, values: Floats, used: NDArray[np.bool_], groups: int) -> tuple[Ints, Floats, Floats]:
    """Number, mean and SD (n - 1) of the used values of each group; nan where there are too few.

    The SD of values that are all the same is exactly 0, even if their mean is not exact.
    """
    group, values = group[used], values[used]
    count = np.bincount(group, minlength=groups)
    low, high = np.full(groups, np.inf), np.full(groups, -np.inf)
    np.minimum.at(low, group, values)
    np.maximum.at(high, group, values)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(group, values, minlength=groups) / count
        square = np.bincount(group, (values - mean[group]) ** 2, minlength=groups) / (count - 1)
    sd = np.where(count > 1, np.sqrt(np.maximum(square, 0.0)), np.nan)
    return count, mean, np.where((low == high) & (count > 1), 0.0, sd)


def segments(standardised: Standardised, dimension: str) -> Segments:
    """The mean raw score and mean z of every system on every segment, over all ratings of its output that count.

    Means come from correctly rounded sums, and are rounded to 15 digits if z comes from a file (as such files are
    written), else to 10 decimals, so that equal means are equal. Systems and segments are in order of appearance.

    Raises: Undefined if no rating in that dimension counts.
    """
    judgments = standardised.judgments
    used = judgments.counted & (judgments.dimension == dimension) & np.isfinite(standardised.z)
    if not used.any():
        raise _none_counts(standardised, dimension)
    names = (judgments.system[used], judgments.document[used], judgments.segment[used])
    cell, keys = _codes(*names)
    order = np.argsort(cell, kind="stable")
    edges = np.flatnonzero(np.diff(cell[order])) + 1
    raw, z = (_means(values[used][order], edges) for values in (judgments.score, standardised.z))
    ratings = np.diff([0, *edges.tolist(), len(order)])
    system, document, segment = (np.array(column, dtype=np.str_) for column in zip(*keys, strict=True))
    kept = _to_digits(z) if standardised.standard == "given" else np.round(z, DECIMALS)
    return Segments(system, document, segment, raw, kept, ratings)


def _none_counts(standardised: Standardised, dimension: str) -> Undefined:
    """The error if no rating in a dimension counts, with the judges and the reasons."""
    of_dimension = standardised.judgments.dimension == dimension
    message = f"No rating for {dimension} counts"
    dropped = [judge for judge in standardised.dropped if judge.dimension == dimension]
    if not (of_dimension & standardised.judgments.counted).any():
        message += ": none is of a system" + (
            ", all are quality control or of another type." if of_dimension.any() else "."
        )
        fix = "Load ratings of type SYSTEM, or choose another dimension."
    elif dropped:
        reasons = ", ".join(f"{judge.name or 'the one without a name'} ({judge.dropped})" for judge in dropped[:LISTED])
        more = f" and {len(dropped) - LISTED} more" if len(dropped) > LISTED else ""
        message += f": the judges are left out, {reasons}{more}."
        fix = "Load more ratings of these judges, use the scores as they are (none), or keep every judge."
    else:
        message, fix = f"{message}: none has a z in the file.", "Choose another way to standardise judges."
    return Undefined(message, standardised.judgments.name, fix)


def _means(values: Floats, edges: NDArray[np.int64]) -> Floats:
    """The mean of each range between edges, from a correctly rounded sum: the order of ratings does not matter."""
    parts = np.split(values, edges)
    return np.array([math.fsum(part.tolist()) / len(part) for part in parts])


def _to_digits(values: Floats) -> Floats:
    return np.array([float(f"{value:.{DIGITS}g}") for value in values.tolist()])


def few(systems: Sequence[str], chosen: Sequence[str], parts: Sequence[Segments]) -> list[str]:
    """What is said of systems with no rating in a dimension, or with few."""
    notes = []
    for dimension, part in zip(chosen, parts, strict=True):
        counts = {system: int((part.system == system).sum()) for system in systems}
        none = [system for system, n in counts.items() if not n]
        rare = [f"{system} ({n})" for system, n in counts.items() if 0 < n < FEW_SEGMENTS]
        if none:
            notes.append(f"No rating for {dimension}: {', '.join(none)}. Other dimensions decide, if there are any.")
        if rare:
            notes.append(f"Few segments were rated for {dimension}, so p is approximate: {', '.join(rare)}.")
    return notes


def apart(systems: Sequence[str], part: Segments) -> list[str]:
    """What is said of pairs of systems that were mostly rated on other segments: a test of independent ratings does not see it."""
    both = shared(systems, part)
    fewer = np.minimum(np.diag(both)[:, None], np.diag(both)[None, :])
    pairs = np.argwhere(np.triu(2 * both < fewer, 1))
    if not len(pairs):
        return []
    i, j = pairs[np.argmin(both[pairs[:, 0], pairs[:, 1]])]
    n = len(systems) * (len(systems) - 1) // 2
    what = f"{len(pairs)} of {count(n, 'pair')} of systems share fewer than half of their rated segments, such as "
    return [f"{what}{systems[i]} and {systems[j]} ({both[i, j]} of {fewer[i, j]}): their segments may differ, too."]


def shared(systems: Sequence[str], part: Segments) -> Ints:
    """How many rated segments each two of k systems have in common, (k, k); the diagonal has those of one."""
    names = np.array([f"{document}\t{segment}" for document, segment in zip(part.document, part.segment, strict=True)])
    _, place = np.unique(names, return_inverse=True)
    rated = np.zeros((len(systems), int(place.max(initial=-1)) + 1), dtype=np.float32)
    for i, system in enumerate(systems):
        rated[i, place[part.system == system]] = 1.0
    return np.asarray(rated @ rated.T, dtype=np.int64)
