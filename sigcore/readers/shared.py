"""What several files of scores have in common: numbers about the segments, and names of test sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sigcore.formatting import listed
from sigcore.readers import folders, names
from sigcore.readers.contract import Item, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.together import by_file, is_score


def shared(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items; numbers that no file has for itself are left out, and files of the same names for each of several systems are
    test sets."""
    items, same = _without_same(items)
    items, sets = _of_sets(items)
    return items, [*same, *sets]


ALIKE = 10  # segments; fewer scores may be equal by chance


def _without_same(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items without numbers that are the same in every file, where each file has something else to compare: they are
    about the segments."""
    found: dict[tuple[str, str], list[Item]] = {}
    for item in filter(is_score, items):
        found.setdefault((item.testset, item.measure), []).append(item)
    same = [own for own in found.values() if _is_same(own) and all(_says_more(item, items) for item in own)]
    if not same:
        return list(items), []
    left = {id(item) for own in same for item in own}
    named = listed(dict.fromkeys(own[0].measure for own in same))
    message = f"Not used, the same numbers in all {len(same[0])} files, so they are about the segments: {named}."
    return [item for item in items if id(item) not in left], [Notice("", message)]


def _is_same(items: Sequence[Item]) -> bool:
    """Whether scores are in a file each, and equal for each segment."""
    if len(items) < 2 or len({item.file for item in items}) < len(items) or len(items[0].segments) < ALIKE:
        return False
    cells = [sorted(zip(item.keys, item.segments, strict=True)) if item.keys else item.segments for item in items]
    return all(one == cells[0] for one in cells)


def _says_more(item: Item, items: Sequence[Item]) -> bool:
    """Whether the file of scores has an output, too, or scores of another measure: then what is the same is no result. A
    known measure may be the same by itself, unless labels are compared."""
    others = [one for one in items if one.file == item.file and one.role == "system" and one is not item]
    labels = any(one.kind == "text" and 2 * len({*one.segments}) <= len(one.segments) for one in others)
    compared = labels and any(one.role == "reference" for one in items)
    known = words.is_outcome(item.measure) or (words.has_measure(item.measure) and not compared)
    return bool(others) and not known


def _of_sets(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items; files with one column of scores, called after a system and a measure (llama_correct), are those of several
    test sets where each of several systems has files of the same names."""
    alone = [own[0] for own in by_file(items).values() if len(own) == 1 and not own[0].testset]
    named = [item for item in alone if words.cut(item.name)[0]]
    stems = _same_stems(named)
    if not stems:
        return list(items), []
    made = {id(item): _of_set(item, *words.cut(item.name)) for item in named}
    systems = dict.fromkeys(words.cut(item.name)[0] for item in named)
    message = f"Each of {listed(systems)} has files of these names: {listed(stems)}. Each is a test set."
    return [made.get(id(item), item) for item in items], [Notice("", message)]


def _same_stems(items: Sequence[Item]) -> tuple[str, ...]:
    """The names of the files that each of several systems and measures has, in its own folder; () where they differ, and for
    those of runs (seed1, seed2), which are of one test set."""
    files: dict[tuple[str, str], list[str]] = {}
    for item in items:
        files.setdefault(words.cut(item.name), []).append(names.display_name(item.file))
    known = {tuple(sorted(own)) for own in files.values()}
    stems = known.pop() if len(known) == 1 and len(files) > 1 else ()
    several = 1 < len({*stems}) == len(stems)
    return stems if several and not any(map(folders.RUN_FOLDER.fullmatch, stems)) else ()


def _of_set(item: Item, system: str, measure: str) -> Item:
    return replace(item, name=system, measure=measure, testset=names.display_name(item.file))
