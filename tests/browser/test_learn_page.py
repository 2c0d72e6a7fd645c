"""The learn page without a browser: every lesson on the sample and on own files, its animation, questions and handout."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from sigboard.questions.learn import lessons
from sigcore.studies import learn as studied
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
    """The figure of the lesson, with its frames."""
    found: dict[str, Any] = json.loads(app.get("plotly_chart")[0].proto.spec)
    return found


def check_animation(figure: dict[str, Any]) -> None:
    """Every button and every step of the slider plays frames that are part of the figure."""
    names = {frame["name"] for frame in figure["frames"]}
    menus, sliders = figure["layout"].get("updatemenus", ()), figure["layout"].get("sliders", ())
    asked = [button["args"][0] for menu in menus for button in menu["buttons"]]
    asked += [step["args"][0] for slider in sliders for step in slider["steps"]]
    assert len(names) > 1
    assert {name for frames in asked for name in frames if name is not None} <= names


@pytest.mark.parametrize("word", WORDS)
def test_each_lesson_shows_the_sample(word: str) -> None:
    """The text, a figure with frames, the numbers, three questions with hidden answers, and a handout."""
    lesson = lessons.get(word)
    app = page(start(lesson=word, resamples="1000"), "learn")
    assert lesson.lead in said(app)
    check_animation(spec(app))
    assert [box.label for box in app.expander][-3:] == [question for question, _ in lesson.questions]
    assert not any(box.proto.expanded for box in app.expander)
    assert "Handout to print (HTML)" in {button.proto.label for button in app.get("download_button")}


@pytest.mark.parametrize("word", WORDS)
def test_each_lesson_works_on_own_files(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were dropped are the data of the lesson; a hostile name is shown letter by letter."""
    monkeypatch.setattr(
        studied, "many", partial(studied.many, worlds=12)
    )  # those of the sample are as many as a person sees
    app = page(dropped(FILES, start(lesson=word)), "learn")
    assert not app.error
    check_animation(spec(app))
    assert "<b>" not in re.sub(r"</?(b|br)>", "", json.dumps(spec(app)).replace("&lt;b&gt;", ""))


def test_the_lesson_and_the_seed_are_in_the_address() -> None:
    """A link of the teacher opens the lesson with its seed, and the next lesson is a click away."""
    app = page(start(lesson="shuffle", seed="7"), "learn")
    assert "seed 7" in said(app)
    if len(WORDS) > 1:
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
    found = re.search(r"p of this pair\*\*: p = ([\d.]+); under the sound rule p = ([\d.]+)", said(app))
    assert found is not None
    assert float(found[1]) < float(found[2])
    shares = [float(share) for share in re.findall(r"of 1,000 \(([\d.]+) %\)", said(app))]
    assert shares[0] > 1.5 * shares[1]


def test_a_game_is_played_to_its_results() -> None:
    """Ten predictions, each revealed after it is made, give a score, a table to download, and another game."""
    app = page(start(lesson="predict", seed="7"), "learn")
    for k in range(10):
        assert "p = " not in json.dumps(spec(app)["layout"]) + json.dumps(spec(app)["data"])
        press(app, "Yes, significant" if k % 2 else "No, not significant")
        assert "p = " in json.dumps(spec(app)["data"])
        press(app, "Next round" if k < 9 else "Show the results")
    found = re.search(r"right\*\*: (\d+) of 10", said(app))
    assert found is not None
    assert f"{found[1]} of 10 predictions were right" in json.dumps(spec(app)["data"])
    assert "Results (CSV)" in {button.proto.label for button in app.get("download_button")}
    press(app, "Play again")
    assert "0 of 0" in said(app)


def test_another_seed_is_another_game() -> None:
    """The rounds are those of the seed of the link: the same for a whole class."""
    first, again, other = (spec(page(start(lesson="predict", seed=seed), "learn"))["data"] for seed in ("7", "7", "8"))
    assert first == again != other
