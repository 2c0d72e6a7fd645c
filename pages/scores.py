"""What do per-document scores say? The score matrix, the difficulty of document sets, and every pair under T and W."""

from functools import partial

import streamlit as st

from sigboard.figures import scores as figure
from sigboard.figures import scores_pair as pair_figure
from sigboard.figures import scores_ranks as rank_figure
from sigboard.figures.style import finished
from sigboard.ui import captions, downloads, inputs, memory, page, queries
from sigboard.ui.pages import scores as part

with page.question("scores") as visit:
    now = queries.chosen()
    captions.context(visit, inputs.KEEP)
    inputs.ready(visit, inputs.KEEP)
    result = part.result(visit)
    matrix, theme, phone = result.matrix, page.theme(), page.phone()
    captions.sentence(part.summary(result, now))

    # only what is in the open tab is drawn; the boxes in all tabs, which would forget what was chosen
    heat, groups, counts, pair, pairs = st.tabs(part.tabs(matrix), key="sigboard.parts", on_change="rerun")
    with heat:
        order = part.order_boxes(matrix, figure.SORTED, figure.USUAL)
        if heat.open:
            rows, columns = figure.row_order(matrix, order[0]), figure.column_order(matrix, order[1])
            page.chart(
                memory.once(finished, figure.heatmap, matrix, tuple(rows), tuple(columns), theme, compact=phone),
                key="sigboard.heat",
                alt=figure.heatmap_alt(matrix),
            )
            part.heat_caption(matrix)

    ranks = None
    with groups:
        grouped = part.group_boxes(result.run)
        if grouped is None:
            st.info("There is only one group, so there is nothing to compare.", icon=":material/info:")
        else:
            ranks, chosen = grouped
        if ranks is not None and groups.open:
            part.group_summary(result, ranks, chosen, now.alpha)
            page.chart(
                memory.once(finished, rank_figure.intervals, ranks, chosen, now.alpha, theme, compact=phone),
                key="sigboard.ranks",
                on_select=part.highlight(partial(rank_figure.clicked_group, ranks=ranks), "sigboard.ranks"),
                selection_mode="points",
                alt=rank_figure.intervals_alt(ranks, chosen, now.alpha),
            )
            part.group_caption(ranks, rank_figure.MOST_GROUPS)
            part.group_table(ranks, now.alpha)

    if counts.open:
        with counts:
            part.counts(result, now.alpha)

    with pair:
        asked = part.pair(result)
        if asked is not None and pair.open and part.detail(result, *asked[:2], now.alpha):
            place, turn, system, baseline = asked
            gains, null = memory.once(part.drawn, result, place, turn)
            page.chart(
                memory.once(finished, pair_figure.nulls, result, place, null, now.alpha, theme, compact=phone),
                key="sigboard.pair.nulls",
                alt=pair_figure.nulls_alt(result, place),
            )
            part.null_caption(result)
            page.chart(
                memory.once(
                    finished, pair_figure.differences, gains, system, baseline, matrix.title, theme, matrix.row
                ),
                key="sigboard.pair.gains",
                alt=pair_figure.differences_alt(gains, system, baseline, matrix.row),
            )
            part.gains_caption(matrix)
            part.efficiency(result, place)

    if pairs.open:
        with pairs:
            part.all_pairs(result, now.alpha)

    part.notes(result, now, visit.collection.kind)
    part.save(result, ranks, downloads.file_name("sigboard", visit.collection.name, "scores", now.metric), now.alpha)
