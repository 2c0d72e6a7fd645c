"""The place on the screen that shows errors: a fault is reported, but not that of a run that a newer one has replaced."""

from __future__ import annotations

import logging

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner_utils.exceptions import StopException

from sigboard.shell import page


class Replaced(dict[str, object]):
    """The state as a run meets it that a newer one has replaced: asking for anything ends the run."""

    def get(self, *_: object) -> object:
        raise StopException


@pytest.mark.parametrize("replaced", [False, True])
def test_only_the_fault_of_a_run_that_goes_on_is_reported(
    replaced: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A fault is a box and an entry of the log; a run that a newer one has replaced ends without either."""
    boxes: list[str] = []
    monkeypatch.setattr(st, "session_state", Replaced() if replaced else {})
    monkeypatch.setattr(st, "error", lambda text, icon: boxes.append(text))
    ended = False
    try:
        with caplog.at_level(logging.ERROR, "sigboard"), page.guard("gain"):
            raise RuntimeError("dictionary changed size during iteration")
    except StopException:
        ended = True
    assert ended is replaced
    assert len(boxes) == len(caplog.records) == (0 if replaced else 1)
    assert all("RuntimeError: dictionary changed size" in text for text in boxes)
