"""The one list of questions: pages, commands and the table of the README are made from it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from sigcore import UnknownMember

# The steps of a visit, in their order: the headings of the navigation.
Section = Literal["Load", "Result", "Trust", "Plan", "For these data", "More", "Hand in", "Learn"]
SECTIONS: tuple[Section, ...] = get_args(Section)
MORE: Section = "More"  # where a page is listed while the data that it needs are not loaded

# The settings of the sidebar, in its order.
SETTINGS = (
    "metric", "test", "sides", "unit", "alpha", "correction", "family", "resamples", "seed", "ties", "estimator",
)  # fmt: skip


@dataclass(frozen=True)
class Question:
    """One question of the app. Its word names its room, the folder with page, figure, report and command, and its study.

    `question` is the heading of the page, `summary` the line in the list of commands, `source` the paper, `settings`
    those of the sidebar that the page uses, `paper` the test and the side that are usual on the page, if it has its own.
    `section` is the step of a visit under which the navigation lists the page. `needs` says which data the page is for, if
    not every test set has them.
    """

    word: str
    title: str
    question: str
    icon: str
    summary: str
    source: str = ""
    has_study: bool = True
    has_figure: bool = True
    settings: tuple[str, ...] = SETTINGS
    paper: tuple[tuple[str, str], ...] = ()
    section: Section = "Result"
    needs: str = ""

    @property
    def page(self) -> str:
        """The file of the page, relative to app.py."""
        return f"pages/{self.word}.py"

    @property
    def command(self) -> str:
        """The module of the command."""
        return f"sigboard.questions.{self.word}.command"

    @property
    def study(self) -> str:
        """The module of the study; "" if nothing is computed."""
        return f"sigcore.studies.{self.word}" if self.has_study else ""

    @property
    def figure(self) -> str:
        """The module of the figure; "" if nothing is drawn."""
        return f"sigboard.questions.{self.word}.figure" if self.has_figure else ""


def _question(record: Mapping[str, Any]) -> Question:  # Any: texts, flags and lists
    """The question of a record: `settings` those that the page uses, `without` those that it does not."""
    own = {name: value for name, value in record.items() if name not in ("settings", "without", "paper")}
    settings = tuple(record.get("settings", SETTINGS))
    left = tuple(name for name in settings if name not in record.get("without", ()))
    return Question(**own, settings=left, paper=tuple(record.get("paper", {}).items()))


QUESTIONS = tuple(map(_question, tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["question"]))
FIRST = QUESTIONS[0].word


def get(word: str) -> Question:
    """The question of that word.

    Raises: UnknownMember, with the nearest words.
    """
    by_word = {question.word: question for question in QUESTIONS}
    if word not in by_word:
        raise UnknownMember("question", word, by_word)
    return by_word[word]
