"""Does my test keep its false-alarm rate on my data? Calibration on the user's own segments, where there is no difference."""

from __future__ import annotations

from sigcore.studies.trust.compute import run
from sigcore.studies.trust.plan import BASE, MOST_REPETITIONS, NULLS, REPETITIONS, RULES, UNPAIRED, Null, TrustPlan
from sigcore.studies.trust.result import (
    BINS,
    RESULT,
    WORDS,
    Coverage,
    Planted,
    Rate,
    TrustResult,
    Uniformity,
    Verdict,
    percent,
)
from sigcore.studies.trust.worlds import PAIR, World, repeated, world
