"""The tuning page without a browser: the sample, own lists, combined systems, and what is wrong with files."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from sigboard import terminal
from sigboard.shell import journey, session
from sigcore import formatting, readers
from tests.browser.test_pages import (
    a_server_that_knows_its_pages,
    dropped,
    figure,
    page,
    plain,
    press,
    said,
    sound,
    start,
)
from tests.made_lists import made_lists

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
    assert "BLEU on held-out segments, the most of 4 methods (corrected p = " in text
    assert "significantly better than the baseline (first of list) at alpha 0.05 (Holm)" in text
    assert "Gains are of one run on 147 held-out segments." in text
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


@pytest.mark.slow
def test_own_systems_are_tuned_on_before_any_choice() -> None:
    """Who has loaded systems sees no gain of the sample unless it is chosen; then the address has it."""
    app = page(
        dropped({"ref.txt": REFERENCE, "A.txt": REFERENCE, "B.txt": REFERENCE.replace("boat", "ship")}), "tuning"
    )
    assert app.selectbox("lists").value == "systems"
    assert "press Tune" in said(app)
    assert "gains" not in said(app)
    app.selectbox("lists").set_value("sample")
    sound(app.run())
    assert app.query_params["lists"] == "sample"


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


@pytest.mark.slow
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
    sound(app.run())
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


def lab_files(folder) -> dict[str, str]:
    """Lists to tune on, two test sets, their references and start weights, in files of this folder."""
    lists, testset = made_lists(60, 6)
    texts = {}
    for name, (low, high) in {"dev": (0, 30), "one": (30, 45), "two": (45, 60)}.items():
        own = lists.of(np.arange(low, high))
        rows = zip(own.segment_of.tolist(), own.texts, own.features.tolist(), strict=True)
        texts[f"{name}.nbest"] = "".join(
            f"{i} ||| {text} ||| {' '.join(f'{n}= {v!r}' for n, v in zip(('slips', 'words', 'noise', 'other'), values, strict=True))} ||| 0\n"
            for i, text, values in rows
        )
        texts[f"{name}.ref"] = "\n".join(testset.references[0][low:high]) + "\n"
    texts["start.weights"] = "words= 0.5\nslips= 0.1\n"
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return texts


def the_lab(texts: dict[str, str]) -> AppTest:
    """The lab with these files dropped, and few epochs."""
    app = page(start(lists="lab", replicates="2", **{"tuning.te_listmle.epochs": "5"}), "tuning")
    for place, kind in enumerate((".nbest", ".ref")):
        more = (".weights",) if place else ()
        files = [(name, text.encode(), "text/plain") for name, text in texts.items() if name.endswith((kind, *more))]
        app.get("file_uploader")[place].set_value(files)
    return sound(app.run())


def of_label(app: AppTest, kind: str, label: str, number: int = 0):
    """The widget of that kind with that label."""
    return [box for box in app.get(kind) if box.label == label][number]


def test_the_lab_has_only_the_settings_that_it_uses() -> None:
    """p of the lab is from the mixed model: the test and the resamples of the sidebar are off, and on again without it."""
    app = page(start(lists="lab"), "tuning")

    def off() -> set[str]:
        parts = {box.key: box.proto.popover.disabled for box in app.sidebar.get("popover")}
        return {key for key, disabled in parts.items() if disabled}

    assert off() > {"settings.test", "settings.resamples"}
    assert "settings.alpha" not in off()
    app.selectbox("lists").set_value("sample")
    sound(app.run())
    assert not off() & {"settings.test", "settings.resamples", "settings.alpha"}


def places_of(trace) -> list[tuple[float, float, float]]:
    """(gain, reach below, reach above) of the marks of a trace, whose numbers may be packed."""

    def numbers(values):
        if isinstance(values, dict):
            return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).tolist()
        return values

    ends = trace["error_x"]
    return list(zip(*map(numbers, (trace["x"], ends["arrayminus"], ends["array"])), strict=True))


@pytest.fixture(scope="module")
def tuned_lab(tmp_path_factory):
    """The lab after Tune, with two sets of features and PRO of the first as the baseline, and its folder."""
    folder = tmp_path_factory.mktemp("lab")
    app = the_lab(lab_files(folder))
    assert not app.get("plotly_chart")  # nothing is tuned before the button
    of_label(app, "multiselect", "methods").set_value(["pro", "te_listmle"])
    of_label(app, "number_input", "sets of features").set_value(2)
    sound(app.run())
    of_label(app, "text_input", "name", 0).set_value("basic")
    of_label(app, "text_input", "features", 0).set_value("slips, words")
    of_label(app, "text_input", "name", 1).set_value("all")
    sound(app.run())
    of_label(app, "selectbox", "begins with", 1).set_value("basic:pro")
    of_label(app, "selectbox", "baseline").set_value("basic:pro")
    sound(app.run())
    return press(app, "Tune"), folder


def test_the_lab_has_the_numbers_of_the_command(tuned_lab) -> None:
    """The page tunes on the lists that are named so, tests on the others, and has every number of the command."""
    app, folder = tuned_lab
    words = ["tuning", "--dev", str(folder / "dev.nbest"), "--test", f"one={folder / 'one.nbest'}"]
    words += [f"two={folder / 'two.nbest'}", "--reference", f"dev={folder / 'dev.ref'}"]
    words += [f"one={folder / 'one.ref'}", f"two={folder / 'two.ref'}", "--method", "pro", "te_listmle"]
    words += ["--method-option", "te_listmle.epochs=5", "--replicates", "2", "--baseline", "basic:pro"]
    words += ["--feature-set", "basic=slips,words", "all=*", "--start-weights", str(folder / "start.weights")]
    words += ["all=basic:pro", "--json", str(folder / "out.json")]
    assert terminal.main(words) == 0
    content = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    shown = app.dataframe[0].value
    assert list(shown["method"]) == [
        row["title"] + " (baseline)" * (row["label"] == "basic:pro") for row in content["rows"]
    ]
    assert list(shown.columns) == ["method", "runs", "tuned on", "one", "two", "average"]
    for place in content["places"]:
        scores = [f"{row['average'][place]:.2f}" for row in content["rows"]]
        assert [text.rstrip("*") for text in shown[place]] == scores
    app.session_state["sigboard.tuning.lab.parts"] = "Gains"
    sound(app.run())
    gains = app.dataframe[0].value
    found = {(one["system"], one["baseline"]): one for one in content["comparisons"] if one["place"] == "average"}
    titles = {row["title"]: row["label"] for row in content["rows"]}
    assert len(gains) == 5
    drawn = [trace for trace in json.loads(figure(app))["data"] if trace["name"].startswith("average")]
    ends = [(x, x - low, x + high) for one in drawn for x, low, high in places_of(one)]
    table = [(row["gain"], row["low"], row["high"]) for row in gains.to_dict("records")]
    assert np.array(sorted(ends)) == pytest.approx(np.array(sorted(table)))
    by_name = {one["name"]: len(places_of(one)) for one in drawn}
    assert by_name["average, significant"] == sum(gains["verdict"] == "significant")
    for row in gains.to_dict("records"):
        pair = (titles[row["system"]], "basic:pro")
        one = found.get(pair) or found[pair[::-1]]
        sign = 1 if pair in found else -1
        assert row["gain"] == pytest.approx(sign * one["gain"])
        assert (row["low"], row["high"]) == pytest.approx(tuple(sorted(sign * end for end in one["interval"])))
        assert row["corrected"] == formatting.format_p(one["adjusted"], 0)
        assert (row["verdict"] == "significant") == (one["adjusted"] <= 0.05)


def test_the_first_look_at_the_lab(tuned_lab) -> None:
    """The headline has at most 20 words and 3 numbers, its p is the corrected one, and the files are offered."""
    app, _ = tuned_lab
    (headline,) = [one.value for one in app.markdown if one.value.startswith("## ")]
    assert len(headline[3:].split()) <= 20
    assert "significant" in headline
    assert "corrected p" in headline.replace("\\", "")
    labels = {box.label for box in app.get("download_button")}
    assert {"Table (LaTeX)", "Tables (XLSX)", "Rows (CSV)", "Everything (JSON)"} <= labels


def test_the_lab_says_what_is_missing(tmp_path) -> None:
    """Without lists to test on, or without a reference, the page says so, and tunes nothing."""
    texts = lab_files(tmp_path)
    alone = the_lab({name: text for name, text in texts.items() if name.startswith("dev")})
    assert "Now drop lists to test on" in said(alone)
    bare = the_lab({name: text for name, text in texts.items() if name != "two.ref"})
    assert "two has no reference" in said(bare)


def test_every_figure_fills_the_page(tuned_lab) -> None:
    """Present draws the figure alone with larger type and says how to save it; Leave and another page end that."""
    app, _ = tuned_lab
    before = json.loads(figure(app))["layout"]
    press(app, "Present")
    after = json.loads(figure(app))["layout"]
    assert after["xaxis"]["tickfont"]["size"] == 1.5 * before["xaxis"]["tickfont"]["size"]
    assert after["paper_bgcolor"].startswith("#")  # a saved picture has a ground
    assert "Present" not in [button.label for button in app.button]
    press(app, "Leave")
    assert json.loads(figure(app))["layout"] == before
    press(app, "Present")
    page(app, "data")
    page(app, "tuning")
    assert "Leave" not in [button.label for button in app.button]


def test_changed_settings_wait_for_the_button(tuned_lab) -> None:
    """After a change the old numbers stay, and the page says that they are old."""
    app, _ = tuned_lab
    of_label(app, "checkbox", "A feature that a hypothesis does not have is 0").set_value(True)
    sound(app.run())
    assert "Press Tune for new numbers" in said(app)
    assert len(app.dataframe) == 1


def of_files(app: AppTest) -> list[str]:
    """What the page says of lists that were dropped under Files."""
    return [plain(caption.value) for caption in app.caption if caption.value.endswith("of your files.")]


def test_lists_among_the_files_are_tuned_without_being_dropped_again() -> None:
    """Lists and references of Files are those of the page; one of several is chosen; dropped lists come before them."""
    app = page(dropped({"first.nbest.txt": lists(), "reference.txt": REFERENCE}, start(replicates="1")), "tuning")
    assert {box.label: box.value for box in app.selectbox}["tune on"] == "lists"
    assert of_files(app) == ["first.nbest: 120 hypotheses, of your files."]
    assert "lists of your files" not in {box.label for box in app.selectbox}
    others = "".join(line for line in lists().splitlines(keepends=True) if not line.endswith("||| -2\n"))
    dropped({"second.nbest.txt": others}, app)
    page(app, "tuning")
    next(box for box in app.selectbox if box.label == "lists of your files").set_value("second.nbest.txt").run()
    assert of_files(sound(app)) == ["second.nbest: 80 hypotheses, of your files."]
    app.get("file_uploader")[0].set_value([("third.txt", lists().encode(), "text/plain")]).run()
    assert of_files(sound(app)) == []
    assert plain(app.expander[0].label) == "third: 40 lists, 120 hypotheses, 2 features"
    page(app, "matrix")
    page(app, "tuning")
    assert any(plain(caption.value) == "third: 120 hypotheses, loaded before." for caption in app.caption)


def test_lists_that_are_gone_from_the_files_are_gone_from_the_page() -> None:
    """Without lists the page asks for some, and is again one for other data."""
    app = page(
        dropped({"first.nbest.txt": lists(), "reference.txt": REFERENCE}, start(lists="lists", replicates="1")),
        "tuning",
    )
    collection = app.session_state[session.KEY].collection
    assert journey.fits("tuning", collection)
    collection.clear()
    page(app, "tuning")
    assert "Drop your lists and their references here" in said(app)
    assert not journey.fits("tuning", collection)


def test_references_that_were_dropped_for_lists_of_the_files_are_kept() -> None:
    """After a look at another page, too; without them the page asks for some."""
    app = page(dropped({"first.nbest.txt": lists()}, start(replicates="1")), "tuning")
    assert "first.nbest: 40 lists with 120 hypotheses. Now drop their references" in said(app)
    app.get("file_uploader")[1].set_value([("ref.txt", REFERENCE.encode(), "text/plain")]).run()
    assert of_files(sound(app)) == ["first.nbest: 120 hypotheses, of your files."]
    page(app, "matrix")
    page(app, "tuning")
    assert any(plain(caption.value) == "first.nbest: 120 hypotheses, loaded before." for caption in app.caption)
