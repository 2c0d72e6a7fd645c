"""Records of JSON whose keys are positions (summary 1, output_2, A), while a name inside each object says which system it is.

People judge outputs in a shuffled order, so the first output of one item is not of the system of the first of another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sigcore.formatting import listed
from sigcore.readers.contract import Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables import headings as words

Record = dict[str, object]
Numbered = Sequence[tuple[int, Record]]
# Keys that number what was judged, and name nothing.
POSITION = pattern("positions.position")
SYSTEM = "system"  # a heading of the vocabulary
FEWEST = 2  # objects beside each other, and records


def keys(records: Sequence[Mapping[str, object]]) -> list[str]:
    """The keys of all records that are positions; [] where the keys may name the systems themselves.

    Each holds an object with the name of a system, and below one key these names change from record to record. That each
    record has them in another order is reason enough, whatever the keys are called; else the keys have to number.
    """
    if len(records) < FEWEST:
        return []
    name = _name(records, shared := _shared(records))
    below = {key: {_named(one, key, name) for one in records} for key in shared} if name else {}
    below = {key: own for key, own in below.items() if "" not in own}
    changes = len(below) >= FEWEST and any(len(own) > 1 for own in below.values())
    known = changes and (all(map(POSITION.fullmatch, below)) or _are_shuffled(records, below, name))
    return [*below] if known else []


def _shared(records: Sequence[Mapping[str, object]]) -> list[str]:
    """The names below which every record has an object."""
    return [name for name in records[0] if all(isinstance(one.get(name), dict) for one in records)]


def _name(records: Sequence[Mapping[str, object]], shared: Sequence[str]) -> str:
    """The one name below which the objects of the first record have their system; "" without it."""
    inner = [part for key in shared if isinstance(part := records[0][key], dict)]
    named = {name for part in inner for name in part if words.meaning(name) == SYSTEM}
    return named.pop() if len(named) == 1 else ""


def _named(record: Mapping[str, object], key: str, name: str) -> str:
    """The system that an object names; "" where it names none."""
    part = record[key]
    value = part.get(name) if isinstance(part, dict) else None
    return value.strip() if isinstance(value, str) else ""


def _are_shuffled(records: Sequence[Mapping[str, object]], below: Mapping[str, set[str]], name: str) -> bool:
    """Whether each record has the same systems, each of them once, and each key has had several of them."""
    every = set[str]().union(*below.values())
    whole = all({_named(one, key, name) for key in below} == every for one in records)
    return whole and len(every) == len(below) and all(len(own) > 1 for own in below.values())


def by_system(file: str, records: Numbered) -> tuple[list[tuple[int, Record]], list[Notice]]:
    """A record for each object below a position, with its system and what stands beside it, and a notice; ([], []) for
    records without positions."""
    found = keys([record for _, record in records])
    if not found:
        return [], []
    name = _name([record for _, record in records], found)
    out = list[tuple[int, Record]]()
    for number, record in records:
        rest = {key: value for key, value in record.items() if key not in found and words.meaning(key) != SYSTEM}
        for key in found:
            part = record[key]
            assert isinstance(part, dict)
            own = {
                SYSTEM if one == name else f"own {one}" if one in rest else one: value for one, value in part.items()
            }
            out.append((number, {**rest, **own}))
    message = f"{listed(found)} are positions: {name} in each of them names its system, so each became a row."
    return out, [Notice(file, message)]
