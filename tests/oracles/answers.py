"""SQuAD's comparison of answers and macro-F1 of labels, written down step by step."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence


def normal(text: str) -> list[str]:
    """The words of an answer without case, ASCII punctuation and English articles."""
    kept = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    parts = re.split(r"(\w+)", kept)  # runs of letters and digits, and what lies between
    return "".join(" " if part in ("a", "an", "the") else part for part in parts).split()


def counting(references: Sequence[str]) -> list[list[str]]:
    """The references as words; those without a word only where no other has one."""
    golds = [normal(text) for text in references]
    return [gold for gold in golds if gold] or [[]]


def exact(output: str, references: Sequence[str]) -> float:
    """1 where the answer is one of the references."""
    return float(any(normal(output) == gold for gold in counting(references)))


def covered(output: str, references: Sequence[str]) -> float:
    """1 where one of the references stands in the answer: word by word, or by its characters where a script has no blanks."""
    spaced = str.maketrans(dict.fromkeys(string.punctuation, " "))  # marks between words, or inside of them
    both = [(output, references), (output.translate(spaced), [text.translate(spaced) for text in references])]
    return float(any(_stands(normal(said), gold) for said, golds in both for gold in counting(golds)))


def _stands(said: list[str], gold: list[str]) -> bool:
    if not gold:
        return not said
    if any(letter >= "\u3040" and letter <= "\u9fff" for word in gold for letter in word):
        return " ".join(said).find(" ".join(gold)) >= 0
    return any(said[start : start + len(gold)] == gold for start in range(len(said)))


def f1(output: str, references: Sequence[str]) -> float:
    """The best F1 of the answer's words over the references."""
    return max(_f1(normal(output), gold) for gold in counting(references))


def _f1(output: list[str], gold: list[str]) -> float:
    if not output or not gold:
        return float(output == gold)
    left = list(gold)
    common = 0
    for word in output:
        if word in left:
            left.remove(word)
            common += 1
    if not common:
        return 0.0
    precision, recall = common / len(output), common / len(gold)
    return 2 * precision * recall / (precision + recall)


def macro_f1(outputs: Sequence[str], golds: Sequence[str], classes: Sequence[str]) -> float:
    """The mean F1 of the classes that either side has, in percent."""
    found = []
    for name in classes:
        right = sum(a == b == name for a, b in zip(outputs, golds, strict=True))
        given, there = sum(a == name for a in outputs), sum(b == name for b in golds)
        if given or there:
            precision, recall = right / given if given else 0.0, right / there if there else 0.0
            found.append(2 * precision * recall / (precision + recall) if right else 0.0)
    return 100 * sum(found) / len(found)
