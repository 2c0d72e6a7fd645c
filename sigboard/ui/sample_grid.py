"""The finished grid that is stored with a sample: a first visitor waits for no drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sigboard.ui import memory
from sigboard.ui.sidebar import Chosen
from sigcore import Outputs, Testset, data, readers
from sigcore.studies import matrix


def runs(collection: data.Collection, now: Chosen) -> Mapping[int, matrix.MatrixRun]:
    """The stored runs by their number of resamples, if a sample is loaded and they answer the question of the sidebar."""
    content = readers.finished_grid(collection.name) if collection.sample and not now.options else None
    if content is None:
        return {}
    loaded = collection.loaded()
    return memory.once(_load, content, loaded.testset, loaded.outputs, now.metric, now.test, now.unit, now.seed)


def _load(
    content: bytes, testset: Testset, outputs: Sequence[Outputs], metric: str, test: str, unit: str, seed: int
) -> Mapping[int, matrix.MatrixRun]:
    return matrix.load(content, testset, outputs, [(metric, {})], [test], unit, seed)
