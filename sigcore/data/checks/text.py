"""Checks of text: outputs copied from gold, empty segments, lengths, tokenization, languages."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from sigcore.data.checks.contract import Checked, Finding
from sigcore.data.checks.general import FEW_SEGMENTS
from sigcore.formatting import listed
from sigcore.readers import Item, is_copy
from sigcore.types import Ints

# Pairs of neighbouring letters as numbers, sorted, and how often each occurs.
Pairs = tuple[Ints, Ints]

SHORT, LONG = 0.5, 2.0  # bounds on the length of a system against the references
MANY_TOKENISED = 0.5
# A copy of a reference is an error for this many segments, if these have more words than labels.
MANY, LABEL_WORDS = 30, 3
# The cosine of letter pairs: measured at .98 or more between translations into one language, .73 or less between French
# and English, .60 between Czech and English.
SAME_LANGUAGE, ENOUGH_PAIRS = 0.85, 2_000

# Languages whose words BLEU's default tokenizer does not split: the letters that identify them, and the right option.
LOOKED_AT, MANY_LETTERS = 500, 0.1  # segments; share of all characters
WRITINGS = (
    ("Japanese", re.compile("[\u3041-\u30ff]"), "ja-mecab (or char)"),
    ("Korean", re.compile("[\uac00-\ud7a3]"), "ko-mecab (or char)"),
    ("Chinese", re.compile("[\u3400-\u9fff]"), "zh"),
)


def copies(checked: Checked) -> Iterator[Finding]:
    """Systems that are identical to a reference or the source; an error for a reference of several words per segment."""
    for system in checked.systems:
        for item in (item for item in checked.gold if item.role in ("reference", "source")):
            number = sum(map(str.__eq__, system.segments, item.segments))
            nearly = item.role == "reference" and _has_words(item) and is_copy(system.segments, item.segments)
            if number == checked.n or nearly:
                yield _copy(system, item, number, checked.n)


def _has_words(item: Item) -> bool:
    """Whether most segments have several words: a perfect system is possible for labels and short answers."""
    return 2 * sum(len(segment.split()) > LABEL_WORDS for segment in item.segments) > len(item.segments)


def _copy(system: Item, item: Item, number: int, n: int) -> Finding:
    """The finding on a system that is a copy of a gold file."""
    how = "identical to" if number == n else f"in {number} of {n} segments identical to"
    message = f"{system.name} is {how} the {item.role} {item.name}."
    where = f"{system.file} and {item.file}"
    if item.role == "reference" and n >= MANY and _has_words(item):
        fix = "It is not an output: leave it out, or set its role to reference or ignored."
        return Finding("error", message, where, fix)
    return Finding("warning", message, where, "Check its role and its content.")


def empties(checked: Checked) -> Iterator[Finding]:
    """References and systems with empty segments."""
    for item in [*checked.references, *checked.systems]:
        empty = [i for i, segment in enumerate(item.segments) if not segment.strip()]
        if empty:
            verb = "is" if len(empty) == 1 else "are"
            message = f"{len(empty)} of {len(item.segments)} segments of {item.name} {verb} empty."
            yield Finding("warning", message, f"{item.file}, segment {empty[0] + 1}", "They are scored as they are.")


def lengths(checked: Checked) -> Iterator[Finding]:
    """Systems far shorter or longer than the references, in characters; one finding if most are longer."""
    references = checked.references
    gold = sum(sum(map(len, item.segments)) for item in references) / max(len(references), 1)
    if not gold:
        return
    ratios = [(item, sum(map(len, item.segments)) / gold) for item in checked.systems]
    longer = sum(ratio > LONG for _, ratio in ratios)
    mostly_longer = longer > 1 and 2 * longer > len(ratios)
    if mostly_longer:
        message = f"The references are much shorter than {longer} of {len(ratios)} systems."
        fix = "Is a reference actually a system output, or in another language?"
        yield Finding("warning", message, listed(item.file for item in references), fix)
    for item, ratio in ratios:
        if ratio < SHORT or (ratio > LONG and not mostly_longer):
            message = f"{item.name} has {ratio:.2f} times the characters of the references."
            yield Finding(
                "warning", message, item.file, "Check that it is the right file, in the right language and role."
            )


def foreign(checked: Checked) -> Iterator[Finding]:
    """Systems that share few letter pairs with the references: they look like another language."""
    gold = _pairs(segment for item in checked.references for segment in item.segments[:LOOKED_AT])
    if checked.n < FEW_SEGMENTS or gold[1].sum() < ENOUGH_PAIRS:
        return
    odd = [item for item in checked.systems if _is_foreign(item, gold)]
    if len(odd) > 1 and len(odd) == len(checked.systems):
        message = "The systems look as if they were in a different language from the references."
        fix = "Was the source, or the reference of another language pair, loaded as the reference?"
        yield Finding("warning", message, listed(item.file for item in checked.references), fix)
        return
    for item in odd:
        message = f"{item.name} looks as if it were in a different language from the references."
        yield Finding("warning", message, item.file, "Check that it is the right file, and that its role is system.")


def _is_foreign(item: Item, gold: Pairs) -> bool:
    pairs = _pairs(item.segments[:LOOKED_AT])
    return bool(pairs[1].sum() >= ENOUGH_PAIRS and _cosine(pairs, gold) < SAME_LANGUAGE)


def _pairs(segments: Iterable[str]) -> Pairs:
    letters = np.frombuffer(" ".join(segments).lower().encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(
        np.int64
    )
    return np.unique(letters[:-1] << 32 | letters[1:], return_counts=True)


def _cosine(one: Pairs, other: Pairs) -> float:
    _, here, there = np.intersect1d(one[0], other[0], assume_unique=True, return_indices=True)
    dot = int(one[1][here] @ other[1][there])
    return dot / math.prod(math.sqrt(int(counts @ counts)) for _, counts in (one, other))


def tokenised(checked: Checked) -> Iterator[Finding]:
    """Files with spaces before full stops and commas; a warning if only some files have them."""
    systems, references = checked.systems, checked.references
    looks = {
        side: [item for item in items if _looks_tokenised(item.segments)]
        for side, items in (("systems", systems), ("references", references))
    }
    odd = looks["systems"] + looks["references"]
    if not odd:
        return
    where = listed(item.file for item in odd)
    if len(odd) == len(systems) + len(references):
        message = "All files look tokenised (spaces before full stops or commas)."
        yield Finding("note", message, where, "Score them with the tokenizer off, or detokenise them all.")
    else:
        message = (
            f"{len(looks['systems'])} of {len(systems)} systems and {len(looks['references'])} of {len(references)} "
            "references look tokenised (spaces before full stops or commas), but the others do not."
        )
        yield Finding("warning", message, where, "Detokenise them: otherwise the same words get different scores.")


def _looks_tokenised(segments: Sequence[str]) -> bool:
    hits = sum(segment.endswith(" .") or " , " in segment for segment in segments)
    return hits > MANY_TOKENISED * len(segments)


def writing(segments: Sequence[str]) -> tuple[str, str]:
    """A language without spaces between words, and BLEU's tokenizer for it; ("", "") for other languages."""
    text = "".join(segments[:LOOKED_AT])
    for language, letters, tokenizer in WRITINGS:
        if len(letters.findall(text)) > MANY_LETTERS * len(text):
            return language, tokenizer
    return "", ""


def written(checked: Checked) -> Iterator[Finding]:
    """References in a language whose words BLEU's default tokenizer does not split."""
    references = checked.references
    language, tokenizer = writing(references[0].segments) if references else ("", "")
    if language:
        message = f"The references look {language}: BLEU's default tokenizer (13a) does not split their words."
        fix = f"Set the option tokenize of BLEU to {tokenizer}, or use chrF, which does not need words."
        yield Finding("warning", message, listed(item.file for item in references), fix)
