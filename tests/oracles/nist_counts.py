"""NIST from its definition: dictionaries of n-grams, one segment after the other, with sacrebleu's tokenizers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

Words = list[str]
Information = dict[tuple[str, ...], float]


def words(tokenize: str, case: bool) -> Callable[[str], Words]:
    """mteval's words: with 13a ASCII letters in lower case, with intl all letters, with `case` none."""
    cut = {"13a": Tokenizer13a, "intl": TokenizerV14International}[tokenize]()

    def of(line: str) -> Words:
        text = cut(line.rstrip())  # as sacrebleu does: intl leaves a last "3." alone, and cuts "3. " in two
        if not case and tokenize == "13a":
            text = re.sub("[A-Z]", lambda letter: letter[0].lower(), text)
        elif not case:
            text = re.sub(".", lambda letter: letter[0].lower(), text)
        return text.split()

    return of


def ngrams(text: Words, n: int) -> list[tuple[str, ...]]:
    """The n-grams from left to right."""
    return [tuple(text[i : i + n]) for i in range(len(text) - n + 1)]


def information(references: Sequence[Words], zero_is_false: bool = False) -> Information:
    """The bits of every n-gram of all references (one list of words for each reference of each segment).

    `zero_is_false` repeats a slip of mteval-v14: for a 2-gram after the word "0" it takes the number of all words.
    """
    counts = Counter(ngram for text in references for n in range(1, 6) for ngram in ngrams(text, n))
    total = sum(map(len, references))

    def before(ngram: tuple[str, ...]) -> int:
        prefix = ngram[:-1]
        return total if not prefix or (zero_is_false and prefix == ("0",)) else counts[prefix]

    return {ngram: math.log2(before(ngram) / count) for ngram, count in counts.items()}


def row(output: Words, references: Sequence[Words], bits: Information) -> list[float]:
    """The 11 statistics of one segment."""
    gains, totals = [], []
    for n in range(1, 6):
        matched = Counter(ngrams(output, n)) & most([Counter(ngrams(text, n)) for text in references])
        gains.append(sum(count * bits[ngram] for ngram, count in matched.items()))
        totals.append(max(0, len(output) - n + 1))
    return [*gains, *totals, sum(map(len, references)) / len(references)]


def most(counters: list[Counter]) -> Counter:
    """For each n-gram the largest of its counts."""
    out: Counter = Counter()
    for counter in counters:
        out |= counter
    return out


def score(sums: Sequence[float]) -> float:
    """NIST of summed statistics."""
    precision = sum(gain / max(total, 1) for gain, total in zip(sums[:5], sums[5:10], strict=True))
    ratio = sums[5] / sums[10]
    if ratio == 0:
        return 0.0
    beta = -math.log(0.5) / math.log(1.5) ** 2
    return precision * math.exp(-beta * math.log(min(1.0, ratio)) ** 2)


def rows(
    segments: Sequence[str], references: Sequence[Sequence[str]], tokenize: str = "13a", case: bool = False
) -> list[list[float]]:
    """The statistics of every segment of a system."""
    cut = words(tokenize, case)
    golds = [[cut(text) for text in texts] for texts in zip(*references, strict=True)]
    bits = information([text for texts in golds for text in texts])
    return [row(cut(segment), texts, bits) for segment, texts in zip(segments, golds, strict=True)]
