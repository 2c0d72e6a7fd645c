"""The contract of metrics: statistics per segment, the score of their sum, options as data, a source."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from sigcore import registry
from sigcore.errors import MismatchError, OptionError, SigError
from sigcore.proof import NONE, Proof
from sigcore.registry import Option, format_options, read_options
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.text import compiled
from sigcore.text.bounds import Bound
from sigcore.text.compiled import Kernels, Report
from sigcore.types import Better, Direction, Floats, Kind, Value, Why

Options = Mapping[str, Value]
Done = Callable[[int], None]
References = Sequence[Sequence[str]]
Word = TypeVar("Word", bound=str)
Average = Literal["f", "precision", "recall"]
AVERAGES: tuple[Average, ...] = get_args(Average)


@dataclass(frozen=True)
class Swapped:
    """A quicker way to the scores of pairs whose units were swapped, with the bits of the usual one.

    `score(total (K, S), moved (K, S, B), left (P,), right (P,), options)` gives both scores (P, B), or None where only the usual
    way can; `kernels` are the loops that it uses.
    """

    kernels: Kernels
    score: Callable[..., tuple[Floats, Floats] | None]


@dataclass(frozen=True)
class Metric:
    """One metric: its statistics, their score, and everything the dashboard, the docs and the signature need.

    `statistics(segments, prepared, options, done)` returns (n, K). `prepared` is what `prepare(references, options)`
    returned, once for all systems; without `prepare` it is the references themselves. `done(k)` may be called from
    time to time with the number of finished segments. `score(sums (..., K), options)` returns (...).
    `columns`, `better` and `title` are fixed, or functions of the options. `describe(references, options)` is the
    signature in the usual form. `remarks(rows by system, options)` are sentences about the rows (n, K) that
    must be shown next to the scores, for example that segments were left out.

    Usually a row depends on one segment alone. `whole_references` says that it also depends on all references of
    the test set (weights, classes); it never depends on other outputs. Then `left_out(segments, prepared, options)` returns
    (n, K): what all other rows together change by when a segment and its references are gone. Where the references decide which columns
    there are, `columns_from(references, options)` returns them, and `columns` has the names for the docs.
    `notes` are paragraphs for the docs. `kernels` are the compiled loops that `prepare` uses where they are loaded,
    `swapped` scores pairs after swaps.
    `bounds` are those on the cost of one segment, which `statistics` enforces; a metric without any takes time and memory
    in proportion to the text.

    `decimals` is the number of decimals that scores and gains are printed with, fixed or a function of the options: 2
    for scores from 0 to 100, 4 for scores from 0 to 1 or on an unknown scale. CSV and JSON are never rounded.
    `proof` is the second route to the scores; a metric without one is refused.
    """

    name: str
    title: str | Callable[[Options], str]
    kind: Kind
    better: Better | Callable[[Options], Better | Direction]
    columns: tuple[str, ...] | Callable[[Options], tuple[str, ...]]
    statistics: Callable[[Sequence[str], Any, Options, Done | None], Floats]
    score: Callable[[Floats, Options], Floats]
    source: str
    options: tuple[Option, ...] = ()
    prepare: Callable[[References, Options], Any] = lambda references, options: references
    describe: Callable[[References, Options], str] | None = None
    remarks: Callable[[Mapping[str, Floats], Options], Sequence[str]] | None = None
    help: str = ""
    decimals: int | Callable[[Options], int] = 2
    whole_references: bool = False
    left_out: Callable[[Sequence[str], Any, Options], Floats] | None = None
    columns_from: Callable[[References, Options], tuple[str, ...]] | None = None
    notes: str = ""
    kernels: Kernels | None = None
    swapped: Swapped | None = None
    bounds: tuple[Bound, ...] = ()
    proof: Proof = field(default=NONE, repr=False, compare=False)

    def chosen(self, given: Mapping[str, object] | None = None) -> dict[str, Value]:
        """All options with their values.

        Raises: OptionError for an unknown option or a bad value.
        """
        return read_options(self.name, self.options, given or {})

    def title_of(self, options: Options) -> str:
        """The metric's name as the field writes it."""
        return self.title if isinstance(self.title, str) else self.title(options)

    def better_of(self, options: Options) -> Better:
        """ "higher" or "lower"."""
        return self.direction_of(options).better

    def why_of(self, options: Options) -> Why:
        """Who says so: the user, the name of the measure, or nobody."""
        return self.direction_of(options).why

    def direction_of(self, options: Options) -> Direction:
        """Which scores are better, and why: every metric knows it, only scores from elsewhere may have it assumed."""
        better = self.better if isinstance(self.better, str) else self.better(options)
        return better if isinstance(better, Direction) else Direction(better, "known")

    def decimals_of(self, options: Options) -> int:
        """The number of decimals that scores and gains are printed with."""
        return self.decimals if isinstance(self.decimals, int) else self.decimals(options)

    def columns_of(self, options: Options, references: References | None = None) -> tuple[str, ...]:
        """The names of the K statistics; without references, the names for the docs."""
        if self.columns_from is not None and references is not None:
            return self.columns_from(references, options)
        return self.columns if isinstance(self.columns, tuple) else self.columns(options)

    def signature(self, references: References, options: Options) -> str:
        """Every setting that the statistics depend on, as text."""
        if self.describe is not None:
            return self.describe(references, options)
        settings = format_options(self.options, options)
        return "|".join(part for part in (self.name, f"refs:{len(references)}", settings) if part)


def choice_of(options: Options, name: str, words: tuple[Word, ...]) -> Word:
    """The value of an option that is one of these words, as their type.

    Raises: OptionError for any other value.
    """
    for word in words:
        if word == options[name]:
            return word
    raise OptionError(f"{name} = {options[name]!r} is not one of its choices.", "", f"Choose from: {', '.join(words)}.")


def read_number(text: str) -> float:
    """The number of a text; nan for anything else."""
    try:
        # float() alone would also accept 1_000 and the digits of other scripts
        value = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def label(segment: str, options: Options) -> str:
    """A class label without whitespace at its ends, as it is compared."""
    return segment.strip().lower() if options["lowercase"] else segment.strip()


def settings(name: str, options: Options) -> str:
    """A signature with every option, also those at their default."""
    return "|".join([name, *(f"{option}:{value}" for option, value in options.items())])


def only_reference(references: References, title: str) -> Sequence[str]:
    """The one reference of a metric that cannot use several.

    Raises: MismatchError if there is none, or more than one.
    """
    if len(references) != 1:
        raise MismatchError(
            f"{title} needs one reference per segment; {len(references)} are loaded.",
            "",
            "Set the role of one file to reference and the role of the others to ignored.",
        )
    return references[0]


def percent(part: Floats, whole: Floats) -> Floats:
    """100 part / whole; nan where the whole is 0."""
    return np.where(whole > 0, 100.0 * part / np.where(whole > 0, whole, 1.0), np.nan)


def average(hits: Floats, own: Floats, gold: Floats, options: Options) -> Floats:
    """100 times the share of `hits` in both counts (F1), in the system's `own` (precision) or in `gold` (recall), as the option
    `average` says; nan where there is nothing to divide by."""
    name = choice_of(options, "average", AVERAGES)
    if name == "f":
        return percent(2 * hits, own + gold)
    return percent(hits, own if name == "precision" else gold)


def rate(sums: Floats, options: Options) -> Floats:
    """100 times the first of sums (..., 2) by the second; nan where the second is 0."""
    return percent(sums[..., 0], sums[..., 1])


def rows(segments: Sequence[str], prepared: Any, options: Options, done: Done | None) -> Floats:
    """The rows (n, K) of references that were read before."""
    found: Floats = prepared.rows(segments, done)
    return found


def extractor(
    metric: Metric, testset: Testset, options: Options, systems: int = 1, report: Report | None = None
) -> Callable[..., SufficientStatistics]:
    """A function (outputs, done=None) -> SufficientStatistics that has read the references once.

    Compiled kernels are loaded, and compiled if they must be, where that is worth it for that many `systems`; `report`
    receives how far that is.

    Raises: MismatchError if the metric does not fit the test set, or the lengths differ.
    """
    if metric.kind != testset.kind:
        raise MismatchError(
            f"{metric.title_of(options)} needs {metric.kind}; {testset.name} holds {testset.kind}.",
            testset.name,
            "Choose another metric, or other files.",
        )
    if metric.kernels is not None:
        work = systems * compiled.work(metric.kernels, testset.references[0])
        compiled.prepare(metric.kernels, work, metric.title_of(options), report)
    prepared = metric.prepare(testset.references, options)
    signature = metric.signature(testset.references, options)

    def extract(outputs: Outputs, done: Done | None = None) -> SufficientStatistics:
        if outputs.n != testset.n:
            raise MismatchError(f"{outputs.system} has {outputs.n} segments, {testset.name} has {testset.n}.")
        try:
            values = metric.statistics(outputs.segments, prepared, options, done)
        except SigError as error:
            error.where = ", ".join(part for part in (outputs.system, error.where) if part)
            raise
        return from_values(metric, options, outputs, values, signature, testset.references)

    return extract


@dataclass(frozen=True, eq=False)
class _Score:
    """The score of sums under these options, and the quicker way for swapped pairs."""

    score: Callable[[Floats, Options], Floats]
    options: Options
    quicker: Swapped | None

    def __call__(self, sums: Floats) -> Floats:
        return np.asarray(self.score(np.asarray(sums, dtype=np.float64), self.options))

    def prepare(self, pairs: int, report: Report | None) -> None:
        """Load the loops where it is worth that for this many pairs times shuffles."""
        if self.quicker is not None:
            compiled.prepare(self.quicker.kernels, pairs, "the scores of pairs", report)

    def swapped(self, *sums: Any) -> tuple[Floats, Floats] | None:
        """The scores of `Swapped`, None where there are none."""
        return None if self.quicker is None else self.quicker.score(*sums, self.options)


def from_values(
    metric: Metric,
    options: Options,
    outputs: Outputs,
    values: Floats,
    signature: str,
    references: References | None = None,
) -> SufficientStatistics:
    """Sufficient statistics made of values (n, K) that were computed before."""
    return SufficientStatistics(
        system=outputs.system,
        run=outputs.run,
        columns=metric.columns_of(options, references),
        values=values,
        score=_Score(metric.score, dict(options), metric.swapped),
        better=metric.better_of(options),
        signature=signature,
        why=metric.why_of(options),
    )


# What metrics.toml says of a metric: help, notes and source.
described = partial(registry.described, Path(__file__).with_name("metrics.toml"))
# Their options, as options.toml has them, with choices that a metric knows by itself.
options_of = partial(registry.options_of, Path(__file__).with_name("options.toml"))
