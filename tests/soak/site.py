"""The servers of a soak, which share one store, and what befalls them: a kill, a full disk, a worker that dies."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Lock

import psutil

from demos.loopback import Loopback, loopback
from tests.browser.server import ROOT, Server, serve

MB = 1e6
# When each fault begins and ends, as shares of the time that visitors come.
KILLED, FULL, GROWS_AGAIN, WORKER_DIES = 0.25, 0.45, 0.6, 0.75


class Site:
    """Running servers: a visitor goes to the server of its number. The last one computes on the cluster, if there is one."""

    def __init__(self, home: Path, servers: int, cluster: Loopback | None) -> None:
        self.befell: list[str] = []
        self.faults: list[str] = []
        self.kills = 0
        self._home, self._cluster, self._lock, self._began = home, cluster, Lock(), time.monotonic()
        self._stacks = [ExitStack() for _ in range(servers)]
        self._servers = [self._start(k) for k in range(servers)]

    def _start(self, k: int) -> Server:
        settings = {"SIGBOARD_STORE": f"sqlite:///{self._home}/store.sqlite"}
        if self._cluster is not None and k == len(self._stacks) - 1:
            settings["SIGBOARD_EXECUTOR"] = self._cluster.address
        return self._stacks[k].enter_context(serve(ROOT / "app.py", self._home / f"server-{k}", **settings))

    def url(self, number: int) -> str:
        """Where that visitor goes."""
        with self._lock:
            return self._servers[number % len(self._servers)].url

    def memory(self) -> float:
        """MB of the largest server."""
        with self._lock:
            return max(psutil.Process(server.process.pid).memory_info().rss for server in self._servers) / MB

    def kill(self, k: int) -> None:
        """kill -9 of a server; another one starts with the same store."""
        with self._lock:
            self.faults += self._servers[k].tracebacks()
            self.kills += 1
            self._stacks[k].close()  # by SIGKILL
            self._note(f"server {k + 1} was killed")
            self._servers[k] = self._start(k)

    def let_files_grow(self, k: int, may: bool) -> None:
        """Whether files of a server can grow; a limit of their size stands in for a full disk, where the system has one."""
        process = psutil.Process(self._servers[k].process.pid)
        if hasattr(process, "rlimit"):
            hard = process.rlimit(psutil.RLIMIT_FSIZE)[1]
            process.rlimit(psutil.RLIMIT_FSIZE, (hard if may else 1, hard))
            self._note(f"files of server {k + 1} can{'' if may else 'not'} grow{' again' if may else ''}")

    def kill_worker(self) -> None:
        """kill -9 of a worker of the cluster; another one starts."""
        if self._cluster is not None:
            self._cluster.workers[0].kill()
            self._cluster.add()
            self._note("a worker of the cluster was killed")

    def befall(self, seconds: float, over: Event) -> None:
        """All faults, one after the other, at their shares of these seconds; nothing after `over`."""
        last = len(self._servers) - 1
        steps = (
            (KILLED, lambda: self.kill(0)),
            (FULL, lambda: self.let_files_grow(last, False)),
            (GROWS_AGAIN, lambda: self.let_files_grow(last, True)),
            (WORKER_DIES, self.kill_worker),
        )
        begun = time.monotonic()
        for share, step in steps:
            over.wait(max(0.0, begun + share * seconds - time.monotonic()))
            step()

    def close(self) -> None:
        """End all servers; what they printed on errors is among the faults."""
        for server in self._servers:
            self.faults += server.tracebacks()
        for stack in self._stacks:
            stack.close()

    def _note(self, what: str) -> None:
        self.befell.append(f"{what} after {time.monotonic() - self._began:.0f} s")


@contextmanager
def site(home: Path, servers: int = 1, clustered: bool = False) -> Iterator[Site]:
    """So many servers on one store, the last one with a cluster of two workers if `clustered`; all are ended afterwards."""
    with ExitStack() as stack:
        running = Site(home, servers, stack.enter_context(loopback(2)) if clustered else None)
        stack.callback(running.close)
        yield running
