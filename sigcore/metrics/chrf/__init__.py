"""chrF and chrF++: F-score of character (and word) n-grams, as sacrebleu computes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sigcore.metrics.chrf.references import ChrfReferences
from sigcore.metrics.chrf.score import chrf_score
from sigcore.metrics.contract import Done, Metric, Options, References, number_of
from sigcore.registry import Option
from sigcore.text import sacre
from sigcore.text.ngrams import KERNELS
from sigcore.types import Floats


def _scorer(options: Options) -> Any:
    return sacre.make_chrf(**options)


def prepare(references: References, options: Options) -> ChrfReferences:
    """The references' characters and words."""
    return ChrfReferences(references, **options)  # type: ignore[arg-type]


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 3 * orders): n-grams of the output, of the best reference, and common to both, order by order."""
    rows: Floats = prepared.rows(segments, done)
    return rows


def columns(options: Options) -> tuple[str, ...]:
    """The names of the statistics."""
    orders = [f"{unit}{k + 1}" for unit in ("char", "word") for k in range(int(number_of(options, f"{unit}_order")))]
    return tuple(f"{part}_{order}" for order in orders for part in ("output", "reference", "match"))


def score(sums: Floats, options: Options) -> Floats:
    """chrF, 0 to 100, of sums (..., 3 * orders)."""
    return chrf_score(sums, number_of(options, "beta"), bool(options["eps_smoothing"]))


def title(options: Options) -> str:
    """chrF, or chrF++ with word n-grams."""
    return "chrF" + "+" * int(number_of(options, "word_order"))


def describe(references: References, options: Options) -> str:
    """sacrebleu's signature."""
    beta = f"beta:{options['beta']}|" if options["beta"] != 2 else ""
    return f"chrf|{beta}" + sacre.signature(_scorer(options), references)


METRIC = Metric(
    name="chrf",
    title=title,
    kind="text",
    better="higher",
    columns=columns,
    prepare=prepare,
    kernels=KERNELS,
    statistics=statistics,
    score=score,
    describe=describe,
    options=(
        Option("char_order", 6, low=1, high=10, help="Longest character n-gram."),
        Option("word_order", 0, low=0, high=4, help="Longest word n-gram; 2 gives chrF++."),
        Option("beta", 2, low=1, high=10, help="Weight of recall against precision."),
        Option("lowercase", False, help="Ignore case."),
        Option("whitespace", False, help="Count spaces as characters."),
        Option("eps_smoothing", False, help="Average F over all orders, as in the first chrF programs."),
    ),
    help="Share of character n-grams common to output and reference; word_order 2 gives chrF++.",
    source="Popović 2015, 2017; sacrebleu (Post 2018)",
)
