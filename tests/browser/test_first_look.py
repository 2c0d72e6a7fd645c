"""The first look at every page: a short verdict above the figure, few words, all settings in view, and nothing that jumps."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sigboard import catalogue
from tests.browser.actions import goto, upload

WIDTH, HEIGHT = 1024, 576  # a laptop of 1280 x 720 at 125%
PHONE = 390, 844
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
  const title = box(main.querySelector("h1"));
  const meets = (r) => r.height && r.top < title.bottom - 1 && r.bottom > title.top + 1 && r.left < title.right && r.right > title.left;
  return {
    over: [...main.querySelectorAll("h2, summary, button")].filter((e) => title && meets(e.getBoundingClientRect())).length,
    headline: main.querySelector("h2") ? main.querySelector("h2").innerText : "",
    verdict: box(main.querySelector("h2")),
    figure: box(main.querySelector('.js-plotly-plot, [data-testid="stBidiComponentRegular"] #grid')),
    settings: box(document.querySelector(".st-key-settings")),
    words: texts.join(" ").split(/\\s+/),
    moved: window.moved.reduce((sum, [, value]) => sum + value, 0),
    most: window.moved.sort((one, other) => other[1] - one[1]).slice(0, 3).map(([, value, what]) => `${value.toFixed(3)} ${what}`),
  };
}"""


def look(page: Page, live: str, word: str) -> dict[str, Any]:
    """What the page of that word shows at first, and how far it moved."""
    url = f"{live}/{'' if word == catalogue.FIRST else word}?resamples=1000"
    for _ in range(1 + AGAIN):
        goto(page, url)
        page.wait_for_function("() => window.sigboardStyled")
        found: dict[str, Any] = page.evaluate(LOOK)
        # on a busy machine the parts of a page arrive one by one, in an order of their own; what is at fault always moves
        if found["moved"] <= SHIFT:
            break
    return found


def moved(seen: dict[str, Any]) -> list[str]:
    """What is said of a page that moved too far."""
    return [f"moved by {seen['moved']:.3f}: {seen['most']}"] if seen["moved"] > SHIFT else []


@pytest.fixture
def watching(open_page: Any) -> Callable[..., Page]:
    """A function (width, height) -> page that notes everything that moves on it."""

    def opened(width: int, height: int) -> Page:
        page: Page = open_page(width=width, height=height)
        page.add_init_script(f"({WATCH})()")
        return page

    return opened


@pytest.mark.slow
def test_every_page_is_read_in_one_look(live: str, watching: Callable[..., Page]) -> None:
    """The headline has few words and numbers, and is above the figure on the first screen, with all settings beside it; nothing
    lies over the title, the page has few words, and nothing of it jumps, from the first frame on."""
    faults, laptop = [], watching(WIDTH, HEIGHT)
    for asked in catalogue.QUESTIONS:
        seen = look(laptop, live, asked.word)
        if asked.word in LESSONS:
            faults += [f"{asked.word}: {words}" for words in moved(seen)]
            continue
        words, numbers = len(seen["headline"].split()), len(NUMBER.findall(seen["headline"]))
        said = [f"{words} words in the headline"] if words > HEADLINE_WORDS else []
        said += [f"{numbers} numbers in the headline"] if numbers > HEADLINE_NUMBERS else []
        said += ["no headline"] if not words and asked.word not in NEEDY else []
        said += [f"{len(seen['words'])} words"] if len(seen["words"]) > WORDS else []
        said += ["something lies over the title"] if seen["over"] else []
        said += moved(seen)
        said += ["settings below the fold"] if seen["settings"]["bottom"] > HEIGHT else []
        verdict, figure = seen["verdict"], seen["figure"]
        said += ["headline below the fold"] if verdict and verdict["bottom"] > HEIGHT else []
        said += ["headline below the figure"] if verdict and figure and verdict["top"] > figure["top"] else []
        faults += [f"{asked.word}: {', '.join(said)} ({seen['headline']})"] if said else []
    assert not faults, "\n".join(faults)


@pytest.mark.slow
def test_nothing_jumps_on_a_phone(live: str, watching: Callable[..., Page]) -> None:
    """No page moves while it is drawn on a narrow screen, whose form of the page its first run does not know."""
    phone = watching(*PHONE)
    seen = {asked.word: look(phone, live, asked.word) for asked in catalogue.QUESTIONS}
    faults = [f"{word}: {words}" for word, one in seen.items() for words in moved(one)]
    assert not faults, "\n".join(faults)
    empty = [word for word, one in seen.items() if len(one["words"]) < 10]
    assert not empty, f"hidden to the end: {empty}"


@pytest.mark.slow
def test_signs_of_twelve_systems_keep_apart_on_a_phone(live: str, open_page: Callable[..., Page]) -> None:
    """In each cell the signs are narrower than the cell, with a gap after each, so that no row of signs becomes a bar."""
    phone = open_page(width=PHONE[0], height=PHONE[1])
    goto(phone, live)
    lines = [f"this is segment {k} of the test set" for k in range(60)]
    outputs = {f"system{k}.txt": "\n".join(lines[: 60 - 5 * k] + ["x"] * (5 * k)).encode() for k in range(12)}
    upload(phone, {"ref.txt": "\n".join(f"{line} ." for line in lines).encode(), **outputs})
    expect(phone.locator("[data-cell]")).to_have_count(144)
    seen = phone.locator("[data-cell]").evaluate_all("""(cells) =>
      cells.filter((cell) => cell.innerText.trim().length === 3).map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell.firstChild);
        const style = getComputedStyle(cell.firstChild);
        return [cell.clientWidth - range.getBoundingClientRect().width, parseFloat(style.letterSpacing)];
      })""")
    assert len(seen) > 40
    assert all(room >= 0 and gap >= 0.5 for room, gap in seen), seen[:3]


# How far each label of a figure's rows reaches into the next one, in parts of its height.
REACH = """() => [...document.querySelectorAll(".js-plotly-plot .ytick text")].map((e) => e.getBoundingClientRect())
  .sort((one, other) => one.top - other.top).map((box, k, all) => (k ? (all[k - 1].bottom - box.top) / box.height : 0))"""


@pytest.mark.slow
def test_names_of_twelve_judged_systems_keep_apart_on_a_laptop(live: str, open_page: Callable[..., Page]) -> None:
    """The grid of people has room for its names next to the table of scores, at 1280 x 720 and 125%."""
    laptop = open_page(width=WIDTH, height=HEIGHT)
    goto(laptop, f"{live}/human")
    rows = [f"j{k % 3},system-{s},{k},{60 + (7 * s + 11 * k) % 30 + s}" for s in range(12) for k in range(30)]
    upload(laptop, {"ratings.csv": "\n".join(["judge,system,segment,score", *rows]).encode()})
    expect(laptop.locator(".js-plotly-plot .ytick text")).to_have_count(12)
    assert max(laptop.evaluate(REACH)) < 0.35
