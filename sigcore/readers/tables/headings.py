"""What the headings of tables and the keys of JSON records say."""

from __future__ import annotations

import re

from sigcore.readers import names

# What is numbered, with and without "id" behind it in its usual forms.
NUMBERED = "question prompt example item instance sample query sentence sent seg segment"
COUNTED = frozenset(NUMBERED.split())  # alone they may also stand over texts
IDS = frozenset(("segment", "seg", "id", "line", "index", "idx", "qid", "uid", "globalsegid")) | frozenset(
    f"{word}{end}" for word in NUMBERED.split() for end in ("_id", "id", " id")
)
DOCUMENTS = frozenset(("document", "doc", "docid", "doc_id", "document_id", "doc id", "topic", "topic_id"))
DOMAINS = frozenset(("domain", "genre"))
GOLD = frozenset(("reference", "references", "ref", "source", "src"))
SYSTEMS = frozenset(("system", "sys", "system_id", "sysid", "model", "model_id", "system_name"))
TEXT_WORDS = "text output hypothesis hyp translation mt prediction decoded summary target candidate response completion"
TEXTS = frozenset(TEXT_WORDS.split())
PLAIN_VALUES = frozenset(
    ("score", "scores", "raw", "z", "metric", "value", "rating")
)  # numbers of they do not say what
VALUES = TEXTS | PLAIN_VALUES
MEASURES = frozenset(("metric", "metric_name", "measure"))  # a column that names what each row measures
# facts that are no stream of a test set
LANGUAGE = [f"{side}{mark}{word}" for side in ("source", "src", "target", "tgt", "trg", "orig", "original")
            for mark in ("", "_", " ") for word in ("lang", "language")]  # fmt: skip
ASIDE = frozenset(LANGUAGE) | frozenset(
    ("filepath", "lp", "langpair", "lang_pair", "language_pair", "language", "lang", "unnamed: 0", "timestamp")
)
# what a judge writes beside a score: comment, explanation_A
REMARK = re.compile(
    "comments?|remarks?|notes?|explanations?|reasons?|reasoning|rationales?|justifications?|feedback|critiques?|spans?",
    re.IGNORECASE,
)


def role(heading: str) -> str:
    """The role a heading suggests: documents, domains, reference, source, ignored, else system."""
    lower = heading.lower()
    if lower in DOCUMENTS:
        return "documents"
    if lower in ASIDE:
        return "ignored"
    return "domains" if lower in DOMAINS else names.column_role(heading)


def is_measure(heading: str) -> bool:
    """Whether a heading names what is measured (COMET, score), not who is."""
    return heading.lower() in PLAIN_VALUES or names.measure_word(heading)


def is_remark(heading: str) -> bool:
    """Whether the first or the last word of a heading says that a remark stands below, no output."""
    words = re.split(r"[.\-_ ]+", heading)
    return any(REMARK.fullmatch(word) for word in (words[0], words[-1]))
