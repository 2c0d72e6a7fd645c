"""The lessons are complete, short, and easy to read; every link of theirs leads to a term."""

from __future__ import annotations

import re

import pytest
import textstat

from sigboard import terms
from sigboard.questions.learn import lessons
from sigboard.questions.learn.lessons import Lesson
from sigboard.terminal import main
from sigcore import UnknownMember

ALL = lessons.lessons()
GRADE, EASE = 8.0, 60.0  # Flesch-Kincaid grade at most, Flesch reading ease at least: "plain English"
WORDS_A_MINUTE, WATCHING, MINUTES = 150, 3, 10  # slow reading, and minutes for the figure


def spoken(lesson: Lesson) -> str:
    """The text of a lesson as it is read aloud, without code, marks and links."""
    whole = lessons.plain(lesson)
    whole = re.sub(r"```.*?```", "", whole, flags=re.DOTALL)
    lines = [re.sub(r"^(#+|\d+\.|-) ", "", line) for line in whole.split("\n")]
    # headings and items end like sentences
    paragraphs = [" ".join(part.split()) for part in "\n".join(lines).split("\n\n")]
    return " ".join(part if part.endswith((".", "?", ":")) else f"{part}." for part in paragraphs if part).replace(
        "*", ""
    )


def test_every_lesson_has_a_number_and_three_questions() -> None:
    """The numbers are 1, 2, 3, ...; each lesson has a lead, at least two sections, and three questions with answers."""
    assert [lesson.number for lesson in ALL] == list(range(1, len(ALL) + 1))
    for lesson in ALL:
        assert lesson.lead
        assert "\n" not in lesson.title
        assert lesson.text.count("## ") >= 2
        assert len(lesson.questions) == 3
        assert all(question.endswith("?") and answer for question, answer in lesson.questions)


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.word)
def test_first_year_students_can_read_it(lesson: Lesson) -> None:
    """Two measures of readability are those of plain English, which 13- to 15-year-olds read easily."""
    text = spoken(lesson)
    assert textstat.flesch_kincaid_grade(text) <= GRADE
    assert textstat.flesch_reading_ease(text) >= EASE


def test_the_measure_knows_hard_text() -> None:
    """A paragraph of a statistics paper is above the bound."""
    hard = (
        "Notwithstanding considerable heterogeneity, asymptotic approximations underlying conventional parametric "
        "procedures presuppose independence of observations, a presupposition whose violation systematically "
        "invalidates inferential conclusions."
    )
    assert textstat.flesch_kincaid_grade(hard) > GRADE
    assert textstat.flesch_reading_ease(hard) < EASE


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.word)
def test_it_takes_less_than_ten_minutes(lesson: Lesson) -> None:
    """Read slowly, with time for the figure."""
    assert len(spoken(lesson).split()) / WORDS_A_MINUTE + WATCHING < MINUTES


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.word)
def test_links_lead_to_terms(lesson: Lesson) -> None:
    """Every link is to a term of the glossary; at least five terms are linked."""
    path = lessons.folder() / f"{lesson.number}-{lesson.word}.md"
    content = path.read_text(encoding="utf-8")
    assert content.count("](") == len(lessons.LINK.findall(content))
    assert len(lesson.terms) >= 5


def test_links_lead_to_headings_of_the_glossary() -> None:
    """The slug of each term is that of its heading in docs/glossary.md, and no two are the same."""
    glossary = (lessons.PACKAGE.parent / "docs" / "glossary.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", glossary, re.MULTILINE)
    assert sorted(headings) == sorted(term.name for term in terms.TERMS.values())
    assert len({term.slug for term in terms.TERMS.values()}) == len(terms.TERMS)


def test_a_lesson_is_found_by_word_and_number() -> None:
    """Both names give the same lesson; another word is refused."""
    assert lessons.get("1") is lessons.get("shuffle") is ALL[0]
    with pytest.raises(UnknownMember, match="shuffle"):
        lessons.get("shufle")


def test_the_command_prints_lessons(capsys: pytest.CaptureFixture[str]) -> None:
    """Without an argument all lessons are listed; with one, its text is printed without marks and links; another is refused."""
    assert main(["learn"]) == 0
    assert [line.split()[1] for line in capsys.readouterr().out.strip().split("\n")] == [lesson.word for lesson in ALL]
    assert main(["learn", "tail"]) == 0
    printed = capsys.readouterr().out
    assert "Why does the slip double the error rate?" in printed
    assert "](" not in printed
    assert "**" not in printed
    assert main(["learn", "tale"]) == 2
    assert "tail" in capsys.readouterr().err
