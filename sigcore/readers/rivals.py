"""What names of files of scores leave open: which part of a name is the system, and whether a file is of a judge or is right."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Collection, Sequence

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import folders, names, sheets
from sigcore.readers.contract import Item
from sigcore.readers.names import pattern
from sigcore.readers.own_references import common, words_of
from sigcore.readers.tables import gridded
from sigcore.readers.tables import headings as words
from sigcore.readers.together import by_file

JUDGE, GIVEN, RIGHT = pattern("rivals.judge"), pattern("rivals.given"), pattern("rivals.right")
MOST_PARTS = 3  # words of a part of a name
Cells = dict[str, tuple[str, str]]  # the two parts of the name of each file


def asked(items: Sequence[Item], confirmed: Collection[str]) -> list[ReadError]:
    """The problem of files of scores that may not be a system each; [] where nothing is open, and where the user said that all
    are systems (`confirmed`)."""
    if any(item.testset for item in items):
        return []
    compared = [own[0] for own in by_file(items).values() if len(own) == 1]
    files = {item.file for item in compared}
    if len(files) < 2 or files <= {*confirmed} or len({item.measure for item in compared}) > 1:
        return []
    found = _of_right(compared) or _of_grid(compared) or _of_judges(compared)
    return [found] if found else []


def _as_systems(files: Sequence[str]) -> str:
    """What says that each of these files is a system."""
    books = list(dict.fromkeys(sheets.book(file) if sheets.SHEET.search(file) else file for file in files))
    return f"--systems {shlex.join(books)}"


# Files of what is right.


def _of_right(items: Sequence[Item]) -> ReadError | None:
    """What is asked about the one file that is called after what is right, next to numbers of others."""
    right = [item for item in items if _is_right(names.display_name(item.file))]
    others = [item.file for item in items if item not in right]
    if len(right) != 1 or not others or _is_known(items[0]):
        return None
    file = right[0].file
    what = f"Is {file} a system? By its name its numbers are what is right, not scores."
    fix = f"If it is right, and the others have scores, leave it out: {shlex.join(others)}. "
    fix += "If the others predict its numbers, load the error of each prediction instead. "
    return ReadError(what, file, fix=f"{fix}If it is a system, too: {_as_systems([file, *others])}.")


def _is_right(name: str) -> bool:
    return names.RIGHT.fullmatch(name) is not None or RIGHT.fullmatch(name) is not None


def _is_known(item: Item) -> bool:
    """Whether scores are of a known measure, which people may reach, too."""
    return words.has_measure(item.measure) and not words.is_plain(item.measure)


# Files of judges.


def _of_judges(items: Sequence[Item]) -> ReadError | None:
    """What is asked about files that are all called after judges, or after people, and hold ratings."""
    called = [names.display_name(item.file) for item in items]
    known = any(map(_is_known, items))
    if known or not (all(map(_is_judge, called)) or all(map(GIVEN.fullmatch, called))):
        return None
    what = f"Are {listed(called)} judges of the same answers? Each has one rating of each, and no file names a system."
    fix = "If they are, nothing is compared here: load files with a column of ratings for each system. "
    return ReadError(
        what, items[0].file, fix=f"{fix}If each is a system: {_as_systems([item.file for item in items])}."
    )


def _is_judge(name: str) -> bool:
    """Whether a name calls somebody a judge; judge_results are what a judge said of one system."""
    parts = words_of(name)
    rest = [part for part in parts if not JUDGE.fullmatch(part)]
    return 0 < len(rest) < len(parts) and not any(map(names.ANY_TABLE.fullmatch, rest))


# Files of systems and something else.


def _of_grid(items: Sequence[Item]) -> ReadError | None:
    """What is asked about files whose names have two parts, each first one with each second one: test sets, or systems."""
    cells = _grid([item.file for item in items])
    parts = [list(dict.fromkeys(cell[k] for cell in cells.values())) for k in (0, 1)]
    if not cells or any(map(_are_of_a_system, parts)) or _are_the_same(items, parts):
        return None
    # what is known as a model is the system, and the other part is open
    open_ = [1 - k for k in (0, 1) if any(map(names.MODEL.fullmatch, parts[k]))]
    ways = [_alone(cells, k, parts[k]) for k in (open_ if len(open_) == 1 else (1, 0))]
    what = f"Which part of these names is the system? Each of {listed(parts[0])} has a file for each of {listed(parts[1])}."
    return ReadError(what, items[0].file, fix=" ".join([*ways, f"If each file is a system: {_as_systems([*cells])}."]))


def _alone(cells: Cells, k: int, values: Sequence[str]) -> str:
    """How one value of a part of the names is compared alone."""
    files = [file for file, cell in cells.items() if cell[k] == values[0]]
    what = f"If {listed(values)} are test sets, criteria or judges,"
    if any(map(sheets.SHEET.search, files)):
        return f"{what} save the sheets of one in a workbook of its own."
    return f"{what} compare the files of one alone: {shlex.join(files)}."


def _grid(files: Sequence[str]) -> Cells:
    """The two parts of the name of each file, where each first one comes with each second one; {} without such parts."""
    shared = common(files)
    own = {file: _without(words_of(file), shared) for file in files}
    for size in range(1, MOST_PARTS + 1):
        for at in (-size, size):
            cells = {file: ("_".join(parts[:at]), "_".join(parts[at:])) for file, parts in own.items()}
            sizes = [len({cell[k] for cell in cells.values()}) for k in (0, 1)]
            whole = all(map(all, cells.values())) and len({*cells.values()}) == len(files) == sizes[0] * sizes[1]
            if whole and min(sizes) > 1:
                return cells
    return {}


def _without(parts: Sequence[str], shared: Counter[str]) -> list[str]:
    """The words without those that all names have, which come first: folders above all files."""
    left, kept = Counter(shared), list[str]()
    for part in parts:
        if left[part]:
            left[part] -= 1
        else:
            kept.append(part)
    return kept


def _are_of_a_system(parts: Sequence[str]) -> bool:
    """Whether parts of names say which variant or which run of a system it is."""
    runs = all(part.isdigit() or folders.RUN_FOLDER.fullmatch(part) for part in parts)
    return runs or all(map(gridded.VARIANT.fullmatch, parts))


def _are_the_same(items: Sequence[Item], parts: Sequence[Sequence[str]]) -> bool:
    """Whether all files have the same ids, which do not only count their rows, and no part of their names is a measure."""
    ids = {frozenset(item.keys) for item in items}
    counted = any(re.sub(r"\d+", "", key) == re.sub(r"\d+", "", items[0].keys[0]) for key in items[0].keys[1:2])
    return (
        len(ids) == 1
        and bool(items[0].keys)
        and not counted
        and not any(words.has_measure(one) for own in parts for one in own)
    )
