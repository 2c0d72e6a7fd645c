"""The lab on the page: lists to tune on, lists to test on, sets of features, and every row against every other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

import streamlit as st

from sigboard.questions.tuning import choices, figure, figure_lab, lab
from sigboard.server import cache
from sigboard.shell import captions, downloads, page, queries, settings, tuned
from sigboard.shell.tuned import LabAsked
from sigcore import SigError, data, formatting, readers
from sigcore import tuning as family
from sigcore.formatting import count, format_p, format_score
from sigcore.studies import tuning
from sigcore.types import Role, Row

KEY = "sigboard.tuning.lab"  # what the keys of the widgets begin with
DEV, TEST, UNUSED = "to tune on", "to test on", "not used"
DEVELOPMENT = ("dev", "tun", "valid", "train")  # in the names of lists to tune on
OTHERS: tuple[Role, ...] = ("documents", "source")
TITLES = {"documents": "documents", "source": "sources"}
NOTHING = "none"
MOST_SETS = 6

# What is tuned and tested: files with their roles, and the plan.


@dataclass(frozen=True, eq=False)
class Files:
    """The contents of the dropped files by name: k-best lists, and everything else."""

    lists: Mapping[str, bytes]
    others: Mapping[str, bytes]


def asked() -> LabAsked:
    """The question of the lab as it was when Tune was pressed; before that the page stops."""
    last: LabAsked | None = st.session_state.get(f"{KEY}.asked")
    with st.expander("Files, methods, settings", last is None, icon=":material/tune:"):
        now = _wanted()
        if st.button("Tune", type="primary", icon=":material/play_arrow:"):
            st.session_state[f"{KEY}.asked"] = now
            st.rerun()
    if last is None:
        st.stop()
    if queries.key_of("lab", last) != queries.key_of("lab", now):
        st.info("Files or settings have changed. Press Tune for new numbers.", icon=":material/tune:")
    return last


def _wanted() -> LabAsked:
    """The question of the lab as the files and settings are now; the page stops where lists are missing."""
    files, notes = _files(), list[str]()
    sparse = st.checkbox("A feature that a hypothesis does not have is 0", key=f"{KEY}.sparse", persist_state="session")
    sides: dict[str, list[tuning.ListSet]] = {DEV: [], TEST: []}
    for file in files.lists:
        use, found = _list_set(file, files, sparse, notes)
        if found is not None:
            sides[use].append(found)
    captions.notes(list(dict.fromkeys(notes)))
    if not all(sides.values()):
        missing = "tune" if not sides[DEV] else "test"
        st.info(f"Now drop lists to {missing} on, or change what a file is used for.", icon=":material/upload_file:")
        st.stop()
    return _planned(tuple(sides[DEV]), tuple(sides[TEST]), files, sparse)


def _files() -> Files:
    """The dropped files, which are kept while the person looks at other pages; without lists the page stops."""
    left, right = st.columns(2)
    help = "Lists with dev or tune in their name are tuned on, all others are tests. You can change this below."
    with left:
        lists = st.file_uploader("k-best lists", accept_multiple_files=True, key=f"{KEY}.lists", help=help)
    help = "MT02.ref belongs to MT02.nbest, as both begin with MT02. You can change this below."
    label = "References, documents, sources, start weights"
    with right:
        others = st.file_uploader(label, accept_multiple_files=True, key=f"{KEY}.others", help=help)
    if lists or others:
        st.session_state[tuned.LAB] = Files(*({file.name: file.getvalue() for file in own} for own in (lists, others)))
    kept: Files | None = st.session_state.get(tuned.LAB)
    if kept is None or not kept.lists:
        st.info("Drop the lists to tune on, the lists to test on, and their references.", icon=":material/upload_file:")
        st.stop()
    return kept


def _list_set(file: str, files: Files, sparse: bool, notes: list[str]) -> tuple[str, tuning.ListSet | None]:
    """What one file of lists is used for, and the lists with their test set; None if they are not used.

    Raises: SigError for files that cannot be used, or that do not fit each other.
    """
    stem = _stem(file)
    own = [name for name in files.others if _stem(name) == stem]
    key = f"{KEY}.{file}.{'|'.join(own)}"  # files that are dropped later are guessed again
    usual = DEV if any(word in stem.lower() for word in DEVELOPMENT) else TEST
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(page.literal(file), stem, key=f"{key}.name", persist_state="session", width=150)
        uses = [DEV, TEST, UNUSED]
        use = str(st.selectbox("used", uses, uses.index(usual), key=f"{key}.use", persist_state="session", width=130))
        roles = _roles(key, own, files)
    if use == UNUSED:
        return use, None
    lists, notices = cache.once(readers.read_kbest, file, files.lists[file], sparse)
    collection = data.Collection(name=name)
    collection.add([(one, files.others[one]) for one, _ in roles], roles)
    collection.refuse_problems()
    testset, warnings = tuning.with_references(lists, collection, file)
    notes += [f"{where}: {message}" if where else message for message, where in data.together(notices)] + warnings
    return use, tuning.ListSet(name, lists, testset)


def _roles(key: str, own: list[str], files: Files) -> list[tuple[str, Role]]:
    """The files that belong to lists, with their roles; `own` have their name."""
    texts = [one for one in own if not any(role in one for role in (*OTHERS, "weights"))]
    references = st.multiselect(
        "references", list(files.others), texts, key=f"{key}.references", persist_state="session", width=280
    )
    roles: list[tuple[str, Role]] = [(one, "reference") for one in references]
    for role in OTHERS:
        able = [NOTHING, *files.others]
        start = next((able.index(one) for one in own if role in one), 0)
        one = str(st.selectbox(TITLES[role], able, start, key=f"{key}.{role}", persist_state="session", width=150))
        roles += [(one, role)] if one != NOTHING else []
    return roles


def _stem(file: str) -> str:
    return PurePath(file).name.partition(".")[0]


def _planned(
    dev: tuple[tuning.ListSet, ...], tests: tuple[tuning.ListSet, ...], files: Files, sparse: bool
) -> LabAsked:
    """The settings of the lab.

    Raises: SigError for lists without references, unless a column is tuned for.
    """
    lists = dev[0].lists
    plan = choices.lab_plan(int(lists.lengths.max()))
    target = choices.metric(lists)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        features, model = choices.features(lists, dev[0].testset), choices.language_model()
        able = [NOTHING, *files.others]
        usual = next((k for k, name in enumerate(able) if "weights" in name), 0)
        start = str(
            st.selectbox("start weights", able, usual, key=f"{KEY}.start.{usual}", persist_state="session", width=200)
        )
    weights = {} if start == NOTHING else cache.once(readers.read_weights, start, files.others[start])
    sets = _sets(plan)
    own = tuning.LabPlan(plan, sets, "", weights, sparse)
    titles = {label: figure.row_title(label) for label in tuning.row_labels(own)}
    baseline = settings.choose("lab_baseline", titles, label="baseline", width=280, help="Compared with all others.")
    bare = next((one.name for one in (*dev, *tests) if not one.testset.references and not target.column), None)
    if bare is not None:
        raise SigError(f"{bare} has no reference.", "", "Drop it, and choose it in the line of these lists.")
    own = tuning.LabPlan(plan, sets, baseline, weights, sparse)
    return LabAsked(dev, tests, target, own, features, model)


def _sets(plan: tuning.TuningPlan) -> tuple[tuning.FeatureSet, ...]:
    """The sets of features side by side; one of all features by default."""
    help = "Each set is tuned for itself: basic, extended and sparse features in Chen et al. 2017. 0: all together."
    key = f"{KEY}.sets"
    number = st.number_input(
        "sets of features", 0, MOST_SETS, 0, key=key, persist_state="session", width=150, help=help
    )
    if not number:
        return (tuning.FeatureSet("all"),)
    methods = list(dict.fromkeys(name for name, _ in plan.methods))
    titles, found, before = {name: family.get(name).title for name in methods}, list[tuning.FeatureSet](), list[str]()
    for k in range(int(number)):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.text_input("name", f"set{k + 1}", key=f"{key}.{k}.name", persist_state="session", width=130)
            help = "Patterns of names, separated by commas: LM*, TM*. With ! in front they are left out."
            text = st.text_input(
                "features", "*", key=f"{key}.{k}.patterns", persist_state="session", width=220, help=help
            )
            own = st.multiselect(
                "methods", methods, format_func=lambda name: titles.get(name, name), placeholder="all",
                key=f"{key}.{k}.methods", persist_state="session", width=260,
            )  # fmt: skip
            able = ["", *before]
            help = "An earlier row, with whose weights tuning begins: sparse features begin with PRO in the paper."
            start = st.selectbox(
                "begins with", able, format_func=lambda label: figure.row_title(label) if label else "start weights",
                key=f"{key}.{k}.start", persist_state="session", width=220, help=help,
            )  # fmt: skip
        patterns = tuple(part.strip() for part in text.split(",") if part.strip())
        found.append(tuning.FeatureSet(name, patterns, tuple(own), str(start or "")))
        before += [f"{name}:{one}" for one in own or methods if family.get(one).column is None]
    return tuple(found)


# What came out: the verdict, the figure, the tables and the files.


def drawn(result: tuning.LabResult, alpha: float, name: str) -> None:
    """The headline, what is significant, the figure, tables and downloads."""
    captions.sentence(result.headline(alpha))
    others = result.others()
    better, worse = (sum(one.significant(alpha) and sign * one.gain > 0 for one in others) for sign in (1, -1))
    st.markdown(
        f"**{better} of {count(len(others), 'row')}** significantly better than the baseline at alpha {alpha:g}, **{worse}** "
        f"worse. Holm's correction is over all {count(len(result.comparisons), 'comparison')}."
    )
    page.plot("sigboard.tuning.lab.gains", figure_lab.gains, figure_lab.gains_alt, result, alpha, compact=page.phone())
    page.caption(lab.WORDS)
    parts = {
        "Scores": lambda: _scores(result, alpha),
        "Gains": lambda: _pairs(result, alpha, True),
        "Every pair": lambda: _pairs(result, alpha, False),
        "Spread": lambda: _spread(result),
        "Choices": lambda: _choices(result),
    }
    page.tabs("sigboard.tuning.lab.parts", parts)
    captions.notes(result.notes)
    with st.container(horizontal=True):
        downloads.later("Table (LaTeX)", lambda: lab.lab_latex(result, alpha), name, "tex")
        downloads.later("Tables (XLSX)", lambda: lab.lab_xlsx(result), name, "xlsx")
        downloads.csv("Rows (CSV)", lambda: lab.lab_rows(result), name)
        downloads.as_json("Everything (JSON)", lambda: lab.lab_json(result), name)


def _scores(result: tuning.LabResult, alpha: float) -> None:
    """Methods by test sets as a paper has them."""
    decimals, rows = result.setup.decimals, list[Row]()
    for row in result.rows:
        stars = ["*" if lab.significant(result, row, place, alpha) else "" for place in result.places]
        scores = [format_score(float(one), decimals) for one in row.averages]
        title = row.title + " (baseline)" * (row.label == result.baseline)
        own: Row = {"method": title, "runs": len(row.dev), "tuned on": format_score(float(row.dev.mean()), decimals)}
        rows.append(own | {name: a + b for name, a, b in zip(result.places, scores, stars, strict=True)})
    downloads.small(rows)
    page.caption(
        f"{result.setup.metric_title}, average of the runs. * differs significantly from the baseline at alpha {alpha:g} "
        "after the correction."
    )


def _pairs(result: tuning.LabResult, alpha: float, baseline: bool) -> None:
    """Every row against the baseline, or against every other, in one place."""
    places = {place: place for place in result.places}
    place = settings.choose(
        "lab_place", places, result.places[-1], "test set", width=220, help="The average counts all alike."
    )
    found = [one if one.gain >= 0 else tuning.turned(one) for one in result.comparisons if one.place == place]
    if baseline:
        rows = [row for row in result.rows if row.label != result.baseline]
        found = [result.against(row.label, result.baseline, place) for row in rows]
    number, form = st.column_config.NumberColumn, f"%.{result.setup.decimals}f"
    rows_of: list[Row] = [
        {
            "system": result.row(one.system).title,
            "baseline": result.row(one.baseline).title,
            "gain": one.gain,
            "low": one.interval[0],
            "high": one.interval[1],
            "p": format_p(one.p_value, 0),
            "corrected": format_p(one.adjusted, 0),
            "verdict": "significant" if one.significant(alpha) else "",
        }
        for one in sorted(found, key=lambda one: -one.gain)
    ]
    downloads.table(
        rows_of,
        None,
        system=st.column_config.Column("Method"),
        baseline=st.column_config.Column("Over"),
        gain=number("Gain", format=f"%+.{result.setup.decimals}f"),
        low=number("From", format=form, help="95% interval of the mixed model, of this pair alone."),
        high=number("To", format=form),
        p=st.column_config.Column("p", help=lab.WORDS),
        corrected=st.column_config.Column("Corrected p", help="After Holm's correction over all comparisons."),
        verdict=st.column_config.Column("Verdict"),
    )


def _spread(result: tuning.LabResult) -> None:
    """How much a score varies over drawn segments, and over the runs."""
    decimals = result.setup.decimals
    rows = [
        {"method": row.title}
        | {
            place: f"{format_score(float(a), decimals)} / {format_score(float(b), decimals)}"
            for place, a, b in zip(result.places, row.s_sel, row.s_opt, strict=True)
        }
        for row in result.rows
    ]
    downloads.small(rows)
    st.caption("s_sel / s_opt: the standard deviation of a run's score over drawn segments, and over the runs.")


def _choices(result: tuning.LabResult) -> None:
    """What the paper does not state, the options of the methods, the sets of features, and the signature."""
    options = [
        f"Options of {name}: {', '.join(f'{option} {value}' for option, value in values.items()) or 'none'}."
        for name, values in result.options
    ]
    sets = [f"{name}: {formatting.count(len(names), 'feature')}." for name, names in result.features.items()]
    sizes = [f"{name}: {formatting.count(segments, 'segment')}." for name, segments in result.sizes]
    st.markdown("\n".join(f"- {page.literal(line)}" for line in (*result.chosen, *options, *sets, *sizes)))
    st.code(result.setup.signature, language=None, wrap_lines=True)
