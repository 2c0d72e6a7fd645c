"""Curves on two logarithmic axes as a small SVG for light and dark pages."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

from sigboard.render.style import DARK, FONT, LIGHT, Palette

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 72, 204, 64, 52
APART = 17  # between the labels at the ends of two lines


@dataclass(frozen=True)
class Line:
    """A named curve of points (x, y), all above 0; `colour` is an index into the classes of the palette."""

    name: str
    points: tuple[tuple[float, float], ...]
    colour: int
    dashed: bool = False


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis from low to high, drawn between two pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The pixel of a value."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)


def decade(values: Sequence[float]) -> tuple[float, float]:
    """The powers of ten around the values."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return 10.0**low, 10.0 ** max(high, low + 1)


def powers(low: float, high: float) -> list[float]:
    """The powers of ten from low to high."""
    return [10.0**power for power in range(round(math.log10(low)), round(math.log10(high)) + 1)]


def number(value: float) -> str:
    """A tick's label: 0.01, 1, 10,000."""
    return f"{value:,.0f}" if value >= 1 else f"{value:.10f}".rstrip("0")


def spread(wanted: Sequence[float], apart: float) -> list[float]:
    """The positions nearest to the wanted ones, in the same order, that are at least `apart` pixels apart."""
    order = sorted(range(len(wanted)), key=lambda k: wanted[k])
    placed: list[list[float]] = []  # groups of touching labels: [sum of wanted top places, members]
    for k in order:
        placed.append([wanted[k], 1])
        while len(placed) > 1 and _top(placed[-2], apart) + placed[-2][1] * apart > _top(placed[-1], apart):
            total, count = placed.pop()
            placed[-1][0] += total
            placed[-1][1] += count
    rows = [_top(group, apart) + i * apart for group in placed for i in range(int(group[1]))]
    return [rows[order.index(k)] for k in range(len(wanted))]


def _top(group: Sequence[float], apart: float) -> float:
    return group[0] / group[1] - (group[1] - 1) * apart / 2


def chart(title: str, note: str, x_title: str, lines: Sequence[Line]) -> str:
    """The SVG of curves of seconds against another quantity, each with its name at the right end."""
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in line.points]
    across = Axis(min(xs), max(xs), LEFT, WIDTH - RIGHT)
    up = Axis(*decade(ys), HEIGHT - BOTTOM, TOP)
    ends = spread([up.at(line.points[-1][1]) for line in lines], APART)
    parts = [_style(), f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>']
    parts += [_text(16, 24, "title", title), _text(16, 43, "muted", note)]
    parts += [_grid(up, tick) for tick in powers(up.low, up.high)]
    parts += [_tick(across, tick) for tick in sorted(set(xs))]
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "muted middle", x_title))
    parts += [_curve(line, across, up) for line in lines]
    parts += [_label(line, across.end, up.at(line.points[-1][1]), end) for line, end in zip(lines, ends, strict=True)]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img">'
    return "\n".join([head, f"<title>{html.escape(title)}</title>", *parts, "</svg>"]) + "\n"


def _style() -> str:
    common = (
        f"text {{ font: 13px {FONT}; }} .title {{ font-weight: 600; font-size: 14px; }} .middle {{ text-anchor: middle; }} "
        ".end { text-anchor: end; } .grid { stroke-width: 1; } .curve { fill: none; stroke-width: 2; stroke-linejoin: round; } "
        ".dashed { stroke-dasharray: 5 4; } .lead { stroke-width: 1; }"
    )
    dark = f"@media (prefers-color-scheme: dark) {{ {_colours(DARK)} }}"
    return f"<style>{common} {_colours(LIGHT)} {dark}</style>"


def _colours(of: Palette) -> str:
    rules = [f".paper {{ fill: {of.paper}; }} .title {{ fill: {of.ink}; }} .muted {{ fill: {of.muted}; }}"]
    rules.append(f".grid {{ stroke: {of.line}; }}")
    rules += [f".c{k} {{ stroke: {c}; }} .t{k} {{ fill: {c}; }}" for k, c in enumerate(of.classes)]
    return " ".join(rules)


def _text(x: float, y: float, kind: str, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{html.escape(text)}</text>'


def _grid(up: Axis, tick: float) -> str:
    y = up.at(tick)
    line = f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
    return line + _text(LEFT - 8, y + 4.5, "muted end", f"{number(tick)} s")


def _tick(across: Axis, tick: float) -> str:
    x, foot = across.at(tick), HEIGHT - BOTTOM
    line = f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{foot}" y2="{foot + 5}"/>'
    return line + _text(x, foot + 20, "muted middle", number(tick))


def _curve(line: Line, across: Axis, up: Axis) -> str:
    points = [(across.at(x), up.at(y)) for x, y in line.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    kind = f"curve c{line.colour}{' dashed' if line.dashed else ''}"
    dots = "".join(f'<circle class="t{line.colour}" cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>' for x, y in points)
    return f'<polyline class="{kind}" points="{path}"/>' + ("" if line.dashed else dots)


def _label(line: Line, x: float, y: float, place: float) -> str:
    lead = f'<line class="lead c{line.colour}" x1="{x + 4:.1f}" y1="{y:.1f}" x2="{x + 14:.1f}" y2="{place:.1f}"/>'
    return lead + _text(x + 18, place + 4.5, f"t{line.colour}", line.name)
