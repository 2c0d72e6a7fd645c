"""Are the lines of an output in the order of the reference? Words that are rare in the reference say where a line belongs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sigcore.formatting import count

WORD = re.compile(r"[^\W\d_]{4,}")  # at least four letters
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")  # no blanks between words
GRAM = 4  # characters, in scripts without blanks
RARE = 10  # reference lines that have the word, at most
# Rare words, or pieces of four characters, that a line must have in common with one reference line to say where it belongs.
LEAST_WORDS, LEAST_PIECES = 2, 4
LEAST_LINES = 50  # such lines; with fewer nothing is said
MOST_LINES = 5_000  # lines of an output that are looked at, spread evenly
WARN, REFUSE = 0.10, 0.15  # share of lines that fit another place better: 2-3 % for outputs, 6 % for other references
NEAR = 50  # lines: where more between two shifted ones are in order, they are not one stretch
MAIN = 0.5  # share of the misplaced lines that one shift must explain


@dataclass(frozen=True)
class Order:
    """How many lines say where they belong (`known`), and those that fit another line better: (line, that line)."""

    known: int
    misplaced: tuple[tuple[int, int], ...]
    n: int

    @property
    def share(self) -> float:
        """The share of the lines that fit another place better; 0 where too few say anything."""
        return len(self.misplaced) / self.known if self.known >= LEAST_LINES else 0.0

    @property
    def described(self) -> str:
        """In what other order the lines are: one line late from line 2 to 301, reversed, or only another one."""
        shifts = Counter(there - here for here, there in self.misplaced)
        shift, number = shifts.most_common(1)[0]
        if number >= MAIN * len(self.misplaced):
            lines = _longest([here + 1 for here, there in self.misplaced if there - here == shift])
            which = "late" if shift < 0 else "early"
            return f"from line {lines[0]:,} to {lines[-1]:,} they are {count(abs(shift), 'line')} {which}"
        turned = sum(there == self.n - 1 - here for here, there in self.misplaced)
        return "they are in reverse order" if turned >= MAIN * len(self.misplaced) else "they are in another order"


def _longest(lines: Sequence[int]) -> list[int]:
    """The longest stretch of lines that are near each other."""
    stretches = [[lines[0]]]
    for line in lines[1:]:
        if line - stretches[-1][-1] <= NEAR:
            stretches[-1].append(line)
        else:
            stretches.append([line])
    return max(stretches, key=len)


def index(references: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """The lines of the references that have each rare word."""
    found: dict[str, list[int]] = {}
    for i, segments in enumerate(zip(*references, strict=True)):
        for word in {word for segment in segments for word in _words(segment)}:
            found.setdefault(word, []).append(i)
    return {word: lines for word, lines in found.items() if len(lines) <= RARE}


def examine(segments: Sequence[str], rare: Mapping[str, Sequence[int]]) -> Order:
    """Where the lines of an output fit the reference best; `rare` is the `index` of the references."""
    known, misplaced = 0, list[tuple[int, int]]()
    for i in _looked_at(len(segments)):
        shared = Counter(line for word in set(_words(segments[i])) for line in rare.get(word, ()))
        best = max(shared.values(), default=0)
        if best < (LEAST_PIECES if UNSPACED.search(segments[i]) else LEAST_WORDS):
            continue
        known += 1
        if shared[i] < best:
            misplaced.append(
                (i, min((line for line, n in shared.items() if n == best), key=lambda line: abs(line - i)))
            )
    return Order(known, tuple(misplaced), len(segments))


def _looked_at(n: int) -> Iterator[int]:
    step = max(1, -(-n // MOST_LINES))
    return iter(range(0, n, step))


def _words(text: str) -> list[str]:
    """The longer words of a text in lower case; its pieces of four characters in a script without blanks."""
    text = text.lower()
    if UNSPACED.search(text):
        return [text[k : k + GRAM] for k in range(len(text) - GRAM + 1)]
    return WORD.findall(text)
