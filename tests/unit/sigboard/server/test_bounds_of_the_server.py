"""What a server keeps and computes: the case on the other side of each decision, with a clock that the test turns."""

from __future__ import annotations

import logging
import sys
from types import SimpleNamespace

import pytest

from sigboard.server import jobs as board_of_jobs
from sigboard.server import processes, worker
from sigboard.server import store as server_store
from sigboard.server.jobs import Job, Jobs
from sigboard.server.store import Keeper, grid_bytes
from sigboard.server.visits import Visit, Visits
from sigcore import Cancelled, Collection, SigError
from tests.waiting import LIMIT


def visit() -> Visit:
    return Visit(Collection(), "matrix", frozenset())


class Store:
    """A store in memory that notes what is asked of it."""

    problem = ""

    def __init__(self, **kept: tuple[object, dict[str, bytes]]) -> None:
        self.kept, self.asked = kept, list[str]()

    def get(self, token: str) -> tuple[object, dict[str, bytes]] | None:
        return self.kept.get(token)

    def put(self, *_: object) -> str:
        self.asked.append("put")
        return "stamp"

    def use(self, _: object) -> None:
        self.asked.append("use")

    def changes(self, _: float) -> tuple[list[str], dict[str, str]]:
        self.asked.append("changes")
        return [], {}

    def expire(self) -> None:
        self.asked.append("expire")

    def hand_over(self, token: str, owner: str, to: str) -> None:
        self.asked.append(f"{token} from {owner} to {to}")


def keeper(own: Store | None, now: list[float]) -> tuple[Keeper, Visits]:
    visits = Visits()
    return Keeper(visits, own, lambda: now[0]), visits  # type: ignore[arg-type]


@pytest.mark.parametrize(("rest", "asked"), [(0.9, []), (1.0, ["written"]), (1.1, ["written"])])
def test_what_rests_for_a_second_is_written(rest: float, asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    own, now, written = Store(), [5.0], list[str]()
    found, visits = keeper(own, now)
    monkeypatch.setattr(Keeper, "_write", lambda *_: written.append("written"))
    visits.put("t", visit(), "me")
    found.note("t", visit(), "me", "title", {}, None)
    now[0] += rest
    found.flush(1.0)
    assert written == asked


@pytest.mark.parametrize(("passed", "looks"), [(59.0, False), (60.0, True)])
def test_a_new_server_looks_around_after_a_minute(passed: float, looks: bool) -> None:
    """Its first visitor is not made to wait for a database that they do not use."""
    own, now = Store(), [5.0]
    found, _ = keeper(own, now)
    now[0] += passed
    found.follow()
    assert ("changes" in own.asked) is looks


def test_what_cannot_be_opened_is_not_restored() -> None:
    own = Store(
        broken=(SimpleNamespace(page="matrix", sources=frozenset(), owner="me"), {"files": b"no project"}),
        empty=(None, {}),
    )
    found, visits = keeper(own, [0.0])
    assert [found.restored(token) for token in ("broken", "empty", "none")] == [False, False, False]
    assert visits.get("broken") is None


def test_a_visit_that_is_kept_gets_its_new_secret_in_the_store_too() -> None:
    """One that is not kept only here."""
    own = Store()
    found, visits = keeper(own, [0.0])
    visits.put("t", visit(), "me")
    found.hand_over("t", "me", "you")
    assert (own.asked, visits.is_owner("t", "you")) == ([], True)
    found._stamps["t"] = "stamp"
    found.hand_over("t", "you", "us")
    assert (own.asked, visits.is_owner("t", "us")) == (["t from you to us"], True)
    without, visits = keeper(None, [0.0])
    visits.put("t", visit(), "me")
    without._stamps["t"] = "stamp"
    without.hand_over("t", "me", "you")
    assert visits.is_owner("t", "you")


def test_without_a_store_nothing_waits_to_be_written() -> None:
    found, _ = keeper(None, [0.0])
    found.note("t", visit(), "me", "title", {}, None)
    assert found._notes == {}


@pytest.mark.parametrize(("rows", "stored"), [(2**24 // 4, True), (2**24 // 4 + 1, False)])
def test_grids_of_up_to_128_mib_are_stored(rows: int, stored: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Larger ones are computed again, as are those that are not finished."""
    monkeypatch.setattr(server_store.matrix, "save", lambda grids: b"saved")
    system = SimpleNamespace(n=rows, columns=("a", "b"))
    measured = [SimpleNamespace(systems=[system, system])]
    assert grid_bytes(SimpleNamespace(measured=measured, gain_intervals=[1])) == (b"saved" if stored else b"")  # type: ignore[arg-type]
    assert grid_bytes(SimpleNamespace(measured=measured, gain_intervals=[])) == b""  # type: ignore[arg-type]
    assert (grid_bytes(None), grid_bytes(b"x")) == (b"", b"x")


@pytest.mark.parametrize(
    ("code", "what"),
    [
        (worker.NO_MEMORY, "needs more than the"), (-9, "needs more than the"), (-6, "needs more than the"),
        (9, "ended (exit code 9)"), (6, "ended (exit code 6)"), (1, "ended (exit code 1)"), (-24, "processor time"),
    ],
)  # fmt: skip
def test_why_a_process_ended(code: int, what: str) -> None:
    """Too little memory, too much time, or something else."""
    assert what in processes._failed(code).what


@pytest.mark.parametrize(
    ("large", "disk", "asked"), [(True, True, 1), (True, False, 0), (False, True, 0), (False, False, 0)]
)
def test_statistics_of_a_large_test_set_are_made_apart_where_they_are_stored(
    large: bool, disk: bool, asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []
    monkeypatch.setattr(processes, "is_large", lambda size: large)
    monkeypatch.setattr(processes, "statistics_on_disk", lambda: "folder" if disk else None)
    monkeypatch.setattr(processes, "ask", lambda *given: calls.append(given))
    processes.extract(lambda *_: None, SimpleNamespace(references=(("a",),)), [], None)  # type: ignore[arg-type]
    assert len(calls) == asked


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such bounds")
@pytest.mark.parametrize(("most", "bounds"), [(0.2, (1, 6)), (5.0, (5, 10)), (5.1, (6, 11)), (float("inf"), None)])
def test_the_processor_time_of_a_process_is_bound(
    most: float, bounds: tuple[int, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In whole seconds, at least one."""
    import resource

    found: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda kind, values: found.append(values))
    worker.bound_time(most)
    assert found == ([] if bounds is None else [bounds])


def test_only_errors_of_a_job_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    """That somebody pressed Cancel is none."""

    def fails(job: Job) -> None:
        raise SigError("It failed.")

    def stops(job: Job) -> None:
        raise Cancelled

    with caplog.at_level(logging.INFO, "sigboard"):
        Job("k").run(stops)
        assert caplog.records == []
        Job("k").run(fails)
    assert [one.getMessage().startswith("job ended by SigError") for one in caplog.records] == [True]


def test_a_job_begins_with_nothing_done() -> None:
    job = Job("matrix:k")
    assert (job.done, job.total, job.left, job.waiting, job.result, job.phase) == (
        0,
        0,
        None,
        set(),
        None,
        "waiting for a free worker",
    )
    assert board_of_jobs._progress_text(Job("k", phase="working")) == "Working"


def test_results_stay_while_a_cancelled_job_is_asked_for() -> None:
    """A cancelled job that another visitor waits for stays; so does a result that nobody waits for any more."""
    board = Jobs()
    done = board.ask("matrix:done", lambda job: 1, "a")
    assert done.finished.wait(LIMIT)
    done.visitors.clear()
    stopped = board.ask("matrix:stopped", lambda job: job.stop.wait(LIMIT), "a")
    board.cancel(stopped, "a")
    assert stopped.finished.wait(LIMIT)
    board.ask("matrix:other", lambda job: 2, "b")
    assert board.has("matrix:done")
    assert board.ask("matrix:stopped", lambda job: 3, "a") is stopped
