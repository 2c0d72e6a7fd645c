"""Numbers that programs write where there is no score (-1, -999, 9999), and the cells that hold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sigcore import measures
from sigcore.data.checks import Finding
from sigcore.errors import OptionError, SigError
from sigcore.formatting import count, listed
from sigcore.judgments import NUMERIC, Judgments, judgments
from sigcore.readers import Item, is_number, times

NONE = "none"  # the word of a user for: all numbers are scores
BELOW = (-1.0, -9.0, -99.0, -999.0, -9999.0, -99999.0)
NINE = 9.0  # a code among 0 and 1 alone; elsewhere it is a score
ABOVE = (99.0, 999.0, 9999.0, 99999.0)
TIMES = 2  # a code is a number that comes again
FAR = 9.0  # a code above the scores is at least so many times as large as the largest of them
MOST_OF_TRUTHS = 0.25  # of -1, 0 and 1: more -1 than this are a third outcome, and not a failure to score
LEAST = 5.0  # where 0 may be a code, no other score is below it
FRACTIONS = 0.5  # of these scores: points for an answer are whole numbers, and 0 among them is a score
SHOWN = 3  # systems that a message names


@dataclass(frozen=True)
class Sentinel:
    """Numbers that look like codes for a missing score: how many `cells` of each system hold the first of the `codes`, and
    the range of all other scores."""

    codes: tuple[str, ...]
    cells: Mapping[str, int]
    low: float
    high: float

    @property
    def what(self) -> str:
        """The finding in two sentences."""
        shown = [f"{count(n, 'cell')} of {system}" for system, n in list(self.cells.items())[:SHOWN]]
        more = len(self.cells) - len(shown)
        where = listed([*shown, f"{more} more {'systems' if more > 1 else 'system'}"] if more else shown)
        verb = "holds" if sum(self.cells.values()) == 1 else "hold"
        also = f" {listed(self.codes[1:])} looks like a code, too." if len(self.codes) > 1 else ""
        return f"{where} {verb} {self.codes[0]}.{also} All other scores are between {self.low:g} and {self.high:g}."

    @property
    def fix(self) -> str:
        """The two ways out."""
        flags, missing, scores = " ".join(f"--missing-code {code}" for code in self.codes), "a missing score", "a score"
        return (
            f"If {listed(self.codes)} means {missing}, use {flags}. If it is {scores}, use --missing-code {NONE}. "
            "The page Files has a button for each."
        )


def read_codes(texts: Sequence[str]) -> tuple[str, ...]:
    """The codes of missing scores, as numbers are written, each once; ("none",) where all numbers are scores.

    Raises: OptionError for a text that is not a number, and for "none" beside others.
    """
    given = dict.fromkeys(part.strip() for text in texts for part in text.split(",") if part.strip())
    codes = tuple(NONE if code.lower() == NONE else code for code in given)
    bad = next((code for code in codes if code != NONE and not is_number(code)), None)
    if bad is not None:
        raise OptionError(f"missing code = {bad!r} is not a number.", "", "Write a number such as -1, or none.")
    if NONE in codes and len(codes) > 1:
        raise OptionError("missing code = none was given with others.", "", "Give the codes, or none alone.")
    return tuple(dict.fromkeys(code if code == NONE else f"{float(code):g}" for code in codes))


def without(item: Item, codes: Sequence[str]) -> Item:
    """The item with empty cells, which are missing scores, in the place of these numbers."""
    return emptied(item, codes) if item.kind == "scores" else item


def emptied(item: Item, codes: Sequence[str]) -> Item:
    """The item, of whatever kind, with empty cells in the place of these numbers."""
    numbers = {float(code) for code in codes if code != NONE}
    if not numbers:
        return item
    cells = tuple("" if is_number(cell) and float(cell) in numbers else cell for cell in item.segments)
    return item if cells == item.segments else replace(item, segments=cells)


def cleared(items: Sequence[Item], codes: Sequence[str], findings: list[Finding]) -> list[Item]:
    """The items without these numbers; how many cells held them, or that none did, is reported."""
    kept = [without(item, codes) for item in items]
    if not codes or NONE in codes:
        return kept
    held = sum(
        a != b for one, two in zip(items, kept, strict=True) for a, b in zip(one.segments, two.segments, strict=True)
    )
    message = f"{count(held, 'cell')} with {listed(codes)} {'is' if held == 1 else 'are'} missing, as stated."
    findings.append(Finding("note", message if held else f"No score is {listed(codes)}.", ""))
    return kept


def suspect(measure: str, scores: Mapping[str, Counter[float]]) -> Sentinel | None:
    """The numbers that look like codes in the scores of systems, given by name as numbers of cells; None without any.

    A code comes at least twice, or stands below whole numbers from 1 on, and lies outside all other scores: below scores of which none is negative, or far above them.
    A measure that may be negative by its name, and scores of which others are negative, have none.
    """
    if measures.may_be_negative(measure):
        return None
    return _suspect(scores)


def _zeros(scores: Mapping[str, Counter[float]]) -> Sentinel | None:
    """0, which comes again for some systems and never for others, where all other scores are large fractions."""
    cells = {name: own[0.0] for name, own in scores.items() if own[0.0]}
    rest = Counter[float]()
    for own in scores.values():
        rest.update({value: n for value, n in own.items() if value})
    again = max(cells.values(), default=0) >= TIMES and len(cells) < len(scores)
    if not again or min(rest, default=0.0) < LEAST:
        return None
    parts = sum(n for value, n in rest.items() if not value.is_integer())
    return Sentinel(("0",), cells, min(rest), max(rest)) if parts > FRACTIONS * rest.total() else None


def _board(systems: Sequence[Item], scores: Mapping[str, Counter[float]]) -> Sentinel | None:
    """`_zeros`; None for a measure of which less is better, by its name or as somebody says: no error is a perfect answer."""
    lower = any("lower" in (item.better, measures.better_of(item.measure)) for item in systems)
    return None if lower else _zeros(scores)


def _signed_zeros(scores: Mapping[str, Counter[float]]) -> Sentinel | None:
    """0, which comes again for some systems and never for others, among fractions below and above it: z scores are hardly ever 0."""
    cells = {name: own[0.0] for name, own in scores.items() if own[0.0]}
    rest = Counter[float]()
    for own in scores.values():
        rest.update({value: n for value, n in own.items() if value})
    again = max(cells.values(), default=0) > TIMES and len(cells) < len(scores)
    if not again or min(rest, default=0.0) >= 0 or max(rest) <= 0:
        return None
    parts = sum(n for value, n in rest.items() if not value.is_integer())
    return Sentinel(("0",), cells, min(rest), max(rest)) if parts == rest.total() < 2 * len(rest) else None


def _suspect(scores: Mapping[str, Counter[float]]) -> Sentinel | None:
    """The same for any measure."""
    values = Counter[float]()
    for own in scores.values():
        values.update(own)
    codes = tuple(_codes(values))
    if not codes:
        return None
    others = [value for value in values if value not in codes]
    cells = {name: own[codes[0]] for name, own in scores.items() if own[codes[0]]}
    return Sentinel(tuple(f"{code:g}" for code in codes), cells, min(others), max(others))


def asked(
    items: Sequence[Item], kind: str, codes: Sequence[str], findings: list[Finding]
) -> tuple[list[Item], Sentinel | None]:
    """The items without the codes that are given; without any, the numbers that look like codes, as the first finding."""
    if kind != "scores":
        return list(items), None
    if codes:
        return cleared(items, codes, findings), None
    systems = [item for item in items if item.role == "system"]
    measure, scores = (systems[0].measure if systems else ""), _by_system(systems)
    found = suspect(measure, scores)
    if found is not None:
        findings.insert(0, Finding("error", found.what, "", found.fix))
    elif (
        one := (measures.may_be_negative(measure) and _suspect(scores))
        or _signed_zeros(scores)
        or _board(systems, scores)
    ):
        findings.append(Finding("warning", one.what, "", one.fix))  # a reward may well be -1
    return list(items), found


def _by_system(items: Sequence[Item]) -> dict[str, Counter[float]]:
    """How often each system, by its name, has each number."""
    scores: dict[str, Counter[float]] = {}
    for item in items:
        scores.setdefault(item.name, Counter()).update(times(item.segments))
    return scores


def _codes(values: Counter[float]) -> Iterator[float]:
    """The numbers that look like codes."""
    rest = [value for value in values if value not in BELOW]
    if not rest or min(rest) < 0 or max(rest) <= 0:
        return
    yield from (code for code in BELOW if values[code] >= _fewest(rest) and not _third_outcome(values, code, rest))
    yield from _nine(values, rest)
    far = FAR * max((value for value in rest if value not in ABOVE), default=0.0)
    yield from (code for code in ABOVE if values[code] >= TIMES and code >= far > 0)


def _nine(values: Counter[float], rest: Sequence[float]) -> Iterator[float]:
    """9, where it comes again among 0 and 1 alone."""
    if values[NINE] >= TIMES and {*rest} == {0.0, 1.0, NINE}:
        yield NINE


def _fewest(rest: Sequence[float]) -> int:
    """How often a number below the others has to come: one -1 is outside a scale of whole numbers from 1 on."""
    return 1 if min(rest) >= 1 and all(value.is_integer() for value in rest) else TIMES


def _third_outcome(values: Counter[float], code: float, rest: Sequence[float]) -> bool:
    """Whether -1 is an outcome beside 0 and 1 (lost, tied, won), or beside 1 alone (wrong, right)."""
    if code != -1 or not set(rest) <= {0.0, 1.0}:
        return False
    return len(rest) < 2 or values[code] > MOST_OF_TRUTHS * values.total()


# Ratings by people.

NAMES = ("system", "segment", "judge", "document", "dimension", "kind")


def rated(people: Judgments, codes: Sequence[str]) -> Judgments:
    """The ratings whose scores are none of these codes (see `read_codes`).

    Raises: SigError for scores that look like codes where none are given, and where no rating is left.
    """
    numbers = [float(code) for code in codes if code != NONE]
    if not codes:
        systems = sorted(set(people.system.tolist()))
        found = {name: Counter(people.written[people.system == name].tolist()) for name in systems}
        found_code = suspect("", found)
        if found_code is not None:
            raise SigError(found_code.what, people.name, found_code.fix)
    kept = ~np.isin(people.written, numbers)
    if kept.all():
        return people
    columns = {column: getattr(people, column)[kept] for column in (*NAMES, *NUMERIC)}
    return replace(judgments(people.name, columns, people.absolute, people.file), turned=people.turned)
