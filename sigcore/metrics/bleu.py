"""BLEU: clipped n-gram precision with a brevity penalty, as sacrebleu computes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sigcore.formatting import listed
from sigcore.metrics.contract import Metric, Options, References, Swapped, choice_of, described, options_of, rows
from sigcore.proof import Proof
from sigcore.registry import number_of
from sigcore.text import bleu_pairs, sacre
from sigcore.text.bleu import SMOOTHS, BleuReferences, bleu_score
from sigcore.text.ngrams import KERNELS
from sigcore.text.tokens import TOKENIZERS
from sigcore.types import Floats, Ints


def _tokenizer(options: Options) -> str:
    return sacre.tokenizer(options["tokenize"], options["language"])  # type: ignore[arg-type]


def _order(options: Options) -> int:
    return int(number_of(options, "order"))


def columns(options: Options) -> tuple[str, ...]:
    """The names of the statistics."""
    orders = range(1, _order(options) + 1)
    return ("length", "reference_length", *(f"match{k}" for k in orders), *(f"total{k}" for k in orders))


def score(sums: Floats, options: Options) -> Floats:
    """BLEU, 0 to 100, of sums (..., 2 + 2 * order)."""
    value = None if options["smooth_value"] is None else number_of(options, "smooth_value")
    smooth = choice_of(options, "smooth", SMOOTHS)
    return bleu_score(sums, _order(options), smooth, value, bool(options["effective_order"]))


def swapped(total: Floats, moved: Floats, left: Ints, right: Ints, options: Options) -> tuple[Floats, Floats] | None:
    """BLEU of pairs after swaps, see `Swapped`; None where add-k adds to every order."""
    return None if options["smooth"] == "add-k" else bleu_pairs.scores_of_pairs(total, moved, left, right)


def describe(references: References, options: Options) -> str:
    """sacrebleu's signature with what it leaves out: an order other than 4, and the smoothing value."""
    more = [
        f"{name}:{options[name]}|" for name, usual in (("order", 4), ("smooth_value", None)) if options[name] != usual
    ]
    scorer = sacre.make_bleu(
        tokenize=_tokenizer(options),
        lowercase=options["lowercase"],
        smooth_method=options["smooth"],
        smooth_value=options["smooth_value"],
        max_ngram_order=options["order"],
        effective_order=options["effective_order"],
    )
    return "bleu|" + "".join(more) + sacre.signature(scorer, references)


def remarks(rows: Mapping[str, Floats], options: Options) -> list[str]:
    """One sentence with the systems whose outputs never share the longest n-gram with a reference."""
    order = _order(options)
    none = [system for system, values in rows.items() if not values[:, 1 + order].any()]
    if not none or options["effective_order"]:
        return []
    return [
        f"BLEU says little about {listed(none)}: no output shares {order} words in a row with a reference. "
        "For short answers choose accuracy, chrF or CER."
    ]


METRIC = Metric(
    **described("bleu"),
    title="BLEU",
    kind="text",
    better="higher",
    columns=columns,
    prepare=lambda references, options: BleuReferences(
        references, bool(options["lowercase"]), _tokenizer(options), _order(options)
    ),
    kernels=replace(KERNELS, saves=1e-6),
    swapped=Swapped(bleu_pairs.KERNELS, swapped),
    statistics=rows,
    score=score,
    describe=describe,
    remarks=remarks,
    options=options_of("bleu", tokenize=TOKENIZERS, smooth=SMOOTHS),
    proof=Proof(oracle="of_metrics:bleu", golden=("sacrebleu260",)),
)
