"""The profile of a system, and the random numbers (coins) that decide where it makes which error.

A coin is a hash of its place, not the next number of a generator: if one rate changes, only errors of that kind change.
Systems of one family share part of their coins, and so part of their errors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Profile:
    """One system: its family, how much it shares with the family, and how often it makes each kind of error; `way` is
    how an aligner or a summariser works."""

    name: str
    group: str
    rates: dict[str, float] = field(default_factory=dict)
    level: float = 1.0
    share: float = 0.0
    domains: dict[str, float] = field(default_factory=dict)
    twin_of: str = ""
    redraw: int = 0
    way: str = ""


def coin(*key: object) -> float:
    """A number in [0, 1) that depends only on the key."""
    digest = hashlib.sha256("|".join(map(str, key)).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


@dataclass(frozen=True)
class Coins:
    """The coins of one system in one segment."""

    profile: Profile
    segment: int
    factor: float
    seed: str

    def toss(self, *place: object) -> float:
        """A number in [0, 1): the coin of the family if it shares this place, otherwise that of the system."""
        profile, place = self.profile, (self.seed, self.segment, *place)
        shared = coin("shared", profile.group, *place) < profile.share
        return coin("family", profile.group, *place) if shared else coin("own", profile.name, *place)

    def slips(self, kind: str, *place: object) -> bool:
        """Whether the system makes this kind of error in this place."""
        rate = self.profile.rates.get(kind, 0.0)
        return rate > 0 and self.toss(kind, *place) < rate * self.factor

    def pick(self, choices: Sequence[str], *place: object) -> str:
        """One of the choices."""
        return choices[int(self.toss("pick", *place) * len(choices))]
