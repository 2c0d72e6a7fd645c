"""What the keeper writes, restores and deletes, and what other processes see of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sigboard.server import limits
from sigboard.server import store as server_store
from sigboard.server.store import Keeper
from sigboard.server.visits import Visit, Visits
from sigcore import Collection, project, store
from sigcore.storage import database
from sigcore.studies import matrix
from sigcore.study import Study

TEXT = "".join(f"the {word} boat number {k} sails\n" for k, word in enumerate(["red", "blue", "old"] * 4))


@dataclass
class Process:
    """One server process: its visits, its keeper, and a clock that a test turns."""

    path: Path
    now: float = 0.0
    visits: Visits = field(default_factory=Visits)

    def __post_init__(self) -> None:
        self.keeper = Keeper(self.visits, store.Store(f"sqlite:///{self.path}", pause=0.0), lambda: self.now)

    def loads(self, token: str, visit: Visit, owner: str = "me", **settings: str) -> None:
        """The visitor's page with these files is drawn."""
        if self.visits.use(token) is None:
            self.visits.put(token, visit, owner)
        self.keeper.note(token, visit, owner, "title", settings, None)

    def rests(self) -> None:
        """Some seconds without a click."""
        self.now += 10
        self.keeper.flush()
        self.keeper.follow()


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Process]]:
    """A function that starts a process beside the others, with the same store."""
    create, engines = database.sql.create_engine, list[database.sql.Engine]()

    def noted(url: str) -> database.sql.Engine:
        engines.append(create(url))
        return engines[-1]

    monkeypatch.setattr(database.sql, "create_engine", noted)
    yield lambda: Process(tmp_path / "store.sqlite")
    for engine in engines:
        engine.dispose()


def visit(*sources: str, page: str = "matrix") -> Visit:
    """A visit with three files."""
    collection = Collection()
    texts = {"ref.txt": TEXT, "one.txt": TEXT.replace("red", "rouge"), "two.txt": TEXT.replace("boat", "ship")}
    collection.add([(name, text.encode()) for name, text in texts.items()])
    return Visit(collection, page, frozenset(sources))


def names(process: Process, token: str) -> list[str]:
    """The systems behind the link of that process."""
    found = process.visits.get(token) or (process.visits.get(token) if process.keeper.restored(token) else None)
    return [] if found is None else [item.name for item in found.collection.items]


def test_what_rests_is_kept_and_restored(start: Callable[[], Process]) -> None:
    """Nothing is written while it changes; then a new process finds files, page, settings and owner by the link."""
    first = start()
    first.loads("t", visit("t"), metric="chrf")
    first.keeper.flush()
    assert names(start(), "t") == []
    first.rests()
    second = start()
    assert names(second, "t") == ["ref", "one", "two"]
    assert second.visits.is_owner("t", "me")
    (kept,) = second.keeper.listed("me")
    assert (kept.page, kept.settings) == ("matrix", {"metric": "chrf"})
    assert not second.keeper.listed("you")


def test_the_finished_grid_is_kept_and_a_reload_does_not_lose_it(start: Callable[[], Process]) -> None:
    """The grid comes back to the bit; a visit without one, as after a reload, leaves it; other files remove it."""
    first, own = start(), visit("t")
    loaded = own.collection.loaded()
    assert loaded.testset is not None
    asked = [("bleu", {})], ["approximate_randomization"]
    run = matrix.run(Study(loaded.testset, loaded.outputs, *asked, resamples=100))
    first.visits.put("t", own, "me")
    first.keeper.note("t", own, "me", "title", {}, run)
    first.rests()
    first.loads("t", own)
    first.rests()
    second = start()
    assert second.keeper.restored("t")
    found = second.visits.get("t")
    assert found is not None
    runs = matrix.load(found.finished, Study(loaded.testset, loaded.outputs, *asked))
    assert matrix.save([runs[100]]) == matrix.save([run])
    second.loads("t", found, "me")
    second.rests()
    assert start().keeper.store.get("t")[1]["grid"] == found.finished  # type: ignore[index, union-attr]
    found.collection.add([("three.txt", TEXT.replace("old", "new").encode())])
    found.finished = b""
    second.visits.put("t", found, "me")
    second.loads("t", found)
    second.rests()
    assert start().keeper.store.get("t")[1]["grid"] == b""  # type: ignore[index, union-attr]


def test_nothing_is_written_twice(start: Callable[[], Process]) -> None:
    """The same page again, a reload, or a restart with the same files writes nothing; a setting writes no files."""
    first = start()
    for _ in range(3):
        first.loads("t", visit("t"))  # equal files, loaded again
        own = first.visits.get("t")
        assert own is not None
        first.loads("t", own)
        first.rests()
    written = dict(first.keeper.store.changes(0)[1])  # type: ignore[union-attr]
    first.loads("t", own)
    first.rests()
    assert first.keeper.store.changes(0)[1] == written  # type: ignore[union-attr]
    second = start()
    assert second.keeper.restored("t")
    again = second.visits.get("t")
    assert again is not None
    second.loads("t", again)
    second.rests()
    assert second.keeper.store.changes(0)[1] == written  # type: ignore[union-attr]


def test_what_is_written_while_changes_are_read_is_seen_next(
    start: Callable[[], Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next look begins where the last one began, less the seconds by which clocks may differ; a failed one not at all."""
    first = start()
    first.loads("t", visit("t"))
    first.rests()
    asked, now = list[float](), [1000.0]
    monkeypatch.setattr(server_store.time, "time", lambda: now[0])
    kept = first.keeper.store
    assert kept is not None

    def changes(since: float) -> tuple[frozenset[str], dict[str, str]]:
        asked.append(since)
        now[0] += 7  # it takes so long
        return frozenset(), {}

    monkeypatch.setattr(kept, "changes", changes)
    monkeypatch.setattr(kept, "expire", lambda: None)
    first.keeper.follow()
    first.keeper.follow()
    kept._problem = "away"
    first.keeper.follow()
    kept._problem = ""
    first.keeper.follow()
    slack = server_store.SLACK
    assert slack >= 60
    assert asked[1:] == [1000.0 - slack, 1007.0 - slack, 1007.0 - slack]


def test_what_waits_here_is_not_given_up_for_what_another_process_has_written(start: Callable[[], Process]) -> None:
    """A change that is not written yet stays, and is written over the other one."""
    first, second = start(), start()
    own = visit("t")
    first.loads("t", own)
    first.rests()
    assert second.keeper.restored("t")
    second.loads("t", own, page="gain")
    second.rests()
    own.collection.add([("three.txt", TEXT.replace("old", "new").encode())])
    first.visits.put("t", own, "me")
    first.loads("t", own)
    first.keeper.follow()  # the change of the other process is there, and nothing has come to rest
    first.rests()
    assert names(start(), "t") == ["ref", "one", "two", "three"]


def test_a_change_while_it_is_written_is_not_lost(
    start: Callable[[], Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A click during the writing is a newer note, which is written at the next turn."""
    first, own = start(), visit("t")
    kept = first.keeper.store
    assert kept is not None
    put = kept.put

    def clicked(*words: object) -> str:
        monkeypatch.setattr(kept, "put", put)
        first.loads("t", own, metric="ter")
        return put(*words)  # type: ignore[arg-type]

    first.loads("t", own, metric="chrf")
    monkeypatch.setattr(kept, "put", clicked)
    first.rests()
    assert first.keeper.listed("me")[0].settings == {"metric": "chrf"}
    first.rests()
    assert first.keeper.listed("me")[0].settings == {"metric": "ter"}


def test_a_reload_before_its_grid_is_there_keeps_the_grid(start: Callable[[], Process]) -> None:
    """The first page after a reload has no run: with another setting it is written, and the grid stays; it is noted no
    more than once."""
    first, own = start(), visit("t")
    own.finished = b"a finished grid"
    first.loads("t", own)
    first.rests()
    own.finished = b""
    assert first.keeper.is_kept("t")
    first.loads("t", own)
    assert first.keeper.is_kept("t")  # nothing new, so nothing waits
    first.loads("t", own, metric="ter")
    first.rests()
    found = start().keeper.store.get("t")  # type: ignore[union-attr]
    assert found is not None
    assert found[1]["grid"] == b"a finished grid"
    assert found[0].settings == {"metric": "ter"}


def test_deleting_reaches_every_process(start: Callable[[], Process]) -> None:
    """What the owner deletes in one process is gone in the other, also where it is open, with its copies."""
    first, second = start(), start()
    first.loads("t", visit("t"))
    first.rests()
    assert names(second, "t")
    copy = second.visits.get("t")
    assert copy is not None
    copy.sources = frozenset(("t", "copy"))
    second.visits.watch(copy)
    second.loads("copy", copy, "you")
    second.rests()
    assert not first.keeper.delete("t", "you")
    assert first.keeper.delete("t", "me")
    second.rests()
    assert not copy.collection.items
    assert [names(process, token) for process in (first, second) for token in ("t", "copy")] == [[]] * 4
    assert [second.keeper.why_gone(token) for token in ("t", "copy")] == ["deleted"] * 2
    assert start().keeper.why_gone("copy") == "deleted"


def test_the_owner_deletes_after_the_server_has_restarted(start: Callable[[], Process]) -> None:
    """The new process has no visit of that id, only the store knows whose it is; nobody else can delete it."""
    first = start()
    first.loads("t", visit("t"))
    first.rests()
    second = start()
    assert second.visits.get("t") is None
    assert not second.keeper.delete("t", "you")
    assert names(start(), "t") == ["ref", "one", "two"]
    assert second.keeper.delete("t", "me")
    assert names(start(), "t") == []
    assert start().keeper.why_gone("t") == "deleted"


def borrowed(process: Process, token: str, *added: str) -> Visit:
    """A copy of what is behind the link, to which its visitor has added files."""
    assert process.visits.get(token) or process.keeper.restored(token)
    found = process.visits.get(token)
    assert found is not None
    found.borrow(token)
    found.collection.add([(name, TEXT.replace("blue", name).encode()) for name in added])
    return found


def test_what_others_have_added_is_not_deleted(start: Callable[[], Process]) -> None:
    """The owner's files go from a copy, in every process and in the store; what its visitor has added stays, with the id."""
    first, second = start(), start()
    first.loads("t", visit("t"))
    first.rests()
    copy = borrowed(second, "t", "mine.txt")
    copy.sources |= {"copy"}
    second.visits.watch(copy)
    second.loads("copy", copy, "you")
    second.rests()
    unchanged = borrowed(second, "t")
    second.visits.watch(unchanged)
    assert first.keeper.delete("t", "me")
    assert names(start(), "copy") == ["mine"]  # in the store, before the other process has looked
    second.rests()
    assert [item.name for item in copy.collection.items] == ["mine"]
    assert not unchanged.collection.items
    assert [names(process, "copy") for process in (first, second)] == [["mine"]] * 2
    assert [names(process, "t") for process in (first, second)] == [[]] * 2
    second.loads("copy", copy, "you")
    second.rests()
    assert [one.token for one in second.keeper.listed("you")] == ["copy"]
    assert TEXT.split("\n")[3] not in str(start().keeper._read(second.keeper.store, "copy"))  # type: ignore[arg-type]


def test_a_copy_of_a_copy_loses_what_came_through_it(start: Callable[[], Process]) -> None:
    """Deleting the first link takes its files from the third visitor; deleting the second takes those of both."""
    for link, left in (("t", ["mine", "theirs"]), ("copy", ["theirs"])):
        process = start()
        third = f"third of {link}"
        process.loads("t", visit("t"))
        second = borrowed(process, "t", "mine.txt")
        second.sources |= {"copy"}
        process.loads("copy", second, "you")
        last = borrowed(process, "copy", "theirs.txt")
        last.sources |= {third}
        process.loads(third, last, "they")
        process.rests()
        assert process.keeper.delete(link, "me" if link == "t" else "you")
        process.rests()
        assert names(process, third) == left
        assert names(start(), third) == left
        (process.path).unlink()


def test_what_waits_to_be_written_does_not_come_back(start: Callable[[], Process]) -> None:
    """Deleted before it was written, or while another process writes a copy of it: it is not kept."""
    first, second = start(), start()
    first.loads("t", visit("t"))
    assert first.keeper.delete("t", "me")
    first.rests()
    second.loads("copy", visit("t", "copy"))
    second.rests()
    assert [names(start(), token) for token in ("t", "copy")] == [[], []]


def test_a_later_version_of_another_process_is_shown(start: Callable[[], Process]) -> None:
    """A link shows what its owner has now, whichever process the owner uses."""
    first, second = start(), start()
    own = visit("t")
    first.loads("t", own)
    first.rests()
    assert len(names(second, "t")) == 3
    own.collection.add([("three.txt", TEXT.replace("old", "new").encode())])
    first.visits.put("t", own, "me")
    first.loads("t", own)
    first.rests()
    second.rests()
    assert names(second, "t") == ["ref", "one", "two", "three"]


def test_without_a_working_store_memory_goes_on(start: Callable[[], Process], tmp_path: Path) -> None:
    """A folder in its place is a problem with a sentence; what waits is written once it is gone."""
    (tmp_path / "store.sqlite").mkdir()
    first = start()
    first.loads("t", visit("t"))
    first.rests()
    assert first.keeper.problem == "the database cannot be used (unable to open database file)"
    assert len(names(first, "t")) == 3
    (tmp_path / "store.sqlite").rmdir()
    first.rests()
    assert first.keeper.problem == ""
    assert len(names(start(), "t")) == 3


def test_a_damaged_store_is_made_again_with_what_waits(start: Callable[[], Process], tmp_path: Path) -> None:
    """The visit is kept in the new file, and the page can say when the old one was set aside."""
    (tmp_path / "store.sqlite").write_bytes(b"no database " * 1000)
    first = start()
    first.loads("t", visit("t"))
    first.rests()
    assert first.keeper.problem == ""
    assert first.keeper.healed > 0
    assert len(names(start(), "t")) == 3


def test_what_could_not_be_deleted_is_deleted_later(start: Callable[[], Process], tmp_path: Path) -> None:
    """Where the database was away at that moment, the next turn of the maintenance deletes."""
    first = start()
    first.loads("t", visit("t"))
    first.rests()
    with sqlite3.connect(tmp_path / "store.sqlite") as raw:
        raw.execute("ALTER TABLE gone RENAME TO away")
    assert first.keeper.delete("t", "me")
    assert first.keeper.problem
    with sqlite3.connect(tmp_path / "store.sqlite") as raw:
        raw.execute("ALTER TABLE away RENAME TO gone")
    raw.close()
    first.rests()
    assert names(start(), "t") == []


def test_a_use_prolongs(start: Callable[[], Process], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each use in a process sets a later expiry in the store."""
    first = start()
    first.loads("t", visit("t"))
    first.rests()
    before = first.keeper.listed("me")[0].expires
    monkeypatch.setattr(limits, "HOURS", limits.Limit("hours", 10_000, 10_000))
    first.visits.use("t")
    first.rests()
    assert first.keeper.listed("me")[0].expires > before + 10**6


def test_a_keeper_without_a_store_does_nothing() -> None:
    """Every method answers as if nothing was kept."""
    visits = Visits()
    own = Keeper(visits, None)
    visits.put("t", visit(), "me")
    own.note("t", visit(), "me", "", {}, None)
    own.flush(0.0)
    own.follow()
    assert (own.restored("u"), list(own.listed("me")), own.problem, own.why_gone("u")) == (False, [], "", None)
    assert own.delete("t", "me")
    assert visits.get("t") is None


def test_the_secret_is_not_what_the_server_keeps() -> None:
    """The mark of a secret is a digest of it."""
    assert server_store.mark("secret") == server_store.mark("secret") != server_store.mark("other")
    assert "secret" not in server_store.mark("secret")


def test_the_lengths_of_segments_and_ids_count() -> None:
    """A project has eight bytes for each, which may be more than all texts: it could not be read again."""
    collection = Collection()
    collection.add([("scores.csv", b"id,a,b\n" + b"".join(b"q%d,1,0\n" % k for k in range(50)))])
    arrays = project.to_parts(collection)[1].items()
    needed = sum(array.nbytes for name, array in arrays if not name.endswith("keys.bytes"))
    assert server_store.fits(collection, needed)
    assert not server_store.fits(collection, needed - 1)
