"""How large a gain is usually real? Confidence against gain for all pairs, thresholds, and pairs of mixed systems."""

from __future__ import annotations

from sigcore.studies.gain.mixtures import MIXED_APART, MIXED_TOGETHER, Mixtures, bases, mix
from sigcore.studies.gain.mixtures import read as read_mixtures
from sigcore.studies.gain.neighbours import WITHIN, Neighbours, near
from sigcore.studies.gain.read import COMBINATION, DIFFERENT, KINDS, SAME, check_kinds, pair_class, propose_groups, read
from sigcore.studies.gain.retuned import RETUNED_APART, RETUNED_TOGETHER, as_retuned, retuned_outputs
from sigcore.studies.gain.sentences import rule
from sigcore.studies.gain.threshold import ALL, LEAST_PAIRS, P_HIGH, P_LOW, Threshold, classes, threshold, thresholds

__all__ = [
    "ALL",
    "COMBINATION",
    "DIFFERENT",
    "KINDS",
    "LEAST_PAIRS",
    "MIXED_APART",
    "MIXED_TOGETHER",
    "P_HIGH",
    "P_LOW",
    "RETUNED_APART",
    "RETUNED_TOGETHER",
    "SAME",
    "WITHIN",
    "Mixtures",
    "Neighbours",
    "Threshold",
    "as_retuned",
    "bases",
    "check_kinds",
    "classes",
    "mix",
    "near",
    "pair_class",
    "propose_groups",
    "read",
    "read_mixtures",
    "retuned_outputs",
    "rule",
    "threshold",
    "thresholds",
]
