"""Judged systems matched with outputs: by name, loosely if that is unambiguous, or as the user decides."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sigcore.errors import OptionError
from sigcore.formatting import listed
from sigcore.judgments import Judgments

LISTED = 8


@dataclass(frozen=True)
class Match:
    """Which judged system is which output: `names` maps all matched names, judged to output.

    `loosely` are the pairs whose names differ; `judged_only` and `unjudged` have no partner.
    """

    names: dict[str, str]
    loosely: tuple[tuple[str, str], ...]
    judged_only: tuple[str, ...]
    unjudged: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user about the names."""
        pairs = [f"{judged} and {output}" for judged, output in self.loosely]
        lines = (
            (pairs, "Read as the same system: {}."),
            (self.judged_only, "Judged, but without an output of that name: {}."),
            (self.unjudged, "With an output, but without judgments: {}. Not counted in the accuracy."),
        )
        return tuple(line.format(listed(names, LISTED)) for names, line in lines if names)


def match(judged: Sequence[str], outputs: Sequence[str]) -> Match:
    """Judged systems matched with outputs: by the same name, or by one that differs only in case, in how letters are
    composed (NFC, NFD), or in a number after a dot ("Online-W.2" and "Online-W"), if that is unambiguous."""
    exact = {name: name for name in judged if name in set(outputs)}
    names = exact | _loosely(
        [name for name in judged if name not in exact], [name for name in outputs if name not in exact]
    )
    matched = set(names.values())
    return Match(
        names=names,
        loosely=tuple((judged, output) for judged, output in names.items() if judged != output),
        judged_only=tuple(name for name in judged if name not in names),
        unjudged=tuple(name for name in outputs if name not in matched),
    )


def _loosely(judged: Sequence[str], outputs: Sequence[str]) -> dict[str, str]:
    """Names that agree but for case or a number behind a dot, each with its only partner."""
    partners: dict[str, list[str]] = {}
    for name in outputs:
        partners.setdefault(_loose(name), []).append(name)
    rivals = Counter(map(_loose, judged))
    alone = [name for name in judged if rivals[_loose(name)] == 1 and len(partners.get(_loose(name), ())) == 1]
    return {name: partners[_loose(name)][0] for name in alone}


def _loose(name: str) -> str:
    shown = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return re.sub(r"[\s_]+", "-", re.sub(r"\.\d+$", "", shown))


def named(judgments: Judgments, names: Mapping[str, str]) -> Judgments:
    """The judgments with systems renamed.

    Raises: OptionError for an unknown name, or if two systems would share a name.
    """
    systems = judgments.system.tolist()
    known = dict.fromkeys(systems)
    missing = [name for name in names if name not in known]
    if missing:
        raise OptionError(f"No rating names {missing[0]!r}.", judgments.name, f"Named: {listed(known, LISTED)}.")
    after = [names.get(name, name) for name in known]
    twice = [name for name in after if after.count(name) > 1]
    if twice:
        fix = "Give each judged system its own name."
        raise OptionError(f"Two judged systems would be named {twice[0]!r}.", judgments.name, fix)
    if all(names.get(name, name) == name for name in known):
        return judgments
    renamed = np.array([names.get(name, name) for name in systems], dtype=np.str_)
    return replace(judgments, system=renamed, digest="")
