"""Files of compiled kernels: damaged ones are compiled again, shared folders are not used, and their size is bounded."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sigcore.text import compiled, kernel_files

REPOSITORY = Path(__file__).resolve().parents[4]
CODE = (
    "import numpy as np\n"
    "from sigcore.resampling import scatter\n"
    "counts = np.zeros((1, 3), np.float32)\n"
    "scatter._made()(np.array([[0, 2, 2]], np.uint16), counts)\n"
    "print(counts.tolist())\n"
)
ANSWER = b"[[1.0, 0.0, 2.0]]"
POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")


def run(folder: Path, code: str = CODE, **more: str) -> subprocess.CompletedProcess[bytes]:
    """A new process with this folder as its cache."""
    environment = os.environ | {"SIGBOARD_CACHE": str(folder)} | more
    if "NUMBA_CACHE_DIR" not in more:
        environment.pop("NUMBA_CACHE_DIR", None)
    return subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, env=environment, capture_output=True, check=False
    )


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the files of one kernel."""
    if not compiled.available():
        pytest.skip("numba is not installed")
    folder = tmp_path_factory.mktemp("cache")
    first = run(folder)
    assert (first.stdout.strip(), first.stderr) == (ANSWER, b"")
    assert sorted(path.suffix for path in folder.rglob("*.nb*")) == [".nbc", ".nbi"]
    return folder


def flipped(content: bytes) -> bytes:
    """One bit in the middle, where the machine code is."""
    place = len(content) // 2
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda content: content[: len(content) // 2],
    "emptied": lambda content: b"",
    "flipped": flipped,
}


@pytest.mark.parametrize("how", DAMAGE)
@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_damaged_file_is_compiled_again(compiled_once: Path, how: str, suffix: str) -> None:
    """Index or code, cut, emptied or with one bit flipped: the right answer, one note, and a sound file for the next."""
    (path,) = compiled_once.rglob(f"*{suffix}")
    path.write_bytes(DAMAGE[how](path.read_bytes()))
    damaged = run(compiled_once)
    note = f"A compiled kernel was damaged ({path.name}); it is compiled again."
    assert (damaged.stdout.strip(), damaged.stderr.decode().strip()) == (ANSWER, note)
    assert all(kernel_files._unsealed(path) is not None for path in compiled_once.rglob("*.nb*"))


@POSIX
@pytest.mark.parametrize(
    "make", [lambda path: os.mkfifo(path), lambda path: path.symlink_to("/dev/zero")], ids=["pipe", "device"]
)
def test_what_is_no_file_is_damaged(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """It is removed and not waited for, and a kernel can be stored in its place."""
    path = tmp_path / "kernels" / "kernel.nbc"
    path.parent.mkdir()
    make(path)
    assert kernel_files._unsealed(path) is None
    kernel_files._store(path, b"code")
    assert kernel_files._unsealed(path) == b"code"


@POSIX
def test_a_lock_that_is_a_pipe_holds_nobody_up(tmp_path: Path) -> None:
    """Opening it would wait for a reader."""
    os.mkfifo(tmp_path / "one.lock")
    with kernel_files.locked(tmp_path, "one"):
        pass


def test_files_of_two_kernels_cannot_be_exchanged(compiled_once: Path) -> None:
    """The digest is of the name too: a sound file under another name is not loaded."""
    (path,) = compiled_once.rglob("*.nbc")
    content = path.read_bytes()
    assert kernel_files._unsealed(path) is not None
    other = path.with_name("other.nbc")
    other.write_bytes(content)
    assert kernel_files._unsealed(other) is None
    assert not other.exists()
    assert kernel_files._unsealed(path.with_name("missing.nbc")) is None


def test_without_the_compiler_the_plain_way_is_used(tmp_path: Path) -> None:
    """NUMBA_DISABLE_JIT=1 runs what runs without numba, not the kernels as Python."""
    code = (
        "from sigcore.text import compiled; from sigcore.resampling import scatter; from sigcore import metrics\n"
        "from sigcore.metrics import extractor; from sigcore.testset import Outputs, Testset\n"
        "metric = metrics.get('ter'); set = Testset('t', 'text', 1, (('a b',),))\n"
        "rows = extractor(metric, set, metric.chosen())(Outputs('s', ('b a',))).values.tolist()\n"
        "import sys; print(compiled.available(), scatter.compiled(), rows, 'sigcore.metrics.ter.kernel' in sys.modules)\n"
    )
    done = run(tmp_path, code, NUMBA_DISABLE_JIT="1")
    assert done.stdout.strip() == b"False None [[1.0, 2.0]] False", done.stderr


@POSIX
@pytest.mark.parametrize(
    ("mode", "above", "refused"),
    [
        (0o700, 0o755, ""),
        (0o755, 0o755, ""),
        (0o777, 0o755, "kernels can be written by other users"),
        (0o1777, 0o755, "kernels can be written by other users"),
        (0o700, 0o777, "shared can be written by other users"),
        (0o700, 0o1777, ""),
    ],
)
def test_folders_that_others_can_write(tmp_path: Path, mode: int, above: int, refused: str) -> None:
    """Neither the folder nor one above it, unless that is sticky and nothing in it can be renamed."""
    folder = tmp_path / "shared" / "kernels"
    folder.mkdir(parents=True)
    folder.chmod(mode)
    folder.parent.chmod(above)
    assert kernel_files.refusal(folder).endswith(refused)
    assert bool(kernel_files.refusal(folder)) == bool(refused)


@POSIX
def test_groups_and_owners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's own group may write, another may not; the folder of another user is not used, root's is."""
    folder = tmp_path / "kernels"
    folder.mkdir()
    folder.chmod(0o770)
    state = folder.stat()
    assert kernel_files.refusal(folder) == ""
    if state.st_gid:
        monkeypatch.setattr(os, "getgid", lambda: state.st_gid + 1)
        assert "can be written" in kernel_files.refusal(folder)
    folder.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: state.st_uid + 1)
    assert kernel_files.refusal(folder).endswith("" if state.st_uid == 0 else "belongs to another user")


@POSIX
def test_a_shared_folder_is_not_used(tmp_path: Path) -> None:
    """What somebody else has put there is not loaded, and nothing is written; a note says why."""
    folder = tmp_path / "kernels"
    folder.mkdir()
    folder.chmod(0o777)
    done = run(tmp_path)
    assert done.stdout.strip() == ANSWER
    assert b"can be written by other users, so compiled code in it cannot be trusted" in done.stderr
    assert not list(folder.iterdir())
    again = run(tmp_path / "other", NUMBA_CACHE_DIR=str(folder))
    assert again.stdout.strip() == ANSWER
    assert not list(folder.iterdir())


def test_the_least_used_files_are_removed(tmp_path: Path) -> None:
    """Above the bound, the files that were used least recently go first."""
    folder = tmp_path / "one"
    folder.mkdir()
    for k in range(5):
        (folder / str(k)).write_bytes(b"x" * 10)
        os.utime(folder / str(k), (1000 - k, 1000 - k))
    kernel_files.bound(tmp_path, 50)
    assert len(list(folder.iterdir())) == 5
    kernel_files.bound(tmp_path, 25)
    assert sorted(path.name for path in folder.iterdir()) == ["0", "1"]


def test_a_full_disk_costs_time_only(tmp_path: Path) -> None:
    """Where the files cannot be written after the start, a note says so and the kernel is used."""
    full = "import errno, os; from sigcore.text import kernel_files\n"
    full += "def fail(path, content): raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))\n"
    full += "kernel_files.write_file = fail\n"
    done = run(tmp_path, full + CODE)
    assert done.stdout.strip() == ANSWER, done.stderr
    assert done.stderr.decode().count(os.strerror(28)) == 1
    assert not list(tmp_path.rglob("*.nb*"))


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    """Nobody else has the lock of that name inside the block, anybody after it; without a folder nothing is locked."""
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path / "one.lock").open("w") as other:
        with (
            kernel_files.locked(tmp_path, "one"),
            kernel_files.locked(tmp_path, "two"),
            pytest.raises(BlockingIOError),
        ):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with kernel_files.locked(None, "one"):
        assert sorted(path.name for path in tmp_path.iterdir()) == ["one.lock", "two.lock"]
    with kernel_files.locked(tmp_path / "missing", "one"):
        assert not (tmp_path / "missing").exists()
