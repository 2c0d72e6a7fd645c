"""What a server does once: kernels are compiled in another process, which uses only time that nobody else needs."""

from __future__ import annotations

import gc

import streamlit as st

from sigcore import kernels


@st.cache_resource
def start() -> None:
    """Start the process, once per server; it ends with the server. On a machine where all kernels are compiled, nothing
    is started."""
    # what the libraries have loaded is never garbage, so nobody needs to look through it again
    gc.freeze()
    kernels.compile_in_idle_time()
