"""A plan is tried on its file before it is printed: a command that the program itself would refuse helps nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sigcore.errors import SigError
from sigcore.readers.contract import Content, Found, Item, Reader
from sigcore.readers.tables import numbers
from sigcore.readers.tables.table import Unclear
from sigcore.types import Value

MOST_QUESTIONS = 3  # plans that are put together, where the first leads to another question


def tried(content: Content, reader: Reader, options: Mapping[str, Value], problem: Unclear) -> Unclear:
    """The problem, without its command where a file that is read as the command says is refused.

    Where it leads to another question, the command answers both.
    """
    if not problem.plan or "columns" not in {option.name for option in reader.options}:
        return problem
    plan, asked = dict(problem.plan), problem
    for _ in range(MOST_QUESTIONS):
        lines = [
            *filter(None, str(options.get("columns") or "").split("\n")),
            *(f"{name}={role}" for name, role in plan.items()),
        ]
        words = "\n".join([*filter(None, [str(options.get("cells") or "")]), *asked.cells])
        try:
            reason = _refused(
                reader.read(content, reader.chosen({**options, "columns": "\n".join(lines), "cells": words}))
            )
        except Unclear as again:
            if not again.plan or again.plan.items() <= plan.items():
                return problem.without_plan(again.why)
            plan, asked = {**plan, **again.plan}, again
            continue
        except SigError as refused:
            reason = refused.what
        if reason:
            return problem.without_plan(reason)
        return problem if asked is problem else problem.with_plan(plan)
    return problem.without_plan(asked.why)


def _refused(found: Found) -> str:
    """Why what was read cannot be compared; "" where nothing is against it."""
    if found.problems:
        return found.problems[0].what
    systems = [item for item in found.items if item.role == "system"]
    if not (systems or found.judgments or found.preferences):
        return "No column would be a system."
    groups = _groups([item for item in systems if item.kind == "scores"])
    return next(filter(None, map(_unlike, groups)), "")


def _unlike(group: Sequence[Item]) -> str:
    """Why the scores of systems are no rivals; "" where nothing is against it."""
    low, high = numbers.different([(item.name, numbers.scale(item.segments)) for item in group])
    if low and high:
        return f"The scores of {low} and {high} are on very different scales."
    gaps = sum(any(map(numbers.is_missing, row)) for row in zip(*(item.segments for item in group), strict=True))
    few = len(group) > 1 and 2 * gaps > len(group[0].segments)
    return f"Most segments have no score of every system: {group[0].name}, {group[1].name}." if few else ""


def _groups(items: Sequence[Item]) -> list[list[Item]]:
    """The scores of each measure in each test set."""
    found: dict[tuple[str, str, int], list[Item]] = {}
    for item in items:
        found.setdefault((item.testset, item.measure, len(item.segments)), []).append(item)
    return list(found.values())
