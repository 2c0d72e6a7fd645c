"""A Streamlit server of our own for the browser tests: started on a free port, stopped at the end, its log kept."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START_LIMIT = 90.0  # seconds
ATTEMPTS = 3  # another program may take the free port before the server does
RUNNING: list[Server] = []  # the servers whose logs belong to a failing test


@dataclass(frozen=True)
class Server:
    """A running Streamlit app: its address and the file that holds what it printed."""

    url: str
    log: Path

    def text(self) -> str:
        """The whole log."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def printed(self, lines: int = 60) -> str:
        """The last lines of the log."""
        return "\n".join(self.text().split("\n")[-lines:])


@contextmanager
def serve(script: Path, home: Path) -> Iterator[Server]:
    """A server of `script`, run in the project's folder with a home and a cache of its own under `home`.

    Raises: RuntimeError with the log where it does not start.
    """
    home.mkdir(parents=True, exist_ok=True)
    process, server = _start(script, home)
    RUNNING.append(server)
    try:
        yield server
    finally:
        RUNNING.remove(server)
        _stop(process)


def _start(script: Path, home: Path) -> tuple[subprocess.Popen[bytes], Server]:
    for attempt in range(ATTEMPTS):
        port = _free_port()
        server = Server(f"http://127.0.0.1:{port}", home / f"server-{attempt}.log")
        with server.log.open("wb") as log:
            process = subprocess.Popen(
                _command(script, port),
                cwd=ROOT,
                env=_environment(home),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        if _healthy(process, server.url):
            return process, server
        _stop(process)
        if "not available" not in server.printed() and "in use" not in server.printed():
            break
    raise RuntimeError(f"The server of {script} did not start.\n{server.printed()}")


def _command(script: Path, port: int) -> list[str]:
    options = {
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "server.address": "127.0.0.1",
        "server.port": str(port),
        "browser.gatherUsageStats": "false",
    }
    flags = [f"--{name}={value}" for name, value in options.items()]
    return [sys.executable, "-m", "streamlit", "run", str(script), *flags]


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("STREAMLIT_", "SIGBOARD_"))}
    return kept | {"HOME": str(home), "SIGBOARD_CACHE": str(home / "cache"), "PYTHONUNBUFFERED": "1"}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _healthy(process: subprocess.Popen[bytes], url: str) -> bool:
    deadline = time.monotonic() + START_LIMIT
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5) as answer:
                if answer.read() == b"ok":
                    return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
