"""Human conclusions on every pair of systems: a rank-sum test in each dimension, and the overall conclusion."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError, Undefined
from sigcore.formatting import count, counted, listed
from sigcore.judgments import Judgments
from sigcore.results import freeze
from sigcore.studies.human.judges import (
    Judge,
    Segments,
    Standardised,
    apart,
    few,
    of_one_system,
    rank_sums,
    recomputed,
    segments,
    standardise,
)
from sigcore.testset import Testset
from sigcore.types import Floats, Ints, Progress
from sigcore.version import __version__

# Judged systems matched with outputs: by name, loosely if that is unambiguous, or as the user decides.

LISTED = 8


@dataclass(frozen=True)
class Match:
    """Which judged system is which output: `names` maps all matched names, judged to output.

    `loosely` are the pairs whose names differ; `judged_only` and `unjudged` have no partner.
    """

    names: dict[str, str]
    loosely: tuple[tuple[str, str], ...]
    judged_only: tuple[str, ...]
    unjudged: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user about the names."""
        pairs = [f"{judged} and {output}" for judged, output in self.loosely]
        lines = (
            (pairs, "Read as the same system: {}."),
            (self.judged_only, "Judged, but without an output of that name: {}."),
            (self.unjudged, "With an output, but without judgments: {}. Not counted in the accuracy."),
        )
        return tuple(line.format(listed(names, LISTED)) for names, line in lines if names)


def match(judged: Sequence[str], outputs: Sequence[str]) -> Match:
    """Judged systems matched with outputs: by the same name, or by one that differs only in case, in how letters are
    composed (NFC, NFD), or in a number after a dot ("Online-W.2" and "Online-W"), if that is unambiguous."""
    exact = {name: name for name in judged if name in set(outputs)}
    names = exact | _loosely(
        [name for name in judged if name not in exact], [name for name in outputs if name not in exact]
    )
    matched = set(names.values())
    return Match(
        names=names,
        loosely=tuple((judged, output) for judged, output in names.items() if judged != output),
        judged_only=tuple(name for name in judged if name not in names),
        unjudged=tuple(name for name in outputs if name not in matched),
    )


def _loosely(judged: Sequence[str], outputs: Sequence[str]) -> dict[str, str]:
    """Names that agree but for case or a number behind a dot, each with its only partner."""
    partners: dict[str, list[str]] = {}
    for name in outputs:
        partners.setdefault(_loose(name), []).append(name)
    rivals = Counter(map(_loose, judged))
    alone = [name for name in judged if rivals[_loose(name)] == 1 and len(partners.get(_loose(name), ())) == 1]
    return {name: partners[_loose(name)][0] for name in alone}


def _loose(name: str) -> str:
    shown = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return re.sub(r"[\s_]+", "-", re.sub(r"\.\d+$", "", shown))


def named(judgments: Judgments, names: Mapping[str, str]) -> Judgments:
    """The judgments with systems renamed.

    Raises: OptionError for an unknown name, or if two systems would share a name.
    """
    systems = judgments.system.tolist()
    known = dict.fromkeys(systems)
    missing = [name for name in names if name not in known]
    if missing:
        raise OptionError(f"No rating names {missing[0]!r}.", judgments.name, f"Named: {listed(known, LISTED)}.")
    after = [names.get(name, name) for name in known]
    twice = [name for name in after if after.count(name) > 1]
    if twice:
        fix = "Give each judged system its own name."
        raise OptionError(f"Two judged systems would be named {twice[0]!r}.", judgments.name, fix)
    if all(names.get(name, name) == name for name in known):
        return judgments
    renamed = np.array([names.get(name, name) for name in systems], dtype=np.str_)
    return replace(judgments, system=renamed, digest="")


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


def most_detailed(parts: Sequence[Judgments]) -> Judgments:
    """The ratings that say most about people: with named judges before others, then the most ratings, then the first.

    A campaign is often published twice, as single ratings and as means per segment. The means name no judges.
    """
    return max(parts, key=lambda part: (len({*part.judge.tolist()} - {""}) > 0, int(part.counted.sum())))


def of_outputs(parts: Sequence[Judgments], outputs: Sequence[str], renamed: Mapping[str, str]) -> Judgments | None:
    """The most detailed of these ratings under the names of the outputs, as the page Human has them before any choice;
    None without ratings. `renamed` are names that a person has given."""
    if not parts:
        return None
    whole = most_detailed(parts)
    given = {name: output for name, output in renamed.items() if name in set(whole.system.tolist())}
    whole = named(whole, given)
    judged = list(dict.fromkeys(whole.system[whole.counted].tolist()))
    return named(whole, dict(match(judged, outputs).names))


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
    rated = judgments.dimensions
    unknown = [dimension for dimension in dimensions if dimension not in rated]
    if unknown:
        raise OptionError(f"{unknown[0]} was not rated.", judgments.name, f"Rated: {', '.join(rated)}.")
    standardised = standardise(judgments, standard, control)
    asked = tuple(dict.fromkeys(dimensions))
    chosen, unusable = (asked, ()) if asked else _usable(standardised, rated)
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
            *unusable,
            *_left_out(judges, unrated),
            *few(systems, chosen, parts),
            *apart(systems, parts[0]),
        ),
    )


def _usable(standardised: Standardised, rated: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The dimensions in which a rating counts, and what is said of the others; all of them where none does."""
    reasons = dict[str, str]()
    for dimension in rated:
        try:
            segments(standardised, dimension)
        except Undefined as problem:
            reasons[dimension] = f"{problem.what} This dimension is left out."
    kept = tuple(dimension for dimension in rated if dimension not in reasons)
    return (kept, tuple(reasons.values())) if kept else (tuple(rated), ())


def _rated(dimension: str, systems: Sequence[str], part: Segments, progress: Progress | None) -> Rated:
    mine = [part.system == system for system in systems]
    p = np.eye(len(systems))
    for i, row in enumerate(mine):
        if progress is not None:
            progress(f"rank-sum tests for {dimension}", i, len(mine))
        for j, column in enumerate(mine[:i]):
            both = row.any() and column.any()
            p[i, j], p[j, i] = rank_sums(part.z[row], part.z[column]) if both else (np.nan, np.nan)
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
            notes.append(
                f"{counted(missing, 'rating', 'has', 'have')} no z in the file, and {'is' if missing == 1 else 'are'} left out."
            )
        if (judgments.judge != "").any():
            again = recomputed(judgments)
            both = np.isfinite(again) & np.isfinite(judgments.z)
            worst = float(np.abs(again[both] - judgments.z[both]).max(initial=0.0))
            source = "z is taken from the file. Recomputed from all ratings of each judge it would differ by at most"
            doubt = " Was it computed from other ratings?" if worst > 0.01 else ""
            notes.append(f"{source} {worst:.1g}.{doubt}")
    nameless = int((judgments.judge == "").sum())
    if 0 < nameless < len(judgments.judge):
        notes.append(f"{counted(nameless, 'rating', 'names', 'name')} no judge. One unnamed judge is assumed.")
    copies = _copies(judgments)
    if copies:
        what = (
            f"{counted(copies, 'rating', 'repeats', 'repeat')} another one: the same judge, system, segment and score"
        )
        notes.append(f"{what}. All are counted; was a file loaded twice?")
    if standard == "all" and (controls := int((~judgments.counted).sum())):
        what = f"{counted(controls, 'rating', 'is', 'are')} for quality control, and counted for no system."
        notes.append(f"{what} In the mean and SD of the judge, all ratings count.")
    notes += of_one_system(judgments, standard)
    odd = int((judgments.kind == "other").sum())
    if odd:
        notes.append(f"{counted(odd, 'rating', 'is', 'are')} of an unknown type, and not counted for any system.")
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
        several = len({judge.dimension for judge in judges}) > 1
        shown = [
            f"{judge.name or 'without a name'} ({f'{judge.dimension}: ' if several else ''}{judge.dropped})"
            for judge in dropped[:6]
        ]
        more = f" and {len(dropped) - 6} more" if len(dropped) > 6 else ""
        judges_left_out = len({judge.name for judge in dropped})
        notes.append(
            f"{count(judges_left_out, 'judge')} with {count(lost, 'rating')} left out: {', '.join(shown)}{more}."
        )
    if unrated:
        notes.append(f"Rated only by judges who are left out: {', '.join(unrated)}.")
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


# Whether the test set has the segments that people rated: ratings of others are counted and reported.

RatedSegment = tuple[str, str]  # document ("" without one), segment
WHOLE = re.compile(r"([0-9]{1,99})(?:\.0+)?")  # tables often have 12.0 for 12


def within(people: People, testset: Testset, ids: Sequence[str] = ()) -> People:
    """The same people, with a note on the ratings of segments that the test set does not have, if there are any.

    `ids` name its n segments; () = they are numbered from 1. Ratings may count from 0. Names that are neither numbers nor
    have anything in common with `ids` are not compared, which is noted too.
    Raises: Undefined if no rated segment is in the test set.
    """
    ratings = dict[RatedSegment, int]()
    for part in people.by_segment:
        for document, segment, n in zip(
            *(a.tolist() for a in (part.document, part.segment, part.ratings)), strict=True
        ):
            ratings[document, segment] = ratings.get((document, segment), 0) + n
    numbered = tuple(str(k + 1) for k in range(testset.n))
    outside = _outside(list(ratings), testset, tuple(ids) or numbered, numbered)
    if outside is not None and len(outside) == len(ratings):
        has = f"It has {count(testset.n, 'segment')}, named {listed(ids or numbered, 3)}"
        message = f"No rated segment is in the test set. {has}; the first that was rated is {_shown(outside[0])}."
        raise Undefined(message, people.name, "Load the ratings of this test set, or the test set that was rated.")
    return replace(people, notes=(*people.notes, *_coverage_notes(ratings, outside, testset.n)))


def _coverage_notes(
    ratings: Mapping[RatedSegment, int], outside: Sequence[RatedSegment] | None, n: int
) -> Iterator[str]:
    """What is to be known about the rated segments, whose ratings are counted."""
    if outside is None:
        first = _shown(next(iter(ratings)))
        note = f"It is not known whether the rated segments are the test set's: the ratings call the first {first}, "
        yield f"{note}a name that the test set does not have."
    elif outside:
        of_them, all_of_them = sum(ratings[key] for key in outside), sum(ratings.values())
        which = f"{count(len(outside), 'segment')} that the test set does not have (it has {n:,})"
        names = listed(list(map(_shown, outside)), 3)
        note = f"{of_them:,} of {count(all_of_them, 'rating')} are of {which}: {names}."
        yield f"{note} They count for people, but no metric sees them."
    first_of = dict[tuple[str, int], str]()
    for document, segment in ratings:
        number = WHOLE.fullmatch(segment)
        known = first_of.setdefault((document, int(number[1])), segment) if number else segment
        if known != segment:
            yield f"The ratings name segments in two ways, {known} and {segment}: these count as different segments."
            return


def _outside(
    rated: Sequence[RatedSegment], testset: Testset, ids: Sequence[str], numbered: Sequence[str]
) -> list[RatedSegment] | None:
    """The rated segments that the test set does not have; None if their names cannot be compared with its own."""
    own = set(ids)
    if not own <= {*numbered, "0"}:
        by_name = [key for key in rated if not own & _names(key)]
        if len(by_name) < len(rated):
            return by_name
    known = {document for document, _ in rated}
    known &= set(testset.documents) if not known.isdisjoint(testset.documents) else known  # they may have other names
    places = _places(rated, testset.n)
    if places is None:
        return [key for key in rated if key[0] not in known] or None
    return [key for key, there in zip(rated, places, strict=True) if not there or key[0] not in known]


def _places(rated: Sequence[RatedSegment], n: int) -> list[bool] | None:
    """Whether each segment is one of n, by its number; None if they are not numbers."""
    found = [WHOLE.fullmatch(segment) for _, segment in rated]
    numbers = [int(one[1]) for one in found if one]
    if len(numbers) < len(rated):
        return None
    start = 0 if 0 in numbers and n not in numbers else 1
    return [start <= number < start + n for number in numbers]


def _names(key: RatedSegment) -> set[str]:
    """What a test set may call this segment."""
    document, segment = key
    return {segment, f"{segment} of {document}"} if document else {segment}


def _shown(key: RatedSegment) -> str:
    document, segment = key
    return " of ".join(
        filter(None, (f"segment {segment}" if segment else "", f"document {document}" if document else ""))
    )
