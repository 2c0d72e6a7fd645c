"""What the stages of the lessons send to the browser, and the figure of the game: counts of the test, literal names."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from sigboard.questions.learn import figure as figures
from sigboard.questions.learn import lessons, stage
from sigboard.render import style
from sigcore.studies import learn
from tests.unit.sigboard.reports.test_handout import HOSTILE, numbers, of_hostile
from tests.unit.sigcore.studies.learn.test_steps import OUTPUTS, TESTSET

__all__ = ["numbers"]  # a fixture

WORDS = tuple(lesson.word for lesson in lessons.lessons())
STAGED = tuple(word for word in WORDS if word != "predict")


def content(numbers: dict[str, Any], word: str, metric: str = "bleu", **more: Any) -> dict[str, Any]:
    """The stage of a lesson in the light theme."""
    scene = stage.Scene(word, of_hostile(metric), numbers[word], 1, 0.05)
    found: dict[str, Any] = stage.content(replace(scene, **more), "light", False, lambda token: False)
    return found


def test_every_lesson_has_a_stage_or_is_the_game() -> None:
    """No lesson is without a figure."""
    assert set(stage.SCENES) == set(STAGED)


@pytest.mark.parametrize("word", STAGED)
def test_a_stage_is_json_with_literal_names(numbers: dict[str, Any], word: str) -> None:
    """What is sent is JSON without nan; a name is sent as it is, because the browser shows texts and no markup; its buttons and
    panels have names."""
    made = content(numbers, word)
    text = json.dumps(made, allow_nan=False)
    if word not in ("many", "runs", "judge"):
        assert HOSTILE in json.loads(text)["heads"]
    assert made["one"]
    assert made["alt"]
    assert made["guess"].startswith("Your guess: ")
    assert made["presses"][:2] == [1, 10]
    assert all(panel["alt"] for panel in made["panels"])
    assert made["revealed"] is False
    assert "p = " not in made["heads"] + made["invitation"]


@pytest.mark.parametrize("word", STAGED)
def test_the_token_changes_with_what_is_drawn(numbers: dict[str, Any], word: str) -> None:
    """Another seed is another stage; another theme is the same."""
    made = content(numbers, word)
    scene = stage.Scene(word, of_hostile(), numbers[word], 1, 0.05)
    assert stage.content(scene, "dark", True, lambda token: True)["token"] == made["token"]
    assert content(numbers, word, seed=2)["token"] != made["token"]


@pytest.mark.parametrize("word", ["shuffle", "bootstrap", "three", "tail", "null", "interval", "plan"])
def test_without_a_formula_the_servers_draws_are_shown(
    numbers: dict[str, Any], word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows of the table are the server's draws: the nulls of the tests, or the p of its data sets."""
    monkeypatch.setattr(stage, "NUMBERS", 0)
    made = content(numbers, word)
    assert made["kind"] == "table"
    assert made["most"] == len(made["rows"])
    first = made["rows"][0]["values"]
    if word in ("shuffle", "bootstrap", "three"):
        nulls = [numbers[word].compared.result(name, "two-sided").null for name in (learn.TESTS[0], learn.TESTS[2])]
        expected = {"shuffle": nulls[:1], "bootstrap": nulls[1:], "three": [nulls[0], nulls[1], nulls[1]]}[word]
        assert first == [null[0] for null in expected]
        assert len(made["rows"]) == learn.DRAWN
    if word == "tail":
        assert first == [numbers[word].errors.p[0], numbers[word].sound.p[0]]
    if word == "null":
        assert [row["values"][0] for row in made["rows"]] == numbers[word].p.tolist()
    if word == "interval":
        assert [row["holds"] for row in made["rows"]] == numbers[word].holds.tolist()


def test_lines_are_at_the_gain_and_its_mirror(numbers: dict[str, Any]) -> None:
    """The cut-off of the first lessons is the size of the observed gain; that of the paired bootstrap is zero."""
    gain = numbers["three"].compared.result(learn.TESTS[0], "two-sided").gain
    panels = content(numbers, "three")["panels"]
    assert [panel["cut"] for panel in panels] == [abs(gain)] * 3
    assert [[line["at"] for line in panel["lines"]] for panel in panels] == [[gain, -gain], [gain, -gain], [0.0]]
    raw, moved = (numbers["three"].compared.result(name, "two-sided").null for name in (learn.TESTS[2], learn.TESTS[1]))
    assert panels[1]["centre"] == pytest.approx(float(np.mean(raw - moved)))
    assert panels[2]["loses"] == (1 if gain >= 0 else -1)


def test_two_equal_systems_have_one_line() -> None:
    """Without a gain, the observed gain is its own mirror."""
    outputs = [OUTPUTS[0], replace(OUTPUTS[0], system="B")]
    of = learn.data(TESTSET, outputs, [("bleu", {})])
    from sigcore.study import Study

    steps = learn.steps(Study(TESTSET, outputs, [("bleu", {})]))
    made = stage.content(stage.Scene("shuffle", of, steps, 1, 0.05), "light", False, lambda token: False)
    assert len(made["panels"][0]["lines"]) == 1  # type: ignore[index,call-overload,arg-type]
    json.dumps(made, allow_nan=False)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_frame_of_the_game_draws_every_trace(numbers: dict[str, Any], theme: style.Theme) -> None:
    """Each frame has all traces of the figure, as lists; the names of the buttons are frames; names are escaped."""
    figure = figures.draw(numbers["predict"], theme, compact=True)
    known = {frame.name: frame for frame in figure.frames}
    for frame in known.values():
        assert list(frame.traces) == list(range(len(figure.data)))
        for trace in frame.data:
            assert not any(isinstance(trace[name], np.ndarray) for name in ("x", "y", "width") if name in trace)
    for menu in figure.layout.updatemenus:
        assert {name for button in menu.buttons for name in button.args[0] if name is not None} <= set(known)
    assert HOSTILE not in str(figure.to_plotly_json())
    assert figures.alt(numbers["predict"])


def test_p_is_hidden_until_it_is_predicted(numbers: dict[str, Any]) -> None:
    """Before the prediction at most ten shuffles are in the figure, and p is nowhere in it; after it all are."""
    game = numbers["predict"]
    hidden = figures.draw(game)
    assert max(sum(frame.data[0].y) for frame in hidden.frames) == figures.HINT
    assert "p =" not in str(hidden.to_plotly_json())
    shown = learn.Game(game.rounds, ((1, 0.9),), 1, 0.05, game.title, game.decimals, game.unit)
    assert sum(figures.draw(shown).data[0].y) == len(game.rounds[1].null)
    assert "p = " in str(figures.draw(shown).to_plotly_json())
    results = learn.Game(game.rounds, ((1, 0.9),), None, 0.05, game.title, game.decimals, game.unit)
    assert f"{figures.points(results.points)} points in 1 rounds" in str(figures.draw(results).to_plotly_json())


def test_what_counts_in_a_round_is_blue(numbers: dict[str, Any]) -> None:
    """The blue bars of a revealed round hold as many shuffles as p counts."""
    game, accent = numbers["predict"], style.palette("light").accent
    for k, one in enumerate(game.rounds):
        bars = figures.draw(learn.Game(game.rounds, ((k, 0.9),), k, 0.05, game.title, game.decimals, game.unit)).data[0]
        assert sum(y for y, colour in zip(bars.y, bars.marker.color, strict=True) if colour == accent) == one.tail


def test_labels_of_lines_stay_in_the_figure() -> None:
    """Near the ends of the axis they are on the inner side of their lines; near the middle on the outer one, apart."""
    for place, sides in ((9.0, ("right", "left")), (1.0, ("left", "right"))):
        figure = go.Figure(layout={"xaxis": {"range": [-12, 12]}})
        figures.cut_lines(figure, [(place, "observed", True), (-place, "mirror", False)], "light")
        assert tuple(label.xanchor for label in figure.layout.annotations) == sides
