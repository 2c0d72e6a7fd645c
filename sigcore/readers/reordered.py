"""Files whose rows are about the same texts in another order, or about other texts: a place is no name of a question there."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal

from sigcore.errors import ReadError, SigError
from sigcore.formatting import listed
from sigcore.readers.contract import Detected, Found, Item, Notice
from sigcore.readers.names import pattern
from sigcore.readers.shared import Columns, tables_of
from sigcore.readers.tables import crossing, numbers, said
from sigcore.readers.together import Settings

ReadOne = Callable[[str, Settings], Found]  # what is in a file that is read with these options; raises SigError
Cells = Sequence[str]
Order = Literal["", "moved", "other"]  # how texts differ from those of another file
FEWEST = 5  # rows of a file
NEARLY = 0.9  # of the places have the same question: others are written in another way
SHARE = 0.5  # of the texts, equal at their places in files of one order, or anywhere in files of one test set
ASKED = pattern("reordered.asked")  # headings of what was asked, which is the same for all systems
OPEN = ("question", "source", "ignored", "document")  # what a column is taken for that may name the rows
PARTS = ("system", "reference")


def keyed(result: Found, detected: Sequence[Detected], columns: Columns, read: ReadOne) -> dict[str, Settings]:
    """The options of files that have to be read again: a column of texts names their rows, which are in another order in another
    file, or about other texts. A problem is added where the files cannot be read so. `columns` gives the columns of a file."""
    of_rows = _of_rows(result.items)
    found = [one for one in detected if one.file in of_rows and _takes_roles(one) and not said.segments(one.options)]
    # most files have the same ids, and are not read for this
    if len(found) < 2 or _are_shared([of_rows[one.file] for one in found]):
        return {}
    tables = _tables(found, columns)
    name, how = _telling(result, tables) if len(tables) > 1 else ("", "")
    return _by_column(result, tables, name, how, read) if name else {}


def _by_column(
    result: Found, tables: Mapping[str, Mapping[str, Cells]], name: str, how: Order, read: ReadOne
) -> dict[str, Settings]:
    """The options with which a column names the rows of all files; {} with a problem where it cannot."""
    without = [item.file for item in result.items if item.role in PARTS and item.file not in tables]
    again = {file: _options(file, name, result, read) for file in (() if without else tables)}
    options = {file: one for file, one in again.items() if one is not None}
    if how == "other" and len(options) < len(tables) and _are_sets([*tables]):
        return {}  # each name is a test set, whose questions are others
    if len(options) < len(tables):
        result.problems.append(_problem(name, how, [*tables], without))
        return {}
    _forget(result, options, read)
    result.notices += [Notice(file, f"{name} names its rows: {WHY[how]}.") for file in options]
    return options


def _are_same(tables: Sequence[Mapping[str, Cells]], name: str) -> bool:
    """Whether all files have the same cells in a column, in whatever order, another one in each row."""
    first, *others = ([*map(str.strip, own.get(name, ()))] for own in tables)
    return len({*first}) == len(first) >= FEWEST and all(sorted(first) == sorted(other) for other in others)


def _are_sets(files: Sequence[str]) -> bool:
    """Whether every folder has a file of each of several names."""
    names_, folders = Counter(file.rpartition("/")[2] for file in files), {file.rpartition("/")[0] for file in files}
    return 1 < len(names_) < len(files) and {*names_.values()} == {len(folders)}


WHY: Mapping[Order, str] = {
    "": "",
    "moved": "the other files have the same texts in another order, or lack some",
    "other": "other files have other texts",
}


def _of_rows(items: Sequence[Item]) -> dict[str, Cells]:
    """The ids of each file with the outputs or scores of a system."""
    return {item.file: item.keys for item in reversed(items) if item.role == "system"}


def _takes_roles(one: Detected) -> bool:
    """Whether a file is a table of rows, whose columns somebody can name."""
    return {"id_field", "columns"} <= {*one.options}


def _tables(detected: Sequence[Detected], columns: Columns) -> dict[str, Mapping[str, Cells]]:
    """The columns of each of these files that can be read, without those of which somebody said something."""
    named = {one.file: {*said.named(one.options)} for one in detected}
    return {
        file: {name: cells for name, cells in own.items() if name not in named[file]}
        for file, own in tables_of(detected, columns).items()
    }


def _may_name(cells: Cells) -> bool:
    """Whether cells are words, another one in each row that has some: a third of them, or more."""
    filled = [cell for cell in cells if cell.strip()]
    several = len(filled) >= max(FEWEST, len(cells) / 3)
    return several and len({*map(_plain, filled)}) == len(filled) and not any(map(numbers.is_number, filled))


def _number_rows(cells: Cells) -> bool:
    """Whether cells are whole numbers, another one in each row, that do not count the rows: ids of tweets."""
    digits = len(cells) >= FEWEST and all(cell.strip().isdigit() for cell in cells)
    return digits and len({*cells}) == len(cells) and max(map(int, cells)) > 2 * len(cells)


def _plain(text: str) -> str:
    """The text without what programs change when they write it: letters of another case, spaces, and the folders of a file."""
    plain = " ".join(text.casefold().split())
    return plain if " " in plain else plain.rpartition("/")[2] or plain


def _telling(result: Found, tables: Mapping[str, Mapping[str, Cells]]) -> tuple[str, Order]:
    """The column, of those that all files have, whose texts are in another order in some file, or others there; and how they
    differ. ("", "") where a place names the same text everywhere."""
    keys = _of_rows(result.items)
    for name in _open(result, tables, any(keys[file] for file in tables)):
        first, *others = (_by_key(own, name, keys[file]) for file, own in tables.items())
        orders = {_order(name, _filled(first), _filled(other)) for other in others} - {""}
        if orders:
            return name, "moved" if "moved" in orders else "other"
    return (_beside_right(result, tables), "moved") if not any(keys[file] for file in tables) else ("", "")


def _beside_right(result: Found, tables: Mapping[str, Mapping[str, Cells]]) -> str:
    """The column with another number in each row, the same ones in all files, where their right answers are in another order; ""
    without it."""
    named = {one.column for one in result.claims if one.file in tables and one.role == "reference"}
    own = [*tables.values()]
    right = [name for name in own[0] if name in named]
    moved = [
        name
        for name in right
        if any({*one.get(name, ())} == {*own[0][name]} and one[name] != own[0][name] for one in own)
    ]
    return next((name for name in own[0] if name not in named and moved and _are_same(own, name)), "")


def _are_shared(keys: Sequence[Cells]) -> bool:
    """Whether the rows have ids that do not only count them, most of which all files have: these match them, in any order."""
    if not all(keys) or all(map(crossing.count_rows, keys)):
        return False
    return len(set.intersection(*map(set, keys))) > SHARE * min(map(len, keys))


def _open(result: Found, tables: Mapping[str, Mapping[str, Cells]], matched: bool) -> Iterator[str]:
    """The columns that may name the rows of all files; no source where answers have ids of their own: they are `matched` by it."""
    roles = {one.column: one.role for one in result.claims if one.file in tables}
    for name in next(iter(tables.values())):
        role = roles.get(name, "ignored")
        cells = [own.get(name, ()) for own in tables.values()]
        numbered = crossing.ID.search(name) is not None and all(map(_number_rows, cells))
        open_ = role in OPEN and not (matched and role == "source") and (numbered or all(map(_may_name, cells)))
        yield from [name] * (open_ and not _count_alike(cells))


def _count_alike(cells: Sequence[Cells]) -> bool:
    """Whether the same words only count the rows of each file: slot 1, slot 2."""
    return len({_plain(own[0]) for own in cells}) == 1 and all(map(crossing.count_rows, cells))


def _by_key(own: Mapping[str, Cells], name: str, keys: Cells) -> dict[str, str]:
    """The text of each row by its id, or by its place where rows have none; {} where no one column has the ids."""
    texts = map(_plain, own[name])
    if not keys:
        return {str(k): text for k, text in enumerate(texts)}
    ids = next((cells for cells in own.values() if {*map(str.strip, cells)} == {*keys}), ())
    return dict(zip(map(str.strip, ids), texts, strict=True)) if ids else {}


def _filled(texts: Mapping[str, str]) -> dict[str, str]:
    """The texts without empty ones, which say nothing of the order."""
    return {key: text for key, text in texts.items() if text}


def _order(name: str, own: Mapping[str, str], their: Mapping[str, str]) -> Order:
    """How the texts of one file differ from those of another: by their order, or altogether; "" where they do not, and where
    texts by another heading than that of a question are others, as the prompts of two systems may be."""
    fewer = min(len(own), len(their))
    pairs = [(own[key], their[key]) for key in own if key in their] or list(
        zip(own.values(), their.values(), strict=False)
    )
    common = len({*own.values()} & {*their.values()})
    equal = sum(one == other for one, other in pairs)
    # a question that one file lacks moves all that follow; and another one at its place is not answered by both
    if ASKED.fullmatch(name.strip()) and common and (common > equal or equal < NEARLY * len(pairs)):
        return "moved"
    if not pairs or equal > SHARE * len(pairs):
        return ""
    if common > SHARE * fewer:
        return "moved"
    return "other" if not common and ASKED.fullmatch(name.strip()) else ""


def _options(file: str, name: str, result: Found, read: ReadOne) -> Settings | None:
    """The options with which a column names the rows of a file, and nothing else changes; None without such."""
    before = _content(result.items, file)
    claims = [one for one in result.claims if one.file == file and one.column]
    others = {one.column: "ignored" for one in claims if one.role == "question"}
    roles = {one.column: one.role for one in claims}
    for parts in ({**others, name: "question"}, {**roles, **others, name: "question"}):
        options: Settings = {"columns": "\n".join(f"{column}={part}" for column, part in parts.items())}
        with suppress(SigError):
            items = read(file, options).items
            named = all(item.keys for item in items if item.file == file and item.role in PARTS)  # some may be empty
            if named and _content(items, file) == before:
                return options
    return None


def _content(items: Sequence[Item], file: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """What is compared in a file, in whatever order: rows are sorted by ids that are numbers."""
    return sorted(
        (i.role, i.kind, i.measure, tuple(sorted(i.segments))) for i in items if i.file == file and i.role in PARTS
    )


def _problem(name: str, how: Order, files: Sequence[str], without: Sequence[str]) -> ReadError:
    """What is wrong where rows cannot be matched by a column of texts."""
    if how == "other":
        what = f"{listed(files)} ask other questions in {name}. No test can pair their rows."
        return ReadError(what, files[0], fix="Load files with the same questions.")
    cells = "ids" if crossing.ID.search(name) else "texts"
    what = f"{listed(files)} have the {cells} of {name} in another order. A place is not the same question."
    if without:
        what += f" {listed(dict.fromkeys(without))} has no column {name}."
        return ReadError(what, files[0], fix=f"Give all files the same order, or a column {name}.")
    return ReadError(what, files[0], fix=f"Match the rows by this column: --id-field {shlex.quote(name)}.")


def _forget(result: Found, again: Mapping[str, Settings], read: ReadOne) -> None:
    """Remove what was found in files that are read again."""
    for file in again:
        gone = [notice.message for notice in read(file, {}).notices]
        result.notices = [one for one in result.notices if one.file != file or one.message not in gone]
    result.items = [one for one in result.items if one.file not in again]
    result.claims = [one for one in result.claims if one.file not in again]


def with_ids(items: Sequence[Item]) -> list[str]:
    """The files of plain lines that begin with the ids of another file, in which the first word of each line was read as its id:
    next to one text without ids they would be words of the others."""
    known = [{*item.keys} for item in items if item.reader == "utterances" and item.keys]
    plain = [item for item in items if item.kind == "text" and not item.keys and item.reader != "utterances"]
    return [item.file for item in plain if any(_begin_with(item.segments, ids) for ids in known)]


def _begin_with(lines: Sequence[str], ids: set[str]) -> bool:
    """Whether nearly all lines begin with one of these ids, another one each."""
    first = [line.split(maxsplit=1)[0] for line in lines if line.strip()]
    return len({*first}) == len(first) and sum(one in ids for one in first) >= NEARLY * len(ids) > 0
