"""The small form of `make soak`: a few visitors at once, every answer right."""

from __future__ import annotations

from tests.soak.__main__ import Seen, Soaked, by_command, soak, wrong_numbers
from tests.waiting import LIMIT


def test_visitors_at_once_get_their_own_answers() -> None:
    """Three visitors with different files each see their own systems on every page, and nothing after clearing; their
    scores and p are those of the command."""
    soaked = soak(seconds=LIMIT, visitors=3, thinks=0, visits=3)
    assert soaked.visits == 3
    assert len(soaked.clicks) == 3 * 11
    assert not soaked.faults
    assert soaked.compared == 3 * 6  # two scores, printed and in full, and p in both directions
    assert "alpha: p50, p95, slowest" in str(soaked)


def test_bounds_are_on_alpha_and_memory() -> None:
    """A change of alpha or a first grid that is slow for 1 of 20 visitors, and a server that grows, are told; a slow arrival
    is not."""
    quick = [("alpha", 0.2)] * 19
    assert Soaked([*quick, ("alpha", 0.9), ("arrival", 9.0)], [], 2, [100.0, 900.0]).beyond() == []
    slow = Soaked([*quick, *[("alpha", 3.0)] * 2], [], 2, [100.0, 3_000.0])
    assert slow.beyond({"alpha": 2.5}) == [
        "5% of the changes of alpha take more than 3.00 s; the bound is 2.5 s",
        "a server has 3,000 MB; the bound is 2,000 MB",
    ]
    assert Soaked(quick, [], 2, [100.0]).beyond({"alpha": 0.1})[0].endswith("0.20 s; the bound is 0.1 s")
    late = [("first grid", 6.0), ("settled", 9.0)]
    assert Soaked(late, [], 1, [100.0]).beyond() == [
        "5% of the first grids after a drop take more than 6.00 s; the bound is 5 s"
    ]


def test_numbers_of_another_visitor_are_wrong() -> None:
    """Each visitor has other numbers, and p that moves with the seed: those of the neighbour are not taken for one's own."""
    own, other = by_command(5), by_command(4)
    assert wrong_numbers(Seen(5, [], [], own)) == []
    assert len(wrong_numbers(Seen(5, [], [], dict.fromkeys(own, "1")))) == 6
    assert own["one5 - two5"] != other["one4 - two4"]
    assert 0.0002 < float(own["one5 - two5"]) < 1
