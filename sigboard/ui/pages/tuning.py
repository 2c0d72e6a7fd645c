"""What the tuning page tunes: the lists of the sample, the person's own, or the systems that are loaded; and how."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from sigboard import terms
from sigboard.ui import controls, inputs, memory, page, queries, session
from sigboard.ui.tuning_queries import TuningAsked
from sigcore import Testset, data, metrics, readers
from sigcore import tuning as family
from sigcore.studies import enough, tuning

SAMPLE = "harbour"
OWN, STARTED = "sigboard.tuning.own", "sigboard.tuning.started"
SPLITS = {0.3: "30 %", 0.5: "50 %", 0.7: "70 %", 1.0: "all, without a test"}
REPLICATES = {number: str(number) for number in (1, 2, 3, 5, 10)}
ITERATIONS = {number: str(number) for number in (1, 3, 5, 10, 20, 40)}
POLICIES = {"aggregate": "aggregated", "merge": "merged"}
COLUMN = "column: "
SWEEP = (1, 2, 5, 10)
FIXED_LISTS = "Your lists are fixed: new weights give no new hypotheses, so aggregating and merging are the same."


@dataclass(frozen=True, eq=False)
class Lists:
    """The person's own k-best lists, their test set, and what is to be said about the files."""

    lists: tuning.KBest
    testset: Testset
    messages: tuple[str, ...] = field(default=())


def asked(visit: session.Visit) -> TuningAsked:
    """The question of the page; where something is missing, the page says so and stops.

    The sample is tuned at once; everything else when the button is pressed.
    """
    sources = {
        "sample": f"the sample ({SAMPLE}): candidates of an invented system",
        "lists": "your own k-best lists",
        "systems": "the loaded systems, combined",
    }
    source = str(controls.choose("lists", sources, label="tune on", help=terms.meaning("k-best")))
    if source == "systems":
        loaded = inputs.sound(visit, 2)
        st.caption(
            f"{len(loaded.outputs)} systems are aligned word by word, and a decoder searches the combinations. "
            f"{page.literal(session.title(visit.collection))}: {loaded.testset.n:,} segments."
        )
        return _plan(source, loaded.testset, None, loaded.outputs)
    own = _sample() if source == "sample" else _own(visit)
    if own.messages:
        st.info("\n\n".join(page.literal(message) for message in own.messages), icon=":material/info:")
    return _plan(source, own.testset, own.lists)


def _sample() -> Lists:
    """The candidates of the sample, with its references and documents."""
    return memory.once(_read_sample, SAMPLE)


def _read_sample(name: str) -> Lists:
    collection = data.Collection()
    collection.add_sample(name)
    testset = collection.sound().testset
    assert testset is not None
    lists, _ = readers.read_kbest(f"{name}.nbest", readers.sample_candidates(name) or b"")
    return Lists(lists, testset)


def _own(visit: session.Visit) -> Lists:
    """The lists and the references that were dropped; they are kept while the person looks at other pages."""
    left, right = st.columns(2)
    with left:
        nbest = st.file_uploader(
            "k-best lists (Moses, cdec, JSON lines, TSV; also .gz)",
            key="sigboard.tuning.nbest",
            help="One hypothesis on each line: segment ||| hypothesis ||| Name= value ... ||| score; or the columns id, hyp, "
            "one for each feature, and score. Several samples of a language model with the score of a judge are such a list.",
        )
    with right:
        gold = st.file_uploader(
            "References, one segment per line",
            accept_multiple_files=True,
            key="sigboard.tuning.references",
            help="Without a file, the references of your loaded test set are used if it has as many segments as there are lists.",
        )
    sparse = st.checkbox("A feature that a hypothesis does not have is 0", key="sigboard.tuning.sparse")
    if nbest is not None:
        files = [(file.name, file.getvalue()) for file in gold or ()]
        given = [(nbest.name, nbest.getvalue()), *files]
        base = visit.collection.state if not files else None  # then the references are those that are loaded
        mark = (sparse, base, *((name, hashlib.sha256(content).hexdigest()) for name, content in given))
        if OWN not in st.session_state or st.session_state[OWN][0] != mark:
            st.session_state[OWN] = (mark, _read(visit, given[0], files, sparse))
    if OWN not in st.session_state:
        st.info("Drop your lists and their references here, or choose the sample.", icon=":material/upload_file:")
        st.stop()
    kept: Lists = st.session_state[OWN][1]
    if nbest is None:
        st.caption(f"{page.literal(kept.lists.name)}: {kept.lists.size:,} hypotheses, loaded before.")
    return kept


def _read(
    visit: session.Visit, nbest: tuple[str, bytes], references: Sequence[tuple[str, bytes]], sparse: bool
) -> Lists:
    """Raises: SigError for files that cannot be used, or that do not fit each other."""
    lists, notices = readers.read_kbest(*nbest, sparse)
    messages = [f"{where}: {message}" if where else message for message, where in data.together(notices)]
    if references:
        collection = data.Collection()
        collection.add(references, [(name, "reference") for name, _ in references])
        collection.refuse_problems()
    else:
        _needs_references(visit, lists)
        collection = visit.collection.copy()
        collection.items = tuple(item for item in collection.items if item.role != "system")
    testset, warnings = tuning.with_references(lists, collection, nbest[0])
    return Lists(lists, testset, (*messages, *warnings))


def _needs_references(visit: session.Visit, lists: tuning.KBest) -> None:
    """Ask for references, and stop the script, unless the person has loaded a test set with as many segments."""
    loaded = None if visit.collection.sample else visit.collection.loaded().testset
    if loaded is None or loaded.n != lists.n:
        read = f"{lists.name}: {lists.n:,} lists with {lists.size:,} hypotheses."
        st.info(f"{page.literal(read)} Now drop their references, one segment per line.", icon=":material/upload_file:")
        st.stop()


def _plan(source: str, testset: Testset, lists: tuning.KBest | None, outputs: Sequence[Any] = ()) -> TuningAsked:
    """The settings of the page, which count when the button is pressed."""
    now, fixed = queries.chosen(), lists is not None
    with st.expander("Methods, split, replicates, metric", icon=":material/tune:"), st.form("tuning", border=False):
        methods = _methods(fixed)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            split = controls.choose("split", SPLITS, 0.5, "tuned on", help=terms.meaning("split"), width=150)
            runs = controls.choose("replicates", REPLICATES, 3, width=110)
            metric = _metric(lists)
            iterations = controls.choose(
                "iterations", ITERATIONS, 3, disabled=fixed, width=110, help="Rounds of decoding and tuning."
            )
            policy = controls.choose(
                "policy",
                POLICIES,
                "aggregate",
                "earlier lists",
                disabled=fixed,
                width=150,
                help=FIXED_LISTS if fixed else terms.meaning("aggregate"),
            )
        features = _features(lists, testset)
        if fixed:
            st.caption(f"{FIXED_LISTS} So these two settings are off.")
        if st.form_submit_button("Tune", type="primary", icon=":material/play_arrow:"):
            st.session_state[STARTED] = source
    if source != "sample" and st.session_state.get(STARTED) != source:
        st.info("Check the methods and settings above, then press Tune.", icon=":material/tune:")
        if st.button("Tune with these settings", type="primary", icon=":material/play_arrow:"):
            st.session_state[STARTED] = source
            st.rerun()
        st.stop()
    plan = tuning.Plan(
        methods=methods,
        split=float(split),
        replicates=int(runs),
        seed=now.seed,
        iterations=int(iterations),
        policy=policy,
        test=now.test,
        resamples=enough.fixed(now.resamples),
        estimator=now.settings.estimator,
        unit=now.unit,
    )
    return TuningAsked(testset, metric, plan, lists, features, tuple(outputs))


def _methods(fixed: bool) -> tuple[tuple[str, dict[str, object]], ...]:
    """The methods with their options; a choice without weights needs fixed lists."""
    titles = {m.name: m.title for m in family.members().values() if fixed or m.column is None}
    usual = [name for name, _ in tuning.Plan().methods][: None if fixed else 2]
    names = st.multiselect(
        "methods",
        list(titles),
        usual,
        format_func=lambda name: titles.get(name, name),
        key=f"sigboard.tuning.methods.{fixed}",
        persist_state="session",
        help="Every method is tuned with its usual options, and tested against the baseline.",
    )
    sweep = st.checkbox(
        f"Compare n = {', '.join(map(str, SWEEP))} in top-n ListMLE",
        key="sigboard.tuning.sweep",
        persist_state="session",
        help="Chen et al. 2017, Fig. 2: how many places of the order should count. The paper found about 5.",
    )
    chosen: list[tuple[str, dict[str, object]]] = [(name, {}) for name in names if not (sweep and name == "top_n")]
    return tuple(chosen + [("top_n", {"n": n}) for n in SWEEP if sweep])


def _metric(lists: tuning.KBest | None) -> tuning.Target:
    """What is tuned for: a metric, or the mean of a column of the lists."""
    titles = {m.name: m.title_of(m.chosen()) for m in metrics.members().values() if m.kind == "text"}
    names = () if lists is None else lists.names
    choices = titles | {f"{COLUMN}{name}": f"{COLUMN}{name}" for name in names}
    name = str(
        controls.choose(
            "target",
            choices,
            "bleu",
            "metric",
            width=180,
            help="What is tuned for and tested. A column is no longer a feature then.",
        )
    )
    return tuning.Target.of("bleu", column=name.removeprefix(COLUMN)) if name not in titles else tuning.Target.of(name)


def _features(lists: tuning.KBest | None, testset: Testset) -> tuple[str, ...]:
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
