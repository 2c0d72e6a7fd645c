"""Whether a Dask scheduler listens at an address: Dask's own client may wait for another server without end."""

from __future__ import annotations

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

SIZE = 8  # bytes of the number before a message: its length
LONGEST = 1 << 16  # bytes of a greeting; it has a few hundred
WORD = b"pickle-protocol"  # part of every greeting


def greets(host: str, port: int, seconds: float) -> bool:
    """Whether Dask's greeting, which each of its servers sends first, comes within this time.

    Raises: OSError if nothing can be reached there.
    """
    end = time.monotonic() + seconds
    with socket.create_connection((host, port), timeout=seconds) as stream:
        try:
            size = int.from_bytes(_received(stream, SIZE, end), "little")
            return size <= LONGEST and WORD in _received(stream, size, end)
        except OSError:  # too slow, or closed
            return False


def is_scheduler(address: str, seconds: float) -> bool:
    """Whether the server at "tcp://host:port" is a Dask scheduler; workers, and servers of other programs, are not.

    Raises: OSError if nothing can be reached there, ValueError or OverflowError for a port that cannot be one.
    """
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    if not greets(host.strip("[]"), int(port), seconds):
        return False
    import asyncio  # only clusters need it

    with ThreadPoolExecutor(1) as thread:  # this one may have an event loop already, as in a notebook
        return bool(thread.submit(asyncio.run, _kind(address, seconds)).result() == "Scheduler")


async def _kind(address: str, seconds: float) -> Any:
    """What a Dask server says that it is."""
    import asyncio

    from distributed.comm import connect

    async def answer() -> Any:
        stream = await connect(address, timeout=seconds)
        try:
            await stream.write({"op": "identity", "reply": True})
            return (await stream.read())["type"]
        finally:
            stream.abort()

    return await asyncio.wait_for(answer(), seconds)


def _received(stream: socket.socket, size: int, end: float) -> bytes:
    """The next `size` bytes. Raises: OSError if they do not arrive by the end, or the connection is closed."""
    content = b""
    while len(content) < size:
        stream.settimeout(max(end - time.monotonic(), 1e-3))
        chunk = stream.recv(size - len(content))
        if not chunk or time.monotonic() > end:
            raise ConnectionError
        content += chunk
    return content
