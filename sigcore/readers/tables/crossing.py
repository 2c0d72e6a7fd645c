"""Columns that cross each other, as systems and questions do: each name of one comes with each name of the other.

A category does not: a question belongs to one. So a column of short names that crosses one of ids may name the systems.
It is asked, never decided: judges, prompts and languages cross the questions, too.
"""

from __future__ import annotations

import bisect
import itertools
import re
import shlex
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers
from sigcore.readers.tables.numbers import FEWEST
from sigcore.readers.tables.table import Table

ID = re.compile(r"(?i:[_\- .]id)$|[a-z]I[dD]$|^(?i:\w{2,6}id)$")  # task_id, ArticleID, bbcid
# Ids of what a program did, other ones for each system, and of people.
OF_ROWS = pattern("crossing.of_rows")
OF_FILE = re.compile(r"record|row", re.IGNORECASE)  # these the systems have in common
# Other headings of what names rows.
NUMBERED = re.compile(r"nr|no\.?|utt(?:erance)?|item|row|test[-_ ]?case|record|ticket|case", re.IGNORECASE)
# Headings of what has several questions, turns or sentences, where short names stand below them.
PARENT = re.compile(r"(?:dialog(?:ue)?|conversation|thread|chat|story|article|passage|paragraph)s?", re.IGNORECASE)
MOST_NAMES, LONGEST_NAME = 100, 60
CROSSED = 0.75  # of all pairs of a system and a question, at least what a table has
# Names of the parts of data that a program learns from, and is tried on.
SPLIT = pattern("crossing.split")
MOST_PAIRS = 20  # of columns that are looked at: each takes a pass over the rows
MOST_TASKS = 10  # more names than that are of people or of repetitions


@dataclass(frozen=True)
class Crossing:
    """The columns that may name the system and the question of each row, and what tells rows of both apart (or None)."""

    system: int
    question: int
    other: int | None = None


def found(table: Table, scores: Sequence[int]) -> Crossing | None:
    """The likeliest columns of systems and questions in a table that names no system; None without them."""
    named = sorted(_named(table, scores), key=lambda k: not names.says_system(table.headings[k]))
    both = itertools.islice(_pairs(table, named, list(_asked(table, scores))), MOST_PAIRS)
    pairs = [(s, q) for s, q in both if crossed(table, s, q)] or _on_tasks(table, named)
    apart = ((s, q, _apart(table, s, q, scores)) for s, q in pairs)
    told = [Crossing(s, q, rest[0] if rest else None) for s, q, rest in apart if rest is not None]
    # a heading that says system is the better reason, then fewer columns
    said = {k for k in named if names.says_system(table.headings[k])}
    return min(told, key=lambda one: (one.system not in said, one.other is not None), default=None)


def _pairs(table: Table, named: Sequence[int], asked: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Columns of names with each of questions; what says system is tried on these, and is none beside names that do not."""
    return ((s, q) for s in named for q in asked if s != q and (says(table, s) or not says(table, q)))


def says(table: Table, k: int) -> bool:
    """Whether a heading is usual above names of systems, and no id: model_id may name what a model did."""
    return names.says_system(table.headings[k]) and not ID.search(table.headings[k])


def _on_tasks(table: Table, named: Sequence[int]) -> list[tuple[int, int]]:
    """The columns below headings of systems that cross tasks or domains: data sets may be the questions where nothing else is."""
    tasks = [k for k in table.where("task", "domain") if len(table.column(k).counts) >= FEWEST]
    said = [k for k in named if says(table, k)]
    return [(s, q) for s in said for q in tasks if _share(table, s, q) >= CROSSED]


def _named(table: Table, scores: Sequence[int]) -> Iterator[int]:
    """The columns of a few short names that come again, below a heading that is not known for something else."""
    for k, heading in enumerate(table.headings):
        own = table.column(k).counts
        # an id is no score, but one that crosses the questions (backend_id) may well name the systems
        logged = words.is_field(heading) and not ID.search(heading)
        other = table.meanings[k] not in (None, "run", "rating type") or words.is_personal(heading) or logged
        other = other or words.NUMBER.search(heading) is not None  # calls 1: of a list
        short = 1 < len(own) <= MOST_NAMES and 2 * len(own) <= len(table.rows) and max(map(len, own)) <= LONGEST_NAME
        named = not table.numeric(k) and all(map(str.strip, own)) and not are_splits(own)
        if k not in scores and not other and short and named:
            yield k


def are_splits(names: Iterable[str]) -> bool:
    """Whether all names are of parts of data (train, valid), on which one system has several scores."""
    return all(SPLIT.fullmatch(name.strip()) for name in names)


def _asked(table: Table, scores: Sequence[int]) -> Iterator[int]:
    """The columns that may name questions that come again: ids first, then other columns with many values."""
    known = table.where("segment", "perhaps segment", "document", "run")
    places = [k for k in range(len(table.headings)) if k not in scores and table.repeats(k)]
    ids = [k for k in places if ID.search(table.headings[k]) or k in known]
    texts = [k for k in places if k not in ids and table.meanings[k] is None and not table.numeric(k)]
    return (k for k in (*ids, *texts) if len(table.column(k).counts) >= FEWEST)


def crossed(table: Table, system: int, question: int) -> bool:
    """Whether most pairs of a name in one column and a name in another occur, and there are more of the latter."""
    systems, questions = table.column(system), table.column(question)
    one, other = map(names.says_system, table.named([system, question]))
    if len(systems.counts) >= len(questions.counts) + (one and not other):  # as many as questions, then
        return False
    return _share(table, system, question) >= CROSSED


def _share(table: Table, system: int, question: int) -> float:
    """The share of all pairs of a name in one column and one in the other that occur."""
    systems, questions = table.column(system), table.column(question)
    return len(set(zip(systems, questions, strict=True))) / (len(systems.counts) * len(questions.counts))


def _apart(table: Table, system: int, question: int, scores: Sequence[int]) -> list[int] | None:
    """The column that tells rows of one system and question apart, [] where none is needed, None where none does."""
    if table.differ([system, question]):
        return []
    rest = [k for k in range(len(table.headings)) if k not in (system, question, *scores)]
    few = [k for k in rest if 2 * len(table.column(k).counts) <= len(table.rows)]
    told = [k for k in few if table.differ([system, question, k])]
    return told[:1] or None


GLUE = re.compile(r"[_\-:/|#]+")  # between a system and a segment, in ids such as bart_14783141
STRONG = re.compile(r"__+|[|#:/]+")  # beside which - and _ belong to names
LETTERED = re.compile(r"(\d+)([A-Za-z])")  # 1A, 1B: the letter may be the system
HEARD = re.compile(r"stimul(?:us|i)|clips?|recordings?|sounds?|trials?", re.IGNORECASE)  # what people rate, by systems
LEAST_GLUED = 3  # segments that each system has
LEAST_PARTS = 2  # of a name of a file of which one may be left out


MOST_STARTS = 3  # ids of which one has all names
MOST_ENDS, ENDED = 20, re.compile(r".*\d").fullmatch  # names that are ends of ids behind a digit: 57_0claude, 57_0gpt4


def apart(name: str) -> str:
    """What to do about ids below a heading that join a system and a segment."""
    said = shlex.quote(f"{name}=joined")
    return f"If so, say it: --columns {said}. Or write both in columns of their own, headed system and segment."


def glued(table: Table, cuts: Sequence[re.Pattern[str]] = (GLUE, STRONG)) -> tuple[str, str]:
    """What is said of a table whose ids join a name and a segment, each name with the same segments, or below a heading that says
    system (system_id: bart_14783141), and what to do about it; ("", "") for others."""
    found = glued_in(table, cuts)
    return joins(table.headings[found[0]], found[1]) if found else ("", "")


def joins(name: str, systems: Sequence[str]) -> tuple[str, str]:
    """What is said of ids below a heading that join one of these systems and a segment, and what to do about it."""
    return f"The ids below {name} seem to join a system ({listed(systems)}) and a segment.", apart(name)


def glued_in(table: Table, cuts: Sequence[re.Pattern[str]]) -> tuple[int, list[str]] | None:
    """The column of the ids of which `glued` tells, and the systems in them; None where it tells of none."""
    ids = [
        k
        for k, name in enumerate(table.headings)
        if table.meanings[k] == "segment" or ID.search(name) or says_both(name)
    ]
    files = [*of_files(table), *table.headed(HEARD.fullmatch)]
    systems = table.where("system")
    open_ = dict.fromkeys([*files, *([] if systems else ids)])
    for k in () if any(len(table.column(one).counts) > 1 for one in systems) else open_:
        if both := both_of(table, k, (GLUE, STRONG) if k in files else cuts):
            return k, list(dict.fromkeys(system for system, _ in both.values()))
    return None


ENDING = re.compile(r"\.(?:wav|mp3|flac|ogg|opus|m4a|mp4|webm|png|jpe?g|webp|gif)$", re.IGNORECASE)
FILE = re.compile(rf"\S+{ENDING.pattern}", re.IGNORECASE)


def of_files(table: Table) -> list[int]:
    """The columns of names of recordings or pictures, where no other column may name what was asked."""
    first = table.rows[0] if table.rows else []
    own = {k: table.column(k).counts for k, cell in enumerate(first) if FILE.fullmatch(cell.strip())}
    files = [
        k
        for k, cells in own.items()
        if len(cells) >= 2 * LEAST_GLUED and all(map(FILE.fullmatch, map(str.strip, cells)))
    ]
    others = {*table.where("segment", "perhaps segment", "document"), *table.headed(ID.search)}
    return [] if others.difference(files) else files


def both_of(
    table: Table, k: int, cuts: Sequence[re.Pattern[str]] = (GLUE, STRONG), said: bool = False
) -> dict[str, tuple[str, str]]:
    """The system and the segment of each id in a column; {} where they do not join them; `said`: somebody says they do."""
    ids = [one for one in table.column(k).counts if one.strip()]
    open_ = [both for both in _ways(ids, cuts, said) if _are_both(_segments(both))]
    found = [both for both in open_ if _are_equal(_segments(both))]
    found = found or _unmarked(ids, said or k == 0)
    found = found or (open_[:1] if said or says_both(table.headings[k]) else [])
    # names that are numbered are rather segments; else there are fewer systems: q1|gpt-4
    best = min(found, key=lambda both: (_are_numbered(_segments(both)), len(_segments(both))), default={})
    return {one: (ENDING.sub("", system), ENDING.sub("", segment)) for one, (system, segment) in best.items()}


def _unmarked(ids: Sequence[str], ends: bool) -> list[dict[str, tuple[str, str]]]:
    """The system and the segment of ids in which no mark parts them, if they may be told by their `ends`: only the first column is
    one of ids by its place. Or of names of files with a part that no two systems share."""
    return [*filter(None, (_by_ends(ids) if ends else {}, _without_part(ids)))][:1]


def _without_part(ids: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The first part of each name of a file, and the others without one: of recordings of several sentences by the same pairs of
    speakers (N13_TF1_SM1_30027.wav, B01_TF1_SM1_30010.wav) the pair is what systems share. {} for other ids."""
    cut = {one: re.split(r"[_\-]+", one.strip().rpartition(".")[0]) for one in ids if FILE.fullmatch(one.strip())}
    n = {*map(len, cut.values())}
    if len(cut) < len(ids) or len(n) != 1 or min(n) <= LEAST_PARTS:
        return {}
    ways = ({one: (own[0], "_".join(own[1:at] + own[at + 1 :])) for one, own in cut.items()} for at in range(1, min(n)))
    return next(
        (
            both
            for both in ways
            if len({*both.values()}) == len(both) and _are_equal(_segments(both)) and _are_both(_segments(both))
        ),
        {},
    )


def _are_numbered(names: Mapping[str, Set[str]]) -> bool:
    """Whether names differ in their number alone (q1, q2), and what they would have are about as many short names."""
    stems, others = {re.sub(r"\d+$", "", name) for name in names}, set[str]().union(*names.values())
    return len(stems) == 1 and len(others) <= ABOUT * len(names) and max(map(len, others)) <= SHORT


ABOUT, SHORT = 3, 30  # times as many, and characters


def _ways(ids: Sequence[str], cuts: Sequence[re.Pattern[str]], said: bool) -> list[dict[str, tuple[str, str]]]:
    """The ids cut at their last and first marks, and turned where a strong one, or somebody, says that the system may be last."""
    ways = list(itertools.product((True, False), cuts))
    cut = [_cut(ids, *how) for how in ways]
    first = any(_are_both(names := _segments(both)) and _are_equal(names) for both in cut)
    last = first or said or all(FILE.fullmatch(one.strip()) for one in ids)  # fan_010_dccrn.wav
    turned = [both for (_, mark), both in zip(ways, cut, strict=True) if last or mark is STRONG]
    return [*cut, *({one: (segment, system) for one, (system, segment) in both.items()} for both in turned)]


def _are_both(names: Mapping[str, set[str]]) -> bool:
    """Whether parts of ids may be names of systems, with some segments each."""
    known = 1 < len(names) <= MOST_NAMES and min(map(len, names.values())) >= LEAST_GLUED
    return known and not any(not name or name.isdigit() for name in names)


def unjoined(table: Table, k: int) -> Table:
    """The table with two columns, of systems and of segments, in place of one of ids that join both; as they are not in others.

    Raises: ReadError where they do not join them.
    """
    name, both = table.headings[k], both_of(table, k, said=True)
    if not both:
        message = f"The ids below {name} are not the same segments for each of several systems."
        raise ReadError(message, table.file, 1, "Write both in columns of their own, headed system and segment.")
    apart_ = [[[*both.get(cell, ("", ""))]] for cell in table.column(k)]
    return table.beside([f"{name}: system", f"{name}: segment"], apart_).without({k})


Both = Mapping[str, tuple[str, str]]  # the system and the segment in each id


def _segments(both: Both) -> dict[str, set[str]]:
    """The segments of each system."""
    found: dict[str, set[str]] = {}
    for system, segment in both.values():
        found.setdefault(system, set()).add(segment)
    return found


def _are_equal(names: Mapping[str, set[str]]) -> bool:
    return len({*map(frozenset, names.values())}) == 1


def _by_ends(ids: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The system and the segment of ids that end in a few names, without a mark before them; {} for others."""
    bare = [one.strip() for one in ids]
    ordered = sorted(set(bare))
    starts = dict.fromkeys(one[:at] for one in bare[:MOST_STARTS] for at in range(1, len(one)))
    found = (_cut_ends(ids, _ends(ordered, start)) for start in starts)
    return next((both for both in found if _are_whole(both)), {})


def _ends(ordered: Sequence[str], start: str) -> set[str]:
    """What follows a start in the names that have it, out of names in order, in which these stand together."""
    first = bisect.bisect_left(ordered, start)
    near = ordered[first : first + MOST_ENDS + 1]  # more than these are no systems
    return {one[len(start) :] for one in near if one.startswith(start)}


def _cut_ends(ids: Sequence[str], ends: Set[str]) -> dict[str, tuple[str, str]]:
    """The end and what is before it of ids that all have one of these names as their end; {} for others."""
    if not 1 < len(ends) <= MOST_ENDS or any("_" in end or not end[:1].isalpha() for end in ends):
        return {}
    longest = {one: max((end for end in ends if one.strip().endswith(end)), key=len, default="") for one in ids}
    if not all(longest.values()):
        return {}
    return {one: (end, one.strip().removesuffix(end)) for one, end in longest.items()}


def _are_whole(both: Both) -> bool:
    """Whether most systems have most segments, whose names end in a digit."""
    systems, segments = ({part[i] for part in both.values()} for i in range(2))
    enough = len({*both.values()}) >= CROSSED * len(systems) * len(segments)
    return enough and len(segments) >= LEAST_GLUED and all(map(ENDED, segments))


def says_both(heading: str) -> bool:
    """Whether a heading says system, and that its column names the rows: system_bbcid."""
    parts = re.split(r"[-_. ]+", heading.strip())
    return len(parts) > 1 and any(map(names.says_system, parts[:-1])) and parts[-1].lower().endswith("id")


def _cut(ids: Iterable[str], last: bool, cut: re.Pattern[str] = GLUE) -> dict[str, tuple[str, str]]:
    """The name and the segment in ids that are cut at their last or first mark; {} where one has none."""
    found: dict[str, tuple[str, str]] = {}
    for given in ids:
        bare = given.strip()
        one = LETTERED.sub(r"\2_\1", bare) if LETTERED.fullmatch(bare) else bare
        marks = list(cut.finditer(one))
        if not marks:
            return {}
        mark = marks[-1 if last else 0]
        found[given] = one[: mark.start()], one[mark.end() :]
    return found


def are_tasks(cells: Sequence[str]) -> bool:
    """Whether the names that tell rows of one question apart are a few words, as of tasks or criteria, not people or runs."""
    own = set(cells)
    return len(own) <= MOST_TASKS and not any(map(re.compile(r"[0-9@]").search, own))


def is_id(table: Table, k: int) -> bool:
    """Whether a column is called an id, or as rows are, and has another short name or whole number in each row."""
    heading, cells = table.headings[k].strip(), table.column(k)
    of_one = OF_ROWS.match(heading) is not None and OF_FILE.match(heading) is None  # of what one system did
    if of_one or not (ID.search(heading) or NUMBERED.fullmatch(heading)) or heading.lower().startswith("doc"):
        return False
    if table.meanings[k] not in (None, "perhaps segment", "document", "task") or not table.differ([k]):
        return False
    short = all(cell.strip() and len(cell) <= LONGEST_NAME and len(cell.split()) == 1 for cell in cells)
    return short and not (table.numeric(k) and numbers.scale(cells).fractions)


def is_fact(table: Table, k: int, columns: Sequence[int]) -> bool:
    """Whether all rows with one name have the same cell: a setting of a system, or the length of a question."""
    if not columns:
        return len(table.column(k).counts) == 1
    named = list(zip(*map(table.column, columns), strict=True))
    return len(set(zip(named, table.column(k), strict=True))) == len(set(named))


def is_set(table: Table, k: int, asked: Sequence[int]) -> bool:
    """Whether a column has one cell for each question, which it has in several rows: a tolerance, the length of the question."""
    return bool(asked) and is_fact(table, k, asked) and not table.differ(asked)


# Beside the answers to a question, and about it: how near they have to be, how many points there are.
SETTING = re.compile(
    r"(?:\w+[-_ ])?(?:tolerance|threshold|noise|snr|difficulty|weight|max(?:imum)?(?:[-_ ]\w+)?)", re.IGNORECASE
)
SUMMED = re.compile(r"overall|total|final|mean|average|avg", re.IGNORECASE)  # the first of several measures


def in_order(table: Table, named: Sequence[int], asked: Sequence[int]) -> list[int]:
    """The columns of measures, what sums the others up first, without settings that all systems have alike in each question."""
    last = {k: table.headings[k].rpartition(".")[2] for k in named}  # moderator.final_score
    found = sorted(named, key=lambda k: (not last[k].lower().startswith("final"), not SUMMED.match(last[k])))
    return [k for k in found if not (SETTING.fullmatch(last[k]) and is_set(table, k, asked))] or found


def name_the_same(table: Table, k: int, other: int) -> bool:
    sizes = {len(table.column(one).counts) for one in (k, other)}
    return len(sizes) == 1 and len(set(zip(table.column(k), table.column(other), strict=True))) in sizes


def parts_of(table: Table, k: int) -> tuple[Part, ...]:
    """What tells rows apart, the likeliest first: a column of a few names may be a task, a part of the system, such as a prompt, or of
    the name of the question."""
    part = told_by(table, k)
    if part != "task" or table.meanings[k] in ("measure", "task"):
        return (part,)
    data = all(map(names.PAIR.fullmatch, table.column(k).counts)) or names.names_language(table.headings[k])
    return ("task", "question") if data else ("task", "system", "question")


def told_by(table: Table, k: int) -> Part:
    """What tells rows of a system and a question apart: names of measures, tasks, or runs and judges."""
    own = table.column(k).counts
    if all(map(words.has_measure, own)):
        return "measure"
    if PARENT.fullmatch(table.headings[k].strip()):
        return "document"  # turns of a conversation belong together
    return "task" if table.meanings[k] not in ("judge", "run") and are_tasks(table.column(k)) else "run"


OF_QUESTIONS: tuple[words.Meaning, ...] = ("document", "domain", "source", "reference")


ASKED_WORDS = 3  # more are a text that was asked


def has_texts(table: Table) -> bool:
    """Whether a column has a text of its own in each row, which was asked by its heading."""
    own = [k for k in table.where("source", "perhaps segment") if table.differ([k])]
    return any(len(table.rows[0][k].split()) > ASKED_WORDS for k in own)


def refuse_own_ids(table: Table, system: int, ids: Sequence[int]) -> None:
    """Raise ReadError where nobody says what the ids are, and no two of many rows share one: then they name rows, not what several
    systems were asked."""
    systems = len(table.column(system).counts)
    if not table.basis and 1 < systems <= len(table.rows) / 2 and table.differ(ids):
        message = f"No two systems share an id below {listed(table.named(ids))}: it names rows, not what was asked."
        raise ReadError(message, table.file, 1, "Say which columns name the questions.")


def others_for_each(table: Table, used: Container[int], asked: Sequence[int]) -> list[int]:
    """The columns that would be of the questions by their headings, and differ from system to system: ids of what each did."""
    return [k for k in table.where(*OF_QUESTIONS) if k not in used and not is_fact(table, k, asked)]


IMAGE = re.compile(
    r"(?:image|img|picture|photo|video|audio|document)(?:[-_ ]?(?:path|file|name|id|url))?", re.IGNORECASE
)
MANY_WORDS = 2  # of a question, in the mean


def with_image(table: Table, asked: Sequence[int], sure: bool = False) -> list[int]:
    """The columns of a question in words, and the one of images where the same is asked about several; other columns as they are.
    `sure`: only of images that come again, since a picture of each row is none that was asked about."""
    if len(asked) != 1 or not _in_words(table.column(asked[0]).counts):
        return [*asked]
    (own,) = asked
    images = [k for k in table.headed(IMAGE.fullmatch) if k != own and not table.numeric(k)]
    both = [k for k in images if len({(row[own], row[k]) for row in table.rows}) > len(table.column(own).counts)]
    return [own, *[k for k in both if table.repeats(k) or not sure][:1]]


def _in_words(cells: Collection[str]) -> bool:
    """Whether cells have several words, in the mean."""
    return sum(len(cell.split()) for cell in cells) >= MANY_WORDS * len(cells)


def count_rows(cells: Sequence[str]) -> bool:
    """Whether cells only count the rows: 0, 1, 2, or slot 1, slot 2."""
    numbered = [re.fullmatch(r"(.*?)0*(\d{1,18})(\D*)", cell.strip(), re.DOTALL) for cell in cells]
    found = [match.groups() for match in numbered if match]
    if len(found) < max(2, len(cells)) or len({(one[0], one[2]) for one in found}) > 1:
        return False
    counted = [int(one[1]) for one in found]
    return all(b == a + 1 for a, b in itertools.pairwise(counted))


SHARED = 0.75  # the least share of all pairs of a system and a question; or of the rows, by systems with that share


def cross(table: Table, system: Sequence[int], question: Sequence[int]) -> bool:
    """Whether several systems have most questions, others few rows, and there are more questions than systems."""
    named, asked = (list(zip(*map(table.column, columns), strict=True)) for columns in (system, question))
    pairs = Counter(name for name, _ in set(zip(named, asked, strict=True)))
    questions = len(set(asked))
    if len(pairs) < 2 or (len(pairs) > questions and not _may_be_fewer(table, system, question, pairs)):
        return False
    whole = {name for name, number in pairs.items() if number >= SHARED * questions}
    rows = sum(name in whole for name in named)
    most = sum(pairs.values()) >= SHARED * len(pairs) * questions
    return most or (len(whole) > 1 and rows >= SHARED * len(named))


def _may_be_fewer(
    table: Table, system: Sequence[int], question: Sequence[int], pairs: Mapping[tuple[str, ...], int]
) -> bool:
    """Whether there may be fewer questions than systems: people, summaries of a text by their numbers, and ids that each system
    has. `pairs` are the questions of each system."""
    asked = {table.meanings[k] for k in question}
    outputs = all(table.meanings[k] == "text" for k in system)
    return asked == {"judge"} or outputs or (asked == {"segment"} and len({*pairs.values()}) == 1)


def repeats_labels(table: Table, k: int) -> bool:
    """Whether a column holds labels that stand below what is right, too: PASS and FAIL below actual and expected."""
    right = table.headed(lambda name: words.is_label(name) or words.role(name) == "reference")
    own = {*table.column(k).counts}
    return any(not own.isdisjoint(table.column(i).counts) for i in right if i != k)
