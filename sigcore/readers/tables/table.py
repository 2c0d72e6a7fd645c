"""A table without its header line: headings, what they mean, rows of cells, and the line of each row."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from sigcore.errors import ReadError
from sigcore.readers import names
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers
from sigcore.readers.tables.columns import Column, Grid
from sigcore.readers.tables.headings import Meaning
from sigcore.types import Role

OF_ROWS = re.compile(r"(?:^|[_ .-])id$", re.IGNORECASE)  # what names the rows beside systems with their measures
TARGET, LABELS = "target", ("label", "labels")
# What a model writes; not text or summary, which may be what it reads.
OUTPUT = re.compile(
    r"(?:model|system|actual)?(?:outputs?|predictions?|responses?|completions?)|pred|predict|predicted|hyp|hypothesis"
    r"|generat(?:ed\w*|ion)"
)
DIRECTED = re.compile(r"(?:is[-_ ]?)?(?:lower|higher)(?:[-_ ]?is)?[-_ ]?better", re.IGNORECASE)
EXPECTED = re.compile(r"(?:expected|gold(?:en)?|correct)[-_ ][a-z]+(?:[-_ ][a-z]+)?", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Table:
    """Headings, rows of as many cells, and the line in the file where each row starts.

    `role` is the role of all columns if there was no header, None if the headings determine it. `header`
    is what the file says beside its rows; `numbered` says that its segments have numbers here that the file does not have.
    `nested` says that its headings may be names inside names, joined by dots, `inside` that its rows stood deep inside one object.
    `basis` is "said" or "program" where somebody, or the layout of a known program, says what its columns hold.
    `measured` names the measure of its scores, where a reader computed them. `grid` has the system and the measure of
    headings, where somebody said it. `texts` are headings of which somebody said that numbers below them are texts, too: labels.
    """

    file: str
    headings: list[str]
    rows: Sequence[Sequence[str]]
    places: Sequence[int]
    role: Role | None = None
    header: Mapping[str, str] = field(default_factory=dict)
    numbered: bool = False
    nested: bool = False
    inside: bool = False
    basis: Literal["", "said", "program"] = ""
    measured: str = ""
    grid: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    texts: Collection[str] = ()

    @cached_property
    def meanings(self) -> list[Meaning | None]:
        """What each heading means; None for headings that are not in the vocabulary."""
        found = [None if self.role else words.meaning(heading) for heading in self.headings]
        return ["reference" if k in self._aimed_at else means for k, means in enumerate(found)]

    @cached_property
    def roles(self) -> list[Role]:
        """The role that each heading says."""
        found = [self.role or words.role(heading) for heading in self.headings]
        return ["reference" if k in self._aimed_at else role for k, role in enumerate(found)]

    @cached_property
    def _aimed_at(self) -> list[int]:
        """The column called target beside one that is called output or the like: it is what is right, and else an output. So is the
        one called expected, whose words others have in most rows."""
        named = list(map(words.normalised, self.headings))
        if self.role:
            return []
        right = [k for k, name in enumerate(named) if self._is_target(k, name)]
        if right and any(map(OUTPUT.fullmatch, named)):
            return right[:1]
        found = [k for k, heading in enumerate(self.headings) if EXPECTED.fullmatch(heading.strip())]
        others = any(words.role(heading) == "reference" or words.is_label(heading) for heading in self.headings)
        return found if len(found) == 1 and not others and self._agree(found[0]) else []

    def _is_target(self, k: int, name: str) -> bool:
        """Whether a column is called target, or label above texts: few words that come again may be predicted as well."""
        if name not in LABELS:
            return name == TARGET
        return not self.numeric(k) and 2 * len(self.column(k).counts) > len(self.rows)

    def _agree(self, k: int) -> bool:
        """Whether two other columns of words or more have the words of this one in most rows."""
        if self.numeric(k):
            return False
        cells = list(map(str.strip, self.column(k)))
        others = (self.column(j) for j in range(len(self.headings)) if j != k)
        equal = (sum(map(str.__eq__, cells, map(str.strip, other))) for other in others)
        return sum(2 * n > len(cells) for n in equal) > 1

    @cached_property
    def turned(self) -> list[int]:
        """The columns of numbers, where another column says of each row whether a low one is better, and both are."""
        says = [k for k, name in enumerate(self.headings) if DIRECTED.fullmatch(name.strip())]
        if not any(len(self.column(k).counts) > 1 for k in says):
            return []
        return [k for k in range(len(self.headings)) if k not in says and self.numeric(k)]

    @cached_property
    def gold(self) -> list[int]:
        """The columns whose headings name references."""
        named = enumerate(self.headings)
        return [k for k, heading in named if k in self._aimed_at or words.role(heading) == "reference"]

    @cached_property
    def crossed(self) -> dict[str, tuple[str, str]]:
        """The system and the measure of the headings of numbers, where each system comes with each measure."""
        named = [k for k in range(len(self.headings)) if self.numeric(k)]
        rest = [k for k in named if not (OF_ROWS.search(self.headings[k].strip()) and self.differ([k]))]
        return words.crossed(self.named(named)) or words.crossed(self.named(rest))

    @cached_property
    def systems_by_measure(self) -> dict[str, set[str]]:
        """The systems that headings such as A_bleu name, by their measure."""
        found: dict[str, set[str]] = {}
        for system, measure in map(words.cut, self.headings):
            found.setdefault(measure, set()).add(system)
        return found

    def kept(self, rows: Sequence[int]) -> Table:
        """The table with only these rows, in this order."""
        places = [self.places[i] for i in rows]
        if isinstance(self.rows, Grid):
            kept = Grid([Column(map(self.column(k).__getitem__, rows)) for k in range(len(self.headings))])
            return replace(self, rows=kept, places=places)
        return replace(self, rows=[self.rows[i] for i in rows], places=places)

    def without(self, columns: Container[int]) -> Table:
        """The table without these columns."""
        kept = [k for k in range(len(self.headings)) if k not in columns]
        if kept and isinstance(self.rows, Grid):
            return replace(self, headings=self.named(kept), rows=Grid([self.column(k) for k in kept]))
        return replace(self, headings=self.named(kept), rows=[[row[k] for k in kept] for row in self.rows])

    def beside(self, headings: Sequence[str], added: Iterable[Sequence[Sequence[str]]]) -> Table:
        """The table with columns below more headings, and a row for each of the lists of cells that are `added` to a row."""
        rows, places = list[Sequence[str]](), list[int]()
        for row, place, parts in zip(self.rows, self.places, added, strict=True):
            rows += [[*row, *cells] for cells in parts]
            places += [place] * len(parts)
        return replace(self, headings=[*self.headings, *headings], rows=rows, places=places)

    def renamed(self, headings: Mapping[int, str]) -> Table:
        """The table with other headings above these columns."""
        return replace(self, headings=[headings.get(k, name) for k, name in enumerate(self.headings)])

    def named(self, columns: Iterable[int]) -> list[str]:
        """The headings of these columns."""
        return [self.headings[k] for k in columns]

    def joined(self, columns: Sequence[int]) -> list[str]:
        """The cells of these columns in each row as one name: 3 of doc1, the last column first."""
        return [names.of_segment(row[k] for k in reversed(columns)) for row in self.rows]

    def numeric(self, k: int) -> bool:
        """Whether most cells of a column are numbers."""
        if k not in self._numeric:
            self._numeric[k] = numbers.mostly_numbers(self.column(k))
        return self._numeric[k]

    def column(self, k: int) -> Column:
        """The cells of a column."""
        if isinstance(self.rows, Grid):
            return self.rows.columns[k]
        if k not in self._columns:
            self._columns[k] = Column(row[k] for row in self.rows)
        return self._columns[k]

    @cached_property
    def _columns(self) -> dict[int, Column]:
        return {}

    @cached_property
    def _numeric(self) -> dict[int, bool]:
        return {}

    @cached_property
    def known(self) -> dict[str, list[int]]:
        """Columns that were looked for once, by what they hold: each column of a table asks for them again."""
        return {}

    def refuse_nameless(self, k: int, what: str, unless: str = "") -> None:
        """Raise ReadError for the first row without a name in a column, which says `what` (the system) it is about, unless it
        is ignored."""
        for line, row in zip(self.places, self.rows, strict=True):
            if not row[k].strip():
                fix = f"Fill in the column {self.headings[k]}, or leave the row out."
                fix += f"{unless}: --columns {shlex.quote(f'{self.headings[k]}=ignored')}." if unless else ""
                raise ReadError(f"A row does not name its {what}: {self.headings[k]} is empty.", self.file, line, fix)

    def where(self, *meanings: Meaning | None) -> list[int]:
        """The columns with one of these meanings, from left to right."""
        return [k for k, means in enumerate(self.meanings) if means in meanings]

    def headed(self, test: Callable[[str], object], columns: Sequence[int] | None = None) -> list[int]:
        """The columns (of these) with a heading, without outer spaces, that passes a test, from left to right."""
        places = range(len(self.headings)) if columns is None else columns
        return [k for k in places if test(self.headings[k].strip())]

    def repeats(self, k: int) -> bool:
        """Whether a cell of the column occurs twice."""
        return not self.differ([k])

    def differ(self, columns: Sequence[int]) -> bool:
        """Whether no two rows have the same cells in these columns."""
        if len(columns) == 1:
            return len(self.column(columns[0]).counts) == len(self.rows)
        return len(set(zip(*map(self.column, columns), strict=True))) == len(self.rows)
