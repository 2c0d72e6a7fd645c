"""Uploads: what is refused, and that nothing unread is kept."""

from __future__ import annotations

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from sigboard.server import limits, visits
from sigboard.shell import uploads
from sigcore import Collection, SigError, readers


def store_of(**sizes: tuple[int, ...]) -> MemoryUploadedFileManager:
    """Uploads of these sizes in MB by session; file k of session a is "a0", "a1", ..."""
    store = MemoryUploadedFileManager("/upload")
    for session, files in sizes.items():
        for place, size in enumerate(files):
            name = f"{session}{place}"
            store.add_file(session, UploadedFileRec(name, name, "text/plain", b"x" * (size * 1000)))
    return store


def names(store: MemoryUploadedFileManager) -> list[str]:
    """The files that are kept."""
    return sorted(name for files in store.file_storage.values() for name in files)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds of 0.05 MB and 10 s."""
    monkeypatch.delenv(limits.VARIABLE, raising=False)
    monkeypatch.setattr(limits, "FILES", limits.Limit("MB of files for each visitor", 0.05, 0.05))
    monkeypatch.setattr(limits, "UNUSED", limits.Limit("seconds", 10, 10))


def test_unread_uploads_are_freed_after_some_time() -> None:
    """A file is freed once its time is over, and not before; a later one has its own time."""
    now, store = [0.0], store_of(a=(1,))
    unread = uploads.Unread(lambda: store, lambda: now[0])
    unread.sweep()
    now[0] = 9.0
    store.add_file("a", UploadedFileRec("later", "later", "text/plain", b"x"))
    unread.sweep()
    assert names(store) == ["a0", "later"]
    now[0] = 10.0
    unread.sweep()
    assert names(store) == ["later"]
    now[0] = 19.0
    unread.sweep()
    assert names(store) == []


def test_a_visitor_has_a_bound_on_unread_uploads() -> None:
    """Twenty uploads of one visitor keep at most the bound, the newest ones; another visitor's are untouched."""
    now, store = [0.0], store_of(b=(40,))
    unread = uploads.Unread(lambda: store, lambda: now[0])
    for k in range(20):
        now[0] += 0.1
        store.add_file("a", UploadedFileRec(f"a{k}", "x", "text/plain", b"x" * 20_000))
        unread.sweep()
    assert names(store) == ["a18", "a19", "b0"]


def test_without_a_server_nothing_is_swept() -> None:
    """Where there is no store of uploads, or one of another kind, the sweep does nothing."""
    uploads.Unread(lambda: None).sweep()


def intake(text: str, systems: int = 1) -> readers.Intake:
    """The files of so many systems."""
    return readers.read([(f"s{k}.txt", text.encode()) for k in range(systems)])


def checked(new: readers.Intake, held: Collection) -> None:
    """The check of files that were dropped beside others; those of a sample go."""
    refusal = visits.refusal(new.items, new.detected, Collection() if held.sample else held)
    if refusal is not None:
        raise refusal


@pytest.mark.parametrize(
    ("name", "bound", "text", "systems", "words"),
    [
        ("SYSTEMS", 2, "a b\nc d\n", 3, "requested: 3"),
        ("SEGMENTS", 2, "a b\nc d\ne f\n", 1, "requested: 3"),
        ("LENGTH", 4, "a b\nc d e\n", 1, "requested: 5"),
        ("FILES", 0.0001, "a b c d e f g h i j k l m n o p\n" * 10, 1, "requested: 0.000"),
    ],
)
def test_what_is_too_much_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, bound: float, text: str, systems: int, words: str
) -> None:
    """More systems, segments, characters or bytes than the bound are refused; up to it they are not."""
    monkeypatch.setattr(limits, name, limits.Limit("things", bound, bound))
    with pytest.raises(SigError, match=words):
        checked(intake(text, systems), Collection())
    checked(intake("a b\nc d\n"), Collection())


def test_systems_of_earlier_drops_count() -> None:
    """The bound on systems is for all that is loaded; those of a sample, which goes, do not count."""
    collection = Collection()
    collection.add([("s0.txt", b"a b\nc d\n"), ("s1.txt", b"a b\nc e\n")])
    limit = limits.SYSTEMS
    try:
        limits.SYSTEMS = limits.Limit("systems", 2, 2)
        with pytest.raises(SigError, match="requested: 3"):
            checked(intake("a b\nc d\n"), collection)
        collection.sample = True
        checked(intake("a b\nc d\n"), collection)
    finally:
        limits.SYSTEMS = limit


def test_only_settings_of_the_app_are_taken_from_a_file() -> None:
    """What the sidebar and the report keep is; names that are keys of the session, and options of no metric, are not."""
    family = ("compared", "against", "pairs", "late")
    assert all(map(uploads.known, ("metric", "alpha", "block", *family, "also", "bleu.tokenize", "unseen", "ack.runs")))
    assert not any(map(uploads.known, ("sigboard", "analysis", "sigboard.token", "bleu.nothing", "", "no.tokenize")))
