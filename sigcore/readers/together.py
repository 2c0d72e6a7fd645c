"""Scores in several files that belong together: ratings of several people, and the same measures of several systems."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Item, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers

# Sheets and files of one person each: Annotator 1, rater_B, judge-3, expert2_ratings.
PERSON = re.compile(
    r"(?:.*[-_. ])?(?P<person>(?:ann(?:ot(?:ator)?)?|rater|worker|judge|expert|coder|evaluator|reviewer|assessor|participant|human|"
    r"person|labell?er|student|linguist|translator|native(?:[-_ ]speaker)?|user)[-_ ]?(?:\d{1,3}|[A-Za-z](?![A-Za-z])))(?:[-_. ].*)?",
    re.IGNORECASE,
)
RATING = "rating"


def together(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items; ratings of several people, a file or sheet each, are averaged, and columns of measures that several files
    share are the measures of the systems after which the files are named."""
    items, notices = _averaged(items)
    items, more = _of_files(items)
    return items, [*notices, *more]


def _is_score(item: Item) -> bool:
    return item.kind == "scores" and item.role == "system"


# People.


def _averaged(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items, with the mean of all people in place of the scores of each."""
    people: dict[str, dict[str, list[Item]]] = {}
    for item in items:
        if _is_score(item) and (person := _person(item.file)):
            people.setdefault(_folder(item.file), {}).setdefault(person, []).append(item)
    out, notices = list(items), list[Notice]()
    for own in people.values():
        if len(own) < 2 or len({frozenset(map(_called, of_one)) for of_one in own.values()}) > 1:
            continue
        means = [_mean([next(item for item in of_one if _called(item) == key) for of_one in own.values()], key[1])
                 for key in dict.fromkeys(map(_called, next(iter(own.values()))))]  # fmt: skip
        if None in means:
            continue
        used = {id(item) for of_one in own.values() for item in of_one}
        first = next(i for i, item in enumerate(out) if id(item) in used)
        out[first:] = [*filter(None, means), *(item for item in out[first:] if id(item) not in used)]
        message = f"{listed(own)} are people: their scores of each segment were averaged."
        notices.append(Notice(_folder(next(iter(own.values()))[0].file), message))
    return out, notices


def _person(file: str) -> str:
    """The person after whom a file or a sheet is named; "" for others."""
    match = PERSON.fullmatch(names.display_name(file))
    return match["person"] if match else ""


def _folder(file: str) -> str:
    """The folder or the workbook of a file."""
    return "/".join(names.parts(file)[:-1])


def _called(item: Item) -> tuple[str, str]:
    """The system and the measure of scores of one person; a measure that only names the file is a rating."""
    after_file = item.measure in ("", names.NO_MEASURE, names.measure_of(item.file), names.display_name(item.file))
    named_person = _person(item.name) == _person(item.file) != ""
    return "" if named_person else item.name, RATING if after_file else item.measure


def _mean(items: Sequence[Item], measure: str) -> Item | None:
    """The mean of the scores of several people, by the ids of the segments or in order; None where they do not fit."""
    keyed = all(item.keys for item in items)
    if not items[0].name or (not keyed and len({len(item.segments) for item in items}) > 1):
        return None
    keys = list(dict.fromkeys(key for item in items for key in item.keys)) if keyed else []
    rows = [dict(zip(item.keys, item.segments, strict=True)) for item in items] if keyed else []
    cells = (
        [[row[key] for row in rows if key in row] for key in keys]
        if keyed
        else list(zip(*(item.segments for item in items), strict=True))
    )
    means = tuple(map(_mean_of, cells))
    return replace(items[0], segments=means, keys=tuple(keys), measure=measure, note=f"mean of {len(items)} people")


def _mean_of(cells: Iterable[str]) -> str:
    known = numbers.numbers_in([cell for cell in cells if not numbers.is_missing(cell)])
    return repr(math.fsum(known) / len(known)) if known else ""


# The same measures in several files: each file is a system.


def _of_files(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items; where several files have the same columns, all called after measures, these are no systems."""
    by_file: dict[str, list[Item]] = {}
    for item in filter(_is_score, items):
        by_file.setdefault(item.file, []).append(item)
    alike: dict[tuple[str, ...], list[str]] = {}
    for file, own in by_file.items():
        columns = tuple(item.name for item in own)
        if len(own) > 1 and all(_names_measure(item) for item in own):
            alike.setdefault(columns, []).append(file)
    found = {file: columns for columns, files in alike.items() if len(files) > 1 for file in files}
    if not found:
        return list(items), []
    out = [_of_file(item) if item.file in found and _is_score(item) else item for item in items]
    columns = next(iter(found.values()))
    message = f"Several files have the columns {listed(columns)}: these are measures, and each file is a system."
    return out, [Notice("", message)]


def _names_measure(item: Item) -> bool:
    """Whether a column of scores is called after a measure, and its file is not."""
    after = names.measure_of(item.file)
    after_file = item.measure in ("", names.NO_MEASURE, after)
    scored = words.is_scored(item.name) or words.has_measure(item.name)
    return after_file and scored and not (words.is_measure(after) and not words.is_plain(after))


def _of_file(item: Item) -> Item:
    return replace(item, name=names.measure_in_name(item.file)[1], measure=item.name)
