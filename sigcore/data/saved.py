"""A collection as a JSON document and arrays, and back: everything that was loaded, edited and selected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sigcore.data.collection import Collection
from sigcore.errors import ReadError, SigError
from sigcore.judgments import Judgments
from sigcore.preferences import Preferences
from sigcore.readers import Detected, Item, Notice
from sigcore.types import BETTER, KINDS, MISSING, ROLES

Array = NDArray[np.generic]
Arrays = Mapping[str, Array]
MOST_TEXTS = 16_000_000  # segments, ids and names in all arrays: each takes some fifty bytes in memory

PLAIN = ("name", "sample", "testset", "kind", "measure", "missing", "renamed", "groups", "kinds")
ITEM = ("name", "role", "kind", "file", "note", "group", "testset", "measure", "reader", "better")
NAMES = ("system", "segment", "judge", "document", "dimension", "kind")  # columns of ratings that hold names

COMPARED = ("first", "second", "question", "judge")  # columns of pairwise judgments that hold names


def to_parts(collection: Collection) -> tuple[dict[str, Any], dict[str, Array]]:
    """The document and the arrays of a collection."""
    arrays: dict[str, Array] = {}
    for k, item in enumerate(collection.items):
        arrays |= _packed(f"items.{k}.segments", item.segments) | _packed(f"items.{k}.keys", item.keys)
    for k, part in enumerate(collection.ratings):
        arrays |= _columns(f"ratings.{k}", part, NAMES, ("score", "z"))
    for k, compared in enumerate(collection.preferences):
        arrays |= _columns(f"preferences.{k}", compared, COMPARED, ("outcome",))
    for k, one in enumerate(collection.detected):
        arrays[f"files.{k}"] = np.frombuffer(one.packed, dtype=np.uint8)
    document = {name: getattr(collection, name) for name in PLAIN}
    return document | {
        "items": [{name: getattr(item, name) for name in ITEM} for item in collection.items],
        "ratings": [{"name": r.name, "absolute": r.absolute, "file": r.file} for r in collection.ratings],
        "preferences": [{"name": one.name, "file": one.file} for one in collection.preferences],
        "notices": [[notice.file, notice.message, notice.line] for notice in collection.notices],
        "problems": [_problem_parts(problem) for problem in collection.problems],
        "detected": [[one.file, one.reader, one.options, one.why] for one in collection.detected],
        "edits": [[place, dict(edit)] for place, edit in collection.edits.items()],
    }, arrays


def _columns(name: str, part: object, texts: Sequence[str], numbers: Sequence[str]) -> dict[str, Array]:
    """The columns of ratings or preferences as arrays."""
    arrays: dict[str, Array] = {f"{name}.{column}": getattr(part, column) for column in numbers}
    for column in texts:
        arrays |= _packed(f"{name}.{column}", getattr(part, column).tolist())
    return arrays


def from_parts(document: Mapping[str, Any], arrays: Arrays) -> Collection:
    """The collection of a document and its arrays.

    Raises: ValueError, KeyError or TypeError for anything that `to_parts` does not write; SigError for ratings that
    cannot be.
    """
    if sum(len(array) for name, array in arrays.items() if name.endswith(".lengths")) > MOST_TEXTS:
        raise ValueError("too many texts")
    return Collection(
        **_plain(document),
        items=tuple(_item(k, parts, arrays) for k, parts in enumerate(document["items"])),
        ratings=tuple(_ratings(k, parts, arrays) for k, parts in enumerate(document["ratings"])),
        preferences=tuple(_preferences(k, parts, arrays) for k, parts in enumerate(document.get("preferences", ()))),
        notices=tuple(Notice(_text(file), _text(words), _line(line)) for file, words, line in document["notices"]),
        problems=tuple(_problem(parts) for parts in document["problems"]),
        detected=tuple(_detected(k, parts, arrays) for k, parts in enumerate(document["detected"])),
        edits={_place(place, document["items"]): _names(edit) for place, edit in document["edits"]},
    )


def _plain(document: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that JSON holds as they are."""
    # files of earlier versions have no kinds
    plain = {name: document[name] for name in PLAIN if name != "kinds"} | {"kinds": document.get("kinds", {})}
    _require(all(isinstance(plain[name], str) for name in ("name", "testset", "measure")))
    _require(plain["kind"] in KINDS and plain["missing"] in MISSING and isinstance(plain["sample"], bool))
    return plain | {name: _names(plain[name]) for name in ("renamed", "groups", "kinds")}


def _item(k: int, parts: Mapping[str, Any], arrays: Arrays) -> Item:
    words = {name: _text(parts[name]) for name in ITEM}
    _require(words["role"] in ROLES and words["kind"] in KINDS and words["better"] in ("", *BETTER))
    segments, keys = (_unpacked(f"items.{k}.{name}", arrays) for name in ("segments", "keys"))
    _require(len(keys) in (0, len(segments)))
    return Item(**words, segments=segments, keys=keys)  # type: ignore[arg-type]


def _ratings(k: int, parts: Mapping[str, Any], arrays: Arrays) -> Judgments:
    _require(isinstance(parts["absolute"], bool))
    columns: dict[str, Any] = {c: np.array(_unpacked(f"ratings.{k}.{c}", arrays), dtype=np.str_) for c in NAMES}
    numbers = {c: arrays[f"ratings.{k}.{c}"] for c in ("score", "z")}
    _require(all(array.dtype == np.float64 and array.ndim == 1 for array in numbers.values()))
    name, file = _text(parts["name"]), _text(parts["file"])
    return Judgments(name, **columns, **numbers, absolute=parts["absolute"], file=file)  # type: ignore[arg-type]


def _preferences(k: int, parts: Mapping[str, Any], arrays: Arrays) -> Preferences:
    columns = {c: np.array(_unpacked(f"preferences.{k}.{c}", arrays), dtype=np.str_) for c in COMPARED}
    outcome = arrays[f"preferences.{k}.outcome"]
    _require(outcome.dtype == np.float64 and outcome.ndim == 1)
    return Preferences(_text(parts["name"]), **columns, outcome=outcome, file=_text(parts["file"]))  # type: ignore[arg-type]


def _detected(k: int, parts: Sequence[Any], arrays: Arrays) -> Detected:
    file, reader, options, why = parts
    _require(isinstance(options, dict) and all(isinstance(v, str | int | float | None) for v in options.values()))
    return Detected(_text(file), _text(reader), dict(options), _bytes(arrays[f"files.{k}"]), _text(why))


def _problem_parts(problem: SigError) -> list[Any]:
    place = [problem.file, problem.line] if isinstance(problem, ReadError) else None
    return [problem.what, problem.where, problem.fix, place]


def _problem(parts: Sequence[Any]) -> SigError:
    what, where, fix, place = parts
    if place is None:
        return SigError(_text(what), _text(where), _text(fix))
    file, line = place
    return ReadError(_text(what), _text(file), _line(line), _text(fix))


def _packed(name: str, texts: Iterable[str]) -> dict[str, Array]:
    """Texts as two arrays: their bytes, one after the other, and how many each has."""
    # "surrogatepass": a segment is stored as it is, even with lone surrogates
    each = [text.encode("utf-8", "surrogatepass") for text in texts]
    lengths = np.array([len(one) for one in each], dtype=np.int64)
    return {f"{name}.bytes": np.frombuffer(b"".join(each), dtype=np.uint8), f"{name}.lengths": lengths}


def _unpacked(name: str, arrays: Arrays) -> tuple[str, ...]:
    whole, lengths = _bytes(arrays[f"{name}.bytes"]), arrays[f"{name}.lengths"]
    _require(lengths.dtype == np.int64 and lengths.ndim == 1)
    sizes: list[int] = lengths.tolist()
    _require(min(sizes, default=0) >= 0 and sum(sizes) == len(whole))
    out, start = [], 0
    for size in sizes:
        out.append(whole[start : start + size].decode("utf-8", "surrogatepass"))
        start += size
    return tuple(out)


def _bytes(array: Array) -> bytes:
    _require(array.dtype == np.uint8 and array.ndim == 1)
    return array.tobytes()


def _text(value: object) -> str:
    _require(isinstance(value, str))
    return str(value)


def _line(value: object) -> int | None:
    _require(value is None or type(value) is int)
    return value  # type: ignore[return-value]


def _place(value: object, items: Sequence[object]) -> int:
    _require(type(value) is int and 0 <= value < len(items))
    return int(value)  # type: ignore[call-overload]


def _names(value: object) -> dict[str, Any]:
    _require(isinstance(value, dict) and all(isinstance(v, str) for pair in value.items() for v in pair))
    return dict(value)  # type: ignore[call-overload]


def _require(condition: bool) -> None:
    """Raise ValueError unless the condition holds."""
    if not condition:
        raise ValueError("not what was written")
