"""UAS: the share of words that hang on the right head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sigcore.metrics.contract import Done, Metric, Options, References, only_reference, percent, settings
from sigcore.registry import Option
from sigcore.text import trees
from sigcore.types import Floats


def prepare(references: References, options: Options) -> trees.GoldTrees:
    """The gold trees and which of their words are scored."""
    return trees.gold_trees(only_reference(references, "UAS"), str(options["punctuation"]))


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 2): words with the right head, scored words."""
    rows: Floats = prepared.rows(segments, None, done)
    return rows


def score(sums: Floats, options: Options) -> Floats:
    """UAS, 0 to 100, of sums (..., 2); nan where no word is scored."""
    return percent(sums[..., 0], sums[..., 1])


METRIC = Metric(
    name="uas",
    title="UAS",
    kind="trees",
    better="higher",
    columns=("correct", "words"),
    prepare=prepare,
    statistics=statistics,
    score=score,
    describe=lambda references, options: settings("uas", options),
    options=(
        Option(
            "punctuation",
            "all",
            choices=("all", "unicode", "wsj", "upos"),
            help="Which words are scored: all of them (CoNLL 2007, 2017, 2018), or all but words made of Unicode "
            "punctuation (CoNLL-X), words with the gold tag `` '' : , or . (Penn Treebank), or words with the gold tag "
            "PUNCT.",
        ),
    ),
    help="Share of words that have the right head.",
    source="Buchholz & Marsi 2006 (CoNLL-X); Zeman et al. 2018",
)
