"""What studies return: frozen results, with everything that is needed to make them again, and how each is said."""

from __future__ import annotations

from sigcore.results.family import FAMILY, PLANNED, PLANNED_WORDS, Family, of_command, uncorrected
from sigcore.results.fields import ABSENT, SELF, Field, Fields, Of, Printed, Row, as_json, plain, printed, rows
from sigcore.results.gain import POINTS, GainResult, Point, gain_rows, gain_summary, of_gain, points
from sigcore.results.grid import (
    BETTER,
    CELL,
    LISTED,
    NEUTRAL,
    PAIRS,
    WORSE,
    Cell,
    Grid,
    MatrixResult,
    as_sentence,
    grid_html,
    grid_rows,
    in_order,
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
    TESTS,
    CompareResult,
    Histogram,
    Judged,
    TestResult,
    compare_rows,
    corrected,
    decision,
    frame,
    freeze,
    judged,
    too_few,
    verdict,
)
