"""Will it hold elsewhere? Signs on other domains, the calibration on drawn test sets, and replicability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import streamlit as st

from sigboard.questions.domains import figure
from sigboard.questions.domains.report import domains_json
from sigboard.render.style import finished
from sigboard.server import cache
from sigboard.shell import captions, downloads, inputs, page, plans, queries, session
from sigboard.shell.plans import EACH, MIXTURES, threshold_cells
from sigboard.shell.settings import Chosen
from sigcore import formatting
from sigcore.studies import domains, gain

# Parts of the domains page: the plan, the table of signs, the calibration, replicability, and what is saved.

DRAWS, MOST_DRAWS = 100, 1_000
HOME = "p is computed on this domain; on the others only the sign of the gain counts. The usual one is the largest."
BY = {"domain": "column domain", "document": "documents", "testset": "loaded test sets"}
SETS = "Test sets drawn from all segments with replacement. 0: none."
NO_DOMAINS = (
    "The loaded files do not say which domain a segment is from. Add a table with a column domain, one row per segment "
    "(segment, document, domain), or another test set with the same systems."
)


def chosen_plan(visit: session.Visit, now: Chosen) -> domains.DomainsPlan:
    """What the domains are, the home domain, the test sets to draw, and mixtures, in one row; files without domains end the
    page with what is missing."""
    offered = _offered(visit)
    if not offered:
        inputs.invite(NO_DOMAINS, icon=":material/travel_explore:", label="Add files")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by = st.selectbox(
            "domains are", list(offered), format_func=lambda name: BY[name], key="by", bind="query-params", width=170
        )
        by = by or next(iter(offered))
        sizes = offered[by]
        usual = max(sizes, key=lambda name: sizes[name])
        ordered = [usual, *(name for name in sizes if name != usual)]
        home = st.selectbox("home domain", ordered, key="home", bind="query-params", help=HOME, width=200)
        draws = st.number_input(
            "drawn test sets", 0, MOST_DRAWS, DRAWS, 10, key="drawn", bind="query-params", help=SETS, width=170
        )
        mixed = st.toggle("mixtures (synthetic systems)", key="mixtures", bind="query-params", help=MIXTURES)
    testset = inputs.sound(visit, 2).testset
    domain_of = {"domain": testset.domains, "document": testset.documents, "testset": ()}[by]
    many = EACH if mixed else 0
    return domains.DomainsPlan(tuple(domain_of), home or usual, int(draws), alpha=now.alpha, mixtures=many)


def _offered(visit: session.Visit) -> dict[str, dict[str, int]]:
    """What the domains can be, and the number of segments of each; the column of domains first, if there is one."""
    testset = inputs.sound(visit, 2).testset
    others = plans.others(visit)
    found = {"domain": Counter(testset.domains), "document": Counter(testset.documents)}
    if others:
        sets = {name: plans.loaded_sets(visit, name).testset.n for name in others}
        found["testset"] = Counter({visit.collection.testset: testset.n} | sets)
    return {name: sizes for name, sizes in found.items() if len(sizes) > 1 and all(map(str.strip, sizes))}


def draw_head(result: domains.DomainsResult) -> None:
    """How many pairs have an effect on the domains; the calibration in a line."""
    first, *others = result.sentences
    captions.sentence(first)
    for words in others:
        st.markdown(page.literal(words))
    captions.bridge(session.visit(), "Each pair is tested alone on each domain, as in the paper.")


def signs(result: domains.DomainsResult, held: domains.Held) -> None:
    """The table of the paper: a row for each bin of p, a column for each other domain."""
    (_, bins), (head, borderline) = held.titled
    downloads.small(_rows(result.home, bins))
    st.markdown(head)
    downloads.small(_rows(result.home, borderline))
    st.caption(
        page.literal(
            f"Every pair is tested on {result.home}, turned so that its gain there is positive, and put into a bin by its p. The "
            "other columns: the share of these pairs with a positive gain there too, with an exact 95 % interval, as if pairs were "
            "independent; pairs that share a system are not, so it is too narrow. Dashed: 50 %, the share by chance."
        )
    )


def _rows(home: str, cells: Sequence[domains.Cell]) -> list[dict[str, Any]]:
    return [
        {f"p on {home}": words, "pairs": own[0].pairs} | {cell.other: _share(cell) for cell in own}
        for words, own in domains.bins_of(cells)
    ]


def calibration_caption(result: domains.DomainsResult) -> None:
    """What the calibration is, and what it is not."""
    setup = result.setup
    held = result.real.calibration
    drawn = f"{held.draws:,} test sets of {held.segments:,} segments were drawn from all segments. " if held else ""
    st.caption(
        page.literal(
            f"{drawn}Test: {setup.test_title}, {captions.SIDED[setup.side]}, {formatting.format_draws(setup.resamples, setup.seed)}. Every pair "
            "is tested on each; its sign on all segments is the truth. Bars: exact 95 % intervals, as if tests were independent; tests on "
            "one test set are not, so they are too narrow. This share is not 1 - p: it depends on how many of the pairs really differ."
        )
    )


def calibration(held: domains.Held) -> None:
    """The bins of the calibration as a table."""
    if held.calibration is None:
        return
    rows = []
    for item in held.calibration.bins:
        numbers = item.as_dict()
        share = "n/a" if not item.pairs else f"{numbers['percent']:.1f} %"
        interval = "" if not item.pairs else f"[{numbers['low_ci']:.1f} %, {numbers['high_ci']:.1f} %]"
        rows.append(
            {"p": f"{item.low:g} to {item.high:g}", "tests": item.pairs, "agree": share, "95 % interval": interval}
        )
    downloads.small(rows)


def replicability(result: domains.DomainsResult) -> None:
    """On at least how many domains a system is better, and its p on each."""
    downloads.small([_counts(result, item, written=True) for item in result.replicability])
    st.caption(
        page.literal(
            "Bonferroni and Fisher: on at least how many domains the system is better, by partial conjunction tests (Dror et al. 2017). Fisher's "
            "holds for domains that are independent of each other. The first count does not allow for several tests, and is too large. "
            "The other columns: one-sided p on each domain."
        )
    )


def _counts(result: domains.DomainsResult, item: domains.Replicated, written: bool = False) -> dict[str, Any]:
    resamples = result.setup.resamples
    few = len(result.domains) <= domains.MOST + 1 or not written  # more columns are in the files only
    p = {
        f"p on {name}": formatting.format_p(value, resamples) if written else value
        for name, value in zip(result.domains, item.p_values, strict=True)
        if few
    }
    return {
        "system": item.system,
        "baseline": item.baseline,
        f"p ≤ {result.alpha:g}": item.significant,
        "Bonferroni": item.bonferroni,
        "Fisher": item.fisher,
        **p,
    }


def _share(cell: domains.Cell) -> str:
    if not cell.pairs:
        return "n/a"
    numbers = cell.as_dict()
    return f"{numbers['same_sign_percent']:.0f} % [{numbers['low_ci']:.0f}, {numbers['high_ci']:.0f}]"


def by_domain(result: domains.DomainsResult) -> None:
    """The threshold of every class on every domain, or why there is none."""
    rows = []
    for name, item in result.sizes:
        rows.append(
            {
                "domain": name,
                "class": item.pair_class,
                "borderline pairs": item.threshold.n,
                **threshold_cells(item, result.setup),
            }
        )
    downloads.small(rows)
    least = min(result.segments)
    st.caption(
        page.literal(
            f"All pairs on the first {formatting.count(least, 'segment')} of every domain, as many as the smallest has (Berg-Kirkpatrick et al. 2012, "
            f"Figure 11). Threshold: the 95th percentile of the gains of pairs with p from {gain.P_LOW:g} to {gain.P_HIGH:g}; with fewer than "
            f"{gain.LEAST_PAIRS} such pairs there is none. Vertical lines: thresholds, dotted of mixtures."
        )
    )


def save(visit: session.Visit, result: domains.DomainsResult, now: Chosen) -> None:
    """Everything on the page as files; the JSON is that of the command."""
    name = downloads.file_name("sigboard", visit.collection.name, "domains", now.metric, now.test)
    with st.container(horizontal=True):
        downloads.csv(
            "Signs (CSV)",
            lambda: [
                {"part": part} | cell.as_dict()
                for part, cells in (("bins", result.real.table), ("borderline", result.real.borderline))
                for cell in cells
            ],
            f"{name}_signs",
        )
        downloads.csv(
            "Replicability (CSV)",
            lambda: [_counts(result, item) for item in result.replicability],
            f"{name}_replicability",
        )
        downloads.as_json("Everything (JSON)", lambda: domains_json(result, result.notes), name)
    with st.expander("For your paper: signature"):
        st.code(result.setup.signature, language=None, wrap_lines=True)


def show() -> None:
    """The page."""
    with page.question("domains") as visit:
        now = queries.chosen()
        captions.context(visit)
        inputs.ready(visit)
        head = st.container()
        plan = chosen_plan(visit, now)
        result = plans.over_domains(visit, plan)
        with head:
            draw_head(result)
        theme, phone = page.theme(), page.phone()
        names = ["Other domains", "Drawn test sets", "Thresholds", "Replicability"]
        others, drawn, curves, counts = st.tabs(names, key="sigboard.elsewhere", on_change="rerun")
        if others.open:
            with others:
                for mixed, held in enumerate(filter(None, (result.real, result.mixed))):
                    if mixed:
                        st.subheader("Mixtures (synthetic systems)", anchor=False)
                    page.chart(
                        cache.once(finished, figure.signs, result, bool(mixed), theme, phone),
                        key=f"sigboard.signs.{mixed}",
                        alt=figure.signs_alt(result, bool(mixed)),
                    )
                    signs(result, held)
        if drawn.open:
            with drawn:
                page.chart(
                    cache.once(finished, figure.calibration, result, theme, phone),
                    key="sigboard.calibration",
                    alt=figure.calibration_alt(result),
                )
                calibration_caption(result)
                for held in filter(None, (result.real, result.mixed)):
                    calibration(held)
        if curves.open:
            with curves:
                page.chart(
                    cache.once(finished, figure.curves, result, now.alpha, theme, phone),
                    key="sigboard.curves",
                    alt=figure.curves_alt(result),
                )
                by_domain(result)
        if counts.open:
            with counts:
                replicability(result)
        captions.notes(result.notes)
        save(visit, result, now)
