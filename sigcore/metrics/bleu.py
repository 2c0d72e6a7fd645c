"""BLEU: clipped n-gram precision with a brevity penalty, as sacrebleu computes it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from sigcore.family import Option
from sigcore.metrics.contract import Done, Floats, Metric, Options, References
from sigcore.text import compiled, sacre
from sigcore.text.ngrams import BleuReferences
from sigcore.text.tokens import TOKENIZERS

# sacrebleu's stand-in for log(0): its exponential is 0 whatever the order is.
LOG_ZERO = -9999999999.0

# Plain lists of sums, up to this many, take the plain functions: numpy's vector forms may differ in the last bit, and
# the score of a test set shall equal the published one to its last digit. Blocks of resamples always take numpy's,
# so that a resample's score does not depend on how many systems are computed at once.
FEW = 4096
_exact_log, _exact_exp = np.vectorize(math.log, otypes=[float]), np.vectorize(math.exp, otypes=[float])

SMOOTH_DEFAULT = {"floor": 0.1, "add-k": 1.0}


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


def _plain(values: Floats) -> bool:
    return values.ndim <= 1 and 0 < values.size <= FEW


def _log(values: Floats) -> Floats:
    return _exact_log(values) if _plain(values) else np.log(values)


def _exp(values: Floats) -> Floats:
    return _exact_exp(values) if _plain(values) else np.exp(values)


def brevity_penalty(length: Floats, reference_length: Floats) -> Floats:
    """exp(1 - r/c) where the output is shorter than the reference, else 1; 0 for an empty output."""
    with np.errstate(divide="ignore", invalid="ignore"):
        shortfall = 1.0 - np.asarray(reference_length) / np.asarray(length)
    # an empty output has a shortfall of -inf, or of nan where the reference is empty too: then nothing is missing
    return _exp(np.fmin(0.0, shortfall))


def careful(sums: Floats, options: Options) -> Floats:
    """BLEU of sums (..., 2 + 2 * order), order by order as sacrebleu does it.

    No match at all gives 0 before any smoothing, the first order without n-grams ends the product, and the k-th
    order without a match counts 1 / 2^k under "exp".
    """
    order = int(options["order"] or 4)
    smooth = options["smooth"]
    value = SMOOTH_DEFAULT.get(str(smooth), 0.0) if options["smooth_value"] is None else float(options["smooth_value"])
    matches, totals = sums[..., 2 : 2 + order], sums[..., 2 + order :]
    shape = sums.shape[:-1]
    logs = np.zeros(shape)
    used = np.full(shape, order if not options["effective_order"] else 1)
    alive = np.ones(shape, dtype=bool)
    halving = np.ones(shape)
    for k in range(order):
        add = value if smooth == "add-k" and k > 0 else 0.0
        match, total = matches[..., k] + add, totals[..., k] + add
        alive = alive & (total > 0)
        safe = np.where(total > 0, total, 1.0)
        missed = alive & (match == 0)
        precision = 100.0 * match / safe
        if smooth == "exp":
            halving = np.where(missed, 2.0 * halving, halving)
            precision = np.where(missed, 100.0 / (halving * safe), precision)
        elif smooth == "floor":
            precision = np.where(missed, 100.0 * value / safe, precision)
        known = alive & (precision > 0)
        log = np.where(known, _log(np.where(known, precision, 1.0)), LOG_ZERO)
        if options["effective_order"]:
            used = np.where(alive, k + 1, used)
            log = np.where(alive, log, 0.0)
        logs = logs + log
    result = brevity_penalty(sums[..., 0], sums[..., 1]) * _exp(logs / used)
    return np.where(matches.any(axis=-1), result, 0.0)


def score(sums: Floats, options: Options) -> Floats:
    """BLEU, 0 to 100, of sums (..., 2 + 2 * order).

    A test set's own sums go the careful way, equal to sacrebleu's to the last bit. Of a block of resamples only
    those that miss an order do; the rest need no smoothing, and the mean of logarithms is a root of a product.
    """
    if sums.ndim == 1 or options["smooth"] == "add-k":
        return careful(sums, options)
    order = int(options["order"] or 4)
    found, tried = sums[..., 2].copy(), sums[..., 2 + order].copy()
    for k in range(1, order):
        found *= sums[..., 2 + k]
        tried *= sums[..., 2 + order + k]
    missed = found == 0  # a match in every order means n-grams in every order
    tried[missed] = 1.0
    result = _root(found / tried, order)
    result *= 100.0
    result *= brevity_penalty(sums[..., 0], sums[..., 1])
    if missed.any():
        # as one row of a block: how many of a block miss an order must not choose between the forms of log and exp
        result[missed] = careful(sums[missed][None], options)[0]
    return result


def _root(share: Floats, order: int) -> Floats:
    """The order-th root; square roots are several times faster than a power."""
    return np.asarray(np.sqrt(np.sqrt(share)) if order == 4 else share ** (1.0 / order))


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
