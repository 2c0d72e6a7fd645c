"""Quantiles of numbers in blocks equal numpy's of all numbers at once."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore.resampling import spool as module
from sigcore.resampling.blocks import blocks
from sigcore.resampling.quantiles import order_statistics, quantiles
from sigcore.resampling.spool import Spool

LEVELS = [0.025, 0.975, 0.0, 1.0, 0.5, 1 / 3, 0.9, 0.05]
RNG = np.random.default_rng(5)
INPUTS = {
    "normal": RNG.normal(size=(3, 1700)),
    "tied": RNG.integers(0, 4, size=(3, 1111)).astype(float),
    "constant": np.full((2, 600), 3.7),
    "one": np.array([[2.5]]),
    "two": np.array([[2.5, -1.0], [0.1, 0.1]]),
    "a far outlier": np.concatenate([RNG.normal(size=(1, 999)), [[1e12]]], axis=1),
    "rows of different size": RNG.normal(size=(4, 700)) * np.array([[1e-9], [1.0], [1e9], [0.0]]),
}


@pytest.mark.parametrize("limit", [8 * 2**20, 0], ids=["memory", "file"])
@pytest.mark.parametrize("name", list(INPUTS))
def test_quantiles_equal_numpy(name, limit, monkeypatch):
    """Every quantile is numpy's to the last bit, for many rows, ties and outliers, from memory and from a file."""
    monkeypatch.setattr(module, "IN_MEMORY", limit)
    values = INPUTS[name]
    spool = Spool(*values.shape)
    for block in blocks(values.shape[1]):
        spool.put(block.index, values[:, block.start : block.start + block.size])
    got = quantiles(lambda: spool, values.shape[1], LEVELS)
    np.testing.assert_array_equal(got, np.quantile(values, LEVELS, axis=1).T)
    spool.close()


def test_order_statistics_equal_sorting():
    """The value of each rank is that of the sorted numbers."""
    values = INPUTS["tied"]
    got = order_statistics(lambda: iter([values[:, :500], values[:, 500:]]), np.arange(values.shape[1]))
    np.testing.assert_array_equal(got, np.sort(values, axis=1))


@pytest.mark.parametrize("everywhere", [False, True])
def test_undefined_numbers_are_left_out(everywhere):
    """A row with undefined numbers has the quantiles of the others; one without any number has none."""
    values = RNG.normal(size=(4, 900))
    values[1, ::3] = np.nan
    values[3] = np.nan
    if everywhere:
        values[:, 5] = np.nan
    got = quantiles(lambda: iter((values[:, :512], values[:, 512:])), 900, LEVELS)
    for row in range(3):
        np.testing.assert_array_equal(got[row], np.quantile(values[row][~np.isnan(values[row])], LEVELS))
    assert np.isnan(got[3]).all()
