"""What studies return: frozen results, with everything that is needed to make them again, and how each is said."""

from __future__ import annotations

from sigcore.results.gain import GainResult, gain_rows, gain_summary, of_gain
from sigcore.results.grid import (
    BETTER,
    CELL,
    LISTED,
    NEUTRAL,
    WORSE,
    MatrixResult,
    as_sentence,
    grid,
    grid_rows,
    matrix_rows,
    matrix_summary,
    of_cell,
    of_matrix,
    scores_rows,
    undefined_words,
    why_no_verdict,
)
from sigcore.results.pair import (
    ALPHA,
    DOUBLED,
    PLANNED,
    PLANNED_WORDS,
    CompareResult,
    Family,
    Histogram,
    Row,
    TestResult,
    compare_rows,
    corrected,
    decision,
    frame,
    freeze,
    of_command,
    too_few,
    uncorrected,
    verdict,
)
