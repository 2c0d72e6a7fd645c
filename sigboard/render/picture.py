"""Pictures for files: a histogram of the null and the grid, as boxes, lines and texts that SVG and PNG are made of."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from sigboard.render.bars import Bars, bars
from sigboard.render.style import FONT, LIGHT
from sigcore import MatrixResult, TestResult
from sigcore.formatting import format_gain, shorten_all, visible
from sigcore.results import Grid, corrected

# The colours of pictures in files: those of the figures in a light browser.

SIZE = 12  # pixels of a letter
DASHES = (4, 3)  # pixels drawn and left out, of a dashed line


def colours() -> dict[str, str]:
    """The colour of every kind of shape."""
    verdicts = {
        f"{side}{k}": colour
        for side, of in (("better", LIGHT.better), ("worse", LIGHT.worse))
        for k, colour in enumerate(of, start=1)
    }
    return verdicts | {
        "bar": LIGHT.bars,
        "tail": LIGHT.warm,
        "none": LIGHT.neutral,
        "axis": LIGHT.muted,
        "label": LIGHT.muted,
        "cut": LIGHT.ink,
        "name": LIGHT.ink,
        "strong": "#FFFFFF",
    }


WIDTH, HEIGHT, MARGIN, FOOT = 560, 190, 12, 26  # of a histogram, in pixels
CELL, ROW, LETTER = 62, 34, 7.0  # of the grid; the width of a letter is that of an average one
LONGEST = 32  # letters of a name


@dataclass(frozen=True)
class Box:
    """A filled rectangle; `kind` names its colour."""

    x: float
    y: float
    width: float
    height: float
    kind: str


@dataclass(frozen=True)
class DrawnLine:
    """A line; `kind` names its colour, and whether it is dashed ("cut")."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str


@dataclass(frozen=True)
class Text:
    """A text whose baseline is at y; `anchor` is where x is: "start", "middle" or "end"."""

    x: float
    y: float
    text: str
    anchor: str = "middle"
    kind: str = "label"


@dataclass(frozen=True)
class Picture:
    """A picture of that many pixels, and what it shows in words."""

    width: float
    height: float
    shapes: tuple[Box | DrawnLine | Text, ...]
    words: str


def histogram(result: TestResult) -> Picture | None:
    """The null of one pair: bars, those that count in another colour, dashed lines at the cut-offs, zero and the ends as
    ticks. A test that draws nothing has none: None."""
    if not result.drawn:
        return None
    shown = bars(result.histogram, result.cutoffs, result.setup.decimals)
    cuts = [cut for cut in result.cutoffs if math.isfinite(cut)]
    words = f"Histogram of {result.counted}: {result.tail:,} of {result.setup.resamples:,} count"
    words = f"Histogram of {result.drawn:,} {result.counted}; p is exact" if result.exact else words
    return drawn(shown, cuts, words, lambda value: format_gain(value, result.setup.decimals) if value else "0", [0.0])


def drawn(shown: Bars, cuts: list[float], words: str, write: Callable[[float], str], marked: list[float]) -> Picture:
    """Bars with dashed lines at the `cuts`; ticks, as `write` has them, there, at the `marked` places and at the ends."""
    low = min([float(shown.left.min()), *cuts, *marked])
    high = max([float(shown.right.max()), *cuts, *marked])
    tallest = float(shown.heights.max()) or 1.0

    def x(value: float) -> float:
        return MARGIN + (value - low) / (high - low or 1.0) * (WIDTH - 2 * MARGIN)

    base = HEIGHT - FOOT
    shapes: list[Box | DrawnLine | Text] = []
    for left, right, height, tail in zip(shown.left, shown.right, shown.heights, shown.tail, strict=True):
        if height:
            tall = float(height) / tallest * (base - MARGIN)
            width = max(x(float(right)) - x(float(left)) - 0.5, 0.5)
            shapes.append(Box(x(float(left)), base - tall, width, tall, "tail" if tail else "bar"))
    shapes += [DrawnLine(x(cut), MARGIN, x(cut), base, "cut") for cut in cuts]
    shapes.append(DrawnLine(MARGIN, base, WIDTH - MARGIN, base, "axis"))
    shapes += _ticks([(write(value), x(value)) for value in (low, *cuts, *marked, high)])
    return Picture(WIDTH, HEIGHT, tuple(shapes), words)


def _ticks(values: list[tuple[str, float]]) -> list[Text]:
    """Labels below the axis, from the most important to the least; one that would cover another is left out."""
    order = [*values[1:-1], values[0], values[-1]]
    out, taken = [], list[float]()
    for label, at in order:
        place = min(max(at, MARGIN + 16), WIDTH - MARGIN - 16)
        if all(abs(place - other) > 48 for other in taken):
            taken.append(place)
            out.append(Text(place, HEIGHT - 8, label))
    return out


def grid(result: MatrixResult, alpha: float) -> Picture:
    """All pairs, best system first: the adjusted p of the row against the column, and stars; the colour is the verdict."""
    shown = Grid.of(result, alpha)
    names = [f"{rank} {name}" for rank, name in enumerate(shorten_all(shown.names, LONGEST), start=1)]
    side = 2 * MARGIN + LETTER * max(map(len, names))
    shapes: list[Box | DrawnLine | Text] = []
    for row, cells in enumerate(shown.cells):
        top = ROW * (row + 1)
        shapes.append(Text(MARGIN, top + ROW / 2 + 4, names[row], "start", "name"))
        shapes.append(Text(side + CELL * (row + 0.5), ROW - 10, str(row + 1), "middle", "name"))
        for column, cell in enumerate(cells):
            if row != column and cell.asked:
                level = cell.level or 0
                kind = "none" if not level else f"{'better' if level > 0 else 'worse'}{abs(level)}"
                left, ink = side + CELL * column, "strong" if abs(level) == 3 else "name"
                shapes.append(Box(left + 1, top + 1, CELL - 2, ROW - 2, kind))
                shapes.append(Text(left + CELL / 2, top + (14 if level else 21), cell.adjusted, "middle", ink))
                shapes += [Text(left + CELL / 2, top + 29, cell.symbol, "middle", ink)] if level else []
    setup, count = result.setup, len(names)
    words = f"{setup.metric_title}, {setup.test_title}, {setup.side}: p ({corrected(setup)}) of row against column"
    foot = ROW * (count + 1) + 22
    shapes.append(Text(MARGIN, foot, words, "start"))
    width = max(side + CELL * count, LETTER * len(words)) + MARGIN
    return Picture(width, foot + MARGIN, tuple(shapes), words)


# Pictures as SVG: inside a page, whose style sheet has their colours, or alone in a file.


def svg(picture: Picture) -> str:
    """The picture as an element of a page: no script, no font."""
    parts = "".join(map(_shape, picture.shapes))
    size = f"{picture.width:.0f} {picture.height:.0f}"
    return f'<svg viewBox="0 0 {size}" role="img" aria-label="{escape(picture.words)}">{parts}</svg>'


def svg_file(picture: Picture) -> str:
    """The picture as a file, with its colours, on white."""
    rules = [
        f"rect.{name},text.{name}{{fill:{colour}}}line.{name}{{stroke:{colour}}}" for name, colour in colours().items()
    ]
    style = f"text{{font:{SIZE}px {FONT}}}line.cut{{stroke-dasharray:{DASHES[0]} {DASHES[1]}}}" + "".join(rules)
    size = f'width="{picture.width:.0f}" height="{picture.height:.0f}"'
    inside = f'<style>{escape(style, quote=False)}</style><rect {size} fill="#FFFFFF"/>'
    whole = svg(picture).replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" {size} ', 1)
    start = whole.index(">") + 1
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{whole[:start]}{inside}{whole[start:]}\n'


def _shape(shape: Box | DrawnLine | Text) -> str:
    if isinstance(shape, Box):
        place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
        return f'<rect class="{shape.kind}" {place}/>'
    if isinstance(shape, DrawnLine):
        place = f'x1="{shape.x1:.1f}" x2="{shape.x2:.1f}" y1="{shape.y1:.1f}" y2="{shape.y2:.1f}"'
        return f'<line class="{shape.kind}" {place}/>'
    place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" text-anchor="{shape.anchor}"'
    return f'<text class="{shape.kind}" {place}>{escape(visible(shape.text))}</text>'


# Pictures as PNG, three times as large as on the screen: about 300 dots per inch in a column of a paper.

SCALE = 3
ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def png_file(picture: Picture) -> bytes:
    """The picture on white; letters that the font of Pillow lacks are boxes (the SVG has them)."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", (round(SCALE * picture.width), round(SCALE * picture.height)), "#FFFFFF")
    draw, font, ink = ImageDraw.Draw(image), ImageFont.load_default(SCALE * SIZE), colours()
    for shape in picture.shapes:
        if isinstance(shape, Box):
            left, top = SCALE * shape.x, SCALE * shape.y
            right, bottom = left + SCALE * shape.width - 1, top + SCALE * shape.height - 1
            draw.rectangle((left, top, max(left, right), max(top, bottom)), fill=ink[shape.kind])
        elif isinstance(shape, DrawnLine):
            for x1, y1, x2, y2 in _parts(shape):
                ends = (SCALE * x1, SCALE * y1, SCALE * x2, SCALE * y2)
                draw.line(ends, fill=ink[shape.kind], width=SCALE)
        elif shape.text:
            text = "".join(letter if letter.isprintable() else " " for letter in shape.text)
            place = (SCALE * shape.x, SCALE * shape.y)
            draw.text(place, text, fill=ink[shape.kind], font=font, anchor=ANCHORS[shape.anchor])
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _parts(line: DrawnLine) -> list[tuple[float, float, float, float]]:
    """The dashes of a vertical cut-off; any other line as it is."""
    if line.kind != "cut":
        return [(line.x1, line.y1, line.x2, line.y2)]
    drawn, left_out = DASHES
    starts = range(int(line.y1), int(line.y2), drawn + left_out)
    return [(line.x1, y, line.x2, min(y + drawn, line.y2)) for y in starts]
