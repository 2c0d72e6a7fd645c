"""Every page without a browser: what a person sees on it, with samples, own files, bad files and nothing at all."""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, local_script_runner

from sigboard import terms
from sigboard.server.jobs import JOB
from sigboard.terminal import main
from sigcore.errors import Cancelled
from sigcore.formatting import format_p
from sigcore.studies import enough, matrix
from sigcore.study import Study
from tests.waiting import LIMIT, nap, until

APP = Path(__file__).resolve().parents[2] / "app.py"
PAGES = ("data", "matrix", "compare", "gain")
COMPUTED = PAGES[1:]
WORDS = ["red", "blue", "green", "small", "big", "old", "new", "tall"] * 5
GOOD = "\n".join(f"the {word} boat number {i} sails home again" for i, word in enumerate(WORDS)) + "\n"

# in a process, always the same
INSTALLED, SCRIPTS = cache(manifest_scanner.scan_component_manifests), ScriptCache()


@pytest.fixture(autouse=True)
def a_server_that_knows_its_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a server after its first visitor: every page runs inside app.py. (AppTest forgets this on each run, and
    then takes the folder pages/ for the old kind of app with many pages.) And the installed packages were searched for
    parts of pages once, and the scripts compiled once, which AppTest does for every app."""
    begin = PagesManager.__init__

    def begin_with_navigation(self: PagesManager, *parts: Any, **more: Any) -> None:
        begin(self, *parts, **more)
        PagesManager.uses_pages_directory = False

    monkeypatch.setattr(PagesManager, "__init__", begin_with_navigation)
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", INSTALLED)
    monkeypatch.setattr(local_script_runner, "ScriptCache", lambda: SCRIPTS)


def start(**address: str) -> AppTest:
    """The app at its first page."""
    app = AppTest.from_file(str(APP), default_timeout=LIMIT)
    for name, value in address.items():
        app.query_params[name] = value
    app.session_state["sigboard.matrix.details"] = True
    return app.run()


def no_job_runs() -> bool:
    """Whether every job of the page's server, which is this process, has ended."""
    return not any(thread.name == JOB for thread in threading.enumerate())


def sound(app: AppTest) -> AppTest:
    """The app, once no job runs; there is no unexpected error on the page."""
    if app.get("progress"):
        # the harness keeps the page that it was sent to: after a button that leads to another one it would go back
        app._page_hash = app._finished_page_script_hash
        until(lambda: no_job_runs() and not app.run().get("progress"), "the job is done")
    assert not app.exception
    assert not any("should not have" in box.value for box in app.error)
    return app


def page(app: AppTest, word: str, whole: bool = True) -> AppTest:
    """The app on that page, its job done; the `whole` page has its details open."""
    for fold in (f"sigboard.{word}.details", "sigboard.report.closed") if whole else ():
        app.session_state[fold] = True
    return sound(app.switch_page(f"pages/{word}.py").run())


def dropped(files: Mapping[str, str | bytes], app: AppTest | None = None) -> AppTest:
    """The page Files after these files were dropped."""
    app = page(app or start(), "data")
    content = [(name, text if isinstance(text, bytes) else text.encode(), "text/plain") for name, text in files.items()]
    app.get("file_uploader")[0].set_value(content).run()
    return sound(app)


def plain(text: str) -> str:
    """Text as the page shows it, without the backslashes that keep it literal."""
    return text.replace("\\", "")


def said(app: AppTest) -> str:
    """All that the boxes, sentences and cards of a page say."""
    boxes = [box.value for kind in (app.error, app.warning, app.info, app.success) for box in kind]
    cards = [f"{card.label}: {card.value}" for card in app.metric]
    return plain("\n".join([*boxes, *(text.value for text in app.markdown), *cards]))


def figure(app: AppTest) -> str:
    """The main figure of the page as JSON; it is the first one."""
    specs = [part.proto.json for part in app.get("bidi_component") if part.proto.component_name == "sigboard_grid"]
    specs += [chart.proto.spec for chart in app.get("plotly_chart")]
    assert specs
    for spec in specs:
        json.loads(spec)
    return str(specs[0])


def press(app: AppTest, label: str) -> AppTest:
    """The app after a click on that button."""
    next(button for button in app.button if label in button.label).click()
    return sound(app.run())


def scores(step: int) -> str:
    return "\n".join(str((i * step) % 7 / 7) for i in range(50)) + "\n"


# ---- while more is drawn


@pytest.mark.parametrize("correction", ["joint", "holm"])
def test_drawing_more_goes_on_while_the_page_is_drawn_again(monkeypatch: pytest.MonkeyPatch, correction: str) -> None:
    """A larger run that lasts is shown as it grows; each time the page asks for the smaller one again, which is done."""
    begun, go_on = list[int](), threading.Event()

    def slow(real: Callable[..., Any], resamples: Callable[..., int]) -> Callable[..., Any]:
        def work(*args: Any, **more: Any) -> Any:
            if (wanted := resamples(*args)) > enough.START:
                begun.append(wanted)
                while not go_on.is_set():
                    nap()
                    (args[1] if len(args) == 2 else args[3]).report("resampling", 0, 1)  # raises where the job is ended
            return real(*args, **more)

        return work

    def once(run: Any, *others: Any) -> int:
        return 20_000 if run.resamples == enough.START else 0

    def step(run: matrix.MatrixRun, *others: Any) -> matrix.Step | None:
        return matrix.Step(run.pairs[:1], enough.START, 20_000) if run.resamples == enough.START else None

    monkeypatch.setattr(enough, "wanted", once)
    monkeypatch.setattr(matrix, "next_step", step)
    monkeypatch.setattr(matrix, "run", slow(matrix.run, lambda study, *others: study.resamples))
    monkeypatch.setattr(matrix, "go_on", slow(matrix.go_on, lambda run, step, *others: step.resamples))
    app = start(metric="chrf", correction=correction, seed="97")
    app.switch_page("pages/matrix.py").run()
    until(lambda: begun or app.run().exception, "more is drawn")
    for _ in range(3):
        app.run()
    assert begun == [20_000]
    go_on.set()
    sound(app)
    assert begun == [20_000]
    assert "20,000" in said(app)


def test_a_further_metric_is_drawn_while_the_first_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The grid of the sidebar's metric is known, the one of a further metric is drawn; neither ends the other. Without
    the further metric its grid is not drawn to its end."""
    begun, ended, go_on = list[str](), list[str](), threading.Event()
    real = matrix.run

    def slow(study: Study, runtime: Any, **more: Any) -> matrix.MatrixRun:
        ((name, _),) = study.metrics
        begun.append(name)
        try:
            while name == "chrf" and not go_on.is_set():
                nap()
                runtime.report("resampling", 0, 1)  # raises where the job is ended
        except Cancelled:
            ended.append(name)
            raise
        return real(study, runtime, **more)

    monkeypatch.setattr(matrix, "run", slow)
    app = start(metric="nist", also="chrf", resamples="1000", seed="98")
    app.switch_page("pages/matrix.py").run()
    until(lambda: "chrf" in begun or app.run().exception, "the further metric is drawn")
    for _ in range(3):
        app.run()
    assert (begun, ended) == (["nist", "chrf"], [])
    app.query_params["also"] = ""
    app.session_state["sigboard.settings"] |= {"also": None}
    app.run()
    until(lambda: ended == ["chrf"], "nobody asks for it")
    go_on.set()
    sound(app)


# ---- the first visit


def test_the_first_screen_is_alive() -> None:
    """The first visit shows the coloured grid of a sample and one sentence about it."""
    app = sound(start())
    page(app, "matrix")
    assert "pairs differ significantly. Approximate randomization, max-T, all 28 pairs, alpha 0.05." in said(app)
    assert "Curlew" in figure(app)


@pytest.mark.parametrize("word", COMPUTED)
def test_every_page_shows_the_sample(word: str) -> None:
    """Each page draws its figure of the sample, with a sentence and downloads."""
    app = page(start(), word)
    figure(app)
    assert any(text.value.startswith("## ") for text in app.markdown)
    assert len(app.get("download_button")) >= 2


def test_the_other_sample_takes_the_place_of_the_first() -> None:
    """A press of the other sample's button shows its systems and none of the first."""
    app = press(page(start(), "data"), "kitchen radio")
    page(app, "matrix")
    assert "Whisk" in figure(app)
    assert "Curlew" not in figure(app)


@pytest.mark.parametrize("word", COMPUTED)
def test_nothing_loaded_is_an_invitation(word: str) -> None:
    """After Clear everything each page says what it needs, without an error box, and a sample is one click away."""
    app = page(press(page(start(), "data"), "Clear everything"), word)
    assert "Nothing is loaded yet" in said(app)
    assert not app.error
    press(app, "harbour")
    figure(page(app, word))


# ---- settings


def test_settings_come_from_the_address() -> None:
    """A link sets what it names; nonsense falls back to the default."""
    app = page(
        start(metric="TER", alpha="0.01", resamples="1,000", correction="Benjamini-Hochberg", test="nonsense"), "matrix"
    )
    chosen = {box.label: box.value for box in app.selectbox}
    assert (chosen["metric"], chosen["alpha"], chosen["resamples"]) == ("ter", 0.01, 1000)
    assert (chosen["correction"], chosen["test"]) == ("benjamini_hochberg", "approximate_randomization")
    assert "Benjamini-Hochberg, all 28 pairs, alpha 0.01" in said(app)


def held(app: AppTest, key: str) -> str:
    """The value of that key in the URL."""
    value = app.query_params[key]
    return value if isinstance(value, str) else value[0]


def test_the_address_takes_the_names_of_the_terminal() -> None:
    """A link may name members and numbers as the terminal does, and the address holds these names."""
    app = page(start(metric="ter", resamples="1000", correction="benjamini_hochberg", sides="less"), "matrix")
    chosen = {box.label: box.value for box in app.selectbox}
    assert (chosen["metric"], chosen["resamples"], chosen["sides"]) == ("ter", 1000, "less")
    assert chosen["correction"] == "benjamini_hochberg"
    assert held(app, "metric") == "ter"
    assert held(app, "correction") == "benjamini_hochberg"


def test_an_old_link_with_labels_still_works() -> None:
    """Addresses once held the labels of the boxes; the address then holds the names, which no new label can break."""
    app = page(
        start(metric="TER", test="Bootstrap, shift to zero", sides="one-sided: row worse", unit="block"), "matrix"
    )
    chosen = {box.label: box.value for box in app.selectbox}
    assert (chosen["metric"], chosen["test"], chosen["sides"]) == ("ter", "bootstrap_shift", "less")
    assert held(app, "test") == "bootstrap_shift"
    assert held(app, "sides") == "less"


def test_a_setting_that_a_page_does_not_use_is_neither_shown_nor_lost() -> None:
    """Scores is always two-sided: its sidebar has no sides, and the next page has those that were chosen."""
    app = page(start(sides="less", correction="bonferroni", resamples="1000"), "scores")
    labels = {box.label for box in app.selectbox}
    assert {"metric", "unit", "alpha", "correction"} <= labels
    assert not labels & {"test", "sides", "resamples", "ties"}
    page(app, "data")
    assert not {box.label for box in app.selectbox} & {"metric", "alpha"}
    page(app, "gain")
    labels = {box.label: box.value for box in app.selectbox}
    assert "correction" not in labels
    assert labels["sides"] == "greater"  # its own
    page(app, "matrix")
    assert {box.label: box.value for box in app.selectbox}["correction"] == "bonferroni"
    assert (held(app, "sides"), held(app, "correction"), held(app, "resamples")) == ("less", "bonferroni", "1000")


def part(app: AppTest, setting: str) -> str:
    """What the sentence of the sidebar says of a setting."""
    parts = [each.proto for each in app.sidebar.get("popover")]
    return next(each.popover.label for each in parts if each.id.endswith(f"-settings.{setting}"))


def test_a_page_without_a_correction_says_the_one_of_the_grid() -> None:
    """Files and Human correct nothing: what is off there is still what Grid uses."""
    app = page(start(), "matrix")
    used = part(app, "correction")
    assert used == "max-T"
    assert [part(page(app, word), "correction") for word in ("data", "human", "reproduce")] == [used] * 3
    assert part(page(app, "tasks"), "correction") == "Holm"  # of its own tests, which draw no joint null


def test_the_session_owns_the_settings() -> None:
    """An older address, as the browser's Back brings it, changes no setting; it is corrected."""
    app = page(start(resamples="1000"), "matrix")
    app.selectbox(key="alpha").set_value(0.01).run()
    assert held(sound(app), "alpha") == "0.01"
    del app.query_params["alpha"]
    app.run()
    assert app.selectbox(key="alpha").value == 0.01
    assert held(sound(app), "alpha") == "0.01"
    app.selectbox(key="alpha").set_value(0.05).run()
    assert "alpha" not in sound(app).query_params


def test_every_term_is_explained() -> None:
    """Each control has a help of at least two sentences, and the glossary shows the same words."""
    app = page(start(resamples="1000", unit="block"), "matrix")
    app = press(app, "Glossary")
    shown = "\n".join(text.value for text in app.markdown)
    for key in ("metric", "test", "sides", "unit", "alpha", "correction", "resamples", "ties", "estimator"):
        assert terms.meaning(key) == app.selectbox(key=key).help
    for term in terms.TERMS.values():
        assert len(re.findall(r"[.?](?: |$)", term.meaning)) >= 2, term.name
        assert term.meaning in shown


def pair(app: AppTest) -> tuple[str, str]:
    """The system and the baseline that the page compares."""
    return app.selectbox(key="system").value, app.selectbox(key="baseline").value


def test_the_two_best_are_compared_first() -> None:
    """Once the scores are known, the page Pair starts with the two best, also right after the grid, whose boxes show
    them too; another metric does not change the pair, and a pair that was asked for comes first."""
    known = "the boat sails home"
    files = {"ref.txt": GOOD, "worst.txt": GOOD.replace("boat", "ship").replace("home", "away")}
    files |= {"second.txt": GOOD.replace("tall", "big"), "best.txt": GOOD.replace("red boat number 0", known)}
    app = page(dropped(files), "matrix")
    assert pair(app) == ("best", "second")
    assert pair(page(app, "compare")) == ("best", "second")
    assert pair(page(page(app, "gain"), "compare")) == ("best", "second")
    app.selectbox(key="metric").set_value("ter").run()
    assert pair(sound(app)) == ("best", "second")
    app.selectbox(key="baseline").set_value("worst").run()
    assert pair(page(page(sound(app), "matrix"), "compare")) == ("best", "worst")
    assert pair(page(start(analysis=held(app, "analysis"), system="worst"), "compare"))[0] == "worst"


@pytest.mark.parametrize("metric", ["BLEU", "chrF", "TER"])
@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_every_metric_and_side_is_worded(metric: str, side: str) -> None:
    """Every metric and side gives a verdict on compare and a figure on gain."""
    app = start(resamples="1,000", metric=metric)
    page(app, "compare")
    app.selectbox(key="sides").set_value(side).run()
    assert "at alpha 0.05" in said(sound(app))
    figure(app)
    figure(page(app, "gain"))


def test_alpha_is_a_matter_of_reading() -> None:
    """Another alpha changes the sentence, not the scores."""
    app = page(start(resamples="1000"), "matrix")
    app.selectbox(key="alpha").set_value(0.001).run()
    assert "alpha 0.001" in said(sound(app))


@pytest.mark.parametrize("rule", [{"ties": "strict"}, {"ties": "half"}, {"estimator": "paper"}])
def test_p_as_printed_elsewhere_has_a_warning_and_no_verdict(rule: dict[str, str]) -> None:
    """The three pages show the warning (gain: the summary), and none of them claims that anything is significant."""
    app = start(**rule)
    for word, sentence in (("matrix", "No verdict on any pair"), ("compare", "this p is not a verdict")):
        words = said(page(app, word))
        assert sentence in words
        assert "such a p is not a verdict" in words
        assert "is significant" not in words
    assert "No verdict on any pair" in said(page(app, "gain"))


def captions(app: AppTest) -> str:
    """The captions under the figures."""
    return plain("\n".join(caption.value for caption in app.caption))


def test_the_unit_of_resampling_is_chosen() -> None:
    """The sample has documents: they are the unit, in every caption, with their number and design effect; one click
    changes it to segments and back."""
    app = page(start(resamples="1,000"), "matrix")
    press(app, "Resample segments instead")
    assert "n = 300 segments, R" in captions(app)
    assert app.selectbox(key="unit").value == "segment"
    press(app, "Resample documents instead")
    for word in COMPUTED:
        assert "n = 26 documents (300 segments), design effect" in captions(page(app, word))
    assert "times as much as if segments were independent" in said(page(app, "compare"))
    app.selectbox(key="unit").set_value("block").run()
    assert "n = 6 blocks of 50 segments (300 segments), design effect" in captions(sound(app))
    app.number_input(key="block").set_value(10).run()
    assert "n = 30 blocks of 10 segments (300 segments), design effect" in captions(sound(app))


def test_resamples_are_as_many_as_the_verdicts_need() -> None:
    """Automatic: pairs whose verdict 10,000 resamples leave open get more, and the caption has the range of numbers."""
    asked = {"test": "approximate_randomization", "correction": "bonferroni", "metric": "bleu"}
    app = page(start(**asked, alpha="0.001"), "matrix")
    until(lambda: "R = 10,000 to " in captions(sound(app.run())), "some pairs go on")
    app = page(start(**asked, resamples="1,000"), "matrix")
    assert "R = 1,000," in captions(sound(app))
    assert "p cannot fall below" in captions(app)


def test_the_unit_comes_from_the_address() -> None:
    """A link holds the unit and the length of a block."""
    assert "n = 26 documents" in captions(page(start(unit="document", resamples="1,000"), "matrix"))
    assert "n = 20 blocks of 15 segments" in captions(
        page(start(unit="block", block="15", resamples="1,000"), "matrix")
    )


def test_documents_are_offered_only_where_there_are_some() -> None:
    """Without documents in the files, the unit document is not offered, and a former choice falls back to segments."""
    app = page(start(unit="document", resamples="1,000"), "matrix")
    assert "document" in app.selectbox(key="unit").options
    dropped({"ref.txt": GOOD, "one.txt": GOOD.replace("red", "r"), "two.txt": GOOD.replace("boat", "ship")}, app)
    page(app, "matrix")
    assert app.selectbox(key="unit").options == ["automatic", "segment", "block"]
    assert "n = 40 segments, R" in captions(app)
    dropped({"parts.tsv": "segment\tdocument\n" + "".join(f"{i + 1}\tdoc{i // 2}\n" for i in range(40))}, app)
    page(app, "matrix")
    assert app.selectbox(key="unit").options == ["automatic", "segment", "document", "block"]
    assert "n = 20 documents (40 segments)" in captions(sound(app))


def test_few_documents_are_the_unit_of_few_tests() -> None:
    """Six documents are too few for three tests: Grid, Rank, Pair and Report draw segments, and say so beside the verdict with
    the design effect; the check is amber. Of a planned pair they are the unit, with the smallest possible p in view."""
    of = {"one": GOOD.replace("red", "r"), "two": GOOD.replace("boat", "ship"), "three": GOOD.replace("a", "e")}
    files = {"ref.txt": GOOD, **{f"{name}.txt": text for name, text in of.items()}}
    parts = "segment\tdocument\n" + "".join(f"{i + 1}\tdoc{i // 7}\n" for i in range(40))
    app = dropped(files | {"parts.tsv": parts}, start(metric="accuracy"))
    told = "whose swaps give no p below 0.031. That times 3 tests is above alpha 0.05. The design effect of documents"
    for word in ("matrix", "rank", "compare"):
        page(app, word)
        assert told in captions(app) + plain("\n".join(text.value for text in app.markdown)), word
    assert "n = 40 segments" in captions(page(app, "matrix"))
    assert told in plain("\n".join(text.value for text in page(app, "report").markdown))
    app.query_params["family"] = "planned"
    assert "n = 6 documents (40 segments)" in (drawn := captions(page(app, "compare")))
    assert "smallest possible p 0.031" in drawn


# ---- a person's own files


def test_own_files_go_through_all_pages() -> None:
    """A reference and two systems are recognised and compared on every page."""
    app = dropped({"ref.txt": GOOD, "one.txt": GOOD.replace("red", "rouge"), "two.txt": GOOD.replace("boat", "ship")})
    assert "Systems: 2" in said(app)
    for word in COMPUTED:
        page(app, word)
        assert "2 systems · 40 segments · 1 reference" in said(app)
        figure(app)
    page(app, "compare")
    assert "one beats two by" in said(app)


def test_one_system_is_not_enough() -> None:
    """With one system each page names it and asks for another."""
    app = dropped({"ref.txt": GOOD, "lonely.txt": GOOD})
    for word in COMPUTED:
        assert "There is only one system: lonely." in said(page(app, word))


def test_a_missing_reference_is_reported_on_every_page() -> None:
    """Without a reference each page says that one is missing, and how to fix it."""
    app = dropped({"one.txt": GOOD, "two.txt": GOOD})
    for word in PAGES:
        assert "There is no reference to score the text against." in said(page(app, word))


def test_bad_files_are_reported_all_at_once() -> None:
    """Each bad file has its own box with its place; the good ones are compared."""
    app = dropped(
        {
            "ref.txt": GOOD,
            "one.txt": "\ufeff" + GOOD.replace("\n", "\r\n"),
            "two.txt": GOOD.replace("boat", "bo\u2028at"),
            "short.txt": GOOD.replace("the red boat number 0 sails home again\n", ""),
            "latin.txt": b"caf\xe9\n" * 40,
            "empty.txt": "",
            "nul.txt": GOOD.replace("red", "r\0d"),
        }
    )
    words = said(app)
    for part in ("short has 39 lines, ref has 40", "0xE9", "empty.txt is empty", "NUL character", "byte order mark"):
        assert part in words
    assert "CRLF" in words
    assert "U+2028" in words
    assert "Systems: 2" in words
    figure(page(app, "matrix"))


def test_a_fixed_file_replaces_the_bad_one() -> None:
    """A file that was cut off or unreadable goes, with its error, when a file of that name comes again."""
    one = GOOD.replace("red", "rouge")
    app = dropped({"ref.txt": GOOD, "one.txt": one, "two.txt": GOOD[:-60], "bad.txt": b"\xe9\n" * 40})
    assert "two has 39 lines" in said(app)
    dropped({"two.txt": GOOD.replace("home", "away"), "bad.txt": GOOD.replace("sails", "sinks")}, app)
    assert not app.error
    assert "Systems: 3" in said(app)
    assert list(app.dataframe[0].value["name"]) == ["ref", "one", "two", "bad"]


def test_names_are_shown_letter_by_letter() -> None:
    """No name becomes Markdown or markup in a sentence, a card or a figure."""
    names = ["<img src=x>", "![x](http:..evil.x.png)", "sys_a_b*c*"]
    texts = [GOOD.replace("red", "r"), GOOD.replace("boat", "ship"), GOOD.replace("home", "away")]
    app = dropped({"ref.txt": GOOD, **{f"{name}.txt": text for name, text in zip(names, texts, strict=True)}})
    page(app, "matrix")
    rows = json.loads(figure(app))["rows"]  # names are set as text, details are parsed
    assert not any("<img" in cell["details"] for row in rows for cell in row["cells"])
    assert any("<img src=x>" in row["name"] for row in rows)
    page(app, "compare")
    sound(app.selectbox(key="baseline").set_value(names[1]).run())
    sentence = next(text.value for text in app.markdown if text.value.startswith("## "))
    assert "\\<img src\\=x\\> beats \\!\\[x\\]\\(http" in sentence


def test_scores_of_ones_own() -> None:
    """Files of numbers need no reference, are compared by their mean, and lower can be better."""
    app = dropped({"a.txt": scores(3), "b.txt": scores(5).replace("0.0\n", "3.0\n")})
    assert "References: 0" in said(app)
    page(app, "compare")
    app.selectbox(key="system").set_value("b")
    app.selectbox(key="baseline").set_value("a").run()
    assert "b beats a" in said(sound(app)) or "b is ahead of a" in said(app)
    app.selectbox(key="own_scores.better").set_value("lower").run()
    assert "b is worse than a" in said(sound(app)) or "b is behind a" in said(app)


def counts(misses: int) -> str:
    """Hits, predictions and gold of 40 segments in 8 documents."""
    rows = (f"d{i // 5},{4 - (i % misses == 0)},5,{4 + i % 3}" for i in range(40))
    return "\n".join(["doc,tp,pred,gold", *rows]) + "\n"


def test_counts_of_ones_own() -> None:
    """Tables of counts need no reference and are compared by a formula that the sidebar offers, over documents too."""
    app = page(dropped({"a.csv": counts(2), "b.csv": counts(7)}), "matrix")
    assert app.selectbox(key="metric").value == "own_statistics"
    assert "b has a significantly higher F1 than a" in said(app)
    assert " F1" in said(app)
    app.selectbox(key="unit").set_value("document").run()
    assert "n = 8 documents (40 segments)" in captions(sound(app))
    app.selectbox(key="own_statistics.formula").set_value("ratio").run()
    assert "ratio needs num,den; the segments have tp, pred, gold." in said(sound(app))
    app.text_input(key="own_statistics.columns").set_value("tp,gold").run()
    assert " ratio" in said(sound(app))
    figure(app)


def test_predicted_labels_have_accuracy_where_nobody_chose_a_metric() -> None:
    """Files of labels after a sample of text: the metric that was only usual for the sample goes, a chosen one stays."""
    gold = ["yes", "no", "maybe"] * 20
    files = {"ref.txt": gold, "a.txt": gold[1:] + gold[:1], "b.txt": gold[:50] + gold[:10]}
    texts = {name: "\n".join(cells) + "\n" for name, cells in files.items()}
    app = page(dropped(texts, page(start(), "matrix")), "matrix")
    assert part(app, "metric") == "accuracy"
    app = page(dropped(texts, page(start(metric="chrf"), "matrix")), "matrix")
    assert part(app, "metric") == "chrF"


def test_text_and_scores_are_two_test_sets() -> None:
    """Where both were dropped, a choice shows one or the other, and says that the rest is set aside."""
    app = dropped(
        {"ref.txt": GOOD, "A.txt": GOOD, "B.txt": GOOD.replace("red", "r"), "a.seg": scores(3), "b.seg": scores(5)}
    )
    assert "Text and scores are separate test sets" in said(app)
    assert "Segments: 40" in said(app)


def test_texts_without_blanks_are_split_or_warned_of() -> None:
    """BLEU has the tokenizer zh for Chinese by itself; of Japanese its pages warn until a tokenizer is chosen."""
    chinese = "".join(f"这是第{i}个句子，关于海边的小船。\n" for i in range(40))
    app = dropped({"ref.zh": chinese, "a.zh": chinese.replace("小船", "大船"), "b.zh": chinese.replace("海边", "山边")})
    assert "look Chinese" in said(app)
    page(app, "matrix")
    assert "set tokenize to" not in said(app)
    assert app.text_input(key="bleu.language.zh").value == "zh"
    kana = "".join(f"これは{i}番の文です、海辺の小さな船について。\n" for i in range(40))
    app = dropped({"ref.ja": kana, "a.ja": kana.replace("小さな", "大きな"), "b.ja": kana.replace("海辺", "山辺")})
    page(app, "matrix")
    assert "set tokenize to ja-mecab" in said(app)
    app.selectbox(key="bleu.tokenize").set_value("char").run()
    assert "set tokenize to" not in said(sound(app))


def test_a_page_survives_the_loss_of_its_pair() -> None:
    """A pair chosen before other files were loaded is forgotten, not an error."""
    app = page(start(), "compare")
    sound(app.selectbox(key="system").set_value("Grebe").run())
    dropped({"ref.txt": GOOD, "one.txt": GOOD.replace("red", "r"), "two.txt": GOOD.replace("boat", "ship")}, app)
    assert "one beats two by" in said(page(app, "compare"))


def test_a_link_shows_the_files_and_keeps_visitors_apart() -> None:
    """Who follows a link finds the files; what that visitor clears or renames stays on the screen of the first."""
    files = {"ref.txt": GOOD, "one.txt": GOOD.replace("red", "r"), "two.txt": GOOD.replace("boat", "ship")}
    first = page(dropped(files), "data")
    second = page(start(analysis=first.query_params["analysis"]), "data")
    assert "Systems: 2" in said(second)
    press(second, "Clear everything")
    assert "Nothing is loaded" in said(second)
    assert "one beats two by" in said(page(first, "compare"))
    assert "Systems: 2" in said(page(start(analysis=first.query_params["analysis"]), "data"))


def test_a_change_behind_a_link_gets_a_link_of_its_own() -> None:
    """What the second visitor adds is found under the second's address, and not under the one that was followed."""
    files = {"ref.txt": GOOD, "one.txt": GOOD.replace("red", "r"), "two.txt": GOOD.replace("boat", "ship")}
    link = page(dropped(files), "data").query_params["analysis"]
    second = dropped({"three.txt": GOOD.replace("small", "tiny")}, start(analysis=link))
    assert second.query_params["analysis"] != link
    assert "Systems: 3" in said(page(start(analysis=second.query_params["analysis"]), "data"))
    assert "Systems: 2" in said(page(start(analysis=link), "data"))


# ---- the gain page


def test_gain_has_the_test_of_its_paper() -> None:
    """The usual test of Gain is the paper's; another choice there changes no other page, and is in the address by a name of
    its own. A pair from Gain is compared under it."""
    app = page(start(), "gain")
    assert "Two-delta bootstrap" in figure(app)
    assert "test" not in app.query_params
    app.selectbox(key="paper.test").set_value("paired_bootstrap").run()
    assert "Paired bootstrap" in figure(sound(app))
    assert held(app, "paper.test") == "paired_bootstrap"
    page(app, "matrix")
    assert app.selectbox(key="test").value == "approximate_randomization"
    app = page(
        start(family="gain", **{"paper.test": "paired_bootstrap", "system": "Cormorant", "baseline": "Grebe"}),
        "compare",
    )
    app.query_params["family"] = "gain"
    assert "Paired bootstrap" in figure(sound(app.run()))


def test_gain_and_its_command_give_the_same_numbers(tmp_path: Path) -> None:
    """The points and thresholds of the page, with mixtures, are those of the command with the same settings."""
    app = page(start(mixtures="true", each="5"), "gain")
    shown = dict(zip(app.dataframe[0].value["class"], app.dataframe[0].value["borderline pairs"], strict=True))
    pairs = app.dataframe[-1].value
    sample = APP.parent / "samples" / "harbour"
    file = tmp_path / "gain.json"
    files = [
        "--reference",
        f"{sample}/ref.A.en",
        f"{sample}/ref.B.en",
        "--systems",
        *map(str, (sample / "systems").iterdir()),
    ]
    groups = ["--groups", f"{sample}/groups.tsv", "--documents", str(documents(tmp_path, sample / "documents.tsv"))]
    assert main(["gain", *files, *groups, "--mixtures", "5", "--json", str(file)]) == 0
    content = json.loads(file.read_text())
    assert shown == {item["class"]: item["n"] for item in content["thresholds"]}
    real = {(p["system"], p["baseline"]): p["p_value"] for p in content["points"] if not p["synthetic"]}
    assert len(real) == len(pairs) == 28
    for row in pairs.itertuples():
        assert row.p_value == format_p(real[row.system, row.baseline] or math.nan, 10_000)


def documents(folder: Path, table: Path) -> Path:
    """The documents of a sample, one line per segment."""
    lines = [line.split("\t")[1] for line in table.read_text().splitlines()[1:]]
    (folder / "documents.txt").write_text("\n".join(lines) + "\n")
    return folder / "documents.txt"


def test_my_gain_counts_the_pairs_with_such_a_gain() -> None:
    """The box says how many pairs with about the gain were significant; without a gain it says nothing."""
    app = page(start(), "gain")
    assert "with about such a gain" not in said(app)
    app.number_input(key="my_gain").set_value(3.0).run()
    assert "A gain of +3.00 BLEU" in said(sound(app))
    assert "A gain of +2.00 BLEU" in said(page(start(my_gain="2"), "gain"))


def test_mixtures_are_hollow_and_named() -> None:
    """Mixtures are hollow points of a class that says what they are, with a threshold of their own."""
    app = page(start(mixtures="true", each="5"), "gain")
    drawn = json.loads(figure(app))["data"]
    assert [trace["marker"]["symbol"].endswith("-open") for trace in drawn if "mixtures" in trace["name"]] == [
        True,
        True,
    ]
    assert "they are not systems that anybody built" in captions(app)
    app.number_input(key="each").set_value(8).run()
    again = json.loads(figure(sound(app)))["data"]
    told = [
        sum(int(trace["name"].rpartition("(")[2][:-1]) for trace in some if "mixtures" in trace["name"])
        for some in (drawn, again)
    ]
    assert told == [math.comb(3 * 5, 2), math.comb(3 * 8, 2)]  # of three usual pairs of systems


# ---- groups on the gain page

TWINS = {
    "ref.en": GOOD,
    "Online-A.en": GOOD.replace("home", "away", 9),
    "Online-B.en": GOOD.replace("boat", "ship", 9),
    "Lab.en": GOOD.replace("sails", "sail"),
}


def given_groups(app: AppTest) -> list[str]:
    """The groups in the table of the gain page."""
    return next(list(table.value["group"]) for table in app.dataframe if "group" in table.value)


def test_groups_start_empty_and_are_proposed_on_request() -> None:
    """Without groups no pair has a class; a proposal needs a press, and can be removed."""
    app = page(dropped(TWINS), "gain")
    assert given_groups(app) == ["", "", ""]
    assert "same group" not in figure(app)
    assert "no class" in figure(app)
    press(app, "Propose groups from names")
    assert sorted(given_groups(app)) == ["Lab", "Online", "Online"]
    assert "same group (1)" in figure(app)
    assert "different groups (2)" in figure(app)
    assert not [button for button in app.button if "Propose" in button.label]
    press(app, "Remove all groups")
    assert given_groups(app) == ["", "", ""]
    assert "same group" not in figure(app)


def test_a_sample_declares_its_groups() -> None:
    """The groups of a sample are those of its own table, not guesses from names."""
    app = page(start(), "gain")
    assert set(given_groups(app)) == {"Albatross family", "Divers", "Waders", "Word for word"}
    assert "same group" in figure(app)


def test_one_sided_tests_after_a_look_carry_a_caution() -> None:
    """On the gain page the data decide who comes first, so one-sided p-values carry a caution; two-sided ones do not."""
    caution = "reject a true null about twice as often"
    for side, shown in (("two-sided", False), ("greater", True)):
        app = page(start(**{"paper.sides": side}), "gain")
        assert any(caution in caption.value for caption in app.caption) == shown
        assert "is the test Paired bootstrap" in " ".join(caption.value for caption in app.caption)


# ---- the figures


def test_the_line_above_the_grid() -> None:
    """The smallest significant gain, the number of resamples, and whether a pair needs more."""
    app = page(start(resamples="1,000"), "matrix")
    assert re.search(r"Smallest significant gain \d+\.\d\d BLEU · R = 1,000, (no pair|\d+ pairs?) ", said(app))


def shown_table(app: AppTest) -> pd.DataFrame:
    """The table of all tests."""
    return app.dataframe[0].value


def test_the_table_of_tests_has_its_key_columns_first_and_no_none() -> None:
    """Name, side, p and verdict come first; what does not apply is written, never None."""
    app = page(start(resamples="1,000"), "compare")
    table = shown_table(app)
    assert list(table.columns[:5]) == ["chosen", "test", "alternative", "p_value", "verdict"]
    assert not table.isna().any(axis=None)
    assert set(table["counts_if"].str[0]) <= {"≤", "≥"}


def test_another_test_is_one_click_away() -> None:
    """The button above a small histogram chooses its test: for the large histogram and in the sidebar."""
    app = page(start(resamples="1,000"), "compare")
    assert "Approximate randomization" in figure(app)
    press(app, "Paired bootstrap")
    assert "Paired bootstrap" in json.loads(figure(app))["layout"]["annotations"][0]["text"]
    assert app.selectbox(key="test").value == "paired_bootstrap"
    assert [item.label for item in app.button if item.label == "Paired bootstrap"] == []


def test_resamples_one_by_one() -> None:
    """One, ten, all: the chosen number of dots, and again the histogram."""
    app = page(start(resamples="1,000"), "compare")
    for first in (1, 10):
        app.get_by_key("sigboard.steps").set_value(first).run()
        (dots,) = json.loads(figure(sound(app)))["data"]
        assert dots["mode"] == "markers"
        assert len(dots["hovertext"]) == first
    app.get_by_key("sigboard.steps").set_value(0).run()
    assert json.loads(figure(sound(app)))["data"][0]["type"] == "bar"


def test_present_shows_one_figure_and_its_address() -> None:
    """present=1 shows the figure with doubled type and nothing else; the button leaves and the rest is there again."""
    app = page(start(resamples="1,000", present="1"), "compare")
    assert len(app.get("plotly_chart")) == 1
    assert not app.title
    assert not app.dataframe
    size = json.loads(figure(app))["layout"]["font"]["size"]
    press(app, "Leave")
    assert "present" not in app.query_params
    assert json.loads(figure(app))["layout"]["font"]["size"] == size / 2
    assert app.title
    press(app, "Present")
    assert app.query_params["present"] in ("1", ["1"])


def test_gain_has_two_scales() -> None:
    """Confidence from 0.5 to 1, and -log10 p."""
    app = page(start(resamples="1,000"), "gain")
    assert json.loads(figure(app))["layout"]["yaxis"]["range"][0] > 0.4
    app.get_by_key("vertical").set_value("log").run()
    assert json.loads(figure(sound(app)))["layout"]["yaxis"]["title"]["text"].startswith("−log")
