"""What the domains say, as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from sigcore.formatting import count, listed
from sigcore.significance import LEAST_UNITS
from sigcore.studies.domains.replicability import Replicated
from sigcore.types import Unit

DIRECTION = (
    "Replicability: the direction of each pair is that of its gain on all segments, so the same scores decide it. A count "
    "is too large with a probability of at most twice alpha, and it is not corrected for the number of pairs."
)


def of_counts(counts: Sequence[Replicated], domains: int, alpha: float) -> str:
    """How many pairs have an effect on at least one domain, and on all of them, by Bonferroni and by Fisher."""
    some = tuple(sum(getattr(item, name) >= 1 for item in counts) for name in ("bonferroni", "fisher"))
    whole = tuple(sum(getattr(item, name) == domains for item in counts) for name in ("bonferroni", "fisher"))
    return (
        f"At alpha {alpha:g}, {some[0]} of {count(len(counts), 'pair')} by Bonferroni ({some[1]} by Fisher) differ on at least "
        f"one of the {domains} domains, {whole[0]} ({whole[1]}) on all of them in the same direction."
    )


def of_few(few: Sequence[str], unit: Unit) -> tuple[str, ...]:
    """That a bootstrap has no p on some domains."""
    if not few:
        return ()
    return (
        f"{listed(few)}: fewer than {LEAST_UNITS} {unit.noun(2)}, so a bootstrap test has no p there, which is counted as no "
        "effect.",
    )


def of_segments(few: Sequence[str]) -> str:
    """That segments are drawn although there are documents."""
    return (
        f"Segments were resampled, not documents: {listed(few)} has fewer than {LEAST_UNITS} documents, too few for a "
        "bootstrap test there. If the segments of a document are alike, these p-values are too small."
        if len(few) == 1
        else f"Segments were resampled, not documents: {listed(few)} have fewer than {LEAST_UNITS} documents each, too few "
        "for a bootstrap test there. If the segments of a document are alike, these p-values are too small."
    )
