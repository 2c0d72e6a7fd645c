"""Lists of function words by language: METEOR gives them a lower weight than content words."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

LISTS = Path(__file__).parent / "wordlists"  # see the README there for their origin

# The list that METEOR 1.5 prints its counts with, marks included; the others were written for Sigboard.
OF_THE_PROGRAM = frozenset({"en"})
PUNCTUATION = frozenset((*".,?!:;()\"'-–—“”„‘’«»…", "..."))


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages that have a list."""
    return tuple(sorted(file.stem for file in LISTS.glob("*.txt")))


@cache
def function_words(language: str) -> frozenset[str]:
    """The language's function words and punctuation, in lower case; empty where the language has no list."""
    if language not in languages():
        return frozenset()
    words = frozenset((LISTS / f"{language}.txt").read_text(encoding="utf-8").split())
    return words if language in OF_THE_PROGRAM else PUNCTUATION | words


@cache
def list_name(language: str) -> str:
    """Who made the list, its language and the beginning of its SHA-256, for the signature; none where there is none."""
    words = function_words(language)
    if not words:
        return "none"
    origin = "meteor1.5" if language in OF_THE_PROGRAM else "sigboard"
    return f"{origin}-{language}-{hashlib.sha256(' '.join(sorted(words)).encode()).hexdigest()[:8]}"
