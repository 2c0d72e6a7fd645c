"""Two boxes for choosing a pair, and clicks on figures that open the page Pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, Literal, get_args

import streamlit as st

from sigboard.shell import address, session
from sigcore import PLANNED, Family
from sigcore.formatting import count
from sigcore.types import Comparisons

# Where the pair of the page Pair came from: the family of its p-value, in the address of the page.

# The grid of all pairs with its correction, the scatter of all pairs without one, or this pair alone.
Source = Literal["planned", "grid", "gain"]
SOURCES: tuple[Source, ...] = get_args(Source)

PARAMETER = "family"  # in the address; a link without it has the usual family
MANY = 3  # systems; from here on the app offers a pair among several, so only a person can say that it was planned
CONTROL = "sigboard.family"
LAST = "sigboard.pair"  # the pair that is shown
SOURCES_OF = "sigboard.sources"  # what was declared of each pair in this visit, and when
DECLARED = "declared"  # in the address: "late" where a pair was declared planned after its scores were shown

NEXT = "sigboard.pair.next"  # what opens the page that was asked for
HELP = (
    "One of the grid's pairs: p is corrected as on the page Grid, and the verdict is on the adjusted p. With more than "
    "two systems this is so until you say otherwise. A single planned comparison: you chose this pair before any score "
    "was known. A pair that was picked because of its score or its p is not a planned comparison. Where its scores have "
    "been shown in this visit already, the verdict says so. To plan before, load the files on the page Files, and choose the "
    "pairs in the sidebar there."
)


def to(page: str, source: Source) -> None:
    """Open the page, with the pair and its family in its address.

    The settings of the sidebar return to the address when they are drawn. (Without parameters, Streamlit refuses to
    leave a page whose address has a setting.)
    """
    pair = dict(zip(KEYS, st.session_state[LAST], strict=True))
    for name, text in (pair | {PARAMETER: source, DECLARED: None}).items():
        address.keep(name, text)
    st.switch_page(page, query_params={**pair, PARAMETER: source})


def given() -> Source | None:
    """The family in the address; None if it names none."""
    here = st.query_params.get(PARAMETER)
    kept = address.text_of(PARAMETER)
    name = here or (None if kept == "gain" else kept)  # only the way from Gain leads to that family
    return next((source for source in SOURCES if source == name), None)


def usual(systems: int) -> Source:
    """The family of a pair that nobody declared planned: the grid, or the pair alone where there is no other."""
    return "grid" if systems >= MANY else "planned"


def choose(systems: int, family: Comparisons) -> Source:
    """The control with which the family is chosen; its state is in the address. `family` is that of the grid."""
    current = _remembered() or usual(systems)
    pairs = count(systems * (systems - 1) // 2, "pair")
    grid = f"the grid's {pairs}"
    of = {"one baseline": f"the {count(systems - 1, 'system')} against {family.baseline}"}
    of["chosen pairs"] = count(len(family.pairs), "chosen pair")
    labels = {
        "planned": "a single planned comparison",
        "grid": f"one of {of.get(family.kind, grid)}",
        "gain": f"one of {pairs} shown on Gain, uncorrected",
    }
    offered = [source for source in SOURCES if source != "gain" or current == "gain"]
    # the address is the only state: a link, a click on a cell and the control cannot disagree
    st.session_state[CONTROL] = current
    st.radio(
        "This pair is",
        offered,
        format_func=lambda source: labels[source],
        key=CONTROL,
        on_change=_change,
        horizontal=True,
        help=HELP,
    )
    return current


def _remembered() -> Source | None:
    """The family of the pair that is shown: in the address, else as it was declared for this pair in this visit."""
    declared: dict[frozenset[str], tuple[Source, str | None]] = st.session_state.setdefault(SOURCES_OF, {})
    pair = frozenset(st.session_state[LAST])
    if (source := given()) is not None:
        declared[pair] = (source, address.text_of(DECLARED))
    elif pair in declared and declared[pair][0] != "gain":
        for name, text in zip((PARAMETER, DECLARED), declared[pair], strict=True):
            address.keep(name, text)
    return declared[pair][0] if pair in declared and (source or declared[pair][0] != "gain") else None


def _change() -> None:
    late = st.session_state[CONTROL] == "planned" and session.scores_shown()
    address.keep(PARAMETER, str(st.session_state[CONTROL]))
    address.keep(DECLARED, "late" if late else None)


def _other_pair() -> None:
    """The pair of the boxes; what was declared of the last one is not true of it."""
    for key in KEYS:
        address.keep(key, str(st.session_state[key]))
    for name in (PARAMETER, DECLARED, BAR):
        address.keep(name, None)


def planned() -> Family:
    """The family of a pair that was declared planned: before its scores were shown, or after."""
    return replace(PLANNED, late=address.text_of(DECLARED) == "late")


COMPARE, SEGMENTS = "pages/compare.py", "pages/segments.py"
OFFERED = "sigboard.offered"
KEYS = ("system", "baseline")
PARTS = ("document", "domain", "order")  # of the page of segments, in its address
BAR = "bar"  # in the address: METRIC:TEST:LOW:HIGH, the resamples behind which the segments are shown


def offer(systems: Sequence[str], first: Sequence[str] = ()) -> None:
    """Set the systems that can be chosen, those of `first` before the others.

    The first two are the pair until another is chosen, so every page should put the best systems first.
    """
    known = [name for name in first if name in systems]
    st.session_state[OFFERED] = [*known, *(name for name in systems if name not in known)]


def named() -> bool:
    """Whether the address names both systems of the pair, so that no usual pair has to be looked for."""
    return all(address.text_of(key) for key in KEYS)


def pair(horizontal: bool = False) -> tuple[str, str]:
    """Two boxes: the system, and the baseline it is compared with; one below the other where the caller sets no row.

    The pair is in the address from when it is not the usual one, so that Back, Forward, a reload and the navigation
    keep it. In a row, on the page that shows the pair, it always is: another metric does not change the pair.
    """
    names: list[str] = st.session_state[OFFERED]
    places: Sequence[Any] = st.columns(2) if horizontal else [nullcontext(), nullcontext()]
    for place, key, name in zip(places, KEYS, _shown(names), strict=True):
        st.session_state[key] = name  # the address is the only state
        with place:
            st.selectbox(key, names, key=key, on_change=_other_pair)
    shown = st.session_state[LAST] = (str(st.session_state["system"]), str(st.session_state["baseline"]))
    for key, name in zip(KEYS, shown, strict=True):
        address.keep(key, name if horizontal or list(shown) != _first(names) else None)
    return shown


def _first(names: Sequence[str]) -> list[str]:
    """The pair until another is chosen."""
    return [names[min(k, len(names) - 1)] for k in range(len(KEYS))]


def _shown(names: Sequence[str]) -> list[str]:
    """The pair in the address, with the usual system where it names none that is loaded."""
    given = [address.text_of(key) for key in KEYS]
    return [name if name and name in names else usual for name, usual in zip(given, _first(names), strict=True)]


def go() -> None:
    """The button that opens the page Pair with the chosen pair."""
    st.button(
        "Compare", type="primary", icon=":material/balance:", on_click=_next, args=(partial(to, COMPARE, "grid"),)
    )


def show_segments(system: str, baseline: str, key: str, label: str = "Show the segments", **filters: str) -> None:
    """A button that opens the texts of the pair, with these filters in the address."""
    st.button(
        label,
        key=key,
        icon=":material/difference:",
        type="tertiary",
        on_click=_next,
        args=(partial(_to_segments, {"system": system, "baseline": baseline} | filters),),
    )


def _next(go: Callable[[], None]) -> None:
    st.session_state[NEXT] = go


def follow() -> None:
    """Open the page that a button asked for, before anything is drawn: a page that is still computing may end its run before
    it comes to its buttons, and the click would be lost."""
    if go := st.session_state.pop(NEXT, None):
        go()


def _to_segments(filters: dict[str, str]) -> None:
    for name in (*KEYS, *PARTS, BAR):
        address.keep(name, filters.get(name))
    st.switch_page(SEGMENTS, query_params=filters)


def bar_of(metric: str, test: str) -> tuple[float, float] | None:
    """The two gains of the bar in the address; None without one, and where it is of another metric or test."""
    *of, low, high = ["", "", *(address.text_of(BAR) or ":").split(":")][-4:]
    try:
        ends = float(low), float(high)
    except ValueError:
        return None
    return ends if of == [metric, test] and ends[0] <= ends[1] else None


def filters_of(of: tuple[str, str, str, str], ends: tuple[float, float]) -> dict[str, str]:
    """The address of the segments behind the resamples of (system, baseline, metric, test) with a gain between two ends: first
    what pulls it to their side."""
    system, baseline, metric, test = of
    bar = f"{metric}:{test}:{ends[0]!r}:{ends[1]!r}"
    return {"system": system, "baseline": baseline, "order": "loss" if sum(ends) < 0 else "gain", BAR: bar}


def opens_bar(
    read: Callable[[Sequence[Any]], tuple[float, float] | None], key: str, of: tuple[str, str, str, str]
) -> Callable[[], None]:
    """A callback that opens the segments behind the bar of a chart that was clicked; `of` as for `filters_of`."""

    def open_bar() -> None:
        ends = read(st.session_state[key]["selection"]["points"])
        if ends is not None:
            _to_segments(filters_of(of, ends))

    return open_bar


def show_part(names: Sequence[str], kind: Literal["document", "domain"], key: str) -> None:
    """A box of documents or domains, and a button that opens the texts of the chosen one: of the pair that is shown."""
    offered: list[str] = st.session_state[OFFERED]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox(f"texts of a {kind}", names, key=f"{key}.name", width=260)
        system, baseline = _shown(offered)
        show_segments(system, baseline, key, **{kind: str(name)})


def show_one(pairs: Sequence[tuple[str, str, str]], label: str, key: str) -> None:
    """A box of pairs, each with what is to be said of it, and a button that opens the texts of the chosen one; nothing
    without pairs."""
    names = {f"{a} against {b} ({why})": (a, b) for a, b, why in pairs}
    if names:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            chosen = st.selectbox(label, names, key=key, width=420)
            show_segments(*names[str(chosen)], f"{key}.show")


def _open(system: str, baseline: str, source: Source) -> None:
    st.session_state[LAST] = (system, baseline)
    to(COMPARE, source)


def clicked(
    read: Callable[[Sequence[Any]], tuple[int, int] | None], systems: Sequence[str], key: str
) -> Callable[[], None]:
    """A callback that opens the pair of the cell of a chart that was clicked."""
    return opened(lambda: read(st.session_state[key]["selection"]["points"]), systems)


def opened(read: Callable[[], tuple[int, int] | None], systems: Sequence[str]) -> Callable[[], None]:
    """A callback that opens the pair at the positions that `read` gives, if there are any."""

    def open_cell() -> None:
        cell = read()
        if cell is not None and max(cell) < len(systems):
            _open(systems[cell[0]], systems[cell[1]], "grid")

    return open_cell


def clicked_names(read: Callable[[Sequence[Any]], tuple[str, str] | None], key: str) -> Callable[[], None]:
    """A callback that opens the pair of the point that was clicked."""

    def open_point() -> None:
        names = read(st.session_state[key]["selection"]["points"])
        if names is not None:
            _open(*names, "gain")

    return open_point
