"""People and metrics compared, in sentences: the result, its limits, and the methods."""

from __future__ import annotations

import math

from sigboard.reports.human_differ import differ
from sigcore import formatting, verdicts
from sigcore.formatting import format_units
from sigcore.studies import human

WORDS = {1: "better", -1: "worse", 0: "no difference"}


def alpha_name(alpha: float) -> str:
    """An alpha as it is written: "0.05"."""
    return f"{alpha:.10g}"


def conclusion_word(conclusion: int | None) -> str:
    """A conclusion about the row system, in words (None: there is none)."""
    return "no conclusion" if conclusion is None else WORDS[conclusion]


def correct_pairs(result: human.HumanResult, cell: human.Accuracy) -> str:
    """How many conclusions are correct: "11", or "11/25" where only 25 of the pairs have a conclusion; "n/a" if none has."""
    if not cell.pairs:
        return "n/a"
    return f"{cell.correct}" if cell.pairs == len(result.pairs) else f"{cell.correct}/{cell.pairs}"


def distinguished(result: human.HumanResult, alpha: float) -> int:
    """How many of the compared pairs people distinguish at alpha."""
    left, other = result.pairs.T
    return int((result.decided(alpha).conclusions[left, other] != 0).sum())


def summary(result: human.HumanResult, alpha: float) -> str:
    """One sentence: how many pairs people distinguish, which metric agrees with them most, and whether metrics differ."""
    count, apart = len(result.pairs), distinguished(result, alpha)
    outputs = " that have outputs" if result.matched.judged_only else ""
    pairs = f"{apart} of {count} pair{'s' * (count != 1)} of systems{outputs}"
    cells = [cell for cell in result.accuracies if cell.alpha == alpha and cell.pairs]
    names = list(dict.fromkeys(cell.metric_title for cell in cells if cell.best))
    best = top(result, alpha)
    if best is None:
        return f"At alpha {alpha:g}, people distinguish {pairs}; {_no_conclusions(result, alpha)}."
    over = f"95 % interval over systems {best.system_low:.1f} to {best.system_high:.1f} %"
    over = "no interval over systems" if math.isnan(best.system_low) else over
    share = f"{best.correct} of {best.pairs} pairs ({best_of(result, alpha)}{best.percent:.1f} %, {over})"
    who = " and ".join(names) if len(names) < 3 else f"{len(names)} metrics"
    if len(cells) == 1:
        agree = f"{who} with {best.test_title} reaches the same conclusion on {share}"
    else:
        verb = "agrees" if len(names) == 1 else "agree"
        agree = f"{who} {verb} with people most, on {share}"
    parts = [f"At alpha {alpha:g}, people distinguish {pairs}", agree, differ(result, best.test, alpha)]
    return "; ".join(part for part in parts if part) + "."


def _no_conclusions(result: human.HumanResult, alpha: float) -> str:
    """Why no metric has a conclusion at alpha."""
    why = next((few for grid in result.grids.values() if (few := verdicts.too_few(grid.setup, alpha))), "")
    return f"no metric has a conclusion, because {why or 'no p-value is defined'}"


def top(result: human.HumanResult, alpha: float) -> human.Accuracy | None:
    """The first of the metrics and tests that agree with people most at alpha; None if there are no conclusions."""
    return next((cell for cell in result.accuracies if cell.best and cell.alpha == alpha), None)


def best_of(result: human.HumanResult, alpha: float) -> str:
    """The number of accuracies at alpha of which one is the best, as part of a sentence; "" if there is only one."""
    cells = [cell for cell in result.accuracies if cell.alpha == alpha and cell.pairs]
    metrics, tests = len({cell.metric for cell in cells}), len({cell.test for cell in cells})
    if len(cells) < 2:
        return ""
    if tests == 1:
        return f"the best of {metrics} metrics, "
    return f"the best of {len(cells)}: {formatting.count(metrics, 'metric')} under {tests} tests, "


def differences(result: human.HumanResult, test: str, alpha: float) -> str:
    """Whether the metrics differ in the accuracy of their conclusions, as a sentence; "" for a single metric."""
    sentence = differ(result, test, alpha, "the accuracy of their conclusions")
    return f"At alpha {alpha:g}, {sentence}." if sentence else ""


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
        f"different with a probability of about {100 * people.chance(alpha):.3g} % at alpha {alpha:g} per side if the "
        f"dimensions are independent, and never more than {min(100.0, 200 * alpha * len(people.rated)):.3g} %, compared with "
        f"{200 * alpha:.3g} % for one dimension. The conclusions of people therefore depend on alpha."
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
    fewer = any(cell.pairs < len(result.pairs) for cell in result.accuracies)
    without = "; pairs on which a metric has no conclusion are not counted for it" if fewer else ""
    return (
        f"Human conclusions on {len(people.systems)} systems are based on {rank}; segment scores were compared for "
        f"{dimensions} by one-sided Wilcoxon rank-sum tests (normal approximation with correction for continuity and "
        f"ties). Conclusions of {', '.join(result.metrics.values())} by {', '.join(result.tests.values())} (one-sided in "
        f"each direction, uncorrected, {grid.setup.resamples:,} resamples, seed {grid.setup.seed}, "
        f"{format_units(grid.setup.n, grid.setup.unit, grid.setup.segments)}) count as "
        f"correct where they equal the human conclusion (better, worse or no difference), on {len(result.pairs)} pairs of "
        f"{len(result.systems)} systems at alpha {alphas}{without}. Intervals of accuracies are from leaving out one system at a time; "
        "differences between metrics were tested by t-tests over systems (variance of a mean over pairs that share systems, "
        f"Satterthwaite's degrees of freedom), with Holm's correction over all pairs of metrics. Signature: {people.signature}"
    )
