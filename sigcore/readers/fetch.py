"""One archive downloaded into a folder: in bounded time, with its checksum verified, completely or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import tarfile

CHUNK = 1 << 16
PATIENCE = 15.0  # seconds without any answer
LONGEST = 900.0  # seconds for one archive, however slow the connection
LARGEST = 1 << 30  # bytes
Report = Callable[[str, int, int], None]


def no_way() -> tuple[type[Exception], ...]:
    """The errors of a download."""
    from http.client import HTTPException

    return OSError, HTTPException


def damaged() -> tuple[type[Exception], ...]:
    """The errors of unpacking a damaged archive."""
    import tarfile
    import zlib

    return tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError


def sound(place: Path, md5: str | None) -> bool:
    """Whether the file exists, is not empty, and has the checksum (if one is known)."""
    return place.is_file() and place.stat().st_size > 0 and (md5 is None or checksum(place) == md5)


def checksum(place: Path) -> str:
    """MD5 (hex) of a file, as in the lists of archives; it protects only against accidents."""
    md5 = hashlib.md5(usedforsecurity=False)
    with place.open("rb") as file:
        while chunk := file.read(CHUNK):
            md5.update(chunk)
    return md5.hexdigest()


def fetch(url: str, place: Path, md5: str | None, report: Report) -> None:
    """Download the address into the file, which is written only when it is complete and correct.

    `report(phase, bytes so far, total bytes)` is called for every chunk and may raise to cancel.
    Raises: OSError if there is no answer, the answer is incomplete, or the checksum differs.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f"{place.name}.", suffix=".part", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            _copy(url, out, report)
        actual = checksum(Path(name)) if md5 else None
        if actual != md5:
            raise OSError(f"the download has the checksum {actual}, not {md5}")
        os.chmod(name, 0o644)  # a cache may be shared
        os.replace(name, place)
    finally:
        Path(name).unlink(missing_ok=True)


def _copy(url: str, out: IO[bytes], report: Report) -> None:
    # what needs http, and what unpacks, is imported only where a test set is fetched
    from urllib.request import urlopen

    phase, done, begun = f"fetching {url.rpartition('/')[2]}", 0, time.monotonic()
    report(phase, 0, 0)
    with urlopen(url, timeout=PATIENCE) as answer:
        total = int(answer.headers.get("Content-Length") or 0)
        while chunk := answer.read1(CHUNK):  # not read(): it waits for the whole chunk, however slowly it arrives
            done += len(chunk)
            if done > LARGEST or time.monotonic() - begun > LONGEST:
                raise OSError(f"it timed out after {done:,} bytes")
            out.write(chunk)
            report(phase, done, total)
    if done < total:
        raise OSError(f"the connection ended after {done:,} of {total:,} bytes")


def unpack(archive: Path, folder: Path) -> None:
    """Unpack the members of a .tar.gz, .tgz or .zip into the folder, each completely; any other file is left alone.

    Raises: OSError, tarfile.TarError, zipfile.BadZipFile, EOFError or zlib.error for a damaged archive.
    """
    if not archive.name.endswith((".tar.gz", ".tgz", ".zip")):
        return
    import tarfile

    inside = Path(tempfile.mkdtemp(prefix=".unpacking-", dir=folder))
    try:
        if archive.name.endswith(".zip"):
            with zipfile.ZipFile(archive) as archive_zip:
                archive_zip.extractall(inside)
        else:
            with tarfile.open(archive) as archive_tar:
                _extract(archive_tar, inside)
        for file in sorted(path for path in inside.rglob("*") if path.is_file()):
            target = folder / file.relative_to(inside)
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(file, target)
    finally:
        shutil.rmtree(inside, ignore_errors=True)


def _extract(archive: tarfile.TarFile, folder: Path) -> None:
    import tarfile

    if hasattr(tarfile, "data_filter"):
        archive.extractall(folder, filter="data")
    else:  # Python 3.11.0 to 3.11.3: the archive has its known checksum
        archive.extractall(folder)
