"""The parts of the scores page: its own settings, its figures in words, the choice of a group, the downloads."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from sigboard.reports import scores as written
from sigboard.reports.scores_json import scores_json
from sigboard.ui import downloads, page, pair_picker, queries, session
from sigboard.ui.sidebar import Chosen
from sigcore import Floats, formatting
from sigcore.studies import scores

DRAWS = (500, 2_000, 10_000, 100_000)
HIGHLIGHT = "sigboard.highlight"
FACTORS = {
    "documents": "document sets",
    "systems": "systems, ranked among all scores",
    "systems within documents": "systems, ranked within each document",
}
HELP = {
    "sets": "Kruskal-Wallis compares these groups of documents.",
    "humans": "Systems that are people. They are marked, and compared with the machines in a table of their own.",
    "draws": "Resamples for the empirical p (MC and HB) of each pair; the paper takes 2,000.",
    "zeros": "What W makes of documents on which both systems have the same score.",
}


def result(visit: session.Visit) -> scores.ScoresResult:
    """The settings of this page, drawn, and all pairs under them."""
    loaded = visit.collection.loaded(queries.KEEP)
    assert loaded.testset is not None
    test, now = loaded.testset, queries.chosen()
    names = [outputs.system for outputs in loaded.outputs]
    with st.expander("Human systems, document sets, draws", icon=":material/tune:"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            own = True
            if test.domains or (now.unit == "segment" and 0 < len(set(test.documents)) < test.n):
                own = _choose("sets", {"named": "as the files name them", "own": "each row is its own"}) == "own"
            draws = _choose("draws", {r: f"{r:,}" for r in DRAWS}, 2_000)
            zeros = _choose("zeros", {name: name for name in scores.ZEROS})
        humans = st.multiselect(
            "human systems",
            names,
            [name for name in scores.humans_among(loaded.outputs) if name in names],
            key="humans",
            bind="query-params",
            help=HELP["humans"],
            placeholder="none of the systems is a person",
        )
    run = queries.scores_run(visit, own, zeros, int(draws))
    return scores.read(run, now.settings.correction, now.settings.estimator, humans)


def _choose(key: str, choices: dict[Any, str], default: Any = None) -> Any:
    names = list(choices)
    return st.selectbox(
        key,
        names,
        index=names.index(default) if default in names else 0,
        format_func=lambda name: choices.get(name, str(name)),
        key=key,
        bind="query-params",
        help=HELP.get(key),
        width=200,
    )


def cards(found: scores.ScoresResult, now: Chosen) -> None:
    """How many pairs each statistic finds, and whether document sets differ."""
    items = []
    for statistic in ("paired_t", "wilcoxon", "t"):
        count = found.count("all", "theory", statistic, now.alpha)
        title = scores.TITLES[statistic]
        more = f"Pairs with p at most alpha in theory, uncorrected; {count.corrected} after the correction."
        told = f"{count.raw:,} of {count.pairs:,}" if count.tested else "undefined"
        items.append((title[:1].upper() + title[1:], told, more))
    kruskal = found.run.test("kruskal", "documents")
    p = formatting.format_p(kruskal.p_value, written.EXACT) if kruskal else "undefined"
    items.append(("Kruskal-Wallis p", p, "Kruskal-Wallis over document sets: are some harder than others?"))
    page.cards(items)


def summary(found: scores.ScoresResult, now: Chosen) -> str:
    """The page in one sentence."""
    return written.summary(found, now.alpha)


def notes(found: scores.ScoresResult, now: Chosen, kind: str) -> None:
    """What a person should know about these numbers, and which settings count here."""
    said = found.notes(now.alpha)
    if said:
        st.info("\n\n".join(page.literal(note) for note in said), icon=":material/info:")
    run, alone = found.run, ""
    if kind != "scores":
        alone = (
            f" Each row is scored on its own: the mean of these scores need not be the {run.matrix.title} of the whole."
        )
    st.caption(
        f"n = {run.matrix.n:,} rows, R = {run.resamples:,} draws, seed {run.seed}. All tests here are two-sided. Of the "
        f"sidebar this page takes the metric, the unit, alpha, the correction, the seed and the estimator.{page.literal(alone)}"
    )


def order_boxes(systems: Sequence[str], sorts: Sequence[str]) -> tuple[str, str]:
    """How rows and columns of the heatmap are sorted."""
    left, right, _ = st.columns([1, 1, 2])
    with left:
        rows = st.selectbox("documents sorted by", [*sorts, *systems], key="sigboard.rows")
    with right:
        columns = st.selectbox("systems sorted by", list(sorts), key="sigboard.columns")
    return str(rows), str(columns)


def heat_caption() -> None:
    """What the heatmap shows."""
    st.caption(
        "Each cell is one score. Rows that are dark or light as a whole are easy or hard documents: they are why pairing "
        "pays. A missing score has a colour of its own."
    )


def group_boxes(run: scores.ScoresRun) -> tuple[scores.MeanRanks, str] | None:
    """Which groups are compared and which of them is highlighted; None where there are no groups."""
    known = [item.factor for item in run.mean_ranks if len(item.names) > 1]
    if not known:
        return None
    left, right, _ = st.columns([2, 1, 1])
    with left:
        factor = st.selectbox("groups", known, format_func=lambda name: FACTORS[name], key="sigboard.factor")
    ranks = run.ranks(str(factor))
    assert ranks is not None
    names = [ranks.names[int(k)] for k in (-ranks.means).argsort(kind="stable")]
    if st.session_state.get(HIGHLIGHT) not in names:
        st.session_state.pop(HIGHLIGHT, None)
    with right:
        chosen = st.selectbox("highlighted", names, key=HIGHLIGHT)
    return ranks, str(chosen)


def highlight(read: Callable[[Sequence[Any]], str | None], key: str) -> Callable[[], None]:
    """A callback that highlights the group that was clicked."""

    def take() -> None:
        name = read(st.session_state[key]["selection"]["points"])
        if name is not None:
            st.session_state[HIGHLIGHT] = name

    return take


def group_words(found: scores.ScoresResult, ranks: scores.MeanRanks, chosen: str, alpha: float) -> None:
    """How many groups differ from the highlighted one, and what the tests over all groups say."""
    differ = int(ranks.differing(ranks.names.index(chosen), alpha).sum())
    what = FACTORS[ranks.factor].split(",")[0]
    st.markdown(
        f"**{differ:,} of {len(ranks.names) - 1:,} other {what} differ from {page.literal(chosen)}** at alpha {alpha:g} "
        "(Tukey's honestly significant difference on ranks, which pays for comparing all with all)."
    )
    lines = [f"- {page.literal(written.omnibus_sentence(item))}" for item in found.run.omnibus]
    st.markdown("\n".join(lines))
    if len(set(ranks.counts.tolist())) > 1:
        st.caption("The groups differ in size, so intervals are approximate; the colours are the exact comparison.")


def group_caption(ranks: scores.MeanRanks, most: int) -> None:
    """How to read the intervals."""
    more = f" Of {len(ranks.names):,} groups {most} are drawn; the table has all." if len(ranks.names) > most else ""
    st.caption(
        "Blue diamond: the highlighted group, its interval between the dashed lines; filled orange: groups whose interval "
        f"does not overlap it; hollow grey: groups not shown to differ. Click a group to highlight it.{more}"
    )


def group_table(ranks: scores.MeanRanks, alpha: float) -> None:
    """The intervals as a table."""
    with st.expander("As a table"):
        downloads.table(written.rank_rows(ranks, alpha))


def counts(found: scores.ScoresResult, alpha: float) -> None:
    """Rankel et al.'s Tables 1 and 2 with every way to p, and how to read them."""
    downloads.table(written.count_rows(found, alpha))
    st.caption(
        f"Pairs with p at most {alpha:g}. Theory: Student's t, and the null of W. MC swaps the two scores of a document "
        "with probability 1/2; HB first draws documents with replacement. Under MC both T order the swaps alike, so "
        "unpaired T becomes as good as paired T: only its theoretical p, which takes the two systems for independent, is "
        "weak. The corrected counts pay for the number of pairs in their row."
    )
    with st.expander("For your paper: LaTeX"):
        st.code(written.counts_latex(found, alpha), language="latex", wrap_lines=True)
        st.code(found.signature, language=None, wrap_lines=True)


def pair(found: scores.ScoresResult) -> tuple[int, int, str, str] | None:
    """The chosen pair: its place, 1 or -1 for its direction, and both names; None, with a word on it, for one system."""
    pair_picker.offer(found.run.matrix.systems)
    system, baseline = pair_picker.pair(horizontal=True)
    if system == baseline:
        st.info("Choose two different systems.", icon=":material/info:")
        return None
    return (*found.place(system, baseline), system, baseline)


def detail(found: scores.ScoresResult, place: int, turn: int, alpha: float) -> bool:
    """One pair as a table, with what hinders it; whether there is anything to draw of it."""
    run = found.run
    why = written.why_not(found, place)
    if why:
        st.info(page.literal(why), icon=":material/info:")
    if not run.few[place]:
        downloads.table(written.detail_rows(found, place, alpha, turn))
        st.caption(
            f"On the {int(run.n[place]):,} documents that both have; mean gain {written.number(turn * run.gains[place])}."
            " p is at most alpha exactly where the size of the statistic reaches the cut-off. None: no size that was seen "
            "is rare enough, or the statistic has no p."
        )
    return not bool(run.few[place] or run.same[place])


def drawn(found: scores.ScoresResult, place: int, turn: int) -> tuple[Floats, Floats]:
    """The differences of the pair, (n,), and the null of its statistics, (2, 3, R)."""
    return turn * scores.pair_of(found.run, place).z[:, 0], scores.null_of(found.run, place)


def null_caption(found: scores.ScoresResult) -> None:
    """How to read the nulls."""
    st.caption(
        f"The size of each statistic on {found.run.resamples:,} draws: grey bars by swapping (MC), the blue outline by "
        "drawing and swapping (HB). Solid line: this pair; dashed: the cut-off in theory."
    )


def gains_caption() -> None:
    """How to read the differences."""
    st.caption(
        "How much better or worse the system is, document by document. Paired T asks whether the mean of these gains is "
        "zero; W belongs to the Hodges-Lehmann estimate, the median of the means of all two of them, which outliers move "
        "less."
    )


def efficiency(found: scores.ScoresResult, place: int) -> None:
    """How efficient W is against paired T: for known shapes, and on these differences."""
    with st.expander("How efficient is W against paired T?"):
        downloads.table(written.efficiency_rows(found, place))
        st.caption(
            "Above 1, W needs fewer documents than paired T for the same power; below 1, more. In theory it depends on "
            "the shape of the differences alone and is never below 0.864 for symmetric ones. The estimate compares the "
            "errors of the mean and of the Hodges-Lehmann median of these differences; with 50 documents it is only good "
            "to about 0.1 to 0.4."
        )


def all_pairs(found: scores.ScoresResult, alpha: float) -> None:
    """Every pair as a table that can be sorted; p in three digits, the CSV has them all."""
    rows = written.pair_rows(found, alpha)
    numbers = [name for name in rows[0] if name.startswith(("p ", "adjusted "))]
    columns: dict[str, Any] = {name: st.column_config.NumberColumn(name, format="%.3g") for name in numbers}
    downloads.table(rows, **columns)
    st.caption(
        "t, paired_t, wilcoxon: p of the three statistics, in theory and by the draws (mc, hb); adjusted: in theory, "
        "after the correction. An empty cell has no p; the note at the end of the row says why."
    )


def save(found: scores.ScoresResult, ranks: scores.MeanRanks | None, name: str, alpha: float) -> None:
    """Everything on the page as files."""

    def whole() -> str:
        return json.dumps(scores_json(found, alpha), ensure_ascii=False, allow_nan=False, indent=1)

    with st.container(horizontal=True):
        downloads.csv("All pairs (CSV)", written.pair_rows(found, alpha), f"{name}_pairs")
        downloads.csv("Counts (CSV)", written.count_rows(found, alpha), f"{name}_counts")
        downloads.later("Counts (LaTeX)", lambda: written.counts_latex(found, alpha), f"{name}_counts", "tex")
        downloads.csv("Scores (CSV)", written.matrix_rows(found.run.matrix), f"{name}_scores")
        if ranks is not None:
            downloads.csv("Mean ranks (CSV)", written.rank_rows(ranks, alpha), f"{name}_ranks")
        downloads.later("Everything (JSON)", whole, name, "json")
