"""Words that the project's text does not use: in strings, docstrings and comments of the code, and in its documents.

Readers are researchers and students all over the world, so the text is plain standard English. Names in the code, and
anything between backticks, are not text.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# What is checked.
CHECKED: tuple[str, ...] = (
    "sigcore",
    "sigboard",
    "pages",
    "app.py",
    "cli.py",
    "docs",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
)


@dataclass(frozen=True)
class Word:
    """A word or phrase to avoid (a pattern, case ignored), the plain words for it, and the reason."""

    pattern: str
    plain: str
    reason: str
    example: str


WORDS: tuple[Word, ...] = (
    Word(r"\bmend(s|ed|ing)?\b", "fix", "an error is fixed", "How to mend it"),
    Word(
        r"\b(tells?|told|telling)\b", "report, show, distinguish", "a notice reports; people tell", "It is told once."
    ),
    Word(r"\b(take|takes|taken|taking|took) for\b", "treat as, detect as", "not idiomatic", "a file taken for scores"),
    Word(r"\bst(ands?|ood)\b(?! (for|out)\b)", "is, appears, contains", "text does not stand", "what stands in a file"),
    Word(
        r"(?<!there )\b(is|are|was|were|be) no\b(?! longer\b| more\b| less\b| fewer\b| larger\b| smaller\b)",
        "is not a",
        "reads as translated",
        "It is no number.",
    ),
    Word(r"\bso many\b|\bmanieth\b", "N, this many; every k-th", "reads as translated", "in so many resamples"),
    Word(r"\bparted by\b", "separated by", "reads as translated", "cells parted by TAB"),
    Word(r"\b(anew|afresh)\b", "again", "archaic", "computed anew"),
    Word(
        r"\b(houses?|doors?|wings?|doctors?)\b|(?<!is )\brooms?\b(?! for\b)",
        "package, space, entry point",
        "a metaphor",
        "has no room: add it",
    ),
    Word(r"\b(the|its|their|'s|s') faces?\b", "public API", "a metaphor", "the face of the family"),
    Word(r"\bworth knowing\b", "notice, note", "private language", "Worth knowing"),
    Word(r"\b(whatever|whoever)\b", "any, all, even if", "vague", "whatever was counted"),
    Word(r"\blies?\b(?! idle\b)", "is", "a number is in an interval", "lies in [0, 1]"),
    Word(r"\blooked at\b|\blook inside\b", "selected, checked; Preview", "private language", "what is looked at"),
    Word(
        r"\bby (itself|themselves)\b|\bon (its|their) own(?=\W*$|[.,;:)])",
        "alone, automatically",
        "vague",
        "made by itself",
    ),
    Word(r"\bof (its|their|our|his|her) own\b", "its own ...", "reads as translated", "a name of its own"),
    Word(r"\bshall\b", "must, is to", "archaic", "nothing shall be stored"),
    Word(r"\blet(s|ting)? go of\b", "release, close", "a metaphor", "Let go of the draws."),
    Word(r"\bnow and then\b", "from time to time", "colloquial", "called now and then"),
    Word(r"\bin (truth|silence)\b", "actually; silently", "not idiomatic", "changed in silence"),
    Word(r"\bsmall letters\b", "lower case", "not the term", "in small letters"),
    Word(r"\basked for\b", "requested, selected", "a person asks, a test is selected", "No test is asked for."),
    Word(r"\bon one scale\b", "standardised", "not the term", "judges on one scale"),
    Word(r"\bhangs? (on|nowhere|from)\b", "has the head, has no head", "not the term", "a word hangs nowhere"),
    Word(r"\bcounts? for no\b", "is not counted for any", "reads as translated", "They count for no system."),
    Word(r"\bspeaks? (of|for)\b", "cover, be about, support", "text does not speak", "Two people speak of it."),
    Word(r"\bgives? back\b", "return", "not the term", "what a test gives back"),
    Word(r"\bturn(s|ed)? round\b", "reverse, swap", "colloquial", "pairs turned round"),
    Word(
        r"\bnothing; (raises|\w+Error)\b", "Raise ... unless ...", "not how a docstring begins", "Nothing; raises it."
    ),
    Word(r"\bcomputes? nothing again\b", "is applied at once", "reads as translated", "This computes nothing again."),
    Word(r"\bundecided by chance\b", "needs more resamples", "not the term", "Undecided by chance"),
    Word(r"\bin another way\b", "differently; Re-read as ...", "vague", "Read a file in another way"),
    Word(r"\btake the sample\b", "load the sample", "data is loaded", "Take the sample"),
    Word(r"\bpassed over\b", "ignored, skipped", "not idiomatic", "It is passed over."),
)

# (file, pattern of the allowed text) -> why. Case counts.
ALLOWED: Mapping[tuple[str, str], str] = {}


def prose(path: str, text: str) -> Iterator[tuple[int, str]]:
    """(line, text) of everything that a person reads in a file."""
    yield from _document(path, text) if path.endswith(".md") else _code(text)


def _document(path: str, text: str) -> Iterator[tuple[int, str]]:
    """The paragraphs of a document outside its code, with their first lines; of the change log only the unreleased part."""
    is_code, section, start, paragraph = False, "", 1, list[str]()
    for number, line in enumerate([*text.split("\n"), ""], 1):
        section = line if line.startswith("## ") else section
        is_fence = line.lstrip().startswith("```")
        is_code ^= is_fence
        released = path == "CHANGELOG.md" and "unreleased" not in section.lower()
        if line.strip() and not (is_fence or is_code or released):
            start, paragraph = start if paragraph else number, [*paragraph, line]
        elif paragraph:
            yield start, "\n".join(paragraph)
            paragraph = []


def _code(text: str) -> Iterator[tuple[int, str]]:
    """The comments and strings of a module; strings of one word are names unless they have a capital letter."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_text(node.value):
            yield node.lineno, node.value


def _is_text(value: str) -> bool:
    return re.search(r"\s", value) is not None or value[:1].isupper()


def faults(sources: Mapping[str, str], allowed: Mapping[tuple[str, str], str] = ALLOWED) -> list[str]:
    """One sentence for every use of a word that is to be avoided."""
    return [
        f"{path}:{line + offset} {around!r}: write {word.plain} ({word.reason})"
        for path, source in sources.items()
        for line, text in prose(path, source)
        for word, offset, around in _uses(_without(path, re.sub(r"`[^`]*`", "``", text), allowed))
    ]


def _without(path: str, text: str, allowed: Mapping[tuple[str, str], str]) -> str:
    for file, pattern in allowed:
        text = re.sub(pattern, "", text) if file == path else text
    return text


def _uses(text: str) -> Iterator[tuple[Word, int, str]]:
    """(word, line from 0, the text around it) of every use, also across line breaks."""
    lines = [text.count("\n", 0, match.start()) for match in re.finditer(r"\S+", text)]
    joined = " ".join(text.split())
    for word in WORDS:
        for match in re.finditer(word.pattern, joined, re.IGNORECASE):
            start, end = max(match.start() - 30, 0), match.end() + 30
            yield word, lines[joined.count(" ", 0, match.start())], joined[start:end]


def sources(names: tuple[str, ...]) -> dict[str, str]:
    """The modules and documents under these names, by path."""
    paths = [
        path
        for name in names
        for path in ([ROOT / name] if (ROOT / name).is_file() else sorted((ROOT / name).rglob("*")))
        if path.suffix == (".md" if name == "docs" else path.suffix) and path.suffix in (".py", ".md")
    ]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def test_text_is_plain_english() -> None:
    """No string, comment, docstring or document uses a word that is to be avoided."""
    found = faults(sources(CHECKED))
    assert not found, "\n".join(found)


def test_exceptions_are_used_and_explained() -> None:
    """Every exception removes something from its file, and has a reason."""
    texts = sources(CHECKED)
    unused = [key for key in ALLOWED if not any(re.search(key[1], t) for _, t in prose(key[0], texts.get(key[0], "")))]
    assert unused == []
    assert all(reason.strip() for reason in ALLOWED.values())


def test_all_text_is_listed() -> None:
    """Every name to be checked, now or later, exists."""
    assert [name for name in CHECKED if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.plain)
def test_each_word_is_recognised(word: Word) -> None:
    """The example of each word is a fault in a docstring, a message, a comment and a document."""
    for path, source in {
        "a.py": f'"""{word.example}"""',
        "b.py": f'x = f"{{y}} {word.example} {{z}}"',
        "c.py": f"x = 1  # {word.example}",
        "docs/d.md": word.example,
        "CHANGELOG.md": f"## Unreleased\n{word.example}",
    }.items():
        assert any(word.plain in fault for fault in faults({path: source})), path


@pytest.mark.parametrize(
    "source",
    [
        "told = stands = whatever = 1",
        'row["told"]',
        '"""The option `told` of a metric."""',
        '"""There is no metric of that name; AER stands for alignment error rate."""',
        '"""It is no longer needed, and no more than a note."""',
    ],
)
def test_names_and_plain_text_are_allowed(source: str) -> None:
    """Identifiers, keys, code between backticks and ordinary English are not faults."""
    assert faults({"a.py": source}) == []


def test_released_changes_and_code_are_history() -> None:
    """The change log is checked only above its first release, and code blocks of documents not at all."""
    assert faults({"CHANGELOG.md": "## Unreleased\nFixed.\n## 1.0\nTold."}) == []
    assert faults({"docs/a.md": "```\ntold\n```"}) == []


def test_a_phrase_may_span_lines() -> None:
    """A phrase is recognised across a line break, and reported at its first line."""
    assert [fault.split()[0] for fault in faults({"docs/a.md": "# Title\n\nThis is done\nnow and\nthen."})] == [
        "docs/a.md:4"
    ]
    assert faults({"a.py": '"""Done now\nand then."""'}) != []
