"""What do per-document scores say? The score matrix, the difficulty of document sets, and every pair under T and W."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from sigboard.questions.scores import figure
from sigboard.questions.scores import figure_pair as pair_figure
from sigboard.questions.scores import report as written
from sigboard.questions.scores.report import scores_json
from sigboard.render.style import finished
from sigboard.server import cache
from sigboard.shell import captions, downloads, inputs, page, queries, session, settings
from sigboard.shell import pair as pair_picker
from sigboard.shell.address import Choice
from sigboard.shell.settings import Chosen
from sigcore import Floats, ScoreMatrix, formatting
from sigcore.studies import scores
from sigcore.types import SEGMENT

# The parts of the page Documents: its settings, cards, captions, the choice of a group, downloads.

IN_PLACE = "**Only on this page.** All its tests are two-sided. Draws are its resamples, and zeros its rule for ties."
DRAWS = (500, 2_000, 10_000, 100_000)
HIGHLIGHT = "sigboard.highlight"
LABELS = {"sets": "sets of rows"}  # where the name in the URL is not the label
HELP = {
    "sets": "Kruskal-Wallis compares these groups of rows.",
    "humans": "Systems that are human. They are marked in the heatmap, and compared with the machines in a separate table.",
    "draws": "Resamples for the empirical p (MC and HB) of each pair; the paper uses 2,000.",
    "zeros": "How W treats rows on which both systems have the same score.",
}


def computed(visit: session.Visit) -> scores.ScoresResult:
    """All pairs under the settings of this page, whose widgets are drawn."""
    loaded = inputs.sound(visit, 2, inputs.KEEP)
    now, test, unit = queries.chosen(), loaded.testset, queries.alone(visit).drawn[0]
    names = [outputs.system for outputs in loaded.outputs]
    with st.sidebar:
        st.caption(IN_PLACE)
        draws = _choose("draws", {r: f"{r:,}" for r in DRAWS}, 2_000)
        own = True
        if test.domains or (unit == SEGMENT and 0 < len(set(test.documents)) < test.n):
            own = _choose("sets", {"named": "as named in the files", "own": "each row is one set"}) == "own"
        zeros = _choose("zeros", {name: name for name in scores.ZEROS})
        humans = st.multiselect(
            "human systems",
            names,
            [name for name in scores.humans_among(loaded.outputs) if name in names],
            key="humans",
            bind="query-params",
            help=HELP["humans"],
            placeholder="no human systems",
        )
    run = queries.scores_run(visit, queries.ScoresPlan(own, zeros), int(draws))
    return cache.once(scores.read, run, now.settings.correction, now.settings.estimator, tuple(humans))


def _choose(key: str, choices: Mapping[Choice, str], default: Choice | None = None) -> Choice:
    return settings.choose(key, choices, default, LABELS.get(key, ""), help=HELP.get(key))


def notes(analysis: scores.ScoresResult, now: Chosen, kind: str) -> None:
    """The notes on these numbers, and the settings that this page uses."""
    messages = analysis.notes(now.alpha)
    if messages:
        st.info("\n\n".join(page.literal(note) for note in messages), icon=":material/info:")
    run, separately = analysis.run, ""
    if kind != "scores":
        title = run.matrix.title
        separately = (
            f" Each row is scored separately: the mean of these scores need not be the {title} of the test set."
        )
    st.caption(
        f"n = {formatting.count(run.matrix.n, 'row')}, R = {formatting.count(run.resamples, 'draw')}, seed {run.seed}. All tests on this page are "
        "two-sided."
        f"{page.literal(separately)}"
    )


def explained(visit: session.Visit, result: scores.ScoresResult, now: Chosen) -> None:
    """What the first look leaves out: what every statistic finds, how the page Grid decides, and the notes."""
    st.markdown(page.literal(written.summary(result, now.alpha)))
    found = written.verdicts(result, now.alpha)
    captions.bridge(visit, f"The verdicts come from paired T over scores per {result.run.matrix.row}.", found)
    notes(result, now, visit.collection.kind)


def order_boxes(matrix: ScoreMatrix, sorts: Sequence[str], usual: str) -> tuple[str, str]:
    """How rows and columns of the heatmap are sorted, as `usual` unless something else is chosen."""
    start = list(sorts).index(usual)
    left, right, _ = st.columns([1, 1, 2])
    with left:
        rows = st.selectbox(f"{matrix.rows} sorted by", [*sorts, *matrix.systems], start, key="sigboard.rows")
    with right:
        columns = st.selectbox("systems sorted by", list(sorts), start, key="sigboard.columns")
    return str(rows), str(columns)


def factors(matrix: ScoreMatrix) -> dict[str, str]:
    """What the tests of ranks compare, in words."""
    return {
        "documents": matrix.row_sets,
        "systems": "systems, ranked among all scores",
        "systems within documents": f"systems, ranked within each {matrix.row}",
    }


def tabs(matrix: ScoreMatrix) -> list[str]:
    """The names of the tabs."""
    sets = matrix.row_sets
    return ["Heatmap", sets[:1].upper() + sets[1:], "Counts", "One pair", "All pairs"]


def group_boxes(run: scores.ScoresRun) -> tuple[scores.MeanRanks, str] | None:
    """Which groups are compared and which of them is highlighted; None if there are no groups."""
    known = [item.factor for item in run.mean_ranks if len(item.names) > 1]
    if not known:
        return None
    left, right, _ = st.columns([2, 1, 1])
    with left:
        titles = factors(run.matrix)
        factor = st.selectbox("groups", known, format_func=lambda name: titles[name], key="sigboard.factor")
    ranks = run.ranks(str(factor))
    assert ranks is not None
    names = [ranks.names[int(k)] for k in (-ranks.means).argsort(kind="stable")]
    if st.session_state.get(HIGHLIGHT) not in names:
        st.session_state.pop(HIGHLIGHT, None)
    with right:
        chosen = st.selectbox("highlighted", names, key=HIGHLIGHT)
    return ranks, str(chosen)


def highlight(read: Callable[[Sequence[Mapping[str, object]]], str | None], key: str) -> Callable[[], None]:
    """A callback that highlights the group that was clicked."""

    def take() -> None:
        name = read(st.session_state[key]["selection"]["points"])
        if name is not None:
            st.session_state[HIGHLIGHT] = name

    return take


def group_summary(analysis: scores.ScoresResult, ranks: scores.MeanRanks, chosen: str, alpha: float) -> None:
    """How many groups differ from the highlighted one, and what the tests over all groups say."""
    differ = int(ranks.differing(ranks.names.index(chosen), alpha).sum())
    groups = factors(analysis.run.matrix)[ranks.factor].split(",")[0]
    st.markdown(
        f"**{differ:,} of {len(ranks.names) - 1:,} other {groups} differ from {page.literal(chosen)}** at alpha {alpha:g} "
        "(Tukey's honestly significant difference on ranks, which accounts for all pairwise comparisons)."
    )
    lines = [
        f"- {page.literal(written.omnibus_sentence(item, analysis.run.matrix.row_sets))}"
        for item in analysis.run.omnibus
    ]
    st.markdown("\n".join(lines))
    if len(set(ranks.counts.tolist())) > 1:
        st.caption(
            "The groups differ in size, so the intervals are approximate; the colours show the result of the test itself."
        )


def draw_counts(analysis: scores.ScoresResult, alpha: float) -> None:
    """Rankel et al.'s Tables 1 and 2 with every method to compute p, and how to read them."""
    downloads.table(cache.once(written.count_rows, analysis, alpha))
    row, rows = analysis.run.matrix.row, analysis.run.matrix.rows
    st.caption(
        f"Numbers of pairs with p at most {alpha:g}. Theory: Student's t, and the null distribution of W. MC swaps the two "
        f"scores of a {row} with probability 1/2. HB first draws {rows} with replacement, then swaps. Under MC, paired "
        "and unpaired T rank all swaps in the same order, so their p is the same; only the theoretical p of unpaired T, which "
        "treats the two systems as independent, is weak. Corrected counts account for the number of pairs in their row."
    )
    with st.expander("For your paper: LaTeX"):
        st.code(written.counts_latex(analysis, alpha), language="latex", wrap_lines=True)
        st.code(analysis.signature, language=None, wrap_lines=True)


def chosen_pair(analysis: scores.ScoresResult) -> tuple[int, int, str, str] | None:
    """The chosen pair: its place, 1 or -1 for its direction, and both names; None, with a message, if both are the same system."""
    matrix = analysis.run.matrix
    pair_picker.offer(matrix.systems, [matrix.systems[k] for k in matrix.order])
    system, baseline = pair_picker.pair(horizontal=True)
    if system == baseline:
        st.info("Choose two different systems.", icon=":material/info:")
        return None
    return (*analysis.place(system, baseline), system, baseline)


def detail(analysis: scores.ScoresResult, place: int, turn: int, alpha: float) -> bool:
    """Whether the pair can be drawn; its table and the reason for any missing p are shown."""
    run = analysis.run
    why = written.why_not(analysis, place)
    if why:
        st.info(page.literal(why), icon=":material/info:")
    if not run.few[place]:
        downloads.table(written.detail_rows(analysis, place, alpha, turn))
        st.caption(
            f"On the {formatting.count(int(run.n[place]), run.matrix.row)} that both systems have; mean gain "
            f"{written.number(turn * run.gains[place])}. p is at most alpha exactly if the absolute value of the statistic "
            "reaches the cut-off. n/a: no value among the draws is rare enough, or the statistic has no p."
        )
    return not bool(run.few[place] or run.same[place])


def drawn(analysis: scores.ScoresResult, place: int, turn: int) -> tuple[Floats, Floats]:
    """The differences of the pair, (n,), and the null of its statistics, (2, 3, R)."""
    return turn * scores.pair_of(analysis.run, place).z[:, 0], scores.null_of(analysis.run, place)


def all_pairs(analysis: scores.ScoresResult, alpha: float) -> None:
    """Every pair as a table that can be sorted; p has two digits, and all digits in the CSV."""
    rows = cache.once(written.pair_rows, analysis, alpha)
    numbers = [name for name in rows[0] if name.startswith(("p ", "adjusted "))]
    shown = [
        row | {name: _shown_p(p, name, analysis.run.resamples) for name in numbers if isinstance(p := row[name], float)}
        for row in rows
    ]
    downloads.table(shown)
    st.caption(
        "t, paired_t, wilcoxon: p of the three statistics, in theory and from draws (mc, hb). adjusted: the theoretical p "
        "after the correction. n/a: p is undefined; the note at the end of the row gives the reason."
    )


def _shown_p(p: float, column: str, resamples: int) -> str:
    """p as it is written everywhere; only the columns mc and hb were drawn."""
    return formatting.format_p(p, resamples if column.endswith(("mc", "hb")) else written.EXACT)


def save(analysis: scores.ScoresResult, ranks: scores.MeanRanks | None, name: str, alpha: float) -> None:
    """Everything on the page as files."""

    def whole() -> str:
        return json.dumps(scores_json(analysis, alpha), ensure_ascii=False, allow_nan=False, indent=1)

    with st.container(horizontal=True):
        downloads.csv("All pairs (CSV)", lambda: written.pair_rows(analysis, alpha), f"{name}_pairs")
        downloads.csv("Counts (CSV)", lambda: written.count_rows(analysis, alpha), f"{name}_counts")
        downloads.later("Counts (LaTeX)", lambda: written.counts_latex(analysis, alpha), f"{name}_counts", "tex")
        downloads.csv("Scores (CSV)", lambda: written.matrix_rows(analysis.run.matrix), f"{name}_scores")
        if ranks is not None:
            downloads.csv("Mean ranks (CSV)", lambda: written.rank_rows(ranks, alpha), f"{name}_ranks")
        downloads.later("Everything (JSON)", whole, name, "json")


def heat_chart(matrix: ScoreMatrix, order: Sequence[str]) -> None:
    """All scores as a heatmap, rows and columns in the chosen order."""
    rows, columns = figure.row_order(matrix, order[0]), figure.column_order(matrix, order[1])
    page.chart(
        cache.once(finished, figure.heatmap, matrix, tuple(rows), tuple(columns), page.theme(), compact=page.phone()),
        key="sigboard.heat",
        alt=figure.heatmap_alt(matrix),
    )
    st.caption(
        f"Each cell is one score. A row of one shade is a {matrix.row} that is easy or hard for all systems: paired tests remove "
        "such differences. Missing scores have a separate colour."
    )


def group_part(result: scores.ScoresResult, alpha: float, is_open: bool) -> scores.MeanRanks | None:
    """The mean ranks of groups with their intervals, drawn where the tab is open; None where there is one group."""
    grouped = group_boxes(result.run)
    if grouped is None:
        st.info("There is only one group, so there is nothing to compare.", icon=":material/info:")
        return None
    ranks, chosen = grouped
    if is_open:
        group_summary(result, ranks, chosen, alpha)
        page.chart(
            cache.once(finished, figure.intervals, ranks, chosen, alpha, page.theme(), compact=page.phone()),
            key="sigboard.ranks",
            on_select=highlight(partial(figure.clicked_group, ranks=ranks), "sigboard.ranks"),
            selection_mode="points",
            alt=figure.intervals_alt(ranks, chosen, alpha),
        )
        more = (
            f" Only {figure.MOST_GROUPS} of {len(ranks.names):,} groups are drawn; the table lists all."
            if len(ranks.names) > figure.MOST_GROUPS
            else ""
        )
        st.caption(
            "Blue diamond: the highlighted group, with its interval between the dashed lines. Filled orange: groups that differ "
            f"from it. Hollow grey: groups that are not shown to differ. Click a group to highlight it.{more}"
        )
        with st.expander("As a table"):
            downloads.table(written.rank_rows(ranks, alpha))
    return ranks


def pair_charts(result: scores.ScoresResult, place: int, turn: int, system: str, baseline: str, alpha: float) -> None:
    """The nulls of one pair, and its gains by document."""
    matrix, theme = result.matrix, page.theme()
    gains, null = cache.once(drawn, result, place, turn)
    page.chart(
        cache.once(finished, pair_figure.nulls, result, place, null, alpha, theme, compact=page.phone()),
        key="sigboard.pair.nulls",
        alt=pair_figure.nulls_alt(result, place),
    )
    st.caption(
        f"The absolute value of each statistic on {formatting.count(result.run.resamples, 'draw')}. Grey bars: swapping (MC). Blue outline: "
        f"drawing {result.run.matrix.rows}, then swapping (HB). Solid line: the observed value. Dashed line: the theoretical cut-off."
    )
    page.chart(
        cache.once(finished, pair_figure.differences, gains, system, baseline, matrix.title, theme, matrix.row),
        key="sigboard.pair.gains",
        alt=pair_figure.differences_alt(gains, system, baseline, matrix.row),
    )
    st.caption(
        f"The gain on each {matrix.row}. Paired T tests whether the mean of these gains is zero. W corresponds to the "
        "Hodges-Lehmann estimate, the median of the means of all pairs of gains, which is less sensitive to outliers."
    )
    with st.expander("How efficient is W compared with paired T?"):
        downloads.table(cache.once(written.efficiency_rows, result, place))
        st.caption(
            "Above 1, W needs fewer documents than paired T for the same power; below 1, more. In theory, for many documents, "
            "it depends only on the shape of the distribution of the differences, and is never below 0.864 if that is symmetric. "
            "The estimate compares the squared errors of the mean and of the Hodges-Lehmann estimate of these differences; "
            "with 50 documents, its error is about 0.1 to 0.4."
        )


def show() -> None:
    """The page."""
    with page.question("scores") as visit:
        now = queries.chosen()
        captions.context(visit, inputs.KEEP)
        inputs.ready(visit, inputs.KEEP)
        result = computed(visit)
        matrix = result.matrix
        captions.sentence(written.headline(result, now.alpha))

        # only what is in the open tab is drawn; the boxes in all tabs, which would forget what was chosen
        heat, groups, counts, pair, pairs = st.tabs(tabs(matrix), key="sigboard.parts", on_change="rerun")
        with heat:
            order = order_boxes(matrix, figure.SORTED, figure.USUAL)
            if heat.open:
                heat_chart(matrix, order)
                documents = list(dict.fromkeys(inputs.sound(visit, 2, inputs.KEEP).testset.documents))
                if matrix.row == "document" and len(documents) > 1:
                    pair_picker.offer(matrix.systems, [matrix.systems[k] for k in matrix.order])
                    pair_picker.show_part(documents, "document", "sigboard.scores.texts")

        with groups:
            ranks = group_part(result, now.alpha, bool(groups.open))

        if counts.open:
            with counts:
                draw_counts(result, now.alpha)

        with pair:
            asked = chosen_pair(result)
            if asked is not None and pair.open and detail(result, *asked[:2], now.alpha):
                pair_picker.show_segments(*asked[2:], "sigboard.scores.segments")
                pair_charts(result, *asked, now.alpha)

        if pairs.open:
            with pairs:
                all_pairs(result, now.alpha)

        page.details("scores", partial(explained, visit, result, now), len(result.notes(now.alpha)))
        save(
            result,
            ranks,
            downloads.file_name("sigboard", session.file_title(visit.collection), "scores", now.metric),
            now.alpha,
        )
