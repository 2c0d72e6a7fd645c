"""The shared sidebar: widgets made from the plugin families and their options; every setting is in the URL."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from sigcore import SIDES, UNIT_KINDS, Option, Settings, corrections, metrics, significance
from sigcore.types import AUTO

SIDE_LABELS = {
    "two-sided": "two-sided",
    "greater": "one-sided: row better",
    "less": "one-sided: row worse",
}
RESAMPLES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
ALPHAS = (0.1, 0.05, 0.01, 0.005, 0.001)
ESTIMATORS = {"valid": "(c + 1) / (R + 1), valid", "paper": "c / R, as in some papers"}
UNITS = {AUTO: "automatic"} | {name: name for name in UNIT_KINDS}
BLOCK_LENGTH = 50
TIE_RULES = {
    "counted": "counted against the gain",
    "strict": "not counted (strict)",
    "half": "half of them counted",
}
AS_PRINTED = (
    "**As printed in a paper or by another tool:** only to compare p with such a source. Ties left out make p too small, and c / R can be 0. "
    "There is no verdict under these rules."
)

HELP = {
    "metric": "The score that is compared. Its options are below.",
    "test": "How p is computed. The compare page shows all tests together.",
    "unit": "What is drawn or swapped as one piece: a segment, a whole document, or a block of consecutive segments. "
    "Segments of one document are often similar; resampling single segments then gives p-values that are too small. "
    "Document is available if the files contain documents; automatic chooses it where there are enough of them.",
    "block": "The number of consecutive segments in a block.",
    "sides": "Two-sided: is there a difference? One-sided: is there a difference in the one direction that was chosen "
    "before looking at the data?",
    "alpha": "The significance level: how often a true null hypothesis may be rejected. A change is applied at once.",
    "resamples": "R, the number of pseudo test sets that are drawn. More resamples make p more precise, not smaller. "
    "Automatic: as many as the verdicts need at this alpha, up to a million.",
    "correction": "When many pairs are tested, some are significant by chance. A correction controls such errors. A change is "
    "applied at once.",
    "seed": "The same seed gives the same numbers again.",
    "ties": "How resamples exactly on a cut-off are counted.",
    "estimator": "How the count c becomes p.",
}


@dataclass(frozen=True)
class Chosen:
    """All settings of the sidebar."""

    metric: str
    options: dict[str, Any]
    test: str
    alpha: float
    resamples: int | str
    seed: int
    settings: Settings = field(default_factory=Settings)
    unit: str = AUTO

    @property
    def asked(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """The metric with its options, as a study takes it."""
        return ((self.metric, self.options),)


def draw(kind: str, measure: str = "", documents: bool = False) -> Chosen:
    """The settings chosen in the sidebar, which is drawn for one kind of test set.

    `measure` is the name of the scores in their file; `documents`: whether the test set has documents.
    """
    with st.sidebar:
        metric = choose(
            "metric",
            {m.name: m.title_of(m.chosen()) for m in metrics.members().values() if m.kind == kind},
            metrics.usual(kind),
        )
        options = _options(metric, measure)
        test = choose("test", {t.name: t.title for t in significance.members().values()}, "approximate_randomization")
        side = choose("sides", {name: SIDE_LABELS[name] for name in SIDES})
        unit = _unit(documents)
        alpha = choose("alpha", {a: f"{a:g}" for a in ALPHAS}, 0.05)
        correction = choose("correction", _corrections(test), AUTO)
        resamples = choose("resamples", {AUTO: "automatic"} | {r: f"{r:,}" for r in RESAMPLES}, AUTO)
        with st.expander("Seed, p as printed elsewhere"):
            seed = st.number_input(
                "seed", 0, 2**53 - 1, 12345, step=1, key="seed", bind="query-params", help=HELP["seed"]
            )
            with st.container(border=True):
                st.caption(AS_PRINTED)
                ties = choose("ties", TIE_RULES)
                estimator = choose("estimator", ESTIMATORS)
    return Chosen(metric, options, test, alpha, resamples, int(seed), Settings(side, estimator, ties, correction), unit)


def _corrections(test: str) -> dict[str, str]:
    """The corrections that the test can have; the usual one first."""
    bootstrap = significance.get(test).draws == "bootstrap"
    usual = corrections.get(corrections.usual(bootstrap)).title
    members = corrections.members().values()
    return {AUTO: f"automatic ({usual})"} | {c.name: c.title for c in members if bootstrap or not c.needs_joint}


def _unit(documents: bool) -> str:
    """The unit of resampling, as a study takes it: "auto", "segment", "document", "block:N"."""
    chosen = str(choose("unit", {name: word for name, word in UNITS.items() if documents or name != "document"}))
    if chosen != "block":
        return chosen
    length = st.number_input(
        "segments per block", 1, 10**6, BLOCK_LENGTH, step=1, key="block", bind="query-params", help=HELP["block"]
    )
    return f"block:{int(length)}"


def choose(key: str, choices: dict[Any, str], default: Any = None, label: str = "", **more: Any) -> Any:
    """The choice in a box whose state is in the URL, by label or by name."""
    names = list(choices)
    _accept_name(key, choices)
    return st.selectbox(
        label or key,
        names,
        index=names.index(default) if default in names else 0,
        format_func=lambda name: choices.get(name, str(name)),
        key=key,
        bind="query-params",
        **{"help": HELP.get(key), **more},
    )


def _accept_name(key: str, choices: dict[Any, str]) -> None:
    """Accept the name of a member in the URL (metric=ter), as in the terminal: Streamlit itself accepts only labels."""
    given = st.query_params.get(key)
    if key in st.session_state or given is None or given in choices.values():
        return
    for name, label in choices.items():
        if str(name) == given:
            st.query_params[key] = label
            st.rerun()


def _options(metric: str, measure: str) -> dict[str, Any]:
    member = metrics.get(metric)
    if not member.options:
        return {}
    values: dict[str, Any] = {}
    # the options of own scores must not be overlooked: whether lower is better
    with st.expander(
        f"Options of {member.title_of(member.chosen())}", expanded=member.kind in ("scores", "statistics")
    ):
        for option in member.options:
            value = widget(f"{metric}.{option.name}", option)
            if value != option.default:
                values[option.name] = value
    if measure and any(option.name == "label" for option in member.options):
        values.setdefault("label", measure)
    return member.chosen(values) and values


def widget(key: str, option: Option, bound: bool = True) -> Any:
    """The value of an option, from its widget; `bound` keeps it in the URL."""
    label = option.name.replace("_", " ")
    common: dict[str, Any] = {"key": key, "help": option.help or None} | ({"bind": "query-params"} if bound else {})
    if option.choices:
        return option.read(_select(label, option, common))
    if option.type is bool:
        return st.checkbox(label, bool(option.default), **common)
    if option.type is str or option.optional:
        return option.read(st.text_input(label, _text(option.default), **common))
    return _number(label, option, common)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _select(label: str, option: Option, common: dict[str, Any]) -> str:
    names = ([""] if option.optional else []) + [str(choice) for choice in option.choices if choice is not None]
    start = names.index(_text(option.default))
    return str(st.selectbox(label, names, index=start, format_func=lambda name: name or "automatic", **common))


def _number(label: str, option: Option, common: dict[str, Any]) -> Any:
    kind: Any = int if option.type is int else float
    low, high = (None if end is None else kind(end) for end in (option.low, option.high))
    step = 1 if option.type is int else None
    return kind(st.number_input(label, low, high, kind(option.default), step=step, **common))
