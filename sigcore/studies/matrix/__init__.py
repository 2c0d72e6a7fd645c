"""Which of my systems differ? All pairs under every requested metric and test, from shared draws."""

from __future__ import annotations

from sigcore.studies.matrix.compute import (
    LEVEL,
    MatrixRun,
    cells_of,
    in_both_directions,
    mark,
    of_few_units,
    run,
    score_intervals,
)
from sigcore.studies.matrix.result import (
    adjust,
    as_printed,
    exactly,
    load,
    of_both_sides,
    of_design,
    of_undefined,
    p_grid,
    p_of,
    p_of_pairs,
    read,
    results,
    save,
    setup,
    signature,
)
from sigcore.study import Settings
