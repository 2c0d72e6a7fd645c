"""The tables of the store, and what is done with them; the only module that knows SQLAlchemy."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import sqlalchemy as sql
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from sigcore.storage.location import ROOM

# What the store knows about an analysis that it keeps, and what became of one that it does not.

Gone = Literal["deleted", "expired", "full"]


@dataclass(frozen=True)
class Kept:
    """One kept analysis, without its parts. `owner` is a digest of the owner's secret; `created` and `expires` are seconds
    since 1970; `size` is in bytes; `sources` are the ids of the links that its files came from; `stamp` changes with
    every write."""

    token: str
    owner: str
    title: str
    expires: float
    page: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    created: float = 0.0
    size: int = 0
    sources: frozenset[str] = frozenset()
    stamp: str = ""


@dataclass(frozen=True)
class Bounds:
    """The most bytes that all analyses of one owner may take, and those of all owners."""

    owner: int
    all: int


FILE = "store.sqlite"  # in the cache folder
MAGIC = b"SQLite format 3\0"
VERSION = 1  # increase it when the tables change
LARGEST = 900 * 10**6  # bytes of one part: SQLite and PostgreSQL refuse more than 10^9
REMEMBERED = 90 * 24 * 3600.0  # seconds for which it is known what became of a removed analysis
BUSY = 10_000  # ms to wait for another process that writes


class WrongStore(SQLAlchemyError):
    """The database is not, or not any more, one that this version can use."""


# What a database does where it is damaged, locked, full, read-only, away, or not a database.
FAULTS = (SQLAlchemyError, sqlite3.Error, OSError, ImportError)

TABLES = sql.MetaData()
ABOUT = sql.Table("sigboard_store", TABLES, sql.Column("version", sql.Integer, nullable=False))
KEPT = sql.Table(
    "kept",
    TABLES,
    sql.Column("token", sql.String(64), primary_key=True),
    sql.Column("owner", sql.String(64), nullable=False, index=True),
    sql.Column("title", sql.Text, nullable=False),
    sql.Column("page", sql.String(32), nullable=False),
    sql.Column("settings", sql.Text, nullable=False),
    sql.Column("created", sql.Double, nullable=False),
    sql.Column("expires", sql.Double, nullable=False, index=True),
    sql.Column("updated", sql.Double, nullable=False, index=True),
    sql.Column("size", sql.BigInteger, nullable=False),
    sql.Column("stamp", sql.String(32), nullable=False),
)
# A separate table: SQLite writes a whole row again, with its bytes, for every change of one column.
PARTS = sql.Table(
    "parts",
    TABLES,
    sql.Column("token", sql.String(64), primary_key=True),
    sql.Column("part", sql.String(16), primary_key=True),
    sql.Column("digest", sql.String(64), nullable=False),
    sql.Column("content", sql.LargeBinary, nullable=False),
)
SOURCES = sql.Table(
    "sources",
    TABLES,
    sql.Column("token", sql.String(64), primary_key=True),
    sql.Column("source", sql.String(64), primary_key=True, index=True),
)
GONE = sql.Table(
    "gone",
    TABLES,
    sql.Column("token", sql.String(64), primary_key=True),
    sql.Column("why", sql.String(16), nullable=False),
    sql.Column("at", sql.Double, nullable=False, index=True),
)


class Database:
    """An open database with the tables of the store.

    Raises: one of FAULTS, as all its methods do.
    """

    def __init__(self, url: str) -> None:
        self._file = _new_file(url)
        self._engine = sql.create_engine(url)
        if self._engine.dialect.name == "sqlite":
            sql.event.listen(self._engine, "connect", _configure)
            sql.event.listen(self._engine, "begin", _begin)
        self._writing = self._engine.execution_options(writes=True)
        with self._writing.begin() as connection:
            known = sql.inspect(connection).has_table(ABOUT.name)
            version = connection.scalar(sql.select(sql.func.max(ABOUT.c.version))) if known else None
            if version is None:
                TABLES.create_all(connection)
                connection.execute(ABOUT.insert().values(version=VERSION))
        if version is not None and version != VERSION:
            raise WrongStore(f"it has version {version}, and this Sigboard uses version {VERSION}")

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def put(self, kept: Kept, parts: Mapping[str, bytes], bounds: Bounds) -> str:
        """As of Store."""
        if max(map(len, parts.values()), default=0) > LARGEST:
            return ""
        if self._file and shutil.disk_usage(self._file.parent).free < ROOM + sum(map(len, parts.values())):
            raise WrongStore("the disk is full")
        stamp = secrets.token_hex(8)
        with self._writing.begin() as connection:
            origins = [kept.token, *kept.sources]
            # another process may have deleted it since: it must not come back
            gone = sql.select(GONE.c.token).where(GONE.c.token.in_(origins), GONE.c.why == "deleted")
            if connection.execute(gone).first():
                return ""
            size = _write_parts(connection, kept.token, parts)
            if size > min(bounds.owner, bounds.all):
                _remove(connection, [kept.token], "full")
                return ""
            created = connection.scalar(sql.select(KEPT.c.created).where(KEPT.c.token == kept.token))
            _make_room(connection, kept, bounds.owner - size, KEPT.c.owner == kept.owner)
            _make_room(connection, kept, bounds.all - size, sql.true())
            for table in (KEPT, SOURCES, GONE):
                connection.execute(table.delete().where(table.c.token == kept.token))
            row: dict[str, str | float] = {
                "token": kept.token,
                "owner": kept.owner,
                "title": kept.title,
                "page": kept.page,
                "stamp": stamp,
            }
            row |= {"settings": json.dumps(dict(kept.settings)), "size": size, "updated": time.time()}
            row |= {"created": kept.created if created is None else created, "expires": kept.expires}
            connection.execute(KEPT.insert().values(row))
            for source in sorted(kept.sources):
                connection.execute(SOURCES.insert().values(token=kept.token, source=source))
        return stamp

    def get(self, token: str, now: float) -> tuple[Kept, dict[str, bytes]] | None:
        """As of Store."""
        with self._engine.begin() as connection:
            row = connection.execute(sql.select(KEPT).where(KEPT.c.token == token, KEPT.c.expires > now)).first()
            if row is None:
                return None
            sources = connection.scalars(sql.select(SOURCES.c.source).where(SOURCES.c.token == token))
            kept = _kept(row, frozenset(sources))
            parts = connection.execute(sql.select(PARTS).where(PARTS.c.token == token)).all()
        contents = {part.part: bytes(part.content) for part in parts}
        if any(_digest(contents[part.part]) != part.digest for part in parts):
            raise WrongStore("an analysis in it is damaged")
        return kept, contents

    def listed(self, owner: str, now: float) -> list[Kept]:
        """As of Store."""
        chosen = sql.select(KEPT).where(KEPT.c.owner == owner, KEPT.c.expires > now).order_by(KEPT.c.expires.desc())
        with self._engine.begin() as connection:
            return [_kept(row) for row in connection.execute(chosen)]

    def use(self, expires: Mapping[str, float]) -> None:
        """As of Store."""
        with self._writing.begin() as connection:
            for token, moment in expires.items():
                later = KEPT.update().where(KEPT.c.token == token, KEPT.c.expires < moment)
                connection.execute(later.values(expires=moment))

    def hand_over(self, token: str, owner: str, to: str) -> None:
        """As of Store."""
        with self._writing.begin() as connection:
            connection.execute(KEPT.update().where(KEPT.c.token == token, KEPT.c.owner == owner).values(owner=to))

    def is_owner(self, token: str, owner: str) -> bool:
        """As of Store."""
        with self._engine.begin() as connection:
            return connection.scalar(sql.select(KEPT.c.owner).where(KEPT.c.token == token)) == owner

    def delete(self, token: str) -> bool:
        """As of Store."""
        with self._writing.begin() as connection:
            copies = connection.scalars(sql.select(SOURCES.c.token).where(SOURCES.c.source == token)).all()
            _remove(connection, {token, *copies}, "deleted")
        self._shrink()
        return True

    def copies(self, token: str) -> list[str]:
        """As of Store."""
        chosen = sql.select(SOURCES.c.token).where(SOURCES.c.source == token, SOURCES.c.token != token)
        with self._engine.begin() as connection:
            return list(connection.scalars(chosen.order_by(SOURCES.c.token)))

    def expire(self, now: float) -> None:
        """As of Store."""
        with self._engine.begin() as connection:
            over = connection.scalars(sql.select(KEPT.c.token).where(KEPT.c.expires <= now)).all()
        if over:
            with self._writing.begin() as connection:
                again = sql.select(KEPT.c.token).where(KEPT.c.token.in_(over), KEPT.c.expires <= now)
                _remove(connection, connection.scalars(again).all(), "expired")
                connection.execute(GONE.delete().where(GONE.c.at < now - REMEMBERED))
            self._shrink()

    def why_gone(self, token: str) -> Gone | None:
        """As of Store."""
        with self._engine.begin() as connection:
            return connection.scalar(sql.select(GONE.c.why).where(GONE.c.token == token))

    def changes(self, since: float) -> tuple[frozenset[str], dict[str, str]]:
        """As of Store."""
        deleted = sql.select(GONE.c.token).where(GONE.c.at >= since, GONE.c.why == "deleted")
        written = sql.select(KEPT.c.token, KEPT.c.stamp).where(KEPT.c.updated >= since)
        with self._engine.begin() as connection:
            return frozenset(connection.scalars(deleted)), {row.token: row.stamp for row in connection.execute(written)}

    def _shrink(self) -> None:
        """Remove what was deleted from the file of SQLite, too, and not only from its tables."""
        if self._file:
            with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


# What SQLite says of a file that is damaged, or that is no database: SQLITE_CORRUPT and SQLITE_NOTADB.
DAMAGED = (11, 26)
ASIDE = ".damaged-"  # in the name of a file that was set aside
HELD = 24 * 3600.0  # seconds for which it is there, for whoever runs the server: visitors can delete nothing in it


def words(fault: BaseException, url: str) -> str:
    """A sentence for the log on what is wrong with the database, without its password."""
    why = str(getattr(fault, "orig", None) or fault).strip().partition("\n")[0]
    return f"the database {_shown(url)} cannot be used ({why})"


def words_for_visitors(fault: BaseException) -> str:
    """The same for everyone: without paths, hosts and users."""
    known = getattr(fault, "orig", None) or fault
    if isinstance(known, OSError):
        why = known.strerror or "it cannot be opened"
    elif isinstance(known, sqlite3.Error | WrongStore):
        why = str(known).partition("\n")[0].partition(":")[0]
    else:
        why = "the log of the server says why"
    return f"the database cannot be used ({why})"


def is_damage(fault: BaseException) -> bool:
    """Whether SQLite found its file damaged."""
    known = getattr(fault, "orig", None) or fault
    return isinstance(known, sqlite3.DatabaseError) and (getattr(known, "sqlite_errorcode", 0) & 0xFF) in DAMAGED


def set_aside(file: Path) -> Path | None:
    """Rename a damaged file of SQLite, so that a new one is made in its place; its new path, None if it is sound, as where
    another process has done this just now, or if it is no file of the store.

    Raises: OSError where it cannot be renamed.
    """
    with file.open("rb") as stream:
        if stream.read(len(MAGIC)) != MAGIC and file.name != FILE:
            return None  # a URL that names another file by mistake
    try:
        with closing(sqlite3.connect(file)) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",):
                return None
    except sqlite3.Error as fault:
        if not is_damage(fault):
            return None
    target = file.with_name(f"{file.name}{ASIDE}{time.time_ns()}")
    file.rename(target)
    for more in ("-wal", "-shm"):  # a new file must not meet the changes of the old one
        with suppress(FileNotFoundError):
            file.with_name(file.name + more).rename(target.with_name(target.name + more))
    return target


def remove_old(file: Path, now: float) -> None:
    """Remove what was set aside beside the file longer ago than HELD."""
    for old in file.parent.glob(f"{file.name}{ASIDE}*"):
        moment = old.name.rpartition(ASIDE)[2].partition("-")[0]
        if moment.isdigit() and int(moment) / 1e9 < now - HELD:
            old.unlink(missing_ok=True)


def identity(file: Path) -> tuple[int, int] | None:
    """What tells the file from another one of its name; None if there is none."""
    try:
        state = file.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def _shown(url: str) -> str:
    try:
        parts = make_url(url)
    except (ArgumentError, NoSuchModuleError, ValueError):
        return "of SIGBOARD_STORE"
    return str(parts.database) if parts.drivername.startswith("sqlite") else parts.render_as_string(hide_password=True)


def _new_file(url: str) -> Path | None:
    """The file of an SQLite database, which nobody else may read; None for any other database."""
    parts = make_url(url)
    name = parts.database or ":memory:"
    if parts.get_backend_name() != "sqlite" or name == ":memory:" or name.startswith("file:"):
        return None
    file = Path(name)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not file.exists():
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600))
    return file


def _configure(connection: Any, record: object) -> None:
    """Readers do not wait for a writer (WAL), a writer waits for another, and deleted bytes are overwritten."""
    connection.isolation_level = None  # transactions begin where _begin says
    cursor = connection.cursor()
    for pragma in (f"busy_timeout={BUSY}", "auto_vacuum=FULL", "journal_mode=WAL", "secure_delete=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.close()


def _begin(connection: Connection) -> None:
    # a writer takes its turn at once: one that has read first could not begin to write after another did
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _kept(row: Any, sources: frozenset[str] = frozenset()) -> Kept:
    known = {name: value for name, value in row._mapping.items() if name != "updated"}
    return Kept(**known | {"settings": json.loads(row.settings), "sources": sources})


def _write_parts(connection: Connection, token: str, parts: Mapping[str, bytes]) -> int:
    """Replace the given parts; the size of all parts."""
    for part, content in parts.items():
        connection.execute(PARTS.delete().where(PARTS.c.token == token, PARTS.c.part == part))
        connection.execute(PARTS.insert().values(token=token, part=part, digest=_digest(content), content=content))
    lengths = sql.select(sql.func.sum(sql.func.length(PARTS.c.content))).where(PARTS.c.token == token)
    return int(connection.scalar(lengths) or 0)


def _make_room(connection: Connection, kept: Kept, most: int, among: Any) -> None:
    """Remove what was used longest ago among other analyses, until they have at most that many bytes."""
    others = sql.select(KEPT.c.token, KEPT.c.size).where(among, KEPT.c.token != kept.token).order_by(KEPT.c.expires)
    rows = connection.execute(others).all()
    total, out = sum(row.size for row in rows), list[str]()
    for row in rows:
        if total <= most:
            break
        out.append(row.token)
        total -= row.size
    _remove(connection, out, "full")


def _remove(connection: Connection, tokens: Iterable[str], why: Gone) -> None:
    """Remove analyses, and remember what became of them."""
    for token in sorted(tokens):
        for table in (KEPT, PARTS, SOURCES, GONE):
            connection.execute(table.delete().where(table.c.token == token))
        connection.execute(GONE.insert().values(token=token, why=why, at=time.time()))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
