"""What HTML files share: the style sheet with the palettes of the figures, the policy, and text that a file can hold."""

from __future__ import annotations

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
STYLE = (
    f":root{{{_colours(LIGHT)}--strong:#FFFFFF;--green:#00704F;--amber:#8A5A00;--red:#B3261E}}"
    f"@media (prefers-color-scheme:dark){{:root{{{_colours(DARK)}--strong:#171614;--green:#2FC29A;--amber:#E3C14A;"
    "--red:#FF8A80}}"
    f"body{{font:16px/1.5 {FONT};background:var(--paper);color:var(--ink);max-width:60rem;margin:2rem auto;padding:0 1rem}}"
    "h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2rem}h3{font-size:1rem;margin-bottom:.3rem}"
    ".lead{font-size:1.1rem}.small,footer,figcaption{font-size:.85rem;color:var(--muted)}footer{margin-top:3rem}"
    "table{border-collapse:collapse}th{text-align:left;font-weight:normal}td,th{padding:.2rem .6rem;vertical-align:top}"
    "h1,h2,h3,th,td,p,li{overflow-wrap:anywhere}"
    ".wide{overflow-x:auto}.checks td{border-top:1px solid var(--line)}.state{white-space:nowrap;font-weight:600}"
    ".green .state{color:var(--green)}.amber .state{color:var(--amber)}.red .state{color:var(--red)}"
    ".unknown .state{color:var(--muted)}"
    ".scores{border-top:2px solid;border-bottom:2px solid}.scores td{text-align:right}"
    ".scores tr:first-child th{border-bottom:1px solid;text-align:right}.cluster td,.cluster th{border-bottom:1px solid}"
    ".grid td{padding:0;text-align:center;border:1px solid var(--paper);background:none;min-width:4rem}"
    ".grid th{white-space:nowrap}.grid tr:first-child th{text-align:center}"
    ".grid a{display:block;padding:.25rem .4rem;color:inherit;text-decoration:none;font-size:.85rem;line-height:1.3}"
    ".grid a:hover,.grid a:focus-visible{outline:2px solid var(--ink);outline-offset:-2px}"
    f".grid td.none{{background:var(--none)}}{VERDICTS.replace('td.', '.grid td.')}"
    ".grid td.better3,.grid td.worse3{color:var(--strong)}"
    ".pair{display:none;border:1px solid var(--line);border-radius:.5rem;padding:0 1rem;margin:1rem 0;scroll-margin-top:30vh}"
    ".pair:target{display:block}a{color:var(--accent)}figure{margin:0}svg{width:100%;max-width:36rem;height:auto}"
    "rect.bar{fill:var(--bars)}rect.tail{fill:var(--warm)}line.axis{stroke:var(--muted)}"
    "line.cut{stroke:var(--ink);stroke-dasharray:4 3}svg text{fill:var(--muted);font-size:12px}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--none);padding:.7rem;border-radius:.4rem;font-size:.85rem;"
    "user-select:all;-webkit-user-select:all;max-height:24rem;overflow-y:auto}summary{cursor:pointer;padding:.3rem 0}"
    "@media (max-width:40rem){.checks td{display:block;border:0}.checks tr{display:block;border-top:1px solid var(--line)}}"
    "@media print{body{max-width:none;margin:0}pre{max-height:none}}"
)
# The browser itself refuses every request of the file.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def printable(text: str) -> str:
    """The text without control characters and lone surrogates, which no HTML file can hold; tabs and new lines stay."""
    return visible(text, "\t\n")
