"""What do I hand in? The questions of a careful reviewer, answered from the data, the settings and the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sigcore.studies.report import of_files, of_tests
from sigcore.studies.report.contract import STATES, Case, Check, State
from sigcore.studies.report.pictures import DRAWN, MOST_PAIRS, Of, pictures

__all__ = [
    "DRAWN",
    "MOST_PAIRS",
    "QUESTIONS",
    "STATES",
    "Case",
    "Check",
    "Of",
    "State",
    "check",
    "pictures",
    "worst",
]

QUESTIONS: tuple[Callable[[Case], Check], ...] = (
    of_files.files,
    of_files.outputs,
    of_files.runs,
    of_files.tuning,
    of_files.metric,
    of_tests.sides,
    of_tests.rule,
    of_tests.correction,
    of_tests.unit,
    of_tests.size,
    of_tests.resamples,
    of_tests.tried,
)


def check(case: Case) -> tuple[Check, ...]:
    """The answers to all questions, in the order of QUESTIONS."""
    return tuple(question(case) for question in QUESTIONS)


def worst(checks: Sequence[Check]) -> State:
    """The most serious state of the checks; "green" without checks."""
    return max((one.state for one in checks), key=STATES.index, default="green")
