"""Columns of numbers that something sets apart from the others beside them: they may say what is right, or what a question is.

A table with a column for each system is read at once only if nothing does: each of the readings is asked about otherwise.
"""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sigcore.formatting import listed
from sigcore.readers import names
from sigcore.readers.contract import Claim, Item, Part
from sigcore.readers.names import pattern
from sigcore.readers.tables import agreement, compared, crossing, derived, doubts, labels, likeness, numbers
from sigcore.readers.tables import headings as words
from sigcore.readers.tables.table import Table
from sigcore.readers.tables.unclear import Unclear, Way

RIGHT, SPLITS, PARTS = pattern("apart.right"), pattern("apart.splits"), pattern("apart.parts")
GIVEN = pattern("apart.given")
FAR, MOSTLY = 1 / 3, 0.9  # how far less a text is like the reference, and the share of rows that hold the source
ABOUT = "about the question"  # why a column is no system by its heading
OUTCOMES = ("correct", "right", "solved", "passed", "pass", "success", "succeeded")  # behind the name of a system
FEWEST_FRACTIONS = 2  # columns, beside which one of 0 and 1 is of another kind


@dataclass(frozen=True)
class Apart:
    """The columns that may be no systems: what is asked about them, why each is set apart, and the possible readings."""

    why: str
    roles: Mapping[int, tuple[Part, str]]
    ways: Sequence[Way]
    sure: bool = False  # also where something else is asked about: one heading says it, or labels are compared
    people: bool = False  # some columns are by people, and the others by systems, also where a text stands beside them


def of(table: Table, rivals: Mapping[int, Item]) -> Apart | None:
    """The columns of scores that something sets apart from the others; None where all are alike, and where somebody or the file
    says what they are."""
    scores, texts = ([k for k, item in rivals.items() if item.kind == kind] for kind in ("scores", "text"))
    if table.role or table.basis or table.crossed or max(len(scores), len(texts)) < 2:
        return None
    if not scores:
        return _texts(table, texts) if table.gold else _labels(table, rivals)
    return _of_one(table, scores) or _of_people(table, rivals, scores) or _set_apart(table, scores)


def why(found: Apart | None) -> str:
    """What is asked about columns that are set apart; "" where none are."""
    return found.why if found is not None else ""


def with_roles(found: Apart | None, rivals: Mapping[int, Item], claims: list[Claim], alone: bool) -> list[Claim]:
    """The claims of a table that is asked about, `alone` for what was `found` set apart; this is no system."""
    roles = found.roles if found is not None and _fits(found, rivals, claims, alone) else {}
    changed = [
        replace(one, role=roles[k][0], reason=roles[k][1], basis="guess")
        if k in roles and (k not in rivals or (one.role in (*OPEN, "judge", "score") and not one.sure))
        else one
        for k, one in enumerate(claims)
    ]
    return _without_scale(rivals, changed)


def _without_scale(rivals: Mapping[int, Item], claims: list[Claim]) -> list[Claim]:
    """The claims; a column on another scale than all others, which are on one, is hardly a system."""
    scales = {
        k: (item.name, numbers.scale(item.segments))
        for k, item in rivals.items()
        if item.kind == "scores" and claims[k].role == "system"
    }
    odd = compared.odd(scales) if len(scales) > 2 else None
    if odd is None:
        return claims
    return [
        replace(one, role="ignored", reason=odd[1], basis="guess") if k == odd[0] else one
        for k, one in enumerate(claims)
    ]


def ways(found: Apart | None, rivals: Mapping[int, Item], claims: Sequence[Claim], alone: bool) -> list[Way]:
    """The readings of a table some of whose columns are set apart, which is asked about for this `alone`; [] for others, and where
    more is known of the rest."""
    return [*found.ways] if found is not None and _fits(found, rivals, claims, alone) else []


def question(table: Table, why: str, found: Apart | None, claims: Sequence[Claim], known: Sequence[Way]) -> Unclear:
    """The question about a table, with the readings of what was `found` set apart, if it is asked for this alone; else with `known` ones."""
    problem = Unclear(table, why, claims, [*found.ways] if found is not None else known)
    # all readings are known; what tells right answers of several systems from wrong ones leaves nothing to be found
    named = [one.column for one in claims if one.role == "system"]
    problem.settled = (found is not None and bool(found.ways)) or _are_outcomes(named)
    return problem


OPEN = ("system", "ignored", "question")  # the roles of columns of which nothing is known


def _fits(found: Apart, rivals: Mapping[int, Item], claims: Sequence[Claim], alone: bool) -> bool:
    """Whether nothing more is known of the rest than that they may be systems."""
    if alone or "source" in _roles(claims, found.roles):
        return alone
    if found.people:
        return _roles(claims, found.roles) <= {*OPEN, "judge", "score"}
    kinds = {rivals[k].kind for k in rivals.keys() & found.roles.keys()}
    rest = [k for k in rivals if k not in found.roles]
    own = [claims[k].role for k in rest if rivals[k].kind in kinds]
    # words are compared with what is right, whatever they were taken for
    alike = own.count("system") == len(own) > 1 or (kinds == {"text"} and {*own} <= {*OPEN})
    return found.sure and alike and _roles(claims, rest) <= {*OPEN}


def _roles(claims: Sequence[Claim], columns: Iterable[int]) -> set[Part]:
    return {claims[k].role for k in columns}


# Some of the columns.


def _set_apart(table: Table, scores: Sequence[int]) -> Apart | None:
    """What sets some of the columns apart, where others are left."""
    odd = {
        **dict.fromkeys(_about_question(table, scores), ABOUT),
        **derived.found(table, scores),
        **_of_other_grain(table, scores),
    }
    rest = [k for k in scores if k not in odd]
    right = _right_of(table, rest)
    right += [k for k in labels.of_people(table, rest) if odd and k not in right]
    rest = [k for k in rest if k not in right]
    if not rest or not (odd or right):
        return None
    roles: dict[int, tuple[Part, str]] = {k: ("ignored", why) for k, why in odd.items()}
    roles |= dict.fromkeys(right, ("reference", "it may be what is right"))
    said = all(why == ABOUT for why in odd.values()) and len(right) < 2
    return Apart(_why(table, odd, right, rest), roles, _ways(table, scores, odd, right), said)


PERSON = "by its heading a person"


def _of_people(table: Table, rivals: Mapping[int, Item], scores: Sequence[int]) -> Apart | None:
    """The columns of several people (human1, human2), or of whole numbers by one beside a text that was rated, and those of systems:
    these may predict what people said, or compete alone."""
    people = labels.of_people(table, scores)
    rest = [k for k in scores if k not in people]
    rated = len(people) > 1 or (len(people) == 1 and len(rivals) > len(scores))
    if not rated or len(rest) < 2 or any(map(_is_no_system, table.named(rest))):
        return None
    roles: dict[int, tuple[Part, str]] = dict.fromkeys(people, ("ignored", PERSON))
    roles |= dict.fromkeys(rest, ("system", "beside people"))
    why = f"Are the numbers of {listed(table.named(people))} by people, who do not compete?"
    return Apart(why, roles, labels.beside_people(table, people, rest), sure=True, people=True)


def _is_no_system(heading: str) -> bool:
    return any(
        says(heading) for says in (words.has_measure, words.is_field, words.is_numbered, words.is_about_question)
    )


def _about_question(table: Table, scores: Sequence[int]) -> list[int]:
    """The columns that are about the question by their headings, but for one that all others predict."""
    about = table.headed(words.is_about_question, scores)
    right = agreement.predicted(table, scores) if about else []
    return [k for k in about if k not in right]


def _why(table: Table, odd: Mapping[int, str], right: Sequence[int], rest: Sequence[int]) -> str:
    """What is asked about the columns that are set apart."""
    if right:
        verb = "Does" if len(right) == 1 else "Do"
        return f"{verb} {listed(table.named(right))} hold what is right for {listed(table.named(rest))}?"
    named = (
        f"Is {table.headings[next(iter(odd))]} a system?"
        if len(odd) == 1
        else f"Are {listed(table.named(odd))} systems?"
    )
    told = [k for k in odd if odd[k] == ABOUT]
    said = [f"By the heading {listed(table.named(told))} {'is' if len(told) == 1 else 'are'} {ABOUT}."] if told else []
    return " ".join([named, *said, *(f"{table.headings[k]} is {odd[k]}." for k in odd if k not in told)])


def _ways(table: Table, scores: Sequence[int], odd: Mapping[int, str], right: Sequence[int]) -> list[Way]:
    """The readings: some are right, some are no systems, or all are systems."""
    rest = [k for k in scores if k not in odd and k not in right]
    part: Part = "system" if len(rest) > 1 else "text"
    scored = [*scores, *(k for k in right if k not in scores)]
    found = list[Way]()
    for gold in right:
        roles = {gold: "reference", **dict.fromkeys(rest, part)}
        what = f"{table.headings[gold]} is right, and {listed(table.named(rest))} predict{'s' * (len(rest) == 1)} it"
        found.append((what, _said(table, {**dict.fromkeys(scored, "ignored"), **roles})))
    others = [*odd, *right]
    if not {*others} & {*scores}:
        return [*found, (f"{_all(scores)} are scores", _said(table, dict.fromkeys(scores, "system")))]
    alone: Part = "system" if len(rest) > 1 else "score"
    none = {**dict.fromkeys(rest, alone), **dict.fromkeys(others, "ignored")}
    found.append((f"{listed(table.named(others))} {_no(others)}", _said(table, none)))
    if odd and right:
        found.append(
            (
                f"only {listed(table.named(odd))} {_no(odd)}",
                _said(table, {**dict.fromkeys(scores, "system"), **dict.fromkeys(odd, "ignored")}),
            )
        )
    if table.headed(_is_label, right):
        return found  # it never competes
    return [*found, (f"{_all(scores)} are systems", _said(table, dict.fromkeys(scores, "system")))]


def _is_label(heading: str) -> bool:
    return words.is_label(heading) or labels.STATE.fullmatch(heading) is not None


def _no(columns: Collection[int]) -> str:
    return "is no system" if len(columns) == 1 else "are no systems"


def _all(columns: Sequence[int]) -> str:
    return "both" if len(columns) == 2 else f"all {len(columns)}"


def _said(table: Table, roles: Mapping[int, str]) -> str:
    return shlex.join(f"{table.headings[k]}={roles[k]}" for k in sorted(roles))


def _of_other_grain(table: Table, scores: Sequence[int]) -> dict[int, str]:
    """The one column of 0 and 1 beside several of fractions, or of fractions beside several of 0 and 1."""
    own = {k: numbers.scale(table.column(k)) for k in scores}
    marks = [k for k, one in own.items() if one.values == (0.0, 1.0) and len(one) >= compared.COUNTED]
    parts = [k for k, one in own.items() if 2 * one.fractions > len(one) >= compared.COUNTED]
    if len(marks) + len(parts) < len(scores) or len(scores) <= FEWEST_FRACTIONS:
        return {}
    if len(marks) == 1:
        return {marks[0]: "0 and 1, and the others fractions"}
    return {parts[0]: "fractions, and the others 0 and 1"} if len(parts) == 1 else {}


def _right(table: Table, scores: Sequence[int]) -> list[int]:
    """The columns that say what is right by their headings, on the scale of the others, which look like systems."""
    named = [k for k in table.headed(RIGHT.fullmatch, scores) if not names.is_person(table.headings[k])]
    rest = [k for k in scores if k not in named]
    if not named or not rest:
        return []
    if any(numbers.different([(table.headings[k], numbers.scale(table.column(k))) for k in (*named, *rest)])):
        return []
    # whole numbers by people are asked about otherwise; the scores of a person and of one system are compared
    people = {*labels.of_people(table, named), *(table.headed(labels.HUMAN.fullmatch, named) if len(rest) == 1 else ())}
    return [k for k in named if k not in people]


def _right_of(table: Table, scores: Sequence[int]) -> list[int]:
    """The columns that say what is right, by their headings or by their cells, which are no labels where all are outcomes."""
    return [] if _are_outcomes(table.named(scores)) else _right(table, scores) or _by_cells(table, scores)


def _are_outcomes(headings: Sequence[str]) -> bool:
    """Whether all headings end in the same word for a right answer, behind a name each: plain_correct, tuned_correct."""
    last = {re.split(r"[-_. ]+", name.strip())[-1].lower() for name in headings}
    outcome = len(last) == 1 and not last.isdisjoint(OUTCOMES)
    return outcome and len(headings) > 1 and len({*map(str.lower, headings)}) == len(headings)


def _by_cells(table: Table, scores: Sequence[int]) -> list[int]:
    """The column of labels that the others predict: by a heading of labels, where they have the same few whole numbers, also one of
    kinds of questions with which they agree; or by its cells alone."""
    few = [k for k in scores if agreement.classes(table, k)] if len(scores) > 1 else []
    if len(few) < len(scores):
        return []
    named = [k for k in table.headed(_names_labels, few) if agreement.have_the_same(table, k, _without(few, k))]
    kinds = [k for k in table.where("category", "domain", "document") if agreement.is_predicted(table, k)]
    return named[:1] or kinds[:1] or agreement.predicted(table, few)


def _without(columns: Sequence[int], k: int) -> list[int]:
    return [one for one in columns if one != k]


def _names_labels(heading: str) -> bool:
    """Whether a heading names labels, and no person or measure: these may compete, or are asked about otherwise."""
    person = labels.HUMAN.fullmatch(heading) or names.is_person(heading) or names.MODEL.fullmatch(heading)
    return labels.says_right(heading) and not person


# Texts.


def _labels(table: Table, rivals: Mapping[int, Item]) -> Apart | None:
    """The columns of a few words that are right by their headings, or by people, where others have the same words."""
    if not doubts.marks_in([*rivals.values()]):
        return None
    people = table.headed(names.is_person, [*rivals])
    right = table.headed(labels.RIGHT.fullmatch, [*rivals]) or people
    people = [k for k in people if k not in right]  # out of whose labels the right ones came
    rest = [k for k in rivals if k not in right and k not in people]
    if not right or not rest or not _share_words(table, right, rest):
        return None
    readings = [_predicted(table, k, [*right, *people, *rest], rest) for k in right]
    roles: dict[int, tuple[Part, str]] = dict.fromkeys(right, ("reference", "it may be what is right"))
    roles |= dict.fromkeys(people, ("ignored", PERSON))
    return Apart(_why(table, {}, right, rest), roles, readings, sure=True)


def _share_words(table: Table, right: Sequence[int], rest: Sequence[int]) -> bool:
    known = {cell for k in right for cell in table.column(k).counts}
    return not any(known.isdisjoint(table.column(k).counts) for k in rest)


def _predicted(table: Table, right: int, every: Sequence[int], rest: Sequence[int]) -> Way:
    """The reading in which those of the rest with the words of what is right predict it, or all of them where none has only these;
    nothing else of all columns is used."""
    known = table.column(right).counts.keys()
    own = {k: table.column(k).counts.keys() for k in rest}
    given = [k for k in rest if 2 * len(own[k] & known) >= len(own[k])] or rest
    part: Part = "system" if len(given) > 1 else "text"
    what = f"{table.headings[right]} is right, and {listed(table.named(given))} predict{'s' * (len(given) == 1)} it"
    return what, _said(table, {**dict.fromkeys(every, "ignored"), right: "reference", **dict.fromkeys(given, part)})


def _texts(table: Table, texts: Sequence[int]) -> Apart | None:
    """What sets some of the texts apart that would be outputs next to one reference."""
    if len(table.gold) != 1 or len(table.rows) < compared.COUNTED:
        return None
    # parts of the data are asked about for themselves
    texts = list(itertools.filterfalse(lambda k: crossing.are_splits(table.column(k).counts), texts))
    given = dict.fromkeys(table.headed(GIVEN.fullmatch, texts), "what a system was given, or no output")
    odd = {**given, **_unlike(table, table.gold[0], texts), **_of_source(table, texts)}
    rest = [k for k in texts if k not in odd]
    if not rest or not odd:
        return None
    roles: dict[int, tuple[Part, str]] = {k: ("ignored", why) for k, why in odd.items()}
    shown = " ".join(f"{table.headings[k]} is {why}." for k, why in odd.items())
    one = len(odd) == 1
    why = f"{'Is' if one else 'Are'} {listed(table.named(odd))} {'an output' if one else 'outputs'}? {shown}"
    none = _said(table, {**dict.fromkeys(rest, "system" if len(rest) > 1 else "text"), **dict.fromkeys(odd, "ignored")})
    what = f"{listed(table.named(odd))} {'is no output' if one else 'are no outputs'}"
    return Apart(
        why, roles, [(what, none), (f"{_all(texts)} are systems", _said(table, dict.fromkeys(texts, "system")))]
    )


def _unlike(table: Table, gold: int, texts: Sequence[int]) -> dict[int, str]:
    """The one text that has far fewer words of the reference than each of several others."""
    if len(texts) <= FEWEST_FRACTIONS:
        return {}
    own = {k: compared.common(table.column(k), table.column(gold)) for k in texts}
    last, second = sorted(own, key=own.__getitem__)[:2]
    far = own[second] >= likeness.SHARED and own[last] < FAR * own[second]
    return {last: "far less like the reference than the others"} if far else {}


def _of_source(table: Table, texts: Sequence[int]) -> dict[int, str]:
    """The texts that are the source in nearly every row, or hold it."""
    sources = [table.column(k) for k, name in enumerate(table.headings) if words.role(name) == "source"]
    return {k: "the source, or holds it" for k in texts if any(_holds(table.column(k), one) for one in sources)}


def _holds(cells: Sequence[str], source: Sequence[str]) -> bool:
    """Whether nearly all cells hold the text of the other column in their row."""
    pairs = [(cell, text.strip()) for cell, text in zip(cells, source, strict=True) if text.strip()]
    return len(pairs) >= compared.COUNTED and sum(f" {text} " in f" {cell} " for cell, text in pairs) >= MOSTLY * len(
        pairs
    )


# A row for each system and question.


CHOICE = pattern("apart.choice")
ANSWER = re.compile(r"answers?|targets?|solution", re.IGNORECASE)  # the same for all systems


def may_predict(table: Table, k: int) -> bool:
    """Whether a column holds the numbers of chosen answers by its heading, a few whole ones, and more than right and wrong; or
    such below the heading of an output."""
    own = numbers.scale(table.column(k)).values
    chosen = bool(CHOICE.fullmatch(table.headings[k].strip())) and not {*own} <= {0.0, 1.0}
    return (chosen or table.meanings[k] == "text") and compared.are_marks(table, k)


def in_rows(table: Table, others: Sequence[int], ids: Sequence[int]) -> list[Way]:
    """The readings of two columns of labels, one of which is the same for all systems of a question: that is right, and the other
    predicts it; [] for others."""
    open_ = dict.fromkeys((*others, *table.gold, *table.headed(words.is_label), *table.headed(ANSWER.fullmatch)))
    found = [k for k in open_ if compared.are_marks(table, k)]
    facts = [k for k in found if ids and not table.differ(ids) and crossing.is_fact(table, k, ids)]
    given = [k for k in others if k not in facts]
    if len(facts) != 1 or len(given) != 1 or not compared.are_marks(table, given[0]):
        return []
    if not any(one.fullmatch(table.headings[facts[0]].strip()) for one in (RIGHT, labels.RIGHT, ANSWER)):
        return []
    right, answer = table.named((*facts, *given))
    return [
        (f"{right} is right, and {answer} predicts it", shlex.join([f"{right}=reference", f"{answer}=text"])),
        (f"{answer} is a score", shlex.join([f"{answer}=score", f"{right}=ignored"])),
    ]


# All of the columns.


def _of_one(table: Table, scores: Sequence[int]) -> Apart | None:
    """The columns that are all parts of a test set, or of one row: easy and hard questions, a prompt and its response."""
    headings = [table.headings[k].strip() for k in scores]
    own = _without_shared(headings)
    parts = [one for one in (SPLITS, PARTS) if all(map(one.fullmatch, own))]
    if not parts or any(map(words.is_field, headings)):
        return None
    why = f"Are {listed(headings)} systems? By their headings they are parts of one system's results."
    all_ = _said(table, dict.fromkeys(scores, "system"))
    one = _said(table, dict.fromkeys(scores, "score"))
    roles: dict[int, tuple[Part, str]] = dict.fromkeys(scores, ("score", "by its heading a part"))
    return Apart(why, roles, [("they are scores of one system", one), (f"{_all(scores)} are systems", all_)])


def _without_shared(headings: Sequence[str]) -> list[str]:
    """The headings without the whole words with which all begin, or all end."""
    cut = [re.split(r"[-_. ]+", one) for one in headings]
    first = len(_shared(cut))
    last = len(_shared([one[first:][::-1] for one in cut]))
    return ["_".join(one[first : len(one) - last]) for one in cut]


def _shared(lists: Sequence[Sequence[str]]) -> list[str]:
    """The words with which all lists begin."""
    rows = itertools.takewhile(lambda row: len({*row}) == 1, zip(*lists, strict=False))
    return [row[0] for row in rows]
