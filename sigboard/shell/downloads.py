"""Download buttons for what is on the screen, as CSV, JSON or text; pressing one does not rerun the page."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from sigboard.render import tables
from sigboard.shell import page
from sigcore import Collection, CompareResult, Setup, data
from sigcore.formatting import format_p, format_p_interval
from sigcore.results import Fields
from sigcore.results import rows as field_rows
from sigcore.types import Json, Row

# Headings and number formats of tables on the screen; files use the plain column names.

HEADINGS = tomllib.loads(Path(__file__).with_name("headings.toml").read_text("utf-8"))
SCORES = (
    "score", "baseline_score", "gain_low", "gain_high", "interval_low", "interval_high", "cutoff_low", "cutoff_high",
)  # fmt: skip
FORMATS = {"confidence": "%.6g", "design_effect": "%.2f"}


def written(row: Mapping[str, Any], resamples: int) -> Row:  # Any: a row that is read
    """The row with its p-values as they are written everywhere; the two ends of the interval of p become one column.

    Texts of p in decimals are sorted as their numbers are.
    """
    cells: Row = {}
    drawn = int(row.get("resamples", resamples))
    for name, value in row.items():
        if name in ("p_value", "adjusted"):
            high = row.get(f"{name.removesuffix('_value')}_high", math.nan)
            cells[name] = format_p(value, drawn, high)
        elif name == "p_low":
            cells["p_interval"] = format_p_interval((value, row["p_high"]), drawn)
        elif name not in ("p_high", "adjusted_low", "adjusted_high"):
            cells[name] = value
    return cells


def configure(columns: Iterable[str], decimals: int | None = None) -> dict[str, ColumnConfig]:
    """The column_config of those columns that have a heading; scores and gains use `decimals` if given."""
    configured = dict[str, ColumnConfig]()
    for name in columns:
        if name in HEADINGS:
            label, help_text = HEADINGS[name]
            form = _format(name, decimals)
            kind: Any = st.column_config.NumberColumn if form else st.column_config.Column
            configured[name] = kind(label, help=help_text or None, **({"format": form} if form else {}))
    return configured


def _format(name: str, decimals: int | None) -> str:
    if decimals is not None and name in (*SCORES, "gain"):
        return f"%{'+' if name == 'gain' else ''}.{decimals}f"
    return FORMATS.get(name, "")


SMALL = 40  # rows that may wrap
MIMES = {
    "csv": "text/csv", "json": "application/json", "html": "text/html", "svg": "image/svg+xml",
    "sigboard": "application/octet-stream", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip", "parquet": "application/vnd.apache.parquet", "npz": "application/octet-stream",
}  # fmt: skip


def warned(collection: Collection, notes: Sequence[str] = ()) -> list[str]:
    """The warnings of a file of results: those on the files that are loaded, as the terminal gives them, and these notes."""
    return list(dict.fromkeys([*data.warnings(collection.notices, collection.loaded()), *notes]))


def histogram_rows(result: CompareResult) -> list[Row]:
    """The histograms of all tests, one row per bin."""
    rows: list[Row] = []
    for one in {item.setup.test: item for item in result.results}.values():
        edges = one.histogram.edges
        for low, high, count in zip(edges[:-1], edges[1:], one.histogram.counts, strict=True):
            rows.append({"test": one.setup.test, "from": float(low), "to": float(high), "resamples": int(count)})
    return rows


def file_name(*parts: str) -> str:
    """A file name of plain letters and digits, made of the parts."""
    clean = (re.sub(r"[^A-Za-z0-9.]+", "-", part).strip("-.") for part in parts)
    return "_".join(part for part in clean if part) or "sigboard"


Content = Mapping[str, Json]
Rows = Sequence[Content]


def csv(label: str, rows: Callable[[], Rows], name: str) -> None:
    """A button for the rows as CSV, which are made when the button is pressed."""
    later(label, lambda: tables.to_csv(rows()), name, "csv")


def as_json(label: str, content: Callable[[], Content], name: str) -> None:
    """A button for a result as JSON, which is made when the button is pressed."""
    later(label, lambda: json.dumps(content(), ensure_ascii=False, allow_nan=False, indent=1), name, "json")


def later(label: str, make: Callable[[], str | bytes], name: str, suffix: str) -> None:
    """A button for a file that is made when the button is pressed."""
    mime, icon = MIMES.get(suffix, "text/plain"), ":material/download:"
    st.download_button(label, make, f"{name}.{suffix}", mime, on_click="ignore", icon=icon, key=f"{suffix}.{name}")


def table(rows: Sequence[Mapping[str, Json]], setup: Setup | None = None, /, **more: Any) -> None:
    """Rows as a table that can be sorted and searched; names are shown literally, undefined cells are "n/a".

    Known columns have a readable heading. With the `setup` of a result, its p are written as everywhere else, and
    scores and gains have the decimals of the metric.
    """
    frame = pd.DataFrame([written(row, setup.resamples) for row in rows] if setup else list(rows))
    shown = configure(map(str, frame.columns), setup.decimals if setup else None) | more
    st.dataframe(
        frame.replace([np.inf, -np.inf], np.nan),
        hide_index=True,
        width="stretch",
        column_config=shown,
        placeholder="n/a",
    )


def records(fields: Fields, items: Sequence[Any], /, **more: Any) -> None:
    """The records as `table`, their p as everywhere else."""
    p = [field for field in fields if field.data and field.unit in ("p", "exact p")]
    cells = [{field.name: field.cell(item) for field in p} for item in items]
    table([row | own for row, own in zip(field_rows(fields, items), cells, strict=True)], **more)


def small(rows: Sequence[Mapping[str, Json]]) -> None:
    """A few written rows as `table`; on a narrow screen their cells wrap, so that no column is cut off."""
    if not page.phone() or len(rows) > SMALL:
        table(rows)
        return
    cells = [{page.literal(str(name)): page.literal(str(value)) for name, value in row.items()} for row in rows]
    st.table(pd.DataFrame(cells), hide_index=True, border="horizontal")
