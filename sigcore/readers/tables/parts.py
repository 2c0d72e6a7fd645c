"""Records of JSON with lists: a row for each answer, where each names the system that gave it; and documents that were found."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence

from sigcore.readers.contract import Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.objects import Record

Numbered = Sequence[tuple[int, Record]]
NAMES = frozenset(
    ("model", "system", "chatbot", "llm", "assistant", "bot", "method", "approach", "engine", "agent", "generator")
)
BY_NAME = frozenset(
    ("models", "systems", "answers", "responses", "outputs", "completions", "translations", "summaries")
)
ANSWERS = frozenset(("answers", "responses", "outputs", "results", "models", "systems", "generations", "completions", "evaluations", "predictions", "candidates", "summaries", "translations", "ratings", "scores"))  # fmt: skip
SYSTEM = "system"  # a heading of the vocabulary


def of_systems(file: str, records: Numbered) -> tuple[list[tuple[int, Record]], list[Notice]]:
    """A record for each answer in the one list (or object by system) of answers that every record has, and a notice; ([], [])
    for other records.

    What stands beside the list stands in each of them. A name that both have gets that of the list before it in the answer.
    """
    if any(words.meaning(name) == "system" for _, record in records[:1] for name in record):
        return [], []
    lists = [name for name in records[0][1] if all(_answers(record.get(name), name) for _, record in records)]
    if len(lists) != 1:
        return [], []
    (name,) = lists
    out = list[tuple[int, Record]]()
    for number, record in records:
        rest = {key: value for key, value in record.items() if key != name}
        out += [(number, {**rest, **_apart(answer, rest, name)}) for answer in _answers(record[name], name)]
    key = _key(_answers(records[0][1][name], name)[0], name)
    message = (
        f"Each of the answers below {name} became a row: {key} names its system. For another reading use --explode."
    )
    return out, [Notice(file, message)]


CHOSEN = ("choice", "chosen", "preferred", "preference", "winner", "best", "label", "vote")
SIDES = ("model_a", "model_b")  # headings of the vocabulary


def of_two(file: str, records: Numbered) -> tuple[list[tuple[int, Record]], list[Notice]]:
    """A record for each comparison of two texts in a list, each with the policy that wrote it, beside the place of the better one
    (summarize-from-feedback), and a notice; ([], []) for other records."""
    first = records[0][1]
    lists = [name for name in first if all(_pair(record, name) for _, record in records)]
    places = [name for name in CHOSEN if all(record.get(name) in (0, 1) for _, record in records)]
    if (len(lists), len(places)) != (1, 1):
        return [], []
    (name,), (place,) = lists, places
    key = next((one for one in _pair(first, name)[0] if one.strip().lower() in (*NAMES, "policy")), "")
    pairs = [_pair(record, name) for _, record in records]
    if not all(isinstance(one.get(key), str) for one in itertools.chain.from_iterable(pairs)):
        return [], []
    out = [(number, _compared(record, name, key, place)) for number, record in records]
    message = f"Each record compares two texts of {name}: {key} names their systems, and {place} the better one, 0 for the first."
    return out, [Notice(file, message)]


def _pair(record: Record, name: str) -> list[Record]:
    """The two objects in a list; [] for another value."""
    value = record.get(name)
    parts = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    return parts if isinstance(value, list) and len(value) == len(parts) == len(SIDES) else []


def _compared(record: Record, name: str, key: str, place: str) -> Record:
    """A record with the systems of both texts, and the better one."""
    rest = {one: value for one, value in record.items() if one not in (name, place)}
    systems = {side: one[key] for side, one in zip(SIDES, _pair(record, name), strict=True)}
    return {**rest, **systems, "winner": SIDES[int(str(record[place]))]}


def _answers(value: object, name: str) -> list[Record]:
    """The answers in a list of objects that each name another system; [] for another value."""
    answers = [one for one in value if isinstance(one, dict)] if isinstance(value, list) else _by_system(value, name)
    whole = isinstance(value, dict) or (isinstance(value, list) and len(answers) == len(value))
    key = _key(answers[0], name) if answers else ""
    return answers if whole and key and _are_apart(answers, key) else []


def _are_apart(answers: Sequence[Record], key: str) -> bool:
    """Whether each answer names another system, and no measure."""
    named = {one for answer in answers if isinstance(one := answer.get(key), str) and one.strip()}
    return len(named) == len(answers) and not any(map(words.is_measure, named))


def _by_system(value: object, name: str) -> list[Record]:
    """The answers in an object of objects with the same names below a word for answers: its own names are the systems."""
    if not isinstance(value, dict) or words.last(name) not in ANSWERS or len(value) < 2:
        return []
    parts = {key: one for key, one in value.items() if isinstance(one, dict)}
    if (
        len(parts) < len(value)
        or len({frozenset(part) for part in parts.values()}) > 1
        or _key(next(iter(parts.values())), name)
    ):
        return []
    return [{SYSTEM: key, **part} for key, part in parts.items()]


def _key(answer: Mapping[str, object], heading: str) -> str:
    """The name in an answer below which its system stands; "" where there is none, or nothing beside it."""
    usual = NAMES | ({"name"} if heading.strip().lower() in BY_NAME else set())
    known = [key for key in answer if words.meaning(key) == "system"] or [
        key for key in answer if key.strip().lower() in usual
    ]
    return known[0] if len(known) == 1 and len(answer) > 1 else ""


def _apart(answer: Record, rest: Mapping[str, object], name: str) -> Record:
    """The answer with its system below the heading of the vocabulary, and no name that the record has, too."""
    key = _key(answer, name)
    return {SYSTEM if one == key else f"{name}.{one}" if one in rest else one: value for one, value in answer.items()}


# Lists of the documents that were found.

RETRIEVED = re.compile(r"top[-_]?(?:k|\d+)$|retrieved|(?:doc|passage|chunk|document)[-_]?(?:id|num)s?$", re.IGNORECASE)
OFFERED = re.compile(r"options|choices|candidates|(?:possible|multiple)[-_ ]?(?:answers|choices)", re.IGNORECASE)
FEWEST_NAMES = 3  # documents in a list of those that were found


def named_documents(records: Iterable[tuple[int, Record]]) -> dict[str, None]:
    """The lists in which every record names documents by whole numbers that all differ: no ratings, and no texts."""
    found: dict[str, bool] = {}
    for _, record in records:
        for name, value in record.items():
            if isinstance(value, list) and found.get(name, True):
                found[name] = _are_names(value, RETRIEVED.search(name) is not None)
    gold = {
        name
        for name in found
        if words.role(name) == "reference" or words.meaning(name) == "text" or OFFERED.fullmatch(name)
    }
    return dict.fromkeys(name for name, named in found.items() if named and name not in gold)


def _are_names(values: Sequence[object], called: bool) -> bool:
    """Whether a list has whole numbers that name documents: as the heading says (`called`), or because all differ."""
    texts = all(isinstance(one, str) and one.isdigit() for one in values)
    if not texts and not all(type(one) is int for one in values):
        return False
    # five people may well give five different ratings, but of a scale
    fewest = FEWEST_NAMES if texts else 2 * FEWEST_NAMES
    return called or (len(values) >= fewest and len(set(map(str, values))) == len(values))


IDS = re.compile(r"(?:\w+_)?(?:(?:token|input|output)_ids|log_?probs|logits|embeddings?)", re.IGNORECASE)


def of_tokens(name: str, record: Record) -> bool:
    """Whether a list has numbers of the words of one output (token_ids, logprobs), or these words beside them: no ratings."""
    return IDS.fullmatch(name) is not None or (
        name == "tokens" and any(map(IDS.fullmatch, record)) and any(isinstance(one, str) for one in record.values())
    )


def is_pair(values: Sequence[object], record: Record) -> bool:
    """Whether a list has the right label of its record, and one more: what F1 is computed of, no ratings."""
    right = record.get("target")
    return len(values) == 2 and isinstance(right, int) and values[0] == right


SAID = re.compile(
    r"(?:prediction|predicted|generated|output|hypothesis|model)(?:[-_]?(?:caption|text|output))?|caption",
    re.IGNORECASE,
)
OTHERWISE = re.compile(r".*(?:question|answer|gold|ref|truth|label|target|gts?$|score|rating|prompt).*", re.IGNORECASE)


def says_of_a_picture(record: Record) -> bool:
    """Whether a record has what one system said of a picture, and nothing else but names and captions: no question, nothing that is
    called right, and no score."""
    own = {name: value for name, value in record.items() if name.lower() != "captions"}
    numbers_ = [name for name, value in own.items() if isinstance(value, int | float) and not ID.search(name)]
    said = [name for name, value in own.items() if isinstance(value, str) and SAID.fullmatch(name)]
    return len(said) == 1 and not numbers_ and not any(map(OTHERWISE.fullmatch, own))


ID = re.compile(r"(?:^|[-_])(?:id|idx|index)$", re.IGNORECASE)
