"""Which names look like runs of one system (A.seed1, A.seed2), and the system and run in names of a given pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sigcore.errors import OptionError

SYSTEM, RUN = "{system}", "{run}"
EXAMPLE = f"{SYSTEM}.seed{RUN}"
# What precedes the number of a run.
MARK = re.compile(
    r"(?P<system>.*[^._\-\s])(?P<mark>[._-]?(?:seed|runs?|opt|rep|replica|replicate|trial|init|fold|ckpt|checkpoint|epoch)[._-]?)"
    r"(?P<run>\d+)",
    re.IGNORECASE,
)


def like_runs(names: Iterable[str]) -> dict[str, list[str]]:
    """The names that look like two or more runs of one system, by a pattern that fits them ("A.seed{run}").

    It is only a guess, to be confirmed by the user: checkpoints of one run, for example, are not runs.
    """
    found: dict[str, list[str]] = {}
    for name in names:
        match = MARK.fullmatch(name)
        if match:
            found.setdefault(f"{match['system']}{match['mark']}{RUN}", []).append(name)
    return {pattern: alike for pattern, alike in found.items() if len(alike) > 1}


def pattern_of(alike: str) -> str:
    """The pattern for the names of all systems, from one of `like_runs`: "A.seed{run}" gives "{system}.seed{run}"."""
    match = MARK.fullmatch(alike.replace(RUN, "0"))
    return SYSTEM + (match["mark"] if match else ".") + RUN


def by_pattern(names: Iterable[str], pattern: str) -> dict[str, list[str]]:
    """The names by system, both in order; a name that does not fit the pattern is a system with one run.

    The pattern has "{system}" and "{run}" once each; everything else is literal.

    Raises: OptionError for another pattern, and where no name fits it.
    """
    if pattern.count(SYSTEM) != 1 or pattern.count(RUN) != 1:
        raise OptionError(f"{pattern!r} is not a pattern for runs.", "", f"Write {EXAMPLE}, for example.")
    text = re.escape(pattern).replace(re.escape(SYSTEM), "(?P<system>.+)").replace(re.escape(RUN), "(?P<run>.+)")
    out: dict[str, list[str]] = {}
    known, fits = list(names), 0
    for name in known:
        match = re.fullmatch(text, name)
        fits += match is not None
        out.setdefault(match["system"] if match else name, []).append(name)
    if not fits:
        raise OptionError(f"No name of a system fits {pattern!r}.", "", f"Names: {', '.join(known)}.")
    return out
