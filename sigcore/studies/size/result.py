"""The result of the study of sizes: the curve, its line, detectable gains, and the segments that a gain needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sigcore.formatting import count
from sigcore.studies.gain import Threshold
from sigcore.types import Setup

MEDIAN = "median pair"  # in place of a system: the pair whose gain varies as much as the median one


@dataclass(frozen=True)
class Size:
    """The threshold of one class on parts of `segments` segments; `drawn` is how many they had on average (nan without a
    part), `most` how many the test set has."""

    threshold: Threshold
    segments: int
    drawn: float
    most: int

    @property
    def pair_class(self) -> str:
        """The class."""
        return self.threshold.pair_class

    @property
    def reason(self) -> str:
        """Why there is no threshold; "" if there is one."""
        if self.segments > self.most:
            return f"the test set has only {count(self.most, 'segment')}"
        return self.threshold.reason

    def as_dict(self) -> dict[str, Any]:
        """One object of JSON."""
        item = self.threshold.as_dict()
        return {
            "class": item["class"],
            "segments": self.segments,
            "drawn": self.drawn,
            **{name: item[name] for name in ("threshold", "low", "high", "spread", "n", "tested", "synthetic")},
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Line:
    """threshold = `constant` / sqrt(segments) for one class, and the `slope` of the logarithms, which that line has as
    -0.5."""

    pair_class: str
    constant: float
    slope: float

    def as_dict(self) -> dict[str, Any]:
        """One object of JSON."""
        return {"class": self.pair_class, "constant": self.constant, "slope": self.slope}


@dataclass(frozen=True)
class Detectable:
    """The smallest true gain that is found on this many segments with this probability; `system` may be MEDIAN."""

    system: str
    baseline: str
    segments: int
    power: float
    gain: float

    def as_dict(self) -> dict[str, Any]:
        """One object of JSON."""
        return dict(vars(self))


@dataclass(frozen=True)
class Needed:
    """The segments on which a true gain is found with this probability; `system` may be MEDIAN, or a share of the pairs."""

    system: str
    baseline: str
    gain: float
    power: float
    segments: float

    def as_dict(self) -> dict[str, Any]:
        """One object of JSON."""
        return dict(vars(self))


@dataclass(frozen=True, eq=False)
class SizeResult:
    """Thresholds by size, and what can be detected; `setup` is that of the tests of the curve, `alpha` the level of the
    planned two-sided test, `design_effect` the median over the pairs (nan if the unit is the segment)."""

    setup: Setup
    systems: tuple[str, ...]
    subsets: str
    draws: int
    alpha: float
    curve: tuple[Size, ...]
    lines: tuple[Line, ...]
    detectable: tuple[Detectable, ...]
    needed: tuple[Needed, ...]
    design_effect: float
    notes: tuple[str, ...]
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.sentences)
