"""Words with the tags of several systems: a word per line below headings, an empty line after each sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.proof import parsed
from sigcore.readers import names, tags
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Item, Notice, Options, Reader, described
from sigcore.readers.names import pattern

WORD = re.compile(r"tokens?|words?|form", re.IGNORECASE)
GOLD = pattern("tag_columns.gold")
FEWEST_GAPS, FEWEST_WORDS, LOOKED_AT = 2, 20, 2_000
FEWEST_COLUMNS = 3  # word, gold, a system
FEW_TAGS = 0.5  # of the lines: tags come again
Sentence = list[list[str]]  # the cells of each word


def _looks(content: Content) -> int:
    """Sure for a word per line with empty lines between, as many cells separated by TAB in all others, below headings with
    word and gold; or without headings where all columns but the first repeat a few tags, or two columns do."""
    first = next((line for line in content.lines[:LOOKED_AT] if line.strip()), "")
    if "\t" not in first:  # of most texts, nothing else is looked at
        return NO
    rows = _rows(content.lines[:LOOKED_AT])
    full = [row for row in rows if row]
    return CERTAIN if _are_pairs(rows, full) or _are_columns(rows, full) else NO


def _are_columns(rows: Sequence[Sequence[str]], full: Sequence[Sequence[str]]) -> bool:
    """Whether a word and several tags stand in each line."""
    if not full or len({*map(len, full)}) > 1 or len(full[0]) < FEWEST_COLUMNS or [] not in rows[: len(rows) - 1]:
        return False
    return _is_headed(full[0]) or (_are_tags(full) and rows.count([]) >= FEWEST_GAPS and not _are_last(full))


def _are_last(full: Sequence[Sequence[str]]) -> bool:
    """Whether only the last two columns have tags with a type, as conlleval has them: what is right, and what was predicted."""
    typed = [any(map(tags.is_typed, column)) for column in zip(*full, strict=True)]
    return typed[-2:] == [True, True] and not any(typed[:-2])


def _rows(lines: Sequence[str]) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("\t")] if line.strip() else [] for line in lines]


def _is_headed(cells: Sequence[str]) -> bool:
    gold = [cell for cell in cells[1:] if GOLD.fullmatch(cell)]
    return WORD.fullmatch(cells[0]) is not None and len(gold) == 1


def _are_tags(full: Sequence[Sequence[str]]) -> bool:
    """Whether the columns behind the words hold the same few tags, without numbers."""
    found = {cell for row in full for cell in row[1:]}
    named = all(re.fullmatch(r"[A-Za-z][\w$:.-]*|[^\w\s]{1,2}|_", cell) and not cell.islower() for cell in found)
    return len(full) >= FEWEST_WORDS and named and 1 < len(found) <= FEW_TAGS * len(full)


def _are_pairs(rows: Sequence[Sequence[str]], full: Sequence[Sequence[str]]) -> bool:
    """Whether each line has two of the same few tags, mostly equal, without a word: what is right, and what was predicted (crfsuite
    tag -r). Tags of entities need their words."""
    if len(full) < FEWEST_WORDS or {*map(len, full)} != {2} or rows.count([]) < FEWEST_GAPS:
        return False
    first, second = ({row[k] for row in full} for k in range(2))
    alike = 2 * len(first & second) > len(first | second) and sum(a == b for a, b in full) > len(full) / 2
    named = all(re.fullmatch(r"[A-Z][\w$:.-]*|[^\w\s]{1,2}", tag) and not tags.is_typed(tag) for tag in first | second)
    return alike and named and len(first | second) <= FEW_TAGS * len(full)


def _of_pairs(file: str, rows: Sequence[list[str]]) -> Found:
    """The right words of each sentence, where each line has two tags."""
    item = _counts(file, names.display_name(file), _sentences(file, rows, 0, 2), 0, 1)
    what = "Each line has the right and the predicted tag of a word: their accuracy, the F1 of these counts, is the same whichever stands first."
    return Found(items=[item], notices=[Notice(file, what)])


def _read(content: Content, options: Options) -> Found:
    rows = _rows(content.lines)
    read = _of_pairs if _are_pairs(rows, [row for row in rows if row]) else _of_columns
    return read(content.file, rows)


def _of_columns(file: str, rows: Sequence[list[str]]) -> Found:
    """The tags of the systems below their headings, beside the right ones."""
    start = next((k for k, row in enumerate(rows) if row), 0)
    head = list(map(names.clean, rows[start])) if rows else []
    _refuse_heading(file, head)
    sentences = _sentences(file, rows, start + 1, len(head))
    gold = next(k for k, cell in enumerate(head) if k and GOLD.fullmatch(cell))
    systems = [k for k in range(1, len(head)) if k != gold]
    named = listed(head[k] for k in systems)
    message = f"A word per line: {head[gold]} has the right tags, {named} those of systems"
    if _are_entities(sentences, gold):
        items = [_entities(file, head[k], sentences, k, k == gold) for k in (gold, *systems)]
        return Found(items=items, notices=[Notice(file, f"{message}, as entities.")])
    items = [_counts(file, head[k], sentences, k, gold) for k in systems]
    how = "Each word has one right and one proposed tag, so F1 of these counts is the accuracy of the words."
    return Found(items=items, notices=[Notice(file, f"{message}. {how}")])


def _refuse_heading(file: str, head: Sequence[str]) -> None:
    """Raise ReadError for a first line that does not say which column is right, or names two systems alike."""
    if not head or not _is_headed(head):
        message = "It looks like words with tags of several systems, but nothing says which column is right."
        fix = "Write a first line with the headings token and gold, and the names of the systems above their tags."
        raise ReadError(message, file, 1, fix)
    if len({*head}) < len(head) or not all(head):
        raise ReadError("Two columns have one heading, or one has none.", file, 1, "Give each system another name.")


def _are_entities(sentences: Sequence[Sentence], gold: int) -> bool:
    """Whether all tags are of BIO or its like, and a right one has a type."""
    found = {cell for row in sentences for cells in row for cell in cells[1:]}
    return all(map(tags.is_tag, found)) and any(tags.is_typed(cells[gold]) for row in sentences for cells in row)


def _sentences(file: str, rows: Sequence[list[str]], start: int, width: int) -> list[Sentence]:
    """The words of each sentence.

    Raises: ReadError for a row of another width, or with an empty tag; and without words.
    """
    found: list[Sentence] = [[]]
    for number, row in enumerate(rows[start:], start + 1):
        if not row:
            found.append([])
            continue
        if len(row) != width or not all(row):
            message = (
                f"line {number}: a word has {count(len(list(filter(None, row))), 'cell')}, its headings are {width}."
            )
            raise ReadError(message, file, number, "Give every word a tag in each column, separated by TAB.")
        found[-1].append(row)
    sentences = list(filter(None, found))
    if not sentences:
        raise ReadError("It has headings, but no words.", file, start, "Load the complete file.")
    return sentences


def _counts(file: str, name: str, sentences: Sequence[Sentence], k: int, gold: int) -> Item:
    right = [sum(cells[k] == cells[gold] for cells in row) for row in sentences]
    segments = tuple(f"tp={own} pred={len(row)} gold={len(row)}" for own, row in zip(right, sentences, strict=True))
    note = f"right words, {count(len(segments), 'sentence')}"
    return Item(names.clean(name), "system", "statistics", segments, file, note)


def _entities(file: str, name: str, sentences: Sequence[Sentence], k: int, is_gold: bool) -> Item:
    own = [[cells[k] for cells in row] for row in sentences]
    scheme = tags.scheme_of(file, name, own, [[0] * len(row) for row in sentences])
    segments = tuple(
        tags.segment("\t".join(cells[0] for cells in row), tags.spans_of(column), True)
        for row, column in zip(sentences, own, strict=True)
    )
    note = f"tags, {scheme.name}, {count(len(segments), 'sentence')}"
    return Item(names.clean(name), "reference" if is_gold else "system", "spans", segments, file, note)


READER = Reader(
    **described("tag_columns"),
    kinds=("statistics", "spans"),
    looks=_looks,
    read=_read,
    proof=parsed(
        ("system", "One", ("tp=1 pred=2 gold=2", "tp=1 pred=1 gold=1")),
        ("system", "Two", ("tp=2 pred=2 gold=2", "tp=0 pred=1 gold=1")),
    ),
)
