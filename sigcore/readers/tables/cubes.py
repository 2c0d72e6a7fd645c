"""Numbers of questions below two names each, {"rte": {"A": [...], "B": [...]}, ...}: which name is the system, and what the other is,
is asked, unless the names are of measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Claim, Part
from sigcore.readers.tables import compared, crossing, documents
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.documents import Record
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, first_cells

OUTER, INNER = "outer", "inner"  # headings of both names, which mean nothing by themselves
SCORE = "score"
Cells = Mapping[str | int, float | None]  # the numbers of a system by question, or by its place


def records(value: Record) -> list[Record]:
    """A record for each number below two names; where the outer names are measures, one for each system and question with all of
    them. [] for another object, and where the inner names are fields or measures of one system."""
    parts = dict[str, dict[str, Cells]]()
    for name, part in value.items():
        parts[name] = _cells(part)
        if not parts[name] or [*parts[name]] != [*next(iter(parts.values()))]:
            return []
    inner = [*next(iter(parts.values()), ())]
    if min(len(parts), len(inner)) < 2 or any(map(_is_field, inner)) or not _are_even(parts):
        return []
    first = next(iter(next(iter(parts.values()))[inner[0]]))
    asked = "segment" if isinstance(first, int) else "id"
    if all(map(words.has_measure, parts)):
        return _by_measure(parts, inner, asked)
    return [
        {OUTER: one, INNER: other, asked: key, SCORE: cell}
        for one, part in parts.items()
        for other, own in part.items()
        for key, cell in own.items()
    ]


def _by_measure(parts: Mapping[str, Mapping[str, Cells]], systems: Sequence[str], asked: str) -> list[Record]:
    """A record for each system and question, with the number of each measure; [] where these have other questions."""
    keys = next(iter(parts.values()))[systems[0]].keys()
    if any(own.keys() != keys for part in parts.values() for own in part.values()):
        return []
    return [
        {"system": name, asked: key, **{what: part[name][key] for what, part in parts.items()}}
        for name in systems
        for key in keys
    ]


def _cells(part: object) -> dict[str, Cells]:
    """The numbers below each name in an object of lists, or of objects by id; {} for another value."""
    own = dict[str, Cells]()
    for name, one in part.items() if isinstance(part, dict) else ():
        own[name] = _numbers(one)
        if not own[name]:
            return {}
    return own


def _numbers(value: object) -> Cells:
    """The numbers in a list by their places, or in an object by the ids of many questions; {} for another value."""
    cells = dict[str | int, float | None]()
    if isinstance(value, list) and len(value) >= documents.FEWEST_CELLS:
        cells.update(enumerate(value))
    elif isinstance(value, dict) and documents.are_ids(tuple(value)):
        cells.update(value)
    return cells if all(cell is None or isinstance(cell, int | float) for cell in cells.values()) else {}


def _is_field(name: str) -> bool:
    """Whether a name is of a measure, or of a column of a table."""
    return words.has_measure(name) or words.meaning(name) is not None or words.role(name) != "system"


def _are_even(parts: Mapping[str, Mapping[str, Cells]]) -> bool:
    """Whether there is the same number of questions below all names, or below all of one part: tasks have other questions."""
    table = [[frozenset(own) for own in part.values()] for part in parts.values()]
    return any(all(len({*own}) == 1 for own in side) for side in (table, zip(*table, strict=True)))


def ask(table: Table) -> None:
    """Raise Unclear for the numbers below two names, with a command for each reading."""
    if table.headings not in ([OUTER, INNER, "segment", SCORE], [OUTER, INNER, "id", SCORE]):
        return
    levels = [[*table.column(k).counts] for k in (0, 1)]
    parts = [_parts(table, k, level) for k, level in enumerate(levels)]
    # what is known to be something else is no system; of others, names of models come first
    open_ = [k for k in (0, 1) if not (_is_known(levels[k]) or _has_own(table, k))] or [0, 1]
    systems = sorted(open_, key=lambda k: not any(map(names.MODEL.fullmatch, levels[k])))
    asked = table.headings[2]
    found = [
        (
            f"{listed(levels[k])} are systems, and {listed(levels[1 - k])} {SHOWN[part]}",
            f"{table.headings[k]}=system {table.headings[1 - k]}={part} {asked}=question {SCORE}=score",
        )
        for k in systems
        for part in parts[1 - k]
    ]
    first, other = systems[0], 1 - systems[0]
    roles: dict[int, Part] = {first: "system", other: parts[other][0], 2: "question", 3: "score"}
    claims = [
        Claim(table.file, name, roles[k], "only a guess", "guess", cells=first_cells(table, k))
        for k, name in enumerate(table.headings)
    ]
    why = f"Which are the systems: {' or '.join(listed(levels[k]) for k in open_)}?"
    if len(open_) == 1:
        why = f"Are {listed(levels[first])} systems, and {listed(levels[other])} {SHOWN[parts[other][0]]}?"
    problem = Unclear(table, why, claims, found)
    problem.settled = True
    raise problem


SHOWN: Mapping[Part, str] = {"task": "tasks", "measure": "measures", "run": "runs", "judge": "people"}


def _parts(table: Table, k: int, level: Sequence[str]) -> tuple[Part, ...]:
    """What the names of a level may be where they are no systems, the likeliest first."""
    if _has_own(table, k) or _are_data(level):
        return ("task",)
    if all(map(names.is_person, level)):
        return ("judge",)
    if all(map(words.RUN_NAME.fullmatch, level)):
        return ("run",)
    marks: tuple[Part, ...] = ("judge",) if _are_marks(table) else ()
    return ("run", *marks, "task") if all(map(str.isdigit, level)) else ("task", "measure", *marks)


def _is_known(level: Sequence[str]) -> bool:
    """Whether names say that they are of people, runs or parts of the data."""
    return _are_data(level) or any(all(map(rule, level)) for rule in (names.is_person, words.RUN_NAME.fullmatch))


def _are_data(level: Sequence[str]) -> bool:
    """Whether names are of languages, or of parts of the data."""
    return crossing.are_splits(level) or all(words.is_kind(name) or names.PAIR.fullmatch(name) for name in level)


def _are_marks(table: Table) -> bool:
    """Whether the numbers are such as people give: a few whole ones, and not only right and wrong."""
    return compared.are_marks(table, 3) and len(table.column(3).counts) > 2


def _has_own(table: Table, k: int) -> bool:
    """Whether the names of a level have other numbers of questions: tasks have, and systems that are compared do not."""
    return len({*table.column(k).counts.values()}) > 1
