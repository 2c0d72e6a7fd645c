"""Both routes to the rows of a metric: compiled kernels, and their plain twins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal
from unittest import mock

from sigcore.metrics import meteor, ter
from sigcore.resampling import pair_counts, scatter
from sigcore.text import bleu_pairs, compiled, mean_pairs, ngrams

Route = Literal["compiled", "plain"]
ROUTES: tuple[Route, ...] = ("compiled", "plain") if compiled.available() else ("plain",)
ALL = tuple(module.KERNELS for module in (ngrams, ter, meteor, scatter, pair_counts, bleu_pairs, mean_pairs))


@contextmanager
def route(name: Route) -> Iterator[None]:
    """Inside, all kernels are loaded, or none is."""
    if name == "compiled":
        for kernels in ALL:
            compiled.load(kernels)
        yield
    else:
        with (
            mock.patch.object(compiled, "_loaded", set()),
            mock.patch.object(compiled, "available", return_value=False),
        ):
            yield
