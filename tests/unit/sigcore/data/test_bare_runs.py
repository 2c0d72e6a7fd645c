"""Runs that only a number or a date at the end of a name tells apart."""

from __future__ import annotations

import pytest

from sigcore.data import by_pattern, like_runs, pattern_of


@pytest.mark.parametrize("pattern", ["{system}_{run}", "{system}.{run}"])
@pytest.mark.parametrize(
    "runs", [("1", "2"), ("42", "43", "44"), ("20240501", "20240502"), ("2024-05-01", "2024-05-02")]
)
def test_the_same_numbers_behind_several_names_are_runs(pattern: str, runs: tuple[str, ...]) -> None:
    """The pattern that is offered puts the runs of each system together."""
    names = [pattern.replace("{system}", s).replace("{run}", r) for s in ("gpt4", "llama") for r in runs]
    found = like_runs(names)
    assert sorted(map(len, found.values())) == [len(runs)] * 2
    (offered,) = {*map(pattern_of, found)}
    assert {s: len(own) for s, own in by_pattern(names, offered).items()} == {"gpt4": len(runs), "llama": len(runs)}


def test_dates_of_one_system_are_runs_and_its_versions_are_not() -> None:
    assert [*like_runs(["gpt4_20240501", "gpt4_20240502", "llama"]).values()] == [["gpt4_20240501", "gpt4_20240502"]]
    assert like_runs(["gpt-3", "gpt-4", "llama-2", "llama-3"]) == {}
    assert like_runs(["fixed_256", "fixed_512", "free_256", "free_512"]) == {}
    assert like_runs(["team-1", "team-2", "team-3"]) == {}
    assert [*like_runs(["A.seed1", "A.seed2", "B_1", "B_2"])] == ["A.seed{run}"]
