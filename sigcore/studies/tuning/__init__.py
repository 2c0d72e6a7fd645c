"""Did tuning help? Weights tuned on k-best lists, and the tuned outputs tested on held-out segments."""

from __future__ import annotations

from sigcore.kbest.lists import KBest
from sigcore.kbest.network import BigramModel
from sigcore.kbest.network import trained as language_model
from sigcore.kbest.sentence_bleu import VARIANTS, Variant
from sigcore.studies.runs import RunsTest
from sigcore.studies.tuning.finish import combine, rerank
from sigcore.studies.tuning.lab import halves, lab, row_labels
from sigcore.studies.tuning.result import (
    POLICIES,
    Features,
    Iteration,
    Replicate,
    SplitPart,
    Sweep,
    TuningPlan,
    TuningResult,
)
from sigcore.studies.tuning.rows import (
    FIRST,
    START,
    Comparison,
    FeatureSet,
    LabPlan,
    LabResult,
    LabRow,
    ListSet,
    turned,
)
from sigcore.studies.tuning.statistics import (
    BUILT_IN,
    Described,
    Target,
    described,
    with_language_model,
    with_references,
)
from sigcore.tuning import Step
