"""How many segments do I need? Thresholds against the size of a test set, and the smallest detectable gains."""

from __future__ import annotations

from sigcore.studies.size.compute import (
    DRAWS,
    HINDSIGHT,
    MOST_SEGMENTS,
    BetweenRuns,
    Simulated,
    SizePlan,
    SizeRun,
    between_runs,
    draw,
    read,
    rounded,
    run,
    simulate,
)
from sigcore.studies.size.parts import (
    MEDIAN,
    POWERS,
    SUBSETS,
    Detectable,
    Line,
    Needed,
    Size,
    SizeResult,
    Subsets,
    Variation,
    detectable_gain,
    needed_segments,
    power,
    subset,
    variation,
)
