"""Several tasks: the draws are those of compare, the formulas those of Miller 2024, the macro average that of a loop."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import t as student

from sigcore.data import Collection
from sigcore.errors import MismatchError, SigError, UnknownMember
from sigcore.resampling.blocks import bootstrap_counts, generator, swap_masks
from sigcore.studies import compare, intervals, tasks
from sigcore.studies.matrix import Settings
from sigcore.study import Study
from sigcore.testset import Outputs, Testset

RNG = np.random.default_rng(4)


def made(name: str, n: int, samples: int = 1, better: str = "higher") -> tasks.Task:
    """Answers of three systems to n questions, each with several samples."""
    hard = np.repeat(RNG.random(n), samples)[:, None]
    values = (RNG.random((n * samples, 3)) < 0.3 + 0.5 * hard + np.array([0, 0.05, 0.1])).astype(float)
    unit_of = np.repeat(np.arange(n), samples)
    return tasks.Task(name, "acc", better, ("A", "B", "C"), values, unit_of, "document")  # type: ignore[arg-type]


def by_loops(scores: np.ndarray, clusters: np.ndarray) -> float:
    """Miller 2024, Section 2.2, as it is printed: three sums."""
    n, mean = len(scores), scores.mean()
    variance = sum((s - mean) ** 2 for s in scores) / (n - 1) / n
    cross = sum(
        (scores[i] - mean) * (scores[j] - mean)
        for i in range(n) for j in range(n) if i != j and clusters[i] == clusters[j]
    )  # fmt: skip
    return float(np.sqrt(variance + cross / n**2))


@pytest.mark.parametrize("samples", [1, 3])
def test_errors_are_the_formulas_of_the_paper(samples: int) -> None:
    """Clustered standard errors by three sums; without clusters, the usual one."""
    task = made("x", 25, samples)
    found = tasks.standard_error(task.values, task.unit_of)
    for column in range(3):
        assert found[column] == pytest.approx(by_loops(task.values[:, column], task.unit_of))
    plain = tasks.standard_error(task.values)
    assert plain == pytest.approx(task.values.std(axis=0, ddof=1) / np.sqrt(len(task.values)))


def test_clustered_errors_are_nearly_those_of_statsmodels() -> None:
    """The cluster-robust error of a mean differs only by the factor of a small sample in its first term."""
    task = made("x", 60, 4)
    column = task.values[:, 0]
    fit = sm.OLS(column, np.ones(len(column))).fit(
        cov_type="cluster", cov_kwds={"groups": task.unit_of, "use_correction": False}
    )
    assert tasks.standard_error(task.values, task.unit_of)[0] == pytest.approx(float(fit.bse[0]), rel=0.005)


def test_resampled_errors_agree_with_the_formula() -> None:
    """With many questions the bootstrap and the formula give the same errors of scores and gains."""
    result = tasks.read(tasks.run([made("x", 300, 2), made("y", 200)], resamples=4000))
    for one in (*result.scores, *result.gains):
        assert one.drawn_error == pytest.approx(one.error, rel=0.06)


@pytest.mark.parametrize("samples", [1, 2])
def test_a_task_has_the_p_and_the_interval_of_compare(samples: int) -> None:
    """The draws of a single task are those of the other commands, by segments and by documents."""
    task = made("x", 40, samples)
    documents = tuple(f"q{k}" for k in task.unit_of) if samples > 1 else ()
    test = Testset("x", "scores", len(task.values), documents=documents)
    outputs = [
        Outputs(name, tuple(f"{v:g}" for v in column)) for name, column in zip("ABC", task.values.T, strict=True)
    ]
    read = tasks.task(test, outputs)
    result = tasks.read(tasks.run([read], resamples=700), correction="none")
    asked, names = [("own_scores", {})], ["approximate_randomization", "paired_bootstrap"]
    for gain in result.gains:
        pair = [next(one for one in outputs if one.system == name) for name in (gain.system, gain.baseline)]
        run = compare.run(Study(test, pair, asked, names, resamples=700, unit=read.noun))
        other = compare.read(run, "own_scores", Settings("two-sided", "valid", "counted", "none", exact=True))
        assert gain.p_value == other.result("approximate_randomization", "two-sided").p_value
        assert gain.gain == pytest.approx(other.results[0].gain)
        assert gain.interval == pytest.approx(other.results[0].interval, abs=1e-12)


def test_the_macro_average_is_that_of_loops() -> None:
    """Scores drawn for each task on its own, and one swap of all questions of all tasks."""
    both = [made("x", 12, 2), made("y", 15)]
    run = tasks.run(both, resamples=5, seed=3)
    drawn = []
    for k, task in enumerate(both):
        counts = bootstrap_counts(generator(3, "bootstrap", 0, k + 1), 5, task.units)
        rows = [np.repeat(task.values, counts[r][task.unit_of].astype(int), axis=0) for r in range(5)]
        drawn.append([one.mean(axis=0) for one in rows])
    assert run.drawn[-1] == pytest.approx(np.mean(drawn, axis=0))
    masks = swap_masks(generator(3, "swap", 0), 5, sum(task.units for task in both))
    count = 0
    for mask in masks:
        values = [task.values.copy() for task in both]
        start = 0
        for k, task in enumerate(both):
            turn = mask[start : start + task.units][task.unit_of] == 1
            values[k][turn, :2] = values[k][turn, 1::-1]
            start += task.units
        gain = np.mean([one[:, 0].mean() - one[:, 1].mean() for one in values])
        count += abs(gain) >= abs(run.gains[-1, 0]) - 1e-12
    assert run.counts[-1, 0] == count


def test_swaps_have_the_mean_signs_of_loops() -> None:
    """A sample has one part in the mean sign of its task, and a task one in that of the average."""
    both = [made("x", 12, 2), made("y", 15)]
    run = tasks.run(both, resamples=7, seed=3)
    masks = swap_masks(generator(3, "swap", 0), 7, 27)
    of_tasks = []
    for start, task in ((0, both[0]), (12, both[1])):
        signs = 1 - 2 * masks[:, start : start + task.units][:, task.unit_of]
        of_tasks.append(signs.mean(axis=1))
    np.testing.assert_allclose(run.signs[-1], np.mean(of_tasks, axis=0), atol=1e-12)
    # a third question with more samples than the others weighs more
    uneven = tasks.Task(
        "z", "acc", "higher", ("A", "B", "C"), RNG.random((6, 3)), np.array([0, 0, 0, 1, 1, 2]), "document"
    )
    found = tasks.run([uneven], resamples=7, seed=3).signs[0]
    np.testing.assert_allclose(
        found, (1 - 2 * swap_masks(generator(3, "swap", 0), 7, 3)) @ np.array([3, 2, 1]) / 6, atol=1e-12
    )
    alone = 1 - 2 * swap_masks(generator(3, "swap", 0), 7, 12)[:, both[0].unit_of]
    np.testing.assert_allclose(run.signs[0], alone.mean(axis=1), atol=1e-12)
    np.testing.assert_allclose(
        run.swapped[0, 0], (alone * (both[0].values[:, 0] - both[0].values[:, 1])).mean(axis=1), atol=1e-12
    )


@pytest.mark.parametrize("seed", range(60))
def test_p_and_interval_of_a_task_never_contradict_each_other(seed: int) -> None:
    """On each task and on average p is at most alpha exactly where the interval excludes 0, with samples and without."""
    rng = np.random.default_rng(seed)
    both = []
    for name, samples in (("x", 1), ("y", 2)):
        values = rng.integers(0, 3 if seed % 2 else 2, (14 * samples, 3)).astype(float)
        values[:, 0] += (rng.random(14 * samples) < 0.5) * (seed % 3 == 0)
        if seed % 2 == 0:
            values = np.minimum(values, 1.0)
        units = np.repeat(np.arange(14), samples)
        both.append(tasks.Task(name, "acc", "higher", ("A", "B", "C"), values, units, "document"))
    for alpha in (0.05, 0.2):
        for gain in tasks.read(tasks.run(both, resamples=199, seed=seed), alpha, "none").gains:
            low, high = gain.interval
            if np.isfinite(low):
                assert (gain.p_value <= alpha) == (not low <= 0 <= high), (gain, alpha)
                assert low <= gain.gain <= high


def test_the_score_of_an_average_has_the_errors_of_its_tasks() -> None:
    """Half the width is t with Satterthwaite's degrees of freedom times the root of the summed squared jackknife errors."""
    both = [made("x", 12, 2), made("y", 30, 3)]
    result = tasks.read(tasks.run(both, resamples=50))
    (mine,) = (one for one in result.scores if one.task == tasks.MACRO and one.system == "A")
    squares = []
    for task in both:
        rows = [task.values[task.unit_of != k, 0].mean() for k in range(task.units)]
        squares.append((task.units - 1) / task.units * sum((x - np.mean(rows)) ** 2 for x in rows))
    freedom = sum(squares) ** 2 / sum(s**2 / (task.units - 1) for s, task in zip(squares, both, strict=True))
    half = student.ppf(0.975, freedom) * np.sqrt(sum(squares)) / 2
    assert mine.interval == pytest.approx((mine.score - half, mine.score + half))


@pytest.mark.parametrize("whole", [1.0, 100.0])
@pytest.mark.parametrize("samples", [1, 3])
def test_intervals_stay_within_what_scores_can_be(whole: float, samples: int) -> None:
    """Right and wrong answers: no interval of a score or of a gain leaves the scale, and none has no width, whether all answers
    are right, all wrong, all but one right, or of one question."""
    rng = np.random.default_rng(2)
    tables = [np.ones((14 * samples, 4)), np.ones((20 * samples, 4))]
    for values in tables:
        values[:, 1], values[-1, 2], values[:, 3] = 0.0, 0.0, rng.random(len(values)) < 0.97
    both = [
        tasks.Task(f"t{len(v)}", "acc", "higher", tuple("ABCD"), whole * v, np.arange(len(v)) // samples, "document")
        for v in tables
    ]
    result = tasks.read(tasks.run(both, resamples=199, seed=3))
    assert len(result.scores) == 12
    for one in result.scores:
        low, high = one.interval
        assert 0 <= low <= one.score <= high <= whole
        assert low < high
    for gain in result.gains:
        low, high = gain.interval
        if not math.isnan(low):  # on fewer than ten units that differ there is none
            assert -whole <= low <= gain.gain + 1e-9
            assert gain.gain - 1e-9 <= high <= whole
            assert low < high or gain.gain == 0  # no answer differs


def test_the_interval_of_an_average_of_shares_is_made_of_those_of_its_tasks() -> None:
    """The distances of Wilson's ends add up as errors do (Zou and Donner 2008), and hold about 95% of the time near 1."""
    rng, hits = np.random.default_rng(1), 0
    shares, sizes = np.array([0.97, 0.9]), np.array([40, 60])
    for _ in range(2000):
        right = rng.binomial(sizes, shares)
        ends = np.array([intervals.wilson(int(k), int(n)) for k, n in zip(right, sizes, strict=True)])
        found = right / sizes
        low, high = intervals.averaged(found, ends, np.eye(2))
        assert low == pytest.approx(found.mean() - math.hypot(*(found - ends[:, 0])) / 2)
        assert high == pytest.approx(found.mean() + math.hypot(*(ends[:, 1] - found)) / 2)
        hits += low <= shares.mean() <= high
    assert 0.935 <= hits / 2000 <= 0.965


@pytest.mark.parametrize("samples", [1, 3])
def test_p_by_formula_has_the_freedom_of_units(samples: int) -> None:
    """Twice the tail of t with one degree of freedom less than there are questions, however many answers each has."""
    result = tasks.read(tasks.run([made("x", 12, samples)], resamples=50))
    for one in result.gains:
        assert one.p_formula == pytest.approx(2 * student.sf(one.gain / one.error, 11), rel=1e-9)


def test_an_average_with_a_task_of_few_questions_has_no_interval() -> None:
    """Nine questions are too few for an interval, also beside a task of forty."""
    result = tasks.read(tasks.run([made("x", 9), made("y", 40)], resamples=400))
    for task, known in (("x", False), ("y", True), (tasks.MACRO, False)):
        found = [one.interval for one in (*result.scores, *result.gains) if one.task == task]
        assert len(found) == 6
        assert np.isfinite(found).all() if known else np.isnan(found).all()


def test_lower_scores_may_be_better() -> None:
    """The gain is positive for the system with the lower score."""
    result = tasks.read(tasks.run([made("x", 80, better="lower")], resamples=50))
    scores = {one.system: one.score for one in result.scores}
    assert all(scores[one.system] <= scores[one.baseline] for one in result.gains)
    assert [one.score for one in result.scores] == sorted(scores.values())


def test_tasks_that_do_not_fit_are_refused() -> None:
    """Other systems, another direction, nothing at all, an unknown task, several measures."""
    task = made("x", 10)
    with pytest.raises(MismatchError, match="systems"):
        tasks.run([task, tasks.Task("y", "", "higher", ("A", "B", "D"), task.values, task.unit_of, "segment")])
    with pytest.raises(MismatchError, match="lower"):
        tasks.run([task, made("y", 10, better="lower")])
    with pytest.raises(SigError, match="no tasks"):
        tasks.run([])
    collection = Collection()
    table = "id,system,acc,f1\n" + "".join(f"{k},{s},{k % 2},0.{k}\n" for s in "AB" for k in range(9))
    collection.add([("t.csv", table.encode())])
    with pytest.raises(SigError, match="2 measures"):
        tasks.of_collection(collection)
    (one,) = tasks.of_collection(collection, measures=["nothing", "f1"])
    assert (one.measure, one.systems, one.units) == ("f1", ("A", "B"), 9)
    with pytest.raises(UnknownMember):
        tasks.of_collection(collection, names=["z"])


def test_intervals_of_scores_that_are_never_negative_stop_at_0() -> None:
    """A task of mostly zeros: its interval, and that of the average with another one, begin at 0; with a negative score not."""
    rng = np.random.default_rng(4)
    rare = np.where(rng.random((14, 2)) < 0.1, 9.0, 0.0)
    rare[0] = 9.0
    below = rare.copy()
    below[1] = -0.01
    for values, floor in ((rare, True), (below, False)):
        asked = [
            tasks.Task("rare", "points", "higher", ("a", "b"), values, np.arange(14), "segment"),
            tasks.Task("more", "points", "higher", ("a", "b"), rare[::-1] / 3, np.arange(14), "segment"),
        ]
        result = tasks.read(tasks.run(asked, resamples=500))
        ends = [score.interval[0] for score in result.scores if score.task != "more"]
        assert all((end == 0.0) == floor and end <= 0.0 for end in ends)


@pytest.mark.parametrize("samples", [1, 3])
@pytest.mark.parametrize("better", ["higher", "lower"])
def test_the_fewest_questions_are_verified_by_the_test(samples: int, better: str) -> None:
    """p before is that of the gain; without the named questions the test of the task decides otherwise."""
    task = made("q", 60, samples, better)
    values = task.values.copy()
    values[:, 2] = (
        np.minimum(values[:, 2] + (np.arange(len(values)) % 4 == 0), 1.0) if better == "higher" else values[:, 2]
    )
    task = tasks.Task("q", "acc", better, task.systems, values, task.unit_of, task.noun)  # type: ignore[arg-type]
    run = tasks.run([task], resamples=2_000)
    (one,) = tasks.hanging(run, 0.05)
    sign = 1 if better == "higher" else -1
    assert [one.system, one.baseline] == [
        task.systems[k] for k in np.argsort(-sign * values.mean(axis=0), kind="stable")[:2]
    ]
    (gain,) = [g for g in tasks.read(run).gains if {g.system, g.baseline} == {one.system, one.baseline}]
    assert one.fragility.p_before == gain.p_value
    assert one.fragility.verified
    kept = np.flatnonzero(~np.isin(np.arange(len(values)), one.fragility.removed))
    assert len(values) - len(kept) == one.fragility.count * samples
    unit_of = np.unique(task.unit_of[kept], return_inverse=True)[1]
    fewer = tasks.Task("q", "acc", better, task.systems, values[kept], unit_of, task.noun)  # type: ignore[arg-type]
    (after,) = [
        g
        for g in tasks.read(tasks.run([fewer], resamples=2_000)).gains
        if {g.system, g.baseline} == {one.system, one.baseline}
    ]
    assert after.p_value == one.fragility.p_after
    assert (after.p_value <= 0.05) != (gain.p_value <= 0.05)
    assert str(one).startswith(f"q: {one.system} against {one.baseline}. Without")


def test_files_of_scores_without_a_measure_are_tasks() -> None:
    """boolq.csv and copa.csv are two tasks of the same systems; two measures of one task stay a choice."""
    tables = {
        name: "id,A,B\n" + "".join(f"{name}-{k},{k % 2},{k % 3 > 0:d}\n" for k in range(30))
        for name in ("boolq", "copa")
    }
    collection = Collection()
    collection.add([(f"{name}.csv", text.encode()) for name, text in tables.items()])
    assert [(task.name, task.systems) for task in tasks.of_collection(collection)] == [
        ("boolq", ("A", "B")),
        ("copa", ("A", "B")),
    ]
    known = Collection()
    known.add([(f"{name}.csv", text.encode()) for name, text in zip(("bleu", "chrf"), tables.values(), strict=True)])
    with pytest.raises(SigError, match="2 measures"):
        tasks.of_collection(known)
