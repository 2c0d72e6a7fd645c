"""Drawing and counting draws with compiled loops once they are loaded: the same counts as numpy's, but faster."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore.text.compiled import Kernels, Report, kernel, usable
from sigcore.text.compiled import prepare as prepare_kernels

Scatter = Callable[[NDArray[Any], NDArray[np.float32]], None]
Draw = Callable[[NDArray[np.uint64], int, int, int, NDArray[np.float32]], tuple[int, Any]]

MOST_16 = 65_536  # different numbers of 16 bits


def compiled() -> Scatter | None:
    """The compiled loop, or None if it is not loaded: its start-up would cost more than it saves."""
    return _made() if usable(KERNELS) else None


def prepare(draws: int, report: Report | None = None) -> None:
    """Load the loops where it is worth that for this many draws, each of one segment."""
    prepare_kernels(KERNELS, draws, "the counting of draws", report)


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


def _call_kernels() -> None:
    counts = np.zeros((1, 1), dtype=np.float32)
    _made_draws()(np.zeros(4, dtype=np.uint64), 0, 0, 1, counts)
    for size in (np.uint16, np.uint32):  # the types of the draws in weights.bootstrap_counts
        _made()(np.zeros((1, 1), dtype=size), counts)


# The work is the number of draws: segments times resamples.
KERNELS = Kernels(__name__, __name__, _call_kernels, saves=1.7e-9, seconds=3.0)
