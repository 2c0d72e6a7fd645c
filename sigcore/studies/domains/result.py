"""The result of the study of domains."""

from __future__ import annotations

from dataclasses import dataclass, field

from sigcore.studies.domains.calibration import Calibration
from sigcore.studies.domains.replicability import Replicated
from sigcore.studies.domains.table import Cell
from sigcore.studies.size import Size
from sigcore.types import Floats, Setup


@dataclass(frozen=True, eq=False)
class Held:
    """How far p holds for the pairs of some systems: `table` has the cells of the paper's Table 1, `borderline` those of
    its text; `calibration` is None where it was not requested, or not reached yet."""

    table: tuple[Cell, ...]
    borderline: tuple[Cell, ...]
    calibration: Calibration | None = None


@dataclass(frozen=True, eq=False)
class Curve:
    """All pairs on the first segments of one domain, as many as the smallest domain has: their gains and p (P,), and the
    thresholds of their classes."""

    domain: str
    gains: Floats = field(repr=False)
    p_values: Floats = field(repr=False)
    sizes: tuple[Size, ...]
    synthetic: bool


@dataclass(frozen=True, eq=False)
class DomainsResult:
    """How far p on the `home` domain holds: on drawn test sets of one population, and on the other domains.

    `segments` and `units` are those of each of the `domains`. `real` is about the systems, `mixed` about mixtures of them
    (None without). `curves` have the pairs and the thresholds on equally many first segments of every domain; those of
    mixtures are the last.
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
    curves: tuple[Curve, ...]
    notes: tuple[str, ...]
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.sentences)

    @property
    def sizes(self) -> tuple[tuple[str, Size], ...]:
        """The thresholds of the classes on equally many first segments, as (domain, threshold)."""
        return tuple((curve.domain, item) for curve in self.curves for item in curve.sizes)
