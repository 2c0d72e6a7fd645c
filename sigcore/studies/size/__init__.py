"""How many segments do I need? Thresholds against the size of a test set, and the smallest detectable gains."""

from __future__ import annotations

from sigcore.studies.size.compute import Plan, SizeRun, draw, read, run
from sigcore.studies.size.curve import SUBSETS, Subsets, subset
from sigcore.studies.size.detectable import POWERS, Variation, detectable_gain, needed_segments, power, variation
from sigcore.studies.size.result import MEDIAN, Detectable, Line, Needed, Size, SizeResult
from sigcore.studies.size.sentences import HINDSIGHT

__all__ = [
    "HINDSIGHT",
    "MEDIAN",
    "POWERS",
    "SUBSETS",
    "Detectable",
    "Line",
    "Needed",
    "Plan",
    "Size",
    "SizeResult",
    "SizeRun",
    "Subsets",
    "Variation",
    "detectable_gain",
    "draw",
    "needed_segments",
    "power",
    "read",
    "run",
    "subset",
    "variation",
]
