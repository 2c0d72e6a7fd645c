"""The lessons: the files of lessons/ with their text, questions, answers, and the terms of the glossary that they link."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sigboard import terms
from sigcore import UnknownMember

PACKAGE = Path(__file__).resolve().parents[2]
GLOSSARY = "../docs/glossary.md"
LINK = re.compile(r"\[([^\]]+)\]\(" + re.escape(GLOSSARY) + r"#([^)\s]+)\)")
QUESTIONS = "\n## Three questions\n"
TEACHERS = "\n## For teachers\n"


@dataclass(frozen=True)
class Lesson:
    """One lesson: its number, word and title, its one-line `lead`, its `text` (Markdown), questions with answers, and what is for
    `teachers` (Markdown): aims, a course of twenty minutes, typical wrong answers."""

    number: int
    word: str
    title: str
    lead: str
    text: str
    questions: tuple[tuple[str, str], ...]
    teachers: str

    @property
    def label(self) -> str:
        """The title with its number."""
        return f"{self.number}. {self.title}"

    @property
    def terms(self) -> tuple[terms.Term, ...]:
        """The terms that the lesson links, in the order of their first use."""
        whole = "\n".join((self.lead, self.text, *(part for pair in self.questions for part in pair)))
        by_slug = {term.slug: term for term in terms.TERMS.values()}
        return tuple(by_slug[slug] for slug in dict.fromkeys(match[2] for match in LINK.finditer(whole)))


def linked(text: str, prefix: str) -> str:
    """The Markdown with every link to the glossary as a link to the term on the same page, whose id is `prefix` + slug."""
    return LINK.sub(lambda match: f"[{match[1]}](#{prefix}{match[2]})", text)


def plain(lesson: Lesson) -> str:
    """The whole lesson as text for a terminal: links to the glossary as their words."""
    asked = [f"{question}\n\n{answer}" for question, answer in lesson.questions]
    parts = (f"Lesson {lesson.label}", lesson.lead, lesson.text, "Three questions", *asked)
    return LINK.sub(lambda match: match[1], "\n\n".join(parts)).replace("**", "").replace("## ", "")


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons in order."""
    found = (parsed(path.stem, path.read_text(encoding="utf-8")) for path in folder().glob("[0-9]*.md"))
    return tuple(sorted(found, key=lambda lesson: lesson.number))


def get(word: str) -> Lesson:
    """The lesson of that word or number.

    Raises: UnknownMember, with the nearest words.
    """
    by_word = {lesson.word: lesson for lesson in lessons()} | {str(lesson.number): lesson for lesson in lessons()}
    if word not in by_word:
        raise UnknownMember("lesson", word, by_word)
    return by_word[word]


def folder() -> Path:
    """The folder of the lessons: inside the installed package, or at the top of a checkout."""
    installed = PACKAGE / "app" / "lessons"
    return installed if installed.is_dir() else PACKAGE.parent / "lessons"


def parsed(stem: str, content: str) -> Lesson:
    """The lesson in a file such as `1-shuffle.md`: a title, a lead, sections, and the questions with their answers."""
    number, _, word = stem.partition("-")
    whole, _, teachers = content.partition(TEACHERS)
    body, _, asked = whole.partition(QUESTIONS)
    title, lead, text = body.split("\n\n", 2)
    questions = (part.strip().split("\n\n", 1) for part in f"\n{asked.strip()}".split("\n### ") if part.strip())
    return Lesson(
        int(number),
        word,
        title.removeprefix("# ").strip(),
        lead.strip(),
        text.strip(),
        tuple((question.strip(), answer.strip()) for question, answer in questions),
        teachers.strip(),
    )
