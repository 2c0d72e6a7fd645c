"""The last lines of an answer that asks what columns hold: the command that a person writes who knows it."""

from __future__ import annotations

from collections.abc import Sequence

INTRODUCTION = "Otherwise write your headings in place of the capitals:"
ALONE = " (without SYSTEM=system where each file is one)"
SCORES = (
    (
        "SYSTEM=system ITEM=question SCORE=score",
        f"a row for each system and item{ALONE}; RUN=run or TASK=task may follow",
    ),
    ("SYSTEM=system ITEM=question ANSWER=text RIGHT=reference", f"labels or texts beside what is right{ALONE}"),
    ("ITEM=question A=system B=system", "a column for each system; RIGHT=reference may follow"),
)
FORMS = {
    "human": (
        ("SYSTEM=system ITEM=question RATING=score", f"a row for each rating{ALONE}; WHO=judge may follow"),
        ("ITEM=question A=system B=system", "a column for each system"),
    ),
    "pairwise": (("ITEM=question LEFT=first RIGHT=second BEST=winner", "a row for each comparison"),),
}


JUDGED = "=winner"  # in a command that reads comparisons of two systems


def own(arguments: Sequence[str], question: str = "") -> list[str]:
    """The lines for the command that these arguments name; where an answer to the question reads comparisons of two systems,
    which other commands do not test, they say so first."""
    command = next(iter(arguments), "")
    forms, other = FORMS.get(command, SCORES), list[str]()
    if JUDGED in question and command not in ("pairwise", "data"):
        forms = (*FORMS["pairwise"], *forms)
        other = [f"Comparisons of two systems are tested by the command pairwise, in place of {command}."]
    width = max(len(roles) for roles, _ in forms)
    return [*other, INTRODUCTION, *(f"    --columns {roles:{width}}  # {what}" for roles, what in forms)]
