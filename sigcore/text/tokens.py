"""Tokens exactly as sacrebleu makes them; where the result is the same, each distinct word is split only once."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain

from sigcore.text import sacre

# The rules of 13a change nothing but these and line breaks: a word without any of them is one token.
# (The rules leave the apostrophe alone; including it costs little.)
ASCII_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")

MTEVAL = "13a"  # mteval's tokenizer, the default of sacrebleu

# The tokenizers that a metric may offer; those after "none" need extra packages or files.
TOKENIZERS = (MTEVAL, "intl", "zh", "char", "none", "ja-mecab", "ko-mecab", "spm", "flores101", "flores200")


class Tokenizer:
    """One of sacrebleu's tokenizers by name; `tokens(line)` are those of its BLEU.

    Every rule of 13a looks at one character and its direct neighbour, and no match crosses whitespace. So a line is
    tokenised word by word, and the tokens of each word are remembered. The exception is a line break inside the line,
    which 13a may delete: such a line is tokenised as a whole, as every line is with the other tokenizers.

    Raises: UnknownMember for an unknown name, OptionError if a package or a file is missing.
    """

    def __init__(self, name: str = MTEVAL, lowercase: bool = False) -> None:
        self.name, self.lowercase = name, lowercase
        self._line = sacre.tokenizer_function(name)
        self._words = _WordMemo(self._line) if name == MTEVAL else None

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
