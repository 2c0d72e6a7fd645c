"""Dependency trees in the CoNLL formats: X (2006), 2007, U, 2008 and 2009, separated by their columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.proof import parsed
from sigcore.readers import names
from sigcore.readers.contract import (
    BY_LOOK,
    BY_NAME,
    CERTAIN,
    NO,
    Content,
    Found,
    Item,
    Notice,
    Options,
    Reader,
    described,
    options_of,
)
from sigcore.readers.tables import numbers

WIDTH = 10  # of CoNLL-X and CoNLL-U; later shared tasks have more columns
WORD = re.compile(r"[1-9][0-9]{0,8}")
UNSCORED = re.compile(r"[0-9]+-[0-9]+|[0-9]+\.[0-9]+")  # ranges and empty nodes
TAGGED = re.compile(r"\S+(?:[ \t]\S+){0,2}[ \t](?:O|[BIES]-\S+)\s*$")  # a word, perhaps with others, and its tag
HEAD = re.compile(r"[0-9]{1,9}|_")
HEAD_LINES, HEAD_CHARS = 50, 1_000  # the part of a file by which it is recognised


@dataclass(frozen=True)
class ConllLayout:
    """Which columns (from 0) hold what; `split_form` is the form where FORM is "_"."""

    name: str
    tag: int
    other_tag: int
    head: int
    label: int
    split_form: int = 1

    def form(self, cells: Sequence[str]) -> str:
        """The word itself."""
        return cells[self.split_form] if cells[1] == "_" else cells[1]


LAYOUT_X = ConllLayout("CoNLL-X or CoNLL-U", tag=3, other_tag=4, head=6, label=7)
LAYOUT_2008 = ConllLayout("CoNLL-2008", tag=3, other_tag=4, head=8, label=9, split_form=5)
LAYOUT_2009 = ConllLayout("CoNLL-2009", tag=4, other_tag=5, head=8, label=10)
PREDICTED_2009 = ConllLayout("CoNLL-2009, predicted columns", tag=5, other_tag=4, head=9, label=11)


@dataclass(frozen=True)
class TokenRow:
    """One scored word: its cells and its line."""

    line: int
    cells: list[str]


def _is_word(cells: Sequence[str]) -> bool:
    numbered = bool(cells) and bool(WORD.fullmatch(cells[0]) or UNSCORED.fullmatch(cells[0]))
    return numbered and len(cells) >= WIDTH and any(HEAD.fullmatch(cells[k]) for k in (6, 8))


CONLL = re.compile("conll[a-z0-9]*")


def _looks(content: Content) -> int:
    """Sure if most of the first words have a number, ten columns and a head; else by the name."""
    if names.guess_role(content.file) == "ignored":
        return NO
    head = _first_words(content.lines)
    if head and 2 * sum(_is_word(line.split("\t")) for line in head) > len(head):
        return CERTAIN
    spaced = content.suffix not in ("csv", "tsv")  # where spaces stand inside of cells
    if head and spaced and not _is_numeric(head) and 2 * sum(_is_word(line.split()) for line in head) > len(head):
        return BY_LOOK
    return BY_NAME if CONLL.fullmatch(content.suffix) else NO


def _first_words(lines: Sequence[str]) -> list[str]:
    """The first lines of words; [] below a heading: a list of words with ids has ten columns, too."""
    head = [line[:HEAD_CHARS] for line in lines[: 4 * HEAD_LINES] if line.strip() and line[0] != "#"]
    headed = head and "\t" in head[0] and not head[0][:1].isdigit()
    return [] if headed else head[:HEAD_LINES]


def _is_numeric(lines: Sequence[str]) -> bool:
    """Whether lines have numbers alone, as evalb prints those of each sentence."""
    return all(map(numbers.is_number, " ".join(lines).split()))


def _read(content: Content, options: Options) -> Found:
    file = content.file
    if content.lines[0].startswith("#begin document"):
        fix = "Count the right, the found and the true mentions or links of each document, and load a table of these counts."
        raise ReadError("It is coreference (CoNLL-2012), which no metric here scores.", file, 1, fix)
    sentences, skipped = _sentences(file, content.lines)
    if not sentences:
        raise ReadError("It contains no words.", file, fix="Write one word per line, its columns separated by TAB.")
    layout, messages = _layout(sentences, options)
    words = ([_word(file, row, layout, len(rows)) for row in rows] for rows in sentences)
    trees = tuple("\n".join(map("\t".join, own)) for own in words)
    if skipped:
        verb = "was" if skipped == 1 else "were"
        lines = f"{count(skipped, 'line')} with ranges (1-2) or empty nodes (1.1)"
        messages.append(f"{lines} {verb} left out, as evaluation does.")
    messages += _no_trees([[int(row.cells[layout.head]) for row in rows] for rows in sentences])
    size = count(len(trees), "sentence")
    item = Item(names.display_name(file), names.guess_role(file), "trees", trees, file, f"{layout.name}, trees, {size}")
    return Found(items=[item], notices=[Notice(file, message) for message in messages])


def _no_trees(heads: Sequence[Sequence[int]]) -> Iterator[str]:
    """Messages on sentences without one root, or with a circle; they are scored all the same."""
    for what, odd in (
        ("not exactly one root (HEAD 0)", [i for i, own in enumerate(heads) if own.count(0) != 1]),
        ("words that lead in a circle, not to a root", [i for i, own in enumerate(heads) if _has_circle(own)]),
    ):
        if odd:
            verb = "sentence has" if len(odd) == 1 else "sentences have"
            yield f"{len(odd)} {verb} {what}, the first is sentence {odd[0] + 1}."


def _has_circle(heads: Sequence[int]) -> bool:
    """Whether some word, by its head, that word's head and so on, comes back to a word that it met before."""
    known = {0}  # from these words a root is reached
    for word in range(1, len(heads) + 1):
        met = set[int]()
        while word not in known:
            if word in met:
                return True
            met.add(word)
            word = heads[word - 1]
        known |= met
    return False


def _sentences(file: str, lines: Sequence[str]) -> tuple[list[list[TokenRow]], int]:
    """The scored words of every sentence, and the number of other lines (ranges, empty nodes).

    Raises: ReadError for a line with too few columns, or a word out of order.
    """
    sentences: list[list[TokenRow]] = []
    rows: list[TokenRow] = []
    skipped = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            sentences += [rows] if rows else []
            rows = []
        elif line[0] != "#":
            cells = line.split("\t")
            if len(cells) < WIDTH:
                if TAGGED.match(line):
                    message = f"line {number}: a word and its tag (names, chunks), not a dependency tree."
                    fix = "Set its format to tagged, and give every line a tag."
                    raise ReadError(message, file, number, fix)
                hint = " (tabs turned into spaces?)" if len(line.split()) >= WIDTH else ""
                message = f"line {number}: {count(len(cells), 'column')}, expected {WIDTH}{hint}."
                raise ReadError(message, file, number, "Separate the columns with TABs; write _ for an empty one.")
            if UNSCORED.fullmatch(cells[0]):
                skipped += 1
                continue
            if cells[0] != str(len(rows) + 1):
                message = f"line {number}: {cells[0][:20]!r} is where word {len(rows) + 1} of the sentence should be."
                fix = "Number the words of each sentence from 1, with an empty line after the last."
                raise ReadError(message, file, number, fix)
            rows.append(TokenRow(number, cells))
    return sentences + ([rows] if rows else []), skipped


def _layout(sentences: Sequence[Sequence[TokenRow]], options: Options) -> tuple[ConllLayout, list[str]]:
    """The columns of the whole file, and messages about the choice."""
    cells = [row.cells for rows in sentences for row in rows]
    layout, messages = _by_width(cells, options["columns"])
    if options["tags"] == "xpos":
        layout = replace(layout, tag=layout.other_tag, other_tag=layout.tag)
    if all(row[layout.tag] == "_" for row in cells) and any(row[layout.other_tag] != "_" for row in cells):
        messages.append(f"Column {layout.tag + 1} has no tags; those of column {layout.other_tag + 1} were used.")
        layout = replace(layout, tag=layout.other_tag)
    return layout, messages


def _by_width(cells: Sequence[Sequence[str]], columns: object) -> tuple[ConllLayout, list[str]]:
    narrowest = min(map(len, cells))
    if narrowest == WIDTH:
        return LAYOUT_X, []
    # in 2009 the tenth column is a predicted head, in 2008 a label
    if narrowest <= PREDICTED_2009.label or not all(HEAD.fullmatch(row[9]) for row in cells):
        return LAYOUT_2008, ["More than 10 columns, with labels in the tenth: read as CoNLL-2008."]
    blank = all(row[LAYOUT_2009.head] == "_" for row in cells)
    if columns == "predicted" or (columns is None and blank):
        return PREDICTED_2009, ["Read as CoNLL-2009: columns PHEAD and PDEPREL were used."]
    message = "Read as CoNLL-2009: columns HEAD and DEPREL were used."
    if any(row[9] not in ("_", row[8]) for row in cells):
        message += " PHEAD and PDEPREL contain other trees; choose 'predicted' if those are the system's."
    return LAYOUT_2009, [message]


def _word(file: str, row: TokenRow, layout: ConllLayout, words: int) -> tuple[str, str, str, str]:
    """One line of a segment of kind "trees".

    Raises: ReadError for a head that is not a word of the sentence, or a word without form.
    """
    form, head = layout.form(row.cells), row.cells[layout.head]
    if not form:
        raise ReadError(f"line {row.line}: the word has no form.", file, row.line, "Write the word in column 2.")
    if head == "_" or not HEAD.fullmatch(head):
        why = "is '_': the word has no head" if head == "_" else f"{head[:20]!r} is not a number"
        fix = f"Write the number of its head, or 0, in column {layout.head + 1}."
        raise ReadError(f"line {row.line}: HEAD {why}.", file, row.line, fix)
    if int(head) > words:
        message = f"line {row.line}: HEAD {int(head)} points beyond the {words} words of its sentence."
        raise ReadError(message, file, row.line, "Fix the head, or the empty line that ends the sentence too early.")
    return form, row.cells[layout.tag], str(int(head)), row.cells[layout.label]


READER = Reader(
    **described("conll"),
    kinds=("trees",),
    looks=_looks,
    read=_read,
    options=options_of("conll"),
    proof=parsed(("system", "One", ("It\tPRON\t2\texpl\nrain\tVERB\t0\troot",))),
)
