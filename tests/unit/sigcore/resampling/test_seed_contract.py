"""The seed contract: which numbers a seed draws, for small and large test sets and for every kind of draw.

A change here changes the p-values of everybody who repeats a run: it belongs under NUMBERS in the changelog.
"""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from sigcore.resampling.blocks import BLOCK, blocks, generator, strips

# The contract in plain numbers: the child seed of a kind of draw, and the numbers that are drawn at once.
STREAM = {"bootstrap": 0, "swap": 1, "hybrid": 2}
AT_ONCE = 250_000
SIZES = [1, 9, 1_448, 32_768, 32_769, 40_000, 65_536, 65_537, 70_000]

# sha256 (first 16 digits) of the first 9 rows of block 3 under seed 12345, as 4-byte whole numbers.
DIGESTS = {
    ("bootstrap", 1_448): "9b8b9121b35e484d",
    ("bootstrap", 40_000): "c7a22a5ef3aff447",
    ("bootstrap", 70_000): "085b62b91601e712",
    ("swap", 1_448): "658e030af721ace0",
    ("swap", 40_000): "1c583584dc9bcdaa",
    ("swap", 70_000): "aea7250c59843bbc",
    ("hybrid", 1_448): "15410f9cf4bc0732",
    ("hybrid", 40_000): "f996ee1fefd29564",
    ("hybrid", 70_000): "34977e5dd013ca2b",
}


def by_the_contract(draws: str, rows: int, n: int, seed: int = 12345, block: int = 3) -> np.ndarray:
    """The weights by the words of the contract, draw by draw."""
    generator = np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(STREAM[draws], block))))
    at_once, out = max(1, AT_ONCE // n), []
    for start in range(0, rows, at_once):
        size = min(at_once, rows - start)
        if draws == "swap":
            width = (n + 7) // 8
            octets = generator.bytes(size * width)
            for row in range(size):
                bits = "".join(f"{octet:08b}" for octet in octets[row * width : (row + 1) * width])
                out.append(np.array(list(map(int, bits[:n]))))
            continue
        values = n if draws == "bootstrap" else 2 * n
        kind = np.uint16 if values <= 2**16 else np.uint32
        for row in generator.integers(0, values, size=(size, n), dtype=kind):
            counts = np.zeros(values, dtype=np.int64)
            np.add.at(counts, row.astype(np.int64), 1)
            out.append(counts)
    return np.array(out)


def drawn(draws: str, rows: int, n: int) -> np.ndarray:
    """The weights that the product draws."""
    return np.concatenate([part.copy() for part in strips(generator(12345, draws, 3), draws, rows, n)])


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("draws", STREAM)
def test_draws_are_those_of_the_contract(draws: str, n: int) -> None:
    """The same numbers in the same order, also past the range of 16-bit numbers and across the cuts of a block."""
    rows = 9 if n > 2_000 else 200
    np.testing.assert_array_equal(drawn(draws, rows, n), by_the_contract(draws, rows, n))


@pytest.mark.parametrize(("draws", "n"), DIGESTS)
def test_draws_are_those_of_every_version(draws: str, n: int) -> None:
    """The numbers themselves, so that neither this project nor numpy can change them unnoticed."""
    content = np.ascontiguousarray(drawn(draws, 9, n)).astype("<i4").tobytes()
    assert hashlib.sha256(content).hexdigest()[:16] == DIGESTS[draws, n]


def test_blocks_have_512_resamples() -> None:
    """The size of a block is part of the contract; only the last one may be short."""
    assert BLOCK == 512
    assert [block.size for block in blocks(1_100)] == [512, 512, 76]
