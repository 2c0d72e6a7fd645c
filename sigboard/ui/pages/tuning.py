"""What the tuning page tunes: the lists of the sample, the person's own, or the systems that are loaded; and how."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

import streamlit as st

from sigboard import terms
from sigboard.ui import controls, downloads, inputs, memory, page, session
from sigboard.ui.pages import tuning_settings
from sigboard.ui.tuning_queries import TuningAsked
from sigcore import Testset, data, readers
from sigcore.studies import tuning

SAMPLE = "harbour"
OWN = "sigboard.tuning.own"


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
        return tuning_settings.asked(source, loaded.testset, None, loaded.outputs)
    own = _sample() if source == "sample" else _own(visit)
    if own.messages:
        st.info("\n\n".join(page.literal(message) for message in own.messages), icon=":material/info:")
    if source == "lists":
        _describe(own.lists)
    return tuning_settings.asked(source, own.testset, own.lists)


def _describe(lists: tuning.KBest) -> None:
    """The features of the person's own lists, before anything is tuned."""
    with st.expander(
        page.literal(f"{lists.name}: {lists.n:,} lists, {lists.size:,} hypotheses, {len(lists.names)} features"),
        icon=":material/table_rows:",
    ):
        number, rows = st.column_config.NumberColumn, memory.once(tuning.described, lists)
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
