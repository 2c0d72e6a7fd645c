"""Records of JSON with numbered questions, and in each an object for each of the same names: a row for each of these.

{"id": 7, "questions": {"0": {"bart": {"rating": 3}, "t5": {"rating": 4}}, "1": {...}}}: the numbers are questions, so no
system is called 0.bart. Whether bart and t5 are systems is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from sigcore.formatting import listed
from sigcore.readers.contract import Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables import crossing, documents
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.objects import KEY, PEOPLE

Record = documents.Record
# Names of what has numbered parts that were asked or judged; below others (annotations, runs) the numbers may be people.
ASKED = pattern("numbered.asked")
PART = re.compile(r"(?:^|\.)[0-9]+\.")  # a number inside the heading of a nested value
Objects = Mapping[str, Mapping[str, Mapping[str, object]]]


def by_question(file: str, records: documents.Numbered) -> tuple[list[tuple[int, Record]], list[Notice]]:
    """A record for each named object in each numbered question, and a notice; ([], []) for records without them."""
    every = [record for _, record in records]
    found = [
        name for name in every[0] if ASKED.fullmatch(name.strip()) and all(_questions(one.get(name)) for one in every)
    ]
    names = _names(every, found[0]) if len(found) == 1 else []
    if not names:
        return [], []
    (name,) = found
    own = next((key for key in every[0] if _names_record(every, key)), "")
    rows = [(number, row) for number, record in records for row in _rows(record, name, own, str(number))]
    message = f"The numbers below {name} are its questions, so each became a row for each of {listed(names)}."
    return rows, [Notice(file, message)]


def _rows(record: Record, name: str, own: str, number: str) -> Iterator[Record]:
    """A row for each object in each question of a record, which is called after its id, or else its number."""
    called = str(record.get(own, number))
    rest = {key: value for key, value in record.items() if key not in (name, own, "id", KEY)}
    for question, parts in _questions(record[name]).items():
        start = {"document": called, "id": f"{called}.{question}", **rest}
        for part, one in parts.items():
            yield {**start, KEY: part, **_apart(one, start)}


def _questions(value: object) -> Objects:
    """The questions in an object whose names count from 0 or 1, each with objects alone; {} for another value."""
    if not isinstance(value, dict) or not value or [*value] not in (_counted(value, 0), _counted(value, 1)):
        return {}
    parts = [one for one in value.values() if isinstance(one, dict) and len(one) > 1]
    whole = len(parts) == len(value) and all(isinstance(cell, dict) for one in parts for cell in one.values())
    return value if whole else {}


def _counted(value: Mapping[str, object], first: int) -> list[str]:
    return [str(first + k) for k in range(len(value))]


def _names(records: Sequence[Record], name: str) -> list[str]:
    """The names that all questions have; [] where these are people or measures, or differ between questions."""
    parts = [part for record in records for part in _questions(record[name]).values()]
    names = [*parts[0]]
    same = all(part.keys() == parts[0].keys() for part in parts)
    other = all(map(PEOPLE.fullmatch, names)) or any(words.is_measure(one) or words.meaning(one) for one in names)
    return names if same and not other else []


def _names_record(records: Sequence[Record], key: str) -> bool:
    """Whether a name is that of an id, which differs in every record."""
    cells = [record.get(key) for record in records]
    plain = all(isinstance(cell, str | int) and str(cell).strip() for cell in cells)
    named = words.meaning(key) in ("segment", "document") or crossing.ID.search(key) is not None
    return named and plain and len({str(cell) for cell in cells}) == len(records)


def _apart(part: Mapping[str, object], start: Record) -> Record:
    """What an object says, without names that its record has, too."""
    return {f"own {name}" if name in start or name == KEY else name: value for name, value in part.items()}


HEADING = re.compile(r"[^\W\d][\w.\-/]*")  # one word, as a program writes it
FEWEST_COUNTED = 10  # rows; in fewer, numbers may be headings by chance


def counted(rows: Sequence[Sequence[str]]) -> int:
    """How many headings at the beginning only count the columns (0, 1, 2, as pandas writes them), where the last ones are
    words; 0 for other rows, and where a column has its heading again below, or counts its rows."""
    head = list(map(str.strip, rows[0]))
    n = next((k for k, cell in enumerate(head) if cell != str(k)), len(head))
    if n < 2 or n == len(head) or len(rows) <= FEWEST_COUNTED or len({*head}) < len(head):
        return 0
    if not all(map(HEADING.fullmatch, head[n:])) or [row[0].strip() for row in rows[1:3]] == ["1", "2"]:
        return 0
    return 0 if _are_again(head, n, rows[1:]) else n


def _are_again(head: Sequence[str], n: int, rows: Sequence[Sequence[str]]) -> bool:
    """Whether a column has its heading again below; of answers to questions (MMLU), which may well be 1 or 2, it says nothing."""
    asked = all(" " in row[0].strip() for row in rows) and all(map(words.has_measure, head[n:]))
    return not asked and any(head[k] in {row[k].strip() for row in rows} for k in range(len(head)))
