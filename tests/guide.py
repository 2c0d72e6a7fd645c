"""The examples of CONTRIBUTING.md: files for which the guide names a place."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GUIDE = ROOT / "CONTRIBUTING.md"


def example(family: str) -> tuple[str, str]:
    """(place, text) of the example member of a family, such as "metrics"."""
    place = rf"for example `(sigcore/{family}/\w+\.py)`:\n\n```python\n(.*?)```"
    found = re.search(place, GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None, f"the guide has no example of {family}"
    return found[1], found[2]


def question() -> tuple[dict[str, str], str]:
    """(text by path, record) of the example question."""
    section = GUIDE.read_text(encoding="utf-8").partition("\n## Add a question\n")[2].partition("\n## ")[0]
    files = dict(re.findall(r"Add\s+`([\w/]+\.py)`:\n\n```python\n(.*?)```", section, re.DOTALL))
    (record,) = re.findall(r"```toml\n(\[\[question\]\]\n.*?)```", section, re.DOTALL)
    return files, record
