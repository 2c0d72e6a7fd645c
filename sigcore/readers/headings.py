"""What the headings of tables and the keys of JSON records say."""

from __future__ import annotations

from sigcore.readers import names

# What is numbered, with and without "id" behind it in its usual forms.
NUMBERED = "question prompt example item instance sample query sentence sent seg segment"
IDS = frozenset(("segment", "seg", "id", "line", "index", "idx", "qid", "uid", "globalsegid")) | frozenset(
    f"{word}{end}" for word in NUMBERED.split() for end in ("_id", "id", " id")
)
DOCUMENTS = frozenset(("document", "doc", "docid", "doc_id", "document_id", "doc id", "topic", "topic_id"))
DOMAINS = frozenset(("domain", "genre"))
GOLD = frozenset(("reference", "references", "ref", "source", "src"))
SYSTEMS = frozenset(("system", "sys", "system_id", "sysid", "model", "model_id", "system_name"))
TEXTS = frozenset(("text", "output", "hypothesis", "hyp", "translation", "mt", "prediction", "decoded", "summary"))
VALUES = TEXTS | frozenset(("score", "scores", "raw", "z", "metric"))
ASIDE = frozenset(("orig_lang", "origlang", "filepath", "lp", "langpair"))  # facts that are no stream of a test set


def role(heading: str) -> str:
    """The role a heading suggests: documents, domains, reference, source, ignored, else system."""
    lower = heading.lower()
    if lower in DOCUMENTS:
        return "documents"
    if lower in ASIDE:
        return "ignored"
    return "domains" if lower in DOMAINS else names.column_role(heading)
