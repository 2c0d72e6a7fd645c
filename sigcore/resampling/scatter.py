"""Drawing, counting draws and adding up swaps with compiled loops once they are loaded: numpy's numbers, but faster."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore.text.compiled import Kernels, Report, kernel, usable
from sigcore.text.compiled import prepare as prepare_kernels
from sigcore.types import Floats

Scatter = Callable[[NDArray[Any], NDArray[np.float32]], None]
Draw = Callable[[NDArray[np.uint64], int, int, int, NDArray[np.float32]], tuple[int, Any]]

MOST_16 = 65_536  # different numbers of 16 bits
MOST_ADDED = 8_191  # the largest number of which four are below the largest one of 16 bits with a sign
TOGETHER = 4  # bytes of a row that are looked up together
SWAP = 0.006  # what the sum of a column saves for each unit, in draws


def compiled() -> Scatter | None:
    """The compiled loop, or None if it is not loaded: its start-up would cost more than it saves."""
    return _made() if usable(KERNELS) else None


def prepare(draws: int, swaps: int, report: Report | None = None) -> None:
    """Load the loops where it is worth that for this many draws of one segment, and swaps of one number."""
    prepare_kernels(KERNELS, draws + SWAP * swaps, "the counting of draws", report)


def drawn_and_counted(rng: np.random.Generator, n: int, counts: NDArray[np.float32]) -> bool:
    """Fill `counts` (rows, n) with how often each of n segments was drawn, n times for each row, as from
    `rng.integers(0, n, dtype=np.uint16)`, and leave the generator as that does; False if no compiled loop can do it.
    """
    source = rng.bit_generator
    if not usable(KERNELS) or not isinstance(source, np.random.SFC64) or n > MOST_16:
        return False
    counts.fill(0)
    state: Any = source.state
    words = state["state"]["state"]
    left, word = _made_draws()(words, 2 if state["has_uint32"] else 0, state["uinteger"], n, counts)
    # numpy forgets half of a half word, and keeps a whole half word for the next draw
    state["has_uint32"], state["uinteger"] = int(left >= 2), int(word >> 16 if left == 3 else word) & 0xFFFF_FFFF
    source.state = state
    return True


def added_up(bits: NDArray[np.uint8], whole: NDArray[np.int16]) -> Floats:
    """The sums (C, rows) of `whole` (n, C), numbers of at most MOST_ADDED in size, over the units whose bits are set: (rows, n / 8
    bytes) as from `np.packbits`. The loops must be loaded."""
    rows, width = bits.shape
    filled = np.zeros((rows, -(-width // TOGETHER) * TOGETHER), dtype=np.uint8)
    filled[:, :width] = bits
    out = np.zeros((rows, whole.shape[1]), dtype=np.int32)
    _made_sums()(filled, whole, out)
    return np.ascontiguousarray(out.T, dtype=np.float64)


@cache
def _made_sums() -> Callable[..., None]:
    return kernel(add_up)


@cache
def _made() -> Scatter:
    return kernel(count_rows)


@cache
def _made_draws() -> Draw:
    return kernel(draw_rows)


def count_rows(drawn: NDArray[Any], counts: NDArray[np.float32]) -> None:
    """Add to `counts` (rows, n), all 0 before, how often each number was drawn in each row of `drawn` (rows, n)."""
    for row in range(drawn.shape[0]):
        for draw in range(drawn.shape[1]):
            counts[row, drawn[row, draw]] += np.float32(1.0)


def draw_rows(
    words: NDArray[np.uint64], left: int, word: int, n: int, counts: NDArray[np.float32]
) -> tuple[int, np.uint64]:
    """Draw and count every row of `counts` (rows, n), all 0 before; the four `words` of the generator are changed.

    `word` holds `left` numbers of 16 bits that were generated and not used; what is left at the end comes back. Each
    becomes a number below n by a multiplication; those that would make some numbers more probable are refused.

    Source: Doty-Humphrey's SFC64; Lemire 2019, Fast Random Integer Generation in an Interval; both as in numpy.
    """
    a, b, c, counter = words[0], words[1], words[2], words[3]
    one, sixteen, low = np.uint64(1), np.uint64(16), np.uint64(0xFFFF)
    numbers, refused = np.uint64(n), np.uint64((65_536 - n) % n)
    rest = np.uint64(word)
    for row in range(counts.shape[0]):
        own, done = counts[row], 0
        if n == 1:
            own[0], done = 1.0, 1  # without a draw
        while done < n:
            if left == 0:
                rest = a + b + counter
                counter += one
                a = b ^ (b >> np.uint64(11))
                b = c + (c << np.uint64(3))
                c = ((c << np.uint64(24)) | (c >> np.uint64(40))) + rest
                left = 4
            if left == 4 and done + 4 <= n:
                for _ in range(4):  # the usual case, without a question whether the row is complete
                    product = (rest & low) * numbers
                    rest >>= sixteen
                    if (product & low) >= refused:
                        own[product >> sixteen] += np.float32(1.0)
                        done += 1
                left = 0
            else:
                product = (rest & low) * numbers
                rest >>= sixteen
                left -= 1
                if (product & low) >= refused:
                    own[product >> sixteen] += np.float32(1.0)
                    done += 1
    words[0], words[1], words[2], words[3] = a, b, c, counter
    return left, rest


def add_up(bits: NDArray[np.uint8], whole: NDArray[np.int16], out: NDArray[np.int32]) -> None:
    """Add the sums of `added_up` to `out` (rows, C), all 0 before.

    For four units at a time the sums of all 16 ways to choose among them are made once, and looked up for every row.
    Source: Arlazarov, Dinic, Kronrod & Faradzhev 1970 (the method of the four Russians).
    """
    n, width = whole.shape
    table = np.zeros((8, 16, width), dtype=np.int16)
    for first in range(0, bits.shape[1], 4):
        for group in range(8):
            sums = table[group]
            for place in range(4):
                unit, bit = 8 * first + 4 * group + 3 - place, 1 << place
                for chosen in range(bit):
                    for c in range(width):
                        sums[bit + chosen, c] = sums[chosen, c] + (whole[unit, c] if unit < n else 0)
        for row in range(bits.shape[0]):
            own = out[row]
            i, j, k, m = bits[row, first], bits[row, first + 1], bits[row, first + 2], bits[row, first + 3]
            a, b, c_, d = table[0, i >> 4], table[1, i & 15], table[2, j >> 4], table[3, j & 15]
            e, f, g, h = table[4, k >> 4], table[5, k & 15], table[6, m >> 4], table[7, m & 15]
            for c in range(width):
                own[c] += ((a[c] + b[c]) + (c_[c] + d[c])) + ((e[c] + f[c]) + (g[c] + h[c]))


def _call_kernels() -> None:
    _made_sums()(np.zeros((1, 4), np.uint8), np.zeros((1, 1), np.int16), np.zeros((1, 1), np.int32))
    counts = np.zeros((1, 1), dtype=np.float32)
    _made_draws()(np.zeros(4, dtype=np.uint64), 0, 0, 1, counts)
    for size in (np.uint16, np.uint32):  # the types of the draws in weights.bootstrap_counts
        _made()(np.zeros((1, 1), dtype=size), counts)


# The work is the number of draws: segments times resamples.
KERNELS = Kernels(__name__, __name__, _call_kernels, saves=1.7e-9, seconds=4.0)
