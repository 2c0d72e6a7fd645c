"""The question of people and metrics in words: what was found, what may not be read into it, and the methods."""

from __future__ import annotations

import math

from sigcore.formatting import format_units, p_text
from sigcore.studies import human

WORDS = {1: "better", -1: "worse", 0: "no difference"}
FINE = 10**7
ALPHA = 0.05  # of the question whether metrics differ, whatever alpha the conclusions are drawn at


def alpha_name(alpha: float) -> str:
    """An alpha as it is written: "0.05"."""
    return f"{alpha:.10g}"


def conclusion_word(conclusion: int) -> str:
    """A conclusion on the row in words."""
    return WORDS[conclusion]


def told_apart(result: human.HumanResult, alpha: float) -> int:
    """How many of the compared pairs people tell apart at alpha."""
    left, other = result.pairs.T
    return int((result.decided(alpha).conclusions[left, other] != 0).sum())


def summary(result: human.HumanResult, alpha: float) -> str:
    """One sentence: how many pairs people tell apart, who agrees with them most, and whether that is more than others."""
    count, apart = len(result.pairs), told_apart(result, alpha)
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
        agree = f"{who} with {top.test_title} concludes the same on {share}"
    else:
        verb = "agrees" if len(names) == 1 else "agree"
        agree = f"{who} {verb} with people most, on {share}"
    return f"At alpha {alpha:g} people tell apart {pairs}; {agree}{_differ(result, top.test, alpha)}."


def _differ(result: human.HumanResult, test: str, alpha: float) -> str:
    """Whether the metrics differ under a test, by the statistic that knows that they judge the same pairs."""
    for found in result.differences:
        if (found.between, found.held, found.alpha) == ("metrics", test, alpha) and not math.isnan(found.q_p):
            more = f" under {found.held_title}" if len(result.tests) > 1 else ""
            p = p_text(found.q_p, FINE)
            if found.q_p <= ALPHA:
                return f"; the metrics differ in this{more} (Cochran's Q, {p})"
            return f"; the metrics are not shown to differ in this{more} (Cochran's Q, {p})"
    return ""


def gold_note(people: human.People, alpha: float) -> str:
    """Why the value shown for the combined conclusion is no p-value."""
    first = people.dimensions[0]
    if len(people.rated) < 2:
        return (
            f"People's conclusions rest on {first} alone. Both directions are tested at alpha {alpha:g} each, so two "
            f"equal systems are told apart with a chance of {100 * people.chance(alpha):.3g} %."
        )
    return (
        f"The combined value is that of {first} where {first} decides, else that of the next dimension. It is no "
        "p-value: a second chance is taken only where the first was missed, so two equal systems are told apart with a "
        f"chance of up to {100 * people.chance(alpha):.3g} % at alpha {alpha:g} a side, against "
        f"{200 * alpha:.3g} % for one dimension. What people conclude hence depends on alpha."
    )


def why_not_chi_square() -> str:
    """Why Cochran's Q and the interval by systems stand beside the paper's figures."""
    return (
        "Chi-square and the exact interval are the paper's; but all metrics are asked about the same pairs, which "
        "Cochran's Q and McNemar's exact test take into account, and pairs share systems, which the exact interval does "
        "not know and the one from leaving out one system at a time does."
    )


def methods(result: human.HumanResult) -> str:
    """Sentences for a Methods section, ending in the signature of people's side."""
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
        f"Human conclusions on {len(people.systems)} systems rest on {rank}; segment scores were compared for "
        f"{dimensions} by one-sided Wilcoxon rank-sum tests (normal approximation with correction for continuity and "
        f"ties). Conclusions of {', '.join(result.metrics.values())} by {', '.join(result.tests.values())} (one-sided in "
        f"each direction, uncorrected, {grid.setup.resamples:,} resamples, seed {grid.setup.seed}, "
        f"{format_units(grid.setup.n, grid.setup.unit, grid.setup.segments)}) count as "
        f"correct where they equal the human one of better, worse and no difference, on {len(result.pairs)} pairs of "
        f"{len(result.systems)} systems at alpha {alphas}. Intervals are Clopper-Pearson; differences were tested by "
        f"Cochran's Q and exact McNemar tests. Signature: {people.signature}"
    )
