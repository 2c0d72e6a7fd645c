"""The analyses that a visitor keeps on this server: the list with Open and Delete, and the link that shares one."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from sigboard import catalogue
from sigboard.server import limits
from sigboard.shell import address, page, session
from sigcore import store

MOST_ROWS = 20
SHARED = (
    "Who follows the link gets a copy: the same files, settings and numbers. Changes there make a new link, and change "
    "nothing here. Without the link no other visitor can see this analysis."
)


def analyses() -> None:
    """The list of what this browser keeps, with a button to open and one to delete each."""
    own = session.listed()
    if session.keeper().problem:
        st.warning(f"Analyses are not kept: {page.literal(session.keeper().problem)}.", icon=":material/database_off:")
    elif session.keeper().healed:
        st.warning(
            f"The store of analyses was damaged and made new ({session.local(session.keeper().healed)}). What was kept before "
            "is gone; what is open is kept again.",
            icon=":material/database_off:",
        )
    if not own:
        return
    with st.expander(f"Kept analyses: {len(own)}", icon=":material/inventory:", key="sigboard.kept"):
        for one in own[:MOST_ROWS]:
            _row(one)
        if len(own) > MOST_ROWS:
            st.caption(f"{len(own) - MOST_ROWS} older ones are not shown.")
        st.caption(
            f"{_size(sum(one.size for one in own))} of at most {limits.OWN.most:,.0f} MB. Above that, the one that was used "
            f"longest ago is removed. Each is deleted {limits.lifetime()} after its last use. The list belongs to this "
            "browser: other visitors do not see it."
        )


def _row(one: store.Kept) -> None:
    """One analysis: what it is, until when it is kept, its link, and what can be done with it."""
    is_open = one.token == st.session_state[session.TOKEN]
    with st.container(horizontal=True, vertical_alignment="center", key=f"kept-{one.token}"):
        badge = " :green-badge[open]" if is_open else ""
        st.markdown(
            f"**{page.literal(one.title)}**{badge}  \n:small[since {session.local(one.created)}, until "
            f"{session.local(one.expires)} · {_size(one.size)}]"
        )
        if not is_open:
            st.button(
                "Open", key=f"open.{one.token}", on_click=session.open_kept, args=(one,), icon=":material/folder_open:"
            )
        with st.popover("Link", icon=":material/link:", key=f"link.{one.token}"):
            st.code(link(one.token, one.page, one.settings), language=None, wrap_lines=True)
            st.caption(SHARED)
        st.button(
            "Delete",
            key=f"delete.{one.token}",
            on_click=session.delete_kept,
            args=(one.token,),
            icon=":material/delete:",
        )


def share(word: str) -> None:
    """The link of the open analysis, to that page; nothing for a sample, whose address is its link."""
    token = session.token()
    if token:
        st.markdown("**Link to share**")
        st.code(link(token, word, address.settings()), language=None, wrap_lines=True)
        st.caption(f"{SHARED} {session.where_kept()}")


def link(token: str, word: str, settings: Mapping[str, str]) -> str:
    """The address of a page with an analysis and its settings."""
    here = urlsplit(st.context.url or "")
    folder, _, last = here.path.rstrip("/").rpartition("/")
    base = folder if last in {q.word for q in catalogue.QUESTIONS} else here.path.rstrip("/")
    query = urlencode({session.LINK: token, **settings})
    return urlunsplit((here.scheme, here.netloc, f"{base}/{word}", query, ""))


def _size(size: int) -> str:
    return f"{size / limits.MB:,.1f} MB" if size >= limits.MB / 10 else f"{size / 1000:,.1f} kB"
