"""One table of scores in nineteen layouts, below headings as people choose them: read right, or asked about, and never wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from sigcore import measures
from sigcore.errors import ReadError
from sigcore.readers import Choice, Intake, read, trial
from tests.made_layouts import LAYOUTS, LOWER, Made, made

DRAWN = 40  # tables in each layout
LED = 0.88  # the least share of tables that are right, or right after one command that is printed


def right(found: Intake, table: Made) -> str | None:
    """The measure under which all systems have their scores on all questions; None where none does."""
    by_measure: dict[tuple[str, str], dict[str, list[float]]] = {}
    for item in found.items:
        if item.role == "system" and item.kind == "scores" and all(map(str.strip, item.segments)):
            own = by_measure.setdefault((item.measure, item.testset), {})
            own[table.called(item.name)] = sorted(map(float, item.segments))
    wanted = {name: table.numbers(name) for name in table.scores}
    return next((measure for (measure, _), own in by_measure.items() if _is_same(own, wanted)), None)


def _is_same(own: dict[str, list[float]], wanted: dict[str, list[float]]) -> bool:
    return own.keys() == wanted.keys() and all(own[name] == pytest.approx(wanted[name]) for name in own)


def led(table: Made, problems: Sequence[object]) -> bool:
    """Whether a command that is printed leads to the scores."""
    asked = [problem for problem in problems if isinstance(problem, ReadError)]
    offers = [options for problem in asked for _, options in trial.offers(problem.fix)]
    return any(right(read(table.files, every=Choice(options=options)), table) is not None for options in offers)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_table_in_any_layout_is_read_right_or_asked_about(layout: str) -> None:
    draw, seen = Random(layout), Counter[str]()
    for _ in range(DRAWN):
        table = made(layout, draw)
        found = read(table.files)
        if found.problems:
            seen["led" if led(table, found.problems) else "lost"] += 1
            continue
        measure = right(found, table)
        assert measure is not None, f"{table}\n{[(item.name, item.measure, item.kind) for item in found.items]}"
        (better,) = {item.better for item in found.items if item.role == "system" and item.measure == measure}
        known = better or measures.better_of(measure)
        assert known in (None, "lower" if table.headings[2] in LOWER else "higher"), f"{table}\n{measure}: {known}"
        seen["right"] += 1
    assert seen["lost"] <= (1 - LED) * DRAWN, seen
