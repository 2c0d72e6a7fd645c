"""The segments to tune on and those held out, and the best and worst choices on a part."""

from __future__ import annotations

import math

import numpy as np

from sigcore.errors import OptionError, Undefined
from sigcore.kbest.instances import Instances
from sigcore.studies import units
from sigcore.testset import Testset
from sigcore.types import DOCUMENT, Floats, Ints

PASSES = 5  # over all lists, after which the oracle is hardly better


def split(testset: Testset, share: float) -> tuple[Ints, Ints]:
    """The positions of the segments to tune on, the first `share` of them, and of those held out.

    Documents are not cut: the border is the one nearest to the share; a document that appears again later counts
    where it appears first.

    Raises: OptionError for a share outside (0, 1]; Undefined where a part would be empty; MismatchError where some
    segments have no document.
    """
    if not 0 < share <= 1:
        raise OptionError(f"split = {share:g}.", "", "It must be above 0 and at most 1; 1 tunes on all segments.")
    every = np.arange(testset.n)
    if share == 1:
        return every, every[:0]
    whole = units.groups(testset, DOCUMENT) if testset.documents else None
    groups = every if whole is None else whole
    sizes = np.cumsum(np.bincount(groups))
    border = int(np.abs(sizes - share * testset.n).argmin())
    dev, test = every[groups <= border], every[groups > border]
    if not len(test) or not len(dev):
        noun = "document" if testset.documents else "segment"
        fix = "Use more segments, another share, or split = 1 to tune on all without a test."
        raise Undefined(f"A split of {share:g} leaves no {noun} on one side.", testset.name, fix)
    return dev, test


def part_of(testset: Testset, segments: Ints, name: str) -> Testset:
    """These segments as a test set."""

    def kept(stream: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(stream[i] for i in segments.tolist()) if stream else ()

    references = tuple(kept(stream) for stream in testset.references)
    return Testset(
        f"{testset.name} ({name})",
        testset.kind,
        len(segments),
        references,
        kept(testset.sources),
        kept(testset.domains),
        kept(testset.documents),
    )


def oracle(instances: Instances, sign: int = 1) -> Ints:
    """A choice (m,) with a high metric (a low one for sign -1), made with the references.

    It begins with the best hypothesis of each list alone; then each list in turn takes the hypothesis that is best for
    the metric of all, until nothing changes. The true optimum may be a little better.
    """
    chosen = _ends(instances, sign * instances.quality)
    total = instances.statistics[chosen].sum(axis=0)
    for _ in range(PASSES):
        before = chosen.copy()
        for i, (start, stop) in enumerate(
            zip(instances.offsets[:-1].tolist(), instances.offsets[1:].tolist(), strict=True)
        ):
            rest = total - instances.statistics[chosen[i]]
            values = sign * instances.objective(rest + instances.statistics[start:stop])
            best = start + int(np.nan_to_num(values, nan=-math.inf).argmax())
            if values[best - start] > values[chosen[i] - start]:
                chosen[i], total = best, rest + instances.statistics[best]
        if (chosen == before).all():
            break
    return chosen


def _ends(instances: Instances, values: Floats) -> Ints:
    return np.array(
        [a + int(values[a:b].argmax()) for a, b in zip(instances.offsets, instances.offsets[1:], strict=False)],
        dtype=np.int64,
    )
