"""Whether the test set has the segments that people rated: ratings of others are counted and reported."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sigcore.errors import Undefined
from sigcore.formatting import count, listed
from sigcore.studies.human.gold import People
from sigcore.testset import Testset

Key = tuple[str, str]  # document ("" without one), segment
WHOLE = re.compile(r"([0-9]{1,99})(?:\.0+)?")  # tables often have 12.0 for 12


def within(people: People, testset: Testset, ids: Sequence[str] = ()) -> People:
    """The same people, with a note on the ratings of segments that the test set does not have, if there are any.

    `ids` name its n segments; () = they are numbered from 1. Ratings may count from 0. Names that are neither numbers nor
    have anything in common with `ids` are not compared, which is noted too.
    Raises: Undefined if no rated segment is in the test set.
    """
    ratings = dict[Key, int]()
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
    return replace(people, notes=(*people.notes, *_notes(ratings, outside, testset.n)))


def _notes(ratings: Mapping[Key, int], outside: Sequence[Key] | None, n: int) -> Iterator[str]:
    """What is to be known about the rated segments, whose ratings are counted."""
    if outside is None:
        first = _shown(next(iter(ratings)))
        note = f"It is not known whether the rated segments are those of the test set: the ratings call the first {first}, "
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


def _outside(rated: Sequence[Key], testset: Testset, ids: Sequence[str], numbered: Sequence[str]) -> list[Key] | None:
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


def _places(rated: Sequence[Key], n: int) -> list[bool] | None:
    """Whether each segment is one of n, by its number; None if they are not numbers."""
    found = [WHOLE.fullmatch(segment) for _, segment in rated]
    numbers = [int(one[1]) for one in found if one]
    if len(numbers) < len(rated):
        return None
    start = 0 if 0 in numbers and n not in numbers else 1
    return [start <= number < start + n for number in numbers]


def _names(key: Key) -> set[str]:
    """What a test set may call this segment."""
    document, segment = key
    return {segment, f"{segment} of {document}"} if document else {segment}


def _shown(key: Key) -> str:
    document, segment = key
    return " of ".join(
        filter(None, (f"segment {segment}" if segment else "", f"document {document}" if document else ""))
    )
