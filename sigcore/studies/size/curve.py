"""The threshold against the size of the test set: parts of it of several sizes, all pairs tested on each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sigcore import executors
from sigcore.errors import OptionError, Undefined
from sigcore.studies import gain, units
from sigcore.studies.pairs import SUBSETS as STREAM
from sigcore.studies.pairs import How, generator, staged
from sigcore.studies.prepared import Compared, Points, Prepared, points
from sigcore.studies.size.result import Line, Size
from sigcore.studies.statistics import Progress
from sigcore.types import DOCUMENT, Floats

Subsets = Literal["initial", "random", "documents"]
SUBSETS: tuple[Subsets, ...] = get_args(Subsets)
FEWEST_SIZES = 2  # sizes with a threshold that a line needs


def subset(prepared: Prepared, size: int, kind: Subsets, seed: int, number: int) -> NDArray[np.intp]:
    """The segments, in order, of the part with this number: the first ones, a random choice, or whole documents.

    Documents come in random order, as many as bring their number of segments nearest to `size` (at least one). No segment
    is chosen twice.

    Raises: Undefined for documents where the test set has none.
    """
    if kind == "initial":
        return np.arange(size, dtype=np.intp)
    rng = generator(seed, STREAM, size, number)
    if kind == "random":
        return np.sort(rng.permutation(prepared.n)[:size])
    document_of = units.groups(prepared.testset, DOCUMENT)
    assert document_of is not None
    lengths = np.bincount(document_of)
    order = rng.permutation(len(lengths))
    many = int(np.abs(np.cumsum(lengths[order]) - size).argmin()) + 1
    return np.nonzero(np.isin(document_of, order[:many]))[0]


def check(prepared: Prepared, sizes: Sequence[int], kind: Subsets, draws: int) -> None:
    """Refuse sizes and numbers that cannot be used (OptionError), and documents where there are none (Undefined)."""
    if kind not in SUBSETS:
        raise OptionError(f"subsets = {kind!r}.", "", f"Choose from: {', '.join(SUBSETS)}.")
    if not sizes or min(sizes) < 1:
        raise OptionError(f"sizes = {list(sizes)}.", "", "Give whole numbers of segments, 1 or more.")
    if draws < 1:
        raise OptionError(f"draws = {draws}.", "", "It must be at least 1.")
    if kind == "documents" and not prepared.testset.documents:
        fix = "Add the document of every segment, or choose initial or random."
        raise Undefined("The test set does not assign segments to documents.", prepared.testset.name, fix)


def curve(
    prepared: Prepared,
    compared: Compared,
    size: int,
    kind: Subsets,
    draws: int,
    how: How,
    executor: executors.Executor | None = None,
    progress: Progress | None = None,
) -> list[Size]:
    """The threshold of each class at one size, from the pairs of all parts of that size together.

    A part that is the whole test set, or its first segments, is tested once. Source: Berg-Kirkpatrick et al. 2012, Section
    4.1, Figures 9 and 10 (initial segments); random parts and documents are ours.
    """
    names = sorted(set(compared.classes[np.triu_indices(len(compared.systems), k=1)].tolist()) - {""})
    if size > prepared.n:
        return [Size(_none(name, how, compared), size, math.nan, prepared.n) for name in names]
    times = 1 if kind == "initial" or size == prepared.n else draws
    found, segments = list[Points](), list[int]()
    for number in range(times):
        part = prepared.part(subset(prepared, size, kind, how.seed, number))
        inner = staged(progress, f"parts of {size:,} segments", number, times)
        found.append(points(compared, part, how, executor, inner))
        segments.append(part.n)
    gains = np.concatenate([item.gains for item in found])
    p, classes = (np.concatenate([getattr(item, name) for item in found]) for name in ("p_values", "classes"))
    return [
        Size(
            gain.threshold(gains[classes == name], p[classes == name], name, how.seed, compared.synthetic),
            size,
            float(np.mean(segments)),
            prepared.n,
        )
        for name in names
    ]


def _none(name: str, how: How, compared: Compared) -> gain.Threshold:
    return gain.threshold(np.zeros(0), np.zeros(0), name, how.seed, compared.synthetic)


def lines(sizes: Sequence[Size]) -> tuple[Line, ...]:
    """For each class the line constant / sqrt(segments) through its thresholds, and the slope that they have themselves."""
    out = []
    for name in dict.fromkeys(item.pair_class for item in sizes):
        own = [item for item in sizes if item.pair_class == name and item.threshold.threshold > 0]
        if len({item.drawn for item in own}) >= FEWEST_SIZES:
            x = np.log([item.drawn for item in own])
            y = np.log([item.threshold.threshold for item in own])
            out.append(Line(name, float(np.exp(np.mean(y + x / 2))), _slope(x, y)))
    return tuple(out)


def _slope(x: Floats, y: Floats) -> float:
    centred = x - x.mean()
    return float((centred * y).sum() / (centred**2).sum())
