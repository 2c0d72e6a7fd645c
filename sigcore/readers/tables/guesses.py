"""What a column is likeliest to be that may be no system: its heading, its cells, and what stands beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Claim, Item, Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import compared, crossing, doubts, evident, numbers, outcomes
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import CROSSED, IN_LOG, VALUE_BELOW

ALIKE = 3  # names that the objects of two systems share: a measure, and what else was noted
HOLDING = "numbers"  # what columns hold that are looked for once
MOST_OUTCOMES = 3  # words for what an answer is: right, wrong, and neither
BY_PEOPLE = pattern("guesses.by_people")
ANSWERS = re.compile(r"(?:final[-_ ])?(?:answers?(?: \d+)?|solutions?)", re.IGNORECASE)
HEADED: tuple[tuple[re.Pattern[str], Part, str], ...] = (
    (ANSWERS, "reference", "the right answers?"),
    (BY_PEOPLE, "reference", "by its heading written by people"),
    (re.compile(r"(?:options?|choices?)(?:[-_. ]\w+)?", re.IGNORECASE), "ignored", "one of the choices"),
    (words.CONTEXT, "source", "by its heading what was read"),
)

PARTS: Mapping[Meaning, Part] = {
    "segment": "question", "perhaps segment": "question", "system": "system", "document": "document",
    "domain": "category", "category": "category", "run": "run", "task": "task", "reference": "reference",
    "source": "source", "text": "text", "score": "score", "z": "score", "rated": "score", "judge": "ignored",
}  # fmt: skip

PREDICTIONS = "predictions, no scores"  # why a column is not used


def likeliest(table: Table, k: int, item: Item) -> tuple[Part, str]:
    """The likeliest role of a column that may be no system, and why."""
    heading = table.headings[k]
    if known := _of_rows(table, k, item) or _no_system(table, k, item):
        return known
    if item.kind == "text" and (known := _named_text(table, heading) or _beside_numbers(table, k)):
        return known
    if heading in table.crossed:
        return "system", CROSSED
    if len(doubts.several_measures(table.headings)) > 1 and words.measures_in(heading):
        return _with_measure(table, item)
    return _numbers(table, heading) if item.kind == "scores" else ("system", "only a guess")


def _of_rows(table: Table, k: int, item: Item) -> tuple[Part, str] | None:
    """The role of a column that says which row it is, by an id or a number, or who judged; None for others."""
    ids = doubts.ids_of(table)
    if crossing.is_id(table, k) and not ids:
        return "question", "each row has another one"
    if item.kind != "scores":
        return None
    means, logged = table.meanings[k], any(map(words.is_step, table.headings))
    if means == "judge" or (means == "run" and not logged):
        return means, "by its heading"
    if logged or words.is_field(table.headings[k]):
        return None
    why = _why_of_rows(table.headings[k], item)
    return ("ignored" if ids else "question", why) if why else None


def _why_of_rows(heading: str, item: Item) -> str:
    """Why numbers say which row it is; "" for others."""
    if doubts.counts_rows(item):
        return "it counts the rows"
    if _numbers_rows(item):
        return "it numbers the rows"
    return "each row has another number" if _are_numbers_of_rows(heading, item) else ""


def _numbers_rows(item: Item) -> bool:
    """Whether the numbers are those from 0 or 1 on, in any order: no score is another one in each row, and leaves none out."""
    if len(item.segments) < FEWEST_PLACES or max(map(len, item.segments)) > MOST_DIGITS:
        return False
    if not numbers.are_digits(item.segments):
        return False
    first, *_, last = own = sorted(map(int, item.segments))
    return first in (0, 1) and last - first + 1 == len(own) == len({*own})


def _are_numbers_of_rows(heading: str, item: Item) -> bool:
    """Whether a column without a heading has another whole number in each of several rows: 8004, 6862."""
    several = len({*item.segments}) == len(item.segments) >= FEWEST_PLACES
    return several and NAMELESS.fullmatch(heading) is not None and numbers.are_digits(item.segments)


NAMELESS = re.compile(r"column \d+")
FEWEST_PLACES, MOST_DIGITS = 10, 18  # rows, fewer of which may be ranked; digits of a number that counts something


# A heading of what people gave, or of what is right, beside predictions.
GIVEN = re.compile(r"(?:human|gold|true|actual|expert|manual|teacher|observed)[-_ ]", re.IGNORECASE)
RIGHT = pattern("guesses.right")
RAW = re.compile(r"raw(?:[-_ ](?:output|response|answer|verdict|judge?ment|text))?", re.IGNORECASE)
MADE_FROM, MADE = (re.compile(one, re.IGNORECASE) for one in (r"text|article|document|input", r"generated[-_ ]"))
ORIGINAL = re.compile(r"(?:original|gold|human|reference|actual|true|target)[-_ ](\w+)", re.IGNORECASE)


def _is_original(table: Table, heading: str) -> bool:
    """Whether others were generated in place of a text: Generated Summary (A) beside Original Summary."""
    if (match := ORIGINAL.fullmatch(heading.strip())) is None:
        return False
    made = rf"(?:generated|predicted|system|model|machine)[-_ ]{re.escape(match[1])}\b.*"
    return any(re.fullmatch(made, name.strip(), re.IGNORECASE) for name in table.headings)


def _named_text(table: Table, heading: str) -> tuple[Part, str] | None:
    """The role of a text whose heading marks remarks, names a language, or what is right beside predictions; None for others."""
    if words.is_remark(heading):
        return "ignored", "by its heading remarks"
    if _is_original(table, heading):
        return "reference", "it may be what is right"
    if MADE_FROM.fullmatch(heading.strip()) and any(map(MADE.match, table.headings)):
        return "source", "what others were made from"
    if RIGHT.fullmatch(heading.strip()) and any(map(doubts.PREDICTED.fullmatch, table.headings)):
        return "reference", "it may be what is right"
    if told := compared.told_text(heading):
        return told, "by its heading what was read"
    return ("source", "by its heading a text in this language") if names.names_language(heading) else None


def _with_measure(table: Table, item: Item) -> tuple[Part, str]:
    """The role of a column whose heading names a measure, beside others that name other ones."""
    scored: Part = "score" if item.kind == "scores" and _all_measured(table) else "ignored"
    return scored, f"its heading names {listed(sorted(words.measures_in(item.name)))}"


def _all_measured(table: Table) -> bool:
    """Whether all numbers are below headings with measures or fields of logs: scores of one system (top1_hit, top5_hit)."""
    open_ = [k for k, means in enumerate(table.meanings) if means is None and outcomes.is_numeric(table, k)]
    names = [name for name in table.named(open_) if not words.is_field(name)]
    return all(map(words.measures_in, names)) and not any(names_system(table, name) for name in names)


def _has_field(table: Table, heading: str) -> bool:
    """Whether a heading comes again before that of a field of a log: gpt beside gpt_time."""
    return any(heading in found and words.is_field(measure) for measure, found in table.systems_by_measure.items())


def _numbers(table: Table, heading: str) -> tuple[Part, str]:
    """The likeliest role of numbers below a heading that names nothing known, and why."""
    if names_system(table, heading):
        return "system", "a system with the measure of the others"
    if _has_field(table, heading):
        return "system", "a system with a time or size of its own"
    logged = _logged(table, heading)
    several = any(measure and len(found) > 1 for measure, found in table.systems_by_measure.items())
    if several and (logged == IN_LOG or _is_coarser(table, heading)):
        return "ignored", "beside a measure of each system"
    if GIVEN.match(heading) and any(map(doubts.PREDICTED.fullmatch, table.headings)):
        return "reference", "it may be what is right"
    logged = logged or ("beside a spread" if any(map(words.is_spread, table.headings)) else "")
    return ("score", logged) if logged else ("system", "only a guess")


def _is_coarser(table: Table, heading: str) -> bool:
    """Whether a column holds whole numbers, where all columns of systems with a measure hold fractions, too."""
    named = [k for k, name in enumerate(table.headings) if words.cut(name)[0] and table.numeric(k)]
    own = table.column(table.headings.index(heading))
    return not numbers.scale(own).fractions and all(numbers.scale(table.column(k)).fractions for k in named)


def _beside_numbers(table: Table, k: int) -> tuple[Part, str] | None:
    """The role of a text where another column holds numbers; None where none does."""
    if HOLDING not in table.known:
        table.known[HOLDING] = [i for i in range(len(table.headings)) if _holds_numbers(table, i)]
    if not any(i != k for i in table.known[HOLDING]):
        return None
    names_rows = k == 0 and table.differ([k]) and not doubts.ids_of(table)
    return ("question", "it names the rows") if names_rows else ("ignored", "text beside numbers")


STATUS = re.compile(r"(?:final[-_ ])?(?:status|result|outcome|success)", re.IGNORECASE)


def reached(table: Table, k: int) -> tuple[Part, str] | None:
    """The role of success and failure below a heading such as Status, and why; None for others."""
    named = STATUS.fullmatch(table.headings[k].strip()) and len(table.column(k).counts) > 1
    return ("score", "outcomes in words") if named and numbers.truths(table.column(k), numbers.OUTCOMES) else None


def with_reached(table: Table, claims: list[Claim]) -> list[Claim]:
    """The claims; beside success and failure, other numbers are what it took."""
    outcome = {k: known for k in range(len(claims)) if (known := reached(table, k))}
    return [
        replace(one, role="score", reason=outcome[k][1], basis="guess")
        if k in outcome
        else replace(one, role="ignored")
        if outcome and one.role == "score" and not outcomes.is_scored(one.column)
        else one
        for k, one in enumerate(claims)
    ]


def without_asides(table: Table, claims: list[Claim], scores: Sequence[int], used: Sequence[int]) -> list[Claim]:
    """The claims, in which yes and no beside marks by their headings are no scores: what a form asks besides."""
    scored = table.headed(outcomes.is_scored, used)
    open_ = [k for k, one in enumerate(claims) if one.role == "score" and not one.sure and k not in scores]
    aside = [k for k in open_ if scored and not outcomes.is_scored(table.headings[k])]
    return [replace(one, role="ignored") if k in aside else one for k, one in enumerate(claims)]


def _no_system(table: Table, k: int, item: Item) -> tuple[Part, str] | None:
    """The role of a column that is hardly a system, by its heading or those beside it, and why; None for others."""
    heading, steps = table.headings[k], any(map(words.is_step, table.headings))
    if known := reached(table, k) or _asked_or_right(table, k, item):
        return known
    if words.is_field(words.NESTED.sub("", heading)) or steps:
        return "ignored", "in a log of steps" if steps else "by its heading no score"
    measure = words.is_measure(heading) or (table.nested and words.ends_in_measure(heading))
    if measure and item.kind == "scores":
        return _measured(table, heading)
    if why := _says_nothing(table, item):
        return "ignored", why
    if measure:
        return "ignored", "beside measures"
    return _beside_measures(table, k, item) if _stands_beside(table, heading, item) else None


def _stands_beside(table: Table, heading: str, item: Item) -> bool:
    """Whether a column is one of those beside measures, or of the numbers in the entries of one object."""
    beside = any(map(_names_measure, table.headings)) and not _is_one_of_several(table, heading)
    return beside or (table.inside and item.kind == "scores")


def _names_measure(heading: str) -> bool:
    """Whether a heading names a measure, and no time: this is a field of a log, and says nothing of the columns beside it."""
    return words.is_measure(heading) and not words.is_field(heading)


def _measured(table: Table, heading: str) -> tuple[Part, str]:
    """The role of numbers below a measure: in one of several objects with the same names (naive.correct, agent.correct) they
    are those of this system."""
    parent, _, last = heading.rpartition(".")
    beside = {one.rpartition(".")[0] for one in table.headings if one.rpartition(".")[2] == last} - {parent, ""}
    alike = (
        [one for one in beside if len(_inside(table, parent) & _inside(table, one)) >= ALIKE]
        if parent and table.nested
        else []
    )
    if alike and not any(map(words.is_measure, (parent, *alike))):
        return "system", "a system with the measure of the others"
    return "score", "by its heading a measure"


def _inside(table: Table, parent: str) -> set[str]:
    return {one.rpartition(".")[2] for one in table.headings if one.rpartition(".")[0] == parent}


def _is_one_of_several(table: Table, heading: str) -> bool:
    """Whether a heading names a measure, and another name with the same one beside it: A_bleu, B_bleu. task_success does not."""
    named = words.measures_in(heading)
    return any(len(named & words.measures_in(other)) > 0 for other in table.headings if other != heading)


def _beside_measures(table: Table, k: int, item: Item) -> tuple[Part, str]:
    """The role of a column beside measures: the first, or one of single words, may name the rows."""
    if item.kind == "scores":
        return "score", "inside one object" if table.inside else "beside measures"
    return ("question", "it names the rows") if _names_rows(table, k) else ("ignored", "beside measures")


def _names_rows(table: Table, k: int) -> bool:
    """Whether a column has another cell in each row: the first of all, or the only one of single words."""
    if doubts.ids_of(table) or not table.differ([k]):
        return False
    alone = [i for i in range(len(table.headings)) if _has_words(table, i) and table.differ([i])]
    return k == 0 or (alone == [k] and len(table.rows) >= compared.COUNTED)


def _has_words(table: Table, k: int) -> bool:
    """Whether all cells of a column are single words, no numbers."""
    return not table.numeric(k) and all(len(cell.split()) == 1 for cell in table.column(k).counts)


def _asked_or_right(table: Table, k: int, item: Item) -> tuple[Part, str] | None:
    """The role of a column that by its heading names what was asked, what is right, or what was predicted; None for
    others."""
    heading = table.headings[k]
    if table.meanings[k] == "perhaps segment":
        return "question", "by its heading"
    if words.is_personal(heading) or table.meanings[k] == "group":
        return "ignored", "about a person" if words.is_personal(heading) else "a group"
    others = [name for name in table.headings if name != heading]
    person: tuple[Part, str] = ("judge", "by its heading a person")
    known = _labelled(table, heading, item, others) or (person if names.is_person(heading) else _headed(heading))
    if known or item.kind == "text":
        return known or _in_words(table, heading, item)
    if not doubts.PREDICTED.fullmatch(heading):
        return None
    right = sum(map(bool, map(GIVEN.match, table.headings))) == 1
    return ("system", "predictions of what is right") if right else ("ignored", PREDICTIONS)


def output(table: Table, item: Item) -> Part:
    """The role of what one system predicts: a system, whose errors are compared, where decimals are beside right numbers."""
    right = [k for k, name in enumerate(table.headings) if words.is_label(name) and table.numeric(k)]
    return "system" if right and item.kind == "scores" and numbers.scale(item.segments).fractions else "text"


CLASSES = re.compile(
    r"(?:\w+[-_ ])?class(?:[-_ ]label)?|(?:stance|sentiment|topic|intent|emotion)[-_ ]label", re.IGNORECASE
)


def _predicts(table: Table, heading: str) -> bool:
    """Whether a column has the words of what is right by its heading."""
    own = [table.headings.index(heading)] if heading in table.headings else []
    return bool(own and table.gold) and own[0] not in table.gold and outcomes.are_answers(table, own, table.gold)


def _in_words(table: Table, heading: str, item: Item) -> tuple[Part, str] | None:
    """The role of a text that says right or wrong, or below a heading of scores repeats a few words; None for others."""
    if RAW.fullmatch(heading.strip()):
        return "ignored", "by its heading before it was read"
    if CLASSES.fullmatch(heading.strip()):
        return "text", "labels: what is right is not said"
    if _predicts(table, heading):
        return "text", "its words are those of what is right"
    if _are_outcomes(item.segments):
        if words.normalised(heading) == "correct" or words.is_outcome(heading):
            return "score", "outcomes in words"
        alike = sum(_are_outcomes(table.column(i)) for i in table.headed(lambda name: not RAW.fullmatch(name)))
        return "score" if alike == 1 else "system", "outcomes in words"
    scored = words.is_scored(heading) and numbers.marks(item.segments)
    return ("score", "outcomes in words") if scored else None


def _labelled(table: Table, heading: str, item: Item, others: Sequence[str]) -> tuple[Part, str] | None:
    """The role of right labels next to labels of systems, and of the text that was labelled; None for others."""
    if words.normalised(heading) == "text" and any(map(words.is_label, others)):
        return "source", "what was labelled"
    if item.kind == "text" and _was_labelled(table, item):
        return "ignored", "what was labelled"
    if not words.is_label(heading):
        return None
    if any(words.is_prediction(name) or words.meaning(name) == "text" for name in others):
        return "reference", "labels to compare with"
    beside = item.kind == "text" and any(_may_answer(table, k) for k in range(len(table.headings)))
    return ("reference", "by its heading what is right") if beside else None


def _was_labelled(table: Table, item: Item) -> bool:
    """Whether a column of other texts stands beside a few right labels, and predictions that repeat them."""
    right = [k for k, name in enumerate(table.headings) if words.is_label(name) or words.role(name) == "reference"]
    few = [k for k in right if evident.are_few(table, k)]
    predicted = (i for k in few for i in range(len(table.headings)) if i != k and evident.repeats(table, i, k))
    return any(True for _ in predicted) and len(set(item.segments)) > evident.MOST_LABELS


def _may_answer(table: Table, k: int) -> bool:
    """Whether a column of text without a known heading may be the output of a system."""
    heading = table.headings[k]
    known = table.meanings[k] or words.is_label(heading) or words.is_field(heading) or words.role(heading) != "system"
    return not known and not table.numeric(k)


def _are_outcomes(cells: Sequence[str]) -> bool:
    """Whether a few words come again, and one of them says right or wrong."""
    return any(mark.lower() in numbers.ALL_OUTCOMES for mark in numbers.marks(cells))


def _headed(heading: str) -> tuple[Part, str] | None:
    return next(((role, why) for pattern, role, why in HEADED if pattern.fullmatch(heading)), None)


def has_criterion(heading: str) -> bool:
    """Whether the last word of a longer heading is a criterion that is judged: judge_fluency, tone_1_5."""
    last = re.split(r"[.\-_ /]+", words.PERCENT.sub("", heading.strip()))[-1]
    return words.CRITERION.fullmatch(last) is not None


def names_system(table: Table, heading: str) -> bool:
    """Whether a heading is a system and a measure, and another one is another system and the same measure."""
    system, measure = words.cut(heading)
    return bool(system) and len(table.systems_by_measure[measure]) > 1


def _says_nothing(table: Table, item: Item) -> str:
    """Why a column says nothing about a system: it never changes, or repeats more words than there are outcomes; or ""."""
    fewest = compared.COUNTED if item.kind == "scores" else numbers.FEWEST
    if len(table.rows) >= fewest and len(set(item.segments)) == 1:
        return "the same in every row"
    marks = numbers.marks(item.segments) if item.kind == "text" else []
    many = len(marks) > MOST_OUTCOMES and not numbers.truths(marks, numbers.ALL_OUTCOMES)
    return "words, no scores" if many else ""


def _logged(table: Table, heading: str) -> str:
    """Why numbers below a heading are scores of one system, in what a program wrote; "" where nothing says so."""
    parent = doubts.parent(heading) if table.nested else ""
    return IN_LOG if _in_log(table) else f"{VALUE_BELOW} {parent}" if parent else ""


def _in_log(table: Table) -> bool:
    """Whether a program wrote a table about one system: fields of a log, or columns with one value, come several times."""
    # a year is of a document, not of a run
    columns = (k for k, name in enumerate(table.headings) if name.strip().lower() != "year")
    fields = (k for k in columns if words.is_field(table.headings[k]) or len(table.column(k).counts) == 1)
    return sum(not words.is_size(table.headings[k]) for k in fields) > 1


OUTPUT = re.compile(
    r"(?:translat(?:ed|ion)|output|response|generated|summary|hyp(?:othesis)?)[-_ ](?:by|of|from)?", re.IGNORECASE
)


def _holds_numbers(table: Table, k: int) -> bool:
    """Whether a column without another known meaning holds numbers, however they are written, or outcomes."""
    if table.meanings[k] in PARTS or _is_beside_texts(table, k):
        return False
    cells = table.column(k)
    if table.numeric(k) and numbers.go_up(cells, compared.COUNTED):
        return False
    written = all("," in cell or numbers.is_number(cell) for cell in set(cells) if not numbers.is_missing(cell))
    return (
        table.numeric(k)
        or (written and any(map(numbers.WITH_COMMA.fullmatch, cells)))
        or bool(numbers.truths(cells, numbers.OUTCOMES))
    )


def _is_beside_texts(table: Table, k: int) -> bool:
    """Whether a log counted something beside outputs: of a reference, or several (translated_by_google)."""
    # beside a reference the outputs are texts, and a number of words says nothing else
    right = (words.role(name) == "reference" or words.is_label(name) for name in table.headings)
    return words.is_field(table.headings[k]) and (any(right) or len(table.headed(OUTPUT.match)) > 1)


# What is compared in a table whose systems and questions cross.


def used_in(table: Table, found: crossing.Crossing, scores: Sequence[int], claims: Sequence[Claim]) -> list[int]:
    """The columns that are compared where systems and questions cross: the marks of several people, or scores."""
    people = [k for k in table.headed(names.is_person) if table.numeric(k) and k != found.question]
    if len(people) > 1:
        return people
    used = [k for k in _used(table, scores, claims) if not evident.is_empty_for_one(table, k, (found.system,))]
    # what is the same in all rows of a question is a fact about it: no system has another
    return [k for k in used if not crossing.is_fact(table, k, (found.question,))] or used


def part_of_numbers(table: Table, k: int) -> Part:
    if names.is_person(table.headings[k]) and table.numeric(k):
        return "judge"
    own = [cell for cell in table.column(k).counts if not numbers.is_missing(cell)]
    # also of a few questions alone
    values = outcomes.is_numeric(table, k) or (own and all(map(numbers.is_number, own)))
    return "score" if values or table.meanings[k] == "score" else "text"


def _named_scores(table: Table, scores: Sequence[int], values: Sequence[int]) -> list[int]:
    """The columns whose headings say score, and an overall one beside them."""
    used = table.headed(outcomes.is_scored, values) or table.headed(outcomes.says_score, values)
    return [*used, *table.headed(words.is_overall, scores)] if used else []


def _used(table: Table, scores: Sequence[int], claims: Sequence[Claim]) -> list[int]:
    """The columns of numbers that are scores of the systems: measures, rather than what an answer costs."""
    scores = [k for k in scores if not numbers.are_moments(table.column(k))]
    values = [k for k in scores if not words.is_field(table.headings[k])]
    used = _named_scores(table, scores, values)
    in_words = any(one.role == "score" for k, one in enumerate(claims) if k not in scores)
    texts = bool(table.gold) and any(one.role == "text" for one in claims)  # their lengths are no scores
    return used if in_words else used or values or ([] if texts else list(scores))
