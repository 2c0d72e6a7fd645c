"""Made-up ratings for the tests: five systems, eight judges with a mean, a spread and a shaking hand of their own."""

from __future__ import annotations

import numpy as np

from sigcore.judgments import Judgments, judgments
from sigcore.studies import human
from sigcore.study import Study
from sigcore.testset import Outputs, Testset
from tests.oracles.judging import Rating

SYSTEMS = ("alpha", "beta", "gamma", "delta", "epsilon")
QUALITY = {"adequacy": (1.0, 0.8, 0.75, 0.2, 0.2), "fluency": (0.9, 0.9, 0.4, 0.6, 0.6)}


def ratings(dimension: str = "adequacy", seed: int = 1, segments: int = 24) -> list[Rating]:
    """Ratings of every system on every segment by two judges each, with controls and repeats among them."""
    rng = np.random.default_rng((seed, len(dimension)))
    found: list[Rating] = []
    for j in range(8):
        middle, spread = rng.uniform(40, 70), rng.uniform(5, 25)

        def score(value: float, middle: float = middle, spread: float = spread) -> float:
            return float(np.clip(np.round(middle + spread * (value + rng.normal())), 0, 100))

        for segment in range(j % 4, segments, 4):
            for system, quality in zip(SYSTEMS, QUALITY[dimension], strict=True):
                found.append((f"judge{j}", system, str(segment), "ordinary", score(quality)))
            found.append((f"judge{j}", SYSTEMS[segment % 5], str(segment), "degraded", score(-2.0)))
            found.append((f"judge{j}", SYSTEMS[segment % 5], str(segment), "reference", score(1.5)))
        found.append((f"judge{j}", "beta", str(j % 4), "repeat", score(0.8)))
    return found


def made(*parts: tuple[str, list[Rating]], name: str = "made up") -> Judgments:
    """Judgments of ratings by dimension (adequacy alone where nothing is given)."""
    parts = parts or (("adequacy", ratings()),)
    rows = [(*rating, dimension) for dimension, found in parts for rating in found]
    columns = ("judge", "system", "segment", "kind", "score", "dimension")
    return judgments(name, dict(zip(columns, zip(*rows, strict=True), strict=True)))


ASKED = (("bleu", {}), ("chrf", {}))
TESTS = ("paired_bootstrap", "approximate_randomization")
N = 40
GOLD = tuple(
    f"the {w} boat number {i} sails home again over the calm sea" for i, w in enumerate(["old", "new"] * (N // 2))
)


def spoilt(every: int, shift: int = 0) -> tuple[str, ...]:
    """The reference with a word changed in every so many segments."""
    return tuple(s.replace("boat", "ship") if every and (i + shift) % every == 0 else s for i, s in enumerate(GOLD))


def outputs(names: tuple[str, ...] = SYSTEMS) -> list[Outputs]:
    """Five systems of falling quality, the last two alike in score but not in text."""
    texts = [spoilt(0), spoilt(20), spoilt(4), spoilt(2), spoilt(2, 1)]
    return [Outputs(name, text) for name, text in zip(names, texts, strict=True)]


TESTSET = Testset("boats", "text", N, (GOLD,))


def result_of(
    found: Judgments, names: tuple[str, ...] = SYSTEMS, resamples: int = 2000, standard: str = ""
) -> human.HumanResult:
    """People's judgments beside two metrics under two tests."""
    said = human.people(found, standard)
    run = human.run(Study(TESTSET, outputs(names)[::-1], ASKED, TESTS, resamples=resamples), said)
    return human.read(said, run)
