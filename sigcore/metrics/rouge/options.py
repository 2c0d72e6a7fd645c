"""The options of the ROUGE metrics, and their results: how summaries are read, and the signature."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Literal, get_args

from sigcore.metrics.contract import Options, choice_of, number_of
from sigcore.metrics.rouge.irregular import irregular
from sigcore.metrics.rouge.summaries import SENTENCE_ENDS, STEMMING, TOKENIZATIONS, Reader
from sigcore.registry import Option
from sigcore.text.symbols import Streams

Share = Literal["f", "recall", "precision"]
SHARES: tuple[Share, ...] = get_args(Share)
Average = Literal["macro", "micro"]
AVERAGES: tuple[Average, ...] = get_args(Average)
Multi = Literal["A", "B", "max_f"]
MULTIS: tuple[Multi, ...] = get_args(Multi)

FEW_WORDS = 8  # stop words that a signature lists; for more it has their number and a digest

OPTIONS = (
    Option("score", "f", choices=SHARES, help="F (alpha 0.5), recall or precision."),
    Option(
        "average",
        "macro",
        choices=AVERAGES,
        help="macro: the mean of the summaries' scores, as published; micro: the score of the sum of their counts (-t 1).",
    ),
    Option(
        "multi",
        "A",
        choices=MULTIS,
        help="With several references: A: the counts of all of them together (-f A); B: the best recall (-f B); max_f: the best F.",
    ),
    Option(
        "stem",
        "none",
        choices=STEMMING,
        help="porter: compare stems as the program makes them; wordnet: with WordNet's irregular forms first (-m).",
    ),
    Option(
        "tokenization",
        "rouge",
        choices=TOKENIZATIONS,
        help="rouge: runs of a-z and 0-9, all other letters are lost; unicode: runs of the letters of any script; "
        "whitespace: text between spaces; char: single letters and digits of any script.",
    ),
    Option("stop_words", None, optional=True, help="Words that are left out, separated by spaces or commas (-s)."),
    Option("limit_words", 0, low=0, help="The number of words read of each summary and reference (-l); 0 = all."),
    Option("limit_bytes", 0, low=0, help="The number of bytes read of each summary and reference (-b); 0 = all."),
)
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
