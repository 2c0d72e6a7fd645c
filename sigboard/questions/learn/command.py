"""How does each test decide? The text of the twelve lessons; their stages are on the page Learn."""

from __future__ import annotations

import argparse

from sigboard.questions.learn import lessons


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The lesson, by number or word."""
    command.add_argument(
        "lesson", nargs="?", metavar="LESSON", help="the number or the word of a lesson; without it, all are listed"
    )


def run(args: argparse.Namespace) -> None:
    """Print one lesson with its questions and answers, or the list of lessons."""
    if args.lesson is None:
        for lesson in lessons.lessons():
            print(f"{lesson.number}  {lesson.word:12}{lesson.title}")
        return
    print(lessons.plain(lessons.get(args.lesson)))
