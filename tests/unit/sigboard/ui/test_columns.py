"""The headings of tables on the screen."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from sigboard.shell import downloads
from sigcore.formatting import format_p
from sigcore.results import Field, Fields, compare_rows, gain_rows, grid_rows, matrix_rows, scores_rows
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
    shown = downloads.written(rows[0], 10_000)
    found = downloads.configure(shown, 2)
    assert set(found) == set(shown)
    assert not any("_" in str(column["label"]) for column in found.values())


def test_numbers_take_the_decimals_of_the_metric() -> None:
    """Scores and gains use the decimals, gains with a sign; p does not: it comes as text."""
    found = downloads.configure(["score", "gain", "p_value", "ties"], 4)
    forms = {name: column["type_config"]["format"] for name, column in found.items() if "type_config" in column}
    assert forms == {"score": "%.4f", "gain": "%+.4f"}
    assert "type_config" not in downloads.configure(["score"])["score"]


def test_p_reads_as_everywhere_else() -> None:
    """A table on the screen has the p of the sentences, the interval in one column, and nothing is called None."""
    row = compare_rows(factories.compare(factories.one_test(tail=0, p_value=0.0, p_interval=(0.0, 0.00037))))[0]
    shown = downloads.written(row, 0)
    assert (shown["p_value"], shown["p_interval"]) == ("< 0.00037", "[0, 0.00037]")
    assert not {"p_low", "p_high"} & set(shown)
    few = factories.one_test(p_value=math.nan, p_interval=(math.nan, math.nan))
    shown = downloads.written(compare_rows(factories.compare(few))[0], 0)
    assert (shown["p_value"], shown["p_interval"]) == ("n/a", "n/a")


def test_records_have_the_p_of_their_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each p is written by its own resamples or as exact; all else stays a number that sorts."""
    drawn: list[dict[str, object]] = []
    monkeypatch.setattr(downloads, "table", lambda rows, **more: drawn.extend(rows))
    p = Field("p_value", "number", "p.", "p", "p"), Field("p_exact", "number", "Exact p.", "exact p")
    fields = Fields("made", Field("gain", "number", "Gain.", "gain", "gain"), *p)
    item = SimpleNamespace(gain=0.25, p_value=0.0, p_exact=0.0, resamples=100)
    downloads.records(fields, [item])
    written = {"p_value": format_p(0.0, 100), "p_exact": format_p(0.0, 0)}
    assert written["p_value"] != written["p_exact"]
    assert drawn == [{"gain": 0.25, **written}]
