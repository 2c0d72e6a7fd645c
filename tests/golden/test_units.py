"""The design effect of blocks on real systems: the figures that the documents print."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from sigcore.studies import units
from sigcore.studies.statistics import measure
from sigcore.study import Runtime
from sigcore.types import Unit

PAGE = Path(__file__).resolve().parents[2] / "docs" / "units.md"


def test_blocks_of_a_campaign_are_as_printed(cs_en, statistics_cache):
    """BLEU, 55 pairs of WMT22 cs-en: mean and largest design effect of blocks are those of docs/units.md."""
    testset, outputs = cs_en("B")
    (measured,) = measure(testset, outputs, [("bleu", {})], Runtime(cache=statistics_cache))
    rows = re.findall(r"^\| (\d+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == 4
    for length, count, mean, largest in rows:
        unit = Unit("block", int(length))
        effect = units.design_effect(measured, unit, units.groups(testset, unit))
        assert effect.n == int(count)
        assert np.mean(effect.of_pairs) == pytest.approx(float(mean), abs=0.0051)
        assert np.max(effect.of_pairs) == pytest.approx(float(largest), abs=0.0051)
