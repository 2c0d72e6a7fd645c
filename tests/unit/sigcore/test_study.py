"""How a study runs: progress, partial results, and the end of a run that is not wanted any more."""

from __future__ import annotations

import pytest

from sigcore.errors import Cancelled
from sigcore.executors import Serial
from sigcore.study import LOCAL, Runtime


def test_the_executor_is_that_of_this_machine_unless_one_is_given():
    """Without an executor there is one; a given one is used as it is."""
    mine = Serial()
    assert Runtime(executor=mine).mapper is mine
    assert list(LOCAL.mapper.map(abs, [-1, 2])) == [1, 2]


def test_nobody_is_told_where_nobody_waits():
    """Without progress and cancel there is no callback, and a stage adds none."""
    assert LOCAL.report is None
    assert LOCAL.staged("parts", 1, 2) is LOCAL
    LOCAL.show("a partial result that nobody looks at")


def test_a_stage_reports_the_runs_that_are_done():
    """Within one of several runs the outer count is reported, not that of the run."""
    told: list[tuple[str, int, int]] = []
    inner = Runtime(progress=lambda *now: told.append(now)).staged("parts", 3, 7)
    assert inner.report is not None
    inner.report("resampling", 20, 90)
    assert told == [("parts", 3, 7)]


def test_a_run_ends_at_its_next_report():
    """`cancel` is asked at every report, inside a stage too, and nothing is reported afterwards."""
    told: list[str] = []
    stop = [False]
    runtime = Runtime(progress=lambda stage, *_: told.append(stage), cancel=lambda: stop[0])
    for one in (runtime, runtime.staged("parts", 0, 1)):
        stop[0] = False
        assert one.report is not None
        one.report("drawing", 0, 1)
        stop[0] = True
        with pytest.raises(Cancelled):
            one.report("drawing", 1, 1)
    assert told == ["drawing", "parts"]
    with pytest.raises(Cancelled):
        Runtime(cancel=lambda: True).report("drawing", 0, 1)  # type: ignore[misc]


def test_partial_results_are_published():
    """What a study shows reaches the one who looks at it."""
    seen: list[object] = []
    Runtime(publish=seen.append).show(3)
    assert seen == [3]
