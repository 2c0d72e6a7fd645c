"""Can I trust this test on my data? A button, the sentence, the distribution of p, and the rates."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import streamlit as st

from sigboard.questions.trust import figure, report
from sigboard.server import limits
from sigboard.shell import captions, downloads, inputs, page, queries, session, settings, trusted
from sigcore import Study, significance
from sigcore.formatting import count
from sigcore.studies import trust
from sigcore.types import Row

COUNTS = (200, 1_000, 4_000)
HOSTED = 1_000  # repetitions that a hosted server allows
MOST_PAIRS = 500  # in a box
WHAT = (
    "The outputs of each unit change places by chance, so that no system is better than another. The test of the sidebar "
    "then runs on each such data set. A sound test rejects a share alpha of them."
)
WHAT_HALVES = (
    "One system is split into two halves by chance, so that neither is better. The test then compares them. A sound test rejects "
    "a share alpha of them."
)
WAITING = "Press Calibrate: how often does this test find a difference where there is none?"
NULLS = {"auto": "documents where there are any", "segment": "segments", "document": "documents"}
HALVES = {"auto": "halves of one system"}  # for unpaired tests
NULL = "What changes places together. Documents, where segments of one document may be alike."
POWER = "Half of the units, chosen by chance, keep their outputs: half of the gain is then true."
COVERAGE = "How often the 95% interval of the gain holds a gain that is known: half of the pair's own."
OF = {"": "the test of the sidebar", **trust.RULES}
RULE = (
    "Unpaired tests are for systems that were scored on different segments. Riezler and Maxwell's rule takes absolute values "
    "before the shift. It is here to be seen to fail."
)
PAIR, WHOLE = 2, ""


def chosen_systems(visit: session.Visit) -> tuple[str, str] | None:
    """The pair that is calibrated; None for all systems together."""
    names = [outputs.system for outputs in inputs.sound(visit, 2).outputs]
    pairs = {f"{a} against {b}": (a, b) for a, b in combinations(names, 2)}
    if len(names) == PAIR or len(pairs) > MOST_PAIRS:
        return None
    words = {WHOLE: f"all {count(len(names), 'system')}", **{name: name for name in pairs}}
    return pairs.get(str(settings.choose("of", words, label="systems", width=260)))


def chosen_null(visit: session.Visit, rule: str) -> trust.Null:
    """What changes places together; of an unpaired test usually nothing: one system is split."""
    nulls = {name: words for name, words in NULLS.items() if name != "document" or visit.collection.has_documents}
    nulls |= HALVES if rule in trust.UNPAIRED else {}
    choice = settings.choose("null", nulls, "auto", label="change places", width=250, help=NULL)
    return next(name for name in trust.NULLS if name == choice)


def chosen_plan(visit: session.Visit, alone: bool) -> trust.TrustPlan:
    """How often, with which null and rule, and whether a gain is planted."""
    counts = [n for n in COUNTS if n <= HOSTED or not limits.hosted()]
    names = {str(n): f"{n:,}" for n in counts}
    repetitions = int(settings.choose("repetitions", names, "1000", width=140))
    rule = ""
    if queries.chosen().settings.side == "two-sided":
        rule = str(settings.choose("rule", OF, "", label="rule", width=230, help=RULE))
    null = chosen_null(visit, rule)
    planted = not trust.TrustPlan(rule=rule, null=null).halves
    planted = planted and st.toggle(
        "also with half of the gain (power)", key="planted", bind="query-params", help=POWER
    )
    coverage = alone and not rule
    coverage = coverage and st.toggle("also the intervals", key="coverage", bind="query-params", help=COVERAGE)
    return trust.TrustPlan(repetitions, null, (0.5,) if planted else (), rule, coverage=coverage)


def show() -> None:
    """The page."""
    with page.question("trust") as visit:
        captions.context(visit)
        inputs.ready(visit)
        with st.container(horizontal=True, vertical_alignment="bottom", key="sigboard.trust.plan"):
            pair = chosen_systems(visit)
            plan = chosen_plan(visit, pair is not None or len(inputs.sound(visit, 2).outputs) == PAIR)
        study = trusted.asked(visit, pair)
        key = trusted.key_of(study, plan)
        if not trusted.started(key):
            invitation(study, plan, key)
            return
        result = trusted.result(study, plan)
        if result.done:
            drawn(visit, result)


def invitation(study: Study, plan: trust.TrustPlan, key: str) -> None:
    """What would be done, and the button that does it."""
    captions.sentence(WAITING)
    st.markdown(page.literal(WHAT_HALVES if plan.halves else WHAT))
    test = trust.RULES[plan.rule] if plan.rule else significance.get((study.tests or ("",))[0]).title
    words = f"{test} on {count(plan.repetitions, 'data set')} of {count(study.testset.n, 'segment')} each."
    page.caption(words)
    st.button(
        "Calibrate", key="calibrate", on_click=trusted.start, args=(key,), type="primary", icon=":material/play_arrow:"
    )


def drawn(visit: session.Visit, result: trust.TrustResult) -> None:
    """The sentence, the figure, the rates, the notes and the files."""
    captions.sentence(report.headline(result))
    st.markdown(page.literal(" ".join([result.words, *report.more(result)])))
    if result.done < result.repetitions:
        page.caption(f"{result.done:,} of {count(result.repetitions, 'repetition')} so far.")
    page.plot("sigboard.trust", figure.distribution, figure.distribution_alt, result, compact=page.phone())
    downloads.small(rows(result))
    page.details("trust", partial(explained, result), len(result.notes))
    name = downloads.file_name("sigboard", session.file_title(visit.collection), "trust", result.setup.test)
    with st.container(horizontal=True):
        downloads.csv("Rates (CSV)", result.rows, name)
        warnings = downloads.warned(visit.collection, result.notes)
        downloads.as_json("Everything (JSON)", lambda: report.trust_json(result, warnings), name)


def explained(result: trust.TrustResult) -> None:
    """What the first look leaves out: the rate with its interval, how it was counted, and the notes."""
    st.markdown(page.literal(str(result)))
    page.caption(captioned(result))
    captions.notes(result.notes)


def rows(result: trust.TrustResult) -> list[Row]:
    """The rates as a small table; few columns, so that a phone shows them all."""
    return [
        {
            "true gain": gain,
            "alpha": alpha,
            "rejected": f"{rejected} of {of}",
            "rate": f"{rate} {interval}",
            "conclusion": conclusion,
        }
        for gain, alpha, rejected, of, rate, interval, conclusion in report.lines(result)
    ]


def captioned(result: trust.TrustResult) -> str:
    """How the repetitions were made."""
    setup = result.setup
    family = f" At least one of {result.tests} tests, {setup.correction_title}." if result.tests > 1 else ""
    what = count(result.changed, str(result.null.noun(1)))
    made = "of one system are split by chance" if result.halves else "change places by chance"
    draws = f"{setup.resamples:,} resamples each, seed" if setup.resamples else "Seed"
    return (
        f"{what} {made} in each repetition. {draws} {setup.seed}.{family} Intervals: Clopper and Pearson. One valid test in 20 "
        "has an interval without alpha."
    )
