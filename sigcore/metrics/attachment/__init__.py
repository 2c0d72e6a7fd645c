"""LAS and UAS: the share of words that have the right head, with or without its label."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from sigcore.metrics.contract import (
    Done,
    Metric,
    Options,
    References,
    choice_of,
    only_reference,
    options_of,
    rate,
    settings,
)
from sigcore.proof import Proof
from sigcore.registry import Option
from sigcore.text import trees
from sigcore.types import Floats

LABEL = {"universal": trees.universal, "strict": str}  # what of a label must be right; without the option, nothing


def _gold(title: str, references: References, options: Options) -> trees.GoldTrees:
    """The gold trees and which of their words are scored."""
    return trees.gold_trees(only_reference(references, title), choice_of(options, "punctuation", trees.PUNCTUATION))


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 2): words with the right head, and the right label where these are compared, scored words."""
    label = LABEL.get(str(options.get("labels")))
    rows: Floats = prepared.rows(segments, label, done)
    return rows


def _metric(name: str, options: tuple[Option, ...], help: str, notes: str) -> Metric:
    return Metric(
        name=name,
        title=name.upper(),
        kind="trees",
        better="higher",
        columns=("correct", "words"),
        prepare=partial(_gold, name.upper()),
        statistics=statistics,
        score=rate,
        describe=lambda references, options: settings(name, options),
        options=options,
        help=help,
        notes=notes,
        source="Buchholz & Marsi 2006 (CoNLL-X); Zeman et al. 2018",
        proof=Proof(oracle=f"of_metrics:{name}", golden=("uaslas.conll18", "uaslas.udapi", "uaslas.evalpl")),
    )


LABELS, WORDS = options_of("attachment", labels=trees.LABELS, punctuation=trees.PUNCTUATION)
HEADS = "Share of words that have the right head"
LABELLED = " and label; by default as in CoNLL 2018, with all words and without the subtypes of labels."
NOTES = """The default is the rule of CoNLL 2017 and 2018, since most trees today are Universal Dependencies: all words are
scored, and labels are compared without their subtypes, because not every parser predicts them (with strict labels the
best system of CoNLL 2018 on English PUD falls below four systems that it beats under the official rule). Published
figures of earlier years need other options: CoNLL-X labels=strict and punctuation=unicode (eval.pl), CoNLL 2007
labels=strict, the Penn Treebank usually labels=strict and punctuation=wsj. Every system must have the gold words. For
systems with other words, F1 over aligned words is usual; it is not computed here."""
METRICS = (
    _metric("las", (LABELS, WORDS), HEADS + LABELLED, NOTES),
    _metric("uas", (WORDS,), f"{HEADS}.", ""),
)
