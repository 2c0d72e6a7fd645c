"""Columns of numbers that something sets apart from the others beside them: they may say what is right, or what a question is.

A table with a column for each system is read at once only if nothing does: each of the readings is asked about otherwise.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import commonprefix

from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Claim, Item, Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import compared, derived, labels, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table, Way

RIGHT, SPLITS, PARTS = pattern("apart.right"), pattern("apart.splits"), pattern("apart.parts")
ABOUT = "about the question"  # why a column is no system by its heading
FEWEST_FRACTIONS = 2  # columns, beside which one of 0 and 1 is of another kind


@dataclass(frozen=True)
class Apart:
    """The columns that may be no systems: what is asked about them, why each is set apart, and the possible readings."""

    why: str
    roles: Mapping[int, tuple[Part, str]]
    ways: Sequence[Way]


def about(table: Table, rivals: Mapping[int, Item]) -> Iterator[str]:
    """What is asked about columns that are set apart from the others."""
    if (found := of(table, rivals)) is not None:
        yield found.why


def of(table: Table, rivals: Mapping[int, Item]) -> Apart | None:
    """The columns of scores that something sets apart from the others; None where all are alike, and where somebody or the file
    says what they are."""
    scores = [k for k, item in rivals.items() if item.kind == "scores"]
    if table.role or table.basis or len(scores) < 2 or len(scores) < len(rivals):
        return None
    return _of_one(table, scores) or _set_apart(table, scores)


def with_roles(table: Table, rivals: Mapping[int, Item], claims: list[Claim]) -> list[Claim]:
    """The claims of a table that is asked about; what is set apart is no system."""
    found = of(table, rivals)
    roles = found.roles if found is not None else {}
    changed = [
        replace(one, role=roles[k][0], reason=roles[k][1], basis="guess") if k in roles and not one.sure else one
        for k, one in enumerate(claims)
    ]
    return _without_scale(rivals, changed)


def _without_scale(rivals: Mapping[int, Item], claims: list[Claim]) -> list[Claim]:
    """The claims; a column on another scale than all others, which are on one, is hardly a system."""
    scales = {
        k: (item.name, numbers.scale(item.segments))
        for k, item in rivals.items()
        if item.kind == "scores" and claims[k].role == "system"
    }
    odd = compared.odd(scales) if len(scales) > 2 else None
    if odd is None:
        return claims
    return [replace(one, role="ignored", reason=odd[1], basis="guess") if k == odd[0] else one for k, one in enumerate(claims)]


def ways(table: Table, rivals: Mapping[int, Item], claims: Sequence[Claim]) -> list[Way]:
    """The readings of a table some of whose columns are set apart; [] for others, and where more is known of the rest than that
    they may be systems."""
    found = of(table, rivals)
    if found is None or any(claims[k].role != "system" for k in rivals if k not in found.roles):
        return []
    return [*found.ways]


# Some of the columns.


def _set_apart(table: Table, scores: Sequence[int]) -> Apart | None:
    """What sets some of the columns apart, where others are left."""
    odd = {
        **{k: ABOUT for k in scores if words.is_about_question(table.headings[k])},
        **derived.found(table, scores),
        **_of_other_grain(table, scores),
    }
    rest = [k for k in scores if k not in odd]
    right = _right(table, rest)
    rest = [k for k in rest if k not in right]
    if not rest or not (odd or right):
        return None
    roles: dict[int, tuple[Part, str]] = {k: ("ignored", why) for k, why in odd.items()}
    roles |= {k: ("reference", "it may be what is right") for k in right}
    return Apart(_why(table, odd, right, rest), roles, _ways(table, scores, odd, right))


def _why(table: Table, odd: Mapping[int, str], right: Sequence[int], rest: Sequence[int]) -> str:
    """What is asked about the columns that are set apart."""
    if right:
        verb = "Does" if len(right) == 1 else "Do"
        return f"{verb} {listed(table.named(right))} hold what is right for {listed(table.named(rest))}?"
    named = f"Is {table.headings[[*odd][0]]} a system?" if len(odd) == 1 else f"Are {listed(table.named(odd))} systems?"
    told = [k for k in odd if odd[k] == ABOUT]
    said = [f"By the heading {listed(table.named(told))} {'is' if len(told) == 1 else 'are'} {ABOUT}."] if told else []
    return " ".join([named, *said, *(f"{table.headings[k]} is {odd[k]}." for k in odd if k not in told)])


def _ways(table: Table, scores: Sequence[int], odd: Mapping[int, str], right: Sequence[int]) -> list[Way]:
    """The readings: some are right, some are no systems, or all are systems."""
    rest = [k for k in scores if k not in odd and k not in right]
    part: Part = "system" if len(rest) > 1 else "text"
    found = list[Way]()
    for gold in right:
        roles = {gold: "reference", **dict.fromkeys(rest, part)}
        what = f"{table.headings[gold]} is right, and {listed(table.named(rest))} predict{'s' * (len(rest) == 1)} it"
        found.append((what, _said(table, {**dict.fromkeys(scores, "ignored"), **roles})))
    others = [*odd, *right]
    alone: Part = "system" if len(rest) > 1 else "score"
    none = {**dict.fromkeys(rest, alone), **dict.fromkeys(others, "ignored")}
    found.append((f"{listed(table.named(others))} {_no(others)}", _said(table, none)))
    if odd and right:
        found.append((f"only {listed(table.named(odd))} {_no(odd)}", _said(table, {**dict.fromkeys(scores, "system"), **dict.fromkeys(odd, "ignored")})))
    return [*found, (f"{_all(scores)} are systems", _said(table, dict.fromkeys(scores, "system")))]


def _no(columns: Collection[int]) -> str:
    return "is no system" if len(columns) == 1 else "are no systems"


def _all(columns: Sequence[int]) -> str:
    return "both" if len(columns) == 2 else f"all {len(columns)}"


def _said(table: Table, roles: Mapping[int, str]) -> str:
    return shlex.join(f"{table.headings[k]}={roles[k]}" for k in sorted(roles))


def _of_other_grain(table: Table, scores: Sequence[int]) -> dict[int, str]:
    """The one column of 0 and 1 beside several of fractions, or of fractions beside several of 0 and 1."""
    own = {k: numbers.scale(table.column(k)) for k in scores}
    marks = [k for k, one in own.items() if one.values == (0.0, 1.0) and len(one) >= compared.COUNTED]
    parts = [k for k, one in own.items() if 2 * one.fractions > len(one) >= compared.COUNTED]
    if len(marks) + len(parts) < len(scores) or len(scores) <= FEWEST_FRACTIONS:
        return {}
    if len(marks) == 1:
        return {marks[0]: "0 and 1, and the others fractions"}
    return {parts[0]: "fractions, and the others 0 and 1"} if len(parts) == 1 else {}


def _right(table: Table, scores: Sequence[int]) -> list[int]:
    """The columns that say what is right by their headings, on the scale of the others, which look like systems."""
    named = [k for k in table.headed(RIGHT.fullmatch, scores) if not names.is_person(table.headings[k])]
    rest = [k for k in scores if k not in named]
    if not named or not rest:
        return []
    people = labels.of_people(table, named)  # whole numbers by people are asked about otherwise
    own = {k: numbers.scale(table.column(k)) for k in (*named, *rest)}
    known = [(table.headings[k], own[k]) for k in own]
    return [k for k in named if k not in people] if not any(numbers.different(known)) else []


# All of the columns.


def _of_one(table: Table, scores: Sequence[int]) -> Apart | None:
    """The columns that are all parts of a test set, or of one row: easy and hard questions, a prompt and its response."""
    headings = [table.headings[k].strip() for k in scores]
    own = _without_shared(headings)
    parts = [pattern.fullmatch for pattern in (SPLITS, PARTS) if all(map(pattern.fullmatch, own))]
    if not parts:
        return None
    why = f"Are {listed(headings)} systems? By their headings they are parts of one system's results."
    all_ = _said(table, dict.fromkeys(scores, "system"))
    one = _said(table, dict.fromkeys(scores, "score"))
    roles: dict[int, tuple[Part, str]] = {k: ("score", "by its heading a part") for k in scores}
    return Apart(why, roles, [("they are scores of one system", one), (f"{_all(scores)} are systems", all_)])


def _without_shared(headings: Sequence[str]) -> list[str]:
    """The headings without the whole words with which all begin, or all end."""
    cut = [re.split(r"[-_. ]+", one) for one in headings]
    first = len(commonprefix(cut))
    last = len(commonprefix([one[first:][::-1] for one in cut]))
    return ["_".join(one[first : len(one) - last]) for one in cut]
