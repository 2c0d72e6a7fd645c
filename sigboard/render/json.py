"""The JSON of a grid, and that of a pair in the same shape: what a command writes at the top, and of each metric and test."""

from __future__ import annotations

import math
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sigcore import CompareResult, MatrixResult, MismatchError, Setup, Side, SigError, TestResult, Undefined
from sigcore import results as families
from sigcore.formatting import draws_of, format_units
from sigcore.results import (
    ABSENT,
    DIRECTED,
    FAMILY,
    SEVERAL,
    TESTS,
    Families,
    Field,
    Fields,
    Judged,
    Several,
    as_json,
    from_toml,
    of_matrix,
    plain,
)
from sigcore.studies import strip
from sigcore.types import Row


def environment() -> str:
    """The versions of Python and numpy of this process."""
    return f"Python {platform.python_version()}, numpy {np.__version__}"


# What every result says of how it was made, and what the JSON of each metric and test begins with.
SETUP = from_toml(__file__, "setup", unit={"of": lambda item: str(item.setup.unit)})
NAMED = from_toml(__file__, "named", DIRECTED, environment={"of": lambda _: environment()}, family={"fields": FAMILY})
WARNINGS = Field("warnings", "text[]", "Notes on the files and on the whole run.")
# The top of a study of partial or drawn test sets.
SYSTEMS = Field("systems", "text[]", "Names of the systems.")
STUDY = from_toml(
    __file__,
    "study",
    SYSTEMS,
    *NAMED.only("metric", "metric_title", "test", "test_title", "direction"),
    *SETUP.only("alternative", "n", "unit", "segments", "resamples", "seed"),
    *NAMED.only("signature", "environment"),
    NAMED["family"].read(lambda of: families.uncorrected(len(of.systems) * (len(of.systems) - 1) // 2, of.setup.side)),
)


@dataclass(frozen=True, eq=False)
class Document:
    """What one command writes: the systems, how the results were made, and the `results` themselves."""

    systems: tuple[str, ...]
    setup: Setup
    results: tuple[Any, ...]
    warnings: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    alpha: float = families.ALPHA
    baseline: str = ""
    strips: tuple[strip.StripResult, ...] = ()


# The JSON of a grid: its tables are S x S, the row minus the column; the diagonal is 0 for gains and 1 for p.

MATRIX = from_toml(
    __file__,
    "matrix",
    *NAMED.only("metric", "test", "signature", "environment"),
    *NAMED.only("metric_title", "test_title"),
    NAMED["family"].read(of_matrix),
    NAMED["direction"],
    NAMED["notes"],
)


def _both(of: Callable[[TestResult], float], corrected: bool = False) -> Callable[[Judged], Any]:
    """A number of the test and of the way back, perhaps after their correction, as a table of two systems."""

    def number(one: Judged, item: TestResult | None) -> float:
        return math.nan if item is None else of(one.families(item).decides(item) if corrected else item)

    def table(one: Judged) -> list[list[float]]:
        return [[1.0, number(one, one.item)], [number(one, one.back), 1.0]]

    return table


def _effect(one: Judged) -> list[list[float]] | None:
    """The design effect of the pair, the same in both directions, undefined on the diagonal."""
    effect = one.result.design_effect
    return None if effect is None else [[math.nan, effect], [effect, math.nan]]


def _intervals(one: Judged) -> list[list[tuple[float, float]]]:
    low, high = one.item.interval
    return [[(0.0, 0.0), (low, high)], [(-high, -low), (0.0, 0.0)]]


ENDS: tuple[Callable[[TestResult], float], ...] = (
    lambda t: t.p_value,
    lambda t: t.p_interval[0],
    lambda t: t.p_interval[1],
)
P, LOW, HIGH = map(_both, ENDS)
ADJUSTED, ADJUSTED_LOW, ADJUSTED_HIGH = (_both(of, corrected=True) for of in ENDS)
EQUIVALENCE = from_toml(__file__, "equivalence", verdict={"of": lambda one: one.item.equivalence.verdict(one.alpha)})
HISTOGRAM = from_toml(__file__, "histogram")
OF_RESULT = ("scores", "score_interval_method", "score_design_effect", "score_intervals", "notes")
COMPARE = from_toml(
    __file__,
    "compare",
    *MATRIX.only("metric", "test", "signature", "environment", "level", "metric_title", "test_title"),
    *MATRIX.only("estimator", "tie_rule", "better", "direction"),
    *TESTS.only("tail", "ties"),
    MATRIX["gains"].read(lambda one: [[0.0, one.item.gain], [-one.item.gain, 0.0]]),
    *MATRIX.reading(p_values=P, p_low=LOW, p_high=HIGH, gain_intervals=_intervals, design_effect=_effect),
    *MATRIX.reading(adjusted=ADJUSTED, adjusted_low=ADJUSTED_LOW, adjusted_high=ADJUSTED_HIGH, family="family"),
    *(MATRIX[name].read(f"item.{name}") for name in ("interval_method", "exact", "doubled")),
    *MATRIX.reading(p_exact="item.exact", correction="family.correction"),
    *(MATRIX[name].read(f"result.{name}") for name in OF_RESULT),
    equivalence={"of": lambda one: None if one.item.equivalence is None else one, "fields": EQUIVALENCE},
    histogram={"fields": HISTOGRAM},
)

MATRIX_DOCUMENT = Fields(
    "matrix",
    Field("systems", "text[]", "Names of the systems: the order of all rows and columns."),
    *SETUP,
    WARNINGS,
    Field("results", "object[]", "One for each metric and test.", fields=MATRIX),
    Field(
        "metrics",
        "object-",
        "Systems by metrics, and where metrics agree, under the first test; only of several metrics.",
        of=lambda document: Several.of(document.results, document.alpha, document.baseline),
        fields=SEVERAL,
    ),
)
STRIPS = Field(
    "strip",
    "object[]-",
    "The verdict strip of each metric; only with --strip.",
    of=lambda document: document.strips or ABSENT,
    fields=strip.STRIP,
)
COMPARE_DOCUMENT = Fields(
    "compare",
    Field("systems", "text[]", "The system and its baseline: the order of all rows and columns."),
    *SETUP,
    WARNINGS,
    Field("results", "object[]", "One for each metric and test on the side of `alternative`.", fields=COMPARE),
    STRIPS,
)

SHARED = ("systems", "n", "unit", "segments", "resamples", "seed", "alternative")


# Text of very many pairs: what reads it again needs several times as much memory, so it is refused before it is made.
MOST = 300 * 10**6  # bytes
PER_CELL = 150  # bytes in the JSON of a grid: ten numbers; a row of the CSV has two cells, and about 260


def too_large(systems: int, grids: int = 1, most: int = MOST) -> SigError | None:
    """The error for the pairs of so many systems as text, in so many grids; None where that has at most so many bytes."""
    size = PER_CELL * systems * systems * grids
    if size <= most:
        return None
    what = f"All pairs of {systems:,} systems are about {size // 10**6:,} MB of text, and at most {most // 10**6:,} MB are written."
    fix = "Write them as columns, with --npz FILE or --parquet FILE. The command rank writes the ranking alone."
    return SigError(what, "", fix)


def matrix_json(
    results: Sequence[MatrixResult], warnings: Sequence[str] = (), alpha: float = families.ALPHA, baseline: str = ""
) -> Row:
    """The pairwise results of one set of systems, ready for `json.dumps(..., allow_nan=False)`.

    Of several metrics, systems are marked against the `baseline` at alpha, and the agreement is that of the verdicts.

    Raises: Undefined if there is no result; MismatchError if the results do not belong together.
    """
    documents = [Document(item.systems, item.setup, (item,), alpha=alpha, baseline=baseline) for item in results]
    return together(MATRIX_DOCUMENT, documents, warnings)


def compare_json(
    results: Sequence[CompareResult],
    warnings: Sequence[str] = (),
    side: Side | None = None,
    in_family: Families | None = None,
    alpha: float = families.ALPHA,
    strips: Sequence[strip.StripResult] = (),
) -> Row:
    """The results of one pair in the shape of `matrix_json`, each test with its interval and its null.

    One object per metric and test on that side (the side of the first test if it is None). The p of
    baseline over system is that of the same test on the other side, null if that was not run. `in_family` says in which
    family each test is, and `alpha` decides about equivalence; None: one test alone is a single planned comparison, several are all tests of one command.
    `strips` are the verdict strips of the metrics.

    Raises: Undefined if no test was run on that side; MismatchError if the results do not belong together.
    """
    sides = [item.setup.side for result in results for item in result.results]
    side = side or (sides[0] if sides else "two-sided")
    tests = {(item.setup.metric, item.setup.test) for one in results for item in one.results if item.setup.side == side}
    whole = families.of_command(len(tests))
    documents = []
    for result in results:
        drawn = max((item.setup.resamples for item in result.results), default=result.setup.resamples)
        items = tuple(
            Judged(result, item, alpha, in_family or (lambda _: whole))
            for item in result.results
            if item.setup.side == side
        )
        setup = replace(result.setup, resamples=drawn, side=side)
        documents.append(Document((result.system, result.baseline), setup, items, strips=tuple(strips)))
    return together(COMPARE_DOCUMENT, documents, warnings)


def strips_json(strips: Sequence[strip.StripResult]) -> Row:
    """The verdict strips alone, as they are in the JSON of a pair."""
    return {"strip": [as_json(strip.STRIP, one) for one in strips]}


def together(fields: Fields, documents: Sequence[Document], warnings: Sequence[str]) -> Row:
    """The documents as one, with all of their results.

    Raises: Undefined if there is no result; MismatchError if the documents differ in what they share.
    """
    results = tuple(item for document in documents for item in document.results)
    if not results:
        raise Undefined("There is no result to write.", "", "Run at least one test on this side.")
    first = next((document for document in documents if document.setup.resamples), documents[0])
    for document in documents:
        for field in fields.only(*SHARED):
            here, there = field.value(first), field.value(document)
            if here != there and not (field.name == "resamples" and not there):  # an exact test draws none
                raise MismatchError(
                    f"Two results differ in {field.name}: {plain(here)} and {plain(there)}.",
                    "",
                    "Write results together only if they have the same systems and settings.",
                )
    return as_json(fields, replace(first, results=results, warnings=tuple(warnings)))


def of_setup(setup: Setup, systems: Sequence[str]) -> Row:
    """How the p-values of a study of partial or drawn test sets were made, as the top of its JSON."""
    return as_json(STUDY, Document(tuple(systems), setup, ()))


def design(setup: Setup) -> str:
    """How the p-values were made, in one line."""
    units = format_units(setup.n, setup.unit, setup.segments)
    return f"{setup.test_title}, {setup.side}, n = {units}, {draws_of(setup)}"
