"""Several runs of equal systems: how often the shuffles, and tests that ignore what differs between runs, reject."""

from __future__ import annotations

import pytest

from sigcore.studies.runs import RATES, TESTS
from tests import some
from tests.calibration.nulls import band
from tests.calibration.run_nulls import SINGLE, of_model, rates, world

COLUMNS = ("mixed", "exact", "multeval", "swapped as one", "hierarchical", "t", SINGLE)
REPLICATIONS = 1000
WORLDS = {
    "all outputs could change places": world(3, 100),
    "the runs of a system are alike on a segment": world(3, 100, alike=1.0),
    "runs differ a little on all segments": world(3, 100, between=0.1),
    "runs differ much on all segments": world(3, 100, between=0.5),
}
HELD = {
    "all outputs could change places": ("exact", "swapped as one", "t", SINGLE, "mixed"),
    "the runs of a system are alike on a segment": ("swapped as one", SINGLE, "mixed"),
    "runs differ a little on all segments": ("t", "mixed"),
    "runs differ much on all segments": ("t", "mixed"),
}


def printed(row: str) -> dict[str, float]:
    """The rates that the app and docs/runs.md show for one kind of test set, by test."""
    return dict(zip(COLUMNS, RATES[row], strict=True))


@pytest.fixture(scope="module", params=list(WORLDS))
def measured(request):
    """A row of the table, and the rates of 1000 test sets of 199 resamples."""
    return request.param, rates(WORLDS[request.param], REPLICATIONS, 199, seed=5)


@pytest.mark.slow
def test_rates_are_those_of_the_documents(measured):
    """Every rate is what the documents say, within half of their last digit and the binomial 99.9% band."""
    row, found = measured
    for name, rate in printed(row).items():
        low, high = band(REPLICATIONS, rate)
        assert low - 0.005 <= found[name] <= high + 0.005, (name, rate, found[name])


@pytest.mark.slow
def test_each_test_holds_its_level_where_its_assumption_holds(measured):
    """Tests hold 5% where what they assume is so; those that ignore what differs between runs do not."""
    row, found = measured
    low, high = band(REPLICATIONS)
    for name in HELD[row]:
        assert low <= found[name] <= high, (name, found[name])
    if row == "runs differ much on all segments":
        assert min(found[name] for name in ("exact", "multeval", "swapped as one", SINGLE)) > 0.4


@pytest.mark.slow
def test_the_flawed_shuffle_is_seen_quick():
    """Where all outputs could change places, MultEval's shuffle of three runs rejects more often than the exact one."""
    found = rates(WORLDS["all outputs could change places"], 120, 199, seed=9)
    assert found["multeval"] > found["exact"]


@pytest.mark.parametrize("row", some.first([*WORLDS, "both"], 2))
def test_the_mixed_model_rejects_as_often_as_it_says(row):
    """In each kind of test set, also where runs are alike on a segment and differ on all, the model rejects 3 to 7% at .05, and
    at most 3% at .01: neither too often nor too seldom."""
    found = of_model(WORLDS.get(row, world(3, 100, alike=1.0, between=0.5)), 3000, seed=3)
    assert 0.03 <= found[0.05] <= 0.07
    assert 0.003 <= found[0.01] <= 0.03


def test_every_kind_of_test_set_is_measured() -> None:
    """The table has a row for each kind of test set, with the rate of each test."""
    assert list(RATES) == list(WORLDS)
    assert len(TESTS) == len(COLUMNS)
