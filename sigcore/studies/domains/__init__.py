"""Will it hold elsewhere? Calibration on one population, signs on other domains, and replicability over domains."""

from __future__ import annotations

from sigcore.studies.domains.calibration import EDGES, Bin, Calibration, calibration
from sigcore.studies.domains.compute import Plan, at_alpha, run, run_sets
from sigcore.studies.domains.replicability import Replicated, partial_conjunction, replicated
from sigcore.studies.domains.result import Curve, DomainsResult, Held
from sigcore.studies.domains.table import BINS, MOST, Cell, cells, readable
from sigcore.studies.domains.together import Together, together

__all__ = [
    "BINS",
    "EDGES",
    "MOST",
    "Bin",
    "Calibration",
    "Cell",
    "Curve",
    "DomainsResult",
    "Held",
    "Plan",
    "Replicated",
    "Together",
    "at_alpha",
    "calibration",
    "cells",
    "partial_conjunction",
    "readable",
    "replicated",
    "run",
    "run_sets",
    "together",
]
