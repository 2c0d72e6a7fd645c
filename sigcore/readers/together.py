"""Scores in several files that belong together: ratings of several people, and the same measures of several systems."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import folders, names
from sigcore.readers.contract import Item, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers

# Sheets and files of one person each: Annotator 1, rater_B, judge-3, expert2_ratings.
PERSON = re.compile(
    r"(?:.*[-_. ])?(?P<person>(?:ann(?:ot(?:ator)?)?|rater|worker|judge|expert|coder|evaluator|reviewer|assessor|participant|human|"
    r"person|labell?er|student|linguist|translator|native(?:[-_ ]speaker)?|user)[-_ ]?(?:\d{1,3}|[A-Za-z](?![A-Za-z])))(?:[-_. ].*)?",
    re.IGNORECASE,
)
RATING = "rating"


def belonging(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items; ratings of several people, a file or sheet each, are averaged, and columns of measures that several files
    share are the measures of the systems after which the files are named. Numbers that no file has for itself are left out."""
    items, notices = _averaged(items)
    items, more = _of_files(items)
    items, same = _without_same(items)
    items, sets = _of_sets(items)
    return items, [*notices, *more, *same, *sets]


def _is_score(item: Item) -> bool:
    return item.kind == "scores" and item.role == "system"


# People.


def _averaged(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items, with the mean of all people in place of the scores of each."""
    people: dict[str, dict[str, list[Item]]] = {}
    for item in items:
        if _is_score(item) and (person := _person(item.file)):
            people.setdefault(_folder(item.file), {}).setdefault(person, []).append(item)
    out, notices = list(items), list[Notice]()
    for folder, own in people.items():
        if means := _means([*own.values()]):
            used = {id(item) for of_one in own.values() for item in of_one}
            first = next(i for i, item in enumerate(out) if id(item) in used)
            out[first:] = [*means, *(item for item in out[first:] if id(item) not in used)]
            message = f"{listed(own)} are people: their scores of each segment were averaged."
            notices.append(Notice(folder, message))
    return out, notices


def _means(people: Sequence[Sequence[Item]]) -> list[Item]:
    """The mean scores of several people; [] for one, and where they scored other systems, or on other segments."""
    by_person = [{_called(item): item for item in own} for own in people]
    if len(people) < 2 or any(one.keys() != by_person[0].keys() for one in by_person):
        return []
    means = [_mean([one[key] for one in by_person], key[1]) for key in by_person[0]]
    found = [mean for mean in means if mean is not None]
    return found if len(found) == len(means) else []


def _person(file: str) -> str:
    """The person after whom a file or a sheet is named; "" for others."""
    match = PERSON.fullmatch(names.display_name(file))
    return match["person"] if match else ""


def _folder(file: str) -> str:
    """The folder or the workbook of a file."""
    return "/".join(names.parts(file)[:-1])


def _called(item: Item) -> tuple[str, str]:
    """The system and the measure of scores of one person; a measure that only names the file is a rating."""
    after_file = item.measure in ("", names.NO_MEASURE, names.measure_of(item.file), names.display_name(item.file))
    named_person = _person(item.name) == _person(item.file) != ""
    return "" if named_person else item.name, RATING if after_file else item.measure


def _mean(items: Sequence[Item], measure: str) -> Item | None:
    """The mean of the scores of several people, by the ids of the segments or in order; None where they do not fit."""
    keyed = all(item.keys for item in items)
    if not items[0].name or (not keyed and len({len(item.segments) for item in items}) > 1):
        return None
    keys, cells = _by_key(items) if keyed else ([], list(zip(*(item.segments for item in items), strict=True)))
    means = tuple(map(_mean_of, cells))
    return replace(items[0], segments=means, keys=tuple(keys), measure=measure, note=f"mean of {len(items)} people")


def _by_key(items: Sequence[Item]) -> tuple[list[str], list[tuple[str, ...]]]:
    """The ids of all segments, and what each person who has it says of it."""
    keys = list(dict.fromkeys(key for item in items for key in item.keys))
    rows = [dict(zip(item.keys, item.segments, strict=True)) for item in items]
    return keys, [tuple(row[key] for row in rows if key in row) for key in keys]


def _mean_of(cells: Iterable[str]) -> str:
    known = numbers.numbers_in([cell for cell in cells if not numbers.is_missing(cell)])
    return repr(math.fsum(known) / len(known)) if known else ""


# The same measures in several files: each file is a system.


def _by_file(items: Sequence[Item]) -> dict[str, list[Item]]:
    """The scores of each file."""
    found: dict[str, list[Item]] = {}
    for item in filter(_is_score, items):
        found.setdefault(item.file, []).append(item)
    return found


def _of_files(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items; where several files have the same columns, all called after measures, these are no systems."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for file, own in _by_file(items).items():
        columns = tuple(item.name for item in own)
        if len(own) > 1 and all(_names_measure(item) for item in own):
            alike.setdefault(columns, []).append(file)
    found = {file: columns for columns, files in alike.items() if len(files) > 1 for file in files}
    if not found:
        return list(items), []
    out = [_of_file(item) if item.file in found and _is_score(item) else item for item in items]
    columns = next(iter(found.values()))
    message = f"Several files have the columns {listed(columns)}: these are measures, and each file is a system."
    return out, [Notice("", message)]


ALIKE = 10  # segments; fewer scores may be equal by chance


def _without_same(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items without numbers that are the same in every file, where each file has something else to compare: they are
    about the segments."""
    found: dict[tuple[str, str], list[Item]] = {}
    for item in filter(_is_score, items):
        found.setdefault((item.testset, item.measure), []).append(item)
    same = [own for own in found.values() if _is_same(own) and all(_says_more(item, items) for item in own)]
    if not same:
        return list(items), []
    left = {id(item) for own in same for item in own}
    named = listed(dict.fromkeys(own[0].measure for own in same))
    message = f"Not used, the same numbers in all {len(same[0])} files, so they are about the segments: {named}."
    return [item for item in items if id(item) not in left], [Notice("", message)]


def _is_same(items: Sequence[Item]) -> bool:
    """Whether scores are in a file each, and equal for each segment."""
    if len(items) < 2 or len({item.file for item in items}) < len(items) or len(items[0].segments) < ALIKE:
        return False
    cells = [sorted(zip(item.keys, item.segments, strict=True)) if item.keys else item.segments for item in items]
    return all(one == cells[0] for one in cells)


def _says_more(item: Item, items: Sequence[Item]) -> bool:
    """Whether the file of scores has an output, too, or scores of another measure: then what is the same is no result. A
    known measure may be the same by itself, unless labels are compared."""
    others = [one for one in items if one.file == item.file and one.role == "system" and one is not item]
    labels = any(one.kind == "text" and 2 * len({*one.segments}) <= len(one.segments) for one in others)
    compared = labels and any(one.role == "reference" for one in items)
    known = words.is_outcome(item.measure) or (words.has_measure(item.measure) and not compared)
    return bool(others) and not known


def _of_sets(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items; files with one column of scores, called after a system and a measure (llama_correct), are those of several
    test sets where each of several systems has files of the same names."""
    alone = [own[0] for own in _by_file(items).values() if len(own) == 1 and not own[0].testset]
    named = [item for item in alone if words.cut(item.name)[0]]
    stems = _same_stems(named)
    if not stems:
        return list(items), []
    made = {id(item): _of_set(item, *words.cut(item.name)) for item in named}
    systems = dict.fromkeys(words.cut(item.name)[0] for item in named)
    message = f"Each of {listed(systems)} has files of these names: {listed(stems)}. Each is a test set."
    return [made.get(id(item), item) for item in items], [Notice("", message)]


def _same_stems(items: Sequence[Item]) -> tuple[str, ...]:
    """The names of the files that each of several systems and measures has, in its own folder; () where they differ, and for
    those of runs (seed1, seed2), which are of one test set."""
    files: dict[tuple[str, str], list[str]] = {}
    for item in items:
        files.setdefault(words.cut(item.name), []).append(names.display_name(item.file))
    known = {tuple(sorted(own)) for own in files.values()}
    stems = known.pop() if len(known) == 1 and len(files) > 1 else ()
    several = 1 < len({*stems}) == len(stems)
    return stems if several and not any(map(folders.RUN_FOLDER.fullmatch, stems)) else ()


def _of_set(item: Item, system: str, measure: str) -> Item:
    return replace(item, name=system, measure=measure, testset=names.display_name(item.file))


def _names_measure(item: Item) -> bool:
    """Whether a column of scores is called after a measure: a score of something, or where its file is not."""
    after = names.measure_of(item.file)
    if item.measure not in ("", names.NO_MEASURE, after, names.measure_in_name(item.file)[0]):
        return False
    plain = not words.is_measure(after) or words.is_plain(after)
    return words.is_scored(item.name) or (plain and words.has_measure(item.name))


def alike(items: Sequence[Item]) -> list[ReadError]:
    """A problem for files with the same several columns of scores of one measure: these are systems of several test sets, or
    measures of the systems after which the files are named."""
    same: dict[tuple[tuple[str, str, str], ...], list[str]] = {}
    for file, own in _by_file(items).items():
        if len({item.name for item in own}) > 1:
            same.setdefault(tuple((item.testset, item.measure, item.name) for item in own), []).append(file)
    problems = []
    for columns, files in same.items():
        if len(files) > 1:
            shown = listed(dict.fromkeys(name for _, _, name in columns))
            message = f"{listed(files)} have the same columns of scores: {shown}."
            roles = " ".join(shlex.quote(f"{name}=score") for _, _, name in columns)
            fix = f"If each file is a system, and these are measures of it: --columns {roles}. If each file is a test set, load one alone."
            problems.append(ReadError(message, files[0], fix=fix))
    return problems


def perhaps_gold(items: Sequence[Item]) -> list[ReadError]:
    """A problem for a file that alone has questions beside its answers, where several others have answers to the same ids and
    nothing is a reference: it may hold the right ones."""
    outputs = [item for item in items if item.role == "system" and item.kind == "text"]
    files = {item.file for item in outputs}
    asked = [item.file for item in items if _is_question(item) and item.file in files]
    if any(item.role == "reference" for item in items) or len(asked) != 1 or not _answer_the_same(outputs):
        return []
    message = (
        f"Does {asked[0]} hold the right answers? It alone has questions, and the other files answer the same ids."
    )
    fix = f"Then say so: --reference {shlex.quote(asked[0])}. If a system wrote it, load the right answers, too."
    return [ReadError(message, asked[0], fix=fix)]


def _is_question(item: Item) -> bool:
    return item.role == "ignored" and words.meaning(item.name) == "perhaps segment"


def _answer_the_same(outputs: Sequence[Item]) -> bool:
    """Whether several files have one output each, all of the same ids."""
    files, ids = {item.file for item in outputs}, {frozenset(item.keys) for item in outputs}
    return len(outputs) == len(files) >= FEWEST_FILES and len(ids) == 1 and frozenset() not in ids


FEWEST_FILES = 3  # the right answers, and those of two systems


def _of_file(item: Item) -> Item:
    return replace(item, name=names.measure_in_name(item.file)[1], measure=item.name)
