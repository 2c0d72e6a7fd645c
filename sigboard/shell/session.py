"""The state of each visit: in the session, and on the server, where a reload or a link finds it again."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import streamlit as st

from sigboard.server import jobs, limits
from sigboard.server.store import fits, keeper, mark, visits
from sigboard.server.visits import Visit, Visits
from sigboard.shell import address, live
from sigcore import Collection, MatrixResult, corrections, data, formatting, metrics, readers, significance, store
from sigcore.studies import matrix

__all__ = ["Visit", "Visits", "keeper", "visits"]

KEY = "sigboard"
TOKEN = "sigboard.token"  # the id of the visit in the URL
STATE = "sigboard.state"  # the state that the server has
CHOSEN = "sigboard.chosen"  # the settings of the sidebar on this run
LANDING = "sigboard.landing"
LINK = "analysis"
BORROWED = "sigboard.borrowed"  # the visit was opened by a link and has not been changed yet
GRID = "sigboard.verdicts"  # the grid that the page Grid showed last, with its alpha and the test set it is of
SCORED = "sigboard.scored"  # the test sets of which scores have been shown
OWNER = "sigboard.owner"  # the secret with which this browser deletes what it keeps here
RUN = "sigboard.run"  # the finished grid that was shown last
DROPPED = "sigboard.dropped"  # files that wait to be read
LOST = "sigboard.lost"  # the id of a visit that is not here any more
WHY = {
    "deleted": "It was deleted by the visitor who loaded its files.",
    "expired": "It has expired: files are kept for {lifetime} after their last use.",
    "full": "It was removed to make room for newer analyses.",
}
UNNAMED = "your files"
UNKNOWN = "This server does not know the link. Files are kept {where} for {lifetime} after their last use{but}."
IN_MEMORY = "; a restart of the server, or many newer visits, remove them earlier"


def visit() -> Visit:
    """The state of this visit: the one in the session, else a copy of that of the link, else a new one with a sample.

    Where the visit of the link is gone, the page says so and stops, so that nobody discusses the numbers of other files.
    """
    if KEY not in st.session_state and LOST not in st.session_state:
        _begin(str(st.query_params.get(LINK, "")))
    if KEY in st.session_state and _is_gone(st.session_state[KEY]):
        st.session_state[LOST] = st.session_state[TOKEN]
        del st.session_state[KEY]
    if LOST in st.session_state:
        _lost(st.session_state[LOST])
    current: Visit = st.session_state[KEY]
    visits().watch(current)
    loaded = current.collection
    if loaded.sample or not (
        loaded.items or loaded.ratings or loaded.preferences or loaded.detected or loaded.problems
    ):
        # a sample needs no link, nor does nothing; the URL stays short
        current.sources = frozenset()
        st.query_params.pop(LINK, None)
    else:
        st.query_params[LINK] = _kept_under(current)
    return current


def expected() -> Collection | None:
    """What is loaded in this visit, or will be at its first run; None if only that run can find out."""
    if KEY in st.session_state:
        current: Visit = st.session_state[KEY]
        return current.collection
    token = str(st.query_params.get(LINK, ""))
    followed = visits().get(token) if token else first_visit()
    return None if followed is None else followed.collection


def _is_gone(current: Visit) -> bool:
    """Whether the visit, or files in it, have been deleted, or the visit has expired."""
    why = {token: visits().why_gone(token) for token in (st.session_state[TOKEN], *current.sources)}
    if not current.sources:
        return False  # nothing of it was ever kept under a link
    return "deleted" in why.values() or why[st.session_state[TOKEN]] == "expired"


def _begin(token: str) -> None:
    """Put the visit of the link into the session, or a new one."""
    if not token:
        _start(first_visit())
        return
    followed = visits().get(token)
    if followed is None and keeper().restored(token):
        followed = visits().get(token)
    if followed is None:
        st.session_state[LOST] = token
        return
    # a copy: a visitor who follows a link can rename, add and clear without changing what others see
    st.session_state[KEY], st.session_state[TOKEN] = followed, token
    st.session_state[STATE] = followed.collection.state
    if not visits().is_owner(token, mark(owner())):
        st.session_state[BORROWED] = True
        followed.borrow(token)


def _start(new: Visit) -> None:
    st.session_state[KEY], st.session_state[TOKEN] = new, _new_token()
    for name in (STATE, BORROWED, DROPPED, LOST, RUN):
        st.session_state.pop(name, None)


def _new_token() -> str:
    return secrets.token_urlsafe(12)


def _lost(token: str) -> None:
    """Say that the visit of the link is not here, keep the link in the address, and stop the page."""
    st.query_params[LINK] = token
    st.title("The files of this link are not here.", anchor=False)
    why = WHY.get(keeper().why_gone(token) or "", UNKNOWN).format(lifetime=limits.lifetime(), **_kept_where())
    st.warning(f"{why} Nothing is shown in their place.", icon=":material/link_off:")
    st.markdown("If you have the files, load them again: the same files and settings give the same numbers.")
    with st.container(horizontal=True):
        st.button("Load files", on_click=_load, icon=":material/upload_file:", type="primary")
        st.button("Open the sample", on_click=lambda: _start(first_visit()), icon=":material/dataset:")
    st.stop()


def _load() -> None:
    _start(Visit())
    st.session_state[LANDING] = "pages/data.py"


def _kept_under(current: Visit) -> str:
    """The id under which the server has the visit, as it is now."""
    state = current.collection.state
    changed = st.session_state.get(STATE) != state
    if changed and st.session_state.pop(BORROWED, False):
        # a changed visit gets a new link; the link that was followed still shows what it showed before
        st.session_state[TOKEN] = _new_token()
    token: str = st.session_state[TOKEN]
    current.sources |= {token}
    if changed or (visits().use(token) is None and not keeper().restored(token)):
        visits().put(token, current, "" if BORROWED in st.session_state else mark(owner()))
        st.session_state[STATE] = state
    return token


def finished(run: matrix.MatrixRun) -> None:
    """Note the finished grid of the page, which is kept with the files."""
    st.session_state[RUN] = run


def keep(current: Visit) -> None:
    """Note what the page shows of the visitor's own files, to be kept in the store; nothing of a sample is."""
    if LINK not in st.query_params or BORROWED in st.session_state:
        return
    collection = current.collection
    named = f"{title(collection)}, {formatting.count(len(collection.loaded().outputs), 'system')}"
    run = st.session_state.get(RUN)
    keeper().note(st.session_state[TOKEN], current, mark(owner()), named, address.settings(), run)


def scores_are_shown(current: Visit) -> None:
    """Note that scores of what is loaded are on the screen: a pair that is chosen from now on was not planned before."""
    loaded = current.collection.loaded()
    if loaded.testset is not None:
        st.session_state.setdefault(SCORED, set()).add(loaded.testset.digest)


def show_grid(current: Visit, grid: MatrixResult, alpha: float) -> None:
    """Note the grid of the page Grid: other pages say where their verdicts differ from it."""
    loaded = current.collection.loaded().testset
    st.session_state[GRID] = (grid, alpha, "" if loaded is None else loaded.digest)


def grid_shown(current: Visit) -> tuple[MatrixResult, float] | None:
    """The grid that the page Grid showed last of what is loaded, and its alpha; None if it showed none."""
    grid, alpha, digest = st.session_state.get(GRID, (None, 0.0, ""))
    loaded = current.collection.loaded()
    names = [outputs.system for outputs in loaded.outputs]
    known = grid is not None and loaded.testset is not None and loaded.testset.digest == digest
    return (grid, alpha) if known and sorted(grid.systems) == sorted(names) else None


def scores_shown() -> bool:
    """Whether scores of what is loaded have been shown in this visit."""
    current: Visit | None = st.session_state.get(KEY)
    loaded = None if current is None else current.collection.loaded().testset
    return loaded is not None and loaded.digest in st.session_state.get(SCORED, ())


def clear() -> None:
    """Forget what this visit has loaded. Its owner also deletes it on the server and in the store, with all copies made
    from its link."""
    keeper().delete(st.session_state[TOKEN], mark(owner()))
    current: Visit = st.session_state[KEY]
    current.collection.clear()
    current.sources = frozenset()
    _start(current)
    jobs.jobs().discard(jobs.visitor())


def token() -> str:
    """The id under which this visit is kept; "" for a sample, which needs none."""
    return str(st.session_state[TOKEN]) if LINK in st.query_params else ""


def listed() -> list[store.Kept]:
    """The analyses that this browser keeps here, the last used first."""
    return list(keeper().listed(mark(owner())))


def open_kept(kept: store.Kept) -> None:
    """Open an analysis of the list in the place of this visit, with its settings, on its page."""
    for name in (KEY, STATE, BORROWED, DROPPED, LOST, RUN):
        st.session_state.pop(name, None)
    _begin(kept.token)
    address.replace(kept.settings)
    st.session_state[LANDING] = f"pages/{kept.page or 'data'}.py"


def delete_kept(token: str) -> None:
    """Delete an analysis of the list; the open one is cleared."""
    if token == st.session_state[TOKEN]:
        clear()
    else:
        keeper().delete(token, mark(owner()))


def owner() -> str:
    """The secret of this browser."""
    if OWNER not in st.session_state:
        st.session_state[OWNER] = secrets.token_urlsafe(24)
    return str(st.session_state[OWNER])


def recognise() -> None:
    """Take over the secret that this browser had before, and with it what it owns."""
    before, reported = owner(), live.owner(owner())
    if reported == before:
        return
    token = st.session_state.get(TOKEN, "")
    keeper().hand_over(token, mark(before), mark(reported))
    st.session_state[OWNER] = reported
    if visits().is_owner(token, mark(reported)):
        st.session_state.pop(BORROWED, None)


def where_kept() -> str:
    """Where the files of this visit are, until when, and who can see and delete them."""
    expires = visits().use(st.session_state[TOKEN])
    if st.session_state.get(BORROWED, False):
        return (
            "You see a copy of what is behind another visitor's link. Changes give your copy a new link. Clear "
            "everything empties your page only; the visitor who loaded these files can delete them, here too."
        )
    where = _kept_where()
    if expires is None:
        return f"Files that you load are kept {where['where']} for {limits.lifetime()} after their last use."
    return (
        f"Your files are kept {where['where']} until {local(expires)}, {limits.lifetime()} after their last use"
        f"{where['but']}. Anyone who has the link to this page can see them. Clear everything deletes them now, also in "
        "copies made from your link."
    )


def _kept_where() -> dict[str, str]:
    """Where files are kept, and what ends that earlier than the expiry."""
    current: Visit | None = st.session_state.get(KEY)
    if keeper().store is None or (current is not None and not fits(current.collection)):
        return {"where": "in the memory of this server", "but": IN_MEMORY}
    if keeper().problem:
        return {"where": "in the memory of this server only", "but": f"{IN_MEMORY} ({keeper().problem})"}
    return {"where": "on this server, over a restart, too,", "but": ""}


def local(seconds: float) -> str:
    """A moment as the clock of the browser shows it."""
    zone = st.context.timezone
    moment = datetime.fromtimestamp(seconds, ZoneInfo(zone) if zone else UTC)
    return f"{moment.day} {moment:%B %Y, %H:%M} ({zone or 'UTC'})"


def prepare() -> None:
    """Load what the first visit needs: the members of every family, and the first sample."""
    for family in (metrics, significance, corrections):
        family.members()
    first_visit()


def first_visit() -> Visit:
    """A new visit, with the first sample loaded."""
    fresh = Visit()
    for name in readers.sample_names()[:1]:
        fresh.collection.add_sample(name)
    return fresh


def file_title(collection: data.Collection) -> str:
    """The name of the test set in names of files, with that of its scores. Where it has no name, or one that plain letters
    cannot write, there is a mark of its contents: the files of two test sets have different names."""
    named, loaded = title(collection), collection.loaded()
    whole = " ".join(dict.fromkeys(part for part in (named, collection.testset, loaded.measure) if part))
    marks = [one.digest for one in (loaded.testset, *collection.ratings, *collection.preferences) if one is not None]
    return f"{whole}-{marks[0][:6]}" if marks and (named == UNNAMED or not named.isascii()) else whole


def title(collection: data.Collection) -> str:
    """The name of the test set as pages show it: the given one, else that of the folder or archive, else "your files"."""
    folders = {item.file.replace("\\", "/").partition("/")[0] for item in collection.items if "/" in item.file}
    folder = folders.pop().removesuffix(".zip") if len(folders) == 1 else ""
    return collection.name or collection.testset or folder or UNNAMED
