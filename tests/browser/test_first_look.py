"""The first look at every page: a short verdict above the figure, few words, all settings in view, and nothing that jumps."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page

from sigboard import catalogue
from tests.browser.actions import goto

WIDTH, HEIGHT = 1024, 576  # a laptop of 1280 x 720 at 125%
HEADLINE_WORDS, HEADLINE_NUMBERS, WORDS, SHIFT = 20, 3, 150, 0.1
AGAIN = 3  # more looks at a page that moved
LESSONS = ("learn", "tuning", "reproduce")  # a text to read, and runs that are watched
NEEDY = ("tasks",)  # the sample has nothing for it, so it has no verdict
NUMBER = re.compile(r"(?<![\w-])[+\-\u2212]?\.?\d[\d.,]*")  # not those in names

WATCH = """() => {
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries().filter((one) => !one.hadRecentInput)) {
      const what = entry.sources.map(({ node, previousRect, currentRect }) =>
        `${node && (node.dataset?.testid || node.nodeName)} ${(node?.innerText || "").slice(0, 20)} ` +
        `from ${Math.round(previousRect.y)} to ${Math.round(currentRect.y)}`);
      window.moved.push([entry.startTime, entry.value, what.join(", ")]);
    }
  }).observe({ type: "layout-shift", buffered: true });
}"""
LOOK = """() => {
  const main = document.querySelector('[data-testid="stMainBlockContainer"]');
  const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && e.getBoundingClientRect().height > 0
    && (!e.closest("details:not([open])") || e.closest("summary"));
  // a number in a table or a figure, and the name of a control, are not prose
  const OTHER = '.stMarkdownBadge, table, svg, button, select, input, label, code, style, script, .js-plotly-plot, #grid, [role="tab"], ' +
    '[data-testid="stDataFrame"], [data-testid="stMetric"], [data-testid="stIconMaterial"], [data-testid="stBidiComponentRegular"]';
  const texts = [], walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (node.textContent.trim() && seen(parent) && !parent.closest(OTHER)) texts.push(node.textContent.trim());
  }
  const box = (e) => (e ? e.getBoundingClientRect().toJSON() : null);
  return {
    headline: main.querySelector("h2") ? main.querySelector("h2").innerText : "",
    verdict: box(main.querySelector("h2")),
    figure: box(main.querySelector('.js-plotly-plot, [data-testid="stBidiComponentRegular"] #grid')),
    settings: box(document.querySelector(".st-key-settings")),
    words: texts.join(" ").split(/\\s+/),
    moved: window.moved.reduce((sum, [, value]) => sum + value, 0),
    most: window.moved.sort((one, other) => other[1] - one[1]).slice(0, 3).map(([, value, what]) => `${value.toFixed(3)} ${what}`),
  };
}"""


def look(page: Page, url: str) -> dict[str, Any]:
    """What a page shows at first."""
    goto(page, url)
    page.wait_for_function("() => window.sigboardStyled")
    found: dict[str, Any] = page.evaluate(LOOK)
    return found


@pytest.fixture
def laptop(open_page: Any) -> Page:
    """A small laptop, which notes everything that moves on its pages."""
    page: Page = open_page(width=WIDTH, height=HEIGHT)
    page.add_init_script(f"({WATCH})()")
    return page


def test_every_page_is_read_in_one_look(live: str, laptop: Page) -> None:
    """The headline has few words and numbers, and is above the figure on the first screen, with all settings beside it; the
    page has few words, and nothing of it jumps, from the first frame on."""
    faults = []
    for asked in catalogue.QUESTIONS:
        if asked.word in LESSONS:
            continue
        path = "" if asked.word == catalogue.FIRST else asked.word
        seen = look(laptop, f"{live}/{path}?resamples=1000")
        for _ in range(AGAIN):
            # on a busy machine the parts of a page arrive one by one, in an order of their own; what is at fault always moves
            if seen["moved"] > SHIFT:
                seen = look(laptop, f"{live}/{path}?resamples=1000")
        words, numbers = len(seen["headline"].split()), len(NUMBER.findall(seen["headline"]))
        said = [f"{words} words in the headline"] if words > HEADLINE_WORDS else []
        said += [f"{numbers} numbers in the headline"] if numbers > HEADLINE_NUMBERS else []
        said += ["no headline"] if not words and asked.word not in NEEDY else []
        said += [f"{len(seen['words'])} words"] if len(seen["words"]) > WORDS else []
        said += [f"moved by {seen['moved']:.3f}: {seen['most']}"] if seen["moved"] > SHIFT else []
        said += ["settings below the fold"] if seen["settings"]["bottom"] > HEIGHT else []
        verdict, figure = seen["verdict"], seen["figure"]
        said += ["headline below the fold"] if verdict and verdict["bottom"] > HEIGHT else []
        said += ["headline below the figure"] if verdict and figure and verdict["top"] > figure["top"] else []
        faults += [f"{asked.word}: {', '.join(said)} ({seen['headline']})"] if said else []
    assert not faults, "\n".join(faults)
