"""The words of TER, as sacrebleu's tercom tokenizer cuts them."""

from __future__ import annotations

from sigcore.text import sacre


class TerWords:
    """sacrebleu's tercom tokenizer; `tokens(line)` are the words that TER compares."""

    def __init__(self, normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool) -> None:
        self._line = sacre.tercom_tokenizer(normalized, no_punct, asian_support, case_sensitive)
        self._plain = not (normalized or no_punct)  # then the tokenizer only lowers the case
        self._case_sensitive = case_sensitive

    def tokens(self, line: str) -> list[str]:
        """The words of one line."""
        if not self._plain:
            return self._line(line.rstrip()).split()
        return line.split() if self._case_sensitive else line.lower().split()
