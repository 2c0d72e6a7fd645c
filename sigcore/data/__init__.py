"""What is loaded: files to one test set and its outputs, with every finding at once."""

from __future__ import annotations

from sigcore.data import side_by_side
from sigcore.data.assembly import Choices, Finding, Loaded, assemble, choices, writing
from sigcore.data.testsets import settled

__all__ = ["Choices", "Finding", "Loaded", "assemble", "choices", "settled", "side_by_side", "writing"]
