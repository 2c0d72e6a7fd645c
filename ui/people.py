"""The parts of the human page: which ratings, put on one scale how, set against which metrics and tests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from reports import human as reports_human
from reports import human_latex, human_words
from sigcore import Judgments, SigError, gathered, human, metrics, readers, significance, wording
from ui import ask, downloads, frame, state, words
from ui.controls import Chosen

TOGETHER = "all together"
RENAMED, JOINT = "sigboard.ratings.renamed", "sigboard.ratings.joint"  # made once, not on every run of the script
STANDARDS = {
    "given": "as in the file (z)",
    "all": "by all ratings",
    "ordinary": "by ratings of systems only",
    "none": "not at all",
}
CONTROLS = {"": "keep everybody", "0.05": "p ≤ 0.05", "0.01": "p ≤ 0.01"}
GRIDS = 3  # grids in a row
FINE = 10**7  # people's p-values are no shares of resamples


def asked(visit: state.Visit) -> ask.HumanAsked:
    """What the person asks of the ratings that are loaded; the script ends here where there are none."""
    if not visit.judgments:
        _invite(visit)
    loaded = visit.loaded()
    with st.expander("Ratings, judges, metrics", icon=":material/tune:", expanded=False):
        whole = _ratings(visit)
        judged = list(dict.fromkeys(whole.system[whole.counted].tolist()))
        called = {name: output for name, output in visit.called.items() if name in judged}
        matched = human.match([called.get(name, name) for name in judged], [o.system for o in loaded.outputs])
        with st.container(horizontal=True, vertical_alignment="bottom"):
            standard = _standard(whole)
            dimensions = _dimensions(whole)
            control = _control(whole)
        chosen = _against(visit, ask.chosen())
        _names(visit, judged, matched)
        _upload(visit)
    renamed = _renamed(whole, called, matched.names)
    return ask.HumanAsked(renamed, matched, standard, dimensions, control, *chosen)


def _renamed(whole: Judgments, called: dict[str, str], names: dict[str, str]) -> Judgments:
    """The ratings under the names of the outputs; kept from one run of the script to the next."""
    mark = (whole.digest, tuple(called.items()), tuple(names.items()))
    held: tuple[Any, Judgments] | None = st.session_state.get(RENAMED)
    if held is None or held[0] != mark:
        held = (mark, human.named(human.named(whole, called), names))
        st.session_state[RENAMED] = held
    return held[1]


def _invite(visit: state.Visit) -> None:
    st.info(
        "No judgments of people are loaded. This page takes ratings, one per line: with judge, system, segment and score "
        "(direct assessment, Appraise, ESA), MQM errors as TSV, or mean scores per system and segment.",
        icon=":material/how_to_vote:",
    )
    _upload(visit)
    with st.container(horizontal=True, vertical_alignment="center"):
        for name in readers.sample_names():
            if readers.load_sample(name).judgments:
                title = f"Take the sample {name.replace('-', ' ')}"
                st.button(title, on_click=state.load_sample, args=(visit, name), icon=":material/dataset:")
    for problem in visit.problems:
        if isinstance(problem, SigError):
            frame.show(problem)
    st.stop()


def _upload(visit: state.Visit) -> None:
    key = f"sigboard.assessments.{visit.version}"
    st.file_uploader(
        "Ratings by people (CSV or TSV)",
        accept_multiple_files=True,
        key=key,
        on_change=_take,
        args=(visit, key),
        help="Columns system, segment and score; judge, type (SYSTEM, REPEAT, REF, BAD_REF), dimension, document and z "
        "where there are any. MQM: system, doc, doc_id, seg_id, rater, source, target, category, severity.",
    )
    if visit.sample:
        st.caption("Ratings of your own take the place of the sample; the outputs they are about go to the data page.")


def _take(visit: state.Visit, key: str) -> None:
    if st.session_state[key]:
        intake = readers.read_ratings((file.name, file.getvalue()) for file in st.session_state[key])
        visit.take(intake, "" if visit.sample else visit.name)


def _ratings(visit: state.Visit) -> Judgments:
    """The ratings looked at, where several are loaded."""
    parts = {part.name: part for part in visit.judgments}
    if len(parts) == 1:
        return next(iter(parts.values()))
    joint = [TOGETHER] if len({part.absolute for part in parts.values()}) == 1 else []
    name = st.selectbox("ratings", [*parts, *joint], key="human.ratings", persist_state="session")
    if name != TOGETHER:
        return parts.get(name, visit.judgments[0])
    mark = tuple(part.digest for part in parts.values())
    held: tuple[Any, Judgments] | None = st.session_state.get(JOINT)
    if held is None or held[0] != mark:
        held = (mark, gathered(tuple(parts.values())))
        st.session_state[JOINT] = held
    return held[1]


def _standard(whole: Judgments) -> str:
    found = [name for name in STANDARDS if name in human.standards(whole)]
    default = human.default_standard(whole)
    return str(
        st.selectbox(
            "judges on one scale",
            found,
            index=found.index(default),
            format_func=lambda name: STANDARDS.get(name, name),
            key=f"human.standard.{whole.digest[:8]}",
            persist_state="session",
            width=230,
            help="Every rating minus the mean of its judge, over the judge's standard deviation: of all ratings (as the "
            "WMT organisers do) or of those of systems only. Judges with one rating, or with all ratings the same, are "
            "left out and named.",
        )
    )


def _dimensions(whole: Judgments) -> tuple[str, ...]:
    there = whole.dimensions
    if len(there) == 1:
        return there
    found = st.multiselect(
        "what decides, in this order",
        there,
        default=there,
        key=f"human.dimensions.{whole.digest[:8]}",
        persist_state="session",
        width=330,
        help="The first dimension decides; where it sees no difference, the next one does.",
    )
    return tuple(found) or there[:1]


def _control(whole: Judgments) -> float | None:
    if "degraded" not in set(whole.kind.tolist()):
        return None
    found = st.selectbox(
        "judges must rate degraded texts lower",
        list(CONTROLS),
        format_func=lambda level: CONTROLS.get(level, level),
        key="human.control",
        persist_state="session",
        width=280,
        help="Texts made worse on purpose show whether a judge looks: a rank-sum test of each judge's ratings of outputs "
        "against those of degraded texts.",
    )
    return float(found) if found else None


def _against(visit: state.Visit, now: Chosen) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """The metrics with their options (those of the sidebar for its metric), and the tests."""
    titles = {m.name: m.title_of(m.chosen()) for m in metrics.members().values() if m.kind == visit.kind}
    usual = [name for name in human.METRICS if name in titles] or list(titles)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.multiselect(
            "metrics",
            list(titles),
            default=usual,
            format_func=lambda name: titles.get(name, name),
            key=f"human.metrics.{visit.kind}",
            persist_state="session",
            help="The options of the sidebar's metric hold here too.",
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


def _names(visit: state.Visit, judged: list[str], matched: human.Match) -> None:
    """A table in which a judged system whose name is no output's can be said to be one."""
    called = {name: visit.called.get(name, "") for name in judged}
    open_names = [name for name in judged if called[name] or name in matched.judged_only]
    if not open_names or not (matched.unjudged or any(called.values())):
        return
    st.markdown("**Judged systems without an output of that name**")
    key = f"human.names.{visit.version}"
    options = ["", *dict.fromkeys([*matched.unjudged, *filter(None, called.values())])]
    st.data_editor(
        pd.DataFrame([{"judged": name, "is the output": called[name]} for name in open_names]),
        key=key,
        hide_index=True,
        disabled=["judged"],
        column_config={"is the output": st.column_config.SelectboxColumn("is the output", options=options)},
        on_change=_call,
        args=(visit, key, open_names),
    )


def _call(visit: state.Visit, key: str, names: list[str]) -> None:
    for row, change in st.session_state[key]["edited_rows"].items():
        output = str(change.get("is the output") or "")
        taken = output in visit.called.values()
        visit.called.pop(names[int(row)], None)
        if output and not taken:
            visit.called[names[int(row)]] = output
    visit.version += 1


def _table(rows: Sequence[Mapping[str, Any]], p_values: Sequence[str] = (), form: str = "%.3f") -> None:
    """Rows with p-values as they are written ("< 0.0001") and other fractions in few decimals; the CSV has them all."""
    told = {name: {k: _p(row[name]) for k, row in enumerate(rows)} for name in p_values}
    shown = [{**row, **{name: told[name][k] for name in p_values}} for k, row in enumerate(rows)]
    fractions = [name for name in rows[0] if any(isinstance(row[name], float) for row in shown)]
    columns = {
        name: st.column_config.NumberColumn(name, format="%g" if name == "alpha" else form) for name in fractions
    }
    downloads.table(shown, **columns)


def _p(value: float) -> str:
    return "none" if math.isnan(value) else wording.format_p(value, FINE)


def cards(people: human.People, alpha: float) -> None:
    """Judges and ratings, systems, and what people tell apart."""
    judges = {judge.name for judge in people.judges if judge.name}
    kept = judges - {judge.name for judge in people.dropped}
    levels = people.levels(alpha)
    pairs = int((levels == levels).sum()) // 2
    frame.cards(
        [
            ("Judges", f"{len(kept)} of {len(judges)}" if judges else "not named", "Kept; the others are named below."),
            (
                "Ratings",
                f"{people.ratings:,}",
                f"{people.controls:,} of them are quality control and count for no system.",
            ),
            ("Judged systems", str(len(people.systems)), "All of them stand in the grids, also those without outputs."),
            ("Pairs people tell apart", f"{int((levels > 0).sum())} of {pairs}", f"At alpha {alpha:g}."),
        ]
    )


def grids_caption(people: human.People, alpha: float) -> None:
    """How to read people's grids, and what the combined one is not."""
    st.caption(
        "Row against column, best first. Blue +: the row is better; orange −: worse; stronger: p ≤ 0.01, p ≤ 0.001; grey: "
        f"no significant difference; ?: nobody rated both. {frame.literal(human_words.gold_note(people, alpha))}"
    )


def accuracy(result: human.HumanResult) -> None:
    """The accuracy table in the form of the paper's Tables 1 and 2."""
    rows = []
    for alpha in result.alphas:
        for metric, title in result.metrics.items():
            row = {"alpha": f"{alpha:g}", "metric": frame.literal(title)}
            for test, name in result.tests.items():
                row[name] = _cell(result.accuracy(metric, test, alpha))
            rows.append(row)
    st.table(pd.DataFrame(rows).set_index(["alpha", "metric"]))
    st.caption(
        f"Conclusions that agree with people's, of {len(result.pairs)} pairs: number, percent, [exact 95 % interval], "
        f"{{interval from leaving out one system at a time}}. Bold: the most at that alpha. "
        f"{human_words.why_not_chi_square()}"
    )


def _cell(cell: human.Accuracy) -> str:
    share = f"{cell.correct} · {cell.percent:.1f}"
    exact = f"[{cell.low:.1f}, {cell.high:.1f}]"
    by_system = "{none}" if math.isnan(cell.system_low) else f"{{{cell.system_low:.1f}, {cell.system_high:.1f}}}"
    # on a narrow screen a cell breaks between its parts, not inside them
    parts = [part.replace(" ", "\u00a0") for part in (share, exact, by_system)]
    return " ".join([f"**{parts[0]}**" if cell.best else parts[0], *parts[1:]])


def metrics_caption() -> None:
    """How to read the small grids."""
    st.caption(
        "One small grid per metric, in people's order: what its one-sided test concludes in either direction, uncorrected "
        "as in the paper (the sidebar's sides and correction do not count here). A cross marks a pair of which people "
        "conclude otherwise."
    )


def tables(result: human.HumanResult, alpha: float) -> None:
    """Everything behind the figures, as tables."""
    people = result.people
    names = ["Do the metrics differ?", "Pairs", "Systems", "Judges"]
    differ, pairs, systems, judges = st.tabs(names)
    with differ:
        _table(
            reports_human.difference_rows(result),
            ("chi_square_p", "cochran_q_p", "smallest_mcnemar_p"),
        )
        st.caption("None: no pair of systems tells the columns apart, so the statistic would be 0 / 0.")
    with pairs:
        each = [name for dimension in people.dimensions for name in (f"{dimension} p", f"{dimension} p other way")]
        _table(reports_human.pair_rows(result, alpha), each)
    with systems:
        system_table(people)
    with judges:
        _table(reports_human.judge_rows(people), ("p degraded lower",), "%.1f")
        st.caption(
            "mean and sd are what the ratings were put on one scale with; p degraded lower is small where a judge rates "
            "texts made worse on purpose lower than outputs."
        )


def system_table(people: human.People) -> None:
    """People's scores of every judged system."""
    _table(reports_human.system_rows(people))


def verdict(result: human.HumanResult, alpha: float) -> None:
    """The sentence this page is about."""
    words.sentence(human_words.summary(result, alpha))


def hand_out(result: human.HumanResult, alpha: float, name: str) -> None:
    """Everything to take away: the paper's table and figure, rows, JSON."""
    with st.container(horizontal=True):
        downloads.as_text("Table (LaTeX)", human_latex.accuracy_table(result), f"{name}_table.tex")
        downloads.as_text("Figure (LaTeX)", human_latex.figure(result, alpha), f"{name}_figure.tex")
        downloads.csv("Accuracy (CSV)", reports_human.accuracy_rows(result), f"{name}_accuracy")
        downloads.csv("Pairs (CSV)", reports_human.pair_rows(result, alpha), f"{name}_pairs")
        downloads.csv("McNemar (CSV)", reports_human.mcnemar_rows(result), f"{name}_mcnemar")
        downloads.csv("Segment scores (CSV)", reports_human.segment_rows(result.people), f"{name}_segments")
        downloads.as_json("Everything (JSON)", reports_human.human_json(result), name)
    with st.expander("For your paper: methods sentence and signature"):
        st.code(human_words.methods(result), language=None, wrap_lines=True)


def against_something(visit: state.Visit, asked: ask.HumanAsked, people: human.People) -> bool:
    """Whether there are outputs, metrics and tests to set against people; where not, what is missing is told."""
    loaded = visit.loaded()
    both = set(people.systems) & {outputs.system for outputs in loaded.outputs}
    if not asked.metrics or not asked.tests:
        what = "Choose at least one metric and one test above."
    elif not loaded.outputs:
        what = "Only the ratings are loaded. Load a reference and the outputs of the judged systems on the data page."
    elif len(both) < 2:
        what = "Fewer than two systems have both an output and ratings under the same name; the names can be matched above."
    else:
        return True
    st.info(what, icon=":material/info:")
    return False


def own_notes(result: human.HumanResult, asked: ask.HumanAsked, people: human.People) -> None:
    """What is worth knowing about the metrics' side; people's was told above."""
    told = {*asked.matched.notes, *people.notes}
    words.notes([note for note in result.notes if note not in told])
