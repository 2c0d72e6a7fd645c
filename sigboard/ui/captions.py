"""Cards, verdicts, captions and notes of the pages; names are always shown literally."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st

from sigboard.reports import sentences
from sigboard.ui import page, queries, session, sidebar
from sigboard.ui.sidebar import Chosen
from sigcore import (
    PLANNED,
    CompareResult,
    Family,
    GainResult,
    MatrixResult,
    Missing,
    Setup,
    TestResult,
    data,
    formatting,
    metrics,
    verdicts,
)
from sigcore.types import DOCUMENT

gain_summary, matrix_summary = verdicts.gain_summary, verdicts.matrix_summary
NO_VERDICT = formatting.NO_VERDICT

DESIGN_EFFECT = (
    "The variance of a gain when whole units are resampled, divided by its variance if segments were independent. For "
    "several pairs: the median, with the smallest and the largest in brackets."
)

AFTER_CHOICE = (
    "The data decide which system of a pair comes first, so these one-sided tests reject a true null about twice as often "
    "as alpha says. "
)


def systems(visit: session.Visit) -> list[str]:
    """The names of all systems, as loaded."""
    return [outputs.system for outputs in visit.collection.loaded().outputs]


def context(visit: session.Visit, missing: Missing | None = None) -> None:
    """One line: the test set of the page, and whether there are errors in its files."""
    if not visit.collection.items:
        return
    loaded = visit.collection.loaded(missing)
    parts = []
    if visit.collection.sample:
        parts.append(f"Sample **{page.literal(visit.collection.name)}**")
    elif visit.collection.name:
        parts.append(f"**{page.literal(visit.collection.name)}**")
    if loaded.testset is not None:
        references = len(loaded.testset.references)
        parts += [f"{len(loaded.outputs)} systems", f"{loaded.testset.n:,} segments"]
        parts += [f"{references} reference" + "s" * (references > 1)] if references else []
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(" · ".join(parts), width="content")
        st.page_link(
            "pages/data.py",
            label="Your own files" if visit.collection.sample else "Files",
            icon=":material/upload_file:",
            width="content",
        )
    errors = loaded.of("error")
    if errors and loaded.ready:
        first = "The first: " if len(errors) > 1 else ""
        st.warning(
            f"{formatting.count(len(errors), 'error')} in the files. {first}{page.literal(errors[0].what)} "
            "Details are on the data page.",
            icon=":material/warning:",
        )
    _tokenizer_warning(loaded, queries.chosen())


def _tokenizer_warning(loaded: data.Loaded, now: Chosen) -> None:
    """A warning if the metric splits words at blanks and the language is written without them."""
    if loaded.testset is None or not loaded.testset.references or now.options.keys() & {"tokenize", "language"}:
        return
    if any(option.name == "tokenize" for option in metrics.get(now.metric).options):
        language, tokenizer = data.writing(loaded.testset.references[0])
        if language:
            st.warning(
                f"The references appear to be {language}, and the default tokenizer does not separate the words of such "
                f"text. In the sidebar, under the metric's options, set tokenize to {tokenizer}.",
                icon=":material/warning:",
            )


def sentence(text: str) -> None:
    """The main sentence of a page, in large type."""
    st.markdown(f"#### {page.literal(text)}")


def matrix_cards(result: MatrixResult, alpha: float) -> None:
    """How many pairs differ, the smallest gain that is significant, the best system, the resolution of p."""
    upper = np.triu(result.levels(alpha) != 0, k=1)
    pairs = len(result.systems) * (len(result.systems) - 1) // 2
    real = np.abs(result.gains[upper])
    no_verdict = result.setup.no_verdict(alpha)
    undecided = int(np.triu(result.undecided(alpha), k=1).sum())
    page.cards(
        [
            (
                "Pairs that differ",
                NO_VERDICT if no_verdict else f"{int(upper.sum())} of {pairs}",
                "Significant at alpha after the correction.",
            ),
            (
                "Smallest significant gain",
                f"{formatting.format_size(real.min(), result.setup.decimals)} {result.setup.metric_title}"
                if len(real)
                else NO_VERDICT
                if no_verdict
                else "none",
                "The smallest gain among the pairs that differ significantly.",
            ),
            (
                "Needs more resamples",
                NO_VERDICT if no_verdict else f"{undecided} of {pairs}",
                "Pairs whose corrected p is so close to alpha that more resamples could change the verdict.",
            ),
            _smallest_p(result),
        ]
    )


def _smallest_p(result: MatrixResult) -> tuple[str, str, str]:
    """The card with the smallest p that the resamples can give."""
    title, resamples = "Smallest possible p", result.setup.resamples
    if not resamples:
        return title, "exact", "This test computes p without resampling."
    least = formatting.format_p(result.setup.least_p, resamples)
    return title, least, "The smallest p, corrected as in the grid, that R resamples can give."


def compare_cards(result: CompareResult, now: Chosen, family: Family = PLANNED) -> None:
    """Both scores, the gain with its interval, and p, adjusted where its family is."""
    raw = result.result(now.test, now.settings.side)
    one = family.decides(raw)
    name = "p, " if one is raw else f"Adjusted p ({family.correction_title}), "
    low, high = (
        formatting.format_interval(result.interval, result.setup.decimals),
        formatting.format_p_interval(one.p_interval, one.setup.resamples),
    )
    spread = [formatting.format_interval(interval, result.setup.decimals) for interval in result.score_intervals]
    share = f"{result.setup.level:.0%}"
    title = result.setup.metric_title
    page.cards(
        [
            (
                title + ", system",
                formatting.format_score(result.scores[0], result.setup.decimals),
                f"{share} interval {spread[0]}",
            ),
            (
                title + ", baseline",
                formatting.format_score(result.scores[1], result.setup.decimals),
                f"{share} interval {spread[1]}",
            ),
            (
                "Gain",
                formatting.format_gain(result.gain, result.setup.decimals),
                f"{share} percentile interval of the gain: {low}",
            ),
            (
                name + one.setup.test_title,
                formatting.format_p(one.p_value, one.setup.resamples, one.p_interval[1]),
                f"95% Monte Carlo interval of p: {high}. {_counted(one)}",
            ),
        ]
    )


def _counted(one: TestResult) -> str:
    """What p was counted on: 2,351 of 10,000 bootstrap resamples, doubled for the two sides."""
    if math.isnan(one.p_value):
        return "This test gives no p-value here."
    if one.exact:
        return "p is exact."
    doubled = verdicts.DOUBLED if one.doubled else ""
    return f"{one.tail:,} of {one.setup.resamples:,} {one.counted}{doubled}."


def gain_cards(result: GainResult, alpha: float) -> None:
    """The smallest significant gain and the largest one that is not."""
    real, other = result.significant(alpha), result.not_significant(alpha)
    no_verdict = result.setup.no_verdict(alpha)

    def size(gain: float) -> str:
        return formatting.format_size(gain, result.setup.decimals)

    none = NO_VERDICT if no_verdict else "none"
    page.cards(
        [
            ("Pairs", str(len(result.gains)), ""),
            (
                "Significant, uncorrected",
                NO_VERDICT if no_verdict else str(int(real.sum())),
                "The p-values on this page are not corrected for the number of pairs.",
            ),
            ("Smallest significant gain", size(result.gains[real].min()) if real.any() else none, ""),
            (
                "Largest non-significant gain",
                size(result.gains[other].max()) if other.any() else none,
                "",
            ),
        ]
    )


def caption(result: MatrixResult | CompareResult | GainResult, more: str = "") -> None:
    """The data and settings behind a figure."""
    setup = result.setup
    drawn = formatting.format_units(setup.n, setup.unit, setup.segments)
    effects = result.design_effects
    effect = f", design effect {formatting.format_effect(effects)}" if effects else ""
    st.caption(
        page.literal(f"n = {drawn}{effect}, {formatting.format_draws(setup.resamples, setup.seed)}. ") + more,
        help=DESIGN_EFFECT if effects else None,
    )
    _other_unit(setup)


def _other_unit(setup: Setup) -> None:
    """A button that resamples documents instead of segments, or segments instead of documents, where there are any."""
    if session.visit().collection.has_documents:
        other = "segment" if setup.unit == DOCUMENT else "document"
        st.button(
            f"Resample {other}s instead",
            on_click=lambda: st.session_state.update(unit=other),
            type="tertiary",
            icon=":material/swap_horiz:",
            help=sidebar.HELP["unit"],
        )


def compare_caption(result: CompareResult) -> None:
    """What the histograms show."""
    caption(
        result,
        "Each histogram shows the gains on the resamples of one test. Blue: resamples that count towards p. Solid line: "
        "the observed gain. Dashed lines: the other cut-offs.",
    )


def gain_caption(result: GainResult) -> None:
    """What the scatterplot shows, and what is wrong with one-sided tests of pairs that are ordered by their gain."""
    after = "" if result.setup.side == "two-sided" else AFTER_CHOICE
    caption(
        result,
        "Each point is a pair, with the better system first, so that its gain is not negative. Confidence = 1 - p, "
        f"uncorrected; it is not the probability that the gain is real. {after}Click a point to compare the pair.",
    )


def notes(messages: Sequence[str], result: MatrixResult | None = None, alpha: float = 0.05) -> None:
    """The notes on the numbers of a page, and the key to the colours of a grid."""
    if messages:
        st.info("\n\n".join(page.literal(note) for note in messages), icon=":material/info:")
    if result is not None and result.setup.as_printed:
        st.caption(f"{_corrected(result)} Click a cell to compare the pair.")
    elif result is not None and result.setup.no_verdict(alpha):
        few = page.literal(verdicts.too_few(result.setup, alpha))
        st.caption(f"Grey: {NO_VERDICT}, because {few}. {_corrected(result)} Click a cell to compare the pair.")
    elif result is not None:
        st.caption(
            "Blue: the row is significantly better than the column. Orange: worse. Grey: no significant difference. "
            f"{_corrected(result)} {_out_of_reach(result)} Click a cell to compare the pair."
        )


def _out_of_reach(result: MatrixResult) -> str:
    """A hint if the number of resamples is too small for one of the levels of the colour key."""
    if result.setup.least_p <= 0.001:
        return ""
    return f"With {result.setup.resamples:,} resamples the strongest level (p ≤ 0.001) cannot be reached."


def _corrected(result: MatrixResult) -> str:
    if result.setup.correction == "none":
        return "p is not corrected: with many pairs, some fall below alpha by chance."
    return f"p is corrected over all pairs ({result.setup.correction_title})."


def methods(result: MatrixResult | TestResult | GainResult, alpha: float, family: str = sentences.ALONE) -> None:
    """The sentence for the paper, for a single test with its family, and the signature that runs it again."""
    with st.expander("For your paper: methods sentence and signature"):
        st.code(sentences.methods(result, alpha, family), language=None, wrap_lines=True)
        st.code(result.setup.signature, language=None, wrap_lines=True)
