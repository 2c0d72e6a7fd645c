"""Several runs of a system: against a baseline output, or against the runs of other systems."""

from __future__ import annotations

from sigcore.studies.runs.baseline import RunsTest, against
from sigcore.studies.runs.compute import RunsRun, run
from sigcore.studies.runs.nested import NESTED
from sigcore.studies.runs.rates import RATES, TESTS
from sigcore.studies.runs.result import RunsResult, read
from sigcore.studies.runs.shuffles import SHUFFLES

__all__ = ["NESTED", "RATES", "SHUFFLES", "TESTS", "RunsResult", "RunsRun", "RunsTest", "against", "read", "run"]
