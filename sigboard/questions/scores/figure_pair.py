"""One pair of a score matrix: its differences, and the three statistics on all draws."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from sigboard.render.style import CLEAR, NORMAL, SMALL, Part, Theme, axis, base_layout, label, minus, palette
from sigcore import Floats
from sigcore.formatting import count, p_text
from sigcore.studies import scores

BINS = 41
PANEL = 190  # pixels of one histogram
EXACT = 0  # resamples behind a theoretical p


def differences(
    z: Floats, system: str, baseline: str, title: str, theme: Theme = "light", row: str = "document"
) -> go.Figure:
    """The distribution of the gains on rows of a matrix. Blue: the system is better; orange: it is worse.

    The solid line is their mean, which paired T tests; the dashed line is the Hodges-Lehmann estimate, which belongs to W.
    """
    colours = palette(theme)
    figure = go.Figure(
        layout=_single(theme, f"gain on a {row} ({label(title, 20)}), positive: {label(system, 20)} is better")
    )
    largest = float(np.abs(z).max()) or 1.0
    # zero is in the middle of a bin, where the three colours are stacked
    edges = np.linspace(-largest, largest, BINS + 1)
    for sign, colour, words in (
        (-1, colours.warm, "worse"),
        (0, colours.bars, "same score"),
        (1, colours.accent, "better"),
    ):
        counts, _ = np.histogram(z[np.sign(z) == sign], bins=edges)
        figure.add_trace(
            go.Bar(
                x=(edges[1:] + edges[:-1]) / 2,
                width=np.diff(edges),
                y=counts,
                marker={"color": colour, "line": {"width": 0}},
                name=words,
                hovertemplate=f"%{{y}} {row}s, {words}<extra></extra>",
            )
        )
    top = float(np.histogram(z, bins=edges)[0].max())
    marks = [(float(z.mean()), "mean", "solid"), (scores.hodges_lehmann(z), "Hodges-Lehmann", "5px,3px")]
    for k, (place, words, dash) in enumerate(sorted(marks)):
        line = {"color": colours.ink, "width": 1.5, "dash": dash}
        figure.add_shape(type="line", x0=place, x1=place, y0=0, y1=1.25 * top, line=line)
        figure.add_annotation(
            x=place,
            y=1.25 * top,
            yanchor="top",
            text=f"{words} {minus(f'{place:+.3g}')}",
            xanchor="left" if k else "right",
            xshift=3 if k else -3,
            showarrow=False,
            bgcolor=CLEAR,
            font={"size": SMALL, "color": colours.ink},
        )
    figure.update_yaxes(axis(theme, f"{row}s", showgrid=True, fixedrange=True, range=[0, 1.3 * top]))
    return figure


def differences_alt(z: Floats, system: str, baseline: str, row: str = "document") -> str:
    """One sentence that describes the differences."""
    better, worse = int((z > 0).sum()), int((z < 0).sum())
    return (
        f"Histogram of the gains of {system} over {baseline} on {len(z):,} {row}s: better on {better:,}, worse on "
        f"{worse:,}, the same on {len(z) - better - worse:,}; mean {z.mean():+.3g}."
    )


def nulls(
    result: scores.ScoresResult, place: int, drawn: Floats, alpha: float, theme: Theme = "light", compact: bool = False
) -> go.Figure:
    """The absolute values of the three statistics on every draw, (2, 3, R) as from `scores.null_of`.

    Bars: swapped (MC). Outline: redrawn, then swapped (HB). Solid line: the observed value. Dashed line: the theoretical
    cut-off.
    """
    rows, columns = (3, 1) if compact else (1, 3)
    figure = make_subplots(
        rows=rows, cols=columns, horizontal_spacing=0.05, vertical_spacing=0.16 if compact else 0, shared_yaxes=False
    )
    height = (PANEL + 66) * rows
    base = base_layout(theme, height, margin={"l": 8, "r": 12, "t": 46, "b": 40})
    kept = {key: value for key, value in figure.layout.to_plotly_json().items() if key.startswith(("xaxis", "yaxis"))}
    figure.layout = base | kept | {"bargap": 0, "barmode": "overlay"}
    cut = result.cutoffs(alpha)
    for s, statistic in enumerate(scores.STATISTICS):
        at = {"row": s + 1 if compact else 1, "col": 1 if compact else s + 1}
        observed = abs(float(result.run.statistics[s, place]))
        edges = _edges(drawn[:, s], [observed, *cut[:, s, place]])
        _panel(figure, drawn[:, s], edges, observed, float(cut[0, s, place]), at, theme)
        _head(figure, s, _words(result, place, s, statistic), theme)
    return figure


def nulls_alt(result: scores.ScoresResult, place: int) -> str:
    """One sentence that describes the nulls."""
    results = [
        f"{scores.TITLES[statistic]} {p_text(float(result.p_values[1, s, place]), result.run.resamples)} by MC, "
        f"{p_text(float(result.p_values[2, s, place]), result.run.resamples)} by HB"
        for s, statistic in enumerate(scores.STATISTICS)
    ]
    return f"Histograms of three statistics on {count(result.run.resamples, 'draw')}: {'; '.join(results)}."


def _single(theme: Theme, title: str) -> Part:
    return base_layout(
        theme,
        260,
        margin={"l": 8, "r": 12, "t": 10, "b": 44},
        bargap=0,
        barmode="stack",
        xaxis=axis(theme, title, fixedrange=True, nticks=7),
    )


def _edges(drawn: Floats, lines: list[float]) -> Floats:
    """Bins over all draws and lines; infinite values of T are left out."""
    finite = drawn[np.isfinite(drawn)]
    most = max([float(finite.max(initial=0.0)), *(x for x in lines if math.isfinite(x))])
    return np.linspace(0.0, 1.04 * most if most > 0 else 1.0, BINS)


def _panel(
    figure: go.Figure, drawn: Floats, edges: Floats, observed: float, cut: float, at: dict[str, int], theme: Theme
) -> None:
    colours = palette(theme)
    counts = [np.histogram(one[np.isfinite(one)], bins=edges)[0] for one in drawn]
    middles = (edges[1:] + edges[:-1]) / 2
    figure.add_trace(
        go.Bar(
            x=middles,
            y=counts[0],
            width=np.diff(edges),
            marker={"color": colours.bars, "line": {"width": 0}},
            hovertemplate="%{y} draws by swapping (MC)<extra></extra>",
        ),
        **at,
    )
    figure.add_trace(
        go.Scatter(
            x=middles,
            y=counts[1],
            mode="lines",
            line={"shape": "hvh", "color": colours.accent, "width": 1.5},
            hovertemplate="%{y} draws by redrawing and swapping (HB)<extra></extra>",
        ),
        **at,
    )
    top = 1.1 * float(max(counts[0].max(), counts[1].max(), 1))
    for x, dash, width in ((observed, "solid", 2.0), (cut, "5px,3px", 1.5)):
        if math.isfinite(x):
            figure.add_shape(
                type="line", x0=x, x1=x, y0=0, y1=top, line={"color": colours.ink, "width": width, "dash": dash}, **at
            )
    figure.update_xaxes(axis(theme, range=[0, float(edges[-1])], fixedrange=True, nticks=6), **at)
    figure.update_yaxes(visible=False, range=[0, top], fixedrange=True, **at)


def _words(result: scores.ScoresResult, place: int, s: int, statistic: str) -> tuple[str, str]:
    """The heading of a panel: the statistic, and its p in theory, by MC and by HB."""
    p = result.p_values[:, s, place]
    theory = p_text(float(p[0]), EXACT)
    drawn = [p_text(float(x), result.run.resamples).removeprefix("p = ").removeprefix("p ") for x in p[1:]]
    title = scores.TITLES[statistic]
    return f"|{title[:1].upper()}{title[1:]}|", f"{theory} in theory, MC {drawn[0]}, HB {drawn[1]}"


def _head(figure: go.Figure, s: int, words: tuple[str, str], theme: Theme) -> None:
    colours = palette(theme)
    suffix = "" if s == 0 else str(s + 1)
    across, up = figure.layout[f"xaxis{suffix}"].domain, figure.layout[f"yaxis{suffix}"].domain
    for text, shift, colour in ((f"<b>{words[0]}</b>", 38, colours.ink), (words[1], 20, colours.muted)):
        figure.add_annotation(
            text=text,
            x=across[0],
            y=up[1],
            xref="paper",
            yref="paper",
            xanchor="left",
            yanchor="top",
            yshift=shift,
            showarrow=False,
            font={"size": NORMAL if shift == 38 else SMALL, "color": colour},
        )
