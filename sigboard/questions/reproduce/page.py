"""Does the paper's claim hold here? A paper, a claim, and the printed number beside that of the data, with the figure."""

from __future__ import annotations

import streamlit as st

from sigboard.questions.reproduce import figure, report
from sigboard.server import jobs
from sigboard.shell import captions, downloads, inputs, page, queries, session, settings
from sigcore.studies import enough, reproduce

STARTED = "sigboard.reproduce.started"  # the slow claims that this visit has asked for
SHARED = "sigboard.reproduce.shared"  # the studies that claims share, by data and draws
SAMPLE, LOADED = "sample", "loaded"
MOST_SHARED = 2  # sets of data whose studies are remembered
SLOW = "This claim tunes systems, which takes minutes. It runs when you press the button."
LISTED = "All claims, with the stored results on the samples: docs/reproduce.md, or `sigboard reproduce --list`."


def show() -> None:
    """Draw the page."""
    with page.question("reproduce") as visit:
        claim = chosen_claim()
        material = chosen_data(visit, claim)
        now = queries.chosen()
        resamples = enough.fixed(now.resamples)
        key = queries.key_of("reproduce", claim.id, material, resamples, now.seed)
        st.header(page.literal(claim.title), anchor=False)
        page.caption(f"{claim.paper}, {claim.place}. {claim.origin}")
        if claim.slow and key not in st.session_state.get(STARTED, set()) and not jobs.jobs().has(key):
            page.caption(SLOW)
            st.button("Run the claim", on_click=start, args=(key,), type="primary", icon=":material/play_arrow:")
            return
        runtime = queries.running()
        shared = shared_studies(queries.key_of("bench", material, resamples, now.seed))

        def work(job: jobs.Job) -> reproduce.Outcome:
            bench = reproduce.Bench(material, resamples=resamples, seed=now.seed, runtime=runtime(job), done=shared)
            return reproduce.run(claim, bench)

        outcome = jobs.result(key, work)
        drawn(outcome)


def chosen_claim() -> reproduce.Claim:
    """The claim, after the paper and the figure or table."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        paper = settings.choose(
            "paper", reproduce.PAPERS, label="paper", width=270, help="The papers whose claims can be run."
        )
        own = [claim for claim in reproduce.CLAIMS if claim.id.startswith(f"{paper}-")]
        places = {claim.place: claim.place for claim in own}
        help = "The figure, table or section that has the claim."
        place = settings.choose("place", places, label="figure or table", width=270, help=help)
        titles = {claim.id: claim.title for claim in own if claim.place == place}
        name = settings.choose("claim", titles, label="claim", width=560, help="What the paper says there.")
    return reproduce.get(name)


def chosen_data(visit: session.Visit, claim: reproduce.Claim) -> reproduce.Material | None:
    """The loaded files, or None for the sample of the claim; a choice only where files other than a sample are loaded."""
    collection = visit.collection
    if claim.needs == "nothing" or not collection.items or collection.sample:
        return None
    data = {LOADED: "the loaded files", SAMPLE: "the project's sample"}
    if settings.choose("on", data, label="data", width=270, help="What the claim is run on.") == SAMPLE:
        return None
    return reproduce.of_collection(collection, session.title(collection), inputs.sound(visit, 2))


def start(key: str) -> None:
    """Note that this slow claim was asked for."""
    st.session_state.setdefault(STARTED, set()).add(key)


def shared_studies(key: str) -> dict[str, object]:
    """What claims of these data and draws have computed in this visit; the oldest data are forgotten."""
    known: dict[str, dict[str, object]] = st.session_state.setdefault(SHARED, {})
    found = known.setdefault(key, {})
    while len(known) > MOST_SHARED:
        known.pop(next(name for name in known if name != key))
    return found


def drawn(outcome: reproduce.Outcome) -> None:
    """The verdict, both numbers, the figure, why they can differ, the table and the files."""
    claim = outcome.claim
    captions.sentence(f"{outcome.verdict}.")
    printed = "none printed" if claim.printed is None else reproduce.with_unit(claim.printed, claim.unit)
    page.cards(
        [
            ("paper", printed, claim.origin),
            (f"here: {outcome.data}", report.ours(outcome), outcome.found.interval or "95% interval"),
            ("conclusion", report.CONCLUSIONS[outcome.found.same], claim.rule),
        ]
    )
    if outcome.found.panels:
        page.plot("sigboard.reproduce", figure.drawn, figure.alt_text, outcome, compact=page.phone())
    st.markdown(page.literal(f"Rule: {claim.rule} Here: {outcome.found.said}"))
    st.markdown(page.literal(f"Why it can differ: {outcome.why}"))
    if outcome.found.rows:
        downloads.table([{name: report.cell(value) for name, value in row.items()} for row in outcome.found.rows])
    captions.notes(outcome.notes)
    name = downloads.file_name("sigboard", "reproduce", claim.id)
    with st.container(horizontal=True):
        downloads.csv("Table (CSV)", lambda: report.table_rows([outcome]), name)
        downloads.as_json("Everything (JSON)", lambda: report.outcomes_json([outcome], ()), name)
    page.caption(LISTED)
