"""What do per-document scores say? The public API of the study: build a matrix, compute its pairs, read them.

After Rankel, Conroy, Slud and O'Leary 2011, Ranking Human and Machine Summarization Systems: unpaired T, paired T and
Wilcoxon's signed-rank W on every pair of systems, with p and cut-offs from theory and from two kinds of draws, and
Kruskal-Wallis with Tukey's intervals over document sets. All tests of pairs are two-sided, as in the paper.
"""

from __future__ import annotations

from sigcore.studies.scores.compute import LEAST, LEVELS, METHOD_TITLES, METHODS, ScoresRun, null_of, pair_of, run
from sigcore.studies.scores.draws import METHODS as DRAWN
from sigcore.studies.scores.efficiency import THEORY, hodges_lehmann
from sigcore.studies.scores.matrix import build, from_metric, from_scores, humans_among, with_rows
from sigcore.studies.scores.pairs import STATISTICS, TITLES, ZEROS
from sigcore.studies.scores.ranks import MeanRanks, Omnibus, document_sets
from sigcore.studies.scores.result import Count, ScoresResult, read

__all__ = [
    "DRAWN",
    "LEAST",
    "LEVELS",
    "METHODS",
    "METHOD_TITLES",
    "STATISTICS",
    "THEORY",
    "TITLES",
    "ZEROS",
    "Count",
    "MeanRanks",
    "Omnibus",
    "ScoresResult",
    "ScoresRun",
    "build",
    "document_sets",
    "from_metric",
    "from_scores",
    "hodges_lehmann",
    "humans_among",
    "null_of",
    "pair_of",
    "read",
    "run",
    "with_rows",
]
