"""NIST: n-gram precision in which a rare n-gram counts for more, as NIST's own mteval computes it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sigcore.metrics.contract import Metric, Options, References, described, options_of
from sigcore.proof import Proof
from sigcore.text.chunks import Done, in_chunks
from sigcore.text.compiled import usable
from sigcore.text.ngrams import KERNELS, ngram_counts
from sigcore.text.symbols import Joined, Numbers, Streams, Symbols, Vocabulary, check_length, checked, joined
from sigcore.text.tokens import MTEVAL, TOKENIZERS, Tokenizer
from sigcore.types import Floats, Ints

# The words of NIST: a tokenizer's, then lower case as mteval makes it.


class MtevalWords:
    """One of sacrebleu's tokenizers by name, then lower case as NIST's mteval makes it.

    13a lowers ASCII letters only; every other tokenizer lowers all letters, one by one (so that a sigma is the same at
    the end of a word); with `case` nothing is lowered. Lowering comes last, since a tokenizer may have rules for
    letters as they are written (&quot; but not &QUOT;). Raises: as Tokenizer.
    """

    def __init__(self, name: str = MTEVAL, case: bool = False) -> None:
        self._tokens = Tokenizer(name).tokens
        self._lowered = None if case else _LowerMemo(ascii_only=name == MTEVAL)

    def tokens(self, line: str) -> list[str]:
        """The words of one line."""
        words = self._tokens(line)
        return words if self._lowered is None else list(map(self._lowered.__getitem__, words))


class _LowerMemo(dict[str, str]):
    """Word -> the word in lower case."""

    def __init__(self, ascii_only: bool) -> None:
        super().__init__()
        self._ascii_only = ascii_only

    def __missing__(self, word: str) -> str:
        kept = "".join(letter if self._ascii_only and not letter.isascii() else letter.lower() for letter in word)
        self[word] = kept
        return kept


# The information of n-grams, computed from all references of a test set, and the statistics of NIST per segment.

ORDER = 5


class NistReferences:
    """The references of a test set, read once; `rows` are the NIST statistics of any number of systems.

    Several threads may call `rows` at once. Raises: SigError if there is no reference,
    MismatchError if two differ in length.
    """

    def __init__(self, references: Streams, tokenize: str = "13a", case: bool = False) -> None:
        self.n = len(checked(references)[0])
        self._words = Vocabulary(MtevalWords(tokenize, case).tokens)
        streams = [self._words.learn(stream) for stream in references]
        self._references = joined(streams)
        self._information = information(self._references, ORDER)
        self._mean_lengths = np.sum([stream.lengths for stream in streams], axis=0) / len(streams)  # (n,)

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """The statistics (n, 11) of one system: information matched and n-grams of each order, mean reference length.

        `done` as in chunks.in_chunks. Raises: MismatchError if the system has more or fewer segments than
        the references.
        """
        check_length(segments, self.n)
        rows = np.zeros((self.n, 2 * ORDER + 1))
        rows[:, 2 * ORDER] = self._mean_lengths

        def fill(start: int, stop: int) -> None:
            words = self._words.read(segments[start:stop])
            rows[start:stop, :ORDER] = matched(words, self._references, self._information, start)
            rows[start:stop, ORDER : 2 * ORDER] = ngram_counts(words.lengths, ORDER)

        in_chunks(self.n, fill, done)
        return rows

    def left_out(self, segments: Sequence[str]) -> Floats:
        """What the information of the matches in all other segments changes by (n, order) without each segment's references.

        Without them an n-gram, and the n-gram without its last word, occur less often. Cost: O(order N log N) for N symbols.
        """
        text, streams = self._words.read(segments), len(self._references.starts)
        numbers = np.concatenate([self._references.numbers, text.numbers]).astype(np.int64)
        lengths = np.concatenate([np.diff(self._references.starts).ravel(), text.lengths])
        segment = np.repeat(np.tile(np.arange(self.n), streams + 1), lengths)
        stream = np.repeat(np.repeat(np.arange(streams + 1), self.n), lengths)
        left = np.repeat(np.cumsum(lengths), lengths) - np.arange(numbers.size)
        sizes = np.bincount(segment[stream < streams], minlength=self.n)
        # the empty n-gram, in every segment as often as there are words
        before = _Occurring(np.arange(self.n), np.zeros(self.n, dtype=np.int64), sizes.astype(float), 1)
        found, inside, names = np.zeros((self.n, ORDER)), np.zeros(numbers.size, dtype=np.int64), numbers + 1
        for k in range(ORDER):
            fits = left > k
            names = np.where(fits, names, 0)
            index, _ = counted(names[fits])
            own, matches = _occurring(segment[fits], index, stream[fits], streams, self.n)
            starts = np.zeros(own.kinds, dtype=np.int64)
            starts[index] = inside[fits]  # the n-gram without its last word
            found[:, k] = before.change(self.n, own.segment, starts[own.kind], matches)
            found[:, k] -= own.change(self.n, own.segment, own.kind, matches)
            before, inside = own, np.zeros_like(names)
            inside[fits] = index
            longer = np.flatnonzero(left > k + 1)
            names = np.zeros_like(names)
            names[longer] = (inside[longer] + 1) * (numbers.max() + 2) + numbers[longer + k + 1] + 1
        return found


@dataclass(frozen=True)
class _Occurring:
    """How often (float) n-grams of `kinds` kinds occur in the references of segments: one entry for each kind in a segment."""

    segment: Ints
    kind: Ints
    often: Floats
    kinds: int

    def change(self, n: int, segment: Ints, kind: Ints, matches: Floats) -> Floats:
        """What log2 of the counts, times the matches (of a kind in a segment) elsewhere, changes by without each segment (n,)."""
        keys = self.segment * self.kinds + self.kind
        here = np.bincount(np.searchsorted(keys, segment * self.kinds + kind), matches, len(keys))
        elsewhere = np.bincount(kind, matches, self.kinds)[self.kind] - here
        counts = np.bincount(self.kind, self.often, self.kinds)[self.kind]
        some = elsewhere > 0
        bits = np.log2((counts[some] - self.often[some]) / counts[some])
        return np.asarray(np.bincount(self.segment[some], elsewhere[some] * bits, n), dtype=np.float64)


def _occurring(segment: Ints, index: Ints, stream: Ints, streams: int, n: int) -> tuple[_Occurring, Floats]:
    """The n-grams of the references, and the clipped matches of each; the output is the last of the streams."""
    kinds = int(index.max(initial=0)) + 1
    keys = segment * kinds + index
    known, often = np.unique(keys[stream < streams], return_counts=True)
    most, matches = np.zeros(len(known)), np.zeros(len(known))
    for one in range(streams):
        own, counts = np.unique(keys[stream == one], return_counts=True)
        places = np.searchsorted(known, own)
        most[places] = np.maximum(most[places], counts)
    own, counts = np.unique(keys[stream == streams], return_counts=True)
    there = np.isin(own, known)
    places = np.searchsorted(known, own[there])
    matches[places] = np.minimum(most[places], counts[there])
    return _Occurring(known // kinds, known % kinds, often.astype(float), kinds), matches


def information(references: Joined, order: int) -> Floats:
    """For each symbol of the references (symbols, order): the information of the n-grams that begin there, in bits.

    It is log2 of how often the n-gram without its last word occurs over how often the whole does, in all
    references together (for one word: all words over the word). 0 where the segment ends before the n-gram.
    Cost: O(order N log N) for N symbols. Source: Doddington 2002, section 3.
    """
    numbers = references.numbers.astype(np.int64)
    left = symbols_left(references)
    bits = np.zeros((numbers.size, order))
    before, names = np.full(numbers.size, float(numbers.size)), numbers
    for k in range(order):
        fits = left > k
        index, counts = counted(names[fits])
        often = np.zeros(numbers.size)
        often[fits] = counts[index]
        bits[fits, k] = np.log2(before[fits] / often[fits])
        before, names = often, np.zeros_like(numbers)
        names[fits] = index
        longer = np.flatnonzero(left > k + 1)
        names[longer] = names[longer] * (numbers.size + 1) + numbers[longer + k + 1]
    return bits


def symbols_left(references: Joined) -> Ints:
    """For each symbol the number of symbols from it to the end of its segment, including itself."""
    starts = np.append(references.starts[:, :-1].ravel(), references.numbers.size)
    lengths = np.diff(starts)
    return np.repeat(starts[1:], lengths) - np.arange(references.numbers.size)


def counted(values: Ints) -> tuple[Ints, Ints]:
    """(for each value the index of its distinct value, the count of each distinct value)."""
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    return index, counts


def matched(text: Symbols, references: Joined, given: Floats, start: int) -> Floats:
    """The information (segments, order) of the clipped n-gram matches of segments `start` and following."""
    totals = np.zeros((text.lengths.size, given.shape[1]))
    if usable(KERNELS):
        from sigcore.text.kernels.ngrams import weighted_matches

        weighted_matches(text.numbers, text.starts, references.numbers, references.starts, given, start, totals)
    else:
        plain_matches(text, references, given, start, totals)
    return totals


def plain_matches(text: Symbols, references: Joined, given: Floats, first: int, totals: Floats) -> None:
    """Do the same as the kernel weighted_matches, in plain Python: add the same numbers in the same order."""
    order = totals.shape[1]
    for i, row in enumerate(totals):
        most: Counter[tuple[int, ...]] = Counter()
        weights: dict[tuple[int, ...], float] = {}
        for starts in references.starts:
            begin, end = starts[first + i : first + i + 2]
            gold = ngrams(references.numbers[begin:end], order)
            most |= Counter(ngram for _, ngram in gold)
            weights.update({ngram: given[begin + at, len(ngram) - 1] for at, ngram in gold})
        for _, ngram in ngrams(text.numbers[text.starts[i] : text.starts[i + 1]], order):
            if most[ngram] > 0:
                most[ngram] -= 1
                row[len(ngram) - 1] += weights[ngram]


def ngrams(numbers: Numbers, order: int) -> list[tuple[int, tuple[int, ...]]]:
    """All n-grams up to the order, from left to right, each with its position."""
    words = numbers.tolist()
    return [
        (at, tuple(words[at : at + n])) for at in range(len(words)) for n in range(1, order + 1) if at + n <= len(words)
    ]


# The penalty is 1/2 for an output whose length is 2/3 of the references' length.
BETA = math.log(0.5) / math.log(1.5) ** 2

NOTES = """The information of an n-gram is computed once, from all references of the test set, and not again in each
resample. Approximate randomization leaves the references as they are, so for it both are the same. For the bootstrap
they differ: a segment that is drawn twice makes its own n-grams look common, so scores with recomputed information are
too low. mteval also scores documents and segments with the information of the whole test set. So a part of a test set has
another NIST score if it is loaded as a separate test set.

With `tokenize=intl`, punctuation after a digit at the end of a segment stays with the word ("at 18:40."), as in mteval for
`<seg>text</seg>`. A file with a blank before `</seg>` makes mteval split it, and its NIST is then higher: by .006 to .008
for systems of WMT 2022 cs-en."""


def left_out(segments: Sequence[str], prepared: NistReferences, options: Options) -> Floats:
    """(n, 11): what the statistics of all other segments change by without each segment: their information."""
    found = np.zeros((len(segments), 2 * ORDER + 1))
    found[:, :ORDER] = prepared.left_out(segments)
    return found


def penalty(length: Floats, reference_length: Floats) -> Floats:
    """1 for an output as long as the references or longer; falls to 0 as it gets shorter.

    Source: Doddington 2002, section 4; the lengths' ratio is taken over the whole sum.
    """
    ratio = np.minimum(1.0, length / np.where(reference_length > 0, reference_length, 1.0))
    with np.errstate(divide="ignore"):  # no output at all: log 0, and exp(-inf) = 0
        return np.asarray(np.exp(BETA * np.log(ratio) ** 2))


def score(sums: Floats, options: Options) -> Floats:
    """NIST, 0 to about 15, of sums (..., 11); nan where the references have no words."""
    reference_length = sums[..., 2 * ORDER]
    total = np.zeros(sums.shape[:-1])
    for k in range(ORDER):  # order by order: the same bits for one sum and for a block
        total = total + sums[..., k] / np.maximum(sums[..., ORDER + k], 1.0)
    return np.where(reference_length > 0, total * penalty(sums[..., ORDER], reference_length), np.nan)


def describe(references: References, options: Options) -> str:
    """References, case, tokenizer, and where the information comes from."""
    case = "mixed" if options["case"] else "ascii-lc" if options["tokenize"] == MTEVAL else "lc"
    return f"nist|nrefs:{len(references)}|case:{case}|tok:{options['tokenize']}|info:all-references"


METRIC = Metric(
    **described("nist"),
    title="NIST",
    kind="text",
    better="higher",
    columns=(
        *(f"information{k}" for k in range(1, ORDER + 1)),
        *(f"total{k}" for k in range(1, ORDER + 1)),
        "reference_length",
    ),
    prepare=lambda references, options: NistReferences(references, str(options["tokenize"]), bool(options["case"])),
    kernels=replace(KERNELS, saves=1.5e-4),
    statistics=lambda segments, prepared, options, done: prepared.rows(segments, done),
    score=score,
    describe=describe,
    whole_references=True,
    left_out=left_out,
    decimals=4,
    options=options_of("nist", tokenize=TOKENIZERS),
    notes=NOTES,
    proof=Proof(oracle="of_metrics:nist", golden=("nist.mteval14",)),
)
