"""Many pairs, many chances: the grid of 105 pairs without a difference, world after world, and how many are found."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from sigboard.questions.learn import stage
from sigboard.render.style import HEADING, NORMAL, SMALL, Part, Theme, axis, palette
from sigcore.studies import learn

ALPHA = 0.05
SPEED = 500  # milliseconds of a frame
HEIGHT = 420
MOST = 30  # pairs in the last column of the histogram, and more


def draw(numbers: learn.Many, theme: Theme = "light", compact: bool = False) -> go.Figure:
    """The last world with the counts of all, and frames: one for each world."""
    worlds = len(numbers.p)
    figure = go.Figure(data=_traces(numbers, worlds, theme, compact), layout=_layout(numbers, theme, compact))
    stage.over(figure)
    figure.frames = [stage.frame(str(k), _traces(numbers, k, theme, compact)) for k in range(1, worlds + 1)]
    return figure


def alt(numbers: learn.Many) -> str:
    """One sentence that describes the figure."""
    some, _, _ = learn.any_of(numbers.found(ALPHA))
    kept, _, _ = learn.any_of(numbers.kept(ALPHA))
    return (
        f"Grids of 105 pairs without a difference: in {some} of {len(numbers.p)} worlds at least one pair has p at most "
        f"{ALPHA:g}, after the Holm correction in {kept}."
    )


def _layout(numbers: learn.Many, theme: Theme, compact: bool) -> Part:
    worlds = [str(k) for k in range(1, len(numbers.p) + 1)]
    grid, bars = (
        (((0.0, 1.0), (0.5, 0.84)), ((0.0, 1.0), (0.0, 0.26)))
        if compact
        else (((0.0, 0.42), (0, 0.8)), ((0.52, 1.0), (0, 0.74)))
    )
    hidden = {"visible": False, "fixedrange": True}
    return stage.layout(
        theme,
        [("1 world", worlds[:1], SPEED), ("all", worlds, SPEED // 3)],
        [(name, name) for name in worlds],
        at_end=True,
        height=stage.HEIGHT if compact else HEIGHT,
        xaxis={**hidden, "domain": grid[0], "anchor": "y", "scaleanchor": "y", "constrain": "domain"},
        yaxis={**hidden, "domain": grid[1], "anchor": "x", "autorange": "reversed", "constrain": "domain"},
        xaxis2=axis(
            theme, "false alarms among 105 pairs", fixedrange=True, domain=bars[0], anchor="y2",
            range=[-0.6, MOST + 0.6], showline=True, tickvals=[0, 5, 10, 15, 20, 25, MOST],
            ticktext=["0", "5", "10", "15", "20", "25", f"{MOST}+"],
        ),
        yaxis2=axis(
            theme, "worlds", fixedrange=True, domain=bars[1], anchor="x2", nticks=4, tickformat=",d",
            range=[0, max(5, 1.15 * float(_bars(numbers, len(numbers.p)).max()))],
        ),
    )  # fmt: skip


def _bars(numbers: learn.Many, first: int) -> np.ndarray:
    return np.bincount(np.minimum(numbers.found(ALPHA)[:first], MOST), minlength=MOST + 1)


def _traces(numbers: learn.Many, first: int, theme: Theme, compact: bool) -> list[go.Heatmap | go.Bar | go.Scatter]:
    """The grid of world `first`, how many worlds had how many false alarms so far, and the words."""
    colours, (rows, columns) = palette(theme), learn.cells()
    grid = np.full((learn.SYSTEMS, learn.SYSTEMS), np.nan)
    p, adjusted = numbers.p[first - 1], numbers.adjusted[first - 1]
    grid[columns, rows] = np.where(adjusted <= ALPHA, 2.0, np.where(p <= ALPHA, 1.0, 0.0))
    steps = (colours.neutral, colours.warm, colours.ink)
    scale = [[edge, colour] for k, colour in enumerate(steps) for edge in (k / 3, (k + 1) / 3)]
    cells = go.Heatmap(
        z=[[None if np.isnan(cell) else int(cell) for cell in row] for row in grid],
        zmin=-0.5,
        zmax=2.5,
        colorscale=scale,
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
    bars = go.Bar(
        x=list(range(MOST + 1)),
        y=_bars(numbers, first).tolist(),
        width=0.9,
        marker={"color": [colours.bars, *[colours.warm] * MOST], "line": {"width": 0}},
        xaxis="x2",
        yaxis="y2",
        hovertemplate="%{y} worlds with %{x} false alarms<extra></extra>",
    )
    return [cells, bars, stage.captions(_texts(numbers, first, theme, compact))]


def _texts(numbers: learn.Many, first: int, theme: Theme, compact: bool) -> list[stage.Line]:
    colours, found = palette(theme), int(numbers.found(ALPHA)[first - 1])
    some, kept = (np.count_nonzero(part[:first]) for part in (numbers.found(ALPHA), numbers.kept(ALPHA)))
    left, high = (0.0, 0.4) if compact else (0.52, 0.95)
    return [
        stage.Line(0.0, 0.95, f"<b>world {first}: {found} of 105 pairs have p \u2264 {ALPHA:g}</b>", colours.warm, HEADING),
        stage.Line(0.0, 0.88, "orange: false alarm; dark: after Holm, too" if theme == "light" else "orange: false alarm; white: after Holm, too", colours.muted, SMALL),
        stage.Line(left, high, f"<b>any false alarm: {some} of {first} worlds</b>", colours.warm, HEADING),
        stage.Line(left, high - 0.07, f"after the Holm correction: {kept} of {first}", colours.ink, NORMAL),
    ]  # fmt: skip
