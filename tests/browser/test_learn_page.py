"""The learn page without a browser: every lesson on the sample and on own files, its stage, questions and handout."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sigboard.questions.learn import lessons
from sigboard.shell import live
from sigcore.studies import learn as studied
from tests import some
from tests.browser.test_pages import (
    GOOD,
    a_server_that_knows_its_pages,
    dropped,
    held,
    page,
    press,
    said,
    start,
)

__all__ = ["a_server_that_knows_its_pages"]  # a fixture that every test uses

WORDS = [lesson.word for lesson in lessons.lessons()]
FILES = {
    "ref.txt": GOOD,
    "one.txt": GOOD.replace("red", "rouge"),
    "sys_a%&<b>.txt": GOOD.replace("boat", "ship"),
    "two.txt": GOOD.replace("home", "away"),
}


def spec(app: AppTest) -> dict[str, Any]:
    """The figure of the game, with its frames."""
    found: dict[str, Any] = json.loads(app.get("plotly_chart")[0].proto.spec)
    return found


def content(app: AppTest) -> dict[str, Any]:
    """What the stage of a lesson draws."""
    (mounted,) = [one for one in app.get("bidi_component") if one.proto.component_name.endswith("sigboard_stage")]
    found: dict[str, Any] = json.loads(mounted.proto.json)
    return found


def waits(app: AppTest) -> bool:
    """Whether the page says that its numbers follow the reveal."""
    return any("press Reveal" in caption.value for caption in app.caption)


def reveal(app: AppTest) -> AppTest:
    """The page once the stage has said that its answer was revealed."""
    app.session_state[live.REVEALED] = {content(app)["token"]}
    return app.run()


@pytest.mark.parametrize("word", some.first(WORDS, 5))
def test_each_lesson_shows_the_sample(word: str) -> None:
    """The text, a stage, three questions with hidden answers; the numbers and the handout follow the reveal."""
    lesson = lessons.get(word)
    app = page(start(lesson=word, resamples="1000"), "learn")
    assert not app.error
    assert lesson.lead in said(app)
    asked = [question for question, _ in lesson.questions]
    assert [box.label for box in app.expander][-4:] == [*asked, "For teachers"]
    assert not any(box.proto.expanded for box in app.expander)
    files = {button.proto.label for button in app.get("download_button")}
    assert "Page for teachers (HTML)" in files
    if word != "predict":
        assert "Handout to print (HTML)" not in files
        assert waits(app)
        assert content(app)["word"] == word
        reveal(app)
        assert not waits(app)
        assert content(app)["revealed"] is True
    assert "Handout to print (HTML)" in {button.proto.label for button in app.get("download_button")}


@pytest.mark.parametrize("word", some.first(WORDS, 2))
def test_each_lesson_works_on_own_files(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were dropped are the data of the lesson; a hostile name is shown letter by letter."""
    monkeypatch.setattr(
        studied, "many", partial(studied.many, worlds=12)
    )  # those of the sample are as many as a person sees
    app = page(dropped(FILES, start(lesson=word)), "learn")
    assert not app.error
    if word == "predict":
        assert "<b>" not in re.sub(r"</?(b|br)>", "", json.dumps(spec(app)).replace("&lt;b&gt;", ""))
    else:
        assert len(content(app)["panels"]) >= 1
        assert "<b>" not in said(reveal(app)).replace("\\<b\\>", "")


def test_the_lesson_and_the_seed_are_in_the_address() -> None:
    """A link of the teacher opens the lesson with its seed, and the next lesson is a click away."""
    app = page(start(lesson="shuffle", seed="7"), "learn")
    assert content(app)["seed"] == 7
    assert "seed 7" in said(reveal(app))
    press(app, "Next")
    assert held(app, "lesson") == WORDS[1]


def test_nothing_loaded_is_an_invitation() -> None:
    """Without files, the page offers the samples."""
    app = page(start(), "data")
    press(app, "Clear everything")
    assert "Nothing is loaded yet" in said(page(app, "learn"))


def test_the_rule_of_the_lab_is_in_the_link() -> None:
    """A link sets the rule; with the slip p is smaller than under the sound rule, and false alarms are more frequent."""
    app = page(start(lesson="tail", rule_of_bootstrap="mean after |d|"), "learn")
    assert app.button_group(key="rule_of_bootstrap").value == ["slip"]
    assert content(app)["rule"]["slip"] is True
    reveal(app)
    found = re.search(r"p of this pair\*\*: p = ([\d.]+); under the sound rule p = ([\d.]+)", said(app))
    assert found is not None
    assert float(found[1]) < float(found[2])
    shares = [float(share) for share in re.findall(r"of 1,000 \(([\d.]+)%\)", said(app))]
    assert shares[0] > 1.5 * shares[1]


def test_a_game_is_played_to_its_results() -> None:
    """Ten predictions, each revealed after it is made, give points, a table to download, and another game."""
    app = page(start(lesson="predict", seed="7"), "learn")
    for k in range(10):
        assert "p = " not in json.dumps(spec(app)["layout"]) + json.dumps(spec(app)["data"])
        app.slider(key="sigboard.chance").set_value(0)
        press(app, "Say it")
        assert "p = " in json.dumps(spec(app)["data"])
        press(app, "Next round" if k < 9 else "Show the results")
    found = re.search(r"points\*\*: \u2212(\d+) in 10 rounds", said(app))
    assert found is not None  # whoever always says 0% loses
    assert f"\u2212{found[1]} points in 10 rounds" in json.dumps(spec(app)["data"], ensure_ascii=False)
    assert "Results (CSV)" in {button.proto.label for button in app.get("download_button")}
    press(app, "Play again")
    assert "in 0 rounds" in said(app)


def test_another_seed_is_another_game() -> None:
    """The rounds are those of the seed of the link: the same for a whole class."""
    first, again, other = (spec(page(start(lesson="predict", seed=seed), "learn"))["data"] for seed in ("7", "7", "8"))
    assert first == again != other


def test_only_the_stage_that_is_shown_is_revealed() -> None:
    """Another token does not reveal it: a browser may send anything."""
    app = page(start(lesson="shuffle"), "learn")
    app.session_state[live.REVEALED] = {"another"}
    app.run()
    assert content(app)["revealed"] is False
    assert waits(app)
