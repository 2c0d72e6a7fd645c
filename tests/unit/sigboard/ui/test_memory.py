"""Figures and readings that are made once."""

from __future__ import annotations

import numpy as np
import pytest

from sigboard.server import cache

CALLS: list[tuple[object, ...]] = []


def drawn(result: object, alpha: float, wide: bool = False) -> list[object]:
    """A figure."""
    CALLS.append((result, alpha, wide))
    return [result, alpha, wide]


@pytest.fixture(autouse=True)
def nothing_made_before() -> None:
    """Each test begins with an empty memory."""
    CALLS.clear()
    cache._memory_made.clear()


def test_the_same_is_made_once() -> None:
    """Equal settings of one object give the same figure; another object or setting gives another."""
    first, second = np.zeros(2), np.zeros(2)
    figure = cache.once(drawn, first, 0.05)
    assert cache.once(drawn, first, 0.05) is figure
    assert cache.once(drawn, second, 0.05) is not figure
    assert cache.once(drawn, first, 0.01)[1] == 0.01
    assert cache.once(drawn, first, 0.05, wide=True)[2] is True
    assert len(CALLS) == 4


def test_true_is_not_one() -> None:
    """Settings that are equal but of different types are different settings."""
    result = np.zeros(1)
    assert cache.once(drawn, result, 1)[1] is not cache.once(drawn, result, True)[1]


def test_memory_is_bounded() -> None:
    """The least recently used is dropped, and made again when it is asked for."""
    result = np.zeros(1)
    for alpha in range(cache.MOST + 1):
        cache.once(drawn, result, float(alpha))
    assert len(cache._memory_made) == cache.MOST
    cache.once(drawn, result, 0.0)
    assert len(CALLS) == cache.MOST + 2


def test_what_is_deleted_counts_no_more() -> None:
    """After it as much is held as before it was stored; what only the larger store has changes nothing in memory."""
    below: dict[str, np.ndarray] = {"below": np.ones(4)}
    held = cache.Statistics(100, below)
    held["a"], held["b"] = np.full(6, 0.5), np.full(6, 0.25)
    del held["a"]
    assert "a" not in below
    held["c"] = np.full(6, 0.125)
    below.clear()
    assert sorted(held) == ["b", "c"]
    below["deep"] = np.ones(4)
    del held["deep"]
    assert held._size == 96
    with pytest.raises(KeyError):
        del held["deep"]
