"""BLEU: clipped n-gram precision with a brevity penalty, as sacrebleu computes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sigcore.metrics.contract import Done, Metric, Options, References
from sigcore.registry import Option
from sigcore.text import compiled, sacre
from sigcore.text.bleu_score import bleu_score
from sigcore.text.ngrams import BleuReferences
from sigcore.text.tokens import TOKENIZERS
from sigcore.types import Floats


def _tokenizer(options: Options) -> str:
    return sacre.tokenizer(options["tokenize"], options["language"])  # type: ignore[arg-type]


def _scorer(options: Options) -> Any:
    return sacre.make_bleu(
        tokenize=_tokenizer(options),
        lowercase=options["lowercase"],
        smooth_method=options["smooth"],
        smooth_value=options["smooth_value"],
        max_ngram_order=options["order"],
        effective_order=options["effective_order"],
    )


def prepare(references: References, options: Options) -> sacre.Extractor:
    """The references' n-grams and lengths: in compiled form, or sacrebleu's own where numba is missing."""
    if compiled.available():
        return BleuReferences(references, bool(options["lowercase"]), _tokenizer(options), int(options["order"] or 4))
    return sacre.prepare(_scorer(options), references)


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 2 + 2 * order): length, closest reference length, matches and totals of each order."""
    rows: Floats = prepared.rows(segments, done)
    return rows


def columns(options: Options) -> tuple[str, ...]:
    """The names of the statistics."""
    orders = range(1, int(options["order"] or 4) + 1)
    return ("length", "reference_length", *(f"match{k}" for k in orders), *(f"total{k}" for k in orders))


def score(sums: Floats, options: Options) -> Floats:
    """BLEU, 0 to 100, of sums (..., 2 + 2 * order)."""
    given = options["smooth_value"]
    return bleu_score(
        sums,
        int(options["order"] or 4),
        str(options["smooth"]),
        None if given is None else float(given),
        bool(options["effective_order"]),
    )


def describe(references: References, options: Options) -> str:
    """sacrebleu's signature, and what it leaves out: the order, and the smoothing value where one was given."""
    more = [
        f"{name}:{options[name]}|" for name, usual in (("order", 4), ("smooth_value", None)) if options[name] != usual
    ]
    return "bleu|" + "".join(more) + sacre.signature(_scorer(options), references)


METRIC = Metric(
    name="bleu",
    title="BLEU",
    kind="text",
    better="higher",
    columns=columns,
    prepare=prepare,
    statistics=statistics,
    score=score,
    describe=describe,
    options=(
        Option(
            "tokenize",
            None,
            choices=TOKENIZERS,
            optional=True,
            help="How words are cut; empty = by target language, else 13a.",
        ),
        Option("language", None, optional=True, help="Target language code (zh, ja, ko choose their tokenizer)."),
        Option("lowercase", False, help="Ignore case."),
        Option(
            "smooth", "exp", choices=("exp", "floor", "add-k", "none"), help="What an order without a match counts."
        ),
        Option("smooth_value", None, low=0, optional=True, help="The value of floor (0.1) or add-k (1)."),
        Option("order", 4, low=1, high=8, help="Longest n-gram."),
        Option("effective_order", False, help="Leave out orders longer than the output (for single segments)."),
    ),
    help="Share of n-grams found in the reference, with a penalty for short output.",
    source="Papineni et al. 2002; sacrebleu (Post 2018)",
)
