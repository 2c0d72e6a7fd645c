"""Small test sets of trees, word links, bracketings, entities and rankings, made for the tests; and inputs on which every option shows."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from sigcore.testset import Outputs, Testset

FORMS = ("the", "dog", "sees", "Anna", "'s", "old", "house", ",", "%", ".", "often", "3")
TAGS = {",": "PUNCT", ".": "PUNCT", "%": "SYM", "'s": "PART", "3": "NUM"}
LABELS = ("nsubj", "nsubj:pass", "obj", "det", "amod", "obl", "obl:tmod", "punct")
TYPES = ("PER", "ORG", "LOC")
NODES = ("S", "NP", "VP", "PP", "ADVP", "PRT")

Make = Callable[[np.random.Generator], str]
Slip = Callable[[str, float, np.random.Generator], str]


def tree(rng: np.random.Generator) -> str:
    """A dependency tree of 2 to 9 words: any head, one root first, and a word that is no punctuation."""
    forms = ["dog", *rng.choice(FORMS, size=rng.integers(1, 9))]
    rows = []
    for k, form in enumerate(forms):
        head = 0 if k == 0 else int(rng.choice([j + 1 for j in range(len(forms)) if j != k]))
        rows.append((str(form), TAGS.get(str(form), "X"), str(head), str(rng.choice(LABELS)) if k else "root"))
    return "\n".join("\t".join(row) for row in rows)


def tree_with_slips(segment: str, rate: float, rng: np.random.Generator) -> str:
    """The tree with heads and labels replaced at that rate."""
    rows = [line.split("\t") for line in segment.split("\n")]
    for row in rows:
        if rng.random() < rate:
            row[2] = str(rng.integers(0, len(rows) + 1))
        if rng.random() < rate:
            row[3] = str(rng.choice(LABELS))
    return "\n".join("\t".join(row) for row in rows)


def links(rng: np.random.Generator) -> str:
    """Word links near the diagonal of 3 to 10 words, a third of them only possible."""
    found = {(i, i): "-" for i in range(rng.integers(3, 11))}
    for i in list(found):
        if rng.random() < 0.5:
            found[i[0], i[0] + 1] = "p"
    return " ".join(f"{i}{mark}{j}" for (i, j), mark in sorted(found.items()))


def links_with_slips(segment: str, rate: float, rng: np.random.Generator) -> str:
    """The sure links, with some left out and some wrong ones added at that rate; never none."""
    kept = [link for link in segment.split() if "-" in link and rng.random() >= rate]
    wrong = [f"{rng.integers(0, 10)}-{rng.integers(0, 10)}" for _ in segment.split() if rng.random() < rate]
    return " ".join(dict.fromkeys([*kept, *wrong])) or "0-0"


def bracketing(rng: np.random.Generator, words: int = 0, label: str = "TOP") -> str:
    """A constituency tree over 3 to 9 words."""
    words = words or int(rng.integers(3, 10))
    if words == 1:
        return f"({label} (NN w))"
    cut = int(rng.integers(1, words))
    parts = [bracketing(rng, size, str(rng.choice(NODES))) for size in (cut, words - cut)]
    return f"({label} {' '.join(parts)})"


def bracketing_with_slips(segment: str, rate: float, rng: np.random.Generator) -> str:
    """The tree with labels replaced at that rate."""
    nodes = [f"({rng.choice(NODES)}" if n[1:] in NODES and rng.random() < rate else n for n in segment.split(" ")]
    return " ".join(nodes)


def entities(rng: np.random.Generator) -> str:
    """Entities of one or two words in a sentence of 4 to 12; the first word always is one."""
    size, place, found = int(rng.integers(4, 13)), 0, list[str]()
    while place < size:
        end = min(size, place + int(rng.integers(1, 3)))
        if not found or rng.random() < 0.4:
            found.append(f"{place}-{end}\t{rng.choice(TYPES)}")
        place = end
    return "\n".join(["\t".join(map(str, rng.choice(FORMS, size=size))), *found])


def entities_with_slips(segment: str, rate: float, rng: np.random.Generator) -> str:
    """The same words; types replaced, and entities left out and put in, at that rate."""
    words, *found = segment.split("\n")
    kept = [line for line in found if rng.random() >= rate / 2]
    changed = [f"{line.split(chr(9))[0]}\t{rng.choice(TYPES)}" if rng.random() < rate else line for line in kept]
    start = int(rng.integers(0, words.count("\t")))
    more = [f"{start}-{start + 2}\tMISC"] if rng.random() < rate else []
    return "\n".join([words, *dict.fromkeys([*changed, *more])])


def judgments(rng: np.random.Generator) -> str:
    """Judgments of 5 to 9 documents, the most relevant first; the first always is relevant."""
    values = sorted((2, *map(int, rng.choice([0, 0, 1, 2], size=rng.integers(4, 9)))), reverse=True)
    names = rng.permutation(20)
    return "\n".join(f"d{name}\t{value}" for name, value in zip(names, values, strict=False))


def judgments_with_slips(segment: str, rate: float, rng: np.random.Generator) -> str:
    """The documents in a ranking: some change places with the next, and others come between, at that rate."""
    found = [line.partition("\t")[0] for line in segment.split("\n")]
    for k in range(len(found) - 1):
        if rng.random() < 2 * rate:
            found[k], found[k + 1] = found[k + 1], found[k]
    for k in range(len(found)):
        if rng.random() < rate:
            found.insert(k, f"x{k}")
    return "\n".join(found)


MAKERS: dict[str, tuple[Make, Slip]] = {
    "trees": (tree, tree_with_slips),
    "alignments": (links, links_with_slips),
    "brackets": (bracketing, bracketing_with_slips),
    "spans": (entities, entities_with_slips),
    "rankings": (judgments, judgments_with_slips),
}


def structure_set(
    kind: str, n: int, rates: tuple[float, ...] = (0.05, 0.3, 0.3), seed: int = 0
) -> tuple[Testset, list[Outputs]]:
    """A test set of that kind with one gold stream, and a system for each rate of slips: sys0, sys1, ..."""
    make, slip = MAKERS[kind]
    rng = np.random.default_rng(seed)
    gold = tuple(make(rng) for _ in range(n))
    systems = [Outputs(f"sys{k}", tuple(slip(segment, rate, rng) for segment in gold)) for k, rate in enumerate(rates)]
    return Testset("made", kind, n, (gold,)), systems


# Gold and output on which every option shows: a subtype of a label, marks under each rule for punctuation (universal
# and Penn tags beside each other), links of which more are right than found, sentences that are skipped.
STRUCTURES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "trees": (
        (
            "It\tPRON\t3\tnsubj:pass\nwas\tAUX\t3\taux\nsaid\tVERB\t0\troot\n.\tPUNCT\t3\tpunct",
            "5\tNUM\t0\troot\n%\tSYM\t1\tdep\n``\t``\t1\tpunct\n+\t,\t1\tpunct",
        ),
        (
            "It\tPRON\t3\tnsubj\nwas\tAUX\t1\taux\nsaid\tVERB\t0\troot\n.\tPUNCT\t2\tpunct",
            "5\tNUM\t0\troot\n%\tSYM\t1\tdep\n``\t``\t2\tpunct\n+\t,\t1\tpunct",
        ),
    ),
    "alignments": (("0-0 1-1 2-2 3p2", "0-0 1-2 2-1"), ("0-0 1-1 3-2", "0-0")),
    "brackets": (
        ("(S (NP (NN a)) (VP (VB b) (NP (NN c))))", "(S (NN a) (VP (VB b)))"),
        ("(S (NP (NN a)) (VP (VB b) (NN c)))", ""),
    ),
    "rankings": (("a\t2\nb\t1\nc\t1\nd\t0", "a\t3\nb\t1"), ("d\nb\na\nx\nc", "b\na\nz")),
    "spans": (
        ("Anna\tsees\tOslo\n0-1\tPER\n2-3\tLOC", "Peter\tBlackburn\n0-2\tPER"),
        ("Anna\tsees\tOslo\n0-1\tPER\n1-2\tLOC\n2-3\tORG", "Peter\tBlackburn\n0-1\tPER"),
    ),
}

# Outputs that are bad whatever the gold answer is like: made of its words where it has any.
BAD: dict[str, Callable[[str], str]] = {
    "trees": lambda gold: "\n".join("\t".join([*line.split("\t")[:2], "99", "no"]) for line in gold.split("\n")),
    "alignments": lambda gold: "98-99",
    "rankings": lambda gold: "nothing",
    "spans": lambda gold: f"{gold.partition(chr(10))[0]}\n0-1\tnothing",
    "brackets": lambda gold: re.sub(r"\((?!NN)[A-Z]+", "(X", gold),
}
