"""Small decisions of the server and of what pages share: which results are known, what is refused, and what is said."""

from __future__ import annotations

import json
from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest

from sigboard.questions.scores.whole import SHORT, Part, Whole
from sigboard.server import jobs as board_of_jobs
from sigboard.server import limits, visits
from sigboard.server.jobs import Job, Jobs
from sigboard.shell import address, captions, seen, settings
from sigboard.terminal import groups
from sigcore import Collection, SigError
from sigcore.readers import Item
from sigcore.studies.scores.compute import Count
from sigcore.testset import Outputs
from tests.unit.factories import matrix
from tests.waiting import LIMIT


def ended(job: Job) -> bool:
    return job.finished.wait(LIMIT)


def failing(job: Job) -> None:
    raise SigError("It failed.")


def test_a_result_is_known_only_where_there_is_one() -> None:
    """A job that ended with an error has none; one that was cancelled is no longer known."""
    board = Jobs()
    assert not board.has("matrix:k")
    assert not board.knows("matrix:k")
    assert ended(board.ask("matrix:good", lambda job: 1, "a"))
    assert ended(board.ask("matrix:bad", failing, "a"))
    assert [board.has(key) for key in ("matrix:good", "matrix:bad")] == [True, False]
    assert [board.knows(key) for key in ("matrix:good", "matrix:bad")] == [True, True]
    job = board.ask("matrix:long", lambda job: job.stop.wait(LIMIT), "a")
    board.cancel(job, "a")
    assert ended(job)
    assert not board.knows("matrix:long")


def test_the_wait_for_others_is_no_time_of_a_job() -> None:
    """What a job waited for its next turn is known in seconds of the clock, whenever that began; within its turn it is 0."""
    now, waited = [100.0], list[float]()
    board, begun, asked = Jobs(at_once=1, clock=lambda: now[0]), Event(), Event()

    def long(job: Job) -> None:
        begun.set()
        asked.wait(LIMIT)
        waited.append(board.give_turns(job))
        now[0] += board_of_jobs.TURN
        waited.append(board.give_turns(job))

    def short(job: Job) -> None:
        now[0] += 7

    job = board.ask("matrix:long", long, "a")
    assert begun.wait(LIMIT)
    board.ask("matrix:short", short, "b")
    asked.set()
    assert ended(job)
    assert waited == [0.0, 7.0]


@pytest.mark.parametrize("here", [{"a"}, {"a", "b"}, {"a", "b", "c"}])
def test_a_turn_ends_where_one_of_those_who_wait_is_here(here: set[str]) -> None:
    """A job of somebody who went away keeps nobody from a turn, and is no reason to end one."""
    now, order = [100.0], list[str]()
    board, begun, asked = Jobs(at_once=1, is_here=here.__contains__, clock=lambda: now[0]), Event(), Event()

    def long(job: Job) -> None:
        begun.set()
        asked.wait(LIMIT)
        now[0] += board_of_jobs.TURN
        board.give_turns(job)
        order.append("long")

    job = board.ask("matrix:long", long, "a")
    assert begun.wait(LIMIT)
    short = [board.ask(f"matrix:{name}", lambda _, name=name: order.append(name), name) for name in ("c", "b")]
    asked.set()
    assert ended(job)
    assert all(ended(one) for one in short if one.waiting & here)
    assert (order[0] == "long") == ("b" not in here)


@pytest.mark.parametrize(
    ("done", "total", "shown"),
    [(0, 0, "Working"), (1, 3, "Working: 33%"), (199, 200, "Working: 99%"), (200, 200, "Working: 99%")],
)
def test_progress_in_words(done: int, total: int, shown: str) -> None:
    """Never all of it: while it runs, something is left."""
    job = Job("k", phase="working", done=done, total=total)
    job.started = float("inf")
    assert board_of_jobs._progress_text(job) == shown


def test_the_time_left_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """At least one second."""
    monkeypatch.setattr(board_of_jobs.time, "monotonic", lambda: 1000.0)
    assert (
        board_of_jobs._progress_text(Job("k", phase="x", started=990.0, done=25, total=100))
        == "X: 25%, about 30 s left"
    )
    assert (
        board_of_jobs._progress_text(Job("k", phase="x", started=990.0, done=99, total=100)) == "X: 99%, about 1 s left"
    )


# ---- visits


def item(name: str, role: str = "system") -> Item:
    return Item(name, role, "text", ("a", "b"), f"{name}.txt", "")  # type: ignore[arg-type]


def test_what_a_visitor_holds_counts_for_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Systems that are loaded and new ones together; references are none."""
    monkeypatch.setattr(limits, "SYSTEMS", limits.Limit("systems", 3, 3))
    held = Collection(items=(item("A"), item("B"), item("r", "reference")))
    assert visits.refusal([item("C")], (), held) is None
    refused = visits.refusal([item("C"), item("D")], (), held)
    assert refused is not None
    assert "3" in str(refused)


def test_files_that_a_visitor_holds_count_for_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that fit one by one do not together."""
    monkeypatch.setattr(limits, "FILES", limits.Limit("MB", 1, 1))

    def large(name: str) -> Item:
        return Item(name, "system", "text", ("a" * 1000,) * 600, f"{name}.txt", "")

    held = Collection(items=(large("A"),))
    assert visits.refusal([large("B")], (), Collection()) is None
    assert visits.refusal([large("B")], (), held) is not None


def test_a_deleted_visit_stays_deleted() -> None:
    """One that had expired is there again when it is put back."""
    now = [1_000_000.0]
    found = visits.Visits(lambda: now[0])
    collection = Collection()
    collection.add([("ref.txt", b"a boat\n")])
    found.put("t", visits.Visit(collection, "data", frozenset()), "owner")
    now[0] += 3600 * limits.HOURS.most
    assert found.why_gone("t") == "expired"
    found.put("t", visits.Visit(collection, "data", frozenset()), "owner")
    assert found.why_gone("t") is None
    found.delete("t")
    found.put("t", visits.Visit(collection, "data", frozenset()), "owner")
    assert found.why_gone("t") == "deleted"


def test_the_mark_of_a_file_is_of_its_name_and_its_bytes() -> None:
    """The same bytes under two names are two files."""
    collection = Collection()
    collection.add([("a.txt", b"a boat\n"), ("b.txt", b"a boat\n"), ("c.txt", b"a ship\n")])
    marks = visits.marks(collection)
    assert len(set(marks.values())) == len(marks) == 3
    again = Collection()
    again.add([("a.txt", b"a boat\n")])
    assert visits.marks(again)["a.txt"] == marks["a.txt"]


# ---- commands and pages


def test_each_metric_stands_once_for_a_test_set() -> None:
    """Twice is one too many."""
    part = Part("news", "BLEU", None)  # type: ignore[arg-type]
    assert Whole((part, Part("talk", "BLEU", None)), 0.05).testsets == ("news", "talk")  # type: ignore[arg-type]
    with pytest.raises(SigError, match="There are two matrices of BLEU for news"):
        Whole((part, part), 0.05)
    assert len(SHORT) == 3


def counted(raw: int, *, people: bool) -> SimpleNamespace:
    """What a table reads of the scores of one metric on one test set: three statistics, and perhaps pairs with people."""
    families = ["all", *(["human_machine"] if people else [])]
    found = [
        Count(family, method, f"s{k}", raw + k, raw, 3, 3)
        for family in families
        for method in ("theory", "other")
        for k in range(3)
    ]
    return SimpleNamespace(counts=lambda alpha: found, mixed=np.array([False, people]))


def test_a_table_of_metrics_and_test_sets() -> None:
    """Pairs of a person and a machine are a family where any part has them; a place without counts is empty."""
    parts = (
        Part("news", "BLEU", counted(1, people=False)),
        Part("talk", "BLEU", counted(5, people=True)),
        Part("news", "TER", counted(0, people=False)),
    )  # type: ignore[arg-type]
    table = Whole(parts, 0.05)
    assert table.families == ("all", "human_machine")
    heads, lines = table.cells("all")
    assert heads == [("", 1), ("news: 3 pairs", 3), ("talk: 3 pairs", 3)]
    assert lines == [["BLEU", "1", "2", "3", "5", "6", "7"], ["TER", "0", "1", "2", "", "", ""]]
    assert table.rows()[0] == {
        "family": "all", "metric": "BLEU", "test_set": "news", "pairs": 3,
        "s0": 1, "s0_corrected": 1, "s1": 2, "s1_corrected": 1, "s2": 3, "s2_corrected": 1,
    }  # fmt: skip
    assert Whole(parts[:1], 0.05).families == ("all",)


def test_groups_of_systems_that_are_not_loaded() -> None:
    """Some are noted, all are an error; a system that the table does not name keeps its group."""
    outputs = [Outputs("A", ("x",), group="old"), Outputs("B", ("x",), group="old")]
    found, notes = groups._grouped(outputs, {"A": "new", "C": "new"})
    assert [one.group for one in found] == ["new", "old"]
    assert notes == ["The table assigns a group to C, but no such system is loaded."]
    with pytest.raises(SigError, match="none of these systems is loaded"):
        groups._grouped(outputs, {"C": "new"})


def test_pairs_to_mix() -> None:
    """By position; a name that is not loaded, and a system with itself, are refused."""
    assert groups.chosen_bases([("B", "A")], ["A", "B"]) == ((1, 0),)
    for pair, what in ((("A", "X"), "X is not loaded"), (("A", "A"), "A is to be mixed with itself")):
        with pytest.raises(SigError, match=what):
            groups.chosen_bases([pair], ["A", "B"])


@pytest.mark.parametrize(
    ("looks", "said"),
    [
        ({("bleu", "a")}, ""),
        ({("bleu", "a"), ("ter", "a")}, "2 metrics × 1 test on these files."),
        ({("bleu", "a"), ("ter", "b")}, "2 metrics × 2 tests on these files (2 of the 4 combinations)."),
        ({(m, t) for m in ("bleu", "ter") for t in "ab"}, "2 metrics × 2 tests on these files."),
    ],
)
def test_combinations_that_were_shown(looks: set[tuple[str, str]], said: str) -> None:
    """From the second on; how many of all, where not all were."""
    assert said in seen.sentence(looks)
    assert bool(seen.sentence(looks)) is bool(said)


def test_pairs_on_which_a_page_and_the_grid_disagree() -> None:
    """In either direction; a pair of a system that the grid does not have is none."""
    p = np.array([[1, 0.01, 0.2], [0.01, 1, 0.05], [0.2, 0.05, 1]])
    grid = matrix([42.0, 41.0, 40.0], p=p)
    found = {("sys0", "sys1"): True, ("sys0", "sys2"): True, ("sys2", "sys1"): False, ("sys0", "other"): True}
    assert captions.disagreement(grid, 0.05, found) == 2
    assert captions.disagreement(grid, 0.01, found) == 1


def test_chosen_pairs_of_a_link_are_those_of_loaded_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that was renamed or removed since takes its pairs with it; a system with itself is none."""
    held = {settings.PAIRS: json.dumps([["A", "B"], ["A", "gone"], ["B", "B"], ["C", "A"]])}
    monkeypatch.setattr(address, "text_of", lambda name: held.get(name, ""))
    assert settings._chosen_pairs(["A", "B", "C"]) == [("A", "B"), ("C", "A")]
    held[settings.PAIRS] = "no list"
    assert settings._chosen_pairs(["A", "B", "C"]) == []
