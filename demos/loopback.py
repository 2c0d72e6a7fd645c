"""A Dask cluster on this machine: a scheduler and workers as separate processes, on 127.0.0.1."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BEGIN = 300.0  # s; a scheduler that cannot start exits earlier


class Loopback:
    """The processes of a running cluster; `address` is the value for --executor."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", ["--port", "0", "--no-show", "--scheduler-file", str(file)])
        self.workers: list[subprocess.Popen[bytes]] = []
        self.tcp = self._wait(file)
        self.address = self.tcp.replace("tcp://", "dask://")

    def add(self, count: int = 1, environment: Mapping[str, str] | None = None) -> None:
        """Start workers with one thread each, without a nanny that would restart them."""
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self._folder)]
        self.workers += [self._start("worker", [self.tcp, *options], environment) for _ in range(count)]

    def close(self) -> None:
        """End all processes, and wait until they are gone."""
        # not terminate(): a worker would first try to pass its data on to others that are ending too
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _start(
        self, program: str, options: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{program}", "--host", "127.0.0.1", *options]
        paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        surroundings = os.environ | {"PYTHONPATH": paths, "PYTHONWARNINGS": "ignore"} | dict(environment or {})
        log = self._folder / f"{program}.log"
        with log.open("ab") as out:
            return subprocess.Popen(command, cwd=self._folder, env=surroundings, stdout=out, stderr=out)

    def _wait(self, file: Path) -> str:
        end = time.monotonic() + BEGIN
        while time.monotonic() < end and self.scheduler.poll() is None:
            try:
                return str(json.loads(file.read_text(encoding="utf-8"))["address"])
            except (OSError, ValueError):  # missing or incomplete
                time.sleep(0.05)
        self.close()
        raise SystemExit(
            "The scheduler did not start:\n" + (self._folder / "scheduler.log").read_text(encoding="utf-8")
        )


@contextmanager
def loopback(workers: int = 2) -> Iterator[Loopback]:
    """A cluster of `workers` workers; everything is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="sigboard-cluster-") as folder:
        cluster = Loopback(Path(folder))
        try:
            cluster.add(workers)
            yield cluster
        finally:
            cluster.close()
