"""Do the metrics and tests agree with people? Grids of people and of metrics, and the accuracy table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from sigboard.questions.human import figure, files, report
from sigboard.server import cache
from sigboard.shell import captions, downloads, inputs, page, pair, queries, session, uploads
from sigboard.shell.settings import Chosen
from sigcore import Collection, Judgments, SigError, data, formatting, gathered, metrics, readers, results, significance
from sigcore.formatting import count
from sigcore.studies import human
from sigcore.types import Json

# The parts of the human page: cards, captions of the grids, the accuracy table, further tables, downloads.

GRIDS = 3  # grids in a row
MOST_JUDGES = 100  # who are left out one after the other


def _table(rows: Sequence[Mapping[str, Json]], p_values: Sequence[str] = (), form: str = "%.3f") -> None:
    """Show rows with formatted p-values and other fractions in few decimals; the CSV has all decimals."""
    shown = [
        {**row, **{name: formatting.format_p(p, 0) for name in p_values if isinstance(p := row[name], float)}}
        for row in rows
    ]
    fractions = [name for name in rows[0] if any(isinstance(row[name], float) for row in shown)]
    columns = {
        name: st.column_config.NumberColumn(name, format="%g" if name == "alpha" else form) for name in fractions
    }
    downloads.table(shown, **columns)


def cards(people: human.People, alpha: float) -> None:
    """Judges, ratings, judged systems, and pairs that people distinguish."""
    judges = {judge.name for judge in people.judges if judge.name}
    used = len(judges - {judge.name for judge in people.dropped})
    levels = people.levels(alpha)
    differ, pairs = int((levels > 0).sum()), int((levels == levels).sum()) // 2
    named = f"{used} of {len(judges)}" if judges else "not named"
    control = f"{people.controls:,} of them are for quality control and do not count for any system."
    rated = "All of them are in the grids, including those without outputs."
    page.cards(
        [
            ("Judges", named, "Judges whose ratings are used; the others are named below."),
            ("Ratings", f"{people.ratings:,}", control),
            ("Judged systems", str(len(people.systems)), rated),
            ("Pairs that differ", f"{differ} of {pairs}", f"Pairs that people distinguish at alpha {alpha:g}."),
        ]
    )


def conclusions_of_people(people: human.People, alpha: float) -> None:
    """A grid for each dimension and for the combined conclusion; beside a single one the scores of the systems."""
    st.header("Conclusions of people", anchor=False)
    places = [*range(len(people.dimensions)), *([None] if len(people.dimensions) > 1 else [])]
    for start in range(0, len(places), GRIDS):
        columns = st.columns(GRIDS) if len(places) > 1 else st.columns([1, 2])
        for column, place in zip(columns, places[start : start + GRIDS], strict=False):
            with column:
                page.plot(f"sigboard.people.{place}", figure.grid, figure.grid_alt, people, alpha, place)
    if len(places) == 1:
        with columns[1]:
            _table(report.system_rows(people))


def how_people(people: human.People, alpha: float) -> None:
    """How to read the grids of people, and what their combined value is."""
    again = [rated.dimension for rated in people.rated if report.standardised(rated)]
    if again:
        page.caption(
            f"The file has standardised scores already ({formatting.listed(again)}): raw equals z, so z is shown."
        )
    st.caption(
        "Row against column, best first. Blue +: the row is better. Orange −: the row is worse. Stronger colours: p ≤ 0.01, "
        f"p ≤ 0.001. Grey: no significant difference. ?: one of the two was not rated. {page.literal(report.gold_note(people, alpha))}"
    )


def conclusions_of_metrics(result: human.HumanResult, alpha: float) -> None:
    """The accuracy table, and the grids of every metric under each test."""
    accuracy(result)
    for start in range(0, len(result.tests), GRIDS):
        tests = list(result.tests)[start : start + GRIDS]
        for column, test in zip(st.columns(GRIDS), tests, strict=False):
            with column:
                page.plot(f"sigboard.metrics.{test}", figure.metrics, figure.metrics_alt, result, test, alpha)


def how_metrics(result: human.HumanResult, alpha: float) -> None:
    """How to read the accuracies and the grids of the metrics."""
    st.caption(
        f"Conclusions that agree with people, out of {formatting.count(len(result.pairs), 'pair')}: number · percent, [95 % interval over "
        "systems, from leaving out one system at a time]. Bold: the largest share at that alpha. 11/25: of 25 pairs with a conclusion; n/a: none."
    )
    best = report.top(result, alpha)
    if best is not None and (words := report.differences(result, best.test, alpha)):
        pairs = count(len(report.shown_rows(result, best.test, alpha)), "pair")
        st.markdown(page.literal(words))
        st.caption(
            f"Do the metrics differ? Accuracy of conclusions under {page.literal(result.tests[best.test])} at alpha {alpha:g}: "
            f"first metric − second, in percentage points. Adjusted: Holm over {pairs} of metrics. The CSV has every test and alpha."
        )
    st.caption(
        "One small grid per metric, with the systems in the order of the human ranking. Tests are one-sided in each "
        "direction and uncorrected, as in the paper; sides and correction of the sidebar are not used here. A cross marks a "
        "pair on which people reach another conclusion. An empty cell: no conclusion, because p is undefined or R is too small."
    )


def accuracy(result: human.HumanResult) -> None:
    """The accuracy table in the form of the paper's Tables 1 and 2."""
    rows = []
    for alpha in result.alphas:
        for metric, title in result.metrics.items():
            row = {"alpha": f"{alpha:g}", "metric": page.literal(title)}
            for test, name in result.tests.items():
                row[name] = _cell(result, result.accuracy(metric, test, alpha))
            rows.append(row)
    st.table(pd.DataFrame(rows).set_index(["alpha", "metric"]))


def _cell(result: human.HumanResult, cell: human.Accuracy) -> str:
    correct = report.correct_pairs(result, cell)
    if not cell.pairs:
        return correct
    share = f"{correct} · {cell.percent:.1f}"
    by_system = report.interval(cell.system_low, cell.system_high)
    # on a narrow screen a cell breaks between its parts, not inside them
    parts = [part.replace(" ", "\u00a0") for part in (share, by_system)]
    return " ".join([f"**{parts[0]}**" if cell.best else parts[0], *parts[1:]])


def tables(result: human.HumanResult, alpha: float, asked: queries.HumanAsked) -> None:
    """Everything behind the figures, as tables, of which the open one is made."""
    people = result.people
    each = [name for dimension in people.dimensions for name in (f"{dimension} p", f"{dimension} p other way")]
    parts = {
        "Pairs": lambda: _table(cache.once(report.pair_rows, result, alpha), each),
        "Systems": lambda: _table(report.system_rows(people)),
        "Judges": lambda: _judges(people),
        "Without a judge": lambda: _each_judge(asked, alpha),
    }
    page.tabs("sigboard.human.tables", parts)


def _judges(people: human.People) -> None:
    _table(results.rows(human.fields.JUDGES, people.judges), ("p degraded lower",), "%.1f")
    st.caption(
        "mean and sd: used to standardise the ratings. p degraded lower: small if the judge rates deliberately "
        "degraded texts lower than outputs."
    )


def _each_judge(asked: queries.HumanAsked, alpha: float) -> None:
    """People's conclusions without each of the judges with the most ratings."""
    how = (asked.standard, asked.dimensions, asked.control)
    found = cache.once(human.without_each, asked.judgments, alpha, *how, MOST_JUDGES)
    st.markdown(page.literal(human.on_one_judge(found, alpha)))
    if found:
        downloads.records(human.fields.WITHOUT_JUDGE, found)
        page.caption(
            f"At most {MOST_JUDGES} judges, those with the most ratings. Changed: pairs decided otherwise without them."
        )


def download_buttons(result: human.HumanResult, alpha: float, name: str, warnings: Sequence[str]) -> None:
    """The download buttons: the table and the figure of the paper, rows, JSON with the warnings on the files."""
    with st.container(horizontal=True):
        downloads.later("Table (LaTeX)", lambda: files.accuracy_table(result), f"{name}_table", "tex")
        downloads.later("Figure (LaTeX)", lambda: files.figure(result, alpha), f"{name}_figure", "tex")
        downloads.csv(
            "Accuracy (CSV)", lambda: results.rows(human.fields.ACCURACIES, result.accuracies), f"{name}_accuracy"
        )
        downloads.csv("Pairs (CSV)", lambda: report.pair_rows(result, alpha), f"{name}_pairs")
        downloads.csv("Differences (CSV)", lambda: report.metric_rows(result), f"{name}_differences")
        downloads.csv("McNemar (CSV)", lambda: report.mcnemar_rows(result), f"{name}_mcnemar")
        downloads.csv("Segment scores (CSV)", lambda: report.segment_rows(result.people), f"{name}_segments")
        downloads.as_json("Everything (JSON)", lambda: files.human_json(result, warnings), name)
    title = "For your paper: methods sentence and signature"
    page.fold("sigboard.human.words", title, lambda: st.code(report.methods(result), language=None, wrap_lines=True))


def can_compare(visit: session.Visit, asked: queries.HumanAsked, people: human.People) -> bool:
    """Whether there are outputs, metrics and tests to compare with people; if not, a message says what is missing."""
    loaded = visit.collection.loaded()
    both = set(people.systems) & {outputs.system for outputs in loaded.outputs}
    if not asked.metrics or not asked.tests:
        missing = "Choose at least one metric and one test above."
    elif not loaded.outputs:
        missing = (
            "Only the ratings are loaded. Load a reference and the outputs of the judged systems on the page Files."
        )
    elif len(both) < 2:
        missing = "Fewer than two systems have both an output and ratings under the same name. Match the names in the settings above."
    else:
        return True
    st.info(missing, icon=":material/info:")
    return False


# The parts of the human page on differences between metrics: a sentence, the pairs of metrics, the tests of the paper.

LABELS = {
    "chi_square": "chi-square",
    "chi_square_p": "p of chi-square",
    "cochran_q": "Cochran's Q",
    "cochran_q_p": "p of Cochran's Q",
    "smallest_mcnemar_p": "smallest McNemar p",
    "of": "for",
}


def differing_metrics(result: human.HumanResult, alpha: float) -> None:
    """Whether the metrics differ: in their conclusions, and in their scores of systems."""
    st.subheader("Do the metrics differ?", anchor=False)
    best = report.top(result, alpha)
    test = best.test if best else ""
    rows = report.shown_rows(result, test, alpha)
    if rows:  # of several metrics with conclusions
        downloads.table(rows)
    if result.system_level:
        title = "System scores compared with those of people: pairwise accuracy, Kendall, Pearson"
        page.fold("sigboard.human.scores", title, lambda: _scores(result))
    title = "As in the paper: exact intervals, chi-square, Cochran's Q, McNemar"
    page.fold("sigboard.human.paper", title, lambda: _paper(result))


def _scores(result: human.HumanResult) -> None:
    """Pairwise accuracy and correlations of system scores."""
    first = result.system_level[0]
    if sentence := report.about_scores(result):
        st.markdown(page.literal(sentence))
    rows = report.system_level_rows(result)
    # one decimal for accuracies, three for the others
    forms = {name: "%.1f" if report.is_accuracy(name) else "%.3f" for name in rows[0] if name != "metric"}
    number = st.column_config.NumberColumn
    downloads.table(rows, None, **{name: number(name, format=form) for name, form in forms.items()})
    st.caption(
        f"On {count(first.pairs, 'pair')} of {count(first.systems, 'system')}. Pairwise accuracy: the share of pairs in the same order "
        "as by the scores of people. With calibrated ties: two systems are equal for the metric if their scores differ by "
        "at most epsilon, chosen for the best agreement with the conclusions of people at that alpha."
    )
    differences = report.shown_score_rows(result)
    if differences:
        downloads.table(differences)


def _paper(result: human.HumanResult) -> None:
    """The exact intervals, chi-square, Cochran's Q and McNemar's test, as in the paper."""
    st.caption(report.why_too_narrow())
    st.dataframe(pd.DataFrame(report.exact_rows(result)), hide_index=True, width="stretch")
    if result.differences:
        headings = {name: st.column_config.Column(label) for name, label in LABELS.items()}
        for name in ("chi_square", "cochran_q"):
            headings[name] = st.column_config.NumberColumn(LABELS[name], format="%.3f")
        alpha = st.column_config.NumberColumn("alpha", format="%g")
        downloads.records(human.fields.DIFFERENCES, result.differences, alpha=alpha, **headings)
        st.caption("None: the columns do not differ on any pair, so the statistic would be 0 / 0.")


# The settings of the human page: which ratings, how they are standardised, which metrics and tests.

TOGETHER = "all together"
Pairs = tuple[tuple[str, str], ...]  # of names
STANDARDS = {
    "given": "as in the file (z)",
    "all": "over all ratings",
    "ordinary": "over ratings of systems only",
    "none": "not standardised",
}
CONTROLS = {"": "keep all judges", "0.05": "p ≤ 0.05", "0.01": "p ≤ 0.01"}


def asked_of(visit: session.Visit) -> queries.HumanAsked:
    """The settings of the page; without ratings, a message is shown and the script stops."""
    if not visit.collection.ratings:
        _invite(visit)
    loaded = visit.collection.loaded()
    with st.expander(_title(visit.collection.ratings), icon=":material/tune:", expanded=False):
        whole = cache.once(data.rated, _ratings(visit), visit.collection.codes)
        judged = list(dict.fromkeys(whole.system[whole.counted].tolist()))
        called = {name: output for name, output in visit.collection.renamed.items() if name in judged}
        matched = human.match([called.get(name, name) for name in judged], [o.system for o in loaded.outputs])
        with st.container(horizontal=True, vertical_alignment="bottom"):
            standard = _standard(whole)
            dimensions = _dimensions(whole)
            control = _control(whole)
        chosen = _against(visit, queries.chosen())
        _names(visit, judged, matched)
        _upload(visit)
    renamed = cache.once(_renamed, whole, tuple(called.items()), tuple(matched.names.items()))
    return queries.HumanAsked(renamed, matched, standard, dimensions, control, *chosen)


def _title(parts: Sequence[Judgments]) -> str:
    """The heading of the settings; of several sets of ratings it names the one that is used."""
    if len(parts) < 2:
        return "Ratings, judges, metrics"
    by_name, usual = {part.name: part for part in parts}, human.most_detailed(parts)
    name = st.session_state.get("human.ratings", usual.name)
    used = TOGETHER if name == TOGETHER else f"{name}: {_extent(by_name.get(name, usual))}"
    return f"Ratings ({page.literal(used)}), judges, metrics"


def _renamed(whole: Judgments, called: Pairs, names: Pairs) -> Judgments:
    """The ratings under the names of the outputs."""
    return human.named(human.named(whole, dict(called)), dict(names))


def _invite(visit: session.Visit) -> None:
    st.info(
        "No human judgments are loaded. This page needs ratings, one per line, with judge, system, segment and score "
        "(direct assessment, Appraise, ESA); or MQM errors; or mean scores per system and segment.",
        icon=":material/how_to_vote:",
    )
    _upload(visit)
    with st.container(horizontal=True, vertical_alignment="center"):
        rated = [name for name in readers.sample_names() if readers.load_sample(name).judgments]
        inputs.sample_buttons(visit, rated)
    for problem in visit.collection.problems:
        if isinstance(problem, SigError):
            page.show(problem)
    st.stop()


def _upload(visit: session.Visit) -> None:
    key = f"sigboard.assessments.{visit.collection.version}"
    st.file_uploader(
        "Human ratings (CSV or TSV)",
        accept_multiple_files=True,
        key=key,
        on_change=uploads.take,
        args=(visit.collection, key, True),
        help="Columns: system, segment and score; optionally judge, type (SYSTEM, REPEAT, REF, BAD_REF), dimension, "
        "document and z. MQM: system, doc, doc_id, seg_id, rater, source, target, category, severity.",
    )
    if visit.collection.sample:
        st.caption("Your own ratings replace the sample. Load the outputs of the rated systems on the page Files.")


def _ratings(visit: session.Visit) -> Judgments:
    """The selected ratings, if several are loaded."""
    parts = {part.name: part for part in visit.collection.ratings}
    if len(parts) == 1:
        return next(iter(parts.values()))
    joint = [TOGETHER] if len({part.absolute for part in parts.values()}) == 1 else []
    usual, names = human.most_detailed(visit.collection.ratings), [*parts, *joint]
    name = st.selectbox(
        "ratings",
        names,
        names.index(usual.name),
        format_func=lambda name: f"{name}: {_extent(parts[name])}" if name in parts else name,
        key="human.ratings",
        persist_state="session",
    )
    if name != TOGETHER:
        return parts.get(name, usual)
    return cache.once(gathered, tuple(parts.values()))


def _extent(part: Judgments) -> str:
    """How many ratings there are, and by how many judges."""
    judges = len({*part.judge.tolist()} - {""})
    whose = f"by {count(judges, 'judge')}" if judges else "without names of judges"
    return f"{count(len(part.score), 'rating')} {whose}"


def _standard(whole: Judgments) -> str:
    available = [name for name in STANDARDS if name in human.standards(whole)]
    default = human.default_standard(whole)
    return str(
        st.selectbox(
            "standardised judges",
            available,
            index=available.index(default),
            format_func=lambda name: STANDARDS.get(name, name),
            key=f"human.standard.{whole.digest[:8]}",
            persist_state="session",
            width=230,
            help="z = (rating - mean of the judge) / standard deviation of the judge. Both are computed over all ratings, as "
            "the WMT organisers do, or over ratings of systems only. Judges with one rating, or with identical ratings, are "
            "left out and named.",
        )
    )


def _dimensions(whole: Judgments) -> tuple[str, ...]:
    rated = whole.dimensions
    if len(rated) == 1:
        return rated
    chosen = st.multiselect(
        "dimensions, in order of priority",
        rated,
        default=rated,
        key=f"human.dimensions.{whole.digest[:8]}",
        persist_state="session",
        width=330,
        help="The first dimension decides. Where it shows no significant difference, the next one decides.",
    )
    return tuple(chosen) or rated[:1]


def _control(whole: Judgments) -> float | None:
    if "degraded" not in set(whole.kind.tolist()):
        return None
    level = st.selectbox(
        "judges must rate degraded texts lower",
        list(CONTROLS),
        format_func=lambda value: CONTROLS.get(value, value),
        key="human.control",
        persist_state="session",
        width=280,
        help="Deliberately degraded texts show whether a judge pays attention. A one-sided rank-sum test compares each "
        "judge's ratings of outputs with those of degraded texts.",
    )
    return float(level) if level else None


def _against(visit: session.Visit, now: Chosen) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """The metrics with their options (those of the sidebar for its metric), and the tests."""
    titles = {m.name: m.title_of(m.chosen()) for m in metrics.members().values() if m.kind == visit.collection.kind}
    usual = [name for name in human.METRICS if name in titles] or list(titles)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.multiselect(
            "metrics",
            list(titles),
            default=usual,
            format_func=lambda name: titles.get(name, name),
            key=f"human.metrics.{visit.collection.kind}",
            persist_state="session",
            help="The options of the sidebar apply to its metric here too.",
        )
        tests = st.multiselect(
            "tests",
            [test.name for test in significance.members().values()],
            default=list(human.TESTS),
            format_func=lambda name: significance.get(name).title,
            key="human.tests",
            persist_state="session",
        )
    options = tuple((name, now.options if name == now.metric else {}) for name in chosen)
    return options, tuple(tests)


def _names(visit: session.Visit, judged: list[str], matched: human.Match) -> None:
    """A table that assigns outputs to judged systems with other names."""
    called = {name: visit.collection.renamed.get(name, "") for name in judged}
    open_names = [name for name in judged if called[name] or name in matched.judged_only]
    if not open_names or not (matched.unjudged or any(called.values())):
        return
    st.markdown("**Judged systems without an output of the same name**")
    key = f"human.names.{visit.collection.version}"
    options = ["", *dict.fromkeys([*matched.unjudged, *filter(None, called.values())])]
    st.data_editor(
        pd.DataFrame([{"judged": name, "is the output": called[name]} for name in open_names]),
        key=key,
        hide_index=True,
        disabled=["judged"],
        column_config={"is the output": st.column_config.SelectboxColumn("is the output", options=options)},
        on_change=_rename,
        args=(visit, key, open_names),
    )


def _rename(visit: session.Visit, key: str, names: list[str]) -> None:
    for row, change in st.session_state[key]["edited_rows"].items():
        visit.collection.rename_judged(names[int(row)], str(change.get("is the output") or ""))


PERSON = re.compile(r"(?:human|ref(?:erence)?)[-_. ]?(\w+)", re.IGNORECASE)
AS_SYSTEM = "The reference is scored like a system, against the other references. The page Files turns it back."


def as_systems(visit: session.Visit, judged_only: Sequence[str]) -> None:
    """A button for each judged person whose texts are one of several references: they become a system."""
    collection = visit.collection
    places = {
        named[1].casefold(): place
        for place, item in enumerate(collection.edited())
        if item.role == "reference" and (named := PERSON.fullmatch(item.name))
    }
    if len(places) < 2:
        return
    for judged in judged_only:
        named = PERSON.fullmatch(judged)
        place = places.get(named[1].casefold()) if named else None
        if place is not None:
            label = f"Score {judged} as a system"
            args = (collection, judged, place)
            st.button(page.literal(label), on_click=_as_system, args=args, icon=":material/person:", help=AS_SYSTEM)


def _as_system(collection: Collection, judged: str, place: int) -> None:
    collection.settle()
    collection.edit({place: {"role": "system"}})
    collection.settle()
    collection.rename_judged(judged, collection.items[place].name)


def about_people(people: human.People, alpha: float, notes: Sequence[str]) -> None:
    """What the first look leaves out: who judged, how to read the grids, and the notes."""
    cards(people, alpha)
    how_people(people, alpha)
    captions.notes(notes)


def about_both(visit: session.Visit, result: human.HumanResult, alpha: float, notes: Sequence[str]) -> None:
    """What the first look leaves out: the whole result in a sentence, who judged, how to read the figures, the notes."""
    st.markdown(page.literal(report.summary(result, alpha)))
    captions.bridge(visit, "Conclusions of people and of metrics are of each pair alone, as in the paper.")
    about_people(result.people, alpha, ())
    how_metrics(result, alpha)
    captions.notes(notes)


def show() -> None:
    """The page."""
    with page.question("human") as visit:
        now = queries.chosen()
        captions.context(visit)
        asked = asked_of(visit)
        judged = queries.people(asked)
        head, said = captions.head("human"), [*asked.matched.notes, *judged.notes]
        as_systems(visit, asked.matched.judged_only)
        conclusions_of_people(judged, now.alpha)
        explained = st.container()
        if not can_compare(visit, asked, judged):
            with head:
                captions.sentence(report.of_people(judged, now.alpha))
            with explained:
                page.details("human", partial(about_people, judged, now.alpha, said), len(said))
            _table(report.system_rows(judged))
            st.stop()
        st.header("Conclusions of metrics", anchor=False)
        result = queries.human_result(visit, asked, judged)
        with head:
            captions.sentence(report.headline(result) or report.of_people(judged, now.alpha))
            st.markdown(page.literal(report.beside(result, now.alpha)))
        notes = [*said, *(note for note in result.notes if note not in said)]
        with explained:
            page.details("human", partial(about_both, visit, result, now.alpha, notes), len(notes))
        conclusions_of_metrics(result, now.alpha)
        differing_metrics(result, now.alpha)
        pair.show_one(report.disagreements(result, now.alpha), "texts of a disagreement", "sigboard.human.texts")
        tables(result, now.alpha, asked)
        name = downloads.file_name("sigboard", session.file_title(visit.collection), "human", *asked.dimensions)
        download_buttons(result, now.alpha, name, downloads.warned(visit.collection))
