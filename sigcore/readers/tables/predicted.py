"""Predictions beside what is right: numbers become their absolute errors, labels are compared with the gold ones.

A column of right values is no system: ranked among the predictions by its mean it would say nothing about them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sigcore.errors import ReadError
from sigcore.formatting import listed
from sigcore.readers.contract import Claim, Found, Notice, Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import choices, derived, evident, labels, numbers, overlooked
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.headings import Meaning
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, Way

ERROR = "absolute error"  # the measure of predicted numbers; its mean is the mean absolute error
# What is right by its heading, whatever its cells; and what is right if its cells are labels, or have decimals.
VALUES = pattern("predicted.values")
LABELS = pattern("predicted.labels")
BEFORE_SYSTEM = re.compile(r"pred(?:icted|ictions?|s)?[-_ ](.+)", re.IGNORECASE)
OF_SYSTEM = re.compile(r"(.+?)[-_ ](?:labels?|pred(?:icted|ictions?|s)?|class)", re.IGNORECASE)
OF_LABEL = re.compile(r"pred(?:icted)?[-_ ]labels?[-_ ](.+)", re.IGNORECASE)  # predicted_label_05, also of numbers
SURE = pattern("predicted.sure")
CLASS = re.compile(r"prob(?:a|ability)?s?[-_ ]?\w+|confidence(?:[-_ ]\w+)?|conf|score|probability", re.IGNORECASE)
# before `label`, no names of systems
NO_NAME = frozenset([
    "y", "predicted", "pred", "model", "system", "orig", "original", "source", "previous", "old", "noisy", "weak", "silver",
])  # fmt: skip
SAME = 0.9  # the share of predicted labels that are among the gold ones
RIGHT = re.compile(r".+[-_. ](?:is[-_ ])?(?:correct|right|passed|pass|solved|success|hit|match)", re.IGNORECASE)
ZERO_ONE = frozenset((0.0, 1.0))


def compared(table: Table, result: Found) -> Table:
    """The table with the errors of predicted numbers, or with gold labels as the reference of predicted ones; as it is
    where nothing is predicted.

    Raises: ReadError where the predictions do not fit what is right.
    """
    table = choices.without(choices.after_steps(table, result), result)
    _refuse_pairs(table)
    _ask_right(table)
    return with_errors(_with_labels(_beside_prediction(table, result), result), result)


RIGHT_OF = pattern("predicted.right_of")
GIVEN_OF = pattern("predicted.given_of")


def _refuse_pairs(table: Table) -> None:
    """Raise Unclear where several columns of right answers have one each that predicts them: True_A, Predicted_A, True_B,
    Predicted_B are two tasks of one system, and no rivals."""
    right, given = (
        {name.lower(): k for k, heading in enumerate(table.headings) if (name := _named_in(form, heading.strip()))}
        for form in (RIGHT_OF, GIVEN_OF)
    )
    pairs = [(right[name], given[name]) for name in right if name in given]
    if len(pairs) < 2 or any(table.differ([k]) for k in table.where("system")):
        return  # in a row for each system they are counts of all that it predicted
    why = (
        f"{listed(table.named(k for k, _ in pairs))} hold what is right for {listed(table.named(k for _, k in pairs))}"
    )
    ways = [_of_pair(table, pair, pairs) for pair in pairs]
    claims = _guessed(table, {pairs[0][0]: "reference", pairs[0][1]: "text"}, "one of several pairs")
    raise Unclear(table, f"{why}: {len(pairs)} tasks. Which is compared?", claims, ways)


def _of_pair(table: Table, own: tuple[int, int], pairs: Sequence[tuple[int, int]]) -> Way:
    """The reading in which one pair is compared, and no other."""
    parts = ("reference", "text")
    roles = [(k, part if pair == own else "ignored") for pair in pairs for k, part in zip(pair, parts, strict=True)]
    roles += labels.rest_of_pair(table, {k for pair in pairs for k in pair})
    right, given = table.named(own)
    return f"{right} is predicted by {given}", shlex.join(f"{table.headings[k]}={part}" for k, part in roles)


STATE = re.compile(r"(?:is|has|was)[-_ ].+", re.IGNORECASE)


def _ask_right(table: Table) -> None:
    """Raise Unclear where several columns are predictions by their headings, and one other is_x holds the same few values: it
    may be what is right."""
    given = [k for k in table.headed(words.is_prediction) if len(table.column(k).counts) <= evident.MOST_LABELS]
    if len(given) < 2 or table.headed(_names_label) or table.headed(VALUES.fullmatch):
        return
    known = {cell for k in given for cell in table.column(k).counts}
    right = [k for k in table.headed(STATE.fullmatch) if k not in given and {*table.column(k).counts} <= known]
    if len(right) == 1:
        roles: list[tuple[int, Part]] = [(right[0], "reference"), *((k, "system") for k in given)]
        said = shlex.join(f"{table.headings[k]}={part}" for k, part in roles)
        claims = _guessed(table, dict(roles), "beside predictions")
        why = f"Does {table.headings[right[0]]} hold what is right for {listed(table.named(given))}?"
        raise Unclear(table, why, claims, [(f"{table.headings[right[0]]} is what they predict", said)])


def _guessed(table: Table, roles: Mapping[int, Part], why: str) -> list[Claim]:
    """The claims on all columns: these roles are guesses, and nothing else is used."""
    claims = evident.claims(table, why, roles)
    return [replace(one, basis="guess", reason="only a guess") if k in roles else one for k, one in enumerate(claims)]


def _named_in(form: re.Pattern[str], heading: str) -> str:
    """What is right or predicted by a heading with this form; "" for others."""
    match = form.fullmatch(heading)
    return next(filter(None, match.groups()), "") if match else ""


def with_said(table: Table, parts: Sequence[Part], result: Found) -> Table:
    """The table with the errors of predicted numbers, where somebody named a reference and outputs or systems (`parts` are
    the roles that were named); as it is for others.

    Raises: ReadError where the predictions do not fit what is right.
    """
    named = "reference" in parts and not {"system", "text"}.isdisjoint(parts) and "score" not in parts
    return with_errors(table, result, said=True) if named else table


# Numbers.


STAY: tuple[Meaning, ...] = (*evident.OF_OTHERS, "system", "task", "measure")  # beside predictions, not these


def with_errors(table: Table, result: Found, said: bool = False) -> Table:
    """The table with the absolute error of each predicted number in its place, without the right numbers; `said`: somebody
    named them, so any scale will do.

    Raises: ReadError for predictions on another scale, and for those of which it is not known how they are compared.
    """
    gold = [k for k in range(len(table.headings)) if _is_right(table, k)]
    if len(gold) != 1 or not _numbers(table, gold[0]) or _says_who_is_right(table, said):
        return table
    right, predictions = gold[0], _predictions(table, gold[0], said)
    if not predictions:
        return table
    if _are_answers(table, right):
        return _with_answers(table, right, predictions, result)
    own, scales = _scale(table, right), [_scale(table, k) for k in predictions]
    if all(ZERO_ONE.issuperset(one.values) for one in scales):
        return table  # which answers are right, or classes
    if not any(one.fractions for one in (own, *scales)):
        return _of_whole_numbers(table, right, predictions, own)
    if why := _do_not_fit(own, scales, said):
        raise _refused(table, right, predictions, why)
    return _asked_errors(table, right, predictions, result, said)


def _asked_errors(table: Table, right: int, predictions: Sequence[int], result: Found, said: bool) -> Table:
    """The table with errors in place of predictions, unless it has to be asked what else predicts; nothing is where somebody `said` it."""
    overlooked.ask_numbers(table, right, {k: _numbers(table, k) for k in (right, *predictions) if not said}, STAY)
    return _as_errors(table, right, predictions, result)


def _with_answers(table: Table, right: int, predictions: Sequence[int], result: Found) -> Table:
    """The table with right numbers as the reference of answers, without columns that only repeat them."""
    same = [k for k in predictions if [*table.column(k)] == [*table.column(right)]]
    why = f"the same as {table.headings[right]}"
    return evident.left_out(table.renamed({right: evident.GOLD}), same, why, result)


def _are_answers(table: Table, right: int) -> bool:
    """Whether several columns with words hold the right number itself in many rows: answers that are right or wrong."""
    gold = table.column(right)
    texts = [table.column(k) for k in range(len(table.headings)) if k != right and not _numbers(table, k)]
    return sum(numbers.is_often(cells, gold) for cells in texts) > 1


def _says_who_is_right(table: Table, said: bool) -> bool:
    """Whether nobody `said` what is right, and several columns of 0 and 1 say which answers were right (majority_correct,
    oracle_correct): these are compared, and not the answers beside them."""
    marks = [] if said else table.headed(RIGHT.fullmatch)
    cells = (numbers.truths(table.column(k), numbers.OUTCOMES) or table.column(k) for k in marks)
    return sum(set(numbers.parsed(one).values()) <= ZERO_ONE for one in cells) > 1


def _do_not_fit(own: numbers.Scale, scales: Sequence[numbers.Scale], said: bool) -> str:
    """Why numbers do not predict the right ones (`own`); "" where they may."""
    if ZERO_ONE.issuperset(own.values):
        if said and all(one.values[0] >= 0 and one.values[-1] <= 1 for one in scales):
            return ""  # how likely 1 is
        return "holds 0 and 1, but the others other numbers"
    far = any(any(numbers.different([("right", own), ("predicted", one)])) for one in scales)
    return "is on another scale than some of the others" if far and not said else ""


def _is_right(table: Table, k: int) -> bool:
    """Whether a heading says that its column holds what is right; `label` only above decimals and beside predictions.

    `reference` may also be the score of a reference, so somebody has to say it.
    """
    heading = table.headings[k].strip()
    if VALUES.fullmatch(heading) or (table.basis and words.role(heading) == "reference"):
        return True
    named = words.is_label(heading) or LABELS.fullmatch(heading)
    predicted = bool(named) and any(map(words.is_prediction, table.headings))
    return predicted and table.numeric(k) and bool(numbers.scale(table.column(k)).fractions)


def _numbers(table: Table, k: int) -> Sequence[str]:
    """The cells of a column of numbers with decimal points; () for another."""
    cells = table.column(k)
    read = numbers.as_numbers(table.file, cells, table.headings[k], table.places, {})[0] or cells
    fits = all(numbers.is_number(cell) or numbers.is_missing(cell) for cell in set(read))
    return read if fits and any(map(numbers.is_number, set(read))) else ()


def _scale(table: Table, k: int) -> numbers.Scale:
    return numbers.scale(_numbers(table, k))


def _predictions(table: Table, right: int, said: bool) -> list[int]:
    """The columns of predicted numbers: by their headings, or all others that name no measure and nothing known."""
    found = [k for k in range(len(table.headings)) if k != right and _numbers(table, k)]
    if said:
        return [k for k in found if table.meanings[k] not in STAY]
    named = [k for k in found if words.is_prediction(table.headings[k])]
    if named or table.where("system", "measure", "judge"):
        return named
    return [k for k in found if _may_predict(table, k)]


def _may_predict(table: Table, k: int) -> bool:
    heading = table.headings[k]
    known = table.meanings[k] not in (None, "text") or words.role(heading) != "system" or words.is_label(heading)
    return not known and not (words.is_field(heading) or words.has_measure(heading) or words.is_sureness(heading))


def _of_whole_numbers(table: Table, right: int, predictions: Sequence[int], own: numbers.Scale) -> Table:
    """The table with whole numbers as the reference: a few are labels.

    Raises: ReadError for many different ones.
    """
    few = len(own.values) <= evident.MOST_LABELS and 2 * len(own.values) <= len(own)
    if few or words.role(table.headings[right]) == "reference":
        return table.renamed({right: evident.GOLD})
    raise _refused(table, right, predictions, "and the others hold whole numbers: values to come near, or answers")


def _refused(table: Table, right: int, predictions: Sequence[int], why: str) -> ReadError:
    """The error for numbers that predict others in an unknown way."""
    name = table.headings[right]
    message = f"{name} holds what is right, so it is no system. It {why}: {listed(table.named(predictions))}."
    fix = f"Write each |prediction - {name}| as a score, and load them with --better lower. "
    fix += "Of classes, write the predicted ones."
    return ReadError(message, table.file, 1, fix)


def _as_errors(table: Table, right: int, predictions: Sequence[int], result: Found) -> Table:
    """The table with errors in place of predictions; one prediction is that of the file's system, or of the row's."""
    gold, name = _numbers(table, right), table.headings[right]
    columns = {k: derived.errors(_numbers(table, k), gold) for k in predictions}
    shown = listed(table.named(predictions))
    result.notices.append(
        Notice(
            table.file,
            f"{name} holds the right numbers, which {shown} predict. Each score is the {ERROR}, |prediction - {name}|. "
            "Their mean is the mean absolute error: lower is better.",
        )
    )
    result.claims.append(evident.claim(table, right, "reference", "by its heading what is right"))
    alone = len(predictions) == 1
    headings = [ERROR if alone and k in columns else h for k, h in enumerate(table.headings)]
    rows = list(zip(*(columns.get(k, table.column(k)) for k in range(len(headings))), strict=True))
    changed = replace(table, headings=headings, rows=rows, measured=ERROR)
    kept = {*predictions, *(k for k in range(len(headings)) if table.meanings[k] in STAY)}
    others = [k for k in range(len(headings)) if k != right and k not in kept]
    changed = changed.without({right, *others})
    evident.left_out(table, others, "beside predictions", result)
    return changed if alone else replace(changed, basis="said")


# Labels.


def _beside_prediction(table: Table, result: Found) -> Table:
    """The table with one column of predicted labels beside the right ones, which it is compared with: without how sure the
    system was, what was labelled, and small numbers that only sort the rows."""
    table = _without_written(table, result)
    right = table.headed(_names_label)
    known = set(table.column(right[0]).counts) if len(right) == 1 else set()
    predicted = [k for k in table.headed(words.is_prediction) if k not in right and _repeat(table, k, known)]
    if len(right) != 1 or len(predicted) != 1:
        return table
    return _without_others(table, right[0], predicted[0], result)


# What a system wrote before its answer was read out of it.
WRITTEN = re.compile(
    r"(?:raw|full|model)?[-_ ]?(?:response|output|answer|text|completion|generation)s?|\w+[-_ ]preds", re.IGNORECASE
)


def _without_written(table: Table, result: Found) -> Table:
    """The table without the response that one short prediction was read out of."""
    predicted, written = table.headed(words.is_prediction), table.headed(WRITTEN.fullmatch)
    if len(predicted) != 1 or table.numeric(predicted[0]):
        return table
    given = table.column(predicted[0])
    texts = [
        k
        for k in written
        if k not in predicted
        and sum(answer.strip() in text for answer, text in zip(given, table.column(k), strict=True))
        >= SAME * len(given)
    ]
    if len(texts) != 1:
        return table
    return evident.left_out(table, texts, f"what {table.headings[predicted[0]]} was read out of", result)


PAIR = {"premise", "hypothesis"}  # whose relation is labelled: this hypothesis is no output


def _without_others(table: Table, right: int, predicted: int, result: Found) -> Table:
    """The table without columns that say nothing beside what is right and what was predicted."""
    known = set(table.column(right).counts)
    others = [k for k in range(len(table.headings)) if k not in (right, predicted)]
    sure = [k for k in others if CLASS.fullmatch(table.headings[k].strip()) and table.numeric(k)]
    told = f"{table.headings[predicted]} is compared with {table.headings[right]}"
    both = {*_pair(table), *(k for k in table.headed(WRITTEN.fullmatch, others) if not table.numeric(k))}
    rest = [k for k in others if k not in sure and (k in both or _says_nothing(table, k, known))]
    _ask_names(table, [k for k in others if k not in (*rest, *sure)], (right, predicted), told)
    evident.left_out(table, rest, told, result)
    evident.left_out(table, sure, "how sure it was of a label", result)
    return _with_names(table, {*others} - {*rest, *sure}).without({*rest, *sure})


def _pair(table: Table) -> set[int]:
    """The columns of two sentences whose relation is labelled; none where not both are there."""
    found = {name: k for k, heading in enumerate(table.headings) if (name := heading.strip().lower()) in PAIR}
    return {*found.values()} if len(found) == len(PAIR) else set()


def _with_names(table: Table, others: set[int]) -> Table:
    """The table in which the first of the columns that names the rows is that of segments, if it has no other."""
    named = [] if table.where("segment", "perhaps segment") else [k for k in sorted(others) if _names_rows(table, k)]
    return table.renamed(dict.fromkeys(named[:1], "segment"))


def _names_rows(table: Table, k: int) -> bool:
    """Whether a column without a known heading has another word in each row."""
    own = table.column(k).counts
    return table.meanings[k] is None and table.differ([k]) and all(len(cell.split()) == 1 for cell in own)


MOST_NAMES, LONGEST_NAME = 12, 2  # that come again, and are no labels, and the words of one


def _ask_names(table: Table, others: Sequence[int], both: tuple[int, int], told: str) -> None:
    """Raise Unclear for a column of a few names that come again, none of them a label: it predicts nothing, and may say whose
    predictions these are. `both` are the columns of right and of predicted labels."""
    known = set(table.column(both[0]).counts)
    open_ = [k for k in others if table.meanings[k] is None and not table.numeric(k) and not _is_aside(table, k)]
    for k in open_:
        if _are_other_names(table, k, known):
            claims = evident.claims(table, told)
            claims[k] = replace(evident.claim(table, k, "system", "names that come again"), basis="guess")
            rest = [i for i in range(len(table.headings)) if i not in both and table.meanings[i] in ASKED]
            asked = [i for i in rest if table.repeats(i) and table.differ([i, k])]
            alone = dict(zip((k, *both, *asked[:1]), ("ignored", "reference", "text", "ignored"), strict=False))
            said = shlex.join(f"{table.headings[i]}={role}" for i, role in alone.items())
            fix = f"{_of_each(table, k, asked, both)} If not: --columns {said}."
            raise Unclear(table, f"Does {table.headings[k]} name systems? {told}.", claims, fix=fix)


ASKED = (None, "segment", "perhaps segment", "document", "source", "text")


def _of_each(table: Table, system: int, asked: Sequence[int], both: tuple[int, int]) -> str:
    """How somebody says whose labels these are, where a column names what each of them was asked."""
    if not asked:
        return "If each row is of one of them, save the rows of each as a file of its own."
    roles = dict(zip((system, asked[0], *both), ("system", "question", "reference", "text"), strict=True))
    rest = [k for k in range(len(table.headings)) if table.numeric(k) and table.meanings[k] is None]
    named = roles | {k: "ignored" for k in rest if k not in roles}
    said = shlex.join(f"{table.headings[k]}={role}" for k, role in named.items())
    right = [k for k in table.headed(words.is_outcome) if numbers.truths(table.column(k), numbers.OUTCOMES)]
    # is_correct says it of each row, also where a system has fewer of them
    first = [*roles][:2]
    known = shlex.join(
        [*(f"{table.headings[k]}={roles[k]}" for k in first), *(f"{table.headings[k]}=score" for k in right[:1])]
    )
    by = f" Or by {table.headings[right[0]]}: --columns {known}." if right else ""
    return f"If each row is of one of them: --columns {said}.{by}"


def _are_other_names(table: Table, k: int, known: set[str]) -> bool:
    """Whether a column repeats a few names that are neither labels nor outcomes."""
    own = table.column(k).counts
    named = all(0 < len(cell.split()) <= LONGEST_NAME for cell in own)
    # more different ones than that are texts that were labelled
    few = 1 < len(own) <= min(MOST_NAMES, 2 * len(known)) and len(own) < len(table.rows) / 2
    few = few and named and known.isdisjoint(own)
    return few and not numbers.truths(table.column(k), numbers.ALL_OUTCOMES)


def _is_aside(table: Table, k: int) -> bool:
    heading = table.headings[k]
    sorts = words.is_sorting(heading) and not heading.strip().lower().endswith(("name", "group"))
    return sorts or words.is_remark(heading) or words.is_field(heading) or words.role(heading) != "system"


def _says_nothing(table: Table, k: int, known: set[str]) -> bool:
    return evident.names_kind(table, k) or _is_labelled(table, k, known)


def _is_labelled(table: Table, k: int, known: set[str]) -> bool:
    """Whether a column has one text in every row, which is no label, below no heading of what is right or of a source."""
    other = table.meanings[k] not in (None, "text") or words.role(table.headings[k]) != "system"
    own = table.column(k).counts
    return not (other or table.numeric(k)) and len(own) == 1 and known.isdisjoint(own) and any(own)


def _names_label(heading: str) -> bool:
    return bool(words.is_label(heading) or LABELS.fullmatch(heading.strip()) or words.meaning(heading) == "reference")


def _repeat(table: Table, k: int, known: set[str]) -> bool:
    """Whether nearly all cells of a column are among these words."""
    own = table.column(k).counts
    return sum(times for cell, times in own.items() if cell in known) >= SAME * len(table.rows)


def _with_labels(table: Table, result: Found) -> Table:
    """The table with the gold labels as reference of the columns NAME_label or NAME_pred, which hold the same few words;
    the systems are called NAME, and how sure they were (NAME_score, NAME_prob) is left out."""
    right = [k for k, name in enumerate(table.headings) if _names_label(name)]
    if len(right) != 1 or table.where("system", "judge"):
        return table
    systems = _labelled(table, right[0])
    if not systems or len({*systems.values()}) < len(systems):
        return table
    sure, rest = _beside_labels(table, right[0], systems)
    overlooked.ask_labels(table, right[0], [*systems], rest)
    result.notices.append(
        Notice(table.file, f"{table.headings[right[0]]} was read as the reference of {listed(table.named(systems))}.")
    )
    result.claims.append(evident.claim(table, right[0], "reference", "by its heading what is right"))
    result.claims += [evident.claim(table, k, "system", "labels such as the right ones") for k in systems]
    evident.left_out(table, sure, "how sure the systems were", result)
    evident.left_out(table, rest, "beside labels", result)
    named = {**systems, right[0]: evident.GOLD}
    return replace(table.renamed(named), basis="said").without({*sure, *rest})


def _beside_labels(table: Table, right: int, named: Mapping[int, str]) -> tuple[list[int], list[int]]:
    """The columns that say how sure the systems were, and the others that are no labels."""
    others = [k for k in range(len(table.headings)) if k not in (right, *named)]
    sure = [k for k in others if _is_sure(table, k, {*named.values()})]
    return sure, [k for k in others if k not in sure and table.meanings[k] not in STAY]


def _labelled(table: Table, right: int) -> dict[int, str]:
    """The columns NAME_label and NAME_pred that repeat the right labels, each with its NAME; {} where these are not few."""
    known = set(table.column(right).counts)
    names = {
        k: _predicts(table.headings[k].strip(), table.numeric(right)) for k in range(len(table.headings)) if k != right
    }
    named = {k: name for k, name in names.items() if name and name.lower() not in NO_NAME}
    systems = {k: name for k, name in named.items() if _repeat(table, k, known)}
    # `label` alone may itself be predicted: then one other column of labels says too little
    heading = table.headings[right].strip()
    explicit = LABELS.fullmatch(heading) or VALUES.fullmatch(heading) or words.role(heading) == "reference"
    fits = len(known) <= evident.MOST_LABELS and len(systems) >= (1 if explicit else 2)
    return systems if fits else {}


def _predicts(heading: str, numbered: bool) -> str:
    """The system whose labels stand below a heading; "" for another. Beside numbers, pred_A may be numbers too."""
    match = (
        OF_SYSTEM.fullmatch(heading)
        or OF_LABEL.fullmatch(heading)
        or (None if numbered else BEFORE_SYSTEM.fullmatch(heading))
    )
    return match[1] if match else ""


def _is_sure(table: Table, k: int, systems: set[str]) -> bool:
    match = SURE.fullmatch(table.headings[k].strip())
    return table.numeric(k) and bool((match and match[1] in systems) or CLASS.fullmatch(table.headings[k].strip()))
