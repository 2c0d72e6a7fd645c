"""METEOR as its paper defines it, slowly: every possible alignment is tried, every number counted one by one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

Pair = tuple[int, int]  # place in the reference, place in the output
Stage = Callable[[str, str], bool]


def pairs_of(output: Sequence[str], reference: Sequence[str], stages: Sequence[Stage]) -> dict[Pair, int]:
    """All pairs of words that match, each with the number of stages that say so; equal words match in the first only,
    and between equal segments only these match."""
    stages = stages[:1] if list(output) == list(reference) else stages
    found = {}
    for j, gold in enumerate(reference):
        for i, word in enumerate(output):
            matching = stages[:1] if word == gold else stages[1:]
            found[j, i] = sum(same(word, gold) for same in matching)
    return {pair: count for pair, count in found.items() if count}


def alignments(pairs: Collection[Pair]) -> Iterator[frozenset[Pair]]:
    """Every set of pairs in which no word occurs twice."""
    if not pairs:
        yield frozenset()
        return
    (j, i), *rest = sorted(pairs)
    yield from alignments(rest)
    for chosen in alignments([(b, a) for b, a in rest if b != j and a != i]):
        yield chosen | {(j, i)}


def certain(pairs: dict[Pair, int]) -> frozenset[Pair]:
    """The pairs that match in one stage, and that no other pair has a word in common with."""
    alone = (p for p, count in pairs.items() if count == 1)
    return frozenset(p for p in alone if not any(q != p and (q[0] == p[0] or q[1] == p[1]) for q in pairs))


def chunks(alignment: Collection[Pair]) -> int:
    """The number of runs of matches that are neighbours on both sides, in order."""
    return sum((j - 1, i - 1) not in alignment for j, i in alignment)


def best(output: Sequence[str], reference: Sequence[str], stages: Sequence[Stage]) -> tuple[int, int]:
    """(equal words matched, chunks) of the best alignment with all certain pairs: most equal words, then fewest
    chunks."""
    pairs = pairs_of(output, reference, stages)
    fixed = certain(pairs)
    found = [
        (-sum(output[i] == reference[j] for j, i in alignment), chunks(alignment))
        for alignment in alignments(pairs)
        if fixed <= alignment
    ]
    exact, fewest = min(found)
    return -exact, fewest


def score(
    rows: Sequence[Sequence[float]], alpha: float, beta: float, gamma: float, delta: float, weights: Sequence[float]
) -> float:
    """METEOR (0 to 1) of a corpus whose segments have these 23 counts: precision, recall, mean and penalty in turn."""
    shares = []
    for side in (0, 1):
        matched = words = 0.0
        for row in rows:
            content, function = row[side] - row[2 + side], row[2 + side]
            words += delta * content + (1 - delta) * function
            for stage, weight in enumerate(weights):
                part = row[4 + 4 * stage : 8 + 4 * stage]
                matched += weight * (delta * part[side] + (1 - delta) * part[2 + side])
        shares.append(matched / words if words else 0.0)
    precision, recall = shares
    if not precision or not recall:
        return 0.0
    pieces = sum(row[20] for row in rows) / (sum(row[21] + row[22] for row in rows) / 2)
    return precision * recall / (alpha * precision + (1 - alpha) * recall) * (1 - gamma * pieces**beta)
