"""Makes one site of docs/ and the documents above it, and checks that the built site is complete.

mkdocs calls the three functions `on_...`. `foreign` finds what a page would fetch from another host.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import join, normpath
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# Documents outside docs/, by their pages on the site.
PAGES = {
    "README.md": "project.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "samples/README.md": "samples.md",
    **{
        f"lessons/{path.name}": f"lesson_{path.name.replace('-', '_')}"
        for path in sorted((ROOT / "lessons").glob("*.md"))
    },
}
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)")
# What a browser fetches without a click: attributes of HTML, and the addresses in style sheets.
FETCHED = re.compile(
    r"<(?:img|script|iframe|source|video|audio|link)\b[^>]*?\s(?:src|href|srcset)\s*=\s*[\"']?((?:https?:)?//[^\"'\s>]+)"
    r"|(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s]+)",
    re.IGNORECASE,
)


def moved(text: str, source: str) -> str:
    """The text of the document `source` (a path in the project) with the links of its page on the site.

    A link to a file that is not on the site becomes its text.
    """

    def link(match: re.Match[str]) -> str:
        sign, label, target, anchor = match[1], match[2], match[3], match[4] or ""
        path = normpath(join(source, "..", target))
        page = PAGES.get(path, path.removeprefix("docs/") if path.startswith("docs/") else "")
        page = "formats.md" if page == "loading.md" else page  # its text is the beginning of that page
        if not page or page.endswith(".py"):
            return label
        return f"{sign}[{label}]({page}{anchor})"

    return LINK.sub(link, text)


def on_files(files: Any, config: Any) -> Any:
    """Add the documents outside docs/ to the files of the site."""
    from mkdocs.structure.files import File

    for source, page in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=moved(text, source)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """The text of a page of docs/ with the links of the site."""
    path = page.file.src_uri
    return markdown if path in PAGES.values() else moved(markdown, f"docs/{path}")


def on_post_build(config: Any) -> None:
    """Stop if a page of the site would fetch something from another host."""
    faults = list(foreign(Path(config.site_dir)))
    if faults:
        raise SystemExit("The site fetches from other hosts:\n" + "\n".join(faults))


def foreign(site: Path) -> Iterator[str]:
    """One sentence for everything that a page or style sheet under the folder would fetch from another host."""
    for path in sorted(site.rglob("*")):
        if path.suffix in (".html", ".css", ".js"):
            for match in FETCHED.finditer(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(site).as_posix()} fetches {match[1] or match[2]}"
