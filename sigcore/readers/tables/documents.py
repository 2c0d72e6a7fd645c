"""JSON documents of known programs to records: results by lists of ids, captions, and annotations of Label Studio."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sigcore.readers import lines

Record = dict[str, object]
RESOLVED, SUBMITTED = "resolved_ids", "submitted_ids"
PAIRWISE, SELECTED = "pairwise", "selected"


def known(value: Record) -> list[Record]:
    """The records in an object that a known program wrote; [] for another."""
    return _resolved(value) or _captions(value)


def _resolved(value: Record) -> list[Record]:
    """A record for each problem of a report of SWE-bench, 1 where it was resolved; [] for another object.

    What was not submitted, or could not be run, was not resolved, as the report itself counts it.
    """
    lists = {name: part for name, part in value.items() if name.endswith("_ids") and isinstance(part, list)}
    if not {RESOLVED, SUBMITTED} <= lists.keys():
        return []
    asked = dict.fromkeys(str(one) for part in lists.values() for one in part)
    right = set(map(str, lists[RESOLVED]))
    return [{"instance_id": name, "resolved": int(name in right)} for name in sorted(asked)]


def _captions(value: Record) -> list[Record]:
    """A record for each image with its captions, of which some images may have fewer: then its first one comes again,
    which changes no score. [] for another object than the annotations of COCO."""
    rows = value.get("annotations")
    if "images" not in value or not isinstance(rows, list) or not all(map(_is_caption, rows)):
        return []
    by_image: dict[str, list[str]] = {}
    for row in rows:
        by_image.setdefault(str(row["image_id"]), []).append(str(row["caption"]))
    whole = lines.evened(list(by_image.values()))
    return [{"image_id": image, "references": texts} for image, texts in zip(by_image, whole, strict=True)]


def _is_caption(row: object) -> bool:
    return isinstance(row, dict) and {"image_id", "caption"} <= row.keys()


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


def _annotations(task: Record) -> Iterator[tuple[Record, Record]]:
    """What each annotation of a task is about, and what it says."""
    data = task["data"] if isinstance(task["data"], dict) else {}
    parts = task["annotations"]
    for annotation in parts if isinstance(parts, list) else ():
        own: Record = {**({} if "item" in data else {"id": task.get("id")}), "judge": _person(annotation), **data}
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
