"""The metrics: one file each; this face finds them by name."""

from __future__ import annotations

from sigcore.family import member
from sigcore.family import members as _members
from sigcore.metrics.contract import Metric, extractor, from_values

__all__ = ["Metric", "extractor", "from_values", "get", "members"]


def members() -> dict[str, Metric]:
    """All metrics by name."""
    return _members(__name__, "METRIC")


def get(name: str) -> Metric:
    """The metric of that name (UnknownMember, with the nearest names)."""
    found: Metric = member(__name__, "METRIC", "metric", name)
    return found
