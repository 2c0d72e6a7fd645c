"""Bounds and words of several tasks: exact values at each, one step to either side, and laws that hold for any scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student

from sigcore.data import Collection
from sigcore.errors import OptionError, SigError, Undefined
from sigcore.studies import tasks
from sigcore.studies.tasks import compute, result
from sigcore.testset import Outputs, Testset
from tests.made import score_set


def task_of(
    values: object, unit_of: Sequence[int] = (), name: str = "x", better: Any = "higher", **more: Any
) -> tasks.Task:
    """A task with these scores (n, S), a row a unit where nothing else is said."""
    scores = np.asarray(values, dtype=float)
    units = np.array(unit_of or range(len(scores)), dtype=np.int64)
    systems = tuple("ABCDEF"[: scores.shape[1]])
    settings = {"measure": "points", "noun": "segment", **more}
    return tasks.Task(name, settings.pop("measure"), better, systems, scores, units, **settings)


def some(n: int, systems: int = 3, seed: int = 1) -> np.ndarray:
    """Scores that are not shares."""
    return np.random.default_rng(seed).normal(size=(n, systems)) * np.array([1, 2, 3])[:systems] + 5


@pytest.mark.parametrize(
    ("scores", "units", "error"),
    [
        ([[1.0]], None, math.nan),
        ([[1.0], [3.0]], None, 1.0),
        ([[1.0], [3.0]], [0, 1], 1.0),
        ([[1.0], [3.0], [8.0]], [0, 0, 0], math.nan),
        ([[0.0], [0.0], [3.0], [3.0]], [0, 0, 1, 1], math.sqrt(0.75 + 2 * 2 * 2.25 / 16)),
        ([[0.0], [4.0], [1.0], [3.0]], [0, 0, 1, 1], math.sqrt(10 / 12 - 10 / 16)),
    ],
)
def test_the_error_of_few_scores_by_hand(scores: list[list[float]], units: list[int] | None, error: float) -> None:
    """One score, or one cluster, has none; where the clusters have the same mean the error is smaller."""
    found = tasks.standard_error(np.array(scores), None if units is None else np.array(units))
    assert found.tolist() == pytest.approx([error], nan_ok=True)


def test_units_are_counted_and_several_rows_make_a_cluster() -> None:
    assert [task_of(some(4), units).units for units in ([0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0])] == [4, 2, 1]
    assert [task_of(some(4), units).clustered for units in ([0, 1, 2, 3], [0, 0, 1, 2])] == [False, True]
    empty = tasks.Task("x", "", "higher", ("A", "B"), np.zeros((0, 2)), np.zeros(0, dtype=np.int64), "segment")
    assert (empty.units, empty.clustered) == (0, False)


@pytest.mark.parametrize("whole", [False, True])
def test_lower_scores_are_as_mirrored_higher_ones(whole: bool) -> None:
    """Scores taken from 1, with the other direction: the same gains, errors, intervals and p on each task and on average."""
    rng = np.random.default_rng(3)
    made = [
        (rng.random((20, 3)) < [0.4, 0.6, 0.9]).astype(float) if whole else rng.random((20, 3)) * [0.6, 0.8, 1.0]
        for _ in range(2)
    ]
    up, down = (
        tasks.read(
            tasks.run([task_of(turn(v), name=n, better=better) for v, n in zip(made, "xy", strict=True)], resamples=300)
        )
        for turn, better in ((lambda v: v, "higher"), (lambda v: 1 - v, "lower"))
    )
    assert len(up.gains) == len(down.gains) == 9
    for one, other in zip(up.gains, down.gains, strict=True):
        assert (one.task, one.system, one.baseline) == (other.task, other.system, other.baseline)
        for name in ("gain", "error", "drawn_error", "p_formula", "p_value", "adjusted", "freedom"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-9), name
        assert one.interval == pytest.approx(other.interval, abs=1e-9, nan_ok=True)
    for mine, theirs in zip(up.scores, down.scores, strict=True):
        assert (mine.task, mine.system) == (theirs.task, theirs.system)
        assert mine.score == pytest.approx(1 - theirs.score)
        assert (mine.error, mine.drawn_error) == pytest.approx((theirs.error, theirs.drawn_error))


def test_turning_two_systems_turns_nothing_that_is_said_of_them() -> None:
    """The systems in another order have the same scores and the same gains, each from the better one."""
    values = some(24)
    turned = tasks.Task(
        "x", "points", "higher", ("C", "B", "A"), values[:, ::-1].copy(), np.arange(24), "segment"
    )  # fmt: skip
    one, other = (tasks.read(tasks.run([task], resamples=200)) for task in (task_of(values), turned))
    found = {(gain.system, gain.baseline): gain for gain in other.gains}
    for gain in one.gains:
        again = found[gain.system, gain.baseline]
        assert gain.gain > 0
        assert gain.interval == pytest.approx(again.interval)
        assert (gain.p_value, gain.error) == pytest.approx((again.p_value, again.error))


def test_the_average_has_the_errors_of_independent_tasks() -> None:
    """The root of the sum of squared errors, over the number of tasks; of scores and of gains."""
    names = [tuple(f"t{k}-{q}" for q in range(12)) for k in range(3)]
    found = tasks.run([task_of(some(12, seed=k), name=f"t{k}", names=names[k]) for k in range(3)], resamples=20)
    assert found.errors[-1] == pytest.approx(np.sqrt((found.errors[:-1] ** 2).sum(axis=0)) / 3)
    assert found.gain_errors[-1] == pytest.approx(np.sqrt((found.gain_errors[:-1] ** 2).sum(axis=0)) / 3)
    assert found.gains[-1] == pytest.approx(found.gains[:-1].mean(axis=0))
    first = task_of(some(12, seed=0)).values
    assert found.gain_errors[0, 0] == pytest.approx((first[:, 0] - first[:, 1]).std(ddof=1) / math.sqrt(12))


def test_the_seed_and_the_resamples_that_nobody_named() -> None:
    task = task_of(some(12))
    assert tasks.RESAMPLES == 10_000
    named, usual = tasks.run([task], resamples=30, seed=12345), tasks.run([task], resamples=30)
    assert (usual.seed, usual.drawn.tolist()) == (12345, named.drawn.tolist())
    assert not np.array_equal(tasks.run([task], resamples=30, seed=12346).drawn, named.drawn)


def test_numbers_of_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """From 1 to the most, and no more drawn scores than fit: resamples times systems times tasks with their average."""
    task = task_of(some(12))
    for asked in (0, compute.MOST_RESAMPLES + 1):
        with pytest.raises(OptionError, match="resamples is"):
            compute._check([task], asked, 1)
    assert compute._check([task], 1, 1) == ("A", "B", "C")
    assert compute._check([task], compute.MOST_RESAMPLES, 1) == ("A", "B", "C")
    monkeypatch.setattr(compute, "MOST_HELD", 7 * 3 * 2)
    assert compute._check([task], 7, 1) == ("A", "B", "C")
    for tried, asked in (([task], 8), ([task, task], 5)):
        with pytest.raises(OptionError, match="fewer with many systems"):
            compute._check(tried, asked, 1)
    assert compute._check([task, task], 4, 1) == ("A", "B", "C")


def test_one_system_or_one_unit_is_refused_and_two_are_not() -> None:
    with pytest.raises(Undefined, match="only one system"):
        compute._check([task_of(some(4, 1))], 10, 1)
    assert compute._check([task_of(some(4, 2))], 10, 1) == ("A", "B")
    with pytest.raises(Undefined, match="x has only one segment"):
        compute._check([task_of(some(3), [0, 0, 0])], 10, 1)
    assert compute._check([task_of(some(3), [0, 0, 1])], 10, 1) == ("A", "B", "C")


def test_swaps_are_kept_for_intervals_where_they_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most as many numbers as fit are kept: swaps times tasks with their average times pairs; else none."""
    task = task_of(some(12))
    size = 20 * 2 * 3
    for most, kept in ((size, 20), (size - 1, 0)):
        monkeypatch.setattr(compute, "_check", lambda *_: ("A", "B", "C"))
        monkeypatch.setattr(compute, "MOST_HELD", most)
        found = tasks.run([task], resamples=20)
        assert found.swapped.shape == (2, 3, kept)
        assert found.signs.shape == (2, kept)
        intervals = [gain.interval for gain in tasks.read(found).gains]
        assert np.isfinite(intervals).all() == (kept > 0)


@pytest.mark.parametrize(
    ("documents", "noun", "units"),
    [((), "segment", 4), (("a",) * 4, "segment", 4), (("a", "a", "a", "b"), "document", 2),
     (("a", "b", "c", "c"), "document", 3), (("a", "b", "c", "d"), "segment", 4)],
)  # fmt: skip
def test_documents_are_units_where_one_has_several_segments(documents: tuple[str, ...], noun: str, units: int) -> None:
    """Not where all segments are of one document, nor where each has its own."""
    testset = Testset("x", "scores", 4, documents=documents)
    outputs = [Outputs("b", ("1", "2", "3", "4")), Outputs("a", ("5", "6", "7", "8"))]
    found = tasks.task(testset, outputs)
    assert (found.noun, found.units, found.name, found.systems) == (noun, units, "x", ("a", "b"))
    assert found.values.tolist() == [[5, 1], [6, 2], [7, 3], [8, 4]]
    assert tasks.task(testset, outputs, name="mine").name == "mine"


def collection_of(*files: tuple[str, str]) -> Collection:
    """Files of scores."""
    collection = Collection()
    collection.add([(name, text.encode()) for name, text in files])
    return collection


def column(measure: str) -> str:
    """A table of one measure and two systems."""
    return f"id,system,{measure}\n" + "".join(f"{k},{s},0.{k}\n" for s in "AB" for k in range(9))


def plain(n: int = 9) -> str:
    """A table with a column of scores for each of two systems."""
    return "A,B\n" + "".join(f"0.{k},0.{k + 1}\n" for k in range(n - 1))


def test_files_that_name_no_measure_are_tasks() -> None:
    """Two files with one set of scores each; a single file is one task; a name of a measure among them makes none of them."""
    two = tasks.of_collection(collection_of(("boolq.csv", plain()), ("copa.csv", plain(12))))
    assert [task.name for task in two] == ["boolq", "copa"]
    assert len(tasks.of_collection(collection_of(("boolq.csv", plain())))) == 1
    with pytest.raises(SigError, match="2 measures"):
        tasks.of_collection(collection_of(("boolq.csv", plain()), ("bleu.csv", plain())))


def test_the_measure_of_a_task() -> None:
    """The first of those asked for that it has; the only one if none is asked for; what it has is named."""
    assert compute._measure("x", ["acc", "f1"], ["none", "f1", "acc"]) == "f1"
    assert compute._measure("x", ["acc"], []) == "acc"
    with pytest.raises(SigError, match="x has 2 measures"):
        compute._measure("x", ["acc", "f1"], [])
    with pytest.raises(SigError, match="x does not have the measure 'f1'") as known:
        compute._measure("x", ["acc"], ["f1"])
    assert known.value.fix == "It has acc."
    with pytest.raises(SigError, match="does not have") as unnamed:
        compute._measure("x", [""], ["f1"])
    assert unnamed.value.fix == "It has (no name)."


def test_half_an_interval_by_formula() -> None:
    """The quantile of t with the freedom of the gain, times its error; without any the normal quantile."""
    (gain, *_) = tasks.read(tasks.run([task_of(some(12))], resamples=20)).gains
    assert gain.freedom == 11
    for level in (0.5, 0.95):
        assert gain.margin(level) == pytest.approx(student.ppf((1 + level) / 2, 11) * gain.error)
    free = tasks.Gain("x", "A", "B", 1.0, 2.0, 2.0, (0.0, 1.0), 0.5, 0.5, 0.5, 10)
    assert free.margin(0.95) == pytest.approx(1.959964 * 2, rel=1e-6)


def test_p_by_formula_needs_an_error() -> None:
    """nan where the error is 0 or not known."""
    found = tasks.t_p(np.array([1.0, 1.0, 2.0]), np.array([0.0, math.nan, 1.0]), np.array([9.0, 9.0, 9.0]))
    assert found.tolist() == pytest.approx([math.nan, math.nan, 2 * student.sf(2, 9)], nan_ok=True)


@pytest.mark.parametrize(("n", "known"), [(9, False), (10, True)])
def test_ten_units_have_an_interval(n: int, known: bool) -> None:
    found = tasks.read(tasks.run([task_of(some(n))], resamples=400))
    for one in (*found.scores, *found.gains):
        assert np.isfinite(one.interval).all() == known


@pytest.mark.parametrize(("differ", "known"), [(9, False), (10, True)])
def test_ten_units_on_which_two_systems_differ_have_an_interval(differ: int, known: bool) -> None:
    """Of all units of a task; where they differ on none, the gain is 0 and so is its interval."""
    base = some(30, 1)
    apart = np.where(np.arange(30)[:, None] < differ, base - np.linspace(0.3, 0.9, 30)[:, None], base)
    (one, other, same) = tasks.read(tasks.run([task_of(np.hstack([base, apart, base]))], resamples=400)).gains
    assert np.isfinite(one.interval).all() == np.isfinite(same.interval).all() == known
    assert (other.gain, other.interval) == (0.0, pytest.approx((0.0, 0.0), abs=1e-9))
    assert (other.p_value, other.adjusted) == (1, 1)


def test_the_interval_of_a_score_is_t_over_units() -> None:
    """Scores that are no shares: t with n - 1 degrees of freedom times the standard error, to both sides."""
    values = some(16)
    for one in tasks.read(tasks.run([task_of(values)], resamples=20), alpha=0.1).scores:
        own = values[:, "ABC".index(one.system)]
        half = student.ppf(0.95, 15) * own.std(ddof=1) / 4
        assert one.interval == pytest.approx((own.mean() - half, own.mean() + half))


@pytest.mark.parametrize(("resamples", "known"), [(1, False), (2, True)])
def test_a_resampled_error_needs_two_draws(resamples: int, known: bool) -> None:
    """That of a gain is the deviation of the differences of the drawn scores."""
    run = tasks.run([task_of(some(12))], resamples=resamples)
    found = tasks.read(run)
    for one in (*found.scores, *found.gains):
        assert math.isfinite(one.drawn_error) == known
    if known:
        first = found.gains[0]
        drawn = run.drawn[0, :, "ABC".index(first.system)] - run.drawn[0, :, "ABC".index(first.baseline)]
        assert first.drawn_error == pytest.approx(abs(drawn[0] - drawn[1]) / math.sqrt(2))


def test_tasks_are_corrected_together_and_their_average_alone() -> None:
    """By Bonferroni times all pairs of all tasks, and times the pairs alone."""
    found = tasks.read(
        tasks.run([task_of(some(12, seed=k), name=f"t{k}") for k in range(2)], resamples=99), 0.05, "bonferroni"
    )
    for gain in found.gains:
        assert gain.adjusted == pytest.approx(min(1.0, gain.p_value * (3 if gain.task == tasks.MACRO else 6)))
    assert [score.task for score in found.scores] == ["t0"] * 3 + ["t1"] * 3 + [tasks.MACRO] * 3
    alone = tasks.read(tasks.run([task_of(some(12))], resamples=99))
    assert {one.task for one in (*alone.scores, *alone.gains)} == {"x"}
    assert alone.of("x") == alone.gains
    assert alone.of(tasks.MACRO) == ()


@pytest.mark.parametrize(
    ("values", "units", "most", "whole"),
    [
        ([[1, 0], [0, 0]], (), 1, 1), ([[100, 0], [0, 0]], (), 100, 100), ([[2, 0], [0, 0]], (), 0, 0),
        ([[1, 0.5], [0, 0]], (), 0, 0), ([[0, 0], [0, 0]], (), 0, 0), ([[1, 0], [1, 0], [0, 0], [0, 0]], (0, 0, 1, 1), 1, 1),
        ([[1, 0], [0, 0], [0, 0], [0, 0]], (0, 0, 1, 1), 1, 0), ([[1, 0], [1, 0], [0, 0]], (0, 0, 1), 1, 0),
    ],
)  # fmt: skip
def test_what_a_right_answer_and_a_right_unit_are_worth(
    values: list[list[float]], units: tuple[int, ...], most: float, whole: float
) -> None:
    """A unit is right or wrong only if its answers all are, and all units have as many."""
    task = task_of(values, units)
    assert (result._most(task), result._whole(task)) == (most, whole)


def test_scores_without_each_unit_by_hand() -> None:
    """Units of different sizes: the mean of the other rows; and the means of the units themselves."""
    task = task_of([[1, 0], [2, 0], [6, 4]], (0, 0, 1))
    assert result.without_each(task).tolist() == [[6, 4], [1.5, 0]]
    assert result._of_units(task).tolist() == [[1.5, 0], [6, 4]]
    sums, rows = compute.sums_of(task)
    assert (sums.tolist(), rows.tolist()) == ([[3, 0], [6, 4]], [2, 1])


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_freedom_of_an_average_is_satterthwaites(count: int) -> None:
    """The squared sum of the variances of all tasks over the sum of their squares, each by its units less one."""
    made = [task_of(some(12 + 5 * k, seed=k), name=f"t{k}") for k in range(count)]
    found = tasks.read(tasks.run(made, resamples=20))
    for one in found.of(tasks.MACRO):
        own = [
            next(g for g in found.of(task.name) if {g.system, g.baseline} == {one.system, one.baseline})
            for task in made
        ]
        squares = [gain.error**2 for gain in own]
        parts = sum(square**2 / (task.units - 1) for square, task in zip(squares, made, strict=True))
        assert one.freedom == pytest.approx(sum(squares) ** 2 / parts)
        assert one.p_formula == pytest.approx(2 * student.sf(one.gain / one.error, one.freedom))
    assert [gain.freedom for gain in found.of("t0")] == [11] * 3


def test_units_on_which_pairs_differ() -> None:
    """Counted over all tasks; a pair that differs nowhere is not one of few units."""
    tried = [task_of([[1, 2, 1], [1, 1, 1], [3, 1, 3]]), task_of([[0, 1, 0], [0, 0, 0]])]
    run = tasks.run(tried, resamples=5)
    assert result._differing(run, 2)[:2].tolist() == [3, 10]
    assert result._differing(run, 1)[:2].tolist() == [1, 10]
    turned = task_of([[1, 2], [2, 1], [1, 1]], (0, 0, 1))
    assert result._differing(tasks.run([turned], resamples=5), 0).tolist() == [10]
    # one question of two tasks is one unit, though it differs in both
    both = tasks.run([task_of([[1, 2], [1, 1], [0, 0]], names=tuple("abc")) for _ in range(2)], resamples=5)
    assert result._differing(both, 2).tolist() == [1]


@pytest.mark.parametrize(("n", "few"), [(29, True), (30, False)])
def test_thirty_units_are_not_few(n: int, few: bool) -> None:
    named = tasks.read(tasks.run([task_of(some(n), name="boolq")], resamples=200)).notes()
    nameless = tasks.read(tasks.run([task_of(some(n), name="")], resamples=200)).notes()
    said = "Fewer than 30 units, so only large gains can be found: "
    assert named == ((f"{said}boolq.",) if few else ())
    assert nameless == ((f"{said}the task.",) if few else ())


def test_notes_on_clusters_and_on_several_tasks_and_measures() -> None:
    """Each is there only where it is true."""
    one, other = task_of(some(30), name="x"), task_of(some(60), [k // 2 for k in range(60)], "y", measure="f1")
    alone = tasks.read(tasks.run([other], resamples=200)).notes()
    assert len(alone) == 1
    assert alone[0].endswith("by formula are clustered: y.")
    both = tasks.read(tasks.run([one, other], resamples=200)).notes()
    assert [note.split(" ")[0:3] for note in both] == [
        ["Units", "with", "several"], ["The", "tasks", "have"], ["The", "macro", "average"],
        ["Questions", "with", "the"],
    ]  # fmt: skip
    assert "(points, f1)" in both[1]
    assert len(tasks.read(tasks.run([one, one], resamples=200)).notes()) == 2


def test_numbers_of_hanging_questions_are_those_of_the_file() -> None:
    """Questions with several answers are numbered from 1; rows are told by their place."""
    values = np.zeros((40, 2))
    values[:8, 0] = 1.0
    testset, outputs = score_set(*values.T)
    rows = tasks.task(testset, outputs)
    questions = task_of(np.repeat(values, 2, axis=0), [k // 2 for k in range(80)])
    for task, named in ((rows, False), (questions, True)):
        (found,) = tasks.hanging(tasks.run([task], resamples=999), 0.05)
        assert str(found).startswith(f"{task.name}: {task.systems[0]} against {task.systems[1]}. Without ")
        removed = {int(task.unit_of[row]) + 1 for row in found.fragility.removed}
        assert found.fragility.count == len(removed) >= 1
        assert {int(name) for name in found.fragility.names} == (removed if named else set())
