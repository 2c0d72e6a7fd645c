"""Loaded files assembled into one test set and its outputs, with all findings at once."""

from __future__ import annotations

from sigcore.data.assembly import Loaded, Ready, assemble, of_whole_tasks
from sigcore.data.checks import UNSPLIT, Finding, writing
from sigcore.data.collection import Collection, gold_as_system, in_two_roles, named_without, together, unused, warnings
from sigcore.data.direction import assumed, of_numbers, option_of
from sigcore.data.mean_ratings import are_all as are_mean_ratings
from sigcore.data.mean_ratings import as_scores
from sigcore.data.nature import RUNNING, Texts, answered
from sigcore.data.paths import read_bytes, read_paths
from sigcore.data.plan import claims, recipes, unclear
from sigcore.data.select import RUNS_EXAMPLE, Choices, by_pattern, choices, fit_runs, like_runs, pattern_of, share_runs
from sigcore.data.sentinels import NONE, Sentinel, rated, read_codes
from sigcore.data.side_by_side import BY_WORD, word_rows, words_of
