"""Files are written completely or not at all, whatever fails and whenever it does."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path

import pytest

from sigcore.storage import atomic
from sigcore.storage.atomic import write_file

ROOT = Path(__file__).resolve().parents[4]
FAULTS = [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt(), MemoryError()]
STEPS = ["open", "write", "close", "chmod", "replace"]


def fails(monkeypatch: pytest.MonkeyPatch, step: str, fault: BaseException, after: int = 0) -> None:
    """Let a step of the system fail with this fault, after it has been done that often."""
    real, left = getattr(os, step), [after]

    def call(*given, **more):
        if left[0] == 0:
            monkeypatch.setattr(atomic.os, step, real)
            raise fault
        left[0] -= 1
        return real(*given, **more)

    monkeypatch.setattr(atomic.os, step, call)


def test_new_and_old_files(tmp_path: Path) -> None:
    """A file is created, and replaced with its permissions; nothing else is left in the folder."""
    path = tmp_path / "out.json"
    write_file(path, b"one")
    path.chmod(0o600)
    write_file(path, b"two" * 100_000)
    assert path.read_bytes() == b"two" * 100_000
    assert list(tmp_path.iterdir()) == [path]
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        umask = os.umask(0o022)
        os.umask(umask)
        write_file(tmp_path / "new", b"")
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o666 & ~umask


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize("old", [b"the good old file", None])
def test_whatever_fails_the_old_file_stays(tmp_path, monkeypatch, step, fault, old) -> None:
    """A full disk, Ctrl+C or no memory at any step: the error is passed on, the old file is as it was, nothing is left."""
    path = tmp_path / "out.json"
    if old is not None:
        path.write_bytes(old)
    elif step == "chmod":
        pytest.skip("a new file needs no chmod")
    fails(monkeypatch, step, fault)
    with pytest.raises(type(fault)):
        write_file(path, b"new" * 1000)
    monkeypatch.undo()
    assert [(one, one.read_bytes()) for one in tmp_path.iterdir()] == ([] if old is None else [(path, old)])


def test_a_write_that_takes_only_a_part_is_continued(tmp_path, monkeypatch) -> None:
    """The system may write fewer bytes than asked; the disk may be full only at the end."""
    real = os.write
    monkeypatch.setattr(atomic.os, "write", lambda handle, content: real(handle, content[:7]))
    write_file(tmp_path / "a", b"0123456789" * 10)
    assert (tmp_path / "a").read_bytes() == b"0123456789" * 10
    fails(monkeypatch, "write", FAULTS[0], after=3)
    with pytest.raises(OSError, match="No space"):
        write_file(tmp_path / "a", b"x" * 100)
    assert (tmp_path / "a").read_bytes() == b"0123456789" * 10


@pytest.mark.skipif(os.name != "posix", reason="links and devices of POSIX")
def test_links_stay_and_devices_are_written_directly(tmp_path: Path) -> None:
    """The file behind a link is replaced, not the link; a device is not."""
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_file(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"
    write_file(os.devnull, b"x" * 10)
    assert not Path(os.devnull).is_file()
    if Path("/dev/full").exists():
        with pytest.raises(OSError, match="No space left"):
            write_file("/dev/full", b"x")


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path, monkeypatch) -> None:
    """A file that is protected against writing stays, although its folder would allow to replace it."""
    path = tmp_path / "a"
    path.write_bytes(b"old")
    monkeypatch.setattr(atomic.os, "access", lambda path, how: how != os.W_OK)
    with pytest.raises(PermissionError):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"


# Where something else than write_file writes a file, and why that is safe.
OTHERS = {
    "sigboard/terminal/__init__.py": "the null device, for --quiet",
    "sigboard/terminal/output.py": "the null device, for closed streams",
    "sigcore/readers/known.py": "a download: also a temporary file that is renamed, but of a gigabyte",
    "sigcore/resampling/spool.py": "a temporary file without a name",
    "sigcore/storage/archive.py": "a member of a zip in memory",
    "sigcore/storage/atomic.py": "it is this function",
    "sigcore/storage/location.py": "a probe without a name",
}


def test_every_file_is_written_by_this_function() -> None:
    """No module of the product opens a file for writing in another way, but those that are listed with a reason."""
    writes = re.compile(
        r"\.write_(?:text|bytes)\(|\bopen\([^)]*[\"'](?:[wax]|r\+)|\bmkstemp\(|TemporaryFile\(|\bto_csv\([^)]*path"
    )
    sources = [path for folder in ("sigcore", "sigboard", "pages") for path in sorted((ROOT / folder).rglob("*.py"))]
    writing = {
        path.relative_to(ROOT).as_posix()
        for path in sources
        if any(writes.search(line) for line in path.read_text(encoding="utf-8").splitlines() if "def " not in line)
    }
    assert writing == set(OTHERS)
