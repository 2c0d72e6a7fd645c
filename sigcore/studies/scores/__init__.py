"""What do per-document scores say? The public API of the study: build a matrix, compute its pairs, read them.

After Rankel, Conroy, Slud and O'Leary 2011, Ranking Human and Machine Summarization Systems: unpaired T, paired T and
Wilcoxon's signed-rank W on every pair of systems, with p and cut-offs from theory and from two kinds of draws, and
Kruskal-Wallis with Tukey's intervals over document sets. All tests of pairs are two-sided, as in the paper.
"""

from __future__ import annotations

from sigcore.studies.scores import fields
from sigcore.studies.scores.compute import (
    LEAST,
    LEVELS,
    METHOD_TITLES,
    METHODS,
    Count,
    ScoresResult,
    ScoresRun,
    null_of,
    pair_of,
    read,
    run,
)
from sigcore.studies.scores.pairs import METHODS as DRAWN
from sigcore.studies.scores.pairs import STATISTICS, TITLES, ZEROS
from sigcore.studies.scores.ranks import (
    THEORY,
    MeanRanks,
    Omnibus,
    build,
    document_sets,
    from_metric,
    from_scores,
    hodges_lehmann,
    humans_among,
    with_rows,
)
