"""Does the calibration of the product find what is known: that randomization holds its level, and which rules do not?"""

from __future__ import annotations

import pytest

from sigcore import Collection, Settings, Study
from sigcore.studies import trust
from tests.calibration.nulls import band

REPETITIONS = 4000


def sample(systems: slice = slice(None), test: str = "approximate_randomization", unit: str = "document") -> Study:
    """The sample harbour under BLEU."""
    collection = Collection()
    collection.add_sample("harbour")
    loaded = collection.sound()
    assert loaded.testset is not None
    return Study(
        loaded.testset, loaded.outputs[systems], tests=(test,), unit=unit, settings=Settings(correction="auto")
    )


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["document", "segment"])
@pytest.mark.parametrize("systems", [slice(1, 3), slice(None)], ids=["pair", "grid"])
def test_randomization_holds_its_level_on_the_sample(unit: str, systems: slice) -> None:
    """At .05 and .01 the rate of a pair, and of a grid with max-T, is inside its 99.9% band."""
    null = "document" if unit == "document" else "segment"
    result = trust.run(sample(systems, unit=unit), trust.TrustPlan(REPETITIONS, null))
    for rate in result.rates:
        low, high = band(REPETITIONS, rate.alpha)
        assert low <= rate.share <= high, str(result)


@pytest.mark.slow
def test_riezler_and_maxwell_does_not_hold_its_level_on_the_sample() -> None:
    """Its rate at .05 is outside the 99.9% band."""
    plan = trust.TrustPlan(1000, "segment", rule="riezler_maxwell")
    rate = trust.run(sample(slice(1, 3), unit="segment"), plan).at(0.05)
    low, high = band(1000)
    assert not low <= rate.share <= high, rate
