"""Which system do judges prefer? Wins, ties and losses of all pairs, the sign test, and a Bradley-Terry ranking.

Of judged comparisons (win, tie, loss), or of the scores of systems on the same questions; of 0/1 scores the sign test is
McNemar's. Intervals are bootstrap percentiles over questions, the unit within which comparisons depend on each other.
"""

from __future__ import annotations

from sigcore.studies.pairwise.compute import RESAMPLES, Battles, PairwiseRun, of_preferences, of_scores, run, strengths
from sigcore.studies.pairwise.result import (
    PAIRS,
    RANKING,
    JudgedPair,
    McNemar,
    PairwiseResult,
    Ranked,
    mcnemar,
    mid_p,
    read,
    sign_test,
)
