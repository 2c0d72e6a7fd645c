"""Kernels compiled in another process: when, what is reported meanwhile, and that the rows are the same."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest

from sigcore import kernels
from sigcore.errors import Cancelled
from sigcore.resampling import scatter
from sigcore.text import compiled, compiling

MUCH = 1e15  # draws that are worth any start

pytestmark = pytest.mark.skipif(not compiled.available(), reason="numba is not installed")


@pytest.fixture
def fresh_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process without loaded kernels, and a cache without compiled ones."""
    monkeypatch.setenv("SIGBOARD_CACHE", str(tmp_path))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(compiled, "_loaded", set())
    monkeypatch.setattr(compiling, "_processes", {})
    compiled.disk_cache.cache_clear()
    scatter._made.cache_clear()
    yield
    compiled.disk_cache.cache_clear()
    scatter._made.cache_clear()


@pytest.mark.usefixtures("fresh_machine")
def test_little_work_compiles_nothing() -> None:
    """Where the plain twin is faster than the compiler, nothing is compiled or loaded, and nothing reported."""
    reports: list[tuple[str, int, int]] = []
    compiling.prepare(scatter.KERNELS, 1.0, "the test", lambda *report: reports.append(report))
    assert not reports
    assert not compiling._processes
    assert not compiled.usable(scatter.KERNELS)


@pytest.mark.usefixtures("fresh_machine")
def test_much_work_waits_for_the_compiler() -> None:
    """The kernels are compiled in another process, then loaded here; the bar is never full while that goes on."""
    reports: list[tuple[str, int, int]] = []
    assert not compiled.kept(scatter.KERNELS)
    compiling.prepare(scatter.KERNELS, MUCH, "the test", lambda *report: reports.append(report))
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
        compiling.prepare(scatter.KERNELS, MUCH, "the test", cancel)
    process = compiling._processes[scatter.KERNELS.module]
    assert process.finished.wait(600)
    assert compiled.kept(scatter.KERNELS)


@pytest.mark.usefixtures("fresh_machine")
def test_somebody_who_waits_does_not_wait_for_idle_time() -> None:
    """A process that uses only idle time is replaced by one of usual priority when somebody needs its kernels."""
    idle = compiling.in_idle_time([scatter.KERNELS])
    assert idle is not None
    assert idle.idle
    compiling.prepare(scatter.KERNELS, MUCH, "the test")
    assert idle.finished.wait(600)
    assert compiling._processes[scatter.KERNELS.module] is not idle
    assert compiling.in_idle_time([scatter.KERNELS]) is None


@pytest.mark.usefixtures("fresh_machine")
def test_idle_time_is_used_once() -> None:
    """While one process compiles in idle time, no other is started for the same kernels, and another process does not
    compile what this one has left on disk."""
    first = compiling.in_idle_time([scatter.KERNELS])
    assert first is not None
    assert compiling.in_idle_time([scatter.KERNELS]) is None
    other = compiling.Compiler([scatter.KERNELS.face], idle=True)
    assert first.finished.wait(600)
    assert other.finished.wait(600)
    assert compiled.kept(scatter.KERNELS)
    assert min(first.steps, other.steps) == 0 < max(first.steps, other.steps)


@pytest.mark.usefixtures("fresh_machine")
def test_two_processes_compile_once() -> None:
    """Of two processes that need the same kernels at once, one compiles them, and the other loads what it left on disk."""
    both = [compiling.Compiler([scatter.KERNELS.face]) for _ in range(2)]
    assert all(process.finished.wait(600) for process in both)
    assert compiled.kept(scatter.KERNELS)
    assert sorted(process.steps > 0 for process in both) == [False, True]


def test_without_a_cache_nothing_waits() -> None:
    """Where nothing is kept on disk, no other process could hand over its kernels."""
    with mock.patch.object(compiled, "disk_cache", return_value=None):
        assert compiling.in_idle_time(kernels.every()) is None
        reports: list[tuple[str, int, int]] = []
        compiling.wait(scatter.KERNELS, "the test", lambda *report: reports.append(report))
    assert [(done, total) for _, done, total in reports] == [(0, 0)]


def test_every_module_of_kernels_is_known() -> None:
    """Each module with kernels has a record, so that idle time compiles it, and its face has it as KERNELS."""
    known = kernels.every()
    assert {one.module.rpartition(".")[2] for one in known} == {
        "ngrams", "levenshtein", "kernel", "compiled_search", "scatter", "pair_counts",
    }  # fmt: skip
