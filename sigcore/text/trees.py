"""Dependency trees as segments: the words that are scored, and how many of them have the right head and label."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from sigcore.errors import MismatchError, ReadError
from sigcore.text.chunks import Done, in_chunks
from sigcore.types import Floats

FIELDS = 4  # FORM, UPOS, HEAD, DEPREL
PENN_MARKS = frozenset(("``", "''", ":", ",", "."))
UNIVERSAL_MARK = "PUNCT"
SAME_WORDS = "Dependency scores need the same words in the same sentences: let every system parse the gold words."

# Which words are punctuation and not scored; RULES says how they are recognised.
Punctuation = Literal["all", "unicode", "wsj", "upos"]
PUNCTUATION: tuple[Punctuation, ...] = get_args(Punctuation)

# The part of a label that must be right: the part before ":", or all of it.
Labels = Literal["universal", "strict"]
LABELS: tuple[Labels, ...] = get_args(Labels)

Word = tuple[str, str, str, str]


def read_tree(segment: str, sentence: int) -> list[Word]:
    """The words of one tree as (FORM, UPOS, HEAD, DEPREL), all text; [] for an empty segment.

    Raises: ReadError for a word with another number of fields.
    """
    words = [tuple(line.split("\t")) for line in segment.split("\n")] if segment else []
    for k, word in enumerate(words):
        if len(word) != FIELDS:
            what = f"sentence {sentence}, token {k + 1}: {len(word)} fields, expected FORM, UPOS, HEAD and DEPREL."
            raise ReadError(what, fix="Separate them by TAB, one word per line.")
    return words  # type: ignore[return-value]


def is_marks(form: str) -> bool:
    """Whether every character is Unicode punctuation (categories P*), not a sign such as + or a letter."""
    return bool(form) and all(unicodedata.category(char)[0] == "P" for char in form)


# For each rule whether a word is punctuation, from its form and gold tag.
RULES: dict[Punctuation, Callable[[str, str], bool]] = {
    "all": lambda form, tag: False,
    "unicode": lambda form, tag: is_marks(form),
    "wsj": lambda form, tag: tag in PENN_MARKS,
    "upos": lambda form, tag: tag == UNIVERSAL_MARK,
}


def universal(label: str) -> str:
    """The label without its subtype: nsubj:pass is nsubj."""
    return label.partition(":")[0]


@dataclass(frozen=True, eq=False)
class GoldTrees:
    """The gold trees, and which of their words are scored."""

    trees: list[list[Word]]
    scored: list[list[bool]]

    def rows(self, segments: Sequence[str], label: Callable[[str], str] | None, done: Done | None) -> Floats:
        """(n, 2): words with the right head (and, where there is `label`, the right label), scored words.

        `label` returns the part of a label that is compared. Raises: MismatchError if the words of a tree differ from gold.
        """
        counts = np.zeros((len(segments), 2))

        def work(start: int, stop: int) -> None:
            for i in range(start, stop):
                counts[i] = self._count(i, segments[i], label)

        in_chunks(len(segments), work, done)
        return counts

    def _count(self, i: int, segment: str, label: Callable[[str], str] | None) -> tuple[int, int]:
        tree = read_tree(segment, i + 1)
        check_words(tree, self.trees[i], i + 1)
        correct = sum(
            scored and own[2] == gold[2] and (label is None or label(own[3]) == label(gold[3]))
            for own, gold, scored in zip(tree, self.trees[i], self.scored[i], strict=True)
        )
        return correct, sum(self.scored[i])


def gold_trees(segments: Sequence[str], punctuation: Punctuation) -> GoldTrees:
    """The gold trees, and which of their words are scored under the rule for punctuation.

    Raises: MismatchError if the rule needs tags that the trees do not have.
    """
    trees = [read_tree(segment, i + 1) for i, segment in enumerate(segments)]
    _check_tags({word[1] for tree in trees for word in tree}, punctuation)
    rule = RULES[punctuation]
    return GoldTrees(trees, [[not rule(word[0], word[1]) for word in tree] for tree in trees])


def _check_tags(tags: set[str], punctuation: Punctuation) -> None:
    """Raise MismatchError if the gold tags are clearly not from the tag set of the rule."""
    penn, universal_mark = bool(tags & PENN_MARKS), UNIVERSAL_MARK in tags
    if punctuation == "wsj" and not penn and (universal_mark or tags == {"_"}):
        wrong, needed = "PUNCT" if universal_mark else "_", "Penn Treebank tags (such as , and .)"
    elif punctuation == "upos" and not universal_mark and (penn or tags == {"_"}):
        wrong, needed = min(tags & PENN_MARKS, default="_"), "universal tags (PUNCT)"
    else:
        return
    raise MismatchError(
        f"punctuation = {punctuation} needs {needed}; the gold trees have {wrong!r}.",
        "",
        "Choose another rule for punctuation, or read the tags from the other column.",
    )


def check_words(tree: Sequence[Word], gold: Sequence[Word], sentence: int) -> None:
    """Raise MismatchError, with the first word that differs, unless the trees have the same words."""
    for k in range(max(len(tree), len(gold))):
        own = f"'{tree[k][0]}'" if k < len(tree) else "no more words"
        other = f"'{gold[k][0]}'" if k < len(gold) else "no more words"
        if own != other:
            raise MismatchError(f"sentence {sentence}, token {k + 1}: system {own}, gold {other}.", "", SAME_WORDS)


def first_difference(segments: Sequence[str], gold: Sequence[str]) -> MismatchError | None:
    """The error of `check_words` for the first sentence whose words differ from gold; None if all agree."""
    for i, (own, other) in enumerate(zip(segments, gold, strict=False)):
        try:
            check_words(read_tree(own, i + 1), read_tree(other, i + 1), i + 1)
        except MismatchError as difference:
            return difference
    return None
