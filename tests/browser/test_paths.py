"""Thirty clicks at random: Back, Forward, reload and the navigation keep a pair and its family, and no sentence changes."""

from __future__ import annotations

import random
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser.actions import goto, settle
from tests.browser.test_family_of_a_pair import PLANNED, sentence
from tests.browser.test_visit import click_cell, open_page_of

STEPS = 30
NAMES = re.compile(r"^(\S+) (?:beats|loses to|leads|trails) (\S+) by ")


def shown(page: Page) -> tuple[str, str, str]:
    """The pair that the headline of Compare is about, and its family."""
    words = sentence(page)
    found = NAMES.match(words)
    assert found, words
    return found[1], found[2], "planned" if "planned" in words else "grid" if "all 28 pairs" in words else "?"


class Walk:
    """A walk through the pages, which knows the pair and the family that were chosen last."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page, self.chance = page, random.Random(seed)
        self.pair: tuple[str, str, str] | None = None
        self.sentences: dict[tuple[str, str, str], str] = {}
        self.path: list[str] = []

    @property
    def on(self) -> str:
        """The word of the page."""
        return re.sub(r"[?#].*", "", self.page.url).rpartition("/")[2] or "matrix"

    def step(self) -> None:
        """One click."""
        moves = ["navigate", "navigate", "back", "forward", "reload"]
        moves += ["cell", "cell"] if self.on == "matrix" else ["declare"] if self.on == "compare" else []
        move = self.chance.choice(moves)
        self.path.append(move)
        getattr(self, move)()
        if not self.page.url.startswith("http"):  # Back left the app
            goto(self.page, self.start)
        self.check(move)

    def begin(self, start: str) -> None:
        """Open the app."""
        self.start = start
        goto(self.page, start)

    def navigate(self) -> None:
        title = self.chance.choice(["Grid", "Pair", "Pair", "Report", "Learn", "Tasks"])
        self.path[-1] += f" {title}"
        open_page_of(self.page, title)

    def back(self) -> None:
        self.page.go_back()
        settle(self.page)

    def forward(self) -> None:
        self.page.go_forward()
        settle(self.page)

    def reload(self) -> None:
        self.page.reload()
        settle(self.page)

    def cell(self) -> None:
        """A cell of the grid that is not on its diagonal opens its pair."""
        row, column = self.chance.sample(range(8), 2)
        click_cell(self.page, row, column)
        self.pair = shown(self.page)
        assert self.pair[2] == "grid"

    def declare(self) -> None:
        """The other family of the pair."""
        pair = shown(self.page)
        other = "one of the grid's 28 pairs" if pair[2] == "planned" else PLANNED
        self.page.get_by_role("radiogroup").get_by_text(other, exact=True).click()
        settle(self.page)
        self.pair = shown(self.page)
        assert self.pair[:2] == pair[:2]
        assert self.pair[2] != pair[2]

    def check(self, move: str) -> None:
        """Every address has the settings; on Compare the pair and the family are those that were chosen last."""
        given, kept = (parse_qs(urlsplit(url).query) for url in (self.start, self.page.url))
        assert given.items() <= kept.items(), self.path
        if self.on != "compare":
            return
        now = shown(self.page)
        self.pair = now if self.pair is None else self.pair
        if move in (
            "back",
            "forward",
        ):  # an entry of the history may be of an earlier pair, but never of one nobody chose
            assert now in self.sentences or now == self.pair, self.path
            self.pair = now
        assert now == self.pair, self.path
        assert self.sentences.setdefault(now, sentence(self.page)) == sentence(self.page), self.path


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3])
def test_thirty_clicks_lose_no_pair(live: str, page: Page, seed: int) -> None:
    """The first visit to the sample, then clicks at random; the walk is named where it fails."""
    walk = Walk(page, seed)
    walk.begin(f"{live}/?unit=segment&resamples=1000")
    for _ in range(STEPS):
        walk.step()
    assert len(walk.sentences) > 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 14))
def test_many_clicks_lose_no_pair(live: str, page: Page, seed: int) -> None:
    """Ten more walks."""
    test_thirty_clicks_lose_no_pair(live, page, seed)
