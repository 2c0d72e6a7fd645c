"""The page Rank without a browser: the verdict, the same grid as Matrix, several metrics, and its files."""

from __future__ import annotations

import json
import re

import pytest

from sigboard.shell import session
from sigcore import rank
from tests.browser.test_pages import (  # noqa: F401  (the fixture works by being here)
    a_server_that_knows_its_pages,
    dropped,
    page,
    plain,
    said,
    start,
)

QUICK = {"resamples": "1,000"}


def headline(text: str) -> str:
    """The main sentence of the page."""
    (line,) = re.findall(r"^## (.*)$", text, re.MULTILINE)
    return str(line)


def test_the_sample_has_its_ranks() -> None:
    """A headline of at most 20 words and 3 numbers, the confidence, a figure, a row for each system, and five files."""
    app = page(start(**QUICK), "rank")
    text = said(app)
    assert headline(text).endswith(("may also be first.", "is first."))
    assert len(headline(text).split()) <= 20
    assert len(re.findall(r"(?<![\w-])\d+", headline(text))) <= 3
    assert "All ranges of ranks hold together with 95% confidence." in text
    assert len(app.get("plotly_chart")) == 1
    assert len(app.dataframe[0].value) == 8
    assert len(app.get("download_button")) == 5


def test_the_grid_is_that_of_matrix() -> None:
    """Ranks come from the very grid that Matrix shows, under all settings of the sidebar; the line below names them."""
    for settings in ({}, {"sides": "greater"}, {"correction": "holm", "alpha": "0.1"}, {"metric": "ter"}):
        app = page(start(**QUICK, **settings), "matrix")
        grid, alpha, _ = app.session_state[session.GRID]
        app = page(app, "rank")
        shown, own, _ = app.session_state[session.GRID]
        assert shown.setup == grid.setup
        assert (shown.adjusted == grid.adjusted).all()
        assert own == alpha
        found = app.dataframe[0].value
        ranks = [(one.system, *one.range) for one in rank(grid, alpha).systems]
        assert list(zip(found["system"], found["rank_low"], found["rank_high"], strict=True)) == ranks
        assert headline(said(app)) == plain(str(rank(grid, alpha)))
        assert f"alpha {alpha:g}" in said(app)


def test_the_pairs_of_the_sidebar_are_those_that_are_tested() -> None:
    """Against one baseline, as on Matrix: the sentence says that other pairs have no verdict."""
    app = page(start(**QUICK, compared="baseline", against="Cormorant"), "rank")
    assert "not all pairs were tested" in headline(said(app))
    assert app.session_state[session.GRID][0].family.baseline == "Cormorant"


def test_too_few_resamples_leave_every_rank() -> None:
    """Where no p can reach alpha, the page says so, and why."""
    text = said(page(start(**QUICK, correction="holm", alpha="0.01"), "rank"))
    assert headline(text) == "No verdict on any pair, so no rank is certain."
    assert "Every system may have every rank. " in text
    assert "% confidence" not in text


@pytest.mark.parametrize("correction", ["benjamini_hochberg", "none"])
def test_no_confidence_where_ranges_do_not_hold_together(correction: str) -> None:
    """Under such a correction the page says that they do not, and nowhere that they do."""
    text = said(page(start(**QUICK, correction=correction), "rank"))
    assert "The ranges of ranks do not hold together" in text
    assert "% confidence" not in text


def test_several_metrics_are_side_by_side() -> None:
    """One table with two columns for each metric, the stability in the line below the headline, and each metric a family."""
    app = page(start(**QUICK, also="chrf,ter"), "rank")
    text = said(app)
    assert "The first places by score" in text
    assert re.search(r"\| system \| BLEU \| ranks \| chrF \| ranks \| TER \| ranks \| cluster \|", text)
    assert any("family of its own" in plain(caption.value) for caption in app.caption)


def test_one_system_has_no_rank_and_is_said() -> None:
    """With scores of one system the page asks for another."""
    app = page(dropped({"s.csv": "system,id,score\n" + "".join(f"A,{k},{k}\n" for k in range(20))}), "rank")
    assert not app.get("plotly_chart")


def test_files_have_what_the_page_shows() -> None:
    """The JSON of the page has the same ranks as its table."""
    app = page(start(**QUICK), "rank")
    shown = list(app.dataframe[0].value["rank_high"])
    from sigboard.questions.rank import report

    grid, alpha, _ = app.session_state[session.GRID]
    content = json.loads(json.dumps(report.rank_json(report.ranked([grid], alpha)), allow_nan=False))
    assert [one["rank_high"] for one in content["results"][0]["ranks"]] == shown
