"""JSON documents of known programs to records: results by lists of ids, captions, annotations of Label Studio, and votes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence

from sigcore.formatting import listed
from sigcore.readers import lines
from sigcore.readers.contract import Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables import headings as words

Record = dict[str, object]
REPORTS = (("resolved_ids", "submitted_ids"), ("resolved", "generated"))  # of today, and of the first version
MOST_QUESTIONS = 1_000_000
FEWEST = 6  # records of two names with three ids each
ABOUT = re.compile(
    r"_?(?:\w+[-_])?(?:meta(?:data)?|info|config(?:uration)?|settings|args|params?|run|created|date|version|summary|notes?|"
    r"stat(?:istic)?s|totals|aggregate[sd]?|averages|means|time_?stamp)",
    re.IGNORECASE,
)
PAIRWISE, SELECTED = "pairwise", "selected"


def known(value: Record) -> list[Record]:
    """The records in an object that a known program wrote; [] for another."""
    return _resolved(value) or _captions(value) or _compared(value)


def of_failures(records: Sequence[object]) -> list[Record]:
    """A record for each question of a file of BFCL, whose first record counts all of them and whose others are those that
    failed; [] for other files, and where the ids do not say which they are."""
    head, *rest = [one if isinstance(one, dict) else {} for one in records] or [{}]
    total, failed, model = _counted(head, len(rest)), {str(one.get("id")) for one in rest}, _only(rest, "model_name")
    if not total or not model or _only(rest, "valid") != "False":
        return []
    ids = [f"{next(iter(failed)).rpartition('_')[0]}_{k}" for k in range(total)]
    whole = failed <= {*ids} and len(failed) == len(rest)
    return [{"id": name, "system": model, "correct": int(name not in failed)} for name in ids] if whole else []


def _counted(head: Record, failed: int) -> int:
    """The number of all questions, where so many failed; 0 where a record does not say that."""
    total, right = head.get("total_count"), head.get("correct_count")
    known = isinstance(total, int) and isinstance(right, int) and total - right == failed
    return total if known and isinstance(total, int) and total <= MOST_QUESTIONS else 0


def _only(records: Sequence[Record], name: str) -> str:
    """The one value that all records have below a name; "" where there are several."""
    own = {str(one.get(name)) for one in records}
    return own.pop() if len(own) == 1 else ""


def in_batches(value: Sequence[object]) -> list[Record]:
    """The records in [{BATCH: [record, ...]}, ...], whose batches have a name each; [] for other lists."""
    batches = [next(iter(one.items())) for one in value if isinstance(one, dict) and len(one) == 1]
    if not 1 < len(batches) == len(value) == len({name for name, _ in batches}):
        return []
    parts = [part if isinstance(part, list) else [None] for _, part in batches]
    records = [
        record for record in itertools.chain.from_iterable(parts) if isinstance(record, dict) and len(record) > 1
    ]
    return records if all(parts) and len(records) == sum(map(len, parts)) else []


def by_two_names(value: Record, key: str) -> list[Record]:
    """A record for each of the same ids below each of several names: {"set": {"A": {"q1": {...}, "q2": {...}}, "B": {...}}},
    with the name below `key`: whether it is a system is asked. [] for another object."""
    sets = _of_same_ids(value)
    others = [part for name, part in value.items() if not (name in sets or ABOUT.fullmatch(name))]
    if not sets or _has_parts(others) or (len(sets) > 1 and others):
        return []
    tasks: list[Record] = [{"task": task} if len(sets) > 1 else {} for task in sets]
    both = zip(tasks, sets.values(), strict=True)
    rows = [{**task, **record} for task, part in both for record in _below_names(part, key)]
    return rows if len(rows) >= FEWEST else []


def _of_same_ids(value: Record) -> dict[str, Record]:
    """The parts of an object each of which has the same ids below each of several names."""
    inner = {name: _unwrapped(part) for name, part in value.items() if isinstance(part, dict)}
    return {name: part for name, part in inner.items() if _have_same_ids(part)}


def _below_names(part: Record, key: str) -> Iterator[Record]:
    """The records by id below each name, with both; where the outer names only count, those in each of them may be the systems."""
    turned = all(map(str.isdigit, part)) and not any(
        name.isdigit() for own in part.values() if isinstance(own, dict) for name in own
    )
    names = ("id", key) if turned else (key, "id")
    for name, own in part.items():
        for i, record in own.items() if isinstance(own, dict) else ():
            yield {**dict(zip(names, (name, i), strict=True)), **record}


def _unwrapped(part: Record) -> Record:
    """The objects by name without a name that all of them have around their records: {"A": {"model": ..., "tasks": {...}}}."""
    own = [one for one in part.values() if isinstance(one, dict)]
    names = [
        {name for name, cell in one.items() if isinstance(cell, dict) and not ABOUT.fullmatch(name)} for one in own
    ]
    if len(own) < len(part) or not own or {*map(len, names)} != {1} or len({*itertools.chain(*names)}) != 1:
        return part
    (name,) = names[0]
    return {key: one[name] for key, one in part.items() if isinstance(one, dict)}


def parallel(value: Record) -> tuple[list[Record], list[str]]:
    """The records in the one object with as many numbers below each of its names, and the names beside it that are used: lists
    as long may name the rows. ([], []) for other objects."""
    found = [name for name, part in value.items() if isinstance(part, dict) and length(part) >= FEWEST_CELLS]
    if len(found) != 1 or not isinstance(part := value[found[0]], dict):
        return [], []
    n = length(part)
    beside = {
        name: one for name, one in value.items() if isinstance(one, list) and len(one) == n and not _has_parts(one)
    }
    named = {
        "id" if IDS_BESIDE.fullmatch(name) and len({*map(str, one)}) == n else name: one for name, one in beside.items()
    }
    columns = {**named, **part}
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return rows, [*found, *beside]


FEWEST_CELLS = 5  # of lists side by side
IDS_BESIDE = re.compile(r"(?:\w+_)?(?:ids|queries|questions|segments|items|names)", re.IGNORECASE)


def length(part: Record) -> int:
    """How many numbers stand below each of several names; 0 where other values do, or not as many below each."""
    lists = [one for one in part.values() if isinstance(one, list)]
    same = 1 < len(lists) == len(part) and len({*map(len, lists)}) == 1
    whole = same and all(isinstance(cell, int | float) or cell is None for one in lists for cell in one)
    return len(lists[0]) if whole else 0


def _has_parts(values: Sequence[object]) -> bool:
    return any(isinstance(one, dict | list) for one in values)


def by_instance(records: Sequence[object]) -> list[Record]:
    """A record for each id in the one object of numbers by id that each of several records has, and the same ids; [] for others."""
    own = [one for one in records if isinstance(one, dict)]
    if not (name := _only_object(own)) or len(own) < len(records):
        return []
    parts = [part for one in own if isinstance(part := one.get(name), dict)]
    if len(set(map(frozenset, parts))) > 1 or not _are_marks(parts[0]):
        return []
    rest = [{key: cell for key, cell in one.items() if key != name} for one in own]
    both = list(zip(rest, parts, strict=True))
    return [{**beside, "id": i, name: cell} for beside, part in both for i, cell in part.items()]


def _only_object(records: Sequence[Record]) -> str:
    """The one name below which each of several records has an object; "" without it."""
    names = [[name for name, part in one.items() if isinstance(part, dict)] for one in records]
    same = len(records) > 1 and {*map(len, names)} == {1} and len({*itertools.chain(*names)}) == 1
    return names[0][0] if same else ""


def _are_marks(part: Record) -> bool:
    """Whether an object has a number for each of many ids."""
    numbers = all(isinstance(cell, int | float) for cell in part.values())
    return numbers and len(part) >= FEWEST_CELLS and are_ids(tuple(part))


def _have_same_ids(part: Record) -> bool:
    """Whether several names have records of the same ids below them."""
    own = [one for one in part.values() if isinstance(one, dict)]
    records = [record for one in own for record in one.values()]
    same = 1 < len(own) == len(part) and len({frozenset(one) for one in own}) == 1
    return same and all(
        isinstance(record, dict) and any(not isinstance(one, dict | list) for one in record.values())
        for record in records
    )


def _resolved(value: Record) -> list[Record]:
    """A record for each problem of a report of SWE-bench, 1 where it was resolved; [] for another object.

    What was not submitted, or could not be run, was not resolved, as the report itself counts it.
    """
    lists = {name: part for name, part in value.items() if isinstance(part, list)}
    named = next((names for names in REPORTS if {*names} <= lists.keys()), None)
    if named is None:
        return []
    ids = [part for name, part in lists.items() if name.endswith("_ids") or not named[0].endswith("_ids")]
    asked = dict.fromkeys(str(one) for part in ids for one in part)
    right = set(map(str, lists[named[0]]))
    return [{"instance_id": name, "resolved": int(name in right)} for name in sorted(asked)]


def _compared(value: Record) -> list[Record]:
    """A record for each system and segment of comet-compare (--to_json), with the score of its model; [] for another object."""
    given, sources, model = value.get("translations"), value.get("source"), value.get("model")
    systems = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    if not isinstance(sources, list) or not isinstance(model, str) or len(systems) < 2:
        return []
    right = {"reference": value.get("reference")} if _fits(value.get("reference"), sources) else {}
    lists = [{"mt": one.get("mt"), **right, model: one.get("scores")} for one in systems]
    if not all(_fits(part, sources) for own in lists for part in own.values()):
        return []
    return [
        {"system": one.get("name"), "segment": i, **dict(zip(own, cells, strict=True))}
        for one, own in zip(systems, lists, strict=True)
        for i, cells in enumerate(zip(*own.values(), strict=True))
    ]


def _fits(part: object, sources: Sequence[object]) -> bool:
    return isinstance(part, list) and len(part) == len(sources) > 0


def _captions(value: Record) -> list[Record]:
    """A record for each image with its captions, of which some images may have fewer: then its first one comes again,
    which changes no score. [] for another object than the annotations of COCO."""
    rows = value.get("annotations")
    if (
        "images" not in value
        or not isinstance(rows, list)
        or not all(isinstance(row, dict) and {"image_id", "caption"} <= row.keys() for row in rows)
    ):
        return []
    by_image: dict[str, list[str]] = {}
    for row in rows:
        by_image.setdefault(str(row["image_id"]), []).append(str(row["caption"]))
    whole = lines.evened(list(by_image.values()))
    return [{"image_id": image, "references": texts} for image, texts in zip(by_image, whole, strict=True)]


def voted(records: Sequence[object]) -> list[Record]:
    """A record for each vote between two systems in records of Prodigy (choice, compare) and Argilla, without a winner where the
    example was left open, and for each response with ratings of Argilla 1; [] for others."""
    for rule in (_of_options, _of_mapping, _of_responses, _of_values):
        votes = [rule(one) if isinstance(one, dict) else None for one in records]
        if votes and None not in votes:
            return list(itertools.chain.from_iterable(filter(None, votes)))
    return []


def _of_options(record: Record) -> list[Record] | None:
    """The vote of Prodigy for one of two options with a name each (or for both); None for another record."""
    options, chosen = record.get("options"), record.get("accept")
    names = [one.get("id") for one in options if isinstance(one, dict)] if isinstance(options, list) else []
    if len(names) != 2 or not isinstance(chosen, list) or "answer" not in record or not {*chosen} <= {*names}:
        return None
    won = chosen[0] if len(chosen) == 1 else "tie" if chosen else ""
    return [_vote(record, names, won if record["answer"] == "accept" else "")]


def _of_mapping(record: Record) -> list[Record] | None:
    """The vote of Prodigy for the text that was to be accepted, or the other one, which `mapping` says of both systems."""
    sides = record.get("mapping")
    if (
        not isinstance(sides, dict)
        or sorted(map(str, sides.values())) != ["accept", "reject"]
        or "answer" not in record
    ):
        return None
    return [_vote(record, list(sides), next((name for name, side in sides.items() if side == record["answer"]), ""))]


def _vote(record: Record, names: Sequence[object], won: object) -> Record:
    judge = record.get("_annotator_id") or record.get("_session_id") or ""
    asked = record.get("_input_hash", record.get("id", ""))
    return {"id": asked, "system_1": names[0], "system_2": names[1], "winner": won, "judge": judge}


def _of_responses(record: Record) -> list[Record] | None:
    """The votes of Argilla on what two models answered, which its metadata names; None for another record."""
    facts, answers = record.get("metadata"), record.get("responses")
    if not isinstance(facts, dict) or not isinstance(answers, dict):
        return None
    models = [facts[name] for name in ("model_1", "model_2", "model_a", "model_b") if name in facts]
    lists = {what: own for what, own in answers.items() if isinstance(own, list)}
    if len(models) != 2 or any("value" not in one for own in lists.values() for one in own):
        return None
    start = {"id": record.get("id", ""), "system_1": models[0], "system_2": models[1]}
    return [
        {**start, "aspect": what, "winner": one["value"], "judge": one.get("user_id", "")}
        for what, own in lists.items()
        for one in own
    ]


SUBMITTED_ONLY = ("draft", "discarded")  # responses of Argilla that do not count


def _of_values(record: Record) -> list[Record] | None:
    """What each annotator of Argilla 1 submitted, beside the metadata of the record; None for another record."""
    facts, answers = record.get("metadata"), record.get("responses")
    if not isinstance(facts, dict) or not isinstance(answers, list) or "fields" not in record:
        return None
    given = [one for one in answers if isinstance(one, dict) and one.get("status") not in SUBMITTED_ONLY]
    if any(not isinstance(one.get("values"), dict) for one in given):
        return None
    start = {**facts, "judge": ""}
    return [
        {**start, "judge": one.get("user_id"), **{what: part.get("value") for what, part in one["values"].items()}}
        for one in given
    ]


def annotated(records: Sequence[object]) -> list[Record]:
    """A record for each annotation of the tasks that Label Studio exports: its judge, the data of the task, and what was
    said below the name of each control. [] for other records.

    What is said of two texts side by side is the winner: left or right.
    """
    if not records or not all(isinstance(one, dict) and _has_annotations(one) for one in records):
        return []
    out = [one for task in records if isinstance(task, dict) for one in _annotations(task)]
    numeric = {name for _, said in out for name, value in said.items() if isinstance(value, int | float)}
    # the one number that was asked for is the rating, whatever its control is called
    named = {numeric.pop(): "rating"} if len(numeric) == 1 else {}
    return [own | {named.get(name, name): value for name, value in said.items()} for own, said in out]


OWN_ID = re.compile(
    r"(?:\w+_)?(?:essay|item|question|prompt|doc(?:ument)?|text|segment|article|source)_?id", re.IGNORECASE
)


def _annotations(task: Record) -> Iterator[tuple[Record, Record]]:
    """What each annotation of a task is about, and what it says."""
    data = task["data"] if isinstance(task["data"], dict) else {}
    parts = task["annotations"]
    for annotation in parts if isinstance(parts, list) else ():
        named = "item" in data or any(OWN_ID.fullmatch(name) for name in data)
        own: Record = {**({} if named else {"id": task.get("id")}), "judge": _person(annotation), **data}
        yield own, dict(_said(annotation.get("result") or ()))


def _has_annotations(task: Mapping[str, object]) -> bool:
    """Whether a task has annotations with their results, as Label Studio writes them."""
    parts = task.get("annotations")
    return (
        isinstance(parts, list) and "data" in task and all(isinstance(one, dict) and "result" in one for one in parts)
    )


def _person(annotation: Mapping[str, object]) -> str:
    person = annotation.get("completed_by")
    return str(person.get("email") or person.get("id") or "") if isinstance(person, dict) else str(person or "")


def _said(results: Sequence[Mapping[str, object]]) -> Iterator[tuple[str, object]]:
    """The name and the value of each result: a rating, a number, a choice, or the better side."""
    for result in results:
        kind, value = str(result.get("type", "")), result.get("value")
        if not isinstance(value, dict):
            continue
        if kind == PAIRWISE and SELECTED in value:
            yield "winner", value[SELECTED]
        elif kind in value:
            said = value[kind]
            yield str(result.get("from_name") or kind), said[0] if isinstance(said, list) and len(said) == 1 else said


# What many ids are given in an object, and what a list says of each measure.

FEWEST_IDS = 10  # names that may be those of questions
FILE_END = re.compile(r"\.(?:wav|flac|mp3|ogg|opus|m4a|png|jpe?g|tiff?|pdf|txt|md|json|xml|html?)$", re.IGNORECASE)
IDS = re.compile(r"(?=.*[0-9])(?:[A-Za-z_ .:/-]*[0-9]+|[0-9]+(?:[_-][0-9]+)+|[0-9a-f-]{8,})")  # q12, arc_7, 0f3a-...


def are_ids(names: Sequence[str]) -> bool:
    """Whether these are names of many questions: numbers, or few words with another number each."""
    names = [FILE_END.sub("", name) for name in names]
    stems = {re.sub("[0-9]+", "", name) for name in names}
    few = 2 * len(stems) <= len(names) or all(re.fullmatch("[0-9a-f-]{8,}", name) for name in names)
    return len(names) >= FEWEST_IDS and few and all(map(IDS.fullmatch, names))


def inside(part: Record) -> list[Record]:
    """The records of many ids inside an object, beside one word at most (the type of the details of OpenCompass)."""
    records = {name: one for name, one in part.items() if isinstance(one, dict)}
    beside = [one for name, one in part.items() if name not in records and not isinstance(one, str)]
    if beside or len(part) > len(records) + 1 or not are_ids(tuple(records)):
        return []
    return [{"id": name, **one} for name, one in records.items()]


def in_samples(part: Record) -> list[Record]:
    """A record for each sample of many ids, where an object says true or false of each (CRUXEval)."""
    lists = {name: one for name, one in part.items() if isinstance(one, list) and one}
    if not lists or len(lists) < len(part) or not are_ids(tuple(lists)):
        return []
    if any(not isinstance(one, bool) for own in lists.values() for one in own):
        return []
    return [{"id": name, "sample_index": i, "correct": one} for name, own in lists.items() for i, one in enumerate(own)]


def named_means(heading: str, values: Sequence[object]) -> dict[str, str]:
    """The mean of each named statistic in a list of them, as HELM writes it; {} for a list of something else."""
    out: dict[str, str] = {}
    for value in values:
        if not isinstance(value, dict) or not {"name", "count"} <= value.keys():
            return {}
        name = value["name"]["name"] if isinstance(value["name"], dict) and "name" in value["name"] else value["name"]
        out[f"{heading}.{name}"] = cell(value.get("mean"))
    return out


NAMED = [("name", "score")]  # what names a metric, and its score: as DeepEval writes them, or Bedrock
NAMED += [(name, score) for name in ("metric", "metricName", "metric_name") for score in ("score", "result", "value")]


def named_scores(heading: str, values: Sequence[object]) -> dict[str, str]:
    """The score of each named metric in a list of them; {} for a list of something else."""
    out: dict[str, str] = {}
    for value in values:
        known = [keys for keys in NAMED if isinstance(value, dict) and {*keys} <= value.keys()]
        if len(known) != 1 or not isinstance(value, dict) or not isinstance(value[known[0][0]], str):
            return {}
        name, score = (value[key] for key in known[0])
        out[f"{heading}.{name}.score"] = cell(score)
    return out if len(out) == len(values) else {}


def cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


# People judge outputs in a shuffled order, so the first output of one item is not of the system of the first of another.

Numbered = Sequence[tuple[int, Record]]
# Keys that number what was judged, and name nothing.
POSITION = pattern("documents.position")
SYSTEM = "system"  # a heading of the vocabulary
FEWEST_PLACED = 2  # objects beside each other, and records


def placed_keys(records: Sequence[Mapping[str, object]]) -> list[str]:
    """The keys of all records that are positions; [] where the keys may name the systems themselves.

    Each holds an object with the name of a system, and below one key these names change from record to record. That each
    record has them in another order is reason enough, whatever the keys are called; else the keys have to number.
    """
    if len(records) < FEWEST_PLACED:
        return []
    name = _name(records, shared := _shared(records))
    below = {key: {_named(one, key, name) for one in records} for key in shared} if name else {}
    below = {key: own for key, own in below.items() if "" not in own}
    changes = len(below) >= FEWEST_PLACED and any(len(own) > 1 for own in below.values())
    known = changes and (all(map(POSITION.fullmatch, below)) or _are_shuffled(records, below, name))
    return [*below] if known else []


def _shared(records: Sequence[Mapping[str, object]]) -> list[str]:
    """The names below which every record has an object."""
    return [name for name in records[0] if all(isinstance(one.get(name), dict) for one in records)]


def _name(records: Sequence[Mapping[str, object]], shared: Sequence[str]) -> str:
    """The one name below which the objects of the first record have their system; "" without it."""
    inner = [part for key in shared if isinstance(part := records[0][key], dict)]
    named = {name for part in inner for name in part if words.meaning(name) == SYSTEM}
    return named.pop() if len(named) == 1 else ""


def _named(record: Mapping[str, object], key: str, name: str) -> str:
    """The system that an object names; "" where it names none."""
    part = record[key]
    value = part.get(name) if isinstance(part, dict) else None
    return value.strip() if isinstance(value, str) else ""


def _are_shuffled(records: Sequence[Mapping[str, object]], below: Mapping[str, set[str]], name: str) -> bool:
    """Whether each record has the same systems, each of them once, and each key has had several of them."""
    every = set[str]().union(*below.values())
    whole = all({_named(one, key, name) for key in below} == every for one in records)
    return whole and len(every) == len(below) and all(len(own) > 1 for own in below.values())


def by_position(file: str, records: Numbered) -> tuple[list[tuple[int, Record]], list[Notice]]:
    """A record for each object below a position, with its system and what stands beside it, and a notice; ([], []) for
    records without positions."""
    found = placed_keys([record for _, record in records])
    if not found:
        return [], []
    name = _name([record for _, record in records], found)
    out = list[tuple[int, Record]]()
    for number, record in records:
        rest = {key: value for key, value in record.items() if key not in found and words.meaning(key) != SYSTEM}
        for key in found:
            part = record[key]
            assert isinstance(part, dict)
            own = {
                SYSTEM if one == name else f"own {one}" if one in rest else one: value for one, value in part.items()
            }
            out.append((number, {**rest, **own}))
    message = f"{listed(found)} are positions: {name} in each of them names its system, so each became a row."
    return out, [Notice(file, message)]
