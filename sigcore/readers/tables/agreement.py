"""The column of labels that others predict, by its cells: they have its few whole numbers, and agree with it far more than by chance.

Headings of labels have no end (urgent, dialog_act, cefr), so what the cells say is a reason of its own. It is only asked about.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence

from sigcore.readers import names
from sigcore.readers.names import pattern
from sigcore.readers.tables import compared, numbers
from sigcore.readers.tables.table import Table

MOST_COLUMNS, MOST_CLASSES = 12, 20  # that are compared with each other, and different labels
SAME, COVERED = (
    0.9,
    0.75,
)  # the share of cells that are among the right ones, and of right ones that are among the cells
CHANCE, STRONG = 0.2, 0.4  # agreement beyond chance, of 1
SLACK = 0.1  # how much more two columns may agree than they would through a third
FEWEST_CLASSES = 3  # right and wrong answers agree, too: some questions are hard for all
OF_SYSTEM = pattern("agreement.of_system")  # what systems are called that have no other name


def classes(table: Table, k: int) -> set[str]:
    """The few whole numbers of a column that come again, as labels do; none for another."""
    if not table.numeric(k) or len(table.rows) < compared.COUNTED or len(table.column(k).counts) > 2 * MOST_CLASSES:
        return set()
    known = {numbers.word(cell) for cell in table.column(k).counts if not numbers.is_missing(cell)}
    few = 1 < len(known) <= MOST_CLASSES and 2 * len(known) <= len(table.rows)
    return known if few and all(map(WHOLE.fullmatch, known)) else set()


WHOLE = re.compile(r"-?\d+")


def have_the_same(table: Table, k: int, others: Sequence[int]) -> bool:
    """Whether each of the others has the labels of a column, nearly all of them and hardly another one."""
    own = classes(table, k)
    return bool(own and others) and all(_has(table, one, own) for one in others)


def _has(table: Table, k: int, known: set[str]) -> bool:
    if not (own := classes(table, k)) or len(own & known) < COVERED * len(known):
        return False
    among = sum(times for cell, times in table.column(k).counts.items() if numbers.word(cell) in known)
    return among >= SAME * len(table.rows)


def agree(table: Table, k: int, others: Sequence[int]) -> bool:
    """Whether each of the others agrees with a column of labels more than by chance."""
    return all(beyond_chance(table, k, one) >= CHANCE for one in others)


def is_predicted(table: Table, k: int) -> bool:
    """Whether all columns of numbers without a known heading have the labels of another one, and agree with it."""
    others = [one for one in table.where(None) if one != k and table.numeric(one)][: MOST_COLUMNS + 1]
    return 1 < len(others) <= MOST_COLUMNS and have_the_same(table, k, others) and agree(table, k, others)


def beyond_chance(table: Table, k: int, other: int) -> float:
    """The agreement of two columns beyond chance, as a part of what is possible (Cohen's kappa)."""
    one, two = (numbers.plain(table.column(i)) for i in (k, other))
    n, (first, second) = len(one), (Counter(one), Counter(two))
    chance = sum(times * second[word] for word, times in first.items()) / n
    return 0.0 if chance == n else (sum(map(str.__eq__, one, two)) - chance) / (n - chance)


def predicted(table: Table, columns: Sequence[int]) -> list[int]:
    """The one of these columns that the others predict by what it holds: with it they agree, and with each other only through it,
    or they alone have names of known models; [] without one."""
    if not 2 < len(columns) <= MOST_COLUMNS or not all(classes(table, k) for k in columns):
        return []
    open_ = [k for k in columns if _may_be_right(table.headings[k].strip())]
    found = [k for k in open_ if _is_predicted(table, k, [one for one in columns if one != k])]
    return found if len(found) == 1 else []


def _may_be_right(heading: str) -> bool:
    """Whether a heading is a word that no system is usually called: no name of a model, no number, and no baseline."""
    said = names.MODEL.fullmatch(heading) or OF_SYSTEM.fullmatch(heading) or names.says_system(heading)
    return WORD.fullmatch(heading) is not None and not said and not names.is_person(heading)


WORD = re.compile(r"[^\W\d]{3,}(?:[-_ ][^\W\d]+)*")


def _is_predicted(table: Table, k: int, others: Sequence[int]) -> bool:
    if not have_the_same(table, k, others):
        return False
    own = {one: beyond_chance(table, k, one) for one in others}
    if all(names.MODEL.fullmatch(name.strip()) for name in table.named(others)):
        return min(own.values()) >= CHANCE
    # two that predict a third agree through it alone; marks of one question agree with all others alike
    pairs = itertools.combinations(others, 2)
    return (
        min(own.values()) >= STRONG
        and len(classes(table, k)) >= FEWEST_CLASSES
        and all(beyond_chance(table, a, b) <= own[a] * own[b] + SLACK for a, b in pairs)
    )
