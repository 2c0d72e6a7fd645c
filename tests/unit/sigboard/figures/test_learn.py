"""The figures of the lessons: the frames end with the counts of the test, names are literal, arrays of frames are lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from sigboard.questions.learn import figure as figures
from sigboard.questions.learn import lessons, predict, stage, three
from sigboard.render import style
from sigcore import formatting
from sigcore.studies import learn
from tests.unit.sigboard.reports.test_handout import HOSTILE, numbers

__all__ = ["numbers"]  # a fixture

WORDS = tuple(lesson.word for lesson in lessons.lessons())


@pytest.fixture(scope="module")
def drawn(numbers: dict[str, Any]) -> dict[str, Any]:
    """The figure of each lesson in the light theme, drawn once; no test changes one."""
    return {word: figures.draw(word, numbers[word]) for word in WORDS}


def frames(figure: Any) -> dict[str, Any]:
    """The frames by name."""
    return {frame.name: frame for frame in figure.frames}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("word", WORDS)
def test_every_frame_draws_every_trace(
    drawn: dict[str, Any], numbers: dict[str, Any], word: str, theme: style.Theme
) -> None:
    """Each frame has all traces of the figure, as lists, also in the dark and for a narrow screen; the names of the buttons
    and of the slider are frames."""
    figure = drawn[word] if theme == "light" else figures.draw(word, numbers[word], theme, compact=True)
    known = frames(figure)
    for frame in known.values():
        assert list(frame.traces) == list(range(len(figure.data)))
        for trace in frame.data:
            held = [trace[name] for name in ("x", "y", "z", "width") if name in trace]
            assert not any(isinstance(one, np.ndarray) for one in held)
    for menu in figure.layout.updatemenus:
        asked = {name for button in menu.buttons for name in button.args[0] if name is not None}
        assert asked <= set(known)
    for slider in figure.layout.sliders:
        assert {step.args[0][0] for step in slider.steps} <= set(known)


@pytest.mark.parametrize("word", WORDS)
def test_names_are_literal(drawn: dict[str, Any], numbers: dict[str, Any], word: str) -> None:
    """A name with markup is escaped wherever Plotly would read it; the alternative text has it as it is."""
    assert HOSTILE not in str(drawn[word].to_plotly_json())
    assert figures.alt(word, numbers[word])


@pytest.mark.parametrize("word", WORDS)
def test_texts_are_larger_on_a_projector(drawn: dict[str, Any], word: str) -> None:
    """In Present mode all captions of all frames are larger."""
    figure = drawn[word]
    large = style.enlarged(figure, 2.0, 640)
    assert len(large.frames) == len(figure.frames)
    for before, after in ((figure.data[-1], large.data[-1]), (figure.frames[-1].data[-1], large.frames[-1].data[-1])):
        assert [2 * size for size in before.textfont.size] == list(after.textfont.size)


def test_blocks_pile_up_to_the_count_of_the_test(drawn: dict[str, Any], numbers: dict[str, Any]) -> None:
    """At shuffle 1,000 the blue bars hold the tail of the test, and the words give its p; at shuffle k there are k blocks."""
    test = numbers["shuffle"].compared.result("approximate_randomization", "two-sided")
    known = frames(drawn["shuffle"])
    for name in ("1", "10", "400", "1000"):
        assert sum(known[name].data[0].y) == int(name)
    last = known["1000"].data[0]
    accent = style.palette("light").accent
    assert sum(y for y, colour in zip(last.y, last.marker.color, strict=True) if colour == accent) == test.tail
    assert f"= {formatting.format_p(test.p_value, 1000)}" in known["1000"].data[-1].text[-1]


def test_squares_show_the_coins(drawn: dict[str, Any], numbers: dict[str, Any]) -> None:
    """The squares of the first pseudo-system are the coins of the shuffle, those of the second the opposite."""
    known = frames(drawn["shuffle"])
    for k, name in enumerate(("1", "2", "3")):
        first, second = (
            [cell for row in reversed(known[name].data[i].z) for cell in row if cell is not None] for i in (2, 3)
        )
        assert first == numbers["shuffle"].swaps.weights[k].tolist()
        assert [a + b for a, b in zip(first, second, strict=True)] == [1] * 40


def test_the_shift_ends_at_zero(drawn: dict[str, Any], numbers: dict[str, Any]) -> None:
    """The pile slides from the drawn gains to gains around zero; then the tail of the shifted test is blue."""
    known = frames(drawn["bootstrap"])
    test = numbers["bootstrap"].compared.result("bootstrap_shift", "two-sided")

    def centre(name: str) -> float:
        bars = known[name].data[0]
        return float(np.average(bars.x, weights=bars.y))

    width = float(known["0 slide"].data[0].width[0])
    assert centre("0 slide") == pytest.approx(test.gain, abs=3 * width)
    assert centre("12 slide") == pytest.approx(0, abs=width)
    assert centre("shifted") == pytest.approx(0, abs=width)
    bars, accent = known["shifted"].data[0], style.palette("light").accent
    assert sum(y for y, colour in zip(bars.y, bars.marker.color, strict=True) if colour == accent) == test.tail


def test_every_test_runs_line_by_line(drawn: dict[str, Any], numbers: dict[str, Any]) -> None:
    """In every moment of the slow frames some line of every test is marked, or the test waits for its centre."""
    known = frames(drawn["three"])
    for part in ("draw", "score", "p"):
        name = f"1 {part}" if part != "p" else "1000 p"
        texts, colours = known[name].data[-1].text, known[name].data[-1].textfont.color
        marked = [t for t, c in zip(texts, colours, strict=True) if c == style.palette("light").warm]
        assert len(marked) >= 3
        assert all(t.startswith("<b>") for t in marked)
    ends = " ".join(known["1000 p"].data[-1].text)
    for name in three.CODE:
        test = numbers["three"].compared.result(name, "two-sided")
        assert formatting.p_text(test.p_value, 1000) in ends


def test_columns_of_the_factory_hold_all_p(drawn: dict[str, Any], numbers: dict[str, Any]) -> None:
    """After k data sets the columns hold k, and the blue one those at most 0.05."""
    known = frames(drawn["null"])
    for name in ("1", "100", "1000"):
        assert sum(known[name].data[0].y) == int(name)
        assert known[name].data[0].y[0] == numbers["null"].rejected(0.05, int(name))


def test_p_is_hidden_until_it_is_predicted(numbers: dict[str, Any]) -> None:
    """Before the prediction at most ten shuffles are in the figure, and p is nowhere in it; after it all are."""
    game = numbers["predict"]
    hidden = predict.draw(game)
    assert max(sum(frame.data[0].y) for frame in hidden.frames) == predict.HINT
    assert "p =" not in str(hidden.to_plotly_json())
    shown = learn.Game(game.rounds, ((1, True),), 1, 0.05, game.title, game.decimals, game.unit)
    assert sum(predict.draw(shown).data[0].y) == len(game.rounds[1].null)
    assert "p = " in str(predict.draw(shown).to_plotly_json())
    results = learn.Game(game.rounds, ((1, True),), None, 0.05, game.title, game.decimals, game.unit)
    assert f"{results.right} of 1 predictions" in str(predict.draw(results).to_plotly_json())


def test_what_counts_in_a_round_is_blue(numbers: dict[str, Any]) -> None:
    """The blue bars of a revealed round hold as many shuffles as p counts."""
    game, accent = numbers["predict"], style.palette("light").accent
    for k, one in enumerate(game.rounds):
        bars = predict.draw(learn.Game(game.rounds, ((k, True),), k, 0.05, game.title, game.decimals, game.unit)).data[
            0
        ]
        assert sum(y for y, colour in zip(bars.y, bars.marker.color, strict=True) if colour == accent) == one.tail


def test_a_mosaic_has_a_bound() -> None:
    """Of a large test set, the first units are drawn, each once."""
    cells = [c for row in stage.mosaic(np.arange(5000) % 2, ("red", "blue"), 2).z for c in row if c is not None]
    assert len(cells) == stage.CELLS


def test_labels_of_lines_stay_in_the_figure() -> None:
    """Near the ends of the axis they are on the inner side of their lines; near the middle on the outer one, apart."""
    for place, sides in ((9.0, ("right", "left")), (1.0, ("left", "right"))):
        figure = go.Figure(layout={"xaxis": {"range": [-12, 12]}})
        stage.cut_lines(figure, [(place, "observed", True), (-place, "mirror", False)], "light")
        assert tuple(label.xanchor for label in figure.layout.annotations) == sides
