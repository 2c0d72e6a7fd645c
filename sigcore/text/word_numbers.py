"""The numbers of words where a line is tokenised word by word: each distinct word is tokenised and looked up once."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

import numpy as np

from sigcore.text.symbols import Symbols, Vocabulary, starts_of
from sigcore.text.tokens import Tokenizer

INT = "i"  # as many bytes as np.int32
SIZE = array(INT).itemsize


class WordVocabulary(Vocabulary):
    """A vocabulary of a tokenizer's tokens; `read` is faster where the tokenizer goes word by word."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__(tokenizer.tokens)
        self._tokenizer = tokenizer
        self._memo = _NumberMemo(self._numbered)

    def learn(self, lines: Sequence[str]) -> Symbols:
        """The lines' words; every new one gets the next number."""
        self._memo.clear()  # some words in it may be known from now on
        return super().learn(lines)

    def read(self, lines: Sequence[str]) -> Symbols:
        """The lines' words, UNKNOWN where no reference has them."""
        if self._tokenizer.of_word is None:
            return super().read(lines)
        rows = list(map(self._row, lines))
        # a bytearray, since kernels take arrays that can be written
        data = bytearray().join(rows)
        return Symbols(np.frombuffer(data, dtype=np.int32), starts_of(len(row) // SIZE for row in rows))

    def _row(self, line: str) -> bytes:
        """The numbers of one line, as bytes."""
        words = self._tokenizer.words(line)
        if words is None:
            return self._bytes(self._tokenizer.tokens(line))
        return b"".join(map(self._memo.__getitem__, words))

    def _numbered(self, word: str) -> bytes:
        assert self._tokenizer.of_word is not None
        return self._bytes(self._tokenizer.of_word[word])

    def _bytes(self, tokens: Sequence[str]) -> bytes:
        return array(INT, self.numbers(tokens)).tobytes()


class _NumberMemo(dict[str, bytes]):
    """Word -> the numbers of its tokens. Threads may share it: two that miss the same word store equal values."""

    def __init__(self, numbered: Callable[[str], bytes]) -> None:
        super().__init__()
        self._numbered = numbered

    def __missing__(self, word: str) -> bytes:
        numbers = self[word] = self._numbered(word)
        return numbers
