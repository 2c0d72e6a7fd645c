"""How often each test called two equally good systems different at 0.05, with 3 runs each and 100 segments.

Measured by tests/calibration/test_runs.py on 1000 made test sets for each row (199 resamples), and held there.
"""

from __future__ import annotations

from collections.abc import Mapping

TESTS = ("p (exact)", "MultEval's shuffle", "swapped as one", "hierarchical bootstrap", "t", "first run of each alone")

# How the test sets were made -> the rate of each of TESTS.
RATES: Mapping[str, tuple[float, ...]] = {
    "all outputs could change places": (0.05, 0.08, 0.05, 0.002, 0.05, 0.05),
    "the runs of a system are alike on a segment": (0.21, 0.18, 0.05, 0.015, 0.24, 0.05),
    "runs differ a little on all segments": (0.15, 0.19, 0.15, 0.01, 0.05, 0.16),
    "runs differ much on all segments": (0.66, 0.70, 0.69, 0.09, 0.05, 0.69),
}
