"""Test sets that are known by name (WMT and others), with their published system outputs."""

from __future__ import annotations

import copy
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
WAIT = 0.2  # seconds between two checks of a lock

# The errors of sacrebleu's code with damaged files.
ODD = (OSError, SystemExit, AssertionError, ValueError, LookupError, AttributeError, TypeError, SyntaxError)

_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


def _datasets() -> dict[str, Any]:
    from sacrebleu.dataset import DATASETS

    return dict(DATASETS)


def known_sets() -> dict[str, tuple[str, ...]]:
    """The names of the test sets, the newest first as in sacrebleu's list, each with its language pairs."""
    return {name: tuple(sorted(dataset.langpairs)) for name, dataset in _datasets().items()}


def _silent(phase: str, done: int, total: int) -> None:
    pass


def load_known(name: str, pair: str, report: fetch.Report = _silent) -> Intake:
    """The source, the references and the published outputs of a test set, from the local cache or downloaded into it.

    The cache is sacrebleu's own (its folder is set by the environment variable SACREBLEU). References that the set
    does not use for scoring by default get the role ignored. `report(phase, done, total)` is called with the progress
    and may raise to cancel.

    Raises: UnknownMember for an unknown name or pair; ReadError if it can neither be found nor downloaded.
    """
    datasets = _datasets()
    if name not in datasets:
        raise UnknownMember("test set", name, datasets)
    dataset = datasets[name]
    if pair not in dataset.langpairs:
        raise UnknownMember(f"language pair of {name}", pair, dataset.langpairs)
    with _alone(str(dataset._outdir), report):
        _provide(dataset, name, pair, report)
        fields, paths, scored = _paths(dataset, name, pair)
        read = [_segments(path) for path in paths]
    _refuse_uneven(dataset, name, pair, {f: len(segments) for f, (segments, _) in zip(fields, read, strict=True)})
    testset = f"{name} {pair}"
    items, notices = [], list[Notice]()
    for field, path, (segments, noticed) in zip(fields, paths, read, strict=True):
        notices += noticed
        role = _role(field, path in scored)
        title = field.replace("ref:", "").replace(":", " ")
        note = f"{role} of {testset}, {len(segments)} segments"
        if any(segment.strip() for segment in segments):
            items.append(Item(title, role, "text", segments, Path(path).name, note, testset=testset, reader=READER))
    return Intake(tuple(items), tuple(notices))


@contextmanager
def _alone(folder: str, report: fetch.Report) -> Iterator[None]:
    """Lock a folder of the cache; waiting for the lock can be cancelled."""
    lock = _locks[folder]
    while not lock.acquire(timeout=WAIT):
        report("waiting for another download of it", 0, 0)
    try:
        yield
    finally:
        lock.release()


# ---- files on disk


def _provide(dataset: Any, name: str, pair: str, report: fetch.Report) -> None:
    """Put the files of the pair into the cache, unless they exist: unpacked from an archive, or downloaded.

    Raises: ReadError, if they cannot be provided.
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
                fetch.fetch(url, archive, md5, report)
            fetch.unpack(archive, folder)
        except fetch.no_way() as error:
            raise _unreachable(dataset, name, error, archive.name if cut_off else "") from error
        except fetch.damaged() as error:
            message = f"{archive.name} in the cache of {name} cannot be unpacked ({error})."
            raise ReadError(message, _where(dataset), fix="Delete it and load the test set again.") from error
        if _is_there(dataset, pair):
            return
    message = f"The archives of {name} do not contain the files of {pair}."
    raise ReadError(message, _where(dataset), fix="Delete this folder of the cache and load the test set again.")


def _is_there(dataset: Any, pair: str) -> bool:
    """Whether the raw files of the pair exist, or the texts extracted from them if these suffice."""
    files = dataset.langpairs[pair]
    raw = [files["path"]] if isinstance(files, dict) else list(files)
    if all((Path(dataset._rawdir) / path.rpartition(":")[2]).is_file() for path in raw):
        return True
    if hasattr(dataset, "_unwrap_wmt21_or_later"):  # its fields are known only from the raw file
        return False
    return all(Path(dataset._get_txt_file_path(pair, field)).is_file() for field in dataset.fieldnames(pair))


def _unreachable(dataset: Any, name: str, error: Exception, cut_off: str) -> ReadError:
    reason = getattr(error, "reason", None) or error
    state = f"its archive {cut_off} there is damaged" if cut_off else f"{name} is not in the local cache"
    fix = "Check the network. Without one, download it elsewhere (sacrebleu -t NAME -l PAIR --echo src) and copy the "
    fix += "folder, or load the files themselves."
    return ReadError(
        f"{state[0].upper()}{state[1:]}, and could not be downloaded ({reason}).", _where(dataset), fix=fix
    )


def _where(dataset: Any) -> str:
    return f"the folder {Path(dataset._outdir).name} of sacrebleu's cache"


# ---- reading


def _paths(dataset: Any, name: str, pair: str) -> tuple[Sequence[str], Sequence[str], set[str]]:
    """The fields of a test set, the files they are in, and those of the references it scores against.

    Raises: ReadError if the files in the cache are damaged.
    """
    # A copy that never downloads: sacrebleu's own code has no timeout, waits for locks, and exits the program.
    local = copy.copy(dataset)
    local.maybe_download = _nothing
    try:
        return local.fieldnames(pair), local.get_files(pair), set(local.get_reference_files(pair))
    except ODD as error:
        message = f"The files of {name} {pair} in the cache cannot be read ({type(error).__name__}: {error})."
        raise ReadError(message, _where(dataset), fix="Delete this folder of the cache and load it again.") from error


def _nothing() -> None:
    pass


def _segments(path: str) -> tuple[tuple[str, ...], list[Notice]]:
    file = Path(path).name
    text, noticed = lines.decode(file, Path(path).read_bytes())
    segments, more = lines.split(file, text)
    return segments, noticed + more


def _refuse_uneven(dataset: Any, name: str, pair: str, lengths: dict[str, int]) -> None:
    """Raise ReadError if the texts extracted from one file differ in length: an extraction was interrupted."""
    if len(set(lengths.values())) < 2:
        return
    longest = max(lengths, key=lambda field: lengths[field])
    shortest = min(lengths, key=lambda field: lengths[field])
    message = f"The texts of {name} {pair} in the cache differ in length: {longest} has {lengths[longest]} lines, "
    message += f"{shortest} {lengths[shortest]}. Their extraction was interrupted."
    raise ReadError(message, _where(dataset), fix="Delete these texts (not the folder raw) and load it again.")


def _role(field: str, scored: bool) -> Role:
    if field.startswith("ref"):
        return "reference" if scored else "ignored"
    return FIELDS.get(field, "system")
