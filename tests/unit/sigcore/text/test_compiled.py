"""Where compiled kernels are kept, and how long work reports and stops."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sigcore.errors import Cancelled
from sigcore.text import chunks
from sigcore.text.chunks import in_chunks, next_size
from sigcore.text.compiled import disk_cache

REPOSITORY = Path(__file__).resolve().parents[4]


def asked(monkeypatch: pytest.MonkeyPatch, folder: str) -> Path | None:
    """The cache folder when SIGBOARD_CACHE is set to `folder`."""
    monkeypatch.setenv("SIGBOARD_CACHE", folder)
    return disk_cache.__wrapped__()


def test_the_cache_lies_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """SIGBOARD_CACHE names the folder, which is made."""
    assert asked(monkeypatch, str(tmp_path / "new")) == tmp_path / "new" / "kernels"
    assert (tmp_path / "new" / "kernels").is_dir()


def test_nothing_is_kept_when_the_cache_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGBOARD_CACHE=off keeps the kernels in memory only."""
    assert asked(monkeypatch, "off") is None


def test_a_folder_that_cannot_be_written_only_costs_time(monkeypatch, tmp_path, caplog) -> None:
    """Where SIGBOARD_CACHE cannot be written, a notice names it and the kernels live in memory."""
    file = tmp_path / "file"
    file.touch()
    assert asked(monkeypatch, str(file)) is None
    assert str(file) in caplog.text


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A user's cache that cannot be written only costs time."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(sys, "platform", "linux")
    assert asked(monkeypatch, "") is None


def test_importing_the_faces_does_not_import_numba() -> None:
    """Who only asks for names and options does not wait for numba."""
    code = "import sys, sigcore.metrics.bleu, sigcore.metrics.ter; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY).returncode == 0


def test_without_numba_the_faces_still_import() -> None:
    """Where numba is missing, available() says so and nothing else breaks."""
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "import sigcore.metrics.bleu, sigcore.metrics.ter\n"
        "from sigcore.text.compiled import available\n"
        "sys.exit(available())"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY).returncode == 0


@pytest.mark.slow
def test_a_read_only_package_is_no_hindrance(tmp_path: Path) -> None:
    """A second process finds what the first compiled, though nothing is written beside the sources."""
    code = (
        "from sigcore.text import compiled, ngrams; compiled.load(ngrams.KERNELS)\n"
        "from sigcore.text.bleu import BleuReferences as B; print(B([['a b']]).rows(['a b c']).tolist())"
    )
    environment = os.environ | {"SIGBOARD_CACHE": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)
    answers, kept = [], []
    for _ in range(2):
        run = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, env=environment, capture_output=True)
        answers.append(run.stdout.strip())
        kept.append({file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.nb*")})
    assert answers == [b"[[3.0, 2.0, 2.0, 1.0, 0.0, 0.0, 3.0, 2.0, 1.0, 0.0]]"] * 2
    assert kept[0]
    assert kept[0] == kept[1]
    assert not list((REPOSITORY / "sigcore").rglob("*.nb*"))


def test_threads_may_start_everything_at_once() -> None:
    """In a new process, threads that meet in the first imports and the first kernels do not hinder each other."""
    code = (
        "from concurrent.futures import ThreadPoolExecutor as Pool\n"
        "from sigcore.text.bleu import BleuReferences\n"
        "from sigcore.metrics.chrf import ChrfReferences\n"
        "from sigcore.metrics.ter import TerReferences as T\n"
        "rows = lambda face: float(face([['a b']]).rows(['a']).sum())\n"
        "print(sorted(set(Pool(6).map(rows, [T, BleuReferences, ChrfReferences] * 3))))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True)
    assert run.stdout.strip() == "[3.0, 5.0]", run.stderr


def test_work_is_done_once_and_in_order() -> None:
    """The pieces cover all segments, and the last report says that all are done."""
    pieces: list[tuple[int, int]] = []
    reports: list[int] = []
    in_chunks(1000, lambda start, stop: pieces.append((start, stop)), reports.append)
    assert [start for start, _ in pieces] == [0, *(stop for _, stop in pieces[:-1])]
    assert [stop for _, stop in pieces] == reports
    assert reports[-1] == 1000


def test_work_stops_when_the_report_raises() -> None:
    """Cancelling ends the work after the piece that was under way."""
    pieces: list[int] = []

    def cancel(finished: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        in_chunks(1000, lambda start, stop: pieces.append(stop), cancel)
    assert len(pieces) == 1


def test_pieces_aim_at_a_tenth_of_a_second() -> None:
    """A slow piece is followed by a smaller one, a fast one by a larger, but never by none or by a leap."""
    assert next_size(100, 1.0) == 10
    assert next_size(100, 0.05) == 200
    assert next_size(100, 1e-6) == 400
    assert next_size(1, 60.0) == 1


def test_segments_of_any_lengths_leave_a_tenth_of_a_second_between_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the cost of each segment is known, no piece takes longer than a tenth of a second or one segment."""
    costs = np.array([900] * 500 + [2_000_000] * 9 + [10] * 3000 + [40_000_000, 1, 50_000_000] + [3_000] * 700)
    clock, pieces = [0.0], list[tuple[int, int]]()

    def work(start: int, stop: int) -> None:
        pieces.append((start, stop))
        clock[0] += float(costs[start:stop].sum()) * 1e-8

    monkeypatch.setattr(chunks.time, "perf_counter", lambda: clock[0])
    in_chunks(len(costs), work, None, costs)
    assert [start for start, _ in pieces] == [0, *(stop for _, stop in pieces[:-1])]
    assert pieces[-1][1] == len(costs)
    for start, stop in pieces:
        assert stop - start == 1 or costs[start:stop].sum() * 1e-8 < 0.1 + 1e-9
    assert len(pieces) < 60


def test_long_segments_cost_the_product_of_the_lengths() -> None:
    """The cost of a segment is its letters times the words of all its references."""
    assert chunks.products(["abc", "", "a" * 10], np.array([[2, 1], [5, 5], [0, 7]])).tolist() == [9, 0, 70]
