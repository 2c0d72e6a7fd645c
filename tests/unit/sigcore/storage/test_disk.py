"""Statistics on disk: every bit comes back, damage counts as missing, and a disk that refuses costs only time."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from sigcore.errors import OptionError
from sigcore.storage import disk, location
from sigcore.storage.disk import DiskCache, pack, seal, statistics_on_disk, unpack
from tests.waiting import LIMIT

ROOT = Path(__file__).resolve().parents[4]


def name(k: int) -> str:
    """A name as statistics have it."""
    return hashlib.sha256(str(k).encode()).hexdigest()


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays are equal in shape, kind and every bit."""
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


WHOLE = st.integers(-(2**40), 2**40).map(float)
ODD = st.floats(allow_nan=True, allow_infinity=True)


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=6), elements=WHOLE | ODD))
def test_every_bit_comes_back(values):
    """Packing loses nothing: not a large count, a half, an infinity, the bits of a nan or the minus of a zero."""
    assert same_bits(unpack(pack(values)), values)


@pytest.mark.parametrize(
    ("values", "size"),
    [([0.0, 255.0], 1), ([-1.0, 127.0], 1), ([0.0, 256.0], 2), ([-2.0, 200.0], 2), ([0.0, 70_000.0], 4), ([0.5, 3], 4)],
)
def test_counts_are_kept_small(values, size):
    """Each number takes the fewest bytes that hold all of them; the header takes 128 more."""
    assert len(pack(np.array([values]))) == 128 + 2 * size


@pytest.mark.parametrize("values", [[-0.0], [0.1], [2.0**60 + 2.0**10], [np.inf], [np.nan]])
def test_what_no_smaller_kind_holds_stays_double(values):
    """Numbers that another kind would change are kept as they are."""
    assert same_bits(unpack(pack(np.array([values]))), np.array([values]))


def test_it_is_a_mapping(tmp_path):
    """What is put there is found again, by another object too, and listed; what is removed is missing."""
    values = np.arange(12.0).reshape(4, 3)
    DiskCache(tmp_path / "new")[name(1)] = values
    other = DiskCache(tmp_path / "new")
    assert same_bits(other[name(1)], values)
    assert list(other) == [name(1)]
    assert len(other) == 1
    assert name(2) not in other
    del other[name(1)]
    assert other.get(name(1)) is None
    with pytest.raises(KeyError):
        del other[name(1)]


def test_names_stay_in_the_folder(tmp_path):
    """A name that is no digest is never a path."""
    cache = DiskCache(tmp_path / "in")
    (tmp_path / "outside").write_bytes(b"")
    for odd in ("../outside", "/etc/passwd", "", "ABCDEF0123", name(1) + "/x"):
        assert cache.get(odd) is None
        with pytest.raises(KeyError):
            del cache[odd]
        with pytest.raises(ValueError, match="digest"):
            cache[odd] = np.zeros((1, 1))


def cut(content: bytes) -> bytes:
    """Half of the file, as a crash may leave it."""
    return content[: len(content) // 2]


def flipped(content: bytes) -> bytes:
    """One bit of the last number is another one."""
    return content[:-1] + bytes([content[-1] ^ 1])


def pickled(content: bytes) -> bytes:
    """A file in good order whose array would have to be unpickled."""
    file = io.BytesIO()
    np.save(file, np.array([[print]], dtype=object))
    return seal(name(1), file.getvalue())


DAMAGE = [
    cut,
    flipped,
    pickled,
    lambda c: b"",
    lambda c: c[:30],
    lambda c: c + b"x",
    lambda c: seal(name(1), b"no npy"),
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_missing_and_removed(tmp_path, damage):
    """Nothing but what was put there ever comes back; the damaged file gives way to a new one."""
    cache = DiskCache(tmp_path)
    cache[name(1)] = np.full((3, 2), 7.0)
    path = tmp_path / name(1)
    path.write_bytes(damage(path.read_bytes()))
    assert cache.get(name(1)) is None
    assert not path.exists()
    cache[name(1)] = np.full((3, 2), 8.0)
    assert cache[name(1)].sum() == 48


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize(
    "make", [lambda path: os.mkfifo(path), lambda path: path.symlink_to("/dev/zero")], ids=["pipe", "device"]
)
def test_what_is_no_file_is_missing_and_replaced(tmp_path, make):
    """A pipe that nobody fills and a device without an end are not read, and give way to a new file."""
    cache = DiskCache(tmp_path)
    make(tmp_path / name(1))
    assert cache.get(name(1)) is None
    cache[name(1)] = np.full((3, 2), 8.0)
    assert cache[name(1)].sum() == 48


def test_a_file_under_another_name_is_missing(tmp_path):
    """A file that was copied to another name is not taken for that other statistics."""
    cache = DiskCache(tmp_path)
    cache[name(1)] = np.ones((2, 2))
    (tmp_path / name(2)).write_bytes((tmp_path / name(1)).read_bytes())
    assert name(2) not in cache
    assert name(1) in cache


def test_the_folder_keeps_its_bound(tmp_path):
    """The folder never holds more than its bound, and what was used last is still there."""
    size = len(seal(name(0), pack(np.full((10, 100), 300.0))))
    cache = DiskCache(tmp_path, most=10 * size)
    for k in range(40):
        cache[name(k)] = np.full((10, 100), 300.0)
        os.utime(tmp_path / name(k), (k, k))  # the order of use, whatever the clock's steps are
        cache.get(name(0))
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= cache.most
    assert name(0) in cache
    assert name(39) in cache
    assert name(1) not in cache


def test_what_is_larger_than_the_bound_is_not_kept(tmp_path):
    """One array larger than the bound drives nothing out."""
    cache = DiskCache(tmp_path, most=500)
    cache[name(1)] = np.ones((2, 2))
    cache[name(2)] = np.ones((1000, 2))
    assert list(cache) == [name(1)]


def test_files_left_behind_are_removed(tmp_path):
    """What a process that is gone left unfinished goes; what another is writing now stays."""
    for file, age in (("old", 2 * disk.LEFT_BEHIND), ("new", 0.0)):
        path = tmp_path / (disk.UNFINISHED + file)
        path.write_bytes(b"half")
        os.utime(path, (path.stat().st_mtime - age,) * 2)
    cache = DiskCache(tmp_path)
    cache[name(1)] = np.ones((2, 2))
    assert sorted(path.name for path in tmp_path.iterdir()) == [disk.UNFINISHED + "new", name(1)]
    assert list(cache) == [name(1)]


def test_a_folder_that_cannot_be_written_is_told_once(tmp_path, caplog):
    """Nothing is kept and nothing fails; the notice comes once and says how to fix it."""
    (tmp_path / "file").touch()
    cache = DiskCache(tmp_path / "file" / "below")
    for k in range(3):
        cache[name(k)] = np.ones((2, 2))
        assert cache.get(name(k)) is None
    assert len(cache) == 0
    assert len(caplog.records) == 1
    assert "SIGBOARD_CACHE" in caplog.text


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may write anywhere")
def test_a_read_only_folder_still_gives(tmp_path, caplog):
    """What others keep in a folder can be read without the right to write there."""
    DiskCache(tmp_path)[name(1)] = np.ones((2, 2))
    tmp_path.chmod(0o500)
    cache = DiskCache(tmp_path)
    cache[name(2)] = np.ones((2, 2))
    assert list(cache) == [name(1)]
    assert cache[name(1)].sum() == 4
    assert len(caplog.records) == 1
    tmp_path.chmod(0o700)


FULL = """
import resource, sys
from pathlib import Path
import numpy as np
from sigcore.storage.disk import DiskCache
cache = DiskCache(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
cache["a" * 64] = np.ones((1000, 9))
cache["b" * 64] = np.ones((1000, 9))
cache["c" * 64] = np.ones((2, 2))
print(len(cache), cache["c" * 64].sum())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of file sizes to stand in for a full disk")
def test_a_disk_that_takes_no_more_leaves_nothing_half(tmp_path):
    """Where the system refuses to write on, no part of the file stays and the program goes on."""
    run = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["1", "4.0"]
    assert run.stderr.count("Nothing new is cached on disk") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["c" * 64]


BUSY = """
import hashlib, sys
from pathlib import Path
import numpy as np
from sigcore.storage.disk import DiskCache
cache = DiskCache(Path(sys.argv[1]), most=20_000)
rng = np.random.default_rng(int(sys.argv[2]))
found = 0
for _ in range(1500):
    k = int(rng.integers(30))
    key = hashlib.sha256(str(k).encode()).hexdigest()
    values = cache.get(key)
    if values is None or rng.random() < 0.3:
        cache[key] = np.full((20, 20), 1000.0 + k)
    else:
        assert values.shape == (20, 20) and (values == 1000 + k).all()
        found += 1
print(found)
"""


@contextmanager
def busy(folder, seed):
    """A process at work in the folder; it is gone afterwards."""
    command = [sys.executable, "-c", BUSY, str(folder), str(seed)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_three_processes_at_once(tmp_path):
    """Processes that read, write and empty one folder at the same time never see anything but whole files."""
    with ExitStack() as stack:
        runs = [stack.enter_context(busy(tmp_path, seed)) for seed in range(3)]
        found = [run.communicate(timeout=LIMIT)[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0, 0]
    assert all(int(count) > 100 for count in found)
    # each process knows of the others' writing only when it looks at the folder again
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 20_000 * (1 + 3 / 16)
    assert all(path.name in {name(k) for k in range(30)} for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "folder", "most"),
    [
        ("/a/b", "/a/b", 10**9),
        ("/a/b:2GB", "/a/b", 2 * 10**9),
        ("/a/b: 1.5 mb ", "/a/b", 1_500_000),
        ("C:\\a:300KB", "C:\\a", 300_000),
        ("C:\\a", "C:\\a", 10**9),
        ("/a:b/c", "/a:b/c", 10**9),
        ("~/x", "HOME/x", 10**9),
        ("", "USER", 10**9),
        (":1TB", "USER", 10**12),
    ],
)
def test_the_setting_is_read(monkeypatch, tmp_path, text, folder, most):
    """A folder, a folder with a size, or a size alone."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(location, "user_cache", lambda: Path("USER"))
    asked = location.setting(text)
    assert (str(asked.folder), asked.most) == (folder.replace("HOME", str(tmp_path)), most)


@pytest.mark.parametrize("text", ["/a:2G", "/a:0GB", "/a:20", "2GB", ":0MB", "C:\\a:5"])
def test_a_size_that_is_none_is_refused(text):
    """A slip in the size is an error that shows the form, not a folder of a strange name."""
    with pytest.raises(OptionError, match="FOLDER:SIZE"):
        location.setting(text)


def test_off_keeps_nothing(monkeypatch):
    """SIGBOARD_CACHE=off means no folder at all."""
    monkeypatch.setenv("SIGBOARD_CACHE", " Off ")
    assert location.setting() is None
    assert statistics_on_disk() is None


def test_a_folder_is_asked_for(monkeypatch, tmp_path):
    """Statistics lie in a folder of their own, beside the kernels, with the asked bound."""
    monkeypatch.setenv("SIGBOARD_CACHE", f"{tmp_path}:5MB")
    cache = statistics_on_disk()
    assert (cache.folder, cache.most) == (tmp_path / "statistics", 5_000_000)


def test_no_home_is_no_fault(monkeypatch, caplog):
    """Where no home is known nothing is kept, and a notice says so."""

    def lost(path):
        raise RuntimeError("Could not determine home directory.")

    location.notice.cache_clear()
    monkeypatch.setattr(Path, "expanduser", lost)
    assert location.setting("~/x") is None
    assert "home" in caplog.text


def test_a_full_disk_is_not_written(monkeypatch, tmp_path, caplog):
    """Compiled kernels are not kept where they would not fit."""
    for free, fits in ((location.ROOM, True), (location.ROOM - 1, False)):
        monkeypatch.setattr(location.shutil, "disk_usage", lambda folder, free=free: SimpleNamespace(free=free))
        assert location.writable(tmp_path) is fits
    assert "full" in caplog.text


def test_what_is_larger_than_the_bound_displaces_nothing(tmp_path: Path) -> None:
    """Statistics that alone are over the bound are not stored, and what is stored stays."""
    values = np.random.default_rng(0).random((100, 1))
    size = len(disk.seal(name(1), disk.pack(values)))
    cache = DiskCache(tmp_path, most=size)
    cache[name(1)] = values
    cache[name(2)] = np.random.default_rng(1).random((150, 1))
    assert list(cache) == [name(1)]
