"""Which of my systems differ? All pairs under every requested metric and test, from shared draws."""

from __future__ import annotations

from sigcore.studies.intervals import LEVEL
from sigcore.studies.matrix.compute import (
    MatrixRun,
    as_printed,
    cells_of,
    in_both_directions,
    instead,
    mark,
    of_both_sides,
    of_design,
    of_undefined,
    run,
)
from sigcore.studies.matrix.further import Step, go_on, next_step
from sigcore.studies.matrix.notes import of_few_units
from sigcore.studies.matrix.result import (
    adjust,
    exactly,
    gain_intervals,
    interval_method,
    load,
    p_grid,
    p_of,
    p_of_pairs,
    read,
    results,
    save,
    score_interval_method,
    setup,
    signature,
)
from sigcore.study import Settings
