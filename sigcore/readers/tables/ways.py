"""What a table may be where several readings of it are possible: each in words, and as the roles that say it."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Mapping, Sequence

from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Claim, Item
from sigcore.readers.tables import apart, compared, doubts, guesses, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.crossing import ID, Crossing, are_splits, is_fact
from sigcore.readers.tables.outcomes import names_scores
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Way, may_name, of_one_system


def of_wide(
    table: Table, rivals: Mapping[int, Item], claims: Sequence[Claim], set_apart: apart.Apart | None
) -> list[Way]:
    """The readings of a table one of whose columns may name the systems of the rows, or be set apart from the others; [] where only
    one is possible."""
    scored = [claim.column for claim in claims if claim.role == "score"]
    if both := _by_parts(rivals) or _below_systems(table, rivals):
        return both
    if (found := doubts.apart(table, rivals)) is not None:
        return _in_columns(table, found, scored)
    if marks := compared.criteria(table, doubts.of_scores(rivals)):
        return [compared.as_systems(table.named(marks))]
    if both := _by_type(rivals) or _below_names(table, scored):
        return both
    arms = doubts.named(table, rivals) if scored else None
    if arms is None or claims[arms].role != "system":
        return _named_beside(table, claims) or apart.ways(set_apart, rivals, claims, alone=False)
    both = _of_one(table, arms, claims)
    return both if doubts.untold(table, rivals) is None else [_with_runs(table, arms, scored), *both]


def _by_parts(rivals: Mapping[int, Item]) -> list[Way]:
    """Both readings of several columns of scores beside one that holds names of parts of the data (train, test); [] for others."""
    texts, scores = ([one.name for one in rivals.values() if one.kind == kind] for kind in ("text", "scores"))
    parts = [one for one in rivals.values() if one.kind == "text" and are_splits({*one.segments})]
    if len(parts) != 1 or len(texts) > 1 or len(scores) < 2:
        return []
    systems = [f"{name}=system" for name in scores]
    return [
        way(f"each part of {texts[0]} is a test set of its own", [f"{texts[0]}=task", *systems]),
        way("all rows count together as one test set", [f"{texts[0]}=ignored", *systems]),
    ]


MOST_SHOWN, FULL = 3, 0.7  # measures, each with a command, and the least share of all pairs of a system and a measure


def _below_systems(table: Table, rivals: Mapping[int, Item]) -> list[Way]:
    """The readings of the same measures below each of several names, {"of": {"A": {"x": 1, "y": 2}, "B": {"x": 3, "y": 4}}}, one for each
    of the first measures; [] for other columns."""
    cut = [(name, name.split(".")) for name in (item.name for item in rivals.values() if item.kind == "scores")]
    deep = {name: parts for name, parts in cut if len(parts) > 2} if table.nested else {}
    for first in dict.fromkeys(parts[0] for parts in deep.values()):
        own = {(parts[1], ".".join(parts[2:])): name for name, parts in deep.items() if parts[0] == first}
        if found := _by_measure(own):
            return found
    return []


def _by_measure(own: Mapping[tuple[str, str], str]) -> list[Way]:
    """A reading for each of the first measures of columns by their system and measure; [] where these are no names of systems."""
    systems, measures = (list(dict.fromkeys(pair[k] for pair in own)) for k in (0, 1))
    named = are_splits(systems) or any(map(words.has_measure, systems)) or all(map(words.is_kind, systems))
    if named or len(systems) < 2 or len(own) < FULL * len(systems) * len(measures):
        return []
    shown = {one: [name for name in systems if (name, one) in own] for one in words.in_order(measures)[:MOST_SHOWN]}
    what = {one: f"{listed(names_)} are systems, and {one} is compared" for one, names_ in shown.items()}
    return [way(what[one], [f"{own[name, one]}=system" for name in names_]) for one, names_ in shown.items()]


def _below_names(table: Table, scored: Sequence[str]) -> list[Way]:
    """Both readings of one field below several names, {"A": {"score": 1}, "B": {"score": 2}}; [] where the names are of parts of
    the data, or of measures."""
    cut = [name.partition(".") for name in scored]
    parents, fields = [parent for parent, _, _ in cut], {field for _, _, field in cut}
    known = any(map(words.has_measure, parents)) or all(map(words.is_kind, parents)) or are_splits(parents)
    if not table.nested or len(fields) != 1 or "" in fields or len({*parents}) < max(2, len(scored)) or known:
        return []
    return [
        compared.as_systems(scored),
        way("each is a measure of one system", [f"{name}=score" for name in scored]),
    ]


FEWEST_RUNS = 5  # that are paired
MOST_ASKED, MOST_TRIED = 3, 8  # columns that name a question together, and of those that are tried


def _named_beside(table: Table, claims: Sequence[Claim]) -> list[Way]:
    """Both readings of scores beside names that may be of systems, where other columns tell the rows of a name apart; [] for
    others."""
    system = next(iter(may_name(table)), "") if of_one_system(table, claims) else ""
    asked = _asked_by(table, system, claims) if system else []
    facts = _facts(table, list(map(table.headings.index, asked)))
    open_ = [one.column for one in claims if one.role == "score" and not one.sure and one.column not in facts]
    scores = [f"{name}=score" for name in open_]
    if not asked or not scores:
        return []
    runs = [name for name in asked if table.meanings[table.headings.index(name)] == "run"]
    parts = dict.fromkeys(asked, "question") | (dict.fromkeys(runs, "run") if len(runs) < len(asked) else {})
    several = [f"{system}=system", *(f"{name}={part}" for name, part in parts.items()), *scores]
    return [
        way(f"{system} names the systems", several),
        way("all rows are of one system", [f"{system}=ignored", *scores]),
    ]


def _asked_by(table: Table, system: str, claims: Sequence[Claim]) -> list[str]:
    """The fewest columns that tell the rows of each system, and of its runs, apart; [] where none do."""
    about = {one.column for one in claims if one.role in ("ignored", "question") and one.column != system}
    few = [k for k, name in enumerate(table.headings) if name in about and _tells(table, k)][:MOST_TRIED]
    runs = [one.column for one in claims if one.role == "run"]
    own = list(map(table.headings.index, (system, *runs)))
    if runs and table.differ(own) and len(table.column(own[-1]).counts) >= FEWEST_RUNS:
        return runs  # in each task the runs are what is paired
    asked = table.named(_first(table, own, few))
    # what names systems, too, is rather a part of them than of the question
    return [] if len(asked) > 1 and any(map(names.says_system, asked)) else asked


def _first(table: Table, own: Sequence[int], few: Sequence[int]) -> Sequence[int]:
    """The fewest of a few columns that tell rows apart, beside others; [] where none do."""
    tried = (asked for size in range(1, MOST_ASKED + 1) for asked in itertools.combinations(few, size))
    return next((asked for asked in tried if table.differ([*own, *asked])), ())


def _tells(table: Table, k: int) -> bool:
    """Whether a column may be part of what names a question: words or whole numbers that come again, and no outcomes."""
    cells = table.column(k)
    outcome = numbers.truths(cells) or not all(map(str.strip, cells.counts))
    fractions = table.numeric(k) and numbers.scale(cells).fractions
    return not outcome and not fractions and 1 < len(cells.counts) < len(table.rows)


def _with_runs(table: Table, arms: int, scored: Sequence[str]) -> Way:
    """The reading in which rows of one system and question, which nothing tells apart, are its runs."""
    asked, name = table.headings[table.headed(ID.search)[0]], table.headings[arms]
    roles = [f"{name}=system", f"{asked}=question", "rows=run", *(f"{one}=score" for one in scored)]
    return way(f"{name} names the systems, and rows of one {asked} are its runs", roles)


def _by_type(rivals: Mapping[int, Item]) -> list[Way]:
    """Both readings where some columns hold right and wrong answers, and as many or more others whole numbers: one kind competes,
    not both; [] for other columns."""
    scales = {item.name: numbers.scale(item.segments) for item in rivals.values() if item.kind == "scores"}
    answers = [name for name, one in scales.items() if one.values == (0.0, 1.0)]
    whole = [name for name, one in scales.items() if not one.fractions and one.largest > 1]
    if len(answers) + len(whole) != len(rivals) or min(len(answers), len(whole)) < 2:
        return []
    apart = ((answers, whole), (whole, answers))
    return [compared.as_systems(some, [f"{name}=ignored" for name in rest]) for some, rest in apart]


def _in_columns(table: Table, found: Crossing, scored: Sequence[str]) -> list[Way]:
    """Both readings where several columns may be systems themselves: then what may name them, and the ids, name the question
    together."""
    paired = all(guesses.names_system(table, name) for name in scored)
    measures = any(map(words.has_measure, scored)) and not paired
    if found.other is not None or len(scored) < 2 or measures:
        return []
    facts = _facts(table, [found.question])
    scored = [name for name in scored if not words.is_spread(name) and name not in facts] or list(scored)
    asked, named = table.headings[found.question], table.headings[found.system]
    one = [f"{named}=system", f"{asked}=question", *(f"{name}=score" for name in scored)]
    other = [f"{asked}=document", f"{named}=question", *(f"{name}=system" for name in scored)]
    both = [way(f"{named} names the systems", one), way(f"{listed(scored)} are the systems", other)]
    if paired:
        return both[::-1]  # WER_a, WER_b: two names with one measure are rather systems
    return both[: 1 if _are_no_systems(scored) else 2]


def _are_no_systems(scored: Sequence[str]) -> bool:
    """Whether headings are all of judges or runs, or of marks of several kinds."""
    return all(map(words.is_numbered, scored)) or all(map(names_scores, scored))


def _facts(table: Table, asked: Sequence[int]) -> set[str]:
    """The columns that have the same for all systems of a question: its difficulty is no score."""
    again = asked and not table.differ(asked)
    open_ = [k for k, name in enumerate(table.headings) if not (words.has_measure(name) or words.is_outcome(name))]
    return {table.headings[k] for k in open_ if again and is_fact(table, k, asked)}


def _of_one(table: Table, arms: int, claims: Sequence[Claim]) -> list[Way]:
    """Both readings where the systems that a column may name share no question, so that all rows may be of one."""
    facts = _facts(table, [k for k, one in enumerate(claims) if one.role == "question"][:1])
    guessed = [one for one in claims if one.role in ("score", "question") and not one.sure]
    varied = [one for one in guessed if one.role == "question" or one.column not in facts]
    guessed = varied if any(one.role == "score" for one in varied) else guessed
    name, rest = table.headings[arms], [f"{one.column}={one.role}" for one in guessed]
    systems = way(f"{name} names the systems", [f"{name}=system", *rest])
    return [systems, way("all rows are of one system", [f"{name}=ignored", *rest])]


def of_long(table: Table, named: Sequence[int], others: Sequence[int], ids: Sequence[int] = ()) -> list[Way]:
    """What several unknown columns of a few whole numbers may be in a table in long form, whose questions `ids` name; [] for other
    columns."""
    if found := apart.in_rows(table, list(dict.fromkeys([*named, *others])), ids):
        return found
    headings = table.named(others)
    known = named or len(others) < 2 or any(map(words.has_measure, headings))
    if known or not all(compared.are_marks(table, k) for k in others):
        return []
    people = way(f"{listed(headings)} are people, whose ratings are averaged", [f"{name}=judge" for name in headings])
    each = way("each is a measure", [f"{name}=score" for name in headings])
    scales = [set(table.column(k).counts) for k in others]
    alike = max(map(len, scales)) < 2 * len(set.intersection(*scales))  # people rate on one scale
    return [people, each] if alike and all(map(_may_be_person, headings)) else [each]


def _may_be_person(heading: str) -> bool:
    """Whether a heading may be the name or the number of a person: one word, or a numbered one."""
    return names.is_person(heading) or words.is_numbered(heading) or heading.strip().isalnum()


def way(what: str, roles: Sequence[str]) -> Way:
    """A reading in words, and its roles as a command says them."""
    return what, " ".join(map(shlex.quote, roles))
