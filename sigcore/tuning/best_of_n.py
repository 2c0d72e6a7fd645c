"""Best of n: the hypothesis with the highest value in one column, such as the score of a judge or a reward model."""

from __future__ import annotations

from sigcore.proof import Named, Proof
from sigcore.registry import Option
from sigcore.tuning.contract import Method

METHOD = Method(
    name="best_of_n",
    title="best of n",
    column=lambda options: str(options["by"] or ""),
    options=(Option("by", None, optional=True, help="The column; empty = the score of the list."),),
    help="The hypothesis with the highest value in one column; nothing is tuned.",
    source="the definition",
    proof=Proof(
        (
            Named("judge", "by hand: the requested column", {"by": "judge"}),
            Named("", "by hand: no column is requested, so the score of the list"),
        )
    ),
)
