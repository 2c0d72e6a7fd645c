"""The headings of two systems that stand beside each other in a row: model_a and model_b."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence

from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers

BEFORE = (
    "model", "llm", "system", "sys", "generator", "assistant", "player", "candidate", "agent", "bot", "policy", "name",
)  # fmt: skip
PLACES, THIRD = (("a", "b"), ("1", "2"), ("left", "right")), {"a": "c", "1": "3"}
PAIRS = tuple((f"{word}{a}", f"{word}{b}") for word in BEFORE for a, b in PLACES)  # normalised
# In a heading above numbers.
NO_NAMES = {
    "length", "len", "score", "scores", "rating", "ratings", "tokens", "words", "chars", "time", "cost", "rank", "elo", "count",
}  # fmt: skip
# Last in a heading above texts.
WRITTEN = ("output", "response", "text", "answer", "summary", "translation", "completion")
MOST_STEPS = 9  # of a scale on which two systems are compared
PARTS = re.compile(r"[a-z]+|\d+")  # of a heading in lower case


def sides_of(headings: Sequence[str]) -> tuple[int, int] | None:
    """The columns that name both systems of a row by their headings: model_a and model_b."""
    known, pair = pair_of(headings)
    return None if pair is None else (known[pair[0]], known[pair[1]])


def pair_of(headings: Sequence[str]) -> tuple[dict[str, int], tuple[str, str] | None]:
    """The columns by their normalised headings, of two alike the first, and the two of them that name systems, if any do."""
    known = {words.normalised(heading): k for k, heading in reversed(list(enumerate(headings)))}
    return known, next((pair for pair in PAIRS if {*pair} <= known.keys()), None) or _by_words(headings)


def has_third(headings: Sequence[str]) -> bool:
    """Whether headings name three systems or more in places: response_1_model to response_3_model."""
    return any(third is not None for _, others in _placed(headings) for _, third in others)


def _by_words(headings: Sequence[str]) -> tuple[str, str] | None:
    """Two headings of systems that differ in a place alone, as response_A_model and response_B_model; None without them, and for
    three of them."""
    for first, others in _placed(headings):
        if found := [other for other, third in others if third is None]:
            return first, min(found)[1]
    return None


Place = tuple[int, str]  # of a heading


def _may_name(parts: Sequence[str]) -> bool:
    """Whether the words of a heading say that names of systems are below it, and neither numbers about them nor what they wrote."""
    return not {*BEFORE}.isdisjoint(parts) and NO_NAMES.isdisjoint(parts) and parts[-1] not in WRITTEN


def _placed(headings: Sequence[str]) -> Iterator[tuple[str, list[tuple[Place, Place | None]]]]:
    """Each heading of a system in a first place, with those in the second, and in the third (None without one)."""
    cut = [(PARTS.findall(heading.lower()), words.normalised(heading)) for heading in headings]
    systems = [(parts, name) for parts, name in cut if _may_name(parts)]
    # of two alike, the first
    places = {tuple(parts): (k, name) for k, (parts, name) in reversed(list(enumerate(systems)))}
    seconds = dict(PLACES)
    for parts, first in systems:
        ends = ((k, part, seconds[part]) for k, part in enumerate(parts) if part in seconds)
        both = (
            [(*parts[:k], end, *parts[k + 1 :]) for end in (second, THIRD.get(part, ""))] for k, part, second in ends
        )
        if others := [(places[one], places.get(other)) for one, other in both if one in places]:
            yield first, others


def place_in(headings: Sequence[str]) -> tuple[str, str]:
    """The two words in which two headings differ, where they differ in these alone; two empty ones for others."""
    one, other = (PARTS.findall(name.lower()) for name in headings)
    apart = [pair for pair in zip(one, other, strict=False) if pair[0] != pair[1]]
    return apart[0] if len(one) == len(other) and len(apart) == 1 else ("", "")


# Who is better, in words and codes.


# A is much better, slightly prefer B: without blanks.
GRADED = re.compile(
    r"(?P<one>.+?)(?:is|was)?(?:very|much|far|(?:a)?little|a?bit|slightly|somewhat|marginally|clearly|significantly|strongly|moderately)*"
    r"(?:better|preferred|stronger|wins?)|(?:strongly|slightly|weakly|clearly|somewhat|moderately)*prefers?(?P<other>.+)"
)


def graded(word: str) -> str:
    """The side in a bare word that says how much better it is: a of amuchbetter; the word itself where it is another one."""
    match = GRADED.fullmatch(word)
    return (match["one"] or match["other"]) if match else word


def bare(cell: str) -> str:
    """A word in small letters without marks: Model_A is modela. A number keeps its sign: -1 is not 1."""
    number = cell.strip()
    return f"{float(number):g}" if numbers.is_number(number) else re.sub(r"[\s_\-.]+", "", number.lower())


def with_codes(unknown: Sequence[str], cells: Iterable[str]) -> list[str]:
    """The words of which somebody has to say what they mean: with an unknown number, all numbers are."""
    coded = any(map(numbers.is_number, unknown))
    return list(
        dict.fromkeys([*unknown, *(cell for cell in map(str.strip, cells) if coded and numbers.is_number(cell))])
    )


ODD = (5, 7, 9)  # numbers of a scale of judgments that starts at 1; 1 to 3 may be codes: the first, the second, a tie
TURNED = {"first": "second", "second": "first", "tie": "tie"}


# Headings above numbers that lean to one of two systems: 0 is a tie, and a half.
MARGIN = re.compile(r"(?:.+[-_ ])?(?:margin|diff(?:erence)?|delta|advantage|gap|lead)(?:[-_ ].+)?", re.IGNORECASE)
SHARE = re.compile(
    r"p[-_ ](?:win|first|[ab12])|(?:.+[-_ ])?(?:prob(?:ability)?|win(?:ning)?|pref(?:erence|erred|ers)?)(?:[-_ ](?:prob(?:ability)?|rate|share|score|first|[ab12]))*",
    re.IGNORECASE,
)


def leaning(cells: Sequence[str], heading: str = "") -> dict[str, str]:
    """What each number says of two systems if high ones are for the first: first, tie or second; {} for cells that are no
    scale, or no numbers. The middle of a scale is a tie: -2 to 2, 0 to 1, 1 to 5; of a margin 0, of a share 0.5."""
    values = {cell: float(cell) for cell in cells if numbers.is_number(cell)}
    if len(values) < len({*cells}) or not 1 < len(values) <= MOST_STEPS:
        return {}
    middle = _middle([*values.values()], heading.strip())
    if middle is None:
        return {}
    return {
        cell: "tie" if value == middle else "first" if value > middle else "second" for cell, value in values.items()
    }


def _middle(values: Sequence[float], heading: str) -> float | None:
    """The middle of a scale with these numbers, below a heading; None for numbers that are no scale."""
    low, high = min(values), max(values)
    if low < 0 < high:
        return 0.0 if low == -high or MARGIN.fullmatch(heading) else None
    if (low, high) == (0, 1) or (0 <= low < 0.5 < high <= 1 and SHARE.fullmatch(heading)):
        return 0.5
    whole = all(value.is_integer() for value in values)
    return (1 + high) / 2 if whole and low == 1 and high in ODD else None


def ways_of_scale(cells: Iterable[str], won: str, sides: tuple[str, str], roles: str) -> list[tuple[str, str]]:
    """Both readings of a column of such numbers, each with a command that says these roles; [] for other cells."""
    meant = dict(sorted(leaning([*cells], won).items(), key=lambda item: float(item[0])))
    turned = {cell: TURNED[side] for cell, side in meant.items()}
    return [
        (
            f"{[*meant][-1]} in {won} is best for {side}",
            f"{roles} --cells {shlex.join(f'{cell}={who}' for cell, who in own.items())}",
        )
        for side, own in zip(sides, (meant, turned), strict=True)
        if own
    ]
