"""Whether higher or lower is better for each dimension of ratings: as somebody says, by its name, or asked where the numbers speak
against the name."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import correlation

from sigcore import measures
from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers.contract import Found, Notice, Options
from sigcore.readers.names import pattern
from sigcore.readers.tables import appraise, said, wide_ratings
from sigcore.types import Better

BETTERS = ("higher", "lower")
# Names of a dimension that only say that somebody rated something, and points of MQM, which the reader makes or finds below 0.
UNNAMED = pattern("ratings.unnamed")


@dataclass(frozen=True)
class Rated:
    """Ratings with their dimensions, and the columns that say what each is about: its segment, system and judge."""

    dimensions: Sequence[str]
    scores: Sequence[float]
    about: Sequence[Sequence[str]]

    def of(self, name: str) -> dict[tuple[str, ...], float]:
        """The ratings in one dimension."""
        rows = zip(self.dimensions, zip(*self.about, strict=True), self.scores, strict=True)
        return {about: score for one, about, score in rows if one == name}


def signs_of(file: str, own: Rated, better: str, result: Found) -> list[float]:
    """What each rating is multiplied with, so that higher is better: -1 where somebody says that lower is, or the name of its
    dimension does (errors, hallucination), which is noted. Ranks, which have a minus by now, are turned where higher is.

    Raises: ReadError where the numbers speak against a name, or may be points of errors or a measure of what is good.
    """
    ranked = Notice(file, wide_ratings.RANKED) in result.notices
    if better in BETTERS:
        return [-1.0 if (better == "lower") != ranked else 1.0] * len(own.dimensions)
    known = {name: "higher" if ranked else measures.better_of(name) for name in dict.fromkeys(own.dimensions)}
    known |= {name: "lower" for name in known if name.lower() == appraise.MQM.lower() and _are_points(file, own, name)}
    _ask_turned(file, own, known)
    _note_directions(file, known, result)
    return [-1.0 if known[name] == "lower" else 1.0 for name in own.dimensions]


GOES_WITH, FEWEST_RATED = 0.3, 5  # a correlation, and ratings of two criteria


def _ask_turned(file: str, own: Rated, known: Mapping[str, Better | None]) -> None:
    """Raise ReadError if ratings of something bad (hallucination) go up with ratings of something good: then 5 may say that there
    is none."""
    bad, good = ([name for name in known if known[name] == end] for end in ("lower", "higher"))
    rated = {name: own.of(name) for name in (*bad, *good)} if bad and good else {}
    for name, other in itertools.product(bad, good):
        pairs = [(score, rated[other][about]) for about, score in rated[name].items() if about in rated[other]]
        varied = len(pairs) >= FEWEST_RATED and min(len({*cells}) for cells in zip(*pairs, strict=True)) > 1
        if varied and correlation(*zip(*pairs, strict=True)) >= GOES_WITH:
            message = f"Is a high number in {name} good? Its ratings go up with those of {other}."
            fix = (
                f"If so: --better higher. If not, and lower is better: --dimension {shlex.quote(name)} --better lower."
            )
            raise ReadError(message, file, 1, fix)


MOST_POINTS = 25  # of errors in a segment, usually; 100 is rather the best on a scale
NEARLY_NONE = 0.1  # a comma, in the mean of several people


def _are_points(file: str, own: Rated, name: str) -> bool:
    """Whether MQM is points of errors, 0 for none, of which fewer are better. Penalties are below 0, and a scale of 100 is high.

    Raises: ReadError where no segment is without errors, or all numbers are at most 1: they may say how good it is.
    """
    scores = list(own.of(name).values())
    same = len({*scores}) == 1
    if same or min(scores) < 0 or max(scores) <= 0 or sorted(scores)[len(scores) // 2] > MOST_POINTS:
        return False
    if min(scores) > NEARLY_NONE or max(scores) <= 1:
        message = f"Its {name} is from {min(scores):g} to {max(scores):g}: points of errors, or how good it is?"
        raise ReadError(message, file, 1, "Say which are better: --better lower, or --better higher.")
    return True


def directed(file: str, dimensions: Sequence[str], keep: list[int], options: Options, result: Found) -> list[int]:
    """The positions without ratings of dimensions of which nobody says whether higher is better, beside others of which lower is
    (redundancy): they may be either, and are left out with a notice. Those that somebody calls scores stay."""
    named = dict.fromkeys(dimensions[k] for k in keep)
    known = {name: measures.better_of(name) for name in named if name and not UNNAMED.search(name)}
    untold = [name for name, end in known.items() if end is None and "lower" in known.values()]
    if not untold or options["better"] in BETTERS or said.said(options):
        return keep
    message = f"Nothing says whether higher or lower is better for {listed(untold)}, beside others of which lower is: left out."
    result.notices.append(Notice(file, f"{message} To see one: --dimension {untold[0]} --better lower (or higher)."))
    return [k for k in keep if dimensions[k] not in untold]


def _note_directions(file: str, known: Mapping[str, Better | None], result: Found) -> None:
    """Add which dimensions are turned, and which are only assumed to be better the higher they are."""
    lower = [name for name, end in known.items() if end == "lower"]
    unknown = [name for name, end in known.items() if name and end is None and not UNNAMED.search(name)]
    if lower:
        has = "their ratings have" if len(lower) > 1 else "its ratings have"
        message = f"Lower is better for {listed(lower)}, so {has} a minus here. Otherwise: --better higher, or the option better of the file."
        result.notices.append(Notice(file, message))
    if unknown:
        message = f"No measure is called {listed(unknown)}: higher is better (assumed). Otherwise: --better lower, or the option better of the file."
        result.notices.append(Notice(file, message))
