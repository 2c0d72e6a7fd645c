"""Sealed folders and locks between processes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sigcore.storage import sealed
from sigcore.storage.lock import locked

POSIX = pytest.mark.skipif(os.name != "posix", reason="files of POSIX")


def filled(folder: Path, size: int = 10) -> Path:
    """A folder with two files."""
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "one").write_bytes(b"1" * size)
    (folder / "two").write_bytes(b"2")
    return folder


def test_a_folder_is_published_as_a_whole(tmp_path: Path) -> None:
    """It has its name once it is sealed, and not before."""
    new, own = filled(tmp_path / "new"), tmp_path / "own"
    assert not sealed.exists(own)
    assert not sealed.sound(new)
    sealed.publish(new, own)
    assert sealed.exists(own)
    assert sealed.sound(own)
    assert not new.exists()


def test_the_first_of_two_is_kept(tmp_path: Path) -> None:
    """A second process that has made the same folder leaves the first in its place, and nothing else behind."""
    own = tmp_path / "own"
    sealed.publish(filled(tmp_path / "a", 10), own)
    sealed.publish(filled(tmp_path / "b", 20), own)
    assert [path.name for path in tmp_path.iterdir()] == ["own"]
    assert (own / "deep" / "one").stat().st_size == 10
    assert sealed.sound(own)


def test_a_changed_folder_is_not_sound(tmp_path: Path) -> None:
    """A file that is changed, renamed, added or removed breaks the seal, until the folder is sealed again."""
    own = tmp_path / "own"
    sealed.publish(filled(tmp_path / "new"), own)
    for change in (
        lambda: (own / "two").write_bytes(b"3"),
        lambda: (own / "two").rename(own / "three"),
        lambda: (own / "four").write_bytes(b""),
        lambda: (own / "four").unlink(),
    ):
        change()
        assert not sealed.sound(own)
        sealed.publish(own, own)
        assert sealed.sound(own)


def test_the_least_used_folders_are_removed(tmp_path: Path) -> None:
    """Above the bound, the folders that were used least recently go first; those of others stay."""
    for k in range(5):
        os.utime(filled(tmp_path / f"ours.{k}", 1000), (1000 - k, 1000 - k))
    os.utime(filled(tmp_path / "others", 1000), (1, 1))
    sealed.bound(tmp_path, "ours.*/", 10**6)
    assert len(list(tmp_path.iterdir())) == 6
    sealed.bound(tmp_path, "ours.*/", 2 * 1001 + 500)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["others", "ours.0", "ours.1"]


@POSIX
def test_a_lock_that_is_a_pipe_holds_nobody_up(tmp_path: Path) -> None:
    """Opening it would wait for a reader."""
    os.mkfifo(tmp_path / "one.lock")
    with locked(tmp_path, "one"):
        pass


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    """Nobody else has the lock of that name inside the block, anybody after it; without a folder nothing is locked."""
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path / "one.lock").open("w") as other:
        with (
            locked(tmp_path, "one"),
            locked(tmp_path, "two"),
            pytest.raises(BlockingIOError),
        ):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with locked(None, "one"):
        assert sorted(path.name for path in tmp_path.iterdir()) == ["one.lock", "two.lock"]
    with locked(tmp_path / "missing", "one"):
        assert not (tmp_path / "missing").exists()
