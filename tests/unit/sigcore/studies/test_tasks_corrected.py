"""Which p of several tasks are corrected together: those of all tasks and pairs, and those of the macro average over pairs."""

from __future__ import annotations

import numpy as np

from sigcore.studies import tasks

RNG = np.random.default_rng(8)


def run() -> tasks.TasksRun:
    """Two tasks of three systems."""
    values = [(RNG.random((60, 3)) < np.array([0.3, 0.45, 0.6])).astype(float) for _ in range(2)]
    made = [
        tasks.Task(name, "acc", "higher", ("A", "B", "C"), one, np.arange(60), "segment")
        for name, one in zip("xy", values, strict=True)
    ]
    return tasks.run(made, resamples=2_000)


def by_bonferroni(p: list[float]) -> list[float]:
    """Each p times how many there are, at most 1."""
    return [min(1.0, len(p) * each) for each in p]


def test_all_tasks_are_one_family_and_the_macro_average_another() -> None:
    """Six p of two tasks are multiplied by six, the three of the average by three; none is left as it was."""
    result = tasks.read(run(), correction="bonferroni")
    of_tasks = [gain for gain in result.gains if gain.task != tasks.MACRO]
    of_average = list(result.of(tasks.MACRO))
    assert [len(of_tasks), len(of_average)] == [6, 3]
    for family in (of_tasks, of_average):
        assert [one.adjusted for one in family] == by_bonferroni([one.p_value for one in family])
        assert any(one.p_value < one.adjusted < 1 for one in family)


def test_holm_steps_through_all_tasks_at_once() -> None:
    """The smallest p of all tasks is multiplied by their number of pairs together, whichever task it is in."""
    gains = [gain for gain in tasks.read(run(), correction="holm").gains if gain.task != tasks.MACRO]
    ordered = sorted(gains, key=lambda one: one.p_value)
    steps = np.maximum.accumulate([min(1.0, (6 - k) * one.p_value) for k, one in enumerate(ordered)])
    assert [one.adjusted for one in ordered] == list(steps)
