"""Outputs of invented parsers as brackets: the gold constituents without traces and function tags, with errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from coins import Coins
from treebank import GAP, TRACE, Node, Sentence

FAILURE = "(TOP )"
CONFUSED = {"ADJP": "ADVP", "SBAR": "S", "WHNP": "NP", "SQ": "S", "INTJ": "ADVP", "ADVP": "ADJP", "PRT": "ADVP"}
CONFUSED |= {"PP": "ADVP"}
TAGS = {"nsubj": "-SBJ", "nsubj:pass": "-SBJ-1", "expl": "-SBJ"}


@dataclass(frozen=True)
class Part:
    """A constituent or, with a word, a tagged word."""

    label: str
    word: str = ""
    parts: tuple[Part, ...] = ()

    def __str__(self) -> str:
        return f"({self.label} {self.word})" if self.word else f"({' '.join([self.label, *map(str, self.parts)])})"


Step = Callable[[Part, Coins, str], Part]


def gold(node: Node, inside: str = "") -> Part:
    """The constituent with function tags and traces; a noun phrase with a prepositional phrase has one of its own inside."""
    if not node.children:
        return Part(TRACE if node.label == GAP else node.label.replace("?", "."), node.word)
    tag = TAGS.get(node.rel, "") if node.label == "NP" and inside != "VP" else ""
    parts = tuple(gold(child, node.label) for child in node.children)
    if node.label == "NP" and parts[-1].label == "PP" and all(part.word for part in parts[:-1]):
        parts = (Part("NP", parts=parts[:-1]), parts[-1])
    return Part(node.label + tag, parts=parts)


def bare(part: Part) -> Part | None:
    """The constituent without traces and function tags, as parsers print it; None if nothing is left."""
    if part.word:
        return None if part.label == TRACE else part
    inner = tuple(found for found in map(bare, part.parts) if found is not None)
    return Part(part.label.partition("-")[0], parts=inner) if inner else None


def low(part: Part, coins: Coins, place: str) -> Part:
    """A prepositional phrase of the verb inside the noun phrase before it."""
    for k in range(len(part.parts) - 1):
        one, two = part.parts[k : k + 2]
        if (part.label, one.label, two.label) == ("VP", "NP", "PP") and coins.slips("low", place, k):
            return Part(part.label, parts=(*part.parts[:k], Part("NP", parts=(one, two)), *part.parts[k + 2 :]))
    return part


def high(part: Part, coins: Coins, place: str) -> Part:
    """A prepositional phrase of a noun beside its noun phrase."""
    for k, one in enumerate(part.parts):
        inside = one.label == "NP" and len(one.parts) > 1 and one.parts[-1].label == "PP"
        if inside and part.label in ("VP", "S", "PP") and coins.slips("high", place, k):
            left = one.parts[0] if len(one.parts) == 2 and one.parts[0].parts else Part("NP", parts=one.parts[:-1])
            return Part(part.label, parts=(*part.parts[:k], left, one.parts[-1], *part.parts[k + 1 :]))
    return part


def flat(part: Part, coins: Coins, place: str) -> Part:
    """A constituent without the brackets of its first part of the same label."""
    first = part.parts[0] if part.parts else part
    if first.parts and first.label == part.label and coins.slips("flat", place):
        return Part(part.label, parts=(*first.parts, *part.parts[1:]))
    return part


def extra(part: Part, coins: Coins, place: str) -> Part:
    """Brackets around the last two words of a noun phrase."""
    of_words = part.label == "NP" and len(part.parts) > 2 and all(one.word for one in part.parts)
    if of_words and coins.slips("extra", place):
        return Part("NP", parts=(*part.parts[:-2], Part("NX", parts=part.parts[-2:])))
    return part


def label(part: Part, coins: Coins, place: str) -> Part:
    """Another label."""
    if part.parts and part.label in CONFUSED and coins.slips("label", place):
        return Part(CONFUSED[part.label], parts=part.parts)
    return part


STEPS: tuple[Step, ...] = (low, high, flat, extra, label)


def changed(part: Part, coins: Coins, place: str = "") -> Part:
    """The constituent with errors, from the words upwards."""
    inner = tuple(changed(one, coins, f"{place}.{k}") for k, one in enumerate(part.parts))
    part = Part(part.label, part.word, inner)
    for step in STEPS:
        part = step(part, coins, place) if part.parts else part
    return part


def gold_line(sentence: Sentence) -> str:
    """The gold tree as one line."""
    return f"(TOP {_capital(gold(sentence.tree), sentence)})"


def line(sentence: Sentence, coins: Coins) -> str:
    """The tree of the parser as one line; without words where it fails."""
    if coins.slips("failure"):
        return FAILURE
    plain = bare(gold(sentence.tree))
    assert plain is not None
    return f"(TOP {_capital(changed(plain, coins), sentence)})"


def _capital(part: Part, sentence: Sentence) -> Part:
    """The same constituent with the words as the sentence writes them."""
    forms: Iterator[str] = iter([word.form for word in sentence.words])

    def again(one: Part) -> Part:
        if one.word:
            return one if one.label == TRACE else Part(one.label, next(forms))
        return Part(one.label, parts=tuple(map(again, one.parts)))

    return again(part)
