"""One shuffle at a time: a coin for each unit, two pseudo-systems, their scores, and a block that drops on the histogram."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from sigboard.questions.learn import stage
from sigboard.render.style import HEADING, NORMAL, Part, Theme, escape, label, palette
from sigcore.formatting import format_gain, format_p, format_score, p_text
from sigcore.studies import learn

TEST = "approximate_randomization"


def draw(numbers: learn.Steps, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The pair as it is, and frames: the first shuffle step by step, nine more, then tens, then hundreds."""
    scene = Scene(numbers, theme, compact)
    figure = go.Figure(data=scene.traces(0, "start"), layout=_layout(scene))
    stage.over(figure)
    stage.mosaic_axes(figure, 2, (0.0, 0.48), (0.66, 0.9))
    stage.mosaic_axes(figure, 3, (0.52, 1.0), (0.66, 0.9))
    stage.cut_lines(figure, scene.cuts if scene.test.gain else scene.cuts[:1], theme)
    figure.frames = [scene.frame(place, part) for place, part in _course(numbers.swaps)]
    return figure


def alt(numbers: learn.Steps) -> str:
    """One sentence that describes the figure."""
    test = numbers.compared.result(TEST, "two-sided")
    return (
        f"The outputs of {test.system} and {test.baseline} are exchanged by coins, and the gain of each shuffle is added to "
        f"a histogram; of {test.setup.resamples:,} shuffles, {test.tail:,} are at or beyond the observed gain "
        f"{format_gain(test.gain, test.setup.decimals)}, so {p_text(test.p_value, test.setup.resamples)}."
    )


def _course(shown: learn.Shown) -> list[tuple[int, str]]:
    """(number of the shuffle, what is shown of it) of every frame."""
    places = shown.places.tolist()
    return [(0, "start"), (1, "coins"), (1, "scores"), (1, "falling"), *((place, "landed") for place in places)]


def name(place: int, part: str) -> str:
    """The name of a frame."""
    return str(place) if part in ("landed", "start") else f"{place} {part}"


def _layout(scene: Scene) -> Part:
    places = scene.numbers.swaps.places.tolist()
    plays = stage.plays("1 shuffle", ("coins", "scores", "falling"), places)
    title = f"gain on a shuffle ({escape(scene.test.setup.metric_title)})"
    return stage.layout(
        scene.theme,
        plays,
        [(f"{place:,}", str(place)) for place in (0, *places)],
        xaxis=stage.gain_axis(scene.theme, title, scene.ends, domain=[0, 1], anchor="y"),
        yaxis=stage.count_axis(scene.theme, 0.4, 8),
    )


class Scene(stage.Scene):
    """What all frames share."""

    def __init__(self, numbers: learn.Steps, theme: Theme, compact: bool) -> None:
        super().__init__(numbers, TEST, theme, compact)
        assert self.test.null is not None
        self.null = self.test.null
        self.pile = stage.Pile(self.test, self.null, theme)
        reach = 1.3 * max(abs(self.test.gain), float(np.nanmax(np.abs(self.null))), 1e-9)
        self.ends = (-reach, reach)

    def frame(self, place: int, part: str) -> go.Frame:
        """The frame of one shuffle."""
        reached = place if part == "landed" else max(place - 1, 0)
        return stage.frame(name(place, part), self.traces(place, part), self.pile.top(reached))

    def traces(self, place: int, part: str) -> list[go.Bar | go.Heatmap | go.Scatter]:
        """The histogram, the falling block, the two mosaics, and the texts."""
        reached = place if part == "landed" else max(place - 1, 0)
        mask = self._mask(place, part)
        colours = palette(self.theme)
        both = (colours.accent, colours.warm)
        value = float(self.null[place - 1]) if part == "falling" else None
        return [
            self.pile.trace(reached),
            self.drop(value, self.pile.top(reached)),
            stage.mosaic(mask, both, 2, self.compact),
            stage.mosaic(1 - mask, both, 3, self.compact),
            stage.captions(self._texts(place, part)),
        ]

    def _mask(self, place: int, part: str) -> np.ndarray:
        """1 where the first pseudo-system has an output of the second system."""
        swaps = self.numbers.swaps
        row = int(np.searchsorted(swaps.places, place))
        return np.zeros(swaps.weights.shape[1]) if part == "start" else np.asarray(swaps.weights[row])

    def _texts(self, place: int, part: str) -> list[stage.Line]:
        colours, limit = palette(self.theme), 14 if self.compact else 16
        names = [f"<b>{label(n, limit)}</b>" for n in (self.test.system, self.test.baseline)]
        scores, said = self.test.scores, f"observed gain {self.gain_text(self.test.gain)}"
        if part != "start":
            names = ["<b>pseudo-system 1</b>", "<b>pseudo-system 2</b>"]
            row = int(np.searchsorted(self.numbers.swaps.places, place))
            scores = tuple(self.numbers.swaps.scores[row].tolist())
            said = f"shuffle {place:,}: gain {self.gain_text(float(self.null[place - 1]))}"
        if part == "coins":
            said, written = f"shuffle {place:,}: a coin for each unit", ["", ""]
        else:
            written = [f"  {format_score(score, self.test.setup.decimals)}" for score in scores]
        out = [
            stage.Line(x, 0.94, f"{who}{value}", colours.ink, NORMAL)
            for x, who, value in zip((0.0, 0.52), names, written, strict=True)
        ]
        counted = self._counted(place if part == "landed" else place - 1)
        return [
            *out,
            stage.Line(0.5, 0.6, f"<b>{said}</b>", colours.ink, HEADING + 2, "middle center"),
            stage.Line(0.0, 0.505, counted, colours.accent, NORMAL),
        ]

    def _counted(self, reached: int) -> str:
        """How many shuffles so far are in the tail, and p from them."""
        if reached <= 0:
            return ""
        beyond = int(self.pile.counts(reached)[self.pile.tail].sum())
        p = format_p(learn.p_so_far(beyond, reached), reached)
        return f"{beyond:,} of {reached:,} in the tail: p = ({beyond:,} + 1) / ({reached:,} + 1) = {p}"
