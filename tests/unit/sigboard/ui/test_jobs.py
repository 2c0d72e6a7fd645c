"""The background jobs of the screen: shared by equal requests, stopped only when nobody waits for them."""

from __future__ import annotations

from sigboard.ui.jobs import Job, Jobs
from sigcore import Cancelled
from tests.waiting import LIMIT


def endless(job: Job) -> None:
    """Work that ends only when it is cancelled (or long after its test has failed)."""
    job.report("working", 1, 2)
    job.stop.wait(2 * LIMIT)
    job.report("working", 1, 2)


def ended(job: Job) -> bool:
    """Whether the job ends at all."""
    return job.finished.wait(LIMIT)


def test_equal_questions_share_one_job() -> None:
    """Two visitors with the same question wait for one job, and both get its result."""
    board = Jobs()
    one, two = (board.ask("matrix:k", lambda job: 42, visitor) for visitor in "ab")
    assert one is two
    assert ended(one)
    assert one.result == 42


def test_cancel_leaves_the_job_to_the_others() -> None:
    """The first of two visitors who cancels only leaves; the second one stops the work."""
    board = Jobs()
    job = board.ask("matrix:k", endless, "a")
    board.ask("matrix:k", endless, "b")
    board.cancel(job, "a")
    assert not job.stop.is_set()
    board.cancel(job, "b")
    assert ended(job)
    assert isinstance(job.error, Cancelled)


def test_a_cancelled_job_stays_cancelled_until_asked_again() -> None:
    """A rerun of the page does not start again what its visitor has cancelled; Run again does."""
    board = Jobs()
    job = board.ask("matrix:k", endless, "a")
    board.cancel(job, "a")
    assert ended(job)
    assert board.ask("matrix:k", endless, "a") is job
    board.again(job, "a")
    fresh = board.ask("matrix:k", lambda job: 1, "a")
    assert fresh is not job
    assert ended(fresh)
    assert fresh.result == 1


def test_another_visitor_does_not_inherit_a_cancelled_job() -> None:
    """What one visitor has cancelled is computed again for the next who asks."""
    board = Jobs()
    job = board.ask("matrix:k", endless, "a")
    board.cancel(job, "a")
    fresh = board.ask("matrix:k", lambda job: 1, "b")
    assert fresh is not job
    assert ended(job)
    assert ended(fresh)


def test_a_changed_question_stops_the_old_one_of_its_kind_only() -> None:
    """Another setting on the matrix page stops the old grid; a look at the compare page does not."""
    board = Jobs()
    grid = board.ask("matrix:k", endless, "a")
    board.leave("a", but="compare:pair")
    assert not grid.stop.is_set()
    board.leave("a", but="matrix:other")
    assert ended(grid)
