"""TER: edits (with block shifts) per reference word, as sacrebleu and tercom compute it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sigcore.metrics.contract import Done, Metric, Options, References
from sigcore.metrics.ter.references import KERNELS, PlainTer, TerReferences
from sigcore.registry import Option
from sigcore.text import bounds, sacre
from sigcore.text.compiled import usable
from sigcore.types import Floats


def _scorer(options: Options) -> Any:
    return sacre.make_ter(**options)


def prepare(references: References, options: Options) -> sacre.Extractor:
    """The references, ready for the compiled kernel, or as sacrebleu reads them where it is not loaded."""
    if usable(KERNELS):
        return TerReferences(references, **options)  # type: ignore[arg-type]
    return PlainTer(_scorer(options), references)


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 2): fewest edits to any reference, mean length of the references."""
    rows: Floats = prepared.rows(segments, done)
    return rows


def score(sums: Floats, options: Options) -> Floats:
    """TER in percent of sums (..., 2); lower is better, and it may exceed 100.

    Without reference words: 100 if there are edits, else 0.
    """
    edits, length = sums[..., 0], sums[..., 1]
    rate = np.where(length > 0, edits / np.where(length > 0, length, 1.0), np.where(edits > 0, 1.0, 0.0))
    return 100.0 * rate


def describe(references: References, options: Options) -> str:
    """sacrebleu's signature."""
    return "ter|" + sacre.signature(_scorer(options), references)


METRIC = Metric(
    name="ter",
    title="TER",
    kind="text",
    better="lower",
    columns=("edits", "reference_length"),
    prepare=prepare,
    kernels=KERNELS,
    statistics=statistics,
    score=score,
    bounds=(bounds.TER,),
    describe=describe,
    options=(
        Option("normalized", False, help="Normalise punctuation and entities first (tercom -N)."),
        Option("no_punct", False, help="Remove punctuation (tercom -P)."),
        Option(
            "asian_support",
            False,
            help="Split Chinese and Japanese text into characters (only together with normalized).",
        ),
        Option("case_sensitive", False, help="Keep case (tercom -s)."),
    ),
    help="Edits needed to turn the output into the reference, per reference word; lower is better.",
    source="Snover et al. 2006; sacrebleu (Post 2018)",
)
