"""Pictures as SVG: inside a page, whose style sheet has their colours, or alone in a file."""

from __future__ import annotations

from html import escape

from sigboard.figures.style import FONT
from sigboard.reports.picture import Box, Line, Picture, Text
from sigboard.reports.picture_colours import DASHES, SIZE, colours


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


def _shape(shape: Box | Line | Text) -> str:
    if isinstance(shape, Box):
        place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
        return f'<rect class="{shape.kind}" {place}/>'
    if isinstance(shape, Line):
        place = f'x1="{shape.x1:.1f}" x2="{shape.x2:.1f}" y1="{shape.y1:.1f}" y2="{shape.y2:.1f}"'
        return f'<line class="{shape.kind}" {place}/>'
    text = "".join(letter if letter.isprintable() else "\ufffd" for letter in shape.text)
    place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" text-anchor="{shape.anchor}"'
    return f'<text class="{shape.kind}" {place}>{escape(text)}</text>'
