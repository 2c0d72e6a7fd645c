"""Test sets that only the names of files tell apart: each has a reference of its own, and outputs of the same systems."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Item, Notice
from sigcore.readers.tables import likeness

APART = re.compile(r"([/\\._\-\s()]+)")  # between the words of a name
CLOSER = 1.2  # times more words in common with the own reference than with each other one
OF_SET = ("system", "reference", "source", "documents", "domains")
Words = tuple[str, ...]
Sets = dict[str, Words]  # the words of a name that say of which test set a file is


def told_apart(items: Sequence[Item], given: Collection[str]) -> tuple[list[Item], list[Notice], list[ReadError]]:
    """The items with the test sets that the names of files say, where each has its own reference and the same systems, a
    notice on them, and a problem where the outputs do not say whose they are. `given` are files with a role from the user."""
    open_ = [item for item in items if not item.testset and item.role in OF_SET]
    beside = _beside_outputs(open_)
    sets = _of_contents(beside) if len(beside) > 1 else _of_names(open_, given)
    if not sets:
        return list(items), [], []
    if not beside and not _are_closest(open_, sets):
        return list(items), [], [_problem(open_, sets)]
    made = [_in_set(item, sets) for item in items]
    systems = dict.fromkeys(item.name for item in made if item.role == "system" and item.file in sets)
    shown = listed(dict.fromkeys(map(_joined, sets.values())))
    message = (
        f"Each of {listed(systems)} has outputs for {shown}, which have references of their own: each is a test set."
    )
    return made, [Notice("", message)], []


def _beside_outputs(items: Sequence[Item]) -> dict[str, tuple[str, ...]]:
    """The reference in each file with outputs; {} unless each file with outputs has one."""
    right: dict[str, list[Item]] = {}
    for item in items:
        if item.role == "reference":
            right.setdefault(item.file, []).append(item)
    files = {item.file for item in items if item.role == "system"}
    if {*right} != files or any(len(own) > 1 for own in right.values()):
        return {}
    return {file: own[0].segments for file, own in right.items()}


def _of_contents(beside: Mapping[str, tuple[str, ...]]) -> Sets:
    """The words of test sets by file, where files with the same right answers share words of their names that the others
    lack; {} where they are of one test set, or their names do not say which."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for file, right in beside.items():
        groups.setdefault(tuple(sorted(right)), []).append(file)
    if len(groups) < 2 or min(map(len, groups.values())) < 2:
        return {}
    shared = {right: common(files) for right, files in groups.items()}
    everywhere = common([*beside])
    return _grid(
        {file: tuple((shared[right] - everywhere).elements()) for right, own in groups.items() for file in own}
    )


def _of_names(items: Sequence[Item], given: Collection[str]) -> Sets:
    """The words of test sets by file, where several files are references alone, and the name of each output has the words of
    one of them; {} for others, and where the user said which files are references."""
    right = {item.file: item for item in items if item.role == "reference"}
    outputs = {item.file for item in items if item.role == "system"}
    several = len({tuple(sorted(one.segments)) for one in right.values()}) == len(right) > 1
    if not several or not outputs or outputs & {*right} or {*right} & {*given}:
        return {}
    everywhere = common([*right])
    marks = {file: tuple((Counter(words_of(file)) - everywhere).elements()) for file in right}
    found = {file: _mark(file, [*marks.values()]) for file in outputs}
    return {**marks, **_grid(found)} if all(marks.values()) and _grid(found) else {}


def _mark(file: str, marks: Sequence[Words]) -> Words:
    """The words of the only mark that a name has; of one and another that continues it, the longer; () without any."""
    own = Counter(words_of(file))
    found = sorted((mark for mark in marks if not Counter(mark) - own), key=len)
    inner = all(not Counter(mark) - Counter(found[-1]) for mark in found) if found else False
    return found[-1] if inner and (len(found) == 1 or len(found[-2]) < len(found[-1])) else ()


def _grid(sets: Sets) -> Sets:
    """The test sets, if there are several, each of which has files of the same names; else {}."""
    rest: dict[Words, list[Words]] = {}
    for file, mark in sets.items():
        rest.setdefault(mark, []).append(tuple((Counter(words_of(file)) - Counter(mark)).elements()))
    known = {tuple(sorted(own)) for own in rest.values()}
    if any(() in own for own in known):  # gold.a and gold.b beside a and b: the words are the names of systems
        return {}
    whole = len(rest) > 1 and () not in rest and len(known) == 1 and len({*next(iter(known))}) == len(next(iter(known)))
    return sets if whole else {}


def common(files: Sequence[str]) -> Counter[str]:
    """The words that the names of all these files have."""
    first, *others = (Counter(words_of(file)) for file in files)
    for other in others:
        first &= other
    return first


def words_of(file: str) -> list[str]:
    """The words of the name of a file and of its folders, without the ending that says how it is written."""
    stem, dot, suffix = file.rpartition(".")
    path = stem if dot and names.SUFFIXES.fullmatch(suffix) else file
    return [word for word in APART.split(path.lower())[::2] if word]


def _are_closest(items: Sequence[Item], sets: Sets) -> bool:
    """Whether each output has more words in common with the reference of its own test set than with each other one."""
    right = {sets[item.file]: item for item in items if item.role == "reference"}
    for item in items:
        if item.role == "system":
            like = {mark: likeness.shared(item, one) for mark, one in right.items()}
            own = like.pop(sets[item.file])
            if not own or own < CLOSER * max(like.values()):
                return False
    return True


def _problem(items: Sequence[Item], sets: Sets) -> ReadError:
    """What is asked where names say test sets, and the outputs are as much like every reference."""
    right = [item.file for item in items if item.role == "reference"]
    first = sets[right[0]]
    alone = [file for file in sets if sets[file] == first]
    what = f"{listed(right)} may be the references of as many test sets: names of outputs have the same words."
    fix = f"If they are, load one alone: {listed(alone)}. If each is right for all outputs: --reference {' '.join(right)}."
    return ReadError(what, right[0], fix=fix)


def _in_set(item: Item, sets: Sets) -> Item:
    """The item with its test set, and with a name without the words of it."""
    mark = sets.get(item.file) or _mark(item.file, [*{*sets.values()}])
    if item.testset or not mark or item.role not in OF_SET:
        return item
    return replace(item, testset=_joined(mark), name=_without(item.name, mark))


def _without(name: str, mark: Words) -> str:
    """The name without the words of a test set; the whole name where nothing else is left."""
    left, parts = Counter(mark), APART.split(name)
    kept = list[str]()
    for word, before in zip(parts[::2], ["", *parts[1::2]], strict=True):
        if left[word.lower()]:
            left[word.lower()] -= 1
        else:
            kept += [before if kept else "", word]
    return "".join(kept) or name


def _joined(mark: Words) -> str:
    """The name of a test set."""
    return "-".join(mark)
