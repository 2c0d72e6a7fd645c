"""The output of trec_eval: a line per measure and query (`-q`), then lines of means for `all` queries."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence

from sigcore.errors import ReadError
from sigcore.formatting import count
from sigcore.readers.contract import Found, Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables import numbers
from sigcore.readers.tables.table import Table

WIDTH = 3  # measure, query, value
HEADINGS = ["measure", "qid", "score"]
MEASURE = re.compile(r"(?:\d+-?)?[A-Za-z][\w.@-]*(?:\([^()]*\)[\w.@-]*)?")
OF_QUERY = pattern("trec.of_query")
PRINTED = pattern("trec.printed")
WORDS = ("runid", "relstring")  # lines whose value is a text
COUNTED = re.compile(r"num_\w+")  # num_q, num_ret, num_rel: counts, no quality
ALL = "all"


def is_trec(rows: Sequence[Sequence[str]]) -> bool:
    """Whether these are lines of trec_eval: a measure padded with blanks, a query, a number; the last for all queries, or
    the first measure again and again. Where somebody cut the blanks away, every line has a name that trec_eval prints."""
    if len(rows[0]) != WIDTH or not all(map(_is_line, rows)):
        return False
    once = len({(row[0].strip(), row[1].strip()) for row in rows}) == len(rows)
    if once and len(rows) >= FEWEST_MEASURES and _are_all(OF_QUERY, rows):  # NDCG@10, RR and the like
        return True
    if _are_all(PRINTED, rows):
        return once or all(row[1].strip() == ALL for row in rows)  # the means of several runs, one below another
    return any(
        row[0] != row[0].rstrip() and (row[1].strip() == ALL or OF_QUERY.fullmatch(row[0].strip())) for row in rows
    )


def _are_all(known: re.Pattern[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether all rows begin with a known measure."""
    return all(known.fullmatch(row[0].strip()) for row in rows)


def in_order(rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """The rows; those of ir_measures and tar_eval, which begin with the query, in the order of trec_eval."""
    if len(rows[0]) != WIDTH:
        return rows
    known = all(OF_QUERY.fullmatch(row[1].strip()) and numbers.is_number(row[2]) for row in rows)
    kept = rows if known else _of_topics(rows)
    return [[f"{row[1].strip()} ", row[0], row[2]] for row in kept] or rows


FEWEST_MEASURES = 5  # of each topic


def _of_topics(rows: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """The rows of numbers, where each topic has each of the same measures once, some of which are known; [] for others."""
    topics, named = ([*dict.fromkeys(row[k].strip() for row in rows)] for k in (0, 1))
    whole = len({(row[0].strip(), row[1].strip()) for row in rows}) == len(rows) == len(topics) * len(named)
    some = len(topics) > 1 and len(named) >= FEWEST_MEASURES and any(map(OF_QUERY.fullmatch, named))
    if not whole or not some or not all(map(MEASURE.fullmatch, named)):
        return []
    texts = {row[1].strip() for row in rows if not numbers.is_number(row[2])}  # topic_id repeats the topic
    return [row for row in rows if row[1].strip() not in texts]


SECTION = re.compile(r"[#=*\s]*(model|system|run)\s*[:=]\s*(\S.*?)[=*\s]*", re.IGNORECASE)


def by_system(lines: Sequence[str]) -> tuple[list[list[str]], list[int]]:
    """The values of several systems, each below a line with its name (MODEL: BM25), as rows of system, measure, query and value below
    these headings, and their lines; [] where no such lines stand above those of trec_eval."""
    name, rows, places = "", list[list[str]](), list[int]()
    for place, line in enumerate(lines, 1):
        if match := SECTION.fullmatch(line):
            name = match[2]
        elif line.strip():
            cells = [cell.strip() for cell in line.split("\t")]
            if not name or len(cells) != WIDTH or not _is_line(cells):
                return [], []
            if cells[1] != ALL and not _is_count(cells[0]):
                rows.append([name, *cells])
                places.append(place)
    several = len({row[0] for row in rows}) > 1
    return ([["system", *HEADINGS], *rows], [1, *places]) if several else ([], [])


def _is_line(row: Sequence[str]) -> bool:
    name = row[0].strip()
    return MEASURE.fullmatch(name) is not None and (name in WORDS or numbers.is_number(row[2]))


def table(file: str, rows: Sequence[Sequence[str]], places: Sequence[int], result: Found) -> Table:
    """The lines of single queries as a table of measures, queries and scores.

    Raises: ReadError for a file with means only.
    """
    kept = [i for i, row in enumerate(rows) if row[1].strip() != ALL and not _is_count(row[0].strip())]
    if not kept:
        message = "It is the output of trec_eval for all queries together, and tests need the value of each query."
        raise ReadError(message, file, 1, "Run trec_eval with -q, and load its output for each run.")
    left = len(rows) - len(kept)
    more = f"; {count(left, 'line')} of means and counts were not used" if left else ""
    message = f"Read as a value per measure and query (trec_eval, ir_measures){more}."
    result.notices.append(Notice(file, message))
    cells = [[cell.strip() for cell in rows[i]] for i in kept]
    return Table(file, list(HEADINGS), cells, [places[i] for i in kept], basis="program")


def _is_count(name: str) -> bool:
    return name in WORDS or COUNTED.fullmatch(name) is not None


# Runs and judgments in JSON.


IN_JSON = re.compile(r'\{\s*"[^"]*"\s*:\s*\{\s*"[^"]*"\s*:\s*-?\d')
FEWEST = 2  # questions


def in_json(text: str) -> dict[str, dict[str, float]]:
    """The documents of each question with their scores or judgments (BEIR, pytrec_eval, ranx); {} for another text: where most names
    come below each of the first ones, they are no documents."""
    if not IN_JSON.match(text):
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    own = [{*one} if _are_numbers(one) else set() for one in value.values()] if isinstance(value, dict) else []
    if len(own) < FEWEST or not all(own):
        return {}
    return value if 2 * len(set.intersection(*own)) < len(set.union(*own)) else {}


def _are_numbers(value: object) -> bool:
    """Whether an object has nothing but numbers."""
    return isinstance(value, dict) and all(type(one) in (int, float) and math.isfinite(one) for one in value.values())
