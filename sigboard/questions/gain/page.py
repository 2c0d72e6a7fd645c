"""How large a gain is usually real? Confidence against gain for all pairs, thresholds of their classes, and mixtures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from sigboard.questions.gain import figure
from sigboard.questions.gain.report import MIXED, Scatter, gain_json
from sigboard.render.style import finished
from sigboard.server import cache
from sigboard.shell import captions, downloads, inputs, page, pair, plans, queries, seen, session
from sigboard.shell.plans import EACH, MIXTURES, MOST_EACH
from sigboard.shell.settings import Chosen
from sigcore import Collection, GainResult, formatting, metrics, results
from sigcore.results import gain_rows
from sigcore.studies import gain
from sigcore.types import Row

# Parts of the gain page: mixtures, thresholds, a gain of one's own, and the groups of systems, which are never
# guessed.

PURPOSE = (
    "A group contains closely related systems, for example systems of one team. Their outputs are often alike, so a smaller "
    "gain can be significant. A system without a group gives its pairs no class. A combination takes its outputs from other "
    "systems. Both can come from a table too (system, group, kind)."
)
WHOLE = "Without it the axis breaks at twice the end of the grey band: all larger gains are significant, and drawn closer together."
FEW = 100  # pairs below which mixtures are drawn at first: so few do not show the curve
KIND = (
    "Pairs of two combinations of other systems are a separate class; a pair of a combination and another system is in "
    "none. Empty: a system."
)
CAUTION = "Names do not show who built a system: Online-A and Online-B are different vendors. Check every group."

RETUNED = "retuned systems (synthetic)"
OVERLAY = (
    "Draws the pairs of another loaded test set, or these under another metric, with the same test, as crosses. Gains of "
    "another metric are in its own units. Retuned systems: the tuning runs of the page Tuning on its held-out segments."
)
MINE = "How many of these pairs had about such a gain (a fifth less to a fifth more), and how many of them were significant?"


@dataclass(frozen=True, eq=False)
class Shown:
    """How the scatter is drawn: the vertical axis, whether all gains are shown; the pairs of mixtures and of another metric
    or test set where the user wants them (None: not wanted, or not drawn yet), and the name of the latter."""

    scale: Any
    whole: bool
    mixed: GainResult | None
    over: GainResult | None
    named: str


def controls(visit: session.Visit, real: GainResult, scales: Mapping[Any, str], clipped: bool) -> Shown:
    """The controls of the figure in a row; whether all gains are shown is a choice only where they would not be."""
    with st.container(horizontal=True, vertical_alignment="center", key="sigboard.gain.controls"):
        scale = st.segmented_control(
            "vertical axis",
            list(scales),
            format_func=lambda name: scales[name],
            default=next(iter(scales)),
            required=True,
            key="vertical",
            bind="query-params",
            label_visibility="collapsed",
        )
        whole = clipped and st.toggle("all gains", key="whole", bind="query-params", help=WHOLE)
        few = len(real.gains) < FEW
        wanted = st.toggle("mixtures (synthetic systems)", few, key="mixtures", bind="query-params", help=MIXTURES)
        each = EACH
        if wanted:
            said = st.session_state.get(
                "each", st.query_params.get("each", EACH)
            )  # before the box is drawn: the address
            with st.popover(f"{said} of each pair", type="tertiary"):
                label = "mixtures of each pair of systems"
                each = st.number_input(label, 1, MOST_EACH, EACH, key="each", bind="query-params")
        offered = _overlays(visit, real)
        chosen = st.selectbox(
            "overlay",
            list(offered),
            format_func=lambda name: f"overlay: {offered[name]}" if name else "no overlay",
            key="overlay",
            bind="query-params",
            help=OVERLAY,
            label_visibility="collapsed",
            width=170,
        )
    mixed = plans.mixtures(visit, real, int(each)) if wanted else None
    over = None
    if chosen and (mixed is not None or not wanted):  # one job of a visit runs at a time
        kind, _, name = chosen.partition(":")
        wanted_over = {
            "metric": plans.Over(metric=name),
            "testset": plans.Over(testset=name),
            "retuned": plans.Over(retuned=True),
        }
        over = plans.overlay(visit, wanted_over[kind])
    return Shown(scale or next(iter(scales)), bool(whole), mixed, over, offered.get(chosen or "", ""))


def _overlays(visit: session.Visit, real: GainResult) -> dict[str, str]:
    """What can be drawn over the pairs: other loaded test sets, and other metrics that need no options."""
    kind = visit.collection.kind
    own = {item.name: item.title_of(item.chosen()) for item in metrics.members().values() if item.kind == kind}
    out = {"": ""} | {f"testset:{name}": name for name in plans.others(visit)}
    out |= {"retuned:": RETUNED} if plans.retuned(visit) is not None else {}
    return out | {f"metric:{name}": title for name, title in own.items() if name != real.setup.metric}


def read(real: GainResult, mixed: GainResult | None, notes: tuple[str, ...], alpha: float) -> Scatter:
    """What the page shows of these pairs."""
    return Scatter.of(real, mixed, notes, alpha)


def explained(scatter: Scatter, result: GainResult, alpha: float) -> None:
    """What the first look leaves out: the counts behind the rule, how to read the figure, thresholds and groups."""
    st.markdown(page.literal(results.gain_summary(scatter.real, alpha)))
    pairs = zip(scatter.real.systems, scatter.real.baselines, strict=True)
    found = dict(zip(pairs, scatter.real.significant(alpha).tolist(), strict=True))
    captions.bridge(session.visit(), "Each pair is tested alone, as in the paper.", found, smallest=True)
    captions.gain_caption(result, figure.border_words(result, alpha))
    reasons = {f"No threshold of {item.pair_class}: {item.reason}." for item in scatter.thresholds if item.reason}
    st.markdown(page.literal(" ".join(sorted(reasons))))
    st.caption(
        f"The 95th percentile of the gains of borderline pairs, those with p from {gain.P_LOW:g} to {gain.P_HIGH:g}: a gain "
        "above it is usually significant on this test set, with systems like these. The interval draws the borderline pairs; "
        "pairs that share a system are not independent, so it is too narrow."
    )
    captions.notes(scatter.notes)


def thresholds(scatter: Scatter, shown: Shown) -> None:
    """The threshold of every class with its pairs and interval, or why there is none; those of the overlay; the sentence on
    the mixtures."""
    rows = [_row(item, scatter.real, "") for item in scatter.thresholds]
    if shown.over is not None:
        rows += [_row(item, shown.over, f"{shown.named}: ") for item in cache.once(gain.thresholds, shown.over)]
    st.subheader("Thresholds", anchor=False)
    downloads.small(rows)
    if scatter.mixed is not None:
        st.caption(page.literal(" ".join([*scatter.rules[-1:], MIXED])))


def _row(item: gain.Threshold, of: GainResult, before: str) -> Row:
    setup = of.setup
    return {
        "class": f"{before}{item.pair_class}",
        "borderline pairs": item.n,
        "threshold": "none"
        if item.reason
        else f"{formatting.format_size(item.threshold, setup.decimals)} {setup.metric_title}",
        "95% interval": "" if item.reason else formatting.format_interval((item.low, item.high), setup.decimals),
    }


def my_gain(real: GainResult, alpha: float) -> float | None:
    """The gain that the user asks about, None for none; below the box, how many pairs with such a gain were significant."""
    value = st.number_input(
        f"My gain is ({real.setup.metric_title})",
        min_value=0.0,
        value=None,
        step=0.1,
        format=f"%.{real.setup.decimals}f",
        placeholder="such as 0.50",
        key="my_gain",
        bind="query-params",
        width=240,
        help=MINE,
    )
    if value:
        st.markdown(page.literal(str(gain.near(real, float(value), alpha))))
    return float(value) if value else None


def save(visit: session.Visit, scatter: Scatter, mine: float | None, now: Chosen) -> None:
    """Everything on the page as files; the JSON is that of the command."""
    real, mixed = scatter.real, scatter.mixed
    name = downloads.file_name("sigboard", session.file_title(visit.collection), "gain", now.metric, now.test)
    by_system = {item.system: item.group for item in visit.collection.loaded().outputs}
    said = downloads.warned(visit.collection, scatter.notes)

    def content() -> Row:
        whole = Scatter.of(real, mixed, scatter.notes, now.alpha, mine)
        return gain_json([whole], by_system, said)

    with st.container(horizontal=True):
        downloads.csv("All pairs (CSV)", lambda: gain_rows(real), name)
        if mixed is not None:
            downloads.csv("Mixtures (CSV)", lambda: gain_rows(mixed), f"{name}_mixtures")
        downloads.csv("Thresholds (CSV)", lambda: [item.as_dict() for item in scatter.thresholds], f"{name}_thresholds")
        downloads.as_json("Everything (JSON)", content, name)
    captions.methods(real, now.alpha)


def groups(visit: session.Visit) -> None:
    """A small table in which the group and the kind of every selected system can be edited; empty unless they were given."""
    collection = visit.collection
    places = _places(collection)
    systems = [collection.items[place] for place in places]
    key = f"sigboard.groups.{collection.version}.{collection.kind, collection.testset, collection.measure}"
    rows = [{"system": item.name, "group": item.group, "kind": collection.kinds.get(item.name, "")} for item in systems]
    st.data_editor(
        pd.DataFrame(rows),
        key=key,
        hide_index=True,
        width="stretch",
        disabled=["system"],
        column_config={
            "system": st.column_config.TextColumn(width=110),
            "group": st.column_config.TextColumn(width=90),
            "kind": st.column_config.SelectboxColumn(width=90, options=["", *gain.KINDS], help=KIND),
        },
        on_change=_edit,
        args=(collection, key, places),
    )
    st.caption(PURPOSE)
    items = collection.edited()
    proposed = gain.propose_groups(items[place].name for place in places)
    fill = {place: proposed[items[place].name] for place in places}
    given = {place: items[place].group for place in places}
    if any(given.values()):
        st.button("Remove all groups", on_click=_fill, args=(collection, dict.fromkeys(places, "")), width="stretch")
    else:
        st.button("Propose groups from names", on_click=_fill, args=(collection, fill), width="stretch")
    if given == fill or not any(given.values()):
        st.caption(CAUTION)


def _places(collection: Collection) -> list[int]:
    """Where the systems of the selected test set are among the items."""
    selected = (collection.kind, collection.testset, collection.measure)
    return [
        place
        for place, item in enumerate(collection.items)
        if item.role == "system" and (item.kind, item.testset or collection.testset, item.measure) == selected
    ]


def _edit(collection: Collection, key: str, places: list[int]) -> None:
    edited: dict[int, dict[str, str]] = st.session_state[key]["edited_rows"]
    for row, change in edited.items():
        if "kind" in change:
            collection.kinds[collection.items[places[int(row)]].name] = change["kind"] or ""
    with_group = {places[int(row)]: change for row, change in edited.items() if "group" in change}
    collection.edit({place: {"group": change["group"]} for place, change in with_group.items()})


def _fill(collection: Collection, of: dict[int, str]) -> None:
    collection.settle()
    collection.edit({place: {"group": group} for place, group in of.items()})
    collection.settle()


def show() -> None:
    """The page."""
    with page.question("gain") as visit:
        now = queries.chosen()
        captions.context(visit)
        inputs.ready(visit)
        grid, result = queries.gain_grid(visit), plans.points(visit)
        pair.offer(captions.systems(visit))
        captions.sentence(gain.rule(result, now.alpha) or results.gain_summary(result, now.alpha))
        seen.look(visit, now)
        shown = controls(visit, result, figure.SCALES, figure.reach(result, now.alpha) is not None)
        scatter = cache.once(read, result, shown.mixed, tuple(grid.notes), now.alpha)
        page.chart(
            cache.once(
                finished,
                figure.drawn,
                result,
                now.alpha,
                page.theme(),
                shown.scale,
                shown.whole,
                page.phone(),
                shown.mixed,
                scatter.thresholds,
                shown.over,
                shown.named,
            ),
            key="sigboard.gain",
            on_select=pair.clicked_names(lambda points: figure.clicked(points, result), "sigboard.gain"),
            selection_mode="points",
            alt=figure.alt_text(result, now.alpha),
        )
        page.details("gain", partial(explained, scatter, result, now.alpha), len(scatter.notes))
        thresholds(scatter, shown)
        mine = my_gain(result, now.alpha)
        with st.expander("Groups of systems: a colour for each class of pairs", icon=":material/palette:"):
            groups(visit)

        rows = gain_rows(result)
        st.subheader("All pairs", anchor=False)
        downloads.table(rows, result.setup)
        save(visit, scatter, mine, now)
