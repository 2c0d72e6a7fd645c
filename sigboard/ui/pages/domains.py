"""Parts of the domains page: the plan, the table of signs, the calibration, replicability, and what is saved."""

from __future__ import annotations

from typing import Any

import streamlit as st

from sigboard.reports.domains import domains_json
from sigboard.ui import captions, downloads, inputs, page, session
from sigboard.ui.pages.gain import EACH, MIXTURES
from sigboard.ui.sidebar import Chosen
from sigcore import SigError, formatting
from sigcore.studies import domains

DRAWS, MOST_DRAWS = 100, 1_000
HOME = "p is computed on this domain; on the others only the sign of the gain counts. The usual one is the largest."
SETS = "Test sets drawn from all segments with replacement. 0: none."


def plan(visit: session.Visit, now: Chosen) -> domains.Plan:
    """The home domain, the test sets to draw, and mixtures, in one row.

    Raises: SigError if the files have no domains.
    """
    domain_of = inputs.sound(visit, 2).testset.domains
    if not domain_of:
        fix = "Add a table with a column domain, one row per segment (segment, document, domain), on the data page."
        raise SigError("The loaded files do not say which domain a segment is from.", "", fix)
    names = list(dict.fromkeys(domain_of))
    usual = max(names, key=list(domain_of).count)
    ordered = [usual, *(name for name in names if name != usual)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        home = st.selectbox("home domain", ordered, key="home", bind="query-params", help=HOME, width=220)
        draws = st.number_input(
            "drawn test sets", 0, MOST_DRAWS, DRAWS, 10, key="sets", bind="query-params", help=SETS, width=170
        )
        mixed = st.toggle("mixtures (synthetic systems)", key="mixtures", bind="query-params", help=MIXTURES)
    return domains.Plan(
        domain_of=tuple(domain_of), home=home, draws=int(draws), alpha=now.alpha, mixtures=EACH if mixed else 0
    )


def head(result: domains.DomainsResult) -> None:
    """How many pairs have an effect on the domains; the calibration in a line."""
    first, *others = result.sentences
    captions.sentence(first)
    for words in others:
        st.markdown(page.literal(words))


def signs(result: domains.DomainsResult, held: domains.Held) -> None:
    """The table of the paper: a row for each bin of p, a column for each other domain."""
    cells = {(cell.low, cell.high, cell.other): cell for cell in (*held.table, *held.borderline)}
    rows = []
    for low, high in dict.fromkeys((cell.low, cell.high) for cell in (*held.table, *held.borderline)):
        own = {name: cells[low, high, name] for name in result.domains[1:]}
        first = next(iter(own.values()))
        rows.append(
            {f"p on {result.home}": f"{low:g} to {high:g}", "pairs": first.pairs}
            | {k: _share(c) for k, c in own.items()}
        )
    downloads.table(rows)
    st.caption(
        page.literal(
            f"Every pair is tested on {result.home}, turned so that its gain there is positive, and put into a bin by its p. The "
            "other columns: the share of these pairs with a positive gain there too, with an exact 95 % interval, as if pairs were "
            "independent; pairs that share a system are not, so it is too narrow. Dashed: 50 %, the share by chance."
        )
    )


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
    downloads.table(rows)


def replicability(result: domains.DomainsResult) -> None:
    """On at least how many domains a system is better, and its p on each."""
    downloads.table([_counts(result, item, written=True) for item in result.replicability])
    st.caption(
        page.literal(
            "Bonferroni and Fisher: on at least how many domains the system is better, by partial conjunction tests (Dror et al. 2017). Fisher's "
            "holds for domains that are independent of each other. The first count does not allow for several tests, and is too large. "
            "The other columns: one-sided p on each domain."
        )
    )


def _counts(result: domains.DomainsResult, item: domains.Replicated, written: bool = False) -> dict[str, Any]:
    resamples = result.setup.resamples
    p = {
        f"p on {name}": formatting.format_p(value, resamples) if written else value
        for name, value in zip(result.domains, item.p_values, strict=True)
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


def save(visit: session.Visit, result: domains.DomainsResult, now: Chosen) -> None:
    """Everything on the page as files; the JSON is that of the command."""
    name = downloads.file_name("sigboard", visit.collection.name, "domains", now.metric, now.test)
    cells = [cell.as_dict() for cell in (*result.real.table, *result.real.borderline)]
    with st.container(horizontal=True):
        downloads.csv("Signs (CSV)", cells, f"{name}_signs")
        downloads.csv(
            "Replicability (CSV)", [_counts(result, item) for item in result.replicability], f"{name}_replicability"
        )
        downloads.as_json("Everything (JSON)", lambda: domains_json(result, result.notes), name)
    with st.expander("For your paper: signature"):
        st.code(result.setup.signature, language=None, wrap_lines=True)
