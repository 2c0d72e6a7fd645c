"""UAS: the share of words that have the right head."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from sigcore.metrics.contract import Done, Metric, Options, rate, settings
from sigcore.metrics.las import PUNCTUATION, gold
from sigcore.proof import Proof
from sigcore.types import Floats


def statistics(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """(n, 2): words with the right head, scored words."""
    rows: Floats = prepared.rows(segments, None, done)
    return rows


METRIC = Metric(
    name="uas",
    title="UAS",
    kind="trees",
    better="higher",
    columns=("correct", "words"),
    prepare=partial(gold, title="UAS"),
    statistics=statistics,
    score=rate,
    describe=lambda references, options: settings("uas", options),
    options=(PUNCTUATION,),
    help="Share of words that have the right head.",
    source="Buchholz & Marsi 2006 (CoNLL-X); Zeman et al. 2018",
    proof=Proof(oracle="of_metrics:uas", golden=("uaslas.conll18", "uaslas.udapi", "uaslas.evalpl")),
)
