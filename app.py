"""The Streamlit entry point: page configuration, navigation over the questions, the shared sidebar."""

import streamlit as st

from sigboard import questions
from sigboard.ui import page, session, sidebar, warm
from sigboard.ui.pages import data as files

ICON = str(page.ASSETS / "icon.svg")

st.set_page_config(page_title="Sigboard", page_icon=ICON, layout="wide")
st.logo(str(page.ASSETS / "logo.svg"), icon_image=ICON, size="large")

navigation = st.navigation(
    [
        st.Page(q.page, title=q.title, icon=q.icon, url_path=q.word, default=q.word == questions.FIRST)
        for q in questions.QUESTIONS
    ]
)

warm.start()
with page.guard():
    landing = st.session_state.pop(session.LANDING, None)
    if landing:
        # before any widget is drawn: a URL parameter that is bound to a widget cannot be passed on
        st.switch_page(landing, query_params=st.query_params.to_dict())
    visit = session.visit()
    loaded = visit.collection
    files.choose_test_set(loaded)
    better = loaded.loaded().better if loaded.items and loaded.kind == "scores" else "higher"
    st.session_state[session.CHOSEN] = sidebar.draw(loaded.kind, loaded.measure, loaded.has_documents, better)
    navigation.run()
