"""How a study runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from sigcore import executors
from sigcore.errors import Cancelled
from sigcore.types import Cache, Progress


@dataclass(frozen=True, eq=False)
class Runtime:
    """How a study runs. Nothing here changes a number, so nothing here is part of a digest.

    Without an `executor` there is a thread for each core, without a `cache` every run computes its own statistics.
    `progress(stage, done, total)` is called regularly and may raise Cancelled. `publish` takes partial results. `cancel`
    says whether to stop; it is asked where progress is reported.
    """

    executor: executors.Executor | None = None
    cache: Cache | None = field(default=None, repr=False)
    progress: Progress | None = None
    publish: Callable[[Any], None] | None = None
    cancel: Callable[[], bool] | None = None

    @property
    def mapper(self) -> executors.Executor:
        """What computes the blocks."""
        return self.executor or executors.local()

    @property
    def report(self) -> Progress | None:
        """What is called with progress, None if nobody waits for it; raises Cancelled where the run is to stop."""
        cancel, progress = self.cancel, self.progress
        if cancel is None:
            return progress

        def report(stage: str, done: int, total: int) -> None:
            if cancel():
                raise Cancelled
            if progress is not None:
                progress(stage, done, total)

        return report

    def show(self, partial: Any) -> None:
        """Publish a partial result, where somebody looks at it."""
        if self.publish is not None:
            self.publish(partial)

    def staged(self, stage: str, done: int, total: int) -> Runtime:
        """The runtime of one of `total` runs: it reports the runs that are done, and may cancel within one."""
        report = self.report
        if report is None:
            return self
        return replace(self, progress=lambda _phase, _done, _total: report(stage, done, total), cancel=None)


LOCAL = Runtime()  # all cores of this machine, in silence
