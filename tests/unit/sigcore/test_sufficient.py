"""Statistics in memory: small counts are kept as bytes, and every bit of them comes back."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as arrays_of

from sigcore.sufficient import PACKED, SufficientStatistics

ROWS = PACKED // 2


def statistics(values: np.ndarray) -> SufficientStatistics:
    """Those of a system whose score is the mean of the first column."""
    names = tuple(f"c{k}" for k in range(values.shape[1]))
    return SufficientStatistics("s", names, values, lambda sums: sums[..., 0] / sums[..., 1], "higher", "")


def kept(item: SufficientStatistics) -> int:
    """The bytes that they take."""
    return int(vars(item)["kept"].nbytes)


@pytest.mark.parametrize(
    ("some", "each"), [([0, 1], 1), ([0, 255], 1), ([0, 256], 8), ([0.5, 1], 8), ([-0.0, 1], 8), ([-1, 1], 8)]
)
def test_small_counts_take_a_byte_and_others_eight(some: list[float], each: int) -> None:
    """Whole numbers from 0 to 255; a minus before a zero is kept, as are an undefined number and an endless one."""
    for more in ([], [np.nan], [np.inf]):
        values = np.resize(np.array([*some, *more], dtype=float), (ROWS, 2))
        item = statistics(values)
        assert kept(item) == values.size * (8 if more else each)
        assert item.values.tobytes() == values.tobytes()


def test_few_counts_stay_as_they_are() -> None:
    """Below the bound nothing is copied, and in neither case can they be changed."""
    few, many = np.ones((ROWS - 1, 2)), np.ones((ROWS, 2))
    assert statistics(few).values is few
    for item in (statistics(few), statistics(many)):
        with pytest.raises(ValueError, match="read-only"):
            item.values[0, 0] = 2.0


@given(arrays_of.arrays(np.uint8, (7, 2)))
def test_what_is_made_of_them_is_the_same(few: np.ndarray) -> None:
    """Their number, sum, score and size, and copies of them by `replace` and by another process."""
    values = np.resize(few + 1.0, (ROWS, 2))
    packed, plain = statistics(values - 1), statistics(np.concatenate([values - 1, [[0.5, 0.5]]]))
    assert kept(packed) < kept(plain) / 7
    assert packed.n == plain.n - 1 == ROWS
    assert (packed.total == plain.total - 0.5).all()
    for copy in (replace(packed, system="t"), statistics(packed.values)):
        assert copy.values.tobytes() == packed.values.tobytes()
    back = pickle.loads(pickle.dumps(replace(packed, score=np.sum)))
    assert back.values.tobytes() == packed.values.tobytes()
    assert kept(back) == kept(packed)
