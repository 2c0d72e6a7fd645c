"""Tables in unusual layouts: systems in rows, two lines of headings, cells with a deviation, tables of Markdown."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers.contract import Found, Item, Notice
from sigcore.readers.names import pattern
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers, sums
from sigcore.readers.tables.columns import objects
from sigcore.readers.tables.table import Table

Rows = Sequence[Sequence[str]]
OUTCOMES = frozenset((0.0, 1.0))
FEWEST = 10  # questions in the columns of a table with a row per system
SPREAD = re.compile(rf"\s*[-+]?{numbers.DIGITS}\s*%?\s*(?:±|\+/-|\\pm)\s*{numbers.DIGITS}\s*%?\s*")
PROMPTFOO = {"Status", "Score", "Named Scores", "Grader Reason"}
RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")


def refuse(file: str, rows: Rows) -> None:
    """Raise ReadError for a table with two lines of headings, and for one whose cells are means with a deviation."""
    spread = list(filter(SPREAD.fullmatch, itertools.chain.from_iterable(rows[1:3])))
    if spread:
        message = f"{spread[0].strip()!r} is a mean with its deviation, over segments or runs."
        raise ReadError(message, file, 2, "Load the score of every segment: tests need them.")
    if {*rows[0]} >= PROMPTFOO and rows[0].count("Score") != 1:
        fix = "Export the records, promptfoo eval -o output.jsonl, and load them: they name the prompt of each score."
        raise ReadError(
            "It looks like the CSV of promptfoo, but its columns are not those of each prompt.", file, 1, fix
        )
    if len(rows) >= FEWEST and len(rows[0]) > 2 and _has_two_headings(rows):
        fix = "Join them: one heading for each column, such as One_BLEU, One_chrF, Two_BLEU, Two_chrF."
        raise ReadError("It has two lines of headings.", file, 2, fix)


TITLED = 6  # lines that a title and what stands below it may take


def below_title(rows: Rows) -> int:
    """The place of the headings in a sheet that begins with a title: one cell, and later the first line without a blank one;
    0 where it begins with its headings."""
    if not is_title(rows[0]):
        return 0
    full = (i for i, row in enumerate(rows[1 : TITLED + 1], 1) if all(map(str.strip, row)))
    found = next(full, 0)
    return found if found and len(rows) > found + 1 and len(set(rows[found])) == len(rows[0]) else 0


def is_title(cells: Sequence[str]) -> bool:
    """Whether only one of several cells is not empty: the title of a sheet."""
    return len(cells) >= 3 and sum(map(bool, map(str.strip, cells))) == 1


def refuse_stacked(file: str, rows: Rows, places: Sequence[int]) -> None:
    """Raise ReadError for several tables, each below a title of its own and a blank line."""
    blank = [not any(map(str.strip, row)) for row in rows]
    titles = [i for i, row in enumerate(rows) if is_title(row) and row[0].strip() and (i == 0 or blank[i - 1])]
    if len(titles) > 1:
        where = listed(str(places[i]) for i in titles)
        message = f"It has {count(len(titles), 'table')}, one below another: their titles are in lines {where}."
        fix = "Save the one with the scores of every question as a file of its own. Means and shares of all cannot be tested."
        raise ReadError(message, file, places[titles[0]], fix)


def of_levels(rows: Rows) -> Rows:
    """The rows of a data frame with headings in two lines and the names of its index in the third, with one heading for each
    column; other rows as they are."""
    if len(rows) < 4 or len(rows[0]) < 3:
        return rows
    n = next((k for k, cell in enumerate(rows[2]) if not cell.strip()), len(rows[2]))  # columns of the index
    if not 0 < n < len(rows[2]) - 1 or not _are_levels(rows[:3], n):
        return rows
    # the cells of a group are merged in a sheet: only the first has its name
    above = list[str]()
    for cell in map(str.strip, rows[0][n:]):
        above.append(cell or (above[-1] if above else ""))
    mark = f"_{rows[1][0].strip()}" if RUNS.fullmatch(rows[1][0].strip()) else " "  # mbert_seed13
    joined = [mark.join(filter(None, (one, two.strip()))) for one, two in zip(above, rows[1][n:], strict=True)]
    return [[*rows[2][:n], *joined], *rows[3:]]


RUNS = re.compile(r"seed|run|fold|trial|rep(?:etition)?", re.IGNORECASE)  # what the second level of headings may number


def _are_levels(rows: Rows, n: int) -> bool:
    """Whether two lines are headings without numbers, and nothing stands beside the n names of an index below them, and above
    the names after its first. Where the levels have names, each column has one on each."""
    above, below, index = rows
    beside = (*index[n:], *above[1:n], *below[1:n])
    numbered = all(map(str.isdigit, map(str.strip, below[n:]))) and RUNS.fullmatch(below[0].strip()) is not None
    named = (*above[n:], *(() if numbered else below[n:]), below[0])
    if any(map(str.strip, beside)) or any(map(numbers.is_number, named)):
        return False
    return not (above[0].strip() or below[0].strip()) or all(map(str.strip, below[n:]))


VERDICT = re.compile(r"\[(PASS|FAIL|ERROR)\](?: \(([0-9.]+)\))?")  # before an output, with its score in newer files
OPENCOMPASS = ["dataset", "version", "metric", "mode"]  # the first headings of its summary; the others are models


def _is_whole(row: Sequence[str], rows: Rows) -> bool:
    """Whether a row is the average of others: mmlu of mmlu-biology, musr_average of musr_mysteries. An average without its parts
    is a result like others."""
    base, _, last = row[0].replace("-", "_").rpartition("_")
    name = base if sums.WORDS.fullmatch(last) else row[0]
    parts = tuple(f"{name}{mark}" for mark in "-_")
    summed = row[0] == "all" or any(other is not row and other[0].startswith(parts) for other in rows)
    return summed and sums.WORDS.fullmatch(row[2].strip()) is not None


def of_opencompass(rows: Rows) -> Rows:
    """The rows of a summary of OpenCompass with the name of each dataset and the scores of all models; other rows as they are.

    Averages of other rows, which are called so below metric, are left out, and datasets that no model has.
    """
    head = list(map(str.strip, rows[0]))
    if head[:4] != OPENCOMPASS or len(head) < len(OPENCOMPASS) + 2:
        return rows
    known = [row for row in rows[1:] if any(cell.strip() != "-" for cell in row[4:])]
    own = [row for row in known if not _is_whole(row, known)]
    if len({row[0] for row in own}) < len(own):
        return rows
    return [
        ["segment", *head[4:]],
        *([row[0], *("" if cell.strip() == "-" else cell for cell in row[4:])] for row in own),
    ]


PROMPT = re.compile(r"\[([^\]]+)\]\s*(.*)", re.DOTALL)  # [provider] prompt, above the outputs


def of_promptfoo(rows: Rows) -> Rows:
    """The rows of the CSV of promptfoo with the score of each provider (and prompt) in a column; other rows as they are.

    It writes the score before each output, or repeats the columns Status and Score behind the outputs of each of them.
    """
    head = list(map(_displayed, rows[0]))
    if len(told := _outputs(rows, head)) > 1:
        return _told([head, *rows[1:]], told)
    starts = [k for k in range(1, len(head)) if head[k] == "Status"]
    if not {*head} >= PROMPTFOO or head.count("Score") != len(starts) or len(starts) < 2:
        return rows
    if not PROMPTFOO.isdisjoint(head[start - 1] for start in starts):
        return rows
    ends = [*starts[1:], len(head)]
    places = [head.index("Score", start, end) for start, end in zip(starts, ends, strict=True)]
    providers = _providers([head[start - 1] for start in starts])
    return [["segment", *providers], *([str(i), *(row[k] for k in places)] for i, row in enumerate(rows[1:], 1))]


def _displayed(heading: str) -> str:
    """A heading, or what promptfoo shows of one that is an object: {"raw": ..., "display": "[provider] prompt"}."""
    if not heading.lstrip().startswith("{"):
        return heading.strip()
    try:
        value = json.loads(heading)
    except (ValueError, RecursionError):
        return heading.strip()
    if not isinstance(value, dict) or "display" not in value:
        return heading.strip()
    shown = str(value["display"]).strip()
    # older versions write the provider beside the prompt
    return f"[{value['provider']}] {shown}" if "provider" in value and not PROMPT.fullmatch(shown) else shown


def _outputs(rows: Rows, head: Sequence[str]) -> list[int]:
    """The columns of outputs with a verdict before each, below a provider and a prompt."""
    return [k for k, name in enumerate(head) if PROMPT.fullmatch(name) and _are_told(rows, k)]


def _told(rows: Rows, told: Sequence[int]) -> Rows:
    """The scores before the outputs in these columns, 1 for one that only passed, below the names of their providers."""
    found = ((VERDICT.match(row[k].strip()) for k in told) for row in rows[1:])
    scored = ([(match[2] or str(int(match[1] == "PASS"))) if match else "" for match in row] for row in found)
    return [
        ["segment", *_providers([rows[0][k].strip() for k in told])],
        *([str(i), *row] for i, row in enumerate(scored, 1)),
    ]


def _are_told(rows: Rows, k: int) -> bool:
    """Whether cells begin with a verdict, and perhaps a score, but for empty ones: [PASS] (1.00) and the output."""
    cells = [row[k].strip() for row in rows[1:]]
    return any(cells) and all(VERDICT.match(cell) for cell in cells if cell)


def _providers(named: list[str]) -> list[str]:
    """The providers in headings such as `[provider] prompt`; the headings where a provider has several prompts."""
    found = [match[1] if (match := PROMPT.fullmatch(heading)) else heading for heading in named]
    return found if len(set(found)) == len(found) else named


def _has_two_headings(rows: Rows) -> bool:
    """Whether words stand in two lines above numbers, in the first of them some again or none in some columns."""
    first, second = (list(map(str.strip, row[1:])) for row in rows[:2])
    once = all(first) and len(set(first)) == len(first)
    if once or not all(second) or any(map(numbers.is_number, (*first, *second))):
        return False
    return all(numbers.mostly_numbers([row[k] for row in rows[2:]]) for k in range(1, len(rows[0])))


TRANSLATION = "translation."


def translations(table: Table, result: Found) -> Table:
    """The table with a source and a reference, if it has two languages below `translation`, as the data sets of Hugging
    Face do: from the first into the second."""
    sides = [k for k, name in enumerate(table.headings) if name.startswith(TRANSLATION)]
    if (
        table.role == "system"
        or len(sides) != 2
        or not all(words.is_kind(table.headings[k][len(TRANSLATION) :]) for k in sides)
    ):
        return table
    source, reference = table.named(sides)
    result.notices.append(Notice(table.file, f"{source} was read as the source, {reference} as the reference."))
    named = {sides[0]: "source", sides[1]: "reference"}
    return replace(table, role=None, headings=[named.get(k, name) for k, name in enumerate(table.headings)])


EMPHASIS = re.compile(r"(\*{1,3}|`|~~|__)(?P<text>[^*`~]+)\1")


def plain(cell: str) -> str:
    """A cell of Markdown without the marks of bold, italic and code around all of it."""
    text = cell.strip()
    match = EMPHASIS.fullmatch(text)
    return match["text"].strip() if match else text


def split(line: str) -> list[str]:
    """The cells of a row of Markdown, in which a bar behind a backslash is text."""
    return [plain(cell.replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def piped(lines: Sequence[str]) -> list[list[str]]:
    """The rows of a file that is one table of Markdown, with a rule below its headings; [] for other files."""
    if not next(filter(str.strip, lines), "").lstrip().startswith("|"):
        return []
    used = [line.strip() for line in lines if line.strip()]
    if len(used) < 3 or not RULE.fullmatch(used[1]) or not all(line.startswith("|") for line in used):
        return []
    rows = [split(line) for line in (used[0], *used[2:])]
    return rows if len({len(row) for row in rows}) == 1 else []


def labels(table: Table, items: Sequence[Item], result: Found) -> list[Item]:
    """The items; beside a reference of whole numbers, systems with the same numbers hold labels, as text, and no scores.

    0 and 1 beside other gold numbers say which answers are right.
    """
    items = _with_numbers(items, result) if table.basis == "said" else items
    gold = [item for item in items if item.role == "reference" and item.kind == "scores"]
    if _are_all_texts(items):
        return _as_texts(items, [] if table.role else gold)
    values = frozenset(itertools.chain.from_iterable(numbers.scale(item.segments).values for item in gold))
    if table.role or not values or not all(map(float.is_integer, values)):
        return list(items)
    if not (found := _with_labels(items, gold[0], values, table.basis == "said")):
        return list(items)
    message = f"{gold[0].name} holds numbers, so those of {listed(item.name for item in found)} are labels to compare with it."
    result.notices.append(Notice(table.file, message))
    return _as_texts(items, [*gold, *found])


def _with_numbers(items: Sequence[Item], result: Found) -> list[Item]:
    """The items with 1 for yes and 0 for no in the one reference, which is noted, where all systems have these numbers."""
    right, systems = ([item for item in items if item.role == role] for role in ("reference", "system"))
    if len(right) != 1 or right[0].kind != "text" or not systems or not all(map(_are_marks, systems)):
        return list(items)
    known = numbers.truths(right[0].segments, numbers.ALL_OUTCOMES)
    if not known or not {*known} <= {"0", "1", ""}:
        return list(items)
    means = sorted({*zip(map(numbers.word, right[0].segments), known, strict=True)} - {("", "")})
    message = f"In {right[0].name}, {listed(f'{word} is {number}' for word, number in means)}, as in {listed(item.name for item in systems)}."
    result.notices.append(Notice(right[0].file, message))
    changed = replace(right[0], kind="scores", segments=tuple(known))
    return [changed if item is right[0] else item for item in items]


def _are_marks(item: Item) -> bool:
    return item.kind == "scores" and {*numbers.scale(item.segments).values} <= OUTCOMES


def _with_labels(items: Sequence[Item], right: Item, values: frozenset[float], said: bool) -> list[Item]:
    """The systems that hold labels such as these; beside one with labels of 0 to 2, also one that only gives 0 and 1."""
    values |= OUTCOMES if values < OUTCOMES else frozenset[float]()  # all of one class: others may give the other one
    found = [item for item in items if _holds_labels(item, right, values, said)]
    few = values & OUTCOMES if said and found else frozenset[float]()
    return [item for item in items if item in found or (few and _holds_labels(item, right, few, said))]


def _as_texts(items: Sequence[Item], labels: Sequence[Item]) -> list[Item]:
    """The items, in which labels are text."""
    texts = {id(item): replace(item, kind="text", measure="") for item in labels}
    return [texts.get(id(item), item) for item in items]


def _are_all_texts(items: Sequence[Item]) -> bool:
    """Whether all systems have answers in words."""
    return {item.kind for item in items if item.role == "system"} == {"text"}


def _holds_labels(item: Item, right: Item, gold: frozenset[float], said: bool) -> bool:
    """Whether the numbers of a system are labels such as the gold ones, or answers that are often those of their rows."""
    if item.kind != "scores" or item.role != "system" or (words.is_measure(item.name) and not said):
        return False
    own = frozenset(numbers.scale(item.segments).values)
    outcomes = own <= OUTCOMES and not gold <= OUTCOMES
    if outcomes or not all(map(float.is_integer, own)):
        return False
    given = numbers.numbers_in(item.segments)  # ids and times are seldom a label, by chance
    if 2 * sum(value in gold for value in given) > len(given):
        return True
    return numbers.is_often(*(numbers.plain(one.segments) for one in (item, right)))


def of_several_measures(items: Sequence[Item], table: Table) -> list[Item]:
    """The items; below headings that name every one of several systems with every one of several measures (A_bleu, A_comet,
    B_bleu, B_comet), each measure has its scores. Where somebody says that these are systems, criteria of judges count, too;
    and any other measure that he names."""
    said = table.basis == "said"
    names = [item.name for item in items if item.kind == "scores" and item.role == "system"]
    parts = {**table.grid, **{f"{heading} score": pair for heading, pair in table.grid.items()}} or _parts_of(
        names, said
    )
    return [
        replace(item, name=parts[item.name][0], measure=parts[item.name][1])
        if item.kind == "scores" and item.role == "system" and item.name in parts
        else item
        for item in items
    ]


def _parts_of(headings: Sequence[str], said: bool) -> dict[str, tuple[str, str]]:
    """The system and the measure in each heading; {} unless each system comes with each measure."""
    if said and (known := words.crossed(headings)):
        return known
    parts = {heading: words.cut(heading) for heading in headings}
    systems, measures = ({part[k] for part in parts.values()} for k in (0, 1))
    whole = len(set(parts.values())) == len(headings) == len(systems) * len(measures)
    return parts if whole and "" not in measures and min(len(systems), len(measures)) > 1 else {}


def with_input(table: Table, items: Sequence[Item]) -> list[Item]:
    """The items; below the heading text is what labels are about, where other columns hold words of the reference."""
    outputs = [item for item in items if item.role == "system" and item.kind == "text"]
    about = [item for item in outputs if words.meaning(item.name) == "text"]
    others = [item for item in outputs if item not in about]
    if table.role or len(about) != 1 or not others:
        return list(items)
    gold = _gold(items)
    if not _are_labels(gold, others) or not gold.isdisjoint(about[0].segments):
        return list(items)
    made = {id(about[0]): replace(about[0], role="source")}
    return [made.get(id(item), item) for item in items]


def _gold(items: Sequence[Item]) -> set[str]:
    """The segments of all references."""
    return set(itertools.chain.from_iterable(item.segments for item in items if item.role == "reference"))


def _are_labels(gold: set[str], outputs: Sequence[Item]) -> bool:
    """Whether a few gold words come again and again, and most segments of all outputs are among them."""
    n = len(outputs[0].segments)
    return 0 < 2 * len(gold) <= n and all(2 * sum(map(gold.__contains__, item.segments)) > n for item in outputs)


FILE_NAME = re.compile(r"\S+\.(?:png|jpe?g|gif|webp|tiff?|wav|mp[34]|flac|ogg|m4a|avi|webm)", re.IGNORECASE)


def without_files(table: Table, result: Found) -> None:
    """Ignore columns of names of pictures and recordings, with a notice: they are what was shown, no outputs."""
    files = list(filter(_are_files, result.items))
    if not files or table.role:
        return
    _refuse_shown(table, files, result.items)
    named, keys = listed(item.name for item in files), _as_keys(files, result.items)
    used = "they name the segments" if keys else "not used"
    result.notices.append(Notice(table.file, f"Names of files, not outputs; {used}: {named}."))
    result.items = [replace(item, role="ignored") if item in files else item for item in result.items]
    if keys:
        result.items = [replace(item, keys=keys) for item in result.items]


INPUT = pattern("wide.input")


def _refuse_shown(table: Table, files: Sequence[Item], items: Sequence[Item]) -> None:
    """Raise ReadError for names of pictures or recordings of several systems beside what was asked for alone."""
    rest = [item for item in items if item not in files and item.role != "ignored"]
    if len(files) > 1 and all(item.kind == "text" and INPUT.fullmatch(item.name) for item in rest):
        what = (
            f"{listed(item.name for item in files)} hold names of pictures or recordings, which no measure here scores."
        )
        raise ReadError(
            what,
            table.file,
            1,
            "Load what people or a program said of each: a row for each system and item, with a score.",
        )


def _are_files(item: Item) -> bool:
    filled = item.role == "system" and item.kind == "text" and any(item.segments)
    return filled and all(map(FILE_NAME.fullmatch, set(item.segments)))


def _as_keys(files: Sequence[Item], items: Sequence[Item]) -> tuple[str, ...]:
    """The names of the pictures or recordings without their folders, another one in each row, where a text beside them is known to
    be right and nothing else names the rows; () for others."""
    known = any(item.role == "reference" for item in items) and not any(item.keys for item in items)
    keys = tuple(cell.replace("\\", "/").rpartition("/")[2] for cell in files[0].segments)
    shown = len(files) == 1 and SHOWN.fullmatch(files[0].name) is not None
    return keys if known and shown and len({*keys}) == len(keys) else ()


SHOWN = re.compile(
    r"(?:image|img|picture|photo|audio|video|wav|clip|recording|file)(?:[-_ ]?(?:file|name|path|id))*", re.IGNORECASE
)


def spread(table: Table) -> Table:
    """The table with a column for each name in the objects that cells of a column hold, if these are no settings: preds.bert."""
    open_ = table.headed(lambda name: not words.is_settings(name))
    known = {k: own for k in open_ if (own := objects(table.column(k)))}
    if not known:
        return table
    columns = [
        (f"{heading}.{name}" if name else heading, cells)
        for k, heading in enumerate(table.headings)
        for name, cells in (known[k].items() if k in known else [("", table.column(k))])
    ]
    rows = list(zip(*(cells for _, cells in columns), strict=True))
    return replace(table, headings=[heading for heading, _ in columns], rows=rows, nested=True)


# below another name, or a word for what was done with one answer: no names of systems
NOTED = re.compile(r".+\..+|.*(?:strict|extract|valid|pars|format|answer|pred|clean).*", re.IGNORECASE)
CORRECT = re.compile(r"(?:\w+\.)*(?:is_?)?correct", re.IGNORECASE)


def says_which_are_right(scores: Sequence[Item], items: Sequence[Item]) -> bool:
    """Whether a column says which answers are right, beside what is right: other whole numbers are answers, or what else was noted of
    one system's answers (extracted_int, strict)."""
    right = [
        item for item in scores if CORRECT.fullmatch(item.name) and {*numbers.scale(item.segments).values} <= {0.0, 1.0}
    ]
    known = len(right) == 1 and any(item.role == "reference" for item in items)
    return known and all(_is_noted(item) for item in scores if item not in right)


def _is_noted(item: Item) -> bool:
    """Whether a column has whole numbers below a heading of what was noted, or answered."""
    named = NOTED.fullmatch(item.name) is not None or words.is_field(item.name)
    return named and not numbers.scale(item.segments).fractions
