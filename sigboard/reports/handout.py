"""A lesson as one HTML file to print: its text, the numbers of the loaded data, the questions, and the answers on a last page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from sigboard.lessons import LINK, Lesson
from sigboard.reports.html import POLICY, printable
from sigcore import __version__

TERM = "term-"
STYLE = """
body { font: 12pt/1.45 Georgia, "Times New Roman", serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin-top: 1.6rem; } h3 { font-size: 1rem; margin-bottom: 0; }
.lead { font-weight: bold; } table { border-collapse: collapse; margin: 1rem 0; }
th, td { border-bottom: 1px solid #999; padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; vertical-align: top; }
.line { border-bottom: 1px solid #999; height: 2rem; } .answers { break-before: page; } a { color: inherit; }
pre { border: 1px solid #999; padding: 0.5rem; white-space: pre-wrap; }
svg { width: 100%; height: auto; } .bar { fill: #bbb; } .tail { fill: #0072B2; } .axis { stroke: #000; }
.cut { stroke: #000; stroke-dasharray: 5 3; } svg text { font: 11px sans-serif; }
@media print { body { margin: 0; } }
"""


def html(lesson: Lesson, facts: Sequence[tuple[str, str]], picture: str = "") -> str:
    """The whole file; names are escaped, and it requests nothing from any host. `picture` is SVG."""
    rows = "".join(f"<tr><th>{_text(what)}</th><td>{_text(value)}</td></tr>" for what, value in facts)
    asked = "".join(f"<h3>{k}. {_text(question)}</h3>{LINES}" for k, (question, _) in enumerate(lesson.questions, 1))
    answers = "".join(
        f"<h3>{k}. {_text(question)}</h3>{blocks(answer)}" for k, (question, answer) in enumerate(lesson.questions, 1)
    )
    terms = "".join(
        f'<p id="{TERM}{term.slug}"><b>{_text(term.name)}</b>: {_text(term.meaning)}</p>' for term in lesson.terms
    )
    parts = [
        f"<h1>{_text(lesson.label)}</h1><p class=lead>{_spans(lesson.lead)}</p>",
        blocks(lesson.text),
        f"<h2>Numbers of our data</h2>{picture}<table>{rows}</table>",
        f"<h2>Three questions</h2>{asked}",
        f"<h2>Terms</h2>{terms}",
        f"<section class=answers><h2>Answers</h2>{answers}</section>",
        f"<footer><small>Made with Sigboard {escape(__version__)}.</small></footer>",
    ]
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{_text(lesson.label)}</title><style>{STYLE}</style>"
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(parts) + "\n</body></html>\n"


LINES = "<div class=line></div>" * 3


def blocks(text: str) -> str:
    """The Markdown of a lesson as HTML: headings, paragraphs, lists, code, bold words, links to the glossary."""
    return "\n".join(_block(part.strip("\n")) for part in re.split(r"\n{2,}(?! )", text.strip()))


def _block(text: str) -> str:
    if text.startswith("```"):
        return f"<pre>{escape(text.split(chr(10), 1)[1].removesuffix('```').rstrip())}</pre>"
    if text.startswith("## "):
        return f"<h2>{_spans(text[3:])}</h2>"
    for mark, kind in ((r"\d+\. ", "ol"), (r"- ", "ul")):
        if re.match(mark, text):
            items = re.split(rf"^{mark}", text, flags=re.MULTILINE)[1:]
            return f"<{kind}>{''.join(f'<li>{_spans(item)}</li>' for item in items)}</{kind}>"
    return f"<p>{_spans(text)}</p>"


def _spans(text: str) -> str:
    """Words within a block."""
    out = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", _text(" ".join(text.split())))
    out = re.sub(r"`([^`]+)`", r"<code>\1</code>", out)
    return LINK.sub(lambda match: f'<a href="#{TERM}{match[2]}">{match[1]}</a>', out)


def _text(text: str) -> str:
    return escape(printable(text), quote=False)
