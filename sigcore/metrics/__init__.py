"""The metrics, found by name; each is one file or folder here."""

from __future__ import annotations

from sigcore.metrics.contract import Metric, extractor, from_values
from sigcore.registry import member
from sigcore.registry import members as _members

__all__ = ["Metric", "extractor", "from_values", "get", "members", "usual"]


def members() -> dict[str, Metric]:
    """All metrics by name."""
    return _members(__name__, "METRIC")


def usual(kind: str, labels: bool = False) -> str:
    """The name of the default metric for a kind of test set; for `labels`, whose texts are a few classes, the accuracy."""
    if labels and kind == "text":
        return "accuracy"
    names = [metric.name for metric in members().values() if metric.kind == kind]
    return "bleu" if "bleu" in names else names[0]


def get(name: str) -> Metric:
    """The metric with that name.

    Raises: UnknownMember, with the nearest names.
    """
    metric: Metric = member(__name__, "METRIC", "metric", name)
    return metric
