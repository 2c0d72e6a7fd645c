"""Cover EM: the share of outputs in which a right answer stands, after SQuAD's normalisation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sigcore.metrics.contract import Done, Metric, Options, References, Swapped, described, rate
from sigcore.proof import Proof
from sigcore.registry import Option
from sigcore.text import mean_pairs
from sigcore.text.answers import accepted, apart, covers, normalized
from sigcore.text.chunks import in_chunks
from sigcore.types import Floats

FORMS = (normalized, apart)  # marks left out ("U.S." is "US"), or as blanks ("id:42" has 42)
Golds = tuple[list[str], ...]  # the accepted answers of a segment in each form


def prepare(references: References, options: Options) -> list[Golds]:
    """The accepted answers of each segment, in both forms."""
    case, articles = bool(options["case"]), bool(options["articles"])
    return [tuple(accepted(golds, case, articles, form) for form in FORMS) for golds in zip(*references, strict=True)]


def statistics(segments: Sequence[str], prepared: list[Golds], options: Options, done: Done | None) -> Floats:
    """(n, 2): 1 where one of the accepted answers stands in the output, and 1."""
    rows, case, articles = np.ones((len(prepared), 2)), bool(options["case"]), bool(options["articles"])

    def fill(start: int, stop: int) -> None:
        for i in range(start, stop):
            outputs = [form(segments[i], case, articles) for form in FORMS]
            pairs = zip(outputs, prepared[i], strict=True)
            rows[i, 0] = any(covers(output, gold) for output, golds in pairs for gold in golds)

    in_chunks(len(prepared), fill, done)
    return rows


METRIC = Metric(
    **described("cover_em"),
    title="cover EM",
    kind="text",
    better="higher",
    columns=("covered", "segments"),
    prepare=prepare,
    statistics=statistics,
    score=rate,
    swapped=Swapped(mean_pairs.KERNELS, mean_pairs.rates),
    options=(Option("case", False, help="Keep case."), Option("articles", False, help="Keep a, an and the.")),
    proof=Proof(oracle="of_metrics:cover_em"),
)
