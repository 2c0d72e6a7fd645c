"""Will it hold elsewhere? Calibration on one population, signs on other domains, and replicability over domains."""

from __future__ import annotations

from sigcore.studies.domains.compute import Curve, DomainsPlan, DomainsResult, Held, at_alpha, run, run_sets
from sigcore.studies.domains.parts import (
    BINS,
    EDGES,
    MOST,
    Bin,
    Calibration,
    Cell,
    Replicated,
    Together,
    bins_of,
    calibration,
    cells,
    partial_conjunction,
    readable,
    replicated,
    share,
    together,
)
