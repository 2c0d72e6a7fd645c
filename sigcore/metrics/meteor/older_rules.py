"""Stems by the older Snowball rules of METEOR 1.5, made from today's stemmers where their rules have changed since."""

from __future__ import annotations

import re
from collections.abc import Callable

Stemmer = Callable[[str], str]

NEUTRAL = "\ue000"  # a private character: no rule knows it
VOWEL = "ô"  # a vowel that is in no French ending
NISSE = ("nisse", "nissen", "nisses")
# Where the older rules remove a final ë (after gu), so do today's; in aiguë the ending begins too early for both.
FRENCH_DIAERESIS = re.compile("ï|(?<!gu)ë|(?<=^aigu)ë")


def german(stem: Stemmer, word: str) -> str:
    """The stem of a German word; "ereignisse" keeps its second s, which today's rules remove."""
    found = stem(word)
    return found + "s" if found.endswith("nis") and word.replace("ß", "ss").endswith(NISSE) else found


def french(stem: Stemmer, word: str) -> str:
    """The stem of a French word; ë and ï are vowels like any other, which today's rules read as e and i."""
    if not FRENCH_DIAERESIS.search(word):
        return stem(word)
    found = stem(FRENCH_DIAERESIS.sub(VOWEL, word))  # stems keep the places of letters
    return "".join(old if old in "ëï" and new == VOWEL else new for old, new in zip(word, found, strict=False))


def russian(stem: Stemmer, word: str) -> str:
    """The stem of a Russian word; ё is a letter without a rule, which today's rules read as е."""
    return stem(word.replace("ё", NEUTRAL)).replace(NEUTRAL, "ё")


RULES: dict[str, Callable[[Stemmer, str], str]] = {"de": german, "fr": french, "ru": russian}
