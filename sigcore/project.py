"""A project: what is loaded, the settings and the finished results, in one file that any machine can open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from sigcore import data
from sigcore.errors import SigError
from sigcore.storage import project as file
from sigcore.version import __version__

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
    return file.write(top, {**arrays, GRID: np.frombuffer(project.grid, dtype=np.uint8)})


def attempt(content: bytes) -> Project | SigError:
    """The project of a file, or what is wrong with it, for a page that shows the problems of files."""
    try:
        return load(content)
    except SigError as error:
        return error


def load(content: bytes, most: int = file.MOST) -> Project:
    """The project of a file.

    Raises: SigError for a file that is damaged, too large, or from a newer version; nothing of it is used then.
    """
    document, arrays = file.read(content, most)
    try:
        settings, grid = document["settings"], arrays[GRID]
        if not all(isinstance(text, str) for pair in settings.items() for text in pair):
            raise ValueError("settings are texts")
        if grid.dtype != np.uint8 or grid.ndim != 1:
            raise ValueError("a grid is bytes")
        collection = data.saved.from_parts(document["collection"], arrays)
        collection.loaded()  # what cannot be assembled is refused here
    except (KeyError, ValueError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise file.damaged() from error
    except SigError as error:
        raise file.damaged(error.what) from error
    return Project(collection, settings, grid.tobytes())
