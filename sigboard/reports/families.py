"""What a report says about the family of its p-values: verdicts, notes on choices, and JSON of a pair from a grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sigcore import CompareResult, Family, MatrixResult, TestResult, families
from sigcore.formatting import count
from sigcore.verdicts import verdict

OTHER_TESTS = (
    "The verdict is that of the chosen test and side, which is marked. The other rows are other tests of the same "
    "difference: choosing the smallest of several p-values is another way of looking many times."
)


def verdict_lines(result: CompareResult, alpha: float, tests: int = 0) -> list[str]:
    """The verdict of each test on the side of the result, as one of this many tests (0: as many as it has itself); one
    test alone is a single planned comparison."""
    chosen = [item for item in result.results if item.setup.side == result.setup.side]
    name = len(chosen) > 1
    family = families.of_command(tests or len(chosen))
    return [f"{item.setup.test_title}: " * name + verdict(item, alpha, family) for item in chosen]


def methods(family: Family, item: TestResult) -> str:
    """The family as a sentence for a Methods section, beside the sentence of the test."""
    if family.planned:
        return "It was a single planned comparison, not corrected for others."
    return f"It was {family.words(item)}."


def of_choices(metrics: Sequence[str], tests: Sequence[str], within: str) -> list[str]:
    """A note if there are several metrics or tests: `within` says what is corrected, this what is not."""
    if len(set(metrics)) * len(set(tests)) < 2:
        return []
    numbers = (len(set(metrics)), "metric"), (len(set(tests)), "test")
    choices = " and ".join(count(number, noun) for number, noun in numbers if number > 1)
    return [f"{within} over the {choices}. A result chosen among several is not corrected for the choice."]


def within_grids(correction: str) -> str:
    """What is corrected in grids: the beginning of a note on choices."""
    if correction == "none":
        return "p-values are not corrected, neither within a grid nor"
    return "p-values are corrected within each grid, not"


def with_grid(content: Mapping[str, Any], grid: MatrixResult, system: str, baseline: str) -> dict[str, Any]:
    """JSON of a pair in which the test of the grid has the grid's correction, adjusted p and family.

    The adjusted p of baseline over system is that of the other cell. Other tests are of the same family, uncorrected.
    """
    forth, back = families.of_cell(grid, system, baseline), families.of_cell(grid, baseline, system)
    others = families.uncorrected(forth.pairs, grid.setup.side).to_dict()
    results = [
        {**item, **(_adjusted(forth, back) if item["test"] == grid.setup.test else {"family": others})}
        for item in content["results"]
    ]
    return {**content, "results": results}


def _adjusted(forth: Family, back: Family) -> dict[str, Any]:
    """What the correction changes: the p of both directions, and how they were corrected."""
    changed: dict[str, Any] = {"family": forth.to_dict(), "correction": forth.correction}
    if forth.adjusted is None:
        return changed
    values = {
        "adjusted": (forth.adjusted, back.adjusted),
        "adjusted_low": (forth.adjusted_interval[0], back.adjusted_interval[0]),
        "adjusted_high": (forth.adjusted_interval[1], back.adjusted_interval[1]),
    }
    squares = {name: [[1.0, there], [here, 1.0]] for name, (there, here) in values.items()}
    return {**changed, **squares}
