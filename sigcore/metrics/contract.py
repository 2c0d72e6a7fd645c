"""What every metric is: statistics per segment, the score of their sum, options as data, a source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from sigcore.errors import MismatchError, SigError
from sigcore.registry import Option, Value, format_options, read_options
from sigcore.sufficient import SufficientStatistics
from sigcore.testset import Outputs, Testset
from sigcore.types import Better, Floats, Kind

Options = Mapping[str, Value]
Done = Callable[[int], None]
References = Sequence[Sequence[str]]


def _same(references: References, options: Options) -> Any:
    return references


@dataclass(frozen=True)
class Metric:
    """One metric.

    `statistics(segments, prepared, options, done)` gives (n, K); `prepared` is what `prepare(references,
    options)` gave, once for all systems (the references themselves where there is no `prepare`), and `done(k)`
    may be called now and then with the number of finished segments. `score(sums (..., K), options)` gives (...).
    `columns`, `better` and `title` are fixed, or functions of the options. `describe(references, options)` is a
    signature in the field's own words. `remarks(rows by system, options)` are sentences on the rows (n, K) that must
    reach whoever reads the scores, such as segments that were left out.

    As a rule a row depends on one segment alone. `whole_references` says that it depends on all references of the
    test set too (weights, classes), never on other outputs. Where the references even decide which columns there are,
    `columns_from(references, options)` gives them, and `columns` the names that people read about. `notes` are
    paragraphs for the documents.

    `decimals` is how many decimals scores and gains are printed with, fixed or a function of the options: 2 where the
    field counts to a hundred, 4 where scores lie around 0 to 1 or nothing is known about them. What is handed out as
    CSV or JSON is never rounded.
    """

    name: str
    title: str | Callable[[Options], str]
    kind: Kind
    better: Better | Callable[[Options], Better]
    columns: tuple[str, ...] | Callable[[Options], tuple[str, ...]]
    statistics: Callable[[Sequence[str], Any, Options, Done | None], Floats]
    score: Callable[[Floats, Options], Floats]
    source: str
    options: tuple[Option, ...] = ()
    prepare: Callable[[References, Options], Any] = _same
    describe: Callable[[References, Options], str] | None = None
    remarks: Callable[[Mapping[str, Floats], Options], Sequence[str]] | None = None
    help: str = ""
    decimals: int | Callable[[Options], int] = 2
    whole_references: bool = False
    columns_from: Callable[[References, Options], tuple[str, ...]] | None = None
    notes: str = ""

    def chosen(self, given: Mapping[str, object] | None = None) -> dict[str, Value]:
        """All options with their values (OptionError for an unknown one or a bad value)."""
        return read_options(self.name, self.options, given or {})

    def title_of(self, options: Options) -> str:
        """The metric's name as the field writes it."""
        return self.title if isinstance(self.title, str) else self.title(options)

    def better_of(self, options: Options) -> Better:
        """ "higher" or "lower"."""
        return self.better if isinstance(self.better, str) else self.better(options)

    def decimals_of(self, options: Options) -> int:
        """How many decimals scores and gains are printed with."""
        return self.decimals if isinstance(self.decimals, int) else self.decimals(options)

    def columns_of(self, options: Options, references: References | None = None) -> tuple[str, ...]:
        """The names of the K statistics; without references those for the documents."""
        if self.columns_from is not None and references is not None:
            return self.columns_from(references, options)
        return self.columns if isinstance(self.columns, tuple) else self.columns(options)

    def signature(self, references: References, options: Options) -> str:
        """Everything that says how the statistics were made."""
        if self.describe is not None:
            return self.describe(references, options)
        settings = format_options(self.options, options)
        return "|".join(part for part in (self.name, f"refs:{len(references)}", settings) if part)


def settings(name: str, options: Options) -> str:
    """A signature with every option, also those at their default."""
    return "|".join([name, *(f"{option}:{value}" for option, value in options.items())])


def only_reference(references: References, title: str) -> Sequence[str]:
    """The one gold stream of a metric that cannot use more (MismatchError where there is none, or a second)."""
    if len(references) != 1:
        raise MismatchError(
            f"{title} takes one gold answer per segment, {len(references)} are loaded.",
            "",
            "Set the role of one file to reference, and of the others to ignored.",
        )
    return references[0]


def percent(part: Floats, whole: Floats) -> Floats:
    """100 part / whole, and nan where there is no whole."""
    return np.where(whole > 0, 100.0 * part / np.where(whole > 0, whole, 1.0), np.nan)


def extractor(metric: Metric, testset: Testset, options: Options) -> Callable[..., SufficientStatistics]:
    """A function (outputs, done=None) -> SufficientStatistics that has read the references once.

    Raises: MismatchError where the metric and the test set, or the lengths, do not fit.
    """
    if metric.kind != testset.kind:
        raise MismatchError(
            f"{metric.title_of(options)} needs {metric.kind}, {testset.name} holds {testset.kind}.",
            testset.name,
            "Choose another metric, or other files.",
        )
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


def _score(score: Callable[[Floats, Options], Floats], options: Options, sums: Floats) -> Floats:
    return np.asarray(score(np.asarray(sums, dtype=np.float64), options))


def from_values(
    metric: Metric,
    options: Options,
    outputs: Outputs,
    values: Floats,
    signature: str,
    references: References | None = None,
) -> SufficientStatistics:
    """Statistics (n, K) that were made before, with the score and the direction that belong to them."""
    return SufficientStatistics(
        system=outputs.system,
        run=outputs.run,
        columns=metric.columns_of(options, references),
        values=values,
        score=partial(_score, metric.score, dict(options)),
        better=metric.better_of(options),
        signature=signature,
    )
