"""Would another test, unit or program say the same? One pair under every test and unit, and what other programs print."""

from __future__ import annotations

from sigcore.studies.strip.compute import results, run, units_of
from sigcore.studies.strip.of_runs import of_runs
from sigcore.studies.strip.programs import PROGRAMS, Counted, Pair, Program
from sigcore.studies.strip.result import PROGRAM, ROW, STRIP, TILE, Elsewhere, Line, StripResult, Tile
