"""Words with tags of entities or chunks (CoNLL): a word per line, its tag or its gold and predicted tags in the last columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sigcore.errors import ReadError
from sigcore.formatting import count, counted, listed
from sigcore.proof import parsed
from sigcore.readers import names, tags
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Item, Notice, Options, Reader, described, options_of
from sigcore.readers.tables import cells
from sigcore.types import Role

# What some programs write after the tags: how sure they are, or whether the tag is right.
AFTER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|[✓✔❌✗✘]\ufe0f?")
SURENESS = re.compile(r"(.*[ \t](?:O|[BIESLUMS](?:-\S+)?))/[01](?:\.\d+)?")
START = "-DOCSTART-"  # begins a line between documents
BLANKS = re.compile(r"[ \t]+")
LOOKED_AT, SHARE = 2_000, 0.95
MOST_WORDS = 100  # of a sentence
FEW = 40  # lines of which some must end with a tag
ENOUGH = 5  # entities on both sides from which on a file without a common one is doubted
# Phrases of CoNLL-2000 and -2003, whose column stands before that of the names.
CHUNKS = frozenset(["ADJP", "ADVP", "CONJP", "INTJ", "LST", "NP", "PP", "PRT", "SBAR", "UCP", "VP", "NC", "PC", "VC"])
GOLD_WORDS = frozenset([
    "gold", "true", "truth", "correct", "reference", "ref", "y_true", "gold_tag", "gold_label", "true_label", "target",
    "expected",
])  # fmt: skip
PREDICTED_WORDS = frozenset([
    "pred", "predicted", "prediction", "predictions", "system", "output", "hyp", "guess", "y_pred", "pred_tag",
    "pred_label", "predicted_tag",
])  # fmt: skip
HEADING_WORDS = GOLD_WORDS | PREDICTED_WORDS | {"tag", "tags", "label", "labels", "ner", "ner_tag", "ner_tags", "chunk"}

Columns = Literal["one", "both"]


class Word(NamedTuple):
    """One line: its number and its cells."""

    line: int
    cells: list[str]


@dataclass
class _Lines:
    """The sentences of a file, the document of each (from 1; 0 before the first mark), headings, and how many comments it has."""

    sentences: list[list[Word]] = field(default_factory=list)
    documents: list[int] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    comments: int = 0
    tabbed: bool = False
    more: bool = False
    rows: list[Word] = field(default_factory=list)
    document: int = 0

    def take(self, file: str, number: int, line: str) -> None:
        """The next line."""
        cells = line.rstrip(" \t").split("\t") if self.tabbed else BLANKS.split(line.strip(" \t"))
        if not line.strip():
            self.end()
            return
        if cells[0].startswith(START):
            self.end()
            self.document += 1
            return
        cells = cells[:-1] or cells if self.more else cells
        if not self.rows and line.startswith("#") and not tags.is_tag(BLANKS.split(line.rstrip(" \t"))[-1]):
            self.comments += 1
        elif self.first and cells[-1].lower() in HEADING_WORDS:
            self.headings = [cell.strip().lower() for cell in cells]
        elif len(cells) < 2 or not tags.is_tag(cells[-1]):
            _refuse(file, number, cells)
        else:
            self.rows.append(Word(number, cells))

    def end(self) -> None:
        """The end of a sentence, if one has begun."""
        if self.rows:
            self.sentences.append(self.rows)
            self.documents.append(self.document)
            self.rows = []

    @property
    def first(self) -> bool:
        """Whether nothing but comments was read so far."""
        return not (self.sentences or self.rows or self.headings)


class _Stream(NamedTuple):
    """One column of tags: what it is called, its entities in every sentence, and its scheme."""

    column: str
    role: Role
    entities: list[list[tags.Entity]]
    scheme: tags.Scheme


BARE = re.compile(r"[A-Z][A-Z_-]{2,}")  # LOCATION: a type without a mark
MOST_TYPES = 20


def _plain(content: Content) -> tuple[Content, list[Notice]]:
    """The file without the lines of a log, and with a mark for each type that has none (Stanford NER: LOCATION), which reads words of
    one type that stand together as one entity."""
    content, notices = cells.without_log(_without_sureness(content), ends=True)
    bare = _bare_columns(content) if "\tO" in content.text else set()
    if not bare:
        return content, notices
    rows = [line.split("\t") for line in content.lines]
    marked = [[f"I-{cell}" if k in bare and cell != "O" else cell for k, cell in enumerate(row)] for row in rows]
    text = "\n".join(map("\t".join, marked)) + "\n"
    return content.with_text(text), notices


def _without_sureness(content: Content) -> Content:
    """The file without how sure a program is of each tag: B-NP/0.93 (crf_test -v1)."""
    if "/0." not in content.text:  # most files
        return content
    found = [SURENESS.fullmatch(line.rstrip()) if _is_word(line) else None for line in content.lines]
    if not any(found) or any(
        match is None and _is_word(line) for match, line in zip(found, content.lines, strict=True)
    ):
        return content
    text = "\n".join(match[1] if match else line for match, line in zip(found, content.lines, strict=True)) + "\n"
    return content.with_text(text)


def _head(content: Content) -> Content:
    """The lines that decide whether a file has tags: a table may have millions."""
    return content.with_text("\n".join(content.lines[:LOOKED_AT]) + "\n")


def _bare_columns(content: Content) -> set[int]:
    """The columns of types without a mark, the last one among them."""
    rows = [line.split("\t") for line in content.lines if _is_word(line)]
    columns = list(zip(*rows, strict=True)) if len({*map(len, rows)}) == 1 else []
    bare = {k for k, column in enumerate(columns) if k and _are_types(column)}
    return bare if len(columns) - 1 in bare else set()


def _are_types(cells_of: Sequence[str]) -> bool:
    """Whether most cells are O, and the others a few types without a mark."""
    types = {*cells_of} - {"O"}
    few = "O" in cells_of and 0 < len(types) <= MOST_TYPES and 2 * cells_of.count("O") > len(cells_of)
    return few and all(BARE.fullmatch(one) and not tags.is_tag(one) for one in types)


def _looks(content: Content) -> int:
    """Sure if nearly all lines end with a tag and some of these have a type; or all are tags and each line has as many cells."""
    if names.guess_role(content.file) == "ignored":
        return NO
    content, _ = _plain(_head(content))
    if not any(any(map(tags.is_tag, row[-2:])) for row in _first_rows(content, FEW)):
        return NO
    rows = _tagged_rows(content)
    found = [row[-1] for row in rows if len(row) > 1 and tags.is_tag(row[-1])]
    if not found or len(found) < SHARE * len(rows):
        return NO
    return CERTAIN if any(map(tags.is_typed, found)) or _are_bare(rows, found) else NO


def _are_bare(rows: Sequence[Sequence[str]], found: Sequence[str]) -> bool:
    """Whether all of several rows have as many cells and a tag without a type: B, I and O, or O alone."""
    even = len(found) == len(rows) > 1 and len(set(map(len, rows))) == 1
    return even and (set(found) >= {"B", "O"} or len(set(found)) == 1)


def _first_rows(content: Content, most: int) -> list[list[str]]:
    return [BLANKS.split(line.strip(" \t")) for line in content.lines[:most] if _is_word(line)]


def _tagged_rows(content: Content) -> list[list[str]]:
    """The first rows, without headings, and without the column after the tags."""
    rows = _first_rows(content, LOOKED_AT)
    rows = [row[:-1] for row in rows if len(row) > 1] if _more(rows) else rows
    return rows[1:] if rows and rows[0][-1].lower() in HEADING_WORDS else rows


def _more(rows: Sequence[Sequence[str]]) -> bool:
    """Whether nearly all rows have a number or a mark after a tag: the last column is none."""
    after = [row for row in rows if len(row) > 2 and tags.is_tag(row[-2]) and AFTER.fullmatch(row[-1])]
    return bool(after) and len(after) >= SHARE * len(rows)


def _is_word(line: str) -> bool:
    """Whether a line has a word: it is not empty, and neither a comment nor between documents."""
    return bool(line.strip()) and not line.startswith((START, "#"))


def _read(content: Content, options: Options) -> Found:
    file = content.file
    content, notices = _plain(content)
    found = _lines(content)
    if not found.sentences:
        raise ReadError("It contains no words.", file, fix="Write a word and its tag in each line.")
    _refuse_ragged(file, found.sentences)
    word = _word_column(file, found.sentences)
    streams = _streams(file, found, word, options["tag_columns"])
    texts = ["\t".join(row.cells[word] for row in rows) for rows in found.sentences]
    items = [_item(file, stream, texts, several=len(streams) > 1) for stream in streams]
    if len(set(found.documents)) > 1:
        named = tuple(map(str, found.documents))
        note = f"documents, {count(len(set(named)), 'document')}"
        items.append(Item("documents", "documents", "text", named, file, note))
    return Found(items=items, notices=[*notices, *(Notice(file, message) for message in _messages(found, streams))])


def _item(file: str, stream: _Stream, texts: Sequence[str], several: bool) -> Item:
    segments = tuple(tags.segment(text, own, True) for text, own in zip(texts, stream.entities, strict=True))
    size = f"{count(len(segments), 'sentence')}, {count(sum(map(len, stream.entities)), 'entity')}"
    name = names.display_name(file) + (".gold" if several and stream.role == "reference" else "")
    which = f"{stream.column} tags" if several else "tags"
    return Item(name, stream.role, "spans", segments, file, f"{which}, {stream.scheme.name}, {size}")


def _messages(found: _Lines, streams: Sequence[_Stream]) -> Iterator[str]:
    """What was read: which columns, the schemes, and what was left out."""
    if len(streams) > 1:
        yield "Each line has a word with its gold tag, then its predicted tag."
    schemes = {stream.scheme.name for stream in streams}
    each = listed(f"{stream.column} {stream.scheme.name}" for stream in streams)
    yield f"Scheme of the tags: {schemes.pop() if len(schemes) == 1 else each}."
    if any(stream.scheme.name == "IO" for stream in streams):
        yield "No tag begins with B-: neighbouring words of one type are one entity."
    for column, _, _, scheme in streams:
        if scheme.unmarked:
            of = f" of the {column} tags" if len(streams) > 1 else ""
            who = f"{count(scheme.unmarked, 'entity')}{of} without B- or its like at the beginning"
            yield f"{who}: counted all the same, as in conlleval and seqeval."
    if found.more:
        yield "The last column has numbers or marks, and was not used."
    if len(found.sentences) == 1 and len(found.sentences[0]) > MOST_WORDS:
        n = len(found.sentences[0])
        yield f"No empty line ends a sentence of its {n:,} words: the file is one segment, which no test can use. Add such lines."
    if found.comments:
        yield f"{counted(found.comments, 'line', 'begins', 'begin')} with # and no tag at the end, left out as comments."


def _lines(content: Content) -> _Lines:
    """The sentences of a file.

    Raises: ReadError for a line that does not end with a tag.
    """
    tabbed = all("\t" in line for line in content.lines if _is_word(line))
    found = _Lines(tabbed=tabbed, more=_more(_first_rows(content, LOOKED_AT)))
    for number, line in enumerate(content.lines, 1):
        found.take(content.file, number, line)
    found.end()
    return found


def _refuse(file: str, number: int, cells: list[str]) -> None:
    """Raise ReadError for a line without a word or a tag of a known scheme."""
    if len(cells) < 2:
        what = f"line {number}: {cells[0][:20]!r} stands alone, without a tag."
        raise ReadError(what, file, number, "Write a word and its tag in each line, and nothing between sentences.")
    what = f"line {number}: {cells[-1][:20]!r} is not a tag of BIO, IOE, BIOES, BILOU or BMES."
    raise ReadError(what, file, number, "Write O, or a mark and a type (B-PER), in the last column.")


def _refuse_ragged(file: str, sentences: Sequence[Sequence[Word]]) -> None:
    first = sentences[0][0]
    for word in (word for rows in sentences for word in rows):
        if len(word.cells) != len(first.cells):
            columns = count(len(word.cells), "column")
            what = f"line {word.line}: {columns}, but line {first.line} has {len(first.cells)}."
            raise ReadError(what, file, word.line, "Give every line the same columns; write _ for an empty one.")
        if not word.cells[0].strip():
            raise ReadError(f"line {word.line}: the word is empty.", file, word.line, "Write the word before its tag.")


def _word_column(file: str, sentences: Sequence[Sequence[Word]]) -> int:
    """The column of the words: the first, or the second where the first numbers them from 1 in every sentence.

    Raises: ReadError where there are only tags.
    """
    width = len(sentences[0][0].cells)
    longest = max(map(len, sentences))
    numbered = all(word.cells[0] == str(k) for rows in sentences for k, word in enumerate(rows, 1))
    if numbered and width > 2 and longest > 1:
        return 1
    if all(tags.is_tag(word.cells[0]) for rows in sentences for word in rows) and longest > 1:
        what = "It has tags, but no words: its first column holds tags, too."
        raise ReadError(what, file, sentences[0][0].line, "Write the word before its tags in each line.")
    return 0


def _streams(file: str, found: _Lines, word: int, asked: object) -> list[_Stream]:
    """The column of tags; or the gold and the predicted one.

    Raises: ReadError where the last two columns hold tags, and nothing says whether they are gold and predicted.
    """
    last = len(found.sentences[0][0].cells) - 1
    named = _named(found.headings, last + 1)
    places = named or (last - 1, last)
    two = min(places) > word and all(_all_tags(found, place) for place in places)
    if asked == "both" and not two:
        raise ReadError("Only its last column holds tags.", file, 1, "Leave tag_columns out, or set it to one.")
    if two and asked != "one":
        gold = _stream(file, found, places[0], "gold", "reference")
        predicted = _stream(file, found, places[1], "predicted", "system")
        if asked == "both" or named or not _are_layers(gold, predicted):
            if not (asked or named):
                _refuse_strangers(file, gold, predicted)
            return [gold, predicted]
    return [_stream(file, found, last, "last", names.guess_role(file))]


def _named(headings: Sequence[str], width: int) -> tuple[int, int] | None:
    """The columns that headings call gold and predicted."""
    gold = [k for k, name in enumerate(headings) if name in GOLD_WORDS]
    predicted = [k for k, name in enumerate(headings) if name in PREDICTED_WORDS]
    return (gold[0], predicted[0]) if len(headings) == width and len(gold) == len(predicted) == 1 else None


def _all_tags(found: _Lines, column: int) -> bool:
    return all(map(tags.is_tag, {row.cells[column] for rows in found.sentences for row in rows}))


def _stream(file: str, found: _Lines, column: int, name: str, role: Role) -> _Stream:
    own = [[row.cells[column] for row in rows] for rows in found.sentences]
    lines = [[row.line for row in rows] for rows in found.sentences]
    return _Stream(name, role, list(map(tags.spans_of, own)), tags.scheme_of(file, name, own, lines))


def _types(stream: _Stream) -> set[str]:
    return {kind for entities in stream.entities for *_, kind in entities}


def _are_layers(first: _Stream, second: _Stream) -> bool:
    """Whether the first of two columns has chunks and the second entities, as in CoNLL-2003."""
    chunks, others = _types(first), _types(second)
    return bool(chunks and others) and chunks <= CHUNKS and others.isdisjoint(CHUNKS)


def _refuse_strangers(file: str, gold: _Stream, predicted: _Stream) -> None:
    """Raise ReadError for two columns that have no type, or no entity, in common."""
    both = zip(gold.entities, predicted.entities, strict=True)
    if any({*one} & {*other} for one, other in both):
        return
    types, sizes = (_types(gold), _types(predicted)), [sum(map(len, one.entities)) for one in (gold, predicted)]
    if min(sizes) < ENOUGH and types[0] & types[1]:
        return
    first, second = (", ".join(sorted(one)[:4]) or "no entity" for one in types)
    what = f"The last two columns hold tags ({first}; {second}), without an entity in common."
    fix = "Are they gold and predicted tags? Set tag_columns to both. Is the last one alone meant? Set it to one. "
    raise ReadError(what, file, 1, fix + "In the terminal: --format tagged --format-option tag_columns=both")


READER = Reader(
    **described("tagged"),
    kinds=("spans",),
    looks=_looks,
    read=_read,
    options=options_of("tagged"),
    proof=parsed(
        ("reference", "One.gold", ("EU\trejects\tGerman\n0-1\tORG\n2-3\tMISC", "Peter\tBlackburn\n0-2\tPER")),
        ("system", "One", ("EU\trejects\tGerman\n0-1\tORG\n2-3\tPER", "Peter\tBlackburn\n0-2\tPER")),
    ),
)
