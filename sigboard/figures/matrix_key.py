"""The colour key of a grid: one field per verdict that its numbers can reach, above the cells."""

from __future__ import annotations

from typing import Any

from sigboard.figures.style import NORMAL, SMALL, Theme, escape, minus, palette
from sigcore import MatrixResult
from sigcore.formatting import NO_VERDICT, SYMBOLS, thresholds

FIELD, FIELD_COMPACT = 76, 50  # pixels of one field with its label
HEIGHT, HEIGHT_COMPACT = 72, 90  # pixels of the heading, the fields and their labels
HEADING = 22  # pixels of the heading
UNDECIDED = "hatched: more resamples could change the verdict"
LINES = "line: every system above it is better than every system below it"


def classes(result: MatrixResult, alpha: float) -> list[int]:
    """The verdicts that are possible at alpha with these resamples, from worst to best."""
    reachable = sorted(size for size, bound in thresholds(alpha).items() if bound >= result.setup.least_p)
    return [-size for size in reversed(reachable)] + [0, *reachable]


def height(compact: bool) -> int:
    """Pixels of the key with its heading."""
    return HEIGHT_COMPACT if compact else HEIGHT


def steps(possible: list[int], theme: Theme) -> list[tuple[float, str]]:
    """A colour scale of flat steps, one per class, worse to better."""
    colours = [palette(theme).verdict(level) for level in possible]
    return [((k + end) / len(possible), colour) for k, colour in enumerate(colours) for end in (0, 1)]


def look(possible: list[int], alpha: float, whole: int, theme: Theme, compact: bool) -> dict[str, Any]:
    """The colours of the cells and their key, in a figure `whole` pixels high."""
    ends = {"zmin": -0.5, "zmax": len(possible) - 0.5}
    return {**ends, "colorscale": steps(possible, theme), "colorbar": _bar(possible, alpha, whole, theme, compact)}


def meaning(result: MatrixResult, alpha: float) -> str:
    """What the colours of the cells mean."""
    adjusted = "" if result.setup.correction == "none" else f" ({result.setup.correction_title})"
    return f"Row against column, p{adjusted}" + (f": {NO_VERDICT}" if result.setup.no_verdict(alpha) else "")


def heading(result: MatrixResult, alpha: float, theme: Theme, marks: list[str]) -> dict[str, Any]:
    """The heading of the key: what the cells mean, and what the other `marks` on them mean."""
    return {
        "text": " · ".join([escape(meaning(result, alpha)), *marks]),
        "font": {"size": NORMAL, "color": palette(theme).ink},
        "x": 0,
        "xref": "container",
        "xanchor": "left",
        "y": 1,
        "yref": "container",
        "yanchor": "top",
        "pad": {"l": 8, "t": 2},
    }


def words(possible: list[int], alpha: float, compact: bool) -> list[str]:
    """The label of each field: its symbol, its largest p, and what it means for the row."""
    bounds = {size: bound for size, bound in thresholds(alpha).items() if size in possible}
    middle = sorted(bounds)[len(bounds) // 2] if bounds else 0
    meanings = {-middle: "row worse", middle: "row better"}
    found = {0: "·<br>not<br>significant" if compact else "· not<br>significant"}
    for size, bound in bounds.items():
        for level in (size, -size):
            limit = f"≤ {bound:g}".replace("≤ 0.", "≤ .")
            symbol = minus(SYMBOLS[level])
            found[level] = f"{symbol}{'<br>' if compact else ' '}{limit}<br>{meanings.get(level, '')}"
    return [found[level] for level in possible]


def _bar(possible: list[int], alpha: float, whole: int, theme: Theme, compact: bool) -> dict[str, Any]:
    """The fields of the key; their position is in pixels from the upper left corner."""
    return {
        "orientation": "h",
        "thickness": 12,
        "len": (FIELD_COMPACT if compact else FIELD) * len(possible),
        "lenmode": "pixels",
        "x": 0,
        "xanchor": "left",
        "xref": "container",
        "xpad": 8,
        "y": 1 - HEADING / whole,
        "yanchor": "top",
        "yref": "container",
        "ypad": 0,
        "outlinewidth": 0,
        "ticks": "",
        "tickangle": 0,
        "ticklabeloverflow": "allow",
        "tickmode": "array",
        "tickvals": list(range(len(possible))),
        "ticktext": words(possible, alpha, compact),
        "tickfont": {"size": SMALL, "color": palette(theme).muted},
    }
