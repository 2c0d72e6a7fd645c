"""A class room: phones join by code and predict, the teacher shows the pile and reveals the answer to everybody at once."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from sigboard.render.style import palette
from sigboard.server import classroom
from sigboard.server.classroom import ROOM, Seen
from sigboard.shell import page as present
from sigboard.shell import room
from sigcore import SigError
from sigcore.formatting import count

CODE = "code"  # in the address
PHONE = "sigboard.phone"  # of the session: the code of the room it has joined, and the token
TRIES = 20  # wrong codes of one phone
MISSED, GUESS = "sigboard.missed", "sigboard.guess.number"
EVERY = 1.0  # seconds between two looks of a phone that waits, and of the teacher's screen
BINS, WIDE, HIGH = 25, 640, 220  # columns of the pile, and its size in units of the picture
LEVEL = 0.05
STYLE = """<style>
[data-testid="stSidebar"], [data-testid="stSidebarCollapsedControl"], [data-testid="stExpandSidebarButton"]
{ display: none !important; }
</style>"""


def show() -> None:
    """The page, for a phone or for the teacher whose session has opened the room."""
    st.html(STYLE)
    with present.guard("room"):
        if room.TEACHER in st.session_state:
            _teach()
        elif PHONE in st.session_state:
            code, token = st.session_state[PHONE]
            if not ROOM.has(code):
                del st.session_state[PHONE]
            seen, mine = ROOM.seen(code), ROOM.mine(code, token)
            st.title(seen.question, anchor=False)
            st.caption(f"{present.literal(seen.title)} You are {present.literal(mine.name)}.")
            _wait(code, token)
        else:
            _join()


# ---- the teacher's screen


def _teach() -> None:
    code, secret = st.session_state[room.TEACHER]
    if not ROOM.has(code):
        del st.session_state[room.TEACHER]
    seen = ROOM.seen(code)
    st.title(seen.question, anchor=False)
    st.caption(present.literal(seen.title))
    left, right = st.columns([1, 3], gap="medium")
    with left:
        link = f"{str(st.context.url).split('?')[0]}?{CODE}={code}"
        st.image(room.square(link), width=180)
        st.markdown(f"# {code}")
        st.caption(present.literal(link))
    with right, st.container(height="content"):
        _live(code)
    with st.container(horizontal=True):
        if not seen.is_revealed:
            st.button("Reveal", on_click=ROOM.reveal, args=(code, secret), type="primary")
        st.button("Close the class room", on_click=room.end, icon=":material/close:")
        st.page_link("pages/learn.py", label="Back to the lesson", icon=":material/school:")


@st.fragment(run_every=EVERY)
def _live(code: str) -> None:
    """What arrives, looked at every second."""
    with present.guard("room"):
        _pile(ROOM.seen(code))


def _pile(seen: Seen) -> None:
    """The predictions as a pile, and after the reveal the truth and the null of the class."""
    st.markdown(f"**{count(len(seen.guesses), 'prediction')} from {count(seen.joined, 'phone')}**")
    st.image(picture(seen), width="stretch")
    if not seen.is_revealed or seen.truth is None:
        return
    st.markdown(f"**The answer is {seen.truth:,} of {seen.of:,}.**")
    if seen.nearest:
        st.markdown("Nearest: " + ", ".join(present.literal(name) for name in seen.nearest))
    if seen.owns:
        tails, drawn = sum(tail for tail, _ in seen.owns), sum(of for _, of in seen.owns)
        found = sum((tail + 1) / (of + 1) <= LEVEL for tail, of in seen.owns)
        st.markdown(
            f"Every phone shuffled with its own seed. Of all {drawn:,} shuffles, {tails:,} reach a line: "
            f"p = ({tails:,} + 1) / ({drawn:,} + 1) = {(tails + 1) / (drawn + 1):.3f}. "
            f"With {found} of {count(len(seen.owns), 'phone')} alone, p is at most {LEVEL}."
        )


def picture(seen: Seen) -> str:
    """The pile as SVG: a circle for each prediction, and after the reveal a line at the truth."""
    colours = palette(present.theme())
    step = WIDE / BINS
    columns = Counter(min(BINS - 1, guess * BINS // (seen.of + 1)) for guess in seen.guesses)
    tall = min(step, (HIGH - 30) / max(columns.values(), default=1))
    dots = "".join(
        f'<circle cx="{(column + 0.5) * step:.1f}" cy="{HIGH - 24 - (k + 0.5) * tall:.1f}" r="{0.45 * min(step, 2 * tall):.1f}" '
        f'fill="{colours.accent}" fill-opacity="0.8"/>'
        for column, many in sorted(columns.items())
        for k in range(many)
    )
    marks = "".join(
        f'<text x="{share * WIDE:.0f}" y="{HIGH - 4}" text-anchor="{anchor}" fill="{colours.ink}" font-size="14">'
        f"{round(share * seen.of):,}</text>"
        for share, anchor in ((0, "start"), (0.5, "middle"), (1, "end"))
    )
    line = ""
    if seen.truth is not None:
        at = WIDE * (seen.truth + 0.5) / (seen.of + 1)
        line = f'<line x1="{at:.1f}" x2="{at:.1f}" y1="0" y2="{HIGH - 22}" stroke="{colours.warm}" stroke-width="3"/>'
    words = f"{count(len(seen.guesses), 'prediction')} from 0 to {seen.of:,}"
    axis = f'<line x1="0" x2="{WIDE}" y1="{HIGH - 22}" y2="{HIGH - 22}" stroke="{colours.muted}"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif"><title>{words}</title>'
    return f"{head}{axis}{dots}{line}{marks}</svg>"


# ---- a phone


def _join() -> None:
    st.title("Join the class room", anchor=False)
    with st.form("sigboard.join", border=False):
        code = st.text_input("code", value=classroom.read_code(str(st.query_params.get(CODE, ""))), max_chars=12)
        name = st.text_input("name (may stay empty)", max_chars=classroom.NAME_LENGTH)
        asked = st.form_submit_button("Join", type="primary")
    st.caption("Your teacher sees the name and the number that you send. Both are forgotten when the room closes.")
    if not asked:
        return
    if st.session_state.get(MISSED, 0) >= TRIES:
        raise SigError("This phone has tried too many codes.", "", "Ask your teacher for the link.")
    st.session_state[MISSED] = st.session_state.get(MISSED, 0) + 1
    code = classroom.read_code(code)
    st.session_state[PHONE] = code, ROOM.join(code, name)
    st.session_state[MISSED] = 0
    st.rerun()


@st.fragment(run_every=EVERY)
def _wait(code: str, token: str) -> None:
    """The prediction, until the answer is revealed; looks every second whether it is."""
    with present.guard("room"):
        seen, mine = ROOM.seen(code), ROOM.mine(code, token)
        if seen.is_revealed:
            _answer(code, token)
            return
        with st.form("sigboard.guess", border=False):
            guess = st.number_input(f"a number from 0 to {seen.of:,}", 0, seen.of, value=None, step=1, key=GUESS)
            if st.form_submit_button("Send", type="primary") and guess is not None:
                ROOM.say(code, token, int(guess))
        said = count(len(ROOM.seen(code).guesses), "prediction")
        if mine.guess is None:
            st.markdown("Say a number, and press Send.")
        else:
            st.markdown(f"You said **{mine.guess:,}**. {said} so far. Wait for the reveal.")


def _answer(code: str, token: str) -> None:
    """The truth beside one's own prediction and shuffles."""
    seen, mine = ROOM.seen(code), ROOM.mine(code, token)
    said = "You said nothing." if mine.guess is None else f"You said {mine.guess:,}."
    st.markdown(f"## The answer is {seen.truth:,} of {seen.of:,}.")
    st.markdown(said)
    if mine.own is not None:
        tail, drawn = mine.own
        st.markdown(
            f"Your own {drawn} shuffles (seed {mine.seed}): {tail} reach a line, p = ({tail} + 1) / ({drawn} + 1) = "
            f"{(tail + 1) / (drawn + 1):.3f}."
        )
    st.image(picture(seen), width="stretch")
