"""The numbers of each lesson in words: what is below the figure, and in the handout."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from sigboard.questions.learn.lessons import LINK, Lesson
from sigboard.render.bars import Bars
from sigboard.render.document import POLICY, printable
from sigboard.render.picture import Picture, drawn, histogram, svg
from sigcore import Floats, TestResult, __version__
from sigcore.formatting import (
    format_draws,
    format_gain,
    format_p,
    format_p_interval,
    format_score,
    format_units,
    p_text,
)
from sigcore.studies import learn
from sigcore.types import Row

Facts = list[tuple[str, str]]
LEVEL = 0.05  # the width of a column of the null factory


def facts(word: str, numbers: Any) -> Facts:
    """(what, value) of the lesson of that word."""
    return FACTS[word](numbers)


def of_pair(test: TestResult) -> Facts:
    """The pair, its scores and its gain."""
    setup = test.setup
    score, other = (format_score(value, setup.decimals) for value in test.scores)
    return [
        ("systems", f"{test.system} ({score}) against {test.baseline} ({other}), {setup.metric_title}"),
        ("gain", format_gain(test.gain, setup.decimals)),
        ("units", format_units(setup.n, setup.unit, setup.segments)),
        ("drawn", format_draws(setup.resamples, setup.seed)),
    ]


def of_test(numbers: learn.Steps, name: str) -> Facts:
    """The pair, p under the test of that name, and what it was counted from."""
    test = numbers.compared.result(name, "two-sided")
    drawn = test.setup.resamples
    return [
        *of_pair(test),
        ("counted", f"{test.tail:,} of {drawn:,} {test.counted} in the tail"),
        ("p", p_text(test.p_value, drawn)),
        ("Monte Carlo interval of p (95%)", format_p_interval(test.p_interval, drawn)),
    ]


def three(numbers: learn.Steps) -> Facts:
    """The pair, and p of the three tests."""
    tests = [numbers.compared.result(name, "two-sided") for name in learn.TESTS]
    rows = [(test.setup.test_title, f"{p_text(test.p_value, learn.DRAWN)} (two-sided)") for test in tests]
    return [*of_pair(tests[0]), *rows]


def tail(numbers: learn.Lab) -> Facts:
    """The rule on the pair, and its error rate."""
    return [
        ("p of this pair", f"{_p(numbers.shown.p)}; under the sound rule {_p(numbers.sound_p)}"),
        ("long run", f"{numbers.size.units:,} units and {numbers.size.resamples:,} resamples in each data set"),
        (
            "false alarms of your rule",
            _share(numbers.errors.so_far[-1], len(numbers.errors.p), numbers.errors.interval()),
        ),
        ("of the sound rule", _share(numbers.sound.so_far[-1], len(numbers.sound.p), numbers.sound.interval())),
    ]


def null(numbers: learn.Factory) -> Facts:
    """The share of small p."""
    words = "no difference" if numbers.is_null else "drawn from the pair as it is"
    found = numbers.rejected(LEVEL)
    return [
        ("data sets", f"{len(numbers.p):,}, {words}, with {numbers.units:,} units each"),
        (f"p at most {LEVEL:g}", _share(found, len(numbers.p), numbers.interval(LEVEL))),
    ]


def mean(numbers: learn.Mean) -> Facts:
    """Both gains, each with the test that fits it."""
    corpus, single = (format_gain(gain, numbers.decimals) for gain in numbers.gains)
    is_mean = "yes" if numbers.is_mean else "no"
    return [
        ("systems", f"{numbers.systems[0]} against {numbers.systems[1]}, {numbers.title}"),
        ("gain of the metric", f"{corpus}; shuffles: {p_text(numbers.p, learn.DRAWN)}"),
        (f"gain of the mean of single {numbers.unit}", f"{single}; t-test: {p_text(numbers.t_p, 0)}"),
        ("is the metric this mean, on this data?", is_mean),
    ]


def many(numbers: learn.Many) -> Facts:
    """How many worlds have a false alarm, without and with the correction."""
    worlds, found = len(numbers.p), numbers.found(LEVEL)
    some, kept = learn.any_of(found), learn.any_of(numbers.kept(LEVEL))
    return [
        ("worlds", f"{worlds}, with {numbers.units:,} units and 105 pairs each; no two systems differ"),
        ("false alarms in a world", f"{found.mean():.1f} on average, from {found.min()} to {found.max()}"),
        ("worlds with any false alarm", _share(some[0], worlds, some[1:])),
        ("after the Holm correction", _share(kept[0], worlds, kept[1:])),
    ]


def interval(numbers: learn.Intervals) -> Facts:
    """How many intervals contain the true gain."""
    return [
        ("test sets", f"{len(numbers.gains):,}, with {numbers.units:,} units each, drawn from the pair"),
        ("intervals that contain the true gain", _share(*learn.share(numbers.holds))),
    ]


def plan(numbers: learn.Plan) -> Facts:
    """The power for each size."""
    drawn = f"{numbers.p.shape[1]:,} of each size, drawn from the pair as it is"
    rows = [
        (f"power with {size:,} units", _share(*learn.share(p <= LEVEL)))
        for size, p in zip(numbers.sizes, numbers.p, strict=True)
    ]
    return [("test sets", drawn), *rows]


def runs(numbers: learn.Exam) -> Facts:
    """The false alarms of both ways to count."""
    ways = ("each answer is a unit", "each question is a unit")
    rows = [
        (f"false alarms, {way}", _share(*learn.share(p <= LEVEL))) for way, p in zip(ways, numbers.p.T, strict=True)
    ]
    made = f"{len(numbers.p):,}, with {numbers.questions} questions and {numbers.runs} runs each, no difference"
    return [("exams", made), *rows]


def judge(numbers: learn.Judge) -> Facts:
    """The exact false alarms of a judge and of people."""
    how = f"takes the longer answer in {numbers.habit}% of the items, agrees with people in {100 * numbers.agreement:.0f}%"
    rows = [
        (f"false alarms with {size:,} items", f"judge {100 * one:.1f}%, people {100 * other:.1f}%")
        for size, one, other in zip(numbers.sizes, numbers.judge, numbers.people, strict=True)
    ]
    return [("judge", how), *rows]


def predict(numbers: learn.Game) -> Facts:
    """The points, and every round that was played."""
    played = [f"round {k + 1}" for k, _ in numbers.answers]
    always = ", ".join(f"always {100 * chance:.0f}%: {points(numbers.always(chance))}" for chance in (0.0, 0.5, 1.0))
    return [
        ("points", f"{points(numbers.points)} in {len(played)} rounds"),
        ("for comparison", always),
        *((name, _round(numbers, k)) for name, (k, _) in zip(played, numbers.answers, strict=True)),
    ]


def points(value: float) -> str:
    """Points as they are written, always with a sign."""
    return f"{value:+.0f}".replace("-", "\u2212")


def _round(numbers: learn.Game, k: int) -> str:
    row, gain = round_rows(numbers)[[one for one, _ in numbers.answers].index(k)], numbers.rounds[k].gain
    return (
        f"{row['system']} against {row['baseline']}, {format_gain(gain, numbers.decimals)} on {row['n']} {numbers.unit}: "
        f"you said {100 * dict(numbers.answers)[k]:.0f}%, p = {row['p']}, {row['verdict']}, "
        f"{points(numbers.paid(k, dict(numbers.answers)[k]))} points, made {row['made']}"
    )


def round_rows(numbers: learn.Game) -> list[Row]:
    """The rounds that were played as rows."""
    rows: list[Row] = []
    for k, said in numbers.answers:
        shown = numbers.rounds[k]
        rows.append(
            {
                "round": k + 1,
                "system": shown.system,
                "baseline": shown.baseline,
                "n": shown.n,
                "gain": shown.gain,
                "chance": said,
                "p": format_p(shown.p, len(shown.null)),
                "verdict": "significant" if numbers.is_found(k) else "not significant",
                "points": numbers.paid(k, said),
                "made": "without a difference" if shown.is_null else "of the outputs as they are",
            }
        )
    return rows


def _share(part: float, whole: int, ends: tuple[float, float]) -> str:
    low, high = (100 * end for end in ends)
    return f"{part:,.0f} of {whole:,} ({100 * part / whole:.1f}%), 95% interval {low:.1f}% to {high:.1f}%"


def _p(p: float) -> str:
    return "p = 0" if p == 0 else f"p = {format_p(p, 0)}"


FACTS: dict[str, Callable[[Any], Facts]] = {
    "shuffle": lambda numbers: of_test(numbers, "approximate_randomization"),
    "bootstrap": lambda numbers: of_test(numbers, "bootstrap_shift"),
    "three": three,
    "tail": tail,
    "null": null,
    "mean": mean,
    "many": many,
    "interval": interval,
    "plan": plan,
    "runs": runs,
    "judge": judge,
    "predict": predict,
}


def truth(word: str, numbers: Any, of: int) -> int | None:
    """What a class guesses: how many of so many; None for a lesson without such a number."""
    found = TRUTHS[word](numbers) if word in TRUTHS else None
    return None if found is None else round(of * found)


def _tail_share(numbers: learn.Steps, name: str) -> float:
    test = numbers.compared.result(name, "two-sided")
    return test.tail / test.setup.resamples


TRUTHS: dict[str, Callable[[Any], float]] = {
    "shuffle": lambda numbers: _tail_share(numbers, learn.TESTS[0]),
    "bootstrap": lambda numbers: _tail_share(numbers, learn.TESTS[1]),
    "three": lambda numbers: _tail_share(numbers, learn.TESTS[0]),
    "tail": lambda numbers: numbers.errors.rate,
    "null": lambda numbers: numbers.rejected(LEVEL) / len(numbers.p),
    "many": lambda numbers: learn.any_of(numbers.found(LEVEL))[0] / len(numbers.p),
    "interval": lambda numbers: 1 - float(numbers.holds.mean()),
    "runs": lambda numbers: float((numbers.p[:, 0] <= LEVEL).mean()),
    "judge": lambda numbers: float(numbers.judge[1]),
}


# The picture of a lesson for its handout, as SVG; a lesson whose numbers are enough has none.


def _test(name: str) -> Callable[[learn.Steps], str]:
    return lambda numbers: _shown(histogram(numbers.compared.result(name, "two-sided")))


def _shown(picture: Picture | None) -> str:
    return "" if picture is None else svg(picture)


def _three(numbers: learn.Steps) -> str:
    parts = [(numbers.compared.result(name, "two-sided"), _test(name)(numbers)) for name in learn.TESTS]
    return "".join(f"<figure><figcaption>{test.setup.test_title}</figcaption>{shown}</figure>" for test, shown in parts)


def _tail(numbers: learn.Lab) -> str:
    own, counts = numbers.shown.statistics, numbers.shown.counts
    keep = np.isfinite(own)
    cuts = [cut for cut in numbers.shown.cutoffs if np.isfinite(cut)]
    edges = np.unique([*np.histogram_bin_edges(own[keep], 50), *cuts])
    heights = np.histogram(own[keep], edges)[0].astype(float)
    middles = (edges[:-1] + edges[1:]) / 2
    tail = (middles > max(cuts)) | (middles < min(cuts) if len(cuts) > 1 else np.zeros(len(middles), dtype=bool))
    words = f"Histogram of the resamples: {int(counts.sum()):,} of {len(own):,} count"
    return svg(drawn(_bars(edges, heights, tail), cuts, words, lambda value: format_gain(value, 2), [0.0]))


def _null(numbers: learn.Factory) -> str:
    edges = np.linspace(0, 1, learn.BINS + 1)
    heights = numbers.counts(len(numbers.p))
    words = f"Histogram of {len(numbers.p):,} p-values"
    return svg(drawn(_bars(edges, heights, edges[1:] <= LEVEL), [], words, lambda value: f"{value:g}", [LEVEL]))


def _many(numbers: learn.Many) -> str:
    found = numbers.found(LEVEL)
    edges = np.arange(max(10, int(found.max()) + 2), dtype=float)
    heights = np.histogram(found, edges)[0].astype(float)
    words = f"Histogram of the false alarms of {len(found)} worlds"
    return svg(drawn(_bars(edges, heights, edges[:-1] > 0), [], words, lambda value: f"{value:g}", []))


def _bars(edges: Floats, heights: Floats, tail: Any) -> Bars:
    return Bars(edges[:-1], edges[1:], heights, tail, np.zeros(len(heights), dtype=bool))


PICTURES: dict[str, Callable[[Any], str]] = {
    "shuffle": _test("approximate_randomization"),
    "bootstrap": _test("bootstrap_shift"),
    "three": _three,
    "tail": _tail,
    "null": _null,
    "many": _many,
}


# A lesson as one HTML file to print: its text, the numbers of the loaded data, the questions, and the answers on a
# last page.

TERM = "term-"
STYLE = "\n" + Path(__file__).with_suffix(".css").read_text("utf-8")


def handout(lesson: Lesson, numbers: Any) -> str:
    """The whole file; names are escaped, and it requests nothing from any host. The numbers are after the questions."""
    picture = PICTURES[lesson.word](numbers) if lesson.word in PICTURES else ""
    rows = "".join(
        f"<tr><th>{_text(what)}</th><td>{_text(value)}</td></tr>" for what, value in facts(lesson.word, numbers)
    )
    asked = "".join(f"<h3>{k}. {_text(question)}</h3>{LINES}" for k, (question, _) in enumerate(lesson.questions, 1))
    answers = "".join(
        f"<h3>{k}. {_text(question)}</h3>{blocks(answer)}" for k, (question, answer) in enumerate(lesson.questions, 1)
    )
    terms = "".join(
        f'<p id="{TERM}{term.slug}"><b>{_text(term.name)}</b>: {_text(term.meaning)}</p>' for term in lesson.terms
    )
    parts = [
        f"<h1>{_text(lesson.label)}</h1><p class=lead>{_spans(lesson.lead)}</p>",
        blocks(lesson.text),
        f"<h2>Three questions</h2>{asked}",
        f"<h2>Terms</h2>{terms}",
        f"<section class=answers><h2>Answers</h2>{answers}</section>",
        f"<h2>Numbers of our data</h2>{picture}<table>{rows}</table>",
    ]
    return _page(lesson.label, parts)


def teachers(lesson: Lesson) -> str:
    """The page for teachers as a file: aims, the course, typical wrong answers, and the answers to the questions."""
    answers = "".join(f"<h3>{_text(question)}</h3>{blocks(answer)}" for question, answer in lesson.questions)
    terms = "".join(
        f'<p id="{TERM}{term.slug}"><b>{_text(term.name)}</b>: {_text(term.meaning)}</p>' for term in lesson.terms
    )
    title = f"For teachers: {lesson.label}"
    parts = [
        f"<h1>{_text(title)}</h1>",
        blocks(lesson.teachers),
        f"<h2>Answers</h2>{answers}",
        f"<h2>Terms</h2>{terms}",
    ]
    return _page(title, parts)


def _page(title: str, parts: list[str]) -> str:
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{_text(title)}</title><style>{STYLE}</style>"
    )
    parts.append(f"<footer><small>Made with Sigboard {escape(__version__)}.</small></footer>")
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(parts) + "\n</body></html>\n"


LINES = "<div class=line></div>" * 3


def blocks(text: str) -> str:
    """The Markdown of a lesson as HTML: headings, paragraphs, lists, code, bold words, links to the glossary."""
    return "\n".join(_block(part.strip("\n")) for part in re.split(r"\n{2,}(?! )", text.strip()))


def _block(text: str) -> str:
    if text.startswith("```"):
        return f"<pre>{escape(text.split(chr(10), 1)[1].removesuffix('```').rstrip())}</pre>"
    if text.startswith("## "):
        return f"<h2>{_spans(text[3:])}</h2>"
    for mark, kind in ((r"\d+\. ", "ol"), (r"- ", "ul")):
        if re.match(mark, text):
            items = re.split(rf"^{mark}", text, flags=re.MULTILINE)[1:]
            return f"<{kind}>{''.join(f'<li>{_spans(item)}</li>' for item in items)}</{kind}>"
    return f"<p>{_spans(text)}</p>"


def _spans(text: str) -> str:
    """Words within a block."""
    out = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", _text(" ".join(text.split())))
    out = re.sub(r"`([^`]+)`", r"<code>\1</code>", out)
    return LINK.sub(lambda match: f'<a href="#{TERM}{match[2]}">{match[1]}</a>', out)


def _text(text: str) -> str:
    return escape(printable(text), quote=False)
