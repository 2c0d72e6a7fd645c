"""BLEU: clipped n-gram precision with a brevity penalty, as sacrebleu computes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sigcore.metrics.contract import Done, Metric, Options, References, choice_of, number_of
import numpy as np

from sigcore.errors import OptionError
from sigcore.metrics.contract import Done, Metric, Options, References, choice_of, rows
from sigcore.proof import Proof
from sigcore.registry import Option, number_of
from sigcore.text import sacre
<<<<<<< HEAD
from sigcore.text.bleu import SMOOTHS, BleuReferences, bleu_score
from sigcore.text.ngrams import KERNELS
from sigcore.text.tokens import TOKENIZERS
from sigcore.types import Floats
=======
from sigcore.text.bleu_score import SMOOTHS, bleu_score
from sigcore.text.chunks import in_chunks
from sigcore.text.ngrams import KERNELS, ngram_counts, shared
from sigcore.text.symbols import check_length, checked, joined
from sigcore.text.tokens import TOKENIZERS, Tokenizer
from sigcore.text.word_numbers import WordVocabulary
from sigcore.types import Floats, Ints


class BleuReferences:
    """The references of a test set, tokenised once; `rows` are the BLEU statistics of any number of systems.

    Several threads may call `rows` at once. Raises: SigError if there is no reference, MismatchError if two
    differ in length, OptionError for an order below 1.
    """

    def __init__(
        self, references: References, lowercase: bool = False, tokenize: str = "13a", max_order: int = 4
    ) -> None:
        if max_order < 1:
            raise OptionError(f"max_order = {max_order} leaves no n-grams.", "", "It must be 1 or more.")
        self.n, self.max_order = len(checked(references)[0]), max_order
        self._words = WordVocabulary(Tokenizer(tokenize, lowercase))
        streams = [self._words.learn(stream) for stream in references]
        self._references = joined(streams)
        self._lengths = np.stack([stream.lengths for stream in streams])  # (references, n)

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """The statistics (n, 2 + 2 * max_order) of one system; `done` as in chunks.in_chunks.

        Raises: MismatchError if the system has more or fewer segments than the references.
        """
        check_length(segments, self.n)
        rows = np.empty((self.n, 2 + 2 * self.max_order))

        def fill(start: int, stop: int) -> None:
            words = self._words.read(segments[start:stop])
            rows[start:stop, 0] = words.lengths
            rows[start:stop, 1] = closest(words.lengths, self._lengths[:, start:stop])
            rows[start:stop, 2 : 2 + self.max_order] = shared(words, self._references, start, self.max_order)
            rows[start:stop, 2 + self.max_order :] = ngram_counts(words.lengths, self.max_order)

        in_chunks(self.n, fill, done)
        return rows


def closest(lengths: Ints, references: Ints) -> Ints:
    """For each length (n,) the closest of its reference lengths (references, n), the shorter of two equally close."""
    by_length = np.sort(references, axis=0)
    nearest = np.abs(by_length - lengths).argmin(axis=0)  # the first minimum, so the shorter one
    return np.asarray(by_length[nearest, np.arange(lengths.size)])
>>>>>>> 70f0902


def _tokenizer(options: Options) -> str:
    return sacre.tokenizer(options["tokenize"], options["language"])  # type: ignore[arg-type]


def _order(options: Options) -> int:
    return int(number_of(options, "order"))


def _scorer(options: Options) -> Any:
    return sacre.make_bleu(
        tokenize=_tokenizer(options),
        lowercase=options["lowercase"],
        smooth_method=options["smooth"],
        smooth_value=options["smooth_value"],
        max_ngram_order=options["order"],
        effective_order=options["effective_order"],
    )


def prepare(references: References, options: Options) -> BleuReferences:
    """The references' words."""
    return BleuReferences(references, bool(options["lowercase"]), _tokenizer(options), _order(options))


def columns(options: Options) -> tuple[str, ...]:
    """The names of the statistics."""
    orders = range(1, _order(options) + 1)
    return ("length", "reference_length", *(f"match{k}" for k in orders), *(f"total{k}" for k in orders))


def score(sums: Floats, options: Options) -> Floats:
    """BLEU, 0 to 100, of sums (..., 2 + 2 * order)."""
    value = None if options["smooth_value"] is None else number_of(options, "smooth_value")
    smooth = choice_of(options, "smooth", SMOOTHS)
    return bleu_score(sums, _order(options), smooth, value, bool(options["effective_order"]))


def describe(references: References, options: Options) -> str:
    """sacrebleu's signature with what it leaves out: an order other than 4, and the smoothing value."""
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
    kernels=replace(KERNELS, saves=1e-6),
    statistics=rows,
    score=score,
    describe=describe,
    options=(
        Option(
            "tokenize",
            None,
            choices=TOKENIZERS,
            optional=True,
            help="The tokenizer; empty = by target language, else 13a.",
        ),
        Option(
            "language",
            None,
            optional=True,
            help="Code of the target language; zh, ja and ko have their own tokenizers.",
        ),
        Option("lowercase", False, help="Ignore case."),
        Option("smooth", "exp", choices=SMOOTHS, help="How an order without a match is counted."),
        Option("smooth_value", None, low=0, optional=True, help="The value of floor (0.1) or add-k (1)."),
        Option("order", 4, low=1, high=8, help="Longest n-gram."),
        Option("effective_order", False, help="Leave out orders longer than the output (for single segments)."),
    ),
    help="Share of n-grams found in the reference, with a penalty for short output.",
    source="Papineni et al. 2002; sacrebleu (Post 2018)",
    proof=Proof(oracle="of_metrics:bleu", golden=("sacrebleu260",)),
)
