"""Extraction of statistics against sacrebleu's own, on the same lines in the same run: all systems, one reference.

Both programs read the reference and then all systems. A metric is timed only if its statistics are equal. With
`--quick`, TER is measured on every 20th segment only, for both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from benchmarks import common
from benchmarks.common import Goal, Spread, Took
from sigcore.metrics.chrf import ChrfReferences
from sigcore.metrics.ter import TerReferences
from sigcore.text.bleu import BleuReferences
from tests.oracles import sacre_rows

EVERY = 20  # a quick run measures TER on every 20th segment

Streams = Sequence[Sequence[str]]
Make = Callable[[Streams], Any]
Rounds = list[tuple[Took, Took]]


def clear_caches() -> None:
    """Clear sacrebleu's caches of tokenised lines, as in a new process."""
    from sacrebleu.tokenizers import tokenizer_13a, tokenizer_re, tokenizer_ter

    for kind in (tokenizer_13a.Tokenizer13a, tokenizer_re.TokenizerRegexp, tokenizer_ter.TercomTokenizer):
        kind.__call__.cache_clear()


def kernels(make: Make, gold: Streams, systems: Streams) -> Took:
    """The time of our kernels for all systems."""
    return common.timed(lambda: list(map(make(gold).rows, systems)))


def sacrebleu(make: Make, gold: Streams, systems: Streams) -> Took:
    """The time of sacrebleu for all systems."""
    clear_caches()
    return common.timed(lambda: list(map(make(gold), systems)))


def compare(name: str, ours: Make, theirs: Make, gold: Streams, systems: Streams, repeats: int) -> Rounds:
    """Rounds of (kernels, sacrebleu) for one metric.

    Raises: RuntimeError if the statistics are not equal."""
    fast, slow = ours(gold).rows, theirs(gold)
    if not all(np.array_equal(fast(system), slow(system)) for system in systems[:2]):
        raise RuntimeError(f"{name}: the statistics of the kernels differ from those of sacrebleu.")
    return common.duel(partial(kernels, ours, gold, systems), partial(sacrebleu, theirs, gold, systems), repeats)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table and write results/extraction.json."""
    args = common.options(__doc__).parse_args(arguments)
    corpus = common.corpus(root=args.data)
    print(corpus.title())
    gold, systems = corpus.testset.references, [item.segments for item in corpus.outputs]
    every = EVERY if args.quick else 1
    few_gold, few = [stream[::every] for stream in gold], [system[::every] for system in systems]
    repeats = 2 if args.quick else 3
    rounds = {
        "BLEU": compare("BLEU", BleuReferences, sacre_rows.bleu, gold, systems, repeats),
        "chrF": compare("chrF", ChrfReferences, sacre_rows.chrf, gold, systems, repeats),
        "chrF++": compare(
            "chrF++",
            partial(ChrfReferences, word_order=2),
            partial(sacre_rows.chrf, word_order=2),
            gold,
            systems,
            repeats,
        ),
        "TER": compare("TER", TerReferences, sacre_rows.ter, few_gold, few, repeats),
    }
    goals = [judge(name, wanted, rounds[name], every) for name, wanted in (("BLEU", 6), ("chrF", 30), ("TER", 150))]
    cells = {
        name: [Spread.of([side.cpu for side in sides]) for sides in zip(*r, strict=True)] for name, r in rounds.items()
    }
    rows = [(name, a.text(), b.text(), common.ratios(rounds[name], "cpu").text()) for name, (a, b) in cells.items()]
    head = ("" if every == 1 else f"TER: 1 segment in {every}", "kernels, CPU s", "sacrebleu, CPU s", "ratio")
    common.show("Extraction, all systems", [head, *rows])
    took = {name: {"kernels": a.median, "sacrebleu": b.median} for name, (a, b) in cells.items()}
    common.write("extraction", args, corpus.title(), goals, cpu_seconds=took, ter_every=every)


def judge(name: str, wanted: float, rounds: Rounds, every: int) -> Goal:
    """The goal of one metric."""
    note = f"on every {every}th segment" if name == "TER" and every > 1 else ""
    return common.faster(f"extraction of {name} against sacrebleu", wanted, rounds, note)


if __name__ == "__main__":
    main()
