"""The HTML report in a real browser without a network: it requests nothing, its cells open, its p are those of its JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from sigboard import terminal
from sigcore.formatting import format_p

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "samples" / "harbour"


def test_it_opens_offline(tmp_path: Path, open_page: Callable[..., Page]) -> None:
    """Opened as a file, offline: one request (the file), every p of the grid is that of the JSON in it and beside it, and a
    click on a cell shows its histogram."""
    file, beside = tmp_path / "report.html", tmp_path / "report.json"
    asked = ["--reference", str(SAMPLE / "ref.A.en"), "--systems", str(SAMPLE / "systems"), "--resamples", "1000"]
    assert terminal.main(["report", *asked, "--out", str(file), "--json", str(beside)]) == 0
    page = open_page()
    page.context.set_offline(True)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    inside = page.locator("details", has_text="Everything as JSON").locator("pre")
    content = json.loads(inside.text_content() or "")
    assert content == json.loads(beside.read_text(encoding="utf-8"))
    adjusted, high = (content["results"][0][name] for name in ("adjusted", "adjusted_high"))
    rows = page.locator("table.grid tr").all()[1:]
    order = [re.sub(r"^\d+ ", "", row.locator("th").inner_text()) for row in rows]
    places = [content["systems"].index(name) for name in order]
    for row, i in zip(rows, places, strict=True):
        shown = [cell.inner_text().split("\n")[0] for cell in row.locator("td").all()]
        assert shown == ["" if i == j else format_p(adjusted[i][j], 1000, high[i][j]) for j in places]
    expect(page.locator("section.pair:visible")).to_have_count(0)
    page.locator("table.grid a").first.click()
    expect(page.locator("section.pair:visible")).to_have_count(1)
    expect(page.locator("section.pair:visible svg")).to_have_count(1)
    assert set(requests) == {file.as_uri()}
