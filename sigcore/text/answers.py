"""Short answers as SQuAD compares them: without case, punctuation, English articles and extra whitespace."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence

ARTICLES = re.compile(r"\b(?:a|an|the)\b", re.IGNORECASE)
BLANKS = str.maketrans(dict.fromkeys(string.punctuation, " "))
NO_PUNCTUATION = str.maketrans("", "", string.punctuation)  # ASCII only, as in SQuAD


def normalized(text: str, case: bool = False, articles: bool = False) -> str:
    """The answer in normal form; with `case` or `articles` these are kept.

    Punctuation is removed before articles, so "the-end" becomes "theend", which has no article. Source: Rajpurkar et al. 2016.
    """
    text = (text if case else text.lower()).translate(NO_PUNCTUATION)
    return " ".join((text if articles else ARTICLES.sub(" ", text)).split())


def apart(text: str, case: bool = False, articles: bool = False) -> str:
    """The same with a blank for each mark, so that words joined by one stay apart: "id:42" has the word 42."""
    return normalized(text.translate(BLANKS), case, articles)


def accepted(
    references: Sequence[str],
    case: bool = False,
    articles: bool = False,
    form: Callable[[str, bool, bool], str] = normalized,
) -> list[str]:
    """The distinct normal forms of a segment's references, sorted; an empty one only where all are empty.

    So a file of second answers may have blank lines for segments without a second answer. Source: Rajpurkar et al. 2018.
    """
    forms = {form(text, case, articles) for text in references}
    return sorted(forms - {""} or forms)


# Scripts without blanks between words: kana, Chinese characters, Thai, Burmese, Khmer.
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")


def covers(output: str, answer: str) -> bool:
    """Whether an answer stands in an output as whole words, both in one form; in scripts without blanks as its characters.

    An empty answer stands only in an empty output.
    """
    if not answer:
        return not output
    return answer in output if UNSPACED.search(answer) else f" {answer} " in f" {output} "
