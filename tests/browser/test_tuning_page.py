"""The tuning page without a browser: the sample, own lists, combined systems, and what is wrong with files."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from sigboard.shell import session
from sigcore import readers
from tests.browser.test_pages import a_server_that_knows_its_pages, figure, page, press, said, sound, start

__all__ = ["a_server_that_knows_its_pages"]  # a fixture that every test here uses

HYPOTHESES = ("the {} boat sails home again", "a {} boat sail home", "the {} ship is sailing home")
COLOURS = ["red", "blue", "green", "small", "big", "old", "new", "tall"] * 5
REFERENCE = "".join(f"the {word} boat sails home again\n" for word in COLOURS)
# methods that end soon, where it is not their weights that count
QUICK = {"tuning.mert.restarts": "0", "tuning.listnet.epochs": "3", "tuning.te_listmle.epochs": "3"}


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
    assert json.loads(figure(app))["layout"]["xaxis"]["title"]["text"] == "gain in BLEU over the baseline"
    boxes = {box.label: box for box in app.selectbox}
    assert boxes["earlier lists"].disabled
    assert "aggregating and merging are the same" in boxes["earlier lists"].help
    assert any("So iterations, list size and earlier lists are off" in caption.value for caption in app.caption)
    assert len(app.dataframe) == 1  # of the open tab
    assert list(app.dataframe[0].value["method"]) == ["top-rank enhanced ListMLE", "ListNet", "PRO", "MERT"]


def test_the_sample_has_the_numbers_of_the_command() -> None:
    """The table of the page is the result of the study with the same plan."""
    from sigboard.questions.tuning.page import _read_sample
    from sigcore.studies import tuning

    app = page(start(replicates="1"), "tuning")
    own = _read_sample("harbour")
    result = tuning.rerank(own.lists, own.testset, tuning.Target.of("bleu"), tuning.TuningPlan(replicates=1))
    shown = app.dataframe[0].value
    assert list(shown["gain"]) == pytest.approx([item.gain for item in result.tests])


def test_own_lists_are_tuned_when_the_button_is_pressed() -> None:
    """A list and its reference, and nothing is computed before Tune; then the perfect feature wins every segment."""
    app = own(lists())
    assert "press Tune" in said(app)
    assert not app.get("plotly_chart")
    features = app.dataframe[0].value  # what the lists have, before anything is tuned
    assert list(features["name"]) == ["Good", "Other"]
    assert list(features["varies"]) == [100, 100]
    press(app, "Tune")
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
    assert "nbest has lists for 40 segments, the reference has 20 segments" in said(app)


def test_lists_alone_are_never_scored_with_the_sample() -> None:
    """Without references the page asks for them."""
    assert "Now drop their references" in said(own(lists(), None))


def test_own_lists_survive_a_visit_to_another_page() -> None:
    """The lists are still there after another page was open."""
    app = press(own(lists()), "Tune")
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


def choose(app: AppTest, label: str, value: str) -> None:
    """Set a box of the form."""
    next(box for box in app.selectbox if box.label == label).set_value(value)


def test_options_of_methods_and_of_the_metric_reach_the_study() -> None:
    """What the form says is what is tuned: n, kappa, tokens, the variant of BLEU, the same segments; Choices prints them."""
    app = own(lists())
    app.multiselect[0].set_value(["listnet", "pro"])
    next(box for box in app.number_input if box.key == "tuning.listnet.kappa").set_value(7.0)
    next(box for box in app.number_input if box.key == "tuning.listnet.epochs").set_value(3)
    choose(app, "BLEU of one hypothesis", "all_orders")
    choose(app, "each replicate", "same")
    next(box for box in app.selectbox if box.key == "tuning.bleu.tokenize").set_value("char")
    press(app, "Tune")
    app.session_state["sigboard.tuning.parts"] = "Choices"
    sound(app.run())
    text = said(app)
    assert "Options of listnet: kappa 7.0, epochs 3, batch 10." in text
    assert "add-one for all orders (Moses)" in text
    assert "tok:char" in app.code[0].value
    assert "resampled_dev:false" in app.code[0].value.lower()


def test_list_sizes_and_n_are_compared() -> None:
    """Every method is tuned under every size, and the comparison is a figure with a line for each method."""
    app = own(lists())
    app.multiselect[0].set_value(["pro", "te_listmle"])
    next(box for box in app.multiselect if box.label == "list sizes to compare").set_value([2])
    app.checkbox(key="sigboard.tuning.sweep").set_value(True)
    for name in ("te_listmle", "top_n"):
        next(box for box in app.number_input if box.key == f"tuning.{name}.epochs").set_value(3)
    press(app, "Tune")
    assert list(app.dataframe[1].value["method"])[:2] == ["PRO k:2", "top-rank enhanced ListMLE k:2"]
    app.session_state["sigboard.tuning.parts"] = "Settings compared"
    sound(app.run())
    drawn = json.loads(app.get("plotly_chart")[1].proto.spec)
    assert drawn["layout"]["xaxis"]["ticktext"] == ["1", "2", "5", "10"]
    assert drawn["layout"]["xaxis"]["title"]["text"] == "n"


def test_a_text_becomes_a_feature() -> None:
    """The log probability under the model of a dropped text is a feature, until its box is unchecked."""
    app = own(lists())
    app.get("file_uploader")[2].set_value([("news.txt", REFERENCE.encode(), "text/plain")])
    app.multiselect[0].set_value(["pro"])
    press(app, "Tune")
    app.session_state["sigboard.tuning.parts"] = "Weights and features"
    sound(app.run())
    assert list(app.dataframe[1].value["feature"]) == ["Good", "Other", "language_model"]
    app.checkbox(key="sigboard.tuning.use_model").set_value(False)
    press(app, "Tune")
    assert list(app.dataframe[1].value["feature"]) == ["Good", "Other"]


def test_what_was_combined_is_in_the_test_set_of_tuned_outputs() -> None:
    """After a combination all systems, the tuned outputs, and the documents and domains of the held-out segments are
    loaded."""
    app = page(
        start(lists="systems", replicates="1", iterations="1", list_size="2", resamples="1000", **QUICK), "tuning"
    )
    app.multiselect[0].set_value(["pro"])
    press(app, "Tune")
    press(app, "Load the held-out segments")
    page(app, "compare")
    assert "147 segments" in said(app)
    names = next(box for box in app.selectbox if box.label == "system").options
    assert {"Curlew", "Grebe", "pro.1"} <= set(names)
    collection = app.session_state[session.KEY].collection
    assert {item.role for item in collection.items} == {"reference", "system", "documents", "domains"}
    assert len(collection.sound().testset.documents) == 147


def test_a_popover_that_opens_later_shows_the_values() -> None:
    """The default of every widget is its current value, also after other runs of the page: a browser that draws a popover
    when it opens shows the default, and sends it with the next click."""
    app = page(start(target="chrf", metric="chrf", replicates="1", **{"tuning.listnet.kappa": "7"}, **QUICK), "tuning")
    app.run()
    kappa = app.number_input(key="tuning.listnet.kappa")
    assert (kappa.value, kappa.proto.default) == (7.0, 7.0)
    assert app.number_input(key="tuning.listmle.epochs").proto.default == 100
    assert app.checkbox(key="tuning.kb_mira.shuffle").proto.default is True
    assert app.number_input(key="tuning.chrf.char_order").proto.default == 6
    assert app.selectbox(key="target").options[app.selectbox(key="target").proto.default] == "chrF"


def test_courses_lie_over_each_other() -> None:
    """Chosen methods are drawn in one figure, with the rank correlation of each; without any there is one method."""
    app = page(start(replicates="1"), "tuning")
    app.session_state["sigboard.tuning.parts"] = "Course"
    sound(app.run())
    box = next(box for box in app.multiselect if box.label == "methods over each other")
    box.set_value(["te_listmle", "listnet"])
    sound(app.run())
    drawn = json.loads(app.get("plotly_chart")[1].proto.spec)
    assert {trace["name"] for trace in drawn["data"] if trace.get("showlegend")} == {
        "top-rank enhanced ListMLE",
        "ListNet",
    }
    assert "Rank correlation of loss and BLEU over the epochs (-1: the lower the loss, the better): top-rank" in said(
        app
    )
