"""Did tuning help? Methods by replicates on k-best lists or combined systems, tested on held-out segments."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import streamlit as st

from sigboard import terms
from sigboard.questions.tuning import choices, figure, lab_page
from sigboard.questions.tuning.report import RUN_T, as_lines, moses_weights, tuned_files, tuning_json
from sigboard.server import cache
from sigboard.shell import captions, downloads, inputs, page, queries, session, settings, tuned
from sigboard.shell.tuned import LabAsked, TuningAsked
from sigcore import Collection, Testset, data, formatting, readers
from sigcore.formatting import count
from sigcore.studies import tuning
from sigcore.types import Role, Row

# What the tuning page tunes: the lists of the sample, the person's own, or the systems that are loaded; and how.

Found = TypeVar("Found", tuning.TuningResult, tuning.LabResult)
SAMPLE = "harbour"
OWN = tuned.OWN


@dataclass(frozen=True, eq=False)
class Lists:
    """The person's own k-best lists, their test set, and what is to be said about the files."""

    lists: tuning.KBest
    testset: Testset
    messages: tuple[str, ...] = field(default=())


def asked_of(visit: session.Visit) -> TuningAsked | LabAsked:
    """The question of the page; where something is missing, the page says so and stops.

    The sample is tuned at once; everything else when the button is pressed.
    """
    source = str(settings.choose("lists", settings.LISTS, _usual(visit), "tune on", help=terms.meaning("k-best")))
    if source == "lab":
        return lab_page.asked()
    if source == "systems":
        loaded = inputs.sound(visit, 2)
        st.caption(
            f"{count(len(loaded.outputs), 'system')} are aligned word by word, and a decoder searches the combinations. "
            f"{page.literal(session.title(visit.collection))}: {count(loaded.testset.n, 'segment')}."
        )
        return choices.asked_with(source, loaded.testset, None, loaded.outputs)
    own = cache.once(_read_sample, SAMPLE) if source == "sample" else _own(visit)
    if own.messages:
        st.info("\n\n".join(page.literal(message) for message in own.messages), icon=":material/info:")
    if source == "lists":
        choices.describe(own.lists)
    return choices.asked_with(source, own.testset, own.lists)


def _usual(visit: session.Visit) -> str:
    """What is tuned on before any choice: a person's own systems or lists, and the sample only where nothing is loaded."""
    own = visit.collection
    if not own.items or own.sample:
        return "sample"
    together = own.kind == "text" and len(own.loaded().outputs) > 1 and not tuned.lists_of(own)
    return "systems" if together else "lists"


def _read_sample(name: str) -> Lists:
    """The candidates of the sample, with its references and documents."""
    collection = data.Collection()
    collection.add_sample(name)
    testset = collection.sound().testset
    lists, _ = readers.read_kbest(f"{name}.nbest", readers.sample_candidates(name) or b"")
    return Lists(lists, testset)


def _own(visit: session.Visit) -> Lists:
    """The lists and the references that were dropped here, which are kept while the person looks at other pages; without
    them those that were dropped under Files."""
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
    named = (nbest.name, nbest.getvalue()) if nbest is not None else _given(visit.collection, bool(gold))
    if named is not None:
        files = [(file.name, file.getvalue()) for file in gold or ()]
        base = visit.collection.state if not files else None  # then the references are those that are loaded
        digests = ((name, hashlib.sha256(content).hexdigest()) for name, content in (named, *files))
        mark = (nbest is None, sparse, base, *digests)
        if OWN not in st.session_state or st.session_state[OWN][0] != mark:
            st.session_state[OWN] = (mark, _read(visit, named, files, sparse))
    if OWN not in st.session_state:
        st.info("Drop your lists and their references here, or choose the sample.", icon=":material/upload_file:")
        st.stop()
    kept: Lists = st.session_state[OWN][1]
    if nbest is None:
        where = "of your files" if named is not None else "loaded before"
        st.caption(f"{page.literal(kept.lists.name)}: {count(kept.lists.size, 'hypothesis')}, {where}.")
    return kept


def _given(collection: Collection, gold: bool) -> tuple[str, bytes] | None:
    """Name and content of one of the lists among the loaded files; None without them, and where lists or references that
    were dropped here before stay (`gold`: these are new references)."""
    if OWN in st.session_state:
        of_files, _, base, *_ = st.session_state[OWN][0]
        if not of_files or (base is None and not gold):
            return None
    found = tuned.lists_of(collection)
    if not found:
        st.session_state.pop(OWN, None)
        return None
    name = found[0] if len(found) == 1 else st.selectbox("lists of your files", found, key="sigboard.tuning.loaded")
    return name, next(one.data for one in collection.detected if one.file == name)


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
        read = f"{lists.name}: {count(lists.n, 'list')} with {count(lists.size, 'hypothesis')}."
        st.info(f"{page.literal(read)} Now drop their references, one segment per line.", icon=":material/upload_file:")
        st.stop()


# The results on the tuning page: the verdict, tables, what was chosen, downloads, and the tuned outputs as a test set.

S_SEL = "Standard deviation of a run's score over drawn segments, averaged over the runs."
S_OPT = "Standard deviation of the scores of the runs."
OUTPUT = "sigboard.tuning.output"
MOST_SHOWN = 200  # features in the table of weights


def verdict(result: tuning.TuningResult, alpha: float) -> None:
    """The result in one sentence, how many methods are significantly better, and the main figure."""
    captions.sentence(str(result))
    if result.tests:
        better = [item for item in result.tests if item.adjusted <= alpha and item.gain > 0]
        worse = [item for item in result.tests if item.adjusted <= alpha and item.gain < 0]
        methods = formatting.count(len(result.tests), "method")
        st.markdown(
            f"**{len(better)} of {methods}** significantly better than the baseline ({page.literal(result.baseline)}) at alpha "
            f"{alpha:g} (Holm), **{len(worse)}** significantly worse. {result.averaged()}"
        )
    page.plot("sigboard.tuning.scores", figure.scores, figure.scores_alt, result, compact=page.phone())
    setup = result.setup
    if result.test is None:
        st.caption("Each circle is a tuning run. All segments were tuned on, so these scores are too good.")
        return
    drawn = formatting.format_draws(setup.resamples, setup.seed)
    units = formatting.format_units(setup.n, setup.unit, setup.segments)
    page.caption(
        f"Each circle is the gain of a tuning run over the baseline ({result.baseline}) of the same segments: those tuned on "
        f"(open), and {units} held out (filled). Line: the average of the held-out runs, with the percentile interval of its "
        f"gain. {setup.test_title}, two-sided, {drawn}."
    )


def tests_table(result: tuning.TuningResult, alpha: float) -> None:
    """Every method against the baseline, with what its runs add."""
    if not result.tests:
        st.info("No segments were held out, so nothing was tested.", icon=":material/info:")
        return
    resamples = result.setup.resamples
    rows = [
        {
            "method": item.title,
            "average": item.average,
            "gain": item.gain,
            "interval_low": item.interval[0],
            "interval_high": item.interval[1],
            "p": formatting.format_p(item.p_value, resamples),
            "corrected": formatting.format_p(item.adjusted, resamples),
            "verdict": "significant" if item.adjusted <= alpha else "",
            "s_sel": item.s_sel,
            "s_opt": item.s_opt,
            "t": item.run_t,
            "p of t": formatting.format_p(item.run_p, 0),
        }
        for item in result.tests
    ]
    number = st.column_config.NumberColumn
    decimals = f"%.{result.setup.decimals}f"
    downloads.table(
        rows,
        result.setup,
        method=st.column_config.Column("Method"),
        average=number("Average", format=decimals, help="The mean score of the runs on held-out segments."),
        p=st.column_config.Column("p", help="Of all runs together, not corrected. It takes these runs as given."),
        corrected=st.column_config.Column("Corrected p", help="After Holm's correction over the methods."),
        s_sel=number("s_sel", format=decimals, help=S_SEL),
        s_opt=number("s_opt", format=decimals, help=S_OPT),
        t=number("t of the runs", format="%.2f", help="The gains of the runs against 0."),
    )
    st.caption(
        "p: would these runs be better on other segments? It takes the runs as given. "
        f"{RUN_T[:1].upper()}{RUN_T[1:]} p of t is not corrected."
    )


def scores_table(result: tuning.TuningResult) -> None:
    """The baseline, the oracle and its opposite, and every run on both parts."""
    parts = {"tuned on": result.dev} | ({} if result.test is None else {"held out": result.test})
    names = {"baseline": f"baseline: {result.baseline}", "oracle": "oracle", "worst": "opposite of the oracle"}
    rows: list[Row] = [
        {"choice": title, "replicate": "", **{part: getattr(of, name) for part, of in parts.items()}}
        for name, title in names.items()
    ]
    for item in result.replicates:
        own = dict(zip(parts, (item.dev, item.test), strict=False))
        rows.append({"choice": item.title, "replicate": str(item.number), **own})
    number = st.column_config.NumberColumn
    decimals = f"%.{result.setup.decimals}f"
    downloads.table(
        rows,
        None,
        choice=st.column_config.Column("Chosen by"),
        replicate=st.column_config.Column("Replicate"),
        **{part: number(f"{result.setup.metric_title}, {part}", format=decimals) for part in parts},
    )
    held_out = "" if result.test is None else f", {result.test.segments:,} held out"
    st.caption(
        f"{formatting.count(result.dev.segments, 'segment')} tuned on{held_out}. The oracle is chosen with the references, for a high "
        "score, and its opposite for a low one. Scores on the segments tuned on are too good."
    )


def weights_table(result: tuning.TuningResult) -> None:
    """The influence of every feature under every method, with its scale."""
    features = result.features
    tuned = [name for name in result.methods if len(result.average_weights(name))]
    influence = {result.of(name)[0].title: result.average_weights(name) for name in tuned}
    shown = result.most_influential(MOST_SHOWN)
    rows: list[Row] = [
        {
            "feature": features.names[k],
            **{title: float(values[k]) for title, values in influence.items()},
            "mean": float(features.means[k]),
            "deviation": float(features.deviations[k]),
        }
        for k in shown
    ]
    number = st.column_config.NumberColumn
    downloads.table(
        rows,
        None,
        feature=st.column_config.Column("Feature"),
        mean=number("Mean", format="%.4g"),
        deviation=number("Standard deviation", format="%.4g", help="Over the hypotheses tuned on."),
        **{title: number(title, format="%.3f") for title in influence},
    )
    constant = [name for name, varies in zip(features.names, features.varies, strict=True) if not varies]
    few = f"{', '.join(constant[:10])}{' ...' if len(constant) > 10 else ''}"
    never = f" Never varies within a list, so its weight is 0: {few}." if constant else ""
    if len(shown) < len(features.names):
        never += f" The {len(shown)} features with the most influence of {len(features.names):,}; downloads have all."
    page.caption(
        "Under a method: weight times standard deviation, with length 1, averaged over the replicates: how much the feature "
        f"decides.{never}"
    )


def compared_part(result: tuning.TuningResult) -> None:
    """The methods under several values of one setting, and how often the best value is the best by chance."""
    settings = figure.settings(result)
    if not settings:
        st.info(
            "Every setting had one value. Choose several n of top-n ListMLE, or list sizes to compare, and press Tune.",
            icon=":material/info:",
        )
        return
    key = "sigboard.tuning.setting"
    box = st.selectbox("setting", settings, format_func=figure.title, key=key, persist_state="session", width=280)
    setting = str(box)
    if setting == figure.POLICY:
        page.plot("sigboard.tuning.policies", figure.policies, figure.policies_alt, result, compact=page.phone())
        where = "held-out segments" if result.test is not None else "the segments tuned on, so all are too good"
        page.caption(
            "What becomes of the lists of earlier iterations (the question of Chen et al. 2017, Table 2). Large marks are averages "
            f"of the runs, small ones single runs, on {where}. Differences smaller than those between runs say nothing; p of every "
            "row is under Tests."
        )
        return
    page.plot("sigboard.tuning.sweeps", figure.sweep, figure.sweep_alt, result, setting, compact=page.phone())
    what = {
        "n": "n: how many places of the order the loss counts (Chen et al. 2017, Fig. 2). ",
        "k": "k: the size of the lists that were learned from (the question of Chen et al. 2017, Table 4). ",
    }.get(setting, "")
    page.caption(
        f"{what}Diamonds are averages of the runs, circles single runs; values are evenly spaced. The value that is best "
        "here was chosen on these segments, so its score is too good; p of every value is under Tests, corrected for all."
        if result.test is not None
        else f"{what}Diamonds are averages of the runs on the segments tuned on, so all of these scores are too good."
    )


def course_part(result: tuning.TuningResult) -> None:
    """The course of one method, epoch by epoch, or of several methods over each other."""
    names = figure.has_course(result)
    if len(names) > 1:
        key = "sigboard.tuning.overlaid"
        texts = {name: result.of(name)[0].title for name in names}
        chosen = st.multiselect(
            "methods over each other",
            names,
            format_func=lambda name: texts.get(name, name),
            key=key,
            persist_state="session",
            placeholder="none: one method alone",
            help="Chen et al. 2017, Fig. 3: does a lower loss go on to give a better score? Compare top-rank enhanced with top-n "
            "ListMLE, also from random starts (settings above).",
        )
        if chosen:
            _overlay_part(result, [str(name) for name in chosen])
            return
    _one_course(result)


def _overlay_part(result: tuning.TuningResult, names: list[str]) -> None:
    """The courses of several methods in one figure."""
    page.plot("sigboard.tuning.overlay", figure.overlay, figure.overlay_alt, result, names, compact=page.phone())
    metric = page.literal(result.setup.metric_title)
    rows = []
    for name in names:
        known = [f"{one.loss_and_metric:.2f}" for one in result.of(name) if not math.isnan(one.loss_and_metric)]
        if known:
            rows.append(f"{page.literal(result.of(name)[0].title)}: {page.literal(', '.join(known))}")
    if rows:
        st.markdown(
            f"Rank correlation of loss and {metric} over the epochs (-1: the lower the loss, the better): {'. '.join(rows)}."
        )
    st.caption(
        f"Solid: {metric} of the best hypotheses of the lists tuned on. Dotted: the loss of each run, from its smallest (0) to its "
        "largest value (1) over the epochs, as losses of different methods have different scales."
    )


def _one_course(result: tuning.TuningResult) -> None:
    """The course of one method, epoch by epoch, and how far a lower loss went with a better score."""
    titles = {name: result.of(name)[0].title for name in figure.has_course(result)}
    if not titles:
        st.info("None of these methods reports a course.", icon=":material/info:")
        return
    key = "sigboard.tuning.course"
    box = st.selectbox(
        "method", list(titles), format_func=lambda name: titles.get(name, name), key=key, persist_state="session"
    )
    method = str(box)
    page.plot("sigboard.tuning.curve", figure.course, figure.course_alt, result, method, compact=page.phone())
    metric = page.literal(result.setup.metric_title)
    known = [item.loss_and_metric for item in result.of(method) if not math.isnan(item.loss_and_metric)]
    if known:
        values = ", ".join(f"{value:.2f}" for value in known)
        st.markdown(
            f"Rank correlation of loss and {metric} over the epochs: {page.literal(values)} (one "
            "number for each replicate; -1: the lower the loss, the better the score)."
        )
    both = "A lower loss is not always a better score: the weights of the best epoch count, not of the last. "
    new = "" if result.fixed else "Diamonds: the lists decoded again with the weights of that epoch. "
    st.caption(
        f"{both if figure.has_loss(result, method) else ''}{new}{metric} of the best hypotheses of the lists tuned on, "
        "which each replicate draws for itself: so the lines of replicates begin at different scores."
    )


def choices_table(result: tuning.TuningResult) -> None:
    """What the paper does not state, the options of the methods, and the signature."""
    lines = [*result.chosen]
    for name, values in result.options:
        settings = ", ".join(f"{option} {value}" for option, value in values.items())
        lines.append(f"Options of {name}: {settings or 'none'}.")
    st.markdown("\n".join(f"- {page.literal(line)}" for line in lines))
    st.code(result.setup.signature, language=None, wrap_lines=True)


def save(result: tuning.TuningResult, name: str) -> None:
    """Everything as JSON; the weights and the held-out output of one run; and all of them as a test set."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        downloads.as_json("Everything (JSON)", lambda: tuning_json(result), name)
        runs = {f"{item.method} {item.number}": item for item in result.replicates}
        best = max(result.tests, key=lambda item: item.gain).system if result.tests else result.methods[0]
        start = next(key for key, item in runs.items() if item.method == best)
        titles = {key: f"{item.title}, replicate {item.number}" for key, item in runs.items()}
        chosen = runs[str(settings.choose(OUTPUT, titles, start, "run", width=280, help="Its weights and its output."))]
        own = downloads.file_name(name, chosen.method, str(chosen.number))
        if len(chosen.weights):
            names, weights = result.features.names, chosen.weights.tolist()
            downloads.later("Weights (Moses)", lambda: moses_weights(names, weights), own, "weights")
            downloads.as_json("Weights (JSON)", lambda: dict(zip(names, weights, strict=True)), f"{own}_weights")
        if chosen.outputs is not None:
            segments = chosen.outputs.segments
            downloads.later("Held-out output", lambda: as_lines(segments), own, "txt")
    if result.held_out is not None:
        st.button(
            "Load the held-out segments as a test set",
            on_click=_load,
            args=(session.visit().collection, result),
            icon=":material/playlist_add:",
            help="The baseline (or all combined systems) and every tuned output become the systems of a new test set, for the "
            "other pages. It replaces what is loaded.",
        )


def _load(collection: Collection, result: tuning.TuningResult) -> None:
    """Replace what is loaded by the held-out segments with the outputs of the baseline or of the combined systems, and
    the tuned ones."""
    assert result.held_out is not None
    files: list[tuple[str, bytes]] = []
    roles: list[tuple[str, Role]] = []
    for role, named in tuned_files(result).items():
        files += [(name, text.encode()) for name, text in named.items()]
        roles += [(name, role) for name in named]
    collection.clear()
    collection.add(files, roles)
    collection.name = result.held_out.name


def show() -> None:
    """The page."""
    with page.question("tuning") as visit:
        now, asked = queries.chosen(), asked_of(visit)
        if isinstance(asked, LabAsked):
            tested = _finished(tuned.lab(asked), asked)
            names = [one.name for one in (*asked.dev, *asked.tests)]
            lab_page.drawn(tested, now.alpha, downloads.file_name("sigboard", *names, "lab", asked.target.title))
            return
        result = _finished(tuned.result(asked), asked)
        verdict(result, now.alpha)
        parts = {
            "Tests": lambda: tests_table(result, now.alpha),
            "Scores": lambda: scores_table(result),
            "Settings compared": lambda: compared_part(result),
            "Course": lambda: course_part(result),
            "Weights and features": lambda: weights_table(result),
            "Choices": lambda: choices_table(result),
        }
        page.tabs("sigboard.tuning.parts", parts)
        captions.notes(result.notes)
        whole = [session.file_title(visit.collection), "combined"]  # its systems, where there are no lists
        named = whole if asked.lists is None else dict.fromkeys((asked.testset.name, asked.lists.name))
        save(result, downloads.file_name("sigboard", *named, "tuning", asked.target.title))


def _finished(found: Found | tuned.Courses, asked: TuningAsked | LabAsked) -> Found:
    """The finished result; while there is none the page shows the courses, and stops."""
    if isinstance(found, tuned.Courses):
        metric = asked.target.title
        drawn = figure.live(found.steps, metric, asked.target.better, page.theme(), page.phone())
        page.chart(drawn, key="sigboard.tuning.live", alt=figure.live_alt(found.steps, metric))
        st.stop()
    return found
