"""Numbers of all blocks, kept in memory while they are few and in a temporary file when they are many."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from sigcore.errors import SigError
from sigcore.resampling.blocks import BLOCK, blocks
from sigcore.types import Floats

# Bytes kept in memory before the file is used.
IN_MEMORY = 8 * 2**20


@contextmanager
def _explained() -> Iterator[None]:
    """Raise SigError where the temporary file cannot be written."""
    try:
        yield
    except OSError as error:
        what = f"The scores of the resamples cannot be stored: {error.strerror}."
        fix = "Free space there, set TMPDIR to another folder, or draw fewer resamples."
        raise SigError(what, tempfile.gettempdir(), fix) from error


class Spool:
    """`rows` numbers for each of `resamples` resamples, written and read block by block, in any order."""

    def __init__(self, rows: int, resamples: int) -> None:
        self.rows, self.resamples = rows, resamples
        self._blocks = blocks(resamples)
        self._held: dict[int, Floats] = {}
        # closed, and so removed, with this object
        small = rows * resamples * 8 <= IN_MEMORY
        self._file = None
        with _explained():
            self._file = None if small else tempfile.TemporaryFile(prefix="sigboard-")  # noqa: SIM115
        self._lock = threading.Lock()

    def put(self, index: int, values: Floats) -> None:
        """Store the values (rows, size) of one block."""
        values = np.ascontiguousarray(values, dtype=np.float64)
        if self._file is None:
            self._held[index] = values
            return
        with self._lock, _explained():
            self._file.seek(self._offset(index))
            self._file.write(values.tobytes())
            self._file.flush()  # a full disk is reported here, by the block that did not fit

    def get(self, index: int) -> Floats:
        """The values (rows, size) of one block."""
        if self._file is None:
            return self._held[index]
        shape = (self.rows, self._blocks[index].size)
        values = np.empty(shape)  # writable, as those in memory: a compiled loop is made for one kind of array
        with self._lock:
            self._file.seek(self._offset(index))
            self._file.readinto(values.data.cast("B"))
        return values

    def __iter__(self) -> Iterator[Floats]:
        """All blocks in order."""
        return (self.get(block.index) for block in self._blocks)

    def first(self, resamples: int) -> Iterator[Floats]:
        """The blocks that are entirely among the first `resamples` resamples, in order."""
        return (self.get(block.index) for block in self._blocks if block.start + block.size <= resamples)

    def __len__(self) -> int:
        return len(self._blocks)

    def _offset(self, index: int) -> int:
        return index * self.rows * BLOCK * 8

    def close(self) -> None:
        """Release the memory or the file."""
        self._held.clear()
        if self._file is not None:
            self._file.close()
            self._file = None

    def __del__(self) -> None:
        # a computation that was cancelled leaves its spools behind
        self.close()
