"""Which of my systems differ? All pairs under every requested metric and test, from shared draws."""

from __future__ import annotations

from sigcore.studies.matrix.compute import MatrixRun, check_numbers, run
from sigcore.studies.matrix.joint import LEVEL
from sigcore.studies.matrix.kept import load, save
from sigcore.studies.matrix.notes import as_printed, of_design, of_undefined
from sigcore.studies.matrix.result import Settings, p_grid, p_of, p_of_pairs, read, settled, setup, signature

__all__ = [
    "LEVEL",
    "MatrixRun",
    "Settings",
    "as_printed",
    "check_numbers",
    "load",
    "of_design",
    "of_undefined",
    "p_grid",
    "p_of",
    "p_of_pairs",
    "read",
    "run",
    "save",
    "settled",
    "setup",
    "signature",
]
