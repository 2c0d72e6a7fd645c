"""The class room that this session's teacher has opened, and the QR code of its link."""

from __future__ import annotations

import streamlit as st

from sigboard.server import classroom
from sigboard.server.classroom import ROOM

TEACHER = "sigboard.teacher"  # of the session: the code of its room, and the secret


def start(title: str, question: str, of: int, truth: int, own: classroom.Own | None) -> None:
    """Open a room for this session, in place of the one it had. Raises: SigError where the server has no place for it."""
    end()
    st.session_state[TEACHER] = ROOM.open(title, question, of, truth, own)


def end() -> None:
    """Close the room of this session, if there is one."""
    if TEACHER in st.session_state:
        ROOM.close(*st.session_state.pop(TEACHER))


def square(link: str) -> str:
    """The link as a QR code, an SVG picture; no network is asked."""
    import io

    import segno

    out = io.BytesIO()
    segno.make(link, error="m", micro=False).save(out, kind="svg", scale=4, border=2, light="white", xmldecl=False)
    return out.getvalue().decode()
