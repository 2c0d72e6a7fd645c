"""The statistics of a ROUGE metric per summary, and the score of their sum."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError
from sigcore.metrics.contract import Options, choice_of
from sigcore.metrics.rouge.options import AVERAGES, MULTIS, SHARES, Multi, Share, reader
from sigcore.metrics.rouge.overlap import Overlap
from sigcore.metrics.rouge.summaries import TOKENIZATIONS, Reader, ascii_letters
from sigcore.text.chunks import Done, in_chunks
from sigcore.text.symbols import Streams, check_length, checked
from sigcore.types import Floats, Ints

COLUMNS: tuple[Share, ...] = ("recall", "precision", "f")
# The program's tokens must keep half of the references' letters, if there are enough letters to identify the script.
MOST, ENOUGH = 0.5, 200


class Rouge:
    """The references of a test set, read once; `rows` are the ROUGE statistics of any number of systems."""

    def __init__(self, overlap: Overlap, n: int, options: Options) -> None:
        self._overlap, self._n, self._options = overlap, n, options

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """The statistics of one system: (n, 4) recall, precision, F and 1; for the micro average (n, 3) counts.

        Raises: MismatchError if the system has more or fewer segments than the references.
        """
        check_length(segments, self._n)
        counts = np.empty((self._n, 3), dtype=np.int64)

        def fill(start: int, stop: int) -> None:
            each = self._overlap.counts(segments[start:stop], start)
            counts[start:stop] = over_references(each, choice_of(self._options, "multi", MULTIS))

        # subsequences take longest: the product of both lengths, and those of the references are about the same
        letters = np.fromiter(map(len, segments), np.int64, self._n)
        in_chunks(self._n, fill, done, letters**2)
        if choice_of(self._options, "average", AVERAGES) == "micro":
            return counts.astype(np.float64)
        return np.stack([*(share(counts, name) for name in COLUMNS), np.ones(self._n)], axis=-1)


def preparing(overlap: Callable[[Streams, Reader], Overlap]) -> Callable[[Streams, Options], Rouge]:
    """The `prepare` of a ROUGE metric that counts this overlap."""

    def prepare(references: Streams, options: Options) -> Rouge:
        checked(references)
        check_script(references, options)
        return Rouge(overlap(references, reader(options)), len(references[0]), options)

    return prepare


def check_script(references: Streams, options: Options) -> None:
    """Raise OptionError if the program's tokens would lose most letters of the references."""
    if choice_of(options, "tokenization", TOKENIZATIONS) != "rouge":
        return
    kept, letters = ascii_letters(text for stream in references for text in stream)
    if letters >= ENOUGH and kept < MOST * letters:
        what = f"ROUGE's own tokens keep a-z and 0-9 only: {1 - kept / letters:.0%} of the references' letters would be lost."
        fix = "Set tokenization to unicode or, for text without spaces between words, char."
        raise OptionError(what, "", fix)


def over_references(counts: Ints, multi: Multi) -> Ints:
    """One row of counts per summary, (n, 3), from its counts with each reference, (references, n, 3).

    "A": their sums; "B" and "max_f": those of the reference with the best recall or F, the first among equals.
    """
    if multi == "A":
        return np.asarray(counts.sum(axis=0))
    best = share(counts, "recall" if multi == "B" else "f").argmax(axis=0)
    return np.asarray(counts[best, np.arange(counts.shape[1])])


def share(counts: NDArray[np.int64] | Floats, name: Share) -> Floats:
    """Recall, precision or F, 0 to 1, of counts (..., 3): common, in the reference, in the summary.

    It is 0 if there is nothing to divide by, as in ROUGE-1.5.5: for a summary without words, or a reference without
    words. F is 2 common / (reference + summary), the harmonic mean of recall and precision.
    """
    common, reference, summary = (counts[..., k].astype(np.float64) for k in range(3))
    shares: dict[Share, tuple[Floats, Floats]] = {
        "recall": (common, reference),
        "precision": (common, summary),
        "f": (2 * common, reference + summary),
    }
    above, below = shares[name]
    return np.divide(above, below, out=np.zeros(below.shape), where=below > 0)


def statistics(segments: Sequence[str], prepared: Rouge, options: Options, done: Done | None) -> Floats:
    """(n, 4) recall, precision, F and 1 of each summary; for the micro average (n, 3) counts."""
    return prepared.rows(segments, done)


def columns(options: Options) -> tuple[str, ...]:
    """The names of the statistics."""
    if choice_of(options, "average", AVERAGES) == "micro":
        return ("common", "in_reference", "in_summary")
    return (*COLUMNS, "summaries")


def score(sums: Floats, options: Options) -> Floats:
    """ROUGE, 0 to 100, of sums (..., 4), or (..., 3) for the micro average; nan without summaries."""
    name = choice_of(options, "score", SHARES)
    if choice_of(options, "average", AVERAGES) == "micro":
        return 100.0 * share(sums, name)
    n = sums[..., 3]
    return np.where(n > 0, 100.0 * sums[..., COLUMNS.index(name)] / np.where(n > 0, n, 1.0), np.nan)
