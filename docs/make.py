"""Make docs/metrics.md, docs/tests.md and docs/formats.md from the families; `--check` only says whether they are up to date."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["SIGBOARD_WORDNET"] = "off"  # the pages are the same whatever is installed

from sigcore import Option, corrections, metrics, readers, significance  # noqa: E402
from sigcore.readers.tables import headings  # noqa: E402

MADE = "<!-- Made by `make docs` from the code; change the member's file instead. -->\n"


def cell(text: str) -> str:
    """Text that may stand in a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def options(found: tuple[Option, ...]) -> str:
    """The options of a member as a table."""
    if not found:
        return "No options.\n"
    rows = ["| option | default | values | meaning |", "| --- | --- | --- | --- |"]
    for o in found:
        values = ", ".join(map(str, o.choices)) if o.choices else o.type.__name__
        if o.low is not None or o.high is not None:
            values += f" from {o.low:g}" if o.low is not None else ""
            values += f" to {o.high:g}" if o.high is not None else ""
        default = "automatic" if o.default is None else str(o.default)
        rows.append(f"| `{o.name}` | {default} | {cell(values)} | {cell(o.help)} |")
    return "\n".join(rows) + "\n"


def _by_kind() -> str:
    """What there is for each kind of test set, the usual metric of the kind first."""
    rows = ["| what the files hold | metrics |", "| --- | --- |"]
    for kind in dict.fromkeys(m.kind for m in metrics.members().values()):
        usual = metrics.usual(kind)
        others = [m.name for m in metrics.members().values() if m.kind == kind and m.name != usual]
        rows.append(f"| {kind} | {', '.join(f'`{name}`' for name in [usual, *others])} |")
    return "\n".join(rows) + "\n"


def metrics_page() -> str:
    """docs/metrics.md."""
    parts = ["# Metrics\n", MADE, "Every metric is a function of a sum of statistics per segment.\n"]
    parts.append(_by_kind())
    for m in metrics.members().values():
        chosen = m.chosen()
        columns = ", ".join(f"`{c}`" for c in m.columns_of(chosen))
        parts.append(f"## {m.title_of(chosen)} (`{m.name}`)\n")
        parts.append(f"{m.help}\n")
        if m.notes:
            parts.append(f"{m.notes}\n")
        depends = "\n- a segment's statistics depend on: all references of the test set" if m.whole_references else ""
        parts.append(
            f"- better: {m.better_of(chosen)}\n- takes: {m.kind}\n- statistics: {columns}{depends}\n- source: {m.source}\n"
        )
        parts.append(options(m.options))
    return "\n".join(parts)


def tests_page() -> str:
    """docs/tests.md."""
    parts = ["# Tests and corrections\n", MADE, (ROOT / "docs" / "pvalues.md").read_text(encoding="utf-8")]
    for t in significance.members().values():
        parts.append(f"## {t.title} (`{t.name}`)\n")
        parts.append(f"{t.help}\n")
        two = "twice the smaller one-sided p" if t.doubled else "both tails"
        draws = {
            "swap": "swaps of the two outputs of a segment (or unit)",
            "bootstrap": "segments (or units) drawn with replacement",
        }[t.draws]
        parts.append(f"- draws: {draws}\n- two-sided: {two}\n- source: {t.source}\n")
    parts.append("# Corrections for many pairs\n")
    for c in corrections.members().values():
        parts.append(
            f"- **{c.title}** (`{c.name}`) holds {c.controls}" + (f". Source: {c.source}" if c.source else "") + "."
        )
    return "\n".join(parts) + "\n"


def _headings() -> str:
    """The vocabulary of column headings as a table."""
    rows = ["| heading | read as | what happens |", "| --- | --- | --- |"]
    for words, role, effect in headings.rows():
        shown = ", ".join(f"`{word}`" for word in words.split(", "))
        rows.append(f"| {shown} | {cell(role)} | {cell(effect)} |")
    return "\n".join(rows) + "\n"


def formats_page() -> str:
    """docs/formats.md."""
    parts = ["# Formats of files\n", MADE, (ROOT / "docs" / "loading.md").read_text(encoding="utf-8")]
    parts += ["## Column headings\n", f"{headings.INTRODUCTION}\n", _headings()]
    for r in readers.members().values():
        parts.append(f"## {r.title[:1].upper()}{r.title[1:]} (`{r.name}`)\n")
        parts.append(f"{r.help}\n\nGives: {', '.join(r.kinds)}.\n")
        parts.append(f"`{r.example[0]}`\n\n```\n{r.example[1].rstrip()}\n```\n")
        if r.options:
            parts.append(options(r.options))
    return "\n".join(parts)


PAGES = {"metrics.md": metrics_page, "tests.md": tests_page, "formats.md": formats_page}


def main() -> int:
    """Write the pages, or with --check compare them; 1 where one is stale."""
    stale = 0
    for name, page in PAGES.items():
        path = ROOT / "docs" / name
        if "--check" in sys.argv:
            stale += path.read_text(encoding="utf-8") != page()
        else:
            path.write_text(page(), encoding="utf-8")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
