"""A port that is not a Dask scheduler is recognised in bounded time, whatever listens there."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from sigcore import executors
from sigcore.errors import SigError

GREETING = b"\x83\xaf" + executors.WORD + b"\x05"


@contextmanager
def server(sent: bytes, closes: bool = False) -> Iterator[int]:
    """The port of a server that sends these bytes to everyone, and then closes the connection or waits for ever."""
    held, over = list[socket.socket](), threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.05)

        def serve() -> None:
            while not over.is_set():
                try:
                    connection, _ = listening.accept()
                except TimeoutError:
                    continue
                held.append(connection)
                connection.sendall(sent)
                if closes:
                    connection.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        over.set()
        thread.join()
    for connection in held:
        connection.close()


def sized(content: bytes, size: int | None = None) -> bytes:
    """A message with its length before it."""
    return (len(content) if size is None else size).to_bytes(executors.SIZE, "little") + content


OTHERS = {
    "silent": (b"", False),
    "closed at once": (b"", True),
    "http": (b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9, True),
    "half a length": (b"\1\0", False),
    "half a greeting": (sized(GREETING, 400), False),
    "a large number": (sized(GREETING, executors.LONGEST + 1), False),
    "another message": (sized(b"hello" * 9), False),
}


@pytest.mark.parametrize("which", OTHERS)
def test_other_servers_are_recognised(which: str) -> None:
    """Silence, other protocols, lengths that lie: none of them is a scheduler, and none is waited for longer."""
    with server(*OTHERS[which]) as port:
        assert not executors.greets("127.0.0.1", port, 0.2)


def test_the_greeting_is_recognised() -> None:
    """The word anywhere in a message of the right length."""
    with server(sized(GREETING)) as port:
        assert executors.greets("127.0.0.1", port, 60.0)


def test_the_error_says_what_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The executor gives the same error as for a port at which nothing listens."""
    pytest.importorskip("distributed", reason="Dask is not installed (requirements-cluster.txt)")
    monkeypatch.setattr(executors, "CONNECT", 0.2)
    with server(b"") as port, pytest.raises(SigError, match="No Dask scheduler answers"):
        executors.get(f"dask://127.0.0.1:{port}")
    with pytest.raises(SigError, match="No Dask scheduler answers"):
        executors.get("dask://127.0.0.1:99999")
