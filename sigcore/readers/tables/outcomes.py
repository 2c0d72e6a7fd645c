"""Which columns of a table hold numbers, however they are written, and which say whether an answer was right."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from functools import partial

from sigcore.errors import ReadError, Settled
from sigcore.formatting import listed
from sigcore.readers.contract import Found, Notice, Part
from sigcore.readers.tables import codes, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.columns import Column, replaced
from sigcore.readers.tables.table import Table

BINARY = frozenset(("0", "1", "0.0", "1.0", ""))


def is_numeric(table: Table, k: int) -> bool:
    """Whether a column holds numbers, also in percent and with decimal commas."""
    if table.numeric(k):
        return True
    return _is_percent(table, k) or _has_commas(table, k) or _is_truth(table, k)


def _has_commas(table: Table, k: int) -> bool:
    """Whether a column holds numbers with commas."""
    return _are_all(table, k, numbers.WITH_COMMA.fullmatch) and any("," in cell for cell in table.column(k).counts)


def _is_percent(table: Table, k: int) -> bool:
    return _are_all(table, k, numbers.is_percent)


def _are_all(table: Table, k: int, test: Callable[[str], object]) -> bool:
    """Whether a column has cells that are not missing, all of which pass a test."""
    known = (bool(test(cell)) for cell in table.column(k).counts if not numbers.is_missing(cell))
    return next(known, False) and all(known)


def in_one_unit(table: Table, result: Found) -> Table:
    """The table with fractions for percentages, which is noted, where other columns of rivals hold fractions: 45% beside 0.75. And
    with shares for points out of different numbers: 2/3, 5/5 with a tick behind it."""
    if table.role or table.where("system"):
        return table
    table = _in_shares(table, result)
    shares, others = _shares(table)
    if not shares or not any(_are_fractions([*table.column(k).counts]) for k in others):
        return table
    message = f"The percentages of {listed(table.named(shares))} were read as fractions, as other columns have them."
    result.notices.append(Notice(table.file, message))
    return replace(table, rows=replaced(table.rows, {k: list(map(_fraction, table.column(k))) for k in shares}))


def _in_shares(table: Table, result: Found) -> Table:
    """The table with the shares of points in several columns, which is noted, where they are out of different numbers, or marks
    stand behind them; points of one number are read later."""
    columns = [k for k in range(len(table.headings)) if _are_all(table, k, numbers.POINTS.fullmatch)]
    points = _points(table, columns) if len(columns) > 1 else {}
    if not points:
        return table
    shares = {cell: f"{own / most:.12g}" for cell, (own, most) in points.items()}
    message = (
        f"Points such as {next(iter(points)).strip()} were read as their shares in {listed(table.named(columns))}."
    )
    result.notices.append(Notice(table.file, message))
    new = {k: [shares.get(cell, cell) for cell in table.column(k)] for k in columns}
    most = [{points[row[k]][1] for k in columns if row[k] in points} for row in table.rows]
    sums = {k for k in range(len(table.headings)) if k not in columns and _says_most(table.column(k), most)}
    return replace(table, rows=replaced(table.rows, new)).without(sums)


def _points(table: Table, columns: Sequence[int]) -> dict[str, tuple[float, float]]:
    """The points in each different cell of some columns, and how many can be had; {} where all are out of one number, without
    marks behind them, and where some are more than can be had."""
    cells = {cell: numbers.POINTS.fullmatch(cell) for k in columns for cell in table.column(k).counts}
    points = {cell: (float(match[1]), float(match[2])) for cell, match in cells.items() if match}
    alike = len({most for _, most in points.values()}) == 1 and all(cell.strip()[-1:].isdigit() for cell in points)
    return {} if alike or any(own > most for own, most in points.values()) else points


def _says_most(cells: Sequence[str], most: Sequence[Set[float]]) -> bool:
    """Whether a column has the number of points that can be had in each row, where this is known and not always the same."""
    known = [(cell, own) for cell, own in zip(cells, most, strict=True) if own]
    same = all(numbers.is_number(cell) and own == {float(cell)} for cell, own in known)
    return same and len({cell for cell, _ in known}) > 1


def without_groups(table: Table, result: Found) -> Table:
    """The table with 1234 for 1,234, which is noted, where the numbers of another column are often the same without the comma."""
    every = range(len(table.headings)) if not table.role else ()
    grouped = [k for k in every if _are_grouped(table.column(k).counts)]
    plain = [numbers.plain(table.column(k)) for k in every if grouped and k not in grouped and table.numeric(k)]
    cells = {k: [cell.replace(",", "").strip() for cell in table.column(k)] for k in grouped}
    same = {k: own for k, own in cells.items() if any(map(partial(numbers.is_often, own), plain))}
    return _with_plain(table, same, result)


def _with_plain(table: Table, same: Mapping[int, Sequence[str]], result: Found) -> Table:
    """The table with these cells in columns of numbers with commas, which is noted."""
    if not same:
        return table
    message = (
        f"1,234 was read as 1234 in {listed(table.named(same))}: another column has the same numbers without commas."
    )
    result.notices.append(Notice(table.file, message))
    return replace(table, rows=replaced(table.rows, same))


def _are_grouped(cells: Iterable[str]) -> bool:
    """Whether cells are whole numbers, some of them with a comma for thousands."""
    if "," not in "".join(cells):
        return False
    known = [cell.strip() for cell in cells if not numbers.is_missing(cell)]
    grouped = [cell for cell in known if "," in cell]
    return (
        bool(grouped)
        and all(map(numbers.THOUSANDS.fullmatch, grouped))
        and all(cell in grouped or WHOLE.fullmatch(cell) for cell in known)
    )


def answered(table: Table, result: Found) -> Table:
    """The table with 1 for yes and 0 for no, which is noted, below a heading that asks whether an answer is right: Correct?"""
    asked = [k for k in table.headed(_asks_whether_right) if not (table.role or _is_truth(table, k))]
    found = {k: one for k in asked if (one := numbers.truths(table.column(k), numbers.ALL_OUTCOMES))}
    if not found:
        return table
    known = listed(sorted({word for k in found for word in words_in(table, k)}))
    message = (
        f"The words below {listed(table.named(found))} say which answers are right, and were read as 1 and 0: {known}."
    )
    result.notices.append(Notice(table.file, message))
    return replace(table, rows=replaced(table.rows, found))


def _asks_whether_right(heading: str) -> bool:
    return heading.endswith("?") and (words.is_outcome(heading) or words.normalised(heading) == "correct")


# A mark behind a number refers to a remark: 0.388\u2021 was trained on this task.
MARKS = "*\u2020\u2021\u00a7\u00b6"
REMARKED = re.compile(f"([+-]?[0-9][0-9.,]*%?) ?[{MARKS}]{{1,3}}")


def without_marks(table: Table, result: Found) -> Table:
    """The table with plain numbers, which is noted, where marks stand behind some of a column."""
    columns = range(len(table.headings)) if not table.role else ()
    found = {k: plain for k in columns if (plain := _unmarked(table.column(k).counts))}
    if not found:
        return table
    message = f"Marks behind numbers were left out in {listed(table.named(found))}: look up what they mean."
    result.notices.append(Notice(table.file, message))
    cells = {k: [plain.get(cell, cell) for cell in table.column(k)] for k, plain in found.items()}
    return replace(table, rows=replaced(table.rows, cells))


def _unmarked(cells: Iterable[str]) -> dict[str, str]:
    """The number in each different cell with a mark behind it; {} where some other cell is no number."""
    marked = {one: match[1] for one in cells if one[-1:] in MARKS and (match := REMARKED.fullmatch(one.strip()))}
    return marked if marked and _are_numbers(marked.get(one, one) for one in cells) else {}


def _are_numbers(cells: Iterable[str]) -> bool:
    return all(numbers.is_number(one) or numbers.is_percent(one) or numbers.is_missing(one) for one in cells)


def _shares(table: Table) -> tuple[list[int], list[int]]:
    """The columns of percentages that may be rivals, and others that may."""
    open_ = [k for k, name in enumerate(table.headings) if table.meanings[k] is None and not words.has_measure(name)]
    shares = [k for k in open_ if _is_percent(table, k)]
    return shares, [k for k in open_ if k not in shares]


def _are_fractions(cells: Sequence[str]) -> bool:
    """Whether cells are numbers from 0 to 1, with a point or a comma, or missing, and some are between."""
    known = [cell.replace(",", ".") for cell in cells if not numbers.is_missing(cell)]
    if not known or not all(map(numbers.is_number, known)):
        return False
    values = sorted(map(float, known))
    return values[0] >= 0 and values[-1] <= 1 and not all(map(float.is_integer, values))


def _fraction(cell: str) -> str:
    """The number before a percent sign, as a part of 1; what is missing stays so."""
    number = cell.replace("%", "").replace(",", ".").strip()
    return cell if numbers.is_missing(cell) else format(Decimal(number) / 100, "f")


def says_right(table: Table, k: int) -> bool:
    """Whether a column says which answers are right: by its heading, or as 1 and 0 below `correct`."""
    heading = table.headings[k]
    if words.is_outcome(heading) or words.normalised(heading) != "correct":
        return words.is_outcome(heading)
    return _is_truth(table, k) or (is_numeric(table, k) and set(table.column(k).counts) <= BINARY)


# what was answered, or is the right answer: of no system by itself
ANSWERS = re.compile(
    r"(?:\w*[-_ .])?(?:answers?|predict(?:ed|ions?)?|preds?|response|output|gold|target|expected|label|ground_?truth)(?:[-_ .]\w*)?",
    re.I,
)


def answers(table: Table, right: Sequence[int]) -> list[int]:
    """The columns of numbers that were answered, or are the right ones, beside a column of 1 and 0 that says which are right, and an id of
    each row: what is compared is known."""
    ids = [k for k in table.where("segment", "perhaps segment") if table.differ([k])]
    open_ = table.headed(ANSWERS.fullmatch) if ids and _are_of_one(table, right) else []
    return [k for k in open_ if k not in (*ids, *right) and table.numeric(k) and not _says_more(table.headings[k])]


def _are_of_one(table: Table, right: Sequence[int]) -> bool:
    """Whether columns of 1 and 0 are of one system: is_correct, and perhaps is_correct_last; llama_correct names its own."""
    one = table.headings[right[0]]
    known = words.is_outcome(one) and all(name.startswith(one) for name in table.named(right))
    return known and all(_is_truth(table, k) or set(table.column(k).counts) <= BINARY for k in right)


def _says_more(heading: str) -> bool:
    """Whether a heading of answers names a measure, or what they cost: response_time."""
    return is_scored(heading) or words.is_field(heading)


def _is_truth(table: Table, k: int) -> bool:
    return bool(numbers.truths(table.column(k), numbers.OUTCOMES))


# Words that may be scores.


def marked(table: Table) -> dict[int, list[str]]:
    """The columns below unknown headings that repeat a few words, with these."""
    open_ = (k for k, means in enumerate(table.meanings) if means is None and not words.is_remark(table.headings[k]))
    return {k: found for k in open_ if (found := numbers.marks(table.column(k)))}


def said_of(found: Sequence[str], what: str, headings: Sequence[str] = (), named: Sequence[str] = ()) -> str:
    """How somebody says what these words mean as scores or ratings, below these headings or everywhere; usual outcomes have
    numbers. `named` are other roles that are said with it."""
    means = [f"{mark}={numbers.ALL_OUTCOMES.get(mark.lower(), 'NUMBER')}" for mark in found]
    roles = [*named, *(f"{heading}=score" for heading in headings)]
    said = shlex.join([*(("--columns", *roles) if roles else ()), "--cells", *means])
    return f"If words are {what}, write a number, or missing, for each NUMBER: {said}."


def words_as_scores(table: Table) -> str:
    """How somebody says what words mean as scores (pass, fail, timeout); "" where not one column alone has such words."""
    marks, right = marked(table), codes.as_right(table.headings, table.column)
    named = {table.headings[k]: found for k, found in marks.items() if len(marks) == 1}
    what = ", and ".join(["scores", *filter(None, map(right.get, named))])
    return "".join(said_of(found, what, [name]) for name, found in named.items())


SCORED = re.compile(r"(?:^|[-_. ])(?:scores?|ratings?|rewards?)(?:[-_. ]|$)", re.IGNORECASE)  # rm_score, scores.clarity


def is_scored(heading: str) -> bool:
    """Whether a heading names a measure, or says score of something."""
    return words.has_measure(heading) or SCORED.search(heading) is not None


def says_score(heading: str) -> bool:
    """Whether a word of a heading says score or rating: rating_score."""
    return any(map(words.is_plain, re.split(r"[.\-_ ]+", heading.strip())))


def names_scores(heading: str) -> bool:
    """Whether a heading names a measure or an outcome, or has a word for scores in it: overall_score."""
    return says_score(heading) or words.has_measure(heading) or words.is_outcome(heading)


MOST_ANSWERS = 3  # different outcomes


def meanings(table: Table, scores: Sequence[int]) -> dict[str, str]:
    """The numbers of the words in columns of scores."""
    known = {
        cell.strip() for k in scores for cell in table.column(k).counts if cell.strip().lower() in words_in(table, k)
    }
    return numbered(sorted(known, key=str.lower))


def numbered(found: Iterable[str]) -> dict[str, str]:
    """The number of each word, known ones in small letters; NUMBER for what somebody has to say."""
    return {word.lower() if numbers.meant(word) else word: numbers.meant(word) or "NUMBER" for word in found}


def words_in(table: Table, k: int) -> set[str]:
    """The cells of a column that are neither numbers nor missing."""
    own = table.column(k).counts
    return {cell.strip().lower() for cell in own if not numbers.is_number(cell) and not numbers.is_missing(cell)}


def is_known(table: Table, k: int) -> bool:
    """Whether all words in a column are known to mean a number."""
    texts = words_in(table, k)
    return len(texts) <= MOST_ANSWERS and all(map(numbers.meant, texts))


# How a command says roles.

IS_RIGHT = re.compile(r".+[-_. ](?:is[-_ ])?(?:correct|right)", re.IGNORECASE)
Roles = list[tuple[int, Part]]


def said(table: Table, roles: Roles, *more: str) -> str:
    """The roles of columns as a command says them, with the numbers of the words that are scores."""
    meant = meanings(table, _of_words(table, roles))
    told = " ".join(shlex.quote(one) for one in (*(f"{table.headings[k]}={part}" for k, part in roles), *more))
    cells = " ".join(shlex.quote(f"{word}={number}") for word, number in meant.items())
    return told + (f" --cells {cells}" if cells else "")


def _of_words(table: Table, roles: Roles) -> list[int]:
    """The columns whose words may mean numbers: scores, or predicted labels beside right ones that are no known reference."""
    scores = [k for k, part in roles if part == "score" or IS_RIGHT.fullmatch(table.headings[k].strip())]
    right = any(part == "reference" and table.meanings[k] != "reference" for k, part in roles)
    return scores or [k for k, part in roles if part == "text" and right and is_known(table, k)]


def are_answers(table: Table, columns: Iterable[int], gold: Iterable[int]) -> bool:
    """Whether half of the different cells in some columns, or more, are in those of what is right, too."""
    own, right = ({cell for k in each for cell in table.column(k).counts} for each in (columns, gold))
    return bool(own) and 2 * len(own & right) >= len(own)


MOST_LABELS = 20  # that are numbers


def are_labels(table: Table, k: int, gold: Sequence[int], most: int = MOST_LABELS) -> bool:
    """Whether the numbers of a column are labels: a few whole ones (1 or 1.0), half of which, or more, are among those of what is
    right."""
    own, right = ({numbers.word(cell) for i in each for cell in table.column(i).counts} for each in ([k], gold))
    own = {cell for cell in own if not numbers.is_missing(cell)}
    return bool(own) and all(map(WHOLE.fullmatch, own)) and len(own) <= most and 2 * len(own & right) >= len(own)


WHOLE = re.compile(r"-?\d+")


ATTACKS = re.compile(
    r"(?:attacks?|jail[-_ ]?breaks?)(?:[-_ ](?:type|method|name|id|category|vector|family|strategy))?|advbench\w*|red[-_ ]?team\w*",
    re.IGNORECASE,
)
SUCCESS = re.compile(r"(?:is[-_ ])?success(?:ful|es)?(?:[-_ ]rate)?|succeeded", re.IGNORECASE)


def of_attacks(table: Table, systems: Sequence[str], result: Found) -> None:
    """Call a success beside a column of attacks theirs, and no system's, unless they are the systems; a notice says so."""
    heads = [name.strip() for name in table.headings]
    called = map(str.strip, [*systems, *table.named(table.where("system"))])
    if not any(map(ATTACKS.fullmatch, heads)) or any(map(ATTACKS.fullmatch, called)):
        return
    named = dict.fromkeys(one.measure for one in result.items if SUCCESS.fullmatch(one.measure.strip()))
    for name in named:
        beside = next(filter(ATTACKS.fullmatch, heads))
        message = f"{name} beside {beside} was read as that of an attack, of which less is better."
        result.notices.append(Notice(table.file, message))
    result.items = [
        replace(one, measure=f"attack {one.measure}") if one.measure in named else one for one in result.items
    ]


MOST_CLASSES = 1000


def refuse_labels(table: Table, scores: Sequence[int], parts: Set[Part]) -> None:
    """Raise ReadError for a column that somebody calls scores beside what is right (`parts`), and that holds labels as this does, by a
    heading that names no measure: the mean of labels says nothing."""
    gold = table.where("reference") if {"reference", "score"} <= parts else []
    for k in scores if gold else ():
        heading = table.headings[k]
        labels = are_labels(table, k, gold, MOST_CLASSES) or (not table.numeric(k) and are_answers(table, [k], gold))
        # 0 and 1 may as well say whether an answer is right
        held = {numbers.word(cell) for cell in table.column(k).counts}
        predicts = words.is_prediction(heading) or not held <= {"0", "1"}
        if labels and predicts and not names_scores(heading):
            said = shlex.quote(f"{heading}=text")
            message = f"{heading} has the labels of what is right, and no scores: their mean would say nothing."
            raise Settled(message, table.file, 1, f"To compare them with what is right: --columns {said}.")


# Cells as scores.

LONGEST_WORD, MOST_WORDS = 30, 8  # characters of a word that may stand for a score, and words that are asked about
FLAGS = "Name the columns with --id-field, --system-field and --score-field in the terminal, or in the boxes of the same names below Re-read a file as another format on the page Files."


def as_scores(table: Table, k: int, known: Mapping[str, str]) -> tuple[str, ...]:
    """The cells of a column that was named as a score; true and false are 1 and 0.

    Raises: ReadError for a cell that is neither a number nor missing.
    """
    column = tuple(with_word(cell, known) for cell in table.column(k))
    cells = numbers.as_numbers(table.file, column, table.headings[k], table.places, numbers.ALL_OUTCOMES)[0] or column
    bad = {i: cell for i, cell in enumerate(cells) if not _is_score(cell)}
    # what begins with a mark, or is a known word, says itself what it means: another one is the problem
    for i, cell in sorted(bad.items(), key=lambda one: _meant(one[1]) != "NUMBER")[:1]:
        message = f"column {table.headings[k]}, row {i + 1}: {cell[:40]!r} is not a number, so it is not a score."
        named = [word for word in dict.fromkeys([cell, *bad.values()]) if len(word) <= LONGEST_WORD][:MOST_WORDS]
        said = shlex.join(f"{word.strip()}={_meant(word)}" for word in named)
        fix = f"If it is a word for a score, say which: --cells {said}. {FLAGS}" if cell in named else FLAGS
        raise ReadError(message, table.file, table.places[i], fix)
    return cells


def with_word(cell: str, known: Mapping[str, str]) -> str:
    """The number that somebody gave for a word; where he gave some, that of a mark (×, ✓) with a reason behind it, too."""
    word = numbers.word(cell)
    if word in known:
        return known[word]
    return (numbers.meant(word) if known and word[:1] in numbers.MARKS else "") or cell


def _is_score(cell: str) -> bool:
    return numbers.is_number(cell.replace(",", ".", 1)) or numbers.is_missing(cell)


def _meant(cell: str) -> str:
    """The number that a word or the mark before it is known to mean; NUMBER for another, of which only the user knows it."""
    return numbers.meant(cell) or "NUMBER"


FILLED = ("score", "rating", "choice", "winner", "preference", "preferred", "vote", "verdict", "judgment", "label")


def unfilled(table: Table) -> str:
    """A sentence about columns of scores in which nothing was filled in; "" without them."""
    empty = [k for k in range(len(table.headings)) if all(map(numbers.is_missing, table.column(k).counts))]
    scored = [table.headings[k] for k in empty if _asks_for_score(table, k)]
    return f" Nothing is filled in below {listed(scored)}." if scored and table.rows else ""


def _asks_for_score(table: Table, k: int) -> bool:
    """Whether a heading names a score, or ends with what people rate: summary_1_Fluency."""
    heading = table.headings[k]
    last = re.split(r"[-_. ]+", heading.strip())[-1]
    known = table.meanings[k] in ("score", "rated", "z") or words.has_measure(heading)
    named = words.CRITERION.fullmatch(last) is not None or last.lower() in FILLED
    return (known or named) and not words.is_field(heading)


def not_used(heading: str, cells: Column) -> str:
    """What is said of a column that is neither text nor scores; where its words may grade the answers, how to say so."""
    may_grade = (words.is_grade(heading) or words.is_label(heading)) and numbers.few_words(cells)
    how = f" If its words grade the answers: --columns {shlex.quote(f'{heading}=score')}." if may_grade else ""
    return f"Column {heading} was not used: it is neither text nor scores.{how}"
