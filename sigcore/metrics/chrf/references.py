"""Statistics of chrF and chrF++ per segment, equal to sacrebleu's to the last bit, against references read once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sigcore.errors import OptionError
from sigcore.metrics.chrf.score import sacrebleu_score
from sigcore.metrics.chrf.words import WordMarks
from sigcore.text.chunks import Done, in_chunks
from sigcore.text.ngrams import ngram_counts, shared
from sigcore.text.symbols import Streams, Symbols, Vocabulary, check_length, checked, code_points, joined
from sigcore.types import Floats


class ChrfReferences:
    """The references of a test set, read once; `rows` are the chrF (or chrF++) statistics of any number of systems.

    Several threads may call `rows` at once. Raises: SigError if there is no reference,
    MismatchError if two differ in length, OptionError for orders that leave no n-grams.
    """

    def __init__(
        self,
        references: Streams,
        char_order: int = 6,
        word_order: int = 0,
        beta: float = 2,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
    ) -> None:
        if min(char_order, word_order) < 0 or char_order + word_order < 1:
            what = f"char_order = {char_order} and word_order = {word_order} leave no n-grams."
            raise OptionError(what, "", "Neither may be negative, and one must be 1 or more.")
        self.n, self.char_order, self.word_order = len(checked(references)[0]), char_order, word_order
        self.beta, self.eps_smoothing = beta, eps_smoothing
        self._lowercase, self._whitespace = lowercase, whitespace
        self._words = Vocabulary(WordMarks().tokens)
        self._references = [self._views(stream, self._words.learn) for stream in references]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the statistics, in sacrebleu's order."""
        names = [f"char_{n + 1}" for n in range(self.char_order)] + [f"word_{n + 1}" for n in range(self.word_order)]
        return tuple(f"{count}_{name}" for name in names for count in ("hyp", "ref", "match"))

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """The statistics (n, 3 * (char_order + word_order)) of one system; `done` as in chunks.in_chunks.

        A segment's row is that of the reference with which it scores best, the first among equals.
        Raises: MismatchError if the system has more or fewer segments than the references.
        """
        check_length(segments, self.n)
        rows = np.empty((self.n, 3 * (self.char_order + self.word_order)))

        def fill(start: int, stop: int) -> None:
            views = self._views(segments[start:stop], self._words.read)
            choices = np.stack([self._against(reference, views, start) for reference in self._references])
            if len(choices) == 1:
                rows[start:stop] = choices[0]
                return
            best = sacrebleu_score(choices, self.beta, self.eps_smoothing).argmax(axis=0)
            rows[start:stop] = choices[best, np.arange(stop - start)]

        in_chunks(self.n, fill, done)
        return rows

    def _views(self, lines: Sequence[str], words: Callable[[Sequence[str]], Symbols]) -> list[tuple[int, Symbols]]:
        """The lines as characters and as words, each with its highest order; a view without an order is left out."""
        if self._lowercase:
            lines = [line.lower() for line in lines]
        views = [(self.char_order, code_points(lines, self._whitespace))] if self.char_order else []
        return views + ([(self.word_order, words(lines))] if self.word_order else [])

    def _against(self, reference: list[tuple[int, Symbols]], views: list[tuple[int, Symbols]], start: int) -> Floats:
        """The statistics (segments, 3 * orders) of segments `start` and following against one reference."""
        parts = []
        for (order, gold), (_, text) in zip(reference, views, strict=True):
            stop = start + text.lengths.size
            part = np.empty((text.lengths.size, order, 3))
            part[..., 1] = ngram_counts(gold.lengths[start:stop], order)
            # an order that the reference is too short for does not count against the system
            part[..., 0] = np.where(part[..., 1] > 0, ngram_counts(text.lengths, order), 0)
            part[..., 2] = shared(text, joined([gold]), start, order)
            parts.append(part)
        return np.concatenate(parts, axis=1).reshape(len(parts[0]), -1)
