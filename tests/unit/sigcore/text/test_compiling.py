"""Kernels compiled in another process: when, what is reported meanwhile, and that the rows are the same."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from unittest import mock

import pytest

from sigcore import kernels
from sigcore.errors import Cancelled
from sigcore.resampling import pair_counts, scatter
from sigcore.text import compiled
from tests import some

MUCH = 1e15  # draws that are worth any start

pytestmark = pytest.mark.skipif(not compiled.available(), reason="numba is not installed")


@pytest.fixture
def fresh_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process without loaded kernels, and a cache without compiled ones."""
    monkeypatch.setenv("SIGBOARD_CACHE", str(tmp_path))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(compiled, "_loaded", set())
    monkeypatch.setattr(compiled, "_compilers", {})
    remembered = (compiled.disk_cache, compiled._mark, scatter._made, scatter._made_draws)
    for each in remembered:
        each.cache_clear()
    yield
    for process in compiled._compilers.values():
        process.communicate()  # closes its standard input
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
def test_what_is_kept_is_compiled_for_the_next_use_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two uses pay for the compiler where its work is kept; where it is not, one use has to."""
    kernels, waits = scatter.KERNELS, list[str]()
    cost = (kernels.seconds + compiled.LOADING) / kernels.saves

    def asked(work: float) -> bool:
        waits.clear()
        with suppress(Cancelled):
            compiled.prepare(kernels, work, "the test", stop)
        return bool(waits)

    def stop(phase: str, done: int, total: int) -> None:
        waits.append(phase)
        raise Cancelled

    assert not asked(0.49 * cost)
    assert asked(0.51 * cost)
    monkeypatch.setattr(compiled, "disk_cache", lambda: None)
    monkeypatch.setattr(compiled, "_mark", lambda module: None)
    assert not asked(0.99 * cost)
    assert asked(1.01 * cost)


@pytest.mark.usefixtures("fresh_machine")
def test_more_kernels_are_loaded_for_less_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once some are loaded, others that are on disk need no second of work; what is not on disk is not compiled for it."""
    compiled.load(scatter.KERNELS)
    monkeypatch.setattr(compiled, "_loaded", set())
    little = 2 * compiled.MORE / scatter.KERNELS.saves
    compiled.prepare(scatter.KERNELS, little, "the test")
    assert not compiled.usable(scatter.KERNELS)
    compiled._loaded.add("another module")
    compiled.prepare(scatter.KERNELS, little / 4, "the test")
    assert not compiled.usable(scatter.KERNELS)
    compiled.prepare(scatter.KERNELS, little, "the test")
    assert compiled.usable(scatter.KERNELS)
    compiled.prepare(pair_counts.KERNELS, 2 * compiled.MORE / pair_counts.KERNELS.saves, "the test")
    assert not compiled.usable(pair_counts.KERNELS)
    assert not compiled._compilers


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_machine")
def test_waiting_can_be_cancelled() -> None:
    """Who cancels does not wait any longer; the compiler goes on for the others."""

    def cancel(phase: str, done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        compiled.prepare(scatter.KERNELS, MUCH, "the test", cancel)
    (process,) = compiled._compilers.values()
    assert process.wait(600) == 0
    assert compiled.kept(scatter.KERNELS)


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_machine")
def test_somebody_who_waits_does_not_wait_for_idle_time() -> None:
    """Another process of usual priority compiles the kernels when somebody needs them."""
    idle = compiled.compiler([scatter.KERNELS], idle=True)
    compiled.prepare(scatter.KERNELS, MUCH, "the test")
    assert compiled.usable(scatter.KERNELS)
    assert len(compiled._compilers) == 2
    assert [process.wait(600) for process in compiled._compilers.values()] == [0, 0]
    assert idle in compiled._compilers.values()


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


@pytest.mark.parametrize("idle", some.first([False, True]))
def test_two_processes_compile_once(tmp_path: Path, idle: bool) -> None:
    """Of two processes that compile the same kernels at once, one does, and the other loads what it left on disk."""
    both = [in_a_process(tmp_path, idle) for _ in range(2)]
    found = []
    for process in both:
        assert process.stdout is not None
        found.append(process.stdout.readline().strip())
        process.communicate()
    assert set(found) == {"0", "2"}
    assert len(list(tmp_path.rglob("complete-*"))) == 1


@pytest.mark.slow
def test_idle_time_hinders_nobody(tmp_path: Path) -> None:
    """Who needs kernels compiles them beside a process of idle time; both have them in the end."""
    both = [in_a_process(tmp_path, idle) for idle in (True, False)]
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline().strip() in ("0", "1", "2")
        process.communicate()
    assert len(list(tmp_path.rglob("complete-*"))) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_machine")
def test_idle_time_is_used_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """While one process compiles in idle time, no other is started for the same kernels, nor when they are there."""
    monkeypatch.setattr(kernels, "every", lambda: [scatter.KERNELS])
    kernels.compile_in_idle_time()
    kernels.compile_in_idle_time()
    (first,) = compiled._compilers.values()
    assert first.wait(600) == 0
    assert compiled.kept(scatter.KERNELS)
    kernels.compile_in_idle_time()
    assert list(compiled._compilers.values()) == [first]


def test_a_compiler_ends_with_its_process(tmp_path: Path) -> None:
    """When its standard input is closed, the process ends, and says of no kernels that are half written that they are there."""
    process = in_a_process(tmp_path, False)
    process.communicate("")
    assert process.returncode == 0
    assert not list(tmp_path.rglob("complete-*")) or len(list(tmp_path.rglob("*.nbi"))) == 2


def test_without_a_cache_nothing_waits() -> None:
    """Where nothing is kept on disk, no other process could hand over its kernels."""
    reports: list[tuple[str, int, int]] = []
    with (
        mock.patch.object(compiled, "disk_cache", return_value=None),
        mock.patch.object(kernels, "disk_cache", return_value=None),
        mock.patch.object(compiled, "kept", return_value=False),
        mock.patch.object(kernels, "kept", return_value=False),
        mock.patch.object(compiled, "_loaded", set()),
        mock.patch.object(compiled, "_compilers", {}) as compilers,
    ):
        kernels.compile_in_idle_time()
        compiled.prepare(scatter.KERNELS, MUCH, "the test", lambda *report: reports.append(report))
    assert not compilers
    assert [(done, total) for _, done, total in reports] == [(0, 0)]


def test_every_module_of_kernels_is_known() -> None:
    """Each module with kernels has a record, so that idle time compiles it, and its face has it as KERNELS."""
    known = kernels.every()
    assert {one.module.rpartition(".")[2] for one in known} == {
        "ngrams", "kernel", "compiled_search", "scatter", "pair_counts", "bleu_pairs", "mean_pairs",
    }  # fmt: skip
