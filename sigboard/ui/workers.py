"""The executor of this server: SIGBOARD_EXECUTOR, or the threads of this machine."""

from __future__ import annotations

import os
from functools import cache
from threading import Lock

from sigcore import executors

_one_at_a_time = Lock()


def executor() -> executors.Executor:
    """The executor that all jobs share; the first job connects to the cluster, in the background.

    Raises: SigError if SIGBOARD_EXECUTOR cannot be used; the next job tries again.
    """
    with _one_at_a_time:
        return _made(os.environ.get("SIGBOARD_EXECUTOR", "local"))


@cache
def _made(name: str) -> executors.Executor:
    return executors.get(name)
