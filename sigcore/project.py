"""A project: what is loaded, the settings and the finished results, in one file that any machine can open."""

from __future__ import annotations

import io
import json
import lzma
import math
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sigcore import data
from sigcore.errors import SigError
from sigcore.storage.archive import Array, content_of, from_npy, npy, zipped
from sigcore.version import __version__

# A project file: a zip of one JSON document and npy arrays, with a version; equal contents give equal bytes.

FORMAT, VERSION = "sigboard project", 1  # increase the version when an older Sigboard could not read the file
DOCUMENT = "project.json"
MOST = 512 * 2**20  # bytes of all members
MOST_JSON = 16 * 2**20  # bytes of the document: in memory it takes many times as much
MEMBERS = 20_000
NAME = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*\.npy")  # no folder, no path
# What a damaged zip, deep or broken JSON and a damaged array raise; deep JSON raises RecursionError, a RuntimeError.
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(ValueError, EOFError, NotImplementedError, RuntimeError, OSError, KeyError),
)
AGAIN = "Save the project again, or load the original files."


def write(document: Mapping[str, Any], arrays: Mapping[str, Array]) -> bytes:
    """The document and the arrays by name as one file."""
    top = {"format": FORMAT, "version": VERSION, "content": document}
    members = {DOCUMENT: json.dumps(top, sort_keys=True, allow_nan=False).encode("ascii")}
    return zipped(members | {f"{name}.npy": npy(arrays[name]) for name in sorted(arrays)})


def read(data: bytes, most: int = MOST) -> tuple[dict[str, Any], dict[str, Array]]:
    """The document and the arrays.

    Raises: SigError for a file that is damaged, is not a project, was written by a newer version, or declares more than
    `most` bytes; nothing of that size is allocated first.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = _members(archive, most)
            document = _document(content_of(archive, members.pop(DOCUMENT)))
            arrays = {
                name.removesuffix(".npy"): from_npy(content_of(archive, member)) for name, member in members.items()
            }
    except DAMAGE as error:
        raise damaged() from error
    return document, arrays


def damaged(what: str = "") -> SigError:
    """The error for a file that is not what was written."""
    return SigError(f"The project file is damaged, or not a project file.{f' {what}' if what else ''}", "", AGAIN)


def _members(archive: zipfile.ZipFile, most: int) -> dict[str, zipfile.ZipInfo]:
    """The members by name.

    Raises: SigError for names that Sigboard does not write, for two of one name, and for more than the bounds.
    """
    infos = archive.infolist()
    if len(infos) > MEMBERS or sum(info.file_size for info in infos) > most:
        raise SigError(f"The project file unpacks to more than {most:,} bytes.", "", "It was not written by Sigboard.")
    names = [info.filename for info in infos]
    if len(set(names)) < len(names) or DOCUMENT not in names:
        raise damaged()
    if any(name != DOCUMENT and not NAME.fullmatch(name) for name in names):
        raise damaged("It holds files that Sigboard does not write.")
    if archive.getinfo(DOCUMENT).file_size > MOST_JSON:
        raise damaged("Its description is too long.")
    return dict(zip(names, infos, strict=True))


def _finite(text: str) -> float:
    """A number; 1e400 and NaN, which `write` cannot write again, are a ValueError."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _document(content: bytes) -> dict[str, Any]:
    """The content of the document.

    Raises: SigError for another format or a newer version; ValueError for what is not JSON.
    """
    top = json.loads(content, parse_float=_finite, parse_constant=_finite)
    if not isinstance(top, dict) or top.get("format") != FORMAT or type(top.get("version")) is not int:
        raise damaged()
    if top["version"] > VERSION:
        raise SigError(
            f"The project file has version {top['version']}; this Sigboard reads versions up to {VERSION}.",
            "",
            "It was saved by a newer Sigboard: update this one.",
        )
    if top["version"] < 1 or not isinstance(top.get("content"), dict):
        raise damaged()
    return dict(top["content"])


SUFFIX = ".sigboard"
GRID = "grid"  # the array that holds the finished runs


@dataclass(frozen=True, eq=False)
class Project:
    """A collection, the settings of the sidebar that are not the default, and the finished runs of its grid.

    `settings` are texts by name, as in an address. `grid` is what `matrix.save` wrote, b"" for none; `matrix.load` uses
    it only for the question that it answers, so it can never belong to other files or settings.
    """

    collection: data.Collection
    settings: Mapping[str, str] = field(default_factory=dict)
    grid: bytes = field(default=b"", repr=False)


def save(project: Project) -> bytes:
    """The project as the bytes of a file; the same project gives the same bytes."""
    document, arrays = data.saved.to_parts(project.collection)
    top = {"collection": document, "settings": dict(project.settings), "saved_by": __version__}
    return write(top, {**arrays, GRID: np.frombuffer(project.grid, dtype=np.uint8)})


def attempt(content: bytes) -> Project | SigError:
    """The project of a file, or what is wrong with it, for a page that shows the problems of files."""
    try:
        return load(content)
    except SigError as error:
        return error


def load(content: bytes, most: int = MOST) -> Project:
    """The project of a file.

    Raises: SigError for a file that is damaged, too large, or from a newer version; nothing of it is used then.
    """
    document, arrays = read(content, most)
    try:
        settings, grid = document["settings"], arrays[GRID]
        if not all(isinstance(text, str) for pair in settings.items() for text in pair):
            raise ValueError("settings are texts")
        if grid.dtype != np.uint8 or grid.ndim != 1:
            raise ValueError("a grid is bytes")
        collection = data.saved.from_parts(document["collection"], arrays)
        collection.loaded()  # what cannot be assembled is refused here
    except (KeyError, ValueError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise damaged() from error
    except SigError as error:
        raise damaged(error.what) from error
    return Project(collection, settings, grid.tobytes())
