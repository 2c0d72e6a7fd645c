"""Two texts of a segment side by side: their words, what differs, and the n-grams that match the references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

import regex

# What a piece of an output is: in the reference; in it, and only this output has it; not in it; missing here.
Kind = Literal["match", "own", "insertion", "deletion"]
KINDS: tuple[Kind, ...] = ("match", "own", "insertion", "deletion")
# In a terminal: what stands around a piece, as wdiff writes it.
MARKS: dict[Kind, tuple[str, str]] = {
    "match": ("", ""),
    "own": ("{=", "=}"),
    "insertion": ("{+", "+}"),
    "deletion": ("[-", "-]"),
}

LONGEST_NGRAM = 4
MOST_WORDS = 5_000  # of one text; longer ones are compared from both ends alone
# Scripts without blanks between words: each of their letters is compared alone, with its marks.
_UNSPACED = "".join(
    rf"\p{{{name}}}" for name in ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan")
)
_LETTERS = rf"(?:(?![{_UNSPACED}])[\p{{L}}\p{{N}}_])[\p{{M}}\u200c\u200d]*"
_WORD = regex.compile(
    rf"[{_UNSPACED}]\p{{M}}*|(?:{_LETTERS})+(?:(?:['\u2019\-]|(?<=\d)[.,](?=\d))(?:{_LETTERS})+)*|\s+|\X"
)
_UNSPACED_LETTER = regex.compile(rf"[{_UNSPACED}]")
NGram: TypeAlias = tuple[str, ...]


class Piece(NamedTuple):
    """Words in a row that are of one kind; `text` has the blanks before them as they are written."""

    kind: Kind
    text: str


def _joined(word: str) -> bool:
    """Whether the word is a letter of a script without blanks."""
    return _UNSPACED_LETTER.match(word) is not None


def words(text: str) -> list[str]:
    """The words of a text, punctuation apart; letters of scripts without blanks are words."""
    return [word for word in _WORD.findall(text) if not word.isspace()]


def _spaced(text: str) -> tuple[list[str], list[str]]:
    """The words, and the same with the blanks before them."""
    bare, written, blank = list[str](), list[str](), ""
    for word in _WORD.findall(text):
        if word.isspace():
            blank += word
            continue
        bare.append(word)
        written.append(blank + word)
        blank = ""
    return bare, written


def matched(text: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """The places of a longest common subsequence, in order: as few insertions and deletions as possible.

    Of texts with more than MOST_WORDS words only what both begin and end with is matched.

    Cost: O(len(text) x len(other) / 64). Source: Hyyrö 2004, Bit-parallel LCS-length computation revisited.
    """
    shorter = min(len(text), len(other))
    head = next((k for k in range(shorter) if text[k] != other[k]), shorter)
    shorter -= head
    tail = next((k for k in range(shorter) if text[-1 - k] != other[-1 - k]), shorter)
    inner, across = text[head : len(text) - tail], other[head : len(other) - tail]
    found = [(k, k) for k in range(head)]
    if max(len(inner), len(across)) <= MOST_WORDS:
        found += [(head + k, head + j) for k, j in _common(inner, across)]
    return found + [(len(text) - tail + k, len(other) - tail + k) for k in range(tail)]


def _common(text: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """The same of whole texts. A bit that is 0 in a row: the subsequence grows with this word of `text`."""
    whole = (1 << len(text)) - 1
    places: dict[str, int] = {}
    for k, word in enumerate(text):
        places[word] = places.get(word, 0) | 1 << k
    row, grid = whole, list[int]()
    for word in other:
        both = row & places.get(word, 0)
        row = (row + both | row - both) & whole
        grid.append(row)
    found, k, j = list[tuple[int, int]](), len(text), len(other)
    while k and j:
        if grid[j - 1] >> k - 1 & 1:
            k -= 1
        elif j > 1 and not grid[j - 2] >> k - 1 & 1:
            j -= 1
        else:
            k, j = k - 1, j - 1
            found.append((k, j))
    return found[::-1]


class Compared(NamedTuple):
    """The pieces of both outputs against a reference; without one, of both against each other. `reference` is its number
    from 0, the nearest of several; None without one."""

    system: tuple[Piece, ...]
    baseline: tuple[Piece, ...]
    reference: int | None


def differences(system: str, baseline: str, references: Sequence[str]) -> Compared:
    """Both outputs, word by word, against the reference that needs the fewest insertions and deletions in both together.

    A word of the reference that only one output has is its own. Words are the same if all of their letters are.
    """
    first, second = _spaced(system), _spaced(baseline)
    if not references:
        pairs = matched(first[0], second[0])
        turned = [(j, k) for k, j in pairs]
        return Compared(_pieces(first, second, pairs), _pieces(second, first, turned), None)
    best, number = None, 0
    for k, reference in enumerate(references):
        third = _spaced(reference)
        pairs, others = matched(first[0], third[0]), matched(second[0], third[0])
        edits = 2 * len(third[0]) - 2 * len(pairs) - 2 * len(others)
        if best is None or edits < best[0]:
            best, number = (edits, third, pairs, others), k
    assert best is not None
    _, third, pairs, others = best
    here, there = {j for _, j in pairs}, {j for _, j in others}
    return Compared(_pieces(first, third, pairs, here - there), _pieces(second, third, others, there - here), number)


def _pieces(
    text: tuple[list[str], list[str]],
    other: tuple[list[str], list[str]],
    pairs: Sequence[tuple[int, int]],
    own: Set[int] = frozenset(),
) -> tuple[Piece, ...]:
    """The words of the text, with those of the other that it lacks where they would be."""
    found: list[Piece] = []

    def add(kind: Kind, word: str) -> None:
        if found and found[-1].kind == kind:
            found[-1] = Piece(kind, found[-1].text + word)
        else:
            found.append(Piece(kind, word))

    here = there = 0
    for k, j in [*pairs, (len(text[0]), len(other[0]))]:
        for place in range(there, j):
            add("deletion", other[1][place])
        for place in range(here, k):
            add("insertion", text[1][place])
        if k < len(text[0]):
            add("own" if j in own else "match", text[1][k])
        here, there = k + 1, j + 1
    return tuple(found)


def marked(pieces: Sequence[Piece]) -> str:
    """The pieces in one line, marked as wdiff does: [-missing-], {+not in the reference+}, {=only here=}."""
    parts = []
    for kind, text in pieces:
        bare = text.lstrip()
        before, after = MARKS[kind]
        parts.append(f"{text[: len(text) - len(bare)]}{before}{bare}{after}")
    return "".join(parts)


class Matches(NamedTuple):
    """The n-grams of references that one output has and the other lacks, longest first, each as often as it differs."""

    gained: tuple[str, ...]
    lost: tuple[str, ...]


def matches(system: str, baseline: str, references: Sequence[str]) -> Matches:
    """The n-grams of up to LONGEST_NGRAM words that match a reference in the system alone, and in the baseline alone.

    As in BLEU, an n-gram matches at most as often as the reference that has it most often.
    """
    most: Counter[NGram] = Counter()
    for reference in references:
        most |= _ngrams(words(reference))
    here, there = _ngrams(words(system)) & most, _ngrams(words(baseline)) & most
    return Matches(_written(here - there), _written(there - here))


def _ngrams(of: Sequence[str]) -> Counter[NGram]:
    lengths = range(1, LONGEST_NGRAM + 1)
    return Counter(tuple(of[k : k + n]) for n in lengths for k in range(len(of) - n + 1))


def _written(ngrams: Counter[NGram]) -> tuple[str, ...]:
    """The n-grams as texts, longest first."""
    return tuple(_as_text(ngram) for ngram in sorted(ngrams.elements(), key=lambda ngram: (-len(ngram), ngram)))


def _as_text(ngram: NGram) -> str:
    text = ngram[0]
    for before, word in pairwise(ngram):
        text += word if _joined(before) and _joined(word) else f" {word}"
    return text
