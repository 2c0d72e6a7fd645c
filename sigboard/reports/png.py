"""Pictures as PNG, three times as large as on the screen: about 300 dots per inch in a column of a paper."""

from __future__ import annotations

import io

from sigboard.reports.picture import Box, Line, Picture
from sigboard.reports.picture_colours import DASHES, SIZE, colours

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
        elif isinstance(shape, Line):
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


def _parts(line: Line) -> list[tuple[float, float, float, float]]:
    """The dashes of a vertical cut-off; any other line as it is."""
    if line.kind != "cut":
        return [(line.x1, line.y1, line.x2, line.y2)]
    drawn, left_out = DASHES
    starts = range(int(line.y1), int(line.y2), drawn + left_out)
    return [(line.x1, y, line.x2, min(y + drawn, line.y2)) for y in starts]
