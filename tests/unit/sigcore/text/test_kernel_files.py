"""Files of compiled kernels: damaged ones are compiled again, and shared folders are not used."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sigcore.storage import location
from sigcore.text import compiled

REPOSITORY = Path(__file__).resolve().parents[4]
CODE = (
    "import numpy as np\n"
    "from sigcore.resampling import scatter; from sigcore.text import compiled; compiled.load(scatter.KERNELS)\n"
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
    """A cache with the files of one module, three kernels and a second type of one of them."""
    if not compiled.available():
        pytest.skip("numba is not installed")
    folder = tmp_path_factory.mktemp("cache")
    first = run(folder)
    assert (first.stdout.strip(), first.stderr) == (ANSWER, b"")
    assert sorted(path.suffix for path in folder.rglob("*.nb*")) == [".nbc"] * 4 + [".nbi"] * 3
    return folder


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda content: content[: len(content) // 2],
    "emptied": lambda content: b"",
    "other": lambda content: b"no pickle",
}


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "how"), [*itertools.product((".nbi", ".nbc"), DAMAGE)])
def test_a_file_that_does_not_load_is_compiled_again(compiled_once: Path, suffix: str, how: str) -> None:
    """Index or code, cut, emptied or of another kind: the right answer, one note, and files that load for the next."""
    path = min(compiled_once.rglob(f"*{suffix}"))
    path.write_bytes(DAMAGE[how](path.read_bytes()))
    damaged = run(compiled_once)
    note = "A compiled kernel was damaged (sigcore.resampling.scatter); it is compiled again."
    assert (damaged.stdout.strip(), damaged.stderr.decode().strip()) == (ANSWER, note)
    assert run(compiled_once).stderr == b""  # finds all kernels on disk, and says so there
    assert list(compiled_once.rglob("complete-*"))
    before = {path: path.stat().st_mtime_ns for path in compiled_once.rglob("*.nb*")}
    assert run(compiled_once).stderr == b""
    assert {path: path.stat().st_mtime_ns for path in compiled_once.rglob("*.nb*")} == before


@pytest.mark.slow
def test_using_kernels_adds_no_code() -> None:
    """Each kernel is called for all types that metrics, draws and pairs give it, so that using it writes no more code."""
    code = (
        "from sigcore import kernels; from sigcore.text import compiled\n"
        "for each in kernels.every(): compiled.load(each)\n"
        "own = [compiled._mark(each.module).parent for each in kernels.every()]\n"
        "files = lambda: {path: path.stat().st_mtime_ns for folder in own for path in folder.rglob('*.nb*')}\n"
        "before, folder = files(), 'samples/harbour/'\n"
        "from cli import main\n"
        "options = ['--metric', 'bleu', 'chrf', 'ter', 'wer', 'cer', 'meteor', '--resamples', '500', '--quiet']\n"
        "for more in (['A'], ['A', 'B']):\n"
        "    references = [f'{folder}ref.{letter}.en' for letter in more]\n"
        "    main(['matrix', '--reference', *references, '--systems', folder + 'systems', *options])\n"
        "print(len(before) > 10, files() == before)\n"
    )
    done = run(Path(os.environ["SIGBOARD_CACHE"]), code)  # where the tests keep kernels
    assert done.stdout.strip().endswith(b"True True"), done.stderr


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
    assert location.refusal(folder).endswith(refused)
    assert bool(location.refusal(folder)) == bool(refused)


@POSIX
def test_groups_and_owners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's own group may write, another may not; the folder of another user is not used, root's is."""
    folder = tmp_path / "kernels"
    folder.mkdir()
    folder.chmod(0o770)
    state = folder.stat()
    assert location.refusal(folder) == ""
    if state.st_gid:
        monkeypatch.setattr(os, "getgid", lambda: state.st_gid + 1)
        assert "can be written" in location.refusal(folder)
    folder.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: state.st_uid + 1)
    assert location.refusal(folder).endswith("" if state.st_uid == 0 else "belongs to another user")


@pytest.mark.slow
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


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("which", ["_save_data", "_save_index"])
def test_a_full_disk_costs_time_only(tmp_path: Path, which: str) -> None:
    """Where the files cannot be written after the start, a note says so, the kernels are used, and nothing is kept."""
    full = "import errno, os; from numba.core.caching import IndexDataCacheFile as File\n"
    full += "def fail(*args): raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))\n"
    full += f"File.{which} = fail\n"
    done = run(tmp_path, full + CODE)
    assert done.stdout.strip() == ANSWER, done.stderr
    assert done.stderr.decode().count(os.strerror(28)) == 1
    assert not list(tmp_path.rglob("complete-*"))
    assert run(tmp_path).stderr == b""
