"""What a server does once: kernels are compiled in another process, which uses only time that nobody else needs."""

from __future__ import annotations

import gc

import streamlit as st

from sigcore import kernels


@st.cache_resource
def start() -> None:
    """Start the process, once per server; it ends with the server. On a machine where all kernels are compiled, nothing
    is started."""
    # Streamlit collects garbage after every run of a page. Looking through all that the libraries have loaded took two
    # thirds of the time of a click, and none of it is ever garbage.
    gc.freeze()
    kernels.compile_in_idle_time()
