"""The draws: fixed blocks of resamples, each with its own child seed, and the weights (rows, n) of a block.

A block depends on nothing but the seed, so the results do not depend on where they are computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.random  # numpy loads it at its first use; two threads that do so at once can fail
from numpy.typing import NDArray

from sigcore.resampling.scatter import compiled, drawn_and_counted

# Part of the seed contract: another size gives other draws, so it is part of every signature.
BLOCK = 512

# Which stream of child seeds a kind of draw uses.
STREAMS = {"bootstrap": 0, "swap": 1, "hybrid": 2, "shuffled runs": 3, "drawn runs": 4}


@dataclass(frozen=True)
class Block:
    """`size` resamples from number `start` on, drawn from the `index`-th child seed; the first `skip` of them were counted
    before."""

    index: int
    start: int
    size: int
    skip: int = 0


def blocks(resamples: int, begun: int = 0) -> list[Block]:
    """The blocks that make up this number of resamples; only the last one may be short. Of the first `begun` resamples
    those of a block that is not whole are drawn again, and skipped."""
    starts = ((k, k * BLOCK) for k in range(begun // BLOCK, -(-resamples // BLOCK)))
    return [Block(k, start, min(BLOCK, resamples - start), max(begun - start, 0)) for k, start in starts]


def number_of_blocks(resamples: int, begun: int = 0) -> int:
    """How many blocks these are, without making them: of ten million resamples there are tens of thousands."""
    return -(-resamples // BLOCK) - begun // BLOCK


def generator(seed: int, draws: str, index: int, *more: int) -> np.random.Generator:
    """The generator of one block: it depends on the seed, the kind of draw and the block, on nothing else; where `more`
    numbers are given (those of a system that is drawn alone), on them too."""
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(STREAMS[draws], index, *more))))


def steps(progress: Callable[[str, int, int], None] | None, stage: str, total: int) -> Callable[[], None]:
    """A function to call once per finished block: it reports (stage, blocks done, total) to `progress`."""
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(stage, done, total)

    return step


# Weights: how often each segment is drawn, whether it is swapped, or both at once.

Weights = NDArray[np.float32]

# Numbers drawn at once; a larger test set is drawn in fewer rows, which is part of the seed contract.
AT_ONCE = 250_000

# Weights multiplied at once, 8 MB: a product of more rows is faster. Only memory and time depend on it.
MULTIPLIED = 2**21

# The most counts that are computed together, and what each draw adds.
IN_CACHE, ONE = 24_000, np.float32(1.0)


def bootstrap_counts(rng: np.random.Generator, rows: int, n: int, out: Weights | None = None) -> Weights:
    """How often each of n segments was drawn, with replacement, n times: (rows, n), each row sums to n; in `out` if given.

    Counting draws is several times faster than a multinomial draw. Compiled loops are used if they are loaded; the draws,
    and so the counts, are the same.
    """
    counts = np.empty((rows, n), dtype=np.float32) if out is None else out
    if drawn_and_counted(rng, n, counts):
        return counts
    kind = np.uint16 if n <= 65_536 else np.uint32
    drawn = rng.integers(0, n, size=(rows, n), dtype=kind)
    scatter = compiled()
    if scatter is None:
        return _counted_together(drawn, n, counts)
    counts.fill(0)
    scatter(drawn, counts)
    return counts


def part_counts(rng: np.random.Generator, rows: int, n: int, drawn: int) -> Weights:
    """How often each of n segments was drawn where only `drawn` of them are, with replacement: (rows, n)."""
    return _counted_together(rng.integers(0, n, size=(rows, drawn), dtype=np.uint32), n)


def _counted_together(drawn: NDArray[Any], n: int, out: Weights | None = None) -> Weights:
    """The counts by numpy alone: as many rows at once as the cache holds, each in its own range of numbers."""
    rows, together = len(drawn), max(1, IN_CACHE // n)
    counts = np.empty((rows, n), dtype=np.float32) if out is None else out
    counts.fill(0)
    apart = (np.arange(together) * n)[:, None]
    for start in range(0, rows, together):
        part = drawn[start : start + together]
        # numbers of the index's own type are added without a copy
        np.add.at(counts[start : start + together].reshape(-1), (part + apart[: len(part)]).ravel(), ONE)
    return counts


def hybrid_counts(rng: np.random.Generator, rows: int, n: int) -> Weights:
    """How often each of n segments was drawn unswapped, then how often drawn and swapped: (rows, 2 n), rows sum to n.

    n segments are drawn with replacement and each is swapped with probability 1/2: one draw of 2 n numbers.
    """
    kind = np.uint16 if 2 * n <= 65_536 else np.uint32
    return _counted_together(rng.integers(0, 2 * n, size=(rows, n), dtype=kind), 2 * n)


def swap_masks(rng: np.random.Generator, rows: int, n: int, out: Weights | None = None) -> Weights:
    """1 where the two systems' outputs of a segment are swapped, each with probability 1/2: (rows, n); in `out` if given."""
    masks = np.empty((rows, n), dtype=np.float32) if out is None else out
    masks[...] = np.unpackbits(_bits(rng, rows, n), axis=1, count=n)
    return masks


def _bits(rng: np.random.Generator, rows: int, n: int) -> NDArray[np.uint8]:
    """One bit for each of n segments, (rows, n / 8 bytes)."""
    width = -(-n // 8)
    return np.frombuffer(rng.bytes(rows * width), dtype=np.uint8).reshape(rows, width)


def swap_bits(rng: np.random.Generator, rows: int, n: int) -> NDArray[np.uint8]:
    """The swaps of `joined`, as bits: (rows, n / 8 bytes)."""
    step = max(1, AT_ONCE // max(n, 1))
    return np.concatenate([_bits(rng, min(step, rows - start), n) for start in range(0, rows, step)])


def split_masks(rng: np.random.Generator, rows: int, n: int, outputs: int, chosen: int) -> Weights:
    """1 for the `chosen` of the outputs of each segment, every such choice equally likely: (rows, outputs, n).

    One output after the other is chosen with probability (still to choose) / (outputs left).
    """
    masks = np.empty((rows, outputs, n), dtype=np.float32)
    missing = np.full((rows, n), chosen, dtype=np.uint16)
    for k in range(outputs):
        take = rng.integers(0, outputs - k, size=(rows, n), dtype=np.uint16) < missing
        masks[:, k] = take
        missing -= take
    return masks


def multeval_masks(rng: np.random.Generator, rows: int, n: int, runs: int) -> tuple[Weights, Weights]:
    """MultEval's shuffle of m runs of each of two systems: what the first and the second pseudo-system have of each
    segment, (rows, 2 m, n) each.

    The first has, at place i, run pi(i) of one of the systems, as a coin i decides; the second has run pi^-1(i) of the
    other system. Where pi is not its own inverse (m >= 3), an output may be in both or in none.
    """
    coins = rng.integers(0, 2, size=(rows, runs, n), dtype=np.uint8)
    order = np.argsort(rng.random((rows, runs, n), dtype=np.float32), axis=1, kind="stable")
    back = np.argsort(order, axis=1)
    other = np.take_along_axis(coins, back, axis=1).astype(np.float32)
    own = np.take_along_axis(coins, order, axis=1).astype(np.float32)
    return np.concatenate([1 - other, other], axis=1), np.concatenate([own, 1 - own], axis=1)


DRAW: dict[str, Callable[..., Weights]] = {"bootstrap": bootstrap_counts, "swap": swap_masks, "hybrid": hybrid_counts}


def strips(rng: np.random.Generator, draws: str, rows: int, n: int) -> Iterator[Weights]:
    """The weights of a block, cut into fewer rows where n is large, so that memory stays bounded.

    Where the cuts fall depends on n alone and is part of the seed contract.
    """
    step = max(1, AT_ONCE // max(n, 1))
    for start in range(0, rows, step):
        yield DRAW[draws](rng, min(step, rows - start), n)


def joined(rng: np.random.Generator, draws: str, rows: int, n: int) -> Iterator[Weights]:
    """The weights of `strips`, several of them in one array, so that they are multiplied together."""
    step = max(1, AT_ONCE // max(n, 1))
    together = max(1, MULTIPLIED // (step * max(n, 1))) * step
    for begun in range(0, rows, together):
        whole = np.empty((min(together, rows - begun), n), dtype=np.float32)
        for start in range(0, len(whole), step):
            part = whole[start : start + step]
            DRAW[draws](rng, len(part), n, part)
        yield whole
