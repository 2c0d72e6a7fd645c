"""The question of people and metrics in words: what was found, what may not be read into it, and the methods."""

from __future__ import annotations

import math

from sigboard.reports.human_differ import differ
from sigcore import formatting
from sigcore.formatting import format_units
from sigcore.studies import human

WORDS = {1: "better", -1: "worse", 0: "no difference"}


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
    names = list(dict.fromkeys(cell.metric_title for cell in cells if cell.best))
    best = top(result, alpha)
    over = f"95 % interval over systems {best.system_low:.1f} to {best.system_high:.1f} %"
    over = "no interval over systems" if math.isnan(best.system_low) else over
    share = f"{best.correct} of {best.pairs} pairs ({best_of(result)}{best.percent:.1f} %, {over})"
    who = " and ".join(names) if len(names) < 3 else f"{len(names)} metrics"
    if len(cells) == 1:
        agree = f"{who} with {best.test_title} concludes the same on {share}"
    else:
        verb = "agrees" if len(names) == 1 else "agree"
        agree = f"{who} {verb} with people most, on {share}"
    parts = [f"At alpha {alpha:g} people tell apart {pairs}", agree, differ(result, best.test, alpha)]
    return "; ".join(part for part in parts if part) + "."


def top(result: human.HumanResult, alpha: float) -> human.Accuracy:
    """The first of the metrics and tests that agree with people most at alpha."""
    return next(cell for cell in result.accuracies if cell.best and cell.alpha == alpha)


def best_of(result: human.HumanResult) -> str:
    """Of how many accuracies one is the best, for the middle of a sentence; "" where there is only one."""
    metrics, tests = len(result.metrics), len(result.tests)
    if metrics * tests == 1:
        return ""
    if tests == 1:
        return f"the best of {metrics} metrics, "
    return f"the best of {metrics * tests}: {formatting.count(metrics, 'metric')} under {tests} tests, "


def differences(result: human.HumanResult, test: str, alpha: float) -> str:
    """Whether the metrics differ in the accuracy of their conclusions, as a sentence; "" for a single metric."""
    said = differ(result, test, alpha, "the accuracy of their conclusions")
    return f"At alpha {alpha:g} {said}." if said else ""


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
        f"chance of about {100 * people.chance(alpha):.3g} % at alpha {alpha:g} a side if the dimensions were independent, "
        f"never more than {min(100.0, 200 * alpha * len(people.rated)):.3g} %, against {200 * alpha:.3g} % for one dimension. "
        "What people conclude hence depends on alpha."
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
        f"{len(result.systems)} systems at alpha {alphas}. Intervals of accuracies are from leaving out one system at a time; "
        "differences between metrics were tested by t-tests over systems (variance of a mean over pairs that share systems, "
        f"Satterthwaite's degrees of freedom), with Holm's correction over all pairs of metrics. Signature: {people.signature}"
    )
