"""The page Files without a browser: several test sets at once, scores with gaps, and files that are re-read."""

from __future__ import annotations

import io
import json
import threading
import zipfile

import pytest

from sigcore import readers
from tests.browser import test_pages
from tests.browser.test_pages import GOOD, WORDS, dropped, page, plain, said, sound, start
from tests.unit.sigcore.readers import test_same as test_readers_same

a_server_that_knows_its_pages = test_pages.a_server_that_knows_its_pages

SHORT = "".join(GOOD.splitlines(keepends=True)[:35])
MEASURES = "system,segment,comet,errors\n" + "".join(
    f"{system},{i},{'' if system == 'Two' and i == 4 else (i * step) % 7},{i % step}\n"
    for system, step in (("One", 2), ("Two", 3), ("Three", 5))
    for i in range(40)
)


def campaign() -> bytes:
    """A zip of a campaign's folders: two language pairs, one of them larger."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for pair, text, systems in (("cs-en", GOOD, ("A", "B", "C")), ("uk-en", SHORT, ("A", "B"))):
            archive.writestr(f"w/references/{pair}.refA.txt", text)
            for k, system in enumerate(systems):
                archive.writestr(f"w/system-outputs/{pair}/{system}.txt", text.replace(WORDS[k], "plain"))
    return buffer.getvalue()


def box(app, label: str):
    """The select box of that label."""
    return next(box for box in app.selectbox if box.label == label)


def test_the_test_sets_of_a_campaign_are_picked() -> None:
    """The larger pair comes first; another one can be chosen, and the other pages follow."""
    app = dropped({"w.zip": campaign()})
    assert "Systems: 3" in said(app)
    assert "Segments: 40" in said(app)
    assert box(app, "test set").options == ["cs-en", "uk-en"]
    box(app, "test set").set_value("uk-en").run()
    sound(app)
    assert "Systems: 2" in said(app)
    assert "Segments: 35" in said(app)
    assert "35 segments" in plain(str([c.value for c in page(app, "matrix").caption]) + said(app)).replace("\xa0", " ")


def boxes(app, label: str):
    """All select boxes of that label."""
    return [box for box in app.selectbox if box.label == label]


@pytest.mark.parametrize("word", ["matrix", "compare", "gain"])
def test_the_sidebar_goes_from_one_test_set_to_another(word: str) -> None:
    """On every page the sidebar offers the test sets; a choice there or on the page Files applies to all pages."""
    app = page(dropped({"w.zip": campaign()}), word)
    assert "40 segments" in said(app)
    assert boxes(app, "test set")[0].options == ["cs-en", "uk-en"]
    boxes(app, "test set")[0].set_value("uk-en").run()
    assert "35 segments" in said(sound(app))
    page(app, "data")
    assert "Segments: 35" in said(app)
    ours = [box for box in boxes(app, "test set") if "cs-en" in box.options]
    assert [box.value for box in ours] == ["uk-en", "uk-en"]
    for k, (name, size) in enumerate((("cs-en", 40), ("uk-en", 35), ("cs-en", 40))):
        ours[k % 2].set_value(name).run()
        assert f"Segments: {size}" in said(sound(app))
        ours = [box for box in boxes(app, "test set") if "cs-en" in box.options]
        assert [box.value for box in ours] == [name, name]
    assert "40 segments" in said(page(app, word))


def test_the_sidebar_goes_from_one_measure_to_another() -> None:
    """Any page can switch between several measures."""
    app = page(dropped({"s.csv": MEASURES}), "compare")
    assert "comet" in said(app)
    boxes(app, "measure")[0].set_value("errors").run()
    assert "errors" in said(sound(app))
    assert "comet" not in said(app)
    page(app, "gain")
    groups = next(table.value for table in app.dataframe if "group" in table.value)
    assert list(groups["system"]) == ["One", "Two", "Three"]


def test_one_test_set_needs_no_choice() -> None:
    """Where there is one test set, the sidebar does not ask which."""
    app = page(test_pages.start(), "matrix")
    assert not boxes(app, "test set")
    assert not boxes(app, "measure")


def test_measures_and_missing_scores_are_chosen() -> None:
    """One of several measures is used; with a missing score, the system or the segment is left out, as chosen."""
    app = dropped({"s.csv": MEASURES})
    assert box(app, "measure").options == ["comet", "errors"]
    assert "Systems: 2" in said(app)
    assert "Two has no comet for 1 of 40 segments; it is left out." in said(app)
    box(app, "missing scores").set_value("drop").run()
    assert "Systems: 3" in said(sound(app))
    assert "Segments: 39" in said(app)
    box(app, "missing scores").set_value("zero").run()
    assert "1 missing score of Two counts as 0." in said(sound(app))
    assert "Segments: 40" in said(app)
    box(app, "missing scores").set_value("drop").run()
    box(app, "measure").set_value("errors").run()
    assert "Segments: 40" in said(sound(app))
    assert "errors: lower is better, by its name." in said(app)
    page(app, "matrix")
    assert direction(app) == "lower is better"
    box(app, "measure").set_value("comet").run()
    assert direction(app) == "higher is better"


def direction(app) -> str:
    """What the sentence of the settings says about the scores: the last part of the label of the metric."""
    labels = [one.proto.popover.label for one in app.get("popover")]
    return next(label for label in labels if " is better" in label).rpartition(", ")[2]


def judged(failed: bool) -> str:
    """Scores of a judge in long form, under a name that is no known measure; some of A's failed."""
    rows = (f"{i},{name},{-1 if failed and name == 'A' and i % 10 == 3 else (i * step) % 7 + 1}"
            for i in range(40) for name, step in (("A", 2), ("B", 3)))  # fmt: skip
    return "\n".join(["item_id,model,zork", *rows]) + "\n"


def test_a_direction_that_is_assumed_is_stated_by_the_control() -> None:
    """The headline, the settings and the notices say assumed; after one choice nothing does."""
    app = page(dropped({"s.csv": judged(failed=False)}), "matrix")
    assert "if higher is better (assumed)" in said(sound(app))
    assert direction(app) == "higher is better (assumed)"
    app.selectbox(key="own_scores.better").set_value("lower").run()
    assert "assumed" not in str([text.value for text in sound(app).markdown if text.value.startswith("## ")])
    assert direction(app) == "lower is better"


@pytest.mark.parametrize(("label", "segments"), [("-1: missing", 36), ("-1: a score", 40)])
def test_a_code_is_refused_until_a_button_says_what_it_means(label: str, segments: int) -> None:
    """No page computes with it; each button is a way out, and the box shows the choice."""
    app = dropped({"s.csv": judged(failed=True)})
    assert "4 cells of A hold -1. All other scores are between 1 and 7." in plain(said(app))
    assert "hold -1" in plain(said(page(app, "matrix")))
    page(app, "data")
    next(button for button in app.button if button.label == label).click().run()
    assert "hold -1" not in plain(said(sound(app)))
    assert next(one for one in app.text_input if one.label == "missing codes").value == (
        "none" if segments == 40 else "-1"
    )
    if segments == 36:
        box(app, "missing scores").set_value("drop").run()
    assert f"Segments: {segments}" in said(sound(app))


def test_the_box_of_missing_codes() -> None:
    """Codes in the box are missing scores; what is no number is refused, and the codes before it stay."""
    app = dropped({"s.csv": judged(failed=True)})
    codes = [one for one in app.text_input if one.label == "missing codes"]
    codes[0].set_value("minus one").run()
    assert "'minus one' is not a number" in plain(said(app))
    next(one for one in app.text_input if one.label == "missing codes").set_value("-1, -999").run()
    assert "4 cells with -1, -999 are missing, as stated." in plain(said(sound(app)))


def test_a_file_is_read_in_another_way() -> None:
    """Text with the same number of TABs in every line looks like a table; one choice makes it text again."""
    tabbed = GOOD.replace(" boat ", "\tboat ")
    app = dropped({"ref.txt": GOOD, "One.txt": tabbed, "Two.txt": GOOD.replace("red", "blue")})
    assert "One.txt: column 1: much shorter" in plain(said(app)).replace(
        "*", ""
    )  # too short for an output, so it is asked for
    again = next(box for box in app.selectbox if box.label == "file")
    again.set_value("One.txt").run()
    box(app, "re-read as").set_value("plain").run()
    next(button for button in app.button if button.label == "Re-read").click().run()
    assert "Systems: 2" in said(sound(app))


def test_a_table_that_is_not_understood_is_shown_and_asked_about() -> None:
    """The error shows the columns; the boxes below the format say which are the ids and the scores."""

    def table(by: int) -> str:
        return "who,tag,points,size\n" + "".join(f"q{k},t{k},{(by * k) % 11},{100 + k % 9}\n" for k in range(40))

    app = dropped({"One.csv": table(7), "Two.csv": table(5)})
    assert "who, tag" in said(app)
    plan = next(table.value for table in app.dataframe if "role" in table.value)
    assert list(plan["column"]) == ["who", "tag", "points", "size"]
    assert list(plan["row 2"]) == ["q1", "t1", "7", "101"]
    for name in ("One.csv", "Two.csv"):
        box(app, "file").set_value(name).run()
        for label, heading in (("id field", "who"), ("score field", "points")):
            next(one for one in app.text_input if one.label == label).set_value(heading).run()
        next(button for button in app.button if button.label == "Re-read").click().run()
    assert "Systems: 2" in said(sound(app))
    assert "Segments: 40" in said(app)


@pytest.mark.parametrize("meant", ["says that there is no rating", "is a rating"])
def test_a_code_among_ratings_has_a_button_for_each_meaning(meant: str) -> None:
    """The columns were shown with a button that led to the same question; both meanings are read now."""
    marks = [(k % 5 + 1, -1 if k == 6 else k % 4 + 1) for k in range(80)]
    lines = [f"q{k // 2},{'AB'[k % 2]},{one},{other}\n" for k, (one, other) in enumerate(marks)]
    app = dropped({"ratings.csv": "id,system,rater1,rater2\n" + "".join(lines)})
    assert "1 rating of rater1, rater2 is -1, below all others" in plain(said(app))
    labels = [button.label for button in app.button]
    assert "Read it with these roles" not in labels
    next(button for button in app.button if f"-1 {meant}" in plain(button.label)).click().run()
    assert "Systems: 2" in said(sound(app))
    items = app.session_state["sigboard"].collection.items
    cells = next(item.segments for item in items if item.role == "system" and item.name == "A")
    own = [one for k, pair in enumerate(marks) if not k % 2 for one in [[x for x in pair if x > 0 or "is a" in meant]]]
    expected = sum(sum(one) / len(one) for one in own) / len(own)
    assert sum(map(float, cells)) / len(cells) == pytest.approx(expected)


def test_other_readings_have_a_button_too() -> None:
    """What the terminal prints behind Or, if."""
    asked = [
        f"t{k},{name},{part}" for k in range(8) for name in ("fine", "good") for part in ("right", "whole", "code")
    ]
    lines = [f"{one},{(7 * k + k // 5) % 5 + 1}\n" for k, one in enumerate(asked)]
    app = dropped({"judge.csv": "task_id,model,dimension,judge_score\n" + "".join(lines)})
    (problem,) = app.session_state["sigboard"].collection.problems
    assert problem.others
    shown = {plain(button.label) for button in app.button}
    assert {f"Read it so: {problem.in_words(way)}" for way in problem.others} <= shown
    counted = next(label for label in shown if label.startswith("Read it so: model, dimension name the systems"))
    assert counted.endswith("(6 systems on 8 segments)")


def test_what_an_advice_says_is_a_button() -> None:
    """A list inside an object, and a row that sums up the others: the terminal prints an option, the page has a button."""
    prompts = [{"id": f"p{k}", "model": name, "acc": (k + i) % 3 % 2} for k in range(12) for i, name in enumerate("AB")]
    inside = json.dumps({"meta": {"date": "today"}, "whole": {"prompts": prompts}})
    app = dropped({"all.json": inside})
    next(
        one for one in app.button if plain(one.label).endswith("Is each entry below whole.prompts a row? Yes")
    ).click().run()
    assert "Systems: 2" in said(sound(app))
    # a question about the rows of the list is answered without reading the whole object again
    both = [
        {"id": f"p{k}", "score": {"A": k % 2, "B": k % 3 % 2}, "failed": {"A": k % 4 > 1, "B": k % 5 > 2}}
        for k in range(12)
    ]
    app = dropped({"all.json": json.dumps({"meta": {"date": "today"}, "whole": {"prompts": both}})})
    next(one for one in app.button if plain(one.label).endswith("whole.prompts a row? Yes")).click().run()
    next(one for one in app.button if "are measures of A, B" in plain(one.label)).click().run()
    assert "Systems: 2" in said(sound(app))
    parts = [[f"q{k},{name},{(k + i) % 3 % 2}\n" for k in range(12)] for i, name in enumerate("AB")]
    rows = "average,A,0.5\n".join(map("".join, parts))
    app = dropped({"table.csv": f"id,system,acc\n{rows}"})
    next(one for one in app.button if one.label == "Read it so: Leave the row out").click().run()
    assert "Systems: 2" in said(sound(app))
    items = app.session_state["sigboard"].collection.items
    assert {len([cell for cell in one.segments if cell]) for one in items if one.role == "system"} == {12}


def test_a_reading_of_two_files_reads_both() -> None:
    """Its button gave each file the columns of the other one, too."""
    right = ["up" if k % 3 else "down" for k in range(30)]
    made = {name: ["up" if k % every else "down" for k in range(30)] for name, every in (("A", 3), ("B", 2))}
    outputs = "id,A,B\n" + "".join(f"q{k},{made['A'][k]},{made['B'][k]}\n" for k in range(30))
    labels = "id,date,label\n" + "".join(f"q{k},2025-01-01,{one}\n" for k, one in enumerate(right))
    app = dropped({"outputs.csv": outputs, "labels.csv": labels})
    assert "Are these predicted labels, and is what is right in labels.csv?" in said(app)
    next(one for one in app.button if "label is what is right" in one.label).click().run()
    sound(app)
    assert "2 systems on 30 segments: ready to compare" in said(app)


def test_a_test_set_that_cannot_be_fetched_says_so(monkeypatch, tmp_path) -> None:
    """Without cache and network the box says what is wrong and what to do, and what is loaded stays."""
    import urllib.error
    import urllib.request

    from sacrebleu.dataset import DATASETS

    def refuse(*parts: object, **more: object) -> None:
        raise urllib.error.URLError("no network in this test")

    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    for dataset in DATASETS.values():
        monkeypatch.setattr(dataset, "_outdir", str(tmp_path))
        monkeypatch.setattr(dataset, "_rawdir", str(tmp_path / "raw"))
    app = page(test_pages.start(), "data")
    next(button for button in app.button if button.label == "Load").click().run()
    assert "could not be downloaded" in said(sound(app))
    assert "Systems: 8" in said(app)


def test_a_test_set_that_is_on_its_way_leaves_the_page_as_it_is(monkeypatch) -> None:
    """During a download, and after a cancellation, the files and their notices stay on the page."""
    begun, free = threading.Event(), threading.Event()

    def wait(name: str, pair: str, tell) -> readers.Intake:
        begun.set()
        free.wait()
        tell("fetching", 1, 2)  # a Cancel ends it here
        return readers.Intake()

    monkeypatch.setattr(readers, "load_known", wait)
    app = page(test_pages.start(), "data")
    try:
        press_only(app, "Load")
        begun.wait()
        assert app.get("progress")
        assert len(app.dataframe) + len(app.get("arrow_data_frame")) > 0
        press_only(app, "Cancel")
    finally:
        free.set()
    assert "cancelled" in said(app)
    assert len(app.dataframe) + len(app.get("arrow_data_frame")) > 0
    assert "cancelled" not in said(sound(app.run()))


def press_only(app, label: str) -> None:
    next(button for button in app.button if button.label == label).click().run()


def test_a_kind_whose_files_are_all_ignored_gives_way() -> None:
    """Setting the last scores to ignored shows the text again, on the same page."""
    scores = "".join(f"0.{i}\n" for i in range(40))
    app = dropped({"ref.txt": GOOD, "One.txt": GOOD, "Two.txt": GOOD.replace("red", "blue"), "One.bleurt": scores})
    box(app, "kind of data").set_value("scores").run()
    assert "Systems: 1" in said(sound(app))
    app.session_state["sigboard"].collection.edit({3: {"role": "ignored"}})
    app.run()
    assert "Systems: 2" in said(sound(app))


@pytest.mark.parametrize(
    "made", [test_readers_same.xml, test_readers_same.comet, test_readers_same.sgm], ids=["xml", "comet", "sgm"]
)
def test_files_as_programs_leave_them_are_dropped_and_compared(made) -> None:
    """A campaign's XML, COMET's records and a file per system each show the same grid as the text files would."""
    app = dropped(dict(made()), start(resamples="1000"))
    if made is test_readers_same.comet:  # COMET wrote its file for the scores, which come first
        assert "References: 0" in said(app)
        box(app, "kind of data").set_value("text").run()
    assert "Systems: 8" in said(app)
    assert "References: 2" in said(app)
    assert not app.error
    assert "300 segments" in said(page(app, "matrix")).replace("\xa0", " ")


def test_each_possible_reading_has_a_button() -> None:
    """Headings of a system and an unknown measure: the button says which is which, and the file is read so."""
    rows = "".join(f"q{i},{i % 7},{i % 5},{i % 3},{i % 4}\n" for i in range(40))
    app = dropped({"s.csv": "id,E0_UFR,E0_KCR,E1_UFR,E1_KCR\n" + rows})
    assert "Nothing is compared yet. The file below needs your answer." in said(app)
    assert "Nothing is loaded" not in said(app)
    (button,) = [one for one in app.button if "UFR, KCR are measures of E0, E1" in plain(one.label)]
    app = sound(button.click().run())
    assert box(app, "measure").options == ["UFR", "KCR"]
    assert "Systems: 2" in said(app)


def test_refused_files_are_named_before_anything_is_asked_for() -> None:
    """Where all that was dropped is refused, the page does not say that nothing is loaded."""
    app = dropped({"a.csv": "bleu,chrf,ter\n30.1,55.2,48.9\n", "b.json": "{"})
    assert "Nothing is compared yet. 2 files below need another look." in said(app)
    assert "Nothing is loaded" not in said(app)
