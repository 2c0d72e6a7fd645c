"""Large questions in processes of their own: the same answers, and whatever ends one of them ends its own job only."""

from __future__ import annotations

import errno
import gzip
import pickle
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from sigboard.server import limits, processes, worker
from sigcore import Cancelled, SigError, readers, statistics_on_disk
from sigcore.errors import ReadError, UnknownMember
from sigcore.studies.statistics import measure
from sigcore.study import Runtime
from tests.made import text_set

TABLE = b"segment\treference\tOne\n1\tIt rains.\tIt is raining.\n2\tIt snows.\tSnow falls.\n"
LARGE = (("One.en", b"It rains.\n" * 2_000_000),)  # still being read when its first report comes
FILES = (("t.tsv", TABLE), ("bad.en", b"\xff\xff\n"), ("One.en", b"It rains.\nIt snows.\n"))


def quiet(phase: str, done: int, total: int) -> None:
    """A report that nobody reads."""


@pytest.fixture(autouse=True)
def hosted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hosted server that answers nothing itself."""
    monkeypatch.setenv(limits.VARIABLE, "1")
    monkeypatch.setattr(limits, "APART", replace(limits.APART, hosted=0))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that a test starts."""
    begun: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)
            begun.append(self)

    monkeypatch.setattr(processes.subprocess, "Popen", Noted)
    return begun


def test_another_process_reads_the_same() -> None:
    """Items, notices, problems and progress are those of this process."""
    steps: list[tuple[str, int, int]] = []
    apart = processes.read(lambda *step: steps.append(step), FILES, ratings=False)
    here = readers.read(FILES)
    assert apart is not None
    assert (apart.items, apart.notices, list(map(str, apart.problems))) == (
        here.items,
        here.notices,
        list(map(str, here.problems)),
    )
    assert [type(problem) for problem in apart.problems] == [ReadError]
    assert [(one.file, one.reader, one.data) for one in apart.detected] == [
        (one.file, one.reader, one.data) for one in here.detected
    ]
    assert ("reading the files", 2, 3) in steps


def test_only_large_questions_and_archives_of_a_hosted_server_go_there(monkeypatch, started) -> None:
    """Small files are read by the server itself, archives by a process; at home everything is read by the server."""
    monkeypatch.setattr(limits, "APART", replace(limits.APART, hosted=1))
    assert processes.read(quiet, FILES, ratings=False) is None
    assert started == []
    assert processes.read(quiet, (("t.tsv.gz", gzip.compress(TABLE)),), ratings=False) is not None
    assert len(started) == 1
    monkeypatch.setenv(limits.VARIABLE, "0")
    large = (("One.en", b"It rains.\n" * 200_000), ("t.tsv.gz", gzip.compress(TABLE)))
    assert processes.read(quiet, large, ratings=False) is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds the memory of one process")
def test_too_much_memory_is_one_refusal(monkeypatch, started) -> None:
    """A question that needs more than its share is refused with the bound; the next one is answered."""
    monkeypatch.setattr(limits, "MEMORY", replace(limits.MEMORY, hosted=400))
    bomb = ("a.en.gz", gzip.compress(b"\n".join(b"%d" % k for k in range(2_990_000)) + b"\n", 1))
    with pytest.raises(SigError, match="needs more than the 400 MB of memory"):
        processes.read(quiet, (bomb, bomb), ratings=False)
    assert processes.read(quiet, FILES, ratings=False) is not None
    assert [process.returncode for process in started][:1] != [None]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not bound the processor time of one process")
def test_too_much_processor_time_is_one_refusal(monkeypatch, started) -> None:
    """A question that computes longer than its share is refused with the bound; the next one is answered."""
    monkeypatch.setattr(limits, "PROCESSOR", replace(limits.PROCESSOR, hosted=1))
    with pytest.raises(SigError, match="needs more than the 1 seconds of processor time that this server allows"):
        processes.read(quiet, LARGE * 40, ratings=False)
    assert started[0].returncode == processes.TOO_LONG
    monkeypatch.setattr(limits, "PROCESSOR", replace(limits.PROCESSOR, hosted=600))
    assert processes.read(quiet, FILES, ratings=False) is not None


def test_a_question_that_takes_too_long_is_given_up(monkeypatch, started) -> None:
    """Whatever it waits for, its process ends with the bound on the time by the clock."""
    monkeypatch.setattr(limits, "WAIT", replace(limits.WAIT, hosted=0))
    with pytest.raises(SigError, match="needs more than the 0 seconds that this server allows"):
        processes.read(quiet, LARGE, ratings=False)
    assert started[0].returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("raised", "code"),
    [(MemoryError(), worker.NO_MEMORY), (OSError(errno.ENOMEM, "m"), worker.NO_MEMORY), (OSError(errno.EIO, "m"), 1)],
)
def test_the_exit_code_says_that_memory_ended(monkeypatch, raised: Exception, code: int) -> None:
    """Where memory ends there is none for a message: the process ends with a code of its own."""
    codes: list[int] = []

    def end(code: int) -> None:
        codes.append(code)
        raise SystemExit

    def fail(request: object, stream: object) -> None:
        raise raised

    monkeypatch.setattr(worker, "answer", fail)
    monkeypatch.setattr(worker.os, "_exit", end)
    monkeypatch.setattr(worker.os, "dup2", lambda old, new: None)
    with pytest.raises(SystemExit):
        worker.main()
    assert codes == [code]
    assert (code in processes.TOO_LITTLE) == (code == worker.NO_MEMORY)


def test_cancel_kills_the_process(started) -> None:
    """A report that raises ends the question, and its process, at once."""

    def cancelled(phase: str, done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        processes.read(cancelled, LARGE, ratings=False)
    assert [process.returncode for process in started] == [-signal.SIGKILL]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_a_process_that_dies_is_one_error(started) -> None:
    """A process that ends without an answer is reported with the likely reason."""

    def kill(phase: str, done: int, total: int) -> None:
        started[-1].kill()

    with pytest.raises(SigError, match="needs more than the 2,000 MB of memory"):
        processes.read(kill, LARGE, ratings=False)

    def end(phase: str, done: int, total: int) -> None:
        started[-1].terminate()

    with pytest.raises(SigError, match=r"ended \(exit code -15\)"):
        processes.read(end, LARGE, ratings=False)


def test_statistics_are_left_in_the_cache(monkeypatch, tmp_path) -> None:
    """What the other process extracts is found on disk, and equals what this one would extract; its errors come back."""
    monkeypatch.setenv("SIGBOARD_CACHE", str(tmp_path))
    testset, outputs = text_set(30)
    asked = [("wer", {}), ("bleu", {})]
    processes.extract(quiet, testset, outputs, asked)
    stored = statistics_on_disk()
    assert stored is not None
    assert len(stored) == 4
    for one, other in zip(
        measure(testset, outputs, asked), measure(testset, outputs, asked, Runtime(cache=stored)), strict=True
    ):
        assert [(a.values == b.values).all() for a, b in zip(one.systems, other.systems, strict=True)] == [True, True]
    with pytest.raises(UnknownMember, match="no metric named 'blue'"):
        processes.extract(quiet, testset, outputs, [("blue", {})])


@pytest.mark.parametrize(
    "error",
    [ReadError("bad", "a.en", 3, "fix it"), UnknownMember("metric", "blue", ["bleu"]), Cancelled(), SigError("x")],
)
def test_errors_go_to_other_processes_as_they_are(error: SigError) -> None:
    """Type, message and place are the same there."""
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), vars(again), again.args) == (str(error), vars(error), error.args)
