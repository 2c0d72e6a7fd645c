"""The words of NIST: a tokenizer's, then lower case as mteval makes it."""

from __future__ import annotations

from sigcore.text.tokens import MTEVAL, Tokenizer


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
