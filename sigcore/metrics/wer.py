"""WER: insertions, deletions and substitutions of words, per word of the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sigcore.metrics.contract import Done, Metric, Options, References, percent
from sigcore.proof import Proof
from sigcore.registry import Option
from sigcore.text import bounds
from sigcore.text.levenshtein import KERNELS, LevenshteinReferences, of_words
from sigcore.text.tokens import TOKENIZERS
from sigcore.types import Floats


def prepare(references: References, options: Options) -> LevenshteinReferences:
    """The references' words."""
    return of_words(references, str(options["tokenize"]), bool(options["lowercase"]))


def statistics(segments: Sequence[str], prepared: LevenshteinReferences, options: Options, done: Done | None) -> Floats:
    """(n, 2): edits to the closest reference, and its words."""
    return prepared.rows(segments, done)


def score(sums: Floats, options: Options) -> Floats:
    """WER in percent of sums (..., 2); lower is better. It may exceed 100; without reference words it is nan."""
    return percent(sums[..., 0], sums[..., 1])


METRIC = Metric(
    name="wer",
    title="WER",
    kind="text",
    better="lower",
    columns=("edits", "reference_length"),
    prepare=prepare,
    kernels=replace(KERNELS, saves=7e-6),
    statistics=statistics,
    score=score,
    bounds=(bounds.WER,),
    options=(
        Option("tokenize", "none", choices=TOKENIZERS, help="The tokenizer; none = split at whitespace only."),
        Option("lowercase", False, help="Ignore case."),
    ),
    help="Words to insert, delete or replace to get the reference, per reference word; lower is better.",
    notes="Of several references the closest is used: the one with the fewest edits; of equally close ones the longest.",
    source="Levenshtein 1966; Nießen et al. 2000 for several references",
    proof=Proof(oracle="of_metrics:wer", golden=("jiwer",)),
)
