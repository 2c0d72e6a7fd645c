"""What every column of a table is taken for, and whether that is more than a guess.

A column becomes the rival of another only for a positive reason: somebody said so, a known program writes it so, or the
layout shows it: columns that are alike, and none of which has a heading with another known meaning.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import median

from sigcore.errors import ReadError
from sigcore.formatting import count, listed
from sigcore.readers.contract import Basis, Claim, Found, Item, Part
from sigcore.readers.tables import headings as words
from sigcore.readers.tables import numbers
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.numbers import FEWEST
from sigcore.readers.tables.table import Table, Unclear, first_cells

COUNTED = 10  # rows; in fewer, scores may go up by 1 by chance, and fractions may be missing
WHOLES, ROUNDED, SPREAD = (1, 100), 0.005, 4  # what shares add up to, their rounding, and how far they must vary
LENGTHS = 4.0  # the usual length of an output and of its reference do not differ by more
PARENTS = re.compile(r"scores?|systems?|models?|outputs?|predictions?|translations?|hypotheses", re.IGNORECASE)
# Numbers below these headings may be labels or values to compare with gold ones, not scores.
PREDICTED = re.compile(
    r"pred(?:icted|iction|s|ictions)?(?:[-_ ](?:label|class|value|id)s?)?|target|labels?|class|(?:final[-_ ])?answers?|solutions?",
    re.IGNORECASE,
)
# Texts below these headings, another in every row, may name systems: then the numbers beside them are of whole systems.
NAMING = re.compile(
    r"name|method|approach|checkpoint|team|submission|variant|config(?:uration)?|column 1", re.IGNORECASE
)
ANSWERS = re.compile(r"(?:final[-_ ])?answers?|solutions?", re.IGNORECASE)
OUTPUTS: tuple[Meaning, ...] = ("text", "system")  # headings of the output of one system
NESTED = re.compile(r"([A-Za-z_]+)\..+")  # not v1.2

PARTS: Mapping[Meaning, Part] = {
    "segment": "question", "perhaps segment": "question", "system": "system", "document": "document",
    "domain": "category", "category": "category", "run": "run", "task": "task", "reference": "reference",
    "source": "source", "text": "text", "score": "score", "z": "score", "rated": "score", "judge": "ignored",
}  # fmt: skip


def unclear(table: Table, why: str, result: Found | None = None) -> ReadError:
    """The error for a table whose columns are not understood: what each was taken for, and how to say what is meant."""
    known = {claim.column: claim for claim in result.claims if claim.file == table.file} if result else {}
    claims = [known.get(name) or _by_heading(table, k) for k, name in enumerate(table.headings)]
    return Unclear(table, why, claims)


def _by_heading(table: Table, k: int) -> Claim:
    means = table.meanings[k]
    role = PARTS.get(means, "ignored") if means else None
    if role is None and words.is_field(table.headings[k]):
        return _claim(table, k, "ignored", "by its heading no score", "heading")
    return _claim(
        table, k, role or "system", "by its heading" if role else "only a guess", "heading" if role else "guess"
    )


def _claim(table: Table, k: int, role: Part, reason: str, basis: Basis) -> Claim:
    return Claim(table.file, table.headings[k], role, reason, basis, cells=first_cells(table, k))


# Tables in wide form: the columns that would be rivals.


def wide(table: Table, streams: Sequence[tuple[int, Item]], one_system: bool, result: Found) -> None:
    """Add what each column of a table in wide form is taken for; `streams` are its columns with the items made of them.

    `one_system`: its values are all about one system.
    Raises: Unclear where columns would be rivals only by a guess.
    """
    if table.role and (table.role != "system" or len(table.headings) == 1):
        return  # the file says what it is
    made = dict(streams)
    rivals = {k: item for k, item in made.items() if item.role == "system"}
    gold = [item for item in made.values() if item.role == "reference"]
    doubts = _about_one(table, rivals) if one_system else _doubts(table, rivals, gold)
    why = "" if table.basis else next(doubts, "")
    claims = [_wide(table, k, made.get(k), one_system, why) for k in range(len(table.headings))]
    claims = _without_odd(table, rivals, claims) if why else claims
    claims = _naming_one(table, rivals, claims, one_system) if why else _alone(table, rivals, claims)
    result.claims += claims
    if why:
        raise Unclear(table, why, claims)


def _without_odd(table: Table, rivals: Mapping[int, Item], claims: list[Claim]) -> list[Claim]:
    """The claims; a column on another scale than all others, which are on one, is hardly a system."""
    scales = {
        k: (item.name, numbers.scale(item.segments))
        for k, item in rivals.items()
        if item.kind == "scores" and claims[k].role == "system"
    }
    for k in scales if len(scales) > 2 else ():
        others = [scales[i] for i in scales if i != k]
        if not any(numbers.different(others)) and all(any(numbers.different([scales[k], one])) for one in others):
            odd = _claim(table, k, "ignored", "on another scale than the others", "guess")
            return [odd if i == k else claim for i, claim in enumerate(claims)]
    return claims


def _alone(table: Table, rivals: Mapping[int, Item], claims: list[Claim]) -> list[Claim]:
    """The claims; one system that is a guess has no rival, so its column rather holds what the file's system wrote, or its
    scores."""
    if sum(claim.role == "system" for claim in claims) != 1:
        return claims
    wrote = {k for k, item in rivals.items() if item.kind == "text" and not _words([item])}
    return [
        replace(one, role="text" if k in wrote else "score") if one.role == "system" and not one.sure else one
        for k, one in enumerate(claims)
    ]


def _naming_one(table: Table, rivals: Mapping[int, Item], claims: list[Claim], one_system: bool) -> list[Claim]:
    """The claims of a table that is asked about; a column without which the ids repeat may name systems."""
    named = _apart(table, rivals)
    if named is None:
        return claims if one_system else _alone(table, rivals, claims)
    (asked,) = _ids(table)

    def claim(k: int, one: Claim) -> Claim:
        if k == named:
            return _claim(table, k, "system", "only a guess", "guess")
        if k == asked:
            return _claim(
                table, k, "question", "by its heading", "heading" if table.meanings[k] == "segment" else "guess"
            )
        # one column names the systems, so no other is one
        return replace(one, role="score" if rivals[k].kind == "scores" else "ignored") if one.role == "system" else one

    return [claim(k, one) for k, one in enumerate(claims)]


def _ids(table: Table) -> list[int]:
    """The column that names what was asked, if there is one."""
    return (table.where("segment") or table.where("perhaps segment"))[:1]


def _wide(table: Table, k: int, item: Item | None, one_system: bool, why: str) -> Claim:
    if item is None or item.role != "system":
        role = _part_of(item) if item is not None and item.role != "ignored" else _by_heading(table, k).role
        return _claim(table, k, "ignored" if role == "system" else role, "by its heading", "heading")
    if one_system:
        role = "text" if item.kind == "text" else "score"
        if why:
            return _claim(table, k, role, "only a guess", "guess")
        return _claim(table, k, role, "by its heading, of the one system of the file", "heading")
    if table.basis:
        return _claim(table, k, "system", "as it was said", table.basis)
    if not why:
        return _claim(table, k, "system", "its column is like the others", "layout")
    role, reason = _guessed(table, k, item)
    return _claim(table, k, role, reason, "guess")


def _no_system(table: Table, k: int, item: Item) -> tuple[Part, str] | None:
    """The role of a column that is hardly a system, by its heading or those beside it, and why; None for others."""
    heading, steps = table.headings[k], any(map(words.is_step, table.headings))
    if table.meanings[k] == "perhaps segment":
        return "question", "by its heading"
    others = (name for name in table.headings if name != heading)
    if words.is_label(heading) and any(map(words.is_prediction, others)):
        return "reference", "labels to compare with"
    if ANSWERS.fullmatch(heading):
        return "reference", "the right answers?"
    if words.is_field(heading) or steps:
        return "ignored", "in a log of steps" if steps else "by its heading no score"
    if len(table.rows) >= COUNTED and len(set(item.segments)) == 1:
        return "ignored", "the same in every row"
    if words.is_measure(heading) or (table.nested and words.ends_in_measure(heading)):
        return ("score", "by its heading a measure") if item.kind == "scores" else ("ignored", "beside measures")
    beside = any(map(words.is_measure, table.headings)) and not words.measures_in(heading)
    return ("score" if item.kind == "scores" else "ignored", "beside measures") if beside else None


def _guessed(table: Table, k: int, item: Item) -> tuple[Part, str]:
    """The likeliest role of a column that may be no system, and why."""
    if known := _no_system(table, k, item):
        return known
    if _counts(item):
        return "question", "it counts the rows"
    if item.kind == "text" and any(_holds_numbers(table, i) for i in range(len(table.headings)) if i != k):
        names_rows = k == 0 and table.differ([k]) and not _ids(table)
        return ("question", "it names the rows") if names_rows else ("ignored", "text beside numbers")
    if len(several_measures(table.headings)) > 1 and words.measures_in(heading := table.headings[k]):
        return "ignored", f"its heading names {listed(sorted(words.measures_in(heading)))}"
    return "system", "only a guess"


def _holds_numbers(table: Table, k: int) -> bool:
    """Whether a column without another known meaning holds numbers, however they are written, or outcomes."""
    if table.meanings[k] in PARTS:
        return False
    cells = table.column(k)
    written = all("," in cell or numbers.is_number(cell) for cell in set(cells) if not numbers.is_missing(cell))
    return (
        table.numeric(k)
        or (written and any(map(numbers.WITH_COMMA.fullmatch, cells)))
        or bool(numbers.truths(cells, numbers.OUTCOMES))
    )


def several_measures(names: Sequence[str]) -> frozenset[str]:
    """The measures that headings such as A_bleu and A_comet name."""
    return frozenset().union(*map(words.measures_in, names))


def _part_of(item: Item) -> Part:
    parts: dict[str, Part] = {
        "reference": "reference",
        "source": "source",
        "documents": "document",
        "domains": "category",
    }
    return parts.get(item.role, "ignored")


def _known_otherwise(heading: str) -> str:
    """Why a heading is hardly a system's name; "" if nothing is known about it."""
    if words.is_field(heading):
        return "by its heading no score"
    if words.is_measure(heading):
        return "by its heading a measure"
    return ""


def _about_gold(scores: Sequence[Item], gold: Sequence[Item]) -> Iterator[str]:
    """Numbers beside those of a reference, which they may predict."""
    right = [item.name for item in gold if item.kind == "scores"]
    named = [item for item in scores if not words.is_measure(item.name)] if right else []
    values = {value for item in named for value in numbers.scale(item.segments).values}
    if not values <= {0.0, 1.0}:
        yield f"Are the numbers in {listed(item.name for item in named)} scores, or do they predict those in {right[0]}?"


def _doubts(table: Table, rivals: Mapping[int, Item], gold: Sequence[Item]) -> Iterator[str]:
    """Why these columns may not be rivals."""
    scores = [item for item in rivals.values() if item.kind == "scores"]
    texts = [item for item in rivals.values() if item.kind == "text"]
    names = [item.name for item in rivals.values()]
    yield from _about_apart(table, rivals) if scores else ()
    yield from _about_gold(scores, gold)
    yield from _about_nested(names) if table.nested else ()
    for measure in dict.fromkeys(item.measure for item in scores):
        yield from _about_scores([item for item in scores if item.measure == measure])
    if len(table.rows) >= FEWEST:
        yield from _about_texts(texts, gold)
    yield from _about_kinds(texts, scores)
    if not (gold or scores) and (found := _words(texts)):
        yield f"Are {listed(found)} in {listed(item.name for item in texts)} scores? Then say which number each means."


def _about_one(table: Table, rivals: Mapping[int, Item]) -> Iterator[str]:
    """Why the numbers of one system may be no scores of its segments."""
    scores = [item.name for item in rivals.values() if item.kind == "scores"]
    yield from _about_predicted(scores)
    judges = [k for k in table.where("judge") if k not in rivals and len(set(table.column(k))) > 1]
    if scores and judges and not table.where("system"):
        yield f"{table.headings[judges[0]]} names judges, but no column names the system that each row rates."
    yield from _about_apart(table, rivals) if scores else ()
    if scores and (first := _naming(table, rivals)):
        yield f"Does {first} name systems? Then these are scores of whole systems, and tests need those of every segment."


def _about_apart(table: Table, rivals: Mapping[int, Item]) -> Iterator[str]:
    """Ids that repeat, beside a column that may name systems."""
    if (apart := _apart(table, rivals)) is not None:
        name = table.headings[apart]
        yield f"Does {name} name systems? Only with {name} each question has one row."


def _apart(table: Table, rivals: Mapping[int, Item]) -> int | None:
    """The column of short names without which the ids of a table repeat; None if there is none."""
    ids = _ids(table)
    if not ids or table.differ(ids) or table.where("system", "run"):
        return None
    scores = [k for k, item in rivals.items() if item.kind == "scores" and k not in ids]
    if not scores:
        return None
    known = {*ids, *scores, *table.where("reference", "source", "judge", "domain", "category", "task")}
    names = (k for k in range(len(table.headings)) if k not in known and not table.numeric(k))
    return next((k for k in names if table.repeats(k) and table.differ([k, *ids])), None)


def _naming(table: Table, rivals: Mapping[int, Item]) -> str:
    """The heading of a column that may name systems, in a table that names no segments; "" if there is none."""
    if table.where("segment", "perhaps segment", "document"):
        return ""
    named = (k for k, name in enumerate(table.headings) if k not in rivals and NAMING.fullmatch(name))
    return next((table.headings[k] for k in named if not table.numeric(k) and table.differ([k])), "")


def _about_nested(names: Sequence[str]) -> Iterator[str]:
    """Names below a name that says nothing of systems."""
    parents = [match[1] for name in names if (match := NESTED.fullmatch(name)) and not PARENTS.fullmatch(match[1])]
    if len(parents) > 1:
        yield f"Are the {count(len(parents), 'value')} below {listed(dict.fromkeys(parents))} rival systems?"


def _about_scores(rivals: Sequence[Item]) -> Iterator[str]:
    """Columns of scores that may be no rivals."""
    if not rivals:
        return
    yield from _about_names([item.name for item in rivals])
    if len(rivals) < 2:
        return
    scales = [(item.name, numbers.scale(item.segments)) for item in rivals]
    low, high = numbers.different(scales)
    if low and high:
        yield f"Are {low} and {high} scores of rival systems? Their numbers are on very different scales."
    yield from _about_numbers(rivals, scales)
    if _are_shares(rivals):
        yield f"{listed(name for name, _ in scales)} add up to a whole in every row: are they shares or labels, not rivals?"


def _about_predicted(names: Sequence[str]) -> Iterator[str]:
    """Headings below which numbers are hardly scores."""
    if predicted := list(filter(PREDICTED.fullmatch, names)):
        yield f"Are the numbers in {listed(predicted)} scores, or predictions that need gold labels to compare with?"


def _about_names(names: Sequence[str]) -> Iterator[str]:
    """Headings that name something else than a system."""
    yield from _about_predicted(names)
    fields, measures = list(filter(words.is_field, names)), list(filter(words.is_measure, names))
    numbered = list(filter(words.is_numbered, names))
    parts, several = [words.measures_in(name) for name in names], several_measures(names)
    if fields:
        yield f"By their headings these columns are fields of a log, not systems: {listed(fields)}."
    if measures and len(measures) < len(names):
        others = [name for name in names if name not in measures]
        yield f"By their headings {listed(measures)} are measures, but {listed(others)} may be systems: which is it?"
    if len(numbered) > 1:
        yield f"Are {listed(numbered)} systems, or people, runs, parts or labels of one system?"
    if len(names) > 1 and all(map(words.is_kind, names)):
        yield f"Are {listed(names)} systems? By their names they are languages or labels."
    if len(several) > 1 and all(parts):
        yield f"Are {listed(names)} rivals? Their headings name {count(len(several), 'measure')}: {listed(sorted(several))}."


def _about_numbers(rivals: Sequence[Item], scales: Sequence[tuple[str, numbers.Scale]]) -> Iterator[str]:
    """Columns that count the rows, or are of another type than the others."""
    counting = [item.name for item in rivals if _counts(item)]
    if counting and len(counting) < len(scales):
        yield f"These columns count the rows, so they are hardly scores: {listed(counting)}."
    same = [name for name, one in scales if len(one) >= FEWEST and len(one.values) == 1]
    # a system may be right everywhere, but not have one and the same fraction
    if 0 < len(same) < len(scales) and any(one.fractions for _, one in scales):
        yield f"These columns have the same number in every row, so they are hardly scores: {listed(same)}."
    yield from _about_types([(name, one) for name, one in scales if len(one) >= COUNTED], len(scales))


def _are_shares(rivals: Sequence[Item]) -> bool:
    """Whether every row adds up to 1 or 100 although its numbers change: probabilities of labels, or split votes."""
    rows = len(rivals[0].segments)
    heads = [numbers.numbers_in(item.segments[:COUNTED]) for item in rivals]
    near = {whole: ROUNDED * whole * len(rivals) for whole in WHOLES}

    def add_up(columns: Sequence[Sequence[float]], whole: int) -> bool:
        return all(abs(sum(row) - whole) <= near[whole] for row in zip(*columns, strict=True))

    if rows < COUNTED or any(len(head) != COUNTED for head in heads) or not any(add_up(heads, one) for one in WHOLES):
        return False  # as for most tables: ten rows decide
    columns = [numbers.numbers_in(item.segments) for item in rivals]
    if any(len(values) != rows for values in columns):
        return False
    # rivals that are always near half of a whole add up to it too
    varies = max(max(values) - min(values) for values in columns)
    return any(add_up(columns, whole) and varies > SPREAD * near[whole] for whole in WHOLES)


def _about_types(scales: Sequence[tuple[str, numbers.Scale]], columns: int) -> Iterator[str]:
    """Whole numbers beside fractions, and beside right and wrong answers."""
    whole = [name for name, one in scales if not one.fractions and one.largest > 1]
    broken = [name for name, one in scales if 2 * one.fractions > len(one)]
    if whole and len(whole) + len(broken) == columns > len(whole):
        yield f"{listed(whole)} are whole numbers, but {listed(broken)} are fractions: are they rivals?"
    answers = [name for name, one in scales if one.values == (0.0, 1.0)]
    if answers and len(whole) + len(answers) == columns > len(answers):
        yield f"{listed(answers)} hold 0 and 1, but {listed(whole)} other numbers: are they rivals?"


def _counts(item: Item) -> bool:
    """Whether the numbers go up by 1 in every row."""
    head = numbers.numbers_in(item.segments[:COUNTED])
    if len(head) < COUNTED or not _goes_up(head):
        return False
    return _goes_up(numbers.numbers_in(item.segments))


def _goes_up(values: Sequence[float]) -> bool:
    return values[0] in (0, 1) and all(b - a == 1 for a, b in itertools.pairwise(values))


def _about_texts(texts: Sequence[Item], gold: Sequence[Item]) -> Iterator[str]:
    """Columns of text that may be no outputs."""
    same = [item.name for item in texts if len(set(item.segments)) == 1]
    if same and len(texts) > 1:
        yield f"These columns have the same text in every row, so they are hardly outputs: {listed(same)}."
    for item in texts:
        copy = next((one for one in gold if numbers.is_copy(item.segments, one.segments)), None)
        if copy is not None and len(texts) > 1:
            yield f"{item.name} is the same as the reference {copy.name}, so it is hardly an output."
    if texts and not gold and _are_answers(texts):
        yield f"Are yes and no in {listed(item.name for item in texts)} scores (1 and 0), or answers?"
    yield from _about_lengths(texts, gold)


def _words(texts: Sequence[Item]) -> list[str]:
    """The words of columns that repeat a few short ones, sorted; [] for texts, and below the heading of an output."""
    named = any(words.meaning(item.name) in OUTPUTS for item in texts)
    return [] if named else numbers.marks(cell for item in texts for cell in item.segments)


def _are_answers(texts: Sequence[Item]) -> bool:
    """Whether all texts are yes or no."""
    cells = (cell for item in texts for cell in item.segments)
    return all(cell.strip().lower() in numbers.ANSWERS or numbers.is_missing(cell) for cell in cells)


def _about_lengths(texts: Sequence[Item], gold: Sequence[Item]) -> Iterator[str]:
    """Columns of text of other lengths than the reference, or than the other texts."""
    unlike = [
        item.name for item in texts if words.meaning(item.name) not in OUTPUTS and not _alike(item, gold or texts)
    ]
    if unlike and (len(texts) > 1 or gold):
        yield f"{listed(unlike)}: much shorter or longer than the other texts, or a few words again and again."


def _alike(item: Item, others: Sequence[Item]) -> bool:
    """Whether a column of text has the usual length of one of the others, and not many fewer different texts."""
    own, different = _length(item), len(set(item.segments))
    near = (other for other in others if other is not item or len(others) == 1)
    return any(
        own <= LENGTHS * _length(other)
        and _length(other) <= LENGTHS * own
        and 4 * different >= len(set(other.segments))
        for other in near
    )


def _length(item: Item) -> float:
    return median([len(text) for text in item.segments if text.strip()] or [0]) + 1


def _about_kinds(texts: Sequence[Item], scores: Sequence[Item]) -> Iterator[str]:
    """Unknown columns of text next to an output, or next to columns of numbers: both would be systems."""
    named = {item.name for item in scores}
    outputs = [item.name for item in texts if words.meaning(item.name) in OUTPUTS]
    others = [item for item in texts if item.name not in (*outputs, *named)]
    unknown = [item.name for item in others]
    if outputs and unknown:
        yield f"By its heading {outputs[0]} is the output of one system: what are {listed(unknown)}?"
    if unknown and scores:
        what = (
            f"It has columns of text ({listed(unknown)}) and columns of numbers ({listed(named)}): which are systems?"
        )
        different = any(len(set(item.segments)) == len(item.segments) for item in others)
        board = " If each row is a system, these are scores of whole systems, and tests need those of every segment."
        yield what + (board if different else "")


# Matrices of scores: documents in rows, systems in columns.

NAMES: tuple[Meaning, ...] = ("document", "segment", "perhaps segment", "domain")


def matrix(table: Table, columns: Sequence[int], said: Mapping[str, Part]) -> list[int]:
    """The columns of a matrix of scores that are systems; the first column names the documents, others have scores.

    Raises: Unclear where these may be no documents, or no rivals, and nobody said it.
    """
    named = [k for k in columns if said.get(table.headings[k]) == "system"]
    systems = named or [k for k in columns if said.get(table.headings[k]) not in ("ignored", "weight")]
    why = "" if named else _no_rivals(table, list(filter(table.numeric, systems)))
    first, given = table.headings[0], said.get(table.headings[0])
    known = not first.strip() or table.meanings[0] in NAMES or given in ("document", "question")
    if not known and not why:
        why = f"Does {first} name documents? If each row is a system, these are scores of whole systems."
    claims = [_of_matrix(table, k, systems, known, why) for k in range(len(table.headings))]
    if why:
        raise Unclear(table, why, completed(table, said, claims))
    return systems


def _no_rivals(table: Table, columns: Sequence[int]) -> str:
    """Why these columns of a matrix may be no rivals; "" if nothing speaks against it."""
    measures = list(filter(words.is_measure, table.named(columns)))
    if measures:
        return f"By their headings {listed(measures)} are measures, not systems."
    items = {k: Item(table.headings[k], "system", "scores", table.column(k), table.file, "") for k in columns}
    return next(_doubts(table, items, ()), "")


def _of_matrix(table: Table, k: int, systems: Sequence[int], known: bool, why: str) -> Claim:
    if k == 0:
        return _claim(
            table, k, "document", "by its heading" if known else "the first column", "heading" if known else "guess"
        )
    if k not in systems:
        return _claim(table, k, "ignored", "no column of scores", "heading")
    otherwise = _known_otherwise(table.headings[k])
    if why:
        return _claim(table, k, "ignored" if otherwise else "system", otherwise or "only a guess", "guess")
    return _claim(table, k, "system", "its column is like the others", "layout")


def completed(table: Table, said: Mapping[str, Part], claims: Sequence[Claim]) -> list[Claim]:
    """The claims on the columns of the file, in their order: as somebody said, as they were read, or by their headings.

    `said` are the roles by heading; `claims` those on the table that was read, where columns may have other names.
    """
    known = {claim.column: claim for claim in claims}
    out = []
    for k, heading in enumerate(table.headings):
        if heading in said:
            out.append(_claim(table, k, said[heading], "as it was said", "said"))
        elif heading in known:
            out.append(replace(known[heading], file=table.file))
        else:
            claim = _by_heading(table, k)
            role = claim.role if claim.sure else "ignored"
            out.append(_claim(table, k, role, claim.reason if claim.sure else "no known heading", "heading"))
    return out


# Tables in long form: the columns of values.


def long_form(table: Table, system: int, ids: Sequence[int], values: Sequence[int], result: Found) -> list[int]:
    """Add what each column of a table in long form is taken for, and return the columns of numbers that are scores.

    `values` are the columns of numbers. One is a score if its heading says so or somebody does, or if it is the only one.
    Raises: Unclear where several columns could be the scores.
    """
    named = [k for k in values if _is_score(table, k) or table.basis]
    fields = [k for k in values if k not in named and words.is_field(table.headings[k])]
    others = [k for k in values if k not in (*named, *fields)]
    predicted = [k for k in named or others if not table.basis and PREDICTED.fullmatch(table.headings[k])]
    named = [k for k in named if k not in predicted]
    guess = not named and len(others) > 1
    found = (named, others, predicted or (others if guess else []))
    claims = [_long(table, k, system, ids, found) for k in range(len(table.headings))]
    result.claims += claims
    if predicted:
        raise Unclear(table, next(_about_predicted(table.named(predicted))), claims)
    if guess:
        raise Unclear(table, f"Which of these are scores: {listed(table.named(others))}?", claims)
    return named or others


def _long(
    table: Table, k: int, system: int, ids: Sequence[int], found: tuple[Sequence[int], Sequence[int], Sequence[int]]
) -> Claim:
    """What one column of a table in long form is taken for; `found` are the scores that are named, others, and guesses."""
    named, others, guessed = found
    if k == system:
        return _claim(table, k, "system", "it names the system of the row", table.basis or "heading")
    if k in ids:
        return _claim(table, k, "question", "it names what was asked", table.basis or "heading")
    if k in named:
        return _claim(
            table, k, "score", "as it was said" if table.basis else "by its heading", table.basis or "heading"
        )
    if k in guessed:
        return _claim(table, k, "score", "only a guess", "guess")
    if k in others and not named:
        return _claim(table, k, "score", "the only column of numbers that may be scores", "layout")
    claim = _by_heading(table, k)
    return claim if claim.sure else _claim(table, k, "ignored", "no known heading", "heading")


def _is_score(table: Table, k: int) -> bool:
    """Whether the heading of a column names a measure or scores."""
    return table.meanings[k] in ("score", "z", "rated", "text") or words.ends_in_measure(table.headings[k])
