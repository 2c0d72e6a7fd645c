"""Tables 1 and 2 of Graham et al. 2014: all 72 cells follow from their counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sigcore.resampling.pvalues import clopper_pearson

TABLES = json.loads((Path(__file__).parent / "graham2014.tables.json").read_text(encoding="utf-8"))["tables"]
CELLS = [(table["table"], table["pairs"], *cell) for table in TABLES for cell in table["cells"]]


def test_all_cells_are_there():
    """Two tables of three levels, four metrics and three tests."""
    assert len(CELLS) == 72
    assert len({cell[:5] for cell in CELLS}) == 72


@pytest.mark.parametrize("cell", CELLS, ids=lambda c: f"T{c[0]}-{c[2]}-{c[3]}-{c[4]}")
def test_cell_as_printed(cell):
    """Accuracy and both limits of the exact interval round to the printed digit."""
    _, pairs, _, _, _, correct, percent, low, high = cell
    limits = clopper_pearson(correct, pairs)
    got = [round(100 * float(x), 1) for x in (correct / pairs, *limits)]
    assert got == [percent, low, high]
