"""Rows that name two systems and have a score of each: arm_a, score_a, arm_b, score_b. Below score_a are scores of other
systems from row to row, so it is none itself: each row becomes two, one of each system."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace

from sigcore.readers import names
from sigcore.readers.contract import Claim, Found, Notice, Part
from sigcore.readers.tables import crossing, numbers, preferred, versus
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.said import Said
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, first_cells

MOST_NAMES, MOST_SAME = 40, 0.1  # systems, and the share of rows that compare one with itself
FEWEST_COLUMNS = 4  # two systems and a score of each
FEWEST_SYSTEMS = 3  # of which a row has two
PLACES = {place for pair in versus.PLACED for place in pair}
THIRD = re.compile(r"[a-z]+3", re.IGNORECASE)
Pair = tuple[int, int]


def apart(table: Table, meant: Said, result: Found) -> Table:
    """The table with a row for each system, where its rows name two and have a score of each; others as they are, and where
    somebody says what the columns of the file are.

    Raises: Unclear where it is open whether what the rows name are systems.
    """
    pairs = _pairs(table.headings) if len(table.headings) >= FEWEST_COLUMNS and not _is_other(table) else {}
    named = [stem for stem, pair in pairs.items() if _are_names(table, pair, _says_system(stem))]
    scored = [stem for stem, pair in pairs.items() if stem not in named and all(map(table.numeric, pair))]
    if len(named) != 1 or not scored:
        return table
    unfolded, shown = _unfolded(table, pairs, named[0]), " and ".join(table.named(pairs[named[0]]))
    if not _names_of(meant) <= {*unfolded.headings}:
        return table
    if not (meant or _says_system(named[0])):
        why = f"Do {shown} name what is compared, with scores of each?"
        raise Unclear(unfolded, why, _claims(unfolded, named[0], scored))
    message = f"{shown} name the systems of each row, so it was read as two rows, one of each system."
    result.notices.append(Notice(table.file, message))
    if other := _or_compared(table, unfolded, pairs, (named[0], scored[0])):
        result.notices.append(Notice(table.file, other))
    return unfolded


def _or_compared(table: Table, unfolded: Table, pairs: dict[str, Pair], stems: tuple[str, str]) -> str:
    """What is said where no question has a score of every system: its two may be compared with each other; "" for others."""
    asked, (system, score) = preferred.question(table)[:1], stems
    if not asked:
        return ""
    known = (unfolded.column(unfolded.headings.index(name)) for name in (table.headings[asked[0]], system))
    met: dict[str, set[str]] = {}
    for question, name in zip(*known, strict=True):
        met.setdefault(question, set()).add(name.strip())
    every = set[str]().union(*met.values())
    if len(every) < FEWEST_SYSTEMS or any(own == every for own in met.values()):
        return ""
    roles = (
        (asked[0], "question"),
        *zip(pairs[system], ("first", "second"), strict=True),
        *((k, "score") for k in pairs[score]),
    )
    said = shlex.join(f"{table.headings[k]}={part}" for k, part in roles)
    return f"No question has all {len(every)} systems. To compare the two of each row, by the better score: pairwise --columns {said}."


def _is_other(table: Table) -> bool:
    """Whether the file says what it is, or a column says which of both is better."""
    judged = preferred.columns(table.headings) is not None or bool(table.headed(versus.WINS.fullmatch))
    return judged or bool(table.role or table.basis)


def _pairs(headings: Sequence[str]) -> dict[str, Pair]:
    """The columns of both systems by what their headings have in common: arm of arm_a and arm_b."""
    cut: dict[tuple[str, str], int] = {}
    if any(map(THIRD.fullmatch, headings)):
        return {}  # sys1, sys2 and sys3: a row for two of them would lose the others
    for k, name in enumerate(headings):
        parts = [
            part for part in re.split(r"[_\s.\-]+|(?<=[a-z])(?=[12]$)", name.strip().lower()) if part
        ]  # sys1, value1
        for place in PLACES & ({parts[0], parts[-1]} if len(parts) > 1 else set()):
            rest = parts[1:] if parts[0] == place else parts[:-1]
            cut.setdefault(("_".join(rest), place), k)
    found = {}
    for one, other in versus.PLACED:
        for stem in {stem for stem, place in cut if place == one}:
            if (stem, other) in cut:
                found[stem] = (cut[stem, one], cut[stem, other])
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _says_system(stem: str) -> bool:
    return words.meaning(stem) == "system" or names.NAMING.fullmatch(stem) is not None


def _are_names(table: Table, pair: Pair, said: bool) -> bool:
    """Whether two columns hold short names, and hardly a row has the same one twice: names that come on both sides; or one
    on each, where their headings say that these are systems (`said`)."""
    one, other = (list(map(str.strip, table.column(k))) for k in pair)
    names, both = {*one, *other} - {""}, {*one} & {*other} - {""}
    numbered = not said and any(map(table.numeric, pair))
    if numbered or not _are_short(names) or 2 * len(names) > len(one):
        return False
    same = sum(a == b for a, b in zip(one, other, strict=True))
    placed = said and not both and len(names) == len(pair)
    return (len(both) > 1 or placed) and MOST_SAME * len(one) >= same


def _are_short(names: set[str]) -> bool:
    """Whether all are short names of a few systems, and not only outcomes."""
    known = all(len(name) <= crossing.LONGEST_NAME for name in names)
    return known and 0 < len(names) <= MOST_NAMES and not {*map(str.lower, names)} <= {*numbers.ALL_OUTCOMES}


def _unfolded(table: Table, pairs: dict[str, Pair], named: str) -> Table:
    """The table with two rows for each, of either place, under what the headings of both have in common; where a row names
    one system, only that."""
    placed = {k for pair in pairs.values() for k in pair}
    kept = [k for k in range(len(table.headings)) if k not in placed]
    sides = [[*kept, *(pair[side] for pair in pairs.values())] for side in (0, 1)]
    columns = [table.column(k) for k in range(len(table.headings))]
    found = [(i, side) for i in range(len(table.rows)) for side in (0, 1) if columns[pairs[named][side]][i].strip()]
    rows = [[columns[k][i] for k in sides[side]] for i, side in found]
    places = [table.places[i] for i, _ in found]
    return replace(table, headings=[*table.named(kept), *pairs], rows=rows, places=places)


def _names_of(meant: Said) -> set[str]:
    """The headings that somebody named."""
    return {*meant.segment, *meant.scores, *filter(None, [meant.system]), *(name for name, _ in meant.columns)}


def _claims(table: Table, stem: str, scored: Sequence[str]) -> list[Claim]:
    """What the columns of a table with a row for each system are taken for, where its names may be no systems."""
    asked = [k for k in preferred.question(table) if table.headings[k] not in (stem, *scored)][:1]
    roles: dict[str, Part] = {
        stem: "system",
        **dict.fromkeys(scored, "score"),
        **dict.fromkeys(table.named(asked), "question"),
    }
    reasons = {"system": "two names in each row", "score": "with a score of each", "question": "what was asked"}
    return [
        Claim(
            table.file,
            name,
            part := roles.get(name, "ignored"),
            reasons.get(part, "beside them"),
            "guess" if name in roles else "heading",
            cells=first_cells(table, k),
        )
        for k, name in enumerate(table.headings)
    ]
