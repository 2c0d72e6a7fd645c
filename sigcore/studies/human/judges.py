"""Judges on one scale: every rating in standard deviations from its judge's mean, and the mean of each segment."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError, Undefined
from sigcore.judgments import Judgments
from sigcore.types import Floats, Ints

STANDARDS = {
    "given": "as the file gives them (its column z)",
    "all": "mean and SD of all ratings of a judge",
    "ordinary": "mean and SD of a judge's ratings of systems, without quality control",
    "none": "not standardised: the scores as they are",
}
DIGITS = 15  # of z as files give them, and hence of their means
LISTED = 6  # judges named in a message
DECIMALS = 10  # two means of our own that agree so far are the same: float noise must not break a tie


@dataclass(frozen=True)
class Judge:
    """One judge in one dimension: how many ratings, their mean and SD as used, and what the controls show.

    `ordinary` and `degraded` are the mean raw scores of outputs and of texts made worse on purpose; `trust` is the
    one-sided p that the latter are rated lower (nan without them). `dropped` says why the ratings are left out, or "".
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
    """All ratings on one scale: `z` (N,), nan where a judge was dropped; the judges; `standard`, one of STANDARDS."""

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
    """How ratings are put on one scale where nobody says: z as given, points as they are, else by all ratings."""
    given = np.isfinite(judgments.z[judgments.counted])
    if given.any() and given.all():
        return "given"
    return "none" if judgments.absolute else "all"


def standards(judgments: Judgments) -> tuple[str, ...]:
    """The ways in which these ratings can be put on one scale."""
    possible = {"given": np.isfinite(judgments.z).any(), "none": True}
    possible |= dict.fromkeys(("all", "ordinary"), (judgments.judge != "").any())
    return tuple(name for name in STANDARDS if possible[name])


def standardise(judgments: Judgments, standard: str = "", control: float | None = None) -> Standardised:
    """Each rating minus the mean of its judge over the SD (n - 1) of that judge's ratings, dimension by dimension.

    Judges with a single rating, or with ratings that are all the same, have no SD: their ratings are dropped. So are,
    where a level `control` is given, those of judges whose ratings of texts made worse on purpose are not lower than
    their ratings of outputs at that level.

    Raises: OptionError for a standard that is not known or that the file cannot serve.
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
        why = [told or _unreliable(p, control) for told, p in zip(why, trust, strict=True)]
    z = judgments.z if standard == "given" else judgments.score
    if standard in ("all", "ordinary"):
        with np.errstate(invalid="ignore", divide="ignore"):
            z = (judgments.score - mean[group]) / sd[group]
    z = np.where(np.array([told == "" for told in why])[group], z, np.nan)
    ratings, controls = (np.bincount(group[part], minlength=len(names)) for part in (everything, ~judgments.counted))
    ordinary, degraded = (
        _moments(group, judgments.score, part, len(names))[1]
        for part in (judgments.counted, judgments.kind == "degraded")
    )
    made = (
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
    return Standardised(judgments, standard, z, tuple(made))


def _no_scale(count: int, sd: float) -> str:
    """Why the ratings of a judge cannot be standardised; "" where they can."""
    if count < 2:
        return f"{count or 'no'} rating{'s' * (count == 0)}"
    return "" if sd > 0 else "all ratings are the same"


def _unreliable(p: float, level: float) -> str:
    return f"does not rate degraded texts lower (p = {p:.3f})" if p > level else ""


def _trust(judgments: Judgments, group: Ints, groups: int) -> Floats:
    """One-sided rank-sum p of "outputs are rated higher than degraded texts" for each judge; nan without such texts."""
    found = np.full(groups, np.nan)
    counted, degraded = judgments.counted, judgments.kind == "degraded"
    order = np.argsort(group, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
        better, worse = rows[counted[rows]], rows[degraded[rows]]
        if len(better) and len(worse):
            found[group[rows[0]]] = rank_sum(judgments.score[better], judgments.score[worse])
    return found


def rank_sum(better: Floats, worse: Floats) -> float:
    """One-sided p of Wilcoxon's rank-sum test that the first values tend to be higher.

    Normal approximation with correction for ties and for continuity; 1 where all values are the same.

    Source: scipy.stats.mannwhitneyu, as the WMT organisers' wilcox.test(..., exact = FALSE).
    """
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(better, worse, alternative="greater", use_continuity=True, method="asymptotic").pvalue)


def _check(judgments: Judgments, standard: str) -> None:
    if standard not in STANDARDS:
        raise OptionError(f"standardise = {standard!r}.", "", f"Choose from: {', '.join(STANDARDS)}.")
    if standard == "given" and not np.isfinite(judgments.z).any():
        raise OptionError("The file has no column z.", judgments.name, "Choose all, ordinary or none.")
    if standard in ("all", "ordinary") and not (judgments.judge != "").any():
        fix = "Take the scores as they are (none), or load the ratings of each judge."
        raise OptionError("The ratings name no judge, so no judge can be standardised.", judgments.name, fix)


def _codes(*columns: NDArray[np.str_]) -> tuple[Ints, list[tuple[str, ...]]]:
    """The number of each row's combination of names, and the combinations, in order of appearance."""
    known: dict[tuple[str, ...], int] = {}
    rows = zip(*(column.tolist() for column in columns), strict=True)
    codes = np.array([known.setdefault(row, len(known)) for row in rows], dtype=np.int64)
    return codes, list(known)


def _moments(group: Ints, values: Floats, used: NDArray[np.bool_], groups: int) -> tuple[Ints, Floats, Floats]:
    """Number, mean and SD (n - 1) of the used values of each group; nan where there are too few.

    The SD of values that are all the same is exactly 0, whatever floating point makes of their mean.
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


def segments(found: Standardised, dimension: str) -> Segments:
    """The mean raw score and mean z of every system on every segment, over all ratings of its output that count.

    Means are correctly rounded sums, kept to 15 digits where z comes from a file (as such files are written), else to
    10 decimals, so that equal means are equal. Systems and segments stand in order of appearance.

    Raises: Undefined where no rating in that dimension counts.
    """
    judgments = found.judgments
    here = judgments.counted & (judgments.dimension == dimension) & np.isfinite(found.z)
    if not here.any():
        raise _none_counts(found, dimension)
    names = (judgments.system[here], judgments.document[here], judgments.segment[here])
    cell, keys = _codes(*names)
    order = np.argsort(cell, kind="stable")
    edges = np.flatnonzero(np.diff(cell[order])) + 1
    raw, z = (_means(values[here][order], edges) for values in (judgments.score, found.z))
    ratings = np.diff([0, *edges.tolist(), len(order)])
    system, document, segment = (np.array(column, dtype=np.str_) for column in zip(*keys, strict=True))
    kept = _to_digits(z) if found.standard == "given" else np.round(z, DECIMALS)
    return Segments(system, document, segment, raw, kept, ratings)


def _none_counts(found: Standardised, dimension: str) -> Undefined:
    """What to say where no rating in a dimension counts: whose ratings they are, and why they do not."""
    here = found.judgments.dimension == dimension
    what = f"No rating for {dimension} counts"
    dropped = [judge for judge in found.dropped if judge.dimension == dimension]
    if not (here & found.judgments.counted).any():
        what += ": none is of a system" + (", all are quality control or of another type." if here.any() else ".")
        fix = "Load ratings of type SYSTEM, or choose another dimension."
    elif dropped:
        told = ", ".join(f"{judge.name or 'the one without a name'} ({judge.dropped})" for judge in dropped[:LISTED])
        more = f" and {len(dropped) - LISTED} more" if len(dropped) > LISTED else ""
        what += f": the judges are left out, {told}{more}."
        fix = "Load more ratings of these judges, take the scores as they are (none), or keep every judge."
    else:
        what, fix = f"{what}: none has a z in the file.", "Choose another way to put judges on one scale."
    return Undefined(what, found.judgments.name, fix)


def _means(values: Floats, edges: NDArray[np.int64]) -> Floats:
    """The mean of each stretch between edges, from a correctly rounded sum: the order of ratings cannot matter."""
    parts = np.split(values, edges)
    return np.array([math.fsum(part.tolist()) / len(part) for part in parts])


def _to_digits(values: Floats) -> Floats:
    return np.array([float(f"{value:.{DIGITS}g}") for value in values.tolist()])
