"""All jobs of a server share one executor, set by the environment."""

from __future__ import annotations

import pytest

from sigboard.server import cache
from sigcore.errors import OptionError
from sigcore.executors import Serial, Threads


def test_jobs_share_the_named_executor(monkeypatch):
    """SIGBOARD_EXECUTOR names the executor, made once; by default it is the threads of this machine."""
    monkeypatch.setenv("SIGBOARD_EXECUTOR", "serial")
    assert isinstance(cache.executor(), Serial)
    assert cache.executor() is cache.executor()
    monkeypatch.delenv("SIGBOARD_EXECUTOR")
    assert isinstance(cache.executor(), Threads | Serial)


def test_a_wrong_name_is_an_error_for_each_job(monkeypatch):
    """A name that cannot be used is an error each time, not only the first."""
    monkeypatch.setenv("SIGBOARD_EXECUTOR", "somewhere")
    for _ in range(2):
        with pytest.raises(OptionError, match="somewhere"):
            cache.executor()
