"""One number has one rounding, on every page that prints it."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from sigboard.shell import session
from sigcore.formatting import format_score, format_size
from tests.browser import test_pages
from tests.browser.test_pages import page, plain, said, start

a_server_that_knows_its_pages = test_pages.a_server_that_knows_its_pages


def whole(app: AppTest) -> str:
    """All that the page says, with its captions and tables."""
    tables = [table.value.to_string() for table in (*app.table, *app.dataframe)]
    return "\n".join([said(app), *(plain(caption.value) for caption in app.caption), *tables])


def test_the_smallest_significant_gain_is_one_number_on_a_page() -> None:
    """Gain prints its own in headline, summary and caption with the same digits, and beside it that of Matrix."""
    app = page(start(resamples="1000"), "matrix")
    of_matrix = re.findall(r"Smallest significant gain (\S+) BLEU", said(app))
    text = whole(page(app, "gain"))
    below, above = (
        re.findall(r"smallest significant gain \(?(?:is )?(\S+) BLEU", text),
        re.findall(r"largest (?:gain )?that is not significant \(?(?:is )?(\S+) BLEU", text),
    )
    head = re.findall(r"## Above (\S+) BLEU every pair .* below (\S+) BLEU none", text)
    assert len(below) == len(above) == 2
    assert {(above[0], below[0]), (above[1], below[1])} == {*head}
    assert re.findall(r"The smallest significant gain there is (\S+) BLEU", text) == of_matrix != []


def test_segments_that_a_gain_needs_are_one_number() -> None:
    """The headline of Size and its table have the same digits."""
    text = whole(page(start(resamples="1000", gain="2"), "size"))
    (head,) = re.findall(r"about ([\d,]+) segments like these are needed for the median pair", text)
    assert re.findall(r"median pair\s+80% .* ([\d,]+)$", text, re.MULTILINE) == [head]


@pytest.mark.parametrize("alpha", ["0.05", "0.01"])
def test_the_gain_that_a_test_set_can_detect_is_one_number(alpha: str) -> None:
    """The headline of Size and its table have the same gain of the median pair, at every alpha."""
    app = page(start(resamples="1000", sizes="300", parts="1", alpha=alpha), "size")
    (head,) = re.findall(
        r"Your 300 segments can detect a true gain of (\S+) BLEU \(80% power, median pair\)", said(app)
    )
    row = app.dataframe[0].value.iloc[0]
    assert (row["pair"], row["power"]) == ("median pair", "80%")
    assert row["300 segments"] == head


def test_scores_and_gains_are_one_number_each() -> None:
    """Compare and the table of the report print the scores of the grid, and their gain, with the decimals of the metric."""
    app = page(start(resamples="1000"), "matrix")
    grid = app.session_state[session.GRID][0]
    best, second = grid.order[:2]
    scores = [format_score(float(grid.scores[k])) for k in (best, second)]
    text = whole(page(app, "compare"))
    assert f"is ahead of {grid.systems[second]} by {format_size(float(grid.gains[best, second]))} BLEU" in text
    assert all(f"{grid.systems[k]} {score} [" in text for k, score in zip((best, second), scores, strict=True))
    app = page(app, "report")
    app.session_state["sigboard.report"] = "Scores"
    table = plain(whole(app.run()))
    assert all(score in table for score in scores)
