"""Human conclusions on every pair of systems: a rank-sum test in each dimension, and the overall conclusion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError, Undefined
from sigcore.formatting import count
from sigcore.judgments import Judgments
from sigcore.results import freeze
from sigcore.studies.human.judges import Judge, Segments, rank_sum, segments, standardise
from sigcore.types import Floats, Ints
from sigcore.version import __version__

Progress = Callable[[str, int, int], None]

FEW_SEGMENTS = 10  # with fewer, the normal approximation of the rank-sum test is rough


@dataclass(frozen=True, eq=False)
class Rated:
    """One dimension: the scores of S systems, and the rank-sum test of every pair.

    `scores` and `raw` (S,) are means over rated segments of z and of the scores as given, nan for an unrated
    system; `segments` and `ratings` (S,) count. `p_values` (S, S) are one-sided, "the row is better than the column"; 1
    on the diagonal, nan if one of the two has no rating.
    """

    dimension: str
    scores: Floats
    raw: Floats
    segments: Ints
    ratings: Ints
    p_values: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, eq=False)
class Decided:
    """Conclusions at one alpha, (S, S): 1 the row is better, -1 worse, 0 neither; 0 too where `known` is False.

    `by` is the place of the dimension that decided, -1 if none did. `p_values` are those of that dimension (of the
    last one with a p if none decided). They are not p-values of the conclusion: see `chance`.
    """

    alpha: float
    conclusions: Ints
    by: Ints
    p_values: Floats
    known: NDArray[np.bool_]

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, eq=False)
class People:
    """Human judgments of S systems, best first by the first dimension; `rated` in the order in which they decide."""

    name: str
    systems: tuple[str, ...]
    rated: tuple[Rated, ...]
    by_segment: tuple[Segments, ...]
    standard: str
    judges: tuple[Judge, ...]
    ratings: int
    controls: int
    digest: str
    signature: str
    notes: tuple[str, ...] = ()

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The names of the dimensions, the deciding one first."""
        return tuple(rated.dimension for rated in self.rated)

    @property
    def scale(self) -> str:
        """What the scores are: "z", or "score" where they are not standardised."""
        return "score" if self.standard == "none" else "z"

    @property
    def dropped(self) -> tuple[Judge, ...]:
        """The judges whose ratings are left out."""
        return tuple(judge for judge in self.judges if judge.dropped)

    def decided(self, alpha: float) -> Decided:
        """The conclusion of every pair at alpha: the first dimension in which one side is better; later ones break ties.

        Source: Graham, Mathur & Baldwin 2014, section 4 and Figure 7.
        """
        shape = (len(self.systems),) * 2
        conclusions, by = np.zeros(shape, dtype=np.int64), np.full(shape, -1)
        known, shown = np.zeros(shape, dtype=bool), np.full(shape, np.nan)
        for place, rated in enumerate(self.rated):
            p, is_open = rated.p_values, by < 0
            has_p = ~np.isnan(p)
            reached = p <= alpha
            better, worse = is_open & reached, is_open & reached.T & ~reached
            conclusions[better], conclusions[worse] = 1, -1
            shown = np.where(is_open & has_p, p, shown)
            by[better | worse] = place
            known |= has_p
        off = ~np.eye(len(self.systems), dtype=bool)
        return Decided(alpha, conclusions, by, shown, known & off)

    def levels(self, alpha: float, place: int | None = None) -> Floats:
        """(S, S): verdicts as in `MatrixResult.levels`, of one dimension alone or (None) of all together: positive where
        the row is better, 0 where neither is, the size 1 to 3 by p; nan on the diagonal and where nothing is known."""
        if place is None:
            decided = self.decided(alpha)
            p, signs, known = decided.p_values, decided.conclusions, decided.known
        else:
            p = self.rated[place].p_values
            signs = np.where(p <= alpha, 1, np.where(alpha >= p.T, -1, 0))
            known = ~np.isnan(p) & ~np.eye(len(p), dtype=bool)
        least = np.fmin(p, p.T)
        size = 1.0 + (least <= 0.01) + (least <= 0.001)
        return np.where(known, signs * size, np.nan).astype(np.float64)

    def chance(self, alpha: float) -> float:
        """The chance that two equal systems are distinguished at alpha if the dimensions are independent."""
        return float(1 - (1 - 2 * alpha) ** len(self.rated))


def people(
    judgments: Judgments,
    standard: str = "",
    dimensions: Sequence[str] = (),
    control: float | None = None,
    progress: Progress | None = None,
) -> People:
    """Human conclusions on every pair of systems.

    `standard` is one of `judges.STANDARDS` ("" = the default for the file), `dimensions` are those that decide, in order
    (() = all, adequacy and fluency first), `control` the level of the check on judges (None = no check).

    Raises: OptionError for a dimension that was not rated; Undefined if no rating is left.
    Cost: O(S^2 n log n) in each dimension.
    """
    chosen = _dimensions(judgments, dimensions)
    standardised = standardise(judgments, standard, control)
    parts = [segments(standardised, dimension) for dimension in chosen]
    systems = list(dict.fromkeys(name for part in parts for name in part.system.tolist()))
    first = _scores(systems, parts[0], parts[0].z)
    order = np.argsort(np.where(np.isnan(first), np.inf, -first), kind="stable")
    systems = [systems[k] for k in order]
    unrated = sorted(set(judgments.system[judgments.counted].tolist()) - set(systems))
    judges = tuple(judge for judge in standardised.judges if judge.dimension in chosen)
    return People(
        name=judgments.name,
        systems=tuple(systems),
        rated=tuple(_rated(d, systems, part, progress) for d, part in zip(chosen, parts, strict=True)),
        by_segment=tuple(parts),
        standard=standardised.standard,
        judges=judges,
        ratings=judgments.n,
        controls=int((~judgments.counted).sum()),
        digest=judgments.digest,
        signature=_signature(judgments, standardised.standard, chosen, control),
        notes=(
            *_notes(judgments, standardised.standard, standardised.z),
            *_left_out(judges, unrated),
            *_few(systems, chosen, parts),
        ),
    )


def _dimensions(judgments: Judgments, asked: Sequence[str]) -> tuple[str, ...]:
    rated = judgments.dimensions
    unknown = [dimension for dimension in asked if dimension not in rated]
    if unknown:
        raise OptionError(f"{unknown[0]} was not rated.", judgments.name, f"Rated: {', '.join(rated)}.")
    return tuple(dict.fromkeys(asked)) or rated


def _rated(dimension: str, systems: Sequence[str], part: Segments, progress: Progress | None) -> Rated:
    mine = [part.system == system for system in systems]
    p = np.eye(len(systems))
    for i, row in enumerate(mine):
        if progress is not None:
            progress(f"rank-sum tests for {dimension}", i, len(mine))
        for j, column in enumerate(mine):
            if i != j:
                p[i, j] = rank_sum(part.z[row], part.z[column]) if row.any() and column.any() else np.nan
    counts = np.array([int(row.sum()) for row in mine])
    ratings = np.array([int(part.ratings[row].sum()) for row in mine])
    return Rated(dimension, _scores(systems, part, part.z), _scores(systems, part, part.raw), counts, ratings, p)


def _scores(systems: Sequence[str], part: Segments, values: Floats) -> Floats:
    """The mean over rated segments of every system, nan for one that was not rated."""
    per_system = (values[part.system == system] for system in systems)
    return np.array([float(mine.mean()) if len(mine) else np.nan for mine in per_system])


def _notes(judgments: Judgments, standard: str, z: Floats) -> list[str]:
    notes = []
    if standard == "given":
        missing = int(np.isnan(judgments.z[judgments.counted]).sum())
        if missing:
            notes.append(f"{missing:,} ratings of systems have no z in the file; they are left out.")
        if (judgments.judge != "").any():
            recomputed = standardise(judgments, "all").z
            both = np.isfinite(recomputed) & np.isfinite(judgments.z)
            worst = float(np.abs(recomputed - judgments.z)[both].max(initial=0.0))
            source = "z is taken from the file. Recomputed from all ratings of each judge it would differ by at most"
            doubt = " Was it computed from other ratings?" if worst > 0.01 else ""
            notes.append(f"{source} {worst:.1g}.{doubt}")
    if (judgments.judge == "").any() and (judgments.judge != "").any():
        notes.append(
            f"{int((judgments.judge == '').sum()):,} ratings name no judge; they are treated as ratings by one judge."
        )
    copies = _copies(judgments)
    if copies:
        what = f"{count(copies, 'rating')} repeat another one: the same judge, system, segment and score"
        notes.append(f"{what}. All are counted; was a file loaded twice?")
    odd = int((judgments.kind == "other").sum())
    if odd:
        notes.append(f"{odd:,} ratings are of an unknown type; they are not counted for any system.")
    return notes


def _copies(judgments: Judgments) -> int:
    """How many ratings of outputs by a named judge are copies of earlier ones; a repeat on purpose says so in its kind."""
    used = (judgments.judge != "") & (judgments.kind == "ordinary")
    texts = (judgments.judge, judgments.system, judgments.document, judgments.segment, judgments.dimension)
    rows = list(zip(*(column[used].tolist() for column in (*texts, judgments.score)), strict=True))
    return len(rows) - len(set(rows))


def _left_out(judges: Sequence[Judge], unrated: Sequence[str]) -> list[str]:
    notes = []
    dropped = [judge for judge in judges if judge.dropped]
    if dropped:
        lost = sum(judge.ratings for judge in dropped)
        listed = ", ".join(f"{judge.name or 'without a name'} ({judge.dropped})" for judge in dropped[:6])
        more = f" and {len(dropped) - 6} more" if len(dropped) > 6 else ""
        s = "s" * (len(dropped) > 1)
        notes.append(f"{len(dropped)} judge{s} with {lost:,} ratings left out: {listed}{more}.")
    if unrated:
        notes.append(f"Rated only by judges who are left out: {', '.join(unrated)}.")
    return notes


def _few(systems: Sequence[str], chosen: Sequence[str], parts: Sequence[Segments]) -> list[str]:
    notes = []
    for dimension, part in zip(chosen, parts, strict=True):
        counts = {system: int((part.system == system).sum()) for system in systems}
        none = [system for system, count in counts.items() if not count]
        few = [f"{system} ({count})" for system, count in counts.items() if 0 < count < FEW_SEGMENTS]
        if none:
            notes.append(f"No rating for {dimension}: {', '.join(none)}. Other dimensions decide, if there are any.")
        if few:
            notes.append(f"Few segments were rated for {dimension}, so p is approximate: {', '.join(few)}.")
    return notes


def _signature(judgments: Judgments, standard: str, chosen: Sequence[str], control: float | None) -> str:
    parts = {
        "ratings": judgments.digest[:12],
        "standardise": standard,
        "dimensions": ">".join(chosen),
        "control": "none" if control is None else f"{control:g}",
        "test": "rank-sum, one-sided, asymptotic, continuity and tie correction",
        "sigcore": __version__,
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def need_two(systems: Sequence[str], name: str) -> None:
    """Raises: Undefined if there are fewer than two systems to compare."""
    if len(systems) < 2:
        raise Undefined("Fewer than two systems were rated.", name, "Load the ratings of at least two systems.")
