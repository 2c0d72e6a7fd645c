"""How does each test decide? The numbers of the lessons, one file for each idea."""

from __future__ import annotations

from sigcore.studies.learn.draws import DRAWN, TESTS, Data, Draw, Shown, Steps, data, p_so_far, steps, usual_pair
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
