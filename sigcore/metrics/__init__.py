"""The metrics: one file each; this face finds them by name."""

from __future__ import annotations

from sigcore.metrics.contract import Metric, extractor, from_values
from sigcore.registry import member
from sigcore.registry import members as _members

__all__ = ["Metric", "extractor", "from_values", "get", "members", "usual"]


def members() -> dict[str, Metric]:
    """All metrics by name."""
    return _members(__name__, "METRIC")


def usual(kind: str) -> str:
    """The name of the metric that is taken for a kind of test set where none is asked for."""
    names = [metric.name for metric in members().values() if metric.kind == kind]
    return "bleu" if "bleu" in names else names[0]


def get(name: str) -> Metric:
    """The metric of that name (UnknownMember, with the nearest names)."""
    found: Metric = member(__name__, "METRIC", "metric", name)
    return found
