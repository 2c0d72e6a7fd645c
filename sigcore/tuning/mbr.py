"""Minimum Bayes risk: the hypothesis that agrees most with the others of its list."""

from __future__ import annotations

from sigcore.proof import Named, Proof
from sigcore.registry import Option
from sigcore.tuning.contract import Method

METHOD = Method(
    name="mbr",
    title="minimum Bayes risk",
    column=lambda options: f"consensus_{options['utility']}",
    options=(Option("utility", "chrf", choices=("chrf", "bleu"), help="The agreement of two hypotheses."),),
    help="The hypothesis with the highest mean agreement with the others, all equally probable; nothing is tuned.",
    source="Kumar & Byrne 2004; Eikema & Aziz 2020",
    proof=Proof(
        (
            Named("consensus_chrf", "the feature of the mean chrF with the others, as kbest names it"),
            Named("consensus_bleu", "the feature of the mean BLEU with the others", {"utility": "bleu"}),
        )
    ),
)
