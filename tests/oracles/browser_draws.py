"""The draws of the lessons' stage, one whole number at a time: a twin of the generator in draws.js."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

WORD = 2**32
SWAP, BOOTSTRAP = 1, 2  # the streams


def _mixed(value: int) -> int:
    t = (value + 0x9E3779B9) % WORD
    t = (t ^ t >> 16) * 0x21F0AAAD % WORD
    t = (t ^ t >> 15) * 0x735A2D97 % WORD
    return t ^ t >> 15


def generator(seed: int, stream: int, k: int) -> Iterator[int]:
    """Whole numbers below 2^32 of sfc32 (Doty-Humphrey, PractRand), seeded by a hash of the three numbers; 15 are skipped."""
    a = _mixed(seed)
    b = _mixed(a ^ stream)
    c, count, skipped = _mixed(b ^ k), 1, 0
    while True:
        out = (a + b + count) % WORD
        count = (count + 1) % WORD
        a = b ^ b >> 9
        b = (c + (c << 3)) % WORD
        c = ((c << 21 | c >> 11) + out) % WORD
        skipped += 1
        if skipped > 15:
            yield out


def coins(seed: int, k: int, n: int) -> np.ndarray:
    """1 for the units of shuffle k that change places, (n,): the bits of each number from the lowest."""
    numbers = generator(seed, SWAP, k)
    bits = [number >> i & 1 for number in (next(numbers) for _ in range(-(-n // 32))) for i in range(32)]
    return np.array(bits[:n], dtype=float)


def counts(seed: int, k: int, n: int) -> np.ndarray:
    """How often each unit is in draw k, (n,)."""
    numbers = generator(seed, BOOTSTRAP, k)
    return np.bincount([next(numbers) * n // WORD for _ in range(n)], minlength=n).astype(float)
