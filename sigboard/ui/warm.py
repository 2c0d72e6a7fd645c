"""Compiles the kernels of the metrics in another process, which uses only time that nobody else needs."""

from __future__ import annotations

import streamlit as st

from sigcore import kernels


@st.cache_resource
def start() -> None:
    """Start the process, once per server; it ends with the server. On a machine where all kernels are compiled, nothing
    is started."""
    kernels.compile_in_idle_time()
