"""Labels and marks of several systems side by side: which column holds what is right, and which others predict it.

Nothing is read by it. Each reading is a command for a person, and is tried before it is printed.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from statistics import correlation

from sigcore.formatting import count, listed
from sigcore.readers import names
from sigcore.readers.contract import Claim, Found, Item, Notice, Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import agreement, crossing, doubts, numbers, outcomes
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Way

PREDICTS = re.compile(r"(?:^|[-_. ])(?:pred(?:s|icted|ictions?)?|hat)(?:$|[-_. ])", re.IGNORECASE)
OF_ONE, ABOUT, STATE = (
    pattern("labels.of_one"),
    pattern("labels.about"),
    re.compile(r"(?:is|has|was|should)[-_ ].+", re.I),
)
TRUE = re.compile(
    r"(?:true|gold|real|actual|correct|ground[-_ ]?truth)(?:$|[-_ ])", re.I
)  # rather than what people said
RIGHT, PEOPLE, HUMAN = pattern("labels.right"), pattern("labels.people"), pattern("labels.human")
MARKS = pattern("labels.marks")
OF_KIND = re.compile(
    r"(?:sub)?task[-_ ]?(?:\d|[a-d])|\w+[-_ ](?:sentiment|emotion|stance|intent|topic|category|class|label)", re.I
)
OF_MARKS = re.compile(r"\w+[-_ ](?:scores?|grades?|ratings?|marks?)", re.I)
GRADE, VERDICTS, RAW = pattern("labels.grade"), pattern("labels.verdicts"), re.compile(r"response|raw|output", re.I)
LEAST, BEYOND = 0.15, 0.2  # the share of rows in which labels are right; of numbers, of those beyond chance
MOST_ROWS = 100_000  # of a table that is searched
SAME = 0.9  # the share of equal cells of two columns of one system
MANY_MARKS, GOES_WITH = 6, 0.3  # different ones, and a correlation


# A column for each system.


def _right(table: Table) -> list[int]:
    """The columns with what is right, by their headings, or marks by people."""
    right = table.headed(TRUE.match) or table.headed(RIGHT.fullmatch) or _of_people(table)
    right = [k for k in right if RIGHT.fullmatch(table.headings[k].strip()) or names.is_person(table.headings[k])]
    return right or ([] if table.headed(names.says_system) else _right_by_kind(table) or _right_by_cells(table))


def says_right(heading: str) -> bool:
    """Whether a heading names what is right, or labels of a kind: intent, airline_sentiment."""
    return RIGHT.fullmatch(heading.strip()) is not None or OF_KIND.fullmatch(heading.strip()) is not None


def _right_by_cells(table: Table) -> list[int]:
    """The one column of labels that all others predict by what they hold, whatever its heading."""
    open_ = [
        k for k in range(len(table.headings)) if table.meanings[k] in (None, "score", "rated") and table.numeric(k)
    ]
    return agreement.predicted(table, open_)


def _right_by_kind(table: Table) -> list[int]:
    """The one column of a kind of labels, airline_sentiment; of marks only beside several predictions (domain1_score, pred_svr,
    pred_bert)."""
    predicted = table.headed(PREDICTS.search)
    kinds = [OF_KIND, OF_MARKS] if len(predicted) > 1 else [OF_KIND]
    found = ([k for k in table.headed(kind.fullmatch) if k not in predicted] for kind in kinds)
    first = next(filter(None, found), [])
    return first if len(first) == 1 else []


def labelled(table: Table) -> list[Way]:
    """The readings in which a column holds what is right, by its heading, and others give labels of the same words: each of
    these is a system. Where one does, the file is of one system."""
    if table.role or len(table.rows) > MOST_ROWS:
        return []
    if both := _of_rows(table):
        return _labelled_rows(table, *both)
    right = _right(table)
    own = {k: [one for one in _given(table, k) if one not in right and _may_be_given(table, one)] for k in right}
    given = max(own.values(), key=len, default=[])
    used = _predicting(table, given)
    return [predicts(table, k, used) for k in right if used and own[k] == given]


def beside_labels(table: Table) -> list[Way]:
    """The readings of numbers beside one column that holds what is right by its heading, also where they do not agree with it: they
    predict it, classes or how likely one is; or they are scores, and it is not used."""
    right = right_alone(table)
    if right is None or table.where("system", "judge"):
        return []
    open_ = [k for k in range(len(table.headings)) if k != right and table.numeric(k)]
    given = perhaps_systems(table, open_) or table.headed(words.is_sureness, open_)
    if not given or not _fit(table, right, given):
        return []
    return [predicts(table, right, given), _of_scores(table, right, given)]


def right_alone(table: Table) -> int | None:
    """The one column that holds what is right by its heading, and can neither compete nor say which answers are; None without it."""
    right = [k for k in _right(table) if not _may_compete(table.headings[k].strip())]
    return right[0] if len(right) == 1 and not table.role else None


def perhaps_systems(table: Table, columns: Sequence[int]) -> list[int]:
    """Those of the columns whose headings may be of systems."""
    return [k for k in columns if _may_be_system(table, k)]


def _of_scores(table: Table, right: int, given: Sequence[int]) -> Way:
    """The reading in which numbers are scores, and labels beside them are not used."""
    one = len(given) == 1
    what = (
        f"{listed(table.named(given))} {'is a score' if one else 'are scores'}, and {table.headings[right]} is not used"
    )
    return what, said(table, dict.fromkeys(given, "score" if one else "system"))


def _may_compete(heading: str) -> bool:
    """Whether a heading names a person, who may compete, or which answers are right."""
    return names.is_person(heading) or HUMAN.fullmatch(heading) is not None or words.is_outcome(heading)


def _fit(table: Table, right: int, given: Sequence[int]) -> bool:
    """Whether numbers may predict what is right: those on its scale, or 0 and 1 for two words whose meaning is known."""
    gold = table.column(right)
    if not table.numeric(right):
        known = numbers.truths(gold, numbers.ALL_OUTCOMES)
        return bool(known) and all({*map(numbers.word, table.column(k).counts)} <= {"0", "1"} for k in given)
    scales = [(table.headings[k], numbers.scale(table.column(k))) for k in (right, *given)]
    return not any(numbers.different(scales))


def _of_rows(table: Table) -> list[int]:
    """The columns of several systems and of the questions, where each system has a row for each; [] for others."""
    systems = [k for k in table.where("system") if 1 < len(table.column(k).counts) < len(table.rows)][:1]
    ids = [
        k
        for k in table.where("segment", "perhaps segment")
        if systems and table.repeats(k) and table.differ([*systems, k])
    ]
    return [*systems, *ids[:1]] if ids else []


def _labelled_rows(table: Table, system: int, asked: int) -> list[Way]:
    """The reading in which each system predicts what is right of a question, in a row of its own; [] where nothing is."""
    used: set[int | None] = {system, asked}
    both = _same_in_rows(table, [asked], used)
    if not both:
        return []
    right, given = table.named(both)
    roles = said(table, {system: "system", asked: "question", both[0]: "reference", both[1]: "text"})
    return [(f"{right} is right, and each system predicts it in {given}", roles)]


def about_right(claims: Sequence[Claim]) -> str:
    """What is asked about a column that may be right, and about those that predict it."""
    roles = {role: [one.column for one in claims if one.role == role] for role in ("reference", "text", "system")}
    given = roles["text"] or roles["system"]
    verb = "has" if len(given) == 1 else "have"
    return f"Is {listed(roles['reference'])} what is right? {listed(given)} {verb} its words or numbers."


def _given(table: Table, right: int) -> list[int]:
    """The columns with right labels, and those of predictions by their headings that have no other words."""
    known = {*numbers.plain(table.column(right))}
    same = same_labels(table, right)
    named = [k for k in table.headed(PREDICTS.search) if k != right and _may_predict(table, k, right, known)]
    return sorted({*same, *(named if {*named} & {*same} else ())})


def _may_predict(table: Table, k: int, right: int, known: set[str]) -> bool:
    """Whether a column of predictions has no other words than what is right, or numbers as these."""
    both = [(table.headings[i], numbers.scale(table.column(i))) for i in (k, right) if table.numeric(i)]
    return {*numbers.plain(table.column(k))} - {""} <= known or (len(both) == 2 and not any(numbers.different(both)))


def _predicting(table: Table, given: Sequence[int]) -> list[int]:
    """Those of the columns with right labels that predict them: by their headings, if several do, else all; [] where they may
    agree for another reason."""
    named = [k for k in given if PREDICTS.search(table.headings[k])]
    if len(named) > 1:
        given = named
    elif table.where("judge"):
        return []  # ratings by people agree with each other, too
    elif len(given) == 1 and not (named or OF_ONE.fullmatch(table.headings[given[0]].strip())):
        return []
    return _without_raw(table, given)


def _without_raw(table: Table, given: Sequence[int]) -> list[int]:
    """The columns without raw responses, out of which others of them were read: these are no second answers."""
    raw = [k for k in given if RAW.search(table.headings[k])]
    rest = [k for k in given if k not in raw]
    return [k for k in given if k in rest or all(_same(table, k, other) < SAME for other in rest)]


OF_LABELS = re.compile(
    r"(?:.*[-_. ])?(?:labels?|verdicts?|class|pred(?:iction|s|icted)?|decision|intent|sentiment|category|stance)", re.I
)
JUDGED = re.compile(r"(?:verdict|decision)s?$", re.I)
MOST_RIGHT = 3  # columns each of which may be right: more are of many people


def each_right(table: Table) -> list[Way]:
    """The readings of a few columns of the same labels, of which no heading says which is right: each may be."""
    open_ = [k for k in table.headed(OF_LABELS.fullmatch) if numbers.few_words(table.column(k))]
    own = {k: frozenset(numbers.plain(table.column(k))) for k in open_}
    same = Counter(own.values())
    alike = [k for k, cells in own.items() if same[cells] > 1]
    # bart_verdict, t5_verdict: what was said of each system
    judged = all(JUDGED.search(name) for name in table.named(alike))
    if table.role or table.where("system") or judged or not 1 < len(alike) <= MOST_RIGHT:
        return []
    return [predicts(table, k, [one for one in alike if one != k]) for k in alike]


def _same(table: Table, k: int, other: int) -> float:
    """The share of rows in which two columns have the same."""
    one, two = numbers.plain(table.column(k)), numbers.plain(table.column(other))
    return sum(map(str.__eq__, one, two)) / max(1, len(one))


def _may_be_given(table: Table, k: int) -> bool:
    heading = table.headings[k].strip()
    count = table.numeric(k) and words.is_field(heading) and not words.is_prediction(heading)
    named = table.meanings[k] in ("segment", "perhaps segment", "document", "run")
    return not (PEOPLE.fullmatch(heading) or words.is_remark(heading) or count or named)


def same_labels(table: Table, right: int) -> list[int]:
    """The other columns that have what is right in many rows, with at least two of its words or numbers."""
    others = (k for k in range(len(table.headings)) if k != right)
    return [k for k in others if _agrees(table, k, right) or _follows(table, k, right)]


def _agrees(table: Table, k: int, right: int) -> bool:
    """Whether a column has what is right in more rows than by chance; of numbers, in many more: marks on one scale agree a
    little, whatever they are about."""
    own, gold = numbers.plain(table.column(k)), numbers.plain(table.column(right))
    same = [one for one, other in zip(own, gold, strict=True) if one and one == other]
    if len(same) < LEAST * len(gold) or len({*same}) < 2:
        return False
    chance = _by_chance(own, gold)
    return len(same) - chance > (BEYOND * (len(own) - chance) if table.numeric(k) else 0)


def _by_chance(cells: Sequence[str], others: Sequence[str]) -> float:
    """In how many rows two columns would be the same by chance."""
    one, two = Counter(cells), Counter(others)
    return sum(times * two[word] for word, times in one.items()) / max(1, len(cells))


def _of_people(table: Table) -> list[int]:
    """The first column of numbers by people (human1), where others beside them are on the same scale: what these predict."""
    people = [k for k in table.headed(names.is_person) if table.numeric(k)]
    open_ = (k for k in range(len(table.headings)) if k not in people and table.numeric(k))
    others = list(filter(partial(_may_be_system, table), open_))
    known = [(table.headings[k], numbers.scale(table.column(k))) for k in (*people, *others)]
    humans = [k for k in people if HUMAN.match(table.headings[k].strip())]
    return humans[:1] if len(others) > 1 and not any(numbers.different(known)) else []


def _follows(table: Table, k: int, right: int) -> bool:
    """Whether many different numbers go with those that people gave: marks of essays, which are seldom the same."""
    apart = not names.is_person(table.headings[right]) or not table.numeric(k) or not _may_be_system(table, k)
    return not apart and _goes_with(table, k, right)


def _goes_with(table: Table, k: int, right: int) -> bool:
    both = zip(table.column(k), table.column(right), strict=True)
    pairs = [(float(a), float(b)) for a, b in both if numbers.is_number(a) and numbers.is_number(b)]
    different = [len({*own}) for own in zip(*pairs, strict=True)]
    return min(different, default=0) >= MANY_MARKS and correlation(*zip(*pairs, strict=True)) >= GOES_WITH


def is_of_people(heading: str) -> bool:
    """Whether a heading says that people gave what is below it: rater1, annotator_Anna, expert_score."""
    return names.is_person(heading) or MARKS.fullmatch(heading.strip()) is not None


def of_people(table: Table, columns: Sequence[int]) -> list[int]:
    """Those of the columns that people gave, by their headings; below human or expert alone are whole numbers then: people who
    wrote summaries have other scores, and compete."""
    own = [k for k in columns if is_of_people(table.headings[k])]
    alone = (k for k in columns if HUMAN.fullmatch(table.headings[k].strip()))
    return sorted({*own, *(k for k in alone if not numbers.scale(table.column(k)).fractions)})


def beside_people(table: Table, people: Sequence[int], given: Sequence[int]) -> list[Way]:
    """The readings of numbers by people beside others: these predict those of the first person, if all go with them; or several
    of them compete without people; or all do."""
    follow = bool(given) and all(_agrees(table, k, people[0]) or _goes_with(table, k, people[0]) for k in given)
    rivals = dict.fromkeys(given, "system")
    apart = said(table, {**rivals, **dict.fromkeys(people, "ignored")})
    shown = f"{listed(table.named(people))} compete{'s' * (len(people) == 1)}"
    return [
        *([predicts(table, people[0], given)] if follow else []),
        *([(f"only {listed(table.named(given))} compete", apart)] if len(given) > 1 else []),
        (f"{shown}, too" if given else shown, said(table, {**rivals, **dict.fromkeys(people, "system")})),
    ]


def predicts(table: Table, right: int, given: Sequence[int]) -> Way:
    """The reading in which these columns predict what is right, and nothing else is used but an id of the rows."""
    part = "system" if len(given) > 1 else "text"
    shown = f"{listed(table.named(given))} predict{'s' * (len(given) == 1)} it"
    roles = said(table, {right: "reference", **dict.fromkeys(given, part)})
    return f"{table.headings[right]} is right, and {shown}", roles


def said(table: Table, roles: Mapping[int, str]) -> str:
    """These roles as a command says them, and nothing else used but an id of the rows."""
    rest = [k for k in range(len(table.headings)) if k not in roles and not _names_rows(table, k)]
    both = {**roles, **dict.fromkeys(filter(table.headings.__getitem__, rest), "ignored")}
    return shlex.join(f"{table.headings[k]}={role}" for k, role in both.items())


def _names_rows(table: Table, k: int) -> bool:
    return table.meanings[k] in ("segment", "perhaps segment") and table.differ([k])


def alike_columns(table: Table) -> list[Way]:
    """The reading in which all columns of the same words for right and wrong are systems, or of grades, or else all of numbers
    that may be on one scale."""
    if len(table.rows) > MOST_ROWS or _may_be_long(table):
        return []
    open_ = [k for k in range(len(table.headings)) if _may_be_system(table, k)]
    marked = [k for k in open_ if numbers.truths(table.column(k), numbers.ALL_OUTCOMES)]
    if len(marked) > 1:
        return [_of_systems(table, marked, "are systems")]
    graded = [k for k in open_ if _holds_grades(table, k)]
    if len(graded) > 1:
        return [_of_systems(table, graded, "are systems, and their words grades")]
    found = [k for k in open_ if table.numeric(k)]
    return [_of_systems(table, found, "are systems")] if _are_on_one_scale(table, found) else []


def _of_systems(table: Table, found: Sequence[int], what: str) -> Way:
    """The reading in which these columns are systems; of words that nobody knows somebody has to say what they mean."""
    own = {cell.strip() for k in found if not table.numeric(k) for cell in table.column(k).counts} - {""}
    cells = shlex.join(f"{word}={number}" for word, number in outcomes.numbered(sorted(own)).items())
    roles = said(table, dict.fromkeys(found, "system"))
    return f"{listed(table.named(found))} {what}", roles + (f" --cells {cells}" if cells else "")


def _holds_grades(table: Table, k: int) -> bool:
    found = numbers.few_words(table.column(k))
    return bool(found) and all(map(GRADE.fullmatch, found))


def _are_on_one_scale(table: Table, found: Sequence[int]) -> bool:
    """Whether several columns of numbers, without any below a measure beside them, may be scores of rivals: all fractions or none,
    and of about one size."""
    every = range(len(table.headings))
    if len(found) < 2 or any(words.has_measure(table.headings[k]) and table.numeric(k) for k in every):
        return False
    own = [(table.headings[k], numbers.scale(table.column(k))) for k in found]
    sizes = [one.largest for _, one in own]
    alike = len({bool(one.fractions) for _, one in own}) == 1 and max(sizes) <= 2 * min(sizes)
    return alike and not any(numbers.different(own))


def _may_be_long(table: Table) -> bool:
    """Whether a column repeats each of a few names equally often: rows of systems, or of questions."""
    times = [{*table.column(k).counts.values()} for k in range(len(table.headings)) if not table.numeric(k)]
    return any(len(one) == 1 and one != {1} for one in times)


def _may_be_system(table: Table, k: int) -> bool:
    """Whether a heading may be that of a system: it says nothing else, and numbers below it do not count the rows."""
    heading, cells = table.headings[k].strip(), table.column(k)
    item = Item(heading, "system", "scores", cells, table.file, "")
    if table.role or table.meanings[k] or len(heading) < 2 or len(cells.counts) < 2 or numbers.are_moments(cells):
        return False
    return not _says_more(heading) and not (table.numeric(k) and doubts.counts_rows(item))


SAYS = (
    ABOUT.match, STATE.match, names.is_person, words.is_label, words.is_step, words.has_measure, words.is_outcome,
    words.is_field, words.is_numbered,
)  # fmt: skip


def _says_more(heading: str) -> bool:
    """Whether a heading says something else than whose labels or scores are below it."""
    return words.role(heading) != "system" or any(says(heading) for says in SAYS)


NO_LABEL = " \t-\u2013\u2014"  # a dash says that people did not agree
NOT_GIVEN = frozenset(("", "n/a", "na", "nan", "null", "#n/a"))  # none may be a class


def _is_given(label: str) -> bool:
    return label.strip(NO_LABEL).lower() not in NOT_GIVEN


def with_right(table: Table, result: Found) -> Table:
    """The table without rows for which nobody said what is right, which is noted: an empty label is none, and so is N/A where
    no answer is."""
    right = table.where("reference")
    own = table.column(right[0]).counts if len(right) == 1 else {}
    labels = list(filter(_is_given, own))
    few = 1 < len(labels) <= MOST_LABELS and all(len(cell.split()) <= MOST_WORDS for cell in labels)
    if table.role or len(labels) == len(own) or not few or 2 * len(labels) > len(table.rows):
        return table
    if _is_answered(table, right[0], labels):
        return table
    kept = [i for i, cell in enumerate(table.column(right[0])) if _is_given(cell)]
    gone = count(len(table.rows) - len(kept), "row")
    result.notices.append(Notice(table.file, f"Left out, without a right label: {gone}."))
    return table.kept(kept)


def _is_answered(table: Table, right: int, labels: Sequence[str]) -> bool:
    """Whether a column of answers with these labels has an empty cell or a dash, too, like the right ones: then it is a label."""
    marks = {*table.column(right).counts} - {*labels}
    others = ({*table.column(k).counts} for k in range(len(table.headings)) if k != right)
    return any(own & {*labels} and own & marks for own in others)


# A row for each system and question.


def in_rows(table: Table, asked: Sequence[int], used: set[int | None]) -> list[int]:
    """The column of right labels, the same for all systems of a question, and the one that predicts them; [] without both. `asked`
    names the questions, and `used` are the columns with another role."""
    right = list(filter(partial(crossing.is_fact, table, columns=asked), table.headed(words.is_label)))
    predicted = sorted({*table.headed(words.is_prediction)} - {*right})
    if len(right) != 1 or len(predicted) != 1:
        same = _same_in_rows(table, asked, used)
        return same if right or same else _outputs(table, asked, predicted or table.where("text"))
    known, given = ({cell.strip().lower() for cell in table.column(k).counts} - {""} for k in (*right, *predicted))
    same_words = given <= known or (known <= {"0", "1"} and {*map(numbers.meant, given)} <= known)
    few = 1 < len(known) <= MOST_LABELS and bool(given) and same_words
    return [right[0], predicted[0]] if few and not _are_errors(table, right[0], predicted[0]) else []


MOST_LABELS, MOST_WORDS = 12, 3  # different ones, and the words of one


def _same_in_rows(table: Table, asked: Sequence[int], used: set[int | None]) -> list[int]:
    """The one column that is the same for all systems of a question, and is right by its heading, and the one that has many of
    its words, and differs; [] without both."""
    right = [k for k in table.headed(RIGHT.fullmatch) if k not in used and crossing.is_fact(table, k, asked)]
    pairs = [[k, other] for k in right for other in same_labels(table, k) if other not in (*used, *right)]
    found = [pair for pair in pairs if not crossing.is_fact(table, pair[1], asked)]
    named = [pair for pair in found if words.is_prediction(table.headings[pair[1]])] or found
    return named[0] if len(named) == 1 else []


def _outputs(table: Table, asked: Sequence[int], outputs: Sequence[int]) -> list[int]:
    """The column of references, the same for all systems of a question, and the one of outputs; [] without both."""
    both = [*(k for k in table.where("reference") if crossing.is_fact(table, k, asked)), *outputs]
    return both if len(both) == 2 and len(outputs) == 1 and not any(map(table.numeric, both)) else []


def _are_errors(table: Table, right: int, predicted: int) -> bool:
    """Whether no answer is right, though all are labels: a list of errors."""
    both = zip(table.column(right), table.column(predicted), strict=True)
    return not any(one == other or numbers.meant(other) for one, other in both)


def verdicts(table: Table, used: set[int | None]) -> list[int]:
    """The columns of a few words below headings of verdicts: somebody has to say which number each means."""
    open_ = [k for k in table.headed(VERDICTS.search) if k not in used and numbers.few_words(table.column(k))]
    return [k for k in open_ if not words.is_prediction(table.headings[k])]


def rest_of_pair(table: Table, used: set[int]) -> list[tuple[int, Part]]:
    """The roles of the columns beside labels: the first text that differs in each row is what was asked, if a column names the system
    and none the questions; numbers and other texts are not used."""
    known: tuple[Meaning, ...] = (
        "segment",
        "perhaps segment",
        "document",
        "system",
        "run",
        "category",
        "task",
        "domain",
    )
    open_ = [k for k in range(len(table.headings)) if k not in used and table.meanings[k] not in known]
    nameless = bool(table.where("system")) and not table.where("segment", "perhaps segment", "document")
    asked = [k for k in open_ if nameless and not table.numeric(k) and table.differ([k])][:1]
    return [(k, "question" if k in asked else "ignored") for k in open_ if table.headings[k].strip()]
