"""CPU seconds of a resampling test on all pairs, with BLEU, against R, the number of segments and the number of systems.

Ours is measured at every point. sacrebleu's code is measured on one pair at R = 1000 (on as many segments) and
multiplied by the pairs and R / 1000. A full run draws docs/cost-*.svg; `--quick` stops earlier and draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import sacrebleu.significance as peer

from benchmarks import common, draw, resampling
from benchmarks.common import Spread, Systems

RESAMPLES = 10_000
SIZES = {
    "R": (1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000),
    "segments": (250, 500, 1000, 2000, 4000, 8000),
    "systems": (2, 4, 8, 16, 32, 64),
}
QUICK = {"R": (1000, 10_000, 50_000), "segments": (500, 2000, 4000), "systems": (2, 8, 24)}
TESTS = {resampling.BOOTSTRAP: peer._paired_bs_test, resampling.RANDOMIZATION: peer._paired_ar_test}
NAMES = {resampling.BOOTSTRAP: "bootstrap", resampling.RANDOMIZATION: "randomization"}
AXES = {"R": "resamples R", "segments": "segments", "systems": "systems (all pairs)"}

EXTRAPOLATED = "* extrapolated from one pair at R = 1,000"

Points = dict[str, list[tuple[float, float]]]


def at(systems: Systems, quantity: str, size: int) -> tuple[Systems, int]:
    """The systems and R of one point."""
    if quantity == "R":
        return systems, size
    return (common.segments(systems, size) if quantity == "segments" else common.mixtures(systems, size)), RESAMPLES


def own(systems: Systems, test: str, resamples: int, repeats: int) -> float:
    """Our CPU seconds, as the median of repeats."""
    takes = [
        resampling.shuffles([systems], resamples)
        if test == resampling.RANDOMIZATION
        else resampling.ours([systems], test, resamples)
        for _ in range(repeats)
    ]
    return Spread.of([took.cpu for took in takes]).median


def theirs(systems: Systems, test: str, resamples: int) -> float:
    """sacrebleu's CPU seconds for all pairs, from one pair at R = 1000."""
    one = resampling.sacrebleu_pair(TESTS[test], ["bleu"], [systems])().cpu
    return one * len(common.all_pairs(len(systems))) * resamples / resampling.PEER_RESAMPLES


def curve(systems: Systems, quantity: str, sizes: Iterable[int], repeats: int) -> Points:
    """The points of all lines of one figure."""
    out: Points = {f"{side}, {name}": [] for name in NAMES.values() for side in ("ours", "sacrebleu")}
    for size in sizes:
        chosen, resamples = at(systems, quantity, size)
        for test, name in NAMES.items():
            out[f"ours, {name}"].append((size, own(chosen, test, resamples, repeats if resamples < 10**5 else 1)))
            out[f"sacrebleu, {name}"].append((size, theirs(chosen, test, resamples)))
    return out


def figure(quantity: str, points: Points, note: str) -> str:
    """The SVG of one figure."""
    lines = [
        draw.Line(
            name.replace("ours", "Sigboard") + (" *" if "sacrebleu" in name else ""),
            tuple(measured),
            k // 2,
            dashed="sacrebleu" in name,
        )
        for k, (name, measured) in enumerate(points.items())
    ]
    return draw.chart(f"CPU time of all pairs, BLEU; {note}", EXTRAPOLATED, AXES[quantity], lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables, write results/curves.json and, after a full run, docs/cost-*.svg."""
    args = common.options(__doc__).parse_args(arguments)
    corpus = common.corpus(root=args.data)
    (systems,) = common.statistics(corpus, ["bleu"])
    n, count = corpus.testset.n, len(systems)
    notes = {
        "R": f"{count} systems, {n:,} segments",
        "segments": f"{count} systems, R = {RESAMPLES:,}",
        "systems": f"{n:,} segments, R = {RESAMPLES:,}",
    }
    curves: dict[str, Points] = {}
    for quantity, sizes in (QUICK if args.quick else SIZES).items():
        curves[quantity] = curve(systems, quantity, sizes, 1 if args.quick else 5)
        rows = [(name, *(common.digits(y) for _, y in points)) for name, points in curves[quantity].items()]
        common.show(f"CPU seconds against {AXES[quantity]}; {notes[quantity]}", [("", *map(draw.number, sizes)), *rows])
        if not args.quick:
            drawn = common.ROOT / "docs" / f"cost-{quantity}.svg"
            drawn.write_text(figure(quantity, curves[quantity], notes[quantity]), encoding="utf-8")
    common.write("curves", args, corpus.title(), [], curves=curves, notes=notes)


if __name__ == "__main__":
    main()
