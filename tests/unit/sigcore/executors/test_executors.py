"""Executors: results in order, an early end, and errors that surface."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from sigcore import executors
from sigcore.errors import MismatchError, OptionError
from sigcore.executors import Serial, Threads, get, local
from tests.waiting import LIMIT

ALL = [Serial(), Threads(1), Threads(2), Threads(8)]
NAMES = ["serial", "one", "two", "eight"]


@pytest.mark.parametrize("executor", ALL, ids=NAMES)
def test_order_is_kept(executor):
    """Results come in the order of the items."""
    assert list(executor.map(lambda k: k * k, range(40))) == [k * k for k in range(40)]
    assert list(executor.map(lambda k: k * k, [])) == []


@pytest.mark.parametrize("workers", [2, 8])
def test_order_is_kept_though_later_ones_are_done_sooner(workers):
    """Every second item waits for the one after it, and still comes before it."""
    done: list[int] = []
    over = [threading.Event() for _ in range(40)]

    def work(k: int) -> int:
        if k % 2 == 0:
            assert over[k + 1].wait(LIMIT)
        done.append(k)
        over[k].set()
        return k * k

    assert list(Threads(workers).map(work, range(40))) == [k * k for k in range(40)]
    assert all(done.index(k + 1) < done.index(k) for k in range(0, 40, 2))


@pytest.mark.parametrize("executor", ALL, ids=NAMES)
def test_an_error_surfaces(executor):
    """An exception in one block reaches the reader, after the results before it."""

    def work(k: int) -> int:
        if k == 3:
            raise ValueError("block 3")
        return k

    results = executor.map(work, range(10))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="block 3"):
        next(results)


def test_closing_early_cancels(monkeypatch):
    """Closing the iterator waits for what runs, and nothing else is ever begun."""
    begun: list[int] = []
    done: list[int] = []
    both_run, go_on = threading.Barrier(3, timeout=LIMIT), threading.Event()

    class Pool(ThreadPoolExecutor):
        def shutdown(self, *how, **more) -> None:
            go_on.set()  # the pool is waited for only when the rest has been cancelled
            super().shutdown(*how, **more)

    def work(k: int) -> int:
        begun.append(k)
        if k:
            both_run.wait()
            assert go_on.wait(LIMIT)
        done.append(k)
        return k

    monkeypatch.setattr(executors.futures, "ThreadPoolExecutor", Pool)
    results = Threads(2).map(work, range(1000))
    assert next(results) == 0
    both_run.wait()  # blocks 1 and 2 hold both workers, block 3 was handed out too
    assert not done[1:]
    results.close()
    assert sorted(begun) == sorted(done) == [0, 1, 2]


def test_only_a_few_blocks_ahead():
    """While the reader stands still no more than two blocks per worker are taken from the items."""
    taken = []

    def items():
        for k in range(100):
            taken.append(k)
            yield k

    results = Threads(2).map(lambda k: k, items())
    next(results)
    assert len(taken) <= 5
    results.close()


def test_threads_work_at_the_same_time():
    """Two workers meet at a barrier that one alone could not pass."""
    barrier = threading.Barrier(2, timeout=LIMIT)
    assert sorted(Threads(2).map(lambda k: barrier.wait() * 0 + k, range(2))) == [0, 1]


def test_local_chooses():
    """One worker needs no threads."""
    assert isinstance(local(1), Serial)
    assert local(3).workers == 3
    assert local().workers >= 1


def test_get_reads_the_name(monkeypatch):
    """Each form makes its executor; "" and "local" are the threads of this machine."""
    made = []
    monkeypatch.setattr("sigcore.executors.Cluster", made.append)
    assert isinstance(get("serial"), Serial)
    assert get("threads:3").workers == 3
    assert isinstance(get("threads:1"), Serial)
    assert get(" local ").workers == get("").workers == Threads().workers
    for address in ("dask://10.0.0.5:8786", "dask://node-1.example:80/", "dask://[::1]:8786"):
        get(address)
    assert made == ["tcp://10.0.0.5:8786", "tcp://node-1.example:80", "tcp://[::1]:8786"]


@pytest.mark.parametrize(
    "name", ["threads:0", "threads:", "threads:-2", "threads:two", "dask://host", "dask://:x", "tcp://a:1", "Dask", "8"]
)
def test_get_refuses_another_form(name):
    """A name of another form is an error that shows the forms there are."""
    with pytest.raises(OptionError, match="dask://HOST:PORT"):
        get(name)


def test_other_marks_are_refused_by_name():
    """Workers with the same marks pass; another one is named with what differs and how to fix it."""
    ours = executors.marks()
    assert set(ours) == {"python", "numpy", "sigcore", "code", "arithmetic"}
    executors.check({"tcp://a:1": dict(ours)}, ours)
    with pytest.raises(MismatchError) as error:
        executors.check({"tcp://a:1": dict(ours), "tcp://b:2": ours | {"numpy": "1.0", "arithmetic": "x"}}, ours)
    assert "tcp://a:1" not in error.value.where
    assert f"tcp://b:2: numpy (1.0 there, {ours['numpy']} here), the last bits" in error.value.where


class Looked:
    """A client of a scheduler and of one sound worker; the other worker answers with an error."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def run_on_scheduler(self, function):
        return function()

    def run(self, function, on_error):
        return {"tcp://a:1": function(), "tcp://b:2": self.error}


def test_a_worker_that_leaves_is_passed_over():
    """A worker that cannot be reached while all are looked at is no fault; one that fails at it is."""
    executors.look(Looked(ConnectionError("gone")))
    with pytest.raises(ValueError, match="broken"):
        executors.look(Looked(ValueError("broken")))
