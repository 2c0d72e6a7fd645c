"""How often bootstrap tests reject a true null where there are few units: measured rates, and where no p is given."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

# Below LEAST_UNITS units a bootstrap test gives no p, and no interval is given; below FEW_UNITS it rejects clearly too often.
LEAST_UNITS, FEW_UNITS = 10, 30
TABLE = Path(__file__).with_name("few_units.json")  # written by `python -m tests.calibration.few_units`


@cache
def _table() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    return stored


def rejection_rate(test: str, n: int, alpha: float) -> float | None:
    """The measured rejection rate of a true null at alpha with n units, or with the next smaller measured number of
    units; None where it was not measured."""
    rates, alphas = _table()["rates"].get(test, {}), _table()["alphas"]
    measured = [int(units) for units in rates if int(units) <= n]
    if not measured or alpha not in alphas:
        return None
    return float(rates[str(max(measured))][alphas.index(alpha)])
