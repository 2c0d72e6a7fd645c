"""Parts of the compare page: the family of the pair, the verdict in it, the other tests, and what is downloaded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import streamlit as st

from sigboard.reports import families as reports
from sigboard.reports import tables
from sigboard.ui import captions, downloads, origin, page, queries, session
from sigboard.ui.origin import Origin
from sigboard.ui.sidebar import Chosen
from sigcore import PLANNED, CompareResult, Family, MatrixResult, TestResult, families, significance, verdicts
from sigcore.rows import Row

PREFERRED = "approximate_randomization"  # holds its level with any number of units


def choose_family(visit: session.Visit) -> Origin:
    """The control that chooses the family."""
    return origin.choose(len(captions.systems(visit)))


@dataclass(frozen=True, eq=False)
class InFamily:
    """The family `of` the pair, and the grid it is from, if any."""

    of: Family
    grid: MatrixResult | None = None


def result(visit: session.Visit, system: str, baseline: str, source: Origin) -> CompareResult:
    """The pair under every test; as one of many, with as many resamples as the grid."""
    resamples = None if source == "planned" else queries.matrix_run(visit, whole=True).resamples
    return queries.compare_result(visit, system, baseline, resamples)


def family(visit: session.Visit, result: CompareResult, source: Origin) -> InFamily:
    """The family of the pair: the grid of the matrix page with its correction, all pairs uncorrected, or this pair alone."""
    if source == "grid":
        whole = queries.matrix_result(visit, whole=True)
        return InFamily(families.of_cell(whole, result.system, result.baseline), whole)
    if source == "planned":
        return InFamily(PLANNED)
    systems = len(captions.systems(visit))
    return InFamily(families.uncorrected(systems * (systems - 1) // 2, result.setup.side))


def _chosen(result: CompareResult, now: Chosen) -> TestResult:
    return result.result(now.test, now.settings.side)


def verdict(result: CompareResult, now: Chosen, family: InFamily) -> None:
    """The verdict of the chosen test in its family, as a sentence."""
    chosen = _chosen(result, now)
    captions.sentence(verdicts.verdict(chosen, now.alpha, family.of))
    few = chosen.setup.n < significance.FEW_UNITS or math.isnan(chosen.p_value)
    if few and significance.get(now.test).draws == "bootstrap":
        instead = verdicts.verdict(result.result(PREFERRED, now.settings.side), now.alpha, PLANNED)
        st.markdown(page.literal(f"Preferable with few units, for this pair alone: {instead}"))


def table(result: CompareResult, now: Chosen, family: InFamily) -> list[Row]:
    """All tests and sides, the chosen one marked, and what choosing among them would be; returns the rows."""
    st.subheader("All tests, two-sided and one-sided", anchor=False)
    st.caption(page.literal(f"{reports.OTHER_TESTS} The p-values in this table are not corrected."))
    rows = _marked(result, now, family.of)
    downloads.table(rows, result.setup)
    return rows


def _marked(result: CompareResult, now: Chosen, family: Family) -> list[Row]:
    """The rows of the tests with a column that marks the chosen one; its verdict is that of its family."""
    chosen, rows = _chosen(result, now), []
    for item, row in zip(result.results, tables.compare_rows(result, now.alpha), strict=True):
        if item is chosen and family.adjusted is not None:
            row["verdict"] = f"{tables.decision(family.decides(item), now.alpha)}, adjusted ({family.correction_title})"
        elif not family.planned:
            row["verdict"] = f"{row['verdict']}, uncorrected"
        rows.append({"chosen": "chosen" if item is chosen else "", **row})
    return rows


def content(result: CompareResult, now: Chosen, family: InFamily) -> dict[str, Any]:
    """The JSON of the pair, in its family."""
    alone = downloads.compare_json([result], result.notes, now.settings.side)
    if family.grid is not None:
        return reports.with_grid(alone, family.grid, result.system, result.baseline)
    return {**alone, "results": [{**item, "family": family.of.to_dict()} for item in alone["results"]]}


def methods(result: CompareResult, now: Chosen, family: InFamily) -> None:
    """The sentences for a paper: the test, and its family."""
    chosen = _chosen(result, now)
    captions.methods(chosen, now.alpha, reports.methods(family.of, chosen))
