"""Questions that several tasks have in common: swapped, drawn and added up as one."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from sigcore.data import Collection
from sigcore.errors import MismatchError, SigError
from sigcore.resampling.blocks import bootstrap_counts, generator, swap_masks
from sigcore.studies import tasks
from sigcore.studies.tasks.shared import correlations, deviations, is_counted, satterthwaite, shared
from tests.oracles import shared_questions


def task_of(names: str, samples: int = 1, name: str = "x", seed: int = 1, named: bool = True) -> tasks.Task:
    """Scores of two systems on the questions of these letters; a question has a part of its own in every task."""
    values = np.repeat([[ord(one) % 7 / 4, ord(one) % 3] for one in names], samples, axis=0)
    values = values + np.random.default_rng(seed).normal(size=values.shape)
    units = np.repeat(np.arange(len(names)), samples)
    return tasks.Task(name, "points", "higher", ("A", "B"), values, units, "segment", names=tuple(names) * named)


def gains_of(task: tasks.Task) -> dict[str, list[float]]:
    """The gains of the rows by question, as the oracle reads them."""
    out: dict[str, list[float]] = {name: [] for name in task.names}
    for unit, (one, other) in zip(task.unit_of, task.values, strict=True):
        out[task.names[unit]].append(float(one - other))
    return out


@pytest.mark.parametrize(
    "some",
    [
        [task_of("abcdefgh"), task_of("abcdefgh", seed=2)],
        [task_of("abcdefgh"), task_of("hgfedcba", seed=2, samples=3), task_of("defxyz", seed=3)],
        [task_of("abcde", samples=2), task_of("vwxyz", seed=2), task_of("edpq", seed=3)],
    ],
)
def test_averages_over_common_questions_are_those_of_loops(some: list[tasks.Task]) -> None:
    """The error is Miller's with a question as the cluster of all its rows; p comes near that of all swaps of whole questions."""
    asked = [gains_of(task) for task in some]
    run = tasks.run(some, resamples=20_000)
    assert run.gain_errors[-1, 0] == pytest.approx(shared_questions.standard_error(asked), rel=1e-12)
    p, exact = tasks.read(run).gains[-1].p_value, shared_questions.exact_p(asked)
    assert p == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4)


def test_a_task_that_is_there_twice_says_nothing_new() -> None:
    """Its average has the error, the interval and the freedom of one of them, for scores and for right and wrong answers."""
    for whole in (False, True):
        one = task_of("abcdefghijklmnopqrstuvwxyz")
        values = (one.values > 1).astype(float) if whole else one.values
        twice = [
            tasks.Task(n, "points", "higher", ("A", "B"), values, one.unit_of, "segment", names=one.names) for n in "xy"
        ]
        found = tasks.read(tasks.run(twice, resamples=2_000), correction="none")
        first, _, last = found.gains
        factor = math.sqrt(25 / 26)  # products of two rows have no factor for few questions
        assert factor * first.error < last.error < first.error
        assert last.freedom == first.freedom == 25
        assert last.drawn_error == pytest.approx(first.drawn_error, rel=0.1)
        assert last.p_value == pytest.approx(first.p_value, abs=0.03)
        assert last.interval == pytest.approx(first.interval, abs=0.06)
        of_x, of_average = found.scores[:2], found.scores[4:]
        for mine, theirs in zip(of_x, of_average, strict=True):
            assert theirs.interval == pytest.approx(mine.interval, rel=1e-9)


def test_common_questions_are_drawn_and_swapped_as_one() -> None:
    """The draws and the swaps of the average by loops: one for each question, whatever tasks it is in."""
    both = [task_of("abcdefgh", samples=2), task_of("gxyah", seed=2)]
    run = tasks.run(both, resamples=5, seed=3)
    names = [*"abcdefgh", "x", "y"]
    counts = bootstrap_counts(generator(3, "bootstrap", 0, 1), 5, 10)
    masks = swap_masks(generator(3, "swap", 0), 5, 10)
    for r in range(5):
        drawn, swapped = [], []
        for task in both:
            places = [names.index(task.names[unit]) for unit in task.unit_of]
            times = counts[r][places]
            drawn.append((task.values * times[:, None]).sum(axis=0) / times.sum())
            turn = 1.0 - 2.0 * masks[r][places]
            swapped.append((turn * (task.values[:, 0] - task.values[:, 1])).mean())
        assert run.drawn[-1, r] == pytest.approx(np.mean(drawn, axis=0))
        assert run.swapped[-1, 0, r] == pytest.approx(np.mean(swapped))


def test_a_task_of_which_no_question_is_drawn_keeps_its_scores() -> None:
    """Two questions of which one is in a task of many: draws without both of them have its own mean."""
    many, few = task_of("abcdefghijklmnopqrst"), task_of("aZ", seed=2)
    run = tasks.run([many, few], resamples=200)
    assert np.isfinite(run.drawn).all()
    counts = bootstrap_counts(generator(12345, "bootstrap", 0, 1), 200, 21)
    assert {0, 1} < {*(counts[:, 0] + counts[:, 20]).tolist()}
    for r, times in enumerate(counts):
        of_many = (many.values * times[:20, None]).sum(axis=0) / times[:20].sum()
        of_few = times[[0, 20], None]
        own = (few.values * of_few).sum(axis=0) / of_few.sum() if of_few.sum() else few.values.mean(axis=0)
        assert run.drawn[-1, r] == pytest.approx((of_many + own) / 2)


def test_p_of_common_questions_is_one_for_those_that_only_take_part_twice() -> None:
    """Ten questions of which each is won by its own luck, in twenty tasks: swaps task by task reject, swaps of questions do not."""
    luck = np.random.default_rng(5).normal(size=10)
    made = []
    for shared_names in (True, False):
        some = []
        for k in range(20):
            values = np.column_stack([luck + 0.05, np.zeros(10)])
            names = tuple(f"q{q}" if shared_names else f"t{k}-q{q}" for q in range(10))
            some.append(tasks.Task(f"t{k}", "", "higher", ("A", "B"), values, np.arange(10), "segment", names=names))
        made.append(tasks.read(tasks.run(some, resamples=2_000)).gains[-1])
    alone = tasks.read(tasks.run(some[:1], resamples=2_000)).gains[0]
    assert made[0].p_value == pytest.approx(alone.p_value, abs=0.03)
    assert made[1].p_value < alone.p_value / 2
    assert made[1].error == pytest.approx(made[0].error / math.sqrt(20), rel=0.1)


@pytest.mark.parametrize(
    ("names", "parts", "total"),
    [
        (["abc", "abc"], [(0, 1)], 3),
        (["abc", "xyz"], [(0,), (1,)], 6),
        (["abc", "xyz", "cx"], [(0, 1, 2)], 6),
        (["abc", "vw", "xc", "yz"], [(0, 2), (1,), (3,)], 8),
        (["ab", "cd", "ef", "bd"], [(0, 1, 3), (2,)], 6),
        (["ab", "cd", "ef", "de", "fa"], [(0, 1, 2, 3, 4)], 6),
        (["012", "012"], [(0, 1)], 3),
        (["012", "312"], [(0, 1)], 3),  # from 0, and from 1
        (["012", "0123"], [(0,), (1,)], 7),
        (["235", "2357"], [(0, 1)], 4),  # not in a row: ids
    ],
)
def test_which_tasks_have_common_questions(names: list[str], parts: list[tuple[int, ...]], total: int) -> None:
    """Those with a name in common, directly or by others; numbers in a row are the same in tasks of as many."""
    known = shared([task_of(one) for one in names])
    assert (sorted(known.parts), known.total) == (parts, total)
    together = [[any({i, j} <= {*part} for part in parts) for j in range(len(names))] for i in range(len(names))]
    assert known.connected.tolist() == np.array(together, dtype=float).tolist()
    assert known.several == tuple(part for part in known.parts if len(part) > 1)


def test_tasks_without_names_are_the_same_where_they_have_as_many_questions() -> None:
    """As rows of two files in the same order may be, and with numbers in a row, which say no more."""
    assert shared([task_of("pqr", named=False), task_of("abc", named=False)]).parts == ((0, 1),)
    assert shared([task_of("pqr", named=False), task_of("120")]).parts == ((0, 1),)
    assert shared([task_of("pqr", named=False), task_of("abcd", named=False)]).parts == ((0,), (1,))
    assert shared([task_of("pqr", named=False), task_of("abc")]).parts == ((0,), (1,))


@pytest.mark.parametrize(
    ("names", "counted"),
    [
        (["0", "1", "2"], True), (["1", "2", "3"], True), (["2", "0", "1"], True), (["2", "3", "4"], False), ([], True),
        (["0", "1", "3"], False), (["0", "1", "1"], False), (["q0", "q1"], False), (["0", "1", "-2"], False),
        (["1", "\u0662"], False), (["12345678901", "1"], False),
    ],
)  # fmt: skip
def test_numbers_in_a_row(names: list[str], counted: bool) -> None:
    assert is_counted(names) is counted


def test_tasks_without_common_questions_do_not_correlate() -> None:
    """Common ones correlate as their gains do; a task that does not vary is taken to vary with the others."""
    some = [task_of("abcdef"), task_of("abcdef", seed=2), task_of("uvwxyz", seed=3)]
    found = correlations([deviations(task, task.values) for task in some], shared(some))
    for system in range(2):
        columns = np.array([task.values[:, system] for task in some])
        assert found[system, 0, 1] == pytest.approx(np.corrcoef(columns)[0, 1])
        assert found[system].diagonal() == pytest.approx(1)
        assert found[system, :2, 2].tolist() == found[system, 2, :2].tolist() == [0, 0]
    still = tasks.Task("s", "", "higher", ("A", "B"), np.ones((6, 2)), np.arange(6), "segment", names=tuple("abcdef"))
    pair = [some[0], still]
    assert (
        correlations([deviations(task, task.values) for task in pair], shared(pair)).tolist() == [[[1, 1], [1, 1]]] * 2
    )
    # of one part, but the first and the last have no question in common
    last = tasks.Task("s", "", "higher", ("A", "B"), np.ones((4, 2)), np.arange(4), "segment", names=tuple("efgh"))
    chain = [task_of("abcd"), task_of("cdef", seed=2), last]
    assert correlations([deviations(task, task.values) for task in chain], shared(chain))[0, :, 2].tolist() == [0, 1, 1]


def test_a_system_that_is_always_right_in_two_tasks_of_the_same_questions() -> None:
    """The interval of its gain over one that is always wrong is that of one of the tasks: a second look at them shows nothing."""
    letters = tuple("abcdefghijkl")
    values, units = np.tile([1.0, 0.0], (12, 1)), np.arange(12)
    same = [tasks.Task(n, "acc", "higher", ("A", "B"), values, units, "segment", names=letters) for n in "xy"]
    found = tasks.read(tasks.run(same, resamples=100)).gains
    assert found[2].interval == pytest.approx(found[0].interval)
    other = [
        same[0],
        tasks.Task("y", "acc", "higher", ("A", "B"), values, units, "segment", names=tuple("ABCDEFGHIJKL")),
    ]
    apart = tasks.read(tasks.run(other, resamples=100)).gains
    assert 1 - apart[2].interval[0] == pytest.approx((1 - found[0].interval[0]) / math.sqrt(2))


def test_the_freedom_is_at_most_that_of_the_common_questions() -> None:
    """A task of 2 questions that varies most of all gives the average 1 degree of freedom, in whatever company."""
    assert satterthwaite(np.array([[4.0], [1.0]]), np.array([[9.0], [9.0]])) == pytest.approx(25 / (17 / 9))
    many, few = task_of("abcdefghijklmnopqrst"), task_of("ab", seed=2)
    wild = tasks.Task("w", "", "higher", ("A", "B"), few.values * [1e4, 1], few.unit_of, "segment", names=few.names)
    assert tasks.run([many, wild], resamples=5).freedom[-1, 0] == pytest.approx(1, rel=1e-3)
    same = [task_of("abcdefghij"), task_of("abcdefghij", seed=2)]
    assert tasks.run(same, resamples=5).freedom[-1, 0] == 9
    apart = [task_of("abcdefghij"), task_of("klmnopqrst", seed=2)]
    assert 9 < tasks.run(apart, resamples=5).freedom[-1, 0] <= 18


def test_what_is_said_of_common_questions() -> None:
    """Which tasks have them, and what is taken for granted of the others."""
    x, y, z = task_of("abc"), task_of("cba", name="y", seed=2), task_of("uvw", name="z", seed=3)

    def told(*some: tasks.Task) -> list[str]:
        notes = tasks.read(tasks.run(some, resamples=20)).notes()
        return [one for one in notes if "questions" in one.lower() and "weighs" not in one]

    same = "Questions with the same id, or number, in x, y are swapped and drawn together. That holds for the p of the macro average whether or not they are the same."
    if_some = "different questions, by their ids or by how many they are. If they share some, the p and the errors of the macro average do not hold."
    assert told(x) == []
    assert told(x, y) == [same]
    assert told(x, z) == [f"The tasks have {if_some}"]
    assert told(x, y, z) == [same, f"Other tasks have {if_some}"]


def test_every_question_has_its_own_name() -> None:
    with pytest.raises(MismatchError, match="x has 3 segments, but 2 different names"):
        tasks.run([task_of("aba")])


def of_files(**files: str) -> Collection:
    """A file of scores of A and B for each name, with these ids ("" for none)."""
    collection = Collection()
    tables = []
    for name, ids in files.items():
        keys = ids.split(",") if ids else [""] * 12
        rows = "".join(f"{key},{k % 2},{(k + 1) % 3 % 2}\n"[0 if ids else 1 :] for k, key in enumerate(keys))
        tables.append((f"{name}.csv", f"{'id,' * bool(ids)}A,B\n{rows}".encode()))
    collection.add(tables)
    return collection


def test_names_of_units_are_ids_questions_or_none() -> None:
    """Of segments their ids, of questions with several samples theirs, of blocks none."""
    rows = "".join(f"q{k // 2},{k % 2},{k % 3 % 2},{k % 5 % 2}\n" for k in range(24))
    collection = Collection()
    collection.add([("r.csv", f"question,sample,A,B\n{rows}".encode())])
    (one,) = tasks.of_collection(collection)
    assert (one.names, one.units, len(one.values)) == (tuple(f"q{k}" for k in range(12)), 12, 24)
    plain = of_files(boolq=ids(12, "b"))
    assert [task.names for task in tasks.of_collection(plain)] == [tuple(f"b{k}" for k in range(12))]
    assert [(task.names, task.units) for task in tasks.of_collection(plain, unit="block:5")] == [((), 3)]


def ids(n: int, stem: str = "", first: int = 0) -> str:
    return ",".join(f"{stem}{k}" for k in range(first, first + n))


def test_files_with_other_questions_are_tasks() -> None:
    """By their ids, or by how many there are; they keep the ids of their questions."""
    found = tasks.of_collection(of_files(boolq=ids(12, "b"), copa=ids(12, "c")))
    assert [(task.name, task.measure, task.names[:2]) for task in found] == [
        ("boolq", "score", ("b0", "b1")),
        ("copa", "score", ("c0", "c1")),
    ]
    assert [task.name for task in tasks.of_collection(of_files(boolq=ids(12), copa=ids(20)))] == ["boolq", "copa"]
    (one,) = tasks.of_collection(
        of_files(boolq=ids(12, "b"), copa=ids(12, "c")), measures=["copa"]
    )  # said to be a measure
    assert (one.measure, one.names[0]) == ("copa", "c0")
    assert [task.name for task in tasks.of_collection(of_files(boolq=ids(12, "q"), copa=ids(12, "q", 6)))] == [
        "boolq",
        "copa",
    ]


@pytest.mark.parametrize(
    ("files", "questions"),
    [
        ({"rouge_1_f": ids(12), "recall_of_units": ids(12)}, 12),
        ({"rouge_1_f": ids(12, "d"), "recall_of_units": ids(12, "d")}, 12),
        ({"rouge_1_f": ids(12, "d"), "recall_of_units": ids(12, "d", 5)}, 7),
        ({"rouge_1_f": "", "recall_of_units": ""}, 12),
    ],
)
def test_files_with_the_same_questions_are_asked_for(files: dict[str, str], questions: int) -> None:
    """They may be measures of the same questions, or tasks whose questions are numbered alike: the options say which."""
    with pytest.raises(SigError) as caught:
        tasks.of_collection(of_files(**files))
    assert str(caught.value) == (
        f"recall_of_units, rouge_1_f have scores of the same {questions} questions: they are tasks, or measures of one task. "
        "If they are tasks, say --task recall_of_units rouge_1_f. If they are measures, say one: --measure recall_of_units."
    )
    collection = of_files(**files)
    as_tasks = tasks.of_collection(collection, ["recall_of_units", "rouge_1_f"])
    assert [(task.name, task.measure) for task in as_tasks] == [("recall_of_units", "score"), ("rouge_1_f", "score")]
    (one,) = tasks.of_collection(collection, measures=["rouge_1_f"])
    assert one.measure == "rouge_1_f"


def test_one_question_in_half_of_the_smaller_file_is_not_yet_the_same_file() -> None:
    """More than half of the questions of the smaller file have to be in the other."""
    half = of_files(boolq=ids(12, "q"), copa=ids(20, "q", 6))
    assert tasks.layout(half.edited(), [""]).files == "tasks"
    more = of_files(boolq=ids(12, "q"), copa=ids(20, "q", 5))
    found = tasks.layout(more.edited(), [""])
    assert (found.files, found.names, found.questions) == ("unclear", ("boolq", "copa"), 7)


def test_what_is_no_question_about_files() -> None:
    """A single file, files of test sets, and measures that several files have: the files are measures, of which none is chosen."""
    one = of_files(boolq=ids(12, "q")).edited()
    assert tasks.layout(one, [""]) == tasks.Layout("measures")
    both = of_files(boolq=ids(12, "b"), copa=ids(12, "c")).edited()
    assert tasks.layout(both, ["x", "y"]) == tasks.Layout("measures")
    again = tuple(replace(item, file="more.csv") for item in both[:1])
    assert tasks.layout((*both, *again), [""]) == tasks.Layout("measures")
    named = of_files(boolq=ids(12, "b"), bleu=ids(12, "c")).edited()
    assert tasks.layout(named, [""]).files == "measures"


def test_names_of_files_are_quoted_in_the_options() -> None:
    collection = of_files(**{"my boolq": ids(12), "copa": ids(12)})
    with pytest.raises(SigError, match="--task copa 'my boolq'"):
        tasks.of_collection(collection)


@pytest.mark.parametrize(
    ("count", "systems", "alpha", "resamples"),
    [
        (1, 2, 0.05, 10_000), (2, 10, 0.05, 10_000), (2, 11, 0.05, 20_000), (2, 25, 0.05, 60_000), (2, 25, 0.5, 10_000),
        (9, 25, 0.05, 100_000), (99, 25, 0.05, 20_000), (0, 2, 0.05, 10_000),
    ],
)  # fmt: skip
def test_many_gains_need_many_resamples(count: int, systems: int, alpha: float, resamples: int) -> None:
    """Five times as many as the smallest p needs to be below alpha under Bonferroni, in tens of thousands, and what is held."""
    one = tasks.Task(
        "x", "", "higher", tuple(map(str, range(systems))), np.zeros((2, systems)), np.arange(2), "segment"
    )
    assert tasks.enough([one] * count, alpha) == resamples


def test_too_few_resamples_for_the_correction_are_told() -> None:
    """Where the smallest p times the number of gains is above alpha; not where p is exact, or nothing is corrected."""
    some = [task_of("abcdefghijklmnopqrst", samples=3, name=f"t{k}", seed=k) for k in range(3)]

    def told(resamples: int, correction: str = "holm", exact: bool = False) -> list[str]:
        result = tasks.read(tasks.run(some, resamples=resamples, exact=exact), 0.05, correction)
        return [note for note in result.notes() if "cannot fall" in note]

    few = "With 40 resamples p cannot fall below 0.024. After the correction for 3 gains no counted p can be significant. Draw at least 60."
    assert told(40) == [few]
    assert told(59) == told(60) == told(40, "none") == []
    assert len(told(58)) == 1
    right = [tasks.Task(t.name, "", "higher", t.systems, (t.values > 1) * 1.0, t.unit_of, "segment") for t in some]
    assert not [n for n in tasks.read(tasks.run(right, resamples=40)).notes() if "cannot fall" in n]
