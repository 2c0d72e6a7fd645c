"""What texts are by their content: classes, answers of a few words, or running text, and in which language they are written.

The checks of references that hold labels, numbers or tags stand below: outputs are compared with these as a whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median
from typing import Literal

from sigcore.data.checks import Check, Checked, Finding, writing
from sigcore.formatting import listed
from sigcore.readers import Item, is_number, is_often
from sigcore.readers.contract import ASKED, SPOKEN
from sigcore.readers.names import pattern
from sigcore.testset import Outputs, Testset

# Labels: so many different ones, of so many words, each for so many segments on average; and the share of outputs that are such.
MOST_LABELS, LONGEST_LABEL, CLASSIFIED, SAME_LABELS = 20, 3, 5, 0.9
# Letters of options are labels even where an answer was not one of them: as words, A is an article, and counts for nothing.
OPTION, SAME_OPTIONS = re.compile(r"\(?[A-Z]\)?\.?"), 0.5


LONGEST_DESCRIBED = 12  # words of a class: 1: appositional modifier


def are_labels(testset: Testset, outputs: Sequence[Outputs]) -> bool:
    """Whether the texts are classes: a few short ones in the first reference, and nearly only these in every output."""
    if testset.kind != "text" or not testset.references:
        return False
    gold = set(testset.references[0])
    options = 1 < len(gold) <= MOST_LABELS and all(map(OPTION.fullmatch, gold))
    if not options and (CLASSIFIED * min(len(gold), MOST_LABELS + 1) > testset.n or len(gold) > MOST_LABELS):
        return False
    # a code such as -1 for no answer is no word that is nearly right
    same = SAME_OPTIONS if options or all(map(is_number, gold)) else SAME_LABELS
    known = [sum(one in gold for one in each.segments) for each in outputs]
    # classes may be described in words, where no output has others
    longest = LONGEST_DESCRIBED if min(known, default=0) == testset.n else LONGEST_LABEL
    return _longest(gold) <= longest and min(known, default=testset.n) >= same * testset.n


def _longest(labels: Iterable[str]) -> int:
    return max(len(label.split()) for label in labels)


# BLEU counts four words in a row; where half of the references have fewer, it says nothing of them.
ORDER = 4
UNSPACED = ("Chinese", "Japanese")
LANGUAGES = {"zh": "zh"}  # a tokenizer that needs no other package, and the language that chooses it


def answered(items: Iterable[Item]) -> set[str]:
    """The test sets with right answers, which a metric compares one by one: a few labels, or what was asked."""
    gold = [item for item in items if item.role == "reference"]
    number = [(len({*item.segments}), len(item.segments)) for item in gold]
    few = [n <= MOST_LABELS and CLASSIFIED * n <= of for n, of in number]
    return {
        item.testset
        for item, labels in zip(gold, few, strict=True)
        if labels or item.note.endswith(ASKED) or _are_short(item.segments)
    }


def _are_short(texts: Sequence[str]) -> bool:
    """Whether half of the texts are too short for four words in a row, in a writing with blanks between words."""
    return not writing(texts)[0] and median(len(text.split()) for text in texts) < ORDER


Kind = Literal["", "labels", "single words", "answers", "long answers", "speech", "unspaced speech"]


@dataclass(frozen=True)
class Texts:
    """What decides the usual metric and its options: classes, short answers, longer outputs for these, transcripts or neither, and
    the language ("" if unknown)."""

    kind: Kind = ""
    language: str = ""


RUNNING = Texts()  # text of which nothing else is known
RECORDINGS = (".wav", ".flac", ".mp3", ".ogg", ".m4a", ".opus")
MARKS, BARE = (
    (".", "?", "!", "\u2026", "\u3002", "\uff1f", "\uff01", "\u0964"),
    0.05,
)  # at the end of sentences; in so few at most
# Names of recognisers, and of what they write.
RECOGNISED = re.compile(
    r"(?<![a-z])(?:asr|stt|whisper|wav2vec2?|hubert|conformer|transcri(?:pts?|ptions?|bed))(?![a-z])", re.IGNORECASE
)
SPEECH = (".trn", ".ctm", ".stm", ".pra")  # how sclite names its files


def texts_of(testset: Testset | None, outputs: Sequence[Outputs], items: Sequence[Item]) -> Texts:
    """The nature of the texts of a test set, by its first reference; of transcripts and of answers to questions, by the files
    of the systems and of the references."""
    if testset is None or testset.kind != "text" or not testset.references:
        return RUNNING
    first = testset.references[0]
    _, tokenizer = writing(first)
    language = LANGUAGES.get(tokenizer, "")
    if are_labels(testset, outputs):
        return Texts("labels", language)
    asked = any(item.role == "reference" and item.note.endswith(ASKED) for item in items)
    if not asked and _are_transcripts([item for item in items if item.role == "system"], first):
        return Texts(_speech(first), language)
    if not asked and not _are_short(first):
        return Texts("", language)
    return Texts(_of_answers(testset, outputs), language)


def _of_answers(testset: Testset, outputs: Sequence[Outputs]) -> Kind:
    """The kind of answers to questions; of single words token F1 is the share of right ones."""
    if all(map(_is_word, chain(*testset.references, *(one.segments for one in outputs)))):
        return "single words"
    return "long answers" if _are_longer(outputs, testset.references[0]) else "answers"


def _is_word(text: str) -> bool:
    return len(text.split()) == 1


def _speech(texts: Sequence[str]) -> Kind:
    """The kind of transcripts; half of them without a space, in a writing without any, are single words, and each right or wrong."""
    unspaced = writing(texts)[0] in UNSPACED and median(len(text.split()) for text in texts) < 2
    return "unspaced speech" if unspaced else "speech"


LONGER, OF_ANSWERS = 3, 5  # times as many words as the answers; words of an answer, at most


def _are_longer(outputs: Sequence[Outputs], answers: Sequence[str]) -> bool:
    """Whether the outputs of a system are far longer than the short answers: as those of a model that explains what it says."""
    usual = median(len(text.split()) for text in answers)
    longest = max((median(len(text.split()) for text in one.segments) for one in outputs), default=0)
    return 0 < usual <= OF_ANSWERS and longest >= LONGER * usual


def _are_transcripts(systems: Sequence[Item], reference: Sequence[str]) -> bool:
    """Whether all files are transcripts of speech: by their programs, or by ids of utterances beside a reference without marks."""
    if not systems:
        return False
    return all(map(_is_transcript, systems)) or (
        all(item.reader == "utterances" and item.keys for item in systems) and _is_bare(reference)
    )


def _is_transcript(item: Item) -> bool:
    """Whether a file is sclite's, or its segments are called after recordings or stand beside these."""
    known = item.file.lower().endswith(SPEECH) or item.note.endswith(SPOKEN)
    if known or RECOGNISED.search(f"{item.file} {item.name}"):
        return True
    return bool(item.keys) and item.keys[0].lower().endswith(RECORDINGS)


def _is_bare(segments: Sequence[str]) -> bool:
    """Whether hardly a segment ends with a mark: transcripts have none, translations have."""
    marked = sum(segment.rstrip().endswith(MARKS) for segment in segments)
    return marked <= BARE * len(segments)


# Labels, numbers and tags as references.


def predicted_numbers(checked: Checked) -> Iterator[Finding]:
    """A reference of numbers with decimals: near it is good, so the share of equal ones says nothing, unless it is large."""
    for item in checked.references:
        cells = set(item.segments)
        decimals = all(map(is_number, cells)) and not all(float(cell).is_integer() for cell in cells)
        if decimals and not any(_answers(one, item) for one in checked.systems):
            what = f"{item.name} has numbers with decimals: predictions come near them, and are hardly ever equal."
            fix = "Load how far each prediction is from it, |prediction - reference|, as scores with --better lower."
            yield Finding("error", what, item.file, fix)


def _answers(system: Item, gold: Item) -> bool:
    """Whether a system gives words, too, and often the right number."""
    return not all(map(is_number, {*system.segments})) and is_often(system.segments, gold.segments)


ENTITY_TAG = re.compile(r"O|[BIESLU]-\S+")


def tags_as_labels(checked: Checked) -> Iterator[Finding]:
    """A reference of tags of entities, one for each segment: words are counted, most of which are O."""
    for item in checked.references:
        cells = {cell.strip() for cell in item.segments}
        if len(cells) > 1 and all(map(ENTITY_TAG.fullmatch, cells)):
            what = f"{item.name} has tags of entities: their accuracy counts words, not entities, and words are no sentences."
            fix = "Load a word with its tags per line, separated by blanks, with empty lines between sentences, for entity F1."
            yield Finding("warning", what, item.file, fix)


def other_labels(checked: Checked) -> Iterator[Finding]:
    """Systems with a few words again and again, none of which is among the few of the references: the same in other words."""
    known = {cell.strip().lower() for item in checked.references for cell in item.segments}
    if not _are_labels(known) or CLASSIFIED * len(known) > checked.n:
        return
    for item in checked.systems:
        own = {cell.strip().lower() for cell in item.segments}
        if _are_labels(own) and own.isdisjoint(known):
            what = f"No label of {item.name} ({listed(sorted(own))}) is one of the reference ({listed(sorted(known))})."
            fix = "Write the same labels in both; in a table, --cells WORD=NUMBER says what a word means (true=1)."
            yield Finding("error", what, item.file, fix)


OFTEN = 3  # lines with an answer
MOSTLY = 0.8  # the share of them in which a system says one and the same other thing


def other_words(checked: Checked) -> Iterator[Finding]:
    """An answer that a system never gives, and what it says in its place again and again, which is never right: perhaps the same in
    other words (declined, none). Labels of which no system has a single one right are an error."""
    gold = [cell.strip() for cell in checked.references[0].segments] if checked.references else []
    systems = {item: [cell.strip() for cell in item.segments] for item in checked.systems}
    if systems and _has_labels(gold) and all(not any(map(str.__eq__, own, gold)) for own in systems.values()):
        item, own = next(iter(systems.items()))
        what = f"No system has a single label of the reference, such as {gold[0]!r} where {item.name} says {own[0]!r}."
        fix = "Write the labels in the same way in all files, or choose the right column."
        yield Finding("error", what, item.file, fix)
        return
    for item, own in systems.items():
        # in free text hardly a line equals its reference
        answers = 2 * sum(map(str.__eq__, own, gold)) >= len(gold)
        for right, said, n in _in_place(gold, own) if answers else ():
            what = f"{item.name} never says {right!r}, but {said!r} in {n} of the {gold.count(right)} segments where it is right."
            yield Finding("warning", what, item.file, "If both mean the same, write them in the same way.")


FEWEST_LABELS = 20  # segments


def _has_labels(gold: Sequence[str]) -> bool:
    """Whether these are short words that come again, and no numbers."""
    if all(map(is_number, gold)):
        return False
    return len(gold) >= FEWEST_LABELS and len({*gold}) > 1 and 2 * len({*gold}) <= len(gold) and _are_short(gold)


def _in_place(gold: Sequence[str], own: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """The answers that are often right and never given, each with what stands in its place, which is never right, and how often."""
    given, right = {*own}, {*gold}
    for answer, n in Counter(gold).items():
        if n < OFTEN or answer in given:
            continue
        said, times = Counter(one for one, aim in zip(own, gold, strict=True) if aim == answer).most_common(1)[0]
        if said and said not in right and times >= MOSTLY * n:
            yield answer, said, times


def _are_labels(known: set[str]) -> bool:
    """Whether these are a few short words, and more than one."""
    return 1 < len(known) <= MOST_LABELS and all(len(word.split()) <= LONGEST_LABEL for word in known)


LABELS: tuple[Check, ...] = (predicted_numbers, tags_as_labels, other_labels, other_words)


def wholes(checked: Checked) -> Iterator[Finding]:
    """Segments that are called like known test sets: a score of each is a mean over many questions."""
    keys = checked.systems[0].keys if checked.systems else ()
    named = [key for key in dict.fromkeys(keys) if WHOLE_SETS.match(key)]
    stems = {NUMBER.sub("", key) for key in named}  # flores_1, flores_2 are segments of one
    if len(named) > 1 and 2 * len(named) >= len({*keys}) and 2 * len(stems) > len(named):
        message = f"Each segment is a whole test set by its name ({listed(named[:3])}): its score is a mean over many segments."
        fix = "The test takes them for independent, and sets may share texts. Load the scores of every segment to test on one."
        yield Finding("warning", message, "", fix)


NUMBER = re.compile(r"(?<!\d)(?!20\d\d(?!\d))\d+")
WHOLE_SETS = pattern("checks.whole_sets")
