"""Whether the first row of a table names its columns, and the columns that only count the rows."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence, Set

from sigcore.formatting import unique
from sigcore.readers import names
from sigcore.readers.contract import Found, Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers, preferred
from sigcore.readers.tables.columns import Grid

BETWEEN = re.compile(r"[_\s]+")  # the words of a heading
FEWEST_BLOCKS = 2  # systems with the same measures behind each
FEWEST_COUNTED = 3  # numbers 1, 2, 3 are enough to decide that a column counts the rows


def beside_counts(file: str, rows: Sequence[Sequence[str]], result: Found) -> tuple[Sequence[Sequence[str]], bool]:
    """The rows without a column that counts them, and whether it has no heading: what stands beside that are headings."""
    rest = without_counts(file, rows, result)
    if rest is rows and _is_index(rows):
        message = "Its first column has no heading and numbers that go up: they name the segments."
        result.notices.append(Notice(file, message))
        return [["segment", *rows[0][1:]], *rows[1:]], True
    return rest, rest is not rows and not rows[0][0].strip()


def _is_index(rows: Sequence[Sequence[str]]) -> bool:
    """Whether whole numbers below no heading go up, with gaps: the places of rows of which some were left out (pandas)."""
    if rows[0][0].strip() or any(words.meaning(name) == "segment" for name in rows[0]):
        return False  # most tables: no other row is looked at
    body = [row[0].strip() for row in rows[1:]]
    if len(body) < FEWEST_COUNTED or not numbers.are_digits(body):
        return False
    return all(int(a) < int(b) for a, b in itertools.pairwise(body))


def without_counts(file: str, rows: Sequence[Sequence[str]], result: Found) -> Sequence[Sequence[str]]:
    """The rows without a first column that only counts them: under no heading, or in a table without a header."""
    first: Sequence[str] = rows.columns[0] if isinstance(rows, Grid) else [row[0] for row in rows]
    headed = not first[0].strip() or words.role(first[0]) == "ignored"
    body = first[1:] if headed else first
    if len(rows[0]) < 2 or len(body) < (1 if headed else FEWEST_COUNTED) or body[0].strip() not in ("0", "1"):
        return rows
    if any(cell.strip() != str(int(body[0]) + i) for i, cell in enumerate(body)):
        return rows
    result.notices.append(Notice(file, "Its first column only counts the rows; it was not used."))
    return Grid(rows.columns[1:]) if isinstance(rows, Grid) else [row[1:] for row in rows]


def filled(headings: Sequence[str]) -> list[str]:
    """The headings, with a number for missing ones."""
    return [heading or f"column {k + 1}" for k, heading in enumerate(headings)]


# The first heading of the answers to a form (Google Forms), in the usual languages.
FORM = pattern("header.form")


WON = pattern("header.won")  # who won, in a table of texts


def called(cells: Sequence[str]) -> list[str]:
    """The headings in a row; a form may ask the same again, and measures may stand behind each system."""
    named = list(map(names.clean, cells))
    return unique(named) if FORM.fullmatch(named[0]) else _of_brackets(_of_blocks(named))


IN_BRACKETS = re.compile(r"([^()\[\]]*[^()\[\]\s])\s*[(\[]([^()\[\]]*[^\W\d_][^()\[\]]*)[)\]]")
# what stands in brackets behind a measure that is of one system
KIND = re.compile(
    r"macro|micro|weighted|avg|average|mean|median|std|max|min|strict|lenient|raw|norm(?:ali[sz]ed)?|\w*cased|ms|s|sec\w*",
    re.I,
)


def _of_brackets(headings: list[str]) -> list[str]:
    """The headings, where each of the same measures stands before each of several names in brackets, or behind them: WER (base) and WER
    (large), base [WER] and large [WER]. They have the name first then: base_WER. Others, such as F1 (macro), stay as they are."""
    cut = {k: match.groups() for k, name in enumerate(headings) if (match := IN_BRACKETS.fullmatch(name))}
    first, second = ({pair[k] for pair in cut.values()} for k in (0, 1))
    if len(cut) < 2 or len({*cut.values()}) != len(first) * len(second) or any(map(KIND.fullmatch, (*first, *second))):
        return headings
    measured = [all(map(words.has_measure, own)) for own in (first, second)]
    if measured[0] == measured[1] or len((second, first)[measured[1]]) < 2:
        return headings
    return ["_".join(cut[k] if measured[1] else cut[k][::-1]) if k in cut else name for k, name in enumerate(headings)]


def _of_blocks(headings: Sequence[str]) -> list[str]:
    """The headings, where the same ones with a measure stand behind each of several others (a_text, wer, b_text, wer): with the words
    before them that the others do not have (a_wer, b_wer); else as they are."""
    often = Counter(headings)
    again = {name for name in often if often[name] > 1}
    found = _blocks(headings, again) if any(map(words.has_measure, again)) else {}
    if (
        "" in found
        or len(found) < FEWEST_BLOCKS
        or len({tuple(headings[k] for k in places) for places in found.values()}) > 1
    ):
        return list(headings)
    called = _told_apart([*found])
    new = {k: f"{called[head]}_{headings[k]}" for head, places in found.items() for k in places}
    return [new.get(k, name) for k, name in enumerate(headings)]


def _told_apart(heads: Sequence[str]) -> dict[str, str]:
    """The words of each of several headings that not all of them have."""
    parts = {head: BETWEEN.split(head) for head in heads}
    shared = set.intersection(*map(set, parts.values()))
    return {head: "_".join(word for word in own if word not in shared) or head for head, own in parts.items()}


def _blocks(headings: Sequence[str], again: Set[str]) -> dict[str, list[int]]:
    """The columns below headings that come again, by the last other heading before them."""
    found, before = dict[str, list[int]](), ""
    for k, name in enumerate(headings):
        if name in again:
            found.setdefault(before, []).append(k)
        else:
            before = name
    return found


def is_known(cell: str) -> bool:
    """Whether a cell is a known heading, or names labels: of columns that somebody calls by their place, too."""
    return words.is_header_word(cell) or words.is_label(cell)


def is_header(rows: Sequence[Sequence[str]], headings: list[str]) -> bool:
    """Whether the first row names the columns: by a known heading, or as words above numbers."""
    if FORM.fullmatch(headings[0]) or _face(headings):
        return True
    if not all(headings[1:]):
        return _are_above_most_numbers(rows, headings)
    if any(map(words.is_header_word, headings)) or preferred.columns(headings) is not None:
        return True
    if _are_above_texts(rows) or _are_apart(rows) or _are_numbers_behind(rows, headings):
        return True
    known = {*filter(_tells, headings)}
    if len(known) > 1 or (headings[0] in known and (_are_beyond(rows) or _are_above_labels(rows))):
        return True
    return _are_above_numbers(rows, headings) or _are_above_most_numbers(rows, headings)


RIGHT = re.compile(r"(?:actual|expected|gold|reference|correct)[-_ ]+(.+)", re.IGNORECASE)
MADE = re.compile(r"(?:predicted|generated|translated|output)[-_ ]+(.+)", re.IGNORECASE)


def _face(headings: Sequence[str]) -> bool:
    """Whether a heading says who won, or two say of the same what is right, and what was made of it: Actual Nepali, Predicted Nepali."""
    sides = [
        {match[1].lower() for name in headings if (match := side.fullmatch(name.strip()))} for side in (RIGHT, MADE)
    ]
    return any(map(WON.fullmatch, headings)) or not sides[0].isdisjoint(sides[1])


FEWEST_NUMBERED = 5  # headings in a row: fewer may be marks


def _are_numbers_behind(rows: Sequence[Sequence[str]], headings: Sequence[str]) -> bool:
    """Whether what stands behind the first heading may be numbers: those of questions, or names of systems."""
    return _count_up(headings) or _is_above_ids(rows, headings)


def _count_up(headings: Sequence[str]) -> bool:
    """Whether the numbers 0, 1, 2 ... or 1, 2, 3 ... stand behind a word: questions, each of which has a column."""
    first, *rest = headings
    several = len(rest) >= FEWEST_NUMBERED and rest[0] in ("0", "1") and ONE_WORD.fullmatch(first) is not None
    return several and rest == [str(int(rest[0]) + i) for i in range(len(rest))]


def _is_above_ids(rows: Sequence[Sequence[str]], headings: Sequence[str]) -> bool:
    """Whether a word that is no value stands above a column of whole numbers, each of them another one: what stands beside it are
    headings, even if they are numbers."""
    first, *below = [row[0].strip() for row in rows]
    named = len(headings) > 1 and len({*headings}) == len(headings) and ONE_WORD.fullmatch(first) is not None
    counted = len(below) >= FEWEST_TEXTS and numbers.are_digits(below) and len({*below}) == len(below)
    return named and counted and not _is_value(first)


def _are_above_most_numbers(rows: Sequence[Sequence[str]], headings: list[str]) -> bool:
    """Whether different words stand above all columns of numbers, and these are most: only some texts have no heading."""
    numeric = [k for k in range(len(headings)) if numbers.mostly_numbers([row[k] for row in rows[1:]])]
    words_above = {headings[k] for k in numeric if headings[k] and not _is_value(headings[k])}
    return 2 * len(numeric) > len(headings) and len(words_above) == len(numeric) > 1


def _are_above_numbers(rows: Sequence[Sequence[str]], headings: list[str]) -> bool:
    """Whether different words stand above numbers in one column at least, and none of them may be a cell."""
    headed = [
        k for k in range(len(rows[0])) if numbers.is_headed(cells := [row[k] for row in rows]) or _of_points(cells)
    ]
    # a data frame leaves the heading of its row names empty; correct above 0 and 1 is a heading
    named = {headings[k] for k in headed if words.is_measure(headings[k])}
    values = any(map(_is_value, filter(None, {*headings} - named)))
    return bool(headed) and not values and len(set(headings)) == len(headings)


def _of_points(cells: Sequence[str]) -> bool:
    """Whether a word stands above points out of some number: 3/5."""
    below = (numbers.POINTS.fullmatch(cell) for cell in cells[1:] if not numbers.is_missing(cell))
    return next(below, None) is not None and all(below) and numbers.POINTS.fullmatch(cells[0]) is None


ONE_WORD = re.compile(r"[^\W\d][\w.-]*")
FEWEST_TEXTS, WORDS_OF_TEXT = 10, 3  # rows, and words that each cell below a heading has


def _are_above_texts(rows: Sequence[Sequence[str]]) -> bool:
    """Whether another single word stands above each of several columns of texts, all of several words."""
    head = list(map(str.strip, rows[0]))
    if len(head) < LEAST_COLUMNS or len(rows) <= FEWEST_TEXTS or len({*head}) < len(head):
        return False
    return all(map(ONE_WORD.fullmatch, head)) and all(
        len(cell.split()) >= WORDS_OF_TEXT for row in rows[1:] for cell in row
    )


MARKED = re.compile(r".*[^\W_][-_.][^\W_].*")  # obj_label, bert-base-cased


def _are_apart(rows: Sequence[Sequence[str]]) -> bool:
    """Whether different single words stand above several columns, some of them marked as names in programs are, and none of
    them comes again below, where others do."""
    head = list(map(str.strip, rows[0]))
    marked = sum(map(bool, map(MARKED.fullmatch, head)))
    named = len(head) > LEAST_COLUMNS and len(rows) > FEWEST_TEXTS and marked > 0
    if not named or len({*head}) < len(head) or not all(map(ONE_WORD.fullmatch, head)):
        return False
    below = [{row[k].strip() for row in rows[1:]} for k in range(len(head))]
    again = sum((2 * len(own) if marked < LEAST_COLUMNS else len(own) + 1) < len(rows) for own in below)
    return again >= LEAST_COLUMNS and set().union(*below).isdisjoint(head)


LEAST_COLUMNS = 2
MOST_DIFFERENT = 11  # numbers below a heading that is a number: right and wrong, or a scale to ten


def _are_beyond(rows: Sequence[Sequence[str]]) -> bool:
    """Whether other whole numbers stand above each of several columns of a few, and all of them are beyond these: sizes or
    years (7, 13, 70) above answers of 0 and 1."""
    head = [cell.strip() for cell in rows[0][1:]]
    if len(head) < LEAST_COLUMNS or len({*head}) < len(head) or not numbers.are_digits(head):
        return False
    below = [numbers.scale(cells).values for cells in [*zip(*rows[1:], strict=True)][1:]]
    return all(
        own and len(own) <= MOST_DIFFERENT and not own[0] <= float(cell) <= own[-1]
        for cell, own in zip(head, below, strict=True)
    )


def _are_above_labels(rows: Sequence[Sequence[str]]) -> bool:
    """Whether other names stand above columns of answers, two of which are equal in most rows, and none of them is an answer."""
    head, *below = [[cell.strip() for cell in row] for row in rows]
    if len(head) <= LEAST_COLUMNS or len({*head}) < len(head) or len(rows) <= FEWEST_TEXTS or not all(head):
        return False
    if any(numbers.is_number(cell) for row in below for cell in row[1:]):
        return False
    equal = sum(len({*row[1:]}) < len(row) - 1 for row in below)
    return 2 * equal > len(below) and {*head}.isdisjoint(cell for row in below for cell in row)


def _tells(heading: str) -> bool:
    """Whether a heading says what its column holds, but no system's name."""
    labels = words.is_label(heading) or words.is_prediction(heading)
    return labels or bool(words.meaning(heading)) or words.is_measure(heading) or words.role(heading) != "system"


def _is_value(cell: str) -> bool:
    return numbers.is_number(cell) or numbers.is_missing(cell) or cell.lower() in numbers.OUTCOMES
