"""The store of analyses: kept, found, bounded, expired and deleted, by one process or several, on every database."""

from __future__ import annotations

import dataclasses
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sigcore import OptionError, store
from sigcore.storage import database
from sigcore.storage.store import Bounds, Kept, Store

LATER = 4e9  # in the year 2096
WIDE = Bounds(10**9, 10**9)
POSTGRES = Path("/usr/lib/postgresql")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a PostgreSQL server of this test, on a socket in its folder; skipped where none is installed."""
    pytest.importorskip("psycopg")
    programs = sorted(POSTGRES.glob("*/bin/pg_ctl")) if POSTGRES.is_dir() else []
    found = shutil.which("pg_ctl") or (str(programs[-1]) if programs else None)
    if found is None:
        pytest.skip("no PostgreSQL server is installed")
    # the server refuses to run as root, and folders of pytest are root's alone
    folder = Path(tempfile.mkdtemp(prefix="sigboard-postgresql-"))
    user = "postgres" if os.getuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    home, initdb = folder / "data", str(Path(found).resolve().with_name("initdb"))
    options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
    subprocess.run([initdb, "-D", str(home), "-A", "trust", "-U", "tests"], check=True, capture_output=True, user=user)
    log = folder / "log"
    start = [found, "-D", str(home), "-l", str(log), "-o", options, "-w"]
    subprocess.run([*start, "start"], check=True, stdout=subprocess.DEVNULL, user=user)
    try:
        yield f"postgresql+psycopg://tests@/postgres?host={folder}"
    finally:
        subprocess.run([*start, "-m", "immediate", "stop"], check=True, stdout=subprocess.DEVNULL, user=user)
        shutil.rmtree(folder)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.sqlite'}"
    found: str = request.getfixturevalue("postgresql")
    engine = database.sql.create_engine(found)
    database.TABLES.drop_all(engine)
    engine.dispose()
    return found


@pytest.fixture(autouse=True)
def closed_at_the_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Connections are closed when a test ends; a server closes its own when it ends."""
    create, engines = database.sql.create_engine, list[Any]()

    def noted(url: str) -> Any:
        engines.append(create(url))
        return engines[-1]

    monkeypatch.setattr(database.sql, "create_engine", noted)
    yield
    for engine in engines:
        engine.dispose()


def kept(token: str = "t", owner: str = "me", expires: float = LATER, sources: tuple[str, ...] = ()) -> Kept:
    """An analysis."""
    return Kept(token, owner, f"title of {token}", expires, "matrix", {"metric": "chrf"}, 5.0, 0, frozenset(sources))


def tokens(of: Store, *every: str) -> list[str]:
    """Those that are kept."""
    return [token for token in every if of.get(token)]


def test_what_is_put_is_found(url: str) -> None:
    """Everything comes back as it was, in another process, too; the size is that of the parts."""
    stamp = Store(url).put(kept(sources=("t", "o")), {"files": b"\0data", "grid": b""}, WIDE)
    found = Store(url).get("t")
    assert found == (
        dataclasses.replace(kept(sources=("t", "o")), size=5, stamp=stamp),
        {"files": b"\0data", "grid": b""},
    )
    assert Store(url).get("other") is None


def test_parts_that_are_not_given_stay(url: str) -> None:
    """A new grid does not write the files again; the first time stays, the stamp changes."""
    own = Store(url)
    first = own.put(kept(), {"files": b"data", "grid": b"old"}, WIDE)
    second = own.put(dataclasses.replace(kept(), created=99.0, title="new"), {"grid": b"newer"}, WIDE)
    found = own.get("t")
    assert found is not None
    assert found[1] == {"files": b"data", "grid": b"newer"}
    assert (found[0].created, found[0].title, found[0].size) == (5.0, "new", 9)
    assert first != second == found[0].stamp


def test_only_its_owner_has_it_listed(url: str) -> None:
    """The last used is first; nothing of another owner is in the list; what was handed over changes lists."""
    own = Store(url)
    own.put(kept("a", expires=LATER), {"files": b"1"}, WIDE)
    own.put(kept("b", expires=LATER + 5), {"files": b"1"}, WIDE)
    own.put(kept("c", "you"), {"files": b"1"}, WIDE)
    assert [one.token for one in own.listed("me")] == ["b", "a"]
    assert [one.token for one in own.listed("you")] == ["c"]
    assert own.listed("") == []
    own.hand_over("a", "you", "you")  # not theirs
    own.hand_over("a", "me", "you")
    assert {one.token for one in own.listed("you")} == {"a", "c"}
    assert own.is_owner("a", "you")
    assert not own.is_owner("a", "me")
    assert not own.is_owner("unknown", "")


def test_deleting_takes_copies_and_is_final(url: str) -> None:
    """A deleted analysis and what was made of its link are gone for every process, and cannot be kept again."""
    own, other = Store(url), Store(url)
    own.put(kept("first", sources=("first",)), {"files": b"1"}, WIDE)
    own.put(kept("copy", "you", sources=("first", "copy")), {"files": b"1"}, WIDE)
    own.put(kept("apart", sources=("apart",)), {"files": b"1"}, WIDE)
    other.delete("first")
    assert tokens(own, "first", "copy", "apart") == ["apart"]
    assert [own.why_gone(token) for token in ("first", "copy", "apart")] == ["deleted", "deleted", None]
    assert own.put(kept("first"), {"files": b"1"}, WIDE) == ""
    assert own.put(kept("late", sources=("first",)), {"files": b"1"}, WIDE) == ""
    assert tokens(own, "first", "late") == []
    deleted, written = own.changes(0.0)
    assert deleted == {"first", "copy"}
    assert set(written) == {"apart"}


def test_it_expires_unless_it_is_used(url: str) -> None:
    """After its time an analysis is not found, and is then removed; a use sets a later time, never an earlier one."""
    own = Store(url)
    own.put(kept("over", expires=1.0), {"files": b"1"}, WIDE)
    own.put(kept("used", expires=1.0), {"files": b"1"}, WIDE)
    assert own.get("over") is None
    assert own.listed("me") == []
    own.use({"used": LATER})
    own.use({"used": 2.0})
    own.expire()
    assert own.why_gone("over") == "expired"
    assert tokens(own, "over", "used") == ["used"]
    assert own.put(kept("over"), {"files": b"1"}, WIDE) != ""  # who has the files may keep them again
    assert own.why_gone("over") is None


def test_the_bounds_remove_what_was_used_longest_ago(url: str) -> None:
    """First of the same owner, then of all; what alone is larger than the bound is not kept."""
    own = Store(url)
    for k, (token, owner) in enumerate([("a", "me"), ("b", "me"), ("x", "you")]):
        own.put(kept(token, owner, LATER + k), {"files": bytes(40)}, WIDE)
    own.put(kept("c", "me", LATER + 9), {"files": bytes(40)}, Bounds(100, 1000))
    assert tokens(own, "a", "b", "c", "x") == ["b", "c", "x"]
    assert own.why_gone("a") == "full"
    own.put(kept("d", "me", LATER + 9), {"files": bytes(40)}, Bounds(1000, 90))
    assert tokens(own, "b", "c", "d", "x") == ["c", "d"]
    assert own.put(kept("large"), {"files": bytes(200)}, Bounds(100, 1000)) == ""
    assert own.why_gone("large") == "full"


def test_another_version_is_refused(url: str) -> None:
    """Tables of a newer Sigboard are left as they are, and the store says so."""
    own = Store(url)
    own.put(kept(), {"files": b"1"}, WIDE)
    engine = database.sql.create_engine(url)
    with engine.begin() as connection:
        connection.execute(database.ABOUT.update().values(version=database.VERSION + 1))
    engine.dispose()
    newer = Store(url)
    assert newer.get("t") is None
    assert f"version {database.VERSION + 1}" in newer.problem


def test_processes_share_a_store(url: str) -> None:
    """Three processes write at once; everything of each is there."""
    Store(url).listed("me")
    script = (
        "import sys; from sigcore.storage.store import *\n"
        "own = Store(sys.argv[1])\n"
        "for k in range(20):\n"
        "    assert own.put(Kept(f'{sys.argv[2]}{k}', 'me', '', 4e9), {'files': bytes(9)}, Bounds(10**9, 10**9)), own.problem\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", script, url, name]) for name in "abc"]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert len(Store(url).listed("me")) == 60


def of_file(path: Path) -> Store:
    return Store(f"sqlite:///{path}", pause=0.0)


def test_a_file_that_is_none_of_ours_is_a_problem_and_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A URL that names another file by mistake: it is left alone, every call answers as if nothing was kept; only the log
    has the path."""
    path = tmp_path / "thesis.txt"
    path.write_bytes(b"not a database, but long enough to be taken for one" * 100)
    own = of_file(path)
    assert own.put(kept(), {"files": b"1"}, WIDE) == ""
    assert (own.get("t"), own.listed("me"), own.why_gone("t")) == (None, [], None)
    own.delete("t")
    assert own.problem == "the database cannot be used (file is not a database)"
    assert str(path) in caplog.text
    assert path.read_bytes().startswith(b"not a database")
    path.unlink()
    assert own.put(kept(), {"files": b"1"}, WIDE)
    assert own.problem == ""


def damaged(path: Path, how: str) -> None:
    """Damage a file of SQLite: its first bytes, all pages but the first, or its end."""
    content = bytearray(path.read_bytes())
    if how == "start":
        content[:200] = bytes(200)
    elif how == "pages":
        content[4096:] = b"\x5a" * (len(content) - 4096)
    else:
        content[:] = content[: len(content) // 2]
    path.write_bytes(content)
    for more in ("-wal", "-shm"):
        path.with_name(path.name + more).unlink(missing_ok=True)


@pytest.mark.parametrize("how", ["start", "pages", "end"])
def test_a_damaged_store_is_set_aside_and_made_again(
    tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The next writing has a new file; the old one is there for a day, and its path is in the log alone."""
    path = tmp_path / "store.sqlite"
    first = of_file(path)
    for token in "abcdefgh":
        assert first.put(kept(token), {"files": os.urandom(50_000)}, WIDE)
    first._close()
    damaged(path, how)
    own = Store(f"sqlite:///{path}")  # with the usual pause, which a new file does not need
    for _ in range(2):  # the second call may be the first that reads a damaged page
        own.get("h")
        own.listed("me")
        assert own.put(kept("new"), {"files": b"1" * 9}, WIDE)
    assert own.problem == ""
    assert own.healed > 0
    assert tokens(own, "a", "new") == ["new"]
    (aside,) = (
        file for file in tmp_path.iterdir() if ".damaged-" in file.name and not file.name.endswith(("-wal", "-shm"))
    )
    assert str(aside) in caplog.text
    database.remove_old(path, own.healed + database.HELD - 60)
    assert aside.exists()
    database.remove_old(path, own.healed + database.HELD + 60)
    assert [file.name for file in tmp_path.iterdir() if "damaged" in file.name] == []
    assert tokens(own, "new") == ["new"]


def test_two_processes_set_a_damaged_store_aside_once(tmp_path: Path) -> None:
    """The second one finds a sound file, uses it, and writes nothing into the one that was set aside."""
    path = tmp_path / "store.sqlite"
    first, second = of_file(path), of_file(path)
    for own, token in ((first, "a"), (second, "b")):
        assert own.put(kept(token), {"files": os.urandom(50_000)}, WIDE)
    for own in (first, second):
        own._database._engine.dispose()  # type: ignore[union-attr]
    damaged(path, "start")
    assert first.put(kept("c"), {"files": b"1"}, WIDE)
    assert second.put(kept("d"), {"files": b"1"}, WIDE)
    assert tokens(first, "a", "b", "c", "d") == tokens(second, "a", "b", "c", "d") == ["c", "d"]
    assert first.healed
    assert not second.healed
    assert len([file for file in tmp_path.iterdir() if ".damaged-" in file.name]) == 1


def test_damaged_bytes_are_not_handed_out(tmp_path: Path) -> None:
    """A part whose digest does not fit is not read."""
    own = of_file(tmp_path / "store.sqlite")
    own.put(kept(), {"files": b"1"}, WIDE)
    with sqlite3.connect(tmp_path / "store.sqlite") as raw:
        raw.execute("UPDATE parts SET content = x'32'")
    raw.close()
    assert own.get("t") is None
    assert "damaged" in own.problem


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_a_problem(tmp_path: Path) -> None:
    """Where nothing can be created, the problem says so."""
    tmp_path.chmod(0o500)
    own = of_file(tmp_path / "store.sqlite")
    assert own.put(kept(), {"files": b"1"}, WIDE) == ""
    tmp_path.chmod(0o700)
    assert own.problem


def test_a_read_only_database_is_a_problem(tmp_path: Path) -> None:
    """What may only be read is reported, and is as it was."""
    path = tmp_path / "store.sqlite"
    of_file(path).put(kept(), {"files": b"1"}, WIDE)
    own = Store(f"sqlite:///file:{path}?mode=ro&uri=true", pause=0.0)
    assert own.put(kept("u"), {"files": b"1"}, WIDE) == ""
    own.delete("t")
    assert "readonly" in own.problem
    assert tokens(of_file(path), "t", "u") == ["t"]


def test_a_full_database_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk nothing is written, what is kept stays readable, and there is room again later."""
    own = of_file(tmp_path / "store.sqlite")
    own.put(kept(), {"files": b"1"}, WIDE)
    full = shutil.disk_usage(tmp_path)._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: full)
    assert own.put(kept("u"), {"files": b"1"}, WIDE) == ""
    assert "full" in own.problem
    assert own.get("t") is not None
    monkeypatch.undo()
    assert own.put(kept("u"), {"files": b"1"}, WIDE)


def test_a_folder_in_the_place_of_the_file_is_a_problem(tmp_path: Path) -> None:
    """A path that cannot be a file is reported, as is a driver that is not installed, without the password."""
    own = of_file(tmp_path)
    assert own.put(kept(), {"files": b"1"}, WIDE) == ""
    assert "unable to open" in own.problem
    assert str(tmp_path) not in own.problem
    away = Store("oracle+nothing://me:secret@nowhere/db")
    assert away.get("t") is None
    assert "the log of the server says why" in away.problem
    assert not any(word in away.problem for word in ("secret", "nowhere", "oracle"))


def test_deleted_bytes_leave_the_file(tmp_path: Path) -> None:
    """After deleting, no file of the database holds the text any more; and nobody else may read the file."""
    own, text = of_file(tmp_path / "store.sqlite"), b"a very private sentence"
    own.put(kept(), {"files": text * 100}, WIDE)
    assert any(text in file.read_bytes() for file in tmp_path.iterdir())
    own.delete("t")
    assert not any(text in file.read_bytes() for file in tmp_path.iterdir())
    if sys.platform != "win32":
        assert {file.stat().st_mode & 0o077 for file in tmp_path.iterdir()} == {0}


def test_nothing_is_made_before_something_is_kept(tmp_path: Path) -> None:
    """Looking makes no file; where the file was removed, nothing is kept, and that is no problem."""
    own = of_file(tmp_path / "store.sqlite")
    assert (own.get("t"), own.listed("me"), own.why_gone("t"), own.is_owner("t", "me")) == (None, [], None, False)
    own.expire()
    own.use({"t": LATER})
    assert list(tmp_path.iterdir()) == []
    assert own.problem == ""


def test_settings_choose_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A URL, off, or a file in the cache folder; none where nothing is cached; anything else is refused."""
    monkeypatch.setenv("SIGBOARD_CACHE", str(tmp_path))
    monkeypatch.setenv(store.VARIABLE, "off")
    assert store.from_settings() is None
    monkeypatch.setenv(store.VARIABLE, "")
    own = store.from_settings()
    assert own is not None
    assert own.put(kept(), {"files": b"1"}, WIDE)
    assert (tmp_path / store.FILE).exists()
    monkeypatch.setenv("SIGBOARD_CACHE", "off")
    assert store.from_settings() is None
    monkeypatch.setenv(store.VARIABLE, f"sqlite:///{tmp_path / store.FILE}")
    own = store.from_settings()
    assert own is not None
    assert own.get("t")
    monkeypatch.setenv(store.VARIABLE, "store.sqlite")
    with pytest.raises(OptionError, match="SIGBOARD_STORE is not the URL"):
        store.from_settings()
