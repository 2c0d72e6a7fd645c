"""Exact match: the share of answers that equal a reference answer after SQuAD's normalisation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sigcore.metrics.contract import Done, Metric, Options, References, Swapped, rate
from sigcore.proof import Proof
from sigcore.registry import Option
from sigcore.text import mean_pairs
from sigcore.text.answers import accepted, normalized
from sigcore.text.chunks import in_chunks
from sigcore.types import Floats


def prepare(references: References, options: Options) -> list[list[str]]:
    """The accepted answers of each segment, in normal form."""
    return [accepted(golds, **options) for golds in zip(*references, strict=True)]  # type: ignore[arg-type]


def statistics(segments: Sequence[str], prepared: list[list[str]], options: Options, done: Done | None) -> Floats:
    """(n, 2): 1 where the answer is accepted, and 1."""
    rows = np.ones((len(prepared), 2))

    def fill(start: int, stop: int) -> None:
        pairs = zip(segments[start:stop], prepared[start:stop], strict=True)
        rows[start:stop, 0] = [normalized(text, **options) in golds for text, golds in pairs]  # type: ignore[arg-type]

    in_chunks(len(prepared), fill, done)
    return rows


METRIC = Metric(
    name="exact_match",
    title="EM",
    kind="text",
    better="higher",
    columns=("exact", "segments"),
    prepare=prepare,
    statistics=statistics,
    score=rate,
    swapped=Swapped(mean_pairs.KERNELS, mean_pairs.rates),
    options=(Option("case", False, help="Keep case."), Option("articles", False, help="Keep a, an and the.")),
    help="Share of answers that equal a reference, ignoring case, punctuation, English articles and extra whitespace.",
    notes="With several references, any of them is accepted. A reference that is empty after normalisation is used only "
    "where all references of the segment are empty, so a file of additional answers may have blank lines. "
    "The script of SQuAD 2.0 has the same rule. The script of 1.1 accepts an empty reference like any other.",
    source="Rajpurkar et al. 2016, 2018 (SQuAD)",
    proof=Proof(oracle="of_metrics:exact_match", golden=("squad.answers",)),
)
