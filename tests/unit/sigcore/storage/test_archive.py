"""Archives of arrays: what is written is read, the same bytes on any day, and nothing else is taken for one."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from sigcore.errors import SigError
from sigcore.storage import archive

KINDS = st.sampled_from([np.int64, np.int32, np.uint8, np.float64, np.float32, np.bool_])
ARRAYS = st.dictionaries(
    st.text("abc.0", min_size=1, max_size=8),
    KINDS.flatmap(lambda kind: arrays_of.arrays(kind, arrays_of.array_shapes(min_dims=0, min_side=0, max_side=4))),
    max_size=4,
)


def member(content: bytes, name: str = "a.npy") -> bytes:
    """A zip with that file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as written:
        written.writestr(name, content)
    return file.getvalue()


def npy(values: np.ndarray, pickled: bool = False) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, values, (1, 0), allow_pickle=pickled)
    return file.getvalue()


@given(ARRAYS)
def test_what_is_written_is_read(arrays: dict[str, np.ndarray]) -> None:
    """Every array comes back with its type, its shape and every bit; the bytes are those of the first time."""
    content = archive.write(arrays)
    back = archive.read(content)
    assert back.keys() == arrays.keys()
    for name, values in arrays.items():
        assert back[name].dtype == values.dtype
        assert back[name].shape == values.shape
        assert back[name].tobytes() == values.tobytes()
    assert archive.write(back) == content


def test_texts_are_arrays_too() -> None:
    """A name is an array without dimensions."""
    assert str(archive.read(archive.write({"name": np.array("Grün")}))["name"]) == "Grün"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no zip",
        archive.write({"a": np.arange(5)})[:-9],
        member(b"no npy"),
        member(npy(np.array([{}, []], dtype=object), pickled=True)),
        member(npy(np.zeros(3))[:-8]),
        member(npy(np.zeros(3)).replace(b"'shape': (3,), }          ", b"'shape': (3000000000,), }")),
        member(npy(np.zeros(3)).replace(b"\x93NUMPY\x01", b"\x93NUMPY\x07")),
    ],
)
def test_anything_else_is_refused(content: bytes) -> None:
    """Empty, cut, without arrays, with pickled objects, fewer numbers than declared, or another version."""
    with pytest.raises(SigError, match="damaged"):
        archive.read(content)


def test_a_declared_size_is_bounded() -> None:
    """What unpacks to more than the bound is refused from the directory of the zip."""
    content = archive.write({"a": np.zeros(10_000)})
    with pytest.raises(SigError, match="more than 1,000 bytes"):
        archive.read(content, most=1000)


class Portions:
    """An array in portions of so many."""

    def __init__(self, array: np.ndarray, size: int) -> None:
        self.dtype, self._array, self._size = array.dtype, array, size

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self._array[k : k + self._size] for k in range(0, max(len(self), 1), self._size))


@pytest.mark.parametrize("size", [1, 7, 1000, 5000])
def test_columns_in_portions_are_the_bytes_of_whole_ones(size: int) -> None:
    """However many are in memory at once; no column and an empty one too."""
    rng = np.random.default_rng(size)
    names = np.array(["a", "Grün", "long"])[rng.integers(0, 3, 3000)]
    for n in (0, 3000):
        arrays = {"names": names[:n], "p": rng.random(n), "whole": rng.integers(0, 9, n), "same": np.zeros(n)}
        assert archive.write_columns({k: Portions(v, size) for k, v in arrays.items()}) == archive.write(arrays)
    assert archive.write_columns({}) == archive.write({})
