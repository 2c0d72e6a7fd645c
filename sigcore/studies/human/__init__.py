"""Do the metrics and tests agree with people? Conclusions on every pair of systems, compared with those of human judges."""

from __future__ import annotations

from sigcore.studies.human.agreement import Accuracy, Difference, McNemar
from sigcore.studies.human.gold import Decided, People, Rated, people
from sigcore.studies.human.judges import STANDARDS, Judge, Segments, default_standard, standards
from sigcore.studies.human.matching import Match, match, named
from sigcore.studies.human.result import ALPHAS, METRICS, TESTS, HumanResult, judged_outputs, read, run

__all__ = [
    "ALPHAS",
    "METRICS",
    "STANDARDS",
    "TESTS",
    "Accuracy",
    "Decided",
    "Difference",
    "HumanResult",
    "Judge",
    "Match",
    "McNemar",
    "People",
    "Rated",
    "Segments",
    "default_standard",
    "judged_outputs",
    "match",
    "named",
    "people",
    "read",
    "run",
    "standards",
]
