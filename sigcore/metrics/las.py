"""LAS: the share of words that hang on the right head with the right label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sigcore.metrics.contract import Done, Metric, Options, References, only_reference, percent, settings
from sigcore.registry import Option
from sigcore.text import trees
from sigcore.types import Floats


def prepare(references: References, options: Options) -> trees.GoldTrees:
    """The gold trees and which of their words are scored."""
    return trees.gold_trees(only_reference(references, "LAS"), str(options["punctuation"]))


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 2): words with the right head and label, scored words."""
    label = trees.universal if options["labels"] == "universal" else str
    rows: Floats = prepared.rows(segments, label, done)
    return rows


def score(sums: Floats, options: Options) -> Floats:
    """LAS, 0 to 100, of sums (..., 2); nan where no word is scored."""
    return percent(sums[..., 0], sums[..., 1])


METRIC = Metric(
    name="las",
    title="LAS",
    kind="trees",
    better="higher",
    columns=("correct", "words"),
    prepare=prepare,
    statistics=statistics,
    score=score,
    describe=lambda references, options: settings("las", options),
    options=(
        Option(
            "labels",
            "universal",
            choices=("universal", "strict"),
            help="What of a label must be right: the part before ':' (CoNLL 2017, 2018), or all of it (CoNLL-X, 2007).",
        ),
        Option(
            "punctuation",
            "all",
            choices=("all", "unicode", "wsj", "upos"),
            help="Which words are scored: all of them (CoNLL 2007, 2017, 2018), or all but words made of Unicode "
            "punctuation (CoNLL-X), words with the gold tag `` '' : , or . (Penn Treebank), or words with the gold tag "
            "PUNCT.",
        ),
    ),
    help="Share of words that have the right head and label; by default as in CoNLL 2018, with all words and without "
    "the subtypes of labels.",
    notes="""The default is the rule of CoNLL 2017 and 2018, since most trees today are Universal Dependencies: all words are
scored, and labels without their subtypes, because not every parser predicts those (with strict labels the best system of
CoNLL 2018 on English PUD falls below four that it beats under the official rule). Published figures of earlier years
need other options: CoNLL-X labels=strict and punctuation=unicode (eval.pl), CoNLL 2007 labels=strict, the Penn Treebank
mostly labels=strict and punctuation=wsj. Every system needs the gold words: with words of its own F1 over aligned words
is usual, which is not computed here.""",
    source="Buchholz & Marsi 2006 (CoNLL-X); Zeman et al. 2018",
)
