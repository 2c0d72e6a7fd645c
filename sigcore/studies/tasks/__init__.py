"""Which system is better on several tasks? Scores per question, per task and on average, resampled and by formula.

The unit is the question: several samples of it, and the questions of one cluster, are resampled together. Results have standard errors
by formula (Miller 2024) and by resampling.
"""

from __future__ import annotations

from sigcore.studies.tasks.compute import (
    RESAMPLES,
    TASKS,
    Task,
    TasksRun,
    enough,
    of_collection,
    run,
    standard_error,
    statistics,
    task,
    testsets,
)
from sigcore.studies.tasks.files import Layout, layout
from sigcore.studies.tasks.fragile import HANGING, Hanging, hanging
from sigcore.studies.tasks.result import GAINS, MACRO, SCORES, Gain, Score, TasksResult, read, t_p
