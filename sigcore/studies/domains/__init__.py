"""Will it hold elsewhere? Calibration on one population, signs on other domains, and replicability over domains."""

from __future__ import annotations

from sigcore.studies.domains.calibration import Calibration, calibration
from sigcore.studies.domains.compute import Plan, run
from sigcore.studies.domains.replicability import Replicated, partial_conjunction, replicated
from sigcore.studies.domains.result import DomainsResult, Held
from sigcore.studies.domains.table import BINS, Cell, cells

__all__ = [
    "BINS",
    "Calibration",
    "Cell",
    "DomainsResult",
    "Held",
    "Plan",
    "Replicated",
    "calibration",
    "cells",
    "partial_conjunction",
    "replicated",
    "run",
]
