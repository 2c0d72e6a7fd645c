"""Files of scores that name no test set: whether each is a task, or a measure of the same questions."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sigcore.errors import SigError
from sigcore.formatting import count, listed
from sigcore.measures import is_measure
from sigcore.readers import Item
from sigcore.studies.tasks.shared import is_counted

Files = Literal["tasks", "measures", "unclear"]


@dataclass(frozen=True)
class Layout:
    """What the files are, their names, and of how many questions they have scores; without names there is nothing to decide."""

    files: Files
    names: tuple[str, ...] = ()
    questions: int = 0

    @property
    def question(self) -> str:
        """What is unclear, as a sentence."""
        of = count(self.questions, "question")
        return f"{listed(self.names)} have scores of the same {of}: they are tasks, or measures of one task."


def layout(items: Sequence[Item], testsets: Sequence[str]) -> Layout:
    """Whether files that each have scores of their own, and name no measure, are tasks (boolq.csv, copa.csv).

    They are where none is called like a known measure and no two have the same questions; with the same ones they may be either.
    """
    files: dict[str, list[Item]] = {}
    for item in items:
        if item.kind == "scores" and item.role == "system":
            files.setdefault(item.measure, []).append(item)
    if [*testsets] != [""] or len(files) < 2 or not _are_apart(files.values()):
        return Layout("measures")
    names, asked = tuple(sorted(files)), [frozenset(_questions(own[0])) for own in files.values()]
    if any(map(is_measure, files)):
        return Layout("measures", names, len(asked[0]))
    shared = [(len(one & other), min(len(one), len(other))) for one, other in itertools.combinations(asked, 2)]
    same = max((both for both, fewer in shared if 2 * both > fewer), default=0)
    return Layout("unclear" if same else "tasks", names, same)


def _are_apart(measures: Iterable[Sequence[Item]]) -> bool:
    """Whether every measure is in one file, and no file has two."""
    files = [{item.file for item in own} for own in measures]
    return all(len(own) == 1 for own in files) and len(set[str]().union(*files)) == len(files)


def _questions(item: Item) -> Sequence[str]:
    """The ids of the questions of an item; numbers in a row, or none, say no more than how many there are."""
    n = len(item.segments)
    return [f"{k} of {n}" for k in range(n)] if is_counted(item.keys) else item.keys


def as_tasks(items: Sequence[Item]) -> tuple[Item, ...]:
    """The items with each file as a test set of its own."""
    return tuple(replace(item, testset=item.measure, measure="score") if item.measure else item for item in items)


def unclear(found: Layout) -> SigError:
    """The error for files that may be tasks or measures, with the options for both."""
    names = [shlex.quote(name) for name in found.names]
    tasks, one = f"--task {' '.join(names)}", f"--measure {names[0]}"
    return SigError(found.question, "", f"If they are tasks, say {tasks}. If they are measures, say one: {one}.")
