"""Segments of several files matched by their ids if the files have ids, and by position otherwise."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from sigcore.data.checks import Finding
from sigcore.formatting import count, listed
from sigcore.readers import Item
from sigcore.readers.names import display_name as name_of
from sigcore.types import Kind, Missing

Keys = tuple[str, ...]
LOOKED, WORDS = 20, 3  # ids that are looked at, and the words of one that is a question
OTHERS = "No test can pair them: let all systems answer the same questions. If only the prompts around these differ, leave the column out: --columns PROMPT=ignored."
IN_DOCUMENT = re.compile(r"\S+ of ")  # the name of a segment: 3 of doc1
FIX = "Every file must contain the same segments: fix the file, leave it out, or use --missing drop for what all have."


def matched(
    items: Sequence[Item],
    kind: Kind,
    findings: list[Finding],
    missing: Missing = "refuse",
    sources: Sequence[Item] = (),
) -> list[Item]:
    """The items with their segments in one order, and without those that have other segments; both are reported.

    If `missing` is "drop", only the segments that all of them have are kept, and the number of the others is reported.

    Only items that name their segments are compared. Where names have nothing in common (documents in one file, plain
    numbers in the other: reported), or count from 0 in one file and from 1 in the other, segments are matched by place; by the sources
    among `sources` of their files where these are the same.
    """
    findings += [*_parallel(items, kind), *_other_questions(items, sources)]
    items = _last_questions(_without_folders(items), findings)
    named = [item for item in items if item.keys]
    kept = (
        _matched_by_ids(items, named, kind, findings, missing, sources) if len({i.keys for i in named}) > 1 else items
    )
    findings += [] if kind == "spans" else _shuffled(kept)
    return list(kept)


QUESTION = re.compile(r"(?s).*\s(?:Q|Question|Input|Problem):\s*(.+?)(?:\s+(?:A|Answer|Output|Solution):.*)?")


def _last_questions(items: Sequence[Item], findings: list[Finding]) -> Sequence[Item]:
    """The items, whose ids are prompts with examples of their own, with the last question of each where all files have the same of
    these; a note says so."""
    keys = {item.keys for item in items if item.keys}
    if len(keys) < 2 or set.intersection(*map(set, keys)):
        return items
    last = {own: _last_of(own) for own in keys}
    if not all(last.values()) or len({frozenset(own) for own in last.values()}) > 1:
        return items
    message = "The prompts begin with other examples in each file: segments were matched by the last question of each."
    findings.append(Finding("note", message, listed(sorted({item.file for item in items if item.keys}))))
    return [replace(item, keys=last.get(item.keys, item.keys)) for item in items]


def _last_of(prompts: Keys) -> Keys:
    """The last question of each prompt; () where one has none, or two have the same."""
    last = tuple(match[1].strip() for match in map(QUESTION.fullmatch, prompts) if match)
    return last if len({*last}) == len(prompts) else ()


def _without_folders(items: Sequence[Item]) -> Sequence[Item]:
    """The items, whose ids are names of files in folders of their own, with the names alone where these are the same in all."""
    keys = {item.keys for item in items if item.keys}
    bare = {own: tuple(key.rpartition("/")[2] for key in own) for own in keys if all("/" in key for key in own)}
    if len(bare) < max(2, len(keys)) or set.intersection(*map(set, keys)):
        return items
    names_ = [frozenset(own) for own in bare.values()]
    if len({*names_}) > 1 or len(names_[0]) < max(map(len, keys)):  # one file comes twice
        return items
    return [replace(item, keys=bare[item.keys]) if item.keys else item for item in items]


def _matched_by_ids(
    items: Sequence[Item],
    named: Sequence[Item],
    kind: Kind,
    findings: list[Finding],
    missing: Missing,
    sources: Sequence[Item],
) -> list[Item]:
    """The items with their segments in the order of one of those that are `named`, whose ids differ."""
    if missing == "drop":
        items = _common(items, findings)
        named = [item for item in items if item.keys]
    model = _model(named)
    items = _by_source(items, model, sources, findings)
    places = {key: i for i, key in enumerate(model.keys)}
    kept, moved, faults = [], list[str](), dict[str, Finding]()
    for item in items:
        if _by_place(item.keys, model.keys, places):
            kept.append(item)
        elif (fault := _difference(item, model, places, kind)) is not None:
            faults.setdefault(item.file, fault)  # one per file, even if it has several items
        else:
            by_key = dict(zip(item.keys, item.segments, strict=True))
            kept.append(replace(item, segments=tuple(by_key.get(key, "") for key in model.keys), keys=model.keys))
            moved += [item.file] if set(item.keys) == set(model.keys) else []
    findings += [*faults.values(), *_moved(moved, model), *_strange(kept, model, sources), *_shifted(kept, model)]
    return kept


def _shuffled(items: Sequence[Item]) -> list[Finding]:
    """The finding on files with outputs whose right answers are the same, in another order: no place is the same question."""
    outputs = {item.file for item in items if item.role == "system"}
    right = [item for item in items if item.role == "reference" and item.file in outputs]
    for item in right[1:]:
        if item.segments != right[0].segments and sorted(item.segments) == sorted(right[0].segments):
            message = f"{right[0].file} and {item.file} have the same right answers in another order."
            fix = "Nothing says which rows belong together. Sort both files alike, or give them a column of ids."
            return [Finding("error", message, item.file, fix)]
    return []


def _shifted(kept: Sequence[Item], model: Item) -> list[Finding]:
    """The finding on files that count segments from 0 where others count from 1: one of them may lack a segment."""
    others = [item for item in kept if item.keys and item.keys[0] != model.keys[0] and _counts(item.keys)]
    if not others or not _counts(model.keys):
        return []
    first, last = others[0].keys[0], others[0].keys[-1]
    message = f"The ids of {others[0].file} are {first} to {last}, those of {model.file} {model.keys[0]} to {model.keys[-1]}: "
    message += "segments were matched by place."
    fix = "That is right if one counts from 0. If a file lacks a segment, all its rows are shifted: use the same ids."
    return [Finding("warning", message, listed(item.file for item in others), fix)]


def _by_source(items: Sequence[Item], model: Item, sources: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The items. Programs number the answers of every run again: a file whose ids are not in the model gets the ids of the
    same sources, if each source is another text."""
    asked = _asked(sources, model.testset)
    if model.file not in asked or len(asked[model.file].segments) != len(model.keys):
        return list(items)
    known = dict(zip(asked[model.file].segments, model.keys, strict=True))
    fitting = {file: one for file, one in asked.items() if known.keys() == {*one.segments}}
    keys = {
        file: tuple(map(known.__getitem__, one.segments))
        for file, one in fitting.items()
        if {*one.keys}.isdisjoint(model.keys) and len(one.keys) == len(one.segments)
    }
    if keys:
        message = "Each file has ids of its own: segments were matched by their source."
        findings.append(Finding("note", message, listed(keys)))
    return [replace(item, keys=keys.get(item.file, item.keys)) for item in items]


def _asked(sources: Sequence[Item], testset: str) -> dict[str, Item]:
    """The source of each file whose segments have ids and are all different."""
    own = (one for one in sources if one.role == "source" and one.testset == testset and one.keys)
    return {one.file: one for one in own if len({*one.segments}) == len(one.segments)}


def _other_questions(items: Sequence[Item], sources: Sequence[Item]) -> list[Finding]:
    """The finding on scores of files whose sources, of several words, have nothing in common: other questions were asked."""
    own = {
        one.file: {*one.segments}
        for one in sources
        if one.role == "source" and any(map(_is_text, one.segments[:LOOKED]))
    }
    asked = [(one, own[one.file]) for one in items if one.kind == "scores" and one.file in own]
    first = asked[0] if asked else None
    for item, texts in asked:
        if first and item.testset == first[0].testset and texts.isdisjoint(first[1]):
            return [
                Finding("error", f"{item.name} was asked nothing that {first[0].name} was asked.", item.file, OTHERS)
            ]
    return []


def _is_text(key: str) -> bool:
    return len(key.split()) >= WORDS


def _parallel(items: Sequence[Item], kind: Kind) -> list[Finding]:
    """The finding on several references, each in a file with systems, or with systems in files of its own name: they are as many
    test sets.

    Of entities, every file may have the gold answer beside its output."""
    right = [item for item in items if item.role == "reference"]
    if kind == "spans" or _are_of_one_set(right):
        return []
    files = {item.file for item in items if item.role == "system"}
    names = [name_of(item.file) for item in right]
    if {*names} == {name_of(file) for file in files} and len({*names}) == len(names):
        message = f"{listed(names)} name references and systems alike: they look like {len(names)} test sets."
        return [Finding("error", message, "", f"Compare each alone, such as the files called {names[0]}.")]
    return _of_own(right, files)


def _of_own(right: Sequence[Item], files: Collection[str]) -> list[Finding]:
    """The finding on references that are in a file of its own each, with outputs."""
    own = [item.file for item in right]
    if not {*own} <= {*files} or len({*own}) < len(own):
        return []
    what = f"{listed(own)} have outputs and a reference each, and these references differ."
    fix = "No output is scored with the reference of another file. Compare the files of each test set alone."
    return [Finding("error", what, "", fix)]


def _are_of_one_set(right: Sequence[Item]) -> bool:
    """Whether the references have the same lines, which ids or sources match in another order, or are equal by their ids."""
    return len({tuple(sorted(item.segments)) for item in right}) < 2 or _are_equal_by_ids(right)


MANY = 0.5  # of the segments of a reference have ids that another one has


def _are_equal_by_ids(right: Sequence[Item]) -> bool:
    """Whether the references have most ids in common, and the same text there: one lacks some."""
    first, *others = (dict(zip(item.keys, item.segments, strict=False)) for item in right)
    for other in others:
        common = first.keys() & other.keys()
        if len(common) <= MANY * min(len(first), len(other)) or any(first[key] != other[key] for key in common):
            return False
    return True


def _common(items: Sequence[Item], findings: list[Finding]) -> list[Item]:
    """The items with only those segments that all items with the ids of one kind have; what is left out is reported.

    Nothing is left out where an item has no ids, or none of the others'.
    """
    keys = [set(item.keys) for item in items]
    common = set[str].intersection(*keys)
    everything = set[str]().union(*keys)
    if not common or len(common) == len(everything):
        return list(items)
    message = f"{count(len(everything) - len(common), 'segment')} of {len(everything)} are not in every file; they are "
    findings.append(Finding("note", message + "left out for all systems."))
    return [only(item, [i for i, key in enumerate(item.keys) if key in common]) for item in items]


def only(item: Item, places: Sequence[int]) -> Item:
    """The item with the segments at these places, and their ids or their numbers in the file."""
    keys = item.keys or tuple(str(i + 1) for i in range(len(item.segments)))
    return replace(item, segments=tuple(item.segments[i] for i in places), keys=tuple(keys[i] for i in places))


def _moved(files: Sequence[str], model: Item) -> list[Finding]:
    """The finding on files whose segments were in another order, if there are any."""
    if not files:
        return []
    who = f"{files[0]} has" if len(set(files)) == 1 else f"{len(set(files))} files have"
    message = f"{who} the segments in another order than {model.file}: they were matched by their ids."
    return [Finding("note", message, listed(files))]


def _strange(kept: Sequence[Item], model: Item, every: Sequence[Item]) -> list[Finding]:
    """The finding on files whose ids have nothing in common with those of the model. `every` has all items."""
    others = [item for item in kept if item.keys and set(item.keys).isdisjoint(model.keys)]
    others = [item for item in others if not (_in_order(item.keys) and _in_order(model.keys))]
    if not others or (refused := _other_segments(others, model, _same_right([*kept, *every]))):
        return refused if others else []
    message = f"The ids in {others[0].file} ({others[0].keys[0]}) have nothing in common with those in {model.file} "
    message += f"({model.keys[0]}): segments were matched by place."
    files = listed(item.file for item in others)
    return [Finding("warning", message, files, "Check that all files have the same order.")]


def _same_right(kept: Sequence[Item]) -> bool:
    """Whether several files have the same right answers row by row: their ids are then new in every run."""
    right = [item for item in kept if item.role == "reference"]
    return len({item.file for item in right}) > 1 and len({item.segments for item in right}) == 1


def _other_segments(others: Sequence[Item], model: Item, same: bool) -> list[Finding]:
    """The error for files with other ids of the same kind, or with other questions; [] where the ids say too little. Codes say nothing
    where what is right is the `same` in each row."""
    texts = [item for item in others if all(map(_is_text, (*item.keys[:LOOKED], *model.keys[:LOOKED])))]
    if texts:
        message = f"{texts[0].name} was asked nothing that {model.name} was asked."
        return [Finding("error", message, listed(item.file for item in texts), OTHERS)]
    coded = set[int]() if same else _codes(model.keys)
    alike = [item for item in others if _stems(item.keys) == _stems(model.keys) or _codes(item.keys) & coded]
    if not alike or _counts(model.keys):
        return []
    message = f"{alike[0].name} has no segment in common with {model.name}: its ids begin with {alike[0].keys[0]}, the others with {model.keys[0]}."
    return [Finding("error", message, listed(item.file for item in alike), OTHERS)]


HEX = re.compile(r"(?=.*\d)[0-9a-f]{24}")


def _codes(keys: Keys) -> set[int]:
    """The one length of ids that are codes of a data set or of a text, 56be4db0acb8001400a502ec; {} for others, and for those of a
    run (with dashes)."""
    lengths = {len(key) for key in keys}
    return lengths if len(lengths) == 1 and all(map(HEX.fullmatch, keys)) else set()


def _stems(keys: Keys) -> set[str]:
    """The ids without their numbers: q of q12 and q500, which are ids of one kind."""
    return {re.sub(r"\d+", "", key) for key in keys}


def _model(named: Sequence[Item]) -> Item:
    """The item whose order counts: the first reference, else the first source, else the most frequent order."""
    for item in sorted(named, key=lambda item: item.role != "reference"):
        if item.role in ("reference", "source"):
            return item
    most = Counter(item.keys for item in named).most_common(1)[0][0]
    return next(item for item in named if item.keys == most)


def _by_place(keys: Keys, model: Keys, places: dict[str, int]) -> bool:
    """Whether segments are matched by position: the ids are the same, or cannot be compared.

    They do not where they have nothing in common, or where one file counts from 0 and the other from 1.
    """
    if keys == model or not any(key in places for key in keys):
        return True
    return len(keys) == len(model) and _counts(keys) and _counts(model)


def _in_order(keys: Keys) -> bool:
    """Whether the ids say the place: consecutive numbers, or the segments of documents one after the other."""
    return _counts(keys) or all(map(IN_DOCUMENT.match, keys))


def _counts(keys: Keys) -> bool:
    """Whether the ids are consecutive whole numbers from 0 or 1; those from 2 may lack the first segment."""
    if keys[0] not in ("0", "1") or not all(key.isascii() and key.isdigit() and len(key) < 19 for key in keys):
        return False
    return all(int(key) == int(keys[0]) + i for i, key in enumerate(keys))


def _difference(item: Item, model: Item, places: dict[str, int], kind: Kind) -> Finding | None:
    """The error of an item whose segments are not those of the model; missing scores are allowed and stay empty."""
    extra = [key for key in item.keys if key not in places]
    if extra:
        message = f"{item.name} has {count(len(extra), 'segment')} that {model.name} does not have"
        return Finding("error", f"{message}; the first is segment {extra[0]}.", item.file, FIX)
    keys = set(item.keys)
    missing = [key for key in model.keys if key not in keys]
    if missing and kind != "scores":
        message = f"{item.name} lacks {len(missing)} of {count(len(model.keys), 'segment')} of {model.name}"
        return Finding("error", f"{message}; the first is segment {missing[0]}.", item.file, FIX)
    return None
