"""Token F1: how many words an answer and its best reference have in common, after SQuAD's normalisation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from sigcore.metrics.contract import Done, Metric, Options, References, choice_of, described, options_of, percent
from sigcore.proof import Proof
from sigcore.text.answers import accepted, normalized
from sigcore.text.chunks import in_chunks
from sigcore.text.tokens import Tokenizer
from sigcore.types import Floats

Words = Counter[str]
Average = Literal["macro", "micro"]
AVERAGES: tuple[Average, ...] = get_args(Average)


@dataclass(frozen=True)
class Golds:
    """The words of every segment's references, and their tokenizer."""

    words: list[list[Words]]
    tokenizer: Tokenizer


def _is_macro(options: Options) -> bool:
    return choice_of(options, "average", AVERAGES) == "macro"


def _words(text: str, tokenizer: Tokenizer) -> Words:
    return Counter(tokenizer.tokens(text))


def prepare(references: References, options: Options) -> Golds:
    """The references in normal form, as words."""
    tokenizer = Tokenizer(str(options["tokenize"]))
    case, articles = bool(options["case"]), bool(options["articles"])
    answers = [accepted(golds, case, articles) for golds in zip(*references, strict=True)]
    return Golds([[_words(text, tokenizer) for text in texts] for texts in answers], tokenizer)


def f1(common: int, output: int, reference: int) -> float:
    """The harmonic mean of precision and recall; 1 for an empty answer to an empty reference."""
    return 2 * common / (output + reference) if output + reference else 1.0


def best(output: Words, references: list[Words]) -> tuple[float, int, int]:
    """(F1, words in common, words of the reference) of the reference with the best F1.

    Of equally good ones the one with most words in common, then the shortest, so that their order does not matter.
    """
    size = output.total()
    counts = [((output & gold).total(), gold.total()) for gold in references]
    value, common, shorter = max((f1(common, size, gold), common, -gold) for common, gold in counts)
    return value, common, -shorter


def statistics(segments: Sequence[str], prepared: Golds, options: Options, done: Done | None) -> Floats:
    """macro (n, 2): F1 and 1; micro (n, 3): words in common, of the answer, and of its best reference."""
    macro, case, articles = _is_macro(options), bool(options["case"]), bool(options["articles"])
    rows = np.ones((len(prepared.words), 2 if macro else 3))

    def fill(start: int, stop: int) -> None:
        for i in range(start, stop):
            output = _words(normalized(segments[i], case, articles), prepared.tokenizer)
            value, common, gold = best(output, prepared.words[i])
            rows[i] = (value, 1) if macro else (common, output.total(), gold)

    in_chunks(len(rows), fill, done)
    return rows


def score(sums: Floats, options: Options) -> Floats:
    """F1 in percent: the mean of the segments from sums (..., 2), or of all words from sums (..., 3); nan without any."""
    if _is_macro(options):
        return percent(sums[..., 0], sums[..., 1])
    return percent(2.0 * sums[..., 0], sums[..., 1] + sums[..., 2])


METRIC = Metric(
    **described("token_f1"),
    title=lambda options: "token F1" if _is_macro(options) else "token F1 (micro)",
    kind="text",
    better="higher",
    columns=lambda options: (
        ("f1", "segments") if _is_macro(options) else ("common", "output_length", "reference_length")
    ),
    prepare=prepare,
    statistics=statistics,
    score=score,
    options=options_of("token_f1", average=AVERAGES),
    proof=Proof(oracle="of_metrics:token_f1", golden=("squad.answers",)),
)
