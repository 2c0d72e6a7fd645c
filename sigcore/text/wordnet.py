"""Synonyms from a WordNet database on this machine: which sets of synonyms a word is in."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from sigcore.errors import OptionError, SigError

VARIABLE = "SIGBOARD_WORDNET"
USUAL = Path("/usr/share/wordnet")  # where Debian's package wordnet-base puts it

PARTS = ("noun", "verb", "adj", "adv")

# What a word may have at its end, and what its lemma has there: nouns, verbs, adjectives. The first that gives a lemma
# counts, and two letters must be left of the word.
ENDINGS = (
    *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man")),
    *(("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    *(("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
)
LETTERS_LEFT = 2


class WordNet:
    """A WordNet database, of which only the index and the lists of exceptions are read; threads may share it.

    Raises: SigError for a file that is no WordNet index.
    """

    def __init__(self, folder: Path) -> None:
        self._sets: dict[str, tuple[int, ...]] = {}  # lemma -> its sets, of all parts of speech
        self._lemmas: dict[str, tuple[str, ...]] = {}  # irregular form -> its lemmas
        sha = hashlib.sha256()
        for number, part in enumerate(PARTS):
            index, exceptions = folder / f"index.{part}", folder / f"{part}.exc"
            for file, take in ((index, self._take_index), (exceptions, self._take_exceptions)):
                data = file.read_bytes() if file.exists() else b""
                sha.update(data)
                take(data.decode("utf-8", "replace"), number, file.name)
        self.digest = sha.hexdigest()[:8]

    def _take_index(self, text: str, part: int, name: str) -> None:
        for line, cells in _rows(text):
            try:
                count = int(cells[2])
                offsets = [int(cell) for cell in cells[-count:]]
            except (ValueError, IndexError):
                raise SigError("This is no WordNet index.", f"{name}, line {line}", "Install WordNet again.") from None
            # parts of speech have files of their own, so that two sets may begin at the same place
            sets = tuple(len(PARTS) * offset + part for offset in offsets)
            self._sets[cells[0]] = self._sets.get(cells[0], ()) + sets

    def _take_exceptions(self, text: str, part: int, name: str) -> None:
        for _, cells in _rows(text):
            self._lemmas[cells[0]] = self._lemmas.get(cells[0], ()) + tuple(cells[1:])

    def lemmas(self, word: str) -> tuple[str, ...]:
        """The lemmas of an inflected form: those of the list of exceptions, else the first that an ending gives."""
        if word in self._lemmas:
            return self._lemmas[word]
        for ending, other in ENDINGS:
            rest = word.removesuffix(ending)
            if rest != word and len(rest) >= LETTERS_LEFT and rest + other in self._sets:
                return (rest + other,)
        return ()

    def sets(self, word: str) -> tuple[int, ...]:
        """The sets of synonyms that the word or one of its lemmas is in, in rising order: words that share one are
        synonyms."""
        found = set(self._sets.get(word, ()))
        for lemma in self.lemmas(word):
            found.update(self._sets.get(lemma, ()))
        return tuple(sorted(found))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of each line that is no part of the licence, which is indented."""
    for line, row in enumerate(text.split("\n"), start=1):
        if row and not row.startswith(" "):
            yield line, row.split()


def place() -> Path | None:
    """Where a database would lie: $SIGBOARD_WORDNET, else Debian's folder; None for "off"."""
    asked = os.environ.get(VARIABLE, "").strip()
    if asked.lower() == "off":
        return None
    return Path(asked).expanduser() if asked else USUAL


def folder() -> Path | None:
    """Where the database lies; None where there is none."""
    found = place()
    whole = found is not None and all(os.access(found / f"index.{part}", os.R_OK) for part in PARTS)
    return found if whole else None


def available() -> bool:
    """True where there is a database."""
    return folder() is not None


def find() -> WordNet:
    """The database of this machine, read once.

    Raises: OptionError where there is none; its message names no folder, since a visitor may read it.
    """
    found = folder()
    if found is None:
        fix = (
            f"Install Debian's wordnet-base on the machine, set {VARIABLE} to a folder with one, or leave synonyms out."
        )
        raise OptionError("Synonyms need a WordNet database, and there is none.", "", fix)
    stamps = tuple((found / f"index.{part}").stat().st_mtime_ns for part in PARTS)
    return _read(found, stamps)


@lru_cache(maxsize=1)
def _read(found: Path, stamps: tuple[int, ...]) -> WordNet:
    return WordNet(found)
