"""The science of Sigboard: metrics, tests, corrections and studies; knows no screen."""

from __future__ import annotations

from sigcore import corrections, data, executors, metrics, readers, significance
from sigcore.data import Collection
from sigcore.data import side_by_side as inside
from sigcore.errors import Cancelled, MismatchError, OptionError, ReadError, SigError, Undefined, UnknownMember
from sigcore.judgments import Judgments, gathered
from sigcore.registry import Option
from sigcore.resampling.pvalues import ESTIMATORS, TIES
from sigcore.results import ALTERNATIVES, CompareResult, GainResult, Histogram, MatrixResult, TestResult
from sigcore.score_matrix import ScoreMatrix
from sigcore.storage.disk import statistics_on_disk
from sigcore.studies import compare, gain, human, matrix, scores
from sigcore.studies.matrix import Settings
from sigcore.studies.statistics import best_first, read_asked
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.types import Floats, Ints, Missing
from sigcore.version import __version__

__all__ = [
    "ALTERNATIVES",
    "ESTIMATORS",
    "TIES",
    "Cancelled",
    "Collection",
    "CompareResult",
    "Floats",
    "GainResult",
    "Histogram",
    "Ints",
    "Judgments",
    "MatrixResult",
    "MismatchError",
    "Missing",
    "Option",
    "OptionError",
    "Outputs",
    "ReadError",
    "ScoreMatrix",
    "Settings",
    "SigError",
    "SufficientStatistics",
    "TestResult",
    "Testset",
    "Undefined",
    "UnknownMember",
    "__version__",
    "best_first",
    "compare",
    "corrections",
    "data",
    "executors",
    "gain",
    "gathered",
    "human",
    "inside",
    "matrix",
    "metrics",
    "read_asked",
    "readers",
    "scores",
    "significance",
    "statistics_on_disk",
]
