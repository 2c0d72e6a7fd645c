"""The tuning page without a browser: the sample, own lists, combined systems, and what is wrong with files."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from sigcore import readers
from tests.browser.test_pages import a_server_that_knows_its_pages, figure, page, press, said, sound, start

__all__ = ["a_server_that_knows_its_pages"]  # a fixture that every test here uses

HYPOTHESES = ("the {} boat sails home again", "a {} boat sail home", "the {} ship is sailing home")
COLOURS = ["red", "blue", "green", "small", "big", "old", "new", "tall"] * 5
REFERENCE = "".join(f"the {word} boat sails home again\n" for word in COLOURS)


def lists(columns: bool = True) -> str:
    """Moses lists whose feature Good knows the best hypothesis, which is never the first."""
    rows = []
    for i, word in enumerate(COLOURS):
        for k in (1, 2, 0):
            features = f"Good= {2 - k} Other= {(i * 7 + k * 3) % 5}" if columns else "Good="
            rows.append(f"{i} ||| {HYPOTHESES[k].format(word)} ||| {features} ||| {-k}\n")
    return "".join(rows)


def own(nbest: str, references: str | None = REFERENCE, name: str = "nbest.txt") -> AppTest:
    """The page with these files, before anything was tuned."""
    app = page(start(lists="lists", replicates="1"), "tuning")
    if references is not None:
        app.get("file_uploader")[1].set_value([("ref.txt", references.encode(), "text/plain")])
    app.get("file_uploader")[0].set_value([(name, nbest.encode(), "text/plain")]).run()
    return sound(app)


def test_the_sample_is_tuned_at_the_first_visit() -> None:
    """The page opens with the candidates of the sample: verdict, figure, tests, and the switch that is off says why."""
    app = page(start(replicates="1"), "tuning")
    text = said(app)
    assert "over the baseline (first of list) on 147 held-out segments" in text
    assert "significantly better than the baseline on held-out segments at alpha 0.05 (Holm)" in text
    assert json.loads(figure(app))["layout"]["xaxis"]["title"]["text"] == "BLEU"
    boxes = {box.label: box for box in app.selectbox}
    assert boxes["earlier lists"].disabled
    assert "aggregating and merging are the same" in boxes["earlier lists"].help
    assert any("So these two settings are off" in caption.value for caption in app.caption)
    assert len(app.dataframe) == 1  # of the open tab
    assert list(app.dataframe[0].value["method"]) == ["top-rank enhanced ListMLE", "ListNet", "PRO", "MERT"]


def test_the_sample_has_the_numbers_of_the_command() -> None:
    """The table of the page is the result of the study with the same plan."""
    from sigboard.ui.pages.tuning import _read_sample
    from sigcore.studies import tuning

    app = page(start(replicates="1"), "tuning")
    own = _read_sample("harbour")
    result = tuning.rerank(own.lists, own.testset, tuning.Target.of("bleu"), tuning.Plan(replicates=1))
    shown = app.dataframe[0].value
    assert list(shown["gain"]) == pytest.approx([item.gain for item in result.tests])


def test_own_lists_are_tuned_when_the_button_is_pressed() -> None:
    """A list and its reference, and nothing is computed before Tune; then the perfect feature wins every segment."""
    app = own(lists())
    assert "press Tune" in said(app)
    assert not app.get("plotly_chart")
    press(app, "Tune with these settings")
    assert "gains +" in said(app)
    assert "20 held-out segments" in said(app)


def test_a_bad_line_is_reported_with_its_number() -> None:
    """A list with a feature that has no value is refused, with the line."""
    app = own(lists(columns=False))
    assert "line 1" in said(app)
    assert "no value" in said(app)


def test_another_number_of_references_is_an_error() -> None:
    """References of another length are refused, with both numbers."""
    app = own(lists(), REFERENCE[: len(REFERENCE) // 2])
    assert "nbest has 40 lines, ref has 20" in said(app)


def test_lists_alone_are_never_scored_with_the_sample() -> None:
    """Without references the page asks for them."""
    assert "Now drop their references" in said(own(lists(), None))


def test_own_lists_survive_a_visit_to_another_page() -> None:
    """The lists are still there after another page was open."""
    app = press(own(lists()), "Tune with these settings")
    page(app, "data")
    page(app, "tuning")
    assert "20 held-out segments" in said(app)


def test_systems_wait_for_the_button() -> None:
    """Combination is slow, so it starts when the button is pressed; choices without weights are not offered."""
    app = page(start(lists="systems"), "tuning")
    assert "press Tune" in said(app)
    boxes = {box.label: box for box in app.selectbox}
    assert not boxes["earlier lists"].disabled
    assert not {"minimum Bayes risk", "best of n"} & set(app.multiselect[0].options)


def test_the_held_out_outputs_become_a_test_set() -> None:
    """The button replaces what is loaded by the held-out references, the baseline and the tuned outputs."""
    app = page(start(replicates="1"), "tuning")
    press(app, "Load the held-out segments")
    page(app, "compare")
    assert "147 segments" in said(app)
    names = next(box for box in app.selectbox if box.label == "system").options
    assert {"baseline", "pro.1", "mert.1"} <= set(names)


def test_the_candidates_are_no_part_of_the_loaded_sample() -> None:
    """The list of the sample is beside its data: the sample has the same files as before."""
    assert "candidates.nbest" not in [item.file for item in readers.load_sample("harbour").items]
