"""The stage of a lesson in a real browser: new draws with every press, the reveal, dots that tell, keys, three screens."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from sigboard.questions.learn import lessons
from sigcore.data import Collection
from sigcore.studies import learn
from tests.browser.actions import goto, settle, until
from tests.oracles import browser_draws

STAGE = "[data-stage]"
WORDS = [lesson.word for lesson in lessons.lessons() if lesson.word != "predict"]
PHONE = (390, 844)
SCREENS = (PHONE, (1024, 576), (1920, 1080))
# What of a presented stage is cut, meets another part, or is too small to read; nothing if all is well.
FAULTS = """() => {
  const found = [], root = document.querySelector('[data-stage]'), high = innerHeight, wide = innerWidth;
  const box = (part) => part.getBoundingClientRect();
  const parts = [...root.children].filter((part) => box(part).height > 0);
  parts.forEach((part, i) => {
    if (box(part).right > wide + 1 || box(part).bottom > high + 1) found.push(`${part.className} leaves the screen`);
    parts.slice(i + 1).forEach((other) => {
      if (box(part).bottom > box(other).top + 1.5) found.push(`${part.className} meets ${other.className}`);
    });
    if (part.scrollHeight > part.clientHeight + 3 && !part.matches('.sb-panels')) found.push(`${part.className} is cut`);
  });
  for (const text of root.querySelectorAll('svg text')) {
    const [own, svg] = [box(text), box(text.closest('svg'))];
    if (own.left < svg.left - 1 || own.right > svg.right + 1 || own.top < svg.top - 1) found.push(`cut: ${text.textContent}`);
    if (parseFloat(getComputedStyle(text).fontSize) < 12) found.push(`small: ${text.textContent}`);
  }
  return found;
}"""


def drawn(page: Page) -> int:
    """How many resamples the stage has drawn."""
    return int(page.locator(STAGE).get_attribute("data-draws") or 0)


def press(page: Page, name: str, many: int) -> None:
    """Press a button, and wait until so many are drawn."""
    page.get_by_role("button", name=name, exact=True).click()
    until(page, lambda: drawn(page) == many, f"{many} are drawn")


def test_each_press_draws_anew_and_the_answer_follows_the_reveal(live: str, page: Page) -> None:
    """Three presses are three shuffles, and nothing is sent to the server; nothing is counted before the reveal; p is that of
    the same masks, which the twin of the generator gives; another start has another seed."""
    sent = list[object]()

    def keep(frame: object) -> None:
        sent.append(frame)

    page.on("websocket", lambda socket: socket.on("framesent", keep))
    goto(page, f"{live}/learn?lesson=shuffle&seed=12345")
    stage, before = page.locator(STAGE), len(sent)
    gains = set()
    for k in range(1, 4):
        press(page, "1 shuffle", k)
        gains.add(stage.get_attribute("data-gain"))
        expect(page.locator(".sb-second")).to_contain_text(f"Shuffle {k}: ")
    assert len(gains) == 3
    press(page, "10", 13)
    press(page, "1,000", 1013)
    assert len(sent) == before
    expect(stage).to_have_attribute("data-revealed", "false")
    expect(page.locator(".sb-tail")).to_have_count(0)
    expect(stage).not_to_contain_text("p =")
    expect(page.get_by_text("Monte Carlo interval")).to_have_count(0)

    page.get_by_label("Your guess").fill("50")
    page.get_by_role("button", name="Reveal", exact=True).click()
    settle(page)
    expect(stage).to_have_attribute("data-revealed", "true")
    expect(page.get_by_text("Monte Carlo interval")).to_be_visible()
    count = tail_of_the_sample(12345, 1013)
    expect(page.locator(".sb-tail")).to_have_count(count)
    expect(page.locator(".sb-verdict")).to_contain_text(f"p = ({count} + 1) / (1,013 + 1) = {(count + 1) / 1014:.3f}")
    expect(page.locator(".sb-verdict")).to_contain_text("You guessed 50 of 1,000")
    page.get_by_label("left tail").uncheck()
    until(page, lambda: 0 < page.locator(".sb-tail").count() < count, "one tail is left out")

    page.get_by_role("button", name="Start again").click()
    settle(page)
    expect(stage).to_have_attribute("data-seed", "12346")
    expect(stage).to_have_attribute("data-draws", "0")
    press(page, "1 shuffle", 1)
    assert stage.get_attribute("data-gain") not in gains


def tail_of_the_sample(seed: int, many: int) -> int:
    """How many of the first shuffles of the usual pair of the sample reach the observed gain, with numpy."""
    collection = Collection()
    collection.add_sample("harbour")
    loaded = collection.loaded()
    assert loaded.testset is not None
    every = learn.data(loaded.testset, loaded.outputs, [("bleu", {})])
    names = learn.usual_pair(every)
    first, second = (next(one for one in every.measured.systems if one.system == name) for name in names)
    masks = np.array([browser_draws.coins(seed, k, first.n) for k in range(1, many + 1)])
    moved = masks @ (second.values - first.values)
    gains = first.score(first.total + moved) - second.score(second.total - moved)
    return int((np.abs(gains) >= abs(learn.gain_of((first, second))) - 1e-9).sum())


def test_a_dot_names_its_units(live: str, page: Page) -> None:
    """A dot under the pointer, touched or focused, tells its shuffle, and the arrows go from dot to dot; the table has all draws."""
    goto(page, f"{live}/learn?lesson=shuffle&seed=12345")
    press(page, "10", 10)
    told, names = page.locator(".sb-second"), re.compile(r"Shuffle \d+: .* of 26 units changed places: \d+")
    for k in (2, 7):
        page.locator(f'.sb-dot[data-draw="{k}"]').hover()
        expect(told).to_contain_text(f"Shuffle {k}: ")
        expect(told).to_have_text(names)
    mask = browser_draws.coins(12345, 7, 26)
    listed = re.search(r"places: ([\d, ]+)", told.inner_text())
    assert listed is not None
    assert [int(unit) for unit in listed[1].split(",") if unit.strip()] == (np.flatnonzero(mask) + 1).tolist()[:12]
    page.mouse.move(0, 0)
    page.locator('.sb-dot[tabindex="0"]').focus()
    first = page.locator(STAGE).get_attribute("data-told")
    page.keyboard.press("ArrowLeft")
    until(page, lambda: page.locator(STAGE).get_attribute("data-told") != first, "another dot tells")
    page.get_by_text("Table of the draws").click()
    expect(page.locator(".sb-table tbody tr")).to_have_count(10)


@pytest.mark.slow
@pytest.mark.parametrize("word", WORDS)
def test_a_stage_fits_every_screen(live: str, open_page: Callable[..., Page], word: str) -> None:
    """On a phone the stage comes first. Presented on a phone, a projector at 125% and a large screen, nothing of the lesson is cut
    or meets another part, before and after the reveal, and the charts have half of the height. Escape leaves."""
    page = open_page(width=PHONE[0], height=PHONE[1])
    goto(page, f"{live}/learn?lesson={word}")
    comes_first(page, word)
    page.keyboard.press("p")
    settle(page)
    expect(page).to_have_url(re.compile("[?&]present=1"))
    for revealed in (False, True):
        if revealed:
            page.locator(".sb-controls button").nth(1).click()
            until(page, lambda: drawn(page) == 10, "ten are drawn")
            page.get_by_role("button", name="Reveal", exact=True).click()
        for width, height in SCREENS[::-1] if revealed else SCREENS:
            page.emulate_media(color_scheme="dark" if width > 1500 else "light")
            page.set_viewport_size({"width": width, "height": height})
            settle(page)
            assert page.evaluate(FAULTS) == [], (width, revealed)
            if revealed:
                is_readable(page, word, height)
    page.keyboard.press("Escape")
    settle(page)
    expect(page).not_to_have_url(re.compile("present"))


def is_readable(page: Page, word: str, height: int) -> None:
    """The charts have half of the screen's height, and the rules of the tail lab are on it."""
    if word == "tail":
        rules = page.get_by_role("button", name="mean after |d|").bounding_box()
        assert rules is not None
        assert rules["y"] + rules["height"] <= height
    tall = page.locator(".sb-panels").bounding_box()
    assert tall is not None
    assert tall["height"] >= 0.5 * height


def comes_first(page: Page, word: str) -> None:
    """At 390 x 844 the first button and the chart are on the screen together, above the text, and nothing is wider than it."""
    button, chart = page.locator(".sb-controls button").first, page.locator(".sb-panels svg").first
    # the page is drawn once more when the browser has said that its screen is narrow
    lead = page.get_by_text(lessons.get(word).lead)
    until(page, lambda: top(chart) < top(lead), "the stage is above the text")
    page.locator(STAGE).evaluate("stage => stage.scrollIntoView({ block: 'start' })")
    for part in (chart, button):
        box = part.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE[0]
        assert 0 <= box["y"] + box["height"] <= PHONE[1]


@pytest.mark.slow
def test_a_remote_goes_through_a_lesson(live: str, page: Page) -> None:
    """The keys of a remote draw, reveal, and go to the next lesson and back."""
    page.set_viewport_size({"width": 1024, "height": 576})
    goto(page, f"{live}/learn?lesson=shuffle&present=1")
    # on a busy machine the page rests before its stage is there, which hears the keys
    expect(page.locator(STAGE)).to_have_attribute("data-stage", "shuffle")
    for many in (1, 2, 3, 13, 1013):
        page.keyboard.press("PageDown")
        until(page, lambda many=many: drawn(page) == many, f"{many} are drawn")
    page.keyboard.press("ArrowRight")
    settle(page)
    expect(page.locator(STAGE)).to_have_attribute("data-revealed", "true")
    page.keyboard.press("PageDown")
    settle(page)
    expect(page.locator(STAGE)).to_have_attribute("data-stage", "bootstrap")
    page.keyboard.press("PageUp")
    settle(page)
    expect(page.locator(STAGE)).to_have_attribute("data-stage", "shuffle")
    page.keyboard.press("ArrowLeft")
    until(page, lambda: drawn(page) == 0, "the lesson begins again")


def top(part: Locator) -> float:
    """The upper end of a part of the page; far below where it is not drawn."""
    box = part.bounding_box()
    return 1e6 if box is None else box["y"]
