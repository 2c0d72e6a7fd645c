"""Will it hold elsewhere? Calibration on one population, signs on other domains, and replicability over domains."""

from __future__ import annotations

from sigcore.studies.domains.calibration import EDGES, Bin, Calibration, calibration
from sigcore.studies.domains.compute import Plan, at_alpha, run
from sigcore.studies.domains.replicability import Replicated, partial_conjunction, replicated
from sigcore.studies.domains.result import DomainsResult, Held
from sigcore.studies.domains.table import BINS, Cell, cells

__all__ = [
    "BINS",
    "EDGES",
    "Bin",
    "Calibration",
    "Cell",
    "DomainsResult",
    "Held",
    "Plan",
    "Replicated",
    "at_alpha",
    "calibration",
    "cells",
    "partial_conjunction",
    "replicated",
    "run",
]
