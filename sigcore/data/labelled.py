"""The data checks of references that hold labels, numbers or tags, with which outputs are compared as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sigcore.data.checks import Check, Checked, Finding
from sigcore.formatting import listed
from sigcore.readers import is_number


def predicted_numbers(checked: Checked) -> Iterator[Finding]:
    """A reference of numbers with decimals: near it is good, so the share of equal ones says nothing."""
    for item in checked.references:
        cells = set(item.segments)
        if all(map(is_number, cells)) and not all(float(cell).is_integer() for cell in cells):
            what = f"{item.name} has numbers with decimals: predictions come near them, and are hardly ever equal."
            fix = "Load how far each prediction is from it, |prediction - reference|, as scores with --better lower."
            yield Finding("error", what, item.file, fix)


ENTITY_TAG = re.compile(r"O|[BIESLU]-\S+")


def tags_as_labels(checked: Checked) -> Iterator[Finding]:
    """A reference of tags of entities, one for each segment: words are counted, most of which are O."""
    for item in checked.references:
        cells = {cell.strip() for cell in item.segments}
        if len(cells) > 1 and all(map(ENTITY_TAG.fullmatch, cells)):
            what = f"{item.name} has tags of entities: their accuracy counts words, not entities, and words are no sentences."
            fix = "Load a word with its tags per line, separated by blanks, with empty lines between sentences, for entity F1."
            yield Finding("warning", what, item.file, fix)


MOST_LABELS, TIMES, MOST_WORDS = 20, 5, 3  # different labels, how often each comes on average, and its words


def other_labels(checked: Checked) -> Iterator[Finding]:
    """Systems with a few words again and again, none of which is among the few of the references: the same in other words."""
    known = {cell.strip().lower() for item in checked.references for cell in item.segments}
    if not _are_labels(known) or TIMES * len(known) > checked.n:
        return
    for item in checked.systems:
        own = {cell.strip().lower() for cell in item.segments}
        if _are_labels(own) and own.isdisjoint(known):
            what = f"No label of {item.name} ({listed(sorted(own))}) is one of the reference ({listed(sorted(known))})."
            fix = "Write the same labels in both; in a table, --cells WORD=NUMBER says what a word means (true=1)."
            yield Finding("error", what, item.file, fix)


def _are_labels(known: set[str]) -> bool:
    """Whether these are a few short words, and more than one."""
    return 1 < len(known) <= MOST_LABELS and all(len(word.split()) <= MOST_WORDS for word in known)


CHECKS: tuple[Check, ...] = (predicted_numbers, tags_as_labels, other_labels)
