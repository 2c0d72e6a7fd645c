"""Fixed blocks of resamples, each with its own child seed, so that the results do not depend on where they are computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.random  # numpy loads it at its first use; two threads that do so at once can fail

# Part of the seed contract: another size gives other draws, so it is part of every signature.
BLOCK = 512

# Which stream of child seeds a kind of draw uses.
STREAMS = {"bootstrap": 0, "swap": 1, "hybrid": 2, "shuffled runs": 3, "drawn runs": 4}


@dataclass(frozen=True)
class Block:
    """`size` resamples from number `start` on, drawn from the `index`-th child seed."""

    index: int
    start: int
    size: int


def blocks(resamples: int) -> list[Block]:
    """The blocks that make up this number of resamples; only the last one may be short."""
    return [Block(k, start, min(BLOCK, resamples - start)) for k, start in enumerate(range(0, resamples, BLOCK))]


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
