"""People and metrics compared, in sentences: the result, its limits, and the methods."""

from __future__ import annotations

import math

from sigcore.formatting import format_units, p_text
from sigcore.studies import human

WORDS = {1: "better", -1: "worse", 0: "no difference"}
FINE = 10**7
ALPHA = 0.05  # level of the tests whether metrics differ, for any alpha of the conclusions


def alpha_name(alpha: float) -> str:
    """An alpha as it is written: "0.05"."""
    return f"{alpha:.10g}"


def conclusion_word(conclusion: int) -> str:
    """A conclusion about the row system, in words."""
    return WORDS[conclusion]


def distinguished(result: human.HumanResult, alpha: float) -> int:
    """How many of the compared pairs people distinguish at alpha."""
    left, other = result.pairs.T
    return int((result.decided(alpha).conclusions[left, other] != 0).sum())


def summary(result: human.HumanResult, alpha: float) -> str:
    """One sentence: how many pairs people distinguish, which metric agrees with them most, and whether metrics differ."""
    count, apart = len(result.pairs), distinguished(result, alpha)
    outputs = " that have outputs" if result.matched.judged_only else ""
    pairs = f"{apart} of {count} pair{'s' * (count != 1)} of systems{outputs}"
    cells = [cell for cell in result.accuracies if cell.alpha == alpha]
    best = [cell for cell in cells if cell.best]
    names = list(dict.fromkeys(cell.metric_title for cell in best))
    top = best[0]
    share = (
        f"{top.correct} of {top.pairs} pairs ({top.percent:.1f} %, exact interval {top.low:.1f} to {top.high:.1f} %)"
    )
    who = " and ".join(names) if len(names) < 3 else f"{len(names)} metrics"
    if len(cells) == 1:
        agree = f"{who} with {top.test_title} reaches the same conclusion on {share}"
    else:
        verb = "agrees" if len(names) == 1 else "agree"
        agree = f"{who} {verb} with people most, on {share}"
    return f"At alpha {alpha:g}, people distinguish {pairs}; {agree}{_differ(result, top.test, alpha)}."


def _differ(result: human.HumanResult, test: str, alpha: float) -> str:
    """Whether the metrics differ under a test, by Cochran's Q, which takes into account that they judge the same pairs."""
    for difference in result.differences:
        if (difference.between, difference.held, difference.alpha) == ("metrics", test, alpha) and not math.isnan(
            difference.q_p
        ):
            more = f" under {difference.held_title}" if len(result.tests) > 1 else ""
            p = p_text(difference.q_p, FINE)
            if difference.q_p <= ALPHA:
                return f"; the metrics differ in their agreement{more} (Cochran's Q, {p})"
            return f"; the metrics are not shown to differ in their agreement{more} (Cochran's Q, {p})"
    return ""


def gold_note(people: human.People, alpha: float) -> str:
    """Why the value shown for the combined conclusion is not a p-value."""
    first = people.dimensions[0]
    if len(people.rated) < 2:
        return (
            f"The conclusions of people are based on {first} alone. Both directions are tested at alpha {alpha:g} each, so "
            f"two equal systems are declared different with a probability of {100 * people.chance(alpha):.3g} %."
        )
    return (
        f"The combined value is that of {first} where {first} decides, otherwise that of the next dimension. It is not a "
        "p-value: the next dimension is used only where the first is not significant, so two equal systems are declared "
        f"different with a probability of up to {100 * people.chance(alpha):.3g} % at alpha {alpha:g} per side, compared "
        f"with {200 * alpha:.3g} % for one dimension. The conclusions of people therefore depend on alpha."
    )


def why_not_chi_square() -> str:
    """Why Cochran's Q and the leave-one-system-out interval are shown beside the figures of the paper."""
    return (
        "Chi-square and the exact interval are those of the paper. Chi-square ignores that all metrics judge the same "
        "pairs; Cochran's Q and McNemar's exact test take this into account. The exact interval ignores that pairs share "
        "systems; the interval from leaving out one system at a time takes this into account."
    )


def methods(result: human.HumanResult) -> str:
    """Sentences for a Methods section, ending in the signature of the human conclusions."""
    people = result.people
    count = len(people.judges) - len(people.dropped)
    scale = {
        "given": "standardised scores as published",
        "all": "scores standardised by the mean and standard deviation of all ratings of each judge",
        "ordinary": "scores standardised by the mean and standard deviation of each judge's ratings of system outputs",
        "none": "scores as given",
    }[people.standard]
    rank = (
        f"{people.ratings:,} ratings ({count} judges, {people.controls:,} quality-control ratings set aside), {scale}"
    )
    dimensions = ", ties broken by ".join(people.dimensions)
    grid = next(iter(result.grids.values()))
    alphas = ", ".join(f"{alpha:g}" for alpha in result.alphas)
    return (
        f"Human conclusions on {len(people.systems)} systems are based on {rank}; segment scores were compared for "
        f"{dimensions} by one-sided Wilcoxon rank-sum tests (normal approximation with correction for continuity and "
        f"ties). Conclusions of {', '.join(result.metrics.values())} by {', '.join(result.tests.values())} (one-sided in "
        f"each direction, uncorrected, {grid.setup.resamples:,} resamples, seed {grid.setup.seed}, "
        f"{format_units(grid.setup.n, grid.setup.unit, grid.setup.segments)}) count as "
        f"correct where they equal the human conclusion (better, worse or no difference), on {len(result.pairs)} pairs of "
        f"{len(result.systems)} systems at alpha {alphas}. Intervals are Clopper-Pearson; differences were tested by "
        f"Cochran's Q and exact McNemar tests. Signature: {people.signature}"
    )
