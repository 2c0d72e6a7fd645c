"""The result of the study of domains."""

from __future__ import annotations

from dataclasses import dataclass

from sigcore.studies.domains.calibration import Calibration
from sigcore.studies.domains.replicability import Replicated
from sigcore.studies.domains.table import Cell
from sigcore.studies.size import Size
from sigcore.types import Setup


@dataclass(frozen=True, eq=False)
class Held:
    """How far p holds for the pairs of some systems: `table` has the cells of the paper's Table 1, `borderline` those of
    its text; `calibration` is None where it was not requested, or not reached yet."""

    table: tuple[Cell, ...]
    borderline: tuple[Cell, ...]
    calibration: Calibration | None = None


@dataclass(frozen=True, eq=False)
class DomainsResult:
    """How far p on the `home` domain holds: on drawn test sets of one population, and on the other domains.

    `segments` and `units` are those of each of the `domains`. `real` is about the systems, `mixed` about mixtures of them
    (None without). `sizes` are the thresholds of the classes on equally many first segments of every domain, as (domain,
    threshold).
    """

    setup: Setup
    systems: tuple[str, ...]
    alpha: float
    home: str
    domains: tuple[str, ...]
    segments: tuple[int, ...]
    units: tuple[int, ...]
    real: Held
    mixed: Held | None
    replicability: tuple[Replicated, ...]
    sizes: tuple[tuple[str, Size], ...]
    notes: tuple[str, ...]
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.sentences)
