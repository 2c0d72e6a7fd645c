"""What may not be compared, although it is alike: criteria and measures of one system, texts that were read."""

from __future__ import annotations

import itertools
import math
import re
import shlex
from collections.abc import Container, Iterator, Mapping, Sequence
from statistics import mean, median

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Item, Part
from sigcore.readers.tables import crossing, gridded, numbers, outcomes, ranked
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Way

COUNTED = 10  # rows; in fewer, cells may be alike by chance
MOST_MARKS = 11  # different marks that people give: from 0 to 10
# What looks like the name of a system: A, s2, gpt-4. Whoever ranks, ranks systems.
CODE = re.compile(r"[A-Za-z]{1,2}|.*\d.*|rank(?:ing)?s?", re.IGNORECASE)


def criteria(table: Table, columns: Sequence[int]) -> list[int]:
    """These columns where they hold marks by judges, below headings none of which looks like the name of a system: they may be
    criteria."""
    if table.basis or len(columns) < 2 or not people(table, columns) or ranked.rank_all(table, columns):
        return []
    parts = [word for name in table.named(columns) for word in re.split(r"[.\-_ ]+", name.strip())]
    said = any(CODE.fullmatch(word) or names.NAMING.fullmatch(word) for word in parts)
    if said or table.headed(words.has_measure, columns):  # known criteria are no systems, which other rules say
        return []
    return list(columns) if all(are_marks(table, k) for k in columns) else []


def about_criteria(table: Table, columns: Sequence[int]) -> str:
    """What is asked about columns that may be criteria; "" for others."""
    if not (found := criteria(table, columns)):
        return ""
    judge = table.headings[people(table, columns)[0]]
    return f"Are {listed(table.named(found))} systems, or criteria? Their marks are by the people below {judge}."


def people(table: Table, columns: Container[int]) -> list[int]:
    """The columns of several judges, where no column names the system."""
    named = [k for k in table.where("judge") if k not in columns and len(set(table.column(k))) > 1]
    return named if not table.where("system") else []


def are_marks(table: Table, k: int) -> bool:
    """Whether a column holds marks as people give them: a few whole numbers."""
    known = [cell for cell in table.column(k).counts if not numbers.is_missing(cell)]
    whole = all(numbers.is_number(cell) and float(cell).is_integer() for cell in known)
    return 0 < len(known) <= MOST_MARKS and whole


def as_systems(columns: Sequence[str], beside: Sequence[str] = ()) -> Way:
    """The reading in which each of these columns is of a system, with the roles of others."""
    return f"{listed(columns)} are systems", shlex.join([*beside, *(f"{name}=system" for name in columns)])


Asked = tuple[str, dict[int, Part], list[Way]]  # why, the roles that are guessed by column, and what may be meant


def of_criteria(table: Table) -> Asked | None:
    """The question whether marks by judges in a table without systems are of a system each, or by criteria."""
    open_ = [k for k, means in enumerate(table.meanings) if means is None and table.numeric(k)]
    marks = [k for k in open_ if not words.is_field(table.headings[k]) and not crossing.ID.search(table.headings[k])]
    # A_coherent and B_coherent are systems with criteria
    why = "" if gridded.whole(table.named(marks)) is not None else about_criteria(table, marks)
    return (why, dict.fromkeys(marks, "system"), [as_systems(table.named(marks))]) if why else None


def of_columns(table: Table, system: int) -> Asked | None:
    """The question whether columns of numbers without a known measure are the systems, where the column of systems has one value
    in all rows."""
    alone = not table.basis and len(table.column(system).counts) == 1 and len(table.rows) >= COUNTED
    found = _of_one(table) if alone else []
    scales = [(table.headings[k], numbers.scale(table.column(k))) for k in found]
    last = [name.rpartition(".")[2] for name, _ in scales]  # scores.coherence
    criteria = any(words.is_measure(name) or words.CRITERION.fullmatch(name) for name in last)
    if len(found) < 2 or criteria or any(numbers.different(scales)):
        return None
    one, told = table.headings[system], table.named(found)
    why = f"{one} is {table.column(system)[0].strip()} in every row: are {listed(told)} systems, or measures of it?"
    both = [as_systems(told, [f"{one}=ignored"]), ("they are measures", shlex.join(f"{name}=score" for name in told))]
    roles: dict[int, Part] = {system: "ignored", **dict.fromkeys(found, "system")}
    return why, roles, both if all(map(outcomes.says_score, told)) else both[::-1]


def _of_one(table: Table) -> list[int]:
    """The columns of numbers that may be systems, without counts and what is the same in every row."""
    open_ = list(filter(table.numeric, table.where("score", None)))
    # score_base and score_corr are of two systems, whatever else is beside them
    told = [k for k in open_ if outcomes.says_score(table.headings[k])]
    if len(told) < 2:
        told = [k for k in open_ if not (words.is_field(table.headings[k]) or words.measures_in(table.headings[k]))]
    cells = {k: table.column(k).counts for k in told if not crossing.is_id(table, k)}
    return [k for k, own in cells.items() if len(own) > 1 and not all(map(str.isdigit, own))]


TERMS = re.compile(r"(?:(?:source|target|glossary)[-_ ])?(?:terms?|keywords?)", re.IGNORECASE)
EXCERPT = re.compile(r"(?:(?:article|document|source|text)[-_ ])?excerpts?", re.IGNORECASE)
OF_TEXT = re.compile(r"(.+)[-_ ](?:sentence|text|source)", re.IGNORECASE)


def told_text(heading: str) -> Part | None:
    """What a text is by a heading that says what was read (article_excerpt), its language, or words of it; None for others."""
    own = heading.strip()
    if TERMS.fullmatch(own):
        return "ignored"
    language = OF_TEXT.fullmatch(own)
    of_language = language is not None and names.names_language(language[1])
    return "source" if of_language or words.CONTEXT.fullmatch(own) or EXCERPT.fullmatch(own) else None


FEWEST_WORDS = 6  # of a text that comes again only where several systems answered it


def refuse_groups(table: Table) -> None:
    """Raise ReadError for long references that come again equally often, where no column says which system a row is of."""
    if table.role or table.basis or table.where("segment", "system", "run"):
        return
    for k in (k for k, name in enumerate(table.headings) if words.role(name) == "reference"):
        own = table.column(k).counts
        long = all(len(text.split()) >= FEWEST_WORDS for text in own)
        if long and len(own) > 1 and len(times := {*own.values()}) == 1 and times != {1}:
            message = (
                f"Each {table.headings[k]} comes {times.pop()} times, and no column says of which system a row is."
            )
            raise ReadError(
                message, table.file, table.places[0], "Add a column headed system, with the system of each row."
            )


FEWEST_SETTINGS, FEWEST_VALUES = 3, 2  # columns, and rows that each of their values has


def refuse_settings(table: Table) -> None:
    """Raise ReadError for a table with one row for each combination of the values of several columns: results of runs with these
    settings, and no questions."""
    if table.role or table.basis or table.where("segment", "perhaps segment", "system", "task", "run"):
        return
    whole = [k for k in range(len(table.headings)) if _is_setting(table, k)]
    times = math.prod(len(table.column(k).counts) for k in whole)
    if len(whole) >= FEWEST_SETTINGS and times == len(table.rows) and table.differ(whole):
        settings = (
            f"Each row is another combination of {listed(table.named(whole))}: the result of a run with these settings."
        )
        fix = "Load the scores of every segment of the runs to compare: tests need them."
        raise ReadError(settings, table.file, table.places[0], fix)


DEGREE = re.compile(r"(?:\w+[-_ ])?(?:severity|level|strength|intensity|corruption|perturbation)", re.IGNORECASE)


def refuse_conditions(table: Table) -> None:
    """Raise ReadError for a row for each degree of each kind of disturbance, and perhaps one without any: whole test sets."""
    if table.role or table.basis or table.where("segment", "perhaps segment", "system", "task", "run"):
        return
    degrees = [k for k in table.headed(DEGREE.fullmatch) if table.numeric(k) and _comes_again(table, k)]
    kinds = [k for k in range(len(table.headings)) if not table.numeric(k) and _comes_again(table, k)]
    for pair in ((kind, degree) for kind in kinds for degree in degrees):
        if table.differ(pair):
            what = f"Each row is another combination of {listed(table.named(pair))}: a whole test set under this condition."
            fix = "Load the scores of every segment under the conditions to compare: tests need them."
            raise ReadError(what, table.file, table.places[0], fix)


def _comes_again(table: Table, k: int) -> bool:
    """Whether each of a few values comes again, but perhaps for one: that without any disturbance."""
    own = sorted(table.column(k).counts.values())
    return 2 < len(own) <= MOST_CLASSES and own[1] >= FEWEST_VALUES


def _is_setting(table: Table, k: int) -> bool:
    """Whether each value of a column comes again, below a heading that is no measure: words, or whole numbers."""
    own, known = table.column(k).counts, table.meanings[k] is not None and table.numeric(k)
    several = len(own) > 1 and min(own.values()) >= FEWEST_VALUES
    return several and not (known or words.has_measure(table.headings[k]) or numbers.scale(table.column(k)).fractions)


PREDICTIONS = re.compile(r"predict|(?:^|[-_.])preds?(?:[-_.]|$)", re.IGNORECASE)  # in the name of a file
MOST_CLASSES = 20


def are_classes(table: Table, rivals: Mapping[int, Item]) -> bool:
    """Whether the file is called predictions, and several columns hold the same few whole numbers: classes, rather than scores."""
    if not PREDICTIONS.search(table.file.rpartition("/")[2]):
        return False
    own = [{*item.segments} for item in rivals.values() if item.kind == "scores" and not table.basis]
    few = len(own) == len(rivals) > 1 and len(set.union(*own)) <= MOST_CLASSES
    return few and all(cell.strip().isdigit() for cells in own for cell in cells)


def about_predictions(names: Sequence[str]) -> str:
    """What is asked about numbers that may be predictions."""
    what = f"Are the numbers in {listed(names)} scores, or predictions that need gold labels to compare with?"
    return f"{what} {_as_scores(names)} Predictions: give the right ones, too, with --reference."


def _as_scores(names: Sequence[str]) -> str:
    said = shlex.join(f"{name}={'score' if len(names) == 1 else 'system'}" for name in names)
    return f"Scores: --columns {said}."


def not_as_scores(why: str, name: str) -> str:
    """What is asked about numbers that are like the right ones: they are no scores, so no command says that they are."""
    return why.replace(f" {_as_scores([name])}", "")


def about_measured(headings: Sequence[str]) -> Iterator[str]:
    """Headings of several systems with a measure, beside as many or fewer without any: lstm_pn_rl may be a name among others."""
    named = [heading for heading in headings if words.cut(heading)[0]]
    if max(2, len(headings) / 2) <= len(named) < len(headings):
        rest = listed(heading for heading in headings if heading not in named)
        yield f"{listed(named)} name a measure, and {rest} none: which are systems?"


CURVE, FEWEST_POINTS, SORTED = {"precision", "recall"}, 10, 0.9  # its measures, points, and steps in one direction


def refuse_curve(table: Table) -> None:
    """Raise ReadError for the precision and the recall at each threshold of one system."""
    heads = {name.strip().lower() for name in table.headings}
    if (
        not heads >= CURVE
        or len(heads) > len(CURVE) + 2
        or table.where("segment", "system", "document")
        or len(table.rows) < FEWEST_POINTS
    ):
        return
    k = next(k for k, name in enumerate(table.headings) if name.strip().lower() == "recall")
    values = numbers.numbers_in(table.column(k))
    pairs = list(itertools.pairwise(values))
    ups, downs = sum(b >= a for a, b in pairs), sum(b <= a for a, b in pairs)
    if max(ups, downs) >= SORTED * max(1, len(pairs)):
        what = "Each row is the precision and the recall at another threshold: a curve of one system, and no segments."
        raise ReadError(what, table.file, 1, "Load the outputs, or the scores of every segment: tests need them.")


CLASSES = re.compile(r"(?:micro|macro|weighted|samples)[-_ ]av(?:g|erage)|accuracy", re.IGNORECASE)


def refuse_classes(table: Table) -> None:
    """Raise ReadError for the precision, the recall and the support of each class of one system (scikit-learn)."""
    heads = {name.strip().lower().replace("_", "-") for name in table.headings}
    averages = any(CLASSES.fullmatch(row[0].strip()) for row in table.rows)
    first = re.fullmatch(
        r"|column 1|class(?:es)?|labels?|categor(?:y|ies)|tags?", table.headings[0].strip(), re.IGNORECASE
    )
    named = averages or (first is not None and not heads.isdisjoint({"f1-score", "f1"}))
    if heads >= {*CURVE, "support"} and named and not table.where("system", "segment"):
        what = f"{table.file} looks like a report on classes: the precision, recall and F of each, and their averages."
        fix = "Load the right and the predicted label of each segment, in a table for each system: tests need them."
        raise ReadError(what, table.file, 1, fix)


# Numbers that add up, or are on another scale.

COUNTED = 10  # rows; in fewer, scores may go up by 1 by chance, and fractions may be missing
WHOLES, ROUNDED, SPREAD = (1, 100), 0.005, 4  # what shares add up to, their rounding, and how far they must vary


def are_shares(rivals: Sequence[Item]) -> bool:
    """Whether every row adds up to 1 or 100 although its numbers change: probabilities of labels, or split votes."""
    if not any(_add_up([item.segments[:COUNTED] for item in rivals], whole) for whole in WHOLES):
        return False  # as for most tables: ten rows decide
    # rivals that are always near half of a whole add up to it too
    scales = [numbers.scale(item.segments).values for item in rivals]
    varies = max(values[-1] - values[0] for values in scales)
    wide = [whole for whole in WHOLES if varies > SPREAD * ROUNDED * whole * len(rivals)]
    return any(_add_up([item.segments for item in rivals], whole) for whole in wide)


def _add_up(columns: Sequence[Sequence[str]], whole: int) -> bool:
    """Whether the cells of every row are numbers that add up to a whole, but for rounding."""
    near, values = ROUNDED * whole * len(columns), list(map(numbers.numbers_in, columns))
    if len(columns[0]) < COUNTED or any(len(column) != len(columns[0]) for column in values):
        return False
    return all(abs(sum(row) - whole) <= near for row in zip(*values, strict=True))


def odd(scales: Mapping[int, tuple[str, numbers.Scale]]) -> tuple[int, str] | None:
    """The column on another scale than all others, which are on one, or of whole numbers beside fractions, and why; None
    without it."""
    for k in scales:
        others = [scales[i] for i in scales if i != k]
        if not any(numbers.different(others)) and all(any(numbers.different([scales[k], one])) for one in others):
            return k, "on another scale than the others"
    # a count beside the fractions of several systems is hardly of one
    whole = [k for k, (_, one) in scales.items() if not one.fractions and one.largest > 1]
    broken = [k for k, (_, one) in scales.items() if 2 * one.fractions > len(one)]
    return (whole[0], "whole numbers beside fractions") if len(whole) == 1 and len(broken) == len(scales) - 1 else None


def about_types(scales: Sequence[tuple[str, numbers.Scale]], columns: int) -> Iterator[str]:
    """Whole numbers beside fractions, and beside right and wrong answers."""
    whole = [name for name, one in scales if not one.fractions and one.largest > 1]
    broken = [name for name, one in scales if 2 * one.fractions > len(one)]
    if whole and len(whole) + len(broken) == columns > len(whole):
        yield f"{listed(whole)} are whole numbers, but {listed(broken)} are fractions: are they rivals?"
    answers = [name for name, one in scales if one.values == (0.0, 1.0)]
    if answers and len(whole) + len(answers) == columns > len(answers):
        yield f"{listed(answers)} hold 0 and 1, but {listed(whole)} other numbers: are they rivals?"
    yield from _about_answers(answers, scales, columns)


def _about_answers(answers: Sequence[str], scales: Sequence[tuple[str, numbers.Scale]], columns: int) -> Iterator[str]:
    """Right and wrong answers beside fractions, below headings that begin alike: A_correct, A_choice are of one system."""
    parts = [name for name, one in scales if 10 * one.fractions > 9 * len(one)]
    begin = {re.split(r"[_.\-]", name)[0] for name in (*answers, *parts)}
    if answers and parts and len(answers) + len(parts) == columns and len(begin) == 1:
        yield f"{listed(answers)} hold 0 and 1, but {listed(parts)} fractions: are they rivals?"


OFTEN = 3  # outputs of a source, on average, where several systems translated it


def refuse_unnamed(table: Table) -> None:
    """Raise ReadError for the rows of one system that are of several, or of several conditions."""
    refuse_groups(table)
    refuse_sources(table)
    refuse_conditions(table)


def refuse_sources(table: Table) -> None:
    """Raise ReadError for rows of several systems that no column names: most sources come again and again, each with other outputs."""
    given = table.where("source")
    named = table.where("system", "segment", "perhaps segment", "run", "judge", "document")
    if (
        len(given) != 1
        or named
        or not table.where("reference")
        or len(table.rows) < OFTEN * len(table.column(given[0]).counts)
    ):
        return
    times = max(table.column(given[0]).counts.values())
    what = f"A source has up to {times} outputs, and no column names the system of each row."
    raise ReadError(what, table.file, 1, "Add a column headed system, with the system that wrote each output.")


CODES = re.compile(r"(?=(?:\D*\d){4})[0-9a-f-]{12,}", re.IGNORECASE)
LONG, ALIKE = 4, 0.03  # words of a usual text, and the share of words that two texts have in common
COMPARED = 100  # rows whose words are compared


def about_unlike(texts: Sequence[Item], gold: Sequence[Item]) -> Iterator[str]:
    """Texts that are codes, and longer ones that share hardly a word with any other: systems were asked the same."""
    unknown = [item for item in texts if words.meaning(item.name) not in ("text", "output")]
    if codes := [item.name for item in unknown if all(map(CODES.fullmatch, map(str.strip, {*item.segments})))]:
        yield f"{listed(codes)}: codes, and no texts."
    usual = [item for item in (*texts, *gold) if item.kind == "text" and _usual_words(item) >= LONG]
    alone = [item.name for item in unknown if item in usual and len(usual) > 1 and not _has_like(item, usual)]
    if alone:
        yield f"{listed(alone)}: hardly a word in common with the other texts."


def _usual_words(item: Item) -> float:
    return median([len(text.split()) for text in item.segments if text.strip()] or [0])


def _has_like(item: Item, others: Sequence[Item]) -> bool:
    """Whether another text has words of its rows in common."""
    return any(common(item.segments, other.segments) >= ALIKE for other in others if other is not item)


def common(cells: Sequence[str], others: Sequence[str]) -> float:
    """The share of the words of two columns of texts that both have, the mean of the first rows."""
    rows = zip(cells[:COMPARED], others[:COMPARED], strict=False)
    parts = [({*a.lower().split()}, {*b.lower().split()}) for a, b in rows if a.strip() and b.strip()]
    return mean(2 * len(a & b) / (len(a) + len(b)) for a, b in parts) if parts else 0.0
