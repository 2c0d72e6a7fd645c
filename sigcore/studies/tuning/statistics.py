"""Statistics of every hypothesis under a metric, by the metric's own extraction, and its quality alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from sigcore import metrics, readers
from sigcore.data import Collection
from sigcore.errors import MismatchError, OptionError, Undefined
from sigcore.formatting import count, listed
from sigcore.kbest import sparse
from sigcore.kbest.instances import Instances
from sigcore.kbest.lists import KBest
from sigcore.kbest.network import NAME, BigramModel
from sigcore.kbest.sentence_bleu import Variant, background_bleu, bleu_plus_one
from sigcore.kbest.sparse import Features, Sparse
from sigcore.metrics import Metric
from sigcore.sufficient import SufficientStatistics, oriented
from sigcore.testset import Outputs, Testset
from sigcore.types import Better, Floats, Progress, Value


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
        better: str = "automatic",
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
    def better(self) -> Better:
        """Which values of the metric are better."""
        return self.metric.better_of(self.options)

    @property
    def is_bleu(self) -> bool:
        """Whether the metric is BLEU, which has its own quality of one hypothesis."""
        return self.metric.name == "bleu"

    def objective(self, sums: Floats) -> Floats:
        """The metric of sums (..., K), oriented so that larger is better."""
        return oriented(np.asarray(self.metric.score(sums, self.options)), self.better)

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
            return oriented(quality, self.better)
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
            raise uneven(lists, self.testset.n, self.testset.name)
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

    def instances(self, lists: KBest, features: Features, progress: Progress | None = None) -> Instances:
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


def uneven(lists: KBest, n: int, name: str = "the reference") -> MismatchError:
    """The error for lists and references of different numbers of segments."""
    what = f"{lists.name} has lists for {count(lists.n, 'segment')}, {name} has {count(n, 'segment')}."
    fix = "Give one reference for each list."
    if lists.start and lists.n + 1 == n:
        fix = "The list counts from 1. If it lacks a segment 0, leave the first reference out; if it lacks the last one, that one."
    return MismatchError(what, lists.name, fix)


def rows(lists: KBest, testset: Testset, target: Target, progress: Progress | None = None) -> Floats:
    """The statistics (H, K) of every hypothesis; raises as `Rows.of`."""
    return Rows(testset, target).of(lists, progress)


def instances(lists: KBest, features: Features, statistics: Floats, target: Target) -> Instances:
    """The lists as methods learn from them, with these features (H, F) and statistics (H, K)."""
    return Instances(
        features=features,
        statistics=statistics,
        quality=target.quality(statistics),
        offsets=lists.offsets,
        objective=target.objective,
        cost=background_bleu if target.is_bleu else None,
    )


# Features that need no model: length, ratio of lengths, and agreement with the other hypotheses of a list.

BuiltIn = Literal["words", "length_ratio", "consensus_chrf", "consensus_bleu"]
BUILT_IN: tuple[BuiltIn, ...] = get_args(BuiltIn)

# The different texts of a list that every hypothesis is compared with; the time grows with their number.
EVIDENCE = 20


def with_built_in(
    lists: KBest, names: Sequence[str], sources: Sequence[str] = (), progress: Progress | None = None
) -> KBest:
    """The lists with these features added; one that is already there stays as it is.

    words: number of words. length_ratio: log of characters over those of the source. consensus_chrf and
    consensus_bleu: mean chrF (0 to 1) or BLEU+1 with the other different texts of the list, each as the reference, at
    most EVIDENCE of them, the first ones; 0 where there are no others.

    Raises: OptionError for another name; Undefined for a ratio without sources.
    """
    makers: dict[str, Callable[[], Floats]] = {
        "words": lambda: np.array([float(len(text.split())) for text in lists.texts]),
        "length_ratio": lambda: _ratios(lists, sources),
        "consensus_chrf": lambda: _consensus(lists, "chrf", progress),
        "consensus_bleu": lambda: _consensus(lists, "bleu", progress),
    }
    for name in dict.fromkeys(names):
        if name not in makers:
            raise OptionError(f"{name!r} is not a built-in feature.", "", f"Choose from: {', '.join(BUILT_IN)}.")
        if name not in lists.names:
            lists = lists.with_features([name], makers[name]()[:, None])
    return lists


def with_language_model(lists: KBest, model: BigramModel) -> KBest:
    """The lists with the log probability of every hypothesis as a feature; one of that name stays as it is."""
    if NAME in lists.names:
        return lists
    scores = {text: model.score(text) for text in dict.fromkeys(lists.texts)}
    return lists.with_features([NAME], np.array([[scores[text]] for text in lists.texts]))


@dataclass(frozen=True)
class Described:
    """A feature of lists as they are: mean, standard deviation and ends over all hypotheses, and the share of the lists in
    which it varies, so that it can decide."""

    name: str
    mean: float
    deviation: float
    low: float
    high: float
    varies: float


def described(lists: KBest) -> tuple[Described, ...]:
    """Every feature of the lists, before anything is tuned."""
    means, deviations = sparse.moments(lists.features)
    low, high = sparse.ends(lists.features)
    shares = sparse.varying(lists.features, lists.offsets[:-1]) / lists.n
    columns = (part.tolist() for part in (means, deviations, low, high, shares))
    return tuple(Described(name, *own) for name, *own in zip(lists.names, *columns, strict=True))


def _ratios(lists: KBest, sources: Sequence[str]) -> Floats:
    if len(sources) != lists.n:
        raise Undefined("length_ratio needs the sources.", lists.name, "Load them, or leave this feature out.")
    lengths = [max(len(source), 1) for source in sources]
    return np.array(
        [
            math.log(max(len(text), 1) / lengths[i])
            for i, text in zip(lists.segment_of.tolist(), lists.texts, strict=True)
        ]
    )


def _consensus(lists: KBest, name: str, progress: Progress | None) -> Floats:
    """The mean score of every hypothesis with the others as references, (H,)."""
    texts = [list(dict.fromkeys(lists.texts[a:b])) for a, b in zip(lists.offsets, lists.offsets[1:], strict=False)]
    longest = max(map(len, texts))
    sums, counts = np.zeros((lists.n, longest)), np.zeros((lists.n, longest))
    evidence = min(longest, EVIDENCE)
    for other in range(evidence):
        has = [i for i, own in enumerate(texts) if other < len(own)]
        scores = _scores([texts[i] for i in has], other, name)  # (lists that have it, longest)
        counted = np.isfinite(scores)
        sums[has, : scores.shape[1]] += np.where(counted, scores, 0.0)
        counts[has, : scores.shape[1]] += counted
        if progress is not None:
            progress(f"agreement by {name}", other + 1, evidence)
    mean = sums / np.maximum(counts, 1)
    places = [{text: k for k, text in enumerate(own)} for own in texts]
    return np.array([mean[i, places[i][text]] for i, text in zip(lists.segment_of.tolist(), lists.texts, strict=True)])


def _scores(texts: Sequence[Sequence[str]], other: int, name: str) -> Floats:
    """The score (lists, longest) of every text with text number `other` of its list as the reference; nan for itself and
    behind the end of a list."""
    metric = metrics.get(name)
    options = metric.chosen({"tokenize": "13a"} if name == "bleu" else {})
    references = (tuple(own[other] for own in texts),)
    extract = metrics.extractor(metric, Testset("others", "text", len(texts), references), options)
    scores = np.full((len(texts), max(map(len, texts))), np.nan)
    for rank in range(scores.shape[1]):
        values = extract(Outputs("own", tuple(own[rank] if rank < len(own) else "" for own in texts))).values
        score = bleu_plus_one(values) if name == "bleu" else np.nan_to_num(metric.score(values, options)) / 100
        counted = np.array([rank < len(own) and rank != other for own in texts])
        scores[counted, rank] = score[counted]
    return scores


# The test set of k-best lists: their references, checked with the first hypotheses.

ALONE = "only one system"


def with_references(lists: KBest, references: Collection, file: str) -> tuple[Testset, list[str]]:
    """The test set of the references (with the sources and documents beside them), and warnings about it.

    The first hypotheses of the lists, from this `file`, become its only system. Without references the test set can only
    be tuned for a column.

    Raises: SigError for everything that is wrong in the files, such as another number of segments.
    """
    first = lists.outputs(lists.offsets[:-1])
    item = readers.Item(lists.name, "system", "text", first, file, "the first hypotheses")
    lengths = {len(one.segments) for one in references.items if one.role == "reference"}
    if not lengths:
        streams = {one.role: one.segments for one in references.items}
        sources, documents = streams.get("source", ()), streams.get("documents", ())
        return Testset(references.name, "text", lists.n, (), sources, (), documents), []
    if len(lengths) == 1 and lengths != {lists.n}:
        raise uneven(lists, lengths.pop())
    references.add_intake(readers.Intake((item,)))
    references.select(kind="text")
    loaded = references.sound()
    findings = [finding for severity in ("warning", "note") for finding in loaded.of(severity)]
    # the first hypotheses are the only system here, and what they are compared with is made from the lists
    return loaded.testset, [str(finding) for finding in findings if ALONE not in finding.what]


# The weights that tuning begins with.

EXACT = 1e-3  # how far weights may miss the scores of a list, relative to their spread, to be those that gave them


def named_start(start: Mapping[str, float], lists: KBest, notes: list[str]) -> Floats:
    """The weights by name for the features of the lists, 0 where there is none, with a note on those not used.

    Raises: Undefined where none of them names a feature.
    """
    known = set(lists.names)
    unknown = [name for name in start if name not in known]
    if len(unknown) == len(start):
        what = f"No start weight names a feature of {lists.name}."
        raise Undefined(what, lists.name, f"The features are {listed(lists.names)}.")
    if unknown:
        what = f"{count(len(unknown), 'start weight')} not used, as the lists have no such feature"
        notes.append(f"{what}: {listed(unknown)}.")
    return np.array([start.get(name, 0.0) for name in lists.names])


RANDOM = "Tuning begins with random weights of z-scores, uniform in [-1, 1], other ones in each replicate."


def start_of(lists: KBest, notes: list[str]) -> Floats:
    """The weights that reproduce the scores of the lists up to a constant, if there are such; else 0, as for sparse
    features, which have many such weights."""
    zero = np.zeros(len(lists.names))
    if isinstance(lists.features, Sparse):
        notes.append(
            "Tuning begins with weights of 0; sparse features are usually tuned from the weights of fewer ones."
        )
        return zero
    spread = float(lists.scores.std()) if np.isfinite(lists.scores).all() else 0.0
    if not spread:
        return zero
    centred = lists.features - lists.features.mean(axis=0)
    scores = lists.scores - lists.scores.mean()
    weights = np.linalg.lstsq(centred, scores, rcond=None)[0]
    if np.abs(centred @ weights - scores).max() > EXACT * spread:
        return zero
    notes.append("Tuning begins with the weights that reproduce the scores of the list.")
    return np.asarray(weights)
