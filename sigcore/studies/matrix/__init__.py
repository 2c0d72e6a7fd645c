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
from sigcore.studies.matrix.kept import load, save
from sigcore.studies.matrix.result import (
    adjust,
    as_printed,
    of_both_sides,
    of_design,
    of_undefined,
    p_grid,
    p_of,
    p_of_pairs,
    read,
    results,
    setup,
    signature,
)
from sigcore.study import Settings

__all__ = [
    "LEVEL",
    "MatrixRun",
    "Settings",
    "adjust",
    "as_printed",
    "cells_of",
    "in_both_directions",
    "load",
    "mark",
    "of_both_sides",
    "of_design",
    "of_few_units",
    "of_undefined",
    "p_grid",
    "p_of",
    "p_of_pairs",
    "read",
    "results",
    "run",
    "save",
    "score_intervals",
    "setup",
    "signature",
]
