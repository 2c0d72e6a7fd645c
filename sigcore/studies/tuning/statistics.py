"""Statistics of every hypothesis under a metric, by the metric's own extraction, and its quality alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sigcore import metrics
from sigcore.errors import MismatchError, OptionError, Undefined
from sigcore.kbest.instances import Instances
from sigcore.kbest.lists import KBest
from sigcore.kbest.sentence_bleu import Variant, background_bleu, bleu_plus_one
from sigcore.metrics import Metric
from sigcore.registry import Value
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.testset import Outputs, Testset
from sigcore.types import Floats

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Target:
    """What is tuned for: a metric with its options, or a column of the hypotheses (`column`).

    `variant` says how BLEU of one hypothesis is smoothed. `bounds` are the values of the column that have quality 0 and 1.
    """

    metric: Metric
    options: dict[str, Value]
    variant: Variant = "lin_och"
    column: str = ""
    bounds: tuple[float, float] = (0.0, 1.0)

    @classmethod
    def of(
        cls,
        name: str = "bleu",
        options: Mapping[str, object] | None = None,
        variant: Variant = "lin_och",
        column: str = "",
        better: str = "higher",
    ) -> Target:
        """The target for a metric by name, or for the mean of a column.

        Raises: UnknownMember, OptionError for a metric or an option that does not exist; OptionError for a metric of
        anything but text.
        """
        if column:
            metric = metrics.get("own_scores")
            return cls(metric, metric.chosen({"label": column, "better": better}), variant, column)
        metric = metrics.get(name)
        if metric.kind != "text":
            raise OptionError(
                f"{name} is a metric for {metric.kind}.", "", "Hypotheses are text: choose another metric."
            )
        return cls(metric, metric.chosen(options or {}), variant)

    @property
    def title(self) -> str:
        """The metric's name as the field writes it."""
        return self.metric.title_of(self.options)

    @property
    def is_bleu(self) -> bool:
        """Whether the metric is BLEU, which has its own quality of one hypothesis."""
        return self.metric.name == "bleu"

    def objective(self, sums: Floats) -> Floats:
        """The metric of sums (..., K), oriented so that larger is better."""
        return oriented(np.asarray(self.metric.score(sums, self.options)), self.metric.better_of(self.options))

    def score(self, sums: Floats) -> float:
        """The metric of sums (K,)."""
        return float(self.metric.score(sums, self.options))

    def fitted(self, lists: KBest) -> Target:
        """The target whose quality of a column is 0 at the least and 1 at the largest value in these lists."""
        if not self.column:
            return self
        values = lists.column(self.column)
        return replace(self, bounds=(float(values.min()), float(values.max())))

    def quality(self, rows: Floats) -> Floats:
        """The quality (H,) of statistics (H, K), larger = better.

        BLEU+1; of a column its place between the bounds; else the metric of the one segment, divided by 100 where it
        is printed with two decimals.

        Raises: Undefined where a hypothesis has none.
        """
        if self.is_bleu:
            return bleu_plus_one(rows, self.variant)
        if self.column:
            low, high = self.bounds
            quality = (rows[:, 0] - low) / (high - low) if high > low else np.zeros(len(rows))
            return oriented(quality, self.metric.better_of(self.options))
        quality = self.objective(rows) / (100.0 if self.metric.decimals_of(self.options) == 2 else 1.0)
        if not np.isfinite(quality).all():
            count = int((~np.isfinite(quality)).sum())
            raise Undefined(f"{self.title} is not defined for {count} hypotheses.", "", "Choose another metric.")
        return quality


@dataclass(eq=False)
class Rows:
    """The statistics of hypotheses of one test set, each text of a segment extracted once."""

    testset: Testset
    target: Target
    known: list[dict[str, Floats]] = field(init=False)

    def __post_init__(self) -> None:
        self.known = [{} for _ in range(self.testset.n)]
        if not self.target.column:
            self._extract = metrics.extractor(self.target.metric, self.testset, self.target.options)

    def of(self, lists: KBest, progress: Progress | None = None) -> Floats:
        """The statistics (H, K) of every hypothesis.

        The metric extracts the first new text of every list, then the second, and so on, as if each were a system; so
        the references are read once.

        Raises: MismatchError for another number of segments.
        """
        if lists.n != self.testset.n:
            what = f"{lists.name} has lists for {lists.n} segments, {self.testset.name} has {self.testset.n} segments."
            raise MismatchError(what, "", "Give one reference for each list.")
        if self.target.column:
            return np.column_stack([lists.column(self.target.column), np.ones(lists.size)])
        self._learn(self._new(lists), progress)
        segments = lists.segment_of.tolist()
        return np.array([self.known[i][text] for i, text in zip(segments, lists.texts, strict=True)])

    def _new(self, lists: KBest) -> list[list[str]]:
        new: list[dict[str, None]] = [{} for _ in range(lists.n)]
        for segment, text in zip(lists.segment_of.tolist(), lists.texts, strict=True):
            if text not in self.known[segment]:
                new[segment][text] = None
        return [list(own) for own in new]

    def _learn(self, new: Sequence[Sequence[str]], progress: Progress | None) -> None:
        longest = max(map(len, new))
        for rank in range(longest):
            segments = tuple(own[rank] if rank < len(own) else "" for own in new)
            values = self._extract(Outputs(f"hypothesis {rank + 1}", segments)).values
            for i, own in enumerate(new):
                if rank < len(own):
                    self.known[i][own[rank]] = values[i]
            if progress is not None:
                progress(f"statistics for {self.target.title}", rank + 1, longest)

    def instances(self, lists: KBest, features: Floats, progress: Progress | None = None) -> Instances:
        """The lists as methods learn from them, with these features (H, F)."""
        return instances(lists, features, self.of(lists, progress), self.target)

    def extracted(self, segments: Sequence[str]) -> Floats:
        """The statistics (n, K) of one output."""
        return self._extract(Outputs("output", tuple(segments))).values

    def of_values(self, system: str, run: str, values: Floats) -> SufficientStatistics:
        """These statistics (n, K) as those of a system."""
        target, references = self.target, self.testset.references
        outputs = Outputs(system, ("",) * len(values), run)
        signature = target.metric.signature(references, target.options)
        return metrics.from_values(target.metric, target.options, outputs, values, signature, references)


def rows(lists: KBest, testset: Testset, target: Target, progress: Progress | None = None) -> Floats:
    """The statistics (H, K) of every hypothesis; raises as `Rows.of`."""
    return Rows(testset, target).of(lists, progress)


def instances(lists: KBest, features: Floats, statistics: Floats, target: Target) -> Instances:
    """The lists as methods learn from them, with these features (H, F) and statistics (H, K)."""
    return Instances(
        features=features,
        statistics=statistics,
        quality=target.quality(statistics),
        offsets=lists.offsets,
        objective=target.objective,
        cost=background_bleu if target.is_bleu else None,
    )
