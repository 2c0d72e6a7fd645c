"""A real Dask cluster on this machine: the same bits as here, whatever happens to its workers."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from subprocess import Popen
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from demos.loopback import Loopback, loopback
from sigcore import executors
from sigcore.errors import MismatchError, SigError
from sigcore.executors import Cluster, Serial, Threads
from sigcore.studies import compare, matrix
from sigcore.study import Runtime, Study
from tests.made import text_set
from tests.waiting import LIMIT, until

distributed = pytest.importorskip("distributed", reason="Dask is not installed (requirements-cluster.txt)")


pytestmark = pytest.mark.cluster

ROOT = Path(__file__).resolve().parents[4]
TESTS = ("approximate_randomization", "bootstrap_shift", "two_delta_bootstrap")
ASKED = [("bleu", {}), ("chrf", {})]


def square(k: int) -> int:
    """A small block."""
    return k * k


def meet(folder: str, k: int) -> int:
    """The process that computes, once two of them do."""
    Path(folder, str(os.getpid())).touch()
    until(lambda: len(list(Path(folder).iterdir())) == 2, "two processes compute")
    return os.getpid()


def refuse(k: int) -> int:
    """The fourth block fails."""
    if k == 3:
        raise ValueError("block 3")
    if k == 23:
        raise TimeoutError("block 23")
    return k


def refuse_late(k: int) -> int:
    """A late block fails, inside a task of many."""
    if k == 1_500:
        raise ValueError("block 1500")
    return k


def held(folder: str, k: int) -> int:
    """Leaves a trace of having begun and one of having ended; once there is a file "hold", "go" is waited for."""
    Path(folder, f"begun-{k}").touch()
    until(lambda: Path(folder, "go").exists() or not Path(folder, "hold").exists(), "the block may go on")
    Path(folder, f"ended-{k}").touch()
    return k


def waiting(dask_worker: Any) -> int:
    """The blocks that a worker has been given and has not begun."""
    return len(dask_worker.state.ready)


def alive(running: Loopback) -> set[int]:
    """The processes of the workers that run."""
    return {worker.pid for worker in running.workers if worker.poll() is None}


def end(worker: Popen[bytes]) -> None:
    """End a worker at once; it is gone when this returns."""
    worker.kill()
    worker.wait()


def all_known(running: Loopback, client: Any) -> None:
    """Nothing, once the scheduler knows the workers that run, and no others."""
    until(
        lambda: set(client.run(os.getpid, on_error="return").values()) == alive(running),
        "the scheduler knows the workers that run",
    )


class Big:
    """Something all blocks share; it notes on every pickling how often that happened."""

    pickled = 0

    def __init__(self) -> None:
        self.values = np.arange(200_000.0)

    def __getstate__(self) -> dict[str, object]:
        type(self).pickled += 1
        return self.__dict__


def pick(big: Big, k: int) -> float:
    """One number of what is shared."""
    return float(big.values[k])


@pytest.fixture(autouse=True)
def no_hang():
    """No test of a cluster may hang the others: far beyond what the slowest machine takes it fails where it waits."""

    def late(number: int, frame: object) -> None:
        raise TimeoutError(f"This test of the cluster took more than {2 * LIMIT} s.")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(int(2 * LIMIT))
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True, scope="module")
def patience():
    """A slow machine may take its time to start a process; the tests of what is missing are less patient."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CONNECT", "ARRIVE", "PATIENCE"):
            patch.setattr(executors, name, LIMIT)
        yield


@pytest.fixture(scope="module")
def pair():
    """A running cluster of two workers, and the executor on it."""
    with loopback(workers=2) as running:
        executor = executors.get(running.address)
        yield running, executor
        executor.close()


@pytest.fixture
def away(pair):
    """The executor on two workers; those a test has ended are started again."""
    running, executor = pair
    client = executor.client()
    all_known(running, client)
    until(lambda: executor.threads(client) == client.nthreads(), "the executor knows them too")
    yield executor
    running.add(2 - len(alive(running)))


def test_order_is_kept(away):
    """Results come in the order of the items; no items, no results."""
    assert list(away.map(square, range(40))) == [k * k for k in range(40)]
    assert list(away.map(square, [])) == []


def test_an_error_surfaces(away):
    """An exception in one block reaches the reader as it was raised, after the results before it."""
    results = away.map(refuse, range(10))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="block 3"):
        next(results)
    with pytest.raises(TimeoutError, match="block 23"):
        list(away.map(refuse, range(20, 30)))


def test_tasks_grow_to_many_blocks(away, monkeypatch):
    """Short blocks travel together, more in each task; results stay in order, and an error surfaces."""
    sent = list[int]()
    submit = executors._Job.submit

    def counted(job: Any, items: Sequence[int]) -> None:
        sent.append(len(items))
        submit(job, items)

    monkeypatch.setattr(executors._Job, "submit", counted)
    assert list(away.map(square, range(3_000))) == [k * k for k in range(3_000)]
    assert sum(sent) == 3_000
    assert sent[0] == 1
    assert max(sent) == executors.MOST_TOGETHER
    assert all(later <= 2 * max(sent[:k]) for k, later in enumerate(sent[1:], start=1))
    with pytest.raises(ValueError, match="block 1500"):
        list(away.map(refuse_late, range(2_000)))


def test_all_workers_work(pair, away, tmp_path):
    """Two workers compute at the same time: each of them waits for the other."""
    assert set(away.map(partial(meet, str(tmp_path)), range(6))) == alive(pair[0])


class Ledger:
    """A client that only writes down where each block is sent."""

    status = "running"

    def __init__(self, threads: dict[str, int]) -> None:
        self.threads, self.sent = threads, Counter[str]()

    def nthreads(self) -> dict[str, int]:
        return self.threads

    def submit(self, function: Any, *arguments: Any, workers: Sequence[str] = (), **more: Any) -> Any:
        self.sent.update(workers)
        return SimpleNamespace(done=lambda: self.ended == workers)

    ended: Sequence[str] = ("nobody",)


@pytest.mark.parametrize("threads", [{"a": 1, "b": 1}, {"a": 1, "b": 3}, {"a": 2, "b": 1, "c": 1}])
def test_blocks_are_spread_evenly(monkeypatch, threads):
    """Each worker is sent blocks by the number of its threads, and the next ones go to who has ended the most."""
    ledger = Ledger(threads)
    monkeypatch.setattr(Cluster, "_connect", lambda self: ledger)
    job = executors._Job(Cluster("tcp://nowhere:1"), square)
    for k in range(3 * sum(threads.values())):
        assert not job.full
        job.submit([k])
    assert job.full
    assert ledger.sent == {address: 3 * count for address, count in threads.items()}
    ledger.ended = ["b"]
    for k in range(threads["b"]):
        job.submit([k])
    assert ledger.sent["b"] == 4 * threads["b"]


def bits(run: matrix.MatrixRun) -> list[bytes]:
    """Every number of a run."""
    tallies = [tally for draws in run.draws for tally in draws.tallies.values()]
    return [t.counts.tobytes() + t.means.tobytes() + t.gains.tobytes() for t in tallies] + [
        interval.tobytes() for interval in run.score_intervals
    ]


def test_the_grid_has_the_same_bits(away):
    """All counts, means and intervals of the grid are those of one thread here."""
    testset, outputs = text_set(80, (0.1, 0.15, 0.2))
    cache: dict[str, np.ndarray] = {}
    one, other = (
        matrix.run(
            Study(testset, outputs, ASKED, TESTS, resamples=9000), runtime=Runtime(executor=executor, cache=cache)
        )
        for executor in (Serial(), away)
    )
    assert bits(one) == bits(other)


def test_a_pair_has_the_same_bits(away):
    """The nulls of one pair, which travel whole, are those of one thread here."""
    testset, outputs = text_set(50)
    one, other = (
        compare.run(Study(testset, outputs, tests=None, resamples=1500), runtime=Runtime(executor=executor))
        for executor in (Serial(), away)
    )
    for name, null in one.nulls[0].items():
        np.testing.assert_array_equal(null, other.nulls[0][name], strict=True)
    for test, ends in one.matrix.gain_intervals[0].items():
        np.testing.assert_array_equal(ends, other.matrix.gain_intervals[0][test])


def test_what_is_shared_is_sent_once(away):
    """The first argument of a partial travels once, also over several maps, and goes when it is gone here."""
    big = Big()
    Big.pickled = 0
    for _ in range(2):
        assert list(away.map(partial(pick, big), range(50))) == list(range(50))
    assert Big.pickled == 1
    assert len(away._shared) == 1
    del big
    gc.collect()  # futures may have held it in a circle
    assert len(away._shared) == 0


def test_a_worker_that_dies_costs_no_result(pair, away):
    """A worker is killed in the middle of a job: the result is as before, bit for bit."""
    testset, outputs = text_set(80)
    killed = []

    def progress(phase: str, done: int, total: int) -> None:
        if phase == "resampling" and done > total // 3 and not killed:
            killed.append(end(pair[0].workers[-1]))

    cache: dict[str, np.ndarray] = {}
    one = matrix.run(
        Study(testset, outputs, ASKED, TESTS, resamples=9000), runtime=Runtime(executor=Serial(), cache=cache)
    )
    other = matrix.run(
        Study(testset, outputs, ASKED, TESTS, resamples=9000),
        runtime=Runtime(executor=away, cache=cache, progress=progress),
    )
    assert killed
    assert bits(one) == bits(other)


def test_all_workers_may_be_replaced(pair, away):
    """All workers die, and with them what was shared; a new one takes over where they stood."""
    running, _ = pair
    big = Big()
    results = away.map(partial(pick, big), range(300))
    begun = [next(results) for _ in range(3)]
    for worker in running.workers:
        end(worker)
    running.add()
    assert begun + list(results) == list(range(300))


def test_closing_early_cancels(pair, away, tmp_path, monkeypatch):
    """Closing the iterator asks nobody, and what has not begun stays undone."""
    monkeypatch.setattr(executors, "MOST_TOGETHER", 1)  # what a task has begun it ends
    running, client = pair[0], away.client()

    def count(what: str) -> int:
        return len(list(tmp_path.glob(f"{what}-*")))

    results, ahead = away.map(partial(held, str(tmp_path)), range(1000)), executors.AHEAD * 2
    assert next(results) == 0
    until(lambda: count("ended") == ahead, "the first blocks have ended")
    (tmp_path / "hold").touch()
    assert [next(results) for _ in range(ahead - 1)] == list(range(1, ahead))
    until(lambda: count("begun") == ahead + 2, "each worker holds a block")
    until(lambda: sum(client.run(waiting).values()) == ahead - 1 - 2, "the other blocks have arrived")
    running.scheduler.send_signal(signal.SIGSTOP)  # who asks it anything now waits for ever
    try:
        results.close()
    finally:
        running.scheduler.send_signal(signal.SIGCONT)
    until(lambda: sum(client.run(waiting).values()) == 0, "the workers have heard of it")
    (tmp_path / "go").touch()
    until(lambda: count("ended") == ahead + 2, "the held blocks have ended")
    assert list(away.map(square, range(20))) == [k * k for k in range(20)]
    assert count("begun") == ahead + 2


def test_only_a_few_blocks_ahead(away):
    """While the reader stands still only a few blocks for each worker are taken from the items."""
    taken = []

    def items():
        for k in range(200):
            taken.append(k)
            yield k

    results = away.map(square, items())
    next(results)
    assert len(taken) <= executors.AHEAD * 2 + 1
    results.close()


def test_the_command_line_takes_it(pair, away, tmp_path, monkeypatch, capsys):
    """`--executor dask://...`, or SIGBOARD_EXECUTOR, prints what threads print."""
    from sigboard import terminal

    testset, outputs = text_set(30)
    for name, segments in [("ref", testset.references[0]), *((o.system, o.segments) for o in outputs)]:
        (tmp_path / name).write_text("\n".join(segments) + "\n", encoding="utf-8")
    common = [
        "matrix",
        "--reference",
        str(tmp_path / "ref"),
        "--systems",
        str(tmp_path / "sys0"),
        str(tmp_path / "sys1"),
    ]
    printed = []
    monkeypatch.setattr(executors, "get", lambda name, get=executors.get: made.append(get(name)) or made[-1])
    made: list[object] = []
    for more, setting in (([], "serial"), (["--executor", pair[0].address], "nowhere"), ([], pair[0].address)):
        monkeypatch.setenv("SIGBOARD_EXECUTOR", setting)
        assert terminal.main([*common, "--resamples", "700", "--json", "-", *more]) == 0
        printed.append(json.loads(capsys.readouterr().out))
    for executor in made[1:]:
        executor.close()
    assert [type(executor) for executor in made] == [Serial, Cluster, Cluster]
    assert printed[0] == printed[1] == printed[2]


def package(folder: Path, version: str) -> dict[str, str]:
    """The environment of a worker with another version of the core."""
    shutil.copytree(ROOT / "sigcore", folder / "sigcore", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "sigcore/version.py").write_text(f'__version__ = "{version}"\n', encoding="utf-8")
    return {"PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}


def _client(running: Loopback) -> Any:
    """A connection that only looks who is there."""
    return distributed.Client(running.tcp, timeout=LIMIT, set_as_default=False)


@pytest.mark.slow
def test_other_versions_are_refused(tmp_path, monkeypatch):
    """A worker with other code, or without any, is refused by name; one that joins later, when it gets a block."""
    other = package(tmp_path, "0.0.7")
    with loopback(workers=0) as running, _client(running) as client:

        def replace(environment: dict[str, str] | None) -> None:
            for worker in running.workers:
                end(worker)
            running.add(environment=environment)
            all_known(running, client)

        replace(other)
        with pytest.raises(MismatchError, match=r"tcp://.*Sigboard \(0\.0\.7 there, .*docs/cluster\.md"):
            executors.get(running.address)
        replace({"PYTHONPATH": str(tmp_path / "nothing")})
        with pytest.raises(MismatchError, match="a missing package"):
            executors.get(running.address)
        replace(None)
        executor = executors.get(running.address)
        replace(other)  # now every block is the other worker's
        with pytest.raises(MismatchError, match=r"0\.0\.7 there"):
            list(executor.map(square, range(20)))
        executor.close()


@pytest.mark.slow
def test_a_cluster_without_workers_is_reported(monkeypatch):
    """No scheduler, no workers, or none left in the middle: an error that says what to start; it never hangs."""
    # what never comes may be waited for as briefly as one likes
    with monkeypatch.context() as patch:
        patch.setattr(executors, "CONNECT", 0.5)
        with pytest.raises(SigError, match="No Dask scheduler answers"):
            executors.get("dask://127.0.0.1:1")
    with loopback(workers=1) as running:
        executor = executors.get(running.address)
        (worker,) = executor.client().nthreads()
        with pytest.raises(SigError, match="No Dask scheduler answers"):
            executors.get(worker.replace("tcp:", "dask:"))
        executor.close()
    with loopback(workers=0) as running:
        with monkeypatch.context() as patch:
            patch.setattr(executors, "ARRIVE", 0.5)
            with pytest.raises(SigError, match="has no workers"):
                executors.get(running.address)
        running.add()
        executor = executors.get(running.address)
        results = executor.map(square, range(1000))
        next(results)
        end(running.workers[0])
        monkeypatch.setattr(executors, "PATIENCE", 0.5)
        with pytest.raises(SigError, match="has no workers"):
            list(results)
        executor.close()


def test_a_scheduler_that_dies_is_reported():
    """Where the scheduler goes in the middle, the job ends with an error instead of waiting."""
    with loopback(workers=1) as running:
        executor = executors.get(running.address)
        results = executor.map(square, range(1000))
        next(results)
        running.scheduler.kill()
        running.scheduler.wait()
        with pytest.raises(SigError, match="connection to the cluster was lost"):
            list(results)
        executor.close()


def test_without_dask_it_says_what_to_install(monkeypatch):
    """The package is asked for only here, and named where it is missing."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SigError, match=r"requirements-cluster\.txt"):
        executors.get("dask://127.0.0.1:8786")


def test_local_work_stays_here(away):
    """What cannot travel runs on this machine."""
    assert isinstance(away.near, Threads)
    assert set(away.near.map(lambda k: os.getpid(), range(4))) == {os.getpid()}
