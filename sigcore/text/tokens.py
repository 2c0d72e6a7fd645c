"""Tokens exactly as sacrebleu makes them; where the result is the same, each distinct word is split only once."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain

from sigcore.text import sacre

# The rules of 13a change nothing but these and line breaks: a word without any of them is one token.
# (They leave the apostrophe alone, and the hyphen that follows no digit.)
MARKED = re.compile(r"[!-&(-,./:-@\[-`{-~]|[0-9]-")
ENDINGS = frozenset('!"#$%&()*+,./:;<=>?@[\\]^_`{|}~')  # 13a splits each of them off the end of any word

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
        self.of_word = _WordMemo(self._line) if name == MTEVAL else None

    def tokens(self, line: str) -> list[str]:
        """The tokens of one line."""
        words = self.words(line)
        if words is None or self.of_word is None:
            return self._line((line.lower() if self.lowercase else line).rstrip()).split()
        return list(chain.from_iterable(map(self.of_word.__getitem__, words)))

    def words(self, line: str) -> list[str] | None:
        """The words of one line if its tokens are theirs (`of_word`), one word after the other; else None."""
        if self.of_word is None or "\n" in line:
            return None
        return (line.lower() if self.lowercase else line).split()


class _WordMemo(dict[str, tuple[str, ...]]):
    """Word -> its tokens. Threads may share it: two that miss the same word store equal values."""

    def __init__(self, tokenize: Callable[[str], str]) -> None:
        super().__init__()
        self._tokenize = tokenize

    def __missing__(self, word: str) -> tuple[str, ...]:
        if not MARKED.search(word):
            tokens: tuple[str, ...] = (word,)
        elif len(word) > 1 and word[-1] in ENDINGS and not MARKED.search(word[:-1]):
            tokens = (word[:-1], word[-1])  # most words with a mark; the rules would take longer
        else:
            tokens = tuple(self._tokenize(word).split())
        self[word] = tokens
        return tokens
