"""Reads summaries as ROUGE does: sentences, limits on their length, tokens, stop words, stems."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from sigcore.errors import OptionError
from sigcore.metrics.rouge.irregular import irregular
from sigcore.metrics.rouge.porter import stem

# What stands between or around the sentences of a summary: line feeds, or the marks of files with one summary per line.
MARK = re.compile(r"\n|</?[tsqn]>|<s_sep>|\[x_sep\]", re.IGNORECASE)
WIDE_STOP = re.compile("(?<=[。！？])")
GLUED_STOP = re.compile(r"(?<=\s[.!?])(?=[^\W\d_])")  # "left .she came": common in the CNN and Daily Mail summaries
STOP = re.compile(r"(?:.*[^.])?[.!?]+[\"'’”)\]»]*")
ABBREVIATION = re.compile(r"\W*(?:(?:[^\W\d_]\.)+|(?:mr|mrs|ms|dr|st|no|vs|prof|gen|sen|rep|gov|lt|col|jr|sr)\.)", re.I)

ASCII_WORD = re.compile("[A-Za-z0-9]+")
ASCII_LETTERS = re.compile("[A-Za-z]+")
SHORT = 3  # words of up to so many letters are their own stems


@dataclass(frozen=True, eq=False)
class Reader:
    """How a summary becomes tokens; `tokens(text)` are all of them, `sentences(text)` the same by sentence.

    A limit of 0 is none. Raises: OptionError for two limits, or for stems that need a WordNet that is not there.
    """

    tokenization: str = "rouge"
    stem: str = "none"
    stop_words: frozenset[str] = frozenset()
    limit_words: int = 0
    limit_bytes: int = 0
    parted: str = "marked"
    _stems: Stems | None = field(init=False)

    def __post_init__(self) -> None:
        if self.limit_words and self.limit_bytes:
            what = f"limit_words = {self.limit_words} and limit_bytes = {self.limit_bytes} are both set."
            raise OptionError(what, "", "Set one of them to 0: a summary has one limit.")
        forms = irregular().forms if self.stem == "wordnet" else {}
        object.__setattr__(self, "_stems", None if self.stem == "none" else Stems(forms))

    def tokens(self, text: str) -> list[str]:
        """The tokens of a summary."""
        return list(chain.from_iterable(self.sentences(text)))

    def sentences(self, text: str) -> list[list[str]]:
        """The tokens of a summary, sentence by sentence; sentences without any are left out."""
        parts = limited(sentences(text, self.parted), self.limit_words, self.limit_bytes)
        return [found for found in map(self._tokens, parts) if found]

    def _tokens(self, sentence: str) -> list[str]:
        found = tokens(sentence, self.tokenization)
        if self.stop_words:
            found = [word for word in found if word not in self.stop_words]
        return found if self._stems is None else [self._stems[word] for word in found]


class Stems(dict[str, str]):
    """Word -> its stem, irregular forms first. Threads may share it: two that miss the same word store equal values."""

    def __init__(self, irregular_forms: Mapping[str, str]) -> None:
        super().__init__()
        self._forms = irregular_forms

    def __missing__(self, word: str) -> str:
        plain = len(word) <= SHORT or not word.isascii()
        found = self[word] = word if plain else self._forms.get(word) or stem(word)
        return found


# ---- sentences


def sentences(text: str, parted: str) -> list[str]:
    """The sentences of a summary without blanks around them; marks are no part of any.

    `parted` = "marked": at line feeds and marks; "stops": also behind . ! ? where a sentence seems to end; "none": the
    summary is one sentence.
    """
    parts = [part for part in map(str.strip, MARK.split(text)) if part]
    if parted == "none":
        return [" ".join(parts)]
    return list(chain.from_iterable(map(at_stops, parts))) if parted == "stops" else parts


def at_stops(text: str) -> Iterator[str]:
    """The text cut where a sentence seems to end.

    That is behind 。！？ and behind a word that is or ends with . ! ?, unless it is an abbreviation or the next word
    begins with a small letter. Text that was tokenised, with blanks around its stops, needs no such guess.
    """
    for part in WIDE_STOP.split(GLUED_STOP.sub(" ", text)):
        sentence: list[str] = []
        words = part.split()
        for word, following in zip_longest(words, words[1:], fillvalue=""):
            sentence.append(word)
            if ends(word, following):
                yield " ".join(sentence)
                sentence = []
        if sentence:
            yield " ".join(sentence)


def ends(word: str, following: str) -> bool:
    """Whether a sentence seems to end between two words."""
    if word in (".", "!", "?"):
        return True
    return bool(STOP.fullmatch(word)) and not ABBREVIATION.fullmatch(word) and not following[:1].islower()


# ---- limits


def limited(parts: Sequence[str], words: int, size: int) -> list[str]:
    """The sentences, cut after so many words (separated by blanks) or bytes of UTF-8; 0 cuts nothing.

    What stands between two sentences is not counted; a limit in bytes may cut through a word.
    """
    if not (words or size):
        return list(parts)
    kept, left = [], words or size
    for part in parts:
        kept.append(first_words(part, left) if words else first_bytes(part, left))
        left -= len(part.split()) if words else len(part.encode("utf-8", "surrogatepass"))
        if left <= 0:
            break
    return kept


def first_words(text: str, most: int) -> str:
    """The first words of a text."""
    return " ".join(text.split()[:most])


def first_bytes(text: str, most: int) -> str:
    """The first bytes of a text in UTF-8, without a character that was cut through."""
    return text.encode("utf-8", "surrogatepass")[:most].decode("utf-8", "ignore")


# ---- tokens


def tokens(text: str, tokenization: str) -> list[str]:
    """The tokens of a text, in small letters.

    "rouge": runs of ASCII letters and digits, as ROUGE-1.5.5 has them: any other letter parts words and is lost;
    "unicode": runs of letters, digits and the marks that belong to them, of any script; "char": these, character by
    character; "whitespace": what stands between blanks.
    """
    if tokenization == "rouge":
        return " ".join(ASCII_WORD.findall(text)).lower().split(" ") if ASCII_WORD.search(text) else []
    if tokenization == "whitespace":
        return text.lower().split()
    words = text.lower().translate(PARTS_OF_WORDS).split()
    return words if tokenization == "unicode" else list("".join(words))


class _PartsOfWords(dict[int, int]):
    """Code point -> itself where it is a letter, a mark or a number, else a blank."""

    def __missing__(self, code: int) -> int:
        found = self[code] = code if unicodedata.category(chr(code))[0] in "LMN" else ord(" ")
        return found


PARTS_OF_WORDS = _PartsOfWords()


def ascii_letters(texts: Iterable[str]) -> tuple[int, int]:
    """How many letters the tokenization "rouge" keeps, and how many there are."""
    kept = letters = 0
    for text in texts:
        kept += sum(map(len, ASCII_LETTERS.findall(text)))
        letters += sum(map(str.isalpha, text))
    return kept, letters
