"""What HTML files share: the style sheet with the palettes of the figures, the policy, and text that a file can hold."""

from __future__ import annotations

from pathlib import Path

from sigboard.render.style import DARK, FONT, LIGHT, Palette
from sigcore.formatting import visible


def _colours(palette: Palette) -> str:
    values = {
        "paper": palette.paper,
        "ink": palette.ink,
        "muted": palette.muted,
        "line": palette.line,
        "accent": palette.accent,
        "warm": palette.warm,
        "none": palette.neutral,
        "bars": palette.bars,
        **{f"better{k}": colour for k, colour in enumerate(palette.better, start=1)},
        **{f"worse{k}": colour for k, colour in enumerate(palette.worse, start=1)},
    }
    return "".join(f"--{name}:{value};" for name, value in values.items())


VERDICTS = "".join(f"td.{side}{k}{{background:var(--{side}{k})}}" for side in ("better", "worse") for k in (1, 2, 3))
FILLED = {
    "LIGHT;": _colours(LIGHT),
    "DARK;": _colours(DARK),
    "VERDICTS;": VERDICTS.replace("td.", ".grid td."),
    "FONT": FONT,
}


def _style() -> str:
    """The rules of document.css with the colours and the font, without line breaks."""
    rules = Path(__file__).with_suffix(".css").read_text("utf-8").partition("*/")[2]
    for name, value in FILLED.items():
        rules = rules.replace(name, value)
    return "".join(rules.splitlines())


STYLE = _style()
# The browser itself refuses every request of the file.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def printable(text: str) -> str:
    """The text without control characters and lone surrogates, which no HTML file can hold; tabs and new lines stay."""
    return visible(text, "\t\n")
