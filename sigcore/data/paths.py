"""Files, folders and archives on this machine, each with its name in messages."""

from __future__ import annotations

import glob
import os
import re
import stat
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from sigcore.errors import SigError
from sigcore.readers import Given, Limits, clean, files_apart
from sigcore.types import Role

AnyPath = str | os.PathLike[str]
Files = list[tuple[str, bytes]]
STDIN = "-"
PIPE = re.compile(r"/(?:dev|proc/self)/fd/([0-9]+)")
# The bytes of a file, and of a pipe or a device, which may have no end: /dev/zero would fill the memory.
MOST, MOST_WITHOUT_SIZE = 2_000_000_000, Limits.total_bytes
CHUNK = 1 << 20
RESULTS = (".aider.results.json", ".latest_test_run.json")  # hidden files that are read


def read_paths(paths: Sequence[AnyPath], given: Mapping[Role, Sequence[AnyPath]]) -> tuple[Files, Given]:
    """All files at the paths as (name, bytes), and the roles that were given, by name.

    A path that is given twice in one role is two files; one that is given in two roles is one file with two roles. A file that
    has a role of its own is not another one of its folder.
    Raises: SigError for a path that cannot be read, or a folder with too many files.
    """
    asked = [(key, role) for role, of_role in given.items() for key in _numbered(of_role)]
    once = list(dict.fromkeys([*_numbered(paths), *(key for key, _ in asked)]))
    labels = dict(zip(once, files_apart(_shown(path) for path, _ in once), strict=True))
    apart = frozenset(os.path.realpath(path) for (path, _), _ in asked if not Path(path).is_dir())
    files = [file for key in once for file in files_at(key[0], labels[key], apart)]
    return files, [(labels[key], role) for key, role in asked]


def _matching(path: str) -> list[str]:
    """The paths that a pattern (outputs/*.jsonl) matches, where no file has this name: some shells leave it as it is."""
    if not glob.has_magic(path) or Path(path).exists():
        return [path]
    return sorted(glob.glob(path)) or [path]


def _shown(path: str) -> str:
    """The name of a path in messages; standard input and the pipes of a shell, <(...), have no names.

    It is the same in every locale: the bytes of a name are UTF-8, also where Python has read them as ASCII.
    """
    if path == STDIN:
        return "stdin"
    pipe = PIPE.fullmatch(path)
    if pipe:
        return f"pipe {pipe[1]}"
    # other bytes than UTF-8 as %E8: a backslash would look like the end of a folder
    letters = os.fsencode(path).decode("utf-8", "surrogateescape")
    return clean("".join(f"%{ord(c) - 0xDC00:02X}" if "\udc80" <= c <= "\udcff" else c for c in letters))


def files_at(path: str, label: str, apart: Collection[str] = ()) -> Files:
    """The file, or all files in the folder, each with its name and bytes; hidden files are left out, but for results that a
    program hides, and so are these real paths of files `apart`.

    Raises: SigError for one that cannot be read, or a folder with too many files.
    """
    if not Path(path).is_dir():
        return [(label, read_bytes(path))]
    every = sorted(one for one in Path(path).rglob("*") if one.is_file())
    inside = [one for one in every if one.name in RESULTS or not _is_hidden(one.relative_to(path))]
    inside = [one for one in inside if not apart or os.path.realpath(one) not in apart]
    if len(inside) > Limits.members:
        message = f"{_shown(path)} contains {len(inside):,} files; the limit is {Limits.members:,}."
        raise SigError(message, "", "Give single files, or a smaller folder.")
    return [(f"{label}/{_shown(p.relative_to(path).as_posix())}", read_bytes(p)) for p in inside]


def _is_hidden(path: Path) -> bool:
    """Whether a file, or a folder on the way to it, is hidden (.hydra, .git)."""
    return any(part.startswith(".") for part in path.parts)


def read_bytes(path: AnyPath) -> bytes:
    """The content of a file; of standard input for "-".

    Raises: SigError if it cannot be read, or is larger than MOST (MOST_WITHOUT_SIZE for a pipe or a device).
    """
    shown = _shown(os.fspath(path))
    try:
        if os.fspath(path) == STDIN:
            if sys.stdin is None:
                raise SigError("Standard input is closed.", "", "Name a file.")
            return _without_size(sys.stdin.buffer, shown)
        with open(path, "rb") as file:
            state = os.fstat(file.fileno())
            if not stat.S_ISREG(state.st_mode):
                return _without_size(file, shown)
            if state.st_size > MOST:
                raise _too_large(shown, MOST)
            return file.read()
    except OSError as error:
        message = f"{shown} cannot be read: {error.strerror}."
        raise SigError(message, "", "Check the name and the permissions.") from error


def _without_size(file: BinaryIO, shown: str) -> bytes:
    """All that comes from a pipe or a device.

    Raises: SigError as soon as it is more than MOST_WITHOUT_SIZE.
    """
    content = bytearray()
    while chunk := file.read(CHUNK):
        content += chunk
        if len(content) > MOST_WITHOUT_SIZE:
            raise _too_large(shown, MOST_WITHOUT_SIZE)
    return bytes(content)


def _too_large(shown: str, most: int) -> SigError:
    return SigError(f"{shown} has more than {most:,} bytes.", "", "Check that it is the right file.")


def _numbered(paths: Iterable[AnyPath]) -> list[tuple[str, int]]:
    """Each path with the number of times it appeared before."""
    seen: dict[str, int] = {}
    result = []
    for path in (name for one in paths for name in _matching(os.fspath(one))):
        result.append((path, seen.get(path, 0)))
        seen[path] = seen.get(path, 0) + 1
    return result
