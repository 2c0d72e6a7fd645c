"""How many segments do I need? Thresholds against the size of a test set, and the smallest detectable gains."""

from __future__ import annotations

from sigcore.studies.size.between import BetweenRuns, between_runs
from sigcore.studies.size.compute import Plan, SizeRun, draw, read, run
from sigcore.studies.size.curve import SUBSETS, Subsets, subset
from sigcore.studies.size.detectable import POWERS, Variation, detectable_gain, needed_segments, power, variation
from sigcore.studies.size.result import MEDIAN, Detectable, Line, Needed, Size, SizeResult
from sigcore.studies.size.sentences import HINDSIGHT
from sigcore.studies.size.simulated import DRAWS, MOST_SEGMENTS, Simulated, simulate

__all__ = [
    "DRAWS",
    "HINDSIGHT",
    "MEDIAN",
    "MOST_SEGMENTS",
    "POWERS",
    "SUBSETS",
    "BetweenRuns",
    "Detectable",
    "Line",
    "Needed",
    "Plan",
    "Simulated",
    "Size",
    "SizeResult",
    "SizeRun",
    "Subsets",
    "Variation",
    "between_runs",
    "detectable_gain",
    "draw",
    "needed_segments",
    "power",
    "read",
    "run",
    "simulate",
    "subset",
    "variation",
]
