"""AER: the alignment error rate over sure and possible word links."""

from __future__ import annotations

from sigcore.metrics.contract import Metric, Options, only_reference, percent, rows
from sigcore.proof import Proof
from sigcore.text import links
from sigcore.types import Floats


def score(sums: Floats, options: Options) -> Floats:
    """AER in percent, 100 - 100 (|A and S| + |A and P|) / (|A| + |S|), of sums (..., 4); nan without any link."""
    return 100.0 - percent(sums[..., 2] + sums[..., 3], sums[..., 0] + sums[..., 1])


METRIC = Metric(
    name="aer",
    title="AER",
    kind="alignments",
    better="lower",
    columns=links.COLUMNS,
    prepare=lambda references, options: links.gold_links(only_reference(references, "AER")),
    statistics=rows,
    score=score,
    help="Alignment error rate: links that are not possible, and sure links that are missing; lower is better.",
    notes="""The counts are summed over the test set, so AER is not the mean over sentences. Precision uses possible links (sure
links are possible too), recall uses sure links. Gold links in two files have the roles reference (sure links) and
possible (possible links). A link that a system marks as possible counts like any other of its links.""",
    source="Och & Ney 2003",
    proof=Proof(oracle="of_metrics:aer", golden=("aer.lilt", "aer.nltk")),
)
