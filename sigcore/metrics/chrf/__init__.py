"""chrF and chrF++: F-score of character (and word) n-grams, as sacrebleu computes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sigcore.metrics.contract import Done, Metric, Options, References
from sigcore.registry import Option
from sigcore.text import compiled, sacre
from sigcore.text.ngrams import ChrfReferences
from sigcore.types import Floats

# What sacrebleu puts for an undefined precision or recall under epsilon smoothing.
EPSILON = 1e-16


def _scorer(options: Options) -> Any:
    return sacre.make_chrf(**options)


def prepare(references: References, options: Options) -> sacre.Extractor:
    """The references' n-grams: in compiled form, or sacrebleu's own where numba is missing."""
    if compiled.available():
        return ChrfReferences(references, **options)  # type: ignore[arg-type]
    return sacre.prepare(_scorer(options), references)


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 3 * orders): n-grams of the output, of the best reference, and common to both, order by order."""
    rows: Floats = prepared.rows(segments, done)
    return rows


def columns(options: Options) -> tuple[str, ...]:
    """The names of the statistics."""
    orders = [f"char{k + 1}" for k in range(int(options["char_order"] or 0))]
    orders += [f"word{k + 1}" for k in range(int(options["word_order"] or 0))]
    return tuple(f"{part}_{order}" for order in orders for part in ("output", "reference", "match"))


def score(sums: Floats, options: Options) -> Floats:
    """chrF, 0 to 100, of sums (..., 3 * orders): F-beta of precision and recall averaged over the orders.

    Orders without n-grams on either side are left out, unless `eps_smoothing` (then F is averaged instead).
    """
    factor = float(options["beta"] or 0) ** 2
    orders = sums.shape[-1] // 3
    # order by order, so that each statistic of many resamples is read from one stretch of memory
    if options["eps_smoothing"]:
        each = [_f_score(*_shares(sums, k, EPSILON), factor, EPSILON) for k in range(orders)]
        return np.asarray(100.0 * (sum(each) / orders))
    precision, recall, used = np.zeros(sums.shape[:-1]), np.zeros(sums.shape[:-1]), np.zeros(sums.shape[:-1])
    for k in range(orders):
        in_both = (sums[..., 3 * k] > 0) & (sums[..., 3 * k + 1] > 0)
        # where one side has no n-grams there is no match either: 0 / 1
        precision += sums[..., 3 * k + 2] / np.where(in_both, sums[..., 3 * k], 1.0)
        recall += sums[..., 3 * k + 2] / np.where(in_both, sums[..., 3 * k + 1], 1.0)
        used += in_both
    np.maximum(used, 1.0, out=used)
    return np.asarray(100.0 * _f_score(precision / used, recall / used, factor, 0.0))


def _shares(sums: Floats, order: int, otherwise: float) -> tuple[Floats, Floats]:
    """Precision and recall of one order; `otherwise` where a side has no n-grams."""
    output, reference, match = (sums[..., 3 * order + k] for k in range(3))
    precision = np.where(output > 0, match / np.where(output > 0, output, 1.0), otherwise)
    recall = np.where(reference > 0, match / np.where(reference > 0, reference, 1.0), otherwise)
    return precision, recall


def _f_score(precision: Floats, recall: Floats, factor: float, otherwise: float) -> Floats:
    below = factor * precision + recall
    return np.where(below > 0, (1 + factor) * precision * recall / np.where(below > 0, below, 1.0), otherwise)


def title(options: Options) -> str:
    """chrF, or chrF++ with word n-grams."""
    return "chrF" + "+" * int(options["word_order"] or 0)


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
    statistics=statistics,
    score=score,
    describe=describe,
    options=(
        Option("char_order", 6, low=1, high=10, help="Longest character n-gram."),
        Option("word_order", 0, low=0, high=4, help="Longest word n-gram; 2 gives chrF++."),
        Option("beta", 2, low=1, high=10, help="Weight of recall against precision."),
        Option("lowercase", False, help="Ignore case."),
        Option("whitespace", False, help="Count spaces as characters."),
        Option("eps_smoothing", False, help="Average F over all orders, as the first chrF programs did."),
    ),
    help="Share of character n-grams common to output and reference; word_order 2 gives chrF++.",
    source="Popović 2015, 2017; sacrebleu (Post 2018)",
)
