"""METEOR 1.5's lists of function words by language: it gives them a lower weight than content words."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

LISTS = Path(__file__).parent / "wordlists"  # see the README there for how they were found


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages that have a list."""
    return tuple(sorted(file.stem for file in LISTS.glob("*.txt")))


@cache
def function_words(language: str) -> frozenset[str]:
    """The language's function words and marks, in lower case; empty where the language has no list."""
    if language not in languages():
        return frozenset()
    return frozenset((LISTS / f"{language}.txt").read_text(encoding="utf-8").split())


@cache
def list_name(language: str) -> str:
    """The program, the language and the beginning of the list's SHA-256, for the signature; none without a list."""
    words = function_words(language)
    if not words:
        return "none"
    return f"meteor1.5-{language}-{hashlib.sha256(' '.join(sorted(words)).encode()).hexdigest()[:8]}"
