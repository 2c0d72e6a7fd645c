"""Will it hold elsewhere? Signs on other domains, the calibration on drawn test sets, and replicability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, partial

import streamlit as st

from sigboard.questions.domains import figure
from sigboard.questions.domains.report import domains_json, headline, share
from sigboard.render.style import finished
from sigboard.server import cache
from sigboard.shell import captions, downloads, inputs, page, pair, plans, queries, session
from sigboard.shell.plans import EACH, MIXTURES, threshold_cells
from sigboard.shell.settings import Chosen
from sigcore import Collection, formatting, readers
from sigcore.results import Row
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
        inputs.invite(visit, NO_DOMAINS, icon=":material/travel_explore:", label="Add files", samples=with_domains())
    with st.container(horizontal=True, vertical_alignment="bottom", key="sigboard.domains.plan"):
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


def with_domains() -> list[str]:
    """The samples that say which domain each segment is from."""
    return [name for name in readers.sample_names() if _has_domains(name)]


@lru_cache
def _has_domains(name: str) -> bool:
    sample = Collection()
    sample.add_sample(name)
    testset = sample.loaded().testset
    return testset is not None and len({*testset.domains}) > 1


def _offered(visit: session.Visit) -> dict[str, dict[str, int]]:
    """What the domains can be, and the number of segments of each; the column of domains first, if there is one."""
    testset = inputs.sound(visit, 2).testset
    others = plans.others(visit)
    found = {"domain": Counter(testset.domains), "document": Counter(testset.documents)}
    if others:
        sets = {name: plans.loaded_sets(visit, name).testset.n for name in others}
        found["testset"] = Counter({visit.collection.testset: testset.n} | sets)
    return {name: sizes for name, sizes in found.items() if len(sizes) > 1 and all(map(str.strip, sizes))}


def signs(result: domains.DomainsResult) -> None:
    """The figure and the table of the paper: a row for each bin of p, a column for each other domain; then of mixtures."""
    for mixed, held in enumerate(filter(None, (result.real, result.mixed))):
        if mixed:
            st.subheader("Mixtures (synthetic systems)", anchor=False)
        page.plot(f"sigboard.signs.{mixed}", figure.signs, figure.signs_alt, result, bool(mixed), compact=page.phone())
        (_, bins), (head, borderline) = held.titled
        downloads.small(_rows(result.home, bins))
        st.markdown(head)
        downloads.small(_rows(result.home, borderline))
        page.caption(
            f"Every pair is tested on {result.home}, turned so that its gain there is positive, and put into a bin by its p. The "
            "other columns: the share of these pairs with a positive gain there too, with an exact 95% interval, as if pairs were "
            "independent; pairs that share a system are not, so it is too narrow. Dashed: 50%, the share by chance."
        )


def _rows(home: str, cells: Sequence[domains.Cell]) -> list[Row]:
    return [
        {f"p on {home}": words, "pairs": own[0].pairs, **{cell.other: share(cell) for cell in own}}
        for words, own in domains.bins_of(cells)
    ]


def calibration(result: domains.DomainsResult) -> None:
    """The calibration, what it is and what it is not, and its bins as tables."""
    page.plot("sigboard.calibration", figure.calibration, figure.calibration_alt, result, compact=page.phone())
    setup, held = result.setup, result.real.calibration
    drawn = f"{held.draws:,} test sets of {held.segments:,} segments were drawn from all segments. " if held else ""
    page.caption(
        f"{drawn}Test: {setup.test_title}, {captions.SIDED[setup.side]}, {formatting.format_draws(setup.resamples, setup.seed)}. Every pair "
        "is tested on each; its sign on all segments is the truth. Bars: exact 95% intervals, as if tests were independent; tests on "
        "one test set are not, so they are too narrow. This share is not 1 - p: it depends on how many of the pairs really differ."
    )
    for part in filter(None, (result.real, result.mixed)):
        if part.calibration is not None:
            downloads.small([_bin(item) for item in part.calibration.bins])


def _bin(item: domains.Bin) -> Row:
    numbers = item.as_dict()
    return {
        "p": f"{item.low:g} to {item.high:g}",
        "tests": item.pairs,
        "agree": f"{numbers['percent']:.1f}%" if item.pairs else "n/a",
        "95% interval": f"[{numbers['low_ci']:.1f}%, {numbers['high_ci']:.1f}%]" if item.pairs else "",
    }


def replicability(result: domains.DomainsResult) -> None:
    """On at least how many domains a system is better, and its p on each."""
    downloads.small([_counts(result, item, written=True) for item in result.replicability])
    page.caption(
        "Bonferroni and Fisher: on at least how many domains the system is better, by partial conjunction tests (Dror et al. 2017). Fisher's "
        "holds for domains that are independent of each other. The first count does not allow for several tests, and is too large. "
        "The other columns: one-sided p on each domain."
    )


def _counts(result: domains.DomainsResult, item: domains.Replicated, written: bool = False) -> Row:
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


def thresholds(result: domains.DomainsResult, alpha: float) -> None:
    """The threshold of every class on every domain, or why there is none."""
    page.chart(
        cache.once(finished, figure.curves, result, alpha, page.theme(), page.phone()),
        key="sigboard.curves",
        alt=figure.curves_alt(result),
    )
    downloads.small(
        [
            {
                "domain": name,
                "class": item.pair_class,
                "borderline pairs": item.threshold.n,
                **threshold_cells(item, result.setup),
            }
            for name, item in result.sizes
        ]
    )
    least = min(result.segments)
    page.caption(
        f"All pairs on the first {formatting.count(least, 'segment')} of every domain, as many as the smallest has (Berg-Kirkpatrick et al. 2012, "
        f"Figure 11). Threshold: the 95th percentile of the gains of pairs with p from {gain.P_LOW:g} to {gain.P_HIGH:g}; with fewer than "
        f"{gain.LEAST_PAIRS} such pairs there is none. Vertical lines: thresholds, dotted of mixtures."
    )


def save(visit: session.Visit, result: domains.DomainsResult, now: Chosen) -> None:
    """Everything on the page as files; the JSON is that of the command."""
    name = downloads.file_name("sigboard", session.file_title(visit.collection), "domains", now.metric, now.test)
    parts = (("bins", result.real.table), ("borderline", result.real.borderline))
    said = downloads.warned(visit.collection, result.notes)
    with st.container(horizontal=True):
        downloads.csv(
            "Signs (CSV)",
            lambda: [{"part": part} | cell.as_dict() for part, cells in parts for cell in cells],
            f"{name}_signs",
        )
        downloads.csv(
            "Replicability (CSV)",
            lambda: [_counts(result, item) for item in result.replicability],
            f"{name}_replicability",
        )
        downloads.as_json("Everything (JSON)", lambda: domains_json(result, said), name)
    with st.expander("For your paper: signature"):
        st.code(result.setup.signature, language=None, wrap_lines=True)


def explained(visit: session.Visit, result: domains.DomainsResult) -> None:
    """What the first look leaves out: all counts, the drawn test sets in words, and the notes."""
    for words in result.sentences:
        st.markdown(page.literal(words))
    captions.bridge(visit, "Each pair is tested alone on each domain, as in the paper.")
    captions.notes(result.notes)


def show() -> None:
    """The page."""
    with page.question("domains") as visit:
        now = queries.chosen()
        captions.context(visit)
        inputs.ready(visit)
        head = captions.head("domains")
        plan = chosen_plan(visit, now)
        place = st.container()  # above the progress of the job, so that the figure does not move when that is gone
        result = plans.over_domains(visit, plan)
        with head:
            captions.sentence(headline(result))
            page.caption(
                f"Partial conjunction tests by Bonferroni, alpha {result.alpha:g}, not corrected for the pairs."
            )
        parts = {
            "Other domains": lambda: signs(result),
            "Drawn test sets": lambda: calibration(result),
            "Thresholds": lambda: thresholds(result, now.alpha),
            "Replicability": lambda: replicability(result),
        }
        with place:
            page.tabs("sigboard.elsewhere", parts)
        by = st.session_state.get("by")
        if by in ("domain", "document"):
            pair.offer(captions.systems(visit), queries.best_first(visit))
            pair.show_part(result.domains, by, "sigboard.domains.texts")
        page.details("domains", partial(explained, visit, result), len(result.notes))
        save(visit, result, now)
