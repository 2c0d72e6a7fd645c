"""The pictures of docs/pictures are as new as the navigation: `make pictures` takes them again."""

from __future__ import annotations

import json

from sigboard.catalogue import QUESTIONS
from tests.browser.pictures import FOLDER, MOST, RECORD, THEMES, record

# Pages without pictures, and why.
WITHOUT: dict[str, str] = {}


def test_pictures_show_the_navigation() -> None:
    """Every page has pictures, taken since its title and its question were last changed, or a reason; no other has."""
    taken = json.loads(RECORD.read_text(encoding="utf-8"))
    expected = record(question for question in QUESTIONS if question.word not in WITHOUT)
    assert taken == expected, "The pictures are older than sigboard/catalogue.py: run make pictures."


def test_each_page_has_its_two_pictures() -> None:
    """There is a light and a dark picture of every recorded page, each below the limit, and nothing else."""
    words = json.loads(RECORD.read_text(encoding="utf-8"))
    pictures = {path.name: path.stat().st_size for path in FOLDER.glob("*.png")}
    assert set(pictures) == {f"{word}-{theme}.png" for word in words for theme in THEMES}
    assert {name: size for name, size in pictures.items() if size >= MOST} == {}
