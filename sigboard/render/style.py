"""The look of all figures: two palettes, fonts, numbers with a real minus sign, literal names."""

from __future__ import annotations

import html
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.basedatatypes import BaseFigure

from sigcore import Floats, OptionError, results
from sigcore.formatting import shorten
from sigcore.types import Value

Theme = Literal["light", "dark"]
# A part of a figure as Plotly takes it, such as a trace, a layout or an axis: JSON with arrays in it.
Plotted: TypeAlias = "Value | np.generic | NDArray[np.generic] | Sequence[Plotted] | Mapping[str, Plotted]"
Part = dict[str, Plotted]

FONT = '"Source Sans", "Source Sans 3", "Source Sans Pro", "Helvetica Neue", Arial, "DejaVu Sans", sans-serif'
SMALL, NORMAL, HEADING = 12, 13, 14
CLEAR = "rgba(0,0,0,0)"


@dataclass(frozen=True)
class Palette:
    """The colours of one theme; `better` and `worse` run from the weakest to the strongest verdict (.05, .01, .001)."""

    paper: str
    ink: str
    muted: str
    line: str
    accent: str
    warm: str
    neutral: str
    bars: str
    better: Sequence[str]
    worse: Sequence[str]
    classes: Sequence[str]

    def verdict(self, level: int) -> str:
        """The colour of a verdict between -3 and 3."""
        if level == 0:
            return self.neutral
        return (self.better if level > 0 else self.worse)[abs(level) - 1]


COLOURS = tomllib.loads(Path(__file__).with_name("palette.toml").read_text("utf-8"))
LIGHT = Palette(
    neutral=results.NEUTRAL[0],
    better=tuple(back for back, _ in results.BETTER),
    worse=tuple(back for back, _ in results.WORSE),
    **COLOURS["light"],
)
DARK = Palette(**COLOURS["dark"])


def palette(theme: Theme) -> Palette:
    """The colours of a theme.

    Raises: OptionError for a theme that is neither light nor dark.
    """
    if theme not in ("light", "dark"):
        raise OptionError(f"There is no theme {theme!r}.", "", "Choose light or dark.")
    return LIGHT if theme == "light" else DARK


def escape(name: str) -> str:
    """The name, escaped so that Plotly shows it literally (Plotly reads text as a kind of HTML)."""
    return html.escape(name)


def label(name: str, limit: int) -> str:
    """The name shortened in the middle, then escaped."""
    return escape(shorten(name, limit))


def minus(text: str) -> str:
    """The formatted number with a real minus sign, as wide as the plus."""
    return text.replace("-", "\u2212")


def base_layout(theme: Theme, height: int, /, **more: Plotted) -> Part:
    """The layout every figure starts from: transparent, with our fonts and without a Plotly template.

    A plain dictionary: Plotly checks it once, as part of a figure, and not twice.
    """
    colours = palette(theme)
    settings: Part = {
        "template": "none",
        "height": height,
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "font": {"family": FONT, "size": NORMAL, "color": colours.ink},
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8, "pad": 0},
        "showlegend": False,
        "dragmode": False,
        "hoverlabel": {
            "bgcolor": colours.paper,
            "bordercolor": colours.line,
            "font": {"family": FONT, "size": NORMAL, "color": colours.ink},
            "align": "left",
        },
    }
    return {**settings, **more}


def axis(theme: Theme, title: str = "", /, **more: Plotted) -> Part:
    """An axis of thin lines and readable ticks; `title` contains the unit."""
    colours = palette(theme)
    settings: Part = {
        "title": {"text": title, "font": {"size": NORMAL, "color": colours.muted}, "standoff": 8},
        "tickfont": {"size": SMALL, "color": colours.muted},
        "gridcolor": colours.line,
        "linecolor": colours.line,
        "zeroline": False,
        "showline": False,
        "showgrid": False,
        "automargin": True,
    }
    return {**settings, **more}


def unchecked(layout: Part, *traces: go.Bar | go.Scatter) -> go.Figure:
    """A figure of which Plotly does not check each part: that takes several times as long as all the rest, with each click on a
    page. The tests check it as a whole. Its axes belong into `layout`: an update of them is slow, too."""
    return go.Figure(list(traces), layout=layout, _validate=False)


class Drawn(BaseFigure):  # type: ignore[misc]
    """A finished figure that is only sent: Streamlit has Plotly copy and encode every other figure again at each run."""

    def __init__(self, figure: go.Figure) -> None:
        self._content = figure.to_dict()

    def to_dict(self) -> Part:
        """The figure as plain values, shared by all who ask, so it must not be changed."""
        return self._content


def finished(make: Callable[..., go.Figure], *given: Any, **settings: Any) -> Drawn:
    """The figure `make(*given, **settings)`, ready to be sent."""
    return Drawn(make(*given, **settings))


def enlarged(figure: BaseFigure, factor: float, height: int) -> go.Figure:
    """The same figure of another height, with texts, margins, marks and lines `factor` times as large: for a projector."""
    return go.Figure(_scaled(figure.to_dict(), factor)).update_layout(height=height)


SCALED = ("size", "width", "xshift", "yshift", "standoff", "thickness")  # pixels; but the width of a bar is in the data


def _scaled(part: Plotted, factor: float, inside: str = "") -> Plotted:
    if isinstance(part, Mapping):
        return {name: _scaled_value(name, value, factor, inside) for name, value in part.items()}
    return [_scaled(item, factor, inside) for item in part] if isinstance(part, list | tuple) else part


def _scaled_value(name: str, value: Plotted, factor: float, inside: str) -> Plotted:
    if (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and (inside in ("margin", "pad") or (name in SCALED and inside != "data"))
    ):
        return value * factor
    if name == "size" and isinstance(value, list | tuple):  # one for each text
        return [_scaled_value(name, one, factor, "") for one in value]
    return _scaled(value, factor, name)


# The layout of figures with a named row for each system, pair or task.

ROW = 26  # pixels of one row


def height(rows: int) -> int:
    """The height of a figure with this number of rows, in pixels."""
    return max(rows * ROW, 2 * ROW) + 68


def layout(names: Sequence[str], title: str, theme: Theme, compact: bool) -> Part:
    """A layout with these names to the left, the first at the top, and an axis of numbers with this title below."""
    labels = [label(name, 18 if compact else 44) for name in names]
    return labelled(labels, title, theme, compact, height(len(names)), 0.4)


def labelled(labels: Sequence[str], title: str, theme: Theme, compact: bool, whole: int, inside: float) -> Part:
    """The same with labels as they are written, in a figure `whole` pixels high; the axis ends `1 - inside` rows beyond the
    first and the last."""
    return base_layout(
        theme,
        whole,
        margin={"l": 8, "r": 14, "t": 8, "b": 52},
        hovermode="closest",
        xaxis=axis(theme, title, showgrid=True, fixedrange=True, nticks=5 if compact else 9),
        yaxis=axis(theme)
        | {
            "tickmode": "array",
            "tickvals": np.arange(len(labels)),
            "ticktext": [f"{text} " for text in labels],
            "range": [len(labels) - inside, inside - 1],
            "tickfont": {"size": SMALL, "color": palette(theme).ink},
            "fixedrange": True,
            "automargin": "left",
            "ticks": "",
        },
    )


def add_points(
    figure: go.Figure, points: Floats, ends: Floats, hover: Sequence[str], theme: Theme, name: str | None = None
) -> None:
    """Add a point to each row (rows,), with its interval from `ends` (rows, 2)."""
    colour = palette(theme).accent
    reach = {"array": ends[:, 1] - points, "arrayminus": points - ends[:, 0]}
    figure.add_scatter(
        x=points,
        y=np.arange(len(points)),
        mode="markers",
        marker={"size": 9, "color": colour},
        error_x=reach | {"color": colour, "thickness": 2, "width": 4},
        hovertext=hover,
        hovertemplate="%{hovertext}<extra></extra>",
        name=name,
    )
