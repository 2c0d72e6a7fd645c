"""Several runs of a system: against a baseline output, or against the runs of other systems."""

from __future__ import annotations

from sigcore.studies.runs import mixed
from sigcore.studies.runs.compute import RunsPlan, RunsRun, RunsTest, against, run
from sigcore.studies.runs.draws import NESTED, SHUFFLES
from sigcore.studies.runs.result import RATES, RUNS, TESTS, RunsResult, read, results
