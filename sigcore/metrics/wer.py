"""WER: insertions, deletions and substitutions of words, per word of the reference."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sigcore.metrics.contract import Metric, Options, described, rate, rows
from sigcore.proof import Proof
from sigcore.registry import Option
from sigcore.text import bounds
from sigcore.text.levenshtein import of_words
from sigcore.text.tokens import TOKENIZERS
from sigcore.types import Floats

OF_ONE_WORD = 0.9  # the share of the references with at most one word


def remarks(rows: Mapping[str, Floats], options: Options) -> list[str]:
    """One sentence where nearly all references are one word: then the rate says how many outputs are not equal."""
    lengths = next(iter(rows.values()))[:, 1] if rows else np.empty(0)
    if len(lengths) < 2 or (lengths <= 1).mean() < OF_ONE_WORD:
        return []
    return [
        "Nearly every reference is one word, so WER counts the segments that are not equal. "
        "Where words have no spaces between them, choose CER."
    ]


METRIC = Metric(
    **described("wer"),
    title="WER",
    kind="text",
    better="lower",
    columns=("edits", "reference_length"),
    prepare=lambda references, options: of_words(references, str(options["tokenize"]), bool(options["lowercase"])),
    statistics=rows,
    score=rate,
    remarks=remarks,
    bounds=(bounds.WER,),
    options=(
        Option("tokenize", "none", choices=TOKENIZERS, help="The tokenizer; none = split at whitespace only."),
        Option("lowercase", False, help="Ignore case."),
    ),
    proof=Proof(oracle="of_metrics:wer", golden=("jiwer",)),
)
