"""The thresholds that docs/gain.md prints of WMT 2022, computed again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sigcore import Settings
from sigcore.studies import gain, matrix, pairs
from tests.conftest import wmt

pytestmark = pytest.mark.data

PAGE = Path(__file__).resolve().parents[2] / "docs" / "gain.md"


@pytest.mark.parametrize(("folder", "reference", "borderline"), [("wmt22.cs-en", "B", 0), ("wmt22.uk-en", "A", 2)])
def test_thresholds_as_printed(data: Path, folder: str, reference: str, borderline: int) -> None:
    """Both classes of mixtures have the printed numbers, and the real pairs have no threshold."""
    testset, outputs = wmt(data / "mt" / folder, reference, "en")
    counted = matrix.run(testset, outputs, tests=["two_delta_bootstrap"], resamples=10_000)
    real = gain.read(matrix.read(counted, "bleu", "two_delta_bootstrap", Settings("greater", correction="none")))
    systems = counted.measured[0].systems
    mixed = gain.read_mixtures(gain.mix(systems, gain.bases(systems), 20, 12345), None, real.setup, pairs.How())
    (of_real,) = gain.thresholds(real)
    assert of_real.n == borderline
    assert of_real.reason
    apart, together = gain.thresholds(mixed)
    printed = re.findall(r"\((\d+) pairs\) \| ([\d.]+) BLEU \[([\d.]+), ([\d.]+)\]", PAGE.read_text(encoding="utf-8"))
    rows = printed[:2] if folder == "wmt22.cs-en" else printed[2:]
    for item, row in zip((together, apart), rows, strict=True):
        found = (item.threshold, item.low, item.high)
        assert (str(item.n), *(f"{value:.2f}" for value in found)) == row
