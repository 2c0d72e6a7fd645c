"""Compiles what the metrics need while the first page is being read, so that the first drop need not wait for it."""

from __future__ import annotations

import threading

import streamlit as st

from sigcore import Outputs, Testset, metrics

# The usual metrics first. METEOR's aligner compiles longest, once for a machine: who asks for it waits, not every first
# visitor of a server.
FIRST, NOT = ("bleu", "chrf", "ter"), ("meteor",)
SEGMENTS = ("a small red boat in the harbour .", "another one, two and three")


def _compile() -> None:
    testset = Testset("warm-up", "text", len(SEGMENTS), (SEGMENTS,))
    outputs = Outputs("warm-up", tuple(segment.replace("red", "blue") for segment in SEGMENTS))
    for metric in sorted(metrics.members().values(), key=lambda m: m.name not in FIRST):
        if metric.kind == "text" and metric.name not in NOT:
            metrics.extractor(metric, testset, metric.chosen())(outputs)


@st.cache_resource
def start() -> threading.Thread:
    """Begin, once for this server."""
    thread = threading.Thread(target=_compile, name="sigboard-warm-up", daemon=True)
    thread.start()
    return thread
