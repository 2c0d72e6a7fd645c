"""The layout of the features in a line of a k-best list, so that lines with the same layout are read in one step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sigcore.types import Floats


@dataclass(frozen=True)
class Layout:
    """Where names and values are in the features of a line with separate values (`Name= 1 2`): most lines have the layout
    of the line before, and then only their values are read."""

    tokens: int = -1
    marks: tuple[tuple[int, str], ...] = ()  # (place, "Name=")
    places: tuple[int, ...] = ()  # of the values
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, tokens: Sequence[str], named: tuple[str, ...]) -> Layout:
        """The layout of these tokens; one that fits no line where a token has both a name and a value."""
        marks = tuple((k, token) for k, token in enumerate(tokens) if "=" in token)
        places = tuple(k for k, token in enumerate(tokens) if "=" not in token)
        separate = all(token.endswith("=") for _, token in marks)
        return cls(len(tokens) if separate else -1, marks, places, named)

    def values(self, tokens: Sequence[str]) -> Floats | None:
        """The values of a line with this layout, (F,); None if it has another one, or if any value is doubtful."""
        if len(tokens) != self.tokens or any(tokens[k] != mark for k, mark in self.marks):
            return None
        texts = [tokens[k] for k in self.places]
        joined = "".join(texts)
        if not joined.isascii() or "_" in joined:
            return None
        try:
            values = np.array(list(map(float, texts)))
        except ValueError:
            return None
        return values if np.isfinite(values).all() else None
