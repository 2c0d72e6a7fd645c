"""The numbers of each lesson in words: what is below the figure, and in the handout."""

from __future__ import annotations

from typing import Any

from sigcore import TestResult
from sigcore.formatting import format_draws, format_gain, format_p_interval, format_score, format_units, p_text
from sigcore.studies import learn

Facts = list[tuple[str, str]]


def facts(word: str, numbers: Any) -> Facts:
    """(what, value) of the lesson of that word."""
    rows: Facts = FACTS[word](numbers)
    return rows


def of_pair(test: TestResult) -> Facts:
    """The pair, its scores and its gain."""
    setup = test.setup
    score, other = (format_score(value, setup.decimals) for value in test.scores)
    return [
        ("systems", f"{test.system} ({score}) against {test.baseline} ({other}), {setup.metric_title}"),
        ("gain", format_gain(test.gain, setup.decimals)),
        ("units", format_units(setup.n, setup.unit, setup.segments)),
        ("drawn", format_draws(setup.resamples, setup.seed)),
    ]


def of_test(test: TestResult) -> Facts:
    """p, and what it was counted from."""
    drawn = test.setup.resamples
    return [
        ("counted", f"{test.tail:,} of {drawn:,} {test.counted} in the tail"),
        ("p", p_text(test.p_value, drawn)),
        ("Monte Carlo interval of p (95 %)", format_p_interval(test.p_interval, drawn)),
    ]


def shuffle(numbers: learn.Steps) -> Facts:
    """The pair, and approximate randomization."""
    test = numbers.compared.result("approximate_randomization", "two-sided")
    return [*of_pair(test), *of_test(test)]


FACTS: dict[str, Any] = {"shuffle": shuffle}
