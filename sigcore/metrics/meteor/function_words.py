"""Lists of function words by language: METEOR gives them a lower weight than content words."""

from __future__ import annotations

from functools import cache
from pathlib import Path

LISTS = Path(__file__).parent / "wordlists"  # see the README there for their origin

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
    return PUNCTUATION.union((LISTS / f"{language}.txt").read_text(encoding="utf-8").split())
