"""Files and sheets of one person each, names of people, and blind ratings with their key."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.judgments import COLUMNS, Judgments, judgments
from sigcore.readers import names, together
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers


def joined(ratings: Sequence[Judgments], named: Container[str] = ()) -> tuple[list[Judgments], list[Notice]]:
    """The ratings; those of several people about the same systems, a sheet or a file each, are of these judges together.
    `named` are the files that somebody says are of people."""
    people: dict[tuple[str, frozenset[str]], dict[str, Judgments]] = {}
    for part in ratings:
        who = together.person(part.file, named)
        if who and not any(part.judge.tolist()):
            people.setdefault((together.folder(part.file), frozenset(part.system.tolist())), {})[who] = part
    out, notices = list(ratings), list[Notice]()
    for (place, _), own in people.items():
        if len(own) > 1:
            used = [*own.values()]
            first = next(k for k, part in enumerate(out) if part is used[0])
            out = [part for part in out if all(part is not one for one in used)]
            out.insert(first, _together(place, own))
            notices.append(Notice(place, f"{listed(own)} are people: each was read as the judge of its ratings."))
    return out, notices


def _together(place: str, own: dict[str, Judgments]) -> Judgments:
    """The ratings of several people, each the judge of those in its own file."""
    columns = {name: [cell for part in own.values() for cell in getattr(part, name).tolist()] for name in COLUMNS}
    judge = [who for who, part in own.items() for _ in range(part.n)]
    name = names.display_name(place) if place else ", ".join(own)
    return judgments(name, {**columns, "judge": judge}, file=next(iter(own.values())).file)


def unknown(people: Collection[str], files: Iterable[str]) -> list[ReadError]:
    """A problem for each name that somebody says is a person's file or sheet, where none is called so."""
    known = sorted({names.display_name(file) for file in files})
    fix = f"There are: {listed(known)}."
    return [ReadError(f"No file or sheet is called {one!r}.", one, fix=fix) for one in sorted({*people} - {*known})]


GIVEN = re.compile(r"[A-Z][a-z]{1,14}")  # Anna, Ben; measures are known by their headings


def unnamed(items: Sequence[Item]) -> list[ReadError]:
    """A problem for sheets or files of one folder that have the same systems and ids, and scores that are only called after
    them: Anna and Ben may be people, and the scores of one of them are not those of the systems."""
    groups: dict[tuple[str, str, frozenset[str], frozenset[str]], list[str]] = {}
    for file, own in together.by_file(items).items():
        systems = frozenset(item.name for item in own)
        if len(systems) == len(own) > 1 and all(map(_is_of_person, own)):
            keys = frozenset(key for item in own for key in item.keys)
            groups.setdefault((together.folder(file), own[0].testset, systems, keys), []).append(file)
    problems = []
    for (place, _, systems, _), files in groups.items():
        if len(files) > 1:
            shown = listed(map(names.display_name, files))
            message = f"Are {shown} people? Each has scores of {listed(sorted(systems))} for the same segments."
            fix = f"{together.averaged(files)} If each is a measure, say so in its name: {names.display_name(files[0])} score. If each is a test set, load one alone."
            problems.append(ReadError(message, place or files[0], fix=fix))
    return problems


def _is_of_person(item: Item) -> bool:
    """Whether scores have ids, and no measure but the name of their file, which is a single word like a first name."""
    name = names.display_name(item.file)
    known = words.has_measure(name) or words.is_plain(name) or words.is_kind(name) or words.meaning(name) is not None
    return (
        bool(item.keys)
        and together.called(item)[1] == together.RATING
        and GIVEN.fullmatch(name) is not None
        and not known
    )


# Blind ratings, and the key that says which system stood on which side.

SIDES = ("A", "B"), ("1", "2"), ("left", "right"), ("X", "Y")
SIDE = r"(?:(?:system|model|side|answer|output|name|label)[-_ ]?)?{0}(?:[-_ ]?(?:is|system|model|name|source|was|condition|arm|variant|method))?"
# what a key is called: two outputs of labels have columns of the same few words, too
KEY = re.compile(r"key|map|assign|blind|order|shuffl|side|legend|secret|decod|identit|reveal|code", re.IGNORECASE)
MOST_BYTES, MOST_NAMES = 2_000_000, 20  # of a file, and of systems
WINNERS = re.compile(r"winner|preferred|preference|choice|vote|better|verdict", re.IGNORECASE)
Rows = list[list[str]]


def unblinded(result: Found, files: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """The files; where one says of each id which system was A and which B, the ratings in the others get these names."""
    rows = _beside_key(files)
    keys = _keys(rows)
    if len(keys) != 1:
        return list(files)
    key, sides = keys[0]
    (asked, *_), *own = rows.pop(key)
    known = {row[0].strip(): {side: row[k].strip() for side, k in sides.items()} for row in own}
    try:
        made = {file: _named(file, cells, asked, known) for file, cells in rows.items()}
    except ReadError as problem:
        result.problems.append(problem)
        return [(file, data) for file, data in files if file not in (key, problem.file)]
    return _with_names(result, files, key, {file: named for file, named in made.items() if named}, sides)


def _beside_key(files: Sequence[tuple[str, bytes]]) -> dict[str, Rows]:
    """The rows of small tables, where one of several files is called a key: others are not parsed here."""
    called = len(files) > 1 and any(KEY.search(Path(file).stem) for file, _ in files)
    return {file: own for file, data in files if (own := _cells(file, data))} if called else {}


def _with_names(
    result: Found, files: Sequence[tuple[str, bytes]], key: str, named: Mapping[str, Rows], sides: Iterable[str]
) -> list[tuple[str, bytes]]:
    """The files with the rows that got names, without the key, which is noted; all as they are where none got any."""
    if not named:
        return list(files)
    message = f"It says which systems {listed(sides)} were in each row of {listed(named)}: these have their ratings."
    result.notices.append(Notice(key, message))
    return [_written(file, named[file]) if file in named else (file, data) for file, data in files if file != key]


def _written(file: str, rows: Rows) -> tuple[str, bytes]:
    """A table as a file of commas."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return f"{file.rpartition('.')[0]}.csv", text.getvalue().encode()


def _keys(rows: Mapping[str, Rows]) -> list[tuple[str, dict[str, int]]]:
    """The files that are called a key, and are one, with the columns of their sides."""
    return [(file, sides) for file, own in rows.items() if KEY.search(Path(file).stem) and (sides := _sides(own))]


def _cells(file: str, data: bytes) -> Rows:
    """The rows of a small table, all of one length; [] for another file."""
    if file.lower().endswith(".json") and len(data) <= MOST_BYTES:
        return _of_object(data)
    if not file.lower().endswith((".csv", ".tsv")) or len(data) > MOST_BYTES:
        return []
    text = io.StringIO(data.decode("utf-8-sig", "replace"), newline="")
    with suppress(csv.Error):
        rows = list(filter(None, csv.reader(text, delimiter="\t" if file.lower().endswith(".tsv") else ",")))
        return rows if len(rows) > 1 and len({*map(len, rows)}) == 1 else []
    return []


def _of_object(data: bytes) -> Rows:
    """The rows of an object of objects by id, all with the same two names of texts: {"q1": {"A": "bart", "B": "t5"}}; [] for others."""
    with suppress(ValueError, RecursionError):
        value = json.loads(data)
        parts = list(value.values()) if isinstance(value, dict) else []
        if parts and all(isinstance(one, dict) and len(one) == 2 and one.keys() == parts[0].keys() for one in parts):
            names_ = list(parts[0])
            return [["id", *names_], *([name, *(str(own[one]) for one in names_)] for name, own in value.items())]
    return []


def _sides(rows: Rows) -> dict[str, int]:
    """The columns of a key by their sides: beside an id there are two, which hold the same few names; {} for another table."""
    heads = [one.strip() for one in rows[0]]
    for pair in SIDES if len(heads) == 3 and len({row[0] for row in rows}) == len(rows) else ():
        found = {side: k for side in pair for k, head in enumerate(heads) if k and _is_side(head, side)}
        own = [[row[k].strip() for row in rows[1:]] for k in found.values()]
        if len(found) == 2 and _are_shuffled(*own):
            return found
    return {}


def _are_shuffled(one: Sequence[str], other: Sequence[str] = ()) -> bool:
    """Whether two columns hold the same few names, each several times."""
    known = {*one, *other}
    few = not {*one}.isdisjoint(other) and 1 < len(known) <= min(MOST_NAMES, len(one) // 2)
    return few and _are_apart(one, other)


def _are_apart(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether no row has the same name twice, as answers of two systems may be, and no name is a number, as a rank is."""
    return not any(map(str.__eq__, one, other)) and not any(map(numbers.is_number, {*one, *other}))


def _is_side(heading: str, side: str) -> bool:
    return re.fullmatch(SIDE.format(re.escape(side)), heading, re.IGNORECASE) is not None


def _named(file: str, rows: Rows, asked: str, known: Mapping[str, Mapping[str, str]]) -> Rows:
    """A row for each side of a table of ratings, with the name of its system; of one with winners both names in each row; [] for a
    table without the ids, which are `asked` in the key, and one without sides.

    Raises: ReadError for a table of both.
    """
    heads = [one.strip() for one in rows[0]]
    place = _place(rows, asked, known)
    if place is None:
        return []
    sides = [known[row[place].strip()] for row in rows[1:]]
    first, second = sides[0]
    pairs = {head: other for head in heads if (other := _other(head, first, second)) in heads}
    rated = {head: other for head, other in pairs.items() if not VOTERS.search(head)}
    if any(map(WINNERS.fullmatch, heads)):
        if marked := [head for head in rated if _are_numbers(rows, heads.index(head))]:
            message = (
                f"It has winners and ratings of each side ({listed(marked)}), of which the key names one at a time."
            )
            raise ReadError(message, file, 1, "Put the winners and the ratings into a file each.")
        both = [[*row, *own.values()] for row, own in zip(rows[1:], sides, strict=True)]
        return [[*heads, "system_a", "system_b"], *both]
    return _of_each(rows, rated, (first, second), sides) if rated else []


def _are_numbers(rows: Rows, k: int) -> bool:
    """Whether a column has ratings, and no texts that were compared."""
    cells = [row[k].strip() for row in rows[1:] if row[k].strip()]
    return bool(cells) and all(map(numbers.is_number, cells))


VOTERS = re.compile(r"rater|annotator|judge|worker|participant|user|choice|choose|vote|prefer", re.IGNORECASE)


def _place(rows: Rows, asked: str, known: Container[str]) -> int | None:
    """The column of the ids of a key: the one with its heading, or the only one that has no others; None without it."""
    heads = [one.strip().lower() for one in rows[0]]
    ids = [k for k in range(len(heads)) if all(row[k].strip() in known for row in rows[1:])]
    same = [k for k in ids if heads[k] == asked.strip().lower()]
    return next(iter(same or (ids if len(ids) == 1 else [])), None)


def _of_each(rows: Rows, rated: Mapping[str, str], pair: tuple[str, str], sides: Sequence[Mapping[str, str]]) -> Rows:
    """A row for each side of a row, with its system. `rated` has the column of the second side for each column of the first."""
    heads = [one.strip() for one in rows[0]]
    rest = [k for k, head in enumerate(heads) if head not in {*rated, *rated.values()}]
    bare = [_other(head, pair[0], "").strip("-_ .") or "score" for head in rated]
    out = [["system", *(heads[k] for k in rest), *bare]]
    for row, own in zip(rows[1:], sides, strict=True):
        cells = dict(zip(heads, row, strict=True))
        for side, columns in zip(pair, (rated, rated.values()), strict=True):
            out.append([own[side], *(row[k] for k in rest), *(cells[one] for one in columns)])
    return out


def _other(heading: str, side: str, other: str) -> str:
    """The heading with another side in place of this one, first or last; "" without it."""
    own = re.escape(side)
    match = re.fullmatch(rf"(.*[-_ .]){own}|{own}([-_ .].*)|{own}", heading)
    if match is None:
        return ""
    return f"{match[1]}{other}" if match[1] else f"{other}{match[2] or ''}"
