"""Short answers as SQuAD compares them: without case, punctuation, English articles and extra whitespace."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

ARTICLES = re.compile(r"\b(?:a|an|the)\b", re.IGNORECASE)
NO_PUNCTUATION = str.maketrans("", "", string.punctuation)  # ASCII only, as in SQuAD


def normalized(text: str, case: bool = False, articles: bool = False) -> str:
    """The answer in normal form; with `case` or `articles` these are kept.

    Punctuation is removed before articles, so "the-end" becomes "theend", which has no article. Source: Rajpurkar et al. 2016.
    """
    text = (text if case else text.lower()).translate(NO_PUNCTUATION)
    return " ".join((text if articles else ARTICLES.sub(" ", text)).split())


def accepted(references: Sequence[str], case: bool = False, articles: bool = False) -> list[str]:
    """The distinct normal forms of a segment's references, sorted; an empty one only where all are empty.

    So a file of second answers may have blank lines for segments without a second answer. Source: Rajpurkar et al. 2018.
    """
    forms = {normalized(text, case, articles) for text in references}
    return sorted(forms - {""} or forms)
