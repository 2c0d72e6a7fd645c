"""Outputs of invented parsers: the gold trees with errors that parsers make, as dependencies and as brackets."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coins import Coins
from treebank import Sentence, Word

Arcs = list[tuple[int, str]]  # head (from 1; 0 = root) and relation of every word
ArcStep = Callable[[Arcs, Sequence[Word], Coins], Arcs]
CONFUSED = {
    "nsubj:pass": "nsubj", "obl:agent": "obl", "obl:unmarked": "obj", "compound": "amod", "flat": "compound",
    "acl:relcl": "advcl", "acl": "amod", "xcomp": "ccomp", "appos": "conj", "iobj": "obj", "ccomp": "advcl",
    "orphan": "obj", "aux:pass": "cop", "expl": "nsubj", "discourse": "advmod", "nmod:poss": "det", "advmod": "amod",
    "compound:prt": "advmod", "nummod": "amod", "obj": "nsubj",
}  # fmt: skip
CLAUSES = ("acl", "acl:relcl", "advcl", "appos")
NOUNS = ("NOUN", "PROPN")


def below(arcs: Arcs, word: int) -> set[int]:
    """The word and all words that depend on it, directly or not."""
    found = {word}
    while True:
        more = {k for k, (head, _) in enumerate(arcs, 1) if head in found} - found
        if not more:
            return found
        found |= more


def moved(arcs: Arcs, word: int, head: int, rel: str) -> Arcs:
    """The tree with another head for the word; the same tree where that would not be a tree."""
    if arcs[word - 1][0] == 0 or head in below(arcs, word):
        return arcs
    return [*arcs[: word - 1], (head, rel), *arcs[word:]]


def noun_before(words: Sequence[Word], word: int, head: int) -> int:
    """The nearest noun between the head of a phrase and the preposition with which the phrase begins; 0 if there is none."""
    start = next((k for k in range(word, head, -1) if words[k - 1].rel == "case"), word)
    return next((k for k in range(start - 1, head, -1) if words[k - 1].upos in NOUNS), 0)


def phrases(arcs: Arcs, words: Sequence[Word], coins: Coins) -> Arcs:
    """Prepositional phrases at the noun instead of the verb, and the other way round."""
    for k, word in enumerate(words, 1):
        head, rel = arcs[k - 1]
        if rel == "obl" and (noun := noun_before(words, k, head)) and coins.slips("low", k):
            arcs = moved(arcs, k, noun, "nmod")
        elif rel == "nmod" and words[head - 1].upos in NOUNS and arcs[head - 1][0] and coins.slips("high", k):
            verb = arcs[head - 1][0]
            arcs = moved(arcs, k, verb, "obl" if words[verb - 1].upos not in NOUNS else word.rel)
    return arcs


def clauses(arcs: Arcs, words: Sequence[Word], coins: Coins) -> Arcs:
    """Clauses and appositions at another noun or verb before them."""
    for k, (head, rel) in enumerate(arcs, 1):
        others = [i for i in range(1, k) if words[i - 1].upos in (*NOUNS, "VERB") and i != head]
        if rel in CLAUSES and others and coins.slips("clause", k):
            noun = words[others[-1] - 1].upos in NOUNS
            arcs = moved(arcs, k, others[-1], "acl:relcl" if noun and rel == "advcl" else rel)
    return arcs


def conjuncts(arcs: Arcs, words: Sequence[Word], coins: Coins) -> Arcs:
    """Conjuncts at the nearest noun or verb instead of the first conjunct."""
    for k, (head, rel) in enumerate(arcs, 1):
        nearer = [i for i in range(head + 1, k) if words[i - 1].upos in (*NOUNS, "VERB")]
        if rel == "conj" and nearer and coins.slips("conjunct", k):
            arcs = moved(arcs, k, nearer[-1], rel)
    return arcs


def neighbours(arcs: Arcs, words: Sequence[Word], coins: Coins) -> Arcs:
    """Words at the word after or before them."""
    for k in range(1, len(arcs) + 1):
        if coins.slips("neighbour", k):
            other = k + 1 if k < len(arcs) - 1 and coins.toss("side", k) < 0.5 else k - 1
            if other > 0 and words[other - 1].upos != "PUNCT":
                arcs = moved(arcs, k, other, arcs[k - 1][1])
    return arcs


def roots(arcs: Arcs, words: Sequence[Word], coins: Coins) -> Arcs:
    """Another clause as the root; the main verb depends on it."""
    old = next(k for k, (head, _) in enumerate(arcs, 1) if head == 0)
    new = [k for k, (head, rel) in enumerate(arcs, 1) if head == old and rel in ("ccomp", "advcl", "conj", "xcomp")]
    if not new or not coins.slips("root"):
        return arcs
    arcs = list(arcs)
    arcs[new[0] - 1], arcs[old - 1] = (0, "root"), (new[0], "parataxis")
    return arcs


def marks(arcs: Arcs, words: Sequence[Word], coins: Coins) -> Arcs:
    """Commas and full stops at the word before them."""
    for k, (_, rel) in enumerate(arcs, 1):
        if rel == "punct" and k > 1 and coins.slips("mark", k):
            arcs = moved(arcs, k, k - 1, rel)
    return arcs


def labels(arcs: Arcs, words: Sequence[Word], coins: Coins) -> Arcs:
    """Another relation; or the relation without its subtype."""
    out = []
    for k, (head, rel) in enumerate(arcs, 1):
        own = CONFUSED[rel] if rel in CONFUSED and coins.slips("label", k) else rel
        out.append((head, own.partition(":")[0] if coins.slips("subtype", k) else own))
    return out


ARC_STEPS: tuple[ArcStep, ...] = (phrases, clauses, conjuncts, neighbours, roots, marks, labels)


def parsed(sentence: Sentence, coins: Coins) -> Arcs:
    """The dependency tree of the parser for a sentence."""
    arcs = [(word.head, word.rel) for word in sentence.words]
    for step in ARC_STEPS:
        arcs = step(arcs, sentence.words, coins)
    return arcs
