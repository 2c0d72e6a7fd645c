"""TER: edits (with block shifts) per reference word, as sacrebleu and tercom compute it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from sigcore.metrics.contract import Metric, Options, References, described, options_of, rows
from sigcore.proof import Proof
from sigcore.text import bounds, sacre
from sigcore.text.chunks import Done, in_chunks, products
from sigcore.text.compiled import Kernels, usable
from sigcore.text.compiled import prepare as prepare_kernels
from sigcore.text.symbols import Streams, Vocabulary, check_length, checked, joined
from sigcore.types import Floats, Ints

# The words of TER, as sacrebleu's tercom tokenizer cuts them.


class TerWords:
    """sacrebleu's tercom tokenizer; `tokens(line)` are the words that TER compares."""

    def __init__(self, normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool) -> None:
        self._line = sacre.tercom_tokenizer(normalized, no_punct, asian_support, case_sensitive)
        self._plain = not (normalized or no_punct)  # then the tokenizer only lowers the case
        self._case_sensitive = case_sensitive

    def tokens(self, line: str) -> list[str]:
        """The words of one line."""
        if not self._plain:
            return self._line(line.rstrip()).split()
        return line.split() if self._case_sensitive else line.lower().split()


# Statistics of TER per segment, equal to sacrebleu's, against references read once.


class TerReferences:
    """The references of a test set, read once; `rows` are the TER statistics of any number of systems.

    Several threads may call `rows` at once; they run in parallel. Raises: SigError if there is no reference,
    MismatchError if two differ in length.
    """

    def __init__(
        self,
        references: Streams,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self.n = len(checked(references)[0])
        tokens = TerWords(normalized, no_punct, asian_support, case_sensitive).tokens
        self._words = Vocabulary(tokens)
        # sacrebleu tokenises references twice, and "it's it's" changes again the second time
        streams = [self._words.learn([" ".join(tokens(line)) for line in stream]) for stream in references]
        self._references = joined(streams)
        self._lengths = np.stack([stream.lengths for stream in streams], axis=1)  # (n, references)
        self._mean_lengths = self._lengths.sum(axis=1) / len(streams)  # (n,)

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """The statistics (n, 2) of one system: fewest edits over the references, mean length of the references.

        `done` as in chunks.in_chunks. Raises: MismatchError if the system has more or fewer
        segments than the references, SigError for a segment over the bound. Source: Snover et al. 2006, with the limits of Tercom and sacrebleu.
        """
        from sigcore.metrics.ter.kernel import least_edits

        check_length(segments, self.n)
        rows = np.empty((self.n, 2))
        rows[:, 1] = self._mean_lengths
        gold = self._references

        def fill(start: int, stop: int) -> None:
            words = self._words.read(segments[start:stop])
            bounds.check(bounds.TER, words.lengths, self._lengths[start:stop], start)
            least = np.empty(stop - start, dtype=np.int64)
            least_edits(words.numbers, words.starts, gold.numbers, gold.starts, start, least)
            rows[start:stop, 0] = least

        in_chunks(self.n, fill, done, products(segments, self._lengths))
        return rows


class PlainTer:
    """The same as TerReferences where the kernels are not loaded: sacrebleu's own rows.

    Segments that would take sacrebleu longer than the compiler takes are computed by the kernels after all.
    """

    def __init__(self, references: Streams, **options: bool) -> None:
        self._tokens = TerWords(**options).tokens
        # as TerReferences counts them, so that both refuse the same segments
        self._lengths = np.stack(
            [self._count([" ".join(self._tokens(r)) for r in s]) for s in checked(references)], axis=1
        )
        self._prepared = sacre.prepare(sacre.make_ter(**options), references)
        self._compiled = cache(lambda: TerReferences(references, **options))

    def rows(self, segments: Sequence[str], done: sacre.Done | None = None) -> Floats:
        """The statistics (n, 2) of one system. Raises: as TerReferences."""
        check_length(segments, len(self._lengths))
        costs = bounds.check(bounds.TER, self._count(segments), self._lengths, 0)
        waiting = None if done is None else lambda *_: done(0)
        prepare_kernels(KERNELS, bounds.seconds(costs) / KERNELS.saves, "TER", waiting)
        return (self._compiled() if usable(KERNELS) else self._prepared).rows(segments, done)

    def _count(self, lines: Sequence[str]) -> Ints:
        return np.fromiter((len(self._tokens(line)) for line in lines), np.int64, len(lines))


def _call_kernels() -> None:
    TerReferences([["a b"]]).rows(["b a"])


KERNELS = Kernels("sigcore.metrics.ter.kernel", __name__, _call_kernels, saves=3e-3, seconds=12.0, grows=2)


def prepare(references: References, options: Options) -> TerReferences | PlainTer:
    """The references, ready for the compiled kernel, or as sacrebleu reads them where it is not loaded."""
    if usable(KERNELS):
        return TerReferences(references, **options)  # type: ignore[arg-type]
    return PlainTer(references, **options)  # type: ignore[arg-type]


def score(sums: Floats, options: Options) -> Floats:
    """TER in percent of sums (..., 2); lower is better, and it may exceed 100.

    Without reference words: 100 if there are edits, else 0.
    """
    edits, length = sums[..., 0], sums[..., 1]
    rate = np.where(length > 0, edits / np.where(length > 0, length, 1.0), np.where(edits > 0, 1.0, 0.0))
    return 100.0 * rate


METRIC = Metric(
    **described("ter"),
    title="TER",
    kind="text",
    better="lower",
    columns=("edits", "reference_length"),
    prepare=prepare,
    kernels=KERNELS,
    statistics=rows,
    score=score,
    bounds=(bounds.TER,),
    describe=lambda references, options: "ter|" + sacre.signature(sacre.make_ter(**options), references),
    options=options_of("ter"),
    proof=Proof(oracle="of_metrics:ter", golden=("sacrebleu260", "ter.tercom")),
)
