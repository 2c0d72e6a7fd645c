"""The JSON of a page has the warnings that the terminal's has, for the same files and settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sigboard.shell import downloads
from sigboard.terminal import main
from tests.browser import test_pages
from tests.browser.test_pages import dropped, page

a_server_that_knows_its_pages = test_pages.a_server_that_knows_its_pages
CHINESE = "".join(f"这是第{i}个句子，关于海边的小船。\n" for i in range(40))
# read as UTF-16, a tokeniser that does not fit the language
FILES = {
    "ref.zh": CHINESE.encode(),
    "one.zh": CHINESE.replace("小船", "大船").encode("utf-16"),
    "two.zh": CHINESE.replace("海边", "山边").encode(),
}


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The contents of the JSON buttons of the pages that are drawn."""
    contents: list[Any] = []

    def keep(label: str, content: dict[str, Any] | Callable[[], dict[str, Any]], name: str) -> None:
        contents.append(content() if callable(content) else content)

    monkeypatch.setattr(downloads, "as_json", keep)
    return contents


def in_terminal(word: str, folder: Path) -> list[str]:
    """The warnings of the command's JSON."""
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    systems = [str(folder / name) for name in ("one.zh", "two.zh")]
    made = folder / "made.json"
    assert not main(
        [
            word,
            "--reference",
            str(folder / "ref.zh"),
            "--systems",
            *systems,
            "--alternative",
            "two-sided",
            "--json",
            str(made),
        ]
    )
    warnings: list[str] = json.loads(made.read_text(encoding="utf-8"))["warnings"]
    return [line.replace(f"{folder}/", "") for line in warnings]


@pytest.mark.parametrize("word", ["matrix", "gain"])
def test_the_warnings_are_those_of_the_terminal(word: str, written: list[Any], tmp_path: Path) -> None:
    """Every warning of the command is in the file of the page, and there is one on a file and one on the text."""
    page(dropped(FILES), word)
    warnings = written[-1]["warnings"]
    assert any("UTF-16" in line for line in warnings)
    assert any("Chinese" in line for line in warnings)
    assert set(in_terminal(word, tmp_path)) <= set(warnings)


def test_the_pair_has_them_too(written: list[Any]) -> None:
    """The file of the compare page names the odd file and the odd text."""
    page(dropped(FILES), "compare")
    assert any("UTF-16" in line for line in written[-1]["warnings"])
    assert any("Chinese" in line for line in written[-1]["warnings"])
