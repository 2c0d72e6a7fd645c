"""Forms of one answer: where numbers are right, 884.0 and $1,234 are 884 and 1234; and where a few labels are, yes. is yes.

As texts they would all be wrong, and a system would lose for how it writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from sigcore.data.checks import Checked, Finding
from sigcore.formatting import count
from sigcore.readers import Item, is_often

# 884, 884.0, -0.5, .5, 1,234, $1,234.50; not 007, which is a code, and not 1,23.
NUMBER = re.compile(
    r"([+\-\u2212]?)[$\u20ac\u00a3\u00a5]?\s?((?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*)?(?:\.\d+)?)\.?", re.ASCII
)
MARKS = " \t.,;:!?\"'`*()[]{}\u201c\u201d\u2018\u2019"  # around a label
MOST_LABELS, LONGEST_LABEL = 20, 3  # different ones, and the words of one
SAID = re.compile(r"(?si).*\banswer is:?\s+(.+)")  # So the answer is False.

Form = Callable[[str], object]


def counted(systems: Sequence[Item], gold: Sequence[Item], findings: list[Finding]) -> tuple[list[Item], list[Item]]:
    """The systems and the references with one form of each right answer, which a note says: of numbers, where nothing else is right,
    and of a few labels without marks around them. Others as they are."""
    right = [item for item in gold if item.role == "reference"]
    form = _form(right[0].segments) if right and systems else None
    if form is None:
        return list(systems), list(gold)
    known = _known(right, form)
    kept = [replace(item, segments=_written(item.segments, known, form)) for item in systems]
    _note(list(_changed(systems, kept)), form is _number, findings)
    same = [replace(item, segments=_written(item.segments, known, form)) if item in right else item for item in gold]
    return kept, same


def _form(cells: Sequence[str]) -> Form | None:
    """What is the same for all forms of an answer, by what is right: the value of a number, or a label without marks; None for
    other texts."""
    known = {cell.strip() for cell in cells} - {""}
    if len(known) > 1 and all(_number(cell) is not None for cell in known):
        return _number
    few = 1 < len(known) <= MOST_LABELS and all(len(cell.split()) <= LONGEST_LABEL for cell in known)
    # with marks alone they are no words: + and -, or (A)
    plain = few and all(cell.strip(MARKS) == cell for cell in known)
    return _label if plain and 2 * len(known) <= len(cells) else None


def _number(cell: str) -> Decimal | None:
    """The value of a number, however it is written; None for other texts."""
    match = NUMBER.fullmatch(cell.strip())
    if match is None or not match[2]:
        return None
    return Decimal(("-" if match[1] in ("-", "\u2212") else "") + match[2].replace(",", ""))


def _label(cell: str) -> str:
    """A label without marks around it; behind "the answer is" where a sentence gives it."""
    said = SAID.fullmatch(cell)
    return (said[1] if said else cell).strip(MARKS)


def _known(right: Sequence[Item], form: Form) -> dict[object, str]:
    """The first form of each right answer."""
    known: dict[object, str] = {}
    for cell in dict.fromkeys(cell.strip() for item in right for cell in item.segments):
        if (means := form(cell)) is not None and cell:
            known.setdefault(means, cell)
    return known


def _written(cells: Sequence[str], known: Mapping[object, str], form: Form) -> tuple[str, ...]:
    """The cells, in which a known answer in another form is written as that."""
    forms = {cell: cell if cell.strip() in known.values() else known.get(form(cell), cell) for cell in {*cells}}
    if form is _label:  # with a mark it is a sentence, which begins with a capital letter: Negative.
        small = {word.casefold(): label for word, label in known.items() if isinstance(word, str)}
        forms |= {
            cell: small.get(_label(cell).casefold(), cell)
            for cell, new in forms.items()
            if new == cell and _label(cell) != cell.strip()
        }
    return tuple(map(forms.__getitem__, cells))


def _changed(systems: Sequence[Item], kept: Sequence[Item]) -> Iterator[tuple[str, str]]:
    """The outputs that were written in another form, with this."""
    for one, other in zip(systems, kept, strict=True):
        yield from (pair for pair in zip(one.segments, other.segments, strict=True) if pair[0] != pair[1])


def _note(changed: Sequence[tuple[str, str]], numbers: bool, findings: list[Finding]) -> None:
    if changed:
        before, after = changed[0]
        what = (
            "Numbers are right, so their value counts"
            if numbers
            else "Labels are right, so marks around them do not count, nor the words before them,"
        )
        message = f"{what} in {count(len(changed), 'output')} in another form: {_short(before)} is {after}."
        findings.append(Finding("note", message, ""))


# Answers that are never right as they are written, and often in another form.

FEWEST, OFTEN = 10, 4  # outputs, of fewer of which none may be right; and one of so many holds the right one


def never_right(checked: Checked) -> Iterator[Finding]:
    """Systems none of whose answers is right as it is written, beside one with many right ones, although many hold the right one."""
    right = [item.segments for item in checked.references]
    if len(right) != 1 or checked.n < FEWEST or not any(is_often(one.segments, right[0]) for one in checked.systems):
        return
    for item in checked.systems:
        both = list(zip(item.segments, right[0], strict=True))
        held = [pair for pair in both if _holds(*pair)]
        if OFTEN * len(held) >= checked.n and not any(
            cell.strip().lower() == gold.strip().lower() for cell, gold in both
        ):
            cell, gold = held[0]
            what = f"No answer of {item.name} is right as it is written, but {len(held)} hold the right one: {_short(cell)} holds {_short(gold)}."
            yield Finding(
                "warning", what, item.file, "Write all answers in the form of the reference, if form does not count."
            )


LONGEST = 40  # characters of an answer that is shown


def _short(cell: str) -> str:
    text = " ".join(cell.split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}..."


def _holds(cell: str, gold: str) -> bool:
    """Whether an answer has the words of the right one, in any letters, and is not the same."""
    own, right = (re.findall(r"\w+(?:[.,]\w+)*", text.lower()) for text in (cell, gold))
    n = len(right)
    return bool(right) and any(own[k : k + n] == right for k in range(len(own) - n + 1))
