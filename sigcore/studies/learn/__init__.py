"""How does each test decide? The numbers of the lessons, one file for each idea."""

from __future__ import annotations

from sigcore.studies.learn.pairs import usual_pair
from sigcore.studies.learn.steps import DRAWN, TESTS, Shown, Steps, p_so_far, steps

__all__ = ["DRAWN", "TESTS", "Shown", "Steps", "p_so_far", "steps", "usual_pair"]
