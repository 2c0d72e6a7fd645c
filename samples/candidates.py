"""Several outputs of one invented system for every segment, with invented scores: a k-best list in Moses' format.

Judge and Fluency are similarities to a reference with noise (shared words, shared pairs of neighbouring words), as an
invented judge of samples/judges.py has them; Model hardly depends on the quality, Noise not at all. The list is ordered by a weighted sum
that trusts Model too much, so tuning has something to find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coins import Coins, Profile, coin
from judges import nearest
from slips import output

NUMBER = 10  # candidates of a segment
# (length of the word sequences that are compared, how much the quality counts, how much the noise)
SCORES = {"Judge": (1, 2.0, 1.0), "Fluency": (2, 1.5, 1.0), "Model": (1, 0.5, 1.0), "Noise": (1, 0.0, 1.0)}
WEIGHTS = {"Judge": 0.3, "Fluency": 0.3, "Model": 0.8, "Noise": 0.1, "Words": -0.05}


def table(profile: Profile, wordings: Sequence[Sequence[str]], domains: Sequence[str], seed: str) -> str:
    """One line for each different candidate of each segment, the highest sum first."""
    lines = []
    for i, domain in enumerate(domains):
        golds = [wording[i] for wording in wordings]
        texts = dict.fromkeys(_text(profile, k, i, domain, golds, seed) for k in range(NUMBER))
        rated = [(text, _scores(text, golds, seed, i)) for text in texts]
        for text, scores in sorted(rated, key=lambda item: -_sum(item[1])):
            features = " ".join(f"{name}= {value:.3f}" for name, value in scores.items())
            lines.append(f"{i} ||| {text} ||| {features} ||| {_sum(scores):.4f}\n")
    return "".join(lines)


def _text(profile: Profile, k: int, i: int, domain: str, golds: Sequence[str], seed: str) -> str:
    """Candidate k of segment i: the same system, with other coins for some of its errors."""
    own = replace(profile, name=f"{profile.name} {k}", group=profile.name, share=0.4)
    hard = 0.25 + 1.5 * coin(seed, "hard", i)
    return output(golds[0], Coins(own, i, hard * own.level * own.domains.get(domain, 1.0), seed))


def _scores(text: str, golds: Sequence[str], seed: str, i: int) -> dict[str, float]:
    scores = {}
    for name, (part, weight, noise) in SCORES.items():
        shake = sum(coin(seed, "candidate", name, i, text, k) for k in range(4)) - 2
        scores[name] = round(weight * nearest(text, golds, part) + noise * shake, 3)
    return scores | {"Words": float(len(text.split()))}


def _sum(scores: dict[str, float]) -> float:
    return sum(WEIGHTS[name] * value for name, value in scores.items())
