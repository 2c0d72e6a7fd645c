"""The values of a text in JSON: one, one in each line, or one behind another; and the records that they hold."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers.contract import Content
from sigcore.readers.tables import campaigns, documents, entries, objects, passages

Record = documents.Record
ONE_VALUE = "Give every name one value."


class _Twice(ValueError):
    """An object has a name twice: json would keep the last of its values without a word."""


def _once(pairs: list[tuple[str, object]]) -> Record:
    """The record with these names and values (_Twice if two have the same name)."""
    record = dict(pairs)
    if len(record) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise _Twice(f"an object has the name {twice[:40]!r} twice")
    return record


def shaped(content: Content) -> objects.Shaped:
    """The records of a file, which may be one value, or a value in each line."""
    first = next(filter(None, map(str.strip, content.lines)), "")
    # one object in many lines, as json.dump with an indent writes it, begins with a line that has nothing else
    whole = content.suffix == "json" or first.startswith("[") or first == "{"
    return _whole(content) if whole else _lines(content)


def _whole(content: Content) -> objects.Shaped:
    try:
        value = json.loads(content.text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        if isinstance(error, _Twice):
            raise ReadError(f"Here {error}.", content.file, fix=ONE_VALUE) from None
        if BEHIND.search(content.text):
            return _lines(content)
        line = getattr(error, "lineno", None)
        raise ReadError(f"It is not JSON ({error}).", content.file, line, "Fix it or create it again.") from None
    if isinstance(value, list) and campaigns.marks_regions(value):
        what = "It has parts of pictures that people marked (Label Studio): no ratings, and no outputs of systems."
        fix = "Load ratings or choices that people gave to outputs, or labels that two systems predict."
        raise ReadError(what, content.file, fix=fix)
    return objects.shaped(content.file, value)


PYTHON = re.compile(r"\{'[^']*':.*\}\s*")
NO_NUMBER = re.compile(r"(?<=: )-?(?:inf|nan)(?=[,}])")


def _as_python(line: str) -> Record:
    """The record in a line that Python printed ({'key': 'a', 'mcd': 3.5}); {} for another line."""
    if not PYTHON.fullmatch(line):
        return {}
    try:
        value = ast.literal_eval(NO_NUMBER.sub("None", line.strip()))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return {}
    return value if isinstance(value, dict) and all(isinstance(name, str) for name in value) else {}


def looks_like_records(content: Content) -> bool:
    """Whether a text begins with a record, or with a complete list of them."""
    head = [line.strip() for line in content.lines[:2]]
    if not head[0].startswith(("{", "[")) or not content.text.rstrip().endswith(("}", "]")):
        return False
    if isinstance(_first_of(parsed(head[0])), dict) or _as_python(head[0]):
        return True
    opened = head[0] in ("{", "[", "[{") and len(head) > 1 and head[1].startswith(('"', "{"))
    return opened and parsed(content.text) is not None


def _first_of(value: object) -> object:
    return value[0] if isinstance(value, list) and value else value


def parsed(text: str, first: bool = False) -> object:
    """The value of a text in JSON, or only the `first` one in it; None if it is not JSON."""
    try:
        return json.JSONDecoder().raw_decode(text)[0] if first else json.loads(text)
    except (ValueError, RecursionError):
        return None


MOST_LISTS = 5  # inside an object: each is tried, with all that may be asked about its columns


def inside(content: Content, name: str) -> entries.Inside | None:
    """What stands below names with points between them (headToHead.prompts), in the one object of a file that `shaped` refuses; None
    for others."""
    return next((one for one in entries.inside(_value(content)) if one.path == name), None)


def of_entries(content: Content) -> objects.Shaped | None:
    """The entries of the only part of an object that has some by name, or of several lists that are alike, beside what the object says of
    itself; None for others."""
    value = _value(content)
    found = list(entries.inside(value))
    rows = entries.in_levels(found) or (found[0].records if len(found) == 1 and not found[0].listed else [])
    if not rows or not isinstance(value, dict):
        return None
    return objects.Shaped(rows, {name: cell for name, cell in value.items() if entries.is_single(cell)})


def lists_inside(content: Content) -> list[tuple[str, bool]]:
    """The names of the longest parts that `inside` has, lists first, in their order, and whether each is one: entries by name may be of
    systems as well."""
    found = sorted(entries.inside(_value(content)), key=lambda one: not one.listed)
    longest = {one.path for one in sorted(found, key=lambda one: -len(one.records))[:MOST_LISTS]}
    return [(one.path, one.listed) for one in found if one.path in longest]


def _value(content: Content) -> object:
    """The one value of a file; None where it has another form, or a name twice."""
    try:
        return json.loads(content.text, object_pairs_hook=_once)
    except (ReadError, ValueError, RecursionError):
        return None


def _lines(content: Content) -> objects.Shaped:
    """The records of a file with one per line; a single one may hold all of them."""
    try:
        numbered = list(_by_line(content))
    except ReadError:
        if not (numbered := _one_behind_another(content.text)):
            raise
    records = [record for _, record in numbered]
    if (
        known := documents.of_failures(records)
        or documents.voted(records)
        or campaigns.told(records)
        or passages.found(records)
    ):
        return objects.Shaped(known)
    if len(numbered) == 1 and isinstance(numbered[0][1], dict):
        return objects.of_object(content.file, numbered[0][1])
    _refuse_part(content.file, records)
    return objects.Shaped(records, lines=[number for number, _ in numbered])


# what a record of totals calls the number of all results: total, total_count, num_samples
COUNTS_ALL = re.compile(
    r"(?:total|count|(?:total|num(?:ber)?|n|count)[-_ ]?(?:of[-_ ])?(?:count|total|results?|records?|entries|samples?|"
    r"questions?|queries|prompts?|examples?|instances?|items?|problems?|cases?|tests?|tasks?))",
    re.IGNORECASE,
)


def _refuse_part(file: str, records: Sequence[object]) -> None:
    """Raise ReadError where the first record counts more results than follow, and has nothing that these have: some programs
    write their totals above the failed ones alone."""
    head, *rest = [one if isinstance(one, dict) else {} for one in records] or [{}]
    total, named = _total(head), {name for one in rest for name in one}
    if not named or not named.isdisjoint(head) or total <= len(rest):
        return
    same = [f"{name} = {json.dumps(rest[0][name])}" for name in rest[0] if _is_outcome_of_all(rest, name)]
    what = f"Its first line counts {count(total, 'result')}, but only {len(rest)} of them follow"
    fix = "Load a file with the results of all questions, also of those that are right: tests need each of them."
    raise ReadError(f"{what}{f', all with {listed(same)}' if same else ''}.", file, 1, fix)


def _total(head: Record) -> int:
    """The largest whole number below a name that counts all results; 0 without one."""
    counted = [value for name, value in head.items() if COUNTS_ALL.fullmatch(name) and isinstance(value, int)]
    return max((value for value in counted if not isinstance(value, bool)), default=0)


def _is_outcome_of_all(records: Sequence[Record], name: str) -> bool:
    """Whether all records have the same true or false below a name."""
    own = [one.get(name) for one in records]
    return isinstance(own[0], bool) and all(one is own[0] for one in own)


# objects one behind another, as programs append them, also without a line of their own; or lists, in a line each
BEHIND = re.compile(r"\}\s*\{|\]\n\[")


def _one_behind_another(text: str) -> list[tuple[int, object]]:
    """The objects of a text and their lines, where it has nothing else; [] for other texts."""
    decoder, found, at, line = json.JSONDecoder(object_pairs_hook=_once), list[tuple[int, object]](), 0, 1
    while (start := len(text) - len(text[at:].lstrip())) < len(text):
        line += text.count("\n", at, start)
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            return []
        found.append((line, value))
        line, at = line + text.count("\n", start, end), end
    return found if all(isinstance(value, dict) for _, value in found) else []


def _by_line(content: Content) -> Iterator[tuple[int, object]]:
    # the inside of a list, with a record and a comma on each line but perhaps the last
    every = [line.rstrip() for line in content.lines if line.strip()]
    commas = len(every) > 1 and all(line.endswith("},") for line in every[:-1])
    for number, line in enumerate(content.lines, 1):
        if not line.strip():
            continue
        try:
            text = line.rstrip().rstrip(",") if commas else line
            yield number, _as_python(text) or json.loads(text, object_pairs_hook=_once)
        except _Twice as error:
            raise ReadError(f"line {number}: {error}.", content.file, number, ONE_VALUE) from None
        except (ValueError, RecursionError) as error:
            message = f"line {number} is not JSON ({error})."
            raise ReadError(message, content.file, number, "Write one complete record per line.") from None
