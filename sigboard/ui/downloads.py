"""Download buttons for what is on the screen, as CSV, JSON or text; pressing one does not rerun the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from sigboard.reports import json as reports_json
from sigboard.reports import tables
from sigboard.ui import columns, page
from sigcore import Collection, CompareResult, Setup, data

__all__ = [
    "as_json",
    "as_text",
    "compare_json",
    "csv",
    "file_name",
    "histogram_rows",
    "later",
    "matrix_json",
    "small",
    "table",
    "tables",
    "warned",
]

SMALL = 40  # rows that may wrap
MIMES = {
    "json": "application/json",
    "html": "text/html",
    "svg": "image/svg+xml",
    "sigboard": "application/octet-stream",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}
compare_json, matrix_json = reports_json.compare_json, reports_json.matrix_json


def warned(collection: Collection, notes: Sequence[str] = ()) -> list[str]:
    """The warnings of a file of results: those on the files that are loaded, as the terminal gives them, and these notes."""
    return list(dict.fromkeys([*data.warnings(collection.notices, collection.loaded()), *notes]))


def histogram_rows(result: CompareResult) -> list[dict[str, Any]]:
    """The histograms of all tests, one row per bin."""
    rows = []
    for one in {item.setup.test: item for item in result.results}.values():
        edges = one.histogram.edges
        for low, high, count in zip(edges[:-1], edges[1:], one.histogram.counts, strict=True):
            rows.append({"test": one.setup.test, "from": float(low), "to": float(high), "resamples": int(count)})
    return rows


def file_name(*parts: str) -> str:
    """A file name of plain letters and digits, made of the parts."""
    clean = (re.sub(r"[^A-Za-z0-9.]+", "-", part).strip("-.") for part in parts)
    return "_".join(part for part in clean if part) or "sigboard"


Content = Mapping[str, Any]
Rows = Sequence[Content]


def csv(label: str, rows: Rows | Callable[[], Rows], name: str) -> None:
    """A button for the rows as CSV, which is written when the button is pressed, by then with the rows of a function."""
    st.download_button(
        label,
        lambda: tables.to_csv(rows() if callable(rows) else rows),
        f"{name}.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
        key=f"csv.{name}",
    )


def as_json(label: str, content: Content | Callable[[], Content], name: str) -> None:
    """A button for a result as JSON, which is written when the button is pressed, by then with the content of a function."""
    st.download_button(
        label,
        lambda: json.dumps(content() if callable(content) else content, ensure_ascii=False, allow_nan=False, indent=1),
        f"{name}.json",
        "application/json",
        on_click="ignore",
        icon=":material/download:",
        key=f"json.{name}",
    )


def later(label: str, make: Callable[[], str | bytes], name: str, suffix: str) -> None:
    """A button for a file that is made when the button is pressed."""
    st.download_button(
        label,
        make,
        f"{name}.{suffix}",
        MIMES.get(suffix, "text/plain"),
        on_click="ignore",
        icon=":material/download:",
        key=f"{suffix}.{name}",
    )


def as_text(label: str, make: Callable[[], str], name: str) -> None:
    """A button for a text file that is made when the button is pressed; the name includes the suffix."""
    st.download_button(
        label, make, name, "text/plain", on_click="ignore", icon=":material/download:", key=f"text.{name}"
    )


def table(rows: Sequence[Mapping[str, Any]], setup: Setup | None = None, /, **more: Any) -> None:
    """Rows as a table that can be sorted and searched; names are shown literally, undefined cells are "n/a".

    Known columns have a readable heading. With the `setup` of a result, its p are written as everywhere else, and
    scores and gains have the decimals of the metric.
    """
    frame = pd.DataFrame([columns.written(row, setup.resamples) for row in rows] if setup else list(rows))
    shown = columns.configure(map(str, frame.columns), setup.decimals if setup else None) | more
    st.dataframe(
        frame.replace([np.inf, -np.inf], np.nan),
        hide_index=True,
        width="stretch",
        column_config=shown,
        placeholder="n/a",
    )


def small(rows: Sequence[Mapping[str, Any]]) -> None:
    """A few written rows as `table`; on a narrow screen their cells wrap, so that no column is cut off."""
    if not page.phone() or len(rows) > SMALL:
        table(rows)
        return
    cells = [{page.literal(str(name)): page.literal(str(value)) for name, value in row.items()} for row in rows]
    st.table(pd.DataFrame(cells), hide_index=True, border="horizontal")
