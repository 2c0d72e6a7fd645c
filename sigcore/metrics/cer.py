"""CER: insertions, deletions and substitutions of characters, per character of the reference."""

from __future__ import annotations

from sigcore.metrics.contract import Metric, rate, rows
from sigcore.proof import Proof
from sigcore.registry import Option
from sigcore.text import bounds
from sigcore.text.levenshtein import of_characters

METRIC = Metric(
    name="cer",
    title="CER",
    kind="text",
    better="lower",
    columns=("edits", "reference_length"),
    prepare=lambda references, options: of_characters(
        references, bool(options["lowercase"]), bool(options["whitespace"])
    ),
    statistics=rows,
    score=rate,  # may exceed 100; nan without reference text
    bounds=(bounds.CER,),
    options=(
        Option("lowercase", False, help="Ignore case."),
        Option(
            "whitespace", True, help="Count spaces between words as characters; spaces at the ends are never counted."
        ),
    ),
    help="Characters to insert, delete or replace to get the reference, per reference character; lower is better.",
    notes="Of several references the closest is used: the one with the fewest edits; of equally close ones the longest. "
    "A character is a Unicode code point, so a combining accent counts as one.",
    source="Levenshtein 1966; Nießen et al. 2000 for several references",
    proof=Proof(oracle="of_metrics:cer", golden=("jiwer",)),
)
