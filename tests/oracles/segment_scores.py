"""sacrebleu's score of one segment, or of counts that were summed before, through its own functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sacrebleu.metrics import BLEU, CHRF, TER


def scorer(name: str, options: Mapping[str, Any]) -> Any:
    """sacrebleu's scorer with our options."""
    if name == "bleu":
        return BLEU(
            tokenize=options.get("tokenize") or "13a",
            lowercase=options.get("lowercase", False),
            smooth_method=options.get("smooth", "exp"),
            smooth_value=options.get("smooth_value"),
            max_ngram_order=options.get("order", 4),
            effective_order=options.get("effective_order", False),
            force=True,
        )
    return {"chrf": CHRF, "ter": TER}[name](**options)


def score_of_sums(made: Any, sums: Sequence[float]) -> float:
    """The score sacrebleu gives to summed statistics (on a copy: add-k changes its list)."""
    return float(made._compute_score_from_stats([int(x) if x == int(x) else x for x in sums]).score)


def score_of_segment(made: Any, segment: str, references: Sequence[str]) -> float:
    """The corpus score of a corpus of one segment."""
    return float(made.corpus_score([segment], [[reference] for reference in references]).score)
