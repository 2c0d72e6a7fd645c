"""Tables 1 and 2 of Graham et al. 2014: all 72 cells, and what the paper says of differences, follow from the counts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sigcore.studies.human import result

TABLES = json.loads((Path(__file__).parent / "graham2014.tables.json").read_text(encoding="utf-8"))["tables"]
CELLS = [(table["table"], table["pairs"], *cell) for table in TABLES for cell in table["cells"]]


def test_all_cells_are_there():
    """Two tables of three levels, four metrics and three tests."""
    assert len(CELLS) == 72
    assert len({cell[:5] for cell in CELLS}) == 72


@pytest.mark.parametrize("cell", CELLS, ids=lambda c: f"T{c[0]}-{c[2]}-{c[3]}-{c[4]}")
def test_cell_as_printed(cell):
    """Accuracy and both limits of the exact interval, as the accuracy table has them, round to the printed digit."""
    _, pairs, _, _, _, correct, percent, low, high = cell
    assert [round(value, 1) for value in result.percent(correct, pairs)] == [percent, low, high]


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t["languages"])
@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.001])
@pytest.mark.parametrize("test", ["paired_bootstrap", "bootstrap_shift", "approximate_randomization"])
def test_no_metric_is_shown_to_differ(table, alpha, test):
    """The paper finds no significant difference between metrics by chi-square, at any level under any test."""
    counts = [cell[3] for cell in table["cells"] if (cell[0], cell[2]) == (alpha, test)]
    value, df, p = result.chi_square(np.array(counts), table["pairs"])
    assert df == 3
    assert value < 1.5
    assert p > 0.68
