"""Test sets that are known by name (WMT and others), with the system outputs that came with them."""

from __future__ import annotations

import copy
import tarfile
import threading
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any

from sigcore.errors import ReadError, UnknownMember
from sigcore.readers import fetch, lines
from sigcore.readers.contract import Intake, Item, Notice
from sigcore.types import Role

READER = "known"
FIELDS: dict[str, Role] = {
    "src": "source",
    "docid": "documents",
    "domain": "domains",
    "genre": "domains",
    "origlang": "ignored",
}
WAIT = 0.2  # seconds between two looks at a lock

# What goes wrong on the way to an archive, and what reading one can raise that is not what it should be.
NO_WAY = (OSError, HTTPException)
PACKED = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError)
ODD = (OSError, SystemExit, AssertionError, ValueError, LookupError, AttributeError, TypeError, SyntaxError)

_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


def _datasets() -> dict[str, Any]:
    from sacrebleu.dataset import DATASETS

    return dict(DATASETS)


def known_sets() -> dict[str, tuple[str, ...]]:
    """The names of the test sets, the newest first as they are listed, each with its language pairs."""
    return {name: tuple(sorted(dataset.langpairs)) for name, dataset in _datasets().items()}


def _silent(phase: str, done: int, total: int) -> None:
    pass


def load_known(name: str, pair: str, tell: fetch.Tell = _silent) -> Intake:
    """The source, the references and the published outputs of a test set, from the local cache or fetched into it.

    The cache is sacrebleu's own (its folder is set by the environment variable SACREBLEU). References that the set
    does not score against by default come under the role ignored. `tell(phase, done, total)` hears how far it is and
    may raise to stop it.

    Raises: UnknownMember for a name or a pair that is not known; ReadError where it can neither be found nor fetched.
    """
    datasets = _datasets()
    if name not in datasets:
        raise UnknownMember("test set", name, datasets)
    dataset = datasets[name]
    if pair not in dataset.langpairs:
        raise UnknownMember(f"language pair of {name}", pair, dataset.langpairs)
    with _alone(str(dataset._outdir), tell):
        _provide(dataset, name, pair, tell)
        fields, paths, scored = _paths(dataset, name, pair)
        read = [_segments(path) for path in paths]
    _refuse_uneven(dataset, name, pair, {f: len(segments) for f, (segments, _) in zip(fields, read, strict=True)})
    testset = f"{name} {pair}"
    items, notices = [], list[Notice]()
    for field, path, (segments, told) in zip(fields, paths, read, strict=True):
        notices += told
        role = _role(field, path in scored)
        title = field.replace("ref:", "").replace(":", " ")
        note = f"{role} of {testset}, {len(segments)} segments"
        if any(segment.strip() for segment in segments):
            items.append(Item(title, role, "text", segments, Path(path).name, note, testset=testset, reader=READER))
    return Intake(tuple(items), tuple(notices))


@contextmanager
def _alone(folder: str, tell: fetch.Tell) -> Iterator[None]:
    """One at a time in a folder of the cache; who waits can still be stopped."""
    lock = _locks[folder]
    while not lock.acquire(timeout=WAIT):
        tell("waiting for another who fetches it", 0, 0)
    try:
        yield
    finally:
        lock.release()


# ---- what must be on the disk


def _provide(dataset: Any, name: str, pair: str, tell: fetch.Tell) -> None:
    """Sees to it that the files of the pair are in the cache: unpacked from an archive there, or fetched.

    Raises: ReadError with what is wrong and what to do.
    """
    if _is_there(dataset, pair):
        return
    folder = Path(dataset._rawdir)
    sums = dataset.md5 or [None] * len(dataset.data)
    for url, md5 in zip(dataset.data, sums, strict=True):
        archive = folder / dataset._get_tarball_filename(url)
        good = fetch.sound(archive, md5)
        cut_off = archive.is_file() and not good
        try:
            if not good:
                fetch.fetch(url, archive, md5, tell)
            fetch.unpack(archive, folder)
        except NO_WAY as error:
            raise _unreachable(dataset, name, error, archive.name if cut_off else "") from error
        except PACKED as error:
            what = f"{archive.name} in the cache of {name} cannot be unpacked ({error})."
            raise ReadError(what, _where(dataset), fix="Delete it and load the test set again.") from error
        if _is_there(dataset, pair):
            return
    what = f"The archives of {name} do not hold the files of {pair}."
    raise ReadError(what, _where(dataset), fix="Delete this folder of the cache and load the test set again.")


def _is_there(dataset: Any, pair: str) -> bool:
    """Whether the raw files of the pair are there, or the texts made of them where these are enough."""
    found = dataset.langpairs[pair]
    raw = [found["path"]] if isinstance(found, dict) else list(found)
    if all((Path(dataset._rawdir) / path.rpartition(":")[2]).is_file() for path in raw):
        return True
    if hasattr(dataset, "_unwrap_wmt21_or_later"):  # its fields are known only from the raw file
        return False
    return all(Path(dataset._get_txt_file_path(pair, field)).is_file() for field in dataset.fieldnames(pair))


def _unreachable(dataset: Any, name: str, error: Exception, cut_off: str) -> ReadError:
    reason = getattr(error, "reason", None) or error
    there = f"its archive {cut_off} there is damaged" if cut_off else f"{name} is not in the local cache"
    fix = "Is there a network? Without one, fetch it elsewhere (sacrebleu -t NAME -l PAIR --echo src) and copy the "
    fix += "folder, or load the files themselves."
    return ReadError(f"{there[0].upper()}{there[1:]}, and could not be fetched ({reason}).", _where(dataset), fix=fix)


def _where(dataset: Any) -> str:
    return f"the folder {Path(dataset._outdir).name} of sacrebleu's cache"


# ---- what is read from it


def _paths(dataset: Any, name: str, pair: str) -> tuple[Sequence[str], Sequence[str], set[str]]:
    """The fields of a test set, the files they are in, and those of the references it scores against.

    Raises: ReadError where the files in the cache are not what they should be.
    """
    # A copy that never fetches: its own way has no bound in time, waits for locks, and ends the program.
    local = copy.copy(dataset)
    local.maybe_download = _nothing
    try:
        return local.fieldnames(pair), local.get_files(pair), set(local.get_reference_files(pair))
    except ODD as error:
        what = f"The files of {name} {pair} in the cache cannot be read ({type(error).__name__}: {error})."
        raise ReadError(what, _where(dataset), fix="Delete this folder of the cache and load it again.") from error


def _nothing() -> None:
    pass


def _segments(path: str) -> tuple[tuple[str, ...], list[Notice]]:
    file = Path(path).name
    text, told = lines.decode(file, Path(path).read_bytes())
    segments, more = lines.split(file, text)
    return segments, told + more


def _refuse_uneven(dataset: Any, name: str, pair: str, lengths: dict[str, int]) -> None:
    """Raises: ReadError where the texts made of one file differ in length: writing them was cut off once."""
    if len(set(lengths.values())) < 2:
        return
    longest = max(lengths, key=lambda field: lengths[field])
    shortest = min(lengths, key=lambda field: lengths[field])
    what = f"The texts of {name} {pair} in the cache differ in length: {longest} has {lengths[longest]} lines, "
    what += f"{shortest} {lengths[shortest]}. Making them was cut off once."
    raise ReadError(what, _where(dataset), fix="Delete these texts (not the folder raw) and load it again.")


def _role(field: str, scored: bool) -> Role:
    if field.startswith("ref"):
        return "reference" if scored else "ignored"
    return FIELDS.get(field, "system")
