"""UAS: the share of words that have the right head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sigcore.metrics.contract import Done, Metric, Options, References, choice_of, only_reference, rate, settings
from sigcore.proof import Proof
from sigcore.registry import Option
from sigcore.text import trees
from sigcore.types import Floats


def prepare(references: References, options: Options) -> trees.GoldTrees:
    """The gold trees and which of their words are scored."""
    return trees.gold_trees(only_reference(references, "UAS"), choice_of(options, "punctuation", trees.PUNCTUATION))


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 2): words with the right head, scored words."""
    rows: Floats = prepared.rows(segments, None, done)
    return rows


METRIC = Metric(
    name="uas",
    title="UAS",
    kind="trees",
    better="higher",
    columns=("correct", "words"),
    prepare=prepare,
    statistics=statistics,
    score=rate,
    describe=lambda references, options: settings("uas", options),
    options=(
        Option(
            "punctuation",
            "all",
            choices=trees.PUNCTUATION,
            help="Which words are scored. all: every word (CoNLL 2007, 2017, 2018). The others leave punctuation out: "
            "unicode: words of Unicode punctuation only (CoNLL-X); wsj: words with the gold tag `` '' : , or . (Penn "
            "Treebank); upos: words with the gold tag PUNCT.",
        ),
    ),
    help="Share of words that have the right head.",
    source="Buchholz & Marsi 2006 (CoNLL-X); Zeman et al. 2018",
    proof=Proof(oracle="of_metrics:uas", golden=("uaslas.conll18", "uaslas.udapi", "uaslas.evalpl")),
)
