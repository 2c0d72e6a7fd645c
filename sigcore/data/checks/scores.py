"""Checks of scores: systems on different scales, and systems whose scores are all the same."""

from __future__ import annotations

from collections.abc import Iterator

from sigcore.data.checks.contract import Checked, Finding
from sigcore.formatting import listed
from sigcore.readers import different_scales, is_number


def scales(checked: Checked) -> Iterator[Finding]:
    """Rivals whose numbers cannot be scores of one measure, and systems with the same score everywhere."""
    values = [(item.name, [float(cell) for cell in item.segments if is_number(cell)]) for item in checked.systems]
    low, high = different_scales(values)
    if low and high:
        first, second = (_range(name, dict(values)[name]) for name in (low, high))
        message = f"The scores of {first} and {second} are on very different scales: they cannot be compared."
        fix = "Load scores of one measure in one range; a field that is not a score needs --score-field, or the role ignored."
        yield Finding("error", message, "", fix)
    same = [name for name, numbers in values if len(numbers) > 2 and len(set(numbers)) == 1]
    if same:
        message = f"All scores of {listed(same)} are the same number."
        yield Finding("warning", message, "", "Check that these are scores.")


def _range(name: str, numbers: list[float]) -> str:
    return f"{name} ({min(numbers):g} to {max(numbers):g})"
