"""One bootstrap draw at a time: which units are drawn, the gain on them, and the shift to zero."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from sigboard.questions.learn import stage
from sigboard.render.style import HEADING, NORMAL, SMALL, Part, Theme, escape, label, palette
from sigcore.formatting import count, format_gain, format_score, p_text
from sigcore.studies import learn

SHIFT, RAW = "bootstrap_shift", "paired_bootstrap"
SLIDE = 120  # milliseconds of a frame
SLIDES = 12
SHIFTED = "shifted"


def draw(numbers: learn.Steps, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The test set as it is, and frames: one draw step by step, nine more, tens, hundreds, and the shift to zero."""
    scene = Scene(numbers, theme, compact)
    figure = go.Figure(data=scene.traces(0, "start"), layout=_layout(scene))
    stage.over(figure)
    stage.mosaic_axes(figure, 2, (0.0, 1.0), (0.68, 0.88))
    stage.cut_lines(figure, scene.cuts, theme)
    figure.frames = [scene.frame(place, part) for place, part in _course(numbers.draws)]
    return figure


def alt(numbers: learn.Steps) -> str:
    """One sentence that describes the figure."""
    test = numbers.compared.result(SHIFT, "two-sided")
    return (
        f"Units are drawn with replacement, and the gain of {test.system} over {test.baseline} on each of "
        f"{count(test.setup.resamples, 'draw')} is added to a histogram, which is then shifted to zero; {test.tail:,} are at or "
        f"beyond the observed gain {format_gain(test.gain, test.setup.decimals)}, so "
        f"{p_text(test.p_value, test.setup.resamples)}."
    )


def name(place: int, part: str) -> str:
    """The name of a frame."""
    return {"landed": str(place), "start": "0", SHIFTED: SHIFTED}.get(part, f"{place} {part}")


def _course(shown: learn.Shown) -> list[tuple[int, str]]:
    places = shown.places.tolist()
    slides = [(k, "slide") for k in range(SLIDES + 1)]
    drawn = [(place, "landed") for place in places]
    return [(0, "start"), (1, "drawn"), (1, "scores"), (1, "falling"), *drawn, *slides, (places[-1], SHIFTED)]


def _layout(scene: Scene) -> Part:
    places = scene.numbers.draws.places.tolist()
    plays = [
        *stage.plays("1 draw", ("drawn", "scores", "falling"), places),
        ("Shift", [*(name(k, "slide") for k in range(SLIDES + 1)), SHIFTED], SLIDE),
    ]
    title = f"gain on a draw ({escape(scene.test.setup.metric_title)})"
    return stage.layout(
        scene.theme,
        plays,
        [*((f"{place:,}", str(place)) for place in (0, *places)), (SHIFTED, SHIFTED)],
        xaxis=stage.gain_axis(scene.theme, title, scene.ends, domain=[0, 1], anchor="y"),
        yaxis=stage.count_axis(scene.theme, 0.42, 8),
    )


class Scene(stage.Scene):
    """What all frames share."""

    def __init__(self, numbers: learn.Steps, theme: Theme, compact: bool) -> None:
        super().__init__(numbers, SHIFT, theme, compact)
        raw = numbers.compared.result(RAW, "two-sided")
        assert self.test.null is not None
        assert raw.null is not None
        self.raw, self.shift = raw.null, float(np.nanmean(raw.null - self.test.null))
        self.piles = stage.Pile(raw, raw.null, theme), stage.Pile(self.test, self.test.null, theme)
        gain = self.test.gain
        values = np.concatenate([self.raw, self.test.null, [gain, -gain]])
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        margin = 0.12 * (high - low) or 1.0
        self.ends = (low - margin, high + margin)

    def frame(self, place: int, part: str) -> go.Frame:
        """The frame of one draw, or of a step of the shift."""
        top = self.piles[0].top(self._reached(place, part))
        return stage.frame(name(place, part), self.traces(place, part), top)

    def _reached(self, place: int, part: str) -> int:
        if part in ("slide", SHIFTED):
            return len(self.raw)
        return place if part == "landed" else max(place - 1, 0)

    def traces(self, place: int, part: str) -> list[go.Bar | go.Heatmap | go.Scatter]:
        """The histogram, the falling block, the mosaic of the drawn units, and the texts."""
        reached, colours = self._reached(place, part), palette(self.theme)
        lift = -self.shift * place / SLIDES if part == "slide" else 0.0
        bars = self.piles[1].trace(reached) if part == SHIFTED else self.piles[0].trace(reached, lift=lift, plain=True)
        value = float(self.raw[place - 1]) if part == "falling" else None
        shades = (colours.neutral, *colours.better, colours.ink)
        return [
            bars,
            self.drop(value, self.piles[0].top(reached)),
            stage.mosaic(self._counts(place, part), shades, 2, self.compact),
            stage.captions(self._texts(place, part)),
        ]

    def _counts(self, place: int, part: str) -> np.ndarray:
        """How often each unit was drawn."""
        weights = self.numbers.draws.weights
        if part == "start":
            return np.ones(weights.shape[1])
        last = part in ("slide", SHIFTED)
        return np.asarray(weights[-1 if last else int(np.searchsorted(self.numbers.draws.places, place))])

    def _texts(self, place: int, part: str) -> list[stage.Line]:
        colours, decimals, limit = palette(self.theme), self.test.setup.decimals, 14 if self.compact else 22
        scores, said = self.test.scores, f"the test set as it is: gain {self.gain_text(self.test.gain)}"
        key = "each square is a unit; grey: not drawn, darker: drawn more often"
        if self.theme == "dark":
            key = key.replace("darker", "brighter")
        below = ""
        if part in ("slide", SHIFTED):
            said = f"shift by {self.gain_text(-self.shift)}: as if the systems did not differ"
            below = self._counted() if part == SHIFTED else ""
        elif part != "start":
            row = int(np.searchsorted(self.numbers.draws.places, place))
            scores = tuple(self.numbers.draws.scores[row].tolist())
            said = f"draw {place:,}: gain {self.gain_text(float(self.raw[place - 1]))}"
        if part == "drawn":
            said = f"draw {place:,}: n units, with replacement"
        both = (self.test.system, self.test.baseline)
        names = [
            f"<b>{label(who, limit)}</b>  {format_score(v, decimals)}" for who, v in zip(both, scores, strict=True)
        ]
        above = "" if part in ("drawn", "slide", SHIFTED) else "     ".join(names)
        return [
            stage.Line(0.0, 0.935, above, colours.ink, HEADING),
            stage.Line(0.0, 0.65, key, colours.muted, SMALL),
            stage.Line(0.5, 0.585, f"<b>{said}</b>", colours.ink, HEADING + 2, "middle center"),
            stage.Line(0.0, 0.525, below, colours.accent, NORMAL),
        ]

    def _counted(self) -> str:
        """The tail, and p."""
        drawn = self.test.setup.resamples
        return f"{self.test.tail:,} of {drawn:,} in the tail: {p_text(self.test.p_value, drawn)}"
