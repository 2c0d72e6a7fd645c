"""docs/site.py: links between the documents, and what a page would fetch from another host."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[3]


def site() -> ModuleType:
    """docs/site.py; not by its name, which is that of a module of Python."""
    spec = importlib.util.spec_from_file_location("docs_site", ROOT / "docs" / "site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_foreign_files_are_found(tmp_path: Path) -> None:
    """Scripts, style sheets, images and fonts of other hosts are found; links that a person clicks are not."""
    (tmp_path / "a.html").write_text(
        '<a href="https://a.org">x</a><script src="https://b.org/x.js"></script><img alt="" src="img.png">'
        '<link rel="stylesheet" href="//c.org/x.css">'
    )
    (tmp_path / "b.css").write_text("@import 'https://d.org/x.css'; @font-face {src: url(https://e.org/f.woff)}")
    found = "\n".join(site().foreign(tmp_path))
    assert [host for host in "abcde" if f"//{host}.org" in found] == ["b", "c", "d", "e"]


def test_links_lead_to_pages_of_the_site() -> None:
    """Links between docs/ and the documents above it lead to their pages; to a file that is not on the site, nowhere."""
    moved = site().moved
    assert moved("[a](../README.md#x) [b](tests.md)", "docs/units.md") == "[a](project.md#x) [b](tests.md)"
    assert moved("[a](docs/units.md) ![b](docs/c.svg) [d](LICENSE)", "README.md") == "[a](units.md) ![b](c.svg) d"
    assert moved("[a](https://a.org) [b](#c)", "README.md") == "[a](https://a.org) [b](#c)"
