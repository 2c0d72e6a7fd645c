"""The headings of tables on the screen."""

from __future__ import annotations

import pytest

from sigboard.reports.tables import compare_rows, gain_rows, grid_rows, matrix_rows, scores_rows
from sigboard.ui import columns
from tests.unit import factories

SEVERAL = factories.matrix()


@pytest.mark.parametrize(
    "rows",
    [
        matrix_rows(SEVERAL, 0.05),
        scores_rows(SEVERAL),
        compare_rows(factories.compare()),
        gain_rows(factories.gain(3)),
        [{name: x for name, x in row.items() if not name.startswith("vs ")} for row in grid_rows(SEVERAL, 0.05)],
    ],
    ids=["pairs", "scores", "tests", "gains", "grid"],
)
def test_every_column_has_a_heading(rows: list[dict[str, object]]) -> None:
    """No table shows the internal name of a column."""
    found = columns.configure(rows[0], 2)
    assert set(found) == set(rows[0])
    assert not any("_" in str(column["label"]) for column in found.values())


def test_numbers_take_the_decimals_of_the_metric() -> None:
    """Scores and gains use the decimals, gains with a sign; p does not, since small values would read as zero."""
    found = columns.configure(["score", "gain", "p_value", "ties"], 4)
    forms = {name: column["type_config"]["format"] for name, column in found.items() if "type_config" in column}
    assert forms == {"score": "%.4f", "gain": "%+.4f", "p_value": "%.3g"}
    assert "type_config" not in columns.configure(["score"])["score"]
