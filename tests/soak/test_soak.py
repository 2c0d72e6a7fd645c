"""The small form of `make soak`: a few visitors at once, every answer right."""

from __future__ import annotations

from tests.soak.__main__ import soak
from tests.waiting import LIMIT


def test_visitors_at_once_get_their_own_answers() -> None:
    """Three visitors with different files each see their own systems on every page, and nothing after clearing."""
    soaked = soak(seconds=LIMIT, visitors=3, thinks=0, visits=3)
    assert soaked.visits == 3
    assert len(soaked.clicks) == 3 * 10
    assert not soaked.faults
    assert "alpha: p50, p95, slowest" in str(soaked)
