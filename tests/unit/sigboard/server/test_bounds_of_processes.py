"""Whether a server is well, as one on this machine says it, and what goes to a process that answers one question and comes back."""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.server import ServerConnection, serve

from sigboard.server import health, limits, processes, worker
from sigboard.server.limits import Limit
from sigcore import SigError
from tests.waiting import LIMIT

# ---- health


def finished(status: ForwardMsg.ScriptFinishedStatus = ForwardMsg.FINISHED_SUCCESSFULLY) -> ForwardMsg:
    return ForwardMsg(script_finished=status)


def written(text: str) -> ForwardMsg:
    message = ForwardMsg()
    message.delta.new_element.markdown.body = text
    return message


def failed(text: str) -> ForwardMsg:
    message = ForwardMsg()
    message.delta.new_element.exception.message = text
    return message


@contextmanager
def server(*messages: ForwardMsg, as_text: bool = False) -> Iterator[tuple[int, list[str]]]:
    """A server that sends these messages to who asks for its page as "good.org": its port, and the paths it was asked for."""
    asked: list[str] = []

    def page(line: ServerConnection) -> None:
        assert line.request is not None
        run = BackMsg.FromString(line.recv(LIMIT))  # type: ignore[arg-type]
        asked.append(f"{line.request.headers['Host']} {line.request.path} {run.WhichOneof('type')}")
        for message in messages:
            content = message.SerializeToString()
            line.send(content.decode() if as_text else content)

    with serve(page, "127.0.0.1", 0, origins=None) as own:
        port = own.socket.getsockname()[1]
        thread = Thread(target=own.serve_forever)
        thread.start()
        try:
            yield port, asked
        finally:
            own.shutdown()
            thread.join(LIMIT)


def why(port: int, host: str = "good.org") -> str:
    """Why the server is not well; "" if it is."""
    try:
        health.check(port, host, LIMIT)
    except OSError as error:
        return str(error)
    return ""


def test_a_page_that_ends_is_well() -> None:
    """Whatever it shows, however long it is, and as what it is sent."""
    with server(written("a"), written("b" * 2**21), finished()) as (port, asked):
        assert why(port) == ""
        assert asked == [f"good.org:{port} /_stcore/stream rerun_script"]
    with server(finished(), as_text=True) as (port, _):
        assert why(port) == ""


def test_a_page_with_an_error_is_unwell() -> None:
    """Which the reason has; or that it did not end, or ended before its time."""
    with server(written("a"), failed("no samples"), finished()) as (port, _):
        assert why(port) == "the first page shows an error: no samples"
    with server(finished(ForwardMsg.FINISHED_WITH_COMPILE_ERROR)) as (port, _):
        assert why(port) == "the first page was not finished"
    with server(written("a")) as (port, _):
        assert why(port).startswith("no page under the name good.org: ")


def test_nobody_at_a_port_is_unwell() -> None:
    with server() as (port, _):
        pass
    assert why(port) != ""


@pytest.mark.parametrize(
    ("names", "first"),
    [
        (None, "localhost"), ("a.org", "a.org"), ("a.org b.org", "a.org"), ("*.a.org b.org", "b.org"), ("*", "localhost"),
        ("", "localhost"),
    ],
)  # fmt: skip
def test_the_name_under_which_a_server_is_asked(names: str | None, first: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one that is a name; a star stands for any."""
    for variable, value in (("STREAMLIT_SERVER_ALLOWED_HOSTS", names), ("STREAMLIT_SERVER_PORT", None)):
        monkeypatch.delenv(variable, raising=False)
        if value is not None:
            monkeypatch.setenv(variable, value)
    assert health.settings() == ("8501", first)
    monkeypatch.setenv("STREAMLIT_SERVER_PORT", "80")
    assert health.settings() == ("80", first)


@pytest.mark.parametrize(
    ("words", "asked"), [([], (80, "a.org")), (["99"], (99, "a.org")), (["99", "b.org"], (99, "b.org"))]
)
def test_what_is_not_given_is_that_of_the_server(
    words: list[str], asked: tuple[int, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The port first, then the name; the exit code says what the line says."""
    monkeypatch.setenv("STREAMLIT_SERVER_PORT", "80")
    monkeypatch.setenv("STREAMLIT_SERVER_ALLOWED_HOSTS", "a.org")
    found: list[tuple[int, str]] = []
    monkeypatch.setattr(health, "check", lambda *given: found.append(given))
    assert health.main(words) == 0
    assert found == [asked]
    assert capsys.readouterr().out == f"well: the first page is drawn under the name {asked[1]}\n"

    def fails(port: int, host: str) -> None:
        raise OSError("it is away")

    monkeypatch.setattr(health, "check", fails)
    assert health.main(words) == 1
    assert capsys.readouterr().err == "unwell: it is away\n"


# ---- a process that answers one question


class Process:
    """A process that does nothing, and ends with this code."""

    def __init__(self, code: int = 0) -> None:
        self.code, self.done = code, list[str]()

    def wait(self) -> int:
        self.done.append("waited for")
        return self.code

    def kill(self) -> None:
        self.done.append("killed")


Heard = tuple[str, tuple[Any, ...]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that asks a process which says these things: what came back, the reports, and the request. It says
    nothing before somebody has looked `late` times."""
    monkeypatch.setenv(limits.VARIABLE, "1")

    def ask(*said: Heard, code: int = 0, late: int = 0) -> tuple[Any, list[tuple[str, int, int]], list[Any]]:
        process, looked, requests = Process(code), Event(), list[Any]()
        reports: list[tuple[str, int, int]] = []

        def listen(own: object, request: object, heard: Any) -> None:
            requests.append(request)
            if late:
                looked.wait(LIMIT)
            for one in said:
                heard.put(one)

        def report(phase: str, done: int, total: int) -> None:
            reports.append((phase, done, total))
            if len(reports) == late:
                looked.set()

        monkeypatch.setattr(processes.subprocess, "Popen", lambda *_, **__: process)
        monkeypatch.setattr(processes, "_listen", listen)
        monkeypatch.setattr(processes, "LOOK", 0.001 if late else LIMIT)
        try:
            found = processes.ask("read", ("files", False), report)
        except SigError as error:
            found = error
        assert process.done[-2:] == ["killed", "waited for"]
        return found, reports, requests

    return ask


def test_a_process_is_asked_with_its_bounds(asked: Any) -> None:
    """2,000 MB and 120 seconds."""
    found, reports, requests = asked(("answer", (7,)))
    assert (found, reports) == (7, [])
    assert requests == [("read", 2_000 * 10**6, 120, ("files", False))]


def test_progress_of_a_process_is_reported(asked: Any) -> None:
    """Step by step, and the last one again while nothing comes: a report is where Cancel is noticed."""
    steps = [("progress", ("reading", 1, 4)), ("progress", ("reading", 2, 4))]
    found, reports, _ = asked(*steps, ("answer", ("all",)))
    assert (found, reports) == ("all", [("reading", 1, 4), ("reading", 2, 4)])
    found, reports, _ = asked(*steps, ("answer", ("all",)), late=2)
    assert (found, set(reports[:2])) == ("all", {("starting", 0, 0)})
    assert [one for one in reports if one[0] == "reading"][:1] == [("reading", 1, 4)]
    assert reports[-1] == ("reading", 2, 4)


def test_how_a_process_fails(asked: Any) -> None:
    """With the error of the question, or with what its exit code means."""
    assert asked(("error", (SigError("It is no file."),)))[0].what == "It is no file."
    assert "of memory that this server allows" in asked(("ended", ()), code=worker.NO_MEMORY)[0].what
    assert "ended (exit code 3)" in asked(("ended", ()), code=3)[0].what


def test_a_question_is_given_up_after_its_time(asked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the clock of this process, whatever comes."""
    now = [50.0]
    monkeypatch.setattr(processes.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(limits, "WAIT", Limit("seconds for one question", 10, 10))
    assert asked(("answer", (7,)))[0] == 7
    moments = iter([50.0, 60.0, 60.001])
    monkeypatch.setattr(processes.time, "monotonic", lambda: next(moments))
    found, reports, _ = asked(("progress", ("reading", 1, 4)), ("answer", (7,)))
    assert reports == [("reading", 1, 4)]
    assert found.what == "This question needs more than the 10 seconds that this server allows for one."


@pytest.mark.parametrize(
    ("hosted", "size", "large"),
    [("1", 10**6, False), ("1", 10**6 + 1, True), ("0", 10**6 + 1, False), ("0", 10**12, False)],
)
def test_questions_of_more_than_a_megabyte_go_to_a_process(
    hosted: str, size: int, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a hosted server; at home none is too large."""
    monkeypatch.setenv(limits.VARIABLE, hosted)
    assert processes.is_large(size) is large


@pytest.mark.parametrize(
    ("hosted", "files", "apart"),
    [
        ("1", [b"a" * 500_000] * 2, False),
        ("1", [b"a" * 500_000] * 3, True),
        ("1", [b"a", b"PK\x03\x04"], True),
        ("1", [b"\x1f\x8b", b"a"], True),
        ("1", [b"a PK", b"aa\x1f\x8b"], False),
        ("0", [b"PK\x03\x04"], False),
        ("0", [b"a" * 500_000] * 3, False),
    ],
)
def test_which_files_are_read_apart(
    hosted: str, files: list[bytes], apart: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Together large ones, and archives, which begin as such."""
    monkeypatch.setenv(limits.VARIABLE, hosted)
    monkeypatch.setattr(processes, "ask", lambda question, arguments, report: (question, arguments))
    given = [(f"{k}.txt", content) for k, content in enumerate(files)]
    found = processes.read(lambda *_: None, given, True)
    assert found == (("read", (tuple(given), True)) if apart else None)


def test_lengths_of_all_texts_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """References and outputs, line by line."""
    sizes: list[int] = []
    monkeypatch.setattr(processes, "is_large", lambda size: bool(sizes.append(size)))
    testset = type("Texts", (), {"references": (("ab", "c"), ("d",))})
    outputs = [type("Texts", (), {"segments": ("efgh", "")}), type("Texts", (), {"segments": ("ijklm",)})]
    processes.extract(lambda *_: None, testset, outputs, None)  # type: ignore[arg-type]
    assert sizes == [2 + 1 + 1 + 4 + 5]


# ---- inside of that process


def test_each_file_is_a_step() -> None:
    """Counted from 0, before it is read; how long it takes to recognise them is not known."""
    steps: list[tuple[str, int, int]] = []
    files = [("a.txt", b"a boat\n"), ("b.txt", b"a ship\n"), ("c.txt", b"a raft\n")]
    worker.read(lambda *step: steps.append(step), files)
    assert steps == [*(("reading the files", k, 3) for k in range(3)), ("recognising formats", 0, 0)]


def test_files_are_ratings_only_where_they_are_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker.readers, "read", lambda files: ("read", list(files)))
    monkeypatch.setattr(worker.readers, "read_ratings", lambda files: ("ratings", list(files)))
    found = [worker.read(lambda *_: None, [("a.txt", b"a")], *more) for more in ((), (False,), (True,))]
    assert found == [(kind, [("a.txt", b"a")]) for kind in ("read", "read", "ratings")]


def answered(question: Any, *arguments: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Any], list[Any]]:
    """What the process writes, and the bounds that it sets."""
    bounds: list[Any] = []
    monkeypatch.setattr(worker, "bound_memory", lambda most: bounds.append(most))
    monkeypatch.setattr(worker, "bound_time", lambda most: bounds.append(most))
    monkeypatch.setattr(worker, "_with_parent", lambda request: None)
    request, stream = io.BytesIO(pickle.dumps((question, 1000, 2.5, arguments))), io.BytesIO()
    worker.answer(request, stream)
    stream.seek(0)
    said = []
    while stream.tell() < len(stream.getvalue()):
        said.append(pickle.load(stream))
    return said, bounds


def test_what_a_process_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its steps, then its answer, or the error of the question."""

    def count(report: worker.Report, most: int) -> int:
        for k in range(most):
            report("counting", k, most)
        if most > 2:
            raise SigError("Too many.")
        return most

    monkeypatch.setattr(worker, "QUESTIONS", {"count": count})
    said, bounds = answered("count", 2, monkeypatch=monkeypatch)
    assert said == [("progress", ("counting", 0, 2)), ("progress", ("counting", 1, 2)), ("answer", (2,))]
    assert bounds == [1000, 2.5]
    said, _ = answered("count", 3, monkeypatch=monkeypatch)
    assert [kind for kind, _ in said] == ["progress"] * 3 + ["error"]
    assert said[-1][1][0].what == "Too many."


def test_a_process_ends_with_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is not an error of its own."""
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    worker._with_parent(io.BytesIO(b""))
    assert codes == [0]
