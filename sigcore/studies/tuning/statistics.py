"""Statistics of every hypothesis under a metric, by the metric's own extraction, and its quality alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from sigcore import metrics
from sigcore.errors import MismatchError, Undefined
from sigcore.kbest.instances import Instances
from sigcore.kbest.lists import KBest
from sigcore.kbest.sentence_bleu import Variant, background_bleu, bleu_plus_one
from sigcore.metrics import Metric
from sigcore.registry import Value
from sigcore.sufficient import oriented
from sigcore.testset import Outputs, Testset
from sigcore.types import Floats, Ints

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Target:
    """What is tuned for: a metric with its options, and how the quality of one hypothesis is smoothed for BLEU.

    Raises: as `metrics.get` and `Metric.chosen`.
    """

    metric: Metric
    options: dict[str, Value]
    variant: Variant = "lin_och"

    @classmethod
    def of(cls, name: str, options: Mapping[str, object] | None = None, variant: Variant = "lin_och") -> Target:
        """The target for a metric by name."""
        metric = metrics.get(name)
        return cls(metric, metric.chosen(options or {}), variant)

    @property
    def title(self) -> str:
        """The metric's name as the field writes it."""
        return self.metric.title_of(self.options)

    def objective(self, sums: Floats) -> Floats:
        """The metric of sums (..., K), oriented so that larger is better."""
        return oriented(np.asarray(self.metric.score(sums, self.options)), self.metric.better_of(self.options))

    def quality(self, rows: Floats) -> Floats:
        """The quality (H,) of statistics (H, K), larger = better: BLEU+1, else the metric of one segment, divided by 100
        for metrics from 0 to 100.

        Raises: Undefined where a hypothesis has none.
        """
        if self.metric.name == "bleu":
            return bleu_plus_one(rows, self.variant)
        scale = 100.0 if self.metric.decimals_of(self.options) == 2 else 1.0
        quality = self.objective(rows) / scale
        if not np.isfinite(quality).all():
            place = int(np.flatnonzero(~np.isfinite(quality))[0])
            raise Undefined(f"{self.title} is not defined for hypothesis {place + 1}.", "", "Choose another metric.")
        return quality


def rows(lists: KBest, testset: Testset, target: Target, progress: Progress | None = None) -> Floats:
    """The statistics (H, K) of every hypothesis.

    The metric extracts the first different text of every list, then the second, and so on, as if each were a system; so
    the references are read once, and a text that several hypotheses share is extracted once.

    Raises: MismatchError for another number of segments, or a metric that does not fit the test set.
    """
    if lists.n != testset.n:
        fix = "Give one reference for each segment of the list."
        raise MismatchError(f"{lists.name} has {lists.n} segments, {testset.name} has {testset.n}.", "", fix)
    extract = metrics.extractor(target.metric, testset, target.options)
    texts, place = _distinct(lists)
    longest = max(map(len, texts))
    out = np.empty((lists.size, len(target.metric.columns_of(target.options, testset.references))))
    for rank in range(longest):
        segments = tuple(own[rank] if rank < len(own) else own[0] for own in texts)
        values = extract(Outputs(f"hypothesis {rank + 1}", segments)).values
        here = place == rank
        out[here] = values[lists.segment_of[here]]
        if progress is not None:
            progress(f"statistics for {target.title}", rank + 1, longest)
    return out


def _distinct(lists: KBest) -> tuple[list[list[str]], Ints]:
    """The different texts of each list, and for every hypothesis (H,) the place of its text among them."""
    texts: list[dict[str, int]] = [{} for _ in range(lists.n)]
    place = np.empty(lists.size, dtype=np.int64)
    for i, (segment, text) in enumerate(zip(lists.segment_of.tolist(), lists.texts, strict=True)):
        place[i] = texts[segment].setdefault(text, len(texts[segment]))
    return [list(own) for own in texts], place


def instances(lists: KBest, features: Floats, statistics: Floats, target: Target) -> Instances:
    """The lists as methods learn from them, with these features (H, F) and statistics (H, K)."""
    is_bleu = target.metric.name == "bleu"
    return Instances(
        features=features,
        statistics=statistics,
        quality=target.quality(statistics),
        offsets=lists.offsets,
        objective=target.objective,
        cost=background_bleu if is_bleu else None,
    )
