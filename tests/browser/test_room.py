"""A class room in real browsers: a phone joins by code, predicts, and sees the answer with everybody else."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sigboard.server.classroom import LETTERS
from tests.browser.actions import goto, settle, shot

HOSTILE = "<b>Ann</b>"


@pytest.mark.slow
def test_phones_predict_and_see_the_reveal_together(live: str, open_page: Callable[..., Page]) -> None:
    """The teacher's screen shows a code and a QR code, and the pile grows; nobody sees the answer before the reveal; a hostile
    name is shown letter by letter; after the room is closed the phone is out."""
    teacher, phone, late = open_page(), open_page(width=390, height=844), open_page(width=390, height=844, theme="dark")
    goto(teacher, f"{live}/learn?lesson=shuffle&seed=12345")
    teacher.get_by_role("button", name="Open a class room").click()
    expect(teacher).to_have_url(re.compile("/room"))
    code = teacher.get_by_text(re.compile(rf"^[{LETTERS}]{{6}}$")).inner_text()
    expect(teacher.get_by_test_id("stImage").locator("img")).to_have_count(2)
    expect(teacher.get_by_test_id("stSidebar")).to_be_hidden()

    phone.goto(f"{live}/room?code={code}")
    expect(phone.get_by_label("code")).to_have_value(code)
    phone.get_by_label("name (may stay empty)").fill(HOSTILE)
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_text(f"You are {HOSTILE}.")).to_be_visible()
    phone.get_by_label("a number from 0 to 1,000").fill("120")
    phone.get_by_role("button", name="Send").click()
    expect(phone.get_by_text("You said 120.")).to_be_visible()
    expect(phone.get_by_text("The answer is")).to_have_count(0)
    expect(teacher.get_by_text("1 prediction from 1 phone")).to_be_visible()
    expect(teacher.get_by_text("The answer is")).to_have_count(0)

    late.goto(f"{live}/room")
    late.get_by_label("code").fill("WRONG2")
    late.get_by_role("button", name="Join").click()
    expect(late.get_by_text("There is no class room")).to_be_visible()

    teacher.get_by_role("button", name="Reveal").click()
    for screen in (teacher, phone):
        expect(screen.get_by_text(re.compile(r"The answer is \d+ of 1,000\."))).to_be_visible()
    expect(phone.get_by_text(re.compile(r"Your own 200 shuffles \(seed \d+\): \d+ reach a line"))).to_be_visible()
    expect(teacher.get_by_text(f"Nearest: {HOSTILE}")).to_be_visible()
    expect(teacher.get_by_text("of 1 phone alone, p is at most 0.05")).to_be_visible()
    shot(teacher, "room")
    shot(phone, "room-phone")

    teacher.get_by_role("button", name="Close the class room").click()
    settle(teacher)
    expect(phone.get_by_text("There is no class room")).to_be_visible()
