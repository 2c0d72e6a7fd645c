"""Reads summaries as ROUGE does: sentences, limits on their length, tokens, stop words, stems."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from typing import Literal, get_args

from sigcore.errors import OptionError
from sigcore.metrics.rouge.irregular import irregular
from sigcore.metrics.rouge.porter import stem

Tokenization = Literal["rouge", "unicode", "whitespace", "char"]
TOKENIZATIONS: tuple[Tokenization, ...] = get_args(Tokenization)
Stemming = Literal["none", "porter", "wordnet"]
STEMMING: tuple[Stemming, ...] = get_args(Stemming)
SentenceEnds = Literal["marked", "stops", "none"]
SENTENCE_ENDS: tuple[SentenceEnds, ...] = get_args(SentenceEnds)

# The separators of the sentences of a summary: line feeds, or the marks of files with one summary per line.
MARK = re.compile(r"\n|</?[tsqn]>|<s_sep>|\[x_sep\]", re.IGNORECASE)
WIDE_STOP = re.compile("(?<=[。！？])")
GLUED_STOP = re.compile(r"(?<=\s[.!?])(?=[^\W\d_])")  # "left .she came": common in the CNN and Daily Mail summaries
STOP = re.compile(r"(?:.*[^.])?[.!?]+[\"'’”)\]»]*")
ABBREVIATION = re.compile(r"\W*(?:(?:[^\W\d_]\.)+|(?:mr|mrs|ms|dr|st|no|vs|prof|gen|sen|rep|gov|lt|col|jr|sr)\.)", re.I)

ASCII_WORD = re.compile("[A-Za-z0-9]+")
ASCII_LETTERS = re.compile("[A-Za-z]+")
SHORT = 3  # words of at most this many letters are their own stems


@dataclass(frozen=True, eq=False)
class Reader:
    """Turns a summary into tokens: `tokens(text)` are all of them, `sentences(text)` the same by sentence.

    A limit of 0 means no limit. Raises: OptionError for two limits, or for stems that need a missing WordNet.
    """

    tokenization: Tokenization = "rouge"
    stem: Stemming = "none"
    stop_words: frozenset[str] = frozenset()
    limit_words: int = 0
    limit_bytes: int = 0
    sentence_ends: SentenceEnds = "marked"
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
        parts = limited(sentences(text, self.sentence_ends), self.limit_words, self.limit_bytes)
        return [words for words in map(self._tokens, parts) if words]

    def _tokens(self, sentence: str) -> list[str]:
        words = tokens(sentence, self.tokenization)
        if self.stop_words:
            words = [word for word in words if word not in self.stop_words]
        return words if self._stems is None else [self._stems[word] for word in words]


class Stems(dict[str, str]):
    """Word -> its stem, irregular forms first. Threads may share it: two that miss the same word store equal values."""

    def __init__(self, irregular_forms: Mapping[str, str]) -> None:
        super().__init__()
        self._forms = irregular_forms

    def __missing__(self, word: str) -> str:
        plain = len(word) <= SHORT or not word.isascii()
        result = self[word] = word if plain else self._forms.get(word) or stem(word)
        return result


# ---- sentences


def sentences(text: str, ends: SentenceEnds) -> list[str]:
    """The sentences of a summary, without marks and without spaces around them.

    They end at line feeds and marks ("marked"), or also after . ! ? where a sentence seems to end ("stops"); with "none"
    the summary is one sentence.
    """
    parts = [part for part in map(str.strip, MARK.split(text)) if part]
    if ends == "none":
        return [" ".join(parts)]
    return list(chain.from_iterable(map(at_stops, parts))) if ends == "stops" else parts


def at_stops(text: str) -> Iterator[str]:
    """The text cut where a sentence seems to end.

    That is after 。！？ and after a word that is or ends with . ! ?, unless it is an abbreviation or the next word
    begins with a lower-case letter. Tokenised text, with spaces around its stops, needs no such guess.
    """
    for part in WIDE_STOP.split(GLUED_STOP.sub(" ", text)):
        sentence: list[str] = []
        words = part.split()
        for word, following in zip_longest(words, words[1:], fillvalue=""):
            sentence.append(word)
            if is_end(word, following):
                yield " ".join(sentence)
                sentence = []
        if sentence:
            yield " ".join(sentence)


def is_end(word: str, following: str) -> bool:
    """Whether a sentence seems to end between two words."""
    if word in (".", "!", "?"):
        return True
    return bool(STOP.fullmatch(word)) and not ABBREVIATION.fullmatch(word) and not following[:1].islower()


# ---- limits


def limited(parts: Sequence[str], words: int, size: int) -> list[str]:
    """The sentences up to a limit in words (separated by spaces) or bytes of UTF-8; 0 means no limit.

    Separators between sentences are not counted; a limit in bytes may cut through a word.
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
    """The first bytes of a text in UTF-8, without a character that was cut."""
    return text.encode("utf-8", "surrogatepass")[:most].decode("utf-8", "ignore")


# ---- tokens


def tokens(text: str, tokenization: Tokenization) -> list[str]:
    """The tokens of a text, in lower case.

    "rouge": runs of ASCII letters and digits, as in ROUGE-1.5.5: any other letter separates words and is lost;
    "unicode": runs of letters, digits and the marks that belong to them, of any script; "char": these, character by
    character; "whitespace": text between spaces.
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
        result = self[code] = code if unicodedata.category(chr(code))[0] in "LMN" else ord(" ")
        return result


PARTS_OF_WORDS = _PartsOfWords()


def ascii_letters(texts: Iterable[str]) -> tuple[int, int]:
    """(letters that the tokenization "rouge" keeps, all letters)."""
    kept = letters = 0
    for text in texts:
        kept += sum(map(len, ASCII_LETTERS.findall(text)))
        letters += sum(map(str.isalpha, text))
    return kept, letters
