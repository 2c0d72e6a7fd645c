"""The page Documents without a browser: samples, tables with gaps and people, odd matrices, its own settings."""

from __future__ import annotations

import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.browser.test_pages import (  # noqa: F401  (the fixture serves every test here)
    a_server_that_knows_its_pages,
    dropped,
    page,
    press,
    said,
    sound,
    start,
)

RNG = np.random.default_rng(8)
VALUES = np.round(RNG.normal(0, 1, (30, 1)) + RNG.normal(0, 0.5, (30, 4)) + np.array([0, 0.3, 0.6, 1.5]), 3)


def table(values: np.ndarray, names: str = "A,B,C,human", mark: str = ",") -> str:
    """The matrix as a table; nan is an empty cell."""
    rows = [mark.join([f"d{k}", *("" if np.isnan(x) else f"{x:g}" for x in row)]) for k, row in enumerate(values)]
    return "\n".join([mark.join(["doc_id", *names.split(",")]), *rows]) + "\n"


def holed() -> np.ndarray:
    values = VALUES.copy()
    values[::2, 3] = np.nan
    return values


def charts(app: AppTest) -> list[str]:
    """The figures of the page as JSON."""
    specs = [chart.proto.spec for chart in app.get("plotly_chart")]
    for spec in specs:
        json.loads(spec, parse_constant=pytest.fail)
    return specs


def shown(app: AppTest) -> str:
    """Everything the page says, tables included; nothing on it may read nan."""
    cells = [str(frame.value.to_dict("split")["data"]) for frame in app.dataframe[:2]]
    text = said(app) + "\n".join(caption.value for caption in app.caption)
    assert "nan" not in text.split()
    return text + "\n".join(cells)


def opened(app: AppTest, tab: str) -> AppTest:
    """The page with that tab open."""
    app.session_state["sigboard.parts"] = tab
    return sound(app.run())


def box(app: AppTest, label: str) -> object:
    return next(item for item in app.selectbox if item.label == label)


def test_a_text_sample_is_scored_segment_by_segment() -> None:
    """The sidebar's metric makes the matrix; all five tabs, with their figures, and the downloads are there."""
    app = page(start(), "scores")
    tabs = {"Heatmap": 1, "Document sets": 1, "Counts": 0, "One pair": 2, "All pairs": 0}
    assert [tab.label for tab in app.tabs] == list(tabs)
    assert {tab: len(charts(opened(app, tab))) for tab in tabs} == tabs
    assert len(app.get("download_button")) == 6
    text = shown(app)
    assert "Of 28 pairs, paired T finds" in text
    assert "the mean of these scores need not be the BLEU of the test set" in text


def test_documents_can_be_the_rows() -> None:
    """Each document of the sample is scored from the sum of its segments."""
    app = page(start(unit="document"), "scores")
    assert "n = 26 rows" in shown(app)


@pytest.mark.parametrize(("file", "mark"), [("scores.csv", ","), ("scores.tsv", "\t")])
def test_a_table_with_gaps_is_taken_as_it_is(file: str, mark: str) -> None:
    """Missing scores stay missing, the human system is recognised by its name, each pair is compared where both have scores."""
    app = page(dropped({file: table(holed(), mark=mark)}), "scores")
    assert not app.error
    text = shown(app)
    assert "4 systems · 30 segments" in text
    assert "15 of 120 scores are missing" in text
    heat = charts(app)[0]
    assert "no score" in heat
    assert "human" in heat
    assert "human against machine" in str(opened(app, "Counts").dataframe[0].value.to_dict("list"))


def test_humans_can_be_marked() -> None:
    """Marking a system adds the second table and recomputes nothing."""
    app = opened(page(dropped({"scores.csv": table(VALUES, "A,B,C,D")}), "scores"), "Counts")
    assert "human against machine" not in str([f.value.to_dict("list") for f in app.dataframe])
    app.multiselect[0].set_value(["D"]).run()
    sound(app)
    assert "human against machine" in str([f.value.to_dict("list") for f in app.dataframe])


def test_a_pair_and_a_group_are_chosen() -> None:
    """The boxes lead to the pair in either direction, and to another highlighted group."""
    app = page(dropped({"scores.csv": table(VALUES, "A,B,C,D")}), "scores")
    box(app, "system").set_value("D").run()  # type: ignore[attr-defined]
    assert any("positive: D is better" in spec for spec in charts(opened(app, "One pair")))
    opened(app, "Document sets")
    box(app, "groups").set_value("systems").run()  # type: ignore[attr-defined]
    sound(app)
    box(app, "highlighted").set_value("A").run()  # type: ignore[attr-defined]
    assert "differ from A" in said(sound(app))
    opened(app, "Heatmap")
    box(app, "documents sorted by").set_value("C").run()  # type: ignore[attr-defined]
    assert charts(sound(app))
    assert "differ from A" in said(opened(app, "Document sets"))  # what was chosen in a closed tab is kept


def test_the_same_system_twice_is_explained() -> None:
    """A pair of one system is p = 1 with a reason, and has no histogram."""
    app = page(dropped({"scores.csv": table(VALUES[:, [0, 0, 1]], "A,again,B")}), "scores")
    box(app, "system").set_value("A").run()  # type: ignore[attr-defined]
    box(app, "baseline").set_value("again").run()  # type: ignore[attr-defined]
    assert "A and again have the same score on every document: p = 1" in shown(sound(app))
    assert not charts(opened(app, "One pair"))


def test_one_system_chosen_twice_is_reported() -> None:
    """System and baseline must differ; the page says so and keeps its other parts."""
    app = page(dropped({"scores.csv": table(VALUES, "A,B,C,D")}), "scores")
    box(app, "baseline").set_value("D").run()  # type: ignore[attr-defined]
    assert box(app, "system").value == "D"  # type: ignore[attr-defined]
    assert "Choose two different systems" in shown(sound(app))
    assert len(app.get("download_button")) == 6


@pytest.mark.parametrize("rows", [1, 4])
def test_too_few_documents_are_explained(rows: int) -> None:
    """With fewer than six documents the page says why there is no p, and shows no nan."""
    app = page(dropped({"scores.csv": table(VALUES[:rows], "A,B,C,D")}), "scores")
    assert not app.error
    assert "6 pairs of 6 cannot be tested" in shown(app)


def test_ties_everywhere_are_explained() -> None:
    """Where all scores are equal, every test explains why p is undefined."""
    app = page(dropped({"scores.csv": table(np.ones((12, 3)), "A,B,C")}), "scores")
    assert not app.error
    assert "A and B have the same score on every document" in shown(app)
    assert "All scores are the same" in shown(opened(app, "Document sets"))


def test_a_constant_gain_is_explained() -> None:
    """Where one system is better by the same amount throughout, T is called unbounded, not nan."""
    values = np.column_stack([VALUES[:, 0], VALUES[:, 0] + 0.5, VALUES[:, 2]])
    app = page(dropped({"scores.csv": table(np.round(values, 3), "A,B,C")}), "scores")
    assert "1 pair differs by the same amount on every document" in shown(app)
    box(app, "system").set_value("A").run()  # type: ignore[attr-defined]
    box(app, "baseline").set_value("B").run()  # type: ignore[attr-defined]
    assert "The systems differ by the same amount on every document" in shown(opened(app, "One pair"))


def test_alpha_and_correction_reach_the_page() -> None:
    """Both are read, not computed: the sentence and the cut-offs follow."""
    app = page(dropped({"scores.csv": table(VALUES, "A,B,C,D")}, start(alpha="0.01", correction="none")), "scores")
    assert "different at alpha 0.01" in shown(app)


def test_nothing_loaded_is_an_invitation() -> None:
    """After Clear everything the page says what it needs."""
    app = page(press(page(start(), "data"), "Clear everything"), "scores")
    assert "Nothing is loaded yet" in said(app)
    assert not app.error


def test_a_person_with_few_documents_stays_in_the_matrix() -> None:
    """A column with a score on fewer than half of the documents is a system like the others."""
    values = VALUES.copy()
    values[:18, 3] = np.nan
    app = page(dropped({"t.csv": table(values)}), "scores")
    assert "Of 6 pairs, paired T finds" in shown(app)
    assert "18 of 120 scores are missing" in shown(app)


def test_statistics_that_nobody_has_are_undefined() -> None:
    """Where no pair has a T, the sentence does not say that none differs."""
    app = page(dropped({"t.csv": table(np.tile([0.1, 0.2, 0.3, 0.4], (12, 1)))}), "scores")
    assert "paired T finds none (undefined), Wilcoxon's W 6 and unpaired T none (undefined)" in said(app)
