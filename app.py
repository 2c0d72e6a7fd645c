"""The screen's door: page set-up, navigation, the shared sidebar."""

from pathlib import Path

import streamlit as st

from sigboard.ui import page, session, sidebar, warm
from sigboard.ui.pages import data as files

ASSETS = Path(__file__).parent / "sigboard" / "ui" / "assets"

st.set_page_config(page_title="Sigboard", page_icon=str(ASSETS / "icon.svg"), layout="wide")
st.logo(str(ASSETS / "logo.svg"), icon_image=str(ASSETS / "icon.svg"), size="large")

navigation = st.navigation(
    [
        st.Page("pages/data.py", title="Data", icon=":material/upload_file:", url_path="data"),
        st.Page("pages/matrix.py", title="Matrix", icon=":material/grid_on:", url_path="matrix", default=True),
        st.Page("pages/compare.py", title="Compare", icon=":material/balance:", url_path="compare"),
        st.Page("pages/gain.py", title="Gain", icon=":material/scatter_plot:", url_path="gain"),
        st.Page("pages/scores.py", title="Scores", icon=":material/view_comfy:", url_path="scores"),
        st.Page("pages/human.py", title="Human", icon=":material/how_to_vote:", url_path="human"),
    ]
)

warm.start()
with page.guard():
    landing = st.session_state.pop(session.LANDING, None)
    if landing:
        # before any box is drawn: what a box holds in the address cannot be handed on
        st.switch_page(landing, query_params=st.query_params.to_dict())
    visit = session.visit()
    loaded = visit.collection
    files.choose_test_set(loaded)
    st.session_state[session.CHOSEN] = sidebar.draw(loaded.kind, loaded.measure, loaded.has_documents)
    navigation.run()
