"""The first page in a real browser: its addresses, Back, every page without a serious fault of accessibility, keyboard."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from sigboard import catalogue
from sigboard.shell import drop
from tests.browser.actions import HELP, choose, goto, settle, upload
from tests.browser.test_visit import has_its_shape, open_page_of

AXE = "axe_playwright_python"  # a package that carries axe-core's script: nothing is fetched
WORDS = ["red", "blue", "green", "small", "big", "old", "new", "tall"] * 12
GOOD = "".join(f"the {word} boat number {i} sails home again\n" for i, word in enumerate(WORDS))
MINE = {
    "ref.txt": GOOD.encode(),
    "One.txt": GOOD.replace("red", "rouge").encode(),
    "Two.txt": GOOD.replace("boat", "ship").encode(),
    "clusters.csv": b"SRC TRG WINS TOTAL SYSTEM\ncs en 1 2 One\n",
}
SERIOUS = ("serious", "critical")
NAMING = ("matrix", "compare", "gain", "scores", "human")  # the pages that name the sample in a line of its own


@pytest.mark.slow
def test_the_word_of_the_first_page_leads_to_it(live: str, page: Page) -> None:
    """/matrix is the first page, not "Page not found", and its settings are used."""
    goto(page, f"{live}/matrix?alpha=0.01")
    expect(page.get_by_role("heading", level=1)).to_have_text(drop.CLAIM)
    expect(page.get_by_text("Page not found")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/\?alpha=0\.01$"))
    expect(page.get_by_test_id("stSidebarNavLink").first).to_contain_text("Files")


@pytest.mark.slow
def test_a_drop_turns_the_first_page_into_ones_own(live: str, page: Page) -> None:
    """Files dropped on the first page are compared there; published results among them are set aside without a warning."""
    goto(page, live)
    upload(page, MINE)
    expect(page.get_by_role("heading", level=1)).to_have_text("Which of my systems differ?")
    expect(page.get_by_text("your files · 2 systems · 96 segments · 1 reference")).to_be_visible()
    expect(page.get_by_text("Sample harbour")).to_have_count(0)
    for box in ("system", "baseline"):
        expect(page.get_by_role("combobox", name=box, exact=True)).to_have_value(re.compile("^(One|Two)$"))
    expect(page.get_by_role("alert").filter(has_text="clusters")).to_have_count(0)
    open_page_of(page, "Files")
    expect(page.get_by_text("3 used")).to_be_visible()
    page.get_by_text("1 file is set aside").click()
    page.get_by_role("button", name="Use anyway").click()
    settle(page)
    expect(page.get_by_role("alert").filter(has_text="clusters has 2 lines")).to_be_visible()
    page.get_by_role("button", name="Leave it out").click()
    settle(page)
    expect(page.get_by_role("alert").filter(has_text="clusters")).to_have_count(0)


@pytest.mark.slow
def test_back_changes_the_page_and_no_setting(live: str, page: Page) -> None:
    """A setting makes no entry in the history: Back is the page before, with alpha as it was set, in sidebar and address."""
    goto(page, live)
    open_page_of(page, "Gain")
    entries = page.evaluate("history.length")
    choose(page, "alpha", "0.01")
    expect(page).to_have_url(re.compile(r"/gain\?alpha=0\.01$"))
    assert page.evaluate("history.length") == entries
    page.go_back()
    settle(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(drop.CLAIM)
    expect(page.get_by_role("button", name="alpha 0.01")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/\?alpha=0\.01$"))
    choose(page, "alpha", "0.1")
    page.go_forward()
    settle(page)
    expect(page.get_by_role("button", name="alpha 0.1", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/gain\?alpha=0\.1$"))


def axe_core() -> str:
    """The script of axe-core."""
    return Path(str(files(AXE).joinpath("axe.min.js"))).read_text(encoding="utf-8")


def faults(page: Page, *rules: str) -> list[str]:
    """The serious faults of accessibility that axe-core finds, of these rules if any are named: rule, and the elements."""
    asked = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    result: dict[str, Any] = page.evaluate("asked => axe.run(document, asked)", asked)
    return [
        f"{fault['id']}: {node['html'][:160]}"
        for fault in result["violations"]
        if fault["impact"] in SERIOUS
        for node in fault["nodes"]
    ]


@pytest.mark.slow
def test_every_page_names_the_test_set_and_axe_finds_nothing_serious(live: str, page: Page) -> None:
    """The name of the sample, and that it is invented, is on every page, and nothing is wider than the screen. No page has a
    control without a name, text with too little contrast in light or dark, or another serious fault; headings are in order."""
    # more would only take longer
    goto(page, f"{live}/?resamples=1000&replicates=1&tuning.mert.restarts=0&tuning.listnet.epochs=9")
    page.evaluate(axe_core())
    seen: list[str] = []
    themes: list[Literal["light", "dark"]] = ["light", "dark"]
    for asked in catalogue.QUESTIONS:
        open_page_of(page, asked.title)
        if asked.word in NAMING:
            expect(page.get_by_text("Sample harbour, invented")).to_be_visible()
        elif asked.word == "data":
            expect(page.get_by_test_id("stMetric").filter(has_text="Test set")).to_contain_text("harbour")
        levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => Number(h.tagName[1]))")
        steps = zip([0, *levels], levels, strict=False)
        assert all(after <= before + 1 for before, after in steps), (asked.word, levels)
        for theme in themes:
            if theme != themes[0]:
                page.emulate_media(color_scheme=theme)
                settle(page)
            has_its_shape(page)
            rules = () if theme == "light" else ("color-contrast",)  # all that a theme changes
            seen += [f"{asked.word}, {theme}: {fault}" for fault in faults(page, *rules)]
        themes.reverse()  # the next page opens as this one ends
    assert not seen, "\n".join(seen)


def focused(page: Page) -> str:
    """The name of the element that has the focus, and what it is."""
    return str(
        page.evaluate(
            "(e => [e.getAttribute('aria-label') || e.innerText || e.type || '', e.tagName].join(' '))(document.activeElement)"
        )
    )


def tab_to(page: Page, pattern: str, most: int = 60) -> None:
    """Press Tab until the focus is on the element whose name fits; its focus must be visible."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if re.search(pattern, focused(page)):
            assert page.evaluate(SHOWS_FOCUS), f"the focus on {focused(page)} cannot be seen"
            return
    raise AssertionError(f"Tab does not reach {pattern}; the focus is on {focused(page)}")


# an outline, a shadow or other colours than without the focus, on the element or the boxes around it
SHOWS_FOCUS = """async () => {
  const look = e => {
    const s = getComputedStyle(e);
    const outline = s.outlineStyle === 'none' ? '' : s.outline;
    return [outline, s.boxShadow, s.borderColor, s.backgroundColor, s.color, s.textDecoration].join();
  };
  const e = document.activeElement, parts = [];
  for (let part = e; part && parts.length < 6; part = part.parentElement) parts.push(part);
  const before = parts.map(look).join();
  e.blur();
  await new Promise(requestAnimationFrame);
  const after = parts.map(look).join();
  e.focus({focusVisible: true});
  return before !== after;
}"""


@pytest.mark.slow
def test_the_keyboard_makes_the_whole_visit(live: str, page: Page) -> None:
    """Without a mouse: a setting is changed, the upload is reached, a pair is compared, pages are opened."""
    goto(page, live)
    tab_to(page, "^alpha 0.05")
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="alpha")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.type("0.01")
    page.keyboard.press("Enter")
    settle(page)
    expect(page).to_have_url(re.compile(r"alpha=0\.01$"))
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="alpha 0.01")).to_be_focused()
    settle(page)
    assert page.locator(HELP).all_inner_texts() == [], "the help of the button covers what is beside it"
    tab_to(page, "Upload BUTTON")
    tab_to(page, "^system.*INPUT")
    tab_to(page, "^(balance)?\\s*Compare BUTTON")
    page.keyboard.press("Enter")
    settle(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Is one really better than the other?")
    for name, title in (
        ("Gain", "How large a gain is usually real?"),
        ("Files", "What have I loaded, and is it sound?"),
        ("Grid", drop.CLAIM),
    ):
        tab_to(page, rf"{name} A$", 120)
        page.keyboard.press("Enter")
        settle(page)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
