"""The Streamlit entry point: page configuration, navigation over the questions, the shared sidebar."""

import streamlit as st

from sigboard import catalogue
from sigboard.server import jobs, limits
from sigboard.shell import address, inputs, journey, maintenance, page, pair, runs, session, settings, uploads

ICON = str(page.ASSETS / "icon.svg")

st.set_page_config(page_title="Sigboard", page_icon=ICON, layout="wide")
# scripts and styles are in the sidebar, so that no heading moves when they arrive
quiet = st.sidebar.container(key="sigboard.quiet", gap=None)
with quiet:
    address.look()
st.logo(str(page.ASSETS / "logo.svg"), icon_image=ICON, size="large")

FIRST = catalogue.get(catalogue.FIRST)
PAGES = {
    q.word: st.Page(
        q.page,
        title=q.title,
        icon=q.icon,
        url_path="" if q is FIRST else q.word,
        default=q is FIRST,
        help=f"{q.question} For {q.needs}." if q.needs else q.question,
    )
    for q in catalogue.QUESTIONS
}
# the first page has the address of the app, and its own word leads to it too
NAMED = st.Page(FIRST.page, title=FIRST.title, icon=FIRST.icon, url_path=FIRST.word, visibility="hidden")
ROOM = st.Page("pages/room.py", title="Class room", url_path="room", visibility="hidden")
# with more than twelve pages, the rest would be behind a click
navigation = st.navigation({**journey.listed(PAGES), "": [NAMED, ROOM]}, expanded=True)
asked = next((q for q in catalogue.QUESTIONS if PAGES[q.word] is navigation), FIRST)

maintenance.warm()
with page.guard():
    maintenance.start()
    limits.check_hosts(st.get_option("server.allowedHosts"))
    if navigation is ROOM:
        # phones of a class need no files and no settings
        navigation.run()
        st.stop()
    landing = st.session_state.pop(session.LANDING, None)
    if landing is None and navigation is NAMED and session.CHOSEN not in st.session_state:
        landing = FIRST.page
    if landing:
        # before any widget is drawn: a URL parameter that is bound to a widget cannot be passed on
        st.switch_page(landing, query_params=st.query_params.to_dict())
    pair.follow()
    with quiet:
        session.recognise()
    visit = session.visit()
    loaded = visit.collection
    uploads.read(loaded)
    inputs.choose_test_set(loaded)
    better = loaded.loaded().direction if loaded.items and loaded.kind == "scores" else None
    names = [outputs.system for outputs in loaded.loaded().outputs] if loaded.items else []
    texts = loaded.loaded().texts if loaded.items else settings.RUNNING
    shown = loaded.kind, loaded.measure, loaded.has_documents, better
    used = runs.used(asked.word, names, settings.used(asked))
    paper = catalogue.get("gain").paper if asked.word == "compare" and pair.given() == "gain" else asked.paper
    st.session_state[session.CHOSEN] = settings.draw(*shown, used, dict(paper), names, texts)
    settings.glossary()
    with jobs.run_of_page():
        navigation.run()
    session.keep(session.visit())
