"""Slow, obvious twins of the counts on trees, word links and bracketings, written from the definitions."""

from __future__ import annotations

import unicodedata
from typing import Any

DELETED = {"TOP", "-NONE-", ",", ":", "``", "''", "."}


def attachment(gold: str, own: str, punctuation: str, labels: str | None) -> tuple[int, int]:
    """Right words and scored words of one tree; labels = None (only heads), "strict" or "universal"."""
    right = scored = 0
    for one, other in zip(gold.split("\n"), own.split("\n"), strict=True):
        form, tag, head, label = one.split("\t")
        if punctuation == "unicode" and not [c for c in form if not unicodedata.category(c).startswith("P")]:
            continue
        if punctuation == "wsj" and tag in ("``", "''", ":", ",", "."):
            continue
        if punctuation == "upos" and tag == "PUNCT":
            continue
        scored += 1
        _, _, own_head, own_label = other.split("\t")
        if labels == "universal":
            label, own_label = label.split(":")[0], own_label.split(":")[0]
        right += head == own_head and (labels is None or label == own_label)
    return right, scored


def link_counts(gold: str, own: str) -> tuple[int, int, int, int]:
    """|A|, |S|, |A and S|, |A and P| of one segment, by looking at every cell of the table of words."""
    most = 1 + max((int(part) for text in (gold, own) for link in text.split() for part in _ends(link)), default=0)
    table = [[set[str]() for _ in range(most)] for _ in range(most)]
    for name, text in (("gold", gold), ("own", own)):
        for link in text.split():
            source, target = map(int, _ends(link))
            table[source][target].add(f"{name} sure" if "-" in link and name == "gold" else name)
    cells = [cell for row in table for cell in row]
    sure = sum("gold sure" in cell for cell in cells)
    links = sum("own" in cell for cell in cells)
    both = sum("own" in cell and "gold sure" in cell for cell in cells)
    possible = sum("own" in cell and bool(cell & {"gold", "gold sure"}) for cell in cells)
    return links, sure, both, possible


def _ends(link: str) -> list[str]:
    return link.replace("p", "-").split("-")


def nested(text: str) -> list[Any]:
    """The trees of a text as nested lists: ["S", ["NN", "time"]]; an outer bracket without a label has the label ""."""
    text = text.replace("(", " ( ").replace(")", " ) ")
    trees, rest = [], text.split()
    while rest:
        tree, rest = _one(rest)
        trees.append(tree)
    return trees


def _one(tokens: list[str]) -> tuple[list[Any], list[str]]:
    assert tokens[0] == "("
    tree, rest = [], tokens[1:]
    if rest[0] in "()":
        tree.append("")
    while rest[0] != ")":
        if rest[0] == "(":
            child, rest = _one(rest)
            tree.append(child)
        else:
            tree.append(rest[0])
            rest = rest[1:]
    return tree, rest[1:]


def pruned(tree: list[Any]) -> list[Any] | None:
    """The tree without deleted words and what they leave empty; None where nothing is left."""
    if len(tree) == 2 and isinstance(tree[1], str):
        return None if tree[0] in DELETED else tree
    children = [child for child in map(pruned, tree[1:]) if child is not None]
    return [tree[0], *children] if children else None


def leaves(tree: list[Any]) -> list[str]:
    """The words below a node."""
    return [tree[1]] if isinstance(tree[1], str) else [word for child in tree[1:] for word in leaves(child)]


def spans(tree: list[Any], start: int = 0) -> list[tuple[str, int, int]]:
    """All brackets (label, first, last + 1) of a pruned tree."""
    if isinstance(tree[1], str):
        return []
    label = tree[0].split("-")[0].split("=")[0]
    label = "ADVP" if label == "PRT" else label
    found = [] if tree[0] in DELETED else [(label, start, start + len(leaves(tree)))]
    for child in tree[1:]:
        found += spans(child, start)
        start += len(leaves(child))
    return found


def bracket_counts(gold: str, own: str) -> tuple[int, int, int, int]:
    """Matched, gold and own brackets, and 1 for a skipped pair, as evalb with COLLINS.prm counts them."""
    left, right = (_joined(text) for text in (gold, own))
    if not right or not left or leaves(left) != leaves(right):
        return 0, 0, 0, 1
    gold_spans, rest = spans(left), spans(right)
    total, matched = len(rest), 0
    for bracket in gold_spans:
        if bracket in rest:
            rest.remove(bracket)
            matched += 1
    return matched, len(gold_spans), total, 0


def _joined(text: str) -> list[Any]:
    """All trees of one line under one node that is not counted; [] where no word is left."""
    return pruned(["TOP", *nested(text)]) or []
