"""How does each test decide? Eight lessons: the text, and beside it a figure that moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from sigboard.questions.learn import figure, lessons
from sigboard.questions.learn import report as reports
from sigboard.questions.learn.lessons import Lesson
from sigboard.render import style
from sigboard.render.style import finished
from sigboard.server import cache, jobs
from sigboard.shell import captions, downloads, inputs, session, settings
from sigboard.shell import page as present
from sigboard.shell import pair as pair_picker
from sigboard.shell.queries import chosen, key_of, running, study
from sigcore import Settings, Study, SufficientStatistics
from sigcore.studies import learn

# The predictions of a visit, for each data set, metric and seed: they are kept until the visit ends.

GAME_KEY = "sigboard.predictions"


class Predictions:
    """The predictions under one key; `at` is the round that is shown (None: the results)."""

    def __init__(self, key: str, rounds: int) -> None:
        self._state = st.session_state.setdefault(GAME_KEY, {}).setdefault(key, {"answers": {}, "at": 0})
        self.rounds = rounds

    @property
    def at(self) -> int | None:
        """The round that is shown, from 0; None: the results."""
        at: int | None = self._state["at"]
        return at

    @property
    def answers(self) -> tuple[tuple[int, bool], ...]:
        """The predictions so far, by round."""
        return tuple(sorted(self._state["answers"].items()))

    @property
    def is_answered(self) -> bool:
        """Whether the round that is shown has a prediction."""
        return self.at in self._state["answers"]

    def say(self, significant: bool) -> None:
        """Keep the prediction of the round that is shown; the first one counts."""
        if self.at is not None:
            self._state["answers"].setdefault(self.at, significant)

    def show(self, at: int | None) -> None:
        """Show a round or the results."""
        self._state["at"] = at if at is not None and at < self.rounds else None

    def again(self) -> None:
        """Forget all predictions."""
        self._state.update(answers={}, at=0)


# The queries of the lessons; each runs as a job.

PairNames = tuple[str, str]


def _job(
    kind: str, visit: session.Visit, names: Sequence[str], work: Callable[[Study, jobs.Job], Any], *plan: Any
) -> Any:
    """The result of the work on the systems of these names (all of them for none), which may depend on a plan."""
    asked = replace(study(visit, names), tests=(), settings=Settings(), resamples=1)
    return jobs.result(key_of(f"learn {kind}", asked.draws, *plan), lambda job: work(asked, job))


def _data(visit: session.Visit, names: Sequence[str] = ()) -> learn.Data:
    """The statistics of these systems, or of all."""
    runtime = running()

    def work(asked: Study, job: jobs.Job) -> learn.Data:
        return learn.data(asked.testset, asked.outputs, asked.metrics, asked.unit, runtime(job))

    of: learn.Data = _job("data", visit, names, work)
    return of


def both(visit: session.Visit, pair: PairNames) -> tuple[SufficientStatistics, ...]:
    """The statistics of the two systems."""
    return _data(visit, pair).measured.systems


def usual_pair(visit: session.Visit) -> PairNames:
    """The pair that is shown until another is chosen."""
    return cache.once(learn.usual_pair, _data(visit))


def steps(visit: session.Visit, pair: PairNames) -> learn.Steps:
    """The pair under the tests of the lessons, and single resamples."""
    runtime = running()

    def work(asked: Study, job: jobs.Job) -> learn.Steps:
        return learn.steps(asked, runtime(job))

    numbers: learn.Steps = _job("steps", visit, pair, work)
    return numbers


def tail(visit: session.Visit, pair: PairNames, rule: learn.Rule, size: learn.Size) -> learn.Lab:
    """The pair and the errors in the long run under a rule, and under the sound rule."""
    systems, now = both(visit, pair), chosen()

    def drawn(how: learn.Draw) -> learn.Drawn:
        def work(asked: Study, job: jobs.Job) -> learn.Drawn:
            return learn.draw(systems, how, size, now.seed, job.report)

        result: learn.Drawn = _job("tail", visit, pair, work, how, size)
        return result

    usual = drawn(learn.Draw(rule.draw.kind))
    return cache.once(learn.lab, rule, drawn(rule.draw), usual, now.alpha)


def null(visit: session.Visit, pair: PairNames, is_null: bool) -> learn.Factory:
    """The p of many data sets drawn from the pair."""
    systems, now = both(visit, pair), chosen()

    def work(asked: Study, job: jobs.Job) -> learn.Factory:
        return learn.factory(systems, now.seed, is_null, job.report)

    numbers: learn.Factory = _job("null", visit, pair, work, is_null)
    return numbers


def mean(visit: session.Visit, pair: PairNames) -> learn.Mean:
    """The pair under the metric and under the mean of single scores."""
    of, now = _data(visit, pair), chosen()

    def work(asked: Study, job: jobs.Job) -> learn.Mean:
        return learn.mean(of, now.seed, job.report)

    numbers: learn.Mean = _job("mean", visit, pair, work)
    return numbers


def many(visit: session.Visit, pair: PairNames) -> learn.Many:
    """Worlds of artificial systems without a difference, made of all systems."""
    of, now, runtime = _data(visit), chosen(), running(publishes=True)

    def work(asked: Study, job: jobs.Job) -> learn.Many:
        return learn.many(of, now.seed, runtime=runtime(job))

    numbers: learn.Many = _job("many", visit, (), work)
    return numbers


def _rounds(visit: session.Visit) -> tuple[learn.Round, ...]:
    of, now = _data(visit), chosen()

    def work(asked: Study, job: jobs.Job) -> tuple[learn.Round, ...]:
        return learn.rounds(of, now.seed, job.report)

    drawn: tuple[learn.Round, ...] = _job("rounds", visit, (), work)
    return drawn


def predictions(visit: session.Visit) -> Predictions:
    """The predictions of this visit on what is loaded, under this metric, unit and seed."""
    asked = replace(study(visit), tests=(), settings=Settings(), resamples=1)
    return Predictions(key_of("game", asked.draws), learn.ROUNDS)


def predict(visit: session.Visit, pair: PairNames) -> learn.Game:
    """The game: rounds of all systems, and the predictions so far."""
    said = predictions(visit)
    return cache.once(learn.game, _data(visit), _rounds(visit), said.answers, said.at, chosen().alpha)


QUERIES: dict[str, Callable[..., Any]] = {
    "shuffle": steps,
    "bootstrap": steps,
    "three": steps,
    "tail": tail,
    "null": null,
    "mean": mean,
    "many": many,
    "predict": predict,
}


# The few settings of single lessons: the rule of the tail lab, what is true in the null factory.

CHANGES = {
    "strict": "> in place of ≥",
    "no_plus_one": "no + 1",
    "one_sided": "one-sided",
    "slip": "mean after |d|",
    "half": "half of the units",
    "unpaired": "not paired",
}
OF_BOOTSTRAP = ("slip", "half", "unpaired")
TRUTHS = {True: "no difference", False: "the pair as it is"}
KINDS = {"bootstrap": "bootstrap", "swap": "shuffles"}


def of(word: str, visit: session.Visit) -> dict[str, Any]:
    """The settings of the lesson of that word, as its query takes them."""
    return SETTINGS[word](visit) if word in SETTINGS else {}


def _tail(visit: session.Visit) -> dict[str, Any]:
    kind = st.segmented_control(
        "test",
        list(KINDS),
        format_func=lambda name: KINDS[name],
        default="bootstrap",
        required=True,
        key="kind",
        bind="query-params",
        label_visibility="collapsed",
    )
    words = {f"{size.units} units, {size.resamples} resamples": size for size in learn.SIZES}
    size = st.selectbox(
        "in the long run", list(words), key="sigboard.lab.size", label_visibility="collapsed", width=230
    )
    offered = [name for name in CHANGES if kind == "bootstrap" or name not in OF_BOOTSTRAP]
    changes = st.pills(
        "changes of the rule",
        offered,
        format_func=lambda name: CHANGES[name],
        selection_mode="multi",
        key=f"rule_of_{kind}",
        bind="query-params",
        label_visibility="collapsed",
    )
    draw = learn.Draw(
        "swap" if kind == "swap" else "bootstrap", 0.5 if "half" in changes else 1.0, "unpaired" not in changes
    )
    rule = learn.Rule(
        draw, "strict" in changes, "no_plus_one" not in changes, "one_sided" in changes, "slip" in changes
    )
    return {"rule": rule, "size": words[size]}


def _null(visit: session.Visit) -> dict[str, Any]:
    truth = st.segmented_control(
        "what is true",
        list(TRUTHS),
        format_func=lambda is_null: TRUTHS[is_null],
        default=True,
        required=True,
        key="truth",
        bind="query-params",
        label_visibility="collapsed",
    )
    return {"is_null": bool(truth)}


def _predict(visit: session.Visit) -> dict[str, Any]:
    said = predictions(visit)
    at = said.at
    if at is None:
        st.button("Play again", on_click=said.again, icon=":material/replay:")
    elif not said.is_answered:
        st.button("Yes, significant", on_click=said.say, args=(True,), type="primary")
        st.button("No, not significant", on_click=said.say, args=(False,), type="primary")
    else:
        last = at + 1 == said.rounds
        label = "Show the results" if last else "Next round"
        st.button(label, on_click=said.show, args=(at + 1,), type="primary", icon=":material/arrow_forward:")
    if at is not None and said.answers:
        st.button("Results so far", on_click=said.show, args=(None,), type="tertiary")
    elif at is None and len(said.answers) < said.rounds:
        st.button("Back to the rounds", on_click=said.show, args=(len(said.answers),), type="tertiary")
    return {}


SETTINGS = {"tail": _tail, "null": _null, "predict": _predict}


# Parts of the learn page: the lesson and the pair, the text, the numbers, the questions, the terms and the handout.

KEY = "lesson"
PAIR = "sigboard.lesson.pair"
TERM = "term-"  # before the slug of a term, the id of its text on the page
WIDE = ("three", "tail", "many")  # lessons whose figures need the whole width
ALL = ("many", "predict")  # lessons on all systems, which show no choice of a pair
FACTOR = 1.6  # how much larger the texts of a figure are in Present mode: they are more than those of other pages


def choose(visit: session.Visit) -> tuple[Lesson, PairNames]:
    """The lesson and the pair, chosen in one row, which Present mode hides."""
    pair_picker.offer(captions.systems(visit), () if pair_picker.named() else usual_pair(visit))
    titles = {lesson.word: lesson.label for lesson in lessons.lessons()}
    with st.container(key=present.HIDDEN):
        first, boxes = st.columns([2, 3], gap="medium")
        with first:
            word = settings.choose(KEY, titles, help=None)
        if word in ALL:
            st.html(f"<style>.st-key-{PAIR.replace('.', '-')} {{ display: none; }}</style>")
        # drawn in every lesson: the pair is kept for the next one
        with boxes, st.container(key=PAIR):
            return lessons.get(word), pair_picker.pair(horizontal=True)


def columns(lesson: Lesson) -> tuple[Any, Any]:
    """The places of the text and of the figure: beside it, where it stays on the screen while the text is read, or, if it is
    wide, above it."""
    if lesson.word in WIDE:
        figure, text = st.container(), st.container()
        return text, figure
    st.html("<style>.st-key-sigboard-beside { position: sticky; top: 3.5rem; }</style>")
    text, figure = st.columns([2, 3], gap="medium")
    with figure:
        return text, st.container(key="sigboard.beside")


def has_settings(lesson: Lesson) -> bool:
    """Whether the lesson has its own settings, which are then above its figure."""
    return lesson.word in SETTINGS


def computed(visit: session.Visit, lesson: Lesson, pair: PairNames, asked: dict[str, Any]) -> Any:
    """The numbers of the lesson on the loaded data."""
    return QUERIES[lesson.word](visit, pair, **asked)


def facts(lesson: Lesson, numbers: Any) -> None:
    """The numbers in words."""
    lines = [f"**{what}**: {present.literal(value)}" for what, value in reports.facts(lesson.word, numbers)]
    st.markdown("  \n".join(lines))


def draw_text(lesson: Lesson) -> None:
    """The lesson itself."""
    st.markdown(f"**{lesson.lead}**")
    st.markdown(lessons.linked(lesson.text, TERM))


def questions(lesson: Lesson) -> None:
    """The questions, each with its answer behind a click."""
    st.header("Three questions", anchor=False)
    for question, answer in lesson.questions:
        with st.expander(question, icon=":material/help:"):
            st.markdown(lessons.linked(answer, TERM))


def words(lesson: Lesson) -> None:
    """The terms that the lesson links."""
    st.header("Terms of this lesson", anchor=False)
    st.html("".join(f'<p id="{TERM}{term.slug}"><b>{term.name}</b>: {term.meaning}</p>' for term in lesson.terms))


def save(visit: session.Visit, lesson: Lesson, numbers: Any) -> None:
    """The handout."""
    name = downloads.file_name("sigboard", "lesson", str(lesson.number), lesson.word, visit.collection.name)
    with st.container(horizontal=True):
        downloads.later("Handout to print (HTML)", lambda: _handout(lesson, numbers), name, "html")
        if lesson.word == "predict" and numbers.answers:
            downloads.csv("Results (CSV)", lambda: reports.round_rows(numbers), name)


def _handout(lesson: Lesson, numbers: Any) -> str:
    return reports.html(lesson, reports.facts(lesson.word, numbers), reports.picture(lesson.word, numbers))


def others(lesson: Lesson) -> None:
    """The next lesson."""
    after = next((one for one in lessons.lessons() if one.number == lesson.number + 1), None)
    if after is not None:
        st.button(f"Next: {after.title}", on_click=_go, args=(after.word,), icon=":material/arrow_forward:")


def _go(word: str) -> None:
    st.session_state[KEY] = word


def show() -> None:
    """The page."""
    with present.question("learn") as visit:
        presenting = present.active()
        if not presenting:
            captions.context(visit)
        inputs.ready(visit)
        lesson, pair = choose(visit)
        text, beside = (st.container(), st.container()) if presenting else columns(lesson)
        with beside:
            keys = (
                (present.FIGURE, present.STEPS)
                if presenting or not has_settings(lesson)
                else (present.STEPS, present.FIGURE)
            )
            places = {key: st.container(key=key) for key in keys}
            chart, steps = places[present.FIGURE], places[present.STEPS]
            with steps, st.container(horizontal=True, vertical_alignment="center"):
                asked = of(lesson.word, visit)
                present.button()
            with chart:
                numbers = computed(visit, lesson, pair, asked)
                drawn = cache.once(finished, figure.draw, lesson.word, numbers, present.theme(), present.phone())
                present.chart(
                    style.enlarged(drawn, FACTOR, present.HEIGHT) if presenting else drawn,
                    key=f"sigboard.lesson.{lesson.word}",
                    height="stretch" if presenting else "content",
                    alt=figure.alt(lesson.word, numbers),
                    bar=False,
                )
            if presenting:
                st.stop()
            facts(lesson, numbers)
        with text:
            draw_text(lesson)
        questions(lesson)
        words(lesson)
        save(visit, lesson, numbers)
        others(lesson)
