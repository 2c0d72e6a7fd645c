"""The three tests side by side on the same data: the steps of each in words, the running one marked, above its histogram."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from sigboard.questions.learn import stage
from sigboard.render.style import HEADING, SMALL, Part, Theme, axis, minus, palette
from sigcore.formatting import format_gain, p_text
from sigcore.studies import learn

# The steps of each test in our words, after Graham et al. 2014, Figs. 1, 2 and 4; the second entry says when a line runs.
START, DRAW, SCORE, COUNT, CENTRE, END = "start", "draw", "score", "count", "centre", "p"
FIRST = ("g = gain of A over B", START)
LOOP, GAIN = ("repeat R times:", ""), ("   d = gain of A* over B*", SCORE)
SHARE = ("p = (c + 1) / (R + 1)", END)
DRAWN = (("   draw n units,", DRAW), ("   with replacement", DRAW))
CODE: dict[str, tuple[tuple[str, str], ...]] = {
    "approximate_randomization": (
        FIRST,
        LOOP,
        ("   a coin for each unit;", DRAW),
        ("   heads: swap the outputs", DRAW),
        GAIN,
        ("   if |d| \u2265 |g|: c = c + 1", COUNT),
        ("", ""),
        ("", ""),
        SHARE,
    ),
    "bootstrap_shift": (
        FIRST,
        LOOP,
        *DRAWN,
        GAIN,
        ("m = the centre of all d", CENTRE),
        ("for each d:", CENTRE),
        ("   if |d \u2212 m| \u2265 |g|: c = c + 1", CENTRE),
        SHARE,
    ),
    "paired_bootstrap": (
        FIRST,
        LOOP,
        *DRAWN,
        GAIN,
        ("   if the winner of g does", COUNT),
        ("   not win: c = c + 1", COUNT),
        ("", ""),
        ("p = 2 (c + 1) / (R + 1)", END),
    ),
}
SHORT = {
    "approximate_randomization": "Randomization",
    "bootstrap_shift": "Bootstrap, shifted",
    "paired_bootstrap": "Paired bootstrap",
}
DETAILED = (1, 2)  # the resamples that are shown line by line
SLOW, FAST = 1300, 220  # milliseconds of a frame
COLUMNS = ((0.0, 0.31), (0.345, 0.655), (0.69, 1.0))


def draw(numbers: learn.Steps, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The first lines of the three tests, and frames: two resamples line by line, then up to 1,000, the shift, and p."""
    scene = Scene(numbers, theme, compact)
    figure = go.Figure(data=scene.traces(0, START), layout=scene.layout())
    stage.over(figure)
    for k, test in enumerate(scene.tests):
        cuts = [0.0] if k == 2 else [test.gain, -test.gain]
        words = {0.0: "0"} if k == 2 else {test.gain: "g", -test.gain: "\u2212g"}
        stage.cut_lines(figure, [(c, words[c], c == test.gain) for c in dict.fromkeys(cuts)], theme, k + 1)
    figure.frames = [scene.frame(place, part) for place, part in _course(numbers)]
    return figure


def alt(numbers: learn.Steps) -> str:
    """One sentence that describes the figure."""
    parts = []
    for name in CODE:
        test = numbers.compared.result(name, "two-sided")
        parts.append(f"{test.setup.test_title}: {p_text(test.p_value, test.setup.resamples)}")
    first = numbers.compared
    return f"Three tests of {first.system} against {first.baseline} run side by side. {'; '.join(parts)}."


def _course(numbers: learn.Steps) -> list[tuple[int, str]]:
    places = numbers.swaps.places.tolist()
    detailed = [(place, part) for place in DETAILED for part in (DRAW, SCORE, COUNT)]
    rest = [(place, COUNT) for place in places if place > DETAILED[-1]]
    return [(0, START), *detailed, *rest, (places[-1], CENTRE), (places[-1], END)]


class Scene:
    """What all frames share."""

    def __init__(self, numbers: learn.Steps, theme: Theme, compact: bool) -> None:
        self.numbers, self.theme, self.compact = numbers, theme, compact
        self.tests = [numbers.compared.result(name, "two-sided") for name in CODE]
        self.nulls = [test.null for test in self.tests if test.null is not None]
        self.piles = [stage.Pile(test, null, theme) for test, null in zip(self.tests, self.nulls, strict=True)]
        self.raw = stage.Pile(self.tests[2], self.nulls[2], theme)
        gain = self.tests[0].gain
        values = np.concatenate([*self.nulls, [gain, -gain]])
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        margin = 0.06 * (high - low) or 1.0
        self.ends = (low - margin, high + margin)

    def layout(self) -> Part:
        """Three histograms below three texts."""
        places = self.numbers.swaps.places.tolist()
        slowly = [_name(place, part) for place, part in _course(self.numbers) if place <= DETAILED[-1]]
        fast = [str(place) for place in places if place > DETAILED[-1]]
        last = [_name(places[-1], part) for part in (CENTRE, END)]
        plays: list[stage.Play] = [("Line by line", slowly, SLOW), ("1,000", fast, FAST), ("p", last, 2 * SLOW)]
        axes: Part = {}
        for k, domain in enumerate(COLUMNS, 1):
            number = "" if k == 1 else str(k)
            shown = stage.gain_axis(self.theme, "gain d", self.ends, domain=domain, anchor=f"y{number}")
            axes[f"xaxis{number}"] = {**shown, "nticks": 5}
            axes[f"yaxis{number}"] = axis(
                self.theme, visible=False, fixedrange=True, domain=[0, 0.36], anchor=f"x{number}", range=[0, 8]
            )
        return stage.layout(self.theme, plays, (), False, **axes)

    def frame(self, place: int, part: str) -> go.Frame:
        """One moment of all three tests."""
        traces, reached = self.traces(place, part), self._reached(place, part)
        scales = {f"yaxis{k or ''}": {"range": [0, self._top(i, reached)]} for i, k in enumerate((0, 2, 3))}
        return go.Frame(name=_name(place, part), data=traces, traces=list(range(len(traces))), layout=scales)

    def _reached(self, place: int, part: str) -> int:
        return place - 1 if part in (DRAW, SCORE) else place

    def _top(self, column: int, reached: int) -> float:
        return max(self.piles[column].top(reached), self.raw.top(reached) if column == 1 else 0.0)

    def traces(self, place: int, part: str) -> list[go.Bar | go.Scatter]:
        """The histograms, the falling blocks, and the texts."""
        reached, colours, bars, drops = self._reached(place, part), palette(self.theme), [], []
        for k, pile in enumerate(self.piles):
            unshifted = k == 1 and part not in (CENTRE, END)
            bars.append((self.raw if unshifted else pile).trace(reached, k + 1, plain=unshifted))
            value = float(self.nulls[2 if unshifted else k][place - 1]) if part == SCORE else None
            drops.append(
                go.Scatter(
                    x=[value],
                    y=[0.8 * self._top(k, reached) if part == SCORE else None],
                    mode="markers",
                    marker={"size": 12, "symbol": "square", "color": colours.ink},
                    xaxis=f"x{k + 1}" if k else "x",
                    yaxis=f"y{k + 1}" if k else "y",
                    hoverinfo="skip",
                )
            )
        return [*bars, *drops, stage.captions(self._texts(place, part, reached))]

    def _texts(self, place: int, part: str, reached: int) -> list[stage.Line]:
        colours, out = palette(self.theme), []
        size = 8 if self.compact else SMALL
        for k, (name, lines) in enumerate(CODE.items()):
            left = COLUMNS[k][0]
            out.append(stage.Line(left, 0.985, f"<b>{SHORT[name]}</b>", colours.ink, size if self.compact else HEADING))
            for row, (line, runs) in enumerate(lines):
                running = runs == part
                text = f"<b>{line}</b>" if running else line
                # leading blanks would be dropped
                text = text.replace("   ", "\u2003")
                colour = colours.warm if running else colours.ink
                out.append(stage.Line(left, 0.925 - 0.05 * row, text, colour, size))
            out.append(stage.Line(left, 0.46, self._counted(k, part, reached), colours.accent, size + 1))
        return out

    def _counted(self, column: int, part: str, reached: int) -> str:
        """c so far; at the end p."""
        test = self.tests[column]
        if part == START:
            return f"g = {minus(format_gain(test.gain, test.setup.decimals))}"
        if part == END:
            return f"<b>{p_text(test.p_value, test.setup.resamples)}</b>"
        if column == 1 and part != CENTRE:
            return f"{reached:,} of R = {learn.DRAWN:,}"
        pile = self.piles[column]
        return f"c = {int(pile.counts(reached)[pile.tail].sum()):,} of {reached:,}"


def _name(place: int, part: str) -> str:
    return str(place) if part == COUNT and place > DETAILED[-1] else f"{place} {part}"
