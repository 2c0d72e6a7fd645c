"""Cards, verdicts, captions and notes of the pages; names are always shown literally."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sigboard import terms
from sigboard.render import sentences
from sigboard.shell import page, queries, session
from sigboard.shell.settings import Chosen
from sigcore import CompareResult, GainResult, MatrixResult, Missing, TestResult, data, formatting, metrics, results
from sigcore.types import DOCUMENT, SEGMENT

DESIGN_EFFECT = (
    "The variance of a gain when whole units are resampled, divided by its variance if segments were independent. For "
    "several pairs: the median, with the smallest and the largest in brackets."
)

SIDED = {
    "two-sided": "two-sided",
    "greater": "one-sided (is the better system really better?)",
    "less": "one-sided (is the better system worse?)",
}
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
    parts = [f"**{page.literal(session.title(visit.collection))}**"]
    if visit.collection.sample:
        parts[0] = f"Sample {parts[0]}, invented"
    if loaded.testset is not None:
        references = len(loaded.testset.references)
        parts += [formatting.count(len(loaded.outputs), "system"), formatting.count(loaded.testset.n, "segment")]
        parts += [formatting.count(references, "reference")] if references else []
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="sigboard.context"
    ):
        st.markdown(f":small[{' · '.join(parts)}]", width="content")
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
            "Details are on the page Files.",
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


def head(word: str) -> DeltaGenerator:
    """The place of the main sentence of a page of which it is computed later; it keeps its height while it is empty."""
    place = st.container(key=f"sigboard.{word}.head")
    place.empty()  # a container without anything in it is not drawn
    return place


def sentence(text: str) -> None:
    """The main sentence of a page, in large type."""
    st.markdown(f"## {page.literal(text)}")


def grid_verdict(result: MatrixResult, alpha: float) -> None:
    """The verdict of a grid in large type, and below it how it was tested."""
    verdict, how, rest = results.summary_parts(result, alpha)
    sentence(f"{verdict}.")
    if how:
        st.markdown(page.literal(f"{rest} {how[0].upper()}{how[1:]}. {result.setup.instead}".strip()))


def caption(result: MatrixResult | CompareResult | GainResult, more: str = "") -> None:
    """The data and settings behind a figure."""
    setup = result.setup
    drawn = formatting.format_units(setup.n, setup.unit, setup.segments)
    effects = result.design_effects
    effect = f", design effect {formatting.format_effect(effects)}" if effects else ""
    if setup.unit != SEGMENT and setup.least_by_units > formatting.SMALLEST:
        effect += f", smallest possible p {formatting.format_p(setup.least_by_units, 0)}"
    st.caption(
        page.literal(f"n = {drawn}{effect}, {formatting.draws_of(setup)}. ") + more,
        help=DESIGN_EFFECT if effects else None,
    )
    if session.visit().collection.has_documents:
        other = "segment" if setup.unit == DOCUMENT else "document"
        testset = session.visit().collection.loaded().testset
        document = testset.by_document if testset is not None else DOCUMENT
        st.button(
            f"Resample {document.part if other == 'segment' else document.noun(1)}s instead",
            on_click=lambda: st.session_state.update(unit=other),
            type="tertiary",
            icon=":material/swap_horiz:",
            help=terms.meaning("unit"),
        )


def bridge(
    visit: session.Visit, rule: str, found: Mapping[tuple[str, str], bool] | None = None, smallest: bool = False
) -> None:
    """One line that says by which other rule this page decides, and of how many pairs the page Grid decides otherwise.

    `found` says of each pair, by name, whether this page calls it significant; None where it decides on no pairs.
    `smallest`: the page names its smallest significant gain, so this line names that of Matrix.
    """
    shown, words = session.grid_shown(visit), rule
    if shown is not None and not shown[0].setup.no_verdict(shown[1]):
        grid, alpha = shown
        how = f"{grid.setup.metric_title}, {results.summary_parts(grid, alpha)[1]}"
        if found is None:
            words += f" Grid tests with {how}."
        else:
            other = disagreement(grid, alpha, found)
            of = f"{other} of {len(found):,} pairs {'has' if other == 1 else 'have'}" if other else "No pair has"
            if len(found) == 1:
                words += f" This pair has {'another' if other else 'the same'} verdict on Grid ({how})."
            else:
                words += f" {of} another verdict on Grid ({how})."
        size = formatting.format_size(grid.smallest_gain(alpha), grid.setup.decimals)
        if smallest and size != "n/a":
            words += f" The smallest significant gain there is {size} {grid.setup.metric_title}."
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":small[{page.literal(words)}]", width="content")
        st.page_link("pages/matrix.py", label="Grid", icon=":material/grid_on:", width="content")


def disagreement(grid: MatrixResult, alpha: float, found: Mapping[tuple[str, str], bool]) -> int:
    """On how many of these pairs the grid decides otherwise: significant there and not here, or the other way round."""
    levels, place = grid.levels(alpha), {name: k for k, name in enumerate(grid.systems)}
    known = {pair: here for pair, here in found.items() if {*pair} <= place.keys()}
    return sum((levels[place[a], place[b]] != 0) != here for (a, b), here in known.items())


VARIANTS = {
    "two_delta_bootstrap": "How often a bootstrap gain is below 0, as in footnote 2 of Berg-Kirkpatrick et al. 2012, is the test "
    "Paired bootstrap. ",
    "paired_bootstrap": "This is the variant in footnote 2 of Berg-Kirkpatrick et al. 2012; their own test is the two-delta "
    "bootstrap. ",
}


def gain_caption(result: GainResult, band: str = "") -> None:
    """What the scatterplot and its `band` show, and what is wrong with one-sided tests of pairs that are ordered by their gain."""
    after = "" if result.setup.side == "two-sided" else AFTER_CHOICE
    after += VARIANTS.get(result.setup.test, "")
    caption(
        result,
        f"Test: {page.literal(result.setup.test_title)}, {SIDED[result.setup.side]}. "
        "Each point is a pair, with the better system first, so that its gain is not negative. Confidence = 1 - p, "
        f"uncorrected; it is not the probability that the gain is real. {page.literal(band)} {after}Click a point to compare "
        "the pair under this test.",
    )


def notes(messages: Sequence[str], result: MatrixResult | None = None, alpha: float = 0.05) -> None:
    """The notes on the numbers of a page, and the key to the colours of a grid."""
    if messages:
        st.info("\n\n".join(page.literal(note) for note in messages), icon=":material/info:")
    if result is not None and result.setup.as_printed:
        st.caption(f"{_corrected(result)} Click a cell to compare the pair.")
    elif result is not None and result.setup.no_verdict(alpha):
        few = page.literal(results.too_few(result.setup, alpha))
        st.caption(
            f"Grey: {formatting.NO_VERDICT}, because {few}. {_corrected(result)} Click a cell to compare the pair."
        )
    elif result is not None:
        st.caption(
            "Blue: the row is significantly better than the column. Orange: worse. Grey: no significant difference. "
            f"{_corrected(result)} {_out_of_reach(result)} Click a cell to compare the pair."
        )


def _out_of_reach(result: MatrixResult) -> str:
    """A hint if the resamples of some pairs are too few for one of the levels of the colour key."""
    words = results.out_of_reach(result)
    return f"{words}: automatic resamples settle alpha, not the stronger colours." if words else ""


def _corrected(result: MatrixResult) -> str:
    if result.setup.correction == "none":
        return "p is not corrected: with many pairs, some fall below alpha by chance."
    return f"p is corrected over {results.of_matrix(result).what} ({result.setup.correction_title})."


def methods(result: MatrixResult | TestResult | GainResult, alpha: float, family: str = sentences.ALONE) -> None:
    """The sentence for the paper, for a single test with its family, and the signature that runs it again."""
    with st.expander("For your paper: methods sentence and signature"):
        st.code(sentences.methods(result, alpha, family), language=None, wrap_lines=True)
        st.code(result.setup.signature, language=None, wrap_lines=True)
