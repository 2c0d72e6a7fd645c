"""Do the metrics and tests agree with people? Conclusions on every pair of systems, compared with those of human judges."""

from __future__ import annotations

from sigcore.studies.human import fields
from sigcore.studies.human.compute import judged_outputs, read, run
from sigcore.studies.human.gold import (
    Decided,
    Match,
    People,
    Rated,
    match,
    most_detailed,
    named,
    of_outputs,
    people,
    within,
)
from sigcore.studies.human.judges import STANDARDS, Judge, Segments, default_standard, standards
from sigcore.studies.human.metrics_differ import MEASURES, PERCENT
from sigcore.studies.human.metrics_differ import METHODS as DIFFERENCE_METHODS
from sigcore.studies.human.one_judge import WithoutJudge, without_each
from sigcore.studies.human.one_judge import sentence as on_one_judge
from sigcore.studies.human.result import (
    ALPHAS,
    METRICS,
    TESTS,
    Accuracy,
    Difference,
    HumanResult,
    McNemar,
    Measure,
    Method,
    MetricDifference,
    SystemLevel,
)
