"""What the ROUGE metrics share: options, statistics per summary, the score of their sum, titles and signatures."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import OptionError
from sigcore.metrics.rouge.irregular import irregular
from sigcore.metrics.rouge.overlap import Overlap
from sigcore.metrics.rouge.summaries import Reader, ascii_letters
from sigcore.registry import Option, Value
from sigcore.text.chunks import Done, paced
from sigcore.text.symbols import Streams, check_length, checked
from sigcore.types import Floats, Ints

Options = Mapping[str, Value]

NOTES = (
    "A segment is one summary. The options beside the flags of ROUGE-1.5.5, where we depart from it, and how published "
    "scores compare: [rouge.md](rouge.md)."
)

SHARES = ("recall", "precision", "f")
# The program's tokens must keep half of the references' letters, where these are enough to tell their script.
MOST, ENOUGH = 0.5, 200
FEW_WORDS = 8  # stop words that a signature lists; of more it gives their number and a digest

OPTIONS = (
    Option("score", "f", choices=("f", "recall", "precision"), help="Which share: F (alpha 0.5), recall or precision."),
    Option(
        "average",
        "macro",
        choices=("macro", "micro"),
        help="macro: the mean of the summaries' scores, as published; micro: the score of all their counts (-t 1).",
    ),
    Option(
        "multi",
        "A",
        choices=("A", "B", "max_f"),
        help="Of several references: A: the counts of all together (-f A); B: the best recall (-f B); max_f: the best F.",
    ),
    Option(
        "stem",
        "none",
        choices=("none", "porter", "wordnet"),
        help="porter: compare stems as the program makes them; wordnet: with WordNet's irregular forms first (-m).",
    ),
    Option(
        "tokenization",
        "rouge",
        choices=("rouge", "unicode", "whitespace", "char"),
        help="rouge: runs of a-z and 0-9, all other letters are lost; unicode: runs of the letters of any script; char: "
        "these one by one; whitespace: what stands between blanks.",
    ),
    Option("stop_words", None, optional=True, help="Words that do not count, separated by blanks or commas (-s)."),
    Option("limit_words", 0, low=0, help="Read only so many words of each summary and reference (-l); 0 = all."),
    Option("limit_bytes", 0, low=0, help="Read only so many bytes of each summary and reference (-b); 0 = all."),
)
SENTENCES = Option(
    "sentences",
    "marked",
    choices=("marked", "stops", "none"),
    help="Where sentences end. marked: at line feeds and marks such as `<t>` or `<q>`; stops: also behind . ! ?, for "
    "files that have neither; none: a summary is one sentence.",
)


class Rouge:
    """The references of a test set, read once; `rows` are the ROUGE statistics of any number of systems."""

    def __init__(self, overlap: Overlap, n: int, options: Options) -> None:
        self._overlap, self._n, self._options = overlap, n, options

    def rows(self, segments: Sequence[str], done: Done | None = None) -> Floats:
        """Statistics of one system: (n, 4) recall, precision, F and 1, or (n, 3) counts for the micro average.

        Raises: MismatchError where the system has not one segment for each of the references.
        """
        check_length(segments, self._n)
        counts = np.empty((self._n, 3), dtype=np.int64)

        def fill(start: int, stop: int) -> None:
            each = self._overlap.counts(segments[start:stop], start)
            counts[start:stop] = over_references(each, str(self._options["multi"]))

        paced(self._n, fill, done)
        if self._options["average"] == "micro":
            return counts.astype(np.float64)
        return np.stack([*(share(counts, name) for name in SHARES), np.ones(self._n)], axis=-1)


def preparing(overlap: Callable[[Streams, Reader], Overlap]) -> Callable[[Streams, Options], Rouge]:
    """The `prepare` of a ROUGE metric that counts this overlap."""

    def prepare(references: Streams, options: Options) -> Rouge:
        checked(references)
        check_script(references, options)
        return Rouge(overlap(references, reader(options)), len(references[0]), options)

    return prepare


def reader(options: Options) -> Reader:
    """How the options want summaries read."""
    return Reader(
        tokenization=str(options["tokenization"]),
        stem=str(options["stem"]),
        stop_words=frozenset(stop_words(options)),
        limit_words=int(options["limit_words"] or 0),
        limit_bytes=int(options["limit_bytes"] or 0),
        parted=str(options.get("sentences", "marked")),
    )


def stop_words(options: Options) -> list[str]:
    """The stop words in order, each once, in small letters."""
    return sorted(set(re.split(r"[\s,]+", str(options["stop_words"] or "").lower())) - {""})


def check_script(references: Streams, options: Options) -> None:
    """Nothing; raises OptionError where the program's tokens would lose most letters of the references."""
    if options["tokenization"] != "rouge":
        return
    kept, letters = ascii_letters(text for stream in references for text in stream)
    if letters >= ENOUGH and kept < MOST * letters:
        what = f"ROUGE's own tokens keep a-z and 0-9 only: {1 - kept / letters:.0%} of the references' letters would be lost."
        fix = "Set tokenization to unicode or, for text without blanks between words, to char."
        raise OptionError(what, "", fix)


def over_references(counts: Ints, multi: str) -> Ints:
    """Counts (references, n, 3) to those that stand for all references, (n, 3).

    "A": their sums; "B" and "max_f": those of the reference with the best recall or F, the first among equals.
    """
    if multi == "A":
        return np.asarray(counts.sum(axis=0))
    best = share(counts, "recall" if multi == "B" else "f").argmax(axis=0)
    return np.asarray(counts[best, np.arange(counts.shape[1])])


def share(counts: NDArray[np.int64] | Floats, name: str) -> Floats:
    """Recall, precision or F, 0 to 1, of counts (..., 3): common, in the reference, in the summary.

    Where there is nothing to divide by it is 0, as ROUGE-1.5.5 prints it: a summary without words, or against a
    reference without words, has earned nothing. F is 2 common / (reference + summary), the harmonic mean of both.
    """
    common, reference, summary = (counts[..., k].astype(np.float64) for k in range(3))
    above, below = {
        "recall": (common, reference),
        "precision": (common, summary),
        "f": (2 * common, reference + summary),
    }[name]
    return np.divide(above, below, out=np.zeros(below.shape), where=below > 0)


# ---- what a member's record holds


def statistics(segments: Sequence[str], prepared: Rouge, options: Options, done: Done | None) -> Floats:
    """(n, 4) recall, precision, F and 1 of each summary; for the micro average (n, 3) counts."""
    return prepared.rows(segments, done)


def columns(options: Options) -> tuple[str, ...]:
    """The names of the statistics."""
    if options["average"] == "micro":
        return ("common", "in_reference", "in_summary")
    return (*SHARES, "summaries")


def score(sums: Floats, options: Options) -> Floats:
    """ROUGE, 0 to 100, of sums (..., 4), or (..., 3) for the micro average; nan for the mean of no summary."""
    name = str(options["score"])
    if options["average"] == "micro":
        return 100.0 * share(sums, name)
    n = sums[..., 3]
    return np.where(n > 0, 100.0 * sums[..., SHARES.index(name)] / np.where(n > 0, n, 1.0), np.nan)


def titled(name: str) -> Callable[[Options], str]:
    """The `title` of a ROUGE metric: its name and the share that is looked at."""
    return lambda options: f"{name} {'F' if options['score'] == 'f' else options['score']}"


def described(name: str, declared: Sequence[Option]) -> Callable[[Streams, Options], str]:
    """The `describe` of a ROUGE metric: every setting, so that no default need be known; WordNet by its digest."""

    def describe(references: Streams, options: Options) -> str:
        told = [f"{option.name}:{options[option.name]}" for option in declared if option.name != "stop_words"]
        words = stop_words(options)
        listed = ",".join(words) if len(words) <= FEW_WORDS else f"{len(words)}-{short_digest(' '.join(words))}"
        told.append(f"stop_words:{listed or None}")
        if options["stem"] == "wordnet":
            told.append(f"wordnet:{irregular().digest[:12]}")
        return "|".join([name, f"refs:{len(references)}", *told])

    return describe


def short_digest(text: str) -> str:
    """The first digits of its SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
