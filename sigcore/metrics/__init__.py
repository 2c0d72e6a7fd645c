"""The metrics, found by name; each is one file or folder here."""

from __future__ import annotations

from sigcore.metrics.contract import Metric, extractor, from_values
from sigcore.registry import member
from sigcore.registry import members as _members

__all__ = ["Metric", "extractor", "from_values", "get", "members", "usual"]


def members() -> dict[str, Metric]:
    """All metrics by name."""
    return _members(__name__, "METRIC")


# The usual metric of texts that are not running text: of a few classes, and of answers of one word or a few, where BLEU, which
# counts four words in a row, says nothing; of longer outputs, where token F1 counts what else is said; of transcripts, also without
# spaces between words.
OF_TEXTS = {
    "labels": "accuracy", "single words": "exact_match", "answers": "token_f1", "long answers": "cover_em", "speech": "wer", "unspaced speech": "cer",
}  # fmt: skip

# The usual metric of the kinds that have several.
FIRST = ("bleu", "ndcg")


def usual(kind: str, texts: str = "") -> str:
    """The name of the default metric for a kind of test set; `texts` is what its texts are: a key of OF_TEXTS."""
    if texts and kind == "text":
        return OF_TEXTS[texts]
    names = [metric.name for metric in members().values() if metric.kind == kind]
    return next((name for name in FIRST if name in names), names[0])


def get(name: str) -> Metric:
    """The metric with that name.

    Raises: UnknownMember, with the nearest names.
    """
    metric: Metric = member(__name__, "METRIC", "metric", name)
    return metric
