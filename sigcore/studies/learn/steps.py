"""One pair under the three tests of the lessons, and single resamples of them, to be shown one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sigcore import executors
from sigcore.resampling.blocks import Block, blocks, generator
from sigcore.resampling.pvalues import p_values
from sigcore.resampling.weights import strips
from sigcore.results import CompareResult, freeze
from sigcore.significance import DrawKind
from sigcore.studies import compare
from sigcore.studies.statistics import Asked, Cache, Progress
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.types import AUTO, Floats, Ints, Unit

TESTS = ("approximate_randomization", "bootstrap_shift", "paired_bootstrap")
DRAWN = 1_000
# The resamples that are shown: the first ones one by one, then every tenth, then every hundredth.
PLACES = (*range(1, 11), *range(20, 101, 10), *range(200, DRAWN + 1, 100))


@dataclass(frozen=True, eq=False)
class Shown:
    """Single resamples of one kind of draw: their numbers `places` (m,) from 1, the `weights` (m, n) as they were drawn
    (1 = swapped, or how often drawn), and the `scores` (m, 2) of the two pseudo-systems, not oriented."""

    places: Ints
    weights: Floats
    scores: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, eq=False)
class Steps:
    """One pair under the tests of the lessons, with every pseudo-gain (`null` of a result), and single draws of it."""

    compared: CompareResult
    swaps: Shown
    draws: Shown


def steps(
    testset: Testset,
    system: Outputs,
    baseline: Outputs,
    asked: Asked,
    *,
    unit: str | Unit = AUTO,
    seed: int = 12345,
    executor: executors.Executor | None = None,
    cache: Cache | None = None,
    progress: Progress | None = None,
) -> Steps:
    """The pair under the first metric of `asked`, with DRAWN resamples: the first ones of any larger run of that seed.

    Raises: as `compare.run`. Cost: O(DRAWN n K).
    """
    run = compare.run(
        testset,
        system,
        baseline,
        asked[:1],
        TESTS,
        unit=unit,
        resamples=DRAWN,
        seed=seed,
        executor=executor,
        cache=cache,
        progress=progress,
    )
    (measured,) = run.matrix.summed
    pair = measured.systems
    return Steps(compare.read(run, measured.metric.name), shown(pair, "swap", seed), shown(pair, "bootstrap", seed))


def p_so_far(counted: int, drawn: int) -> float:
    """p after this many of the resamples are drawn and counted."""
    return float(p_values(counted, drawn, "valid"))


def shown(
    pair: Sequence[SufficientStatistics], draws: DrawKind, seed: int, places: Sequence[int] = PLACES, drawn: int = DRAWN
) -> Shown:
    """The resamples with these numbers of the `drawn` that the engine draws for the pair, and the scores on them."""
    first, second = pair
    wanted = np.array(places, dtype=np.int64)
    parts = [part for block in blocks(drawn) for part in _kept(block, draws, seed, first.n, wanted)]
    weights = np.concatenate(parts).astype(np.float64)
    one, other = weights @ first.values, weights @ second.values  # (m, n) @ (n, K) -> (m, K)
    if draws == "swap":
        one, other = first.total - one + other, second.total - other + one
    return Shown(wanted, weights, np.column_stack((first.score(one), second.score(other))))


def _kept(block: Block, draws: DrawKind, seed: int, n: int, wanted: Ints) -> list[Floats]:
    """The wanted rows of one block, strip by strip, so that memory stays bounded."""
    start, out = block.start, []
    for strip in strips(generator(seed, draws, block.index), draws, block.size, n):
        own = wanted[(wanted > start) & (wanted <= start + len(strip))] - start - 1
        out.append(np.asarray(strip[own], dtype=np.float64))
        start += len(strip)
    return out
