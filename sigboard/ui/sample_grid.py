"""Finished grids that are stored with a sample or in a project: nobody waits for drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sigboard.ui import memory, session
from sigboard.ui.sidebar import Chosen
from sigcore import Outputs, Testset, readers
from sigcore.studies import matrix


def runs(visit: session.Visit, now: Chosen) -> Mapping[int, matrix.MatrixRun]:
    """The stored runs by their number of resamples, if a sample or a project is loaded and they answer the question of
    the sidebar."""
    collection = visit.collection
    of_sample = memory.once(readers.finished_grid, collection.name) if collection.sample and not now.options else None
    contents = [content for content in (visit.finished, of_sample) if content]
    loaded, out = collection.loaded(), dict[int, matrix.MatrixRun]()
    asked = now.metric, tuple(now.options.items()), now.test, now.unit, now.seed
    for content in contents:
        out |= memory.once(_load, content, loaded.testset, loaded.outputs, *asked)
    return out


def _load(
    content: bytes,
    testset: Testset,
    outputs: Sequence[Outputs],
    metric: str,
    options: tuple[tuple[str, Any], ...],
    test: str,
    unit: str,
    seed: int,
) -> Mapping[int, matrix.MatrixRun]:
    return matrix.load(content, testset, outputs, [(metric, dict(options))], [test], unit, seed)
