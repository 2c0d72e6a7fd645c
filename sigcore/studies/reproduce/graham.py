"""Graham, Mathur and Baldwin 2014: figures 5 to 8, the 72 cells of tables 1 and 2, chi-square, and the coin toss."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from sigcore.errors import Undefined
from sigcore.formatting import count
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.results import CompareResult
from sigcore.studies import compare, human
from sigcore.studies.human.result import chi_square
from sigcore.studies.reproduce.bench import ALPHAS, GRAHAM_METRICS, GRAHAM_TESTS, Bench
from sigcore.studies.reproduce.record import Claim, Found, Panel, Series
from sigcore.study import Settings, Study
from sigcore.types import Row

# Tables 1 and 2: correct conclusions by (alpha, metric), for paired bootstrap, bootstrap, approximate randomization.
Counts = Mapping[tuple[float, str], tuple[int, int, int]]
TABLES: Mapping[int, tuple[str, int, Counts]] = {
    one["number"]: (
        one["title"],
        one["pairs"],
        {(float(alpha), name): tuple(counts) for alpha, row in one["counts"].items() for name, counts in row.items()},
    )
    for one in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["table"]
}
NAMES = {"bleu": "BLEU", "nist": "NIST", "meteor": "METEOR", "ter": "TER"}  # as the paper prints them
COIN = 50.0
CLEAR, OPEN = 0.01, 0.1  # p of the pairs of Figures 5 and 6: far enough from 0.05 that chance does not decide
SHORT = {"paired_bootstrap": "paired bootstrap", "bootstrap_shift": "bootstrap", "approximate_randomization": "randomization"}  # fmt: skip
CLOPPER = "95% interval of Clopper and Pearson"
OTHER_DATA = (
    "The paper has systems of WMT 2012, rated on a scale by many workers; other systems and ratings give other numbers."
)
TEXTS = "The systems, the metric's version and the number of segments differ from the paper's."


def said(result: human.HumanResult) -> str:
    """What was compared."""
    words = f"{count(len(result.pairs), 'pair')} of {count(len(result.systems), 'system')} that people rated"
    return f"{words}; segments are drawn or swapped; tests are one-sided and uncorrected, as in the paper."


# ---- figures 5 and 6: one pair under three tests


def chosen_pair(bench: Bench, metric: str, significant: bool) -> tuple[int, int]:
    """The places of the pair, the better first: with the smallest gain of those with p of randomization at most CLEAR, or
    the largest gain of those with p above OPEN; without such a pair, the one whose p is nearest to that bound."""
    run = bench.grid("text", metric, GRAHAM_TESTS)
    grid = bench.read(run, "approximate_randomization")
    gains, p = grid.gains, grid.p_values
    open_pairs = [
        (gain, float(p[i, j]), i, j) for (i, j), gain in np.ndenumerate(gains) if gain > 0 and not math.isnan(p[i, j])
    ]
    if not open_pairs:
        raise Undefined("No pair has a p, so none can be chosen.", run.testset, "Load more systems or segments.")
    bound = CLEAR if significant else OPEN
    wanted = [item for item in open_pairs if (item[1] <= CLEAR if significant else item[1] > OPEN)]
    if wanted:
        best = min(wanted) if significant else max(wanted)
    else:
        best = min(open_pairs, key=lambda item: abs(item[1] - bound))
    return best[2], best[3]


def one_pair(bench: Bench, claim: Claim) -> Found:
    """p of the pair under the three tests: the largest where all should reject, the smallest where none should."""
    metric, kind = claim.part
    significant = kind == "significant"
    found, run = bench.material("text"), bench.grid("text", metric, GRAHAM_TESTS)
    i, j = chosen_pair(bench, metric, significant)
    by_name = {item.system: item for item in found.outputs}
    names = run.systems[i], run.systems[j]
    asked = bench.asked(found.testset.kind, metric)
    study = Study(
        found.testset, [by_name[name] for name in names], asked, GRAHAM_TESTS, "segment",
        Settings("greater", correction="none"), resamples=bench.resamples, seed=bench.seed,
    )  # fmt: skip
    done = bench.once("pair", lambda: compare.run(study, bench.runtime), study)
    result = compare.read(done, asked[0][0], study.settings, ("greater",))
    tests = list(result.results)
    deciding = (max if significant else min)(tests, key=lambda item: item.p_value)
    low, high = deciding.p_interval
    below = None if low <= ALPHAS[0] < high else deciding.p_value <= ALPHAS[0]
    words = f"smallest gain with p at most {CLEAR:g}" if significant else f"largest gain with p above {OPEN:g}"
    rows: list[Row] = [
        {"test": item.setup.test_title, "gain": item.gain, "p": item.p_value, "p low": item.p_interval[0], "p high": item.p_interval[1]}
        for item in tests
    ]  # fmt: skip
    return Found(
        deciding.p_value,
        *deciding.p_interval,
        same=None if below is None else below == significant,
        said=f"{names[0]} against {names[1]}, {result.setup.metric_title}: {'largest' if significant else 'smallest'} one-sided p of the "
        f"three tests ({deciding.setup.test_title}). Of all pairs it has the {words} under randomization, if there is one.",
        reason="" if below is not None else "With more resamples it would be clear on which side of 0.05 this p is.",
        interval="Monte Carlo interval of p",
        rows=tuple(rows),
        panels=tuple(pseudo_statistics(result)),
    )


def pseudo_statistics(result: CompareResult) -> Iterator[Panel]:
    """The distribution of each test, one above the other, as in Figures 5 and 6."""
    unit = result.setup.metric_title
    for place, item in enumerate(result.results):
        edges, counts = item.histogram.edges, item.histogram.counts
        middles = (edges[:-1] + edges[1:]) / 2
        koehn = item.setup.test == "paired_bootstrap"
        cut = (0.0, "0") if koehn else (item.gain, "gain")
        yield Panel(
            SHORT.get(item.setup.test, item.setup.test_title).capitalize(),
            "bars", f"pseudo-statistic ({unit})", "resamples",
            (Series(item.setup.test_title, middles, counts.astype(float)),), place, 0, lines=(cut,),
        )  # fmt: skip


# ---- figures 7 and 8: grids


def broken_ties(bench: Bench, claim: Claim) -> Found:
    """How many pairs a later dimension decides because the first leaves them open."""
    result = bench.people()
    decided = result.decided(ALPHAS[0])
    left, right = result.pairs.T
    later = int((decided.by[left, right] > 0).sum())
    low, high = clopper_pearson(later, len(result.pairs))
    people, places = result.people, [result.people.systems.index(name) for name in result.systems]
    grids = [(name, people.levels(ALPHAS[0], k)) for k, name in enumerate(people.dimensions)]
    grids.append(("combined", people.levels(ALPHAS[0], None)))
    panels = tuple(
        Panel(name, "cells", "", "", row=0, column=k, cells=levels[np.ix_(places, places)], rows=result.systems, columns=result.systems)
        for k, (name, levels) in enumerate(grids)
    )  # fmt: skip
    if len(people.dimensions) < 2:
        reason = "People rated in one dimension only, so no other one can break a tie."
        return Found(math.nan, math.nan, math.nan, None, said(result), reason, panels=panels)
    total = len(result.pairs)
    return Found(
        later, float(low) * total, float(high) * total, later > 0,
        f"{said(result)} Pairs that {', '.join(people.dimensions[1:])} decides at alpha {ALPHAS[0]:g}.",
        interval=CLOPPER, panels=panels,
    )  # fmt: skip


def agreeing_tests(bench: Bench, claim: Claim) -> Found:
    """The share of pairs on which the three tests draw the same conclusion, over the four metrics."""
    result, alpha = bench.people(), ALPHAS[0]
    left, right = result.pairs.T
    agree, of, rows = 0, 0, list[Row]()
    for metric in GRAHAM_METRICS:
        known = np.all([result.known(metric, test, alpha)[left, right] for test in GRAHAM_TESTS], axis=0)
        all_three = np.array([result.conclusions(metric, test, alpha)[left, right] for test in GRAHAM_TESTS])
        same = int(((all_three == all_three[0]).all(axis=0) & known).sum())
        agree, of = agree + same, of + int(known.sum())
        rows.append({"metric": NAMES[metric], "same conclusion": same, "pairs": int(known.sum())})
    low, high = clopper_pearson(agree, of)
    share = 100 * agree / of if of else math.nan
    panels = tuple(
        Panel(f"{NAMES[metric]}, {SHORT[test]}", "cells", "", "", row=row, column=column,
              cells=result.levels(metric, test, alpha), rows=result.systems, columns=result.systems)
        for row, metric in enumerate(GRAHAM_METRICS)
        for column, test in enumerate(GRAHAM_TESTS)
    )  # fmt: skip
    return Found(
        share, 100 * float(low), 100 * float(high), None if not of else share >= 95.0,
        f"{said(result)} Share of pairs with the same conclusion under all three tests at alpha {alpha:g}, four metrics.",
        "" if of else "No test has a conclusion on these pairs.",
        interval=f"{CLOPPER}, as if pairs were independent", rows=tuple(rows), panels=panels,
    )  # fmt: skip


# ---- tables 1 and 2


def cell(bench: Bench, claim: Claim) -> Found:
    """The accuracy of one metric under one test at one level."""
    table, metric, test, alpha = claim.part
    result = bench.people()
    item = result.accuracy(metric, test, float(alpha))
    reason = "" if item.pairs else "No pair has a conclusion with this number of resamples."
    same = None
    if item.pairs:
        same = above_coin(item.low, item.high) if table == "1" else item.low <= COIN
        reason = "The interval contains 50%, so these pairs cannot tell." if same is None else ""
    rows = [row for row in _cells(result, int(table)) if (row["alpha"], row["metric"]) == (float(alpha), NAMES[metric])]
    return Found(
        item.percent, item.low, item.high, same, f"{item.correct} of {item.pairs} conclusions are people's. {said(result)}", reason,
        interval=CLOPPER, panels=(accuracies(result, int(table)),), rows=tuple(rows),
    )  # fmt: skip


def above_coin(low: float, high: float) -> bool | None:
    """Whether an accuracy is shown to be above a coin; None where its interval contains 50%."""
    if low > COIN:
        return True
    return False if high < COIN else None


def _cells(result: human.HumanResult, table: int) -> Iterator[Row]:
    """All cells of a table, the paper's beside ours."""
    _, pairs, printed = TABLES[table]
    for (alpha, metric), counts in printed.items():
        for test, correct in zip(GRAHAM_TESTS, counts, strict=True):
            low, high = (100 * float(end) for end in clopper_pearson(correct, pairs))
            ours = result.accuracy(metric, test, alpha)
            yield {
                "alpha": alpha, "metric": NAMES[metric], "test": SHORT[test],
                "paper": 100 * correct / pairs, "paper low": low, "paper high": high,
                "here": ours.percent if ours.pairs else None,
                "low": ours.low if ours.pairs else None, "high": ours.high if ours.pairs else None,
                "correct": ours.correct, "pairs": ours.pairs,
            }  # fmt: skip


def accuracies(result: human.HumanResult, table: int) -> Panel:
    """The paper's accuracies at 0.05 beside ours, by metric."""
    rows = [row for row in _cells(result, table) if row["alpha"] == ALPHAS[0] and row["here"] is not None]
    names = [f"{row['metric']}, {row['test']}" for row in rows]
    both = [("paper", "paper", "paper low", "paper high"), ("here", "here", "low", "high")]
    return Panel(
        f"Accuracy at alpha {ALPHAS[0]:g}", "points", "accuracy (%)", "",
        tuple(Series(name, [float(str(row[value])) for row in rows], names, [float(str(row[low])) for row in rows],
                     [float(str(row[high])) for row in rows]) for name, value, low, high in both),
        lines=((COIN, "coin"),),
    )  # fmt: skip


def no_better_metric(bench: Bench, claim: Claim) -> Found:
    """p of chi-square between the four metrics under randomization; its range when each system is left out."""
    result, alpha = bench.people(), ALPHAS[0]
    test = GRAHAM_TESTS[-1]
    counted = np.all([result.counted(metric, test, alpha) for metric in GRAHAM_METRICS], axis=0)
    right = np.array([result.right(metric, test, alpha) for metric in GRAHAM_METRICS])
    value, df, p = chi_square(right[:, counted].sum(axis=1), int(counted.sum()))
    kept = [counted & (result.pairs != place).all(axis=1) for place in range(len(result.systems))]
    others = [chi_square(right[:, rest].sum(axis=1), int(rest.sum()))[2] for rest in kept]
    others = [one for one in (p, *others) if not math.isnan(one)] if len(others) > 1 else []
    held = next(d for d in result.differences if (d.between, d.held, d.alpha) == ("metrics", test, alpha))
    rows: tuple[Row, ...] = (
        {"test": "chi-square", "statistic": _or_none(value), "df": df, "p": _or_none(p)},
        {"test": "Cochran's Q", "statistic": _or_none(held.q), "df": df, "p": _or_none(held.q_p)},
    )
    reason = "" if not math.isnan(p) else "All metrics have the same accuracy of 0 or 100%, so chi-square is undefined."
    return Found(
        p, min(others, default=math.nan), max(others, default=math.nan), None if math.isnan(p) else p > alpha,
        f"{said(result)} Chi-square of four metrics under {SHORT[test]} at alpha {alpha:g}.", reason,
        interval="range of p with all systems and without each one", rows=rows,
        notes=("Metrics are compared on the same pairs, so Cochran's Q is the test that fits. It is in the table.",),
    )  # fmt: skip


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def coin_toss(bench: Bench, claim: Claim) -> Found:
    """Whether any metric and test is shown to be better than a coin."""
    result, alpha = bench.people(), ALPHAS[0]
    cells = [item for item in result.accuracies if item.alpha == alpha and item.pairs]
    if not cells:
        return Found(math.nan, math.nan, math.nan, None, said(result), "No pair has a conclusion.")
    best = max(cells, key=lambda item: item.low)
    worse = sum(item.low < COIN for item in cells)
    return Found(
        best.percent, best.low, best.high, best.low < COIN,
        f"The best cell is {best.metric_title} with {best.test_title}: {best.correct} of {best.pairs}. The lower limit is below "
        f"50% in {worse} of {len(cells)} cells. {said(result)}",
        interval=CLOPPER, rows=tuple(row for row in _cells(result, 2) if row["alpha"] == alpha),
        panels=(accuracies(result, 2),),
        notes=("The best of several cells is chosen after the fact, so its lower limit is a little too high.",),
    )  # fmt: skip


def best_metric(bench: Bench, claim: Claim) -> Found:
    """The metric with the largest accuracy under any test, with the whole table."""
    table, metric = int(claim.part[0]), claim.part[1]
    result, alpha = bench.people(), ALPHAS[0]
    cells = [item for item in result.accuracies if item.alpha == alpha and item.pairs]
    panels, rows = (accuracies(result, table),), tuple(_cells(result, table))
    if not cells:
        return Found(math.nan, math.nan, math.nan, None, said(result), "No pair has a conclusion.", rows=rows)
    best = max(cells, key=lambda item: item.percent)
    same = any(item.metric == metric and item.percent == best.percent for item in cells)
    differ = no_better_metric(bench, claim).value <= alpha
    return Found(
        best.percent, best.low, best.high, True if same else False if differ else None,
        f"The largest accuracy at {alpha:g} has {best.metric_title} with {best.test_title}. {said(result)}",
        "" if same or differ else "Metrics do not differ significantly here (chi-square), so the order may be chance.",
        interval=CLOPPER, rows=rows, panels=panels,
        notes=("The paper itself finds no significant difference between metrics, so the order may be chance.",),
    )  # fmt: skip


def _cell_claims() -> Iterator[Claim]:
    for table, (languages, pairs, cells) in TABLES.items():
        for (alpha, metric), counts in cells.items():
            for test, correct in zip(GRAHAM_TESTS, counts, strict=True):
                percent = 100 * correct / pairs
                low, high = (100 * float(end) for end in clopper_pearson(correct, pairs))
                rule = "The lower limit of the accuracy is above 50%, as in the paper. If the interval contains 50%, it cannot tell."
                if low <= COIN:
                    rule = "The lower limit of the accuracy is not above 50%, as in the paper."
                yield Claim(
                    f"graham-table{table}-{metric}-{test}-{alpha:g}", f"Table {table}",
                    f"{NAMES[metric]} with {SHORT[test]} at {alpha:g} agrees with people on {percent:.1f}% of pairs.",
                    "human", "%", round(percent, 1),
                    f"Table {table}, {languages}: {correct} of {pairs}, {percent:.1f} [{low:.1f}, {high:.1f}].",
                    rule, OTHER_DATA, cell,
                    (str(table), metric, test, f"{alpha:g}"),
                )  # fmt: skip


def _of_chi_square(table: int) -> Claim:
    languages, pairs, cells = TABLES[table]
    printed = chi_square(np.array([cells[0.05, metric][2] for metric in GRAHAM_METRICS]), pairs)[2]
    return Claim(
        f"graham-chi-square-table{table}", f"Section 4.1, Table {table}", "Metrics do not differ significantly in accuracy.",
        "human", "(p)", round(printed, 3),
        f"Section 4.1, {languages}: \"not significant (Chi-square test)\". The paper prints no p. This one follows from "
        f"the counts of Table {table} at 0.05.",
        "p of chi-square is above 0.05.", OTHER_DATA, no_better_metric,
    )  # fmt: skip


def _claims() -> Iterator[Claim]:
    yield Claim(
        "graham-fig5", "Figure 5", "A close but significant BLEU gain is significant under all three tests.", "text", "(p)",
        None, "Figure 5 prints no number. Its text calls the gain \"small but significant\" under each test.",
        "The largest of the three p is at most 0.05.", TEXTS, one_pair, ("bleu", "significant"),
    )  # fmt: skip
    yield Claim(
        "graham-fig6", "Figure 6", "A METEOR gain without significance has none under any of the three tests.", "text", "(p)",
        None, "Figure 6 prints no number. Its text says that \"no significant difference is concluded\".",
        "The smallest of the three p is above 0.05.", TEXTS, one_pair, ("meteor", "not significant"),
    )  # fmt: skip
    yield Claim(
        "graham-fig7", "Figure 7", "Fluency decides pairs on which adequacy is tied.", "human", "pairs", 3,
        "Section 4 names three such pairs of Figure 7: System B against C, D and E. The figure may have more.",
        "At least one pair is decided by a later dimension.", OTHER_DATA, broken_ties,
    )  # fmt: skip
    yield Claim(
        "graham-fig8", "Figure 8", "The three tests draw the same conclusions, metric by metric.", "human", "% of pairs", 100,
        "Section 4.1: at 0.05 \"precisely the same conclusions\" under each metric.",
        "The tests agree on at least 95% of pairs.",
        f"{OTHER_DATA} Tests can only part where p is close to alpha.", agreeing_tests,
    )  # fmt: skip
    for table, metric, percent in ((1, "nist", 81.8), (2, "bleu", 61.8)):
        yield Claim(
            f"graham-table{table}", f"Table {table}", f"{NAMES[metric]} is the most accurate metric ({TABLES[table][0]}).", "human",
            "%", percent, f"Section 4.1: {NAMES[metric]} \"combined with any of the three randomized tests\" at 0.05.",
            f"The metric with the largest accuracy at 0.05 is {NAMES[metric]}. Without a significant difference another one cannot tell.", OTHER_DATA, best_metric, (str(table), metric),
        )  # fmt: skip
    yield from _cell_claims()
    yield _of_chi_square(1)
    yield _of_chi_square(2)
    yield Claim(
        "graham-coin-toss", "Section 4.1, Table 2", "Significance tests are no better than a coin toss (English-to-Spanish).",
        "human", "%", 61.8,
        "Table 2: the best cell at 0.05 is BLEU with 34 of 55, 61.8 [47.7, 74.6]. All lower limits are below 50%.",
        "The lower limit of every metric and test at 0.05 is below 50%.",
        f"{OTHER_DATA} An interval from few pairs is wide.", coin_toss,
    )  # fmt: skip


CLAIMS = tuple(_claims())
