"""Irregular English forms (men -> man) from the exception lists of a WordNet on this machine."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from sigcore.errors import OptionError
from sigcore.text.wordnet import VARIABLE, place

# A later list overrides an earlier one: "best" is a form of "good", not of "well". ROUGE-1.5.5 reads them in
# the order of its folder; this order gave its numbers.
LISTS = ("adv.exc", "adj.exc", "noun.exc", "verb.exc")


@dataclass(frozen=True, eq=False)
class Irregular:
    """Base forms by irregular form, and a digest of the lists (WordNet has several versions)."""

    forms: Mapping[str, str]
    digest: str


def irregular() -> Irregular:
    """The irregular forms in the folder named by SIGBOARD_WORDNET, else in /usr/share/wordnet.

    Of several base forms on one line the first counts; of several lines for one form the last, in the order of LISTS.
    Raises: OptionError if a list is missing.
    """
    return _read(place() or Path("off"))  # a folder that does not exist


@lru_cache(maxsize=4)
def _read(folder: Path) -> Irregular:
    try:
        texts = [(folder / name).read_text(encoding="utf-8") for name in LISTS]
    except OSError as error:
        what = "Stems with WordNet need its lists of irregular forms, and one is missing."
        fix = (
            f"Install WordNet (on Debian: wordnet-base), or set {VARIABLE} to the folder that holds {', '.join(LISTS)}, "
            "or choose stem = porter."
        )
        # the name alone: a visitor must not see the folders of the server
        raise OptionError(what, Path(error.filename).name, fix) from error
    words = [line.split() for text in texts for line in text.split("\n")]
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()
    return Irregular({line[0]: line[1] for line in words if len(line) > 1}, digest)
