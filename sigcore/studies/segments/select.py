"""Which segments are looked at, and in which order: search, length, document, domain, kind of difference."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Literal, get_args

import numpy as np
import regex

from sigcore.errors import OptionError
from sigcore.studies.segments.texts import EDITS, Edit, Texts
from sigcore.types import Bools, Floats, Ints

# From which end: what the system gains, what it loses, the largest first, or as in the file.
Sort = Literal["gain", "loss", "size", "segment"]
SORTS: tuple[Sort, ...] = get_args(Sort)
MOST_LETTERS = 300  # of a regular expression
SECONDS = 5.0  # for a regular expression on all segments
NO_END = 10**9


@dataclass(frozen=True)
class Filter:
    """What is looked for; the usual values leave nothing out. `search` ignores case, `pattern` is a regular expression.

    `least` and `most` bound the length of the first reference (without one, of the source or the longer output) in words.
    `segments` are numbers from 1; () are all.
    """

    search: str = ""
    pattern: str = ""
    least: int = 0
    most: int = NO_END
    document: str = ""
    domain: str = ""
    differing: bool = False
    edit: Edit = ""
    sort: Sort = "gain"
    segments: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.sort not in SORTS:
            raise OptionError(f"sort = {self.sort!r}.", "", f"Choose from: {', '.join(SORTS)}.")
        if self.edit not in EDITS:
            raise OptionError(f"edit = {self.edit!r}.", "", f"Choose from: {', '.join(EDITS[1:])}.")
        if self.least > self.most:
            raise OptionError(f"No length is from {self.least} to {self.most}.", "", "Give the smaller number first.")


def read_lengths(text: str) -> tuple[int, int]:
    """The lengths of "10-20", "10-" (at least), "-20" (at most) or "10".

    Raises: OptionError for another text.
    """
    low, dash, high = text.strip().partition("-")
    numbers = [part.strip() for part in (low, high)]
    if not any(numbers) or not all(part.isdecimal() or not part for part in numbers):
        raise OptionError(f"{text!r} is not a range of lengths.", "", "Write 10-20, 10- (at least) or -20 (at most).")
    least = int(numbers[0] or 0)
    return least, int(numbers[1] or NO_END) if dash else least


def selected(texts: Texts, influences: Floats, of: Filter) -> Ints:
    """The places (from 0) of the segments that fit, in the order asked for by their influences (n,); ties as in the file.

    Raises: OptionError for a document or domain that does not exist, and for a regular expression that cannot be used.
    Cost: O(n), and that of the regular expression, which ends after SECONDS.
    """
    fits = np.ones(texts.testset.n, dtype=bool)
    if of.segments:
        fits = np.isin(np.arange(1, texts.testset.n + 1), of.segments)
    for name, noun in ((of.document, "document"), (of.domain, "domain")):
        if name:
            fits &= _named(texts, noun, name)
    if of.least or of.most < NO_END:
        fits &= (texts.lengths >= of.least) & (texts.lengths <= of.most)
    if of.differing or of.edit:
        fits &= texts.differing
    if of.edit:
        fits[fits] = [texts.edits[k] == of.edit for k in np.flatnonzero(fits).tolist()]
    if of.search:
        wanted = of.search.casefold()
        fits[fits] = [wanted in texts.folded[k] for k in np.flatnonzero(fits).tolist()]
    if of.pattern:
        fits &= _matching(texts, of.pattern, fits)
    places = np.flatnonzero(fits)
    if of.sort == "segment":
        return places
    known = np.nan_to_num(influences[places])
    keys = {"gain": -known, "loss": known, "size": -np.abs(known)}
    return places[np.argsort(keys[of.sort], kind="stable")]


def _named(texts: Texts, noun: str, name: str) -> Bools:
    names = texts.documents if noun == "document" else texts.domains
    known = dict.fromkeys(names)
    if name not in known:
        fix = f"Choose from: {', '.join(list(known)[:8])}." if known else f"The files name no {noun}s."
        raise OptionError(f"There is no {noun} {name!r}.", "", fix)
    return np.array([one == name for one in names], dtype=bool)


def _matching(texts: Texts, pattern: str, among: Bools) -> Bools:
    """Where the pattern matches the source, a reference or an output."""
    if len(pattern) > MOST_LETTERS:
        raise OptionError("The regular expression is too long.", "", f"Use at most {MOST_LETTERS} letters.")
    try:
        search = regex.compile(pattern, regex.IGNORECASE | regex.MULTILINE).search
    except (regex.error, OverflowError, RecursionError) as error:
        message = f"The regular expression {pattern!r} cannot be read: {error}."
        raise OptionError(message, "", "Write \\( for a bracket, \\. for a point.") from error
    fits, end = np.zeros(texts.testset.n, dtype=bool), perf_counter() + SECONDS
    for k in np.flatnonzero(among).tolist():
        try:
            left = max(end - perf_counter(), 0.001)
            fits[k] = search(texts.joined[k], timeout=left, concurrent=True) is not None
        except TimeoutError as error:
            fix = "Use a simpler one, without nested repeats."
            raise OptionError(f"The regular expression {pattern!r} takes too long.", "", fix) from error
    return fits
