"""Dependency trees as segments: the words that count, and how many of them hang where they should."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sigcore.errors import MismatchError, ReadError
from sigcore.text.chunks import Done, paced

FIELDS = 4  # FORM, UPOS, HEAD, DEPREL
PENN_MARKS = frozenset(("``", "''", ":", ",", "."))
UNIVERSAL_MARK = "PUNCT"
MEND_WORDS = "Dependency scores need the same words in the same sentences: let every system parse the gold words."

Word = tuple[str, str, str, str]


def read_tree(segment: str, sentence: int) -> list[Word]:
    """The words of one tree as (FORM, UPOS, HEAD, DEPREL), all text; [] for an empty segment.

    Raises: ReadError for a word with another number of fields.
    """
    words = [tuple(line.split("\t")) for line in segment.split("\n")] if segment else []
    for k, word in enumerate(words):
        if len(word) != FIELDS:
            what = f"sentence {sentence}, token {k + 1}: {len(word)} fields, expected FORM, UPOS, HEAD and DEPREL."
            raise ReadError(what, fix="Part them by TAB, one word per line.")
    return words  # type: ignore[return-value]


def is_marks(form: str) -> bool:
    """Whether every character is Unicode punctuation (categories P*), so neither a sign such as + nor a letter."""
    return bool(form) and all(unicodedata.category(char)[0] == "P" for char in form)


# What the word's form and gold tag say: whether it is punctuation under each rule.
RULES: dict[str, Callable[[str, str], bool]] = {
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

    def rows(
        self, segments: Sequence[str], label: Callable[[str], str] | None, done: Done | None
    ) -> NDArray[np.float64]:
        """(n, 2): words with the right head (and, where there is `label`, the right label), scored words.

        `label` says what of a label is compared. Raises: MismatchError where the words of a tree differ from gold.
        """
        counts = np.zeros((len(segments), 2))

        def work(start: int, stop: int) -> None:
            for i in range(start, stop):
                counts[i] = self._count(i, segments[i], label)

        paced(len(segments), work, done)
        return counts

    def _count(self, i: int, segment: str, label: Callable[[str], str] | None) -> tuple[int, int]:
        tree = read_tree(segment, i + 1)
        check_words(tree, self.trees[i], i + 1)
        correct = sum(
            scored and own[2] == gold[2] and (label is None or label(own[3]) == label(gold[3]))
            for own, gold, scored in zip(tree, self.trees[i], self.scored[i], strict=True)
        )
        return correct, sum(self.scored[i])


def gold_trees(segments: Sequence[str], punctuation: str) -> GoldTrees:
    """The gold trees with the words that the rule for punctuation leaves.

    Raises: MismatchError where the rule reads tags that the trees do not have.
    """
    trees = [read_tree(segment, i + 1) for i, segment in enumerate(segments)]
    _check_tags({word[1] for tree in trees for word in tree}, punctuation)
    rule = RULES[punctuation]
    return GoldTrees(trees, [[not rule(word[0], word[1]) for word in tree] for tree in trees])


def _check_tags(tags: set[str], punctuation: str) -> None:
    """Raises: MismatchError where the gold tags are evidently not of the set in which the rule looks for marks."""
    penn, universal_mark = bool(tags & PENN_MARKS), UNIVERSAL_MARK in tags
    if punctuation == "wsj" and not penn and (universal_mark or tags == {"_"}):
        wrong, needed = "PUNCT" if universal_mark else "_", "Penn Treebank tags (such as , and .)"
    elif punctuation == "upos" and not universal_mark and (penn or tags == {"_"}):
        wrong, needed = min(tags & PENN_MARKS, default="_"), "universal tags (PUNCT)"
    else:
        return
    raise MismatchError(
        f"punctuation = {punctuation} needs {needed}, the gold trees have {wrong!r}.",
        "",
        "Choose another rule for punctuation, or take the tags from the other column.",
    )


def check_words(tree: Sequence[Word], gold: Sequence[Word], sentence: int) -> None:
    """Nothing where the trees have the same words.

    Raises: MismatchError that names the first word that is not the gold one.
    """
    for k in range(max(len(tree), len(gold))):
        own = f"'{tree[k][0]}'" if k < len(tree) else "no more words"
        other = f"'{gold[k][0]}'" if k < len(gold) else "no more words"
        if own != other:
            raise MismatchError(f"sentence {sentence}, token {k + 1}: system {own}, gold {other}.", "", MEND_WORDS)


def first_difference(segments: Sequence[str], gold: Sequence[str]) -> MismatchError | None:
    """What `check_words` says of the first sentence with other words than gold; None where all agree."""
    for i, (own, other) in enumerate(zip(segments, gold, strict=False)):
        try:
            check_words(read_tree(own, i + 1), read_tree(other, i + 1), i + 1)
        except MismatchError as difference:
            return difference
    return None
