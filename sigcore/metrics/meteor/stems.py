"""Stems of words by the Snowball stemmers, with the rules of METEOR 1.5, each distinct word only once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec

from sigcore.errors import OptionError
from sigcore.metrics.meteor.older_rules import RULES

# The stemmers METEOR uses, by language code.
SNOWBALL = {
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "tr": "turkish",
}


def available(language: str) -> bool:
    """True if the language has a stemmer and its package is installed."""
    return language in SNOWBALL and find_spec("snowballstemmer") is not None


def package(language: str) -> str:
    """The package and its version, since stems of some words depend on it, and whether older rules are restored."""
    return f"snowball-{version('snowballstemmer')}" + ("-meteor1.5" if language in RULES else "")


class Stems(dict[str, str]):
    """Word -> its stem. Threads may share it.

    Raises: OptionError for a language without a stemmer.
    """

    def __init__(self, language: str) -> None:
        super().__init__()
        if not available(language):
            known = ", ".join(SNOWBALL) if find_spec("snowballstemmer") else "none: snowballstemmer is not installed"
            what = f"There is no stemmer for the language {language!r}."
            raise OptionError(what, "", f"Match exact words only, or choose another language ({known}).")
        name = SNOWBALL[language]
        # Not snowballstemmer.stemmer(): it uses PyStemmer where that is installed, which has other stems.
        module = import_module(f"snowballstemmer.{name}_stemmer")
        today = getattr(module, f"{name.capitalize()}Stemmer")().stemWord
        self._stem: Callable[[str], str] = partial(RULES[language], today) if language in RULES else today
        self._turn = threading.Lock()  # a stemmer stores the word that it works on

    def __missing__(self, word: str) -> str:
        with self._turn:
            stem = self[word] = str(self._stem(word))
        return stem
