"""What the user, or the layout of a known program, says about the columns of a table: ids, systems, scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Literal

from sigcore.errors import OptionError
from sigcore.formatting import listed
from sigcore.readers.contract import PARTS_OF_TABLES, Options, Part, options_of
from sigcore.readers.tables import gridded, numbers, outcomes, plan, summary_rows
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.columns import replaced
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import UNNAMED, Absent
from sigcore.registry import Option
from sigcore.types import BETTER as BETTERS
from sigcore.types import Better, Value

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


@dataclass(frozen=True)
class Said:
    """The headings of the columns that name segments and systems and that hold scores; () and "" where nothing is said.

    `cells` are words that mean a number. `one_system` says that the scores are measures of one system, not rivals. `texts` are
    systems whose cells somebody called texts: what is right may be in another file.
    """

    segment: tuple[str, ...] = ()
    system: str = ""
    scores: tuple[str, ...] = ()
    better: Declared = ""
    columns: tuple[tuple[str, Part], ...] = ()
    cells: tuple[tuple[str, str], ...] = ()
    one_system: bool = False
    texts: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.segment or self.system or self.scores or self.columns)

    @property
    def only_scores(self) -> bool:
        """Whether all that was said is which columns are scores, and which are not used."""
        said = {part for _, part in self.columns}
        return not self.system and bool(self.scores or "score" in said) and said <= {"score", "ignored"}

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
        rest = (one for one in self.columns if one[1] not in ("measure", "ignored", "system"))
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
    texts = _side_by_side(columns) if not system.strip() else ()
    columns = [(name, "system" if name in texts else part) for name, part in columns]
    words_of = tuple(map(_cell, _lines(options, "cells")))
    return Said(_cut(ids), system.strip(), _cut(scores), better, tuple(columns), words_of, texts=texts)


def _side_by_side(columns: Sequence[tuple[str, Part]]) -> tuple[str, ...]:
    """Several texts of which none is said to be of a system that another column names: each is of one, called by its heading."""
    texts = tuple(dict.fromkeys(name for name, part in columns if part == "text"))
    return texts if len(texts) > 1 and all(part != "system" for _, part in columns) else ()


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
    known = number.lower() in (MISSING, *WINNERS)  # an empty cell may be a tie, and is no number
    if not (known or (word and numbers.is_number(number))):
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
    known, changed = {word: means for word, means in what.cells if word}, _without_missing(table, what)
    named = summary_rows.names_of(table, what.parts)
    for k in (k for k in range(len(table.headings)) if known and k not in named):
        cells = tuple(outcomes.with_word(cell, known) for cell in table.column(k))
        if _are_scores({*cells}):
            changed[k] = cells
    return replace(table, rows=replaced(table.rows, changed)) if changed else table


def _are_scores(cells: Set[str]) -> bool:
    """Whether all cells are numbers or missing, and not all are empty."""
    return all(numbers.is_number(cell) or numbers.is_missing(cell) for cell in cells) and any(map(str.strip, cells))


def _without_missing(table: Table, what: Said) -> dict[int, tuple[str, ...]]:
    """The cells of the columns of labels by what is right, and of systems, where somebody said of some that they are missing."""
    gone = {word for word, meaning in what.cells if not meaning}
    parts = (
        {place(table, name): part for name, part in what.columns if (name, part) not in (ROWS, RUNS)} if gone else {}
    )
    labels = [k for k, part in parts.items() if part in ("reference", "system", "text")]
    return {
        k: tuple("" if numbers.word(cell) in gone else cell for cell in table.column(k))
        for k in dict.fromkeys([*labels, *(table.gold if gone else [])])
        if any(numbers.word(cell) in gone for cell in table.column(k).counts)
    }


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
