"""Ratings by people as scores of systems: the mean rating of each segment, for tests that compare scores."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from sigcore.data import sentinels
from sigcore.errors import SigError
from sigcore.formatting import count
from sigcore.judgments import DIMENSIONS, NOT_SAID, Judgments
from sigcore.readers import Intake, Item, Notice, belonging, display_name

READER, RATING = "ratings", "rating"
SCALE = "Raw ratings were averaged: `sigboard human` standardises them, and compares metrics with people."


def as_scores(ratings: Sequence[Judgments], codes: Sequence[str] = ()) -> Intake:
    """The mean raw rating of each system and segment, a measure for each dimension; what checks the judges is left out, and so are
    `codes` of missing ratings (see `sentinels.read_codes`). Numbers that look like codes are a problem: a mean would hide them.

    Higher is better, as in all ratings: errors have a minus there.
    """
    ratings, problems = _without_codes(ratings, codes)
    several = Counter(part.file for part in ratings)
    items = [item for part in ratings for item in _items(part, _testset(part) if several[part.file] > 1 else "")]
    notices = [Notice(part.file, _told(part)) for part in ratings]
    items, belong = belonging(items)  # a file of each person
    return Intake(items=tuple(items), notices=(*notices, *belong), problems=tuple(problems))


def _without_codes(ratings: Sequence[Judgments], codes: Sequence[str]) -> tuple[list[Judgments], list[SigError]]:
    """The ratings without these codes, and the problems of those in which numbers look like codes."""
    kept, problems = list[Judgments](), list[SigError]()
    for part in ratings:
        try:
            kept.append(sentinels.rated(part, codes))
        except SigError as problem:
            problems.append(problem)
    return kept, problems


def are_all(items: Iterable[Item]) -> bool:
    """Whether all systems are such means: people who are compared with them are compared with themselves."""
    return all(item.reader == READER for item in items if item.role == "system")


def _told(part: Judgments) -> str:
    return f"{count(int(part.counted.sum()), 'rating')}: the mean of each segment is its score. {SCALE}"


def _testset(part: Judgments) -> str:
    """The pair of languages, or the task, of these ratings, where their file has several."""
    return part.name.removeprefix(display_name(part.file)).strip()


def _items(part: Judgments, testset: str) -> Iterator[Item]:
    """The items of each dimension and system, with "" for a segment without a rating."""
    names = [
        f"{segment} of {document}" if document else segment
        for document, segment in zip(part.document.tolist(), part.segment.tolist(), strict=True)
    ]
    # of a segment that only controls have, no system has a score
    rated = itertools.compress(names, part.counted.tolist())
    numbered = {name: k for k, name in enumerate(dict.fromkeys(rated))}
    keys, place = tuple(numbered), np.array([numbered.get(name, 0) for name in names])
    unnamed = part.dimensions in ((NOT_SAID,), DIMENSIONS[:1])
    for dimension in part.dimensions:
        rows = part.counted & (part.dimension == dimension)
        for system in dict.fromkeys(part.system[rows].tolist()):
            own = rows & (part.system == system)
            sums = np.bincount(place[own], part.score[own], len(keys))
            times = np.bincount(place[own], minlength=len(keys))
            cells = tuple(repr(float(sums[k] / times[k])) if times[k] else "" for k in range(len(keys)))
            note = f"mean ratings, {count(len(cells), 'segment')}"
            yield Item(
                system, "system", "scores", cells, part.file, note,
                measure=RATING if unnamed else dimension, reader=READER, keys=keys, better="higher", testset=testset,
            )  # fmt: skip
