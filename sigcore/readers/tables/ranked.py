"""Rankings of several systems in a row, as people gave them at WMT13 to 16: each is a comparison of all its pairs.

Where a table of scores holds ranks instead, 1 for the best system of each row, their measure is the mean rank.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.preferences import preferences
from sigcore.readers import names
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers
from sigcore.readers.tables.crossing import ID
from sigcore.readers.tables.table import Table

NAMED = re.compile(r"(?:system|sys|model)[-_ ]?(\d+)[-_ ]?(?:id|name)?", re.IGNORECASE)
RANK = re.compile(r"(?:(?:system|sys|model)[-_ ]?)?(\d+)[-_ ]?rank|rank[-_ ]?(\d+)", re.IGNORECASE)
SENTENCE = "srcindex"  # of the source sentence, as the collections of WMT have it
SAYS_RANK = re.compile(r"ranks?|rankings?|places?|positions?", re.IGNORECASE)
MEAN_RANK = "mean rank"  # a measure by its name: lower is better
Place = tuple[int, int]  # the columns of a system and of its rank
Ranking = list[tuple[str, float | None]]  # the systems of a row, with their ranks


def columns(headings: Sequence[str]) -> list[Place]:
    """The columns of each system and its rank; [] for a table without two of them."""
    named = {match[1]: k for k, heading in enumerate(headings) if (match := NAMED.fullmatch(heading.strip()))}
    ranks = {m[1] or m[2]: k for k, heading in enumerate(headings) if (m := RANK.fullmatch(heading.strip()))}
    both = [(named[number], ranks[number]) for number in named if number in ranks]
    return both if len(both) > 1 else []


def found(table: Table, result: Found, alone: bool) -> bool:
    """Whether the rows of a table are rankings, by ranks beside systems, or (`alone`, in no known program) by their names from the
    best one on: then their comparisons are added to `result`.

    Raises: ReadError for a rank that is no number.
    """
    if places := columns(table.headings):
        each = [_ranked(table, places, i) for i in range(len(table.rows))]
        _read(table, each, f"rankings of {count(len(places), 'system')}, rank 1 the best", result)
        return True
    if not alone or table.role or table.basis:
        return False
    by_name, how = _in_columns(table) or _in_cells(table) or ([], "")
    if by_name:
        _read(table, by_name, how, result)
    return bool(by_name)


def _read(table: Table, each: Sequence[Ranking], how: str, result: Found) -> None:
    """Add the comparisons of each language pair in a table with such a ranking in each row; ranks below 1 are missing."""
    languages = _language_pairs(table)
    for pair in dict.fromkeys(languages):
        rows = [row for i, own in enumerate(languages) if own == pair for row in _compared(table, each[i], i)]
        if not rows:
            raise ReadError(
                "No row ranks two systems.", table.file, 1, "Load the rankings, with a rank for each system."
            )
        title = names.display_name(table.file)
        result.preferences.append(preferences(f"{title} {pair}" if len({*languages}) > 1 else title, rows, table.file))
    asked = _question(table)
    by = "each row is one" if asked is None else table.headings[asked]
    message = f"It has {how}, which compare all pairs of a row; "
    result.notices.append(Notice(table.file, f"{message}questions: {by}."))


def _question(table: Table) -> int | None:
    """The column that names the source sentence."""
    known = [k for k, heading in enumerate(table.headings) if words.normalised(heading) == SENTENCE]
    return next(iter(known or table.where("segment", "perhaps segment")), None)


def _language_pairs(table: Table) -> list[str]:
    """The language pair of each row; "" where the table does not say."""
    sides = [k for k, heading in enumerate(table.headings) if words.normalised(heading) in ("srclang", "trglang")]
    return ["-".join(row[k].strip() for k in sides) for row in table.rows]


def _ranked(table: Table, places: Sequence[Place], i: int) -> Ranking:
    """The systems of a row with their ranks."""
    row = table.rows[i]
    return [(names.clean(row[k]), _rank(table, i, at)) for k, at in places if row[k].strip()]


def _compared(table: Table, ranked: Ranking, i: int) -> list[tuple[str, str, float, str, str]]:
    """The comparisons in a row: both systems, the outcome, the question and the judge."""
    row, asked, judges = table.rows[i], _question(table), table.where("judge")
    question = str(i) if asked is None else row[asked].strip()
    judge = row[judges[0]].strip() if judges else ""
    return pairs([(system, rank) for system, rank in ranked if rank is not None], question, judge)


def pairs(ranks: Sequence[tuple[str, float]], question: str, judge: str) -> list[tuple[str, str, float, str, str]]:
    """The comparisons of all pairs of systems by their ranks, 1 the best: both systems, the outcome, the question and the judge."""
    return [
        (one, other, 0.5 if a == b else float(a < b), question, judge)
        for (one, a), (other, b) in itertools.combinations(ranks, 2)
        if one != other
    ]


def _rank(table: Table, i: int, k: int) -> float | None:
    cell = table.rows[i][k].strip()
    if numbers.is_missing(cell):
        return None
    if not numbers.is_number(cell):
        message = f"column {table.headings[k]}: {cell[:40]!r} is no rank."
        raise ReadError(message, table.file, table.places[i], "Write 1 for the best system, 2 for the next.")
    return float(cell) if float(cell) >= 1 else None


# Names in the order of their ranks: a column for each rank, or one cell for all.

ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
FEWEST_RANKED, MOST_NAMES, LONGEST_NAME = 3, 40, 60  # systems, all of their names, characters of one
SAYS_ORDER = re.compile(r"prefer|(?:^|[-_ ])order(?:$|[-_ ])", re.IGNORECASE)
# rank1, ranking 2, 3rd, 4th_place, first
OF_RANK = re.compile(
    r"(?:rank(?:ed|ing)?s?|places?)[-_ .#]*(?P<number>\d{1,2})|(?P<counted>\d{1,2})(?:st|nd|rd|th)(?:[-_ ](?:place|choice|rank|best))?|"
    rf"(?P<word>{'|'.join(ORDINALS)})(?:[-_ ](?:place|choice|rank|best))?",
    re.IGNORECASE,
)


def _has_more(table: Table) -> bool:
    """Whether a table has what names of ranks may be about: systems, what is right, or numbers that may be scores."""
    scored = [k for k in table.where("score", None) if table.numeric(k) and not words.is_field(table.headings[k])]
    right = table.where("system", "reference", "text") or table.headed(words.is_label)
    return bool(right) or any(not ID.search(table.headings[k]) for k in scored)


def _in_columns(table: Table) -> tuple[list[Ranking], str] | None:
    """The ranking of each row where columns of the first, the second and so on hold names, each once in a row; None for others.

    Raises: ReadError where rows rank other names: these may be documents or labels, too.
    """
    ranks = {k: _number(match) for k, name in enumerate(table.headings) if (match := OF_RANK.fullmatch(name.strip()))}
    places = sorted(ranks, key=ranks.__getitem__)
    if len(places) < FEWEST_RANKED or sorted(ranks.values()) != list(range(1, len(places) + 1)):
        return None
    if any(map(table.numeric, places)) or _has_more(table):
        return None
    rows = [[row[k].strip() for k in places] for row in table.rows]
    each: list[Ranking] = [[(names.clean(one), float(rank)) for rank, one in enumerate(row, 1) if one] for row in rows]
    if not _are_rankings(each):
        return None
    shown = table.named(places)
    if not _rank_all(each):
        message = f"{listed(shown)} name what is first, second and so on, other ones in each row."
        fix = "If these are systems, write a row for each pair: model_a, model_b and winner, the one with the better rank."
        raise ReadError(message, table.file, 1, fix)
    return each, f"rankings by name, from {shown[0]}, the best, to {shown[-1]}"


def _number(match: re.Match[str]) -> int:
    """The rank that a heading names."""
    return ORDINALS[match["word"].lower()] if match["word"] else int(match["number"] or match["counted"])


def _in_cells(table: Table) -> tuple[list[Ranking], str] | None:
    """The ranking of each row where the cells of one column are names with > between them, or = for equal ones: a > b = c; None for
    others. Without a heading of ranks, every row has to rank the same names: a path such as home > music > rock does not."""
    marked = [k for k, cell in enumerate(table.rows[0]) if ">" in cell]  # most tables have none: nothing is counted
    for k in (k for k in marked if all(">" in cell for cell in table.column(k).counts)):
        each = [_cut(cell) for cell in table.column(k)]
        said = _says_rank(table.headings[k]) or SAYS_ORDER.search(table.headings[k])
        if _are_rankings(each) and (said or _rank_all(each)) and not _has_more(table):
            return each, f"rankings below {table.headings[k]}, the best one first ({table.column(k)[0].strip()})"
    return None


def _cut(cell: str) -> Ranking:
    """The names in a cell with their ranks; equal ones have the best of theirs."""
    out = Ranking()
    for part in re.split(r"\s*>+\s*", cell.strip()):
        rank = float(len(out) + 1)
        out += [(names.clean(one), rank) for one in re.split(r"\s*[=~]+\s*", part)]
    return out


def _are_rankings(each: Sequence[Ranking]) -> bool:
    """Whether rows rank a few systems by short names, three of them or more, none of them twice in a row."""
    named = [[name for name, _ in row] for row in each if row]
    known = {name for row in named for name in row}
    once = all(len(row) > 1 and len({*row}) == len(row) for row in named)
    few = FEWEST_RANKED <= len(known) <= MOST_NAMES and 2 * len(known) <= sum(map(len, named))
    return once and few and all(0 < len(name) <= LONGEST_NAME for name in known)


def _rank_all(each: Sequence[Ranking]) -> bool:
    """Whether all rows rank the same names, and not all in the same order."""
    rows = {tuple(row) for row in each if row}
    return len({frozenset(name for name, _ in row) for row in rows}) == 1 < len(rows)


# Ranks as scores: in a column for each system, or in one column beside the names of the systems.


def as_ranks(table: Table, items: Sequence[Item], result: Found) -> list[Item]:
    """The items of a table in wide form; where the headings of all systems say rank, and every row ranks them, or all numbers
    are places from 1 on, their measure is the mean rank, with a notice."""
    found = [item for item in items if item.role == "system" and item.kind == "scores"]
    if table.role or len(found) < 2 or not all(_says_rank(item.name) for item in found):
        return list(items)
    rows = list(zip(*(item.segments for item in found), strict=True))
    if not all(map(is_ranking, rows)):
        if not all(map(_are_places, rows)):
            return list(items)
        message = "By the headings its numbers are places from 1 on: lower is better. Otherwise use --better higher."
        result.notices.append(Notice(table.file, message))
    else:
        result.notices.append(_noted(table))
    return [replace(item, measure=MEAN_RANK) if item in found else item for item in items]


def column_of(table: Table, values: Sequence[int], ids: Sequence[int]) -> list[int]:
    """The one column of numbers below a heading that says rank, if the rows of each question are ranked by it; else []."""
    named = [k for k in values if _says_rank(table.headings[k])]
    if len(named) != 1:
        return []
    asked: dict[tuple[str, ...], list[str]] = {}
    for row in table.rows:
        asked.setdefault(tuple(row[k] for k in ids), []).append(row[named[0]])
    several = all(len(ranks) > 1 for ranks in asked.values())
    return named if several and all(map(is_ranking, asked.values())) else []


def noted(table: Table, items: Sequence[Item], result: Found, heading: str) -> list[Item]:
    """The items of a table in long form with the ranks in a column, which is noted, as scores of the mean rank."""
    result.notices.append(_noted(table))
    return [replace(item, measure=MEAN_RANK) if item.measure == heading else item for item in items]


def is_ranking(cells: Sequence[str]) -> bool:
    """Whether the cells are ranks from 1, each once; of equal systems all have the best rank, and the next may be left out."""
    if not all(map(numbers.is_number, cells)):
        return False
    ranks = [float(cell) for cell in cells]
    own = sorted(set(ranks))
    dense = own == [float(k) for k in range(1, len(own) + 1)]
    return dense or all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)


def _are_places(cells: Sequence[str]) -> bool:
    """Whether all cells that are filled in are whole numbers from 1 on."""
    known = [float(cell) if numbers.is_number(cell) else 0.0 for cell in cells if not numbers.is_missing(cell)]
    return all(place >= 1 and place.is_integer() for place in known)


def _says_rank(heading: str) -> bool:
    if "reciprocal" in heading.lower():
        return False
    return any(map(SAYS_RANK.fullmatch, re.split(r"[.\-_ /:]+", heading.strip())))


def _noted(table: Table) -> Notice:
    return Notice(table.file, "Every row ranks its systems from 1, so these are ranks: lower is better.")


def rank_all(table: Table, places: Sequence[int]) -> bool:
    """Whether every row that is filled in below these columns has each rank once."""
    wanted = {str(k + 1) for k in range(len(places))}
    filled = [[row[k].strip().removesuffix(".0") for k in places] for row in table.rows]
    whole = [cells for cells in filled if all(cells)]
    return bool(whole) and all({*cells} == wanted for cells in whole)


# Best and worst of several systems in a row.

BEST, WORST = (re.compile(rf"(?:is[-_ ])?{word}(?:[-_ ]\w+)?", re.IGNORECASE) for word in ("best", "worst"))
BEST_WORST = "best-worst score"
FEWEST_SHOWN = 3  # systems in a row


def best_worst(table: Table, notices: list[Notice]) -> Table:
    """The table with a row for each system that was shown in a row, 1 for the best one, -1 for the worst one and 0 for others;
    as it is where rows do not say that."""
    chosen = [k for heading in (BEST, WORST) for k in table.headed(heading.fullmatch)]
    shown = _shown(table, chosen) if len(chosen) == 2 else []
    if not shown:
        return table
    best, worst = chosen
    message = (
        f"Of {count(len(shown), 'system')} in each row it says which is best (1) and worst (-1); the others are 0."
    )
    notices.append(Notice(table.file, message))
    cells = ([(row[k], str((row[k] == row[best]) - (row[k] == row[worst]))) for k in shown] for row in table.rows)
    return _with_asked(table.without({*chosen, *shown}).beside(["system", BEST_WORST], cells))


def _with_asked(out: Table) -> Table:
    """The table whose one other name, such as that of an article, is that of what was asked."""
    open_ = [k for k in out.where("document", None) if not out.numeric(k)]
    named = out.where("segment", "perhaps segment") or len(open_) != 1
    return out if named else out.renamed(dict.fromkeys(open_, "segment"))


def _shown(table: Table, chosen: Sequence[int]) -> list[int]:
    """The columns of the systems that were shown, among which those of the best and the worst one choose; [] for others."""
    if any(map(table.numeric, chosen)):
        return []  # the best of all scores
    own = {cell.strip() for k in chosen for cell in table.column(k).counts}
    rest = (k for k in range(len(table.headings)) if k not in chosen)
    shown = [k for k in rest if own <= {*map(str.strip, table.column(k).counts)}]
    whole = all({row[k] for k in chosen} <= {row[k] for k in shown} for row in table.rows)
    return shown if len(shown) >= FEWEST_SHOWN and whole else []
