"""Handouts are complete, printable without a network, and show names letter by letter."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from sigboard.questions.learn import lessons
from sigboard.questions.learn import report as reports
from sigcore import SufficientStatistics
from sigcore.studies import learn
from sigcore.study import Study
from tests.unit.sigcore.studies.learn.test_steps import BLEU, OUTPUTS, TESTSET

HOSTILE = "sys_a%&<b>"


def of_hostile(metric: str = "bleu") -> learn.Data:
    """The statistics of two systems on 40 segments, one of them with a hostile name."""
    return learn.data(TESTSET, [replace(OUTPUTS[0], system=HOSTILE), OUTPUTS[1]], [(metric, {})])


@pytest.fixture(scope="module")
def numbers() -> dict[str, object]:
    """The numbers of each lesson on 40 segments."""
    outputs = [replace(OUTPUTS[0], system=HOSTILE), OUTPUTS[1]]
    of = of_hostile()
    pair: tuple[SufficientStatistics, ...] = of.measured.systems
    steps = learn.steps(Study(TESTSET, outputs, BLEU))
    drawn = learn.draw(pair, learn.Draw("bootstrap"), learn.SIZES[1], 1)
    return {
        "shuffle": steps,
        "bootstrap": steps,
        "three": steps,
        "tail": learn.lab(learn.Rule(), drawn, drawn, 0.05),
        "null": learn.factory(pair, 1),
        "mean": learn.mean(of, 1),
        "many": learn.many(of, 1, worlds=2),
        "predict": learn.game(of, learn.rounds(of, 1), ((0, 0.8),), 1, 0.05),
        "interval": learn.intervals(pair, 1),
        "plan": learn.plan(pair, 1),
        "runs": learn.exam(1),
        "judge": learn.judge(),
    }


class Tags(HTMLParser):
    """The tags of a page, which must be closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open += [] if tag in ("meta", "line", "rect", "br") else [tag]
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name == "href" and value]

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("line", "rect"):
            assert self.open.pop() == tag


@pytest.mark.parametrize("lesson", lessons.lessons(), ids=lambda lesson: lesson.word)
def test_handout(lesson: lessons.Lesson, numbers: dict[str, object]) -> None:
    """A handout has the text, the numbers, the questions before the answers, every linked term, and no request."""
    own = numbers[lesson.word]
    facts = reports.facts(lesson.word, own)
    page = reports.handout(lesson, own)
    tags = Tags(page)
    assert tags.open == []
    assert tags.links
    assert {link.removeprefix("#") for link in tags.links} <= set(tags.ids)
    assert not re.search(r"(?:src|href)=\"?(?:https?:)?//|@import|url\(|<script", page)
    assert HOSTILE not in page
    assert "\\" not in page
    assert all(reports._text(value) in page for _, value in facts)
    answers = page.index("<section class=answers>")
    assert all(
        answers < page.index(reports._text(value)) for _, value in facts if len(value) > 30
    )  # no answer before a question
    for question, answer in lesson.questions:
        assert page.index(reports._text(question)) < answers < page.index(reports.blocks(answer))
    assert "**" not in page
    assert "](" not in page


def test_blocks_of_markdown() -> None:
    """Headings, lists, code, bold words and markup characters become HTML."""
    text = "## A\n\nb **c** <d>\nand `e`\n\n1. f\n   g\n2. h\n\n- i\n\n```\n<j>\n```"
    assert reports.blocks(text).split("\n") == [
        "<h2>A</h2>",
        "<p>b <b>c</b> &lt;d&gt; and <code>e</code></p>",
        "<ol><li>f g</li><li>h</li></ol>",
        "<ul><li>i</li></ul>",
        "<pre>&lt;j&gt;</pre>",
    ]
