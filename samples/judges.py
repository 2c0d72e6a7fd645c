"""Ratings by invented judges for the outputs of invented systems, computed from the similarity to a reference.

Adequacy depends on shared words, fluency on shared pairs of neighbouring words. Unlike metrics, both ignore capitals and
punctuation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from coins import coin

WORDS = re.compile(r"[^\W_]+(?:['.][^\W_]+)*")
HEAD = ("judge", "system", "segment", "type", "dimension", "score")
REFERENCE = "Port-Averil-Press"  # the second reference, judged as if it were a system
PARTS = {"adequacy": 1, "fluency": 2}  # length of the word sequences that are compared
CONTROLS = (("REPEAT", 4), ("REF", 4), ("BAD_REF", 6))


def shared(output: str, reference: str, part: int) -> float:
    """F1, 0 to 1, of the sequences of `part` words that both have, ignoring capitals and punctuation."""
    ours, theirs = (_runs(text, part) for text in (output, reference))
    common = sum((ours & theirs).values())
    return 2 * common / max(1, sum(ours.values()) + sum(theirs.values()))


def _runs(text: str, part: int) -> Counter[tuple[str, ...]]:
    words = WORDS.findall(text.lower())
    return Counter(tuple(words[i : i + part]) for i in range(len(words) - part + 1))


def nearest(output: str, wordings: Sequence[str], part: int) -> float:
    """The quality of an output: its similarity to the nearest reference."""
    return max(shared(output, wording, part) for wording in wordings)


def spoilt(text: str, *place: object) -> str:
    """A deliberately degraded text: a quarter of its words, in another order."""
    words = text.split()
    kept = sorted(words, key=lambda word: coin("spoilt", word, *place))[: max(2, len(words) // 4)]
    return " ".join(kept)


class Judge:
    """One judge with a mean, a spread and random noise; a careless judge ignores the quality."""

    def __init__(self, name: str, seed: str, careless: bool = False) -> None:
        self.name, self.seed, self.careless = name, seed, careless
        self.middle = 45 + 30 * coin(seed, "middle", name)
        self.spread = 12 + 14 * coin(seed, "spread", name)

    def score(self, quality: float, *place: object) -> int:
        """The rating, 0 to 100, of a text with a quality between 0 and 1."""
        shake = sum(coin(self.seed, "shake", self.name, k, *place) for k in range(4)) - 2
        feeling = 1.1 * shake + (0.0 if self.careless else 4.2 * (quality - 0.8))
        return round(min(100.0, max(0.0, self.middle + self.spread * feeling)))


def rows(
    systems: Mapping[str, Sequence[str]], wordings: Sequence[Sequence[str]], plan: Mapping[str, int], seed: str
) -> Iterator[tuple[object, ...]]:
    """All ratings: each of `plan["judges"]` judges rates `plan["segments"]` segments of all systems, `plan["overlap"]` of
    them shared with the next judge. Two further judges cannot be used: one gave a single rating, one always gave 50."""
    judged = {**systems, REFERENCE: wordings[1]}
    for j in range(plan["judges"]):
        judge = Judge(f"J{j + 1:02}", seed, careless=j + 1 == plan["careless"])
        first = j * (plan["segments"] - plan["overlap"])
        segments = [(first + k) % len(wordings[0]) for k in range(plan["segments"])]
        for dimension, part in PARTS.items():
            for system, lines in judged.items():
                # a reference that is judged must not be its own reference
                gold = wordings if system != REFERENCE else wordings[:1]
                for i in segments:
                    floor = 0.9 if system == REFERENCE else 0.0
                    quality = max(floor, nearest(lines[i], [w[i] for w in gold], part))
                    yield _row(judge, system, i, "SYSTEM", dimension, quality)
            yield from _controls(judge, judged, wordings, segments, dimension, part)
    once, same = Judge("J-once", seed), Judge("J-fifty", seed)
    name, lines = next(iter(systems.items()))
    yield _row(once, name, 0, "SYSTEM", "adequacy", nearest(lines[0], [w[0] for w in wordings], 1))
    for i in range(6):
        yield (same.name, name, i + 1, "SYSTEM", "adequacy", 50)


def _controls(
    judge: Judge,
    judged: Mapping[str, Sequence[str]],
    wordings: Sequence[Sequence[str]],
    segments: Sequence[int],
    dimension: str,
    part: int,
) -> Iterator[tuple[object, ...]]:
    """Items for quality control: repeats, references, degraded texts."""
    names = list(judged)
    for kind, number in CONTROLS:
        for k in range(number):
            system = names[int(coin(judge.seed, "control", judge.name, dimension, kind, k) * len(names))]
            i = segments[k % len(segments)]
            text = {"REPEAT": judged[system][i], "REF": wordings[0][i], "BAD_REF": spoilt(wordings[0][i], judge.seed)}[
                kind
            ]
            yield _row(judge, system, i, kind, dimension, nearest(text, [w[i] for w in wordings], part))


def _row(judge: Judge, system: str, i: int, kind: str, dimension: str, quality: float) -> tuple[object, ...]:
    return (judge.name, system, i + 1, kind, dimension, judge.score(quality, system, i, kind, dimension))


def table(
    systems: Mapping[str, Sequence[str]], wordings: Sequence[Sequence[str]], plan: Mapping[str, int], seed: str
) -> str:
    """The ratings as a tab-separated table with a header."""
    lines = [HEAD, *rows(systems, wordings, plan, seed)]
    return "".join("\t".join(map(str, line)) + "\n" for line in lines)
