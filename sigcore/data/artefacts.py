"""What programs leave in outputs: marks of sentences, entities, pieces of words, prefixes, lost capitals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from sigcore.data.checks import Checked, Finding
from sigcore.formatting import count, listed
from sigcore.readers import Item

# What is left, how it is recognised, and what to do about it.
MARKS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("marks of sentences or unknown words", re.compile(r"</?s>|<(?:pad|eos|bos|unk)>|<\|\w+\|>|\[(?:EOS|PAD|UNK)\]|⁇"), "Remove them."),
    ("HTML entities", re.compile(r"&(?:apos|quot|amp|lt|gt|nbsp|#\d{1,6}|#x[0-9a-f]{1,5});|&#(?:91|93|124);", re.IGNORECASE),
     "Undo the escaping (html.unescape, or Moses' deescape-special-chars.perl)."),
    ("pieces of words", re.compile(r"@@(?:\s|$)|▁|(?:^|\s)##\w"), "Join the pieces, as the program that split them does."),
)  # fmt: skip
OFTEN, FEWEST = 0.01, 3  # share and number of lines from which on it is told
MOSTLY = 0.5  # of the lines, for a prefix, quotes and lost capitals
PREFIX = re.compile(r"\s*([^\W\d_][\w ]{1,30}:)\s")
QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("«", "»"), ("`", "`"))


def artefacts(checked: Checked) -> Iterator[Finding]:
    """Systems with marks, entities, pieces of words, one prefix or quotes that the references do not have."""
    for system in checked.systems:
        for what, pattern, fix in MARKS:
            lines = [i for i, text in enumerate(system.segments) if pattern.search(text)]
            usual = max((_share(item, pattern) for item in checked.references), default=0.0)
            if len(lines) >= max(FEWEST, OFTEN * checked.n) and len(lines) > 2 * usual * checked.n:
                yield _found(system, what, lines, checked.n, fix)
        yield from _around(system, checked)
    yield from _without_capitals(checked)


def _share(item: Item, pattern: re.Pattern[str]) -> float:
    return sum(pattern.search(text) is not None for text in item.segments) / max(len(item.segments), 1)


def _found(system: Item, what: str, lines: Sequence[int], n: int, fix: str) -> Finding:
    message = f"{system.name} has {what} in {len(lines):,} of {count(n, 'segment')}, the references do not."
    return Finding("warning", message, f"{system.file}, segment {lines[0] + 1}", fix)


def _around(system: Item, checked: Checked) -> Iterator[Finding]:
    """One prefix, or quotes, around most lines of a system but not of the references."""
    gold = [text for item in checked.references for text in item.segments]
    common = _prefix(system)
    for what, has in (
        (f"the prefix {common!r}", lambda text: text.lstrip().startswith(common)),
        ("quotes around the line", _quoted),
    ):
        lines = [i for i, text in enumerate(system.segments) if has(text)]
        if len(lines) > MOSTLY * checked.n and 2 * sum(map(has, gold)) < len(gold):
            yield _found(system, what, lines, checked.n, "Remove it: it is no part of the output.")


def _prefix(system: Item) -> str:
    """The most frequent first words with a colon; a text that no line begins with if there are none."""
    found = Counter(match[1] for match in map(PREFIX.match, system.segments) if match)
    return found.most_common(1)[0][0] if found else "\n"


def _quoted(text: str) -> bool:
    text = text.strip()
    return len(text) > 2 and (text[0], text[-1]) in QUOTES and text.count(text[0]) <= 2


def _without_capitals(checked: Checked) -> Iterator[Finding]:
    """Systems without capital letters where the references and other systems have them."""
    cased = [item for item in (*checked.references, *checked.systems) if _has_capitals(item)]
    lower = [item for item in checked.systems if item not in cased and any(map(_has_letters, item.segments))]
    if not lower or not any(item.role == "reference" for item in cased):
        return
    who = f"{listed(item.name for item in lower)} {'has' if len(lower) == 1 else 'have'}"
    fix = "Restore them, or score all systems without regard to case."
    yield Finding("warning", f"{who} no capital letters, the references have them.", listed(i.file for i in lower), fix)


def _has_capitals(item: Item) -> bool:
    """Whether a tenth of the segments have a capital letter."""
    return 10 * sum(text != text.lower() for text in item.segments) > len(item.segments)


def _has_letters(text: str) -> bool:
    return text.upper() != text.lower()
