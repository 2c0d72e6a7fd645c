"""Loaded files assembled into one test set and its outputs, with all findings at once."""

from __future__ import annotations

from sigcore.data import run_names, saved, side_by_side
from sigcore.data.assembly import Loaded, Ready, assemble
from sigcore.data.checks import Finding, writing
from sigcore.data.collection import Collection
from sigcore.data.notices import in_two_roles, named_without, together, unused, warnings
from sigcore.data.paths import read_bytes, read_paths
from sigcore.data.select import Choices, choices
