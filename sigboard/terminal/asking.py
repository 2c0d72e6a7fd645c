"""The last lines of an answer that asks what columns hold: the command that a person writes who knows it."""

from __future__ import annotations

from collections.abc import Sequence

INTRODUCTION = "Otherwise write your headings in place of the capitals:"
SCORES = (
    ("SYSTEM=system ITEM=question SCORE=score", "a row for each system and item; RUN=run or TASK=task may follow"),
    ("SYSTEM=system ITEM=question ANSWER=text RIGHT=reference", "labels or texts beside what is right"),
    ("ITEM=question A=system B=system", "a column for each system; RIGHT=reference may follow"),
)
FORMS = {
    "human": (
        ("SYSTEM=system ITEM=question RATING=score", "a row for each rating; WHO=judge may follow"),
        ("ITEM=question A=system B=system", "a column for each system"),
    ),
    "pairwise": (("ITEM=question LEFT=first RIGHT=second BEST=winner", "a row for each comparison"),),
}


def own(arguments: Sequence[str]) -> list[str]:
    """The lines for the command that these arguments name."""
    forms = FORMS.get(next(iter(arguments), ""), SCORES)
    width = max(len(roles) for roles, _ in forms)
    return [INTRODUCTION, *(f"    --columns {roles:{width}}  # {what}" for roles, what in forms)]
