"""Records with lists in which a program keeps what it asked beside what came of it: dialogues (ParlAI), annotations (Pearmut),
reviews of two answers (LLMZoo)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from sigcore.readers.tables.nested import Record
from sigcore.readers.tables.objects import is_number


def told(records: Sequence[object]) -> list[Record]:
    """A record for each turn of the dialogues of ParlAI, each rating of Pearmut, or each review of LLMZoo; [] for other records."""
    return _each(records, _turns) or _each(records, _ratings) or _each(records, _reviews)


def _each(records: Sequence[object], rule: Callable[[Mapping[str, object], int], Iterator[Record]]) -> list[Record]:
    """What a rule makes of all records; [] from the first one on of which it makes nothing."""
    out = list[Record]()
    for k, one in enumerate(records, 1):
        rows = list(rule(one, k)) if isinstance(one, dict) else []
        if not rows:
            return []
        out += rows
    return out


def _turns(record: Mapping[str, object], number: int) -> Iterator[Record]:
    """The turns of a dialogue that the model answered, each with what it measures, its answer and the right ones."""
    exchanges = record.get("dialog")
    for turn, acts in enumerate(exchanges if isinstance(exchanges, list) else (), 1):
        said = [act for act in acts if isinstance(act, dict)] if isinstance(acts, list) else []
        for asked, answer in pairwise(said):
            measures = answer.get("metrics")
            if isinstance(measures, dict):
                labels = asked.get("eval_labels") or asked.get("labels") or []
                right = {"reference": labels[0]} if isinstance(labels, list) and labels else {}
                yield {"id": f"{number}.{turn}", "response": answer.get("text", ""), **right, **measures}


def _ratings(record: Mapping[str, object], _: int) -> Iterator[Record]:
    """The score of each system on each segment of an annotated document, with who gave it."""
    items, marks = record.get("item"), record.get("annotation")
    pairs = zip(items, marks, strict=False) if isinstance(items, list) and isinstance(marks, list) else ()
    for item, systems in pairs:
        scored = systems if isinstance(item, dict) and isinstance(systems, dict) else {}
        for system, mark in scored.items():
            if isinstance(mark, dict) and "score" in mark:
                yield {
                    "system": system,
                    "segment": item.get("item_id", ""),
                    "annotator": record.get("user_id", ""),
                    "score": mark["score"],
                }


def _reviews(record: Mapping[str, object], _: int) -> Iterator[Record]:
    """What a judge says of the answers of two models, which both have a rank: the lower one wins."""
    facts, ranks = record.get("metadata"), record.get("order")
    models = facts.get("model_ids") if isinstance(facts, dict) else None
    if not (isinstance(models, list) and isinstance(ranks, list)):
        return
    if len({*map(str, models)}) == len(models) == len(ranks) == 2 and all(map(is_number, ranks)):
        won = {"winner": "tie" if ranks[0] == ranks[1] else models[ranks[0] > ranks[1]]}
        won |= {
            "judge": record.get("reviewer_id", ""),
            "question_id": record.get("question_id", record.get("review_id")),
        }
        yield {"system_1": models[0], "system_2": models[1], **won}


REGIONS = frozenset(("rectanglelabels", "polygonlabels", "ellipselabels", "keypointlabels", "brushlabels"))


def marks_regions(records: Sequence[object]) -> bool:
    """Whether all that people said in an export of Label Studio marks parts of pictures."""
    tasks = [one for one in records if isinstance(one, dict) and "data" in one]
    given = [part for task in tasks for part in _objects(task.get("annotations"))]
    kinds = {str(said.get("type")) for one in given for said in _objects(one.get("result"))}
    return 0 < len(tasks) == len(records) and bool(kinds) and kinds <= REGIONS


def _objects(value: object) -> list[Record]:
    """The objects in a list; [] for another value."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
