"""The settings of the tuning page: methods with their options, metric, split, replicates, list sizes and a language model."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import streamlit as st

from sigboard import terms
from sigboard.server import cache
from sigboard.shell import downloads, page, queries, settings
from sigboard.shell.tuned import LanguageModel, TuningAsked
from sigcore import Option, Outputs, Testset, data, metrics, readers
from sigcore import tuning as family
from sigcore.formatting import count
from sigcore.studies import enough, tuning

STARTED, MODEL = "sigboard.tuning.started", "sigboard.tuning.model"
SPLITS = {0.3: "30%", 0.5: "50%", 0.7: "70%", 1.0: "all, without a test"}
REPLICATES = {number: str(number) for number in (1, 2, 3, 5, 10)}
DRAWN = {"resample": "on segments drawn again", "same": "on the same segments"}
ITERATIONS = {number: str(number) for number in (1, 3, 5, 10, 20, 40)}
STARTED_WITH = {"list": "of the list", "random": "random"}
SIZES = (2, 5, 10, 20, 50, 100)
POLICIES = {"aggregate": "aggregated", "merge": "merged", "both": "both, compared"}
VARIANTS: dict[tuning.Variant, str] = {
    "lin_och": "add-one above order 1 (Lin & Och)",
    "all_orders": "add-one for all orders (Moses)",
}
BETTER = {"automatic": "by the name of the column", "higher": "higher is better", "lower": "lower is better"}
COLUMN = "column: "
SWEEP = (1, 2, 5, 10)
FIXED_LISTS = "Your lists are fixed: new weights give no new hypotheses, so aggregating and merging are the same."


def asked_with(
    source: str, testset: Testset, lists: tuning.KBest | None, outputs: Sequence[Outputs] = ()
) -> TuningAsked:
    """What is tuned, under the settings that were sent with the button; the sample is tuned at once."""
    fixed = lists is not None
    with (
        st.expander("Methods, split, replicates, metric, options", _waits(source), icon=":material/tune:"),
        st.form("tuning", border=False),
    ):
        names, sweep = _methods(fixed)
        plan = _plan(fixed, testset.n if lists is None else int(lists.lengths.max()))
        target = metric(lists)
        with st.container(horizontal=True):
            added, model = features(lists, testset), language_model()
        options = _all_options(fixed)
        if fixed:
            st.caption(f"{FIXED_LISTS} So iterations, list size and earlier lists are off.")
        if st.form_submit_button("Tune", type="primary", icon=":material/play_arrow:"):
            st.session_state[STARTED] = source
            st.rerun()
    if _waits(source):
        st.info("Check the methods and settings above, then press Tune.", icon=":material/tune:")
        st.stop()
    chosen = _chosen(plan, names, sweep, options)
    return TuningAsked(testset, target, chosen, lists, added, tuple(outputs), model)


def lab_plan(longest: int) -> tuning.TuningPlan:
    """Methods, replicates and list sizes of the lab, whose lists are fixed and never split."""
    names, sweep = _methods(True)
    plan = _plan(True, longest, lab=True)
    return _chosen(plan, names, sweep, _all_options(True))


def _all_options(fixed: bool) -> dict[str, dict[str, object]]:
    """The options of every method."""
    with st.popover("Options of the methods", icon=":material/settings:", width="stretch"):
        return {name: _options(name) for name in _titles(fixed)}


def _chosen(
    plan: tuning.TuningPlan, names: Sequence[str], sweep: bool, options: Mapping[str, dict[str, object]]
) -> tuning.TuningPlan:
    """The plan with the methods, and with test, seed and unit of the sidebar."""
    now = queries.chosen()
    methods = [(name, options[name]) for name in names if not (sweep and name == "top_n")]
    methods += [("top_n", options.get("top_n", {}) | {"n": n}) for n in SWEEP if sweep]
    return replace(
        plan,
        methods=tuple(methods),
        seed=now.seed,
        test=now.test,
        resamples=enough.fixed(now.resamples),
        estimator=now.settings.estimator,
        unit=now.unit,
    )


def _waits(source: str) -> bool:
    """Whether nothing is tuned yet: the sample is tuned at once, all else from the first press of the button."""
    return source != "sample" and st.session_state.get(STARTED) != source


def _methods(fixed: bool) -> tuple[list[str], bool]:
    """The methods, and whether top-n ListMLE is compared under several n; a choice without weights needs fixed lists."""
    titles = _titles(fixed)
    usual = [name for name, _ in tuning.TuningPlan().methods][: None if fixed else 2]
    names = st.multiselect(
        "methods",
        list(titles),
        usual,
        format_func=lambda name: titles.get(name, name),
        key=f"sigboard.tuning.methods.{fixed}",
        persist_state="session",
        help="Every method is tuned, and tested against the baseline. Their options: see the button below.",
    )
    sweep = st.checkbox(
        f"Compare n = {', '.join(map(str, SWEEP))} in top-n ListMLE",
        key="sigboard.tuning.sweep",
        persist_state="session",
        help="Chen et al. 2017, Fig. 2: how many places of the order should count. The paper found about 5.",
    )
    return names, sweep


def _titles(fixed: bool) -> dict[str, str]:
    return {m.name: m.title for m in family.members().values() if fixed or m.column is None}


def _plan(fixed: bool, longest: int, lab: bool = False) -> tuning.TuningPlan:
    """The split, the replicates, and how lists are made and collected."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        split = settings.choose("split", SPLITS, 0.5, "tuned on", disabled=lab, help=terms.meaning("split"), width=150)
        runs = settings.choose("replicates", REPLICATES, 3, width=110)
        drawn = settings.choose(
            "redraw", DRAWN, "resample", "each replicate", help=terms.meaning("replicates"), width=210
        )
        iterations = settings.choose(
            "iterations", ITERATIONS, 3, disabled=fixed, width=110, help="Rounds of decoding and tuning."
        )
        size = settings.choose(
            "list_size",
            {k: str(k) for k in SIZES},
            20,
            "list size",
            disabled=fixed,
            width=110,
            help="Hypotheses in a list (k) that the decoder returns.",
        )
        help = "Of the list: those that gave its scores, if there are such. Random: as in Chen et al. 2017, Fig. 3 (tab Course)."
        begins = settings.choose("begins", STARTED_WITH, "list", "start weights", width=140, help=help)
        policy = settings.choose(
            "policy",
            POLICIES,
            "aggregate",
            "earlier lists",
            disabled=fixed,
            width=160,
            help=FIXED_LISTS if fixed else terms.meaning("aggregate"),
        )
    sizes = _sizes(fixed, longest)
    both = policy == "both" and not fixed
    return tuning.TuningPlan(
        split=split,
        replicates=runs,
        resample=drawn == "resample",
        iterations=iterations,
        size=size,
        policy="merge" if policy == "merge" else "aggregate",
        policies=tuning.POLICIES if both else (),
        sizes=sizes,
        random_start=begins == "random",
    )


def _sizes(fixed: bool, longest: int) -> tuple[int, ...]:
    """The list sizes that are compared, in order."""
    able = [k for k in SIZES if not fixed or k <= longest]
    chosen = st.multiselect(
        "list sizes to compare",
        able,
        key=f"sigboard.tuning.sizes.{fixed}.{able[-1] if able else 0}",
        persist_state="session",
        placeholder="none",
        help="Chen et al. 2017, Table 4: does tuning profit from longer lists? Every method is tuned on lists of each size; of "
        "your own lists the first hypotheses are tuned on. Held-out lists are the same for all sizes.",
    )
    return tuple(sorted(chosen))


def describe(lists: tuning.KBest) -> None:
    """The features of the person's own lists, before anything is tuned."""
    with st.expander(
        page.literal(
            f"{lists.name}: {count(lists.n, 'list')}, {count(lists.size, 'hypothesis')}, {count(len(lists.names), 'feature')}"
        ),
        icon=":material/table_rows:",
    ):
        number, rows = st.column_config.NumberColumn, cache.once(tuning.described, lists)
        downloads.table(
            [asdict(row) | {"varies": 100 * row.varies} for row in rows],
            None,
            name=st.column_config.Column("Feature"),
            mean=number("Mean", format="%.4g"),
            deviation=number("Standard deviation", format="%.4g"),
            low=number("Smallest", format="%.4g"),
            high=number("Largest", format="%.4g"),
            varies=number("Varies in", format="%.0f %%", help="The share of the lists in which it can decide."),
        )


def metric(lists: tuning.KBest | None) -> tuning.Target:
    """What is tuned for: a metric with its options, or the mean of a column of the lists."""
    titles = {m.name: m.title_of(m.chosen()) for m in metrics.members().values() if m.kind == "text"}
    names = () if lists is None else lists.names
    choices = titles | {f"{COLUMN}{name}": f"{COLUMN}{name}" for name in names}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = str(
            settings.choose(
                "target",
                choices,
                "bleu",
                "metric",
                width=180,
                help="What is tuned for and tested. A column is no longer a feature then.",
            )
        )
        better = "automatic"
        if names:
            label = "values of a column"
            better = str(
                settings.choose(
                    "column_better", BETTER, label=label, width=180, help="Only where a column is tuned for."
                )
            )
        variant = settings.choose(
            "variant",
            VARIANTS,
            label="BLEU of one hypothesis",
            width=270,
            help="Only for BLEU: how it is smoothed for a single segment. Methods learn from it; tests use BLEU of all segments.",
        )
        if name not in titles:
            return tuning.Target.of("bleu", column=name.removeprefix(COLUMN), better=better)
        with st.popover(f"Options of {titles[name]}", icon=":material/settings:"):
            options = _drawn(f"tuning.{name}", metrics.get(name).options)
    return tuning.Target.of(name, options, variant)


def _options(name: str) -> dict[str, object]:
    """Those options of a method that are not the default."""
    method = family.get(name)
    st.markdown(f"**{method.title}**", help=method.help)
    if not method.options:
        st.caption("This method has no options.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        return _drawn(f"tuning.{name}", method.options)


def _drawn(key: str, options: Sequence[Option]) -> dict[str, object]:
    """The values of options that are not the default, each with a widget."""
    values = {option.name: settings.widget(f"{key}.{option.name}", option) for option in options}
    return {option.name: values[option.name] for option in options if values[option.name] != option.default}


def features(lists: tuning.KBest | None, testset: Testset) -> tuple[str, ...]:
    """The built-in features that are added to the lists."""
    if lists is None:
        return ()
    able = [name for name in tuning.BUILT_IN if name not in lists.names and (name != "length_ratio" or testset.sources)]
    return tuple(
        st.multiselect(
            "features to add",
            able,
            key="sigboard.tuning.features",
            persist_state="session",
            placeholder="none",
            help="Features that need no model: number of words, ratio of lengths, agreement with the other hypotheses of a "
            "list (consensus).",
        )
    )


def language_model() -> LanguageModel | None:
    """The model of pairs of words of a text that was dropped; it is kept while the person looks at other pages."""
    file = st.file_uploader(
        "Plain text for a language model, one segment per line",
        key="sigboard.tuning.text",
        help="Its model of pairs of words gives the log probability of every hypothesis as a feature. The text must not contain "
        "the references.",
    )
    if file is not None:
        content = file.getvalue()
        mark = hashlib.sha256(content).hexdigest()
        held: LanguageModel | None = st.session_state.get(MODEL)
        if held is None or held.digest != mark:
            st.session_state[MODEL] = LanguageModel(file.name, mark, _trained(file.name, content))
    kept: LanguageModel | None = st.session_state.get(MODEL)
    if kept is None:
        return None
    used = st.checkbox(f"Use the language model of {page.literal(kept.file)}", True, key="sigboard.tuning.use_model")
    return kept if used else None


def _trained(name: str, content: bytes) -> tuning.BigramModel:
    """Raises: SigError for a file that cannot be read as plain text, or has no words."""
    collection = data.Collection()
    collection.add([(name, content)], [(name, "reference")], every=readers.Choice("plain"))
    collection.refuse_problems()
    return tuning.language_model(text for item in collection.items for text in item.segments)
