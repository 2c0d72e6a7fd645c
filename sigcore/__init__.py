"""The science of Sigboard: metrics, tests, corrections and studies; knows no screen."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from sigcore import corrections, data, executors, kernels, metrics, readers, results, significance
from sigcore.api import compare, matrix, rank, segments, strip, trust
from sigcore.data import Collection
from sigcore.errors import Cancelled, MismatchError, OptionError, ReadError, SigError, Undefined, UnknownMember
from sigcore.judgments import Judgments, gathered
from sigcore.preferences import Preferences, gathered_preferences
from sigcore.registry import SEED, Option
from sigcore.results import PLANNED, CompareResult, Family, GainResult, Histogram, MatrixResult, TestResult
from sigcore.results.ranks import Ranks
from sigcore.score_matrix import ScoreMatrix
from sigcore.storage.atomic import write_file
from sigcore.storage.disk import statistics_on_disk
from sigcore.studies.statistics import best_first, read_asked
from sigcore.study import Runtime, Settings, Study, digest_of
from sigcore.sufficient import SufficientStatistics, packed
from sigcore.testset import Outputs, Testset
from sigcore.types import (
    ESTIMATORS,
    SIDES,
    TIE_RULES,
    UNIT_KINDS,
    Estimator,
    Floats,
    IntervalMethod,
    Ints,
    Missing,
    Setup,
    Side,
    TieRule,
    Unit,
    read_unit,
)
from sigcore.version import __version__

if TYPE_CHECKING:
    from types import ModuleType

    from sigcore import project, tuning
    from sigcore.storage import store

# What few questions need is imported when it is first used.
LATER = {"project": "sigcore.project", "store": "sigcore.storage.store", "tuning": "sigcore.tuning"}

__all__ = [
    "ESTIMATORS",
    "PLANNED",
    "SEED",
    "SIDES",
    "TIE_RULES",
    "UNIT_KINDS",
    "Cancelled",
    "Collection",
    "CompareResult",
    "Estimator",
    "Family",
    "Floats",
    "GainResult",
    "Histogram",
    "IntervalMethod",
    "Ints",
    "Judgments",
    "MatrixResult",
    "MismatchError",
    "Missing",
    "Option",
    "OptionError",
    "Outputs",
    "Preferences",
    "Ranks",
    "ReadError",
    "Runtime",
    "ScoreMatrix",
    "Settings",
    "Setup",
    "Side",
    "SigError",
    "Study",
    "SufficientStatistics",
    "TestResult",
    "Testset",
    "TieRule",
    "Undefined",
    "Unit",
    "UnknownMember",
    "__version__",
    "best_first",
    "compare",
    "corrections",
    "data",
    "digest_of",
    "executors",
    "gathered",
    "gathered_preferences",
    "kernels",
    "matrix",
    "metrics",
    "packed",
    "project",
    "rank",
    "read_asked",
    "read_unit",
    "readers",
    "results",
    "segments",
    "significance",
    "statistics_on_disk",
    "store",
    "strip",
    "trust",
    "tuning",
    "write_file",
]


def __getattr__(name: str) -> ModuleType:
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(LATER[name])
