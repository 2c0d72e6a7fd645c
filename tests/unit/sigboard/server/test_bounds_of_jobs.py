"""Jobs as pages see them: what a page gets from each state of a job, what it draws, and what it stops."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import nullcontext
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import RerunException, StopException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

from sigboard.server import jobs as board_of_jobs
from sigboard.server.jobs import Job, Jobs, kind_of, question_of
from sigcore import Cancelled, SigError
from tests.waiting import LIMIT


class Stopped(Exception):
    """The script of the page stops here."""


class Again(Exception):
    """The page is drawn again."""


class Drawn:
    """What a page draws, in place of Streamlit."""

    def __init__(self) -> None:
        self.session_state: dict[str, Any] = {}
        self.shown: list[tuple[Any, ...]] = []

    def stop(self) -> None:
        raise Stopped

    def rerun(self) -> None:
        raise Again

    def container(self, **_: Any) -> Any:
        return nullcontext()

    def progress(self, share: float, text: str) -> None:
        self.shown.append((share, text))

    def info(self, text: str, **_: Any) -> None:
        self.shown.append(("info", text))

    def button(self, label: str, on_click: Any, args: Any, **_: Any) -> None:
        self.shown.append((label, on_click, args))


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """The page of the visitor "me", on a server with a board of its own."""
    drawn, board = Drawn(), Jobs()
    monkeypatch.setattr(board_of_jobs, "st", drawn)
    monkeypatch.setattr(board_of_jobs, "jobs", lambda: board)
    monkeypatch.setattr(board_of_jobs, "visitor", lambda: "me")
    monkeypatch.setattr(board_of_jobs, "PATIENCE", 0.0)
    monkeypatch.setattr(board_of_jobs, "_watch", lambda job, shown, why: drawn.shown.append(("bar", why)))
    return drawn


def board() -> Jobs:
    return board_of_jobs.jobs()


def waits(job: Job) -> None:
    """Work that ends when it is cancelled."""
    job.stop.wait(LIMIT)
    job.report("working", 1, 2)


def running(key: str, others: bool = False) -> Job:
    job = board().ask(key, waits, "me")
    if others:
        board().ask(key, waits, "other")
    return job


def ended(job: Job) -> Job:
    assert job.finished.wait(LIMIT)
    return job


def got(key: str, **how: Any) -> object:
    """What the page gets: a value, or how it ends."""
    try:
        return board_of_jobs.result(key, waits, **how)
    except (Stopped, Cancelled) as ends:
        return type(ends)


# ---- what a page gets


def test_a_result_is_given_without_a_word(page: Drawn) -> None:
    """Also one that is nothing."""
    for value in (7, 0, None):
        ended(board().ask(f"matrix:{value}", lambda job, value=value: value, "other"))
        assert got(f"matrix:{value}") == value
    assert page.shown == []


def test_an_error_is_raised_once(page: Drawn) -> None:
    """Then it is computed again."""

    def fails(job: Job) -> None:
        raise SigError("It failed.")

    first = ended(board().ask("matrix:k", fails, "me"))
    with pytest.raises(SigError, match="It failed"):
        board_of_jobs.result("matrix:k", fails)
    assert board().ask("matrix:k", waits, "me") is not first
    board().discard("me")


@pytest.mark.parametrize(
    ("part", "how", "gets"),
    [
        (None, {}, Stopped),
        (None, {"ends": False}, None),
        (None, {"so_far": 5}, 5),
        (None, {"so_far": False}, False),
        (3, {}, 3),
        (3, {"so_far": 5}, 3),
        (0, {"so_far": 5}, 0),
        (3, {"whole": True}, Stopped),
        (3, {"whole": True, "so_far": 5}, 5),
        (3, {"whole": True, "ends": False}, None),
    ],
)
def test_what_is_known_of_a_job_that_runs(page: Drawn, part: object, how: dict[str, Any], gets: object) -> None:
    """A bar stands beside it, with what it is for."""
    job = running("matrix:k")
    job.publish(part)
    found = got("matrix:k", why="For all pairs: ", **how)
    assert (found, type(found)) == (gets, type(gets))
    assert page.shown == [("bar", "For all pairs: ")]
    board().cancel(job, "me")


@pytest.mark.parametrize("others", [False, True])
@pytest.mark.parametrize(
    ("part", "how", "gets"),
    [(None, {}, Stopped), (3, {}, 3), (None, {"so_far": 5}, 5), (3, {"whole": True}, Stopped)],
)
def test_what_is_known_of_a_job_that_was_cancelled(
    page: Drawn, others: bool, part: object, how: dict[str, Any], gets: object
) -> None:
    """There is no bar any more, but a way to begin again, also where the job goes on for somebody else."""
    job = running("matrix:k", others)
    job.publish(part)
    board().cancel(job, "me")
    assert others or ended(job)
    assert got("matrix:k", **how) == gets
    words, button = page.shown
    assert ("What was computed so far is shown below." in words[1]) is (gets is not Stopped)
    assert words[1].startswith("Cancelled. ")
    assert button == ("Run again", board().again, (job, "me"))
    board().cancel(job, "other")


@pytest.mark.parametrize("others", [False, True])
def test_a_page_that_goes_on_is_told_of_the_cancellation_once(page: Drawn, others: bool) -> None:
    """Then the job begins again, or is waited for again."""
    job = running("matrix:k", others)
    board().cancel(job, "me")
    assert others or ended(job)
    assert got("matrix:k", ends=False) is Cancelled
    assert page.shown == []
    assert "me" not in job.gone
    assert (board().ask("matrix:k", waits, "me") is job) is others
    board().discard("me")
    board().discard("other")


def test_who_left_a_job_gets_its_result_all_the_same(page: Drawn) -> None:
    """Where it was computed for somebody else."""
    gate = Event()
    job = board().ask("matrix:k", lambda job: gate.wait(LIMIT) and 7, "me")
    board().ask("matrix:k", waits, "other")
    board().cancel(job, "me")
    gate.set()
    ended(job)
    assert got("matrix:k") == 7
    assert page.shown == []


# ---- what a page draws


@pytest.mark.parametrize(
    ("done", "total", "share"), [(0, 0, 0.0), (3, 0, 0.0), (0, 4, 0.0), (1, 4, 0.25), (98, 100, 0.98), (4, 4, 0.99)]
)
def test_the_bar_of_a_job(page: Drawn, done: int, total: int, share: float) -> None:
    """It is never full, and it has its button."""
    job = Job("matrix:k", phase="working", done=done, total=total, started=float("inf"))
    watch(job, id(None))
    bar, button = page.shown
    assert bar[0] == share
    assert bar[1].startswith("For now: Working")
    assert button == ("Cancel", board().cancel, (job, "me"))


def watch(job: Job, shown: int) -> None:
    WATCHED(job, shown, "For now: ")


WATCHED: Callable[..., None] = board_of_jobs._watch.__wrapped__  # type: ignore[attr-defined]


def test_a_page_is_drawn_again_where_there_is_more(page: Drawn) -> None:
    """At the end, after Cancel of this visitor, or with another partial result; not before."""
    part = [3]
    job = Job("matrix:k", partial=part, gone={"other"})
    watch(job, id(part))
    with pytest.raises(Again):
        watch(job, id(None))
    for changed in (Job("k", partial=part, gone={"me"}), Job("k", partial=part)):
        if not changed.gone:
            changed.finished.set()
        with pytest.raises(Again):
            watch(changed, id(part))


# ---- what a page stops


@pytest.mark.parametrize(
    ("key", "kind", "question"),
    [("a", "a", "a"), ("a:b", "a", "a:b"), ("a:b:c", "a", "a:b"), ("a:b:c:d", "a", "a:b"), ("a::c", "a", "a:")],
)
def test_the_parts_of_a_key(key: str, kind: str, question: str) -> None:
    assert (kind_of(key), question_of(key)) == (kind, question)


class Noted:
    """A board that notes which questions a page asks when others are left."""

    def __init__(self, *known: str) -> None:
        self.known, self.left = known, list[tuple[str, set[str]]]()

    def knows(self, key: str) -> bool:
        return key in self.known

    def leave(self, visitor: str, asked: Collection[str]) -> None:
        self.left.append((visitor, set(asked)))


@pytest.mark.parametrize(
    ("ends", "left"),
    [(None, True), (StopException(), True), (RerunException(RerunData()), False), (ValueError(), False)],
)
def test_a_run_of_a_page_stops_what_it_did_not_ask_for(
    page: Drawn, monkeypatch: pytest.MonkeyPatch, ends: BaseException | None, left: bool
) -> None:
    """Once, at its end; a run that another one interrupts has not asked for everything yet."""
    noted = Noted("matrix:a:1")
    monkeypatch.setattr(board_of_jobs, "jobs", lambda: noted)
    page.session_state[board_of_jobs.ASKED] = {"gain:of an earlier run"}

    def run() -> None:
        with board_of_jobs.run_of_page():
            board_of_jobs._note(noted, "matrix:a:1")  # type: ignore[arg-type]
            if ends is not None:
                raise ends

    if ends is None:
        run()
    else:
        with pytest.raises(type(ends)):
            run()
    assert noted.left == [("me", {"matrix:a"})] * left


def test_a_new_question_ends_the_old_one_of_its_kind_at_once(page: Drawn) -> None:
    """Those of other kinds, and those that are known, are left alone."""
    noted = Noted("matrix:a")
    for key in ("matrix:a", "gain:x", "matrix:b:1"):
        board_of_jobs._note(noted, key)  # type: ignore[arg-type]
    assert noted.left == [("me", {"gain:x"}), ("me", {"matrix:a", "matrix:b"})]


# ---- a job alone


def test_a_phase_has_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which begins with its first step, and is not that of the phase before."""
    now = [10.0]
    monkeypatch.setattr(board_of_jobs.time, "monotonic", lambda: now[0])
    job, seen = Job("k"), list[tuple[str, float, int, int]]()
    for moment, phase, done in ((10, "reading", 0), (20, "reading", 1), (30, "drawing", 0), (40, "drawing", 3)):
        now[0] = moment
        job.report(phase, done, 5)
        seen.append((job.phase, job.started, job.done, job.total))
    assert seen == [("reading", 10, 0, 5), ("reading", 10, 1, 5), ("drawing", 30, 0, 5), ("drawing", 30, 3, 5)]


def test_the_time_of_others_is_not_that_of_a_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_of_jobs.time, "monotonic", lambda: 10.0)
    job = Job("k", jobs=SimpleNamespace(give_turns=lambda _: 3.0))  # type: ignore[arg-type]
    job.report("reading", 0, 5)
    job.report("reading", 1, 5)
    assert job.started == 10 + 3 + 3


def test_work_begins_with_nothing_done() -> None:
    seen: list[tuple[str, int, int]] = []
    job = Job("k")
    job.run(lambda job: seen.append((job.phase, job.done, job.total)))
    assert seen == [("starting", 0, 0)]
    assert (job.error, job.finished.is_set()) == (None, True)


def test_work_that_was_cancelled_does_not_begin() -> None:
    seen: list[Job] = []
    job = Job("k")
    job.stop.set()
    job.run(seen.append)
    assert (seen, type(job.error), job.finished.is_set()) == ([], Cancelled, True)


# ---- the board


def test_only_a_job_that_was_stopped_begins_again() -> None:
    """One that others wait for goes on; one whose place another job has taken leaves that one alone."""
    own = Jobs()
    shared = own.ask("matrix:shared", waits, "a")
    own.ask("matrix:shared", waits, "b")
    own.cancel(shared, "a")
    own.again(shared, "a")
    assert shared.gone == set()
    assert own.ask("matrix:shared", waits, "c") is shared
    stopped = own.ask("gain:k", waits, "a")
    own.cancel(stopped, "a")
    fresh = own.ask("gain:k", waits, "b")
    own.again(stopped, "a")
    assert own.ask("gain:k", waits, "c") is fresh
    for visitor in "abc":
        own.discard(visitor)


def test_a_visitor_who_asks_for_nothing_any_more_is_forgotten() -> None:
    """Or the notes on turns would grow with every visitor; those who are here, or wait, are known."""
    here = {"here", "away", "gone"}
    own = Jobs(at_once=3, is_here=here.__contains__)
    ended(own.ask("matrix:1", lambda job: 1, "here"))
    ended(own.ask("matrix:2", lambda job: 1, "gone"))
    job = own.ask("matrix:3", waits, "away")
    here.intersection_update({"here"})
    own.sweep()
    assert set(own._served) == {"here", "away"}
    own.cancel(job, "away")


def test_a_visitor_with_a_worker_waits_for_the_next() -> None:
    """A job of two visitors begins for the one who has none."""
    own, gate = Jobs(at_once=2), Event()
    first = own.ask("matrix:1", lambda job: gate.wait(LIMIT), "a")
    second = own.ask("matrix:2", lambda job: gate.wait(LIMIT), "a")
    assert (first.work, second.work is None) == (None, False)
    own.ask("matrix:2", waits, "b")
    assert second.work is None
    assert [visitor for visitor, _ in own._running.values()] == ["a", "b"]
    gate.set()
    assert ended(first).result == ended(second).result


@pytest.mark.parametrize(("given", "at_once"), [((1,), 1), ((2,), 2), ((3,), 3), ((), 2)])
def test_so_many_jobs_run_at_once(given: tuple[int, ...], at_once: int) -> None:
    """Two, unless the server says otherwise."""
    own, gate = Jobs(*given), Event()
    asked = [own.ask(f"matrix:{name}", lambda job: gate.wait(LIMIT), name) for name in "abcd"]
    assert [job.work is None for job in asked] == [k < at_once for k in range(4)]
    gate.set()
    assert all(map(ended, asked))


# ---- who a visitor is


def test_a_visitor_is_one_session_of_a_browser(page: Drawn, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same at each run; without a session it has a name all the same."""
    monkeypatch.undo()
    drawn = Drawn()
    monkeypatch.setattr(board_of_jobs, "st", drawn)
    monkeypatch.setattr(board_of_jobs, "get_script_run_ctx", lambda: SimpleNamespace(session_id="s1"))
    name = board_of_jobs.visitor()
    assert name.startswith("s1/")
    assert board_of_jobs.visitor() == name
    drawn.session_state.clear()
    assert board_of_jobs.visitor() != name
    drawn.session_state.clear()
    monkeypatch.setattr(board_of_jobs, "get_script_run_ctx", lambda: None)
    assert board_of_jobs.visitor().startswith("/")
    assert len(board_of_jobs.visitor()) > 9


def test_a_visitor_is_here_while_the_session_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a server everybody is."""
    server = SimpleNamespace(is_active_session={"s1"}.__contains__)
    monkeypatch.setattr(board_of_jobs.runtime, "get_instance", lambda: server)
    assert [board_of_jobs.is_here(name) for name in ("s1/abc", "s2/abc", "/s1")] == [True, False, False]

    def none() -> None:
        raise RuntimeError

    monkeypatch.setattr(board_of_jobs.runtime, "get_instance", none)
    assert board_of_jobs.is_here("s2/abc")
