"""Which system is better on several tasks? Scores per question, per task and on average, resampled and by formula.

The unit is the question: several samples of it, and the questions of one cluster, are resampled together. Results have standard errors
by formula (Miller 2024) and by resampling.
"""

from __future__ import annotations

from sigcore.studies.tasks.build import of_collection, task
from sigcore.studies.tasks.compute import RESAMPLES, Task, TasksRun, run
from sigcore.studies.tasks.formulas import normal_p, standard_error
from sigcore.studies.tasks.result import MACRO, Gain, Score, TasksResult, read

__all__ = [
    "MACRO",
    "RESAMPLES",
    "Gain",
    "Score",
    "Task",
    "TasksResult",
    "TasksRun",
    "normal_p",
    "of_collection",
    "read",
    "run",
    "standard_error",
    "task",
]
