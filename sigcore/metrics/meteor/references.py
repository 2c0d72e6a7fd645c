"""METEOR's statistics per segment, against references read once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sigcore.metrics.meteor import length, plain_search
from sigcore.metrics.meteor.word_table import Words, WordTable
from sigcore.text.chunks import Done, in_chunks, products
from sigcore.text.compiled import Kernels, usable
from sigcore.text.meteor_score import METEOR_COLUMNS
from sigcore.text.symbols import Joined, Streams, Symbols, check_length, checked, joined
from sigcore.types import Floats


class MeteorReferences:
    """The references of a test set, read once; `rows` are the METEOR statistics of any number of systems.

    `words` numbers the words and knows which stages are used; `score` returns the score of rows (..., 23), by which
    the best reference of a segment is chosen. Several threads may call `rows` at once. Raises: SigError if there is no
    reference, MismatchError if two differ in length.
    """

    columns = METEOR_COLUMNS

    def __init__(self, references: Streams, words: Words, score: Callable[[Floats], Floats]) -> None:
        self.n = len(checked(references)[0])
        self._words, self._score = words, score
        self._references = joined([words.read(stream)[0] for stream in references])
        self._compiled = usable(KERNELS)
        self._fill = _compiled() if self._compiled else plain_rows

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """The statistics (n, 23) of one system, in the order of METEOR_COLUMNS; `done` as in chunks.in_chunks.

        A segment's row is that of the reference with which it scores best, the first among equals. Raises:
        MismatchError if the system has more or fewer segments than the references; SigError for a segment over a bound.
        """
        check_length(segments, self.n)
        rows = np.empty((self.n, len(METEOR_COLUMNS)))

        def fill(start: int, stop: int) -> None:
            text, table = self._words.read(segments[start:stop])
            length.check(text, self._references, start, self._words.stages, table, self._compiled)
            choices = np.zeros((len(self._references.starts), stop - start, len(METEOR_COLUMNS)))
            self._fill(text, self._references, start, self._words.stages, table, choices)
            # nan = neither the segment nor this reference has words
            best = np.nan_to_num(self._score(choices), nan=-1.0).argmax(axis=0)
            rows[start:stop] = choices[best, np.arange(stop - start)]

        in_chunks(self.n, fill, done, products(segments, np.diff(self._references.starts).T))
        return rows


Fill = Callable[[Symbols, Joined, int, int, WordTable, Floats], None]


def _compiled() -> Fill:
    def fill(text: Symbols, gold: Joined, first: int, stages: int, table: WordTable, rows: Floats) -> None:
        from sigcore.metrics.meteor.compiled_search import meteor_rows

        known = (table.stems, table.sets, table.starts, table.function)
        meteor_rows(text.numbers, text.starts, gold.numbers, gold.starts, first, stages, *known, rows)

    return fill


def plain_rows(text: Symbols, gold: Joined, first: int, stages: int, table: WordTable, rows: Floats) -> None:
    """Fill rows (references, segments, 23) of zeros; segment i belongs to line first + i."""
    for i in range(text.starts.size - 1):
        output = text.numbers[text.starts[i] : text.starts[i + 1]].tolist()
        for starts, row in zip(gold.starts, rows[:, i], strict=True):
            reference = gold.numbers[starts[first + i] : starts[first + i + 1]].tolist()
            plain_row(output, reference, stages, table, row)


def plain_row(output: list[int], reference: list[int], stages: int, table: WordTable, row: Floats) -> None:
    """Fill one row (23,) of zeros. A segment that is one chunk as a whole counts no chunk."""
    chunks, matches = plain_search.align(output, reference, stages, table)
    row[:4] = len(output), len(reference), table.function[output].sum(), table.function[reference].sum()
    for match in matches:
        row[4 + 4 * match.stage + 2 * table.function[output[match.output]]] += 1
        row[5 + 4 * match.stage + 2 * table.function[reference[match.reference]]] += 1
    whole = chunks == 1 and len(matches) == len(output) == len(reference)
    row[20:] = 0 if whole else chunks, len(matches), len(matches)


def _call_kernels() -> None:
    text, table = Words(str.split).read(["a b"])
    _compiled()(text, joined([text]), 0, 1, table, np.zeros((1, 1, len(METEOR_COLUMNS))))


KERNELS = Kernels(
    "sigcore.metrics.meteor.compiled_search", __name__, _call_kernels, saves=5e-4, seconds=10.0, steps=70, grows=2
)
