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

# The ending of a word and that of its lemma: nouns, verbs, adjectives. The first pair that gives a lemma counts, and at
# least two letters of the word must remain.
ENDINGS = (
    *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man")),
    *(("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    *(("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
)
LETTERS_LEFT = 2


class WordNet:
    """A WordNet database; only its index and its lists of exceptions are read. Threads may share it.

    Raises: SigError for a file that is not a WordNet index.
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
                raise SigError(
                    "This is not a WordNet index.", f"{name}, line {line}", "Install WordNet again."
                ) from None
            # each part of speech has its own file, so two sets may have the same offset
            sets = tuple(len(PARTS) * offset + part for offset in offsets)
            self._sets[cells[0]] = self._sets.get(cells[0], ()) + sets

    def _take_exceptions(self, text: str, part: int, name: str) -> None:
        for _, cells in _rows(text):
            self._lemmas[cells[0]] = self._lemmas.get(cells[0], ()) + tuple(cells[1:])

    def lemmas(self, word: str) -> tuple[str, ...]:
        """The lemmas of an inflected form: from the list of exceptions, else the first that an ending gives."""
        if word in self._lemmas:
            return self._lemmas[word]
        for ending, other in ENDINGS:
            rest = word.removesuffix(ending)
            if rest != word and len(rest) >= LETTERS_LEFT and rest + other in self._sets:
                return (rest + other,)
        return ()

    def sets(self, word: str) -> tuple[int, ...]:
        """The sets of synonyms of the word and its lemmas, sorted; words that share a set are synonyms."""
        sets = set(self._sets.get(word, ()))
        for lemma in self.lemmas(word):
            sets.update(self._sets.get(lemma, ()))
        return tuple(sorted(sets))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of each line but those of the licence, which are indented."""
    for line, row in enumerate(text.split("\n"), start=1):
        if row and not row.startswith(" "):
            yield line, row.split()


def place() -> Path | None:
    """The folder where a database may be: $SIGBOARD_WORDNET, else Debian's folder; None for "off"."""
    asked = os.environ.get(VARIABLE, "").strip()
    if asked.lower() == "off":
        return None
    return Path(asked).expanduser() if asked else USUAL


def folder() -> Path | None:
    """The folder of the database; None if there is no complete one."""
    asked = place()
    complete = asked is not None and all(os.access(asked / f"index.{part}", os.R_OK) for part in PARTS)
    return asked if complete else None


def available() -> bool:
    """True if this machine has a database."""
    return folder() is not None


def find() -> WordNet:
    """The database of this machine, read once.

    Raises: OptionError if there is none; its message does not name a folder, since a visitor may read it.
    """
    database = folder()
    if database is None:
        fix = (
            f"Install Debian's wordnet-base on the machine, set {VARIABLE} to a folder with one, or leave synonyms out."
        )
        raise OptionError("Synonyms need a WordNet database, and this machine has none.", "", fix)
    stamps = tuple((database / f"index.{part}").stat().st_mtime_ns for part in PARTS)
    return _read(database, stamps)


@lru_cache(maxsize=1)
def _read(database: Path, stamps: tuple[int, ...]) -> WordNet:
    return WordNet(database)
