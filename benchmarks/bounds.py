"""The longest segments that the bounds of text/bounds.py allow: the seconds until a job can be cancelled.

A job can be cancelled between two segments, so the longest one decides.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from math import isqrt
from random import Random

from benchmarks import common
from sigcore import Outputs, Testset, metrics
from sigcore.kernels import every
from sigcore.metrics import extractor
from sigcore.text import bounds, compiled
from sigcore.text.bounds import Bound

GOAL = 0.5  # seconds of one segment at its bound, with kernels, where numpy is imported in common.IMPORT seconds
Words = Callable[[int], str]

# Segments of n words: what is best for one algorithm is worst for another.
TEXTS: dict[str, Words] = {
    "all equal": lambda n: "x " * n,
    "all different": lambda n: " ".join(f"w{k}" for k in range(n)),
    "of 50 kinds": lambda n: " ".join(f"w{k}" for k in Random(2).choices(range(50), k=n)),
    "of 2,000 kinds": lambda n: " ".join(f"w{k}" for k in Random(3).choices(range(2_000), k=n)),
}
METRICS: tuple[tuple[str, dict[str, object], Bound, Sequence[str]], ...] = (
    ("wer", {}, bounds.WER, ("all equal", "all different", "of 50 kinds")),
    ("cer", {}, bounds.CER, ("all equal", "of 50 kinds", "of 2,000 kinds")),
    ("ter", {}, bounds.TER, ("all equal", "all different", "of 50 kinds", "of 2,000 kinds")),
    ("meteor", {"stages": "exact"}, bounds.METEOR, ("all different", "of 2,000 kinds")),
    ("meteor", {"stages": "exact"}, bounds.METEOR_MATCHES, ("all equal", "of 50 kinds")),
    ("rouge_l", {}, bounds.ROUGE_L, ("all equal", "all different", "of 50 kinds")),
)


def seconds(name: str, options: dict[str, object], output: str, reference: str) -> float:
    """CPU seconds of this thread for one segment; the shorter of two runs."""
    metric = metrics.get(name)
    extract = extractor(metric, Testset("t", "text", 1, ((reference,),)), metric.chosen(options))
    took = []
    for _ in range(2):
        began = time.thread_time()
        extract(Outputs("One", (output,)))
        took.append(time.thread_time() - began)
    return min(took)


def pair(words: list[str], characters: bool) -> tuple[str, str]:
    """The words, and the same in another order with one missing; or each word as one character."""
    other = Random(9).sample(words, len(words) - 1)
    if not characters:
        return " ".join(words), " ".join(other)
    number = {word: chr(0x4E00 + k % 20_000) for k, word in enumerate(dict.fromkeys(words))}
    return "".join(map(number.__getitem__, words)), "".join(map(number.__getitem__, other))


def longest(bound: Bound, text: str) -> int:
    """The words of a segment, and of its reference, that the bound still allows."""
    if bound is bounds.METEOR_MATCHES:  # pairs of equal words: all, or one in 50
        return min(isqrt(bound.most * (50 if text == "of 50 kinds" else 1)) * 98 // 100, isqrt(bounds.METEOR.most))
    if bound is bounds.ROUGE_L:
        return (isqrt(bounds.SENTENCE**2 + 4 * bound.most) - bounds.SENTENCE) // 2
    return isqrt(bound.most)


def main(arguments: Sequence[str] | None = None) -> int:
    """1 if a segment takes longer than the goal."""
    common.options(__doc__).parse_args(arguments)
    for kernels in every():
        compiled.load(kernels)
    worst = 0.0
    for name, options, bound, texts in METRICS:
        for text in texts:
            n = longest(bound, text)
            output, reference = pair(TEXTS[text](n).split(), characters=name == "cer")
            took = seconds(name, options, output, reference)
            worst = max(worst, took)
            print(f"{name:8} {bound.what:55} {n:>8,} {bound.unit}, {text:17} {took:6.2f} s", flush=True)
    goal = GOAL * common.numpy().cpu / common.IMPORT
    print(f"\nThe longest takes {worst:.2f} s (goal on this machine: at most {goal:.2f} s, with kernels).")
    return int(worst > goal)


if __name__ == "__main__":
    sys.exit(main())
