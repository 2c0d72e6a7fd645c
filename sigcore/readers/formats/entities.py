"""Entities in JSON: records of a text with places and types (spaCy, Prodigy, doccano, Label Studio), or of words with tags."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.proof import parsed
from sigcore.readers import names, tags
from sigcore.readers.contract import CERTAIN, NO, Content, Found, Item, Notice, Options, Reader, described
from sigcore.types import Role

LOOKED_AT = 200
TEXTS = ("text", "sentence", "content", "data")
WORDS = ("tokens", "words")
IDS = ("id", "_id", "uid")
# What a list of entities is called; any other name is one only if its entities show it.
LISTS = ("entities", "spans", "ents", "label", "labels", "annotations", "predictions")
STARTS, ENDS = ("start", "start_offset", "start_char", "begin"), ("end", "end_offset", "end_char", "stop")
TYPES = ("label", "type", "entity_group", "entity_type", "entity", "labels", "tag", "category")
COVERED = ("text", "word", "surface")
GOLD = re.compile(r"gold|true|truth|correct|reference|expected|annotations", re.IGNORECASE)
PREDICTED = re.compile(r"pred(?:s|ict(?:ed|ions?))?|systems?|outputs?|hyps?|models?", re.IGNORECASE)
LETTERS = re.compile(r"[^\W_]+")

Record = Mapping[str, object]


@dataclass(frozen=True)
class _Place:
    """Where a record is: the line of a file of lines, else the number of the record."""

    file: str
    number: int
    line: int | None

    def error(self, what: str, fix: str) -> ReadError:
        """The error of this record."""
        return ReadError(f"record {self.number}: {what}", self.file, self.line, fix)


def _records(content: Content) -> list[tuple[_Place, Record]]:
    """The records with their places; [] for what is no list of records.

    Raises: ReadError for a line that is no JSON.
    """
    file = content.file
    if content.text.lstrip().startswith("["):
        try:
            value = json.loads(content.text)
        except (ValueError, RecursionError):
            return []
        value = [_paired(one) for one in value] if isinstance(value, list) else value
        whole = isinstance(value, list) and all(isinstance(one, dict) for one in value)
        return [(_Place(file, k, None), _flat(one)) for k, one in enumerate(value, 1)] if whole else []
    found = list[tuple[_Place, Record]]()
    for number, line in enumerate(content.lines, 1):
        if not line.strip():
            continue
        place = _Place(file, len(found) + 1, number)
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise place.error("it is not JSON.", "Write one complete object in each line.") from None
        if not isinstance(value, dict):
            raise place.error("it is not an object.", "Write one object with a text and its entities in each line.")
        found.append((place, _flat(value)))
    return found


def _paired(one: object) -> object:
    """A pair of a text and an object, as spaCy was once trained on, as one record."""
    if isinstance(one, list) and len(one) == 2 and isinstance(one[0], str) and isinstance(one[1], dict):
        return {"text": one[0], **one[1]}
    return one


def _flat(record: Record) -> Record:
    """The record; a task of Label Studio as its text and its one annotation and prediction, each a list of entities."""
    data = record.get("data")
    if not isinstance(data, dict) or not isinstance(record.get("annotations"), list):
        return _apart(record)
    out = {name: value for name, value in data.items() if name in TEXTS} | {"id": record.get("id")}
    for name in ("annotations", "predictions"):
        several = record.get(name)
        if isinstance(several, list) and several:
            results = [one.get("result") if isinstance(one, dict) else None for one in several]
            out[name] = _values(results[0]) if len(results) == 1 else None
    return out


def _apart(record: Record) -> Record:
    """The record with the lists of each system by name, which stand together in one object, as lists of their own."""
    out = dict[str, object]()
    for name, value in record.items():
        several = isinstance(value, dict) and value and PREDICTED.fullmatch(name) is not None
        if several and isinstance(value, dict) and all(isinstance(one, list) for one in value.values()):
            out |= {f"{name}.{system}": own for system, own in value.items()}
        else:
            out[name] = value
    return out


def _values(result: object) -> object:
    """The entities of a result of Label Studio."""
    if not isinstance(result, list):
        return None
    return [one.get("value", one) if isinstance(one, dict) else one for one in result]


def _head(content: Content) -> list[Record]:
    """The first records, or [] if the file has others."""
    if content.text.lstrip()[:1] not in ("{", "["):
        return []
    if content.text.lstrip()[:1] == "[":
        return [record for _, record in _records(content)[:LOOKED_AT]]
    lines = [line for line in content.lines if line.strip()][:LOOKED_AT]
    try:
        values = [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        return []
    return [_flat(value) for value in values] if all(isinstance(value, dict) for value in values) else []


def _looks(content: Content) -> int:
    """Sure if the first records have a text or words, and lists of entities or tags."""
    head = _head(content)
    if not head or names.guess_role(content.file) == "ignored":
        return NO
    if not all(_text_of(record) is not None for record in head):
        return NO
    lists = _lists(head)
    empty = not any(record.get(name) for record in head for name in lists)
    alone = all(set(record) <= {*TEXTS, *WORDS, *IDS, *LISTS, "meta"} for record in head)
    return CERTAIN if lists and (alone or not empty) else NO


def _text_of(record: Record) -> str | None:
    """The text of a record; of words: separated by TAB. Line ends and TABs in it are blanks, so that places stay."""
    text = next((record[name] for name in TEXTS if isinstance(record.get(name), str)), None)
    if isinstance(text, str):
        return re.sub(r"[\t\n]", " ", text)
    return _joined(record)


def _joined(record: Record) -> str | None:
    """The words of a record, separated by TAB."""
    words = _words_of(record)
    return None if words is None else "\t".join(re.sub(r"[\t\n]", " ", word) for word in words)


def _words_of(record: Record) -> list[str] | None:
    """The words of a record, if it has them as a list."""
    own = next((record[name] for name in WORDS if name in record), None)
    return own if isinstance(own, list) and own and all(isinstance(word, str) for word in own) else None


def _lists(records: Sequence[Record]) -> list[str]:
    """The names of what is a list of entities, or of tags, in some record; without any, an empty list of a known name."""
    known = dict.fromkeys(name for record in records for name in record if name not in WORDS)
    found = [name for name in known if any(record.get(name) and _fits(record, name) for record in records)]
    return found or [name for name in known if name in LISTS and all(record.get(name) == [] for record in records)][:1]


def _fits(record: Record, name: str) -> bool:
    value = record.get(name)
    if not isinstance(value, list):
        return False
    return all(_entity(one) is not None for one in value) or _are_tags(record, value)


def _are_tags(record: Record, value: Sequence[object]) -> bool:
    words = _words_of(record)
    return (
        words is not None
        and len(words) == len(value)
        and all(isinstance(one, str) and tags.is_tag(one) for one in value)
    )


def _entity(value: object) -> tuple[int, int, str, str] | None:
    """(start, end, type, its words if they are given) of [0, 4, "PER"], ["PER", 0, 4] or an object; None for anything else."""
    if isinstance(value, dict):
        start, end, kind, covered = (_first(value, known) for known in (STARTS, ENDS, TYPES, COVERED))
        kind = kind[0] if isinstance(kind, list) and len(kind) == 1 else kind
    elif isinstance(value, list) and len(value) == 3:
        start, end, kind = [*value[1:], value[0]] if isinstance(value[0], str) else value
        covered = ""
    else:
        return None
    if not isinstance(kind, str) or isinstance(start, bool) or not (isinstance(start, int) and isinstance(end, int)):
        return None
    return start, end, " ".join(kind.split()), covered if isinstance(covered, str) else ""


def _first(value: Record, known: Sequence[str]) -> object:
    """The value under the first of these names that is there."""
    return next((value[name] for name in known if name in value), None)


def _read(content: Content, options: Options) -> Found:
    file, found = content.file, _records(content)
    if not found:
        raise ReadError("It has no records.", file, fix="Write one object with a text and its entities in each line.")
    texts = [_checked_text(place, record) for place, record in found]
    columns = _columns(file, [record for _, record in found])
    notices = list[Notice]()
    items = []
    for name, role in columns:
        segments, schemes = list[str](), list[list[str]]()
        for (place, record), text in zip(found, texts, strict=True):
            value = record.get(name)
            if not isinstance(value, list):
                fix = f"Give every record a list {name}, [] if it has no entity, with one annotation of each."
                raise place.error(f"it has no list {name!r}.", fix)
            if value and _are_tags(record, value):
                schemes.append([str(tag) for tag in value])
                segments.append(tags.segment(_joined(record) or "", tags.spans_of(schemes[-1]), True))
            else:
                of_words = _in_words(record)
                segments.append(tags.segment(text, _spans(place, text, value, of_words), of_words))
        items.append(_item(file, name, role, segments, len(columns) > 1))
        notices += _scheme(file, name, schemes)
    keys = _keys([record for _, record in found])
    return Found(items=[replace(item, keys=keys) for item in items], notices=notices)


def _item(file: str, name: str, role: Role, segments: Sequence[str], several: bool) -> Item:
    size = f"{count(len(segments), 'text')}, {count(sum(one.count(chr(10)) for one in segments), 'entity')}"
    own = _system(name) or names.display_name(file) + (".gold" if several and role == "reference" else "")
    return Item(own, role, "spans", tuple(segments), file, f"list {name}, {size}")


def _scheme(file: str, name: str, sentences: Sequence[Sequence[str]]) -> list[Notice]:
    if not sentences:
        return []
    scheme = tags.scheme_of(file, name, sentences, [[k] * len(own) for k, own in enumerate(sentences, 1)])
    return [Notice(file, f"Scheme of the tags in {name}: {scheme.name}.")]


def _in_words(record: Record) -> bool:
    """Whether places count words: there is no text as a whole."""
    return not any(isinstance(record.get(name), str) for name in TEXTS)


def _checked_text(place: _Place, record: Record) -> str:
    text = _text_of(record)
    if text is None:
        raise place.error("it has no text.", f"Give it a text ({', '.join(TEXTS)}), or a list of words (tokens).")
    return text


def _columns(file: str, records: Sequence[Record]) -> list[tuple[str, Role]]:
    """The lists of entities and their roles: one, by the name of the file; or a gold and a predicted one.

    Raises: ReadError for several lists whose names do not say which is which.
    """
    lists = _lists(records)
    if not lists:
        fix = 'Write them as "entities": [[0, 4, "PER"]], with the first letter and the one after the last.'
        raise ReadError("Its records have no list of entities.", file, fix=fix)
    if len(lists) == 1:
        return [(lists[0], names.guess_role(file))]
    if roles := _roles(lists):
        return roles
    fix = "Call the right ones gold and the others predicted, or give each its own file."
    raise ReadError(f"Its records have several lists of entities: {listed(lists)}.", file, fix=fix)


def _roles(lists: Sequence[str]) -> list[tuple[str, Role]]:
    """The gold list and the predicted ones, of one system or of several by name; [] where the names do not say which is which."""
    gold, predicted = ([name for name in lists if _says(name, word)] for word in (GOLD, PREDICTED))
    rest = [name for name in lists if name not in (*gold, *predicted)]
    gold = gold or (rest if len(rest) == 1 else [])
    several = list(map(_system, lists)).count("") == 1 and not any(map(_system, gold))
    if len(gold) == 1 and (several or len(lists) == 2 == len({*gold, *predicted})):
        return [(name, "reference" if name in gold else "system") for name in lists]
    return []


def _says(name: str, word: re.Pattern[str]) -> bool:
    return any(map(word.fullmatch, LETTERS.findall(name)))


def _system(name: str) -> str:
    """The system whose list stands below a name in an object of predictions; "" for another list."""
    first, _, rest = name.partition(".")
    return rest if PREDICTED.fullmatch(first) else ""


def _spans(place: _Place, text: str, value: Sequence[object], of_words: bool) -> Iterator[tags.Entity]:
    """The entities of one list.

    Raises: ReadError for one that is outside of the text, or whose words are others.
    """
    size = len(text.split("\t")) if of_words else len(text)
    for one in value:
        entity = _entity(one)
        if entity is None or not entity[2]:
            fix = 'Write [start, end, "type"], or an object with start, end and label.'
            raise place.error(f"{json.dumps(one)[:60]} is no entity.", fix)
        start, end, kind, covered = entity
        if not 0 <= start < end <= size:
            unit = "word" if of_words else "letter"
            what = f"the entity {start} to {end} ({kind}) is not within its {count(size, unit)}."
            raise place.error(what, "Count from 0; the end is the place after the last one.")
        found = " ".join(text.split("\t")[start:end]) if of_words else text[start:end]
        if covered and covered.split() != found.split():
            what = f"the entity {start} to {end} is {found[:40]!r} in the text, but {covered[:40]!r} by its own words."
            raise place.error(what, "Count letters of Unicode from 0; the end is the place after the last letter.")
        yield start, end, kind


def _keys(records: Sequence[Record]) -> tuple[str, ...]:
    """The ids of the records, all different; () without such ids."""
    for name in IDS:
        keys = [str(record[name]) for record in records if isinstance(record.get(name), (str, int))]
        if len({*keys}) == len(records):
            return tuple(keys)
    return ()


READER = Reader(
    **described("entities"),
    kinds=("spans",),
    looks=_looks,
    read=_read,
    proof=parsed(("system", "One", ("Peter Blackburn lives in Brussels.\n0:15\tPER\n25:33\tLOC", "It rains."))),
)
