"""Splits text into tokens exactly as sacrebleu does, each distinct word only once where that is the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain

from sigcore.text import sacre

# The 13a rules touch nothing else, apart from line breaks: a word without one of these is one token.
# (The apostrophe is left alone by the rules; it costs little to have it here.)
ASCII_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")

# The tokenizers a metric may offer; those after "none" need packages or files of their own.
TOKENIZERS = ("13a", "intl", "zh", "char", "none", "ja-mecab", "ko-mecab", "spm", "flores101", "flores200")

# What chrF++ cuts off a word's end or beginning.
MARKS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class Tokenizer:
    """One of sacrebleu's tokenizers by name; `tokens(line)` are those of its BLEU.

    With 13a every rule looks at one character and its direct neighbour and no match can reach over
    whitespace, so a line is tokenised word by word and every word is remembered. The one exception
    is a line break inside the line, which 13a may delete: such a line is tokenised as a whole, as
    all lines are with the other tokenizers, whose rules see more.

    Raises: UnknownMember for an unknown name, OptionError where a package or a file is missing.
    """

    def __init__(self, name: str = "13a", lowercase: bool = False) -> None:
        self.name, self.lowercase = name, lowercase
        self._line = sacre.tokenizer_function(name)
        self._words = _WordMemo(self._line) if name == "13a" else None

    def tokens(self, line: str) -> list[str]:
        """The tokens of one line."""
        if self.lowercase:
            line = line.lower()
        if self._words is None or "\n" in line:
            return self._line(line.rstrip()).split()
        return list(chain.from_iterable(map(self._words.__getitem__, line.split())))


class _WordMemo(dict[str, tuple[str, ...]]):
    """Word -> its tokens. Threads may share it: two that miss the same word store equal values."""

    def __init__(self, tokenize: Callable[[str], str]) -> None:
        super().__init__()
        self._tokenize = tokenize

    def __missing__(self, word: str) -> tuple[str, ...]:
        marked = ASCII_PUNCTUATION.search(word)
        tokens = self[word] = tuple(self._tokenize(word).split()) if marked else (word,)
        return tokens


class MtevalWords:
    """One of sacrebleu's tokenizers by name, and then lower case as NIST's mteval makes it.

    With 13a only ASCII letters become small, with every other tokenizer all letters do, each for itself
    (so that a sigma is the same at the end of a word); with `case` none does. Lower case comes last, since
    a rule may ask for letters as they are written (&quot; but not &QUOT;). Raises: as Tokenizer.
    """

    def __init__(self, name: str = "13a", case: bool = False) -> None:
        self._tokens = Tokenizer(name).tokens
        self._lowered = None if case else _LowerMemo(ascii_only=name == "13a")

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


class WordMarks(dict[str, tuple[str, ...]]):
    """Word -> the words of chrF++: one mark is cut off the end, or else off the beginning."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(word) > 1 and word[-1] in MARKS:
            parts: tuple[str, ...] = (word[:-1], word[-1])
        elif len(word) > 1 and word[0] in MARKS:
            parts = (word[0], word[1:])
        else:
            parts = (word,)
        self[word] = parts
        return parts

    def tokens(self, line: str) -> list[str]:
        """The words of one line."""
        return list(chain.from_iterable(map(self.__getitem__, line.split())))


class TerWords:
    """sacrebleu's tercom tokenizer; `tokens(line)` are the words TER compares."""

    def __init__(self, normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool) -> None:
        self._line = sacre.tercom_tokenizer(normalized, no_punct, asian_support, case_sensitive)
        self._plain = not (normalized or no_punct)  # then the tokenizer does no more than lower()
        self._case_sensitive = case_sensitive

    def tokens(self, line: str) -> list[str]:
        """The words of one line."""
        if not self._plain:
            return self._line(line.rstrip()).split()
        return line.split() if self._case_sensitive else line.lower().split()
