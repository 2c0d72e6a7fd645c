"""ROUGE-1, 2, L and SU4: what a summary shares with its references, as ROUGE-1.5.5 counts it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError
from sigcore.metrics import contract
from sigcore.metrics.contract import Metric, Options, choice_of, options_of, rows
from sigcore.metrics.rouge.overlap import GramOverlap, Grams, LcsOverlap, Overlap
from sigcore.metrics.rouge.words import SENTENCE_ENDS, STEMMING, TOKENIZATIONS, Reader, ascii_letters, irregular
from sigcore.proof import Proof
from sigcore.registry import Option, number_of
from sigcore.text.bounds import ROUGE_L, Bound
from sigcore.text.chunks import Done, in_chunks
from sigcore.text.symbols import Streams, check_length, checked
from sigcore.types import Floats, Ints

# The options of the ROUGE metrics, and their results: how summaries are read, and the signature.

Share = Literal["f", "recall", "precision"]
SHARES: tuple[Share, ...] = get_args(Share)
Average = Literal["macro", "micro"]
AVERAGES: tuple[Average, ...] = get_args(Average)
Multi = Literal["A", "B", "max_f"]
MULTIS: tuple[Multi, ...] = get_args(Multi)

FEW_WORDS = 8  # stop words that a signature lists; for more it has their number and a digest

OPTIONS = options_of("rouge", score=SHARES, average=AVERAGES, multi=MULTIS, stem=STEMMING, tokenization=TOKENIZATIONS)
SENTENCES = Option(
    "sentences",
    "marked",
    choices=SENTENCE_ENDS,
    help="Where sentences end. marked: at line feeds and marks such as `<t>` or `<q>`; stops: also after . ! ?, for "
    "files that have neither; none: a summary is one sentence.",
)


def reader(options: Options) -> Reader:
    """The reader of summaries for these options."""
    return Reader(
        tokenization=choice_of(options, "tokenization", TOKENIZATIONS),
        stem=choice_of(options, "stem", STEMMING),
        stop_words=frozenset(stop_words(options)),
        limit_words=int(number_of(options, "limit_words")),
        limit_bytes=int(number_of(options, "limit_bytes")),
        sentence_ends=choice_of(options, "sentences", SENTENCE_ENDS) if "sentences" in options else "marked",
    )


def stop_words(options: Options) -> list[str]:
    """The stop words in lower case, sorted, each once."""
    return sorted(set(re.split(r"[\s,]+", str(options["stop_words"] or "").lower())) - {""})


def titled(name: str) -> Callable[[Options], str]:
    """The `title` of a ROUGE metric: its name, and F, recall or precision."""
    return lambda options: f"{name} {'F' if choice_of(options, 'score', SHARES) == 'f' else options['score']}"


def described(name: str, declared: Sequence[Option]) -> Callable[[Streams, Options], str]:
    """The `describe` of a ROUGE metric: every setting, defaults too; WordNet by its digest."""

    def describe(references: Streams, options: Options) -> str:
        parts = [f"{option.name}:{options[option.name]}" for option in declared if option.name != "stop_words"]
        words = stop_words(options)
        few = ",".join(words) if len(words) <= FEW_WORDS else f"{len(words)}-{short_digest(' '.join(words))}"
        parts.append(f"stop_words:{few or None}")
        if choice_of(options, "stem", STEMMING) == "wordnet":
            parts.append(f"wordnet:{irregular().digest[:12]}")
        return "|".join([name, f"refs:{len(references)}", *parts])

    return describe


def short_digest(text: str) -> str:
    """The first twelve digits of its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


# The statistics of a ROUGE metric per summary, and the score of their sum.

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


NOTES = (
    "A segment is one summary. The options and the flags of ROUGE-1.5.5, our departures from it, and a comparison "
    "with published scores: [rouge.md](rouge.md)."
)


def rouge(
    name: str,
    title: str,
    overlap: Callable[[Streams, Reader], Overlap],
    options: tuple[Option, ...] = OPTIONS,
    limits: tuple[Bound, ...] = (),
) -> Metric:
    """The ROUGE metric that counts this overlap."""
    return Metric(
        **contract.described(name),
        title=titled(title),
        kind="text",
        better="higher",
        columns=columns,
        prepare=preparing(overlap),
        statistics=rows,
        score=score,
        bounds=limits,
        describe=described(name, options),
        options=options,
        notes=NOTES,
        proof=Proof(oracle=f"of_metrics:{name}", golden=("rouge.perl155", "rouge.google")),
    )


METRICS = (
    rouge("rouge_1", "ROUGE-1", partial(GramOverlap, grams=Grams(words_left=0))),
    rouge("rouge_2", "ROUGE-2", partial(GramOverlap, grams=Grams(words_left=None, distances=(1,)))),
    rouge("rouge_l", "ROUGE-L", LcsOverlap, (*OPTIONS, SENTENCES), (ROUGE_L,)),
    # the program counts every word but the last one
    rouge("rouge_su4", "ROUGE-SU4", partial(GramOverlap, grams=Grams(words_left=1, distances=(1, 2, 3, 4, 5)))),
)
