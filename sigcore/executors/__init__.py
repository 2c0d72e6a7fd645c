"""Where blocks are run: here, one after the other or on threads, or on a Dask cluster."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from sigcore.errors import OptionError
from sigcore.executors.cluster import Cluster
from sigcore.executors.local import Serial, Threads

__all__ = ["FORMS", "Cluster", "Executor", "Serial", "Threads", "get", "local"]

FORMS = "local, serial, threads:N or dask://HOST:PORT"


class Executor(Protocol):
    """Anything with a `map` that gives results in the order of the items."""

    def map(self, work: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        """The results in order."""
        ...


def local(workers: int | None = None) -> Executor:
    """Threads on this machine, by default one per core."""
    return Serial() if workers == 1 else Threads(workers)


def get(text: str) -> Executor:
    """The executor of that name: local (a thread for each core), serial, threads:N or dask://HOST:PORT.

    Raises: OptionError for any other name; also the errors of Cluster.
    """
    name = text.strip()
    if name in ("", "local"):
        return local()
    if name == "serial":
        return Serial()
    if match := re.fullmatch(r"threads:([1-9]\d{0,3})", name):
        return local(int(match[1]))
    if match := re.fullmatch(r"dask://([^\s/]+:\d{1,5})/?", name):
        return Cluster(f"tcp://{match[1]}")
    raise OptionError("There is no such executor.", text, f"Use {FORMS}.")
