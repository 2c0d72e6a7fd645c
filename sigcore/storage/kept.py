"""What the store knows about an analysis that it keeps, and what became of one that it does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Gone = Literal["deleted", "expired", "full"]


@dataclass(frozen=True)
class Kept:
    """One kept analysis, without its parts. `owner` is a digest of the owner's secret; `created` and `expires` are seconds
    since 1970; `size` is in bytes; `sources` are the ids of the links that its files came from; `stamp` changes with
    every write."""

    token: str
    owner: str
    title: str
    expires: float
    page: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    created: float = 0.0
    size: int = 0
    sources: frozenset[str] = frozenset()
    stamp: str = ""


@dataclass(frozen=True)
class Bounds:
    """The most bytes that all analyses of one owner may take, and those of all owners."""

    owner: int
    all: int
