"""A Streamlit server for the browser tests: started on a free port, stopped at the end, with its log."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import until

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ROOT / ".pytest_cache" / "sigboard" / "kernels"  # where those of the tests are, too
RUNNING: list[Server] = []  # the servers whose logs belong to a failing test

# Printed once the server has its port and answers there.
ADDRESS = re.compile(r"URL: (http://127\.0\.0\.1:\d+)\s")
# A page that leaves while it is written to makes Streamlit print this; it says nothing about the app.
LEFT = "starlette.websockets.WebSocketDisconnected:"
TRACEBACK = re.compile(r"^Traceback .*(?:\n[ \t].*|\n)*\n(?P<error>\S.*)", re.MULTILINE)


@dataclass(frozen=True)
class Server:
    """A running Streamlit app: its URL, its log file, and its process."""

    url: str
    log: Path
    process: subprocess.Popen[bytes]

    def text(self) -> str:
        """The whole log."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def printed(self, lines: int = 60) -> str:
        """The last lines of the log."""
        return "\n".join(self.text().split("\n")[-lines:])

    def tracebacks(self, start: int = 0) -> list[str]:
        """The errors of the app, from that character of the log on."""
        found = TRACEBACK.finditer(self.text()[start:])
        return [each[0] for each in found if not each["error"].startswith(LEFT)]


@contextmanager
def serve(script: Path, home: Path, **settings: str) -> Iterator[Server]:
    """A server of `script`, run in the project's folder; the rest as in `running`.

    It shares the compiled kernels with the tests, so that they are compiled once; the rest of its cache is its own.
    """
    arguments, shared = ["-m", "streamlit", "run", str(script), *flags()], {"NUMBA_CACHE_DIR": str(KERNELS)}
    with running(arguments, ROOT, home, Path(sys.executable), **shared | settings) as server:
        yield server


@contextmanager
def running(
    arguments: Sequence[str], folder: Path, home: Path, python: Path = Path(sys.executable), **settings: str
) -> Iterator[Server]:
    """A server started by Python with these arguments in the folder, with its own home and cache folders under `home`,
    and with these settings in its environment.

    Raises: RuntimeError with the log where it does not start.
    """
    home.mkdir(parents=True, exist_ok=True)
    log = home / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [str(python), *arguments],
            cwd=folder,
            env=environment(home) | settings,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        server = Server(_address(process, log), log, process)
        RUNNING.append(server)
        try:
            yield server
        finally:
            RUNNING.remove(server)
    finally:
        process.kill()
        process.wait()


def flags() -> list[str]:
    """The options of Streamlit for a server that opens no browser, on a port that the system chooses."""
    options = {
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "server.address": "127.0.0.1",
        "server.port": "0",  # the system's choice, so that no other program can be faster
        "browser.gatherUsageStats": "false",
        "logger.hideWelcomeMessage": "false",  # the log then contains the port
    }
    return [f"--{name}={value}" for name, value in options.items()]


def environment(home: Path) -> dict[str, str]:
    """The environment of a program without the settings of this machine."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("STREAMLIT_", "SIGBOARD_"))}
    return kept | {"HOME": str(home), "SIGBOARD_CACHE": str(home / "cache"), "PYTHONUNBUFFERED": "1"}


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """The URL of the server, once it is reported.

    Raises: RuntimeError with the log where it ends before.
    """

    def reported_address() -> re.Match[str] | None:
        return ADDRESS.search(log.read_text(encoding="utf-8", errors="replace"))

    until(lambda: reported_address() or process.poll() is not None, "the server has started")
    address = reported_address()
    if address is None or process.poll() is not None:
        raise RuntimeError(f"The server did not start.\n{log.read_text(encoding='utf-8', errors='replace')}")
    return address[1]
