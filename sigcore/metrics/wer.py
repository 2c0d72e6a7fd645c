"""WER: insertions, deletions and substitutions of words, per word of the reference."""

from __future__ import annotations

from sigcore.metrics.contract import Metric, rate, rows
from sigcore.proof import Proof
from sigcore.registry import Option
from sigcore.text import bounds
from sigcore.text.levenshtein import of_words
from sigcore.text.tokens import TOKENIZERS

METRIC = Metric(
    name="wer",
    title="WER",
    kind="text",
    better="lower",
    columns=("edits", "reference_length"),
    prepare=lambda references, options: of_words(references, str(options["tokenize"]), bool(options["lowercase"])),
    statistics=rows,
    score=rate,  # may exceed 100; nan without reference text
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
