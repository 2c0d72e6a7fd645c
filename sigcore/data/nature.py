"""What texts are by their content: classes, answers of a few words, or running text, and in which language they are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from sigcore.data.checks import writing
from sigcore.readers import Item
from sigcore.readers.contract import ASKED, SPOKEN
from sigcore.testset import Outputs, Testset

# Labels: so many different ones, of so many words, each for so many segments on average; and the share of outputs that are such.
MOST_LABELS, LONGEST_LABEL, CLASSIFIED, SAME_LABELS = 20, 3, 5, 0.9


def are_labels(testset: Testset, outputs: Sequence[Outputs]) -> bool:
    """Whether the texts are classes: a few short ones in the first reference, and nearly only these in every output."""
    if testset.kind != "text" or not testset.references:
        return False
    gold = set(testset.references[0])
    if CLASSIFIED * min(len(gold), MOST_LABELS + 1) > testset.n or len(gold) > MOST_LABELS:
        return False
    short = all(len(label.split()) <= LONGEST_LABEL for label in gold)
    return short and all(sum(one in gold for one in each.segments) >= SAME_LABELS * testset.n for each in outputs)


# BLEU counts four words in a row; where half of the references have fewer, it says nothing of them.
ORDER = 4
LANGUAGES = {"zh": "zh"}  # a tokenizer that needs no other package, and the language that chooses it
Kind = Literal["", "labels", "answers", "speech"]


@dataclass(frozen=True)
class Texts:
    """What decides the usual metric and its options: classes, short answers, transcripts or neither, and the language ("" if unknown)."""

    kind: Kind = ""
    language: str = ""


RUNNING = Texts()  # text of which nothing else is known
RECORDINGS = (".wav", ".flac", ".mp3", ".ogg", ".m4a", ".opus")
MARKS, BARE = (
    (".", "?", "!", "\u2026", "\u3002", "\uff1f", "\uff01", "\u0964"),
    0.05,
)  # at the end of sentences; in so few at most
SPEECH = (".trn", ".ctm", ".stm", ".pra")  # how sclite names its files


def texts_of(testset: Testset | None, outputs: Sequence[Outputs], items: Sequence[Item]) -> Texts:
    """The nature of the texts of a test set, by its first reference; of transcripts and of answers to questions, by the files
    of the systems and of the references."""
    if testset is None or testset.kind != "text" or not testset.references:
        return RUNNING
    first = testset.references[0]
    written, tokenizer = writing(first)
    language = LANGUAGES.get(tokenizer, "")
    if are_labels(testset, outputs):
        return Texts("labels", language)
    if _are_transcripts([item for item in items if item.role == "system"], first):
        return Texts("speech", language)
    short = not written and median(len(segment.split()) for segment in first) < ORDER
    return Texts("answers" if short or any(map(_has_answers, items)) else "", language)


def _has_answers(item: Item) -> bool:
    """Whether a reference has the answers to questions, by the layout of its file."""
    return item.role == "reference" and item.note.endswith(ASKED)


def _are_transcripts(systems: Sequence[Item], reference: Sequence[str]) -> bool:
    """Whether all files are transcripts of speech: by their programs, or by ids of utterances beside a reference without marks."""
    if not systems:
        return False
    return all(map(_is_transcript, systems)) or (all(map(_has_utterances, systems)) and _is_bare(reference))


def _is_transcript(item: Item) -> bool:
    """Whether a file is sclite's, or its segments are called after recordings or stand beside these."""
    told = item.file.lower().endswith(SPEECH) or item.note.endswith(SPOKEN)
    return told or (bool(item.keys) and item.keys[0].lower().endswith(RECORDINGS))


def _has_utterances(item: Item) -> bool:
    """Whether a file has an id of an utterance in each line, as Kaldi and ESPnet write transcripts, and translations of speech."""
    return item.reader == "utterances" and bool(item.keys)


def _is_bare(segments: Sequence[str]) -> bool:
    """Whether hardly a segment ends with a mark: transcripts have none, translations have."""
    marked = sum(segment.rstrip().endswith(MARKS) for segment in segments)
    return marked <= BARE * len(segments)
