"""The background jobs of the screen: shared by equal requests, in turns, stopped when nobody waits for them."""

from __future__ import annotations

import os
import sys
import threading
from threading import Event

import pytest

from sigboard.server import jobs as board_of_jobs
from sigboard.server.jobs import AWAY, KEPT, TURN, Job, Jobs, Work
from sigcore import Cancelled
from sigcore.executors import Threads
from tests.waiting import LIMIT, until


def endless(job: Job) -> None:
    """Work that ends only when it is cancelled (or long after its test has failed)."""
    job.report("working", 1, 2)
    job.stop.wait(2 * LIMIT)
    job.report("working", 1, 2)


def ended(job: Job) -> bool:
    """Whether the job ends at all."""
    return job.finished.wait(LIMIT)


def test_equal_questions_share_one_job() -> None:
    """Two visitors with the same question wait for one job, and both get its result."""
    board = Jobs()
    one, two = (board.ask("matrix:k", lambda job: 42, visitor) for visitor in "ab")
    assert one is two
    assert ended(one)
    assert one.result == 42


def test_cancel_leaves_the_job_to_the_others() -> None:
    """The first of two visitors who cancels only leaves; the second one stops the work."""
    board = Jobs()
    job = board.ask("matrix:k", endless, "a")
    board.ask("matrix:k", endless, "b")
    board.cancel(job, "a")
    assert not job.stop.is_set()
    board.cancel(job, "b")
    assert ended(job)
    assert isinstance(job.error, Cancelled)


def test_a_cancelled_job_stays_cancelled_until_asked_again() -> None:
    """A rerun of the page does not start again what its visitor has cancelled; Run again does."""
    board = Jobs()
    job = board.ask("matrix:k", endless, "a")
    board.cancel(job, "a")
    assert ended(job)
    assert board.ask("matrix:k", endless, "a") is job
    board.again(job, "a")
    fresh = board.ask("matrix:k", lambda job: 1, "a")
    assert fresh is not job
    assert ended(fresh)
    assert fresh.result == 1


def test_another_visitor_does_not_inherit_a_cancelled_job() -> None:
    """What one visitor has cancelled is computed again for the next who asks."""
    board = Jobs()
    job = board.ask("matrix:k", endless, "a")
    board.cancel(job, "a")
    fresh = board.ask("matrix:k", lambda job: 1, "b")
    assert fresh is not job
    assert ended(job)
    assert ended(fresh)


def test_a_changed_question_stops_the_old_one_of_its_kind_only() -> None:
    """Another setting on the page Grid stops the old grid; a look at the page Pair does not."""
    board = Jobs()
    grid = board.ask("matrix:k", endless, "a")
    board.leave("a", {"compare:pair"})
    assert not grid.stop.is_set()
    board.leave("a", {"compare:pair", "matrix:k"})
    assert not grid.stop.is_set()
    board.leave("a", {"matrix:other"})
    assert ended(grid)


def test_more_resamples_of_a_question_do_not_stop_fewer() -> None:
    """Parts of a key behind its question make no other question."""
    board = Jobs()
    few = board.ask("matrix:k:1000", endless, "a")
    board.leave("a", {"matrix:k"})
    assert not few.stop.is_set()
    board.leave("a", {"matrix:other"})
    assert ended(few)


# ---- turns


def on_cue(gate: Event) -> Work:
    """Work that ends when the gate opens."""

    def work(job: Job) -> str:
        gate.wait(LIMIT)
        job.report("working", 1, 2)
        return job.key

    return work


def test_each_visitor_has_one_worker() -> None:
    """Four questions of one visitor take one of two workers: the next visitor's question is answered meanwhile."""
    board, gate = Jobs(at_once=2), Event()
    greedy = [board.ask(f"matrix:{k}", on_cue(gate), "greedy") for k in range(4)]
    assert ended(board.ask("matrix:small", lambda job: 1, "modest"))
    assert sum(job.work is None for job in greedy) == 1
    gate.set()
    assert all(map(ended, greedy))


def test_the_next_turn_is_that_of_who_waited_longest() -> None:
    """With one worker, the second question of the first visitor comes after the first one of the second."""
    board, gate, order = Jobs(at_once=1), Event(), list[str]()

    def noted(job: Job) -> None:
        gate.wait(LIMIT)
        order.append(job.key)

    jobs = [board.ask(key, noted, key[-1]) for key in ("matrix:1a", "compare:2a", "gain:3a", "matrix:1b")]
    gate.set()
    assert all(map(ended, jobs))
    assert order == ["matrix:1a", "matrix:1b", "compare:2a", "gain:3a"]


def test_a_long_job_lets_others_work() -> None:
    """After its turn a long job waits at its next report until the question of another visitor is answered."""
    now = [0.0]
    board, begun, gate = Jobs(at_once=1, clock=lambda: now[0]), Event(), Event()
    others: list[Job] = []

    def long(job: Job) -> bool:
        begun.set()
        gate.wait(LIMIT)
        job.report("within its turn", 1, 3)
        before = others[0].finished.is_set()
        now[0] += TURN
        job.report("after its turn", 2, 3)
        return not before and others[0].finished.is_set()

    job = board.ask("matrix:long", long, "a")
    assert begun.wait(LIMIT)
    others.append(board.ask("matrix:short", lambda job: 1, "b"))
    gate.set()
    assert ended(job)
    assert job.result is True


def test_cancel_reaches_a_job_that_waits() -> None:
    """A job that never began, and one that lets another work, end at once when they are cancelled."""
    now = [0.0]
    board, gate = Jobs(at_once=1, clock=lambda: now[0]), Event()

    def long(job: Job) -> None:
        now[0] += TURN
        while not job.stop.is_set():
            job.report("working", 1, 2)

    first = board.ask("matrix:1", long, "a")
    second = board.ask("matrix:2", on_cue(gate), "b")  # has the worker after the turn of the first
    third = board.ask("matrix:3", lambda job: 1, "c")
    until(lambda: second.work is None, "the second has the worker")
    for job, visitor in ((first, "a"), (third, "c")):
        board.cancel(job, visitor)
        assert ended(job)
        assert isinstance(job.error, Cancelled)
    gate.set()
    assert ended(second)
    assert second.result == "matrix:2"


# ---- visitors who leave


def test_the_jobs_of_closed_tabs_end() -> None:
    """Four endless jobs whose visitors are away for some seconds end, and the next visitor's question is answered."""
    now, here = [0.0], {"next"}
    board = Jobs(at_once=4, is_here=here.__contains__, clock=lambda: now[0])
    closed = [board.ask(f"matrix:{k}", endless, f"tab {k}") for k in range(4)]
    board.sweep()
    now[0] = AWAY - 1
    board.sweep()
    assert not any(job.stop.is_set() for job in closed)
    now[0] = AWAY
    board.sweep()
    assert all(job.stop.is_set() for job in closed)
    assert all(map(ended, closed))
    assert ended(board.ask("matrix:small", lambda job: 1, "next"))


def test_a_short_absence_ends_nothing() -> None:
    """A visitor who is back in time finds the job, and the next absence begins anew; a later return starts it again."""
    now, here = [0.0], set[str]()
    board = Jobs(is_here=here.__contains__, clock=lambda: now[0])
    job = board.ask("matrix:k", endless, "a")
    board.sweep()
    here.add("a")
    now[0] = AWAY
    board.sweep()
    here.clear()
    board.sweep()
    assert board.ask("matrix:k", endless, "a") is job
    assert not job.stop.is_set()
    now[0] += AWAY
    board.sweep()
    assert job.stop.is_set()
    here.add("a")
    fresh = board.ask("matrix:k", lambda job: 1, "a")
    assert fresh is not job
    assert ended(fresh)


def test_nothing_is_computed_for_who_is_away() -> None:
    """A job pauses at its next report once its visitor has left: the one worker is free, and goes on when they are back."""
    here = {"a", "b"}
    board, begun, left, reports = Jobs(at_once=1, is_here=here.__contains__), Event(), Event(), list[int]()

    def long(job: Job) -> str:
        begun.set()
        left.wait(LIMIT)
        for k in range(3):
            job.report("working", k, 3)
            reports.append(k)
        return "done"

    job = board.ask("matrix:long", long, "a")
    assert begun.wait(LIMIT)
    here.discard("a")
    left.set()
    assert ended(board.ask("matrix:short", lambda job: 1, "b"))
    board.sweep()
    assert not job.finished.is_set()
    assert not reports
    here.add("a")
    board.sweep()
    assert ended(job)
    assert (job.result, reports) == ("done", [0, 1, 2])


def test_a_question_of_who_has_left_does_not_begin() -> None:
    """A job that waits for a worker does not get one once its visitor has left, though it is the first in the queue."""
    here = {"a", "b", "c"}
    board, gate = Jobs(at_once=1, is_here=here.__contains__), Event()
    busy = board.ask("matrix:busy", on_cue(gate), "a")
    waiting = board.ask("matrix:waiting", lambda job: 1, "b")
    here.discard("b")
    later = board.ask("matrix:later", lambda job: 2, "c")
    gate.set()
    assert ended(busy)
    assert ended(later)
    assert waiting.work is not None


def test_a_job_lives_as_long_as_one_visitor_waits() -> None:
    """If one of two visitors is away, or asks another question, the job goes on for the other."""
    now = [0.0]
    board = Jobs(is_here={"b"}.__contains__, clock=lambda: now[0])
    job = board.ask("matrix:k", endless, "a")
    board.ask("matrix:k", endless, "b")
    board.sweep()
    now[0] = AWAY
    board.sweep()
    assert not job.stop.is_set()
    board.leave("b", {"matrix:other"})
    assert ended(job)


# ---- what is kept


def test_finished_jobs_are_dropped_and_running_ones_are_not() -> None:
    """Above the bound the oldest finished jobs are dropped; a running job is found again however old it is."""
    board = Jobs()
    running = board.ask("matrix:running", endless, "a")
    for k in range(KEPT + 5):
        assert ended(board.ask(f"matrix:{k}", lambda job: 1, "b"))
    board.ask("matrix:last", lambda job: 1, "b")
    assert len(board._jobs) == KEPT
    assert board.ask("matrix:running", endless, "a") is running
    assert "matrix:0" not in board._jobs
    assert f"matrix:{KEPT + 4}" in board._jobs
    board.cancel(running, "a")


def test_discard_forgets_the_results_of_one_visitor() -> None:
    """A visitor who clears everything leaves no result behind, except what another has asked for too."""
    board = Jobs()
    own, shared = (board.ask(key, lambda job: 1, "a") for key in ("matrix:own", "matrix:shared"))
    assert ended(own)
    assert ended(shared)
    board.ask("matrix:shared", lambda job: 2, "b")
    running = board.ask("gain:running", endless, "a")
    board.discard("a")
    assert list(board._jobs) == ["matrix:shared", "gain:running"]
    assert ended(running)


def test_the_time_left_follows_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quarter done in 10 s leaves 30 s; nothing is said at first, without a total, or before anything is done."""
    monkeypatch.setattr(board_of_jobs.time, "monotonic", lambda: 1000.0)
    assert Job("matrix:k", started=990.0, done=25, total=100).left == 30
    assert Job("matrix:k", started=999.5, done=25, total=100).left == 1.5
    assert Job("matrix:k", started=999.6, done=25, total=100).left is None
    assert Job("matrix:k", started=990.0, done=0, total=100).left is None
    assert Job("matrix:k", started=990.0, done=25, total=0).left is None


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere threads have no priority of their own")
def test_pages_go_before_what_is_computed() -> None:
    """The thread of a job, and those that it starts, have a lower priority than the thread of a page; the page keeps its own."""

    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    own = priority()
    board = Jobs()
    job = board.ask("matrix:k", lambda job: (priority(), list(Threads(2).map(lambda _: priority(), range(2)))), "a")
    assert job.finished.wait(LIMIT)
    assert job.result == (own + board_of_jobs.NICE, [own + board_of_jobs.NICE] * 2)
    assert priority() == own
