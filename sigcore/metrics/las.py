"""LAS: the share of words that have the right head and label."""

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
    return trees.gold_trees(only_reference(references, "LAS"), choice_of(options, "punctuation", trees.PUNCTUATION))


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 2): words with the right head and label, scored words."""
    label = trees.universal if choice_of(options, "labels", trees.LABELS) == "universal" else str
    rows: Floats = prepared.rows(segments, label, done)
    return rows


METRIC = Metric(
    name="las",
    title="LAS",
    kind="trees",
    better="higher",
    columns=("correct", "words"),
    prepare=prepare,
    statistics=statistics,
    score=rate,
    describe=lambda references, options: settings("las", options),
    options=(
        Option(
            "labels",
            "universal",
            choices=trees.LABELS,
            help="Which part of a label must be right: the part before ':' (CoNLL 2017, 2018), or all of it (CoNLL-X, 2007).",
        ),
        Option(
            "punctuation",
            "all",
            choices=trees.PUNCTUATION,
            help="Which words are scored. all: every word (CoNLL 2007, 2017, 2018). The others leave punctuation out: "
            "unicode: words of Unicode punctuation only (CoNLL-X); wsj: words with the gold tag `` '' : , or . (Penn "
            "Treebank); upos: words with the gold tag PUNCT.",
        ),
    ),
    help="Share of words that have the right head and label; by default as in CoNLL 2018, with all words and without "
    "the subtypes of labels.",
    notes="""The default is the rule of CoNLL 2017 and 2018, since most trees today are Universal Dependencies: all words are
scored, and labels are compared without their subtypes, because not every parser predicts them (with strict labels the
best system of CoNLL 2018 on English PUD falls below four systems that it beats under the official rule). Published
figures of earlier years need other options: CoNLL-X labels=strict and punctuation=unicode (eval.pl), CoNLL 2007
labels=strict, the Penn Treebank usually labels=strict and punctuation=wsj. Every system must have the gold words. For
systems with other words, F1 over aligned words is usual; it is not computed here.""",
    source="Buchholz & Marsi 2006 (CoNLL-X); Zeman et al. 2018",
    proof=Proof(oracle="of_metrics:las", golden=("uaslas.conll18", "uaslas.udapi", "uaslas.evalpl")),
)
