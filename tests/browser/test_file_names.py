"""Names of downloads: no file of one test set overwrites that of another, nor one file of a page the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

import pytest
import streamlit as st
from playwright.sync_api import Page, expect
from streamlit.testing.v1 import AppTest

from sigboard.shell import session
from sigboard.shell.pair import KEYS
from sigcore import Collection
from tests import some
from tests.browser import test_evaluation_pages, test_human_page, test_pages, test_runs_page
from tests.browser.actions import goto, until, upload
from tests.browser.test_learn_page import reveal
from tests.browser.test_pages import dropped, page, press, sound, start

a_server_that_knows_its_pages = test_pages.a_server_that_knows_its_pages
PAGES = ("matrix", "compare", "gain", "size", "domains", "scores", "pairwise", "report", "learn")
QUICK = {"resamples": "1000"}


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The file names of the download buttons of the page that is drawn."""
    found: list[str] = []

    def keep(label: str, data: Any, file_name: str, *rest: Any, **more: Any) -> bool:
        assert file_name not in found, f"{label} has the name of another file"
        found.append(file_name)
        return False

    monkeypatch.setattr(st, "download_button", keep)
    return found


def of_page(app: AppTest, word: str, names: list[str]) -> set[str]:
    """The names of the files that the page offers, without a teacher's page, which is about no test set."""
    sound(page(app, word))
    names.clear()
    sound(reveal(app) if word == "learn" else app.run())  # a lesson has its files after the reveal
    return {name for name in names if not name.endswith("_teachers.html")}


@pytest.mark.parametrize("word", some.first(PAGES, 3))
def test_files_name_their_test_set_and_page(word: str, names: list[str]) -> None:
    """Every file of every page has the name of the test set and of the page; two test sets have no name in common."""
    app = start(**QUICK)
    first = of_page(app, word, names)
    assert first
    assert [name for name in first if "harbour" not in name] == []
    assert all((word if word != "learn" else "lesson") in name for name in first)
    press(page(app, "data"), "kitchen radio")
    second = of_page(app, word, names)
    assert all("kitchen" in name for name in second)
    assert not first & second


@pytest.mark.slow
def test_no_page_has_the_file_of_another(names: list[str]) -> None:
    """All files of all pages have their own names."""
    app = start(**QUICK)
    every = [name for word in PAGES for name in of_page(app, word, names)]
    assert len(every) == len(set(every)) > 2 * len(PAGES)


@pytest.mark.parametrize("word", some.first(["matrix", "report", "gain", "scores"], 2))
def test_another_metric_or_test_is_another_file(word: str, names: list[str]) -> None:
    """What the sidebar asks is in the name: the files of chrF beside those of BLEU, of one test beside another."""
    plain = of_page(start(**QUICK), word, names)
    assert not plain & of_page(start(**QUICK, metric="chrf"), word, names)
    if word != "scores":  # it has its own tests, and all of them
        key = "paper.test" if word == "gain" else "test"
        assert not plain & of_page(start(**QUICK, **{key: "paired_bootstrap"}), word, names)


def test_a_pair_has_its_systems(names: list[str]) -> None:
    """Files of Compare name both systems, with runs and without."""
    app = page(start(**QUICK), "compare")
    pair = [app.session_state[key] for key in KEYS]
    assert len({*pair}) == 2
    assert all(f"_{pair[0]}_{pair[1]}_" in name for name in of_page(app, "compare", names))
    app = press(page(dropped(test_runs_page.FILES, start(**QUICK)), "compare"), "Yes, they are runs")
    assert all("_A_B_" in name or "_B_A_" in name for name in of_page(app, "compare", names))


def named(app: AppTest) -> str:
    """The title in the names of the visit's files."""
    return session.file_title(app.session_state[session.KEY].collection)


def test_pages_of_people_and_tasks(names: list[str]) -> None:
    """Ratings name their dimensions, tasks their files; unnamed test sets are told apart by a mark."""
    rated = {"human.csv": test_human_page.rated("one", "two", "three")} | test_human_page.outputs()
    app = dropped(rated, start(**QUICK))
    assert named(app).startswith("your files-")
    people = of_page(app, "human", names)
    assert people
    assert all("your-files-" in name and "adequacy" in name for name in people)
    tasks = of_page(dropped(test_evaluation_pages.LOGS, start(**QUICK)), "tasks", names)
    assert tasks
    assert all(PurePath(name).stem.startswith("sigboard_") and "tasks" in name for name in tasks)


def of(name: str, *files: tuple[str, str]) -> str:
    """The title in file names of these files."""
    collection = Collection(name)
    collection.add([(file, text.encode()) for file, text in files])
    return session.file_title(collection)


def test_unnamed_test_sets_have_a_mark() -> None:
    """Two drops without a name, and two names that plain letters cannot write, differ; a plain name stays as it is."""
    one, other = (("ref.txt", "a\nb\n"), ("x.txt", "a\nc\n")), (("ref.txt", "d\ne\n"), ("x.txt", "d\nf\n"))
    assert of("", *one) != of("", *other)
    assert of("新闻", *one) != of("新闻", *other)
    assert of("news", *one) == "news"


LINKS = ("https://evil.example/a", "www.evil.example", "a@evil.example", "HTTP://evil.example")


@pytest.mark.slow
def test_no_name_is_a_link(open_page: Callable[..., Page], live: str) -> None:
    """Names of systems that are addresses are shown as text: in headlines, tables and lists, and in what is copied."""
    shown = open_page()
    goto(shown, live)
    rows = "".join(f"{name},{k},{0.1 * (k % 7) + 0.1 * n}\n" for n, name in enumerate(LINKS) for k in range(40))
    upload(shown, {"scores.csv": f"system,id,score\n{rows}".encode()})
    until(shown, lambda: "analysis=" in shown.url, "the visit has its link")
    link = urlsplit(shown.url).query
    for word in ("matrix", "compare", "data", "report"):
        goto(shown, f"{live}/{word}?{link}")
        expect(shown.get_by_text("evil.example").first).to_be_attached()
        away = shown.locator('a[href*="evil"]:not([href^="#"])')  # a heading has a link to itself
        found = [link.evaluate("each => each.outerHTML") for link in away.all()]
        assert found == [], word
