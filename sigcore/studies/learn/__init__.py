"""How does each test decide? The numbers of the lessons, one file for each idea."""

from __future__ import annotations

from sigcore.studies.learn.draws import (
    DRAWN,
    TESTS,
    Data,
    Draw,
    PairStatistics,
    Shown,
    Steps,
    data,
    gain_of,
    shown,
    steps,
    unit_of,
    usual_pair,
)
from sigcore.studies.learn.promises import (
    LONGER,
    QUESTIONS,
    RUNS,
    Exam,
    Intervals,
    Judge,
    Plan,
    exam,
    intervals,
    judge,
    plan,
    share,
    sign_test,
)
from sigcore.studies.learn.rates import (
    BINS,
    SIZES,
    SYSTEMS,
    Drawn,
    Errors,
    Factory,
    Game,
    Lab,
    Many,
    Mean,
    Round,
    Rule,
    Size,
    any_of,
    cells,
    draw,
    factory,
    game,
    lab,
    many,
    mean,
    rounds,
)
from sigcore.studies.learn.rates import MOST as ROUNDS
