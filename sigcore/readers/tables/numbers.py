"""Per-segment scores: whether a column of text is a column of numbers, and which cells are not."""

from __future__ import annotations

import itertools
import math
import re
import shlex
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sigcore.errors import ReadError
from sigcore.readers.tables.columns import Column, counts
from sigcore.types import Better

# Not float(): it also accepts "nan", "infinity", "1_000" and digits of other scripts.
# (No two parts can match the same digits, so that millions of them take one pass.)
DIGITS = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
NUMBER = re.compile(rf"[ \t]*[+-]?{DIGITS}[ \t]*")
ENDLESS = re.compile(rf"[ \t]*[+-]?(?:inf|infinity|{DIGITS})[ \t]*", re.IGNORECASE)  # the digits: 1e999
WITH_COMMA = re.compile(r"[ \t]*[+-]?[0-9]{1,20}(?:,[0-9]{1,20})?(?:[eE][+-]?[0-9]{1,3})?[ \t]*")
PERCENT = re.compile(rf"[ \t]*[+-]?{DIGITS}[ \t]?%[ \t]*")
# 8.23s, 8646ms: seconds and milliseconds beside each other are not one unit
WITH_UNIT = re.compile(
    rf"[ \t]*([+-]?{DIGITS})[ \t]?(ms|s|secs?|seconds?|min(?:ute)?s?|h|tokens?|toks?|tok/s|tokens/s|[kmg]i?b)[ \t]*",
    re.IGNORECASE,
)
COMMA_PERCENT = re.compile(r"[ \t]*[+-]?[0-9]{1,20},[0-9]{1,20}[ \t\xa0\u202f]?%[ \t]*")  # 91,8% and 86,5 %
GROUPED = re.compile(r"[ \t]*[+-]?[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+\.[0-9]+|(?:,[0-9]{3}){2,})[ \t]*")  # not 1,234
THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
MOST_SCORES, LONGEST_ID = 1_000, 300  # different values of a score that are whole; digits of a finite number
MISSING = frozenset(("", "na", "n/a", "nan", "none", "null", "-", "k. a.", "k.a.", "n.d.", "s/d", "н/д"))

# Words for 1 and 0: alone these two make a column one of scores, the others only below a heading that says so.
NUMERIC = re.compile(r"[+-]?[.,]?[0-9]")
SHARE = r"(?:\([0-9.]+[ \t]?%\)[ \t]*)?"  # behind points: 15/21 (71%)
OF_MOST = re.compile(rf"[ \t]*([0-9]+(?:\.[0-9]+)?)[ \t]?/[ \t]?([0-9]+)[ \t]*{SHARE}")
MARKED = re.compile(r"\[(PASS|FAIL|ERROR)\]")
TRUTH = {"true": "1", "false": "0"}
MARKS = dict.fromkeys("✓✔✅☑○◯⭕👍", "1") | dict.fromkeys("✗✘✕✖×❌👎", "0")
# 5/5 with a tick: the points say already what is right
POINTS = re.compile(rf"\s*([0-9]+(?:\.[0-9]+)?)\s?/\s?([1-9][0-9]*)\s*{SHARE}[{''.join(MARKS)}]?\ufe0f?\s*")
OUTCOMES = (
    TRUTH
    | MARKS
    | {f"{mark}\N{VARIATION SELECTOR-16}": number for mark, number in MARKS.items()}
    | dict.fromkeys(("pass", "passed", "correct", "right", "solved"), "1")
    | dict.fromkeys(("fail", "failed", "incorrect", "wrong", "unsolved"), "0")
)

# Of judges of programs: everything but accepted is a failure.
OF_JUDGES = [
    "wrong answer",
    "time limit exceeded",
    "memory limit exceeded",
    "runtime error",
    "compile error",
    "compilation error",
]
OUTCOMES = OUTCOMES | {"accepted": "1"} | dict.fromkeys(OF_JUDGES, "0")
JUDGED = {word: number for word, number in OUTCOMES.items() if word not in TRUTH}
MOST_WORDS, LONGEST_WORD, MARKED_BY = 6, 30, 5  # different words that may be marks, their characters, rows for each
YES = ["yes", "y", "sí", "si", "oui", "ja", "sim", "да", "是", "对", "正确", "acierto", "correcto", "richtig", "juste"]
NO = ["no", "n", "non", "nein", "não", "nao", "нет", "否", "错", "错误", "fallo", "incorrecto", "falsch", "faux"]
ANSWERS = (*YES, *NO)  # more often than outcomes these are outputs: scores only where somebody says so
ALL_OUTCOMES = OUTCOMES | dict.fromkeys(YES, "1") | dict.fromkeys(NO, "0")


def truths(cells: Sequence[str], known: Mapping[str, str] = TRUTH) -> tuple[str, ...]:
    """The cells as 1 and 0 if all that are not missing are words for these (`known`: true and false); else ()."""
    first = _outcome(next(iter(cells), ""))
    if first not in known and first not in MISSING:  # in a text the first line decides
        return ()
    lowered = {cell: _outcome(cell) for cell in counts(cells)}
    if any(word not in known and word not in MISSING for word in lowered.values()):
        return ()
    found = {cell: known.get(word, "") for cell, word in lowered.items()}
    return Column(map(found.__getitem__, cells)) if any(found.values()) else ()


def _outcome(cell: str) -> str:
    """The word of a cell in small letters; of a cell that begins with a mark, the mark alone: what follows says why."""
    word = cell.strip().lower()
    return word[:1] if word[:1] in MARKS else word


def meant(word: str) -> str:
    """The number that a word, or the mark that it begins with, is known to mean; "" for others."""
    return ALL_OUTCOMES.get(_outcome(word), "")


def better_of(cells: Sequence[str]) -> Better | Literal[""]:
    """ "higher" for cells that say themselves what is better (pass, fail, correct, wrong); "" for others."""
    return "higher" if truths(cells, JUDGED) else ""


def as_numbers(
    file: str, cells: Sequence[str], column: str = "", places: Sequence[int] = (), known: Mapping[str, str] = TRUTH
) -> tuple[tuple[str, ...], str]:
    """The cells as plain numbers, and how they were read; ((), "") for numbers as they are, and for other texts.

    Decimal commas, percent signs, units, commas between thousands, and words for 1 and 0 (`known`).
    Raises: ReadError if each comma may be a decimal comma or a thousands separator.
    """
    first = next((cell for cell in cells if not is_missing(cell)), "").strip()
    if not (NUMERIC.match(first) or MARKED.match(first) or _outcome(first) in known):
        return (), ""  # a text: its first line decides
    if grouped := _without_marks(cells, GROUPED, ","):
        return grouped, "its commas between thousands were left out"
    if pointed := with_points(file, cells, column, places):
        return pointed, "its decimal commas were read as points"
    if (points := _points(cells, first))[0]:
        return points
    if (bare := _bare(file, cells, column, places))[0]:
        return bare
    if marked := _marked(cells):
        return marked, "[PASS] and [FAIL] before its texts were read as 1 and 0"
    found = truths(cells, known)
    if not found:
        return (), ""
    words = sorted({*map(_outcome, counts(cells))} & known.keys(), key=lambda word: (known[word] == "0", word))
    return found, f"{' and '.join(words)} were read as 1 and 0"


def _bare(file: str, cells: Sequence[str], column: str, places: Sequence[int]) -> tuple[tuple[str, ...], str]:
    """The cells without percent signs or the one unit that all have, and how they were read; ((), "") for others."""
    if percent := _comma_percent(file, cells, column, places):
        return percent, "its decimal commas were read as points, its percent signs were left out"
    if percent := _without_marks(cells, PERCENT, "%"):
        return percent, "its percent signs were left out"
    return _without_unit(cells)


def _points(cells: Sequence[str], first: str) -> tuple[tuple[str, ...], str]:
    """The points in cells such as 7/10, or their shares where they are out of different numbers, and how they were read."""
    if "/" not in first:
        return (), ""
    if points := _of_most(cells):
        return points, f"the points before / {first.rpartition('/')[2].strip()} were read"
    return _shares(cells), "points out of different numbers (2/3) were read as their shares"


def _of_most(cells: Sequence[str]) -> tuple[str, ...]:
    """The points in cells such as 7/10, if all that are not missing are of the same number of points; else ()."""
    found = {cell: OF_MOST.fullmatch(cell) for cell in counts(cells) if not is_missing(cell)}
    if not found or len({match[2] if match else "" for match in found.values()}) != 1 or not all(found.values()):
        return ()
    points = {cell: match[1] for cell, match in found.items() if match}
    return tuple(points.get(cell, "") for cell in cells)


def _shares(cells: Sequence[str]) -> tuple[str, ...]:
    """The shares in cells such as 2/3 and 4/5, if all that are not missing are points out of some number; else ()."""
    found = {cell: OF_MOST.fullmatch(cell) for cell in counts(cells) if not is_missing(cell)}
    parts = {cell: (float(match[1]), float(match[2])) for cell, match in found.items() if match}
    if len(parts) < len(found) or any(not 0 <= points <= most or most <= 0 for points, most in parts.values()):
        return ()
    shares = {cell: f"{points / most:.12g}" for cell, (points, most) in parts.items()}
    return tuple(shares.get(cell, "") for cell in cells)


def _marked(cells: Sequence[str]) -> tuple[str, ...]:
    """1 and 0 for cells that begin with [PASS] and [FAIL], as promptfoo writes its outputs; () unless all do."""
    marks = {cell: MARKED.match(cell) for cell in counts(cells)} if cells and MARKED.match(cells[0]) else {}
    found = {cell: "1" if match[1] == "PASS" else "0" for cell, match in marks.items() if match}
    return tuple(found[cell] for cell in cells) if found and len(found) == len(marks) else ()


def _without_marks(cells: Sequence[str], pattern: re.Pattern[str], mark: str) -> tuple[str, ...]:
    """The cells without a mark, if all that are not missing are numbers, and some have it in a way that means one thing."""
    if not any(map(pattern.fullmatch, counts(cells))):
        return ()
    kept = [cell for cell in counts(cells) if not is_missing(cell)]
    fits = all(pattern.fullmatch(cell) or NUMBER.fullmatch(cell) or THOUSANDS.fullmatch(cell.strip()) for cell in kept)
    if not fits or (mark == "%" and not all("%" in cell for cell in kept)):
        return ()
    return Column(cell.replace(mark, "") for cell in cells)


def _without_unit(cells: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """The numbers before one unit that all cells have, but for missing ones, and how they were read; ((), "") for other cells."""
    found = {cell: WITH_UNIT.fullmatch(cell) for cell in counts(cells) if not is_missing(cell)}
    units = {match[2] if match else "" for match in found.values()}
    if len(units) != 1 or "" in units:
        return (), ""
    values = {cell: match[1] for cell, match in found.items() if match}
    return Column(values.get(cell, "") for cell in cells), f"their unit, {units.pop()}, was left out"


def _comma_percent(file: str, cells: Sequence[str], column: str, places: Sequence[int]) -> tuple[str, ...]:
    """The numbers before the percent signs, where some have decimal commas; () for other cells.

    Raises: ReadError if each comma could also be a thousands separator.
    """
    known = counts(cells)
    if not any(map(COMMA_PERCENT.fullmatch, known)):
        return ()
    if not all(is_percent(cell) or is_missing(cell) for cell in known):
        return ()
    if any("." in cell for cell in known if not is_missing(cell)):
        return ()  # a comma or a point: one of them may be between thousands
    return with_points(file, Column(cell.replace("%", "").strip() for cell in cells), column, places)


def is_percent(cell: str) -> bool:
    """Whether the cell is a number with a percent sign, with a decimal point or a decimal comma."""
    return bool(PERCENT.fullmatch(cell) or COMMA_PERCENT.fullmatch(cell))


def is_number(cell: str) -> bool:
    """Whether the cell is a finite decimal number in ASCII digits."""
    return NUMBER.fullmatch(cell) is not None and math.isfinite(float(cell))


def are_digits(cells: Collection[str]) -> bool:
    """Whether each cell has digits, and nothing else."""
    together = "".join(cells)
    return together.isascii() and together.isdigit() and all(cells)


def is_missing(cell: str) -> bool:
    """Whether the cell marks a missing score: empty, nan, None, NA."""
    return cell.strip().lower() in MISSING


def parsed(cells: Sequence[str]) -> Mapping[str, float]:
    """Each different cell that is a number, with its value; a column is parsed once."""
    known = cells.numbers if isinstance(cells, Column) else None
    if known is None:
        different = counts(cells)
        whole = are_digits(different)  # most ids: nobody looks at each of them
        found = {cell: float(cell) for cell in different if whole or NUMBER.fullmatch(cell)}
        known = (
            found if all(map(math.isfinite, found.values())) else {c: x for c, x in found.items() if math.isfinite(x)}
        )
        if isinstance(cells, Column):
            cells.numbers = known
    return known


def times(cells: Sequence[str]) -> Counter[float]:
    """How often each number occurs among the cells, in their order."""
    known, found = parsed(cells), Counter[float]()
    for cell, n in counts(cells).items():
        if cell in known:
            found[known[cell]] += n
    return found


def _odd(cells: Sequence[str]) -> dict[str, int]:
    """The cells that are no numbers, with how often each occurs."""
    if isinstance(cells, Column) and cells.numbers is None and _are_ids(cells.counts):
        return {}
    known = parsed(cells)
    return (
        {cell: n for cell, n in counts(cells).items() if cell not in known} if len(known) < len(counts(cells)) else {}
    )


def _are_ids(different: Collection[str]) -> bool:
    """Whether these are many whole numbers, as most ids are: nobody needs the value of each of them."""
    return len(different) > MOST_SCORES and are_digits(different) and max(map(len, different)) <= LONGEST_ID


def mostly_numbers(cells: Sequence[str]) -> bool:
    """Whether over 90% of the non-empty cells, and half of all cells, are numbers."""
    return _meant_as_scores(len(cells), _odd(cells))


def numbers_in(cells: Sequence[str]) -> list[float]:
    """The numbers among the cells, in order."""
    known = parsed(cells)
    return [known[cell] for cell in cells if cell in known]


MOMENT = 1e8  # seconds, or thousandths of them, that a clock counts from 1970
LONGEST_MARK = 3  # digits of a number that a person gives


def go_up(cells: Sequence[str], fewest: int) -> bool:
    """Whether numbers, of which there are that many or more, go up by 1 in every row: they count the rows."""
    head = numbers_in(cells[:fewest])
    if len(head) < fewest or not _are_steps(head):
        return False
    return _are_steps(numbers_in(cells))


def _are_steps(values: Sequence[float]) -> bool:
    return all(b - a == 1 for a, b in itertools.pairwise(values))


def are_ids(cells: Column) -> bool:
    """Whether cells are long whole numbers, as ids are: a mark such as 38202325 does not exist."""
    return all(cell.isdigit() and len(cell) > LONGEST_MARK for cell in cells.counts)


def are_moments(cells: Sequence[str]) -> bool:
    """Whether all numbers are as large as those of a clock: no scores, whatever their heading says."""
    values = numbers_in(cells)
    return bool(values) and min(values) > MOMENT


@dataclass(frozen=True)
class Scale:
    """The different numbers of a column, sorted, and how often each occurs."""

    values: tuple[float, ...]
    times: tuple[int, ...]

    def __len__(self) -> int:
        return sum(self.times)

    @property
    def largest(self) -> float:
        """The largest distance from 0."""
        return max(map(abs, self.values))

    @property
    def usual(self) -> float:
        """The median distance from 0."""
        sizes = sorted(zip(map(abs, self.values), self.times, strict=True))
        n, ends = len(self), list(itertools.accumulate(times for _, times in sizes))
        low, high = (sizes[bisect_right(ends, place)][0] for place in ((n - 1) // 2, n // 2))
        return (low + high) / 2

    @property
    def fractions(self) -> int:
        """How many of the numbers are not whole."""
        return sum(times for value, times in zip(self.values, self.times, strict=True) if not value.is_integer())


def scale(cells: Sequence[str]) -> Scale:
    """The numbers among the cells."""
    known = times(cells)
    values = sorted(known)
    return Scale(tuple(values), tuple(known[value] for value in values))


def are_scores(file: str, cells: Sequence[str], column: str = "", places: Sequence[int] = ()) -> bool:
    """Whether the cells are scores; one empty cell at the end does not count.

    Cells that mark missing scores (see is_missing) are allowed; the test set decides about them. `places` are the lines
    of the cells, if these are not 1, 2, 3 ...
    Raises: ReadError if over 90% of the non-empty cells are numbers, and the others are not.
    """
    cells = cells[:-1] if len(cells) > 1 and not cells[-1].strip() else cells
    odd = _odd(cells)
    if _is_text(len(cells), odd) or (odd and not _meant_as_scores(len(cells), odd)):
        return False
    wrong = {cell for cell in odd if not is_missing(cell)}
    if wrong:
        raise _not_a_number(file, {i: cell for i, cell in enumerate(cells) if cell in wrong}, column, places)
    return True


def _not_a_number(file: str, bad: Mapping[int, str], column: str, places: Sequence[int]) -> ReadError:
    """The error for the first bad cell, with the number of bad cells."""
    first = next(iter(bad))
    more = f" ({len(bad)} such cells.)" if len(bad) > 1 else ""
    place, line = _place(first, column, places)
    message = f"{place}: {bad[first][:40]!r} is not a number.{more}"
    rest = "remove the heading" if not column and list(bad) == [0] else "remove this cell"
    fix = f"Give every segment a finite number with a decimal point, or {rest}."
    words = sorted({cell.strip() for cell in bad.values()})
    if column and len(words) <= MOST_WORDS and all(word[:1].isalpha() and len(word) <= LONGEST_WORD for word in words):
        said = " ".join(shlex.quote(f"{word}=missing") for word in words)
        fix += f" If there is no score where it says so: --cells {said}."
    return ReadError(message, file, line, fix)


def _place(i: int, column: str, places: Sequence[int]) -> tuple[str, int]:
    """Where the i-th cell of a column is: in words, and its line."""
    line = places[i] if places else i + 1
    return (f"column {column}, row {i + 1}" if column else f"line {line}"), line


def _is_text(n: int, odd: Mapping[str, int]) -> bool:
    """Whether more than a tenth of n cells are no number, however they are written; `odd` are those that are none as such."""
    return sum(times for cell, times in odd.items() if not (is_missing(cell) or ENDLESS.fullmatch(cell))) > n // 10


def with_points(file: str, cells: Sequence[str], column: str = "", places: Sequence[int] = ()) -> tuple[str, ...]:
    """The cells with decimal points, if all non-empty cells are numbers with decimal commas; else ().

    Raises: ReadError if each comma could also be a thousands separator.
    """
    if not any("," in cell for cell in counts(cells)):
        return ()
    if not all(WITH_COMMA.fullmatch(cell) or is_missing(cell) for cell in counts(cells)):
        return ()
    with_comma = [(i, cell) for i, cell in enumerate(cells) if "," in cell]
    if all(THOUSANDS.fullmatch(cell.strip()) for _, cell in with_comma):
        i, cell = with_comma[0]
        place, line = _place(i, column, places)
        message = f"{place}: {cell!r} may have a decimal comma, or a thousands separator."
        fix = "Write numbers with a decimal point, and without thousands separators."
        raise ReadError(message, file, line, fix)
    return Column(cell.replace(",", ".") for cell in cells)


def _meant_as_scores(n: int, bad: Mapping[str, int]) -> bool:
    """Whether most of n cells are numbers (or nan, inf) although the `bad` ones, with their numbers of rows, are not."""
    missing = sum(times for cell, times in bad.items() if is_missing(cell))
    endless = sum(times for cell, times in bad.items() if not is_missing(cell) and ENDLESS.fullmatch(cell))
    numeric = n - sum(bad.values()) + endless
    return numeric >= 0.5 * n and numeric > 0.9 * (n - missing)


# Whether several systems can be rivals: their scores in the same range, none of them a copy of the reference.

FAR = 20.0  # the scores of rivals do not differ by this factor in both the largest and the median size
FEWEST = 3  # segments; in fewer, numbers differ by chance
NEARLY, MANY = 0.98, 30  # an output that equals gold in this share of this many segments is a copy of it


ENDING = re.compile(r".+[-_. ]([^-_. ]+)")


def constant(scales: Sequence[tuple[str, Scale]], fewest: int) -> list[str]:
    """The columns with one number in every row. Where all headings end alike (A_score, B_score), a system may be right everywhere:
    then not those whose number is the largest or the smallest of the others."""
    ends = {end for _, one in scales if len(one.values) > 1 for end in (min(one.values), max(one.values))}
    endings = {match[1] if (match := ENDING.fullmatch(name)) else name for name, _ in scales}
    known = ends if len(endings) < min(2, len(scales)) else set[float]()
    return [
        name for name, one in scales if len(one) >= fewest and len(one.values) == 1 and known.isdisjoint(one.values)
    ]


def different(scores: Sequence[tuple[str, Scale]]) -> tuple[str, str]:
    """Two systems whose scores, given by name, are on very different scales; ("", "") if there are none."""
    known = [(name, one) for name, one in scores if len(one) >= FEWEST and any(one.values)]
    below = [name for name, one in known if one.values[-1] <= 0]
    above = [name for name, one in known if one.values[0] >= 0]
    if below and above:
        return below[0], above[0]
    sizes = sorted((one.largest, one.usual, name) for name, one in known)
    if len(sizes) < 2:
        return "", ""
    low, high = sizes[0], sizes[-1]
    far = high[0] > FAR * low[0] and high[1] > FAR * low[1]
    return (low[2], high[2]) if far else ("", "")


def is_copy(segments: Sequence[str], gold: Sequence[str]) -> bool:
    """Whether all segments, or nearly all of many, are those of a gold text of the same length."""
    equal = sum(map(str.__eq__, segments, gold))
    return equal == len(segments) or (len(segments) >= MANY and equal >= NEARLY * len(segments))


OFTEN = 4  # an answer that is a number is right in one row of so many, at least


def is_often(segments: Sequence[str], gold: Sequence[str]) -> bool:
    """Whether many segments are the gold ones: answers that are right or wrong."""
    return OFTEN * sum(map(str.__eq__, segments, gold)) >= len(gold)


def word(cell: str) -> str:
    """The words of a cell as somebody says what they mean: in small letters, and in one line; -1.0 is -1."""
    words = " ".join(cell.split()).lower()
    return f"{float(words):g}" if WHOLE.fullmatch(words) else words


def plain(cells: Sequence[str]) -> list[str]:
    """The word of each cell (see `word`), each different one made once."""
    known = {cell: word(cell) for cell in counts(cells)}
    return list(map(known.__getitem__, cells))


WHOLE = re.compile(r"-?\d{1,6}\.0*")


def marks(column: Iterable[str]) -> list[str]:
    """The words of a column that repeats a few short ones, sorted; [] for another."""
    cells = [cell.strip() for cell in column if not is_missing(cell)]
    found = sorted(set(cells))
    few = 1 < len(found) <= MOST_WORDS and len(cells) >= MARKED_BY * len(found)
    return found if few and all(len(word) <= LONGEST_WORD for word in found) else []


def few_words(column: Iterable[str]) -> list[str]:
    """The words of a column, below a heading of grades, that holds a few short ones, sorted; [] for another."""
    cells = [cell.strip() for cell in column if not is_missing(cell)]
    found = sorted(set(cells))
    few = 0 < len(found) <= MOST_WORDS and len(cells) >= 2 * len(found)
    fits = few and all(len(word) <= LONGEST_WORD and not is_number(word) for word in found)
    return found if fits else []


def is_headed(column: Sequence[str]) -> bool:
    """Whether nearly all cells below the first are numbers, all are outcomes (pass, fail), or a few other words again."""
    head, *cells = column
    values = len(numbers_in(cells)) > 0.9 * len(cells) or bool(truths(cells, OUTCOMES))
    values = values or (bool(cells) and all(is_percent(cell) or is_missing(cell) for cell in cells))
    return values or (bool(again := marks(cells)) and head.strip() not in again)
