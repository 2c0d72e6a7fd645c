"""Blocks: fixed pieces of the resamples, each with a generator of its own."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore.resampling.blocks import BLOCK, blocks, generator, number_of_blocks
from tests.oracles.resample_strings import drawn

FIRST = {
    "bootstrap": [[1, 0, 2, 1, 1, 2, 1, 0], [3, 3, 1, 0, 1, 0, 0, 0]],
    "swap": [[0, 1, 1, 0, 0, 1, 1, 0], [0, 1, 0, 1, 1, 1, 0, 1]],
}


@pytest.mark.parametrize("resamples", [1, BLOCK - 1, BLOCK, BLOCK + 1, 10_000])
def test_blocks_cover_all_resamples_once(resamples):
    """Every resample lies in exactly one block, in order, and only the last block is short."""
    found = blocks(resamples)
    assert [i for b in found for i in range(b.start, b.start + b.size)] == list(range(resamples))
    assert [b.index for b in found] == list(range(len(found)))
    assert all(b.size == BLOCK for b in found[:-1])


@pytest.mark.parametrize("draws", ["bootstrap", "swap"])
@pytest.mark.parametrize("n", [1, 7, 13, 5000])
def test_fewer_resamples_are_the_start_of_more(draws, n):
    """R = 1000 draws what R = 1500 draws first, also where a block is cut into strips."""
    np.testing.assert_array_equal(drawn(3, draws, 1000, n), drawn(3, draws, 1500, n)[:1000])


def test_generator_depends_on_seed_draw_and_block():
    """Another seed, kind of draw or block gives other numbers; the same three give the same."""

    def numbers(*key):
        return tuple(generator(*key).integers(0, 2**62, 4))

    base = numbers(1, "swap", 0)
    others = {numbers(2, "swap", 0), numbers(1, "bootstrap", 0), numbers(1, "swap", 1)}
    assert base == numbers(1, "swap", 0)
    assert len(others | {base}) == 4


def test_seed_contract():
    """The first draws of seed 12345 are these: a change here moves every p-value and belongs under NUMBERS."""
    assert drawn(12345, "bootstrap", 2, 8).astype(int).tolist() == FIRST["bootstrap"]
    assert drawn(12345, "swap", 2, 8).astype(int).tolist() == FIRST["swap"]


@pytest.mark.parametrize("begun", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK])
@pytest.mark.parametrize("more", [1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK])
def test_blocks_are_counted_without_being_made(begun: int, more: int) -> None:
    """Also those that go on where others ended."""
    assert number_of_blocks(begun + more, begun) == len(blocks(begun + more, begun))
    assert number_of_blocks(more) == len(blocks(more))
