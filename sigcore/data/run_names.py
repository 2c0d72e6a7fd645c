"""Which names look like runs of one system (A.seed1, A.seed2), and the system and run in names of given patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sigcore.errors import OptionError

SYSTEM, RUN = "{system}", "{run}"
EXAMPLE = f"{SYSTEM}.seed{RUN}"
APART = r"[._\-\s]"  # what separates the parts of a name
# What comes before the number of a run: words, and after a separator also words and letters with which others end.
WORD = r"(?:seed|runs?|opt|rep|replica|replicate|trial|init|fold|ckpt|checkpoint|epoch)"
MARK = rf"(?:{APART}?{WORD}{APART}?|{APART}(?:ep|step|iter){APART}?|{APART}[sr])"
# "A.seed1", also with something behind it ("A.seed1.detok"), and "seed1-A".
AFTER = re.compile(rf"(?P<system>.*[^._\-\s])(?P<mark>{MARK})(?P<run>\d+)(?P<tail>(?:{APART}.*)?)", re.IGNORECASE)
BEFORE = re.compile(rf"(?P<mark>{WORD}{APART}?)(?P<run>\d+)(?P<tail>{APART})(?P<system>.+)", re.IGNORECASE)


def like_runs(names: Iterable[str]) -> dict[str, list[str]]:
    """The names that look like two or more runs of one system, by a pattern that fits them ("A.seed{run}").

    It is only a guess, to be confirmed by the user: versions of a system, for example, are not runs.
    """
    found: dict[str, list[str]] = {}
    for name in names:
        match = _apart(name)
        if match:
            found.setdefault(f"{name[: match.start('run')]}{RUN}{name[match.end('run') :]}", []).append(name)
    return {pattern: alike for pattern, alike in found.items() if len(alike) > 1}


def pattern_of(alike: str) -> str:
    """The pattern for the names of all systems, from one of `like_runs`: "A.seed{run}" gives "{system}.seed{run}"."""
    match = _apart(alike.replace(RUN, "0"))
    if match is None:
        return f"{SYSTEM}.{RUN}"
    number = f"{match['mark']}{RUN}{match['tail']}"
    return f"{SYSTEM}{number}" if match.re is AFTER else f"{number}{SYSTEM}"


def _apart(name: str) -> re.Match[str] | None:
    return BEFORE.fullmatch(name) or AFTER.fullmatch(name)


def by_pattern(names: Iterable[str], patterns: str | Sequence[str]) -> dict[str, list[str]]:
    """The names by system, both in order; a name that does not fit any pattern is a system with one run.

    A pattern has "{system}" and "{run}" once each; everything else is literal. Of several patterns the first that fits a
    name counts.

    Raises: OptionError for another pattern, and for one that no name fits.
    """
    given = [patterns] if isinstance(patterns, str) else list(patterns)
    rules = {pattern: _rule(pattern) for pattern in given}
    known, used = list(names), set[str]()
    out: dict[str, list[str]] = {}
    for name in known:
        fits = next(((pattern, match) for pattern, rule in rules.items() if (match := rule.fullmatch(name))), None)
        if fits:
            used.add(fits[0])
        out.setdefault(fits[1]["system"] if fits else name, []).append(name)
    for pattern in given:
        if pattern not in used:
            raise OptionError(f"No name of a system fits {pattern!r}.", "", f"Names: {', '.join(known)}.")
    return out


def fit(names: Iterable[str], patterns: Sequence[str]) -> bool:
    """Whether these are patterns of which each fits some of the names."""
    try:
        return bool(patterns and by_pattern(names, patterns))
    except OptionError:
        return False


def _rule(pattern: str) -> re.Pattern[str]:
    if pattern.count(SYSTEM) != 1 or pattern.count(RUN) != 1:
        raise OptionError(f"{pattern!r} is not a pattern for runs.", "", f"Write {EXAMPLE}, for example.")
    text = re.escape(pattern).replace(re.escape(SYSTEM), "(?P<system>.+)").replace(re.escape(RUN), "(?P<run>.+)")
    return re.compile(text)
