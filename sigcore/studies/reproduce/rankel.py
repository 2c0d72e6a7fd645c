"""Rankel, Conroy, Slud and O'Leary 2011: figures 1 to 5, the counts of tables 1 and 2, resampled p, and efficiency."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from sigcore.formatting import count
from sigcore.resampling.pvalues import clopper_pearson
from sigcore.studies import scores
from sigcore.studies.pairs import INTERVALS, generator
from sigcore.studies.reproduce.bench import Bench
from sigcore.studies.reproduce.record import Claim, Found, Need, Panel, Series, sign
from sigcore.studies.scores import THEORY, MeanRanks, ScoresResult
from sigcore.types import Floats, Row

ALPHA = 0.05
NO_INTERVAL = (math.nan, math.nan)
TESTS = ("t", "paired_t", "wilcoxon")  # in the order of the tables
OTHER = "The paper's scores come from TAC. Other documents and systems give other numbers."
EACH = "95% interval of Clopper and Pearson, as if pairs were independent"
PAIRS = "95% interval from leaving out one system at a time"

# The metrics of the tables with the scores that stand for each here: a metric, or a dimension of people's ratings.
METRICS: Mapping[str, tuple[str, Need]] = {
    "Linguistic": ("manual 1", "human"), "Overall": ("manual 0", "human"), "Pyramid": ("manual 0", "human"),
    "ROUGE-2": ("rouge_2", "scores"), "ROUGE-SU4": ("rouge_su4", "scores"),
}  # fmt: skip
# Significant differences of unpaired T, paired T and W, by metric and year.
YEARS = ("2008", "2009", "2010")
ALL_PAIRS = {"2008": 2145, "2009": 1830, "2010": 1275}
HUMAN_PAIRS = {"2008": 464, "2009": 424, "2010": 344}
TABLE1: Mapping[str, tuple[tuple[int, int, int], ...]] = {
    "Linguistic": ((1234, 1416, 1410), (1000, 1182, 1173), (841, 939, 934)),
    "Overall": ((1202, 1353, 1342), (982, 1149, 1146), (845, 894, 889)),
    "Pyramid": ((1263, 1417, 1418), (1075, 1238, 1216), (875, 933, 926)),
    "ROUGE-2": ((1243, 1453, 1459), (1016, 1182, 1193), (812, 938, 939)),
    "ROUGE-SU4": ((1333, 1493, 1507), (1059, 1241, 1254), (894, 983, 976)),
}
TABLE2: Mapping[str, tuple[tuple[int, int, int], ...]] = {
    **dict.fromkeys(("Linguistic", "Overall", "Pyramid"), ((464,) * 3, (424,) * 3, (344,) * 3)),
    "ROUGE-2": ((375, 409, 402), (323, 350, 341), (275, 309, 305)),
    "ROUGE-SU4": ((391, 418, 414), (354, 378, 373), (324, 331, 328)),
}


def said(result: ScoresResult) -> str:
    """The scores that were tested."""
    found = result.matrix
    return f"{found.title} of {count(found.n, found.row)} by {count(len(found.systems), 'system')}."


# ---- figures 1 to 5


def different_sets(bench: Bench, claim: Claim) -> Found:
    """How many other document sets differ from the one with the most differences, by Tukey's honest differences of ranks."""
    result = bench.scored(claim.part[0])
    ranks = result.run.ranks("documents")
    if ranks is None or len(ranks.names) < 3:
        return Found(math.nan, *NO_INTERVAL, None, said(result), "Fewer than three document sets have scores.")
    differing = np.array([int(ranks.differing(k, ALPHA).sum()) for k in range(len(ranks.names))])
    of = len(ranks.names) - 1
    most = int(differing.argmax())
    share = 100 * int(differing[most]) / of
    low, high = (100 * float(end) for end in clopper_pearson(int(differing[most]), of))
    test = result.run.test("kruskal", "documents")
    p = math.nan if test is None else test.p_value
    return Found(
        share, low, high, True if differing[most] else None,
        f"{said(result)} {differing[most]} of the {of} other {result.matrix.row_sets} differ from {ranks.names[most]}; p of "
        f"Kruskal-Wallis is {p:.2g}.",
        "" if differing[most] else "No set is shown to differ, which does not prove that all are alike.",
        interval="95% interval of Clopper and Pearson, as if differences were independent",
        rows=({"test": "Kruskal-Wallis", "p": None if math.isnan(p) else p, "sets": len(ranks.names)},),
        panels=(interval_panel(ranks, most, result.matrix.row_sets),),
        notes=("The set with the most differences is chosen after the fact, as in the paper.",),
    )  # fmt: skip


def interval_panel(ranks: MeanRanks, most: int, words: str) -> Panel:
    """Tukey's comparison intervals of all sets, those that differ from one apart; the ends stay where ranks can be."""
    low, high = ranks.ends(ALPHA)
    apart = ranks.differing(most, ALPHA)
    itself = np.arange(len(ranks.names)) == most
    parts = ((ranks.names[most], itself), ("differs from it", apart), ("does not", ~apart & ~itself))
    series = [
        Series(name, ranks.means[chosen], [ranks.names[k] for k in np.nonzero(chosen)[0]], low[chosen], high[chosen])
        for name, chosen in parts
        if chosen.any()
    ]
    return Panel(f"Comparison intervals of {words}", "points", "mean rank", "", tuple(series))


def dark_rows(bench: Bench, claim: Claim) -> Found:
    """The share of the variance of scores that lies between documents."""
    result = bench.scored(claim.part[0])
    values, found = result.matrix.values, result.matrix
    share = between(values)
    if math.isnan(share):
        return Found(math.nan, *NO_INTERVAL, None, said(result), "The scores do not vary.")
    rng = generator(bench.seed, INTERVALS, 2)
    drawn = [between(values[rng.integers(0, len(values), len(values))]) for _ in range(1_000)]
    low, high = np.nanquantile(drawn, (0.025, 0.975))
    test = result.run.test("kruskal", "documents")
    p = math.nan if test is None else test.p_value
    least, most = np.nanmin(values), np.nanmax(values)
    panel = Panel(
        found.title, "cells", "summarizer", "document", cells=(values - least) / ((most - least) or 1.0), rows=found.documents,
        columns=found.systems, shades=True,
    )  # fmt: skip
    shown = p <= ALPHA  # not for nan
    reason = (
        ""
        if shown
        else f"{found.row_sets.capitalize()} are not shown to differ, which does not prove that they are alike."
    )
    return Found(
        100 * share, 100 * float(low), 100 * float(high), True if shown else None,
        f"{said(result)} Share of the variance between rows; p of Kruskal-Wallis over {found.row_sets} is {p:.2g}.", reason,
        interval="95% bootstrap interval over rows", panels=(panel,),
    )  # fmt: skip


def between(values: Floats) -> float:
    """The share of the variance of scores (n, S) between rows, missing ones left out; nan if nothing varies."""
    present = ~np.isnan(values)
    rows = present.any(axis=1)
    values, present = values[rows], present[rows]
    means = np.nanmean(values, axis=1)
    whole = values[present]
    total = float(((whole - whole.mean()) ** 2).sum())
    return float((present.sum(axis=1) * (means - whole.mean()) ** 2).sum()) / total if total > 0 else math.nan


# ---- tables 1 and 2


def more_by_pairing(bench: Bench, claim: Claim) -> Found:
    """The share of pairs that paired T finds significant less that of unpaired T, with W beside them."""
    family, of = claim.part[0], claim.part[1]
    result = bench.scored(of)
    chosen = np.ones(len(result.run.pairs), dtype=bool) if family == "all" else result.mixed
    if not chosen.any():
        return Found(math.nan, *NO_INTERVAL, None, said(result), "No system is named as a person (--human).")
    p = result.p_values[0][:, chosen]
    known = ~np.isnan(p).any(axis=0)
    if not known.any():
        return Found(math.nan, *NO_INTERVAL, None, said(result), "No pair has six documents in common.")
    below = p[:, known] < ALPHA  # as in the paper, uncorrected
    pairs = result.run.pairs[chosen][known]
    flat = len(set(claim.part[3:6])) == 1
    if flat:
        found = int(below.all(axis=0).sum())
        value, (low, high) = 100 * found / len(pairs), (100 * float(end) for end in clopper_pearson(found, len(pairs)))
        same: bool | None = found == len(pairs)
    else:
        value, (low, high) = 100 * float(below[1].mean() - below[0].mean()), leave_one_out(below, pairs)
        same = sign(value, low, high)
    rows: tuple[Row, ...] = tuple(
        {
            "test": scores.TITLES[name],
            "paper": printed,
            "paper pairs": int(claim.part[2]),
            "here": int(below[k].sum()),
            "pairs": len(pairs),
        }
        for k, (name, printed) in enumerate(zip(TESTS, map(int, claim.part[3:6]), strict=True))
    )
    words = ", ".join(f"{row['test']} {row['here']}" for row in rows)
    return Found(
        value, low, high, same, f"{said(result)} Of {count(len(pairs), 'pair')} significant at {ALPHA:g}, uncorrected: {words}.",
        "" if same is not None else "The interval contains 0 or does not exist, so these pairs cannot tell.",
        interval=EACH if flat else PAIRS, rows=rows, panels=(_shares(rows, result.matrix.title),),
    )  # fmt: skip


def leave_one_out(below: np.ndarray, pairs: np.ndarray, level: float = 0.95) -> tuple[float, float]:
    """The jackknife interval over systems of the difference of two shares, in percentage points; nan where systems are too
    few or nothing varies."""
    from scipy.stats import t

    systems = np.unique(pairs)
    kept = [(pairs != place).all(axis=1) for place in systems]
    kept = [rest for rest in kept if rest.any()]
    if len(kept) < 3:
        return NO_INTERVAL
    apart = np.array([below[1][rest].mean() - below[0][rest].mean() for rest in kept])
    size = len(apart)
    error = math.sqrt((size - 1) / size * float(((apart - apart.mean()) ** 2).sum()))
    half = 100 * float(t.ppf((1 + level) / 2, size - 1)) * error
    middle = 100 * float(below[1].mean() - below[0].mean())
    return middle - half, middle + half


def _shares(rows: tuple[Row, ...], title: str) -> Panel:
    names = [str(row["test"]) for row in rows]
    series = []
    for who, value, of in (("paper", "paper", "paper pairs"), ("here", "here", "pairs")):
        ends = [clopper_pearson(int(str(row[value])), int(str(row[of]))) for row in rows]
        share = [100 * int(str(row[value])) / int(str(row[of])) for row in rows]
        series.append(
            Series(who, share, names, [100 * float(low) for low, _ in ends], [100 * float(high) for _, high in ends])
        )
    return Panel(f"Significant differences, {title}", "points", "share of pairs (%)", "", tuple(series))


# ---- resampled p, and efficiency


def theory_confirmed(bench: Bench, claim: Claim) -> Found:
    """The share of verdicts of paired T and W that resampling (MC and HB) confirms."""
    result = bench.scored(claim.part[0])
    theory = result.p_values[0][1:] <= ALPHA
    known = ~np.isnan(result.p_values[0][1:])
    agree, of, rows = 0, 0, list[Row]()
    for place, method in enumerate(scores.DRAWN, 1):
        same = ((result.p_values[place][1:] <= ALPHA) == theory)[known]
        agree, of = agree + int(same.sum()), of + len(same)
        rows.append({"method": method, "same verdict": int(same.sum()), "verdicts": len(same)})
    if not of:
        return Found(math.nan, *NO_INTERVAL, None, said(result), "No pair has a p.")
    low, high = (100 * float(end) for end in clopper_pearson(agree, of))
    share = 100 * agree / of
    return Found(
        share, low, high, share >= 90, f"{said(result)} {agree} of {of} verdicts at {ALPHA:g} of paired T and W agree with theory.",
        interval="95% interval of Clopper and Pearson, as if verdicts were independent", rows=tuple(rows),
    )  # fmt: skip


def known_efficiency(bench: Bench, claim: Claim) -> Found:
    """The efficiency of W against paired T for a known density, from the integral of its square."""
    exact, error = by_integral(claim.part[0])
    return Found(
        exact, exact - error, exact + error, round(exact, int(claim.part[1])) == claim.printed,
        f"12 times the variance times the square of the integral of the squared density ({claim.part[0]}); the closed form is "
        f"{THEORY[claim.part[0]]:.6f}.",
        interval="error of the numerical integral",
        rows=tuple({"density": name, "efficiency": value} for name, value in THEORY.items()),
    )  # fmt: skip


def by_integral(name: str) -> tuple[float, float]:
    """12 s^2 (integral of f^2)^2 of a density, by quadrature, and the error of it. Source: Randles and Wolfe 1979, 5.4."""
    from scipy.integrate import quad
    from scipy.stats import norm

    if name == "normal":
        value, error = quad(lambda x: norm.pdf(x) ** 2, -np.inf, np.inf)
        variance = 1.0
    else:  # the parabola that is least favourable to W
        value, error = quad(lambda x: (0.75 * (1 - x * x)) ** 2, -1.0, 1.0)
        variance = 0.2
    return 12 * variance * value**2, 24 * variance * value * error


def estimated_efficiency(bench: Bench, claim: Claim) -> Found:
    """The median over pairs of the efficiency of W against paired T, estimated from their differences."""
    result = bench.scored(claim.part[0])
    known = np.sort(result.run.efficiency[~np.isnan(result.run.efficiency)])
    if len(known) < 5:
        return Found(
            math.nan,
            *NO_INTERVAL,
            None,
            said(result),
            f"{count(len(known), 'pair')} with an estimate; five are needed.",
        )
    rng = generator(bench.seed, INTERVALS, 3)
    low, high = np.quantile(np.median(known[rng.integers(0, len(known), (10_000, len(known)))], axis=1), (0.025, 0.975))
    least = THEORY["smallest possible"]
    return Found(
        float(np.median(known)), float(low), float(high), bool(high >= least),
        f"{said(result)} Median over {count(len(known), 'pair')}; {int((known < least).sum())} estimates are below {least:.3f}.",
        interval="95% bootstrap interval over pairs, as if they were independent",
        panels=(Panel("Estimated efficiency of W", "bars", "efficiency", "pairs", _histogram(known), lines=((least, "bound"), (1.0, "equal"))),),
        notes=("An estimate from few documents varies much, so single pairs can be below the bound of theory.",),
    )  # fmt: skip


def _histogram(values: Floats) -> tuple[Series, ...]:
    counts, edges = np.histogram(values, bins=20)
    return (Series("pairs", (edges[:-1] + edges[1:]) / 2, counts.astype(float)),)


# ---- the records


def _figures() -> Iterator[Claim]:
    yield Claim(
        "rankel-fig1", "Figure 1", "Many document sets differ in difficulty from one of them.", "human", "% of other sets",
        round(100 * 30 / 45, 1), "Figure 1: 30 of 45 other document sets differ from d1032 in responsiveness.",
        "At least one other set differs from the one with the most differences.", OTHER, different_sets, ("manual 0",),
    )  # fmt: skip
    for figure, name in ((2, "Overall"), (3, "Linguistic"), (4, "Pyramid"), (5, "ROUGE-2")):
        of, needs = METRICS[name]
        extra = " People's first dimension stands for pyramid scores." if name == "Pyramid" else ""
        yield Claim(
            f"rankel-fig{figure}", f"Figure {figure}", f"Some documents have lower scores from all summarizers ({name}).", needs,
            "% of variance", None, f"Figure {figure} prints no number. Section 1 gives p below 1e-12 for responsiveness.",
            "p of Kruskal-Wallis over document sets is at most 0.05.", f"{OTHER}{extra}", dark_rows, (of,),
        )  # fmt: skip


def _tables() -> Iterator[Claim]:
    tables = ((1, "all", TABLE1, ALL_PAIRS), (2, "human_machine", TABLE2, HUMAN_PAIRS))
    for table, family, cells, totals in tables:
        for name, rows in cells.items():
            of, needs = METRICS[name]
            needs = "scores" if family == "human_machine" and of in ("rouge_2", "rouge_su4") else needs
            for year, counts in zip(YEARS, rows, strict=True):
                total = totals[year]
                flat = len(set(counts)) == 1
                yield Claim(
                    f"rankel-table{table}-{name}-{year}".lower(), f"Table {table}",
                    (f"All three tests reject on every human-machine pair ({name}, {year})." if flat
                     else f"Pairing finds more significant differences ({name}, {year}{', human-machine pairs' if table == 2 else ''})."),
                    needs, "% of pairs" if flat else "percentage points",
                    100.0 if flat else round(100 * (counts[1] - counts[0]) / total, 1),
                    f"Table {table}: unpaired T {counts[0]}, paired T {counts[1]}, Wilcoxon {counts[2]} of {total} pairs.",
                    ("All three tests reject on every pair." if flat
                     else "Paired T less unpaired T is above 0, and the interval excludes 0."),
                    f"{OTHER}{' One reference stands for the eight people of the paper.' if table == 2 else ''}",
                    more_by_pairing, (family, of, str(total), *map(str, counts)),
                )  # fmt: skip


def _others() -> Iterator[Claim]:
    yield Claim(
        "rankel-resampling", "Section 4", "Resampled p (MC and HB) confirms p of theory.", "scores", "% of verdicts", None,
        "Section 4 prints no number: quantiles \"generally confirm the theoretical p-value test results\".",
        "At least 90% of verdicts are the same.", OTHER, theory_confirmed, ("rouge_2",),
    )  # fmt: skip
    for word, name, value, digits, words in (
        ("normal", "normal", 0.95, "2", "With normal differences W has 95% of the efficiency of paired T."),
        ("least", "smallest possible", 0.864, "3", "W never has less than 86.4% of the efficiency of paired T."),
    ):
        yield Claim(
            f"rankel-are-{word}", "Section 3", words, "nothing", "", value, "Section 3, after Randles and Wolfe 1979.",
            "Our number, rounded to the printed digits, is the printed one.", "The paper prints fewer digits.", known_efficiency,
            (name, digits),
        )  # fmt: skip
    yield Claim(
        "rankel-are-data", "Section 3", "W and paired T perform alike on the scores themselves.", "scores", "", 0.95,
        "Section 3: 0.95 for normal differences, which the scores \"often\" resemble.",
        "The interval of the median is not below 0.864, the bound for symmetric densities.", OTHER, estimated_efficiency, ("rouge_2",),
    )  # fmt: skip


CLAIMS = (*_figures(), *_tables(), *_others())
