"""Averages over tasks that have questions in common, with plain loops over tasks, questions and rows."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

Tasks = Sequence[Mapping[str, Sequence[float]]]  # of each task: by question the gains of its rows


def gain(tasks: Tasks, signs: Mapping[str, int]) -> float:
    """The average over the tasks of the mean gain of their rows, each question with its sign."""
    total = 0.0
    for task in tasks:
        rows = [signs[question] * row for question, own in task.items() for row in own]
        total += sum(rows) / len(rows)
    return total / len(tasks)


def exact_p(tasks: Tasks) -> float:
    """The share of all ways to swap whole questions, in all tasks at once, whose gain is as large as the observed one."""
    questions = sorted({question for task in tasks for question in task})
    observed = abs(gain(tasks, dict.fromkeys(questions, 1)))
    ways = [dict(zip(questions, signs, strict=True)) for signs in itertools.product((1, -1), repeat=len(questions))]
    return sum(abs(gain(tasks, signs)) >= observed - 1e-12 for signs in ways) / len(ways)


def standard_error(tasks: Tasks) -> float:
    """Miller 2024, Section 2.2, with a question as the cluster of its rows in all tasks: every product of two rows is added."""
    total = 0.0
    rows = [
        (task, question, place, (row - _mean(tasks[task])) / _count(tasks[task]))
        for task in range(len(tasks)) for question, own in tasks[task].items() for place, row in enumerate(own)
    ]  # fmt: skip
    for one in rows:
        for other in rows:
            if one[:3] == other[:3]:
                n = _count(tasks[one[0]])
                total += one[3] ** 2 * n / (n - 1)
            elif one[1] == other[1]:
                total += one[3] * other[3]
    return float(total**0.5) / len(tasks)


def _count(task: Mapping[str, Sequence[float]]) -> int:
    return sum(len(own) for own in task.values())


def _mean(task: Mapping[str, Sequence[float]]) -> float:
    return sum(sum(own) for own in task.values()) / _count(task)
