"""How cost grows with the input: readers and metrics on files of doubled length. A ratio of 2 is linear growth."""

from __future__ import annotations

import json
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

from benchmarks import common
from sigcore import Outputs, Testset, metrics, readers
from sigcore.kernels import every
from sigcore.metrics import extractor
from sigcore.readers import Limits
from sigcore.text import compiled

ROWS = 20_000
DOUBLED = 3  # times
MOST = 2.6  # of one doubling, in the median of all
SYSTEMS = ("One", "Two", "Three", "Four")
WORDS = [f"word{k}" for k in range(2_000)]
UNBOUNDED = Limits(lines=10**9, parts=10**10)


def sentence(k: int) -> str:
    """A segment of 20 words, the same for the same number."""
    return " ".join(Random(k).choices(WORDS, k=20))


def conll(k: int) -> str:
    """A tree of six words, each the dependent of the one before."""
    return "".join(f"{j}\tw{k}\t_\tX\t_\t_\t{j - 1}\t{'dep' if j > 1 else 'root'}\t_\t_\n" for j in range(1, 7)) + "\n"


def joined(head: str, row: Callable[[int], str], tail: str = "") -> Callable[[int], str]:
    """The text of n rows."""
    return lambda n: head + "".join(map(row, range(n))) + tail


# name of the file, and its text with n rows
FILES: dict[str, tuple[str, Callable[[int], str]]] = {
    "plain": ("One.en", joined("", lambda k: f"{sentence(k)}\n")),
    "scores": ("One.scores", joined("", lambda k: f"{k % 97 / 97:.4f}\n")),
    "tsv": ("t.tsv", joined("segment\treference\tOne\n", lambda k: f"{k + 1}\t{sentence(k)}\t{sentence(k + 1)}\n")),
    "csv, long": (
        "t.csv",
        joined("system,segment,score\n", lambda k: f"{SYSTEMS[k % 4]},{k // 4 + 1},{k % 89 / 89:.3f}\n"),
    ),
    "jsonl": (
        "t.jsonl",
        joined("", lambda k: json.dumps({"id": k // 4, "model_id": SYSTEMS[k % 4], "decoded": sentence(k)}) + "\n"),
    ),
    "conll": ("One.conllu", joined("", conll)),
    "brackets": ("One.txt", joined("", lambda k: f"(S (NP (NN w{k})) (VP (VB b) (NP (NN c))))\n")),
    "pharaoh": ("One.txt", joined("0-0\n", lambda k: f"0-0 1-{k % 7} 2p3\n")),
    "wmt_sgm": (
        "One.sgm",
        joined(
            '<tstset setid="x" srclang="cs" trglang="en" sysid="One">\n<doc docid="d">\n',
            lambda k: f'<seg id="{k}">{sentence(k)}</seg>\n',
            "</doc></tstset>\n",
        ),
    ),
    "wmt_xml": (
        "x.xml",
        joined(
            '<dataset id="x"><doc id="d"><hyp system="One" lang="en">\n',
            lambda k: f'<seg id="{k}">{sentence(k)}</seg>\n',
            "</hyp></doc></dataset>\n",
        ),
    ),
    "seg_scores": (
        "a.comet.seg.score",
        lambda n: "".join(f"{SYSTEMS[4 * k // n]}\t{k % 83 / 83:.3f}\n" for k in range(n)),
    ),
    "ratings": (
        "assessments.csv",
        joined(
            "judge,system,segment,type,score\n",
            lambda k: f"P{k % 9},{SYSTEMS[k % 4]},{k // 4 + 1},SYSTEM,{Random(k).randrange(100)}\n",
        ),
    ),
    "nbest": ("One.nbest", joined("", lambda k: f"{k // 4} ||| {sentence(k)} ||| LM0= -{k % 9}.1 ||| -{k % 7}.3\n")),
}
METRICS = ("bleu", "chrf", "ter", "wer", "cer", "nist", "meteor", "rouge_1", "rouge_l", "rouge_su4")


def reading(name: str, n: int) -> Callable[[], object]:
    """The work of reading a file of n rows."""
    file, text = FILES[name]
    data = text(n).encode()

    def work() -> None:
        intake = readers.read([(file, data)], limits=UNBOUNDED)
        assert intake.items or intake.judgments
        assert not intake.problems, intake.problems

    return work


def scoring(name: str, n: int) -> Callable[[], object]:
    """The work of a metric's statistics of n segments."""
    references = tuple(map(sentence, range(n)))
    outputs = tuple(f"{line} {WORDS[k % 2_000]}" for k, line in enumerate(references))
    metric = metrics.get(name)
    testset = Testset("t", "text", n, (references,))
    return lambda: extractor(metric, testset, metric.chosen({}))(Outputs("One", outputs))


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of this thread; the shorter of two runs."""
    took = []
    for _ in range(2):
        began = time.thread_time()
        work()
        took.append(time.thread_time() - began)
    return min(took)


def row(what: str, work: Callable[[str, int], Callable[[], object]], name: str, first: int) -> float:
    """Print the seconds at each length and the ratios; the largest ratio but one is returned, so that one slow run of
    a busy machine decides nothing."""
    took = [seconds(work(name, first << k)) for k in range(DOUBLED + 1)]
    ratios = [after / before for before, after in pairwise(took)]
    tracemalloc.start()
    work(name, first)()
    memory = tracemalloc.get_traced_memory()[1] / first
    tracemalloc.stop()
    shown = " ".join(f"{ratio:5.2f}" for ratio in ratios)
    print(
        f"{what:8} {name:12} {first:>7,} rows {took[0]:7.3f} s, doubled: {shown}   {memory:7,.0f} bytes a row",
        flush=True,
    )
    return sorted(ratios)[-2]


def main(arguments: Sequence[str] | None = None) -> int:
    """1 if a reader or a metric grows faster than its input."""
    args = common.options(__doc__).parse_args(arguments)
    for kernels in every():
        compiled.load(kernels)
    first = ROWS // 10 if args.quick else ROWS
    found = {name: row("reader", reading, name, first) for name in FILES}
    found |= {name: row("metric", scoring, name, max(500, first // 10)) for name in METRICS}
    steep = [name for name, ratio in found.items() if ratio > MOST]
    print("\nAll grow in proportion to the input." if not steep else f"\nFaster than the input: {', '.join(steep)}.")
    return int(bool(steep))


if __name__ == "__main__":
    sys.exit(main())
