"""How does each test decide? The numbers of the lessons, one file for each idea."""

from __future__ import annotations

from sigcore.studies.learn.data import Data, data
from sigcore.studies.learn.draws import Draw
from sigcore.studies.learn.factory import BINS, Factory, factory
from sigcore.studies.learn.many import SYSTEMS, Many, any_of, cells, many
from sigcore.studies.learn.mean import Mean, mean
from sigcore.studies.learn.pairs import usual_pair
from sigcore.studies.learn.predict import MOST as ROUNDS
from sigcore.studies.learn.predict import Game, Round, game, rounds
from sigcore.studies.learn.steps import DRAWN, TESTS, Shown, Steps, p_so_far, steps
from sigcore.studies.learn.tail import SIZES, Drawn, Errors, Lab, Rule, Size, draw, lab

__all__ = [
    "BINS",
    "DRAWN",
    "ROUNDS",
    "SIZES",
    "SYSTEMS",
    "TESTS",
    "Data",
    "Draw",
    "Drawn",
    "Errors",
    "Factory",
    "Game",
    "Lab",
    "Many",
    "Mean",
    "Round",
    "Rule",
    "Shown",
    "Size",
    "Steps",
    "any_of",
    "cells",
    "data",
    "draw",
    "factory",
    "game",
    "lab",
    "many",
    "mean",
    "p_so_far",
    "rounds",
    "steps",
    "usual_pair",
]
