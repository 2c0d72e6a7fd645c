"""The design effect of blocks on real systems: the figures that the documents print."""

from __future__ import annotations

import numpy as np
import pytest

from sigcore.studies import units
from sigcore.studies.statistics import measure
from sigcore.study import Runtime
from sigcore.types import Unit
from tests.stored import stored


def test_blocks_of_a_campaign_are_as_printed(cs_en, statistics_cache):
    """BLEU, 55 pairs of WMT22 cs-en: mean and largest design effect of blocks are those of docs/units.md."""
    testset, outputs = cs_en("B")
    (measured,) = measure(testset, outputs, [("bleu", {})], Runtime(cache=statistics_cache))
    for length, count, mean, largest in stored("units.blocks"):
        unit = Unit("block", length)
        effect = units.design_effect(measured, unit, units.groups(testset, unit))
        assert effect.n == count
        assert np.mean(effect.of_pairs) == pytest.approx(mean, abs=0.0051)
        assert np.max(effect.of_pairs) == pytest.approx(largest, abs=0.0051)
