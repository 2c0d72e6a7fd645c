"""Spool: blocks of numbers in memory or in a file, the same from both."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore.resampling import spool as module
from sigcore.resampling.blocks import blocks
from sigcore.resampling.spool import Spool


@pytest.fixture(params=["memory", "file"])
def kind(request, monkeypatch):
    """Both ways to keep numbers."""
    if request.param == "file":
        monkeypatch.setattr(module, "IN_MEMORY", 0)
    return request.param


def filled(rows: int, resamples: int, order: int = 1) -> tuple[Spool, np.ndarray]:
    """A spool with random numbers, put in that order of blocks, and the numbers."""
    values = np.random.default_rng(rows).normal(size=(rows, resamples))
    spool = Spool(rows, resamples)
    for block in blocks(resamples)[::order]:
        spool.put(block.index, values[:, block.start : block.start + block.size])
    return spool, values


@pytest.mark.parametrize("resamples", [1, 512, 1300])
@pytest.mark.parametrize("rows", [1, 5])
@pytest.mark.parametrize("order", [1, -1])
def test_what_is_put_is_got(kind, rows, resamples, order):
    """All blocks come back in order, however they were put, and as often as they are asked for."""
    spool, values = filled(rows, resamples, order)
    assert (spool._file is None) == (kind == "memory")
    for _ in range(2):
        np.testing.assert_array_equal(np.concatenate(list(spool), axis=1), values)
    assert len(spool) == len(blocks(resamples))
    np.testing.assert_array_equal(spool.get(len(spool) - 1), values[:, blocks(resamples)[-1].start :])
    spool.close()


def test_close_twice(kind):
    """A spool may be closed more than once."""
    spool, _ = filled(2, 10)
    spool.close()
    spool.close()
