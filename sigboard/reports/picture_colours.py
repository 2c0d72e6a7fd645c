"""The colours of pictures in files: those of the figures in a light browser."""

from __future__ import annotations

from sigboard.figures.style import LIGHT

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
