"""A table that is not understood: what each column was taken for, and how to say what is meant."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from sigcore.errors import Asking, ReadError, SigError
from sigcore.formatting import in_lines, listed
from sigcore.readers import names
from sigcore.readers.contract import Claim, Part
from sigcore.readers.tables import codes, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table

Way = tuple[str, str]  # a reading in words, and the roles that say it


def said_as(roles: Mapping[str, str]) -> str:
    """The roles of columns by their headings, as a command says them: item=question score=score."""
    return shlex.join(f"{name}={role}" for name, role in roles.items())


SHOWN_ROWS, SHOWN_CELL, SHOWN_COLUMNS, MOST_CROSSED = 3, 24, 30, 100
CROSSED = "a system with each measure"  # why headings such as A_bleu, B_bleu, A_ter, B_ter are systems
SAY_RUNS = "--columns rows=run"  # how somebody says that rows of one question are its runs
SAY = "a role for each column on the page Files, or with --columns"
IN_LOG, VALUE_BELOW = "beside fields of a log", "a value below"  # why numbers are scores of one system, by a program

GUESSED = "only a guess"
UNNAMED = re.compile(r" column \d+$")  # what a column without a heading is called
WHO = "WHO"  # what the user replaces by first, second, tie or missing
CONFIRM = "If that is right, confirm it:"


class Unclear(ReadError):
    """A table some of whose columns are only a guess, with what each was taken for, and its first rows.

    `ways` are the readings that are possible, where there are several: each in words, and as the roles that say it.
    `advice` is what to do in place of roles; `settled` says that no search has to find other readings.
    """

    asks = True
    spare: Sequence[Way] = ()  # other readings that were tried
    others: Sequence[Way] = ()  # those of them that are offered, too
    headings_of: Mapping[str, Sequence[str]] = MappingProxyType({})  # of each file, where a reading is of several
    outcome = ""  # what the plan would compare
    outcomes: Mapping[str, str] = MappingProxyType({})  # what each reading would compare, by its roles
    again: Callable[[], list[Way]] | None = None  # a second search, where all that the first one found is refused
    at_last: Callable[[], Unclear | None] | None = None  # a search where nothing else leads on
    last: Sequence[Way] = ()  # what it found beside other readings

    def __init__(
        self, table: Table, why: str, claims: Sequence[Claim], ways: Sequence[Way] = (), fix: str = ""
    ) -> None:
        shown = [_said(claim) for claim in claims[:SHOWN_COLUMNS]]
        self.more = f", and {len(claims) - SHOWN_COLUMNS} more" if len(claims) > SHOWN_COLUMNS else ""
        message = f"{why} Its columns, with first cells and what each was taken for: {'; '.join(shown)}{self.more}."
        means = _meanings(table, _scored(claims))
        self._right = codes.as_right(table.headings, table.column)
        ways = [_with_ids(way, claims) for way in ways] or ([] if fix else _either(table, claims, means))
        ways = [codes.with_right(way, self._right) for way in ways]
        right = codes.about_scores(self._right, [one.column for one in claims if one.role == "score"])
        super().__init__(message, table.file, 1, fix or _of_ways(ways) or _way_out(table, claims, means, right))
        self.why, self.claims, self.ways, self.advice = why, tuple(claims), tuple(ways), fix
        self.cells = tuple(f"{word}={meaning}" for word, meaning in means.items())
        self._may_be_means = may_be_means(table)

    @property
    def means(self) -> str:
        """What to load where each row may be a mean, or scores may be labels; "" where this is not, or is said already."""
        said = WHOLE in f"{self.why} {self.fix}"
        return MEANS if self._may_be_means and not said else codes.about_labels(self._right, self.fix)

    @property
    def plan(self) -> dict[str, str]:
        """The roles by column that the printed command confirms; {} where it prints none, or one that needs more words."""
        told = CONFIRM in self.fix and not any(f"={word}" in self.fix for word in ("NUMBER", WHO))
        return {claim.column: claim.role for claim in _to_confirm(self.claims)} if told else {}

    def with_plan(self, plan: Mapping[str, str]) -> Unclear:
        """The same with a command that says these roles, by column: they answer what would be asked next, too."""
        parts = " ".join(shlex.quote(f"{name}={role}") for name, role in plan.items())
        seen, cells = self.fix.partition(CONFIRM)[0], " ".join(map(shlex.quote, self.cells))
        if self.outcome:  # of another plan
            seen, self.outcome = seen.replace(f"{self.outcome} ", ""), ""
        parts += f" --cells {cells}" if cells else ""
        self.fix = f"{seen}{CONFIRM} --columns {parts}."
        return self

    def with_outcome(self, outcome: str) -> Unclear:
        """The same with what its command would compare, said before it."""
        self.outcome = f"It would compare {outcome}." if outcome else ""
        seen, said, command = self.fix.partition(CONFIRM)
        self.fix = f"{seen}{self.outcome} {said}{command}".strip() if outcome else self.fix
        return self

    def with_ways(self, ways: Sequence[Way], outcomes: Mapping[str, str] = MappingProxyType({})) -> Unclear:
        """The same with these of its ways, and what they would compare: the others would be refused."""
        self.ways = tuple(codes.with_right(way, self._right) for way in ways)
        right = {said: outcomes.get(own, "") for (_, own), (_, said) in zip(ways, self.ways, strict=True)}
        self.outcomes = {**self.outcomes, **right}
        self.fix = _of_ways([(self.in_words(way), way[1]) for way in self.ways])
        return self

    def with_others(self, ways: Sequence[Way]) -> Unclear:
        """The same with these readings beside its own commands."""
        self.others = (*self.others, *ways)
        self.fix += "".join(f" Or, if {self.in_words(way)}: --columns {way[1]}." for way in ways)
        return self

    def in_words(self, way: Way) -> str:
        """A reading in words, with what it would compare, where that is known."""
        outcome = self.outcomes.get(way[1], "")
        return f"{way[0]} ({outcome})" if outcome else way[0]

    def without_plan(self, reason: str) -> Unclear:
        """The same without a command, which would lead to a refusal for this reason."""
        # what a program would call a column says nothing about the file
        why = "" if reason.startswith("It has no column") else f" The roles above would not do: {reason}"
        self.fix = f"Say what the columns are: {SAY}.{why}"
        return self

    def called_plainly(self) -> None:
        """Call columns without headings by their number alone, as they are called in any file."""
        unnamed = (match for claim in self.claims if (match := UNNAMED.search(claim.column)))
        for file in {match.string[: match.start() + 1] for match in unnamed}:
            self._replace(f"{file}column ", "column ")

    def _replace(self, old: str, new: str) -> None:
        """Write one text for another in all that is said."""

        def plain(ways: Iterable[Way]) -> tuple[Way, ...]:
            return tuple((what.replace(old, new), said.replace(old, new)) for what, said in ways)

        self.claims = tuple(replace(claim, column=claim.column.replace(old, new)) for claim in self.claims)
        self.why, self.what, self.fix, self.outcome = (
            text.replace(old, new) for text in (self.why, self.what, self.fix, self.outcome)
        )
        self.ways, self.others, self.spare = map(plain, (self.ways, self.others, self.spare))
        self.outcomes = {said.replace(old, new): outcome.replace(old, new) for said, outcome in self.outcomes.items()}

    def __str__(self) -> str:
        """The plan as a table of lines: the column, its first cells, what it was taken for, and why."""
        rows = [(one.column, ", ".join(one.cells), one.role, one.reason) for one in self.claims[:SHOWN_COLUMNS]]
        widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
        lines = ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        more = [f"  {self.more.removeprefix(', ')}"] if self.more else []
        parts = [f"{self.why} [{self.where}]", *lines, *more, self.means, *in_lines(self.fix)]
        return "\n".join(filter(None, parts))


WHOLE = "scores of whole systems"  # an answer that says so needs no more
MEANS = "If each row is a mean over questions, none of these roles helps: load the score of each question."
MOST_MEANS = 100  # rows of a file of means; and most of a word that is no text of a question
SUMMED = re.compile(r"summar(?:y|ies)|averages?|aggregate|leaderboard", re.IGNORECASE)  # in the name of a file
OF_QUESTIONS: tuple[Meaning, ...] = ("segment", "perhaps segment", "document", "text", "reference", "source")


def may_be_means(table: Table) -> bool:
    """Whether each row may be a mean: there are few rows, some numbers with fractions below the name of a measure, and nothing
    names a question or quotes one, or the file is called a summary."""
    summed = SUMMED.search(table.file.rpartition("/")[2]) is not None
    if len(table.rows) > MOST_MEANS or (table.where(*OF_QUESTIONS) and not summed):
        return False
    measured = (k for k, name in enumerate(table.headings) if words.has_measure(name) and table.numeric(k))
    return any(numbers.scale(table.column(k)).fractions for k in measured)


class Nameless(Asking):
    """A table with rows of systems, in which nothing is known to name the segments."""


class Absent(Unclear):
    """Somebody said what a column holds that the table does not have."""

    def __init__(self, table: Table, column: str, claims: Sequence[Claim]) -> None:
        super().__init__(table, f"It has no column {column!r}.", claims)
        self.column = column


def first_cells(table: Table, k: int) -> tuple[str, ...]:
    """The first cells of a column, each cut to a length that can be shown."""
    return tuple(map(_short, table.column(k)[:SHOWN_ROWS]))


def _short(cell: str) -> str:
    text = " ".join(cell.split())
    return text if len(text) <= SHOWN_CELL else text[: SHOWN_CELL - 3] + "..."


def _said(claim: Claim) -> str:
    return f"{claim.column} ({', '.join(map(repr, claim.cells))}): {claim.role}, {claim.reason}"


# Roles of what is not compared itself.
ABOUT: frozenset[Part] = frozenset(
    ("ignored", "question", "run", "task", "category", "document", "source", "reference", "cluster", "weight")
)


def _way_out(table: Table, claims: Sequence[Claim], means: Mapping[str, str], right: str) -> str:
    """The options that confirm what is only guessed, and where else it can be said."""
    if not (parts := _roles(claims)):
        held = [claim.role for claim in claims if claim.role not in ABOUT]
        none = "No column is known to hold outputs or scores of systems: load a file that has them. "
        return f"{none if held in ([], ['judge']) else ''}Say what the columns are: {SAY}."
    if _are_nameless(table, claims):
        return _of_nameless(table) or (
            "Write a first line with a heading for each column, or say what they hold with --columns: "
            "'column 1=question' calls the first one the question."
        )
    parts += codes.option(means)
    how = " Write a number for each NUMBER." if "=NUMBER" in parts else ""
    return f"{_seen(table, claims)}{of_one_system(table, claims)}{right}{CONFIRM} --columns {parts}.{how}"


def _of_nameless(table: Table) -> str:
    """The options for a table without headings: of two columns, ids and a label or an answer for each, or of one column that says
    true or false; "" for others."""
    called = table.headings
    outcomes = [name for k, name in enumerate(called) if numbers.truths(table.column(k))]
    if len(outcomes) == 1 and len(called) > 1:
        return f"If {outcomes[0]} says which answers are right: --columns {shlex.quote(f'{outcomes[0]}=score')}."
    if len(called) != 2 or table.numeric(1) or table.repeats(0) or not table.repeats(1):
        return ""
    roles = shlex.join((f"{called[0]}=question", f"{called[1]}=text"))
    return f"If {called[0]} names the questions, and {called[1]} is the answer or label of each: --columns {roles}."


def _are_nameless(table: Table, claims: Sequence[Claim]) -> bool:
    """Whether no column that would be tested has a heading, and more than the questions stand beside them, or they are of several
    kinds."""
    tested = [claim for claim in claims if claim.role in ("system", "score") and not claim.sure]
    rest = [claim.role for claim in claims if claim not in tested]
    looks = {_look(table, table.headings.index(one.column)).partition(" ")[0] for one in tested}
    mixed = (bool(rest) and rest != ["question"]) or len(looks) > 1
    return mixed and bool(tested) and all(UNNAMED.search(one.column) for one in tested)


ALONE = "These are scores of one system: load those of another, too. "


def of_one_system(table: Table, claims: Sequence[Claim]) -> str:
    """What is said of a plan with scores alone, and which column may rather name systems; "" where something is compared."""
    roles = {claim.role for claim in claims}
    if "score" not in roles or roles & {"system", "text", "first", "second", "winner", "judge"}:
        return ""
    name = next(iter(may_name(table)), "")
    way = f"If {name} names systems, say so: --system-field {shlex.quote(name)}. Otherwise: " if name else ""
    return f"{way}{ALONE}"


def may_name(table: Table) -> list[str]:
    """The headings that say system, of columns of words that come again."""
    said = (k for k, name in enumerate(table.headings) if names.says_system(name) and not words.is_field(name))
    few = [k for k in said if not table.numeric(k) and 1 < len(table.column(k).counts) < len(table.rows)]
    return table.named(few)


def _roles(claims: Sequence[Claim]) -> str:
    """The roles that are only guessed, as the option says them; "" where they would test nothing."""
    open_ = _to_confirm(claims)
    # headings that are systems, or these with their measures, can all be right, however many they are
    alike = any(claim.reason == CROSSED for claim in open_) or {claim.role for claim in open_} == {"system"}
    most = MOST_CROSSED if alike else SHOWN_COLUMNS
    if not is_tested(claims) or all(one.sure for one in open_) or len(open_) > most:
        return ""
    return " ".join(shlex.quote(f"{claim.column}={claim.role}") for claim in open_)


def _to_confirm(claims: Sequence[Claim]) -> list[Claim]:
    """What is only guessed; and what is right, where labels are compared with it: otherwise they would be scores."""
    doubtful = [claim for claim in claims if not claim.sure]
    if len(doubtful) > SHOWN_COLUMNS:  # what is not named beside scores or systems is not used, either
        doubtful = [claim for claim in doubtful if claim.role != "ignored"]
    own = {cell for claim in doubtful if claim.role == "system" for cell in claim.cells if not numbers.is_number(cell)}
    right = [claim for claim in claims if claim.sure and claim.role == "reference" and not own.isdisjoint(claim.cells)]
    return [*doubtful, *right]


def _either(table: Table, claims: Sequence[Claim], means: Mapping[str, str]) -> list[Way]:
    """Two readings of two words of which it is not known which is better, or of each of a few that only this one is right; [] for
    others."""
    if _are_nameless(table, claims):
        return []
    rivals = [claim.column for claim in claims if claim.role == "system"]
    if len(table.rows) <= len(rivals) and (turned := words.turned(rivals)):
        return turned
    if logged := _one_or_several(table, claims) or _measures_compared(table, claims):
        return logged
    return _of_words(claims, means)


def _of_words(claims: Sequence[Claim], means: Mapping[str, str]) -> list[Way]:
    """A reading for each of a few words of which nothing is known: only this one is right. Of more than two they may be steps of a
    scale, too, with a number for each."""
    most = 2 if any(_is_wide(claim) for claim in claims) else FEW_WORDS
    if not 2 <= len(means) <= most or {*means.values()} != {OPEN_NUMBER} or not (roles := _roles(claims)):
        return []
    ways = list[Way]()
    for good in means:
        bad = [word for word in means if word != good]
        only = f"only {good} is right, and the other words count as 0"
        what = f"{good} is better than {bad[0]}" if len(bad) == 1 else only
        ways.append((what, roles + codes.option({good: "1", **dict.fromkeys(bad, "0")})))
    steps = (f"the words are steps of a scale, with a number for each {OPEN_NUMBER}", roles + codes.option(means))
    return [*ways, steps] if len(means) > 2 else ways


def _is_wide(claim: Claim) -> bool:
    """Whether a column is taken for a system with words below: more than two of them are rather labels that it predicts."""
    return claim.role == "system" and not claim.sure and not any(map(numbers.is_number, claim.cells))


def with_all_words(problems: Sequence[SigError]) -> None:
    """Ask once about words of which some files have all and others a part, so that one command answers for every file."""
    asked = [one for one in problems if isinstance(one, Unclear) and one.cells and one.ways]
    for one in asked:
        fuller = max(asked, key=lambda other: (_asks_alike(one, other), len(other.cells)))
        if _asks_alike(one, fuller) and len(fuller.cells) > len(one.cells):
            one.why, one.fix, one.ways, one.outcomes = fuller.why, fuller.fix, fuller.ways, fuller.outcomes


def _asks_alike(one: Unclear, other: Unclear) -> bool:
    """Whether the columns have the same roles in both files, and the other one has all words."""
    roles = [[(claim.column, claim.role) for claim in each.claims] for each in (one, other)]
    return roles[0] == roles[1] and {*one.cells} <= {*other.cells}


OPEN_NUMBER = "NUMBER"  # which only the user knows
FEW_WORDS = 4  # of which each may be the right one
SAYS_SCORE = re.compile(r"outcome|margin|scor|rating|judg", re.IGNORECASE)  # in no name of a system


def _one_or_several(table: Table, claims: Sequence[Claim]) -> list[Way]:
    """Two readings of unknown numbers beside fields of a log: of a system each, or several scores of one; [] for others."""
    scores = [claim for claim in claims if claim.role == "score"]
    named = listed(claim.column for claim in scores)
    scales = [(claim.column, numbers.scale(table.column(table.headings.index(claim.column)))) for claim in scores]
    if len(scores) < 2 or not all(map(_may_be_system, scores)) or any(numbers.different(scales)):
        return []
    if turned := words.turned([claim.column for claim in scores]):
        return turned
    as_systems = _with_rivals(claims, scores)
    ways = [(f"{named} are systems", _roles(as_systems)), (f"{named} are scores of one system", _roles(claims))]
    return [(what, roles) for what, roles in ways if roles]


def _with_rivals(claims: Sequence[Claim], scores: Sequence[Claim]) -> list[Claim]:
    """The claims with these scores as systems; [] beside a column that may name some, which is not their rival."""
    if any(claim.role == "system" for claim in claims):
        return []
    return [replace(claim, role="system") if claim in scores else claim for claim in claims]


def _measures_compared(table: Table, claims: Sequence[Claim]) -> list[Way]:
    """Two readings of one column of scores beside names of measures: these are what is compared, as metrics are on language
    pairs, or those of one system; [] for others."""
    named, scores = table.where("measure"), [claim.column for claim in claims if claim.role == "score"]
    if [len(named), len(scores)] != [1, 1] or "system" in {claim.role for claim in claims}:
        return []
    rest = (k for k in range(len(table.headings)) if not table.numeric(k) and table.repeats(k) and k not in named)
    asked = next((table.headings[k] for k in rest if table.differ([*named, k])), "")
    (name,), (score,) = table.named(named), scores
    roles = shlex.join([f"{name}=system", f"{asked}=question", f"{score}=score"])
    both = [(f"{name} names what is compared", roles), (f"{score} is of one system", _roles(claims))]
    return both if asked else []


def _may_be_system(claim: Claim) -> bool:
    """Whether a column counts as a score only because fields of a log are beside it."""
    named = words.has_measure(claim.column) or SAYS_SCORE.search(claim.column)
    return claim.reason == IN_LOG and not (named or claim.column.lower().endswith("id"))


def _seen(table: Table, claims: Sequence[Claim]) -> str:
    """What was seen in the columns that would be tested, where their roles are nothing but guesses, and most of the plan is;
    "" for others."""
    known = {claim.column for claim in claims if claim.sure or not _is_blind(claim)}
    guessed = [k for k, name in enumerate(table.headings) if name not in known]
    if len(guessed) <= len(known) or len(claims) != len(table.headings):
        return ""
    alike: dict[str, list[int]] = {}
    for k in guessed:
        alike.setdefault(_look(table, k), []).append(k)
    shown = [f"{look}{_range(table, own)} in {listed(table.named(own))}" for look, own in alike.items()]
    marks = all(table.numeric(k) and {*table.column(k).counts} <= {"0", "1"} for k in guessed)
    right = "If 1 and 0 are labels, one column is what is right: --columns NAME=reference. " if marks else ""
    return f"More is guessed than known. Seen: {', '.join(shown)}. {right}"


def _is_blind(claim: Claim) -> bool:
    """Whether nothing speaks for the role of a column that would be tested."""
    return claim.role in ("system", "score", "text") and claim.reason.startswith((GUESSED, IN_LOG))


def _look(table: Table, k: int) -> str:
    """What the cells of a column look like, in a word."""
    if table.numeric(k):
        return "numbers" if numbers.scale(table.column(k)).fractions else "whole numbers"
    if found := numbers.marks(table.column(k)):
        return f"the words {listed(found)}"
    return "other texts in each row" if table.differ([k]) else "texts, some of them again,"


def _range(table: Table, columns: Sequence[int]) -> str:
    """The smallest and the largest of the numbers in some columns; "" for words."""
    values = [value for k in columns for value in numbers.scale(table.column(k)).values if table.numeric(k)]
    return f" ({min(values):.4g} to {max(values):.4g})" if values else ""


def _with_ids(way: Way, claims: Sequence[Claim]) -> Way:
    """The reading with the column that names the questions, where this is a guess and it does not say so yet."""
    if ("=question" in way[1] and "=system" in way[1]) or "rows=system" in way[1]:
        return way  # it says all; or what names the rows names the systems
    said = {one.rpartition("=")[0] for one in shlex.split(way[1])}
    ids = (claim.column for claim in claims if claim.role == "question" and not (claim.sure or claim.column in said))
    return way[0], " ".join([way[1], *(shlex.quote(f"{name}=question") for name in ids)])


def _of_ways(ways: Sequence[Way]) -> str:
    """A command for each of several readings."""
    return " ".join(f"If {what}: --columns {roles}." for what, roles in ways)


def _scored(claims: Sequence[Claim]) -> set[str]:
    """The columns of scores, or else the systems; beside a reference their words are compared with it, and no scores."""
    by = {
        role: {claim.column for claim in claims if claim.role == role}
        for role in ("score", "system", "reference", "question")
    }
    named = len(by["system"]) == 1 and by["question"]  # names of systems beside ids are no answers
    return by["score"] or (by["system"] if not (by["reference"] or named) else set())


def is_tested(claims: Sequence[Claim]) -> bool:
    """Whether something would be tested: not several columns of one system none of whose headings names a measure.

    What a program writes beside its logs counts, but not what is known about people.
    """
    scores = [claim for claim in claims if claim.role == "score"]
    others = any(claim.role in ("system", "text", "winner") for claim in claims)
    known = any(words.has_measure(claim.column) or claim.reason.startswith((IN_LOG, VALUE_BELOW)) for claim in scores)
    clear = known and not any(words.is_personal(claim.column) for claim in claims)
    return others or len(scores) == 1 or (clear and bool(scores))


def _meanings(table: Table, scored: Container[str]) -> dict[str, str]:
    """What the words below the headings of scores mean; NUMBER where only the user knows it."""
    return codes.meant(
        {name: table.column(k) for k, name in enumerate(table.headings) if name in scored and not table.numeric(k)}
    )
