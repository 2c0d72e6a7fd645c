"""Chen et al. 2017: tables 2 to 4, the basic features, and figures 2 and 3, with the project's own decode loop."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from sigcore.formatting import format_p
from sigcore.studies import tuning
from sigcore.studies.reproduce.bench import TOP_N, Bench
from sigcore.studies.reproduce.record import Claim, Found, Panel, Series, sign
from sigcore.studies.runs import RunsResult
from sigcore.types import Row

NO_INTERVAL = (math.nan, math.nan)
MIXED = "95% interval of the mixed model of runs and segments"
LOOP = (
    "The paper decodes Chinese with thousands of features and 40 iterations. Here outputs of systems are combined, with few "
    "features and 3 iterations."
)
ALPHA, POWER = 0.05, 0.8
NO_TABLE = "The values of the table are not in the text at hand."


def outcome(
    tuned: tuning.TuningResult, result: RunsResult, method: str, baseline: str, printed: float | None = None
) -> Found:
    """The gain of one method over another on the held-out segments, as the mixed model sees it; where it cannot tell, how large
    a difference it could have seen, and what the `printed` one would need."""
    i, j = result.systems.index(method), result.systems.index(baseline)
    value = float(result.grid.gains[i, j])
    low, high = (float(end) for end in result.mixed_intervals[i, j])
    p = float(result.grid.adjusted[i, j])
    same = sign(value, low, high)
    decided = same if p <= ALPHA else None
    titles = {item.method: item.title for item in tuned.replicates}
    rows: tuple[Row, ...] = tuple(
        {"method": titles[name], "mean score": float(result.average[k]), "runs": len(tuned.of(name))}
        for k, name in enumerate(result.systems)
    )
    return Found(
        value, low, high, decided,
        f"{titles[method]} less {titles[baseline]}, {len(tuned.of(method))} runs each, {tuned.setup.segments} held-out segments, "
        f"{tuned.setup.metric_title}; p of the mixed model is {format_p(p, 0)} after correction for all pairs of methods.",
        "" if decided is not None else blind(seen(result, i, j), value if printed is None else printed, printed is None),
        MIXED, rows, (scores_panel(result, titles, tuned.setup.metric_title),),
    )  # fmt: skip


def seen(result: RunsResult, i: int, j: int) -> float:
    """The difference that as many runs and segments show in 80% of studies, at the strictest step of Holm's correction for
    all pairs; nan without a standard error."""
    from scipy.stats import t

    low, high = result.mixed_intervals[i, j]
    freedom, pairs = float(result.mixed_df[i, j]), math.comb(len(result.systems), 2)
    error = float(high - low) / 2 / float(t.ppf(1 - ALPHA / 2, freedom))
    return float(t.ppf(1 - ALPHA / 2 / pairs, freedom) + t.ppf(POWER, freedom)) * error


def blind(least: float, wanted: float, own: bool) -> str:
    """What could have been seen, and how many times the runs and segments the wanted difference needs."""
    said = "The difference is not significant after correction, so these runs and segments cannot tell."
    if math.isnan(least) or not wanted:
        return said
    said = f"{said} They would show a difference of {least:.2g} BLEU in {POWER:.0%} of studies."
    of, times = "One as large as this one" if own else f"The paper's {wanted:g}", (least / wanted) ** 2
    # both parts of the variance fall as their numbers grow
    return f"{said} {of} needs about {times:.2g} times as many of both." if times > 1 else f"{said} {of} is larger."


def scores_panel(result: RunsResult, titles: dict[str, str], unit: str) -> Panel:
    """The scores of all runs, a row for each method."""
    names = [titles[name] for name in result.systems]
    runs = Series(
        "runs", np.concatenate(result.scores),
        [name for name, own in zip(names, result.scores, strict=True) for _ in own],
    )  # fmt: skip
    return Panel(
        "Runs on held-out segments", "points", f"score ({unit})", "", (runs, Series("mean", result.average, names))
    )


def against(bench: Bench, claim: Claim) -> Found:
    """One method of the paper against its baseline."""
    method, baseline, length = claim.part
    tuned = bench.tuned(length=int(length))
    return outcome(tuned, bench.methods(tuned), method, baseline, claim.printed)


def aggregated(bench: Bench, claim: Claim) -> Found:
    """One listwise method on aggregated lists against merged ones."""
    tuned = bench.tuned(policies=True)
    names = [name for name in tuned.methods if name.split()[0] == claim.part[0]]
    own = {word: next(name for name in names if word in name) for word in ("aggregate", "merge")}
    return outcome(tuned, bench.methods(tuned), own["aggregate"], own["merge"])


def best_of_top_n(bench: Bench, claim: Claim) -> Found:
    """Top-5 ListMLE against plain ListMLE, with the scores of every n."""
    tuned = bench.tuned(top_n=True)
    result = bench.methods(tuned)
    names = [name for name in tuned.methods if name.startswith("top_n")]
    by_n = dict(zip(TOP_N, names, strict=True))
    found = outcome(tuned, result, by_n[5], "listmle")
    place = {name: k for k, name in enumerate(result.systems)}
    means = [float(result.average[place[by_n[n]]]) for n in TOP_N]
    ends = [result.scores[place[by_n[n]]] for n in TOP_N]
    panel = Panel(
        "Top-n ListMLE", "line", "n", f"score ({tuned.setup.metric_title})",
        (
            Series("top-n ListMLE (ends: its runs)", list(TOP_N), means, [float(e.min()) for e in ends], [float(e.max()) for e in ends]),
            Series("ListMLE", [TOP_N[0], TOP_N[-1]], [float(result.average[place["listmle"]])] * 2),
        ),
    )  # fmt: skip
    return Found(
        found.value, found.low, found.high, found.same, found.said, found.reason, found.interval, found.rows, (panel,)
    )


def loss_and_score(bench: Bench, claim: Claim) -> Found:
    """The rank correlation of loss and BLEU over the epochs of one method, averaged over its runs."""
    from scipy.stats import t

    method = claim.part[0]
    tuned = bench.tuned()
    values = np.array([item.loss_and_metric for item in tuned.of(method)])
    known = values[~np.isnan(values)]
    panels = tuple(course(tuned, name, place) for place, name in enumerate(("te_listmle", "top_n")))
    words = f"{len(known)} runs of {tuned.of(method)[0].title}, last iteration, lists of combined systems."
    if len(known) < 2:
        return Found(
            math.nan, *NO_INTERVAL, None, words, "Fewer than two runs have a loss that changes.", panels=panels
        )
    mean, error = float(known.mean()), float(known.std(ddof=1)) / math.sqrt(len(known))
    half = float(t.ppf(0.975, len(known) - 1)) * error
    low, high = max(-1.0, mean - half), min(1.0, mean + half)
    bound, blind = float(claim.part[1]), ""
    if low < bound <= high:
        runs = f" About {len(known) * (half / (mean - bound)) ** 2:.2g} such runs could." if mean != bound else ""
        blind = f"The interval contains the bound, so these runs cannot tell.{runs}"
    same = None if blind else mean < bound
    return Found(mean, low, high, same, words, blind, "95% t interval over runs", panels=panels)


def course(tuned: tuning.TuningResult, method: str, place: int) -> Panel:
    """Loss and score of the first run by epoch, each from 0 to 1."""
    item = tuned.of(method)[0]
    steps = next((one.steps for one in reversed(item.iterations) if one.steps), ())
    epochs = [float(step.epoch) for step in steps]
    both = (("loss", [step.loss for step in steps]), (tuned.setup.metric_title, [step.value for step in steps]))
    series = tuple(Series(name, epochs, _scaled(values)) for name, values in both)
    return Panel(item.title, "line", "epoch", "from least to most", series, 0, place)


def _scaled(values: list[float]) -> list[float]:
    if not values:
        return []
    least, most = min(values), max(values)
    return [(value - least) / ((most - least) or 1.0) for value in values]


GAIN = "The difference is above 0 and significant in the mixed model, corrected over all pairs of methods."


def _claims() -> Iterator[Claim]:
    for method, name in (("listnet", "ListNet"), ("listmle", "ListMLE")):
        yield Claim(
            f"chen-table2-{method}", "Table 2", f"Aggregating lists beats merging them ({name}).", "lists", "BLEU", None,
            f"{NO_TABLE} Its text: with aggregating \"the performance improves on both listwise tuning approaches\".", GAIN,
            LOOP, aggregated, (method,), slow=True,
        )  # fmt: skip
    compared = (
        ("table3-listnet-extended", "Table 3", "ListNet beats PRO (extended features).", "listnet", "pro", 0.55, "20"),
        ("table3-listnet-sparse", "Table 3", "ListNet beats PRO (sparse features).", "listnet", "pro", 0.26, "20"),
        ("table3-te-extended", "Table 3", "Top-rank enhanced ListMLE beats the baseline (extended features).", "te_listmle", "pro", 1.07, "20"),
        ("table3-te-sparse", "Table 3", "Top-rank enhanced ListMLE beats the baseline (sparse features).", "te_listmle", "pro", 0.73, "20"),
        ("table3-top5", "Table 3", "Top-5 ListMLE beats standard ListMLE.", "top_n", "listmle", None, "20"),
        ("table4-te", "Table 4", "With lists of 100, top-rank enhanced ListMLE beats the baseline.", "te_listmle", "pro", 1.1, "100"),
        ("basic", "Performance on Basic Feature Set", "With basic features, top-rank enhanced ListMLE beats MERT.", "te_listmle", "mert", 0.25, "20"),
    )  # fmt: skip
    for word, place, title, method, baseline, printed, length in compared:
        origin = NO_TABLE if printed is None else f"The text ({place}) gives an improvement of {printed:g} BLEU."
        yield Claim(
            f"chen-{word}", place, title, "lists", "BLEU", printed, origin, GAIN, LOOP, against, (method, baseline, length), slow=True,
        )  # fmt: skip
    yield Claim(
        "chen-fig2", "Figure 2", "Learning only the top 5 of a list beats learning its whole order.", "lists", "BLEU", None,
        "Figure 2 prints no number. Its text: scores improve with n from 1 to 5, then drop.", GAIN, LOOP, best_of_top_n, slow=True,
    )  # fmt: skip
    yield Claim(
        "chen-fig3-te", "Figure 3", "The top-rank enhanced loss almost completely inversely correlates with BLEU.", "lists",
        "(rank correlation)", None, "Figure 3 prints no number. Its text speaks of one list, after iteration 70.",
        "The correlation is below -0.5.", f"{LOOP} The paper starts from random weights.", loss_and_score, ("te_listmle", "-0.5"), slow=True,
    )  # fmt: skip


CLAIMS = tuple(_claims())
