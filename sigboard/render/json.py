"""Results as one JSON shape for all studies; undefined numbers are null."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sigcore import CompareResult, MatrixResult, MismatchError, Setup, Side, Undefined
from sigcore import results as families
from sigcore.formatting import format_draws, format_units
from sigcore.results import Fields, Judged, as_json, plain
from sigcore.results.documents import COMPARE_DOCUMENT, MATRIX_DOCUMENT, STUDY, Document

SHARED = ("systems", "n", "unit", "segments", "resamples", "seed", "alternative")


def matrix_json(results: Sequence[MatrixResult], warnings: Sequence[str] = ()) -> dict[str, Any]:
    """The pairwise results of one set of systems, ready for `json.dumps(..., allow_nan=False)`.

    Raises: Undefined if there is no result; MismatchError if the results do not belong together.
    """
    return together(MATRIX_DOCUMENT, [Document(item.systems, item.setup, (item,)) for item in results], warnings)


def compare_json(
    results: Sequence[CompareResult], warnings: Sequence[str] = (), side: Side | None = None
) -> dict[str, Any]:
    """The results of one pair in the shape of `matrix_json`, each test with its interval and its null.

    One object per metric and test on that side (the side of the first test if it is None). The p of
    baseline over system is that of the same test on the other side, null if that was not run. `family` says that a
    test alone is a single planned comparison, {"tests": 1, "pairs": 1, "correction": "none", "planned": true}; of k
    tests each is one of {"tests": k, "pairs": 1, "correction": "none", "planned": false}.

    Raises: Undefined if no test was run on that side; MismatchError if the results do not belong together.
    """
    sides = [item.setup.side for result in results for item in result.results]
    side = side or (sides[0] if sides else "two-sided")
    tests = {(item.setup.metric, item.setup.test) for one in results for item in one.results if item.setup.side == side}
    family = families.of_command(len(tests))
    documents = []
    for result in results:
        drawn = max((item.setup.resamples for item in result.results), default=result.setup.resamples)
        items = tuple(Judged(result, item, family=family) for item in result.results if item.setup.side == side)
        setup = replace(result.setup, resamples=drawn, side=side)
        documents.append(Document((result.system, result.baseline), setup, items))
    return together(COMPARE_DOCUMENT, documents, warnings)


def together(fields: Fields, documents: Sequence[Document], warnings: Sequence[str]) -> dict[str, Any]:
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


def of_setup(setup: Setup, systems: Sequence[str]) -> dict[str, Any]:
    """How the p-values of a study of partial or drawn test sets were made, as the top of its JSON."""
    return as_json(STUDY, Document(tuple(systems), setup, ()))


def design(setup: Setup) -> str:
    """How the p-values were made, in one line."""
    units = format_units(setup.n, setup.unit, setup.segments)
    return f"{setup.test_title}, {setup.side}, n = {units}, {format_draws(setup.resamples, setup.seed)}"
