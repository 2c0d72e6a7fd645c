"""Headings that name a system and a measure, neither of them known: E0_UFR, E0_CR, E1_UFR, E1_CR. Which part is which is asked."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sigcore.formatting import count, listed
from sigcore.readers import names
from sigcore.readers.contract import Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables import crossing, evident, outcomes
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, Way, may_be_means

FEWEST = 4  # headings of two systems with two measures
MARK = r"[_\s.\-/:]+"
# at the first, at the last mark, at the last dot of a nested name, at the last _ (wav2vec2-xlsr_WER %), before brackets
CUTS = (
    re.compile(rf"(.+?){MARK}(.+)"),
    re.compile(rf"(.+){MARK}([^_\s.\-/:]+)"),
    re.compile(r"(.+)\.([^.]+)"),
    re.compile(r"(.+)_([^_]+)"),
)
SCALE = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])\s*$")
IN_BRACKETS = re.compile(r"(.+?)\s*\[([^\[\]]*[A-Za-z][^\[\]]*)\]")  # How helpful was it? [Bot A]
BRACKETS_FIRST = re.compile(r"\[([^\[\]]*[A-Za-z][^\[\]]*)\]\s*(.+?)")  # [Bot A] How helpful was it?
# Behind the name of a system: another size or kind of it, no measure.
VARIANT = pattern("gridded.variant")
SPREAD = pattern("gridded.spread")  # how far a mean spreads
SERIES = re.compile(r"[a-uw-z]\d*", re.IGNORECASE)  # s, s1, s2: a criterion and its raters
NUMBERED = re.compile(r"[A-Za-z]*[-_ ]?\d+(?:\.\d+)?[A-Za-z]?")


@dataclass(frozen=True)
class Grid:
    """The first and the second part of each heading of numbers, where each first part comes with each second one."""

    parts: Mapping[str, tuple[str, str]]

    def named(self, k: int) -> list[str]:
        """The different first (0) or second (1) parts, as they are written."""
        known = {pair[k].lower(): pair[k] for pair in reversed([*self.parts.values()])}
        return [known[name] for name in dict.fromkeys(pair[k].lower() for pair in self.parts.values())]

    @property
    def measured(self) -> int:
        """Which part is likelier the measure: the one with known measures, the one beside numbered names, else the second."""
        for k in (1, 0):
            if len(self.named(k)) == 1:
                return k
            if any(map(words.is_measure, self.named(k))):
                return k
        numbered = [all(map(NUMBERED.fullmatch, self.named(k))) for k in (0, 1)]
        return 0 if numbered == [False, True] else 1

    @property
    def people(self) -> list[str]:
        """The people that one part of all headings names, who rated one system; [] where neither part does."""
        return next((self.named(k) for k in (1, 0) if all(map(names.is_person, self.named(k)))), [])

    @property
    def question(self) -> str:
        """What is asked about the headings."""
        systems, measures = self.named(1 - self.measured), self.named(self.measured)
        if len(measures) == 1:
            rest = [name for name in systems if not DIFFERENCE.fullmatch(name)]
            return f"Is {measures[0]} a measure of {listed(rest if len(rest) > 1 else systems)}?"
        if all(map(words.is_measure, measures)):
            return f"Are {listed(measures)} measures of {listed(systems)}?"
        return f"Each of {listed(systems)} comes with each of {listed(measures)}: which are systems, and which are measures?"

    @property
    def ways(self) -> list[tuple[str, str]]:
        """What may be meant, each with the roles that say it."""
        k = self.measured
        if all(map(words.is_measure, self.named(k))) or len(self.named(k)) == 1:
            return [*self.of_people, self._without_differences(*way(self.named(k), self.named(1 - k)))]
        if self.of_spread:
            return self.of_spread
        every = " ".join(shlex.quote(f"{heading}=system") for heading in self.parts)
        if pattern_ := self._of_runs():
            runs = shlex.quote(pattern_)
            return [
                (f"{listed(self.named(1))} are runs of {listed(self.named(0))}", f"{every} --runs-from-names {runs}")
            ]
        ways = [way(self.named(one), self.named(1 - one)) for one in (k, 1 - k)]
        # a known measure beside another one makes them no rivals
        alike = not any(map(words.is_measure, self.named(k)))
        rivals = [(f"all {len(self.parts)} are systems", every)] if alike else []
        variants = any(VARIANT.fullmatch(name) and not SERIES.fullmatch(name) for name in self.named(1))
        return [*rivals, *ways] if variants else [*ways, *rivals]

    def _without_differences(self, what: str, roles: str) -> tuple[str, str]:
        """The reading of measures without the headings that name the difference of two systems: delta_cer."""
        gone = [heading for heading, parts in self.parts.items() if DIFFERENCE.fullmatch(parts[1 - self.measured])]
        rest = [name for name in self.named(1 - self.measured) if not DIFFERENCE.fullmatch(name)]
        if not gone or len(rest) < 2:
            return what, roles
        what, _ = way(self.named(self.measured), rest)
        return what, f"{roles} {shlex.join(f'{heading}=ignored' for heading in gone)}"

    def _of_runs(self) -> str:
        """The pattern of the headings where all second parts are runs (seed1, seed2): {system}_seed{run}; "" for others."""
        heads = {
            (heading[len(first) : len(heading) - len(second)], second)
            for heading, (first, second) in self.parts.items()
        }
        found = [(mark, words.RUN_NAME.fullmatch(second)) for mark, second in heads]
        named = {f"{{system}}{mark}{match[1]}{{run}}" for mark, match in found if match}
        return named.pop() if all(match for _, match in found) and len(named) == 1 else ""

    @property
    def of_spread(self) -> list[tuple[str, str]]:
        """The reading in which one of two measures says how far the other one spreads, and is no score; [] for others."""
        k = self.measured
        told = [name for name in self.named(k) if SPREAD.fullmatch(name)]
        if len(told) != 1 or len(self.named(k)) != 2:
            return []
        own = {heading: parts[k].lower() == told[0].lower() for heading, parts in self.parts.items()}
        scored = [heading for heading, is_spread in own.items() if not is_spread]
        roles = shlex.join(f"{heading}={'ignored' if is_spread else 'system'}" for heading, is_spread in own.items())
        return [(f"{told[0]} says how far each mean spreads, and {listed(scored)} are systems", roles)]

    @property
    def of_people(self) -> list[tuple[str, str]]:
        """The reading of one measure in which the numbers of people are what systems predict; [] where none are theirs."""
        said = [heading for heading, parts in self.parts.items() if PEOPLE.fullmatch(parts[1 - self.measured])]
        if len(said) != 1 or len(self.named(self.measured)) != 1:
            return []
        rest = [heading for heading in self.parts if heading not in said]
        roles = shlex.join([f"{said[0]}=reference", *(f"{heading}=system" for heading in rest)])
        return [(f"{said[0]} is what people said, and the rest are predictions of it", roles)]


DIFFERENCE = re.compile(r"delta|diff(?:erence)?s?|gain|improvement|change|Δ", re.IGNORECASE)
PEOPLE = re.compile(r"humans?|people|experts?|manual|gold|annotat(?:ors?|ed)|crowd", re.IGNORECASE)


# A row for each system, and columns for each of several test sets and measures.

FEWEST_TASKS = 5  # test sets that may count as questions
MOST_ROWS, MOST_WORDS = 30, 6  # rows that may be a system each, and words of a name


def ask_whole(table: Table, grid: Grid) -> None:
    """Raise Unclear for a few rows, each with another name, and means with known measures on several test sets: the rows are
    systems, and no questions of the test sets."""
    measures, sets = grid.named(grid.measured), grid.named(1 - grid.measured)
    known = all(map(words.is_measure, measures)) and len(sets) >= FEWEST_TASKS and may_be_means(table)
    if known and any(_names_rows(table, k) for k in range(len(table.headings))):
        what = f"Each row has {listed(measures)} of {count(len(sets), 'test set')}: {OF_SYSTEMS}"
        raise Unclear(table, what, evident.claims(table, "of a whole row of others"), _as_rows(measures))


OF_SYSTEMS = "scores of whole systems, not of segments. Tests need the scores of every segment."


def _as_rows(measures: Sequence[str], *roles: str) -> list[Way]:
    """How to say that each row is a system, and which measure on each test set counts."""
    said = ((name, shlex.join(["rows=system", *roles, f"{name}=measure"])) for name in measures)
    return [(f"each row is a system, and {name} of each test set counts", command) for name, command in said]


def _names_rows(table: Table, k: int) -> bool:
    """Whether a column has another name in each of a few rows."""
    short = all(cell.strip() and len(cell.split()) <= MOST_WORDS for cell in table.column(k).counts)
    few = 1 < len(table.rows) < MOST_ROWS and table.differ([k])
    return few and short and not (table.numeric(k) or crossing.count_rows(table.column(k)))


def ask_rows(table: Table, systems: Sequence[str], measures: Sequence[str]) -> None:
    """Raise Unclear where somebody named measures in headings, and a column of systems that has another one in each row: the
    parts of the headings would be systems beside it."""
    for name in systems if measures else ():
        if name in table.headings and _names_rows(table, table.headings.index(name)):
            claims = evident.claims(table, "of a whole row of others", {table.headings.index(name): "system"})
            what = f"{name} names another system in each row: {OF_SYSTEMS}"
            raise Unclear(table, what, claims, _as_rows(measures, f"{name}=system"))


def way(measures: Sequence[str], systems: Sequence[str]) -> tuple[str, str]:
    """The words for these measures of these systems, and the roles that say it."""
    verb = "are measures" if len(measures) > 1 else "is a measure"
    roles = " ".join(shlex.quote(f"{name}=measure") for name in measures)
    return f"{listed(measures)} {verb} of {listed(systems)}", roles


def of_people(people: Sequence[str], systems: Sequence[str]) -> list[Way]:
    """Both readings of numbers of these people below each of these systems: as their ratings, and as measures."""
    roles = shlex.join(f"{name}=judge" for name in people)
    return [(f"{listed(people)} are people who rated {listed(systems)}", roles), way(people, systems)]


def of(table: Table) -> Grid | None:
    """The grid that all headings of numbers make, without ids, fields of logs and entries of lists; None without one, and for
    a log of steps (train_loss, val_loss)."""
    if any(map(words.is_step, table.headings)):
        return None
    open_ = (k for k, means in enumerate(table.meanings) if means is None and outcomes.is_numeric(table, k))
    numeric = [table.headings[k] for k in open_ if not (crossing.is_id(table, k) or _is_no_score(table.headings[k]))]
    if (form := _of_form(numeric)) is not None:
        return form
    # beside the scores of each system with each measure may stand what comes from them: the best of all, a difference
    grid = _of_all(numeric) or _of_measures(list(filter(words.measures_in, numeric)))
    return None if grid is not None and _says_one(grid) else grid


IN_ROUND = re.compile(r"(.+?)\s*\(([^()]*[A-Za-z]{3,}[^()]*)\)")  # P@10 (Rocchio)


def of_measure(headings: Sequence[str]) -> Grid | None:
    """The grid of headings of one known measure, each with another name in brackets behind it; None for others."""
    found = {name: match for name in headings if (match := IN_ROUND.fullmatch(name.strip()))}
    grid = Grid({name: (match[1], match[2]) for name, match in found.items()})
    whole = len(found) == len(headings) == len(grid.named(1)) > 1 == len(grid.named(0))
    return grid if whole and words.is_measure(grid.named(0)[0]) else None


def _of_form(headings: Sequence[str]) -> Grid | None:
    """The grid of the headings of a form with a system in brackets; other questions have no answer for each system."""
    for cut in (IN_BRACKETS, BRACKETS_FIRST):
        answers = list(filter(cut.fullmatch, headings))
        grid = _cut(answers, cut) if len(answers) >= FEWEST else None
        if grid is not None and len(grid.named(1)) > 1:
            return grid
    return None


def _of_measures(headings: Sequence[str]) -> Grid | None:
    """The grid of headings that name known measures, several of them and of several systems; None without one."""
    grid = _of_all(headings) if len(headings) >= FEWEST else None
    if grid is None or min(len(grid.named(0)), len(grid.named(1))) < 2:
        return None
    return grid if all(map(words.is_measure, grid.named(grid.measured))) else None


UNITS = pattern("gridded.units")


def _says_one(grid: Grid) -> bool:
    """Whether what stands behind the names does not tell what these are: one word that only says score, or a unit, or they
    are measures themselves (toxicity_level, rouge-1.recall)."""
    last, first = grid.named(grid.measured), grid.named(1 - grid.measured)
    if len(last) == 1 and (UNITS.fullmatch(last[0]) or words.is_prediction(last[0])):
        return True
    # of a path, metrics.rouge-1, the last word is the name
    criteria = all(words.is_measure(name.rpartition(".")[2]) for name in first)
    return criteria if len(last) > 1 else criteria or words.is_plain(last[0])


def whole(headings: Sequence[str]) -> Grid | None:
    """The grid of all these headings, each of whose parts comes with several others, and not all of whose measures are known, or
    one of which may be of people; None where they make none."""
    grid = _of_all(headings)
    if grid is not None and grid.of_people:
        return grid
    if grid is None or min(len(grid.named(0)), len(grid.named(1))) < 2:
        return None
    known = words.crossed(headings) or any(all(map(words.is_measure, grid.named(k))) for k in (0, 1))
    return None if known else grid


def _of_all(headings: Sequence[str]) -> Grid | None:
    """The grid that all headings make, cut at their first or at their last marks, rather one with several second parts."""
    grids = list(filter(None, (_cut(headings, cut) for cut in CUTS)))
    best = max(grids, key=lambda grid: min(len(grid.named(1)), 2), default=None)
    # names of variants (A_small, A_large, B_small, B_large) are parts of the names of systems
    sizes = best is not None and all(map(VARIANT.fullmatch, best.named(1))) and not best.people
    return None if sizes else best


def _cut(headings: Sequence[str], cut: re.Pattern[str]) -> Grid | None:
    """The grid of all headings with this cut; None where not each of several first parts comes with each second one."""
    # a scale in brackets, Score A (1-5), is no part of a name
    shown = {heading: heading if cut in (IN_BRACKETS, IN_ROUND) else SCALE.sub("", heading) for heading in headings}
    matches = {heading: cut.fullmatch(one.strip()) for heading, one in shown.items()}
    grid = Grid({heading: (match[1], match[2]) for heading, match in matches.items() if match})
    pairs = {(first.lower(), second.lower()) for first, second in grid.parts.values()}
    whole = len(grid.parts) == len(pairs) == len(headings) == len(grid.named(0)) * len(grid.named(1))
    return grid if whole and len(grid.named(0)) > 1 else None


def _is_no_score(heading: str) -> bool:
    """Whether a heading is of an entry of a list, or it, or what stands behind the name of a system in it, names a field of a
    log: E0_n_claims."""
    rests = (heading[mark.end() :] for mark in re.finditer(MARK, heading))
    no_score = bool(words.NUMBER.search(heading)) or words.is_label(heading) or words.is_field(heading)
    return no_score or any(map(words.is_field, rests))


def _named_with(headings: Sequence[str], cut: str) -> dict[str, str]:
    """The system in each heading that is written in this way; a scale in brackets is no part of it."""
    bare = {name: name if cut.endswith(("]", r"\)")) else SCALE.sub("", name) for name in headings}
    found = {name: re.fullmatch(cut, one.strip(), re.IGNORECASE) for name, one in bare.items()}
    return {name: match[1] for name, match in found.items() if match}


def spread(headings: Sequence[str], measures: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The system and the measure of each heading that has one of these measures before or behind the name of a system."""
    out: dict[str, tuple[str, str]] = {}
    for measure in measures:
        own = re.escape(measure)
        for cut in (
            rf"(.+?){MARK}{own}",
            rf"{own}{MARK}(.+)",
            rf"{own}\s*\[(.+)\]",
            rf"{own}\s*\(([^()]*[A-Za-z]{{3,}}[^()]*)\)",
        ):
            if found := _named_with(headings, cut):
                out |= {name: (system, measure) for name, system in found.items()}
                break
    # what all names begin with says nothing of the systems: ratings.A.clear, ratings.B.clear
    before = {name.partition(".")[0] for name, _ in out.values() if "." in name}
    if len(before) == 1 and all("." in name for name, _ in out.values()):
        return {heading: (name.partition(".")[2], measure) for heading, (name, measure) in out.items()}
    return out


# A search of settings by scikit-learn (cv_results_) has a row for each setting, and a column for each fold and measure.
SPLIT = re.compile(r"split(\d+)_test_(\w+)")
SETTING = re.compile(r"'(?:\w+__)?(\w+)': ('[^']*'|[^,{}]+)")


def of_search(table: Table, notices: list[Notice]) -> Table:
    """The table with a row for each setting and fold, the measures side by side; another table as it is."""
    place = {match.groups(): k for k, match in enumerate(map(SPLIT.fullmatch, table.headings)) if match}
    settings = table.headed(lambda name: name.strip() == "params")
    folds, measures = (list(dict.fromkeys(pair[k] for pair in place)) for k in (0, 1))
    if len(settings) != 1 or len(folds) < 2 or len(place) != len(folds) * len(measures):
        return table
    notices.append(Notice(table.file, SEARCH))
    rows = [
        [_setting(row[settings[0]]), f"fold {fold}", *(row[place[fold, measure]] for measure in measures)]
        for row, fold in itertools.product(table.rows, folds)
    ]
    lines = [line for line, _ in itertools.product(table.places, folds)]
    return replace(table, headings=["system", "segment", *measures], rows=rows, places=lines, basis="program")


SEARCH = (
    "It was recognised as a search of scikit-learn (cv_results_): each row is a system, and each fold a question. Folds share what "
    "was trained on, so their scores vary too little: p can be too small, and intervals too short."
)


def _setting(cell: str) -> str:
    """The name of a setting: C=0.1 kernel=linear of {'clf__C': 0.1, 'clf__kernel': 'linear'}."""
    found = SETTING.findall(cell)
    return " ".join(f"{name}={value.strip().strip(chr(39))}" for name, value in found) or cell
