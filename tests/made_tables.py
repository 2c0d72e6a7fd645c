"""Small tables of scores and of judgments, and what is read of them: shared by the tests of layouts and programs."""

from __future__ import annotations

from statistics import mean

from sigcore.judgments import Judgments
from sigcore.readers import Choice, Intake, Unclear, read

N = 12  # items
SYSTEMS = ("A", "B", "C")


def rows(head: str, *lines: str) -> str:
    """A table with this heading and these lines."""
    return "\n".join([head, *lines]) + "\n"


def scored(text: str | bytes, name: str = "t.csv", **options: str) -> Intake:
    """What is read of one file, with these options for it."""
    data = text if isinstance(text, bytes) else text.encode()
    return read([(name, data)], every=Choice(options=options) if options else None)


def means(found: Intake) -> dict[str, float]:
    """The mean of the scores of each system."""
    assert not found.problems, found.problems
    own = [one for one in found.items if one.role == "system" and one.kind == "scores"]
    return {one.name: mean(map(float, filter(None, one.segments))) for one in own}


def of_people(people: Judgments, dimension: str) -> dict[str, float]:
    """The mean judgment of each system, in one dimension."""
    chosen = people.dimension == dimension
    return {name: float(people.score[chosen & (people.system == name)].mean()) for name in {*people.system.tolist()}}


def value(k: int, i: int) -> float:
    """A score of item k by system i, from 0 to 1: other for other systems, and without an order."""
    return (3 * k + 5 * i) % 11 / 10


def told(found: Intake) -> str:
    """All that is noted about the files."""
    return " ".join(one.message for one in found.notices)


def asked(text: str, name: str = "t.csv", **options: str) -> Unclear:
    """What is asked about a table."""
    (problem,) = scored(text, name, **options).problems
    assert isinstance(problem, Unclear), problem
    return problem


def roles(problem: Unclear) -> dict[str, str]:
    """What each column was taken for."""
    return {one.column: one.role for one in problem.claims}
