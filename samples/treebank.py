"""The sentences of the treebank: patterns with slots, filled with phrases; each gives its dependency tree and its brackets.

A pattern is a tree in brackets: (LABEL/relation child ...) with words (TAG/relation word) and slots (=slot/relation).
"*" instead of the relation marks the head of a constituent; "<" or ">" after a relation attaches the word to its
neighbour's head. (-NONE- x) is a trace, (-GAP- x) a verb that is left out; both are no words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from coins import coin

GRAMMAR = Path(__file__).resolve().parent / "grammar"
TOKEN = re.compile(r"[()]|[^()\s]+")
HEADING = re.compile(r"(?P<slot>=?)(?P<label>[^/*<>]+)(?P<head>\*?)(?:/(?P<rel>[^<>]*)(?P<to>[<>]?))?")
EVERYWHERE, PER_DOCUMENT, STRIDE = "*", 12, 7  # the stride shares no factor with the number of patterns
TRACE, GAP = "-NONE-", "-GAP-"
CLITICS = ("n't", "'s")
UNIVERSAL = {
    "DT": "DET", "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "VB": "VERB", "VBD": "VERB", "VBN": "VERB", "VBG": "VERB",
    "VBZ": "VERB", "MD": "AUX", "JJ": "ADJ", "JJS": "ADJ", "RB": "ADV", "IN": "ADP", "TO": "PART", "CC": "CCONJ",
    "PRP$": "PRON", "WP": "PRON", "WDT": "PRON", "EX": "PRON", "CD": "NUM", "POS": "PART", "RP": "ADP", "UH": "INTJ",
    ",": "PUNCT", ".": "PUNCT", "?": "PUNCT",
}  # fmt: skip


@dataclass(frozen=True)
class Node:
    """A constituent, or a word if it has no children; `to` says which neighbour it depends on, if not on the head."""

    label: str
    rel: str = ""
    head: bool = False
    to: str = ""
    word: str = ""
    children: tuple[Node, ...] = ()
    slot: bool = False

    @property
    def is_word(self) -> bool:
        """Whether this is a word of the sentence; traces and gaps are not."""
        return bool(self.word) and self.label not in (TRACE, GAP)


@dataclass(frozen=True)
class Word:
    """One word of a sentence with its head (from 1; 0 = root)."""

    form: str
    upos: str
    xpos: str
    head: int
    rel: str


@dataclass(frozen=True)
class Sentence:
    """A sentence: its document, its tree, its words, and the place (after how many words) of a verb left out, or -1."""

    document: str
    tree: Node
    words: tuple[Word, ...]
    gap: int = -1


def read(text: str) -> Node:
    """A pattern or a phrase as a tree."""
    stack: list[list[Node]] = [[]]
    headings: list[Node] = []
    previous = ""
    for token in TOKEN.findall(text):
        if previous == "(":
            match = HEADING.fullmatch(token)
            assert match is not None, token
            headings.append(
                Node(
                    match["label"], match["rel"] or "", bool(match["head"]), match["to"] or "", slot=bool(match["slot"])
                )
            )
        elif token == "(":
            stack.append([])
        elif token == ")":
            node = replace(headings.pop(), children=tuple(stack.pop()))
            stack[-1].append(node)
        else:
            headings[-1] = replace(headings[-1], word=token)
        previous = token
    return stack[0][0]


@cache
def rows(name: str) -> list[list[str]]:
    """The rows of a table of the grammar, without its head."""
    return [line.split("\t") for line in (GRAMMAR / f"{name}.tsv").read_text(encoding="utf-8").split("\n")[1:] if line]


def filled(pattern: Node, document: str, number: int, seed: str) -> Node:
    """The pattern with a phrase in every slot; no phrase is used twice in a sentence."""
    used: set[str] = set()

    def fill(node: Node) -> Node:
        if not node.slot:
            return replace(node, children=tuple(fill(child) for child in node.children))
        fitting = [p for where, slot, p in rows("phrases") if where in (EVERYWHERE, document) and slot == node.label]
        phrase = min((p for p in fitting if p not in used), key=lambda p: coin(seed, document, number, p))
        used.add(phrase)
        return replace(read(phrase), rel=node.rel, head=node.head, to=node.to)

    return fill(pattern)


def numbered(tree: Node) -> Iterator[Node]:
    """The words of a tree, in order."""
    if tree.is_word:
        yield tree
    for child in tree.children:
        yield from numbered(child)


def words_of(tree: Node) -> tuple[tuple[Word, ...], int]:
    """The words with their heads, and the place of a gap."""
    found: list[tuple[Node, int, str]] = []  # word, head, relation
    gap = -1

    def visit(node: Node) -> int:
        """Number the words of the node; its head word, 0 if it has no words."""
        nonlocal gap
        if not node.children:
            gap = len(found) if node.label == GAP else gap
            if node.is_word:
                found.append((node, 0, ""))
            return len(found) if node.is_word else 0
        heads = [visit(child) for child in node.children]
        real = [k for k, head in enumerate(heads) if head]
        if not real:
            return 0
        chief = next((k for k in real if node.children[k].head), real[0])
        for k in real:
            if k != chief:
                child = node.children[k]
                to = {"": chief, "<": k - 1, ">": k + 1}[child.to]
                found[heads[k] - 1] = (found[heads[k] - 1][0], heads[to], child.rel)
        return heads[chief]

    root = visit(tree)
    found[root - 1] = (found[root - 1][0], 0, "root")
    return tuple(_word(k, *one) for k, one in enumerate(found)), gap


def _word(place: int, node: Node, head: int, rel: str) -> Word:
    upos = UNIVERSAL[node.label]
    if rel.startswith(("aux", "cop")):
        upos = "AUX"
    elif rel == "mark" and node.label == "IN":
        upos = "SCONJ"
    elif node.word == "n't":
        upos = "PART"
    form = node.word[0].upper() + node.word[1:] if place == 0 else node.word
    xpos = "." if node.label == "?" else node.label
    return Word(form, upos, xpos, head, rel)


def sentences(seed: str) -> list[Sentence]:
    """All sentences of the treebank, document by document; every pattern is used about equally often."""
    patterns = [read(pattern) for _, pattern in rows("patterns")]
    documents = list(dict.fromkeys(row[0] for row in rows("phrases") if row[0] != EVERYWHERE))
    out = []
    for i in range(PER_DOCUMENT * len(documents)):
        document = documents[i // PER_DOCUMENT]
        tree = filled(patterns[i * STRIDE % len(patterns)], document, i, seed)
        out.append(Sentence(document, tree, *words_of(tree)))
    return out


def text_of(sentence: Sentence) -> str:
    """The sentence as it is written."""
    return "".join(
        word.form + (" " if space else "") for word, space in zip(sentence.words, spaces(sentence), strict=True)
    )


def spaces(sentence: Sentence) -> list[bool]:
    """For every word whether a space follows."""
    following = [word.form for word in sentence.words[1:]]
    return [form not in (",", ".", "?", *CLITICS) for form in following] + [False]


def conllu(treebank: Sequence[Sentence], trees: Sequence[Sequence[tuple[int, str]]]) -> str:
    """The treebank in CoNLL-U with these heads and relations of every word."""
    lines = []
    for number, (sentence, arcs) in enumerate(zip(treebank, trees, strict=True), 1):
        if number == 1 or treebank[number - 2].document != sentence.document:
            lines.append(f"# newdoc id = {sentence.document}")
        lines += [f"# sent_id = {sentence.document}-{number}", f"# text = {text_of(sentence)}"]
        after = spaces(sentence)
        for k, (word, (head, rel)) in enumerate(zip(sentence.words, arcs, strict=True), 1):
            if k == sentence.gap + 1:
                lines.append(_row(f"{k - 1}.1", "_", "VERB", "_", "_", "_"))
            if sentence.words[k : k + 1] and sentence.words[k].form in CLITICS:
                lines.append(_row(f"{k}-{k + 1}", word.form + sentence.words[k].form, "_", "_", "_", "_"))
            # a word inside a longer token has no space of its own
            glued = not after[k - 1] and k < len(sentence.words) and sentence.words[k].form not in CLITICS
            lines.append(
                _row(str(k), word.form, word.upos, word.xpos, str(head), rel, "SpaceAfter=No" if glued else "_")
            )
        lines.append("")
    return "\n".join(lines) + "\n"


def _row(number: str, form: str, upos: str, xpos: str, head: str, rel: str, misc: str = "_") -> str:
    return "\t".join((number, form, "_", upos, xpos, "_", head, rel, "_", misc))


def gold(sentence: Sentence) -> list[tuple[int, str]]:
    """The heads and relations of the sentence itself."""
    return [(word.head, word.rel) for word in sentence.words]
