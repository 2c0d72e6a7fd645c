"""Retuned systems: one base system, tuned again and again on resampled segments, as synthetic systems."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sigcore.results import GainResult
from sigcore.studies.gain.read import SAME
from sigcore.testset import Outputs

RETUNED_TOGETHER = "retuned by the same method"
RETUNED_APART = "retuned by different methods"


def retuned_outputs(tuned: Iterable[Outputs]) -> tuple[Outputs, ...]:
    """The outputs of tuning runs, each as one system; its group is the method, which is the name of the system."""
    return tuple(replace(item, system=f"{item.system}.{item.run}", run="", group=item.system) for item in tuned)


def as_retuned(result: GainResult) -> GainResult:
    """The pairs of such systems, as synthetic ones: whether the same method tuned both.

    Source: Berg-Kirkpatrick et al. 2012, Section 3.1.2, who train systems on resampled training data; here only the tuning
    data are resampled, so the outputs are more alike.
    """
    classes = tuple(RETUNED_TOGETHER if name == SAME else RETUNED_APART for name in result.pair_class)
    return replace(result, pair_class=classes, synthetic=True)
