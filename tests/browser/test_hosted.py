"""A hosted server: its bounds on the screen, the names under which it answers, and addresses that nobody checked."""

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from sigboard.server import health, jobs, limits, processes
from sigcore import SigError
from tests.browser import test_pages
from tests.browser.server import KERNELS, ROOT, running, serve
from tests.browser.test_pages import GOOD, dropped, page, press, said, sound, start
from tests.soak.visitor import Visitor
from tests.waiting import LIMIT

a_server_that_knows_its_pages = test_pages.a_server_that_knows_its_pages
FILES = {"ref.txt": GOOD, "one.txt": GOOD.replace("red", "r"), "two.txt": GOOD.replace("boat", "ship")}


@pytest.fixture
def hosted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds of a hosted server."""
    monkeypatch.setenv(limits.VARIABLE, "1")


@pytest.mark.usefixtures("hosted")
@pytest.mark.parametrize("word", ["matrix", "compare", "gain", "human"])
def test_more_resamples_than_allowed_are_refused(word: str) -> None:
    """A link with ten million resamples says what the server allows; fewer resamples are one click away."""
    app = page(start(resamples="10000000", seed="77"), word)
    assert "This server allows at most 100,000 resamples; requested: 10,000,000." in said(app)
    assert not app.get("progress")
    app.selectbox(key="resamples").set_value(1000).run()
    assert not sound(app).error


@pytest.mark.usefixtures("hosted")
def test_automatic_resamples_stay_within_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where verdicts would need more, the grid is that of as many as the server allows."""
    monkeypatch.setattr(limits, "RESAMPLES", limits.Limit("resamples", 10_000, 10_000))
    app = page(dropped(FILES, start(test="bootstrap_shift")), "matrix")  # p of swaps would be exact here
    assert "R = 10,000" in said(app) or "10,000 resamples" in said(app)


@pytest.mark.usefixtures("hosted")
def test_files_above_a_bound_are_named_and_left_out() -> None:
    """A file with too long a segment is refused with its name, and what was loaded before stays."""
    app = dropped({"lost-line-ends.txt": "word " * 2000 + "\n"}, dropped(FILES))
    assert "at most 5,000 characters in one segment; requested: " in said(app)
    assert "lost-line-ends.txt" in said(app)
    assert "Systems: 2" in said(app)


@pytest.mark.usefixtures("hosted")
def test_large_questions_are_answered_by_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files and statistics come from processes with bounded memory; one that has too little is an error on this page."""
    monkeypatch.setattr(limits, "APART", limits.Limit("MB", 0, 0))
    questions: list[str] = []
    ask = processes.ask
    monkeypatch.setattr(processes, "ask", lambda question, *rest: questions.append(question) or ask(question, *rest))
    own = {name: text.upper() for name, text in FILES.items()}  # no other test has made their grid
    assert "one has a significantly higher BLEU than two" in said(page(dropped(own), "matrix"))
    assert {*questions} == {"read", "statistics"}
    monkeypatch.setattr(limits, "MEMORY", limits.Limit("MB of memory for one question", 1, 1))
    other = {name: text.replace("a", "o") * 2000 for name, text in FILES.items()}  # no room it already has is enough
    assert "needs more than the 1 MB of memory that this server allows" in said(dropped(other))


@pytest.mark.usefixtures("hosted")
def test_uploads_above_the_bound_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A visitor's files are bounded together: what exceeds the bound is refused before it is read."""
    app = page(dropped(FILES), "data")
    monkeypatch.setattr(limits, "FILES", limits.Limit("MB of files for each visitor", 0.01, 0.01))
    app = dropped({"three.txt": GOOD * 3}, app)
    assert "at most 0 MB of files for each visitor" in said(app)
    assert "Systems: 2" in said(app)
    assert "three.txt" not in said(app)


@pytest.mark.usefixtures("hosted")
def test_published_test_sets_are_not_fetched() -> None:
    """No visitor can make a hosted server download; the page says so. At home it is offered."""
    app = page(start(), "data")
    assert any("is off on this server" in text.value for text in app.caption)
    assert not [button for button in app.button if button.label == "Load"]


@pytest.mark.usefixtures("hosted")
def test_files_are_kept_for_hours() -> None:
    """The expiry of a hosted server is short, and the page says so."""
    app = page(dropped(FILES), "data")
    assert any("2 hours after their last use" in text.value for text in app.caption)


NAMES = "STREAMLIT_SERVER_ALLOWED_HOSTS"
GIVEN = re.compile(NAMES + r"""=('[^']*'|"[^"]*"|[^\s`;,]+)""")


def documented(text: str) -> list[str]:
    """The values that a text gives to the variable of the names, as a shell reads them."""
    return [" ".join(shlex.split(value)) for value in GIVEN.findall(text)]


def texts(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """All texts that say how the names are given."""
    with monkeypatch.context() as hosted:
        hosted.setenv(limits.VARIABLE, "1")
        with pytest.raises(SigError) as refused:
            limits.check_hosts([])
    files = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("docs/hosting.md", "Dockerfile")}
    return files | {"the error": refused.value.fix}


def opened(live: str, host: str) -> int:
    """The status of the answer to a browser that asks for a websocket under that name."""
    at = urlsplit(live)
    line = socket.create_connection((str(at.hostname), at.port or 0))
    asked = f"{host}:{at.port}"
    try:
        # the name is that of Host and Origin; the connection goes to this machine
        with connect(f"ws://{asked}/_stcore/stream", sock=line, origin=f"http://{asked}", open_timeout=LIMIT):  # type: ignore[arg-type]
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def test_the_documented_names_open_the_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each value that the documentation, the Dockerfile and the error give lets its names in, and no others."""
    values = {name: documented(text) for name, text in texts(monkeypatch).items()}
    assert all(values.values()), f"A text does not say how the names are given: {values}"
    assert len(values["docs/hosting.md"]) == 3  # in a container one name and several, and as a service
    each = sorted({value for found in values.values() for value in found})
    assert any(" " in value for value in each)
    for k, value in enumerate(each):
        with serve(ROOT / "app.py", tmp_path / str(k), **{NAMES: value, limits.VARIABLE: "1"}) as server:
            names = re.findall(r"[a-z.]+", value)  # as a reader understands them
            assert_open(server.url, names)


def assert_open(url: str, names: Sequence[str]) -> None:
    """The server draws its page under these names, and under no others; the health check says the same."""
    for name, status in (dict.fromkeys(names, 101) | {"evil.example": 403, "127.0.0.1": 403}).items():
        assert opened(url, name) == status, name
        # here, as another process takes two seconds to import what this one has
        with pytest.raises(OSError, match="403") if status == 403 else nullcontext():
            health.check(int(urlsplit(url).port or 0), name, LIMIT)


def ask_health(*words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """What the health check says with these arguments and settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    command = [sys.executable, "-m", "sigboard.server.health", *words]
    return subprocess.run(command, cwd=ROOT, env=kept | settings, capture_output=True, text=True, check=False)


def fenced(text: str, language: str) -> list[str]:
    """The blocks of code of a language in a text."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_the_documented_commands_open_the_server(tmp_path: Path) -> None:
    """The command of the page on hosting, the service, and what the image runs, each with its own settings."""
    text = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    (command,) = (line for block in fenced(text, "sh") for line in block.splitlines() if "allowedHosts" in line)
    (unit,) = fenced(text, "ini")
    given = shlex.split(" ".join(re.findall(r"^Environment=(.*)", unit, re.MULTILINE)))
    service = {name: value for name, _, value in (word.partition("=") for word in given)}
    assert service.pop("SIGBOARD_CACHE") == "/var/cache/sigboard:2GB"
    start = re.search(r"^ExecStart=\S+/python (.*)", unit, re.MULTILINE)
    image = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    entry = re.search(r"^ENTRYPOINT (.*)", image, re.MULTILINE)
    own = dict(re.findall(r"(STREAMLIT_\w+)=([\w.]+)(?= \\|\n)", image.partition("WORKDIR")[0].partition("ENV")[2]))
    assert start
    assert entry
    assert own.keys() >= {"STREAMLIT_SERVER_ADDRESS", "STREAMLIT_SERVER_PORT", "STREAMLIT_SERVER_HEADLESS"}
    options = [
        "--server.headless",
        "true",
        "--logger.hideWelcomeMessage",
        "false",
        "--browser.serverAddress",
        "127.0.0.1",
    ]
    each = {
        "command": (["cli.py", *shlex.split(command)[1:], *options], {}),
        "service": ([*shlex.split(start[1]), *options], service),
        "image": ([*json.loads(entry[1])[1:], *options], own | {NAMES: "sigboard.example.org"}),
    }
    for name, (words, settings) in each.items():
        words = [*words, "--server.port", "0"]  # the last one holds; the system's choice, as the other may be taken
        with running(words, ROOT, tmp_path / name, **settings | {"NUMBA_CACHE_DIR": str(KERNELS)}) as server:
            assert_open(server.url, ["sigboard.example.org"])
            if name == "image":
                asked = {NAMES: "sigboard.example.org", "STREAMLIT_SERVER_PORT": str(urlsplit(server.url).port)}
                assert (
                    ask_health(**asked).stdout == "well: the first page is drawn under the name sigboard.example.org\n"
                )


@pytest.mark.slow
def test_a_hosted_server_for_any_name_shows_nothing(tmp_path: Path) -> None:
    """A server for strangers that answers to any name says what to set, and draws nothing else; with a name it works. The
    health check sees that error: the server is not well. Nor is one that is away."""
    for names, refused in (("*", True), ("127.0.0.1", False)):
        with (
            serve(ROOT / "app.py", tmp_path / names.strip("*"), **{NAMES: names, limits.VARIABLE: "1"}) as server,
            Visitor(server.url) as visitor,
        ):
            visitor.open()
            assert visitor.shows("needs the names under which this server is reached") == refused
            assert ("file_uploader" in visitor.drawn) != refused
            port = str(urlsplit(server.url).port)
            if refused:
                done = ask_health(port, "sigboard.example.org")
                assert done.returncode == 1
                assert "shows an error" in done.stderr
    assert ask_health(port, "localhost").stderr.startswith("unwell: ")


def test_a_foreign_name_gets_no_connection(live: str) -> None:
    """A page that has led a browser here under its own name (Host equal to Origin) is refused; this machine is not."""
    assert opened(live, "evil.example") == 403
    for own in ("127.0.0.1", "localhost"):
        assert opened(live, own) == 101


@pytest.mark.parametrize(
    "address",
    [
        {"seed": "1e400"},
        {"seed": "-1e400"},
        {"seed": "nan"},
        {"unit": "block", "block": "1e999"},
        {"resamples": "1e400"},
    ],
    ids=str,
)
def test_an_infinite_setting_is_the_usual_one(address: dict[str, str]) -> None:
    """A number in the address that is none, or too large for any number, breaks no page."""
    app = page(start(**address), "matrix")
    assert not app.error
    assert "R = " in said(app)


def test_a_drop_that_cannot_be_used_leaves_the_sample() -> None:
    """A refused drop says why, and the next one is read."""
    app = dropped({"nul.txt": b"a\0b\n"})
    assert "nul.txt" in said(app)
    assert "Systems: 2" in said(page(dropped(FILES, app), "data"))
    assert "Nothing is loaded" in said(press(app, "Clear everything"))


def test_a_drop_is_not_lost_when_its_job_ends_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where reading takes longer than the page waits, and ends before it shows progress, the files are there after all."""
    waits, app = Event.wait, page(start(), "data")
    asked: list[bool] = []

    def once(event: Event, timeout: float | None = None) -> bool:
        done = waits(event, timeout)
        if timeout == jobs.PATIENCE and not asked:
            asked.append(waits(event))
            return False
        return done

    monkeypatch.setattr(Event, "wait", once)
    assert "Systems: 2" in said(page(dropped(FILES, app), "data"))
    assert asked == [True]
