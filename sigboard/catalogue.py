"""The one list of questions: pages, commands and the table of the README are made from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

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


UNCORRECTED = tuple(name for name in SETTINGS if name not in ("correction", "family"))
# The test of Berg-Kirkpatrick et al. 2012, which the pages after this paper share.
PAPER = (("test", "two_delta_bootstrap"), ("sides", "greater"))

# In the order of the navigation; the first page is the one a visitor sees first. A new question is one record here, and the files that its word names.
# fmt: off
QUESTIONS: tuple[Question, ...] = (
    Question(
        word="matrix", title="Grid", question="Which of my systems differ?", icon=":material/grid_on:",
        summary="all pairs of systems", source="Graham et al. 2014",
    ),
    Question(
        word="rank", title="Rank", question="Who is first, and who is tied?", icon=":material/leaderboard:",
        summary="the places that chance leaves each system", source="Mogstad et al. 2024", has_study=False,
    ),
    Question(
        word="compare", title="Pair", question="Is one really better than the other?", icon=":material/balance:",
        summary="one pair of systems", source="Graham et al. 2014",
    ),
    Question(
        word="segments", title="Segments", question="Where does the difference come from?",
        icon=":material/difference:", summary="what each segment adds to the gain of a pair, with the texts",
        source="Efron and Tibshirani 1993", has_figure=False,
        settings=tuple(name for name in SETTINGS if name not in ("correction", "family")),
    ),
    Question(
        word="data", title="Files", section="Load", question="What have I loaded, and is it sound?",
        icon=":material/upload_file:", summary="what each file was detected as, and what is wrong with it",
        has_study=False, has_figure=False, settings=("family",),
    ),
    Question(
        word="human", title="Human", section="Trust", question="Do the metrics and tests agree with people?",
        icon=":material/how_to_vote:", summary="metrics and tests compared with human judgments",
        source="Graham et al. 2014", settings=("metric", "unit", "alpha", "resamples", "seed", "ties", "estimator"),
    ),
    Question(
        word="scores", title="Documents", section="Trust", question="What do per-document scores say?",
        icon=":material/view_comfy:", summary="a matrix of scores, documents by systems", source="Rankel et al. 2011",
        settings=("metric", "unit", "alpha", "correction", "seed", "estimator"),
    ),
    Question(
        word="domains", title="Domains", section="Trust", question="Will it hold elsewhere?",
        icon=":material/travel_explore:",
        summary="how far significance on one domain holds on others, and on drawn test sets",
        source="Berg-Kirkpatrick et al. 2012", settings=UNCORRECTED, paper=PAPER,
    ),
    Question(
        word="trust", title="Calibration", section="Trust", question="Can I trust this test on my data?",
        icon=":material/verified:",
        summary="how often a test rejects where the outputs of systems change places by chance",
        source="Noreen 1989; Clopper and Pearson 1934", has_figure=False,
        settings=tuple(name for name in SETTINGS if name not in ("alpha", "resamples")),
    ),
    Question(
        word="gain", title="Gain", section="Plan", question="How large a gain is usually real?",
        icon=":material/scatter_plot:", summary="the gain and the confidence of every pair",
        source="Berg-Kirkpatrick et al. 2012", settings=UNCORRECTED, paper=PAPER,
    ),
    Question(
        word="size", title="Size", section="Plan", question="How many segments do I need?",
        icon=":material/straighten:",
        summary="thresholds by the size of the test set, and the smallest detectable gains",
        source="Berg-Kirkpatrick et al. 2012", settings=UNCORRECTED, paper=PAPER,
    ),
    Question(
        word="pairwise", title="Preferences", section="For these data",
        needs="pairwise judgments, such as votes in an arena, or scores per segment",
        question="Which system wins more often?", icon=":material/thumbs_up_down:",
        summary="wins, ties and losses: pairwise judgments, or scores per question",
        source="Bradley and Terry 1952; McNemar 1947",
        settings=("metric", "unit", "alpha", "correction", "resamples", "seed"),
    ),
    Question(
        word="tasks", title="Tasks", section="For these data", needs="scores per question on two or more tasks",
        question="Which system is better on several tasks?", icon=":material/checklist:",
        summary="scores per question: each task and the macro average", source="Miller 2024", has_figure=False,
        settings=("unit", "alpha", "correction", "resamples", "seed"),
    ),
    Question(
        word="tuning", title="Tuning", section="For these data", needs="k-best lists, or systems to combine",
        question="Did tuning help?", icon=":material/tune:",
        summary="weights tuned on k-best lists, or on combined systems, and tested on held-out segments",
        source="Chen et al. 2017", settings=("test", "unit", "alpha", "resamples", "seed", "estimator"),
    ),
    Question(
        word="report", title="Report", section="Hand in", question="What do I hand in?", icon=":material/fact_check:",
        summary="the check before submission, sentences, tables and one HTML file", has_figure=False,
    ),
    Question(
        word="learn", title="Learn", section="Learn", question="How does each test decide?", icon=":material/school:",
        summary="twelve lessons, with figures that draw in the browser", source="Graham et al. 2014",
        settings=("metric", "unit", "alpha", "seed"),
    ),
    Question(
        word="reproduce", title="Reproduce", section="Learn", question="Does the paper's claim hold here?",
        icon=":material/history_edu:", summary="claims of four papers, the printed number next to yours",
        source="Graham et al. 2014; Berg-Kirkpatrick et al. 2012; Rankel et al. 2011; Chen et al. 2017",
        settings=("resamples", "seed"),
    ),
)
FIRST = QUESTIONS[0].word
# fmt: on


def get(word: str) -> Question:
    """The question of that word.

    Raises: UnknownMember, with the nearest words.
    """
    by_word = {question.word: question for question in QUESTIONS}
    if word not in by_word:
        raise UnknownMember("question", word, by_word)
    return by_word[word]
