"""Names of rows that sum up others (total, mean), which would count as one more segment; and cells that list several systems."""

from __future__ import annotations

import itertools
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from sigcore.errors import ReadError
from sigcore.readers.names import pattern
from sigcore.readers.tables.columns import counts

WORDS = pattern("sums.words")
FEW_NAMES = 4  # different ones: too few for segments
FEW_WORDS = 10  # times as many names are ids that end in digits
MEAN_OF = re.compile(r"(?:macro[- ]|micro[- ])?(?:avg\.?|average|mean)(?: [^\s?]+){1,3}", re.IGNORECASE)
ENDS = frozenset("lLdDvVnNeEmMgGtTaAoOrRsSxX*. \t")  # the last letters of these words, perhaps with blanks behind


def is_sum(name: str) -> bool:
    """Whether a name beside numbers is that of a row which sums up others: total, AVG_50_ARTICLES, mean (n=20), mean of all."""
    if MEAN_OF.fullmatch(name.strip()):
        return True
    first = re.match(r"([^\W_]+\.?)(?:[_:]|\s*[(\[]|$)", name.strip())
    return WORDS.fullmatch(first[1] if first else name.strip()) is not None


def found(file: str, names: Sequence[str], lines: Sequence[int]) -> Iterator[ReadError]:
    """A problem for each line whose segment or document is called mean, total and the like.

    Where half of them or more have such names, they are words of the data: there is none.
    """
    called = set(map(str.strip, counts(names)))
    if len(called) <= FEW_NAMES and min(counts(names).values(), default=1) > 1:
        return  # 1, 2 and tie again and again: answers
    words = [name for name in called if not name[-1:].isdigit()]
    if not words or (len(words) == len(called) and ENDS.isdisjoint(map(itemgetter(slice(-1, None)), words))):
        return  # as ids that end in digits
    # beside many ids that end in digits any name that begins with such a word is one
    summaries = set(filter(is_sum if FEW_WORDS * len(words) <= len(called) else WORDS.fullmatch, words))
    if not summaries or 2 * len(summaries) >= len(called):
        return
    for line, name in zip(lines, names, strict=True):
        if name.strip() in summaries:
            message = f"A row is called {name.strip()!r}: it sums up the others, and would count as one more."
            out = f"Leave the row out: --cells {shlex.quote(f'{name.strip()}=missing')}."
            yield ReadError(message, file, line, f"{out} If it is a segment, give it another name.")


def refuse(file: str, names: Sequence[str], lines: Sequence[int]) -> None:
    """Raise the first problem that is `found`."""
    for problem in found(file, names, lines):
        raise problem


_NAMES = re.compile(r",(?! )|[;|]")  # a blank behind the comma joins the parts of one name
_NUMBERS = re.compile(r"\d+(?:[ ,;|]+\d+)*")
_DECIMAL = re.compile(r"\s*[01]?(?:,\d+)?\s*")


def refuse_lists(file: str, systems: Sequence[str], lines: Sequence[int]) -> None:
    """Raise ReadError where two cells for the system of a row list several by number (3 10 16), one of them again elsewhere, or by
    name (smt,cnn), each of them again elsewhere."""
    if all(map(_DECIMAL.fullmatch, counts(systems))):
        return  # 0,1 and 0,25: settings with decimal commas
    cells = [cell for cell in counts(systems) if _NUMBERS.fullmatch(cell.strip())]
    numbered = {cell: {*re.findall(r"\d+", cell)} for cell in cells}
    named = {cell: {*_NAMES.split(cell)} for cell in counts(systems)}
    listing = [*_again(numbered, any), *_again(named, all)]
    if len(listing) > 1:
        message = f"{listing[0]!r} lists several systems, which share what the row holds."
        raise ReadError(message, file, lines[systems.index(listing[0])], "Give each of them a row of its own.")


def _again(cells: Mapping[str, set[str]], said: Callable[[Iterable[bool]], bool]) -> list[str]:
    """The cells with several parts of which any, or all, are also in other cells."""
    used = Counter(itertools.chain.from_iterable(cells.values()))
    return [cell for cell, of in cells.items() if len(of) > 1 and said(one != "" and used[one] > 1 for one in of)]
