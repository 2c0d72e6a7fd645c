"""Corrections of grammar (M2): the edits of systems against the right ones in another file, counted for each sentence.

An edit is right if it has the same place and the same words as a right one (span-based correction, as in ERRANT: Bryant, Felice &
Briscoe 2017). Of several annotators the one counts with whom F0.5 of the sentence is highest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby

from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.folders import Files

START, EDIT, APART, FIELDS = "S ", "A ", "|||", 6
NOTHING = frozenset(("noop", "NOOP"))
LOOKED_AT, MARK = 200, ".m2"
Edits = frozenset[tuple[str, str]]  # the place and the words of each edit
Sentence = tuple[str, list[Edits]]  # and the edits of each annotator


def counted(result: Found, files: Files, references: Collection[str]) -> Files:
    """The files; where several are edits (M2) of the same sentences, and one of them is right, by its name or among the `references`,
    each other one is a table of counts, which is noted."""
    found = {file: _sentences(data.decode("utf-8", "replace")) for file, data in files if _looks(data)}
    gold = _gold(found, references)
    if not gold:
        return files
    right = found.pop(gold)
    what = "are edits (M2): the right, the proposed and the gold ones of each sentence were counted, as ERRANT does for spans"
    how = "The F1 of these is shown. --option own_statistics.beta=0.5 gives F0.5, which is usual."
    result.notices.append(Notice("", f"{listed(found)} {what}. {gold} has the gold ones. {how}"))
    # somebody may have named it as the reference
    counts = tuple(f"tp={len(edits[0])} pred={len(edits[0])} gold={len(edits[0])}" for _, edits in right)
    name = names.display_name(gold)
    result.items.append(Item(name, "ignored", "statistics", counts, gold, "the right edits"))
    tables = [(f"{file.removesuffix(MARK)}.csv", _table(own, right)) for file, own in found.items()]
    return [*((file, data) for file, data in files if file not in found and file != gold), *tables]


def _gold(found: Mapping[str, Sequence[Sentence]], references: Collection[str]) -> str:
    """The file with the right edits of the sentences that all files have; "" where none or several are right."""
    texts = {tuple(text for text, _ in own) for own in found.values()}
    gold = [file for file in found if file in references] or list(filter(_is_right, found))
    return gold[0] if len(gold) == len(texts) == 1 < len(found) else ""


def _is_right(file: str) -> bool:
    return names.guess_role(file) == "reference"


def _looks(data: bytes) -> bool:
    """Whether the first lines are sentences and edits."""
    if not data.lstrip().startswith(START.encode()):
        return False
    head = data[:20_000].decode("utf-8", "replace").replace("\r", "").split("\n")[:LOOKED_AT]
    full = [line for line in head[:-1] or head if line.strip()]
    edits = sum(line.startswith(EDIT) and line.count(APART) == FIELDS - 1 for line in full)
    return (
        bool(edits) and full[0].startswith(START) and edits + sum(line.startswith(START) for line in full) == len(full)
    )


def _sentences(text: str) -> list[Sentence]:
    """The sentences in order, each with the edits of every annotator."""
    found: list[Sentence] = []
    for block in _blocks(text.replace("\r", "").split("\n")):
        every: dict[str, set[tuple[str, str]]] = {}
        for line in block[1:]:
            place, kind, words, *_, annotator = line.removeprefix(EDIT).split(APART)
            own = every.setdefault(annotator.strip(), set())
            if kind not in NOTHING:
                own.add((place.strip(), words.replace("-NONE-", "").strip()))
        found.append((block[0].removeprefix(START), [frozenset(own) for own in every.values()] or [frozenset()]))
    return found


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines of each sentence, which blank lines separate."""
    for full, block in groupby(lines, key=lambda line: bool(line.strip())):
        if full:
            yield list(block)


def _table(own: Sequence[Sentence], right: Sequence[Sentence]) -> bytes:
    """The counts of each sentence as CSV."""
    rows = (_counts(edits[0], gold) for (_, edits), (_, gold) in zip(own, right, strict=True))
    return "".join(("tp,pred,gold\n", *(f"{tp},{made},{true}\n" for tp, made, true in rows))).encode()


def _counts(made: Edits, annotators: Sequence[Edits]) -> tuple[int, int, int]:
    """The right, the proposed and the gold edits, of the annotator with the highest F0.5."""
    each = [(len(made & gold), len(made), len(gold)) for gold in annotators]
    return max(each, key=lambda one: (_f_half(*one), one[0], -one[2]))


def _f_half(tp: int, made: int, true: int) -> float:
    """F0.5; 1 where nothing was to correct, and nothing was corrected."""
    return 1.25 * tp / (made + 0.25 * true) if made + true else 1.0
