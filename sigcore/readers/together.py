"""What several files say together: ratings of several people, the same measures of several systems, columns that only some
files have, and the reference of the outputs in others."""

from __future__ import annotations

import math
import re
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import replace

from sigcore.errors import OptionError, ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Claim, Found, Item, Notice, Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import codes, doubts, likeness, long, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.evident import MOST_LABELS, SAME, TIMES
from sigcore.readers.tables.unclear import CONFIRM, Absent, Unclear
from sigcore.types import Value

# Sheets and files of one person each: Annotator 1, rater_B, judge-3, expert2_ratings.
PERSON = pattern("together.person")
RATING = "rating"
PEOPLE = "people"  # the option that names files or sheets of one person each


def averaged(files: Sequence[str]) -> str:
    """How somebody says that these files or sheets are of one person each."""
    said = shlex.join(map(names.display_name, files))
    return f"If each is a person, whose ratings are averaged: --{PEOPLE} {said}."


def belonging(items: Sequence[Item], people: Container[str] = ()) -> tuple[list[Item], list[Notice]]:
    """The items; ratings of several people, a file or sheet each, are averaged, and columns of measures that several files
    share are the measures of the systems after which the files are named. `people` are names that somebody says are such."""
    items, notices = _averaged(items, people)
    items, more = _of_files(items)
    items, labels = _with_labels(_with_right_labels(items))
    return items, [*notices, *more, *labels]


def _with_labels(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items; numbers in files of one column each, below no known measure, are predicted labels where another file has the right
    ones, and they have no others."""
    right = [item for item in items if item.role == "reference"]
    given = [item for item in items if is_score(item)]
    if len(right) != 1 or not _is_right_label(right[0]) or _are_together(items, right[0]):
        return [*items], []
    if not given or not all(_may_be_predicted(item, right[0]) for item in given):
        return [*items], []
    named = listed(dict.fromkeys(item.measure for item in given))
    message = f"The numbers in {named} were read as labels: they are those of the reference."
    labels = [*given, *right]
    read = [replace(one, kind="text", measure="") if one in labels else one for one in items]
    return read, [Notice(right[0].file, message)]


def _may_be_predicted(item: Item, right: Item) -> bool:
    """Whether numbers below no known measure are among a few right labels that come again."""
    known = {cell.strip() for cell in right.segments}
    few = 1 < len(known) <= MOST_LABELS and TIMES * len(known) <= len(right.segments)
    unknown = bool(item.measure) and not words.has_measure(item.measure)
    return few and unknown and {cell.strip() for cell in item.segments} <= known


def _are_together(items: Sequence[Item], right: Item) -> bool:
    """Whether a reference is in a file with systems, or a file has several of them: then headings say what they are."""
    files = [item.file for item in items if item.role == "system"]
    return right.file in files or len({*files}) < len(files)


def _with_right_labels(items: Sequence[Item]) -> list[Item]:
    """The items; numbers below the heading of a reference are right labels, where all outputs are labels."""
    outputs = [one for one in items if one.role == "system"]
    if not outputs or not all(one.kind == "text" and _come_again(one.segments) for one in outputs):
        return [*items]
    right = [one for one in items if _is_right_label(one)]
    return [replace(one, kind="text", measure="") if one in right else one for one in items]


def _is_right_label(item: Item) -> bool:
    """Whether numbers of a reference are labels: of no known measure."""
    return item.role == "reference" and item.kind == "scores" and not words.has_measure(item.measure)


def _come_again(segments: Sequence[str]) -> bool:
    """Whether a few cells come again and again."""
    return 2 * len({*segments}) <= len(segments)


def is_score(item: Item) -> bool:
    return item.kind == "scores" and item.role == "system"


# People.


def _averaged(items: Sequence[Item], people: Container[str]) -> tuple[list[Item], list[Notice]]:
    """The items, with the mean of all people in place of the scores of each."""
    parts: dict[str, dict[str, list[Item]]] = {}
    for item in items:
        if is_score(item) and (who := person(item.file, people)):
            parts.setdefault(folder(item.file), {}).setdefault(who, []).append(item)
    out, notices = list(items), list[Notice]()
    for place, own in parts.items():
        if means := _means([*own.values()], people):
            used = {id(item) for of_one in own.values() for item in of_one}
            first = next(i for i, item in enumerate(out) if id(item) in used)
            out[first:] = [*means, *(item for item in out[first:] if id(item) not in used)]
            message = f"{listed(own)} are people: their scores of each segment were averaged."
            notices.append(Notice(place, message))
    return out, notices


def _means(parts: Sequence[Sequence[Item]], people: Container[str]) -> list[Item]:
    """The mean scores of several people; [] for one, and where they scored other systems, or on other segments."""
    by_person = [{called(item, people): item for item in own} for own in parts]
    if len(parts) < 2 or any(one.keys() != by_person[0].keys() for one in by_person):
        return []
    means = [_mean([one[key] for one in by_person], key[1]) for key in by_person[0]]
    found = [mean for mean in means if mean is not None]
    return found if len(found) == len(means) else []


def person(file: str, people: Container[str] = ()) -> str:
    """The person after whom a file or a sheet is named, by its word or because somebody says so; "" for others."""
    name = names.display_name(file)
    match = PERSON.fullmatch(name)
    return match["person"] if match else name if name in people else ""


def folder(file: str) -> str:
    """The folder or the workbook of a file."""
    return "/".join(names.parts(file)[:-1])


def called(item: Item, people: Container[str] = ()) -> tuple[str, str]:
    """The system and the measure of scores of one person; a measure that only names the file is a rating."""
    after_file = item.measure in ("", names.NO_MEASURE, names.measure_of(item.file), names.display_name(item.file))
    named_person = person(item.name, people) == person(item.file, people) != ""
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


def by_file(items: Sequence[Item]) -> dict[str, list[Item]]:
    """The scores of each file."""
    found: dict[str, list[Item]] = {}
    for item in filter(is_score, items):
        found.setdefault(item.file, []).append(item)
    return found


def _of_files(items: Sequence[Item]) -> tuple[list[Item], list[Notice]]:
    """The items; where several files have the same columns, all called after measures, these are no systems."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for file, own in by_file(items).items():
        columns = tuple(item.name for item in own)
        if len(own) > 1 and all(_names_measure(item) for item in own):
            alike.setdefault(columns, []).append(file)
    found = {file: columns for columns, files in alike.items() if len(files) > 1 for file in files}
    if not found:
        return list(items), []
    out = [_of_file(item) if item.file in found and is_score(item) else item for item in items]
    columns = next(iter(found.values()))
    message = f"Several files have the columns {listed(columns)}: these are measures, and each file is a system."
    return out, [Notice("", message)]


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
    for file, own in by_file(items).items():
        if len({item.name for item in own}) > 1:
            same.setdefault(_columns(own), []).append(file)
        elif _is_of_file(own[0]):
            same.setdefault(((own[0].testset, "", own[0].name),), []).append(file)
    problems = []
    for columns, files in same.items():
        if len(files) > 1:
            shown = listed(dict.fromkeys(name for _, _, name in columns))
            plural = "s" if len(columns) > 1 else ""
            message = f"{listed(files)} have the same column{plural} of scores: {shown}."
            of_file = by_file(items)
            labels = all(_may_be_labels(of_file[file]) for file in files)
            fix = _as_measures(list(dict.fromkeys(name for _, _, name in columns)), labels)
            if all(item.note.startswith(long.NOTE) for item in of_file[files[0]]):  # systems in rows are no columns
                fix = f"{averaged(files)} If each is a test set, load one alone."
            problems.append(ReadError(message, files[0], fix=fix))
    return problems


def _as_measures(headings: Sequence[str], labels: bool) -> str:
    """How somebody says that files are systems, which have these columns; `labels`: they may as well be predicted ones."""
    these = "these are measures" if len(headings) > 1 else "this is a measure"
    if labels:
        these = f"{headings[0]} says which of its answers are right (true or 1)"
    said, text = (shlex.join(f"{name}={role}" for name in headings) for role in ("score", "text"))
    right = f" If {headings[0]} holds predicted labels, give the right ones: --columns {text} --reference FILE."
    return (
        f"If each file is a system, and {these}{'' if labels else ' of it'}: --columns {said}."
        f"{right if labels else ''} If each file is a test set, load one alone."
    )


def _may_be_labels(own: Sequence[Item]) -> bool:
    """Whether the one column of a file has only 1 and 0, as which true and false are read, below a heading that names no outcome."""
    return len(own) == 1 and not codes.names_outcome(own[0].name) and {*own[0].segments} <= {"0", "1", ""}


def _columns(own: Sequence[Item]) -> tuple[tuple[str, str, str], ...]:
    """The test set, the measure and the name of each column of scores of a file. Where all are called a score of something
    (faith_score), the unknown name of the file is no measure: other files with these columns may be of other systems."""
    open_ = all(words.is_rated(item.name) and _is_unnamed(item) for item in own)
    return tuple((item.testset, "" if open_ else item.measure, item.name) for item in own)


def _is_unnamed(item: Item) -> bool:
    """Whether nothing but the name of its file, which is no known measure, says what scores measure."""
    after = names.measure_of(item.file)
    return item.measure in ("", names.NO_MEASURE, after) and (not words.is_measure(after) or words.is_plain(after))


def _is_of_file(item: Item) -> bool:
    """Whether the only scores of a file stand below a heading, and the file is not called after a known measure: where others
    have the same heading, it may be a measure, and each file a system."""
    headed = item.name != names.display_name(item.file) and not item.note.startswith(long.NOTE)
    return headed and _is_unnamed(item)


def _of_file(item: Item) -> Item:
    return replace(item, name=names.measure_in_name(item.file)[1], measure=item.name)


# Files that are read again once all are known.

Settings = dict[str, Value]
ReadOne = Callable[[str, Settings], Found]  # what is in a file that is read with these options; raises SigError
MOST_CANDIDATES = 12  # columns of a file of references that are tried
WORDS = "words, no scores"  # why a column is not used
BY_HEADING = "by its heading"  # begins the reason of such a claim
EXPECTED = re.compile(r"(?:^|[-_. ])(?:expected|gold|correct|truth|right|human|target)(?:[-_. ]|$)", re.IGNORECASE)
UNLIKE = 3  # times less in common with the outputs than another text has: no reference
OPEN: tuple[Part, ...] = ("system", "text", "score", "reference")
NAMED = ("system", "reference")
RIVALS: tuple[Part, ...] = ("system", "text", "score", "winner")
OF_TEXTS: tuple[Part, ...] = ("system", "text", "reference", "source", "ignored")


# Which column of a file is the reference.


def as_reference(result: Found, given: Collection[str], read: ReadOne) -> dict[str, Settings]:
    """The roles by file of tables that were asked about, and one of whose columns is the reference of the outputs in other
    files. `given` are files that somebody called references: none of their columns is a system."""
    out = dict[str, Settings]()
    for problem in _open(result):
        file, outputs = str(problem.file), _outputs(result.items, str(problem.file))
        right = _in_given(problem, outputs, read) if file in given else _in_other(problem, outputs, read)
        if right is not None and _texts(problem, right, read):
            out[file] = {"columns": "\n".join(_roles(problem.claims, right))}
            why = "of the file that was given as it" if file in given else "its words are those of the outputs"
            result.notices.append(Notice(file, f"{right} was read as the reference: {why}."))
        elif file in given:
            _ask(problem)
        elif outputs:
            _confirm(problem, outputs, read)
    return out


def _open(result: Found) -> list[Unclear]:
    """The tables that are asked about, without those that lack a column."""
    return [one for one in result.problems if isinstance(one, Unclear) and not isinstance(one, Absent)]


def _in_other(problem: Unclear, outputs: Sequence[Item], read: ReadOne) -> str | None:
    """The only column that its heading calls right, where the outputs repeat its few words; None for others."""
    named = [one.column for one in problem.claims if _says_right(one)]
    return next(iter(_repeated(problem, named, outputs, read)), None) if len(named) == 1 else None


def _in_given(problem: Unclear, outputs: Sequence[Item], read: ReadOne) -> str | None:
    """The column of a file that somebody called a reference: the only one whose few words the outputs repeat, or else the
    only one that its heading calls right or labels, or that may be it at all. None where several may be."""
    tried = [one.column for one in problem.claims if one.role in OF_TEXTS][:MOST_CANDIDATES]
    found = (
        _repeated(problem, tried, outputs, read)
        or [one.column for one in problem.claims if _says_right(one)]
        or [one.column for one in problem.claims if words.is_label(one.column)]
        or _alike_outputs(problem, tried, outputs, read)  # this reads the file once for each column
        or [one.column for one in problem.claims if one.role in ("system", "text", "reference")]
    )
    return found[0] if len(found) == 1 else None


def _repeated(problem: Unclear, tried: Sequence[str], outputs: Sequence[Item], read: ReadOne) -> list[str]:
    """The columns whose few words nearly all outputs repeat."""
    return [name for name in tried if outputs and _repeats(outputs, _texts(problem, name, read))]


def _alike_outputs(problem: Unclear, tried: Sequence[str], outputs: Sequence[Item], read: ReadOne) -> list[str]:
    """The one column that shares its words with the outputs, where all others share far fewer; [] without one."""
    said_by = Counter(word for item in outputs for text in item.segments for word in text.lower().split())
    like = {name: _share(_texts(problem, name, read), said_by, len(outputs)) for name in tried if outputs}
    first, *others = sorted(like, key=lambda name: -like[name]) or [""]
    far = all(like[name] * UNLIKE < like[first] for name in others)
    return [first] if like.get(first, 0.0) >= likeness.SHARED and far else []


def _share(texts: Sequence[str], said_by: Counter[str], systems: int) -> float:
    """How many words texts have in common with what several systems said, as F1 of all words together."""
    own = Counter(word for text in texts for word in text.lower().split())
    several = Counter({word: times / systems for word, times in said_by.items()})
    both = sum(min(times, several[word]) for word, times in own.items())
    return 2 * both / max(own.total() + several.total(), 1)


def _says_right(one: Claim) -> bool:
    return one.role == "reference" and (one.sure or one.reason.startswith(BY_HEADING))


def refuse_sources(result: Found, given: Collection[str]) -> None:
    """Add a problem for each file that was given as reference, and has texts that are like the outputs beside others that are
    not: all would be references."""
    for file in given:
        own = [item for item in _outputs(result.items) if item.file == file]
        outputs = _outputs(result.items, file)
        like = {item.name: max(likeness.shared(item, one) for one in outputs) for item in own if outputs}
        most = max(like.values(), default=0.0)
        unlike = [name for name, share in like.items() if share * UNLIKE < most and most >= likeness.SHARED]
        if unlike:
            message = f"Of its texts only {listed(set(like) - {*unlike})} is like the outputs, not {listed(unlike)}."
            none = " ".join(shlex.quote(f"{name}=ignored") for name in unlike)
            fix = f"All would be references. If {listed(unlike)} is none: --columns {none}."
            result.problems.append(ReadError(message, file, 1, fix))


def _outputs(items: Sequence[Item], file: str = "") -> list[Item]:
    """The texts of systems in other files than this one."""
    return [item for item in items if item.role == "system" and item.kind == "text" and item.file != file]


def as_predictions(result: Found, read: ReadOne) -> dict[str, Settings]:
    """The roles by file of tables of predictions that were asked about, where these are labels such as the right ones."""
    right = [item.segments for item in result.items if item.role == "reference"]
    out = dict[str, Settings]()
    for problem in _open(result) if len(right) == 1 else ():
        name, file = _predicted(problem), str(problem.file)
        if name and _are_labels(file, name, right[0], read):
            out[file] = {"columns": f"{name}=text"}
            message = (
                f"{name} was read as labels: its cells are those of the reference, and its rows are at the same places."
            )
            result.notices.append(Notice(file, message))
    if out:  # right numbers alone would be scores
        result.items = [replace(i, kind="text", measure="") if i.role == "reference" else i for i in result.items]
    return out


def _predicted(problem: Unclear) -> str:
    """The one column that is asked about, or not used as it has words, if its heading says that it holds predictions; else ""."""
    open_ = [one.column for one in problem.claims if one.reason == WORDS or not (one.sure or one.role == "ignored")]
    said = [name for name in open_ if doubts.PREDICTED.fullmatch(name) or words.is_prediction(name)]
    return said[0] if len(open_) == len(said) == 1 else ""


def _are_labels(file: str, name: str, right: Sequence[str], read: ReadOne) -> bool:
    """Whether nearly all cells of a column are among a few right ones."""
    try:
        found = read(file, {"columns": f"{name}=text"})
    except (ReadError, OptionError):
        return False
    made = [item for item in found.items if item.role == "system"]
    return len(made) == 1 and _repeats(made, right)


def _roles(claims: Sequence[Claim], right: str) -> list[str]:
    """What to say of the columns: one is the reference, the first that may name the segments does, and none that is open,
    might be a system, or asks in words, is another."""
    others = [one for one in claims if one.column != right]
    named = [one for one in others if one.role == "question" and not _asks(one)][:1]
    gone = [
        one for one in others if one not in named and (one.role in (*OPEN, "ignored") or _asks(one) or not one.sure)
    ]
    return [
        f"{right}=reference",
        *(f"{one.column}=question" for one in named),
        *(f"{one.column}=ignored" for one in gone),
    ]


def _asks(one: Claim) -> bool:
    """Whether a column of questions holds them in words, and no ids."""
    return one.role == "question" and any(" " in cell.strip() for cell in one.cells)


def _texts(problem: Unclear, name: str, read: ReadOne) -> Sequence[str]:
    """The cells of a column read as the reference; () where the file cannot be read so."""
    try:
        found = read(str(problem.file), {"columns": "\n".join(_roles(problem.claims, name))})
    except (ReadError, OptionError):
        return ()
    return next((item.segments for item in found.items if item.role == "reference"), ())


def _repeats(outputs: Sequence[Item], right: Sequence[str]) -> bool:
    """Whether a few right words come again and again, and nearly all cells of each output are among them."""
    known = {cell.strip() for cell in right}
    few = 1 < len(known) <= MOST_LABELS and TIMES * len(known) <= len(right)
    return few and all(
        sum(cell.strip() in known for cell in item.segments) >= SAME * len(item.segments) for item in outputs
    )


def _ask(problem: Unclear) -> None:
    """Ask which column of a file that was given as reference it is: none is a system."""
    guessed = [one.column for one in problem.claims if one.role == "reference"]
    texts = [one.column for one in problem.claims if one.role in ("system", "text")]
    likely = next(iter([*guessed, *reversed(texts)]), "")
    if not likely:
        return
    others = [name for name in (*guessed, *texts) if name != likely]
    problem.claims = tuple(_no_system(one, likely) for one in problem.claims)
    problem.why = "Which of its columns is the reference?"
    instead = f" (or {listed(others)} in place of it)" if others else ""
    problem.fix = f"Say it: --columns {shlex.quote(f'{likely}=reference')}{instead}."


def _confirm(problem: Unclear, outputs: Sequence[Item], read: ReadOne) -> None:
    """Let a command confirm the one column that may be the reference of the outputs in other files: the only guess in a file
    without systems, or the one that its heading calls expected, and that alone is like the outputs."""
    guessed = [one.column for one in problem.claims if one.role == "reference"]
    alone = len(guessed) == 1 and not problem.plan and {one.role for one in problem.claims}.isdisjoint(RIVALS)
    right = guessed[0] if alone else "" if guessed else _expected(problem, outputs, read)
    if right and _texts(problem, right, read):
        if not alone:
            problem.claims = tuple(_no_system(one, right) for one in problem.claims)
            problem.why = f"Is {right} the reference of the outputs in other files?"
        parts = " ".join(map(shlex.quote, _roles(problem.claims, right)))
        problem.fix = f"{CONFIRM} --columns {parts}. If not, give other roles."


def _expected(problem: Unclear, outputs: Sequence[Item], read: ReadOne) -> str:
    """The only column that its heading calls expected, gold and the like, where it alone is like the outputs; else ""."""
    tried = [one.column for one in problem.claims if one.role in OF_TEXTS][:MOST_CANDIDATES]
    named = list(filter(EXPECTED.search, tried))
    like = _alike_outputs(problem, tried, outputs, read) if len(named) == 1 else []
    return named[0] if like and like == named else ""


def _no_system(one: Claim, likely: str) -> Claim:
    """The claim on a column of a file that was given as reference."""
    if one.column == likely:
        return replace(one, role="reference", reason="only a guess", basis="guess")
    return replace(one, role="ignored", reason="beside the reference") if one.role in ("system", "text") else one


def merged(options: Mapping[str, Value], more: Settings) -> Settings:
    """The options with further roles of columns; what somebody said stays."""
    lines = [line for one in (options, more) for line in str(one.get("columns") or "").split("\n") if line.strip()]
    return {**options, "columns": "\n".join(lines)}
