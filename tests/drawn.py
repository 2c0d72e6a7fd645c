"""The significance tests by the way they work: those that use the draws of the engine, and those that count themselves."""

from __future__ import annotations

from sigcore import significance

DRAWN = [name for name, test in significance.members().items() if test.draws]
OWN_COUNTS = [name for name, test in significance.members().items() if not test.draws]
