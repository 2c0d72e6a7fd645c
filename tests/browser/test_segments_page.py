"""The page Segments without a browser, the ways to it, and with one: keys from row to row, texts that are never markup."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from tests.browser.actions import goto, settle, upload
from tests.browser.test_landing import axe_core, faults
from tests.browser.test_pages import (  # noqa: F401  (the fixture works by being here)
    a_server_that_knows_its_pages,
    dropped,
    page,
    press,
    said,
    sound,
    start,
)

QUICK = {"resamples": "1,000"}
PAIR = {"system": "Curlew", "baseline": "Grebe"}


def rows(app: AppTest) -> dict[str, Any]:
    """What the browser is sent to draw."""
    (sent,) = [part.proto for part in app.get("bidi_component") if part.proto.component_name == "sigboard_rows"]
    return dict(json.loads(sent.json))


def numbers(app: AppTest) -> list[str]:
    """The numbers of the segments that are shown."""
    return [row["number"] for row in rows(app)["rows"]]


def box(app: AppTest, kind: str, key: str) -> Any:
    """The widget of that key."""
    return next(one for one in getattr(app, kind) if one.key == key)


def test_the_sample_has_its_segments() -> None:
    """A sentence on the pair and on the fragility, twenty of 300 rows, and four files."""
    app = page(start(**QUICK, **PAIR), "segments")
    assert re.search(r"segments favour Curlew, \d+ favour Grebe, \d+ neither\.", said(app))
    assert "p moves from" in said(app) or "No set of up to half" in said(app)
    (caption,) = [one.value for one in app.caption if "on segments that favour" in one.value]
    gain, *parts = map(float, re.findall(r"[+-]\d+\.\d+", caption.replace("\\", "")))
    assert gain == pytest.approx(sum(parts), abs=0.011 * len(parts))
    assert len(numbers(app)) == 20
    assert rows(app)["after"] is True
    assert len(app.get("download_button")) == 4


def test_only_visible_rows_are_sent() -> None:
    """From another row on, these are sent; none follow the last."""
    app = page(start(**QUICK, **PAIR), "segments")
    box(app, "number_input", "from").set_value(281)
    app = sound(app.run())
    assert len(numbers(app)) == 20
    assert rows(app)["after"] is False


def test_filters_of_the_address_are_used() -> None:
    """A link names the order, the search and the document; another filter shows the first rows again."""
    app = page(start(**QUICK, **PAIR, order="segment"), "segments")
    assert numbers(app) == sorted(numbers(app), key=int)
    box(app, "number_input", "from").set_value(21)
    app = sound(app.run())
    assert box(app, "number_input", "from").value == 21
    box(app, "text_input", "search").set_value("the")
    app = sound(app.run())
    assert box(app, "number_input", "from").value == 1
    box(app, "text_input", "search").set_value("zzz")
    assert "No segment fits." in said(sound(app.run()))


def test_a_wrong_expression_is_said() -> None:
    """What cannot be read is an error with the way to fix it, and the boxes stay."""
    app = page(start(**QUICK, **PAIR), "segments")
    box(app, "text_input", "search").set_value("(")
    box(app, "toggle", "regex").set_value(True)
    app = sound(app.run())
    assert "cannot be read" in said(app)
    assert box(app, "text_input", "search").value == "("


def test_the_same_system_twice_is_no_pair() -> None:
    """Two equal boxes ask for two systems."""
    app = page(start(**QUICK, system="Curlew", baseline="Curlew"), "segments")
    assert "Choose two different systems." in said(app)


def test_compare_leads_to_the_segments() -> None:
    """The button below the verdict opens the page with the same pair."""
    app = press(page(start(**QUICK, **PAIR), "compare"), "Show the segments")
    assert "Where does the difference come from?" in [title.value for title in app.title]
    assert re.search(r"segments favour Curlew, \d+ favour Grebe, \d+ neither\.", said(app))


def test_the_tail_of_a_histogram_leads_to_its_segments() -> None:
    """The button opens the page with the resamples in words and in each row; a bar of another test is left out, and a button
    returns to the gain of all."""
    app = press(page(start(**QUICK, system="Albatross-1", baseline="Cormorant"), "compare"), "Segments behind the tail")
    assert re.search(r"of the first 1,000 shuffles have a gain of at least \+4\.", said(app))
    assert all(re.match(r"adds .* to these gains, swapped in \d+% of them", row["facts"]) for row in rows(app)["rows"])
    bar = "bleu:approximate_randomization:2.0:inf"
    app = press(page(start(**QUICK, **PAIR, bar=bar), "segments"), "By influence on the gain again")
    assert "shuffles have a gain" not in said(app)
    assert "to these gains" not in rows(app)["rows"][0]["facts"]
    for bar in ("bleu:paired_bootstrap:1.0:2.0", "bleu:approximate_randomization:2.0:1.0", "bleu:x", "chrf"):
        assert "to these gains" not in rows(page(start(**QUICK, **PAIR, bar=bar), "segments"))["rows"][0]["facts"]


def test_the_tail_of_a_loss_is_its_left_end() -> None:
    """Of the system that loses, the resamples with at least its loss are behind the tail, and what pulls them down comes first."""
    app = press(page(start(**QUICK, system="Cormorant", baseline="Albatross-1"), "compare"), "Segments behind the tail")
    app = page(app, "segments")  # with the address of the button: a run that waits is of the page before
    low, high = map(float, app.query_params["bar"].split(":")[2:])
    assert low == -math.inf
    assert high < 0
    assert app.query_params["order"] == "loss"
    assert re.search(r"of the first 1,000 shuffles have a gain of at most -4\.", said(app))
    assert rows(app)["rows"][0]["facts"].startswith("adds -")


@pytest.mark.slow
def test_a_bar_of_the_histogram_opens_its_segments(page: Page, live: str) -> None:
    """A click on a bar left of the middle: the gains are negative, and segments come that pull them down first."""
    goto(page, f"{live}/compare?resamples=1000&system=Curlew&baseline=Grebe")
    plot = page.locator(".st-key-sigboard-nulls .nsewdrag").first
    box = plot.bounding_box()
    assert box is not None
    plot.click(position={"x": box["width"] * 0.35, "y": box["height"] - 4})
    settle(page)
    expect(page).to_have_url(re.compile(r"/segments\?.*order=loss.*bar=bleu%3Aapproximate_randomization%3A-"))
    expect(page.get_by_text(re.compile("of the first 1,000 shuffles have a gain from -"))).to_be_visible()
    expect(page.locator("#rows li").first).to_contain_text("adds -")


def test_the_boxes_below_the_grid_lead_to_the_segments() -> None:
    """The button opens the texts of the pair in the boxes."""
    app = press(page(start(**QUICK, **PAIR), "matrix"), "Show the segments")
    assert re.search(r"segments favour Curlew, \d+ favour Grebe, \d+ neither\.", said(app))


def test_domains_leads_to_the_texts_of_a_domain() -> None:
    """The box names a domain, the button opens its segments alone."""
    app = press(page(start(**QUICK), "domains"), "Show the segments")
    assert box(app, "selectbox", "domain").value
    assert rows(app)["rows"]


def test_documents_lead_to_the_texts_of_a_document() -> None:
    """The box names a document, the button opens its segments alone."""
    app = press(page(start(**QUICK), "scores"), "Show the segments")
    name = box(app, "selectbox", "document").value
    assert name
    assert all(f"document {name}" in row["facts"] for row in rows(app)["rows"])


def test_a_disagreement_with_people_leads_to_its_texts() -> None:
    """The box names a pair, and the metrics that conclude something else; the button opens the pair with people's ratings."""
    app = page(start(**QUICK), "human")
    pair = str(box(app, "selectbox", "sigboard.human.texts").value)
    app = press(app, "Show the segments")
    shown = [box(app, "selectbox", key).value for key in ("system", "baseline")]
    assert pair.startswith(" against ".join(shown))
    assert any("rated " in row["facts"] for row in rows(app)["rows"])


def test_parts_of_the_test_set_are_in_a_fold() -> None:
    """Opened, it has a sentence, a forest of intervals and a table of the declared parts."""
    app = page(start(**QUICK, **PAIR), "segments")
    assert not app.get("plotly_chart")
    app.session_state["sigboard.segments.slices"] = True
    app = sound(app.run())
    (caption,) = [one.value.replace("\\", "") for one in app.caption if "declared" in one.value]
    assert f"over all {len(app.dataframe[0].value)} of them together, by max-T" in caption
    assert "search" not in caption
    assert len(app.get("plotly_chart")) == 1
    assert {"length", "question"} <= set(app.dataframe[0].value["kind"])


def test_parts_of_your_own_are_dropped_and_chosen() -> None:
    """A table with a row for each segment: its columns are offered, and a chosen one is among the parts."""
    app = page(start(**QUICK, **PAIR), "segments")
    app.session_state["sigboard.segments.slices"] = True
    app = sound(app.run())
    rows_of = [f"{'<b>even</b>' if k % 2 else 'odd'},{k}" for k in range(300)]
    content = "\n".join(["parity,place", *rows_of]).encode()
    app.get("file_uploader")[0].set_value([("own.csv", content, "text/csv")])
    app = sound(app.run())
    chooser = box(app, "multiselect", "sigboard.segments.by")
    assert {"parity", "place"} <= set(chooser.options)
    app = sound(chooser.set_value(["parity"]).run())
    table = app.dataframe[0].value
    assert any("else p is not corrected for the search" in one.value for one in app.caption)
    assert table[table["by" if "by" in table else "kind"] == "parity"]["slice"].tolist() == ["odd", "<b>even</b>"]


SIX = "the <b>cat</b> sat\n**bold** and $x$\nmarhaban\n" + "a b c d e f\n" * 20
FILES = {
    "ref.txt": SIX.replace("marhaban", "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645"),
    "A.txt": SIX.replace("sat", "<img src=x onerror=alert(1)>").replace(
        "marhaban", "\u0645\u0631\u062d\u0628\u0627 \u064a\u0627 \u0639\u0627\u0644\u0645"
    ),
    "B.txt": SIX.replace("cat", "dog"),
}


@pytest.mark.slow
def test_keys_go_from_row_to_row(page: Page, live: str) -> None:
    """Arrows move the focus, the arrow after the last row brings the next rows, with the focus on the first of them."""
    goto(page, f"{live}/segments?resamples=1000&system=Curlew&baseline=Grebe&order=segment")
    listed = page.locator("#rows li")
    expect(listed).to_have_count(20)
    listed.first.focus()
    page.keyboard.press("ArrowDown")
    expect(listed.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(listed.last).to_be_focused()
    page.keyboard.press("ArrowDown")
    settle(page)
    expect(listed.first).to_contain_text("21")
    expect(page).to_have_url(re.compile("from=21"))
    expect(listed.first).to_be_focused()
    page.keyboard.press("ArrowUp")
    settle(page)
    expect(listed.last).to_be_focused()
    expect(listed.last.locator("b")).to_have_text("20")
    expect(page).not_to_have_url(re.compile("from="))


@pytest.mark.slow
def test_a_phone_shows_rows_before_filters(open_page: Callable[..., Page], live: str) -> None:
    """The first row begins on the first screen; one click shows the boxes."""
    phone = open_page(width=390, height=844)
    goto(phone, f"{live}/segments?resamples=1000&system=Curlew&baseline=Grebe")
    expect(phone.get_by_label("search", exact=True)).to_be_hidden()
    row = phone.locator("#rows li").first.bounding_box()
    assert row is not None
    assert row["y"] < 844
    phone.get_by_text("Search, order and filters").click()
    expect(phone.get_by_label("search", exact=True)).to_be_visible()


def test_texts_are_literal(page: Page, live: str) -> None:
    """Markup in a text is shown as it is written, and a text from right to left runs so."""
    goto(page, f"{live}/data?order=segment")
    upload(page, {name: text.encode() for name, text in FILES.items()})
    page.get_by_role("link", name="Segments").click()
    settle(page)
    place = page.locator("#rows")
    expect(place).to_contain_text("<img src=x onerror=alert(1)>")
    expect(place).to_contain_text("**bold** and $x$")
    assert place.locator("img, strong, em, script").count() == 0
    arabic = place.locator("dd", has_text="\u0645\u0631\u062d\u0628\u0627").first
    assert arabic.evaluate("e => getComputedStyle(e).direction") == "rtl"


def test_how_few_segments_bring_the_gain_is_in_a_fold() -> None:
    """Opened, it has a curve and a small table of shares."""
    app = page(start(**QUICK, **PAIR), "segments")
    app.session_state["sigboard.segments.curve"] = True
    app = sound(app.run())
    assert len(app.get("plotly_chart")) == 1


TREE = "1\t{}\t_\tX\t_\t_\t{}\tdet\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
TREES = {
    "gold.conllu": TREE.format("<b>a</b>", 2) * 12,
    "P.conllu": TREE.format("<b>a</b>", 2) * 12,
    "Q.conllu": (TREE.format("<b>a</b>", 0) + TREE.format("<b>a</b>", 2)) * 6,
}


@pytest.mark.slow
def test_constituents_are_drawn(page: Page, live: str) -> None:
    """Both trees of a sentence have their constituents, a wrong one its colour, a missing one its words; labels are never markup."""
    gold, wrong = "(S (NP (<i>D</i> <b>a</b>) (N b)) (V c))\n", "(S (<i>D</i> <b>a</b>) (VP (N b) (V c)))\n"
    files = {"gold.mrg": gold * 12, "P.mrg": gold * 12, "Q.mrg": (wrong + gold) * 6}
    goto(page, f"{live}/data?order=segment")
    upload(page, {name: text.encode() for name, text in files.items()})
    page.get_by_role("link", name="Segments").click()
    settle(page)
    first = page.locator("#rows li").first
    expect(first.locator("svg")).to_have_count(2)
    expect(first.locator("svg text.insertion")).to_have_text("VP")
    expect(first.locator("svg text.deletion")).to_have_text("NP")
    expect(first.locator("svg path.insertion")).to_have_count(1)
    expect(first.locator("svg text", has_text="<b>a</b>")).to_have_count(2)
    assert page.locator("#rows svg b, #rows svg i").count() == 0


@pytest.mark.slow
def test_trees_are_drawn(page: Page, live: str) -> None:
    """Both trees of a sentence have their arcs, a wrong one its colour, and words are never markup."""
    goto(page, f"{live}/data?order=segment")
    upload(page, {name: text.encode() for name, text in TREES.items()})
    page.get_by_role("link", name="Segments").click()
    settle(page)
    first = page.locator("#rows li").first
    expect(first.locator("svg")).to_have_count(2)
    expect(first.locator("svg path")).to_have_count(4)
    expect(first.locator("svg path.insertion")).to_have_count(1)
    expect(first.locator("svg text", has_text="<b>a</b>")).to_have_count(2)
    assert page.locator("#rows svg b").count() == 0
    assert first.locator(".drawing[tabindex]").count() == 0


@pytest.mark.slow
def test_a_drawing_that_is_too_wide_is_moved_by_keys(page: Page, live: str) -> None:
    """It has the focus after its row, and the arrow keys move it; axe finds nothing serious on the page."""
    words = [f"{k}\tword{k}\t_\tX\t_\t_\t{k - 1}\t{'dep' if k > 1 else 'root'}\t_\t_" for k in range(1, 41)]
    gold = "\n".join(words) + "\n\n"
    files = {"gold.conllu": gold * 12, "P.conllu": gold * 12, "Q.conllu": gold.replace("\t4\tdep", "\t3\tdep") * 12}
    goto(page, f"{live}/data?order=segment")
    upload(page, {name: text.encode() for name, text in files.items()})
    page.get_by_role("link", name="Segments").click()
    settle(page)
    wide = page.locator("#rows li").first.locator(".drawing").first
    page.locator("#rows li").first.focus()
    page.keyboard.press("Tab")
    expect(wide).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("e => e.scrollLeft > 0", arg=wide.element_handle())
    page.evaluate(axe_core())
    assert not faults(page)
