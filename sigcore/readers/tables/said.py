"""What the user, or the layout of a known program, says about the columns of a table: ids, systems, scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Literal

from sigcore.errors import OptionError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import PARTS_OF_TABLES, Found, Notice, Options, Part, options_of
from sigcore.readers.tables import gridded, long, numbers, outcomes, plan, summary_rows, unnamed
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import UNNAMED, Absent, Table
from sigcore.registry import Option
from sigcore.types import BETTER as BETTERS
from sigcore.types import Better, Value

JOINED = ", "  # between the names of a combination that is a system
WINNERS = ("first", "second", "tie")  # of two systems in a row: inconsistent=tie
MISSING = "missing"  # what a word means that stands for no score: ERROR=missing
ROWS: tuple[str, Part] = ("rows", "system")  # the table has to be turned
RUNS: tuple[str, Part] = ("rows", "run")  # rows of one system and question are its runs
Declared = Better | Literal[""]

BETTER = Option(
    "better",
    "automatic",
    choices=("automatic", "higher", "lower"),
    help="Whether higher or lower scores are better; automatic: by the program or the name of the scores, and reported.",
)
FIELDS = (*options_of("fields"), BETTER)
NAMED: tuple[Part, ...] = ("run", "task", "category", "cluster", "label")  # with an option of their own
# The heading of the vocabulary for a column with this role.
HEADINGS: Mapping[Part, str] = {
    "run": "run", "task": "task", "category": "domain", "cluster": "document", "document": "document", "text": "output text",
    "reference": "reference", "source": "source", "label": "human label", "measure": "metric",
}  # fmt: skip
# Beside the scores that were named, only these columns are used; judges and the like belong to ratings.
BESIDE: tuple[Meaning, ...] = ("document", "domain", "judge", "measure", "dimension", "rating type", "source language", "target language", "run", "task", "reference", "source", "category")  # fmt: skip


@dataclass(frozen=True)
class Said:
    """The headings of the columns that name segments and systems and that hold scores; () and "" where nothing is said.

    `cells` are words that mean a number. `one_system` says that the scores are measures of one system, not rivals.
    """

    segment: tuple[str, ...] = ()
    system: str = ""
    scores: tuple[str, ...] = ()
    better: Declared = ""
    columns: tuple[tuple[str, Part], ...] = ()
    cells: tuple[tuple[str, str], ...] = ()
    one_system: bool = False

    def __bool__(self) -> bool:
        return bool(self.segment or self.system or self.scores or self.columns)

    @property
    def parts(self) -> dict[str, Part]:
        """The roles by heading, as they were said."""
        named: dict[str, Part] = {
            **dict.fromkeys(self.segment, "question"),
            **({self.system: "system"} if self.system else {}),
        }
        return {**dict(self.columns), **named}

    @property
    def rows(self) -> bool:
        """Whether each row is a system, and each column a question."""
        return ROWS in self.columns

    def in_columns(self, table: Table) -> bool:
        """Whether several systems are columns that somebody named."""
        return bool(self.scores) and not (self.system or self.one_system or table.where("system"))

    def called(self, role: Part) -> list[str]:
        """The headings, or measures, that have this role."""
        return [name for name, part in self.columns if part == role]

    def without_rows(self) -> Said:
        """The same about a table that was turned, which is of one measure."""
        rest = (one for one in self.columns if one != ROWS and one[1] not in ("measure", "ignored"))
        return replace(self, columns=tuple(rest))

    def roles(self, table: Table) -> dict[str, Part]:
        """The role of each heading that is named.

        Raises: ReadError for a column that the table does not have.
        """
        named: list[tuple[str, Part]] = [*((name, "question") for name in self.segment), *self.columns]
        named += [(self.system, "system")] if self.system else []
        several = len(self.scores) > 1 and not self.system
        named += [(name, "system" if several else "score") for name in self.scores]
        return {table.headings[place(table, name)]: part for name, part in named}


def with_grid(table: Table, what: Said) -> tuple[Table, Said]:
    """The table with the system and the measure of each heading, where somebody named measures that are no columns but parts
    of headings (E0_UFR, E1_UFR: UFR=measure), and the same with these headings as systems.

    Raises: ReadError for a measure that no heading has.
    """
    known = {*table.headings, *map(words.normalised, table.headings)}
    named = [
        name for name, part in what.columns if part == "measure" and known.isdisjoint({name, words.normalised(name)})
    ]
    if not named:
        return table, what
    found = gridded.spread([name for name in table.headings if (name, "ignored") not in what.columns], named)
    if missing := [name for name in named if name not in {measure for _, measure in found.values()}]:
        raise plan.unclear(table, f"It has no column {missing[0]!r}, and no heading of a system and {missing[0]!r}.")
    columns = [one for one in what.columns if one[0] not in named]
    columns += [(heading, "system") for heading in found]
    return replace(table, grid=found), replace(what, columns=tuple(columns))


def said(options: Options) -> Said:
    """What the options of a reader say."""
    ids, system, scores = (str(options.get(name) or "") for name in ("id_field", "system_field", "score_field"))
    better: Declared = next((word for word in BETTERS if word == options.get("better")), "")
    columns = [(str(options.get(f"{part}_field") or "").strip(), part) for part in NAMED]
    columns = [*filter(itemgetter(0), columns), *map(_column, _lines(options, "columns"))]
    last = dict(columns)  # what is said again of a column that is compared counts
    columns = [one for one in columns if {one[1], last[one[0]]} - {"system", "score", "text"} or last[one[0]] == one[1]]
    return Said(
        _cut(ids), system.strip(), _cut(scores), better, tuple(columns), tuple(map(_cell, _lines(options, "cells")))
    )


SINGLE = ("system_field", *(f"{part}_field" for part in NAMED))  # options with one heading
LISTED = ("id_field", "score_field")  # and with several, separated by commas


def named(options: Options) -> list[str]:
    """The headings of all columns of which the options of a reader say something."""
    found = [name for name, _ in map(_column, _lines(options, "columns")) if name != ROWS[0]]
    found += [name for option in LISTED for name in listed_in(options, option)]
    return list(dict.fromkeys([*found, *filter(None, (str(options.get(option) or "").strip() for option in SINGLE))]))


def segments(options: Options) -> list[str]:
    """The headings of which the options say that they name the segments."""
    told = [name for name, part in map(_column, _lines(options, "columns")) if part == "question"]
    return [*listed_in(options, "id_field"), *told]


def without(options: Options, gone: Iterable[str]) -> dict[str, Value]:
    """The options without what they say of these columns."""
    dropped = {*gone}
    lines = [line for line in _lines(options, "columns") if _column(line)[0] not in dropped]
    out: dict[str, Value] = {**options, **({"columns": "\n".join(lines)} if "columns" in options else {})}
    for option in LISTED:
        if option in options:
            out[option] = ",".join(name for name in listed_in(options, option) if name not in dropped)
    return out | {option: "" for option in SINGLE if str(options.get(option) or "").strip() in dropped}


def _lines(options: Options, name: str) -> list[str]:
    """What an option says, a line each."""
    return [line for line in str(options.get(name) or "").split("\n") if line.strip()]


def _cell(text: str) -> tuple[str, str]:
    """The word and its number in WORD=NUMBER.

    Raises: OptionError for a text without a number.
    """
    word, _, number = (part.strip() for part in text.rpartition("="))
    if not word or not (numbers.is_number(number) or number.lower() in (MISSING, *WINNERS)):
        fix = f"Write WORD=NUMBER, such as A=1; the number may be 1, 0 or 0.5. {MISSING} says that there is no score, and "
        fix += f"{listed(WINNERS)} say who won."
        raise OptionError(f"{text!r} does not say what a word means as a score.", "", fix)
    return numbers.word(word), "" if number.lower() == MISSING else number.lower()


def with_words(table: Table, what: Said, columns: Sequence[int]) -> Table:
    """The table with the meanings that somebody gave for the words in these columns."""
    known = dict(what.cells)
    if not known:
        return table
    rows = [
        [known.get(numbers.word(cell), cell) if k in columns else cell for k, cell in enumerate(row)]
        for row in table.rows
    ]
    return replace(table, rows=rows)


def with_cells(table: Table, what: Said) -> Table:
    """The table with numbers, or empty cells, for the words that somebody said mean these, in columns of scores."""
    known, changed = dict(what.cells), dict[int, tuple[str, ...]]()
    named = summary_rows.names_of(table, what.parts)
    for k in (k for k in range(len(table.headings)) if known and k not in named):
        cells = tuple(outcomes.with_word(cell, known) for cell in table.column(k))
        if all(numbers.is_number(cell) or numbers.is_missing(cell) for cell in set(cells)) and any(
            map(str.strip, cells)
        ):
            changed[k] = cells
    if not changed:
        return table
    columns = [changed.get(k) or table.column(k) for k in range(len(table.headings))]
    return replace(table, rows=list(zip(*columns, strict=True)))


def said_columns(texts: Iterable[str]) -> dict[str, Part]:
    """The roles by heading in texts such as NAME=ROLE.

    Raises: OptionError for a text without a role that there is.
    """
    return dict(map(_column, texts))


def _column(text: str) -> tuple[str, Part]:
    """The heading and the role in NAME=ROLE.

    Raises: OptionError for a text without a role that there is.
    """
    name, _, given = text.rpartition("=")
    given = given.strip(" .,;")  # of the sentence from which a command was copied
    part = next((part for part in PARTS_OF_TABLES if part == given.lower()), None)
    if part is None or not name.strip():
        fix = f"Write NAME=ROLE with one of these roles: {', '.join(PARTS_OF_TABLES)}."
        raise OptionError(f"{text!r} does not say what a column holds.", "", fix)
    return name.strip(), part


def listed_in(options: Options, name: str) -> tuple[str, ...]:
    """The names in an option, which separates them by commas."""
    return _cut(str(options.get(name) or ""))


def _cut(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def place(table: Table, heading: str) -> int:
    """The column with this heading, written in any case; without headings, `column 3` is the third of any file.

    Raises: ReadError that shows the columns if there is none.
    """
    nameless = UNNAMED.search(f" {heading}") is not None
    exact = [k for k, own in enumerate(table.headings) if own == heading or (nameless and own.endswith(f" {heading}"))]
    alike = [k for k, own in enumerate(table.headings) if words.normalised(own) == words.normalised(heading)]
    # what a program writes before its headings is not shown: INPUT:system_a
    bare = heading.partition(":")[2]
    exact = exact or alike or [k for k, own in enumerate(table.headings) if bare and own == bare]
    if exact:
        return exact[0]
    raise Absent(table, heading, plan.unclear(table, "").claims)


Column = tuple[str, tuple[str, ...]]  # a heading and its cells


def applied(table: Table, what: Said, result: Found, system: str = "") -> Table:
    """The table with the columns that were named under the headings of the vocabulary.

    If scores are named, no other values are used. If one column of scores is named and none of systems, all rows are of
    one system: `system`, or the file. Every column that is not used is reported.
    Raises: ReadError for a column that the table does not have, or a score that is not a number.
    """
    table, what = _joint(table, what, result)
    what = _resolved(table, what)
    table = _renamed(table, what, result)
    system_of = (what.system,) if what.system else ()
    ids, own, scores = ([place(table, name) for name in said] for said in (what.segment, system_of, what.scores))
    ids = ids or (_asked(table, own or table.where("system")[:1]) if scores else [])
    ids = ids or (unnamed.paired_runs(table, result) if what.in_columns(table) else [])
    _refuse(table, what, own, scores, ids)
    values = _beside(table, what, {*ids, *own, *scores}, result)
    values += _named(table, scores, what)
    segments = _segments(table, ids, values, bool(scores))
    columns = [*_systems(table, own, values, system, what.one_system or len(scores) == 1), *segments, *values]
    rows = list(zip(*(cells for _, cells in columns), strict=True))
    headings, numbered = [name for name, _ in columns], bool(segments) and not ids
    basis: Literal["said", ""] = "said" if what.scores else ""
    return replace(table, headings=headings, rows=rows, numbered=numbered, basis=basis)


def _refuse(table: Table, what: Said, own: Sequence[int], scores: Sequence[int], ids: Sequence[int]) -> None:
    """Raise ReadError where the columns that were named have no questions, sums of them, or labels that are called scores."""
    long.refuse_nameless(table, own, scores, ids)
    unnamed.refuse_sums(table, ids)
    outcomes.refuse_labels(table, scores, {part for _, part in what.columns})


def _named(table: Table, scores: Sequence[int], what: Said) -> Iterator[Column]:
    """The columns that were named as scores or as systems, each below its heading.

    Raises: ReadError for a score that is not a number.
    """
    written = _outputs(table, scores, what)
    # the one output that was named is that of the file's system
    alone = len(scores) == 1 and bool(written)
    cells = (table.column(k) if k in written else outcomes.as_scores(table, k, dict(what.cells)) for k in scores)
    return zip([HEADINGS["text"]] if alone else _headings(table, scores), cells, strict=True)


def _joint(table: Table, what: Said, result: Found) -> tuple[Table, Said]:
    """The table with one name for each combination, where several columns of names were called systems beside questions that
    come again and scores: a retriever and a model are tried together."""
    parts: dict[Part, list[int]] = {}
    for name, part in what.columns:
        parts.setdefault(part, []).append(place(table, name))
    both, asked = parts.get("system", []), parts.get("question", [])
    if what.system or len(both) < 2 or "score" not in parts or not asked or table.differ(asked):
        return table, what
    if all(map(table.numeric, both)) or not all(_names_systems(table, k, numbered=True) for k in both):
        return table, what
    heading = " + ".join(table.named(both))
    cells = (JOINED.join(map(str.strip, row)) for row in zip(*map(table.column, both), strict=True))
    result.notices.append(Notice(table.file, f"{listed(table.named(both))} name the systems together."))
    columns = tuple(one for one in what.columns if one[1] != "system")
    table = table.beside([heading], ([[cell]] for cell in cells))
    return table, replace(what, columns=columns, system=heading)


def _resolved(table: Table, what: Said) -> Said:
    """The same with the roles of single columns sorted in: questions, systems and scores.

    One column of short names that is called a system names the system of each row; others are the systems themselves.
    Raises: ReadError for a column that the table does not have.
    """
    parts: dict[Part, list[str]] = {}
    for name, part in what.columns:
        parts.setdefault(part, []).append(table.headings[place(table, name)])
    systems = parts.get("system", [])
    if _are_named(table, what, parts):
        what, systems = replace(what, system=systems[0]), []
    segment = (*what.segment, *parts.get("question", ()))
    if "score" in parts and not (systems or what.scores):
        what = replace(what, one_system=True)
    return replace(what, segment=segment, scores=(*what.scores, *systems, *parts.get("score", ())))


def _are_named(table: Table, what: Said, parts: Mapping[Part, Sequence[str]]) -> bool:
    """Whether one column that is called a system names the system of each row, and has no labels as what is right has."""
    systems, gold = ([place(table, name) for name in parts.get(part, ())] for part in ("system", "reference"))
    if len(systems) != 1 or what.system:
        return False
    # beside questions and what is compared, numbers that come again are names
    numbered = "question" in parts and ("score" in parts or {"reference", "text"} <= parts.keys())
    asked = [place(table, name) for name in parts.get("question", ())]
    again = numbered and not table.differ(asked)  # so several systems answered a question, however few names come again
    named = "score" in parts and unnamed.are_names(table, systems[0])  # words beside scores, however few rows each has
    labels = not {"score", "text"} & parts.keys() and outcomes.are_answers(table, systems, gold)
    return not labels and (again or named or _names_systems(table, systems[0], numbered))


def _names_systems(table: Table, k: int, numbered: bool) -> bool:
    """Whether a column holds short names, each in several rows; `numbered`: whole numbers may be names, too. A setting, such as
    a temperature, is no score, so its numbers are names."""
    cells = table.column(k)
    setting = words.is_field(table.headings[k])
    return 2 * len(set(cells)) <= len(cells) and (
        not table.numeric(k) or setting or (numbered and all(map(str.isdigit, set(cells))))
    )


NAMED_ONCE: tuple[Meaning, ...] = ("source", "text", "run")


def _named_again(table: Table, parts: Mapping[int, Part]) -> list[int]:
    """The columns that would have the role of another one, which somebody named: Source may then say where a text is from, Text be
    what several systems read, and Run ID say when a trial was made."""
    once = [role for role in NAMED_ONCE if role in parts.values()]
    return [k for k in table.where(*once) if k not in parts] if once else []


def _renamed(table: Table, what: Said, result: Found) -> Table:
    """The table with the columns of other roles below the headings of the vocabulary, without those to ignore."""
    parts = {place(table, name): part for name, part in what.columns}
    one = [k for k, part in parts.items() if part == "run" and len(table.column(k).counts) == 1]
    dropped = one + [k for k, part in parts.items() if part in ("ignored", "weight")]
    dropped += unnamed.other_metric(table, what.scores, parts)
    dropped += _named_again(table, parts)
    if dropped:
        result.notices.append(Notice(table.file, f"Columns that are not used: {listed(table.named(dropped))}."))
    named = [HEADINGS.get(parts[k], name) if k in parts else name for k, name in enumerate(table.headings)]
    return replace(table, headings=named).without(dropped)


def _beside(table: Table, what: Said, named: set[int], result: Found) -> list[Column]:
    """The columns that are used although they were not named; the others are reported."""
    others = [k for k in range(len(table.headings)) if k not in named]
    kept = [k for k in others if _stays(table, k, what)]
    unused = [table.headings[k] for k in others if k not in kept]
    if unused:
        result.notices.append(Notice(table.file, f"Columns that are not used: {listed(unused)}."))
    return [(table.headings[k], table.column(k)) for k in kept]


def _asked(table: Table, system: Sequence[int]) -> list[int]:
    """The column of items, questions and the like that tells the rows of a system apart, where no other names segments."""
    if table.where("segment"):
        return []
    several = bool(system) and bool(table.where("judge", "run"))  # who judged, or the run, tells the rows of one apart
    with_run = [*system, *table.where("run")[:1]]
    found = [k for k in table.where("perhaps segment") if several or table.differ([*with_run, k])][:1]
    # a document that tells the rows of a system apart is what was asked
    documents = [k for k in table.where("document")[:1] if system and table.differ([*system, k])]
    return found or long.named_ids(table, system) or documents


def _outputs(table: Table, columns: Sequence[int], what: Said) -> list[int]:
    """The columns of systems that hold texts: beside a reference also a few words that come again, but no numbers, unless it
    holds the same few, and none where somebody says what was measured."""
    systems = [place(table, name) for name, part in what.columns if part == "system"]
    right = table.where("reference") if "reference" in dict(what.columns).values() else []
    gold = bool(table.where("reference")) and not table.grid
    texts = [
        k
        for k in columns
        if k in systems
        and (outcomes.are_labels(table, k, right) or not numbers.mostly_numbers(_cells(table.column(k), what)))
    ]
    scored = numbers.ALL_OUTCOMES if not gold else {}
    return [
        k for k in texts if not numbers.truths(table.column(k), scored) and (gold or not numbers.marks(table.column(k)))
    ]


def _cells(column: Sequence[str], what: Said) -> list[str]:
    """The cells with the numbers that somebody gave for words."""
    known = dict(what.cells)
    return [known.get(numbers.word(cell), cell) for cell in column]


def _has(columns: Iterable[Column], means: Meaning) -> bool:
    return any(words.meaning(name) == means for name, _ in columns)


def _segments(table: Table, ids: Sequence[int], values: Sequence[Column], scored: bool) -> list[Column]:
    """The column of ids that were named; of numbers, if a table of scores has none; else none."""
    if ids:
        return [("segment", tuple(names.of_segment(row[k] for k in ids) for row in table.rows))]
    if not scored or _has(values, "segment"):
        return []
    return [("segment", tuple(str(i) for i in range(1, len(table.rows) + 1)))]


def _systems(table: Table, own: Sequence[int], values: Sequence[Column], system: str, one: bool) -> list[Column]:
    """The column of systems that was named; of the one system that all rows are about; else none."""
    if own:
        return [("system", table.column(own[0]))]
    if not (system or one) or _has(values, "system"):
        return []
    return [("system", (system or names.measure_in_name(table.file)[1],) * len(table.rows))]


def _stays(table: Table, k: int, what: Said) -> bool:
    """Whether a column that was not named is still used; not numbers of judges or runs that would compete with systems in columns."""
    means = words.meaning(table.headings[k])
    named = (what.segment and means in ("segment", "perhaps segment")) or (what.system and means == "system")
    if table.headings[k] == HEADINGS["label"]:
        return True
    # beside outputs that were named, a text is what is right by its heading alone: Gold standard
    texts = not all(outcomes.is_numeric(table, place(table, name)) for name in what.scores)
    right = texts and table.gold[:1] == [k] and not table.where("reference")
    if _would_compete(table, k, what):
        return False
    return not named and (not what.scores or right or means in (*BESIDE, "segment", "system"))


def _would_compete(table: Table, k: int, what: Said) -> bool:
    """Whether a column that nobody named would be a rival: of systems in columns, or of the output of the file."""
    means = words.meaning(table.headings[k])
    parts = {part for _, part in what.columns}
    if means is None and "text" in parts and (table.numeric(k) or "reference" in parts):
        return True
    return what.in_columns(table) and unnamed.would_compete(table, means)


def _headings(table: Table, columns: Sequence[int]) -> list[str]:
    """The headings of the scores; one that would be read as something else becomes score."""
    shown = list[str]()
    for k in columns:
        heading = table.headings[k]
        fits = words.role(heading) == "system" and words.meaning(heading) in (None, "score", "rated")
        other = f"{heading} score" if len(columns) > 1 else "score"  # the name of the file says what it is
        shown.append(heading if fits else other if other not in shown else f"{other} {len(shown) + 1}")
    return shown
