"""Compiles the kernels of the metrics in the background, so that the first upload does not have to wait."""

from __future__ import annotations

import threading

import streamlit as st

from sigcore import Outputs, Testset, metrics

# Common metrics first. METEOR's aligner takes longest, once per machine, so it is compiled only when it is used.
FIRST, SKIPPED = ("bleu", "chrf", "ter"), ("meteor",)
SEGMENTS = ("a small red boat in the harbour .", "another one, two and three")


def _compile(members: list[metrics.Metric]) -> None:
    testset = Testset("warm-up", "text", len(SEGMENTS), (SEGMENTS,))
    outputs = Outputs("warm-up", tuple(segment.replace("red", "blue") for segment in SEGMENTS))
    for metric in sorted(members, key=lambda m: m.name not in FIRST):
        if metric.kind == "text" and metric.name not in SKIPPED:
            metrics.extractor(metric, testset, metric.chosen())(outputs)


@st.cache_resource
def start() -> threading.Thread:
    """The thread that compiles, started once per server."""
    # the metrics are imported here: two threads that import each other's modules can fail
    members = list(metrics.members().values())
    thread = threading.Thread(target=_compile, args=(members,), name="sigboard-warm-up", daemon=True)
    thread.start()
    return thread
