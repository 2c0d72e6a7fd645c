"""What stands deep inside an object: lists of records, and many objects by name that are alike."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sigcore.errors import ReadError
from sigcore.readers import names
from sigcore.readers.tables import documents, nested

Record = documents.Record
FEWEST_INSIDE, MOST_INSIDE = 3, 5  # records of a list inside an object that may be the questions; levels above it


class Inside(NamedTuple):
    """A part deep inside an object: the names above it with points between them, its records, and whether it is a list of them."""

    path: str
    records: list[Record]
    listed: bool
    above: tuple[str, ...] = ()  # the names alone


def inside(value: object, above: tuple[str, ...] = (), levels: int = MOST_INSIDE) -> Iterator[Inside]:
    """The lists of records, and the objects with alike objects by name, inside an object, none inside of another. If the
    object itself has the rates of classes, its name is ""."""
    if not above and isinstance(value, dict) and are_classes(own := _by_key(value)):
        yield Inside("", own, False)
        return
    parts: Record = value if isinstance(value, dict) and levels else {}
    known = _names_of_keyed(parts)
    for name, part in parts.items():
        below = (*above, name)
        if isinstance(part, list) and len(part) >= FEWEST_INSIDE and all(isinstance(one, dict) for one in part):
            subsets = _of_subsets(part)
            yield Inside(".".join(below), subsets or part, not subsets, below)
        elif keyed := _keyed(part, known):
            yield Inside(".".join(below), keyed, False, below)
        else:
            yield from inside(part, below, levels - 1)


def _names_of_keyed(value: Record) -> frozenset[str]:
    """The names in the objects by name below the parts of an object that have many of these."""
    keyed = (_by_key(part) for part in value.values() if isinstance(part, dict))
    return frozenset(name for records in keyed for record in records for name in record)


def _keyed(part: object, known: frozenset[str]) -> list[Record]:
    """The records of many objects by name, or of a few with `known` names; [] for others."""
    return (_by_key(part) or _few_by_key(part, known)) if isinstance(part, dict) else []


def _few_by_key(part: Record, known: frozenset[str]) -> list[Record]:
    """A record for each of a few objects by name, which have no other names than those of the many beside them; [] for others."""
    own = [one for one in part.values() if isinstance(one, dict) and one and known.issuperset(one)]
    alike = 0 < len(own) == len(part) and all(is_single(cell) for one in own for cell in one.values())
    return [{KEY: name, **one} for name, one in part.items() if isinstance(one, dict)] if alike else []


def _of_subsets(part: Sequence[Record]) -> list[Record]:
    """The main score of each part of a test set, such as a language (MTEB); [] for other lists."""
    named = all("hf_subset" in one and "main_score" in one for one in part)
    return [{KEY: one["hf_subset"], "main_score": one["main_score"]} for one in part] if named else []


FEWEST_KEYS, SHARED = 5, 0.5  # objects by name, and the least share of their names that all of them have
RATES = ({"p", "r", "f"}, {"precision", "recall"})  # of a class
RATE = re.compile(r"p|r|f|precision|recall|f-?(?:1|score|measure)(?:[-_ ]score)?|auc", re.IGNORECASE)
SHORT = {"p": "precision", "r": "recall", "f": "f1"}  # as spaCy calls them
AVERAGES = re.compile(r"(?:macro|micro|weighted|samples)[-_ ]av(?:era)?g(?:es?)?", re.IGNORECASE)  # beside the classes
KEY, MODEL = "id", "model"  # what the name of such an object is called


def _by_key(part: Record) -> list[Record]:
    """A record for each object in an object of many alike, with its name and without the lists of objects in it; [] for others."""
    own = _objects(part)
    if len(own) < FEWEST_KEYS:
        return []
    common, every = set.intersection(*map(set, own.values())), set().union(*own.values())
    single = [name for name in common if all(is_single(one[name]) for one in own.values())]
    if not single or KEY in every - common or len(common) < SHARED * len(every):
        return []
    if are_classes([*own.values()]):
        rates = sorted(filter(RATE.fullmatch, every), key=lambda name: (name.lower()[0] != "f", name))
        return [{KEY: name, **{SHORT.get(rate, rate): one.get(rate) for rate in rates}} for name, one in own.items()]
    key = MODEL if all(map(names.MODEL.fullmatch, own)) else KEY
    return [{key: name, **_single_lists(one, key)} for name, one in own.items()]


def _objects(part: Record) -> dict[str, Record]:
    """The objects by name, where nothing else stands beside them; beside many that are alike, one may sum them up, and beside those
    of classes averages and single numbers. {} for others."""
    part = {name: one for name, one in part.items() if not AVERAGES.fullmatch(name)}
    own = {name: one for name, one in part.items() if isinstance(one, dict)}
    often = Counter(name for one in own.values() for name in one)
    usual = {name: one for name, one in own.items() if any(2 * often[what] > len(own) for what in one)}
    if are_classes([*usual.values()]):
        part = {name: one for name, one in part.items() if not is_single(one)}
    return usual if len(part) - len(usual) <= (len(usual) >= documents.FEWEST_IDS) else {}


def are_classes(records: Sequence[Iterable[str]]) -> bool:
    """Whether most records have the rates of a class, as reports of classifiers give them."""
    own = [{name.lower() for name in one} for one in records]
    return 2 * sum(any(rates <= one for rates in RATES) for one in own) > len(own)


def _single_lists(one: Record, key: str) -> Record:
    """The record without lists of objects, empty ones, and what is below this key."""
    return {what: cell for what, cell in one.items() if what != key and not (nested.are_records(cell) or cell == [])}


def is_single(value: object) -> bool:
    """Whether a value is a word, a number, true, false or none."""
    return value is None or isinstance(value, bool | int | float | str)


FAILED = (-1, -2)  # APPS: a test that raised an error, and a program that does not compile


def of_tests(value: Record) -> list[Record]:
    """A record for each program in {PROBLEM: [[true, false, -1], ...]}, the tests of each program that was tried (APPS): whether it
    passed all of them, and the share that it passed. [] for others."""
    parts = [part for part in value.values() if isinstance(part, list) and part]
    tests = [own for part in parts for own in part]
    if len(value) < FEWEST_KEYS or len(parts) < len(value) or not all(map(_are_tests, tests)):
        return []
    return [
        {
            KEY: name,
            **({"sample_index": k} if len(part) > 1 else {}),
            "accuracy": int(all(one is True for one in own)),
            "pass_rate": sum(one is True for one in own) / len(own),
        }
        for name, part in zip(value, parts, strict=True)
        for k, own in enumerate(part)
    ]


def _are_tests(value: object) -> bool:
    known = isinstance(value, list) and all(isinstance(one, bool) or one in FAILED for one in value)
    return known and bool(value)


def of_judged_parts(value: Record) -> list[Record]:
    """A record for each entry of the one list whose entries are lists of objects with the same name for true or false, or null: the
    share that is true (the facts of FActScore). [] for others."""
    lists = [part for part in value.values() if isinstance(part, list)]
    parts = lists[0] if len(lists) == 1 and len(lists[0]) >= FEWEST_KEYS else []
    known = [part for part in parts if nested.are_records(part)]
    named = _judged([*itertools.chain.from_iterable(known)])
    if not named or len(known) + parts.count(None) < len(parts):
        return []
    measure = f"{named.removeprefix('is_')}_rate"
    shares = (None if part is None else sum(bool(one[named]) for one in part) / len(part) for part in parts)
    return [{KEY: k, measure: share} for k, share in enumerate(shares, 1)]


def _judged(every: Sequence[Record]) -> str:
    """The only name below which all objects have true or false; "" without it."""
    first = every[0] if every else {}
    named = [name for name in first if all(isinstance(one.get(name), bool) for one in every)]
    return named[0] if len(named) == 1 else ""


def _are_alike(found: Sequence[Inside]) -> bool:
    """Whether all parts are lists with the same names, or objects by name with several in common."""
    names_ = {frozenset(record) for one in found for record in one.records}
    if all(one.listed for one in found):
        return len(names_) == 1
    return not any(one.listed for one in found) and len(frozenset.intersection(*names_)) > 1


def in_levels(found: list[Inside]) -> list[Record]:
    """The records of several lists, or objects by name, that are alike, deep inside an object, with the names above each below key_1,
    key_2 ...; [] where they stand on other levels, or lists have other names."""
    paths = [one.above for one in found]
    if len(found) < 2 or len({*map(len, paths)}) != 1 or not _are_alike(found):
        return []
    told = [k for k, own in enumerate(zip(*paths, strict=True)) if len({*own}) > 1]
    return [
        {**{f"key_{n}": one.above[k] for n, k in enumerate(told, 1)}, **record}
        for one in found
        for record in one.records
    ]


STATUS = {"success": "pass", "failed": "fail", "timed out": "timeout"}  # the words of 2023 for those of today


def of_evaluated(value: Record) -> list[Record]:
    """The records in {"eval": {NAME: [record, ...], ...}}, each with the name of its list as task_id (EvalPlus); [] for another object."""
    tasks = value.get("eval")
    if not isinstance(tasks, dict):
        return []
    if all(nested.are_records(part) for part in tasks.values()):
        return [{"task_id": name, **record} for name, part in tasks.items() for record in part]
    samples = {name: _samples(part) for name, part in tasks.items()}
    return [{"task_id": name, **own} for name, part in samples.items() for own in part] if all(samples.values()) else []


def _samples(task: object) -> list[Record]:
    """A record for each sample of a task in the layout of 2023: {"base": [["success", [...]], ...], "plus": ...}; [] for another task."""
    kinds = [task.get(kind) for kind in ("base", "plus")] if isinstance(task, dict) else []
    known = [own for own in kinds if isinstance(own, list) and all(isinstance(one, list) and one for one in own)]
    if len(known) < 2 or len(known[0]) != len(known[1]):
        return []
    both = zip(*([STATUS.get(str(one[0]), str(one[0])) for one in own] for own in known), strict=True)
    return [{"base_status": base, "plus_status": plus} for base, plus in both]


def with_the_same(value: Record) -> dict[str, Record]:
    """The objects in an object that has nothing else, if there are several, and all have the same names; {} for another one."""
    parts = {name: part for name, part in value.items() if isinstance(part, dict)}
    inner = [part.keys() for part in parts.values()]
    alike = 2 <= len(value) == len(parts) and len({frozenset(own) for own in inner}) == 1
    return parts if alike and inner[0] else {}


ERROR = 2  # why a test failed: no answer came, which is no wrong one


def answered(file: str, results: Sequence[Record]) -> list[Record]:
    """The results of promptfoo, without scores where the model gave no answer, because of a limit or a wrong address.

    Raises: ReadError where none did.
    """
    failed = [one for one in results if one.get("failureReason") == ERROR]
    if len(failed) == len(results):
        message = f"All {len(failed)} results are errors: no model answered, and nothing was measured ({str(failed[0].get('error'))[:60]} ...)."
        raise ReadError(message, file, 1, "Run promptfoo again, and load its results.")
    gone = dict.fromkeys(("success", "score", "namedScores"))
    return [{**one, **gone} if one.get("failureReason") == ERROR else dict(one) for one in results]


# below them a value for each id, as HotpotQA and its kin write them
BESIDE = {"answer", "sp", "evidence", "evidences", "type"}
FEWEST_ANSWERS = 10


def of_answers(value: Record) -> list[Record]:
    """The answers in {"answer": {ID: TEXT}, "sp": {ID: [[TITLE, 3], ...]}} (HotpotQA), where some ids may have nothing beside their
    answer; [] for other objects."""
    answers = value.get("answer")
    if not isinstance(answers, dict) or len(answers) < FEWEST_ANSWERS or not value.keys() <= BESIDE:
        return []
    known = all(isinstance(one, dict) and one.keys() <= answers.keys() for one in value.values())
    texts = known and all(isinstance(one, str) for one in answers.values())
    return [{"id": name, "text": one} for name, one in answers.items()] if texts else []
