"""The errors: each function changes the words of a segment as a system with that weakness would."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from coins import Coins

TABLES = Path(__file__).resolve().parent / "tables"
PARTS = re.compile(r"""^([("]*)(.*?)([.,;:!?)"]*)$""")
ARTICLES = ("a", "an", "the")
SMALL_WORDS = ("a", "an", "the", "of", "to", "that", "and", "for", "in", "so", "it", "is", "are", "has", "been", "very")
PHRASE_HEADS = ("in", "on", "at", "with", "from", "for", "under", "after", "before", "until", "by", "into", "over")
VERBS = ("is", "was", "are", "were", "has", "have", "had", "will", "should", "must", "can", "could", "would")
ENDINGS = {"is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has", "does": "do"}
ENDINGS |= {"them": "they", "their": "his", "its": "his", "his": "its", "her": "his", "which": "who", "who": "which"}
NO_PLURALS = ("always", "perhaps", "sometimes", "towards", "across", "upwards", "outwards", "besides", "needs", "goes")
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

Cells = list[str]  # one per word of the reference; "" = no word; a cell may contain several words
Step = Callable[[Cells, Coins], Cells]


@cache
def table(name: str) -> dict[str, list[str]]:
    """Word -> alternatives, from a table of two columns with a header."""
    rows = (TABLES / f"{name}.tsv").read_text(encoding="utf-8").split("\n")[1:]
    return {word: wrong.split("|") for word, wrong in (row.split("\t") for row in rows if row)}


def parts(cell: str) -> tuple[str, str, str]:
    """The punctuation before the word, the word, the punctuation after it."""
    match = PARTS.match(cell)
    assert match is not None  # the pattern matches every line without "\n"
    return match[1], match[2], match[3]


def dressed(cell: str, word: str) -> str:
    """Another word instead of this one, with the same capital and punctuation."""
    before, old, after = parts(cell)
    capital = old[:1].isupper() and word[:1].islower() and old != "I"
    return before + (word[0].upper() + word[1:] if capital else word) + after


def exchange(kind: str, choices: Callable[[str], Sequence[str]]) -> Step:
    """A step that replaces single words; `choices` returns the possible replacements of a word."""

    def step(cells: Cells, coins: Coins) -> Cells:
        cells = list(cells)
        for i, cell in enumerate(cells):
            word = parts(cell)[1]
            others = choices(word) if word else ()
            if others and coins.slips(kind, i, word):
                cells[i] = dressed(cell, coins.pick(others, kind, i, word))
        return cells

    return step


def lookup(name: str, lower: bool = True) -> Callable[[str], Sequence[str]]:
    """Choices from a table."""
    rows, names = table(name), table("names")
    # "May" and "March" are names here, unlike "may" and "march"
    return lambda word: rows.get(word.lower(), ()) if lower and word not in names else rows.get(word, ())


def wrong_number(word: str) -> Sequence[str]:
    """The next or previous number word; figures with two digits swapped or one digit off by one."""
    if word in NUMBERS:
        at = NUMBERS.index(word)
        return [NUMBERS[k] for k in (at - 1, at + 1) if 0 <= k < len(NUMBERS)]
    if not re.fullmatch(r"\d[\d.,]*\d|\d", word):
        return ()
    swapped = word[:-2] + word[-1] + word[-2] if len(word) > 1 and word[-2].isdigit() else word
    off = word[:-1] + str((int(word[-1]) + 1) % 10)
    return [other for other in (swapped, off) if other != word]


def singular(word: str) -> str:
    """A plural without its ending."""
    for plural, ending in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("s", "")):
        if word.endswith(plural):
            return word.removesuffix(plural) + ending
    return word


def wrong_ending(word: str) -> Sequence[str]:
    """A neighbouring form of a word: agreement, a lost plural, a weak past tense, a contraction written out."""
    if word.lower() in ENDINGS:
        return (ENDINGS[word.lower()],)
    if word.islower() and word not in NO_PLURALS and re.search(r"[a-z]{3}[^s'u]s$", word):
        return (singular(word),)
    return (word + "s",) if re.search(r"(tion|ment)$", word) and word.islower() else ()


def wrong_articles(cells: Cells, coins: Coins) -> Cells:
    """The other article; before a plural, where "a" is impossible, no article."""
    cells = list(cells)
    for i, cell in enumerate(cells[:-1]):
        if cell.lower() in ARTICLES and coins.slips("article", i):
            plural = any(re.search(r"[^s']s$", parts(near)[1]) for near in cells[i + 1 : i + 3])
            other = ("" if plural else "a") if cell.lower() == "the" else "the"
            cells[i] = dressed(cell, other) if other else ""
    return cells


@cache
def phrases(name: str) -> dict[str, list[tuple[list[str], str]]]:
    """First word -> the set phrases that begin with it, longest first, each with another translation."""
    by_first: dict[str, list[tuple[list[str], str]]] = {}
    for phrase, others in sorted(table(name).items(), key=lambda row: -len(row[0])):
        words = phrase.lower().split()
        by_first.setdefault(words[0], []).append((words, others[0]))
    return by_first


def rephrase(name: str) -> Step:
    """A step that replaces set phrases; the table and the kind of error have the same name."""

    def step(cells: Cells, coins: Coins) -> Cells:
        cells = list(cells)
        words = [parts(cell)[1].lower() for cell in cells]
        for i, first in enumerate(words):
            for wanted, other in phrases(name).get(first, ()):
                span = range(i, i + len(wanted))
                whole = words[i : span.stop] == wanted and not any(parts(cells[k])[2] for k in span[:-1])
                if whole and all(cells[k] for k in span) and coins.slips(name, i, *wanted):
                    before, word, _ = parts(cells[i])
                    cells[i] = dressed(before + word, other) + parts(cells[span[-1]])[2]
                    cells[i + 1 : span.stop] = [""] * (len(wanted) - 1)
        return cells

    return step


def lose_small_words(cells: Cells, coins: Coins) -> Cells:
    """Small words left out."""
    lost = [cell.lower() in SMALL_WORDS and coins.slips("small_words", i) for i, cell in enumerate(cells)]
    return ["" if gone else cell for cell, gone in zip(cells, lost, strict=True)]


def is_short(cell: str) -> bool:
    """Whether the word needs a noun after it."""
    return cell.lower() in (*ARTICLES, *NUMBERS, "my", "your", "our", "his", "her", "its", "their", "every", "this")


def phrase_at(cells: Cells, start: int, longest: int) -> int:
    """Where the phrase that begins at `start` ends: after a punctuation mark, or after `longest` words."""
    for k in range(start, min(start + longest, len(cells))):
        if parts(cells[k])[2]:
            return k + 1
    return min(start + longest, len(cells))


def lose_phrase(cells: Cells, coins: Coins) -> Cells:
    """One phrase left out."""
    heads = [i for i, cell in enumerate(cells) if i > 1 and cell.lower() in PHRASE_HEADS]
    if not heads or not coins.slips("lost_phrase"):
        return cells
    start = int(coins.pick([str(i) for i in heads], "lost_phrase"))
    stop = phrase_at(cells, start, 3 if cells[start + 1 : start + 2] and is_short(cells[start + 1]) else 2)
    closing = parts(cells[stop - 1])[2]
    before, word, _ = parts(cells[start - 1])
    return [*cells[: start - 1], before + word + closing, *[""] * (stop - start), *cells[stop:]]


def say_twice(cells: Cells, coins: Coins) -> Cells:
    """A few words repeated."""
    if len(cells) < 5 or not coins.slips("repeat"):
        return cells
    start = int(coins.toss("repeat", "start") * (len(cells) - 3))
    stop = phrase_at(cells, start, 2 + int(coins.toss("repeat", "length") * 2))
    again = " ".join(cell for cell in cells[start:stop] if cell)
    last = again.rstrip(".,;:!?")
    return [*cells[: stop - 1], f"{cells[stop - 1].rstrip('.,;:!?')} {last}{again[len(last) :]}".strip(), *cells[stop:]]


def phrase_first(cells: Cells, coins: Coins) -> Cells:
    """The last phrase of the segment moved to its start."""
    clause = 1 + max((i for i, cell in enumerate(cells[:-1]) if parts(cell)[2]), default=0)
    heads = [i for i in range(max(3, clause, len(cells) - 7), len(cells)) if cells[i].lower() in PHRASE_HEADS]
    if not heads or not coins.slips("phrase_first"):
        return cells
    start = heads[0]
    before, word, closing = parts(cells[-1])
    lowered = cells[0] if is_name(cells[0]) else cells[0][:1].lower() + cells[0][1:]
    end = cells[start - 1].rstrip(",;:")
    return [*cells[start:-1], before + word, lowered, *cells[1 : start - 1], end.removesuffix(closing) + closing]


def verb_last(cells: Cells, coins: Coins) -> Cells:
    """The verb of a clause moved to the end of that clause."""
    for i, cell in enumerate(cells[:-2]):
        if i and cell.lower() in VERBS and coins.slips("verb_last", i):
            stop = phrase_at(cells, i + 1, 9)
            before, word, closing = parts(cells[stop - 1])
            if stop < i + 3 or word in VERBS:
                return cells
            return [*cells[:i], *cells[i + 1 : stop - 1], f"{before}{word} {cell}{closing}", *cells[stop:]]
    return cells


def change_about(cells: Cells, coins: Coins) -> Cells:
    """Two neighbouring words swapped."""
    cells = list(cells)
    for i in range(1, len(cells) - 1):
        plain = cells[i] and cells[i + 1] and not parts(cells[i])[2]
        if plain and coins.slips("change_about", i):
            before, word, closing = parts(cells[i + 1])
            cells[i], cells[i + 1] = before + word, cells[i] + closing
    return cells


def is_name(cell: str) -> bool:
    """Whether the word keeps its capital inside a segment."""
    word = parts(cell)[1]
    return word in table("names") or word.split("'")[0] == "I" or word in ("Mr", "Mrs", "Dr", "Miss")


def small_letters(cells: Cells, coins: Coins) -> Cells:
    """Capitals lost."""
    return [c.lower() if c != c.lower() and coins.slips("small_letters", i) else c for i, c in enumerate(cells)]


def noun_capitals(cells: Cells, coins: Coins) -> Cells:
    """The word after an article written with a capital."""
    pairs = enumerate(zip(["", *cells], cells, strict=False))
    return [
        w[:1].upper() + w[1:] if a.lower() in (*ARTICLES, "my", "our") and coins.slips("noun_capitals", i) else w
        for i, (a, w) in pairs
    ]


def lose_marks(cells: Cells, coins: Coins) -> Cells:
    """Punctuation marks lost."""
    return [
        parts(c)[0] + parts(c)[1] if parts(c)[2] and coins.slips("marks", i) and parts(c)[1] else c
        for i, c in enumerate(cells)
    ]


WORD_STEPS: tuple[Step, ...] = (
    rephrase("fluent"),
    rephrase("literal"),
    exchange("synonym", lookup("synonyms")),
    exchange("name", lookup("names", lower=False)),
    exchange("foreign", lookup("foreign")),
    exchange("number", wrong_number),
    exchange("preposition", lookup("prepositions")),
    wrong_articles,
    exchange("ending", wrong_ending),
)
# These change the order of words, so they come last; at most one of them changes a segment.
ORDER_STEPS: tuple[Step, ...] = (phrase_first, verb_last)
LATE_STEPS: tuple[Step, ...] = (change_about, lose_small_words, say_twice, noun_capitals)


def agree(cells: Cells, original: Cells) -> Cells:
    """ "a" and "an" adapted to a replaced word: no current system gets that wrong."""
    cells = list(cells)
    for i in range(len(cells) - 1):
        following = cells[i + 1]
        if cells[i].lower() in ("a", "an") and following and following != original[i + 1]:
            vowel = following[0].lower() in "aeiou" and not following.lower().startswith(("one", "uni", "use"))
            cells[i] = cells[i][0] + ("n" if vowel else "")
    return cells


def output(reference: str, coins: Coins) -> str:
    """The output of the system for a segment, made from one of its references."""
    original = reference.split(" ")
    cells = list(original)
    for step in WORD_STEPS:
        cells = step(cells, coins)
    cells = lose_phrase(agree(cells, original), coins)
    for step in ORDER_STEPS:
        moved = step([cell for cell in cells if cell], coins)
        if moved != [cell for cell in cells if cell]:
            cells = moved
            break
    for step in LATE_STEPS:
        cells = step([cell for cell in cells if cell], coins)
    text = " ".join(cell for cell in cells if cell)
    cells = (text[0].upper() + text[1:]).split(" ")
    return " ".join(lose_marks(small_letters(cells, coins), coins))
