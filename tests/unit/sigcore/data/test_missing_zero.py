"""A missing score that counts as 0, because it means a failure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sigcore.data.assembly import Loaded, assemble
from sigcore.readers import read
from tests.made_tables import rows

N = 10


def loaded(measure: str = "accuracy", low: str = "0.25", whole: bool = True) -> Loaded:
    """A lacks every third score, B none; C, if not `whole`, all."""
    lines = (
        f"{k},{'' if k % 3 == 0 else (0.5, 0.25)[k % 2]},{low if k == 1 else 0.75},{(0.5, 0.75)[k % 2]}"
        for k in range(N)
    )
    found = read([(f"{measure}.csv", rows("id,A,B,C", *lines).encode())])
    assert not found.problems, found.problems
    emptied = (replace(one, segments=("",) * N) if one.name == "C" and not whole else one for one in found.items)
    return assemble(emptied, missing="zero")


def means(made: Loaded) -> dict[str, float]:
    return {one.system: sum(map(float, one.segments)) / len(one.segments) for one in made.outputs}


def test_each_missing_score_is_0_and_is_counted() -> None:
    made = loaded()
    assert means(made) == pytest.approx({"A": 0.225, "B": 0.7, "C": 0.625})
    (note,) = [one for one in made.findings if "count as 0" in one.what]
    assert (note.severity, note.what) == ("warning", "4 missing scores of A count as 0.")
    assert made.gaps


@pytest.mark.parametrize(
    ("measure", "low", "why"),
    [("WER", "0.25", "lower is better in WER"), ("reward", "-0.5", "B has scores below 0")],
)
def test_0_has_to_be_the_worst_score(measure: str, low: str, why: str) -> None:
    made = loaded(measure, low)
    (error,) = [one for one in made.findings if "cannot count as 0" in one.what]
    assert error.severity == "error"
    assert f"{why}, so 0 would not be the worst." in error.what
    assert {*means(made)} == {"B", "C"}


def test_a_system_without_any_score_has_none() -> None:
    """Nothing says that it failed everywhere."""
    made = loaded(whole=False)
    assert {*means(made)} == {"A", "B"}
    assert any("C has no" in one.what for one in made.findings)
