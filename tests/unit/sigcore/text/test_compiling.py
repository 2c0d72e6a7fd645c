"""Kernels compiled in another process: when, what is reported meanwhile, and that the rows are the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from sigcore import kernels
from sigcore.errors import Cancelled
from sigcore.resampling import scatter
from sigcore.storage import sealed
from sigcore.text import compiled

MUCH = 1e15  # draws that are worth any start

pytestmark = pytest.mark.skipif(not compiled.available(), reason="numba is not installed")


@pytest.fixture
def fresh_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process without loaded kernels, and a cache without compiled ones."""
    monkeypatch.setenv("SIGBOARD_CACHE", str(tmp_path))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(compiled, "_loaded", set())
    monkeypatch.setattr(compiled, "_compilers", {})
    remembered = (compiled.disk_cache, compiled._folder, scatter._made, scatter._made_draws)
    for each in remembered:
        each.cache_clear()
    yield
    for each in remembered:
        each.cache_clear()


@pytest.mark.usefixtures("fresh_machine")
def test_little_work_compiles_nothing() -> None:
    """Where the plain twin is faster than the compiler, nothing is compiled or loaded, and nothing reported."""
    reports: list[tuple[str, int, int]] = []
    compiled.prepare(scatter.KERNELS, 1.0, "the test", lambda *report: reports.append(report))
    assert not reports
    assert not compiled._compilers
    assert not compiled.usable(scatter.KERNELS)


@pytest.mark.usefixtures("fresh_machine")
def test_much_work_waits_for_the_compiler() -> None:
    """The kernels are compiled in another process, then loaded here; the bar is never full while that goes on."""
    reports: list[tuple[str, int, int]] = []
    assert not compiled.kept(scatter.KERNELS)
    compiled.prepare(scatter.KERNELS, MUCH, "the test", lambda *report: reports.append(report))
    assert compiled.kept(scatter.KERNELS)
    assert compiled.usable(scatter.KERNELS)
    assert {phase for phase, _, _ in reports} == {"preparing the test, once for this machine"}
    assert all(done < total for _, done, total in reports)


@pytest.mark.usefixtures("fresh_machine")
def test_waiting_can_be_cancelled() -> None:
    """Who cancels does not wait any longer; the compiler goes on for the others."""

    def cancel(phase: str, done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        compiled.prepare(scatter.KERNELS, MUCH, "the test", cancel)
    process, _ = compiled._compilers[scatter.KERNELS.module]
    assert process.wait(600) == 0
    assert compiled.kept(scatter.KERNELS)


@pytest.mark.usefixtures("fresh_machine")
def test_somebody_who_waits_does_not_wait_for_idle_time() -> None:
    """A process that uses only idle time is replaced by one of usual priority when somebody needs its kernels."""
    idle = compiled.in_idle_time([scatter.KERNELS])
    assert idle is not None
    assert compiled._compilers[scatter.KERNELS.module] == (idle, True)
    compiled.prepare(scatter.KERNELS, MUCH, "the test")
    idle.wait(600)
    assert compiled._compilers[scatter.KERNELS.module][0] is not idle
    assert not compiled._compilers[scatter.KERNELS.module][1]
    assert compiled.in_idle_time([scatter.KERNELS]) is None


def folders(cache: Path) -> list[tuple[str, int]]:
    """The sealed folders of a cache, and when their files were written."""
    return [
        (path.parent.name, max(each.stat().st_mtime_ns for each in path.parent.rglob("*.nb*")))
        for path in cache.rglob("sealed")
    ]


def in_a_process(cache: Path, idle: bool) -> subprocess.Popen[str]:
    """A process that compiles the kernels and prints how many it has found on disk."""
    code = (
        "from sigcore.text.compiled import main; from sigcore.resampling import scatter\n"
        f"main(['sigcore.resampling.scatter'], {idle})\n"
        "print(sum(scatter._made().stats.cache_hits.values()) if scatter._made.cache_info().currsize else 'nothing')"
    )
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=Path(__file__).resolve().parents[4],
        env=environment | {"SIGBOARD_CACHE": str(cache)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(("idle", "answers"), [(False, {"0", "2"}), (True, {"0", "nothing"})])
def test_two_processes_compile_once(tmp_path: Path, idle: bool, answers: set[str]) -> None:
    """Of two processes that compile the same kernels at once, one does. The other loads what it left on disk; one in idle
    time does not even do that."""
    both = [in_a_process(tmp_path, idle) for _ in range(2)]
    found = []
    for process in both:
        assert process.stdout is not None
        found.append(process.stdout.readline().strip())
        process.communicate()
    assert set(found) == answers
    assert len(folders(tmp_path)) == 1
    assert {path.suffix for path in (tmp_path / "kernels").iterdir()} <= {".lock", folders(tmp_path)[0][0][-17:]}


@pytest.mark.usefixtures("fresh_machine")
def test_idle_time_is_used_once() -> None:
    """While one process compiles in idle time, no other is started for the same kernels, nor when they are there."""
    first = compiled.in_idle_time([scatter.KERNELS])
    assert first is not None
    assert compiled.in_idle_time([scatter.KERNELS]) is None
    assert first.wait(600) == 0
    assert compiled.kept(scatter.KERNELS)
    assert compiled.in_idle_time([scatter.KERNELS]) is None


def test_a_compiler_ends_with_its_process(tmp_path: Path) -> None:
    """When its standard input is closed, the process ends and leaves no kernels that are half written."""
    process = in_a_process(tmp_path, False)
    process.communicate("")
    assert process.returncode == 0
    assert all(sealed.sound(path.parent) for path in tmp_path.rglob("sealed"))


def test_without_a_cache_nothing_waits() -> None:
    """Where nothing is kept on disk, no other process could hand over its kernels."""
    with mock.patch.object(compiled, "disk_cache", return_value=None):
        assert compiled.in_idle_time(kernels.every()) is None
        reports: list[tuple[str, int, int]] = []
        compiled.wait(scatter.KERNELS, "the test", lambda *report: reports.append(report))
    assert [(done, total) for _, done, total in reports] == [(0, 0)]


def test_every_module_of_kernels_is_known() -> None:
    """Each module with kernels has a record, so that idle time compiles it, and its face has it as KERNELS."""
    known = kernels.every()
    assert {one.module.rpartition(".")[2] for one in known} == {
        "ngrams", "levenshtein", "kernel", "compiled_search", "scatter", "pair_counts",
    }  # fmt: skip
